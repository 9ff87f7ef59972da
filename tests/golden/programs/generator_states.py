def gen():
    x = yield 1
    print("got", x)
    try:
        y = yield 2
    except ValueError as e:
        print("VE", e); y = "ve"
    return y
g = gen(); print(next(g), g.send("a"))
try: g.throw(ValueError("boo"))
except StopIteration as e: print("ret", e.value)
def outer():
    r = yield from gen(); print("r", r); yield "end"
o = outer(); print(next(o), next(o), o.send("yy"))
def tree(t):
    if t:
        l, v, r = t; yield from tree(l); yield v; yield from tree(r)
print(list(tree(((None, 1, None), 2, (None, 3, None)))))
def cl():
    try:
        while True: yield
    except GeneratorExit: print("closing"); raise
    finally: print("finally")
c = cl(); next(c); c.close(); c.close()
import inspect
print(inspect.getgeneratorstate(c), gen.__name__, type(c).__name__, sum(x * x for x in range(5) if x % 2), any(x > 3 for x in range(10)), max((len(w), w) for w in "a bbb cc".split()), dict((k, v) for k, v in zip("ab", range(2))), [*map(lambda a, b: a * b, [1, 2], [3, 4])], list(filter(None, [0, 1, "", "a"])), sorted({"b": 1, "a": 2}.items(), key=lambda kv: -kv[1]), [(i, j) for i in range(3) for j in range(i) if (i + j) % 2], {x: y for x, y in [(1, 2)]}, {c for c in "hello"} == set("helo"), [[r[i] for r in [[1, 2], [3, 4]]] for i in range(2)], (lambda *a, k=3, **kw: (a, k, kw))(1, 2, z=4))
def bad():
    raise StopIteration
    yield
try: list(bad())
except RuntimeError as e: print(e)
try: g.send(1)
except StopIteration as e: print("done", e.value)
try: gen().send(3)
except TypeError as e: print(e)
class It:
    def __init__(s, n): s.n = n
    def __iter__(s): return s
    def __next__(s):
        if s.n <= 0: raise StopIteration
        s.n -= 1; return s.n
a, *b, c = It(5); print(a, b, c, list(iter(iter([1, 2, 3, 0, 4]).__next__, 0)), [x for x in It(3)], 2 in It(4), list(zip(It(2), It(3))), list(enumerate(It(2), 5)), list(reversed(range(0, 10, 3))), *It(2))
first, (second, *rest) = 1, (2, 3, 4); print(first, second, rest); x = y = []; x.append(1); print(y); i = 0; l = [0, 0]; i, l[i] = 1, 5; print(i, l); (a), b = 1, 2; [a, b] = b, a; print(a, b)
def fib():
    a, b = 0, 1
    while True: yield a; a, b = b, a + b
import itertools
print(list(itertools.islice(fib(), 10)), next(x for x in fib() if x > 100), (n := 10) + n, [y := 1, y ** 2])
