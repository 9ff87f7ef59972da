# object.__reduce_ex__, __getstate__, __sizeof__ and what dir() lists of them: of instances, of builtin types and of classes made from them; copyreg's table.
import copy
import copyreg
import sys


def show(f):
    try:
        return repr(f())
    except Exception as e:
        return type(e).__name__ + ": " + str(e)


class Plain:
    def __init__(self):
        self.a = 1


class Slots:
    __slots__ = ("x", "y")


class Both(Slots):
    pass


class Items(list):
    pass


class Pairs(dict):
    pass


class Number(int):
    pass


class Own:
    def __init__(self, n):
        self.n = n

    def __reduce__(self):
        return Own, (self.n + 1,)


class Above(Own):
    def __reduce_ex__(self, protocol):
        made = super().__reduce_ex__(protocol)
        return made[0], (made[1][0] * 10,)


class State:
    def __init__(self):
        self.kept, self.left = 1, 2

    def __getstate__(self):
        state = super().__getstate__()
        del state["left"]
        return state


def shown(reduced):
    make, args, *rest = reduced
    return make.__name__, [a.__name__ if isinstance(a, type) else a for a in args], [list(r) if hasattr(r, "__next__") else r for r in rest]


slots, both, items, pairs = Slots(), Both(), Items([1, 2]), Pairs(a=1)
slots.x, both.y, both.z, items.tag = 1, 2, 3, "t"
for value in (Plain(), slots, both, items, pairs, Number(5), [1, 2], {"k": 1}, 5, 1.5, "s", b"b", (1, 2), 1j, True, State(), object()):
    print(type(value).__name__, show(lambda: shown(value.__reduce_ex__(2))), show(lambda: shown(value.__reduce_ex__(4))[0]), show(lambda: value.__getstate__()))
print(shown(Plain().__reduce__()), shown(items.__reduce_ex__(0)), shown(Own(1).__reduce_ex__(2)), shown(Own(1).__reduce__()))
print(copy.copy(Own(1)).n, copy.deepcopy(Above(1)).n, vars(copy.copy(State())), copy.copy(slots).x, copy.copy(both).z, copy.copy(items).tag, copy.deepcopy(pairs))
for value in (print, len, (i for i in ())):
    print(show(lambda: value.__reduce_ex__(2)).replace("'list_iterator'", "it").split("(")[0][:60])
print([x.__sizeof__() for x in ("", "abc", 5, 1.5, [], [1], (), (1, 2), None, True)], [sys.getsizeof(x) for x in ("", "abc", 5, 1.5, [], [1], (), (1, 2))])


class Sized:
    def __sizeof__(self):
        return 1000


print(Sized().__sizeof__(), isinstance(object().__sizeof__(), int))
copyreg.pickle(Plain, lambda p: (Own, (p.a + 6,)))
print(type(copy.copy(Plain())).__name__, copy.deepcopy([Plain()])[0].n)
print([name in dir(Plain()) for name in ("__class__", "__doc__", "__dict__", "__reduce_ex__", "a")], [name in dir(5) for name in ("__class__", "__doc__", "__dict__", "__sizeof__", "real")], "__dict__" in dir(slots))
