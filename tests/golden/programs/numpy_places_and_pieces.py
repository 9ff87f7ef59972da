# Running results of objects, indices of narrow types, rolls by several shifts, pieces by any condition.
import numpy as np

print((np.maximum.accumulate(np.array([3, 1, 7, 5], dtype=object)) == [3, 3, 7, 7]).all())
try:
    np.maximum.accumulate(np.array([1, None, 2], dtype=object))
except TypeError:
    print("not ordered")

print(np.unravel_index(np.int8(100), (200, 300)), np.unravel_index(np.array([3, 7], np.uint8), (2, 4))[1].dtype)
print(np.ravel_multi_index((np.array([90], np.int8), np.array([3], np.uint64)), (99, 99)))
try:
    np.unravel_index(np.array([1.0]), (4, 5))
except TypeError:
    print("not an index")

a = np.arange(6).reshape(2, 3)
print(np.roll(a, [0, 1]).tolist(), np.roll(a, [2], (0, 1)).tolist(), np.roll(a, np.array([1, 2]), (0, 1)).tolist())
try:
    np.roll(a, (1, 1, 1), (0, 1))
except ValueError as e:
    print(e)

x = np.array([-2.0, 0.0, 3.0])
print(np.piecewise(x, [[1.5, 0, 2]], [1, lambda v: v * 2]), np.piecewise(x, [x < 0, x > 1], [lambda v: -v, 7]))
print(np.linalg.diagonal(np.arange(12).reshape(2, 2, 3), offset=1).tolist())
