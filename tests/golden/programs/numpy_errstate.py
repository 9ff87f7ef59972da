# Warnings of floating point, errstate, seterr, what is raised and what is only told.
import warnings

import numpy as np


def told(f):
    with warnings.catch_warnings(record=True) as w:
        warnings.simplefilter("always")
        try:
            r = f()
        except FloatingPointError as e:
            r = f"raised {e}"
    return r, [f"{x.category.__name__}: {x.message}" for x in w]


a, z = np.array([1.0, -1.0, 0.0]), np.zeros(3)
print(told(lambda: a / z), told(lambda: np.log(a)), told(lambda: np.sqrt(a)), told(lambda: np.array([1, 2]) // 0), told(lambda: np.float32(1e38) * np.float32(10)), told(lambda: np.exp(np.array([1000.0]))), told(lambda: np.mean([])), told(lambda: np.float64(1) / 0), sep="\n")
with np.errstate(divide="raise", invalid="ignore"):
    print(told(lambda: a / z), told(lambda: np.sqrt(a)))
with np.errstate(all="ignore"):
    print(told(lambda: a / z), np.geterr())
old = np.seterr(over="raise")
print(old["over"], told(lambda: np.float64(1e308) * 10), np.seterr(**old)["over"])
print(told(lambda: np.array([np.nan]).astype(int).shape), told(lambda: np.int8(127) + np.int8(1)), told(lambda: np.array([127], np.int8) + np.int8(1)), told(lambda: np.nanmean([np.nan])), told(lambda: np.std([1.0], ddof=1)), told(lambda: np.arctanh(2.0)), told(lambda: np.maximum(np.nan, 1)), told(lambda: np.power(0.0, -1)), sep="\n")
