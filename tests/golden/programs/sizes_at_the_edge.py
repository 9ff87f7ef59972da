# Sizes whose product 64 bits do not hold, or that no size of -1 goes with: of arrays, of none of elements, of keys and of refs.
# own: XLA ends the process where a size is beyond 64 bits; the rest is as JAX and NumPy say it.
import numpy as np, jax, jax.numpy as jnp
from jax.experimental import pallas as pl


def tell(what, f):
    try:
        print(what, f().shape)
    except Exception as e:
        print(what, type(e).__name__, e)


B = 2 ** 40
shapes = [(-1, -1), (B, B), (-2, 3), (-2, -3), (0, -1), (4, -1), (B, B, -1), (2 ** 62, 2, -1), (B, B, 0), (-1, 0), (3, -1)]
keys = jax.random.split(jax.random.key(0), 6)
for shape in shapes:
    for name, array in (("numpy", np.ones(6)), ("none", np.ones(0)), ("jax", jnp.ones(6)), ("keys", keys)):
        tell((name, shape), lambda: array.reshape(shape))


def kernel(x_ref, o_ref):
    for shape in (*shapes, (-3,), (12, -1)):
        tell(("ref", shape), lambda: x_ref.reshape(shape))
    o_ref[...] = x_ref[...]


pl.pallas_call(kernel, out_shape=jax.ShapeDtypeStruct((8, 128), jnp.float32))(jnp.ones((8, 128))).block_until_ready()


def nothing(x_ref, o_ref):
    tell("ref of none", lambda: x_ref.reshape(2 ** 31, 2 ** 31, 0))
    tell("ref of none", lambda: x_ref.reshape(4, 0))
    o_ref[...] = jnp.zeros((8, 128))


pl.pallas_call(nothing, out_shape=jax.ShapeDtypeStruct((8, 128), jnp.float32))(jnp.ones((0, 128))).block_until_ready()
tall, wide = jnp.zeros((B, 0)), jnp.zeros((0, B))
tell("product", lambda: tall @ wide)
tell("spread", lambda: jnp.broadcast_to(jnp.ones((2, 3)), (B, B, 2, 3)))
tell("repeated", lambda: jnp.repeat(jnp.ones(3), 2 ** 62))
tell("no rows", lambda: np.zeros((B, 0)).T)
tell("no identity", lambda: jnp.eye(B, 0))
