# How what an index with arrays picks lies in memory.
import numpy as np
a = np.arange(12).reshape(3, 4); b = np.arange(24).reshape(2, 3, 4); z = np.arange(0).reshape(0, 3); c = np.arange(120).reshape(2, 3, 4, 5)
I = np.array([[0, 1], [1, 0]])
rng = np.random.default_rng(0)
for src in ("a", "b", "c", "a.T", "b.T", "b[:, ::-1]", "b[::-1]", "c.transpose(0, 2, 1, 3)", "c.transpose(3, 0, 2, 1)", "c[:, :, ::2]", "b.astype(np.float32)", "c.astype(np.complex128)", "np.asfortranarray(c)", "b.astype(np.int8)"):
    x = eval(src)
    for e in ["[[0,1]]", "[:, [0,1]]", "[:, I]", "[..., [0,1]]", "[..., [1]]", "[..., I]", "[None, :, [0,1]]", "[:, None, [0,1]]", "[[0,1],[1,0]]", "[[0],:]", "[:, [0], ...]", "[..., [True] + [False]*(%d)]" % (x.shape[-1] - 1), "[1:, [0,1]]", "[:, []]", "[..., 0, [0,1]]", "[0, ..., [0,1]]", "[I.T]", "[:, I.T]", "[:, [0,1], 0]" if x.ndim > 2 else "[0]", "[:, [0,1], [1,0]]" if x.ndim > 2 else "[0]", "[[0,1], :, [1,0]]" if x.ndim > 2 else "[0]", "[:, [0,1], :, [1,0]]" if x.ndim > 3 else "[0]", "[:, :, [0,1], 1:]" if x.ndim > 3 else "[0]", "[:, np.ix_([0,1],[0,1])[0], [1,0]]" if x.ndim > 2 else "[0]"]:
        r = eval("x" + e)
        print(src, e, r.shape, r.strides if r.size else "", r.flags.c_contiguous, r.flags.f_contiguous, r.base is None, r.sum(), r.flags.writeable)
        y = x.copy(); 
        try: exec("y" + e + " = 77"); exec("y" + e + " += 1"); print(y.sum(), y.tolist() == y.tolist())
        except Exception as q: print(type(q))
r = a[:, [0, 1]]; r[0, 0] = 99; print(a[0, 0], r, r.copy().strides, r.ravel(order="K"), r + 1, (r + 1).strides, np.ascontiguousarray(r).strides, r.sum(0), r @ r.T, r.reshape(-1), r.tobytes(), np.sort(r, 1), r.view(np.int64).strides, r.astype(np.float32).strides, np.concatenate([r, r]).strides, r.T.copy().strides, r.base.shape)
