# Every transform of numpy.fft against the sum that defines it: lengths of each radix, of large primes and of matrices, one row and many, along both axes,
# fewer and more numbers than there are.
import numpy as np

rng = np.random.default_rng(3)


def direct(x, sign):
    k = np.arange(x.shape[-1])
    return x @ np.exp(sign * 2j * np.pi * (np.outer(k, k) % len(k)) / len(k))


def resized(x, n):
    out = np.zeros((len(x), n), x.dtype)
    out[:, :min(n, x.shape[1])] = x[:, :n]
    return out


def error(got, want):
    assert got.shape == want.shape, (got.shape, want.shape)
    return np.abs(got - want).max() / np.abs(want).max()


for n in [*range(1, 34), 47, 53, 64, 94, 100, 128, 143, 210, 251, 360, 384, 509]:
    worst = 0
    for rows in (1, 5, 17):
        x = rng.standard_normal((rows, n)) + 1j * rng.standard_normal((rows, n))
        r = x.real
        forward, half = direct(x, -1), direct(r + 0j, -1)[:, :n // 2 + 1]
        pairs = [(np.fft.fft(x), forward), (np.fft.ifft(x), direct(x, 1) / n), (np.fft.fft(x.T, axis=0).T, forward),
                 (np.fft.fft(x[:, ::-1]), direct(x[:, ::-1], -1)), (np.fft.rfft(r), half), (np.fft.rfft(np.ascontiguousarray(r.T), axis=0).T, half),
                 (np.fft.irfft(half, n), r), (np.fft.irfft(half.T, n, axis=0).T, r), (np.fft.hfft(half.conj(), n, norm="forward"), r),
                 (np.fft.ihfft(r), half.conj() / n), (np.fft.fft(x, norm="ortho"), forward / np.sqrt(n))]
        for m in (n - 1, n + 1, n + 5):
            if m > 0:
                pairs += [(np.fft.fft(x, m), direct(resized(x, m), -1)), (np.fft.rfft(r, m), direct(resized(r, m) + 0j, -1)[:, :m // 2 + 1])]
        worst = max([worst, *(error(a, b) for a, b in pairs)])
    print(n, worst < 2e-14)

x = (rng.standard_normal((3, 24)) + 1j * rng.standard_normal((3, 24))).astype(np.complex64)
print(np.fft.fft(x).dtype, np.fft.rfft(x.real).dtype, np.fft.irfft(x).dtype, np.fft.fft(np.arange(5)).dtype, np.fft.rfft(np.ones(4, np.float16)).dtype)
print(error(np.fft.fft(x), direct(x.astype(complex), -1)) < 1e-6, error(np.fft.ifft(np.fft.fft(x)), x) < 1e-6)
out = np.empty((3, 24), complex)
print(np.fft.fft(x.real.astype(float), out=out) is out, error(out, direct(x.real + 0j, -1)) < 1e-6)
for call in (lambda: np.fft.fft(x, 0), lambda: np.fft.fft(x, 4, axis=2), lambda: np.fft.fft(x, norm="up"), lambda: np.fft.rfft(x.real, out=out)):
    try:
        call()
    except (ValueError, IndexError) as e:
        print(type(e).__name__, e)
print(np.fft.fft(np.ones((0, 4))).shape)
