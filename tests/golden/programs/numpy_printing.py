# The text of arrays: widths, signs, exponents, nan and inf, cuts of long ones, nesting, options, scalars.
import numpy as np

print(np.array([1.0, 2.5, -3.25]), np.array([1e10, 1.0]), np.array([1e-10, 1.0]), np.array([1.0, np.nan, -np.inf]), np.array([0.1 + 0.2]), np.array([1e5, 123456.789]), np.array([100000000.0]), np.array([1e16]), np.array([0.0001, 0.00001]))
print(np.array([True, False]), np.array([1 + 2j, -0.5j]), np.array([], int), np.zeros((2, 0)), np.array([[[1]]]), np.array([-5, 10, 100]), np.array(["a"]) if False else "", np.float32(0.1), np.array([0.1, 1 / 3], np.float32), np.array([1 / 3], np.float16))
print(repr(np.array([1.0, 2.5])), repr(np.array([[1, 2], [3, 4]], np.int8)), repr(np.float64(1.5)), repr(np.array(3.0)), repr(np.array([], np.float32)), repr(np.int32(4)), repr(np.bool_(True)), repr(np.zeros((1, 0, 2))), repr(np.array([1 + 1j], np.complex64)), repr(np.uint8(3)), str(np.float32(1e10)), repr(np.float32(1e-8)))
print(np.arange(2000), np.arange(2000).reshape(40, 50), np.ones((1100, 2), np.float32), repr(np.arange(1001.0)), sep="\n")
print(np.linspace(0, 1, 30), np.arange(40) * 1000003, np.random.RandomState(0).rand(3, 8), sep="\n")
with np.printoptions(precision=3, suppress=True, linewidth=40, threshold=5, edgeitems=2, sign="+"):
    print(np.linspace(-1, 1, 20), np.array([1e-8, 1.0]), np.array([123456.789012]))
with np.printoptions(floatmode="fixed", precision=2):
    print(np.array([1, 2.345, 100.0]), np.array([1.0]))
with np.printoptions(formatter={"float": lambda x: f"<{x:.1f}>"}):
    print(np.array([1.25, 2]), np.array([1, 2]))
print(np.array2string(np.array([1.5, 2]), separator=", ", prefix="x"), np.array_repr(np.array([1, 2])), np.array_str(np.array([1.123456789]), precision=3), np.format_float_positional(1e-7), np.format_float_scientific(12345.678, precision=2), np.get_printoptions()["precision"])
print(f"{np.float64(3.14159):.2f} {np.int64(42):05d} {np.float32(2.5)!r} {np.array([1, 2])} {np.bool_(True)}", "%d %.1f %s" % (np.int32(5), np.float32(2.55), np.arange(2)), str(np.array([[1.5, -2], [3, 4]])), format(np.float16(1.5), ">8"))
