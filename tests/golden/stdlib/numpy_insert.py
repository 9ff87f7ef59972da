# np.insert and np.delete: one place or many, masks, slices, values that are spread, places that are not there.
import numpy as np

x, m = np.arange(5), np.arange(6).reshape(3, 2)
for ask in (lambda: np.insert(x, 9, 1), lambda: np.insert(x, -6, 1), lambda: np.insert(x, 5, 7), lambda: np.insert(x, -1, [7, 8]),
            lambda: np.insert(x, [0, 3, 3], [7, 8, 9]), lambda: np.insert(x, [4, -5, 1], 2.7), lambda: np.insert(x, slice(1, 5, 2), [8, 9]),
            lambda: np.insert(x, x > 2, -1), lambda: np.insert(x, [], []), lambda: np.insert(x, [2], [7, 8, 9]), lambda: np.insert(x, [1, 9], 0),
            lambda: np.insert(m, 1, 5), lambda: np.insert(m, 1, 5, axis=1), lambda: np.insert(m, 0, [7, 8, 9], axis=1),
            lambda: np.insert(m, [0], [[7], [8], [9]], axis=1), lambda: np.insert(m, [1, 3], [[7, 8], [9, 10]], axis=0), lambda: np.insert(m, 3, [1, 2], 0),
            lambda: np.insert(m, [0, 2], 4, axis=-1), lambda: np.insert(m, 1, 5, axis=2), lambda: np.insert(x, [[1]], 1),
            lambda: np.insert(np.float32([1]), 0, 2).dtype, lambda: np.insert(x, 1, [1, 2, 3]), lambda: np.insert(m, 1, [1, 2, 3], axis=0),
            lambda: np.delete(x, [0, -1]), lambda: np.delete(x, slice(None, None, 2)), lambda: np.delete(m, [True, False, True], 0), lambda: np.delete(m, 1),
            lambda: np.delete(x, 7), lambda: np.delete(x, [1, 9]), lambda: np.delete(x, []), lambda: np.delete(m, 2, 1)):
    try:
        print(repr(ask()))
    except (IndexError, ValueError, TypeError) as error:
        print(type(error).__name__, str(error)[:60])
