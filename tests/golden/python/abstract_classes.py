# abc: abstract methods, instantiation, registered overrides, templates.
from abc import ABC, abstractmethod, ABCMeta


class Shape(ABC):
    def __init__(self, name):
        self.name = name

    @abstractmethod
    def area(self):
        """Area."""

    @property
    @abstractmethod
    def sides(self): ...

    def describe(self):
        return f'{self.name}: {self.area():.2f}, {self.sides} sides'


for cls in (Shape,):
    try:
        cls('x')
    except TypeError as e:
        print(e)


class Half(Shape):
    def area(self):
        return 1


try:
    Half('h')
except TypeError as e:
    print(e)


class Square(Shape):
    sides = 4

    def __init__(self, a):
        super().__init__('square')
        self.a = a

    def area(self):
        return self.a ** 2


class Circle(Shape):
    @property
    def sides(self):
        return 0

    def area(self):
        return 3.14159 * self.r ** 2

    def __init__(self, r):
        super().__init__('circle')
        self.r = r


for s in (Square(3), Circle(2)):
    print(s.describe(), isinstance(s, Shape), isinstance(s, ABC))
print(sorted(Shape.__abstractmethods__), Square.__abstractmethods__, type(Shape) is ABCMeta)


class WithMeta(metaclass=ABCMeta):
    @classmethod
    @abstractmethod
    def make(cls): ...

    @staticmethod
    @abstractmethod
    def util(): ...


try:
    WithMeta()
except TypeError as e:
    print(e)


class Made(WithMeta):
    @classmethod
    def make(cls):
        return cls()

    @staticmethod
    def util():
        return 'util'


print(type(Made.make()).__name__, Made.util())


class Template(ABC):
    def run(self, *items):
        return [self.step(i) for i in items]

    @abstractmethod
    def step(self, i):
        return ('base', i)


class Concrete(Template):
    def step(self, i):
        return super().step(i) + ('concrete',)


print(Concrete().run(1, 2))


class Registry(ABC):
    known = []

    def __init_subclass__(cls, **kw):
        super().__init_subclass__(**kw)
        Registry.known.append(cls.__name__)


class R1(Registry): pass
class R2(R1): pass


print(Registry.known)
