# Types: names, kinds, promotion, casts that wrap and saturate, limits, scalars, NEP 50.
import numpy as np

for name in ("bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float16", "float32", "float64", "complex64", "complex128"):
    d = np.dtype(name)
    print(d, repr(d), d.kind, d.itemsize, d.char, d.type.__name__, np.zeros(2, d), repr(np.ones((), d)[()]), np.array([1], d).nbytes, np.issubdtype(d, np.integer), np.issubdtype(d, np.floating))
types = [np.int8, np.uint8, np.int32, np.uint32, np.uint64, np.float16, np.float32, np.complex64, np.bool_]
for t in types:
    print(t.__name__, [np.promote_types(t, u).name for u in types], [np.can_cast(t, u) for u in types])
print(np.array([300, -1, 127]).astype(np.int8), np.array([300, -1]).astype(np.uint8), np.array([1.9, -1.9]).astype(int), np.array([0, 2, 0.5]).astype(bool), np.array([True, False]).astype(float))
for t in (np.int8, np.uint16, np.int64, np.uint64):
    print(np.iinfo(t).min, np.iinfo(t).max, np.iinfo(t).bits, np.iinfo(t))
for t in (np.float16, np.float32, np.float64):
    f = np.finfo(t)
    print(f.eps, f.max, f.min, f.tiny, f.bits, f.precision, f.resolution, f.smallest_subnormal, f.nmant, f.dtype)
print(np.float32(3) + 3, (np.float32(3) + np.float64(3)).dtype, (np.int8(100) + np.int8(20)), (np.array([1], np.int8) + 1).dtype, (np.array([1], np.uint8) + np.int8(1)).dtype, np.result_type(np.int8, 3), np.result_type(np.float32, 1e300), np.uint8(5) - np.uint8(3))
for f in (lambda: np.array([1], np.uint8) + 300, lambda: np.uint8(300), lambda: np.array([1.5]).astype("i4", casting="safe"), lambda: np.int8(-1) < 2**70, lambda: np.array([1, 2]) | 1.5):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
print(np.array([2**63], dtype=np.uint64), np.array([2**64 - 5], np.uint64), np.array([2**63 - 1]), np.array([2**63]).dtype, np.uint64(2**64 - 1), int(np.uint64(2**64 - 1)), np.array([1, 2.5]).dtype, np.array([1, 2j]).dtype, np.array([True, 2]).dtype)
