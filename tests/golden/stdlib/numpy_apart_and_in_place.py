# What is taken is a copy, what is asked for in place changes; functions whose operands are of a kind of their own.
import warnings
import numpy as np


def refused(f):
    try:
        return f()
    except (TypeError, ValueError) as e:
        return f"{type(e).__name__}: {e}"


a = np.arange(6).reshape(2, 3)
for taken in (a.take(0, axis=0), np.take(a, 1, axis=1), a.take(np.array(0), 0), np.take(a, -1, 0, mode="wrap"), a.take(np.int64(5), 1, mode="clip")):
    taken[:] = 99
    print(taken.shape, taken.flags.writeable)
print(a)
for t in ("f2", "f4", "f8", "c8"):
    x = np.array([[np.nan, np.inf], [-np.inf, 1]], t).T
    y = np.nan_to_num(x, copy=False, posinf=7, neginf=-7)
    print(y is x, x.tolist())
    z = np.nan_to_num(x, nan=3)
    print(z is x, z.tolist())
n = np.array([[1, 2], [3, 4]], order="F")
print(np.nan_to_num(n, copy=False) is n, np.nan_to_num(n).strides == n.strides)
print(np.packbits(np.array([2, 255, 0, 4], np.uint8).view(bool)), refused(lambda: np.packbits([1, 0], bitorder="up")), refused(lambda: np.unpackbits(np.uint8([1]), bitorder="up")))
print(np.logical_or.accumulate([0, 7, 0]), np.logical_and.accumulate([[5, 2], [3, 0]], axis=1), np.logical_xor.accumulate([2.5, 1, 0]), refused(lambda: np.maximum.accumulate(3)), refused(lambda: np.add.accumulate(np.int8(3))))
for t in ("?", "i1", "u1", "i2", "u2", "i4", "u8", "f2"):
    m, e = np.frexp(np.array([1, 0], t))
    print(t, m.dtype, m, e)
print(refused(lambda: np.frexp(1j)))
print(refused(lambda: np.delete(np.arange(3), True)), refused(lambda: np.delete(np.arange(3), [True, False])), np.delete(np.arange(3), [True, False, True]))
print(np.tile([1, 2], np.array([2, 2])), np.tile([1, 2], range(2, 4)), np.tile([1], np.array(3)))
print(np.cov([[1, 2, 4]], rowvar=False, ddof=0), np.cov([1, 2, 3], rowvar=False), np.cov([[1], [2]], rowvar=False), np.cov([[1, 2], [3, 5]], [[1, 7], [2, 2]], rowvar=False))
with warnings.catch_warnings(record=True) as found:
    warnings.simplefilter("always")
    for to in (np.zeros(2, np.int32), np.zeros((2, 2), np.uint8), np.zeros(2, bool)):
        to[:] = np.array([np.nan, 1])
    to[:] = np.array([1.0, 2])
    print([str(w.message) for w in found])
