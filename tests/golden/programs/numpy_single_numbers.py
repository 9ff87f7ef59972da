# Errors of functions and operators of one number, and short arrays made and read whole.
import warnings

import numpy as np


def told(f):
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        result = f()
    print(result, [str(warning.message) for warning in found])


told(lambda: np.sqrt(-1.0))
told(lambda: np.sqrt(np.float32(-1)))
told(lambda: np.sqrt(2.0))
told(lambda: np.reciprocal(np.float64(0.0)))
told(lambda: np.square(1e200))
told(lambda: np.square(1e-200))
told(lambda: np.log(0.0))
told(lambda: np.exp(np.float64(1000.0)))
told(lambda: np.add(np.float32(3e38), np.float32(3e38)))
told(lambda: np.array(1.0) / 0)
told(lambda: np.int64(1) // 0)
with np.errstate(under="raise"):
    for f in (lambda: np.square(np.float64(1e-200)), lambda: np.multiply(1e-200, 1e-200), lambda: np.float64(1e-200) * 1e-200):
        try:
            print(f())
        except FloatingPointError as error:
            print(error)
# What one operation raised is not reported of the next.
with np.errstate(all="ignore"):
    np.array([1.0, -1.0]) / 0.0
told(lambda: np.array([1.0, 2.0]) + 1)
told(lambda: np.array([1e308, 2.0]) * 10)

print(np.full((2, 2), [1, 2]), np.full(3, 1.5, "f4"), np.full(2, 1 + 2j), np.full((2, 2), np.arange(4).reshape(2, 2)))
print(np.full((2, 3), 2, order="F").flags.f_contiguous, np.ones(2, None).dtype, np.full(2, 2.0, None, None), np.full(shape=(), fill_value=3))
for f in (lambda: np.full(2, 300, np.uint8), lambda: np.full(-1, 0), lambda: np.full(2, [1, 2, 3])):
    try:
        print(f())
    except Exception as error:
        print(type(error).__name__)
print(np.arange(6).reshape(2, 3).T.tolist(), np.arange(4, dtype=np.uint8)[::-1].tolist(), np.array(3).tolist(), np.zeros((2, 0)).tolist())
print(np.zeros((0, 2)).tolist(), np.array([1 + 2j]).tolist(), np.array([True, False]).tolist(), np.array([2**63], np.uint64).tolist())
print(np.arange(4, dtype=np.float16).tolist(), np.arange(8.0)[::-2].tolist(), np.frombuffer(b"\x00" * 17, np.float64, 2, 1).tolist())
array = np.array(2.5)
number = np.float64(array)
array[...] = 3
print(number, array, np.float64(np.float64(1.5)), np.float32(1.1), np.int8(True))
row = np.arange(4.0)
row[...] = row[::-1]
print(row)
for name in ("float32", "f4", "int", "uint", "bool", "bool_", "i8", "f32", "complex", "<f4", "", "float32x", "uint8"):
    try:
        print(name, np.dtype(name))
    except TypeError:
        print(name, "TypeError")
print(np.take(np.arange(5), 3), np.take(np.eye(2), 1, axis=0), np.take(np.arange(5), -1, 0), np.take(np.arange(6).reshape(2, 3), 4))
half = np.arange(4, dtype=np.float16)
print(half + half, np.sqrt(half), half, (half + half) - half)
# Products of vectors and matrices, whose own dimension goes.
vector, matrix, stack = np.arange(4.0)[::-1], np.arange(12.0).reshape(3, 4), np.arange(24).reshape(2, 3, 4)
print(vector @ vector, type(vector @ vector).__name__, matrix @ vector, matrix.T @ np.arange(3), np.arange(3) @ matrix, stack @ vector, np.arange(3) @ stack)
print(np.arange(3, dtype=np.float16) @ np.ones(3, np.float16), np.zeros(0) @ np.zeros(0), np.zeros((2, 0)) @ np.zeros(0), vector[::2] @ vector[1::2], (matrix @ vector).base is None)
