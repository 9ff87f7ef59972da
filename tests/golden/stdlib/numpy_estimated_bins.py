# Bins that are estimated; functions of elements that are asked for in part tell only their errors; rows permuted.
import numpy as np
for n in (1, 5, 40, 1000):
    for kind in range(4):
        rng = np.random.default_rng(n + kind)
        a = [rng.standard_normal(n), rng.integers(0, 9, n), rng.exponential(3, n).astype(np.float32), np.round(rng.random(n), 1)][kind]
        for e in ("auto", "fd", "doane", "rice", "scott", "sqrt", "sturges", "stone"):
            try:
                h, b = np.histogram(a, bins=e)
                print(n, kind, e, len(h), h.sum(), b[0], b[-1], b.dtype)
            except Exception as x:
                print(n, kind, e, type(x).__name__, x)
        print(np.histogram(a, "fd", range=(0, 1))[0], np.histogram_bin_edges(a, "auto").size)
for bad in (lambda: np.histogram([1], "x"), lambda: np.histogram([1, 2], "fd", weights=[1, 2]), lambda: np.histogram([], "fd")):
    try: print(bad())
    except Exception as x: print(type(x).__name__, x)
x = np.array([1.0, 0, 4]); y = np.array([0.0, 0, 2])
np.seterr(all="raise")
print(np.divide(x, y, where=y > 0, out=np.zeros(3)), np.log(x, where=x > 0, out=np.full(3, 9.0)), np.divide(1, y, where=[False, False, True], out=np.zeros(3)), np.floor_divide(np.array([1, 2]), np.array([0, 1]), where=[False, True], out=np.array([7, 7])))
for bad in (lambda: np.divide(x, y, where=[True, False, True]), lambda: np.sqrt(-x, where=[False, True, True], out=x.copy())):
    try: print(bad())
    except FloatingPointError as e: print(e)
rng = np.random.default_rng(4)
a = np.arange(12).reshape(3, 4)
print(rng.permuted(a, axis=1), rng.permuted(a, axis=0), rng.permuted(a), rng.permuted(a, axis=-1, out=a) is a, a, rng.integers(0, 100))
