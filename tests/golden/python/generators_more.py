import sys
def chain(n):
    if n: yield from chain(n-1)
    yield n
print(sum(chain(300)))
try:
    print(sum(chain(5000)))
except RecursionError as e: print("RE", e)
def g():
    x = yield
    while True:
        try:
            x = yield x
        except ValueError as e:
            x = ("caught", str(e), sys.exc_info()[0].__name__)
c = g(); next(c)
print(c.send(1), c.throw(ValueError, "a"), c.throw(ValueError("b")), c.send(2), sys.exc_info())
try: c.throw(TypeError)
except TypeError: print("TE")
print(list(c))
class C:
    def __iter__(self): 
        for i in range(3): yield (self, i)[1]
    @property
    def p(self): 
        return (x for x in self)
    @staticmethod
    def s(*a, k=1, **kw):
        yield a; yield k; yield kw
print(list(C()), list(C().p), list(C.s(1, 2, k=3, z=4)), [*C()], {*C()}, tuple(C()), dict(enumerate(C())))
def nested():
    def inner():
        nonlocal total
        for i in range(3):
            total += i
            yield total
    total = 0
    yield from inner()
    yield total
print(list(nested()))
def ret():
    try:
        yield 1
        return 5
    finally:
        print("f")
def user():
    r = yield from ret()
    print("r", r)
print(list(user()))
def wret():
    for i in range(3):
        try:
            yield i
        finally:
            print("fin", i)
for x in wret():
    if x == 1: break
def loop_return():
    for x in wret():
        return x
print(loop_return())
try:
    for x in wret():
        raise KeyError(x)
except KeyError as e: print("K", e)
def gen_in_gen():
    for a in (y * 2 for y in wret()):
        yield a
print(list(gen_in_gen()))
import functools
@functools.lru_cache(None)
def cached(n): return tuple(i for i in range(n))
print(cached(3))
def mutual():
    a = odd(); next(a)
    yield a.send(3)
def odd():
    v = yield
    yield v * 2
print(list(mutual()))
g1 = (lambda: (yield))()
print(next(g1), end=" ")
try: g1.send(9)
except StopIteration as e: print("v", e.value)
def args(a, *, b): yield a, b
try: args(1)
except TypeError as e: print(e)
try: next(iter([]))
except StopIteration as e: print(e.value, e.args)
try: print(next(5))
except TypeError as e: print(e)
print(type(wret()), wret.__name__, repr(wret())[:29])
async_like = [(yield_ := 3)]
def early():
    return
    yield
print(list(early()), list(zip(early(), [1])))
def exc_ctx():
    try:
        raise ValueError("one")
    except ValueError:
        yield 1
        raise KeyError("two")
e = exc_ctx(); next(e)
try: next(e)
except KeyError as k: print(type(k.__context__))
def closing_raises():
    try: yield 1
    finally: raise RuntimeError("in finally")
z = closing_raises(); next(z)
try: z.close()
except RuntimeError as r: print(r, type(r.__context__))
print(max((len(s), s) for s in ["a", "bb"]), sorted(x for x in (3, 1)), "".join(c for c in "abc"), all(x for x in []))
