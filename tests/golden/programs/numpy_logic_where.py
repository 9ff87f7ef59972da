# Masks: where, any, all, logic, isclose, nonzero, masks in assignment, count, select by conditions.
import numpy as np
a = np.array([[1, -2, 0], [4, 5, -6]])
m = a > 0
print(m, ~m, m & (a < 5), m | (a == 0), m ^ True, m.sum(), m.any(0), m.all(axis=1), np.where(m, a, 0), np.where(m), np.where(a > 0, a, -a).tolist(), np.logical_and(m, a % 2), np.count_nonzero(m, axis=1), a[m].tolist(), np.argwhere(~m).tolist(), np.flatnonzero(m), (a != 0).mean())
a[a < 0] = 9; a[~m] += 1; print(a)
np.copyto(a, 0, where=a > 9); print(a, np.isin(a, [1, 5]), np.array_equal(a, a.copy()), np.all([]), np.any([]), np.logical_xor.reduce([1, 1, 1]), np.clip(a, 2, 4), np.maximum(a, 3), np.sign([-2, 0, 3]), np.nan_to_num([np.nan, 1]))
x = np.array([1.0, np.nan, np.inf])
print(np.isnan(x), np.isfinite(x), x[~np.isnan(x)], np.nanmax(x), x == x, np.isclose([1, 1.1], 1, atol=0.2), np.isposinf(x), np.where(np.isnan(x), 0, x), bool(np.array([1])), (x > 0).tolist(), np.isreal([1, 1j]), np.iscomplexobj(x))
for f in (lambda: bool(a), lambda: a if a else 0, lambda: not x, lambda: a and 1, lambda: a[np.array([True, False, True])], lambda: np.where(m, a)):
    try: print(f())
    except Exception as e: print(type(e).__name__, e)
