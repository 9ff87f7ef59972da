# SPDX-License-Identifier: Apache-2.0
# Rows of the same operations over element types, sizes, axes and strides.
import numpy as np
from timing import report

rng = np.random.default_rng(23)
COUNTS = (("small", 10), ("1k", 1000), ("1M", 1 << 20))
TYPES = ("f4", "f8", "i4", "i8", "u1", "?", "c8", "f2")


def numbers(dtype, count):
    x = rng.integers(0, 100, count) if np.dtype(dtype).kind in "iub" else rng.standard_normal(count)
    return (x > 50 if dtype == "?" else x + 1j * x[::-1] if dtype == "c8" else x).astype(dtype)


ROWS = []
for size, count in COUNTS:
    for kind in TYPES:
        x, y = numbers(kind, count), numbers(kind, count)
        ROWS += [(f"{size} add {kind}", lambda x=x, y=y: x + y), (f"{size} sum {kind}", lambda x=x: x.sum())]
        if kind not in ("c8", "?"):
            ROWS += [(f"{size} sort {kind}", lambda x=x: np.sort(x)), (f"{size} less {kind}", lambda x=x, y=y: x < y),
                     (f"{size} max {kind}", lambda x=x: x.max())]
        if kind in ("f4", "f8"):
            ROWS += [(f"{size} argsort {kind}", lambda x=x: np.argsort(x)), (f"{size} cumsum {kind}", lambda x=x: np.cumsum(x)),
                     (f"{size} unique {kind}", lambda x=x: np.unique(x)), (f"{size} exp {kind}", lambda x=x: np.exp(x)),
                     (f"{size} where {kind}", lambda x=x, y=y: np.where(x > 0, x, y)),
                     (f"{size} allclose {kind}", lambda x=x: np.testing.assert_allclose(x, x, rtol=1e-5))]
grid = rng.standard_normal((64, 128, 128)).astype(np.float32)
square = rng.standard_normal((1000, 1000))
for axis in (0, 1, 2):
    ROWS += [(f"sum of axis {axis}", lambda axis=axis: grid.sum(axis=axis)), (f"mean of axis {axis}", lambda axis=axis: grid.mean(axis=axis)),
             (f"max of axis {axis}", lambda axis=axis: grid.max(axis=axis)), (f"cumsum of axis {axis}", lambda axis=axis: grid.cumsum(axis=axis)),
             (f"sort of axis {axis}", lambda axis=axis: np.sort(grid, axis=axis)), (f"std of axis {axis}", lambda axis=axis: grid.std(axis=axis))]
ROWS += [
    ("add of a transpose", lambda: square + square.T),
    ("add of rows backwards", lambda: square[::-1] + square),
    ("sum of every second", lambda: square[:, ::2].sum()),
    ("sum of a transpose", lambda: square.T.sum(axis=0)),
    ("copy of a part", lambda: square[100:900, 100:900].copy()),
    ("take of columns", lambda: square[:, [1, 5, 900]]),
    ("mask of rows", lambda: square[square[:, 0] > 0]),
    ("einsum of rows", lambda: np.einsum("ij,ij->i", square, square)),
    ("einsum of an outer product", lambda: np.einsum("i,j->ij", square[0], square[1])),
    ("poisson", lambda: np.random.default_rng(1).poisson(4.0, 100000)),
    ("gamma", lambda: np.random.default_rng(1).gamma(2.0, 1.0, 100000)),
    ("binomial", lambda: np.random.default_rng(1).binomial(20, 0.3, 100000)),
    ("Philox", lambda: np.random.Generator(np.random.Philox(1)).random(1 << 18)),
]

report(ROWS)
