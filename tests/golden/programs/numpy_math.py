# Functions of elements, on ints and floats, at their edges, with warnings off.
import numpy as np

np.seterr(all="ignore")
x = np.array([-2.5, -0.5, 0.0, 0.5, 1.5, 2.5, np.nan, np.inf, -np.inf])
for name in ("floor", "ceil", "trunc", "rint", "sign", "absolute", "negative", "square", "isnan", "isinf", "isfinite", "signbit", "fabs", "sqrt", "reciprocal", "positive", "spacing", "round"):
    print(name, getattr(np, name)(x))
i = np.array([-7, -1, 0, 3, 8], np.int32)
for name in ("add", "subtract", "multiply", "floor_divide", "remainder", "fmod", "maximum", "minimum", "power", "gcd", "lcm", "bitwise_and", "left_shift", "greater", "not_equal", "arctan2", "hypot", "copysign", "true_divide", "logical_xor", "fmax"):
    try:
        print(name, getattr(np, name)(i, np.int32(2)), getattr(np, name)(i, np.array([3, -2, 0, 1, 0], np.int32)) if name not in ("power", "left_shift") else "")
    except Exception as e:
        print(name, type(e).__name__, e)
print(i // 0, i % 0, x // 0, x % 2, -7 // np.int32(2), np.divmod(i, 3), divmod(np.float32(7), 2), np.modf(x[:3]), np.frexp([8.0, 0.3]), np.ldexp([0.5], 3), np.nextafter(np.float32(1), np.float32(2)), np.float_power(2, [1, -1]))
print(np.clip(x, -1, 1), np.clip(i, 0, None), np.round([1.25, 2.345, -0.5, 1234.5], 1), np.around(1234, -2), np.round(2.5), np.fix([1.7, -1.7]), np.interp([0.5, 2.5, 9], [0, 1, 3], [0, 10, 30]), np.heaviside([-1, 0, 1], 0.5), np.sinc([0, 0.5]).round(6), np.nan_to_num([np.nan, np.inf, 1]), np.unwrap([0, 6.0]).round(4))
print(np.exp([0, 1]).round(10), np.log([1, np.e]).round(10), np.log2([1, 8]), np.log10([1, 1000]), np.log1p(0), np.expm1(0), np.sin(np.pi / 2), np.degrees(np.pi), np.radians(180).round(8), np.cbrt(27).round(10), np.exp2(3), np.logaddexp(0, 0).round(10), np.tanh(0), np.arcsinh(0))
print(np.cross([1, 0, 0], [0, 1, 0]), np.dot([1, 2], [3, 4]), np.inner([1, 2], [3, 4]), np.outer([1, 2], [3, 4]), np.vdot([1j], [1j]), np.tensordot(np.ones((2, 3)), np.ones((3, 2)), 1), np.matmul(np.eye(2), [1, 2]), np.einsum("ij,j->i", np.eye(2), [3, 4]), np.convolve([1, 2, 3], [0, 1]), np.correlate([1, 2, 3], [1, 1]), np.polyval([1, 0, 2], 3), np.polyfit([0, 1, 2], [1, 3, 5], 1).round(6))
print(np.isclose(1, 1 + 1e-9), np.allclose([1, np.nan], [1, np.nan], equal_nan=True), np.array_equal([1, 2], [1, 2]), np.array_equiv([1, 1], 1), np.maximum([1, np.nan], 0), np.fmax([1, np.nan], 0), np.logical_not([0, 1]), np.invert(np.int8(5)), ~np.array([True]), np.bitwise_count(np.uint8(7)))
