# Methods of native types that a class has without deriving from their type: each refuses a self that it cannot read.
import collections


def show(label, f):
    try:
        print(label, f())
    except Exception as e:
        print(label, type(e).__name__, e)


def having(name, method, *bases):
    return type("C", bases, {name: method})()


def store(o, index):
    o[index] = 0


def take(o, index):
    del o[index]


USES = {"__contains__": lambda c: 1 in c, "__getitem__": lambda c: c[1], "__setitem__": lambda c: store(c, 1), "__delitem__": lambda c: take(c, 1),
        "__len__": len, "__iter__": lambda c: [x for x in c], "__next__": next, "__hash__": hash, "__eq__": lambda c: c == 1, "__lt__": lambda c: c < c,
        "__repr__": lambda c: str([c]), "__str__": str, "__bool__": bool, "__add__": lambda c: c + 1, "__radd__": lambda c: 1 + c, "__neg__": lambda c: -c,
        "__index__": lambda c: [1, 2][c], "__mul__": lambda c: c * 2, "__or__": lambda c: c | c, "__reversed__": lambda c: list(reversed(c))}

for owner, names in ((range, "__contains__ __getitem__ __len__ __iter__ __hash__ __eq__ __repr__ __bool__ __reversed__"),
                     (str, "__contains__ __getitem__ __len__ __iter__ __hash__ __eq__ __lt__ __repr__ __str__ __add__ __mul__"),
                     (bytes, "__contains__ __getitem__ __hash__"),
                     (list, "__contains__ __setitem__ __delitem__ __len__ __iter__ __lt__ __repr__ __add__ __mul__ __reversed__"),
                     (tuple, "__contains__ __getitem__ __hash__ __repr__"),
                     (dict, "__setitem__ __delitem__ __len__ __iter__ __repr__ __or__"),
                     (set, "__len__ __iter__ __repr__ __or__"),
                     (int, "__hash__ __neg__ __index__ __add__ __radd__ __bool__"),
                     (collections.deque, "__contains__ __getitem__ __setitem__ __delitem__ __len__ __iter__ __repr__ __reversed__"),
                     (memoryview, "__getitem__ __setitem__ __hash__"),
                     (type(iter([])), "__iter__ __next__"), (type(x for x in ()), "__next__")):
    for name in names.split():
        show(f"{owner.__name__}.{name}", lambda: USES[name](having(name, getattr(owner, name))))


class X:
    append, upper, get, count, send = list.append, str.upper, dict.get, range.count, type(x for x in ()).send
    rotate, tobytes, union, ratio = collections.deque.rotate, memoryview.tobytes, set.union, int.as_integer_ratio
    maxlen, start, stop, real = collections.deque.maxlen, range.start, slice.stop, int.real


show("append", lambda: X().append(1))
show("append", lambda: X().append())
show("append", lambda: getattr(X(), "append")(1))
show("upper", lambda: X().upper())
show("get", lambda: X().get(1))
show("count", lambda: X().count(1))
show("send", lambda: X().send(None))
show("rotate", lambda: X().rotate(1))
show("tobytes", lambda: X().tobytes())
show("union", lambda: X().union())
show("ratio", lambda: X().ratio())
show("maxlen", lambda: X().maxlen)
show("start", lambda: X().start)
show("stop", lambda: X().stop)
show("real", lambda: X().real)


# Under another name a method of an own base does what it does there.
class Taking(list):
    __contains__ = list.__getitem__
    __getitem__ = list.__contains__


class Sized(str):
    __hash__ = str.__len__


class Counted(dict):
    __repr__ = dict.__len__


show("taking", lambda: (1 in Taking([5, 0]), 0 in Taking([5, 0]), Taking([5])[5]))
show("sized", lambda: hash(Sized("abc")))
show("counted", lambda: repr(Counted()))


class Named(collections.deque):
    push, has = collections.deque.append, collections.deque.__contains__
    __repr__, __getitem__ = collections.deque.__repr__, collections.deque.__getitem__


named = Named()
named.push(1)
print(named, named.has(1), named[0], named.maxlen, True.real, True.bit_length())
