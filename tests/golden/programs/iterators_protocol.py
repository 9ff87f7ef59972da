# The iterator protocol: classes, __getitem__ iteration, iter with a sentinel, reversed, unpacking, zip, enumerate, map, filter.
class Down:
    def __init__(self, n): self.n = n
    def __iter__(self): return self
    def __next__(self):
        if self.n <= 0: raise StopIteration
        self.n -= 1
        return self.n
    def __length_hint__(self): return self.n
class Seq:
    def __init__(self, *v): self.v = v
    def __getitem__(self, i): return self.v[i]
    def __len__(self): return len(self.v)
print(list(Down(3)), sum(Down(4)), max(Down(5)), 2 in Down(4), [*Down(2), *"ab"], dict(zip(Down(3), "xyz")), list(reversed(Seq(1, 2, 3))), list(Seq(4, 5)), 5 in Seq(4, 5))
a, *b, c = Down(5)
print(a, b, c, tuple(enumerate(Seq("a", "b"), 1)), list(map(lambda x, y: x + y, [1, 2, 3], Down(2))), list(filter(None, [0, 1, "", "a"])), list(zip([1, 2], "abc", (True,) * 9)))
n = iter([1, 2, 3, 0, 9])
print(list(iter(lambda: next(n), 0)), next(n), next(n, "end"), list(iter("ab")), iter([]).__length_hint__())
it = iter(range(5))
print(next(it), list(zip(it, it)), list(it), all([]), any([]), all(x > 0 for x in [1, 2]), sorted(Down(4), reverse=True), min(Seq(3, 1), key=lambda v: -v))
for i, (k, v) in enumerate({"a": 1, "b": 2}.items()):
    print(i, k, v, end=";")
else:
    print("done")
for bad in (lambda: iter(5), lambda: next([1]), lambda: next(iter([])), lambda: list(zip([1], [1, 2], strict=True)), lambda: [x for x in None], lambda: dict([(1, 2, 3)]), lambda: iter(lambda: 1), lambda: reversed({1}), lambda: map(), lambda: list(map(1, [2]))):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__, e)
try:
    a, b = [1, 2, 3]
except ValueError as e:
    print(e)
try:
    a, b, *c = [1]
except ValueError as e:
    print(e)
d = {1: 2}
try:
    for k in d: d[k + 1] = 0
except RuntimeError as e:
    print(e)
