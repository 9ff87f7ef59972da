# out=: of the type and shape, of others, overlapping the operands, in a tuple, given by position, of comparisons.
import numpy as np

a, b = np.arange(6.0), np.ones(6)
o = np.empty(6)
print(np.add(a, b, out=o) is o, o, np.add(a, 1, out=o), np.sqrt(a, out=o).round(3), np.negative(o, o) is o, np.multiply(a, 2, out=(o,)) is o, o)
x = np.arange(6.0)
print(np.add(x[:-1], x[1:], out=x[1:]), x, np.add(x[::-1], x, out=x), np.square(x[:3], out=x[3:]), x)
f = np.empty(6, np.float32)
print(np.add(a, b, out=f), f.dtype, np.exp(np.zeros(6), out=f), np.less(a, 3, out=np.empty(6, bool)), np.less(a, 3, out=np.empty(6, int)), np.add(1, 2, out=np.zeros((2, 2))), np.isfinite(a, out=np.zeros(6, bool)), np.absolute(np.array([3 + 4j]), out=np.zeros(1)))
r = np.zeros((2, 3))
print(np.add(np.arange(3), [[1], [2]], out=r), np.add(np.arange(3), 1, out=r), np.sum(r, axis=0, out=np.empty(3)), np.matmul(r, r.T, out=np.empty((2, 2))), np.clip(a, 1, 3, out=o), np.maximum(a, 2, out=a), a)
for bad in (lambda: np.add(a, b, out=np.empty(5)), lambda: np.add(a, 0.5, out=np.empty(6, int)), lambda: np.add(np.ones((2, 6)), b, out=o), lambda: np.add(a, b, out=[1]), lambda: np.add(a, b, o, out=o), lambda: np.broadcast_to(0.0, 6) if np.add(a, b, out=np.broadcast_to(0.0, 6)) is None else 0):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__, e)
