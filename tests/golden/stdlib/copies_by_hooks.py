# What a class says of how its instances are copied.
import copy
import threading


class Locked:
    def __init__(self, n):
        self.n, self.lock = [n], threading.Lock()

    def __getstate__(self):
        state = self.__dict__.copy()
        del state["lock"]
        return state

    def __setstate__(self, state):
        self.__dict__.update(state)
        self.lock, self.restored = threading.Lock(), True


class Reduced:
    def __init__(self, a, b):
        self.a, self.b = a, b

    def __reduce__(self):
        return Reduced, (self.a, self.b), {"note": [1]}


class New:
    def __new__(cls, x):
        made = super().__new__(cls)
        made.x = x
        return made

    def __getnewargs__(self):
        return (self.x,)


class Table(dict):
    def __reduce_ex__(self, protocol):
        return make_table, (protocol,), None, None, iter(self.items())


class Slots:
    __slots__ = ("a", "b")

    def __init__(self):
        self.a = [1]

    def __getstate__(self):
        return None, {"a": self.a, "b": "made"}


class Same:
    def __reduce__(self):
        return "Same"


def make_table(protocol):
    table = Table()
    table.protocol = protocol
    return table


for how in (copy.copy, copy.deepcopy):
    a = Locked(5)
    b = how([a, a]) if how is copy.deepcopy else [how(a)] * 2
    print(b[0].n, b[0].restored, b[0] is b[1], b[0].n is a.n, b[0].lock is a.lock)
    a = Reduced([1], 2)
    b = how(a)
    print(b.a, b.b, b.note, b.a is a.a)
    print(how(New([4])).x)
    table = Table(k=[1])
    b = how(table)
    print(type(b).__name__, b, b.protocol, b["k"] is table["k"])
    a = Slots()
    b = how(a)
    print(b.a, b.b, b.a is a.a)
    a = Same()
    print(how(a) is a)
