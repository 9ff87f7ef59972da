# SPDX-License-Identifier: Apache-2.0
# numpy.fft, and numpy.linalg of complex matrices: each result is put to its definition.
import numpy as np
rng = np.random.default_rng(3)
def close(a, b, tol=1e-9): assert np.allclose(a, b, atol=tol), (a, b)
for n in [1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 16, 17, 30, 49, 53, 64, 97, 100, 101, 128, 1009]:
    x = rng.standard_normal(n) + 1j * rng.standard_normal(n)
    k = np.arange(n)
    w = np.exp(-2j * np.pi * ((k[:, None] * k) % n) / n)
    close(np.fft.fft(x), w @ x); close(np.fft.ifft(np.fft.fft(x)), x); close(np.fft.irfft(np.fft.rfft(x.real), n), x.real)
print(np.fft.fft([1, 2, 3, 4]), np.fft.rfft([1., 2, 3, 4, 5]), np.fft.ifft([1, 2j, 3]))
print(np.fft.fft(np.arange(6, dtype=np.float32)).dtype, np.fft.rfft(np.ones((2, 4)), axis=0).shape, np.fft.irfft(np.ones(5, np.complex64)).dtype)
x = np.arange(12.).reshape(3, 4)
print(np.fft.fft2(x)); print(np.fft.rfftn(x)); print(np.fft.irfft2(np.fft.rfft2(x))); print(np.fft.fftn(x, norm="ortho")[0])
print(np.fft.fftfreq(5, 0.1), np.fft.rfftfreq(6), np.fft.fftshift(np.arange(5)), np.fft.ifftshift(np.arange(5)), np.fft.fft([1, 2, 3], 5), np.fft.fft([1, 2, 3], 2))
print(np.fft.hfft([1, 2, 3]), np.fft.ihfft([1., 2, 3, 4]))
for n in (1, 2, 3, 5, 8, 20):
    a = rng.standard_normal((n, n)); w, v = np.linalg.eig(a); close(a @ v, v * w, 1e-8); close(np.linalg.norm(v, axis=0), 1)
    c = a + 1j * rng.standard_normal((n, n)); w, v = np.linalg.eig(c); close(c @ v, v * w, 1e-8)
    h = c + c.conj().T; w, v = np.linalg.eigh(h); close(h @ v, v * w); close(v.conj().T @ v, np.eye(n))
    q, r = np.linalg.qr(c); close(q @ r, c); close(np.tril(r, -1), 0)
    u, s, vh = np.linalg.svd(c); close(u * s @ vh, c)
    close(np.linalg.inv(c) @ c, np.eye(n)); close(np.linalg.solve(c, h), np.linalg.inv(c) @ h); close(np.linalg.pinv(c) @ c, np.eye(n))
    l = np.linalg.cholesky(c @ c.conj().T + np.eye(n)); close(l @ l.conj().T, c @ c.conj().T + np.eye(n))
print(np.roots([1, -3, 2]) if hasattr(np, "roots") else 0)
