import contextvars, types, functools, operator, copy, weakref, gc, sys
class Node:
    __slots__ = ("val", "next", "__weakref__")
    def __init__(self, val, next=None): self.val, self.next = val, next
class LinkedList:
    def __init__(self, it=()): self.head = None; self.n = 0; [self.push(x) for x in reversed(list(it))]
    def push(self, v): self.head = Node(v, self.head); self.n += 1
    def __iter__(self):
        c = self.head
        while c: yield c.val; c = c.next
    def __len__(self): return self.n
    def __getitem__(self, i):
        if isinstance(i, slice): return LinkedList(list(self)[i])
        if i < 0: i += self.n
        for k, v in enumerate(self):
            if k == i: return v
        raise IndexError(f"index {i} out of range")
    def __repr__(self): return f"{type(self).__name__}({list(self)})"
    def __eq__(self, o): return isinstance(o, LinkedList) and list(self) == list(o)
    def __add__(self, o): return LinkedList([*self, *o])
    def __contains__(self, x): return any(v == x for v in self)
    def reverse(self):
        p, c = None, self.head
        while c: c.next, p, c = p, c, c.next
        self.head = p; return self
l = LinkedList([1, 2, 3]); print(l, l[-1], l[0:2], 2 in l, l + [4], l.reverse(), len(l), l == LinkedList([3, 2, 1]), sorted(l), max(l), sum(l), list(map(str, l)), copy.copy(l) == l)
try: l[9]
except IndexError as e: print(e)
class LRU:
    def __init__(self, n): from collections import OrderedDict; self.d = OrderedDict(); self.n = n; self.hits = 0
    def __call__(self, f):
        @functools.wraps(f)
        def g(*a):
            if a in self.d: self.hits += 1; self.d.move_to_end(a); return self.d[a]
            r = self.d[a] = f(*a)
            if len(self.d) > self.n: self.d.popitem(last=False)
            return r
        g.cache = self; return g
@LRU(3)
def slow(x): "doc"; return x ** 2
print([slow(i) for i in (1, 2, 1, 3, 4, 1, 2)], slow.cache.hits, list(slow.cache.d), slow.__doc__)
class Obs:
    def __init__(self): self.subs = weakref.WeakSet()
    def emit(self, *a): return sorted(s(*a) for s in self.subs)
class Sub:
    def __init__(self, k): self.k = k
    def __call__(self, x): return self.k * x

var = contextvars.ContextVar("v", default=0); tok = var.set(5); print(var.get()); var.reset(tok); print(var.get()); ctx = contextvars.copy_context(); print(ctx.run(lambda: (var.set(9), var.get())[1]), var.get())
def curry(f):
    def g(*a): return f(*a) if len(a) >= f.__code__.co_argcount else lambda *b: g(*a, *b)
    return g
print(curry(lambda a, b, c: a + b + c)(1)(2)(3), functools.reduce(lambda f, g: lambda x: g(f(x)), [lambda x: x + 1, lambda x: x * 2])(3), (lambda n: (lambda f: f(f, n))(lambda s, k: 1 if k < 2 else k * s(s, k - 1)))(6))
def outer():
    x = 0
    def inc():
        nonlocal x; x += 1; return x
    return inc, lambda: x
i, g = outer(); i(); i(); print(g(), i.__name__)
fs = [lambda i=i: i for i in range(3)]; gs = [lambda: i for i in range(3)]; print([f() for f in fs], [f() for f in gs])
