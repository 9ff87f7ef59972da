# weakref, gc and finalizers as far as order is sure.
import gc, sys, weakref
class N:
    def __init__(self, v): self.v = v
    def m(self): return self.v
a = N(1)
r = weakref.ref(a)
print(r() is a, r().v, isinstance(r, weakref.ref))
d = weakref.WeakValueDictionary(); d["k"] = a
k = weakref.WeakKeyDictionary(); k[a] = "val"
s = weakref.WeakSet([a])
print(d["k"].v, k[a], a in s, len(s), list(d), "k" in d)
p = weakref.proxy(a); print(p.v, p.m())
m = weakref.WeakMethod(a.m); print(m()())
print(gc.isenabled(), gc.collect() >= 0, sys.getsizeof([]) > 0, sys.getrecursionlimit() > 100)
