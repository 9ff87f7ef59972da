# Reductions along axes, with keepdims, where, initial, dtype, empty arrays, NaN.
import numpy as np

a = np.array([[3, 1, 2], [9, -4, 5]], np.int32)
f = np.array([[1.5, np.nan, 2.0], [0.0, -1.0, 4.5]])
for name in ("sum", "prod", "max", "min", "mean", "std", "var", "argmax", "argmin", "all", "any", "cumsum", "cumprod"):
    op = getattr(np, name)
    print(name, op(a), op(a, axis=0), op(a, axis=-1), repr(op(a, 1))[:60], op(f, axis=0))
print(a.sum(axis=(0, 1)), a.sum(keepdims=True), a.sum(1, dtype=np.float32), a.max(initial=100), a.sum(where=a > 0), a.mean(axis=1, keepdims=True).shape, a.sum().dtype, a.astype(np.int8).sum().dtype, f.astype(np.float32).mean().dtype)
print(np.nansum(f, axis=0), np.nanmax(f), np.nanmean(f, axis=1), np.nanargmin(f), np.nanstd(f).round(6), np.nanmedian(f), np.nanprod(f, 0), np.nancumsum(f, axis=1), np.nanpercentile(f, 50))
print(np.ptp(a), np.ptp(a, axis=0), np.median(a), np.median(a, axis=1), np.percentile(a, [0, 25, 50, 100]), np.quantile(a, 0.3, axis=0), np.average(a, weights=[1, 3], axis=0), np.count_nonzero(a > 2, axis=0))
e = np.zeros((0, 3))
print(e.sum(), e.sum(axis=0), e.prod(), e.any(), e.all(), e.sum(axis=1).shape)
for g in (lambda: e.max(), lambda: e.argmax(axis=0), lambda: a.sum(axis=2), lambda: a.sum(axis=(0, 0)), lambda: np.max([]), lambda: np.nanargmax([np.nan])):
    try:
        print(g())
    except Exception as x:
        print(type(x).__name__, x)
print(np.logical_and.reduce([True, False]), np.maximum.reduce(a, axis=1), np.add.accumulate([1, 2, 3]), np.add.reduceat(np.arange(8), [0, 4, 1, 5]), np.bitwise_or.reduce([1, 2, 4]), np.minimum.accumulate([3, 1, 2]), np.subtract.reduce([10, 1, 2]))
print(np.diff(a), np.diff([1, 4, 9, 16], n=2), np.ediff1d([1, 3, 7]), np.gradient([1.0, 4, 9, 16]), np.trapezoid([1, 2, 3]), np.cumsum(a, axis=None), np.cov([1, 2, 3], [1, 2, 4]), np.corrcoef([1, 2, 3], [1, 2, 4]).round(4))
