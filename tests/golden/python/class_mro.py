# C3 order, super() along it, and the errors of impossible orders.
class O: pass
class F(O): pass
class E(O): pass
class D(O): pass
class C(D, F): pass
class B(D, E): pass
class A(B, C): pass

print([c.__name__ for c in A.__mro__])
print(A.mro() == list(A.__mro__))


class Base:
    def __init__(self, log):
        log.append('Base')
        self.log = log

    def who(self):
        return ['Base']


class Left(Base):
    def __init__(self, log):
        log.append('Left')
        super().__init__(log)

    def who(self):
        return ['Left'] + super().who()


class Right(Base):
    def __init__(self, log):
        log.append('Right')
        super().__init__(log)

    def who(self):
        return ['Right'] + super().who()


class Both(Left, Right):
    def __init__(self, log):
        log.append('Both')
        super().__init__(log)

    def who(self):
        return ['Both'] + super().who()


both = Both([])
print(both.log, both.who())
print(super(Left, both).who())
print(super(Both, both).who.__func__ is Left.who)
print(super(Left, Both).who(both))

try:
    class Bad(Base, Left): pass
except TypeError as e:
    print(e)

try:
    class Twice(Base, Base): pass
except TypeError as e:
    print(e)

try:
    class FromInt(3): pass
except TypeError as e:
    print('TypeError')

try:
    class FromBool(bool): pass
except TypeError as e:
    print(e)

try:
    class Conflict(int, str): pass
except TypeError as e:
    print(e)

print(issubclass(Both, Base), issubclass(Base, Both), issubclass(Both, (int, Left)))
print(isinstance(both, Right), isinstance(both, (str, Right)), isinstance(3, Right))
print(Both.__bases__, Both.__base__, Both.__name__, Both.__qualname__, Both.__module__)
print([c.__name__ for c in Base.__subclasses__()])
print(type(both) is Both, both.__class__ is Both, type(Both) is type, Both.__class__)


class Cooperative:
    def __init__(self, **rest):
        self.rest = rest


class Named(Cooperative):
    def __init__(self, name, **rest):
        super().__init__(**rest)
        self.name = name


class Sized(Cooperative):
    def __init__(self, size, **rest):
        super().__init__(**rest)
        self.size = size


class Thing(Named, Sized):
    pass


t = Thing(name='n', size=3, extra=1)
print(t.name, t.size, t.rest)
print(super(Thing, Thing).__init__ is Named.__init__)
