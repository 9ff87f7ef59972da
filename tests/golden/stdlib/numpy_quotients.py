# Quotients and remainders by one divisor, sums of converted elements, running sums and squares:
# what the loops make of them is what Python's integers give.
import numpy as np

wrong = 0
for kind in "bhilBHIL":
    info = np.iinfo(kind)
    edges = [info.min, info.min + 1, -7, -1, 0, 1, 6, 7, info.max // 2, info.max - 1, info.max]
    x = np.array([v for v in edges if v >= info.min] * 40, kind)
    for divisor in [1, 2, 3, 5, 7, 10, 64, 100, 127, 255, 1000, 32767, 65535, 65536, 2**31 - 1, 2**32 - 1, 2**63 - 1, 2**64 - 1, info.max // 2 + 1, -1, -3, info.min]:
        if not info.min <= divisor <= info.max or divisor == 0:
            continue
        d = np.array(divisor, kind)
        with np.errstate(all="ignore"):
            q, r = x // d, x % d
        for v, a, b in zip(x.tolist(), q.tolist(), r.tolist()):
            if v // divisor > info.max:
                continue
            wrong += (a, b) != (v // divisor, v % divisor)
print("wrong", wrong)

for kind in "bhilBHIL?f":
    x = (np.arange(3 * 70 * 5) % 90).astype(kind).reshape(3, 70, 5)
    print(kind, x.sum(), x.sum(axis=1)[2].tolist(), x.sum(axis=(0, 2), keepdims=True).shape, x.sum(axis=2, dtype=np.float64)[1, :3], x.mean(axis=0)[3].tolist(),
          x[:2, :2].prod(axis=1).tolist(), np.cumsum(x, axis=1)[1, -1].tolist(), np.cumsum(x)[-1])
long = np.arange(20000, dtype=np.float32) / 7
print(long.sum(dtype=np.float64), np.cumsum(long)[[0, 31, 32, 33, 19999]].tolist(), np.cumsum(long[::2])[-1], long[::-1].sum(dtype=np.float64))
z = np.array([1 + 2j, 3 - 4j, 0, np.inf], np.complex64)
print(z ** 2, z[:3] ** 2.0, z.astype(bool), z[::2].astype(bool), z[:2].astype(np.complex128), z.real.astype(np.float64), z.any(), z[2:3].any())
for kind in "bhiq":
    x = (np.arange(3000) * 37 % 120).astype(kind)
    print(x.argmax(), x.argmin(), x[:70].argmax(), x[::3].argmax(), x.reshape(30, 100).argmax(axis=1)[:8].tolist(), x.max(), x[:65].min())
w = np.arange(3000.0) % 997
w[2500] = np.nan
print(w.argmax(), w[:2000].argmax(), np.isnan(w.max()), w[:100].min(), w.astype(np.float32)[:64].argmax())
