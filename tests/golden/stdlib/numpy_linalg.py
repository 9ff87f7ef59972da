# Systems of equations and factors, by what they must fulfil.
import numpy as np

rng = np.random.RandomState(3)
near = lambda a, b: bool(np.allclose(a, b, atol=1e-9))
for n, m in ((1, 1), (2, 2), (5, 5), (7, 4), (4, 7), (30, 30)):
    a = rng.randn(n, m)
    u, s, vt = np.linalg.svd(a)
    thin = np.linalg.svd(a, full_matrices=False)
    q, r = np.linalg.qr(a)
    k = min(n, m)
    print(n, m, u.shape, s.shape, vt.shape, near((u[:, :k] * s) @ vt[:k], a), near(u.T @ u, np.eye(n)), near(vt @ vt.T, np.eye(m)), near((thin.U * thin.S) @ thin.Vh, a),
          near(q @ r, a), near(q.T @ q, np.eye(k)), near(np.tril(r, -1), 0), near(np.linalg.pinv(a) @ a @ np.linalg.pinv(a), np.linalg.pinv(a)), np.linalg.matrix_rank(a), bool((s[:-1] >= s[1:]).all()))
    if n == m:
        b, spd = rng.randn(n, 3), a @ a.T + n * np.eye(n)
        values, vectors = np.linalg.eigh(spd)
        sign, log = np.linalg.slogdet(a)
        print(near(a @ np.linalg.solve(a, b), b), near(a @ np.linalg.inv(a), np.eye(n)), near(np.linalg.cholesky(spd) @ np.linalg.cholesky(spd).T, spd),
              near((vectors * values) @ vectors.T, spd), bool((values[:-1] <= values[1:]).all()), near(sign * np.exp(log), np.linalg.det(a)), near(np.linalg.eigvalsh(spd), values))
print(np.linalg.det(np.eye(3) * 2).round(9), np.linalg.inv(np.array([[[2.0, 0], [0, 4]], [[1, 0], [0, 1]]])), np.linalg.solve(np.eye(2) * 2, [2.0, 4]), np.linalg.solve(np.eye(2, dtype=np.float32), np.ones((2, 1), np.float32)).dtype)
x, residuals, rank, s = np.linalg.lstsq(np.array([[0, 1.0], [1, 1], [2, 1]]), np.array([1, 3, 5.5]), rcond=None)
print(x.round(6), residuals.round(6), rank, s.round(6), np.linalg.matrix_rank(np.ones((3, 3))), np.linalg.cond(np.diag([1.0, 4.0])), np.linalg.matrix_power([[1, 1], [0, 1]], 5), np.linalg.matrix_power(np.diag([2.0, 4]), -1))
print(np.linalg.multi_dot([np.ones((2, 3)), np.ones((3, 2)), np.eye(2)]), np.linalg.norm(np.diag([3.0, 4.0]), 2), np.linalg.qr(np.zeros((2, 2))).R)
for wrong in (lambda: np.linalg.inv(np.zeros((2, 2))), lambda: np.linalg.cholesky(-np.eye(2)), lambda: np.linalg.inv(np.ones((2, 3))), lambda: np.linalg.det([1, 2])):
    try:
        wrong()
    except np.linalg.LinAlgError as error:
        print(error)
