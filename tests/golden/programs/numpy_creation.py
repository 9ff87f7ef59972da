# Making arrays: arange, linspace, logspace, full, like, from functions, buffers, iterables and text.
import numpy as np

print(np.arange(5), np.arange(1, 2, 0.25), np.arange(5, 0, -2), np.arange(3, dtype=np.float32), np.arange(0).shape, np.linspace(0, 1, 5), np.linspace(0, 1, 4, endpoint=False), np.linspace(1, 10, 4, dtype=int), np.linspace(0, 1, 3, retstep=True), np.logspace(0, 2, 3), np.geomspace(1, 8, 4))
print(np.full((2, 2), 7), np.full(2, 1.5).dtype, np.ones_like([1, 2], dtype=float), np.zeros_like(np.eye(2)), np.full_like([1, 2], 9.9), np.empty((0, 2)).shape, np.fromfunction(lambda i, j: i * 10 + j, (2, 3)), np.fromiter((i * i for i in range(4)), dtype=int), np.frombuffer(b"\x01\x02\x03\x04", dtype=np.uint8), np.frombuffer(b"\x00\x00\x80?", np.float32))
print(np.array([[1, 2], [3, 4]], order="F").flags.f_contiguous, np.array(5).ndim, np.array([[]]).shape, np.array((1, 2.0, 3)), np.array(range(3)), np.asarray([1, 2]), np.array([[1, 2], [3, 4]], ndmin=3).shape, np.array([np.float32(1), 2]).dtype, np.array([1, None], dtype=object).shape if False else "", np.ascontiguousarray(np.eye(2).T).flags.c_contiguous)
for f in (lambda: np.array([[1, 2], [3]]), lambda: np.zeros(-1), lambda: np.arange(0, 1, 0), lambda: np.linspace(0, 1, -1), lambda: np.full((2, 2), [1, 2, 3]), lambda: np.frombuffer(b"abc", np.int32)):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
a = np.arange(6).reshape(2, 3)
print(a.tolist(), a.tobytes().hex(), a.item(4), a[0, 0].item(), list(a.flat), a.flat[3], a.size, len(a), a.ndim, a.nbytes, a.strides, a.T.strides, a[:, ::2].strides, a.dtype.str, [type(x).__name__ for x in a[0]], [type(x).__name__ for x in a.tolist()[0]], a.astype(str)[0] if False else "")
print(np.mgrid[0:2, 0:3].shape, np.ogrid[0:2, 0:3][1], np.r_[1:4, 0, 5], np.c_[[1, 2], [3, 4]], np.s_[1:2, ...], np.ndindex(2, 2) is not None, list(np.ndindex(2, 2)), [(i, int(v)) for i, v in np.ndenumerate(a)][:2], np.iterable(a), np.isscalar(3), np.isscalar(np.float32(1)), np.isscalar(a))
