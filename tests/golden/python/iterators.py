# Iterators written as classes, iter() with a sentinel, zip, map, filter, enumerate, reversed on them.
class Fib:
    def __init__(self, limit):
        self.limit = limit

    def __iter__(self):
        return FibIter(self.limit)


class FibIter:
    def __init__(self, limit):
        self.a, self.b, self.limit = 0, 1, limit

    def __iter__(self):
        return self

    def __next__(self):
        if self.a > self.limit:
            raise StopIteration
        value = self.a
        self.a, self.b = self.b, self.a + self.b
        return value


f = Fib(30)
print(list(f), list(f), sum(f), 13 in f, max(f), sorted(f, reverse=True)[:3])
print([(i, v) for i, v in enumerate(f, 1)][:3], list(zip(f, 'abc')), list(map(lambda a, b: a * b, f, f))[:5])
print(list(filter(lambda v: v % 2 == 0, f)), dict(zip('xyz', f)), set(f) == {0, 1, 2, 3, 5, 8, 13, 21})
first, second, *others = f
print(first, second, others, *f)


class Chunks:
    def __init__(self, data, n):
        self.data, self.n = data, n

    def __len__(self):
        return -(-len(self.data) // self.n)

    def __getitem__(self, i):
        if not 0 <= i < len(self):
            raise IndexError(i)
        return self.data[i * self.n:(i + 1) * self.n]


c = Chunks('abcdefg', 3)
print(list(c), len(c), list(reversed(c)), [x for x in c], 'def' in c)
values = iter([1, 2, 0, 3])
print(list(iter(lambda: next(values), 0)), list(values))


class Peek:
    def __init__(self, it):
        self.it = iter(it)
        self.buffer = []

    def peek(self, default=None):
        if not self.buffer:
            try:
                self.buffer.append(next(self.it))
            except StopIteration:
                return default
        return self.buffer[0]

    def __iter__(self):
        return self

    def __next__(self):
        if self.buffer:
            return self.buffer.pop()
        return next(self.it)


p = Peek('ab')
print(p.peek(), next(p), p.peek(), list(p), p.peek('empty'))


class Tree:
    def __init__(self, v, *kids):
        self.v, self.kids = v, kids

    def __iter__(self):
        return iter(self.walk([]))

    def walk(self, out):
        out.append(self.v)
        for k in self.kids:
            k.walk(out)
        return out


print(list(Tree(1, Tree(2, Tree(3)), Tree(4))))


class Fails:
    def __init__(self):
        self.n = 0

    def __iter__(self):
        return self

    def __next__(self):
        self.n += 1
        if self.n == 3:
            raise ValueError('at three')
        return self.n


out = []
try:
    for x in Fails():
        out.append(x)
except ValueError as e:
    print(out, e)
it = iter([1, 2, 3])
for x in it:
    print(x, list(it))
a = [1, 2, 3]
it = iter(a)
next(it)
a.append(4)
print(list(it), list(it))
print(list(range(5))[::-1], list(reversed(range(0, 10, 3))), 7 in range(1, 10, 2), range(10)[2:5], len(range(0, -10, -3)))
print(list(zip([1, 2], 'ab', (True, False))), list(zip()), list(zip([1, 2, 3], [1])), list(enumerate('ab', start=5)))
try:
    list(zip([1, 2], [1], strict=True))
except ValueError as e:
    print(e)
print(all([]), any([]), all(x > 0 for x in (1, 2)), sum([[1], [2]], []), min([3, 1], default=0), max([], default='none'))
