# __len__, __bool__, __contains__, __iter__, __next__, __getitem__ fallbacks.
class Sized:
    def __init__(self, n):
        self.n = n

    def __len__(self):
        return self.n


print(len(Sized(3)), bool(Sized(0)), bool(Sized(1)))


class Truthy(Sized):
    def __bool__(self):
        return self.n < 0


print(bool(Truthy(-1)), bool(Truthy(5)), 'yes' if Truthy(1) else 'no', not Truthy(1))
try:
    len(Sized(-1))
except ValueError as e:
    print(e)
try:
    len(Sized('a'))
except TypeError as e:
    print(e)
try:
    len(3)
except TypeError as e:
    print(e)


class BadBool:
    def __bool__(self):
        return 1


try:
    bool(BadBool())
except TypeError as e:
    print(e)


class Old:
    def __getitem__(self, i):
        if i >= 3:
            raise IndexError
        return i * i


print(list(Old()), 4 in Old(), 5 in Old(), [*Old()], tuple(Old()))
a, b, c = Old()
print(a, b, c)


class Countdown:
    def __init__(self, n):
        self.n = n

    def __iter__(self):
        return self

    def __next__(self):
        if self.n == 0:
            raise StopIteration
        self.n -= 1
        return self.n


print(list(Countdown(4)), sum(Countdown(5)), max(Countdown(3)), 2 in Countdown(5))
it = iter(Countdown(2))
print(next(it), next(it), next(it, 'done'))
try:
    next(it)
except StopIteration as e:
    print('stop', e.value)
for i, x in enumerate(Countdown(3)):
    print(i, x)


class Box:
    def __init__(self, items):
        self.items = items

    def __iter__(self):
        return iter(self.items)

    def __contains__(self, x):
        return x == 'magic' or x in self.items


print('magic' in Box([]), 1 in Box([1]), 2 not in Box([1]), list(Box('ab')))


class NotIterator:
    def __iter__(self):
        return 5


try:
    iter(NotIterator())
except TypeError as e:
    print(e)
try:
    for x in 5:
        pass
except TypeError as e:
    print(e)
try:
    3 in 4
except TypeError as e:
    print(e)


class NoIter:
    __iter__ = None


try:
    iter(NoIter())
except TypeError as e:
    print(e)


class Grid:
    def __init__(self):
        self.cells = {}

    def __getitem__(self, key):
        return self.cells[key] if isinstance(key, (tuple, str)) and key in self.cells else key

    def __setitem__(self, key, value):
        self.cells[key] = value

    def __delitem__(self, key):
        del self.cells[key]


g = Grid()
g[1, 2] = 'x'
g['k'] = 1
g['k'] += 5
print(g[1, 2], g['k'], g[0], g[1:2], g[..., None], g[()])
del g[1, 2]
print(g[1, 2])
for bad in (lambda: 3[0], lambda: g.cells[7], lambda: object()[1]):
    try:
        bad()
    except (TypeError, KeyError) as e:
        print(type(e).__name__, e)
try:
    (1, 2)[0] = 3
except TypeError as e:
    print(e)
try:
    del (1, 2)[0]
except TypeError as e:
    print(e)
try:
    object()[1] = 2
except TypeError as e:
    print(e)
try:
    int[3]
except TypeError as e:
    print(e)


class CG:
    def __class_getitem__(cls, item):
        return f'{cls.__name__}[{item}]'


print(CG[int], CG[1, 2])


class Idx:
    def __index__(self):
        return 2


print([10, 20, 30][Idx()], 'abc'[Idx()], list(range(Idx())), [0, 1, 2, 3][Idx():])


class Rev:
    def __reversed__(self):
        return iter('rev')


class Seq:
    def __len__(self):
        return 3

    def __getitem__(self, i):
        return i


print(list(reversed(Rev())), list(reversed(Seq())))
