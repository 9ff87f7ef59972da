# Weak references end when their objects do; as many as 4 of 200 may still be found on the stack.
import gc, weakref

class Node:
    def __init__(self, name): self.name = name

class Slotted: __slots__ = ("x",)
class Weak: __slots__ = ("x", "__weakref__")

def few(n): return n <= 4

kept = [Node(i) for i in range(50)]
gone = []
refs = [weakref.ref(n) for n in kept] + [weakref.ref(Node(i)) for i in range(200)]
told = [weakref.ref(Node(i), gone.append) for i in range(200)]
values, keys, some = weakref.WeakValueDictionary(), weakref.WeakKeyDictionary(), weakref.WeakSet()
for i in range(200):
    n = Node(i); values[i] = n; keys[n] = i; some.add(n)
for n in kept: values[n.name + 1000] = n; keys[n] = "kept"; some.add(n)
calls = []
ends = [weakref.finalize(Node(i), calls.append, i) for i in range(200)]
still = weakref.finalize(kept[0], calls.append, "kept")
n = None
gc.collect(); gc.collect()
print(all(r() is k for r, k in zip(refs, kept)), few(sum(r() is not None for r in refs[50:])))
print(few(200 - len(gone)), isinstance(gone[0], weakref.ref), gone[0]() is None)
print(few(len(values) - 50), few(len(keys) - 50), few(len(some) - 50), values[1007] is kept[7], keys[kept[3]], kept[4] in some, values.get(5000, "no"))
print(few(200 - len(calls)), "kept" in calls, still.alive, sum(e.alive for e in ends) <= 4, still(), calls[-1], still.alive, still(), still.peek())

ring = [Node("ring") for _ in range(100)]
for a, b in zip(ring, ring[1:] + ring[:1]): a.next = b
refs = [weakref.ref(a) for a in ring]
print(all(r() for r in refs)); ring.clear(); a = b = None
gc.collect(); print(sum(r() is not None for r in refs) in (0, 100))

for obj in (3, "s", [], {}, (), None, Slotted()):
    try: weakref.ref(obj)
    except TypeError as e: print(e)
w = Weak(); r = weakref.ref(w); print(r() is w, r == weakref.ref(w), hash(r) == hash(w), weakref.ref(print)() is print, {r: 1}[weakref.ref(w)])
p = weakref.proxy(kept[0]); p.name = "renamed"; print(kept[0].name, p.name, bool(p), isinstance(p, weakref.ProxyType))
lost = [weakref.proxy(Node(i)) for i in range(200)]
gc.collect()
def is_lost(p):
    try: p.name
    except ReferenceError as e: return str(e)
print(few(200 - sum(is_lost(p) == "weakly-referenced object no longer exists" for p in lost)))
class Button:
    def press(self): return "pressed"
b = Button(); m = weakref.WeakMethod(b.press); print(m()(), m == weakref.WeakMethod(b.press))
d = weakref.finalize(b, print, "never"); print(d.detach()[0] is b, d.alive)
print(sorted(values.keys())[-2:], len(values.copy()) == len(values), values.pop(1000).name, 1000 in values)
