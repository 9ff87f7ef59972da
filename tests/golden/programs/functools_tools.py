# functools: partial, reduce, lru_cache, cache, wraps, singledispatch, cached_property, cmp_to_key, partialmethod.
import functools
from functools import cache, cached_property, cmp_to_key, lru_cache, partial, partialmethod, reduce, singledispatch, singledispatchmethod, update_wrapper, wraps


def area(w, h=1, *, unit="m"):
    """How large."""
    return f"{w * h}{unit}2"


p = partial(area, 3, unit="cm")
print(p(), p(4), p(h=2, unit="k"), p.func is area, p.args, p.keywords, partial(p, 5)())
print(repr(partial(int, base=2)), partial(int, base=2)("101"))
print(reduce(lambda a, b: a * b, range(1, 6)), reduce(lambda a, b: b + a, "abc", "-"))
try:
    reduce(max, [])
except TypeError as e:
    print(e)
calls = []


@lru_cache(maxsize=2)
def slow(n, k=0):
    calls.append(n)
    return n * n


print([slow(i) for i in (1, 2, 1, 3, 2, 1)], calls, slow.cache_info(), slow.cache_parameters())
slow.cache_clear()
print(slow.cache_info(), slow.__name__, slow.__wrapped__(9))


@cache
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


print(fib(90), fib.cache_info().hits)


def logged(fn):
    @wraps(fn)
    def inner(*args, **kwargs):
        inner.calls += 1
        return fn(*args, **kwargs)
    inner.calls = 0
    return inner


@logged
def documented(x: int) -> int:
    "doc"
    return x


documented(1), documented(2)
print(documented.__name__, documented.__doc__, documented.calls, documented.__annotations__, documented.__wrapped__(5), documented.__qualname__)


@singledispatch
def show(x):
    return f"object {x}"


@show.register
def _(x: int):
    return f"int {x}"


@show.register(list)
@show.register(tuple)
def _(x):
    return "seq " + ",".join(map(show, x))


print(show(1), show("s"), show([1, (2, "t")]), show(True), show.dispatch(bool)(3))


class Shape:
    def __init__(self, r):
        self.r = r

    @cached_property
    def area(self):
        print("computing")
        return self.r ** 2

    def set(self, name, value):
        setattr(self, name, value)
        return self

    set_r = partialmethod(set, "r")

    @singledispatchmethod
    def scale(self, k):
        raise NotImplementedError("scale")

    @scale.register
    def _(self, k: int):
        return self.r * k

    @scale.register
    def _(self, k: str):
        return f"{self.r}{k}"


s = Shape(3)
print(s.area, s.area, s.set_r(5).r, s.area, s.scale(2), s.scale("x"))
del s.area
print(s.area)
try:
    s.scale(1.5)
except NotImplementedError as e:
    print(e)
print(sorted(["bb", "a", "ccc"], key=cmp_to_key(lambda a, b: len(b) - len(a))), functools.WRAPPER_ASSIGNMENTS[:3])


class Wrapped:
    def __call__(self):
        return 1


print(update_wrapper(Wrapped(), area).__name__)
