# cmd: check --nan {}
# status: 1
import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl


def kernel(x_ref, o_ref):
    x = x_ref[...]
    y = jnp.log(x)
    safe = jnp.where(x > 0, jnp.log(jnp.where(x > 0, x, 1)), 0)
    guarded = jnp.where(x > 0, y, 0)
    o_ref[...] = guarded + safe + jnp.sqrt(x - 3)


@jax.jit
def root(x):
    return pl.pallas_call(kernel, grid=(2,), in_specs=[pl.BlockSpec((8, 128), lambda i: (i, 0))], out_specs=pl.BlockSpec((8, 128), lambda i: (i, 0)),
                          out_shape=jax.ShapeDtypeStruct((16, 128), jnp.float32))(x)


x = jnp.arange(16 * 128.0).reshape(16, 128)
print(root(x)[0, :5])
print(jnp.sum(x / (x - 5)), jnp.exp(x * 1.0)[0, 0])
z = x[:3, :3] @ (jnp.inf * jnp.zeros((3, 2)))
print(z[0,0])
