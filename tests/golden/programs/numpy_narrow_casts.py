# Many elements to and from the types of ml_dtypes: what lies between two of theirs, zeros, infinities, NaN.
import ml_dtypes as m
import numpy as np

rng = np.random.default_rng(5)
x = rng.standard_normal(20000) * np.ldexp(1.0, rng.integers(-30, 30, 20000))
x = np.concatenate([x, [0.0, -0.0, np.inf, -np.inf, np.nan, 448, 464, 465, 57344, 61440, 240, 248], np.arange(-512, 512) / 64.0,
                    np.arange(-512, 512) / 64.0 + 2.0**-40, np.arange(0, 2000) * 2.0**-17])
types = [m.bfloat16, np.float16, m.float8_e4m3fn, m.float8_e5m2, m.float8_e4m3b11fnuz, m.float8_e4m3fnuz, m.float8_e5m2fnuz]


def sums(a):
    codes = a.view(np.uint8).astype(np.int64)
    return int(codes.sum()), int((codes * np.arange(codes.size)).sum())


with np.errstate(all="ignore"):
    for source in (np.float64, np.float32, *types):
        a = x.astype(source)
        for kind in (*types, np.float32, np.float64):
            b = a.astype(kind)
            is_nan = np.isnan(b.astype(np.float32))
            print(np.dtype(source), np.dtype(kind), sums(np.where(is_nan, kind(0), b)), int(is_nan.sum()))
    for source in (np.int8, np.int32, np.int64, np.uint8, np.bool_):
        a = rng.integers(0, 120, 20000).astype(source)
        print(np.dtype(source), [sums(a.astype(kind))[1] for kind in types])
    for source in types:
        a = np.clip(np.nan_to_num(x), -100, 100).astype(source)
        print(np.dtype(source), [sums(a.astype(kind))[1] for kind in (np.int8, np.int32, np.int64, np.bool_)])
