# Functions that go over their elements once, and places of the greatest and the least.
import numpy as np

rng = np.random.default_rng(3)
x = np.concatenate([rng.standard_normal(400) * s for s in (0.1, 1, 10, 60)] + [np.array([0.0, -0.0, 1, -1, 0.5, -0.5, np.inf, -np.inf, np.nan, 1e-300, 1e-40, 5e-324, 88.0, -88, 700, -700, 710, 1e300])])


def show(name, a):
    a = np.asarray(a, dtype=np.float64).ravel()
    print(name, " ".join(["%.4g" % v for v in a[:-18:41]]), " ".join(["%.4g" % v for v in a[-18:]]))


with np.errstate(all="ignore"):
    for t in (np.float32, np.float64):
        v = x.astype(t)
        for f in (np.sinh, np.cosh, np.cbrt, np.arcsin, np.signbit, np.nan_to_num):
            show(f.__name__, f(v))
        show("tan", np.tan(v[np.abs(v) < 20]))
        show("fractions", np.frexp(v)[0])
        show("exponents", np.frexp(v)[1])
        show("max", np.maximum(v, v[::-1]))
        show("fmin", np.fmin(v, v[::-1]))
        show("min", np.minimum(v[:2], np.nan))
        show("cummax", np.maximum.accumulate(v[:1600].reshape(40, -1), axis=1))
for t in ("i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f4", "f8"):
    for n in (1, 5, 31, 64, 65, 200, 1000, 8128, 8129, 20000):
        y = (rng.integers(0, 100, n) * rng.integers(0, 2, n)).astype(t)
        print(t, n, y.argmax(), y.argmin(), y[::-1].argmax(), y[::2].argmin())
        if t[0] == "f" and n > 5:
            y[n // 2] = y[n - 1] = np.nan
            print(y.argmax(), y.argmin())
for xp in ([1.0, 2, 4], np.arange(100.0) ** 1.1, [3.0], [1.0, 1, 2]):
    fp = np.sin(np.array(xp))
    print(np.interp(np.linspace(-3, 110, 57), xp, fp).round(9).tolist(), np.interp(2.5, xp, fp, left=-1, right=7), np.interp([np.nan, 0, 1, 200], xp, fp, left=-1, right=7))
a = np.arange(6).reshape(2, 3)
print(np.tile(a, 2), np.tile(a, (2, 1, 2)).shape, np.tile(a, (2, 1, 2))[1], np.tile(a, (0, 2)).shape, np.tile(5, 3), np.tile(a, (3, 2)), np.tile([1, 2], ()))
print(np.diag([1, 2, 3], 1), np.diag([1, 2], -2), np.indices((2, 3)), np.indices((2, 0)).shape, np.indices(()).shape)
print(np.insert([1, 2, 3], 1, 9), np.insert(a, 1, [7, 8], axis=1), np.insert(a, 1, 5, axis=0), np.insert([1, 2, 3], [0], [4.7]), np.insert([1, 2, 3], -1, 9))
print(np.delete([1, 2, 3], 1), np.delete(a, -1, axis=1), np.delete(a, [0], axis=0), np.delete([1, 2, 3], np.int64(-1)))
print(np.cov(a), np.cov(a, fweights=[1, 2, 3]), np.corrcoef(a * 1j + a), np.average(a, axis=0, weights=[1, 3]), np.vdot(a * 1j, a), np.vdot(a, a), np.vdot([True, False], [True, True]))
print(np.ediff1d([1, 4, 9]), np.diff(np.arange(5) ** 3, n=2))
print(np.nanmax([[1, np.nan], [3, 4]], axis=0), np.nanmin([1.0, 2]), np.nanmax([[1.0, 2]], axis=1, keepdims=True), np.nan_to_num([np.inf, np.nan, 1], nan=5, posinf=2), np.nan_to_num(np.array([1, 2])), np.nan_to_num(np.array([np.inf], np.float16)))
h = np.array([1, -2, np.nan, -0.0], np.float16)
print(abs(h), -h, np.signbit(h), np.signbit([-1, 2]), np.signbit(True), np.signbit(np.uint8(3)), np.frexp(h), np.frexp(8), np.frexp(np.float32(0.1)))
