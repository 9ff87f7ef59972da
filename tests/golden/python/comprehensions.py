# Comprehensions: nesting, conditions, scope of their names, order of evaluation.
print([x * x for x in range(5)], [x for x in range(10) if x % 2 if x % 3])
print([(x, y) for x in range(3) for y in range(x)], [[y for y in range(x)] for x in range(3)])
print({x % 3 for x in range(10)} == {0, 1, 2}, {x: x ** 2 for x in range(4)}, sorted({c for c in 'hello'}))
print({k: [v for v in range(k)] for k in range(3)}, {v: k for k, v in {'a': 1, 'b': 2}.items()})
x = 'outer'
l = [x for x in range(3)]
print(x, l)
print([x for x in [x, x]])
try:
    [undefined_q for q in range(1)]
except NameError as e:
    print(e)


def f():
    y = 10
    a = [y + i for i in range(3)]
    b = [[i + j + y for j in range(2)] for i in range(2)]
    c = [i for i in range(5) if i > y - 8]
    return a, b, c


print(f())


class C:
    n = 3
    items = [i for i in range(n)]
    try:
        bad = [i + n for i in range(2)]
    except NameError as e:
        print(e)
    pairs = [(a, b) for a, b in zip(items, items)]


print(C.items, C.pairs, hasattr(C, 'i'))
log = []


def note(v, name):
    log.append((name, v))
    return v


result = [note(x + y, 'elt') for x in note([1, 2], 'outer') if note(x > 1, 'if') for y in note([10, 20], 'inner')]
print(result)
print(log)
d = {note('k', 'key'): note('v', 'value') for _ in range(1)}
print(log[-2:], d)
print([y := 5, y ** 2], y)
print([last := i for i in range(4)], last)
if any((found := v) > 3 for v in [1, 2, 5, 7]):
    print(found)


def walrus():
    total = 0
    partial = [total := total + v for v in range(5)]
    return partial, total


print(walrus())
while (n := len(log)) > 9:
    log.pop()
print(n, len(log))
print([a for a, in [(1,), (2,)]], [a + b for a, (b, *c) in [(1, (2, 3))]], [d[0] for d[0] in range(3)] if False else 'skip')
m = [[1, 2, 3], [4, 5, 6]]
print([[row[i] for row in m] for i in range(3)], [v for row in m for v in row if v % 2], list(zip(*m)))
fs = [lambda k=k: k for k in range(3)]
print([f() for f in fs], [f() for f in [lambda: z for z in range(3)]])
print([i if i % 2 else -i for i in range(5)], ['even' if not i % 2 else 'odd' for i in range(2)])
print(dict([(i, j) for i, j in enumerate('ab')]), set(c for c in 'aab') == {'a', 'b'}, tuple(i for i in range(3)))
print(len([1 for _ in range(1000)]), sum(1 for _ in range(10) if _ % 3 == 0))
nested = [[[i * j * k for k in range(2)] for j in range(2)] for i in range(2)]
print(nested)
print([*(i for i in range(3)), *[j for j in 'xy']], max(i * (5 - i) for i in range(6)))
