# SPDX-License-Identifier: Apache-2.0
# Quantiles in the type that NumPy computes them in, by kinds of shares, axes and methods.
import numpy as np
x = np.array([0.0, 0.00462963, 0.03703704, 0.125, 0.29629633, 0.5787037, 1.0], np.float32)
print(np.percentile(x, 33), np.percentile(x, [10, 33.3]), repr(np.quantile(x, np.float32(.77))), repr(np.quantile(x, np.array([.1,.77],np.float32))))
rng = np.random.default_rng(0)
for dt in ("f2","f4","f8","i4","u1"):
    a = (rng.standard_normal((7, 5, 4)) * 50 + 100).astype(dt)
    if dt == "f4":
        a[2, 3, 1] = np.nan
    for q in (0.3, 1, 0, [0.1, 0.5], np.float64(.5), np.float32(.4), np.array([.2,.9], np.float32), np.array(0.25)):
        for ax in (None, 0, -1, (0, 2)):
            for m in ("linear", "lower", "higher", "nearest", "midpoint"):
                r = np.quantile(a, q, axis=ax, method=m)
                print(dt, q, ax, m, type(r).__name__, r.dtype, r.shape, r.ravel()[:3].tolist())
        print(np.percentile(a, np.asarray(q) * 100, axis=1, keepdims=True).dtype)
