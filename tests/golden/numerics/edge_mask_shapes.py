# Masks of what blocks have outside of their arrays, where more is done with the block than reduce it along its rows.
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.experimental import pallas as pl


def inside(x, extent=100, axis=1):
  return lax.broadcasted_iota(jnp.int32, x.shape, axis) < extent


def masked(x, fill=0.0):
  return jnp.where(inside(x), x, fill)


def show(name, compute, block_width, width):
  x = jnp.asarray(np.arange(1300).reshape(13, 100) * 7 % 17 - 8, jnp.float32)

  def body(x_ref, o_ref):
    o_ref[...] = compute(x_ref[...])

  z = np.asarray(
      pl.pallas_call(body, grid=(2,), in_specs=[pl.BlockSpec((8, 128), lambda i: (i, 0))], out_specs=pl.BlockSpec((8, block_width), lambda i: (i, 0)),
                     out_shape=jax.ShapeDtypeStruct((13, width), jnp.float32), interpret=True)(x))
  print(name, float(z.sum()), float((z * (np.arange(z.size, dtype=np.float32).reshape(z.shape) % 7)).sum()), z[12, -3:].tolist())


# Results of other widths have more or less of what is outside.
for width in 90, 100, 128:
  show(f'width {width}', lambda x: masked(x, 1.0), 128, width)
show('scan', lambda x: jnp.cumsum(masked(x), axis=1), 128, 100)
show('reversed', lambda x: masked(x)[:, ::-1], 128, 100)
show('rolled', lambda x: jnp.roll(masked(x), 3, axis=1), 128, 100)
show('slice', lambda x: masked(x)[:, 90:110], 20, 20)
show('split, inner', lambda x: masked(x).reshape(8, 16, 8).sum(axis=2), 16, 16)
show('split, outer', lambda x: masked(x).reshape(8, 16, 8).max(axis=1), 8, 8)
show('mean', lambda x: jnp.mean(masked(x), axis=1, keepdims=True) * 128, 1, 1)
show('zeros are counted', lambda x: jnp.sum((masked(x) == 0).astype(x.dtype), axis=1, keepdims=True), 1, 1)
show('places are counted', lambda x: jnp.sum(jnp.where(inside(x), 1.0, 0.0), axis=1, keepdims=True) * x[:, :1], 1, 1)
show('less than the greatest', lambda x: jnp.sum(masked(x) - jnp.max(masked(x, -jnp.inf), axis=1, keepdims=True), axis=1, keepdims=True), 1, 1)
show('either', lambda x: jnp.sum(jnp.where(inside(x) | inside(x, 120), masked(x), 0.0), axis=1, keepdims=True), 1, 1)
show('one in the other', lambda x: jnp.sum(masked(jnp.where(inside(x, 50), x, 1.0)), axis=1, keepdims=True), 1, 1)
