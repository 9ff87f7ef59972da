# Classes made in functions, loops and comprehensions; closures over class names; methods that define functions.
def make(n):
    class Local:
        value = n

        def get(self):
            return n + self.value

        @classmethod
        def other(cls, m):
            return make(m)
    return Local


A, B = make(1), make(2)
print(A().get(), B().get(), A is B, A.other(5)().get(), A.__qualname__)
classes = [type(f'C{i}', (), {'i': i, 'me': lambda self, i=i: i}) for i in range(3)]
print([c.__name__ for c in classes], [c().me() for c in classes], [c.i for c in classes])
loops = []
for i in range(3):
    class InLoop:
        number = i

        def late(self):
            return i
    loops.append(InLoop)
print([c.number for c in loops], [c().late() for c in loops])


def counter_class():
    count = 0

    class Counted:
        def __init__(self):
            nonlocal count
            count += 1

        @staticmethod
        def total():
            return count
    return Counted


K = counter_class()
K(), K()
print(K.total(), counter_class().total())


class Outer:
    x = 'outer x'

    class Inner:
        x = 'inner x'

        def get(self):
            return self.x, Outer.x, Outer.Inner.x

    def make(self):
        class Deep(Outer.Inner):
            y = self.x
        return Deep().get(), Deep.y, Deep.__qualname__

    def functions(self):
        def a(k):
            return self.x + k

        return [a(k) for k in 'pq'], (lambda k: a(k))('r')


print(Outer.Inner().get(), Outer().make(), Outer().functions())


def memoised(cls):
    made = {}

    def get(*args):
        if args not in made:
            made[args] = cls(*args)
        return made[args]
    get.cls = cls
    return get


@memoised
class Pt:
    def __init__(self, a, b):
        self.a, self.b = a, b


print(Pt(1, 2) is Pt(1, 2), Pt(1, 3) is Pt(1, 2), type(Pt(1, 2)) is Pt.cls)


def add_methods(**methods):
    def wrap(cls):
        for name, f in methods.items():
            setattr(cls, name, f)
        return cls
    return wrap


@add_methods(double=lambda self: self.v * 2, __len__=lambda self: self.v)
class V:
    def __init__(self, v):
        self.v = v


print(V(4).double(), len(V(7)))


class Builder:
    def __init__(self):
        self.parts = []

    def __getattr__(self, name):
        def add(*args):
            self.parts.append((name, args))
            return self
        return add

    def build(self):
        return ' '.join(f'{n}{a}' for n, a in self.parts)


print(Builder().select('a', 'b').where('c').limit(5).build())


class Tracker:
    instances = []

    def __new__(cls, *a):
        self = super().__new__(cls)
        cls.instances.append(self)
        return self

    def __init__(self, tag=None):
        self.tag = tag


[Tracker(t) for t in 'xyz']
print([t.tag for t in Tracker.instances])


def scope_test():
    v = 1

    class S:
        nonlocal v
        v = 2
        w = v
    return v, S.w, hasattr(S, 'v')


print(scope_test())
g = 'g'


class G:
    global g
    g = 'changed'
    h = g


print(g, G.h, hasattr(G, 'g'))


def names_what_comes_later():
    class Early:
        try:
            late
        except NameError as e:
            print(type(e).__name__, e)

    late = 1
    return late


names_what_comes_later()
