import numpy as np
def kmeans(X, k, rng, iters=20):
    C = X[rng.choice(len(X), k, replace=False)]
    for it in range(iters):
        d = ((X[:, None] - C[None]) ** 2).sum(-1); lab = d.argmin(1)
        new = np.array([X[lab == j].mean(0) if (lab == j).any() else C[j] for j in range(k)])
        if np.allclose(new, C): break
        C = new
    return C, lab, it
rng = np.random.default_rng(11); X = np.concatenate([rng.normal(m, .3, (40, 2)) for m in ((0, 0), (3, 3), (0, 4))]); rng.shuffle(X)
C, lab, it = kmeans(X, 3, rng); print(np.round(C[np.lexsort(C.T)], 4), np.bincount(lab).tolist(), it)
U, s, Vt = np.linalg.svd(X - X.mean(0), full_matrices=False); print((s ** 2 / (len(X) - 1)).round(6), (s ** 2 / (s ** 2).sum()).round(4)); Y = (X - X.mean(0)) @ Vt.T; print(np.abs(np.cov(Y.T)).round(6))
D = np.sqrt(((X[:5, None] - X[None, :5]) ** 2).sum(-1)); print(np.round(D, 3), (D == D.T).all(), np.fill_diagonal(D, np.inf), D.argmin(1))
def knn(q, k=3): i = np.argpartition(((X - q) ** 2).sum(1), k)[:k]; return np.sort(i)
print(knn(np.array([3, 3])), np.histogram2d(X[:, 0], X[:, 1], bins=3)[0], np.unique(lab, return_counts=True), np.isin([1, 5], lab), np.select([X[:4, 0] < 1, X[:4, 0] > 2], [0, 1], 9), np.piecewise(np.array([-1., 2]), [np.array([True, False])], [lambda v: -v, 7]))
conf = np.zeros((3, 3), int); np.add.at(conf, (lab, np.roll(lab, 1)), 1); print(conf, conf.trace() / conf.sum(), conf.sum(1, keepdims=True).T); w = np.exp(-np.arange(5) / 2); w /= w.sum(); print(np.convolve(np.arange(10.), w, 'valid').round(5)); t = np.arange(12).reshape(3, 4); print(np.block([[np.eye(2), np.zeros((2, 1))], [np.ones((1, 3))]]), np.array_split(t, 2, axis=1)[1], t[::-1].cumsum(0), np.take_along_axis(t, t.argsort(1)[:, ::-1], 1), np.nonzero(t % 5 == 0), np.diff(t, axis=0, prepend=0), np.diff([1, 4, 9], append=16), np.cumulative_sum(np.arange(4)) if hasattr(np, 'cumulative_sum') else '', np.triu_indices(3, 1), np.diag([1, 2]), np.vander([2, 3], 3), np.hypot(3, 4), np.isclose([1, np.nan], [1, np.nan], equal_nan=True), np.allclose(t, t + 1e-9))
