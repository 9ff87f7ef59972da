# np.vectorize by a signature: parts with named dimensions, broadcast over the others.
import numpy as np


def told(f, *args, **kwargs):
    try:
        return f(*args, **kwargs)
    except Exception as e:
        return f"{type(e).__name__}: {e}"


det = np.vectorize(np.linalg.det, signature="(n,n)->()")
mv = np.vectorize(np.dot, signature="(m,n),(n)->(m)")
x = np.arange(24.0).reshape(2, 3, 4)
print(det(np.stack([np.eye(2), 2 * np.eye(2)])), type(det(np.eye(3))).__name__, mv(x, np.ones(4)), mv(x, np.ones((2, 1, 4))).shape, mv(np.eye(2), [1, 2]))
both = np.vectorize(lambda v, k: (v.sum(), v * k), signature="(n),()->(),(n)")
print(both(x, [1, 2, 3])[0], both(x, 2)[1][0, 0], both([1, 2], 3))
conv = np.vectorize(np.convolve, signature="(n),(m)->(k)")
print(conv(np.eye(3), [1, 2, 1]), conv.signature, np.vectorize(lambda v: v.max(), signature="(n)->()", otypes=[float])([[1, 2], [3, 0]]))
print(told(np.vectorize, len, signature="(n->()"), told(mv, x, [1, 2]), told(mv, [1], [1]), told(mv, x), told(det, np.ones((2, 3))), told(np.vectorize(lambda v: (1, 2), signature="(n)->()"), [1]))
print(told(np.vectorize(np.sum, signature="(n)->()"), np.zeros((0, 2))), np.vectorize(np.sum, signature="(n)->()", otypes=[int])(np.zeros((0, 2))).shape)
