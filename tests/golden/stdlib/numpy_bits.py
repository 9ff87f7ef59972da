# Bits packed and unpacked, bytes turned around, signs, roots of three, joins and picks of plain arrays.
import numpy as np

rng = np.random.default_rng(1)
x = rng.integers(0, 2, (3, 21)).astype(np.uint8)
for order in ("big", "little"):
    print(np.packbits(x, bitorder=order), np.packbits(x, axis=1, bitorder=order).tolist(), np.packbits(x, axis=0, bitorder=order)[0, :5])
    p = np.packbits(x, axis=1, bitorder=order)
    print(np.array_equal(np.unpackbits(p, axis=1, count=21, bitorder=order), x), np.unpackbits(p, bitorder=order)[:12], np.unpackbits(p[:, :1], axis=0, bitorder=order)[:3].tolist())
for kind in ("i1", "u2", "i2", "u4", "i4", "f4", "i8", "f8", "c8", "c16"):
    y = np.array([[1, 2, 3], [100, 5, 120]]).astype(kind)
    s = y.byteswap()
    z = y.T.copy()
    z.byteswap(inplace=True)
    print(kind, s.view(np.uint8)[0].tolist(), np.array_equal(s.byteswap(), y), np.array_equal(z, s.T), s.dtype, s.shape)
v = np.array([-0.0, 0.0, -1.5, 2.5, np.inf, -np.inf, np.nan, -np.nan])
print(np.signbit(v), np.signbit(v.astype(np.float16)), np.signbit(-3), np.signbit(v[::2].astype(np.float32)))
c = np.array([0.0, -0.0, 8, -27, 1e300, 1e-300, 5e-324, -1e-310, np.inf, -np.inf, np.nan, 1.0, 2.0])
r = np.cbrt(c)
print(r[[0, 1, 2, 3, 8, 9, 10, 11]], np.abs(r[[4, 5, 12]] ** 3 / c[[4, 5, 12]] - 1).max() < 4e-15, abs(r[6] / 1.7031839360032603e-108 - 1) < 1e-15, np.cbrt(np.float32([8, -1000])))
w = rng.standard_normal(2000) * 10.0 ** rng.integers(-300, 300, 2000)
print(np.abs(np.cbrt(w) ** 3 / w - 1).max() < 4e-15, (np.cbrt(np.arange(50.0) ** 3) - np.arange(50)).max() < 1e-13)
a, b = np.arange(4), np.arange(4.0) + 0.5
print(np.concatenate([a, b]), np.concatenate((a, [7])), np.concatenate([a.reshape(2, 2), a.reshape(2, 2)], 1).tolist(), np.concatenate([a, a], axis=None), np.hstack([a, b]), np.hstack([a[:, None], b[:, None]]).shape,
      np.vstack([a, b]).tolist(), np.vstack([a, a.reshape(2, 2)[:, :].repeat(2, 1)]).shape, np.hstack([1, 2]), np.vstack([1, 2]).shape, np.append(a, 3.5), np.atleast_1d(a) is a, np.atleast_2d(a).shape)
print(a.take([1, 2]), a.take([]), a.take(2), np.take([[1, 2], [3, 4]], [3, 0]), np.take(a.reshape(2, 2), [[0, 1], [2, 3]]).shape, np.take(a, -1), np.flip(a), np.transpose(a.reshape(2, 2), (1, 0)).tolist(), np.transpose([[1, 2]]).shape)
try:
    a.take([9])
except IndexError as e:
    print(e)
