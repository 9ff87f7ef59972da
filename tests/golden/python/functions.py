# Functions as objects: attributes, names, defaults, decorators, docstrings, annotations.
def documented(a: int, b: 'str' = 'x', *args: float, c: list = None, **kw: dict) -> bool:
    """The doc."""
    return True


print(documented.__name__, documented.__doc__, documented.__qualname__, documented.__module__)
print(documented.__annotations__)
print(documented.__defaults__, documented.__kwdefaults__)
documented.attr = 5
documented.attr += 1
print(documented.attr, documented.__dict__, hasattr(documented, 'nope'))
documented.__name__ = 'renamed'
documented.__doc__ = None
print(documented.__name__, documented.__doc__)
try:
    documented.missing
except AttributeError as e:
    print(e)
try:
    documented.__name__ = 5
except TypeError as e:
    print(e)
print(documented.__code__.co_varnames, documented.__code__.co_argcount, documented.__code__.co_name)
print(callable(documented), documented == documented, documented != len, bool(documented), hash(documented) == hash(documented))
log = []


def deco(tag):
    log.append(f'make {tag}')

    def wrap(f):
        log.append(f'wrap {tag}')

        def inner(*args, **kwargs):
            log.append(f'call {tag}')
            return f(*args, **kwargs)
        inner.wrapped = f
        return inner
    return wrap


@deco('a')
@deco('b')
def target(x):
    return x * 2


print(target(4), log, target.wrapped.wrapped(5))


class Deco:
    def __init__(self, f):
        self.f = f
        self.n = 0

    def __call__(self, *a):
        self.n += 1
        return self.f(*a) + self.n

    def __get__(self, obj, owner):
        if obj is None:
            return self
        return lambda *a: self(obj, *a)


@Deco
def counted(x):
    return x


print(counted(10), counted(10), counted.n)


class Uses:
    base = 100

    @Deco
    def m(self, x):
        return self.base + x

    @staticmethod
    @deco('s')
    def s(x):
        return x

    @classmethod
    @deco('c')
    def c(cls):
        return cls.base


print(Uses().m(1), Uses().m(1), Uses.s(3), Uses.c())
lam = lambda a, b=2, *c, d, **e: (a, b, c, d, e)
print(lam(1, d=4), lam.__name__, lam.__qualname__, (lambda: None)())
documented.__defaults__ = ('new',)
print(documented.__defaults__)


def returns_many():
    return 1, 2, 3


def returns_none():
    pass


def returns_bare():
    return


print(returns_many(), returns_none(), returns_bare())


def inner_names():
    def local():
        pass
    return local.__qualname__, (lambda: 0).__qualname__


print(inner_names())


def pipeline(*steps):
    def run(v):
        for s in steps:
            v = s(v)
        return v
    return run


print(pipeline(str, len, lambda n: n + 1, float)(12345))


def varargs(*args, **kwargs):
    args += (1,)
    kwargs['new'] = 1
    return args, kwargs


given = {'a': 1}
print(varargs(0, **given), given)
table = {'add': lambda a, b: a + b, 'mul': lambda a, b: a * b}
print({name: op(3, 4) for name, op in table.items()})
print(list(map(lambda p: p[0] + p[1], [(1, 2), (3, 4)])), list(filter(None, [0, 1, '', 'a'])))
print(sorted(['bb', 'a', 'ccc'], key=len, reverse=True), max([1, -5, 3], key=abs), min('abc', key=lambda c: -ord(c)))
from functools import partial, wraps, reduce


def power(base, exp, *, mod=None):
    return base ** exp if mod is None else base ** exp % mod


sq = partial(power, exp=2)
print(sq(5), partial(power, 2)(10), partial(power, mod=7)(3, 4), sq.func is power, sq.args, sq.keywords)
nested = partial(partial(power, 2), 3)
print(nested(), nested.args, nested.func is power, partial(power, 2, mod=5)(3, mod=3))


def keep(f):
    @wraps(f)
    def w(*a, **k):
        "wrapper doc"
        return f(*a, **k)
    return w


@keep
def original(x):
    "original doc"
    return x


print(original.__name__, original.__doc__, original(1), original.__wrapped__(2))
print(reduce(lambda a, b: a * b, range(1, 6)), reduce(lambda a, b: a + b, [], 'init'))
