# Generators as pipelines: send, throw, close, yield from, return values, laziness.
import itertools


def numbers(limit):
    try:
        for i in range(limit):
            sent = yield i
            if sent is not None:
                print("got", sent)
    except ValueError as e:
        print("caught", e)
        yield -1
    finally:
        print("done numbers")
    return "end"


def chained(*limits):
    results = []
    for n in limits:
        results.append((yield from numbers(n)))
    return results


g = chained(2, 3)
out = []
while True:
    try:
        out.append(next(g))
    except StopIteration as stop:
        print("returned", stop.value)
        break
print(out)
g = numbers(5)
print(next(g), g.send("hello"), g.throw(ValueError("boom")), next(g, "empty"))
g = numbers(3)
next(g)
g.close()
print(next(g, "closed"))


def averager():
    total = count = 0
    mean = None
    while True:
        x = yield mean
        if x is None:
            return count, mean
        total, count = total + x, count + 1
        mean = total / count


def group(results, key):
    while True:
        results[key] = yield from averager()


results = {}
for key, values in {"a": [1, 2, 3], "b": [10, 30]}.items():
    gr = group(results, key)
    next(gr)
    for v in values:
        gr.send(v)
    gr.send(None)
print(results)


def primes():
    sieve, n = {}, 2
    while True:
        for p in sieve.pop(n, []):
            sieve.setdefault(n + p, []).append(p)
            if False:
                yield
        if n not in sieve and all(n % p for p in known):
            known.append(n)
            sieve[n * n] = [n]
            yield n
        n += 1


known = []
print(list(itertools.takewhile(lambda p: p < 40, primes())))
lazy = (print("made", i) or i * i for i in range(3))
print("before")
print(next(lazy), list(lazy))
print(sum(x for x in range(10) if x % 2), [*(c for c in "abc")], dict((k, k * 2) for k in range(3)))
try:
    def bad():
        yield 1
        raise StopIteration(3)
    list(bad())
except RuntimeError as e:
    print(type(e).__name__, e, type(e.__cause__).__name__)
gen = numbers(1)
print(type(gen).__name__, gen.gi_running, iter(gen) is gen)
try:
    gen.send(1)
except TypeError as e:
    print(e)
