# Factors of real matrices of several sizes, around those of the blocks that they are made in.
import numpy as np

rng = np.random.default_rng(3)


def near(a, b, scale=1.0):
    assert np.abs(a - b).max(initial=0) < 1e-11 * scale, np.abs(a - b).max()


for n in (1, 2, 3, 8, 31, 32, 33, 64, 70):
    a, b = rng.standard_normal((n, n)), rng.standard_normal((n, 3))
    symmetric, positive = a + a.T, a @ a.T + np.eye(n)
    near(positive @ np.linalg.solve(positive, b), b, 100 * n)
    near(positive @ np.linalg.solve(positive, b[:, 0]), b[:, 0], 100 * n)
    near(positive @ np.linalg.inv(positive), np.eye(n), 1000 * n)
    lower = np.linalg.cholesky(positive)
    near(lower @ lower.T, positive, 10 * n)
    assert (np.triu(lower, 1) == 0).all()
    values, vectors = np.linalg.eigh(symmetric)
    near(vectors * values @ vectors.T, symmetric, 10 * n)
    near(vectors.T @ vectors, np.eye(n))
    assert (np.diff(values) >= 0).all()
    for m in (n, n + 5, 2 * n, max(1, n // 2)):
        x = rng.standard_normal((m, n))
        if n > 4:
            x[:, 1], x[:, 3] = x[:, 0], 0
        for mode in ("reduced", "complete"):
            q, r = np.linalg.qr(x, mode=mode)
            near(q @ r, x, n)
            near(q.T @ q, np.eye(q.shape[1]))
            assert (np.tril(r, -1) == 0).all()
        for full in (False, True):
            u, s, vt = np.linalg.svd(x, full_matrices=full)
            near(u[:, :len(s)] * s @ vt[:len(s)], x, n)
            near(u.T @ u, np.eye(u.shape[1]))
            near(vt @ vt.T, np.eye(vt.shape[0]))
            assert (np.diff(s) <= 0).all() and (s >= 0).all()
        near(np.linalg.svd(x, compute_uv=False), s, n)
print("all near")
