# __init_subclass__, class keywords, type() with three arguments, class decorators, names of classes.
class Plugin:
    registry = {}

    def __init_subclass__(cls, /, tag=None, **kwargs):
        super().__init_subclass__(**kwargs)
        cls.tag = tag
        Plugin.registry[tag or cls.__name__] = cls


class One(Plugin, tag='one'):
    pass


class Two(Plugin):
    pass


class Three(One, tag='three'):
    pass


print(sorted(Plugin.registry), One.tag, Two.tag, Three.tag)
try:
    class Bad(Plugin, other=1):
        pass
except TypeError as e:
    print(e)
try:
    class Bad2(x=1):
        pass
except TypeError as e:
    print(e)

Dynamic = type('Dynamic', (Plugin,), {'value': 5, 'get': lambda self: self.value}, tag='dyn')
print(Dynamic().get(), Dynamic.__name__, Dynamic.tag, Dynamic.__bases__ == (Plugin,), Dynamic.__module__)
print(type('Empty', (), {}).__mro__[1] is object)


def register(cls):
    cls.registered = True
    return cls


def rename(name):
    def wrap(cls):
        cls.__name__ = name
        cls.__qualname__ = name
        return cls
    return wrap


@register
@rename('Renamed')
class Decorated:
    """Doc."""
    inner = 1

    class Nested:
        def method(self):
            pass


print(Decorated.registered, Decorated.__name__, Decorated, Decorated.__doc__)
print(Decorated.Nested.__qualname__, Decorated.Nested.method.__qualname__)


def factory(n):
    class Local:
        size = n

        def get(self):
            return (n, self.size, __class__.__name__)
    return Local


print(factory(3)().get(), factory(4).size, factory(1).__qualname__)


class Scope:
    a = 1
    b = a + 1
    lst = [a for _ in range(2)] if False else [b] * 2
    f = lambda self, x=a: x

    def g(self):
        return self.a

    for i in range(3):
        pass
    del a


print(Scope.b, Scope.lst, Scope().f(), Scope.i, hasattr(Scope, 'a'))
x = 'global'


def outer():
    x = 'outer'

    class C:
        y = x
        x = 'class'
        z = x

        def get(self):
            return x
    return C.y, C.z, C().get()


try:
    print(outer())
except NameError as e:
    print('NameError', e)


class Shadow:
    x = x
    print(x)
    x = 'in class'
    print(x)


print(x, Shadow.x)


class WithBody:
    print('body runs', __name__ == '__main__', __qualname__)
    if True:
        conditional = 'yes'
    else:
        conditional = 'no'


print(WithBody.conditional)


class Meta1:
    def __call__(self, *a, **k):
        return ('called', a, k)

    def __class_getitem__(cls, k):
        return (cls.__name__, k)


print(Meta1()(1, 2, x=3), Meta1['k'], callable(Meta1()), callable(3), callable(len))
