# Where attributes are found: instance, class, bases; __getattr__, __getattribute__, __setattr__, __delattr__.
class A:
    x = 1
    shared = []

    def method(self):
        return 'method'


a, b = A(), A()
a.x = 10
print(a.x, b.x, A.x)
A.x = 2
print(a.x, b.x)
del a.x
print(a.x)
a.shared.append(1)
print(b.shared, a.__dict__, A.__dict__['x'])
a.method = lambda: 'own'
print(a.method(), b.method())
try:
    del a.nothing
except AttributeError as e:
    print('AttributeError')
try:
    a.missing
except AttributeError as e:
    print(e, e.name, e.obj is a)
try:
    A.missing
except AttributeError as e:
    print(e)
try:
    (3).missing
except AttributeError as e:
    print(e)
try:
    (3).real = 4
except AttributeError as e:
    print('AttributeError')
try:
    object().x = 1
except AttributeError as e:
    print(e)
try:
    int.x = 1
except TypeError as e:
    print(e)


class Fallback:
    def __init__(self):
        self.real = 'real'

    def __getattr__(self, name):
        if name.startswith('dyn_'):
            return name[4:]
        raise AttributeError(f'no {name} here')


f = Fallback()
print(f.real, f.dyn_abc, hasattr(f, 'other'), getattr(f, 'other', 'default'))
try:
    f.other
except AttributeError as e:
    print(e)


class Everything:
    def __init__(self):
        self.x = 1

    def __getattribute__(self, name):
        if name == 'magic':
            return 42
        if name == 'hidden':
            raise AttributeError(name)
        return super().__getattribute__(name)

    def __getattr__(self, name):
        return f'<{name}>'


e = Everything()
print(e.magic, e.x, e.hidden, e.unknown)


class Recorder:
    def __init__(self):
        object.__setattr__(self, 'log', [])

    def __setattr__(self, name, value):
        self.log.append(('set', name, value))
        super().__setattr__(name, value)

    def __delattr__(self, name):
        self.log.append(('del', name))
        super().__delattr__(name)


r = Recorder()
r.a = 1
r.b = 2
del r.a
r.b += 5
print(r.log, r.b, hasattr(r, 'a'))


class Frozen:
    def __init__(self, v):
        object.__setattr__(self, 'v', v)

    def __setattr__(self, name, value):
        raise AttributeError(f'cannot assign to field {name!r}')


z = Frozen(3)
try:
    z.v = 4
except AttributeError as exc:
    print(exc, z.v)

setattr(a, 'dyn', 5)
print(getattr(a, 'dyn'), a.dyn, vars(b))
delattr(a, 'dyn')
print(hasattr(a, 'dyn'))


class P:
    @property
    def broken(self):
        raise AttributeError('inner')

    def __getattr__(self, name):
        return 'fallback for ' + name


print(P().broken)


class Counter:
    count = 0

    def __init__(self):
        Counter.count += 1
        self.count = self.count


Counter(), Counter()
print(Counter.count, Counter().count)


class Changing:
    pass


class Other:
    def hello(self):
        return 'other'


c = Changing()
c.__class__ = Other
print(c.hello(), type(c).__name__)
c.__dict__['dynamic'] = 'yes'
print(c.dynamic)
