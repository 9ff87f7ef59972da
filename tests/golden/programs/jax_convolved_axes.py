# Convolutions along some axes, which go over the others; what select gives of weak types.
import jax
import jax.numpy as jnp
from jax.scipy.signal import fftconvolve

r = jnp.arange(24.).reshape(2, 3, 4)
x = jnp.array([[2., -5., 6.], [1., 8., -2.]])
for a, b, mode, axes in ((x, x, "full", 1), (x, x[:, :2], "same", (1,)), (r, r[:, :2], "valid", -2), (r, r[:, :2, :3], "same", (1, 2)), (r, r[:, :, :2], "full", [2]),
                         (x, x, "full", (0, 1)), (x, x, "full", ())):
    out = fftconvolve(a, b, mode, axes=axes)
    print(out.shape, jnp.round(out).astype(int).ravel().tolist()[:8])
for axes in (2, (0,)):
    try:
        fftconvolve(x, x[:, :2], axes=axes)
    except (ValueError, TypeError) as e:
        print(type(e).__name__, e)
b = jnp.array([True, False, True])
one = jnp.where(b, 1., 2.)
print(jnp.select([b], [one], 2.).weak_type, jnp.select([b], [one], jnp.float32(2)).weak_type, jnp.select([True], [1.]) * jnp.bfloat16(2))
