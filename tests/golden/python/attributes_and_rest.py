# Instances whose attributes are stored by the same places again and again; functions that take the rest of their arguments.
class A:

    def __init__(self, n):
        for i in range(n):
            setattr(self, f'a{i}', i)
for n in (1, 3, 5, 6, 7, 8, 9, 20):
    a = A(n)
    assert a.__dict__ == {f'a{i}': i for i in range(n)}
    b = A(n)
    assert b.__dict__ == a.__dict__
    b.zz = 1
    b.yy = 2
    del b.a0
    b.a0 = 5
    assert list(b.__dict__)[-1] == 'a0', list(b.__dict__)

class B:

    def __init__(s, x):
        s.p = 1
        s.q = 2
        s.r = 3
        s.s = 4
        s.t = 5
for i in range(3):
    b = B(1)
    for k in range(i * 5):
        setattr(b, f'k{k}', k)
    print(sorted(vars(b)))

class C:

    def __init__(s):
        s.a = 1
        del s.a
        s.a = 2
        s.b = 3
for _ in range(3):
    print(vars(C()))

class D:

    def __setattr__(s, n, v):
        object.__setattr__(s, n, v * 2)

    def __init__(s):
        s.a = 1
        s.b = 2
for _ in range(3):
    print(vars(D()))

class E:

    def __init__(s, v):
        s.x = v
        s.y = v
es = [E(i) for i in range(3)]
E.x = property(lambda s: 7)
try:
    E(1)
except AttributeError as e:
    print('AE')

def f(*a):
    return a

def g(x, *a):
    return (x, a)

def h(**k):
    return k

def m(*a, **k):
    return (a, k)

def n(x, y=2, *a, **k):
    return (x, y, a, k)

def o(x, **k):
    return (x, k)
print(f(), f(1), f(1, 2), g(1), g(1, 2, 3), h(), m(), m(1), n(1), n(1, 5), n(1, 5, 6), o(1), o(1, z=2), h(a=1))
for c in (lambda: g(), lambda: o(), lambda: o(1, 2), lambda: h(1)):
    try:
        c()
    except TypeError as e:
        print(e)

class K:

    def f(self, *a):
        return a

    def g(*a):
        return (len(a), type(a[0]).__name__)

    def h(self, **k):
        return k
k = K()
print(k.f(), k.f(1, 2), k.g(), k.g(1), k.h(), k.h(z=1))
x = h()
x['a'] = 1
print(h())

def gen(*a):
    yield from a
print(list(gen(1, 2)), list(gen()))

def clos(*a):
    return lambda: a
print(clos(1, 2)())
l = lambda *a, **k: (a, k)
print(l(1), l())

def kwonly(*a, z=3):
    return (a, z)
print(kwonly(1, 2), kwonly(z=1))
