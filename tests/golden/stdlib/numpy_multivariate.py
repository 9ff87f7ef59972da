import numpy as np
m, c = [0., 1], [[1, .5], [.5, 2]]
for k in ('svd', 'eigh', 'cholesky'): print(np.random.default_rng(5).multivariate_normal(m, c, (2, 2), method=k))
print(np.random.RandomState(5).multivariate_normal(m, c, 3), np.random.default_rng(5).multivariate_normal(m, c))
np.random.seed(3); print(np.random.multivariate_normal(m, c, 2), np.random.standard_normal(2))
for args in (([0, 0], [[1, 2], [2, 1]]), ([0], [[1, 2], [2, 1]]), ([[0]], [[1]]), ([0, 0], [1, 1]), ([0, 1j], np.eye(2))):
    for cv in ('raise', 'zz', 'ignore'):
        try: print(np.random.default_rng(5).multivariate_normal(*args, check_valid=cv))
        except (TypeError, ValueError) as e: print(type(e).__name__, e)
