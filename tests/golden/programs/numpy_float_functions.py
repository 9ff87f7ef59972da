# Types of functions that give floats, of operands of two integer types; comparisons with texts; float16 statistics.
import numpy as np
h = ((np.arange(153) * 3) % 13 - 2).astype(np.float16).reshape((9, 17))
x = np.cumprod(h, axis=-1)
print(x[1].tolist())
print(np.fmin(np.float64(1.5), x)[1].tolist())
print(type(np.float64(1.0) == "x"), type("x" == np.float64(1)), np.float64(1) != "x", np.int32(3) == None, type(np.int32(3) == None), np.float32(1) == [1, 2])
print(repr(np.isin(3, [1, 3])), repr(np.isin(np.float16(2), [2.0])), repr(np.isin(np.array(3), [], invert=True)))
a = np.array([2.5, 0.5, 8.695], np.float16)
print(a.std(), a.var(), np.mean(a), np.std(a, ddof=1), a.std(dtype=np.float32), np.var(np.arange(100).astype(np.float16)))
for A in (np.uint16, np.int8, np.uint8, np.int32, np.bool_, np.float16):
    for B in (np.int16, np.uint8, np.int8, np.float32, np.uint64):
        print(A.__name__, B.__name__, [f(np.array([1], A), np.array([2], B)).dtype.name for f in (np.copysign, np.arctan2, np.hypot, np.logaddexp, np.nextafter, np.true_divide, np.float_power)])
    print(A.__name__, [f(np.array([1], A), 2).dtype.name for f in (np.copysign, np.arctan2, np.hypot, np.logaddexp)], [f(np.array([1], A), 2.5).dtype.name for f in (np.copysign, np.arctan2, np.hypot)])
