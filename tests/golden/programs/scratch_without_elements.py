# A buffer of scratch may have no elements.
import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu


def kernel(x_ref, o_ref, none_ref):
    o_ref[...] = x_ref[...] + none_ref.shape[0]


print(pl.pallas_call(kernel, out_shape=jax.ShapeDtypeStruct((8, 128), jnp.float32), scratch_shapes=[pltpu.VMEM((0, 128), jnp.float32)], interpret=True)(jnp.ones((8, 128)))[0, :3])
