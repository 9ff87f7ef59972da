# Native types make their values at once; loops take pairs of enumerate, zip and items apart without a tuple.
from collections import OrderedDict, defaultdict

for i, (a, b) in enumerate(zip([1, 2], "ab")):
    print(i, a, b)
for a, b, c in zip([1, 2], "ab", (3, 4)):
    print(a, b, c)
for [key, value] in {1: 2}.items():
    print(key, value)
for pair in {1: 2}.items():
    print(pair)


def refused(call):
    try:
        print(call())
    except Exception as e:
        print(type(e).__name__, e)


def grows():
    d = {1: 2}
    for k, v in d.items():
        d[k + 10] = v


def too_few():
    for a, b in zip([1, 2], "ab", (3, 4)):
        print(a, b)


def uneven():
    for a, b in zip([1, 2], [3], strict=True):
        print(a, b)


def fails():
    yield 1
    raise KeyError(3)


refused(grows)
refused(too_few)
refused(uneven)
print(list(), list("abc"), tuple({1: 2}), set([1, 1, 2]), frozenset("a"), range(3), type(3), tuple(range(3)))
print(dict(), dict([(1, 2)]), dict(zip("ab", [1, 2])), dict({1: 2}, x=3), dict(a=1, b=2), dict(enumerate("ab")))
print(int("12"), int(), int(2.7), int(True), float("1.5"), float(2), bool([]), bool(0.1), str(3), repr(str()))
for call in (
    lambda: list(1, 2),
    lambda: int("x"),
    lambda: float("y"),
    lambda: range(),
    lambda: range(1, 2, 3, 4),
    lambda: map(str),
    lambda: dict(1),
    lambda: dict([(1, 2, 3)]),
    lambda: tuple(5),
    lambda: set(5),
    lambda: enumerate(5),
    lambda: bool(1, 2),
    lambda: int(None),
    lambda: float([]),
    lambda: frozenset([[]]),
    lambda: reversed(1),
):
    refused(call)
items = [0]
try:
    items.extend(fails())
except KeyError:
    print(items)
items.extend(items)
items += items
print(items)


class Pairs(zip):
    pass


class Numbered(enumerate):
    def __next__(self):
        return 9, super().__next__()


class Items(list):
    pass


for a, b in Pairs([1], [2]):
    print(a, b)
for a, b in Numbered([5, 6]):
    print(a, b)
print(Items([1]), type(Items()), defaultdict(int), defaultdict(list, {1: 2}), OrderedDict(a=1))
print([x for x in enumerate("ab")], [k for k, v in {1: 2}.items()], {k: v for k, v in zip("ab", [1, 2])})
print(list(zip([1, 2], [3])), list(reversed([1, 2, 3])), list(reversed((1, 2))), list(map(str, [1, 2])))


def found_at(i):
    if i == 5000:
        raise LookupError("found")
    return i


refused(lambda: [found_at(i) for i in range(10**13)])
refused(lambda: list(range(10**13)))
refused(lambda: len(list(map(found_at, range(10**13)))))
