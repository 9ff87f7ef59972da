# Reductions of floats that go to a wider place are made in its type; means that are given say the type of a variance.
import ml_dtypes as ml
import numpy as np

h = np.array([1, 60000, 0.1, -2], np.float16)
f = np.array([[3, 1, 2], [9, -7, 8]], np.float32)
bf = np.array([1, 2.5, -3, 0.1], ml.bfloat16)
i4 = np.array([1, -3, 7], ml.int4)
t = np.arange(6).reshape(2, 3)
CASES = """
np.sum(h, out=np.zeros(()))
np.sum(h, out=np.zeros((), np.float32), initial=3)
np.sum(h, out=np.zeros(()), where=h > 0)
np.sum(h, dtype=np.float16, out=np.zeros(()))
np.sum(f, axis=1, out=np.zeros(2, np.float16))
np.sum(bf, out=np.zeros((), np.float32))
np.prod(h, out=np.zeros(()))
np.cumsum(h, out=np.zeros(4))
np.cumprod(h, out=np.zeros(4))
h.sum(out=np.zeros(()))
h.cumsum(out=np.zeros(4))
h.cumprod(out=np.zeros(4, np.float16))
np.mean(h, out=np.zeros(()))
np.mean(h, out=np.zeros((), np.float32))
np.mean(f, out=np.zeros(()))
np.nansum(h, out=np.zeros(()))
np.add.reduce(h, out=np.zeros(()))
np.add.accumulate(h, out=np.zeros(4))
np.maximum.reduce(h, out=np.zeros(()))
np.var(h, mean=np.array(1.))
np.var(f, mean=1.)
np.var(f, mean=np.float64(1.))
np.std(f, mean=np.zeros((2, 1)), axis=1, keepdims=True)
np.nanvar(i4), np.nanstd(i4)
np.roll(t, 1, axis=())
np.roll(np.array(5), 1, axis=())
np.roll(t, (1, 2), axis=())
"""
for case in CASES.strip().split("\n"):
    try:
        print(case, "->", repr(eval(case)))
    except Exception as error:
        print(case, "->", type(error).__name__, error)
