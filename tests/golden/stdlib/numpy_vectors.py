# SPDX-License-Identifier: Apache-2.0
# Loops that have a way of their own for many elements at once: quotients, bounds, draws, sums at places, functions of floats.
import numpy as np

rng = np.random.default_rng(5)

for dtype in (np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32):
    info = np.iinfo(dtype)
    edges = [info.min, info.min + 1, 0, 1, 2, 3, 6, 7, 8, 13, info.max // 2, info.max - 1, info.max] + ([-1, -2, -7, -13] if info.min else [])
    x = np.array(edges * 9, dtype)
    wrong = 0
    with np.errstate(all="ignore"):
        for y in edges:
            quotient, rest = x // dtype(y), x % dtype(y)
            by_array = x // np.full(x.shape, y, dtype), x % np.full(x.shape, y, dtype)
            strided = x[::2] // np.full(x.shape, y, dtype)[::2]
            for i, v in enumerate(x.tolist()):
                q, r = (v // y, v % y) if y else (0, 0)
                q = (q - info.min) % (info.max - info.min + 1) + info.min
                wrong += [quotient[i].item(), rest[i].item()] != [q, r] or [by_array[0][i].item(), by_array[1][i].item()] != [q, r]
                wrong += i % 2 == 0 and strided[i // 2].item() != q
    print(dtype.__name__, wrong)

# ---- bounds ----
for dtype in (np.float32, np.float64, np.int8, np.uint16, np.int64):
    x = np.array([-5, -1, 0, 1, 2, 9, 100] * 5).astype(dtype)
    print(np.clip(x, 1, 5)[:7], np.clip(x[::2], x[1], x[5])[:5], np.clip(x, x[::-1], 7)[:7].tolist(), x.clip(0, 3).sum(), np.clip(x, 5, 1)[:3])
f = np.array([np.nan, -np.inf, np.inf, -0.0, 0.0, 3.5] * 8, np.float32)
print(np.clip(f, -1, 1)[:6], np.clip(f, np.nan, 1)[:6], np.clip(f, -1, np.float32(np.nan))[:6], np.clip(f, 1, None)[:6], np.clip(f, None, 2)[:6])
print(np.clip(f, np.float64(-1), 1).dtype, np.clip(np.int8(100), 0, 50), np.clip(5, 0, 3), np.clip([1, 2, 3], 2, 2), np.clip(np.arange(3), 0.5, 1.5))
print(np.clip(np.ones((2, 3)), [[0.5], [2]], [3, 3, 0.25]))

# ---- what is close ----
a = np.array([1, 1 + 1e-6, np.nan, np.inf, -np.inf, 0, 1e-9, 1e30] * 20)
b = np.array([1, 1, np.nan, np.inf, np.inf, 1e-9, 0, 1.00001e30] * 20)
for t in (np.float32, np.float64, np.float16):
    with np.errstate(all="ignore"):
        print(np.isclose(a.astype(t), b.astype(t))[:8], np.isclose(a.astype(t), b.astype(t), equal_nan=True).sum(), np.isclose(a[::2].astype(t), 1, rtol=0, atol=0)[:4])
print(np.isclose([1, 2], [1, 3]), np.isclose(1, 1.0000001), np.isclose([1 + 1j], [1 + 1e-9 + 1j]), np.isclose([1.0, 2.0], [1.1, 2.1], atol=[0.2, 0.0]))
print(np.allclose(np.float32(1e10), np.float32(1.00001e10)), np.allclose([], []), np.isclose(np.arange(3), np.arange(3)[:, None]).tolist())

# ---- sums at places ----
for dtype in (np.float32, np.float64, np.int32, np.uint8, np.complex64):
    x = np.zeros(5, dtype)
    np.add.at(x, np.array([0, 1, 1, -1, 4, 4, 4]), np.arange(7).astype(dtype))
    np.multiply.at(x, [1, 1], dtype(2))
    np.maximum.at(x, np.array([2, 3]), 9)
    y = np.zeros((3, 4), dtype)
    np.add.at(y, (np.array([0, 0, 2]), np.array([1, 1, 3])), 1)
    np.add.at(y.T, (np.array([0, 0]), np.array([1, 1])), 2)
    np.subtract.at(y, np.array([1, 1]), np.arange(4).astype(dtype)) if dtype is not np.uint8 else None
    print(x.tolist(), y.tolist())
z = np.arange(6)
np.negative.at(z, [1, 1, 3])
np.add.at(z[::2], np.array([0, 0, 2]), 10)
print(z)
for index in ([7], [-7]):
    try:
        np.add.at(np.zeros(6), np.array(index), 1)
    except IndexError as e:
        print(e)

# ---- draws ----
print(rng.random(5), rng.integers(0, 1000, 7), rng.integers(0, 1000, 4, dtype=np.int32), rng.standard_normal(3), rng.integers(-5, 2**40, 3), rng.random(3, dtype=np.float32))
n = rng.standard_normal(200000)
i = rng.integers(3, 3000000000, 100001)
k = rng.integers(0, 7, 5001, dtype=np.uint32)
print(n.sum().round(6), (n > 3.7).sum(), i.sum(), k.sum(), rng.integers(0, 10), rng.random(100000).sum().round(6), rng.normal(2, 3, 100000).sum().round(6))

# ---- functions: special values, and rounded where libraries differ in the last digit ----
x = np.array([0.0, -0.0, 1.0, -1.0, 0.5, np.inf, -np.inf, np.nan, 1e-310, 700.0, -745.0, -746.0, 710.0, 88.7, -103.9, 1e5, 1e9, 1e300] * 3)
for t in (np.float32, np.float64):
    with np.errstate(all="ignore"):
        v = x.astype(t)
        for f in (np.exp, np.log, np.tanh, np.sin, np.cos):
            y = f(v)[:18]
            print(f.__name__, ["%.5g" % e for e in y.tolist()], np.signbit(y[np.isfinite(y)]).sum())

# ---- products, places of the greatest ----
for m, k, n in ((1, 1, 1), (3, 5, 7), (8, 300, 33), (17, 64, 1), (1, 50, 40), (65, 257, 31)):
    for t in (np.float32, np.float64):
        a, b = (np.arange(m * k) % 7 - 3).reshape(m, k).astype(t), (np.arange(k * n) % 5 - 2).reshape(k, n).astype(t)
        print((a @ b).sum(), (a @ b)[-1, -1], (b.T @ a.T).sum(), end=" ")
print()
g = (np.arange(3000) * 37 % 1009).astype(np.float32).reshape(3, 1000)
print(g.argmax(1), g.argmin(1), g.argmax(0)[:5], g.max(1), g.min())
g[1, 700] = np.nan
print(g.argmax(1), g.argmin(1), g.max(1), g.argmax(), np.pad(g[:2, :2], ((1, 0), (2, 1)), constant_values=((1, 2), (3, 4))), np.roll(g[:, :3], (1, 2), (0, 1))[0], np.roll([1, 2, 3], 7))
print(np.sort(g[1])[-2:], np.sort([[3, 1], [2, 5]], axis=None), np.arange(2.0), np.arange(1, 7, 2), np.arange(np.int8(3)).dtype)
