# Sorting, searching, sets, histograms, counting.
import numpy as np

a = np.array([[3, 1, 2], [9, 7, 8]])
print(np.sort(a), np.sort(a, axis=0), np.sort(a, axis=None), np.argsort(a), np.argsort([3, 1, 2], kind="stable"), np.lexsort(([1, 0, 1], [2, 2, 1])), np.partition([5, 1, 4, 2], 1)[:2].sum(), np.argpartition([5, 1, 4], 0)[0], np.sort([np.nan, 1, -np.inf]), np.sort([True, False]), np.sort(np.array([2 + 1j, 1 + 5j, 2])))
a.sort(axis=1)
print(a, np.searchsorted([1, 3, 5], [0, 3, 6]), np.searchsorted([1, 3, 5], 3, side="right"), np.digitize([0.5, 2, 9], [1, 2, 3]), np.searchsorted([3, 1, 2], 2, sorter=[1, 2, 0]), np.argmax([1, 3, 3]), np.argmin([[1, 0], [0, 1]], axis=1))
u = np.unique([3, 1, 3, 2, 1], return_index=True, return_inverse=True, return_counts=True)
print(u, np.unique([[1, 2], [1, 2], [0, 1]], axis=0), np.union1d([1, 2], [2, 3]), np.intersect1d([1, 2, 3], [2, 3, 4]), np.setdiff1d([1, 2, 3], [2]), np.setxor1d([1, 2], [2, 3]), np.isin([1, 5], [5, 6]), np.isin([1, 5], [5], invert=True), np.unique([np.nan, np.nan, 1.0]), np.intersect1d([1, 2], [2, 1], return_indices=True))
print(np.histogram([1, 2, 2, 5], bins=4), np.histogram([1.0, 2, 3], bins=[0, 2, 4]), np.histogram([1, 2], 2, density=True), np.histogram([1, 2, 9], 2, range=(0, 4), weights=[1, 2, 3]), np.bincount([0, 2, 2], minlength=5), np.bincount([0, 1], weights=[0.5, 1.5]), np.histogram2d([0, 1], [0, 1], bins=2)[0], np.histogram_bin_edges([0, 4], 4))
for f in (lambda: np.bincount([-1]), lambda: np.histogram([1], bins=0), lambda: np.sort(a, axis=5), lambda: np.partition([1, 2], 5), lambda: np.searchsorted([1], [1], side="middle"), lambda: np.argsort(3)):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
