# SPDX-License-Identifier: Apache-2.0
# Kinds of sorting that NumPy knows, what may not be said with them, and rows beyond every length that is sorted in one way.
import numpy as np
a = np.array([3,1,2])


def t(f):
    try: print(f())
    except Exception as e: print(type(e).__name__, e)


for k in ['foo', '', 'Q', 'quick', 'quicksort', 'm', 'stable', 's', 'h', 'MERGE', 'mergesort', 'radix', 'stab', 'r', 3, b'quicksort', 'heapsort', 'quickfoo']:
    t(lambda: np.sort(a, kind=k))
t(lambda: np.argsort(a, kind='foo'))
t(lambda: a.sort(kind='foo'))
t(lambda: a.argsort(kind='foo'))
t(lambda: np.sort(a, kind='quick', stable=True))
t(lambda: np.sort(a, stable=True))
t(lambda: np.sort(a, stable=False))
t(lambda: np.sort(a, stable=3))
t(lambda: np.argsort(a, kind='quick', stable=False))
t(lambda: np.partition(a, 1, kind='foo'))
t(lambda: np.partition(a, 1, kind='introselect'))
t(lambda: np.partition(a, 1, kind='i'))
t(lambda: np.argpartition(a, 1, kind='foo'))
t(lambda: a.partition(1, kind='foo'))
t(lambda: np.partition(a, 1, order='x'))
t(lambda: np.argpartition(a, 1, order='x'))
t(lambda: a.sort(order='x'))
t(lambda: a.sort(-1, 'quicksort'))
t(lambda: a.argsort(order='x'))
t(lambda: np.partition([3,2,1.5], 1.0))
t(lambda: np.partition([[3,2],[1,0]], 1, axis=None))
t(lambda: np.partition([3,2,1], 5))
t(lambda: np.argpartition([3,2,1], (0,1), axis=None))
t(lambda: np.sort(np.array([3+1j, 2]), kind='stable'))
t(lambda: np.searchsorted([1,2],[1], side='foo'))
rng = np.random.default_rng(3)
for dtype in ("f4", "f8", "i4", "i8", "u4", "u8", "i2", "i1", "?"):
    for n in (1, 16, 17, 63, 64, 65, 128, 129, 192, 193, 256, 257, 511, 512, 1000, 4097, 8192, 20011):
        for few in (False, True):
            x = rng.standard_normal(n) * (2 if few else 100)
            x = (np.abs(x) if dtype[0] == "u" else x).astype(dtype)
            if dtype[0] == "f":
                x[::5] = np.nan
            y, order = np.sort(x), np.argsort(x, kind="stable")
            same = dict(equal_nan=dtype[0] == "f")
            assert np.array_equal(y, x[order], **same), (dtype, n)
            known = y[~np.isnan(y)] if dtype[0] == "f" else y
            assert (known[1:] >= known[:-1]).all(), (dtype, n)
            for k in {0, n // 100, n // 3, n - 1}:
                part = np.partition(x, k)
                assert np.array_equal(part[k], y[k], **same) and np.array_equal(np.sort(part[:k]), y[:k], **same), (dtype, n, k)
                assert np.array_equal(np.sort(part), y, **same), (dtype, n, k)
            values, counts = np.unique(x, return_counts=True)
            assert counts.sum() == n and np.array_equal(np.repeat(values, counts), y, **same), (dtype, n)
zeros = np.array([0.0, -0.0, -1.0, np.nan, np.nan, -2.0])
print(np.unique(zeros) + 0.0, [x + 0.0 for x in np.unique(-zeros, return_counts=True)], [x + 0.0 for x in np.unique(zeros, return_counts=True, equal_nan=False)])
print(np.unique(np.array([], np.int32), return_counts=True), np.unique([True, False, True], return_counts=True))
print(np.sort(np.frombuffer(b"x" + np.array([3.0, -1.0, 2.0]).tobytes(), np.float64, 3, 1)))
