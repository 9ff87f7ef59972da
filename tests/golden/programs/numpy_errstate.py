# Warnings of floating point, errstate, seterr, what is raised and what is only reported.
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

heard = []
with np.errstate(all="call", call=lambda kind, flag: heard.append((kind, flag))):
    z / z, np.exp(np.array([800.0])), np.array([1]) % 0, np.float32(1e-30) * np.float32(1e-30)
print(heard, np.geterrcall())


@np.errstate(divide="raise")
def guarded(x):
    return 1 / x


print(told(lambda: guarded(z)), told(lambda: 1 / z), told(lambda: guarded(a[:2])))
x = np.array([0.0, 4.0])
print(told(lambda: np.log(x, out=x)), x, told(lambda: np.sum(np.array([1e308, 1e308]))), told(lambda: np.int64(2**62) * np.int64(4)), told(lambda: np.int32(7) // np.int32(0)), told(lambda: np.interp(0.5, [0, 1, 1], [0, 1, 2])), told(lambda: np.exp(-np.inf)), told(lambda: np.array([np.inf]) - np.inf), sep="\n")
