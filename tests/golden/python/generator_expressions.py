# Generator expressions are lazy: when their parts are evaluated, how they end, what they see.
log = []


def note(x):
    log.append(x)
    return x


g = (note(i) * 2 for i in note(range(3)) if note(i + 10))
print(log)
print(next(g), log)
print(list(g), log)
print(list(g), next(g, 'end'))
try:
    next(g)
except StopIteration as e:
    print('stop')
try:
    (i for i in 5)
except TypeError as e:
    print(e)
g = (i for i in range(3))
print(iter(g) is g, type(g).__name__, repr(g).startswith('<generator object <genexpr> at'))
print(sum(i * i for i in range(4)), ','.join(str(i) for i in range(3)), any(i > 1 for i in range(3)), all(i for i in [1, 2]))


def first_true(items):
    return next((i for i in items if i), None)


print(first_true([0, '', 3, 4]), first_true([0]))
calls = []


def test(i):
    calls.append(i)
    return i == 2


print(any(test(i) for i in range(10)), calls)
g = (a + b for a in [1, 2] for b in [a * 10, a * 100])
print(list(g))


def bad():
    g = (1 // i for i in [1, 0, 2])
    out = [next(g)]
    try:
        next(g)
    except ZeroDivisionError as e:
        out.append(str(e))
    out.append(next(g, 'finished'))
    return out


print(bad())
x = 1
g = (x for _ in range(2))
x = 2
print(list(g))
it = iter(range(6))
print([(a, b) for a, b in zip(it, it)])
g = (i for i in range(10))
a, b, *c = g
print(a, b, c)
print(2 in (i for i in range(5)), sorted((i % 3, i) for i in range(5)), dict((i, i) for i in range(2)))
nested = ((i, j) for i in range(2) for j in (k for k in range(i + 1)))
print(list(nested))


class C:
    scale = 2

    def run(self, items):
        return list(self.scale * i for i in items)


print(C().run([1, 2]))
gs = [(i + k for i in range(2)) for k in range(2)]
print([list(g) for g in gs])


def chain(*its):
    return (x for it in its for x in it)


print(list(chain([1], (2, 3), 'a')))
g = (i for i in range(5))
for i in g:
    if i == 2:
        break
print(list(g))
try:
    g2 = (next(g2) for _ in range(2))
    next(g2)
except ValueError as e:
    print(e)
print(max((len(w), w) for w in 'some words here'.split()))


def stops():
    raise StopIteration


try:
    list(stops() for _ in range(2))
except RuntimeError as e:
    print(e)
