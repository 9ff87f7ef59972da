# Small linear algebra, rounded so that the last bits do not matter.
import numpy as np

a = np.array([[4.0, 1], [2, 3]])
s = np.array([[2.0, 1], [1, 3]])
print(np.linalg.det(a).round(8), np.linalg.inv(a).round(8), np.linalg.solve(a, [1, 2]).round(8), np.linalg.eigvalsh(s).round(8), np.linalg.cholesky(s).round(8), np.linalg.svd(a, compute_uv=False).round(8), np.linalg.matrix_rank(np.ones((3, 3))), np.linalg.norm([3, 4]), np.linalg.norm(a), np.linalg.norm(a, 1), np.linalg.norm(a, np.inf), np.linalg.norm(a, axis=0).round(8), np.linalg.norm(a, 2).round(8))
q, r = np.linalg.qr(a)
print(np.allclose(q @ r, a), np.allclose(q.T @ q, np.eye(2)), r.shape, np.linalg.matrix_power(np.array([[1, 1], [1, 0]]), 10), np.linalg.pinv(np.array([[1.0, 2], [3, 4], [5, 6]])).round(6), np.linalg.lstsq(np.array([[1.0, 1], [1, 2], [1, 3]]), [1, 2, 2], rcond=None)[0].round(6), np.linalg.cond(np.eye(2)), np.linalg.slogdet(a))
u, w, vt = np.linalg.svd(np.arange(6.0).reshape(2, 3), full_matrices=False)
print(u.shape, w.round(6), vt.shape, np.allclose((u * w) @ vt, np.arange(6).reshape(2, 3)), np.sort(np.linalg.eigvals(a)).round(6), np.linalg.multi_dot([a, s, a]).round(6), np.trace(a), np.linalg.tensorsolve is not None)
for f in (lambda: np.linalg.inv(np.zeros((2, 2))), lambda: np.linalg.cholesky(-np.eye(2)), lambda: np.linalg.inv(np.ones((2, 3))), lambda: np.linalg.det(np.ones(3))):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
print(np.einsum("ii", a), np.einsum("ii->i", a), np.einsum("ij->ji", a), np.einsum("ij,kj->ik", a, s), np.einsum("i,j", [1, 2], [3, 4]), np.einsum("...i->...", a), np.einsum("ijk->k", np.ones((2, 2, 2))), np.einsum(a, [0, 1], [1, 0]), np.einsum("bij,bjk->bik", np.ones((2, 1, 2)), np.ones((2, 2, 1))).ravel())
