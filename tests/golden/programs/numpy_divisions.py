# Quotients and remainders of 64-bit integers by one number, running sums, and rows by matrices.
import numpy as np

rng = np.random.default_rng(3)
ends = [0, 1, -1, 2**63 - 1, -(2**63), -(2**63) + 1]
x = np.concatenate([rng.integers(-(2**63), 2**63 - 1, 500), rng.integers(-100, 100, 200), ends])
u = x.view(np.uint64)
with np.errstate(all="ignore"):
    for d in (1, 2, 3, 5, 7, 8, 10, 64, 1000, 2**31 - 1, 2**31, 2**31 + 1, 2**40 + 3, 2**62, 2**62 + 1, 2**63 - 1, -1, -2, -3, -7, -(2**63)):
        for a in (x, x[::2], x[::-1]):
            print(d, np.bitwise_xor.reduce(a // np.int64(d)), np.bitwise_xor.reduce(a % np.int64(d)))
        if d > 0:
            print(np.bitwise_xor.reduce(u // np.uint64(d)), np.bitwise_xor.reduce(u % np.uint64(d)), x[:3] // d, x[:3] % d, np.fmod(x[:3], d))
    print((u // np.uint64(2**63)).sum(), (u // np.uint64(2**64 - 1)).sum(), x[:3] // 0, x[:3] % 0)
for dtype in (np.float32, np.float64, np.int32, np.complex64, np.int8, np.uint8, np.bool_):
    a = rng.integers(-9, 9, (7, 300)).astype(dtype)
    print(np.cumsum(a)[-3:], np.cumsum(a, axis=1)[:, -1], np.cumsum(a, axis=0)[-1, :4], np.cumprod(a[:, :5], axis=1)[:2],
          np.cumsum(a[:, ::2], axis=1)[:, -1], np.cumsum(a[:, :3], axis=1, dtype=np.float64)[1], np.cumsum(a[:0]), np.cumsum(a.T, axis=1)[3])
v, m = rng.integers(-9, 9, 300).astype(np.float64), rng.integers(-9, 9, (300, 1030)).astype(np.float64)
print((v @ m)[:3], (v.astype(np.float32) @ m.astype(np.float32))[-3:], (v[None, :7] @ m[:7])[0, -3:])
mask = np.array([True, False, True])
print(np.where(mask, 0, np.arange(3.0)), np.where(mask, 1.5, [2.0, 3, 4]), np.where(mask, np.float32(2), np.ones(3, np.float32)))
for n in (1, 5, 31, 64, 65, 200, 255, 256, 257, 1000, 3000):
    z = rng.standard_normal(n).astype(np.float32)
    places = [z.argmax(), z.argmin(), z.max(), z.min()]
    z[n // 2] = np.nan
    print(n, places, z.argmax(), z.argmin(), z.max(), z.min(), z.reshape(1, -1).argmax(axis=0)[:3])
