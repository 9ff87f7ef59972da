def count(n):
    for i in range(n):
        got = yield i
        if got is not None:
            print("got", got)
    return "done"

g = count(3)
print(next(g), g.send("x"), next(g))
try:
    next(g)
except StopIteration as e:
    print("stop", e.value)
print(list(count(4)), sum(count(5)))

def outer():
    r = yield from count(2)
    print("r", r)
    try:
        yield "a"
    except ValueError as e:
        print("caught", e)
        yield "b"
    finally:
        print("finally")

o = outer()
print(next(o), next(o), next(o))
print(o.throw(ValueError("boom")))
o.close()
for x in outer():
    break
def fib():
    a, b = 0, 1
    while True:
        yield a
        a, b = b, a + b
import itertools
print(list(itertools.islice(fib(), 10)))
def tree(n):
    if n:
        yield from tree(n - 1)
        yield n
        yield from tree(n - 1)
print(list(tree(4)))
def bad():
    yield 1
    raise KeyError("k")
try:
    list(bad())
except KeyError as e:
    print("KeyError", e)
def stop():
    yield 1
    raise StopIteration
try:
    list(stop())
except RuntimeError as e:
    print(e)
print((lambda: (yield 5))().__next__())
e = (x * x for x in range(3))
print(e.send(None), next(e), e.__name__, e.gi_running)
def deep(n):
    yield n
    for x in deep(n + 1):
        yield x
try:
    list(itertools.islice(deep(0), 3000))
except RecursionError as err:
    print("RecursionError")
gens = [count(2) for _ in range(20000)]
print(sum(next(g) for g in gens), sum(next(g) for g in gens[:1000]))
