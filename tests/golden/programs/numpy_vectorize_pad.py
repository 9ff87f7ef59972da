# vectorize with types, names and what it leaves alone; apply_along_axis; pad by statistics; put with modes.
import numpy as np

v = np.vectorize(lambda a, b=1, *, k=0: a * b + k, otypes=[float])
print(v([1, 2], 3), v([1, 2], k=5), v(2), np.vectorize(lambda a: (a, -a))([1, 2]), np.vectorize(lambda p, x: sum(p) + x, excluded=[0])([1, 2], [3, 4]), np.vectorize(len, otypes=[int])([]).shape)
print(np.apply_along_axis(np.sort, 1, [[3, 1], [2, 4]]), np.apply_along_axis(lambda r, k: r * k, 0, [[1, 2], [3, 4]], 10), np.apply_along_axis(lambda r: np.outer(r, r), 1, np.array([[1, 2]])).shape)
print(np.pad([1.0, 5], 2, "linear_ramp", end_values=(0, 9)), np.pad([1, 4, 2], 1, "maximum"), np.pad([1, 4, 2], 2, "mean", stat_length=2), np.pad([3, 1, 2], 1, "median"), np.pad(np.ones((2, 2)), {0: (1, 0)}), np.pad([1, 2], 1, "minimum"))
a = np.zeros(4, int)
np.put(a, [5, -1], [7, 8], mode="wrap")
np.put(a, [99], 3, mode="clip")
print(a)
