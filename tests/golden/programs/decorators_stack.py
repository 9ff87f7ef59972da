# Decorators: with arguments, classes as such, stacked, of methods and of classes, wraps, registries, timers by count.
import functools

def repeat(n):
    def deco(f):
        @functools.wraps(f)
        def inner(*a, **k):
            return [f(*a, **k) for _ in range(n)]
        return inner
    return deco

class Count:
    def __init__(self, f):
        functools.update_wrapper(self, f)
        self.f, self.calls = f, 0
    def __call__(self, *a, **k):
        self.calls += 1
        return self.f(*a, **k)
    def __get__(self, instance, owner=None):
        return self if instance is None else functools.partial(self, instance)

@Count
@repeat(2)
def hi(name="x"):
    "says hi"
    return f"hi {name}"

print(hi(), hi("y"), hi.calls, hi.__name__, hi.__doc__)
registry = {}
def register(name=None, **meta):
    def deco(obj):
        registry[name or obj.__name__] = (obj, meta)
        return obj
    return deco(name) if callable(name) and not meta else deco
register2 = lambda obj: registry.setdefault(obj.__name__, obj)

@register("named", level=3)
def f(): return 1
@register(level=1)
class K:
    @Count
    def m(self, x): return x * 2
    @staticmethod
    @repeat(2)
    def s(): return "s"
    @classmethod
    def c(cls): return cls.__name__
    @property
    def p(self): return "prop"
print(sorted(registry), registry["named"][1], K().m(4), K().m(5), K.m.calls, K.s(), K.c(), K().p)
def add_repr(cls):
    cls.__repr__ = lambda self: f"<{cls.__name__} {vars(self)}>"
    return cls
@add_repr
@register2
class P:
    def __init__(self): self.a = 1
print(P(), registry["P"] is P)
order = []
def tag(n):
    order.append(f"make {n}")
    return lambda f: order.append(f"apply {n}") or f
@tag(1)
@tag(2)
def g(): pass
print(order)
def validate(**types):
    def deco(fn):
        names = fn.__code__.co_varnames[:fn.__code__.co_argcount]
        @functools.wraps(fn)
        def inner(*args):
            for n, v in zip(names, args):
                if n in types and not isinstance(v, types[n]):
                    raise TypeError(f"{fn.__name__}: {n} must be {types[n].__name__}, got {v!r}")
            return fn(*args)
        return inner
    return deco
@validate(a=int, b=str)
def h(a, b): return b * a
print(h(2, "z"))
try:
    h("2", "z")
except TypeError as e:
    print(e)
