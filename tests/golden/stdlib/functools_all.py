import functools
from functools import *
import operator
def f(a, b=2, *args, c=3, **kw):
    "doc of f"
    return (a, b, args, c, kw)
p = partial(f, 1, c=5)
print(p(), p(7, 8, d=1), p.func is f, p.args, p.keywords, partial(p, 9)(), partial(p, 9).args)
print(repr(p).replace(hex(id(f)), 'ADDR')[:30], isinstance(p, partial))
print(reduce(operator.add, [1,2,3]), reduce(lambda a,b: a*b, [], 5))
try: reduce(operator.add, [])
except TypeError as e: print(e)
def deco(g):
    @wraps(g)
    def inner(*a, **k):
        return g(*a, **k)
    return inner
h = deco(f)
print(h.__name__, h.__doc__, h.__wrapped__ is f, h(1), h.__qualname__, h.__module__)
@lru_cache(maxsize=2)
def sq(x):
    print('call', x)
    return x * x
print(sq(1), sq(2), sq(1), sq(3), sq(2), sq.cache_info(), sq.__name__, sq.__wrapped__(4), sq.cache_parameters())
sq.cache_clear(); print(sq.cache_info())
@cache
def fib(n): return n if n < 2 else fib(n-1) + fib(n-2)
print(fib(80), fib.cache_info())
@lru_cache
def kw(a, b=1, **k): return (a, b, k)
print(kw(1, b=2), kw(1, b=2), kw(1, 2), kw(b=2, a=1), kw.cache_info())
@lru_cache(maxsize=None, typed=True)
def ty(x): return type(x).__name__
print(ty(1), ty(1.0), ty(True), ty.cache_info())
try: sq([])
except TypeError as e: print(e)
class C:
    n = 0
    @cached_property
    def val(self):
        "the doc"
        C.n += 1
        return C.n
    @lru_cache
    def m(self, x): return x + 1
    def base(self, a, b, c=0): return (a, b, c)
    part = partialmethod(base, 1, c=9)
c = C(); print(c.val, c.val, C.n, c.__dict__, C.val.__doc__, c.m(1), c.part(2)); del c.val; print(c.val)
@total_ordering
class V:
    def __init__(self, v): self.v = v
    def __eq__(self, o): return self.v == o.v
    def __lt__(self, o): return self.v < o.v
print(V(1) <= V(1), V(2) > V(1), V(1) >= V(2), sorted([V(3), V(1)])[0].v, max(V(1), V(5)).v)
try:
    @total_ordering
    class W: pass
except ValueError as e: print(e)
print(sorted([3,1,2], key=cmp_to_key(lambda a,b: b-a)))
@singledispatch
def show(x, *r): return f'obj {x!r}'
@show.register
def _(x: int): return f'int {x}'
@show.register(list)
def _(x): return f'list {len(x)}'
@show.register(str | bytes)
def _(x): return f'text {x!r}'
show.register(dict, lambda x: 'dict')
print(show(1), show(True), show([1,2]), show('a'), show(b'b'), show({}), show(2.5), show.dispatch(bool) is show.dispatch(int), show.__name__, list in show.registry)
try: show()
except TypeError as e: print(e)
class M:
    @singledispatchmethod
    def go(self, x): return ('any', x)
    @go.register
    def _(self, x: int): return ('int', x)
print(M().go('q'), M().go(4))
print(WRAPPER_ASSIGNMENTS)
class Meth:
    def __init__(self, k): self.k = k
    def add(self, x): return self.k + x
print(list(map(partial(Meth.add, Meth(10)), [1,2])), partial(int, base=2)('101'))
p.extra = 5; print(p.extra, p.__dict__)
try: partial(5)
except TypeError as e: print(e)
print(partial(f, 1)(2, b=3) if False else 'ok')
try: partial(f, 1)(2, a=3)
except TypeError as e: print(e)
