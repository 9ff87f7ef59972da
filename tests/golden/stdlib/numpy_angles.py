# Degrees and radians: narrow floats are computed in float32 and rounded once; deg2rad has loops for the types of ml_dtypes, radians has not.
import ml_dtypes
import numpy as np


def digest(y):
    bits = np.where(np.isnan(y.astype(np.float64)), y.dtype.type(0), y).view(np.uint8).astype(np.int64)
    return int((bits * (np.arange(bits.size) % 251 + 1)).sum())


np.seterr(all="ignore")
for name in ("float16", "bfloat16", "float8_e4m3fn", "float8_e5m2", "float32", "float64", "int8", "int16"):
    dtype = np.dtype(getattr(ml_dtypes, name, name))
    if dtype.itemsize < 3:
        x = np.arange(256 ** dtype.itemsize).astype(f"u{dtype.itemsize}").view(dtype)
    else:
        x = np.arange(-1000, 1000).astype(dtype) * dtype.type(0.37)
    for f in (np.deg2rad, np.rad2deg, np.radians, np.degrees):
        y = f(x)
        print(name, f.__name__, y.dtype, digest(y))
print(repr(np.deg2rad(np.float16(-4.29))), np.rad2deg(np.float32(2.5)), np.radians([90, 180]), np.degrees(True).dtype)
print(np.deg2rad(np.arange(4, dtype=np.float16), out=np.zeros(4, np.float32)))
for f in (np.degrees, np.rad2deg):
    try:
        f(1j)
    except TypeError as error:
        print(error)
