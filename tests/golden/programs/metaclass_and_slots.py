import functools, inspect, types, weakref, gc, operator
class Meta(type):
    def __new__(m, name, bases, ns, **kw): c = super().__new__(m, name, bases, ns); c.tags = sorted(k for k in ns if not k.startswith('_')); return c
    def __call__(cls, *a, **k): o = super().__call__(*a, **k); cls.count = getattr(cls, 'count', 0) + 1; return o
    def __iter__(cls): return iter(cls.tags)
    def __prepare__(name, bases, **kw): return {'injected': 5}
    def __instancecheck__(cls, o): return hasattr(o, 'quack') or super().__instancecheck__(o)
class Typed:
    def __init__(self, t): self.t = t
    def __set_name__(self, o, n): self.n = '_' + n
    def __get__(self, o, c=None): return self if o is None else getattr(o, self.n, None)
    def __set__(self, o, v):
        if not isinstance(v, self.t): raise TypeError(f'{self.n[1:]} must be {self.t.__name__}, not {type(v).__name__}')
        setattr(o, self.n, v)
class Duck(metaclass=Meta):
    a = Typed(int); b = Typed(str)
    def __init__(self, a, b='x'): self.a, self.b = a, b
    def __getattr__(self, n): 
        if n.startswith('dyn_'): return n[4:]
        raise AttributeError(f'no {n}')
    def __call__(self, *a, **k): return a, k
    def __lt__(self, o): return self.a < o.a
    def __contains__(self, x): return x == self.a
    def __enter__(self): return self
    def __exit__(self, *a): return False
d = Duck(3); Duck(1); print(Duck.count, list(Duck), d.injected, d.dyn_foo, d(1, k=2), 3 in d, sorted([Duck(5), Duck(2)])[0].a, type(Duck), Duck.__mro__, vars(d), Duck.a.n)
try: d.a = 'no'
except TypeError as e: print(e)
try: d.zzz
except AttributeError as e: print(e)
class Q: quack = 1
print(isinstance(Q(), Duck), isinstance(3, Duck)); T = type('T', (), {'x': 1, 'f': lambda self: self.x}); print(T().f(), T.__name__, callable(T), inspect.signature(Duck.__init__), inspect.isclass(T), [n for n, p in inspect.signature(lambda a, /, b, *c, d=1, **e: 0).parameters.items() if p.kind is p.KEYWORD_ONLY])
class S: __slots__ = ('x', '__weakref__')
s = S(); s.x = 1
try: s.y = 2
except AttributeError as e: print(e)
r = weakref.ref(s); print(r() is s)

class P:
    @property
    def v(self): "doc"; return self._v
    @v.setter
    def v(self, x): self._v = x * 2
    @v.deleter
    def v(self): del self._v
    @staticmethod
    def s(x): return x
    @classmethod
    def c(cls): return cls.__name__
    def __eq__(self, o): return NotImplemented
    def __hash__(self): return 7
    def __del__(self): pass
    def __missing__(self): pass
p = P(); p.v = 4; print(p.v, P.s(1), P.c(), p == 1, p != 1, hash(p), P.v.__doc__); del p.v
try: p.v
except AttributeError as e: print(e)
class L(list):
    def __getitem__(self, i): return super().__getitem__(i % len(self))
print(L([1, 2, 3])[10], L([1]) + [2], isinstance(L(), list)); print([getattr(d, n, None) for n in ('a', 'b')], operator.attrgetter('a')(d), operator.methodcaller('__call__', 9)(d), types.MethodType(lambda self: self.a, d)(), functools.partial(int, base=2)('101'), functools.reduce(operator.mul, range(1, 6)), functools.cmp_to_key(lambda a, b: b - a)(1) < functools.cmp_to_key(lambda a, b: b - a)(0), hasattr(d, 'nope'), id(d) == id(d), type(d) is Duck, issubclass(bool, int), globals()['Q'] is Q, 'd' in dir(), callable(len))
@functools.total_ordering
class O:
    def __init__(s, n): s.n = n
    def __eq__(s, o): return s.n == o.n
    def __lt__(s, o): return s.n < o.n
print(O(1) <= O(2), O(3) >= O(4), max(O(1), O(5)).n)
def deco(n=1):
    def w(f):
        @functools.wraps(f)
        def inner(*a, **k): inner.calls += 1; return f(*a, **k) * n
        inner.calls = 0; return inner
    return w
@deco(3)
def g(x: int) -> int: "gdoc"; return x
print(g(2), g.calls, g.__name__, g.__doc__, g.__wrapped__(2), inspect.signature(g))
