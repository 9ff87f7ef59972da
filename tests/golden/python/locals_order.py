# locals() has keyword-only names in front of *args; bool is the class that derives from int.
def f(a, b=2, *args, c, d=4, **kw):
    e = 5
    return locals()


def g(*args, k=1):
    return locals()


def h(a, *, b):
    return locals()


print(f(1, c=3), f(1, 2, 3, c=4, z=1), g(2), g(), h(1, b=2))
print((lambda *a, b=1: locals())(3))
print(bool in int.__subclasses__(), bool in object.__subclasses__(), bool.__mro__, bool.__bases__)
