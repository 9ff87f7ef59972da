# The next number and the distance to it, of types of ml_dtypes.
import numpy as np, ml_dtypes as ml
inf = np.inf
for t in (ml.bfloat16, ml.float8_e4m3fn, ml.float8_e5m2, ml.float8_e3m4, ml.float8_e4m3):
    x = np.array([1, -2.5, 0.1, 0, -0., 12, np.nan, inf, -15.5], t)
    print(t.__name__, np.spacing(x).astype(float).tolist(), np.spacing(x).dtype, float(np.spacing(t(3))))
    for to in (0, 20, -20, np.nan):
        print(np.nextafter(x, np.array(to, t)).astype(float).tolist())
print(np.nextafter(np.array([0., -0., 1, 60000], np.float16), np.array([-0., 0., 2, inf], np.float16)))
