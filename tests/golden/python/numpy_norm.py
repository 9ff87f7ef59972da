import numpy as np
import numpy.linalg as LA
from numpy.linalg import norm as the_norm

assert LA.norm is the_norm is np.linalg.norm
norm = np.linalg.norm
def told(f, *a, **k):
    try:
        r = np.asarray(f(*a, **k))
        return r.dtype, r.shape, [round(float(v), 5) for v in r.ravel()]
    except Exception as e: return f"{type(e).__name__}: {e}"
v = np.array([3.0, -4.0, 0.0, 1.5])
m = np.array([[1.0, -2.0, 3.5], [4.0, 0.5, -6.0]])
t = np.arange(24.0).reshape(2, 3, 4) - 7
inf = np.inf
for o in (None, 2, 1, 0, -1, -2, inf, -inf, 3, 0.5, -1.5, "fro", "nuc", "q"):
    print(o, told(norm, v, o), told(norm, m, o), told(norm, m, o, axis=1), told(norm, t, o, axis=(0, 2)), told(norm, t, o))
    print(o, told(norm, v, o, keepdims=True), told(norm, m, o, keepdims=True), told(norm, t, o, axis=(2, 1), keepdims=True), told(norm, t, o, axis=-1, keepdims=True))
print(told(norm, [1, 2, 2]), told(norm, 5), told(norm, -5.0), told(norm, v.astype(np.float32)), told(norm, v.astype(np.float16), 1), told(norm, np.array([True, True])), told(norm, v.astype(np.float32), 3))
print(told(norm, t, axis=(1, 1)), told(norm, t, axis="x"), told(norm, t, axis=(0, 1, 2)), told(norm, t, axis=[0]), told(norm, np.zeros(0)))
print(told(np.linalg.vector_norm, t, axis=(0, 2)), told(np.linalg.vector_norm, t, ord=1, keepdims=True), told(np.linalg.matrix_norm, t), told(np.linalg.vector_norm, t, axis=1))
print(told(norm, np.random.default_rng(0).random((12, 9)), "nuc"), told(norm, np.ones((5, 5)), 2), told(norm, np.ones((5, 5)), -2))
a, b = m, m + 1e-6
print(norm(a - b) / norm(a) < 1e-5, norm(m.T @ m) > 0)
