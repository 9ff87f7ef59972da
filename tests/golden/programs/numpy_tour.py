import numpy as np
from numpy import linalg as la
A = np.array([[4., 1, 2], [1, 3, 0], [2, 0, 5]]); b = np.array([1., 2, 3])
print(la.solve(A, b), la.det(A), la.inv(A) @ A); w, V = la.eigh(A); print(w, np.allclose(V @ np.diag(w) @ V.T, A)); print(la.cholesky(A), la.norm(A), la.norm(A, 1), la.norm(b, np.inf), la.matrix_rank(A), la.cond(A).round(6), la.matrix_power(A, 3), np.trace(A))
Q, R = la.qr(A); print(np.allclose(Q @ R, A), np.triu(R).shape); U, s, Vt = la.svd(A); print(s); print(la.lstsq(np.vander([1., 2, 3, 4], 2), np.array([3., 5, 7, 9.1]), rcond=None)[0], la.pinv(A).round(4), la.slogdet(A))
try: la.inv(np.ones((2, 2)))
except la.LinAlgError as e: print(e)
try: la.solve(A, np.ones(4))
except ValueError as e: print(e)
print(np.einsum('ij,j->i', A, b), np.einsum('ii', A), np.einsum('ij->ji', A)[0], np.tensordot(A, A, axes=([1], [0])).shape, np.inner(b, b), np.vdot(b, b), A @ b, b @ A, np.dot(A, A)[0])
x = np.linspace(-1, 1, 5, dtype=np.float32); print(x, x.dtype, np.hypot(x, 2), np.sign(x), np.floor(x * 2.5), np.rint(x * 2.5), np.trunc(x * 2.5), np.mod(x, .3), np.fmod(x, .3), np.heaviside(x, .5), np.cbrt(x), np.square(x), np.reciprocal(x + 2), np.copysign(1, x), np.spacing(x), np.deg2rad(x), np.sinh(x).round(6))
i = np.array([12, 10, 255], np.uint8); print(i + np.uint8(1), i << 1, ~i, i & 6, i ^ 3, np.left_shift(i, 2), i // 7, i % 7, -i, i.astype(np.int8), np.bitwise_count(i), np.gcd(i, 6), np.lcm(i.astype(int), 8), np.invert(i), i ** 2, np.power(i, 2, dtype=np.int32), np.divmod(i, 5), i / 2, i > 11, i.view(np.int8))
m = np.array([[True, False], [True, True]]); print(m.sum(), m.all(axis=0), m.any(1), ~m, m & m.T, np.logical_xor(m, m.T), np.count_nonzero(m), np.flatnonzero(m), np.argwhere(m), m.astype(float), np.where(m))
with np.errstate(all='raise'):
    try: np.float32(1) / np.float32(0)
    except FloatingPointError as e: print(e)
with np.errstate(divide='ignore', invalid='ignore'): print(np.array([1., 0, -1]) / 0, np.log([0., -1]))
print(np.cumsum(A, axis=1), np.cumprod(b), np.diff(b, prepend=0), np.ediff1d(b), np.gradient(b), np.convolve([1, 2, 3], [0, 1, .5]), np.correlate([1, 2, 3], [0, 1, .5], 'same'), np.interp(2.5, [1, 2, 3], [3, 2, 0]), np.clip(A, 1, 3), np.maximum.accumulate([1, 3, 2]), np.add.reduce(A), np.multiply.outer([1, 2], [3, 4]), np.median(A), np.average(A, axis=0, weights=[1, 2, 3]), np.ptp(A, axis=0), np.var(A, ddof=1), np.quantile(A, .3), np.argmax(A, axis=1), np.nanargmin([np.nan, 1]), A.std(), np.searchsorted([1, 2, 3], [0, 2, 9], side='right'), np.bincount([1, 1, 3], weights=[.5, 1, 2]), np.flip(b), np.rot90(A), np.roll(A, 1, axis=0), np.pad(b, (1, 2), mode='reflect'), np.pad(A, 1, constant_values=-1), np.stack([b, b], axis=1), np.hstack([A, A]).shape, np.vsplit(np.eye(4), 2)[1], np.dstack([b, b]).shape, np.squeeze(A[None]).shape, np.moveaxis(np.zeros((2, 3, 4)), 0, -1).shape, np.expand_dims(b, 1).shape, np.atleast_2d(b).shape, np.broadcast_to(b, (2, 3)), np.tril(A), np.insert(b, 1, 9), np.append(b, 4), np.delete(b, 0), np.resize(b, 5), np.isclose(1, 1 + 1e-9), np.array_equal(A, A.T))
