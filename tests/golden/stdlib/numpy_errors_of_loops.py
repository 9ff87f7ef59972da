# Errors of floating point in sums, running sums, products and casts, in every type.
import warnings

import numpy as np


def show(name, f):
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        f()
    print(name, [f"{w.category.__name__}: {w.message}" for w in told])


for kind in (np.float16, np.float32, np.float64, np.complex128):
    name, most = np.dtype(kind).name, np.finfo(kind).max
    for which, a in (("most", np.array([most, most, 1], kind)), ("infinite", np.array([np.inf, -np.inf, 1], kind))):
        for f in (np.sum, np.prod, np.cumsum, np.cumprod, np.add.accumulate):
            show(f"{name} {which} {f.__name__}", lambda: f(a))
        show(f"{name} {which} rows", lambda: np.stack([a, a]).sum(axis=0))
        show(f"{name} {which} dot", lambda: np.dot(a, a))
        show(f"{name} {which} vdot", lambda: np.vdot(a, a))
        show(f"{name} {which} matmul", lambda: a @ a)
        show(f"{name} {which} square", lambda: np.square(a))
        show(f"{name} {which} mul", lambda: a * a)
        show(f"{name} {which} sub", lambda: a - a)
        for to in (np.int8, np.int64, np.uint64, np.float16, np.complex64, bool):
            out = np.zeros(a.shape, to)
            show(f"{name} {which} as {np.dtype(to)}", lambda: a.astype(to))
            show(f"{name} {which} into {np.dtype(to)}", lambda: out.__setitem__(..., a))
    show(f"{name} modf", lambda: None if kind is np.complex128 else np.modf(a))
