# Class decorators and descriptors that cooperate: validation, registration, operators made in bulk, plugins.
def validated(**rules):
    def wrap(cls):
        original = cls.__init__

        def __init__(self, *args, **kwargs):
            original(self, *args, **kwargs)
            for name, rule in rules.items():
                if not rule(getattr(self, name)):
                    raise ValueError(f'{cls.__name__}.{name} is invalid: {getattr(self, name)!r}')
        cls.__init__ = __init__
        return cls
    return wrap


@validated(age=lambda v: v >= 0, name=str.isalpha)
class Person:
    def __init__(self, name, age=0):
        self.name, self.age = name, age


print(Person('Ann', 3).age)
for args in (('Ann', -1), ('A1', 2)):
    try:
        Person(*args)
    except ValueError as e:
        print(e)


def forwards(*names, to):
    def wrap(cls):
        for name in names:
            def method(self, *args, _name=name):
                return getattr(getattr(self, to), _name)(*args)
            method.__name__ = name
            setattr(cls, name, method)
        return cls
    return wrap


@forwards('append', 'pop', '__len__', '__getitem__', to='items')
class Stack:
    def __init__(self):
        self.items = []


s = Stack()
s.append(1)
s.append(2)
print(len(s), s[0], s.pop(), list(s), Stack.append.__name__)


class register:
    table = {}

    def __init__(self, key):
        self.key = key

    def __call__(self, thing):
        self.table[self.key] = thing
        return thing


@register('f')
def f():
    return 'f called'


@register('C')
class C:
    pass


print(sorted(register.table), register.table['f'](), register.table['C'] is C)


def with_repr(*fields):
    def __repr__(self):
        return f"{type(self).__name__}({', '.join(f'{n}={getattr(self, n)!r}' for n in fields)})"

    def wrap(cls):
        cls.__repr__ = __repr__
        return cls
    return wrap


def with_operators(cls):
    import operator
    for name, op in {'__add__': operator.add, '__mul__': operator.mul, '__sub__': operator.sub}.items():
        def method(self, other, op=op):
            return type(self)(op(self.v, other.v if isinstance(other, cls) else other))
        setattr(cls, name, method)
        setattr(cls, '__r' + name[2:], method)
    return cls


@with_operators
@with_repr('v')
class Num:
    def __init__(self, v):
        self.v = v


print(Num(3) + Num(4), Num(3) * 2, 5 + Num(1), Num(9) - 4)


def trace(f):
    depth = 0

    def wrapper(*args):
        nonlocal depth
        log.append('  ' * depth + f'{f.__name__}{args}')
        depth += 1
        try:
            return f(*args)
        finally:
            depth -= 1
    return wrapper


log = []


@trace
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


print(fib(3))
print('\n'.join(log))


def retry(times, *errors):
    def wrap(f):
        def inner(*a):
            for attempt in range(1, times + 1):
                try:
                    return f(*a), attempt
                except errors as e:
                    last = e
            raise RuntimeError(f'gave up after {times}') from last
        return inner
    return wrap


attempts = []


@retry(3, ValueError, KeyError)
def flaky(n):
    attempts.append(n)
    if len(attempts) < n:
        raise ValueError(f'attempt {len(attempts)}')
    return 'done'


print(flaky(2))
attempts.clear()
try:
    flaky(9)
except RuntimeError as e:
    print(e, '|', e.__cause__)


class cached_method:
    def __init__(self, f):
        self.f = f

    def __set_name__(self, owner, name):
        self.slot = '_cache_' + name

    def __get__(self, obj, owner=None):
        if obj is None:
            return self

        def call(*args):
            cache = obj.__dict__.setdefault(self.slot, {})
            if args not in cache:
                cache[args] = self.f(obj, *args)
            return cache[args]
        return call


class Calc:
    calls = 0

    @cached_method
    def slow(self, x):
        Calc.calls += 1
        return x ** 2


c = Calc()
print(c.slow(4), c.slow(4), Calc.calls, c.__dict__)
