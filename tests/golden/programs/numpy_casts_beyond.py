# Floats to integers that do not hold them: what is cut off, as NumPy gives it.
import warnings

import ml_dtypes as m
import numpy as np

warnings.simplefilter("ignore")
values = [-1, -3.7, 300, 3e9, -3e9, 1e10, 1e20, np.nan, np.inf, -np.inf, 2.0**31, 2.0**63, 1.5 * 2.0**63, 2.0**64, -(2.0**63), -1e30, 5e9 + 7]
for f in (np.float32, np.float64, np.float16, m.bfloat16, m.float8_e5m2, m.float8_e4m3fn, m.float8_e4m3b11fnuz):
    a = np.array(values).astype(f)
    for t in (np.int8, np.uint8, np.int16, np.uint16, np.int32, np.int64, np.uint64):
        cut = a.astype(t)
        many = [np.repeat(a, n).astype(t)[::n].tolist() == cut.tolist() for n in (20, 5000)]
        print(np.dtype(t).name, np.dtype(f).name, cut.tolist(), many)
print(np.array([-1.5, 70000, 300]).astype(np.uint32), np.float32(-3).astype(np.uint8))
# Running sums in types that are computed in a wider one are rounded at each step.
rng = np.random.default_rng(7)
for t in (np.float16, m.bfloat16):
    x = (rng.standard_normal((7, 300)) * 3).astype(t)
    for y in (np.cumsum(x), np.cumsum(x, 0), np.cumsum(x, 1), np.cumprod(x[:, :5], 1)):
        print(y.dtype, y.ravel()[-3:].tolist())
