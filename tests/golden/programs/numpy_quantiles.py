# Quantiles: shares of any rank, axes of any number, types, and the same without NaNs.
import warnings

import numpy as np

warnings.simplefilter("ignore")


def show(label, f):
    try:
        r = f()
        print(label, r.dtype, r.shape, r.tolist())
    except Exception as e:
        print(label, type(e).__name__, e)


a = np.arange(12.0).reshape(3, 4)
shares = [[0.25, 0.5], [0.75, 1.0]]
for axis in (0, 1, None, -1, (0, 1), (1,), (1, 0)):
    for keepdims in (False, True):
        show((axis, keepdims), lambda: np.quantile(a, shares, axis=axis, keepdims=keepdims))
        show((axis, keepdims), lambda: np.percentile(a, [[25, 50]], axis=axis, keepdims=keepdims))
        show((axis, keepdims), lambda: np.nanquantile(a, shares, axis=axis, keepdims=keepdims))

b = np.arange(24.0).reshape(2, 3, 4)
for f in (np.quantile, np.nanquantile):
    for axis in ((0, 2), (2, 0), (-1, 0), ()):
        for share in (0.5, [0.5], np.zeros(0), [[[0.5]]]):
            show((axis, np.shape(share)), lambda: f(b, share, axis=axis))
    show("out of bounds", lambda: f(b, 0.5, axis=(5, 0)))
    show("share", lambda: f(b, 1.5))
    show("complex", lambda: f(np.array([1j]), 0.5))
    show("empty", lambda: f(np.zeros((0, 3)), 0.5, axis=0))
    show("empty", lambda: f(np.zeros((0, 3)), [0.5, 0.2], axis=1))

holes = b.copy()
holes[0, 0, 0] = holes[:, 1, 1] = holes[0, 2] = np.nan
for dtype in ("f8", "f4"):
    x = holes.astype(dtype)
    for axis in (None, 0, 1, -1, (0, 1), (0, 2), (0, 1, 2)):
        show((dtype, axis), lambda: np.nanmedian(x, axis=axis))
        show((dtype, axis), lambda: np.nanmedian(x, axis=axis, keepdims=True))
        show((dtype, axis), lambda: np.nanquantile(x, [0.25, 0.5], axis=axis))
        show((dtype, axis), lambda: np.nanpercentile(x, 25, axis=axis, method="lower", keepdims=True))
        show((dtype, axis), lambda: np.median(x, axis=axis, keepdims=True))
for dtype in ("i4", "u1", "f4", "f2"):
    show(dtype, lambda: np.nanmedian(np.arange(6).astype(dtype).reshape(2, 3), axis=(0, 1)))
    show(dtype, lambda: np.nanpercentile(np.arange(6).astype(dtype), 35))
    show(dtype, lambda: np.nanquantile(np.arange(6).astype(dtype), 0.5, method="lower"))
show("percent", lambda: np.nanpercentile(b, -1))
show("none", lambda: np.nanmedian(np.array([np.nan, np.nan], "f4")))
show("one row", lambda: np.nanmedian(np.array([[np.nan, np.nan], [1, 2]], "f4"), axis=1))
show("scalar", lambda: np.nanmedian(3.0))
out = np.zeros(4)
print(np.nanmedian(holes, axis=(0, 1), out=out) is out, out)

with warnings.catch_warnings(record=True) as told:
    warnings.simplefilter("always")
    np.nanquantile([np.nan], 0.5)
print([(w.category.__name__, str(w.message)) for w in told])
