# Descriptors: data and not, lazy attributes, __set_name__, __delete__, properties with docs, slots, getattribute.
class Lazy:
    def __init__(self, f): self.f = f
    def __set_name__(self, owner, name): self.name = name
    def __get__(self, o, t=None):
        if o is None: return self
        v = self.f(o)
        o.__dict__[self.name] = v
        return v

class Typed:
    def __init__(self, kind): self.kind = kind
    def __set_name__(self, owner, name): self.key = "_" + name
    def __get__(self, o, t=None): return getattr(o, self.key, None) if o is not None else f"Typed {self.kind.__name__}"
    def __set__(self, o, v):
        if not isinstance(v, self.kind): raise TypeError(f"{self.key[1:]} wants {self.kind.__name__}")
        setattr(o, self.key, v)
    def __delete__(self, o): delattr(o, self.key)

class A:
    n = Typed(int)
    @Lazy
    def big(self):
        print("computed")
        return self.n * 100
    def _get(self): return self._p
    def _set(self, v): self._p = v * 2
    p = property(_get, _set, doc="doubled")

a = A()
a.n = 4
print(a.n, a.big, a.big, A.n, a.__dict__, A.p.__doc__, A.p.fget is A._get)
a.p = 5
print(a.p)
del a.n
print(a.n)
for bad in (lambda: setattr(a, "n", "x"), lambda: delattr(a, "p"), lambda: delattr(a, "zz"), lambda: a.nope):
    try:
        bad()
    except Exception as e:
        print(type(e).__name__, e)
class Proxy:
    def __init__(self, o): object.__setattr__(self, "_o", o)
    def __getattr__(self, n): return f"proxied {getattr(self._o, n)}"
    def __setattr__(self, n, v): setattr(self._o, n, v)
    def __delattr__(self, n): print("del", n)
    def __dir__(self): return ["x"]
p = Proxy(a)
p.q = 3
del p.w
print(p.q, a.q, dir(p))
class Log:
    def __getattribute__(self, n):
        if n.startswith("x"): return n * 2
        return super().__getattribute__(n)
l = Log()
l.y = 1
print(l.xa, l.y, getattr(l, "xz"), hasattr(l, "zz"), type(l).__mro__)
