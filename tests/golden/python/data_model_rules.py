# Smaller rules of the data model: where dunders are looked up, hash inheritance, del, attribute of classes, metaclass basics.
class A:
    pass


a = A()
a.__len__ = lambda: 5
a.__call__ = lambda: 'called'
a.__getitem__ = lambda i: i
for bad in (lambda: len(a), lambda: a(), lambda: a[1]):
    try:
        bad()
    except TypeError as e:
        print(e)


class H:
    def __eq__(self, o):
        return True


class H2(H):
    pass


class H3(H):
    def __hash__(self):
        return 5


class H4(H3):
    def __eq__(self, o):
        return False


for cls in (H, H2, H3, H4):
    try:
        print(cls.__name__, hash(cls()))
    except TypeError as e:
        print(e)


class D:
    x = 1


d = D()
D.y = 2
print(d.y, D.__dict__['y'], 'y' in D.__dict__, 'y' in d.__dict__)
del D.y
print(hasattr(d, 'y'))
try:
    del d.x
except AttributeError as e:
    print('AttributeError')
try:
    del D.zz
except AttributeError as e:
    print('AttributeError')
del D.x
print(hasattr(D, 'x'))
keep = [d]


class Base:
    attr = []

    def set(self):
        self.attr = self.attr + [1]
        return self

    def mutate(self):
        self.attr += [2]
        return self


b1, b2 = Base().set(), Base().mutate()
print(Base.attr, b1.attr, b2.attr, b2.attr is Base.attr)


class Cmp:
    def __init__(self, v):
        self.v = v

    def __lt__(self, o):
        return self.v < o.v

    def __eq__(self, o):
        return self.v == o.v


print(Cmp(1) > Cmp(0), Cmp(1) < Cmp(2), Cmp(1) != Cmp(2))
try:
    Cmp(1) <= Cmp(2)
except TypeError as e:
    print(e)
try:
    Cmp(1) < 5
except AttributeError as e:
    print(e)


class Ne:
    def __ne__(self, o):
        return 'ne'


print(Ne() != 1, Ne() == 1)


class BoolEq:
    def __eq__(self, o):
        return []


print(BoolEq() == 1, BoolEq() != 1, BoolEq() in [1], [BoolEq()] == [1])


class Contains:
    def __contains__(self, x):
        return 'yes'


print(1 in Contains(), 1 not in Contains())


class Attr:
    def __init__(self):
        self.a = 1

    a = 'class a'
    __doc__ = 'doc attr'


print(Attr().a, Attr.a, Attr.__doc__, Attr().__doc__)


class Static:
    @staticmethod
    def f(x):
        return x

    @classmethod
    def g(cls, x):
        return cls.__name__, x

    def h(self):
        return self.f(1), self.g(2), Static.f(3), type(self).g(4)

    alias = h


print(Static().h(), Static().alias(), Static.__dict__['f'].__func__('raw'), isinstance(Static.__dict__['g'], classmethod))


class Calls:
    def __init__(self):
        self.handler = lambda x: ('instance function', x)

    handlers = {'k': lambda self: 'in a dict'}


c = Calls()
print(c.handler(1), c.handlers['k'](c))


class Meth:
    def m(self):
        return 'm'


obj = Meth()
m = obj.m
Meth.m = lambda self: 'new m'
print(m(), obj.m(), m == obj.m, obj.m == obj.m, hash(obj.m) == hash(obj.m), {obj.m: 1}[obj.m])


class WithIter:
    def __iter__(self):
        return iter([1, 2])

    def __len__(self):
        return 100


x, y = WithIter()
print(x, y, list(WithIter()), len(WithIter()), bool(WithIter()), tuple(WithIter()), sum(WithIter()))


class Index:
    def __index__(self):
        return 1


print('ab'[Index()], [0, 1, 2][Index():], (10, 20)[Index()], range(5)[Index()], 'x' * Index(), hex(Index()), [5] * Index())


class Format(float):
    pass


print(f'{Format(1.5):.2f}', Format(2) + 1, isinstance(Format(1), float), type(Format(1) * 2).__name__, Format(3) == 3.0, repr(Format(4)))
print(isinstance(type, type), isinstance(object, type), issubclass(type, object), type(type) is type, object.__class__ is type, A.__class__ is type)
print(type.__mro__, object.__bases__, type(A)('New', (A,), {'z': 1}).z, A.__subclasses__() != [])
