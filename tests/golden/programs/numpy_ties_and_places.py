# Which of two equal zeros a maximum gives; ufunc.at with numbers: the loop is that of both as arrays.
import numpy as np

zeros = np.array([0.0, -0.0])
for x in (zeros, zeros[::-1], np.tile(zeros, 40), np.tile(zeros[::-1], 40)):
    for dtype in (np.float64, np.float32):
        y = x.astype(dtype)
        print(np.signbit([y.max(), y.min(), np.maximum.reduce(y), np.minimum.reduce(y), np.maximum(y[0], y[1]), np.minimum(y[0], y[1])]), y.argmax(), y.argmin())
        print(np.signbit(np.maximum(y[1:], y[:-1])[:2]), np.signbit(np.minimum(y[1:], y[:-1])[:2]))
with_nan = np.tile(zeros, 40)
with_nan[61] = np.nan
print(with_nan.max(), with_nan.min(), with_nan.argmax(), np.maximum(with_nan, 1)[60:63])
for start in (0, 5, 2**53 + 1, 2**63):
    for number in (1, 3, 2**62, 2**63):
        if start + 2 * number >= 2**64:
            continue
        u = np.full(2, start, np.uint64)
        np.add.at(u, [0, 0], number)
        v = np.full(2, start, np.uint64)
        np.maximum.at(v, [0], number)
        print(start, number, u.tolist(), v.tolist())
for number in (0.1, 1 / 3, 3, 0.25):
    u = np.full(2, 1.1, np.float32)
    np.multiply.at(u, [0] * 7, number)
    v = np.full(2, 1.1, np.float32)
    np.divide.at(v, [0] * 3, number)
    print(u.tolist(), v.tolist())
