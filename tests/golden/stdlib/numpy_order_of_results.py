# Results lie as their operands do (order K); where operands differ, rows first.
import numpy as np

a = np.arange(24).reshape(2, 3, 4)
f = np.asfortranarray(a)
swapped = a.transpose(1, 0, 2)
for name, x in [("add", f + f), ("scaled", f * 2), ("divided", f / 2), ("compared", f > 2), ("negated", -f), ("squared", f**2), ("root", np.sqrt(f)), ("absolute", np.abs(f * 1j)), ("not", np.logical_not(f)),
                ("finite", np.isfinite(f * 1.0)), ("sum", f.sum(0)), ("max", f.max(axis=1, keepdims=True)), ("mean", f.mean(0)), ("where", np.where(f > 3, f, 0)), ("clipped", f.clip(1, 5)),
                ("half", f.astype(np.float16) * np.float16(2)), ("flipped", a[::-1] + a[::-1]), ("swapped", swapped + 1), ("with a row", swapped + np.ones(4)), ("rows first", swapped + np.ones((3, 2, 4))), ("both", f + a)]:
    print(name, x.strides, x.dtype, x.ravel()[:5].tolist(), x.sum())
with np.errstate(divide="ignore"):
    print((1 / f).ravel()[:3], (f.astype(np.float32) / 0 + 1).strides)
