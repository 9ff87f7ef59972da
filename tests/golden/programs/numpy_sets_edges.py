# Sets along axes of arrays with no elements, and the types of intersections.
import numpy as np


def show(label, f):
    try:
        r = f()
        print(label, [(x.dtype, x.shape, x.tolist()) for x in (r if isinstance(r, tuple) else (r,))])
    except Exception as e:
        print(label, type(e).__name__, e)


for axis in (0, 1, -1, 2, -3):
    for x in (np.zeros((0, 3)), np.zeros((3, 0)), np.zeros((2, 0, 3)), np.zeros(0), np.zeros((0, 0)), np.array([[1, 2], [1, 2], [0, 5]]),
              np.arange(8).reshape(2, 2, 2) // 4):
        show(("unique", axis, x.shape), lambda: np.unique(x, axis=axis))
for a, b in (([1, 2], [2.5, 2]), ([2.5, 2], [1, 2]), ([1, 2], [2]), (np.array([1, 2], "u1"), np.array([2, 3], "i2")), ([3, 1, 1, 2], [1, 3]),
             ([[1, 2], [3, 4]], [[4], [2]]), ([], [1]), ([], []), ([True], [1, 0]), ([np.nan, 1], [np.nan, 1]), ([1j, 2], [2])):
    for indices in (False, True):
        show(("intersection", a, b), lambda: np.intersect1d(a, b, return_indices=indices))
for indices in (False, True):
    show("assumed", lambda: np.intersect1d([4, 1, 3], [3, 7, 4], assume_unique=True, return_indices=indices))
