# Quotients rounded down: large ones, signs, zeros, infinities, in both widths.
import numpy as np

rng = np.random.default_rng(5)
for dtype in (np.float64, np.float32):
    x = np.concatenate([rng.normal(size=400) * 10.0 ** rng.integers(-3, 16, 400), [9007199254740992.0, 5, -5, 0.0, -0.0, np.inf, 1, -1, 7.5]]).astype(dtype)
    for y in (1.5, -1.5, 0.1, 3, np.inf, -np.inf, 1e-3):
        with np.errstate(all="ignore"):
            q, r = x // dtype(y), x % dtype(y)
        fit = np.isfinite(q) & np.isfinite(r)
        print(dtype.__name__, y, (q[fit].astype(np.float64) % 1013).sum(), np.signbit(q).sum(), np.isnan(q).sum(), r[fit].astype(np.float64).sum().round(2))
print(np.float64(9007199254740992.0) // 1.5, np.float32(16777216) // np.float32(0.3), -7.5 // np.float64(2), np.float64(-5) // np.inf)
