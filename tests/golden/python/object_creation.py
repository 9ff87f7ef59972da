# __new__ and __init__: singletons, other results, arguments, errors.
class Singleton:
    instance = None

    def __new__(cls, *args):
        if cls.instance is None:
            cls.instance = super().__new__(cls)
            cls.instance.made = 0
        return cls.instance

    def __init__(self, *args):
        self.made += 1
        self.args = args


a, b = Singleton(1), Singleton(2, 3)
print(a is b, a.made, a.args)


class Other:
    def __new__(cls):
        return 42

    def __init__(self):
        print('never')


print(Other())


class Choosy:
    def __new__(cls, kind):
        if kind == 'sub':
            return object.__new__(Sub)
        return object.__new__(cls)

    def __init__(self, kind):
        self.kind = kind


class Sub(Choosy):
    pass


print(type(Choosy('sub')).__name__, Choosy('sub').kind, type(Choosy('x')).__name__)


class NoArgs:
    pass


for call in (lambda: NoArgs(1), lambda: NoArgs(x=1), lambda: object(1), lambda: Sub()):
    try:
        call()
    except TypeError as e:
        print(e)


class ReturnsValue:
    def __init__(self):
        return 5


try:
    ReturnsValue()
except TypeError as e:
    print(e)


class NewOnly:
    def __new__(cls, a, b=2):
        self = object.__new__(cls)
        self.sum = a + b
        return self


print(NewOnly(1).sum, NewOnly(1, b=5).sum)


class InitOnly:
    def __init__(self, a, *rest, key=None, **more):
        self.all = (a, rest, key, more)


print(InitOnly(1, 2, 3, key=4, z=5).all)
try:
    InitOnly()
except TypeError as e:
    print(e)


class Point:
    def __init__(self, x, y):
        self.x, self.y = x, y

    @classmethod
    def origin(cls):
        return cls(0, 0)

    def moved(self, dx=0, dy=0):
        return type(self)(self.x + dx, self.y + dy)

    def __repr__(self):
        return f'{type(self).__name__}({self.x}, {self.y})'

    def __eq__(self, other):
        return isinstance(other, Point) and (self.x, self.y) == (other.x, other.y)

    def __hash__(self):
        return hash((self.x, self.y))


class Point3(Point):
    def __init__(self, x, y, z=0):
        super().__init__(x, y)
        self.z = z


print(Point.origin(), Point3.origin(), Point3(1, 2).moved(1), Point(1, 2) == Point3(1, 2, 3))
print(len({Point(1, 2), Point(1, 2), Point(2, 1)}), {Point(0, 0): 'o'}[Point.origin()])
print(Point.__init__.__name__, Point(1, 2).moved.__name__)
p = Point.__new__(Point)
print(hasattr(p, 'x'))
p.__init__(5, 6)
print(p)
