# Members of __slots__ that the class replaces, deletes, lends or has under another name.
def show(label, f):
    try:
        print(label, f())
    except Exception as e:
        print(label, type(e).__name__, e)


def get(o):
    return o.x


def store(o):
    o.x = 3


class S:
    __slots__ = ("x", "y")


o = S()
o.x, o.y = 9, 4
print(get(o))
S.x = 5
print(get(o), o.x, getattr(o, "x"), hasattr(o, "x"))
show("store", lambda: store(o))
S.y = lambda self: "method"
show("method", lambda: o.y())
del S.x
show("deleted", lambda: get(o))
show("deleted", lambda: getattr(o, "x", "none"))
show("store", lambda: store(o))


class Base:
    __slots__ = ("a",)


class Hiding(Base):
    __slots__ = ("b",)
    a = 7


h = Hiding()
show("hidden", lambda: h.a)
Base.a.__set__(h, 5)
show("hidden", lambda: (h.a, Base.a.__get__(h)))


class A:
    __slots__ = ("x",)


class B:
    __slots__ = ("y",)
    x = A.x


class C:
    x = A.x


for other in (B, C):
    show("get", lambda: get(other()))
    show("store", lambda: store(other()))
    show("delete", lambda: other().__delattr__("x"))

a, member = A(), A.x
store(a)
A.x = property(lambda self: "property")
show("property", lambda: get(a))
A.other = member
show("other", lambda: a.other)
a.other = 8
show("other", lambda: (a.other, member.__get__(a)))
A.x = member
show("again", lambda: get(a))
