# What partition takes as kth, arrays with no elements, and those that cannot be written to.
import numpy as np


def show(label, f):
    try:
        r = f()
        print(label, r.dtype, r.shape, np.sort(r, None).tolist())
    except Exception as e:
        print(label, type(e).__name__, e)


def in_place(x, kth, axis=-1):
    x = x.copy()
    x.partition(kth, axis)
    return x


a = np.array([5, 3, 9, 1, 7, 0])
for name, f in (("partition", np.partition), ("argpartition", np.argpartition), ("method", in_place)):
    for kth in (True, np.True_, [True], [], np.array([], int), [[1, 2]], np.array([[1]]), 1.0, 6, -7, [0, 6], (1, 3), np.uint8(2), np.array([], bool), [[]],
                np.array([[True]])):
        show((name, kth), lambda: f(a, kth))
    for x in (np.zeros(0), np.zeros((0, 3)), np.zeros((3, 0)), np.array(5)):
        for kth in (0, 1, -1, [], True, [[0]]):
            for axis in (-1, 0):
                show((name, x.shape, kth, axis), lambda: f(x, kth, axis=axis))
    show((name, "axis"), lambda: f(a, 0, axis=1))
print(in_place(a, np.array([], int)))

fixed = a.copy()
fixed.flags.writeable = False
for change in (lambda: fixed.partition(2), lambda: fixed.partition(20), lambda: fixed.partition([]), lambda: fixed.partition(0, 3), lambda: fixed.sort()):
    show("read-only", change)
