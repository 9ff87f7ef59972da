"""x * scale + c where the scale is a constant that differs from lane to lane: as the two operations round, whatever the first lane has."""
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl

F32 = np.float32
rng = np.random.default_rng(1)


def check(shape, first, c):
    """By 2, 3, 4, … in the lanes, or 1, 2, …: the first is a power of two, most others are none."""
    lanes = shape[-1]
    numbers = np.arange(first, first + lanes, dtype=F32)
    differs = False
    while not differs:  # from one rounding
        x = (rng.standard_normal(shape) / 3).astype(F32)
        want = x * numbers + F32(c)
        differs = ((x.astype(np.float64) * numbers + c).astype(F32) != want).any()

    def scale():
        return jax.lax.broadcasted_iota(jnp.int32, shape, len(shape) - 1).astype(F32) + first

    def of_array(x):
        return x * (jnp.arange(lanes) + first) + c

    def kernel(x_ref, o_ref):
        o_ref[...] = x_ref[...] * scale() + c

    def turned(x_ref, o_ref):
        o_ref[...] = c + scale() * x_ref[...]

    for body in (kernel, turned):
        got = np.asarray(pl.pallas_call(body, out_shape=jax.ShapeDtypeStruct(x.shape, F32))(jnp.asarray(x)))
        assert (got.view(np.int32) == want.view(np.int32)).all(), (shape, first, c)
    got = np.asarray(jax.jit(of_array)(jnp.asarray(x)))
    assert (got.view(np.int32) == want.view(np.int32)).all(), (shape, first, c)


for shape in ((4,), (8,), (16,), (32,), (3, 8), (16, 4), (16, 16), (2, 128)):
    for first in (1, 2):
        for c in (1.0, -0.5):
            check(shape, first, c)
print('all lanes as two operations')
