# Iterables into containers and back; what constructors accept; aliasing against copying.
class It:
    def __iter__(self):
        return iter([3, 1, 2])


class Map:
    def keys(self):
        return ['a', 'b']

    def __getitem__(self, k):
        return k.upper()


it = It()
print(list(it), tuple(it), set(it) == {1, 2, 3}, sorted(it), frozenset(it) == {1, 2, 3}, dict(Map()), {**Map()}, list(Map().keys()))
print(dict(zip('ab', it)), dict(a=1, **{'b': 2}), dict([['k', 'v']]), dict({'x': 1}, y=2), dict(), list(), tuple(), set(), str(), int(), float(), bool())
print(list('héé'), tuple({'a': 1, 'b': 2}), list({'a': 1}.items()), list({'a': 1}.values()), set('aab') == {'a', 'b'}, list(range(3)), list(b'ab'))
a = [1, [2]]
b, c, d = a, a[:], list(a)
b.append(3)
a[1].append(9)
print(a, b, c, d, b is a, c[1] is a[1])
t = (1, [2])
u = tuple(t)
print(t is u, t[:] is t or t[:] == t, t + (3,), [*t], t * 2)
s1 = {1}
s2 = s1.copy()
s1.add(2)
d1 = {'k': [1]}
d2 = dict(d1)
d1['k'].append(2)
d1['n'] = 0
print(s1, s2, d1, d2)
print(int('7'), int(7.9), int(True), float('2.5'), float(3), str(3.0), str(None), bool([0]), complex if False else 'no complex', repr('q'))
print([int(x) for x in '1 2 3'.split()], ''.join(str(x) for x in [1, 2]), list(map(float, ['1', '2.5'])), [bool(x) for x in (0, 1, '', 'a')])
print(bytes([1, 2, 255]), bytes('hé', 'utf-8'), b'ab' + b'c', b'abc'[1], b'abc'[0:2], 'hé'.encode(), b'h\xc3\xa9'.decode(), list(bytes(3)))
print(sorted({'b': 1, 'a': 2}), sorted('cab'), sorted(((2, 'a'), (1, 'b'))), list(reversed((1, 2, 3))), [*reversed('abc')], sorted([True, False, 2]))
m = [[1, 2, 3], [4, 5, 6]]
print(list(zip(*m)), [list(c) for c in zip(*m)], list(map(list, zip(*m))), dict(enumerate('ab')), list(enumerate('ab', 10)))
e = [1, 2, 3]
f = e
e += [4]
print(f, e is f)
e = e + [5]
print(f, e, e is f)
g = h = {}
g['x'] = 1
print(h)


def default(x, acc=[]):
    acc.append(x)
    return list(acc)


print(default(1), default(2), default(3, []))
k = [[]] * 3
k[0].append(1)
l = [[] for _ in range(3)]
l[0].append(1)
print(k, l)
n = (1, 2, 3)
n2 = n
n += (4,)
print(n, n2)
st = 'ab'
st2 = st
st += 'c'
print(st, st2)
print(list(filter(lambda x: x % 2, range(6))), list(map(lambda x, y: x * y, [1, 2, 3], [4, 5])), [x for x in map(str, range(2))])
for bad in (lambda: list(5), lambda: tuple(None), lambda: dict(5), lambda: dict([1, 2]), lambda: dict([(1, 2, 3)]), lambda: set([[]]),
            lambda: int('1.5'), lambda: int([1]), lambda: float('abc'), lambda: str(1, 2, 3, 4), lambda: bytes([256]), lambda: list(1, 2),
            lambda: ''.join([1]), lambda: dict(a=1)['b'], lambda: frozenset({}).add(1), lambda: tuple([1]).append(2)):
    try:
        print(bad())
    except (TypeError, ValueError, KeyError, AttributeError) as err:
        print(type(err).__name__, err)
