# property: getter, setter, deleter, inheritance, errors.
class Celsius:
    """Degrees."""

    def __init__(self, t=0):
        self._t = t

    @property
    def t(self):
        """The temperature."""
        return self._t

    @t.setter
    def t(self, value):
        if value < -273:
            raise ValueError('too cold')
        self._t = value

    @t.deleter
    def t(self):
        self._t = None

    @property
    def f(self):
        return self._t * 9 / 5 + 32


c = Celsius(100)
print(c.t, c.f)
c.t = 20
c.t += 5
print(c.t, c.f)
try:
    c.t = -300
except ValueError as e:
    print(e)
del c.t
print(c.t)
try:
    c.f = 1
except AttributeError as e:
    print(e)
try:
    del c.f
except AttributeError as e:
    print(e)
print(Celsius.t.__doc__, Celsius.__doc__, isinstance(Celsius.t, property), Celsius.f.fset)


class Kelvin(Celsius):
    @property
    def t(self):
        return super().t + 273

    @Celsius.f.getter
    def f(self):
        return 'f of ' + str(self._t)


k = Kelvin(1)
print(k.t, k.f)
try:
    k.t = 3
except AttributeError as e:
    print(e)


class Explicit:
    def get(self):
        return self.__dict__.get('v', 0)

    def set(self, v):
        self.__dict__['v'] = v

    v = property(get, set, None, 'doc of v')
    w = property(lambda self: self.v * 2)


e = Explicit()
e.v = 8
print(e.v, e.w, Explicit.v.__doc__)
e.__dict__['w'] = 'hidden'
print(e.w)


class ClassLevel:
    registry = []

    @classmethod
    def make(cls, *args):
        obj = cls()
        obj.args = args
        cls.registry.append(cls.__name__)
        return obj

    @staticmethod
    def add(a, b=1):
        return a + b

    @classmethod
    def chain(cls):
        return cls.make(1).args


class SubLevel(ClassLevel):
    pass


print(ClassLevel.make(1, 2).args, SubLevel.make().args, ClassLevel.registry)
print(ClassLevel.add(1), SubLevel().add(2, 3), SubLevel.chain(), SubLevel().make(7).args)
print(SubLevel.make.__self__ is SubLevel, ClassLevel.__dict__['add'].__func__(5))
