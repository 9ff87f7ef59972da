# What counts as an axis in an index: None and a truth value do not; an index of too many says so before anything else.
import numpy as np

f34 = np.arange(12.).reshape(3, 4)
for index in [(None, True), (True,), (True, None), (False,), (True, 0), (0, True), (None, True, [0, 1]), (None, False), (slice(None), True), (..., True), (True, True),
              (None, True, None), ([0, 1], True), (True, slice(None), None), (np.True_,), (None, np.array(True)), (None, None, True, 1), (1, None, True), (True, ..., 0),
              (..., None, 5, 5, 5), (9, 9, 9), (0, 0, True, 0), (5, True), ([7], 0, 0), (np.ones((3, 4), bool), 0)]:
    try:
        picked = f34[index]
        print(index if len(index) < 3 else len(index), picked.shape, picked.sum())
    except IndexError as e:
        print(e)
f34[True, 0] = -1
f34[..., True] += 1
print(f34)
