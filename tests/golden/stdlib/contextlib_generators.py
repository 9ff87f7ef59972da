from contextlib import *
import io, itertools, functools
@contextmanager
def tag(name):
    print("<", name)
    try:
        yield name.upper()
    except KeyError as e:
        print("swallowed", e)
    finally:
        print(">", name)
with tag("a") as t, tag("b"):
    print(t)
with tag("c"):
    raise KeyError(3)
try:
    with tag("d"):
        raise ValueError("v")
except ValueError as e:
    print("out", e, e.__context__)
@tag("deco")
def f(x):
    return x + 1
print(f(1), f(2), f.__name__)
with ExitStack() as stack:
    print([stack.enter_context(tag(n)) for n in "xyz"])
    stack.callback(print, "callback")
buffer = io.StringIO()
with redirect_stdout(buffer):
    print("hidden")
print(repr(buffer.getvalue()))
with suppress(ZeroDivisionError):
    1 / 0
class T:
    def close(self): print("closed")
with closing(T()) as c: pass
@contextmanager
def twice():
    yield 1
    yield 2
try:
    with twice(): pass
except RuntimeError as e: print(e)
@contextmanager
def none():
    return
    yield
try:
    with none(): pass
except RuntimeError as e: print(e)
try:
    with tag("s"):
        raise StopIteration("x")
except StopIteration as e: print("SI", e)
def numbers():
    n = 0
    while True:
        print("made", n)
        yield n
        n += 1
print(list(itertools.islice(itertools.chain(numbers()), 2)))
print(next(itertools.chain.from_iterable(x for x in [[1], [2]])))
print(list(zip(numbers(), "ab")))
it = map(lambda x: x * 2, numbers()); print(next(it), next(it))
print(next(filter(None, numbers())))
a, b = itertools.tee(itertools.islice(numbers(), 2)); print(list(a), list(b))
print(list(itertools.takewhile(lambda x: x < 2, numbers())))
for k, g in itertools.groupby("aabbc"): print(k, list(g))
print(next(enumerate(numbers(), 5)))
print(any(x > 1 for x in numbers()))
first, *rest = (i for i in range(4)); print(first, rest)
def rec(x):
    r = yield x
    while r != "stop":
        r = yield (x, r)
    return 7
def driver():
    v = yield from rec(1)
    print("v", v)
    v = yield from [10, 20]
    print(v)
d = driver(); print(d.send(None), d.send("p"), d.send("stop"), next(d))
try: next(d)
except StopIteration as e: print(e.value)
try:
    g = rec(1); g.send(3)
except TypeError as e: print(e)
def selfish():
    yield next(me)
me = selfish()
try: next(me)
except ValueError as e: print(e)
def ign():
    try: yield 1
    except GeneratorExit:
        yield 2
g = ign(); next(g)
try: g.close()
except RuntimeError as e: print(e)
def exc():
    try:
        1/0
    except ZeroDivisionError as e:
        yield str(e)
        try: raise
        except ZeroDivisionError as again: yield "again " + str(again)
for x in exc():
    try: raise KeyError("outer")
    except KeyError: print(x)
print(dict((k, v) for k, v in zip("ab", (i for i in count() if i % 2))) if False else "ok")
class Tree:
    def __init__(self, v, kids=()): self.v, self.kids = v, kids
    def __iter__(self):
        yield self.v
        for k in self.kids: yield from k
print(list(Tree(1, [Tree(2, [Tree(3)]), Tree(4)])), sorted(Tree(3, [Tree(1)])), max(Tree(5)))
import inspect, types
print(inspect.isgeneratorfunction(numbers), inspect.isgenerator(numbers()), isinstance(numbers(), types.GeneratorType))
from collections.abc import Generator, Iterator
print(isinstance(numbers(), Generator), isinstance(numbers(), Iterator))
z = numbers()
def fin():
    try:
        yield 1
    finally:
        print("at exit")
last = fin(); next(last)
