# Indexing: slices, negative steps, ellipsis, new axes, integer arrays, masks, mixed, assignment, errors.
import numpy as np

a = np.arange(24).reshape(2, 3, 4)
print(a[1, 2, 3], a[-1, ..., 0], a[:, ::-1, ::2], a[..., None, 1].shape, a[0][1:], a[[1, 0], :, [2, 3]], a[:, [0, 2]][:, :, 1].tolist())
print(a[a % 5 == 0], a[np.array([True, False])].shape, a[:, np.array([True, False, True]), 1], a[np.ix_([0, 1], [2], [1, 3])].tolist(), a[np.newaxis].shape, a[()].shape)
b = a.copy()
b[0, :, 1] = -1
b[b > 20] = 0
b[1, [0, 1], [2, 3]] += 100
b[..., ::3] *= 2
print(b)
v = a[0]
v[:] = 7
print(a[0, 0], np.shares_memory(a, v), np.may_share_memory(a, b))
for f in (lambda: a[2], lambda: a[0, 3], lambda: a[0, 0, 0, 0], lambda: a["x"], lambda: a[1.5], lambda: a[[0, 5]], lambda: a[np.array([True] * 3)], lambda: a[..., ...], lambda: b.__setitem__(0, np.ones(5)), lambda: a[:, [0, 1], [0, 1, 2]]):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
print(np.take(a, [0, -1], axis=2).tolist(), np.take(a, 30, mode="wrap"), np.take(a, [99], mode="clip"), np.take_along_axis(a, np.argsort(-a, axis=2), axis=2)[1, 0], np.put_along_axis is not None)
c = np.zeros(5, int)
np.put(c, [0, 9], [3, 4], mode="wrap")
np.add.at(c, [1, 1, 2], 5)
np.place(c, c == 0, [-1])
np.putmask(c, c > 5, 1)
print(c, np.flatnonzero(c > 0), np.argwhere(a > 20).tolist(), np.nonzero(a[1] > 21), np.unravel_index([5, 23], a.shape), np.ravel_multi_index((1, 2, 3), a.shape))
print(np.compress([0, 1], a, axis=0).shape, np.extract(a > 21, a), np.choose([0, 1, 2], [[1, 2, 3], [4, 5, 6], [7, 8, 9]]), np.select([a[1] < 14, a[1] > 20], [0, a[1]], -5))
