# Products of a matrix and its transpose, of columns by vectors, and einsum of which nothing is
# summed, beside the same of copies; stores of elements of another type.
import numpy as np

rng = np.random.default_rng(3)
wrong = 0
for n, k in ((1, 5), (2, 3), (63, 20), (64, 7), (65, 30), (130, 64), (200, 17)):
    for t in (np.float32, np.float64, np.int64, np.complex128):
        x = rng.integers(-9, 9, (n, k)).astype(t)
        y = x.copy()
        wrong += not np.array_equal(x @ x.T, x @ y.T.copy())
        wrong += not np.array_equal(x.T @ x, x.T.copy() @ y)
        wrong += not np.array_equal(x.T @ x[:, 0], x.T.copy() @ y[:, 0])
        wrong += not np.array_equal(np.einsum("ij,i->ij", x, x[:, 0]), x * x[:, :1])
        wrong += not np.array_equal(np.einsum("ij,kj->jik", x, x), x.T[:, :, None] * x.T[:, None, :])
        wrong += not np.array_equal(np.einsum("ii,j->ji", x[:1, :1], x[0]), x[0][:, None] * x[0, 0])
        wrong += not np.array_equal(x[0] @ x[0], (x[0] * x[0]).sum())
        wrong += not np.array_equal(x @ x[0], (x * x[0]).sum(1))
print("wrong", wrong)
s = np.zeros((4, 5), np.float32)
s[:] = np.arange(5)
s[1] = np.arange(5.0) + 0.5
s[:, 2] = s[:, 0]
s[...] = s[::-1]
s[1:3, 1:] = np.ones((2, 4), np.int8)
print(s)
print(np.half([3, 1, 2]).max(), np.cumsum(np.ones((2, 3), np.half), axis=1), np.cumsum([1, 2, 3], out=np.zeros(3, int)))
