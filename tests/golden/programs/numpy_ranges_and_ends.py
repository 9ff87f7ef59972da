# What arange makes of steps that its type rounds, and less used arguments of other functions.
import ml_dtypes as ml
import numpy as np

a = np.arange(12.).reshape(3, 4)
bf = np.array([1, 2.5, -3, 0.1], ml.bfloat16)
i4 = np.array([1, -3, 7], ml.int4)
n = np.array([1., np.nan, -np.inf, -0., np.inf, 2.])
CASES = """
np.arange(0, 100, .1, dtype=np.float32).view(np.uint32).sum()
np.arange(.3, 100, .7, dtype=np.float16).view(np.uint16).sum()
np.arange(.3, 100, .7, dtype=ml.bfloat16).view(np.uint16).sum()
np.arange(.3, 1, .1, dtype=ml.float8_e4m3fn)
np.arange(.3, 9, .7, dtype=int)
np.arange(.3, 20, 1.7, dtype=np.int8)
np.arange(5, 0, -.3, dtype=np.float32).view(np.uint32).sum()
np.arange(0, 100, .1, dtype=np.complex64).view(np.uint32).sum()
np.arange(.1, 1000, .7).sum()
np.arange(2049, 2060, dtype=np.float16)
np.arange(0, np.inf, np.inf)
np.linspace(0, np.inf, 3)
np.linspace(-np.inf, 0, 3)
np.linspace(0, np.nan, 3)
np.var(bf, correction=0.5)
np.std(bf, ddof=1.5)
np.var(i4, correction=0.5)
np.linalg.norm(bf), np.linalg.norm(i4, -2)
np.linalg.cond([[1, 0], [0, 0]])
np.linalg.cond(np.zeros((2, 2)))
np.linalg.cond([[np.nan, 1], [1, 2]])
np.gradient(i4)
np.gradient(bf)
np.trim_zeros(np.array([[0, 0], [0, 1]]))
np.trim_zeros(np.zeros((2, 2)))
np.trim_zeros([0, 1, 0], 'F')
np.trim_zeros(np.array([[0, 0], [0, 1]]), axis=1)
np.trim_zeros([0, 1], 'q')
np.shares_memory(a[::2], a[1::2])
np.shares_memory(a[:, ::2], a)
np.isposinf(n)
np.isneginf(n, np.zeros(6, bool))
np.isneginf(1j)
np.iinfo(3).max
np.outer([1, 2], [3, 4], out=np.zeros((2, 2)))
np.sum(a, axis=True)
np.max(a, axis=1.5)
np.cumsum(a, axis=1.5)
np.flip(a, axis=False)
np.nanargmax([])
np.searchsorted([1, 2, 3], 2, sorter=[0, 1])
np.place(a, a > 1, [])
np.putmask(a, [True], 1)
np.array_split([1, 2], 0)
np.matrix_transpose([1, 2])
np.triu_indices_from(np.arange(3))
np.lexsort(())
np.cov([1, 2], ddof=1.5)
np.result_type()
np.round(2.5, 1.5)
np.broadcast_to(1, -1)
np.broadcast_to([1, 2], (2, 2), subok=True)
np.broadcast_to(3, np.array([1, 2]))
np.vstack(x for x in [[1], [2]])
np.hstack(map(list, [[1], [2]]))
np.std(np.arange(3.), where=False)
np.var(np.arange(3.), ddof=4)
np.std(np.array([1e300, 5]))
np.sum(x for x in [1, 2])
np.array([1], subok=True)
np.NaN
np.float_
"""
for case in CASES.strip().split("\n"):
    try:
        with np.errstate(all="ignore"):
            print(case, "->", repr(eval(case)))
    except Exception as error:
        print(case, "->", type(error).__name__, error)
import warnings

for case in ("np.std(np.array([1e300, 5]))", "np.std(a, where=False)", "np.var(a, ddof=12)", "np.std(np.float16([300, 1]))"):
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        print(case, eval(case), [str(w.message) for w in found])
