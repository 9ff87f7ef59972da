# What texts, sets, dicts, tuples, sorting and bisect do on their quick ways.
import bisect
import heapq

# Texts that grow: each stays as it was.
texts, text = [], ""
for i in range(200):
    text += chr(97 + i % 26) * (i % 3)
    texts.append(text)
print(len(text), all(a == text[:len(a)] for a in texts), hash(texts[50]) == hash(text[:len(texts[50])]))
base = "ab" + "cd"
left, right = base + "x", base + "y"
print(base, left, right, left + "1", left + "2", right + "3", base + "")
tail = (base + "longer tail")[-4:]
print(tail + "!", tail + "?", tail, "" + tail, "é" + tail + "ü", (tail + "ü")[4:])
growing = "0"
for i in range(12):
    growing += growing
kept = growing[:5]
print(len(growing), kept + "a", kept + "b", growing == "0" * 4096)
print("Straße 9 ÄÖ".upper(), "ABC-xyz".lower(), "ABC-xyz[`{@".upper(), "[`{@AZaz".lower(), "".upper())

# Sets and dicts that are copied with what was taken out of them.
s = set(range(20))
for n in range(0, 20, 3):
    s.discard(n)
t = s | {3, 100}
print(sorted(t), sorted(s), sorted(s & t), sorted(t - s), sorted(s ^ t), s <= t, s == t)
t.add(3)
s.add(55)
print(len(s), len(t), 55 in t, frozenset(s) | t == t | s, type(frozenset([1]) | {2}), type({2} | frozenset([1])))
print({True, 1, 1.0}, {1.0: "a", True: "b"}, {(1, 2): 3}[1.0, 2], 2 ** 70 in {2 ** 70})


class Key:
    def __init__(self, value, hashed):
        self.value, self.hashed = value, hashed

    def __hash__(self):
        asked.append(self.value)
        return self.hashed

    def __eq__(self, other):
        return isinstance(other, Key) and self.value == other.value


asked = []
keys = [Key(n, n % 2) for n in range(4)]
one, two = set(keys[:3]), set(keys[1:])
asked.clear()
print(len(one | two), len(one & two), len(one - two), len(dict.fromkeys(keys) | {}), asked)
d = {n: n * n for n in range(10)}
del d[0], d[5]
e = d.copy()
e[5] = "new"
f = dict(d, x=1)
f.update(e)
print(d, e, f, list(e)[-1], d | {1: 0})
try:
    for k in d:
        d[k + 100] = 1
except RuntimeError as error:
    print(error)

# Order.
nan = float("nan")
print((nan,) == (nan,), (nan, 1) < (nan, 2), [1, nan] == [1, nan])
print((1, 2.0) < (1.0, 3), (1, "a") < (1, "b"), (True, 2) == (1, 2), (1,) < (1, 0), (2 ** 80, 1) > (2 ** 80, 0))
for pair in ((1, "a"), (1, 2)), ((None,), (1,)):
    try:
        print(pair[0] < pair[1])
    except TypeError as error:
        print(error)
rows = [(3, "c"), (1, "b"), (1, "a"), (2, "z"), (1, "b")]
print(sorted(rows), sorted(rows, reverse=True), sorted([[2, 1], [1, 9]]), sorted([(1.5, 1), (1, 2), (True, 0)]))
heap = []
for row in rows:
    heapq.heappush(heap, row)
print([heapq.heappop(heap) for _ in rows])


class Least:
    def __init__(self, n):
        self.n = n

    def __lt__(self, other):
        return self.n < (other.n if isinstance(other, Least) else other)

    def __gt__(self, other):
        return self.n > (other.n if isinstance(other, Least) else other)


items = [1, 3, 3, 3, 7, 9]
print([(bisect.bisect_left(items, n), bisect.bisect_right(items, n), bisect.bisect(items, n)) for n in range(0, 11, 3)])
print(bisect.bisect_left(items, 3, 2), bisect.bisect_left(items, 9, lo=1, hi=3), bisect.bisect(range(0, 100, 7), 50),
      bisect.bisect_left("abcx", "c"), bisect.bisect_left(items, Least(4)), bisect.bisect_right(items, Least(3)),
      bisect.bisect_left(["a", "bb", "dddd"], 3, key=len), bisect.bisect_left(items, 3, hi=None))
bisect.insort(items, 4)
bisect.insort_left(items, -7, key=abs)
print(items)
for bad in (lambda: bisect.bisect_left(items, 1, -1), lambda: bisect.bisect(items, "a"), lambda: bisect.bisect_left(items, 50, 0, 100),
            lambda: bisect.bisect_left(5, 1)):
    try:
        print(bad())
    except Exception as error:
        print(type(error).__name__, error)


# Attributes that are set and read at one place, of objects of many kinds.
class Plain:
    pass


class Slots:
    __slots__ = ("x", "y")


class Both(Slots):
    pass


class Watched:
    def __setattr__(self, name, value):
        object.__setattr__(self, name, value * 2)


class Managed:
    @property
    def x(self):
        return "property"

    @x.setter
    def x(self, value):
        self.__dict__["y"] = value


class OfClass:
    x = "class"


def give(o, value):
    o.x = value
    return o.x


for round in range(3):
    print([give(kind(), 5) for kind in (Plain, Slots, Both, Watched, Managed, OfClass)], give(Plain, 1), give(Exception(), 2))
p = Plain()
print(give(p, 1), give(p, 2))
Plain.__setattr__ = lambda self, name, value: object.__setattr__(self, name, -value)
print(give(p, 3))
del Plain.__setattr__
print(give(p, 4))
Plain.x = property(lambda self: "data descriptor", lambda self, value: print("set", value))
print(give(p, 5))
s = Slots()
print(give(s, 1), give(s, 2))
try:
    s.z = 1
except AttributeError as error:
    print(error)
print(isinstance(True, int), isinstance(p, (str, Plain)), isinstance(s, object), isinstance(Plain, type))
for kind in ValueError, KeyError, OSError, UnicodeError, Exception:
    for arguments in (), ("a",), (2, "b"):
        print(repr(kind(*arguments)), kind(*arguments).args, str(kind(*arguments)), end="; ")
    print()
try:
    ValueError(a=1)
except TypeError as error:
    print(error)


class OwnError(ValueError):
    def __init__(self, code):
        super().__init__(f"code {code}")
        self.code = code


print(OwnError(3), OwnError(4).args, OwnError(5).code)

# Counters, plain and of one's own.
from collections import Counter, defaultdict


class Loud(Counter):
    def __setitem__(self, key, value):
        print("set", key, value)
        super().__setitem__(key, value)


counts = Counter("hello")
counts.update("low")
counts["x"] = 2 ** 63 - 1
counts.update("x")
counts["y"] = 1.5
counts.update("y")
print(counts, counts["none"], "none" in counts)
print(Loud("aba"), Counter({"a": 2})["a"], Counter(range(3)))
try:
    Counter([[]])
except TypeError as error:
    print(error)


class Defaulted(dict):
    def __missing__(self, key):
        return key * 2


class Counting(list):
    def __getitem__(self, i):
        return list.__getitem__(self, i) + 1


d = Defaulted(a=1)
d["b"] = 2
print(d["a"], d["b"], d["c"], "a" in d, "c" in d, Counting([1, 2])[1], 2 in Counting([1, 2]), defaultdict(list, {1: []})[5])
a, b = "text", "te" + "xt"[:2]
print(a == b, a != b, a == "other", a != "tex", b == a + "", "" == a[4:], a in ["text"], "x" not in a, "t" == a[0] == b[3])
print(hasattr(d, "x"), getattr(d, "x", 3), hasattr(Slots(), "x"), hasattr(p, "__dict__"), hasattr(5, "real"))
