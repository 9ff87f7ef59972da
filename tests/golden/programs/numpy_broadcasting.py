# Broadcasting: shapes that fit, that do not, new axes, broadcast_to, broadcast_arrays, outer products.
import numpy as np

a, b = np.arange(3), np.arange(4)[:, None]
print((a + b).shape, a * b, np.broadcast_shapes((3, 1), (1, 4), (4,)), sep="\n")
print(np.broadcast_to(a, (2, 3)), np.broadcast_to(a, (2, 3)).strides, np.broadcast_to(5, (2,)).flags.writeable)
x, y = np.broadcast_arrays(a, b)
print(x.shape, y.shape, np.add.outer(a, a), np.multiply.outer([1, 2], [3, 4]).tolist())
for f in (lambda: np.ones((2, 3)) + np.ones((3, 2)), lambda: np.broadcast_to(a, (4,)), lambda: np.broadcast_shapes((2,), (3,)), lambda: np.add(1, np.ones(3), out=np.ones(2))):
    try:
        print(f())
    except ValueError as e:
        print(e)
print(np.ones((1, 3, 1)) + np.zeros((2, 1, 4)) == np.ones((2, 3, 4)), (np.ones((0, 3)) + np.ones((1, 3))).shape, np.where(a[:, None] > 1, a, -a))
