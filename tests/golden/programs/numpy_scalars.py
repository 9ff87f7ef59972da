# NumPy's scalars: types, operators with Python's numbers, hashing, formats, conversions, methods.
import numpy as np
a, b, c = np.int32(7), np.float32(2.5), np.bool_(True)
print(a + 1, type(a + 1).__name__, a / 2, type(a / 2).__name__, a + b, type(a + b).__name__, a // 2, a % 4, a ** 2, -a, ~a, a << 1, a & 3, c + c, type(c + c).__name__, not c, c & False, abs(np.float64(-1.5)), divmod(a, 2), round(b), round(np.float64(2.567), 1), int(a), float(b), bool(c), complex(b))
print(hash(np.int64(5)) == hash(5), {np.int32(1): "x"}[1], [10, 20][np.int64(1)], a == 7, a == 7.0, a in [7], isinstance(a, np.integer), isinstance(b, np.floating), isinstance(np.int64(1), int), a.dtype, a.shape, a.ndim, a.item(), b.astype(np.int8), a.tobytes(), np.float64(3).is_integer(), a.bit_count(), range(np.int64(3)), "ab" * np.int64(2), [0] * np.int32(2))
print(np.float32(0.1) == 0.1, np.float32(0.1) + 0.1, np.float64(0.1) == 0.1, np.int8(127) == 127, np.uint8(200) + np.uint8(50), np.float16(1) / 3, np.float32(1) / np.int32(3), np.int64(2) ** 0.5, np.float64(1e308), str(np.float32(1e-5)), repr(np.int8(-3)), f"{a:>4d}|{b:.1f}|{np.float64(1234.5):,.2f}|{a:x}", "%d %s %.2f" % (a, b, b), max(a, 3), sum([a, a]), sorted([np.float32(2), 1, np.int8(3)]))
for f in (lambda: np.int32("x"), lambda: a[0], lambda: len(a), lambda: iter(a), lambda: a(), lambda: np.int32([1, 2]).shape):
    try: print(f())
    except Exception as e: print(type(e).__name__)
