# SPDX-License-Identifier: Apache-2.0
# Sorts of every type, places in sorted rows, counts, turns; and rules of types that random expressions found broken.
import numpy as np
rng = np.random.default_rng(0)
for kind in (np.uint64, np.float32, np.float64, np.complex64, bool, np.int64, np.float16):
    x = (rng.standard_normal((3, 300)) * 50).astype(np.float32)
    x = x.astype(kind) if kind is not np.uint64 else np.abs(x).astype(kind)
    for axis in (0, 1, None):
        s, at = np.sort(x, axis=axis), np.argsort(x, axis=axis, kind="stable")
        flat = x.ravel() if axis is None else x
        print(np.array_equal(np.take_along_axis(flat, at, axis=axis if axis is not None else 0), s), s.ravel()[::137].tolist()[:3])
f = np.array([3., np.nan, -1, np.inf, 0, np.nan, -np.inf]); print(np.sort(f), np.argsort(f, kind="stable"))
print(np.searchsorted([1., 2, 2, 3], [2., 0, 5, np.nan]), np.searchsorted([1, 2, 2, 3], 2, side="right"), np.searchsorted(np.array([3, 1, 2]), 2, sorter=[1, 2, 0]))
print(np.isin([1, 2, 3], [2, 5]), np.isin(np.arange(4).reshape(2, 2), [0, 3], invert=True), np.isin([1.5, np.nan], [np.nan, 1.5]), np.isin([1], []))
print(np.bincount([0, 1, 1, 3]), np.bincount([1, 2], weights=[0.5, 2]), np.bincount([], minlength=3), np.bincount([2], minlength=5))
for bad in (lambda: np.bincount([-1]), lambda: np.searchsorted([1], 1, side="x"), lambda: np.bincount([[1]])):
    try: print(bad())
    except (ValueError, TypeError) as e: print(type(e).__name__, e)
print(np.roll(np.arange(10), 3), np.roll(np.arange(10).reshape(2, 5), 1, axis=1), np.roll(np.arange(10).reshape(2, 5), (1, -2), axis=(0, 1)), np.roll(np.arange(6).reshape(2, 3), 2), np.roll([], 2))
print(np.median([1, np.nan, 3]), np.median([[1, 2], [3, 4.]], axis=0), np.round(np.arange(3), 1), np.logaddexp(1, 2), np.triu([1, 2, 3]))
print(np.argmin(np.float32(4), axis=-1), np.argmax(np.array(3), axis=0), np.argsort(np.array(2.5)), np.cumsum(np.array(3), axis=0))
