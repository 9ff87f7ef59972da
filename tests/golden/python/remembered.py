# What a place of the program remembers of names, attributes, methods and calls holds only while it is so.
import builtins
import math


# ---- attributes of classes and instances ----
class A:
    kind = 'class'

    def name(self):
        return 'A.name'

    def __init__(self, v=0):
        self.v = v


class B(A):
    pass


def kind_of(o):
    return o.kind


def call_name(o):
    return o.name()


a, b = A(), B()
print(kind_of(a), kind_of(b), call_name(a), call_name(b))
A.kind = 'changed'
print(kind_of(a), kind_of(b))
B.kind = 'derived'
print(kind_of(a), kind_of(b))
b.kind = 'own'
print(kind_of(b))
del b.kind
print(kind_of(b))
del B.kind
print(kind_of(b))
A.name = lambda self: 'replaced'
print(call_name(a), call_name(b))
B.name = lambda self: 'in B'
print(call_name(a), call_name(b))
b.name = lambda: 'in b'
print(call_name(b))
del b.name, B.name
print(call_name(b))
A.name = staticmethod(lambda: 'static')
print(call_name(a), call_name(b))
A.name = classmethod(lambda cls: 'class ' + cls.__name__)
print(call_name(a), call_name(b), call_name(A), call_name(B))
A.name = property(lambda self: lambda: 'from a property')
print(call_name(a))
A.kind = property(lambda self: 'property of ' + type(self).__name__)
print(kind_of(a), kind_of(b))
try:
    a.kind = 3
except AttributeError as error:
    print('cannot set')
A.kind = 5
a.kind = 6
print(kind_of(a), kind_of(b))


# ---- __getattr__, __getattribute__, __setattr__ that come later ----
def get_missing(o):
    try:
        return o.missing
    except AttributeError:
        return 'absent'


def set_x(o, v):
    o.x = v
    return o.__dict__.get('x')


print(get_missing(a), set_x(a, 1), set_x(a, 2))
A.__getattr__ = lambda self, name: 'asked for ' + name
print(get_missing(a), get_missing(b))
A.__setattr__ = lambda self, name, value: object.__setattr__(self, name, value * 10)
print(set_x(a, 3), set_x(b, 4))
A.__getattribute__ = lambda self, name: 'always' if name == 'kind' else object.__getattribute__(self, name)
print(kind_of(a), get_missing(b))
del A.__getattribute__, A.__setattr__, A.__getattr__
print(kind_of(a), get_missing(a), set_x(a, 5))


# ---- descriptors that become ones ----
class Later:
    pass


class Holder:
    d = Later()


def get_d(o):
    return type(o.d).__name__ if not isinstance(o.d, str) else o.d


h = Holder()
h.d = 'mine'
print(get_d(h))
Later.__get__ = lambda self, instance, owner: 'got'
print(get_d(h), get_d(Holder))
Later.__set__ = lambda self, instance, value: None
print(get_d(h))
h.d = 'not kept'
print(h.__dict__['d'])
del Later.__get__, Later.__set__
print(get_d(h))


# ---- other classes, other instances, at one place ----
class P:
    def __init__(self):
        self.a, self.b = 1, 2

    def m(self):
        return 'P'


class Q:
    __slots__ = ('b', 'a')

    def __init__(self):
        self.b, self.a = 20, 10

    def m(self):
        return 'Q'


class R(P):
    a = 'not seen'

    def __init__(self):
        self.z, self.b, self.a = 0, 200, 100


def swap(o):
    o.a, o.b = o.b, o.a
    return o.a, o.b, o.m()


for o in [P(), Q(), R(), P(), R(), Q()]:
    print(swap(o), end=' ')
print()
q = Q()
del q.a
try:
    q.a
except AttributeError as error:
    print(error)
q.a = 4
print(q.a)
p = P()
del p.a
p.c = 3
p.a = 9
print(swap(p), list(p.__dict__))
p.__class__ = R
print(p.a, call_name.__name__)
p.__dict__ = {'b': 'new'}
print(p.b, p.a)


# ---- globals and builtins ----
def length(x):
    return len(x)


def read():
    return value


value = 1
print(length('abc'), read())
value = 2
print(read())
del value
try:
    read()
except NameError as error:
    print(error)
value = 3
print(read())
len = lambda x: 'mine'
print(length('abc'))
del len
print(length('abc'))
kept = builtins.len
builtins.len = lambda x: 'theirs'
print(length('abc'))
builtins.len = kept
print(length('abc'))
builtins.fresh_name = 'of builtins'


def read_fresh():
    return fresh_name


print(read_fresh())
fresh_name = 'of the module'
print(read_fresh())
del fresh_name
print(read_fresh())
del builtins.fresh_name
try:
    read_fresh()
except NameError as error:
    print(error)


def many():
    for i in range(40):
        globals()[f'g{i}'] = i
    return g0, g39


print(many())
for i in range(39):
    del globals()[f'g{i}']
print(g39, read())
g39 += 1
print(g39)


def root(x):
    return math.sqrt(x)


kept = math.sqrt
print(root(4))
math.sqrt = lambda x: 'patched'
print(root(4))
math.sqrt = kept
print(root(4))


# ---- calls ----
def f(x, y=2, *, z=3):
    return x, y, z


def g(z, y=5, x=6):
    return x, y, z


def h2(**more):
    return more


def call_with(function, x):
    return function(x=x, z=9)


for function in [f, g, h2, f, dict, g]:
    print(call_with(function, 1), end=' ')
print()


def call_plainly():
    return f(1)


print(call_plainly())
f.__defaults__ = (20,)
print(call_plainly())
f.__defaults__ = None
try:
    call_plainly()
except TypeError as error:
    print(error)
f.__defaults__ = (1, 2)
print(f())
f.__kwdefaults__ = None if False else {'z': 30}


def nested(n):
    return f(n, y=nested(n - 1) if n else 0, z=n)


print(nested(3))


def either(n):
    function = f if n % 2 else g
    return function(z=n, x=either(n - 1) if n else None, y=0)


print(either(3))
for wrong in [lambda: f(1, 2, 3),
              lambda: f(1, x=2),
              lambda: f(w=1),
              lambda: g(),
              lambda: f(*[1], x=3),
              lambda: g(1, 2, 3, 4),
              lambda: A(1, 2),
              lambda: A(w=1),
              lambda: f(**{'x': 1, 2: 3}),
              lambda: h2(a=1, **{'a': 2}),
              lambda: f(*3),
              lambda: f(**3),
              lambda: len(),
              lambda: len(1, 2),
              lambda: [].append(),
              lambda: 'a'.upper(1),
              lambda: len(x=1)]:
    try:
        print(wrong())
    except TypeError as error:
        print(error)


class Init:
    def __init__(self, a):
        self.a = a


def make(a):
    return Init(a)


print(make(1).a)
Init.__init__ = lambda self, a: setattr(self, 'a', -a)
print(make(1).a)
Init.__new__ = lambda cls, a: 'no instance'
print(make(1))
Init.__new__ = staticmethod(lambda cls, a: object.__new__(cls))
print(make(2).a)
Init.__init__ = lambda self, a: 5
try:
    make(1)
except TypeError as error:
    print(error)


# ---- frames ----
def counter(n):
    total = 0

    def add(k):
        nonlocal total
        total += k
        return total
    for i in range(n):
        yield add
        add(i)


adders = [add for add in counter(3)]
print([add(10) for add in adders])


def deep(n):
    return 0 if n == 0 else 1 + deep(n - 1)


def fails(n):
    if n == 0:
        raise ValueError('bottom')
    return fails(n - 1) + n


for _ in range(3):
    try:
        fails(5)
    except ValueError as error:
        print(deep(50), error)


def half(n):
    x = n
    yield x
    raise KeyError(x)


made = [half(i) for i in range(3)]
print([next(g) for g in made])
for g in made:
    try:
        next(g)
    except KeyError as error:
        print('KeyError', error)


def abandoned():
    for i in range(5):
        yield i


print([next(abandoned()) for _ in range(5)], sum(abandoned()))


def unbound():
    for i in range(2):
        if i:
            del late
            try:
                late
            except UnboundLocalError:
                print('unbound')
        late = i
    late += 1
    return late


print(unbound())


# ---- numbers at the edges ----
def ops(a, b):
    return a + b, a - b, a * b, a // b, a % b, a & b, a | b, a ^ b, a < b, a == b, a != b, a >= b


big = 2 ** 63 - 1
for x, y in [(7, 3), (-7, 3), (7, -3), (-7, -3), (big, 2), (-big - 1, -1), (big, big), (True, 2), (True, False or 1)]:
    print(ops(x, y))


def floats(a, b):
    return a + b, a - b, a * b, a / b, a // b, a % b, a < b, a == b, a <= b, a != b


for x, y in [(1.5, 2), (2, 1.5), (-1.5, 0.5), (float('inf'), 1), (1, float('nan')), (2 ** 60, 1.0), (True, 0.5)]:
    print(floats(x, y))
zero, text, one = 0, 'a', 1
for wrong in [lambda: 1 / zero, lambda: 1.0 / zero, lambda: 1 % zero, lambda: 1 // 0.0, lambda: 1 + text, lambda: 1 < text,
              lambda: text - 1, lambda: None + 1, lambda: -text]:
    try:
        print(wrong())
    except Exception as error:
        print(type(error).__name__, error)
print(1 < 2 < 3, 1 < 2 > 3, 1 < 2.5 < 3 != 4, 'a' < 'b' < 'c', not 0, not 1.5, not [], not 'a', None is None, one is not None)
