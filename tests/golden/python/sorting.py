# Sorting: stability, keys, reverse, mixed comparisons, objects with __lt__, errors.
people = [('Ann', 30), ('bob', 25), ('Cid', 30), ('dee', 25), ('Eve', 35)]
print(sorted(people, key=lambda p: p[1]), sorted(people, key=lambda p: (-p[1], p[0].lower())))
print(sorted(people, key=lambda p: p[1], reverse=True))
print(sorted('banana'), sorted({'b': 1, 'a': 2}), sorted((3, 1, 2)), sorted([True, 0, 5, -1.5]))


class P:
    comparisons = 0

    def __init__(self, v):
        self.v = v

    def __lt__(self, o):
        P.comparisons += 1
        return self.v < o.v

    def __repr__(self):
        return f'P{self.v}'


ps = [P(v) for v in (3, 1, 2, 1)]
print(sorted(ps), ps, P.comparisons > 0, min(ps), max(ps))
ps.sort(reverse=True)
print(ps)
for bad in (lambda: sorted([1, 'a']), lambda: [None, 1].sort(), lambda: sorted(5), lambda: [1, 2].sort(lambda x: x),
            lambda: sorted([1], key=5), lambda: sorted([object(), object()])):
    try:
        bad()
    except TypeError as e:
        print(e)
try:
    sorted([1, 2, 3], key=lambda v: 1 // (v - 2))
except ZeroDivisionError as e:
    print(e)
words = 'the Quick brown Fox'.split()
words.sort(key=str.lower)
print(words, sorted(words, key=len), sorted(words, key=lambda w: w[-1]))
print(sorted([[2, 1], [1, 5], [1]]), sorted([(1, 'b'), (1, 'a')]), sorted([3, 1, 2], key=lambda v: -v))
print(sorted(range(20), key=lambda v: (v % 3, v % 2, -v)))
print([list(x) for x in sorted(['cb', 'ab', 'aa'])], sorted([0.5, -0.0, 0.0, 1e-9]), sorted([2 ** 70, 1, -2 ** 70]))
from functools import cmp_to_key
print(sorted([5, 2, 9], key=cmp_to_key(lambda a, b: b - a)))
big = [(i * 7919) % 1009 for i in range(1009)]
print(sorted(big) == list(range(1009)), big[:5])
a = [3, 1, 2]
b = a
print(a.sort(), a, b is a, a.reverse(), a)
