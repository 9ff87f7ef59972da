# Data and non-data descriptors, their precedence, __set_name__, functions as descriptors.
class Typed:
    def __init__(self, kind):
        self.kind = kind

    def __set_name__(self, owner, name):
        self.name = '_' + name
        print('named', owner.__name__, name)

    def __get__(self, instance, owner=None):
        if instance is None:
            return self
        return getattr(instance, self.name, 'unset')

    def __set__(self, instance, value):
        if not isinstance(value, self.kind):
            raise TypeError(f'{self.name[1:]} must be {self.kind.__name__}')
        setattr(instance, self.name, value)

    def __delete__(self, instance):
        delattr(instance, self.name)


class Point:
    x = Typed(int)
    y = Typed(str)


p = Point()
print(p.x)
p.x = 3
print(p.x, p.__dict__, Point.x.kind)
try:
    p.y = 1
except TypeError as e:
    print(e)
del p.x
print(p.x)
p.__dict__['x'] = 'shadow'
print(p.x)


class NonData:
    def __get__(self, instance, owner):
        return ('got', instance is None, owner.__name__)


class Holder:
    nd = NonData()


h = Holder()
print(h.nd, Holder.nd)
h.nd = 'own'
print(h.nd)


class SetOnly:
    def __set__(self, instance, value):
        instance.__dict__['so'] = value * 2


class Holder2:
    so = SetOnly()


h2 = Holder2()
h2.so = 21
print(h2.so, isinstance(Holder2.so, SetOnly))


class ReadOnly:
    def __get__(self, instance, owner):
        return 7

    def __set__(self, instance, value):
        raise AttributeError('read only')


class Sub(Point):
    ro = ReadOnly()


s = Sub()
try:
    s.ro = 1
except AttributeError as e:
    print(e, s.ro)


def plain(self, a):
    return (self, a)


class WithFunction:
    pass


WithFunction.method = plain
w = WithFunction()
print(w.method(1) == (w, 1), WithFunction.method is plain, plain.__get__(5)(6))
w.direct = plain
print(w.direct(1, 2))
m = w.method
print(m.__self__ is w, m.__func__ is plain, m == w.method, m is w.method, m.__name__)


class Lazy:
    def __init__(self, f):
        self.f = f

    def __set_name__(self, owner, name):
        self.name = name

    def __get__(self, instance, owner):
        if instance is None:
            return self
        value = self.f(instance)
        instance.__dict__[self.name] = value
        return value


class Data:
    calls = 0

    @Lazy
    def heavy(self):
        Data.calls += 1
        return 99


d = Data()
print(d.heavy, d.heavy, Data.calls)


class BadName:
    def __set_name__(self, owner, name):
        raise ValueError('no')


try:
    class Uses:
        attr = BadName()
except RuntimeError as e:
    print(e, repr(e.__cause__))
