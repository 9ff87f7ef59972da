# einsum in its forms against the same by other functions.
import numpy as np
a, b, c = np.arange(6.0).reshape(2, 3), np.arange(12.0).reshape(3, 4), np.arange(9.0).reshape(3, 3)
t = np.arange(24.0).reshape(2, 3, 4)
pairs = [("ij,jk->ik", (a, b), a @ b), ("ij->ji", (a,), a.T), ("ij->", (a,), a.sum()), ("ij->i", (a,), a.sum(1)), ("ii->", (c,), np.trace(c)), ("ii->i", (c,), np.diag(c)), ("i,j->ij", (a[0], b[0]), np.outer(a[0], b[0])), ("i,i", (a[0], a[1]), a[0] @ a[1]), ("ijk->kij", (t,), t.transpose(2, 0, 1)), ("ijk,jl->ikl", (t, c), np.tensordot(t, c, (1, 0))), ("bij,bjk->bik", (t, t.swapaxes(1, 2)), t @ t.swapaxes(1, 2)), ("...j,j->...", (t, b[0]), t @ b[0]), ("ij,ij->ij", (a, a), a * a), ("ij,jk,kl->il", (a, c, b), a @ c @ b), ("ij", (a,), a), ("ba", (a,), a.T), ("ij,jk", (a, b), a @ b), ("i...->...", (t,), t.sum(0))]
print([bool(np.allclose(np.einsum(s, *o), r)) for s, o, r in pairs], np.einsum("ij,jk->ik", a, b, optimize=True).shape, np.einsum("i->", np.arange(3)).dtype, np.einsum("ij,j->i", a.astype(int), [1, 0, 2]))
for bad in (lambda: np.einsum("ij,jk->ik", a), lambda: np.einsum("ijk", a), lambda: np.einsum("i1", a), lambda: np.einsum("ij->ijj", a), lambda: np.einsum("ij,jk->ik", a, a)):
    try: print(bad().shape)
    except Exception as e: print(type(e).__name__)
