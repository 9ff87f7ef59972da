# Transforms of every kind of length: factors of one matrix, products of them, primes by one matrix, primes beyond; cut and filled
# lengths, axes, norms, real and mirrored ones, under jit and vmap, and what is refused.
import jax, jax.numpy as jnp, numpy as np
from jax import lax

for n in (1, 2, 3, 8, 12, 60, 64, 67, 97, 128, 134, 210, 521, 1024, 1042):
    steps = np.arange(n)
    x = np.sin(steps * 0.7) + 0.1 * np.cos(steps * 2.3)
    z = x + 1j * np.cos(steps * 0.9)
    for name in ("fft", "ifft", "rfft", "ihfft") + ("hfft",) * (n > 1):
        given = x if name in ("rfft", "ihfft") else z
        made, exact = getattr(jnp.fft, name)(jnp.asarray(given)), getattr(np.fft, name)(given)
        print(n, name, made.dtype, made.shape == exact.shape, bool(np.abs(np.asarray(made) - exact).max() < 1e-5 * (np.abs(exact).max() + 1)))
    if n > 1:
        print(n, "irfft", bool(jnp.abs(jnp.fft.irfft(jnp.fft.rfft(x), n) - x).max() < 1e-5))


def told(name, function, *args, **kwargs):
    try:
        value = function(*args, **kwargs)
    except Exception as error:
        return print(name, type(error).__name__)
    print(name, value.dtype, value.shape, (np.round(np.asarray(value), 3) + 0).tolist())


fft = jnp.fft
x, m = jnp.array([1.0, 2.0, -3.0, 0.5]), jnp.arange(12.0).reshape(3, 4) + 1j
told("filled", fft.fft, x, 6), told("cut", fft.fft, x, 2), told("axis", fft.fft, m, axis=0), told("ortho", fft.fft, x, norm="ortho"), told("forward", fft.ifft, m, norm="forward")
told("fft2", fft.fft2, m), told("ifft2", fft.ifft2, m), told("rfft2", fft.rfft2, m.real), told("irfft2", fft.irfft2, m), told("fftn", fft.fftn, m, (2, 2)), told("axes", fft.fftn, m, axes=(1,))
told("odd", fft.irfft, m[0], 5), told("rfftn", fft.rfftn, m.real, (2, 4)), told("irfftn", fft.irfftn, m, (2, 6)), told("shift", fft.fftshift, m[0]), told("integers", fft.fft, jnp.arange(4)), told("bf16", fft.fft, x.astype(jnp.bfloat16))
told("lax", lax.fft, m[0], "fft", (4,)), told("lax real", lax.fft, x, lax.FftType.RFFT, (4,))
told("jit", jax.jit(lambda a: fft.irfft(fft.rfft(a) * fft.rfft(a))), x), told("vmap", jax.vmap(fft.fft), m)
told("none", fft.fft, x, 0), told("no axis", fft.fft, x, axis=3), told("norm", fft.fft, x, norm="bad"), told("twice", fft.fft2, m, axes=(0, 0)), told("complex", fft.rfft, m), told("list", fft.fft, [1.0, 2.0])
