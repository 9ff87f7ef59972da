# SPDX-License-Identifier: Apache-2.0
# Arrays whose memory is given back when an expression drops them, and those that somebody has kept: these stay what they were.
import contextlib
import functools
import itertools
import operator

import numpy as np

N = 1 << 16
one = np.ones(N)
kept = []


def churn():
    """Whoever was given back too early is written over here."""
    for i in range(4):
        np.full(N, -7.0) + i
        one * -3.0
        np.sqrt(one)
    other = [one * -5.0, one - 9.0]
    return len(other)


def check(name, *arrays):
    churn()
    print(name, [float(a.sum()) / N for a in arrays], [bool((a == a[0]).all()) for a in arrays])


def keep(x):
    kept.append(x)
    return x


def stored():
    kept.append(one + 1)
    return kept[-1]


class Holder:
    __array_ufunc__ = None

    def __init__(self):
        self.cache = None

    def value(self):
        self.cache = one * 2
        return self.cache

    def __add__(self, other):
        self.cache = one + other
        return self.cache

    __radd__ = __add__

    def __neg__(self):
        self.cache = -one
        return self.cache

    def __call__(self, x):
        self.cache = x + 1
        return self.cache

    def __lt__(self, other):
        self.cache = one < other
        return self.cache


class Passing:
    def __new__(cls, x):
        kept.append(x)
        return x


kept.clear()
stored()
check("stored and returned", *kept)
kept.clear()
keep(one + 2)
keep(keep(one + 1) + 1) + keep(one * 5)
check("arguments", *kept)
h = Holder()
h.value()
check("attribute", h.cache)
h + 3
check("__add__", h.cache)
3 + h
check("__radd__", h.cache)
one + h
check("array + holder", h.cache)
-h
check("__neg__", h.cache)
h < 2
check("__lt__", h.cache)
h(one * 3)
check("__call__", h.cache)
h(one * 3) + one
check("__call__ in an operator", h.cache)

table = {}
table.setdefault("a", one + 4)
check("setdefault", table["a"])
cached = functools.lru_cache(lambda n: one + n)
cached(7)
cached(7) + cached(8)
check("lru_cache", cached(7), cached(8))
sums = itertools.accumulate([one, one, one], operator.add)
next(sums)
next(sums)
check("accumulate", next(sums))
sums = itertools.accumulate([one, one, one])
next(sums)
next(sums) * 2
check("accumulate +", next(sums))
kept.clear()
Passing(one + 6)
check("__new__", *kept)
part = functools.partial(keep, one + 1)
part()
part() + 1
check("partial", part())
kept.clear()
list(map(keep, [one + 1, one + 2]))
check("map", *kept)
reduced = functools.reduce(operator.add, [one, one + 1, one + 2])
check("reduce", reduced)

(walrus := one + 1) * 2
check("walrus", walrus)
a = b = one + 1
a * 2 + b * 3
check("names", a, b)
view = (one + 1)[::2]
check("a view of a temporary", view)
shaped = (one * 3).reshape(256, -1)
check("a shape of a temporary", shaped.ravel())
turned = (one.reshape(256, 256) * 4).T
check("a transposed temporary", turned.ravel())
parts = (one * (1 + 2j)).real
check("parts of a temporary", parts)
same = (one + 5).astype(np.float64, copy=False)
check("no copy", same)
as_array = np.asarray(one + 6)
check("asarray", as_array)
np.asarray(one + 1)
np.atleast_1d(one + 1) + 1
check("functions that hand on", np.atleast_1d(keep(one + 1)), kept[-1])


def in_finally():
    try:
        return one + 1
    finally:
        one * 2
        kept.append(one + 3)


def in_with():
    with contextlib.suppress(ValueError):
        return keep(one * 6)


kept.clear()
in_finally()
in_with()
in_finally() + 1
check("finally and with", in_finally(), in_with(), *kept)


def default(x=one + 8):
    return x


default()
default() + 1
check("default", default())


def closure():
    x = one + 9
    return lambda: x


f = closure()
f()
f() + 1
check("closure", f())


def generator():
    x = one + 1
    while True:
        got = yield x
        x = x + got


g = generator()
next(g)
g.send(one)
g.send(one * 2) * 5
check("generator", g.send(one))

x = one * 1
x += one * 2
x *= one + 1
y = x
y += (one + 1) * 3
check("in place", x, y)
z = one * 2 + one * 3 - (one - 4) * (one + 5) / (one + 1)
check("nested", z)
check("calls", np.where(one + 1 > 1, one * 2, one), np.maximum(one * 2, one * 3), np.exp(one * 0), abs(one * -4))
check("compared", (one + 1 < one + 2) * 1.0, (one * 2 == one + 1) & (one > 0))
chain = one + 1 < one + 2 if False else (one + 1).sum() == 2 * N
print(chain, (one + 1).mean(), (one * 2).max(), (one + one).std(), (one + 1).copy()[5], np.cumsum(one + 1)[-1])
lists = [one + i for i in range(3)]
check("comprehension", *lists)
pair = one + 1, one + 2
check("tuple", *pair)
print(f"{(one + 1).sum():.0f}")
scalar = np.float64(3)
+scalar
-scalar
print(scalar)
walrus = (x if (x := one + 4) is not None else one)
(x if x is not None else one) * 2
(x if (x := one + 4) is not None else one) * 2
check("conditional", x, (one + 1 if N else one) * 2, x if (x := one * 5).size else one)
rows, table, row = np.zeros((4, N)), {}, one + 1
rows[0] = row
rows[1] = one * 2 + 1
rows[2], rows[3] = row, one + 2
table["a"] = lists[0] = one * 6
table[0] = lists[1] = rows[1] = one * 7
rows[rows[:, 0] > 6] = one * 8
lists[2] = one * 9
check("stored", row, table["a"], *lists, *rows)
places = np.arange(4)
check("indexed", rows[places[::-1]], rows[places + 0][1:], one[np.arange(N) - 1], rows[:, places + 1])
joined = np.concatenate([one, one + 1])
np.concatenate([one, one + 1]) * 2
check("joined", joined, np.stack([one, joined[N:]]), np.eye(300), np.einsum("i,j->ij", one[:100], one[:100]), np.convolve(one, one[:3]))
data = (one + 1).tobytes()
(one + 2).tobytes() + data
len((one + 3).tobytes()), (one + 4).tobytes().count(b"x")
churn()
print(len(data), data == (one + 1).tobytes(), (data + b"").__class__.__name__)
