import numpy as np
for t in (np.float16, np.float32, np.float64):
    for a in (0., -0., 1, -1, 65504, -65504, 6e-8, 2, np.inf, -np.inf, np.nan, 1024.):
        print(t.__name__, a, [repr(np.nextafter(t(a), t(b))) for b in (0, -0., 1, 2, -9, np.inf, np.nan)])
print(np.nextafter([1, 2.], 0), np.nextafter(np.float16([1, 2]), np.float32(3)), np.spacing([1, 2]), np.spacing(np.float32([1e-40, 3e38, 5])))
with np.errstate(all="raise"):
    for v in (np.inf, np.nan, 1., 1e308*1.7):
        try: print(np.spacing(v))
        except FloatingPointError as e: print(e)
