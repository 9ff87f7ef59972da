# Shapes: reshape, transpose, stack, split, tile, repeat, roll, flip, pad, squeeze, concatenate, block.
import numpy as np

a = np.arange(12).reshape(3, 4)
print(a.T, a.reshape(2, -1), a.ravel("F"), np.swapaxes(a, 0, 1).shape, np.moveaxis(np.zeros((2, 3, 4)), 0, -1).shape, np.rollaxis(np.zeros((2, 3, 4)), 2).shape, np.shares_memory(a, a.flatten()), np.shares_memory(a, a.T))
print(np.concatenate([a, a[:1]]).shape, np.stack([a, a], -1).shape, np.vstack([a[0], a[1]]), np.hstack([a[:, :1], a[:, 2:]]), np.dstack([a[0], a[1]]).shape, np.column_stack([[1, 2], [3, 4]]), np.block([[a[:1, :1], a[:1, 1:2]], [a[1:2, :1], a[1:2, 1:2]]]))
print([x.tolist() for x in np.split(np.arange(6), 3)], [x.shape for x in np.array_split(a, 3, axis=1)], [x.tolist() for x in np.split(np.arange(6), [1, 4])], [x.shape for x in np.hsplit(a, 2)], [x.shape for x in np.vsplit(a, 3)])
print(np.tile([1, 2], (2, 2)), np.repeat([1, 2], [2, 3]), np.repeat(a, 2, axis=1)[0], np.roll(a, 1), np.roll(a, (1, 2), axis=(0, 1))[0], np.flip(a, 0)[0], np.fliplr(a)[0], np.flipud(a)[0], np.rot90(a).shape, np.rot90(a, 2)[0])
print(np.pad([1, 2], 2), np.pad([1, 2, 3], (1, 2), mode="edge"), np.pad([1, 2, 3], 2, mode="reflect"), np.pad([1, 2, 3], 2, "symmetric"), np.pad([1, 2], 1, constant_values=(7, 8)), np.pad(a, ((0, 0), (1, 0)))[0], np.pad([1, 2, 3], 3, "wrap"), np.pad([1, 5], 2, "linear_ramp"), np.pad([1, 3], 1, "mean"))
print(np.squeeze(np.zeros((1, 3, 1))).shape, np.expand_dims(a, (0, 2)).shape, np.atleast_2d(3).shape, np.atleast_3d([1, 2]).shape, np.append(a, [1]), np.insert([1, 2, 3], 1, [7, 8]), np.delete(a, 1, axis=0), np.delete([1, 2, 3, 4], [0, -1]), np.resize([1, 2, 3], 5), np.trim_zeros([0, 0, 1, 0, 2, 0]))
for f in (lambda: a.reshape(5, 3), lambda: a.reshape(-1, -1), lambda: np.concatenate([a, np.ones((2, 2))]), lambda: np.stack([a, a[0]]), lambda: np.split(np.arange(5), 2), lambda: np.squeeze(a, 0), lambda: np.transpose(a, (0, 0)), lambda: np.concatenate([]), lambda: a.transpose(0, 1, 2)):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
print(np.triu(a), np.tril(a, -1), np.tri(2, 3), np.diag([1, 2]), np.diag(a, 1), np.diagonal(a), np.eye(2, 3, 1), np.identity(2), np.trace(a), np.fill_diagonal is not None, np.meshgrid([1, 2], [3, 4, 5])[0], np.indices((2, 2)).tolist(), np.kron([1, 2], [1, 1]), np.vander([2, 3], 3))
