# What a loop's body hands on is of the types that it was given: who differs, and how, is named.
# own: JAX says it in several lines, and names arguments
import jax
import jax.numpy as jnp
from jax import lax

x = jnp.ones((2, 3))


def tell(loop, *args):
    try:
        print(jax.tree.map(lambda leaf: (leaf.dtype.name, leaf.shape), loop(*args)))
    except TypeError as error:
        print(error)


print("promoted")
tell(lax.fori_loop, 0, 2, lambda i, c: c + 0.5, 1)
tell(lax.fori_loop, 0, 2, lambda i, c: c + x, 1.0)
tell(lax.while_loop, lambda c: c[0] < 3, lambda c: (c[0] + 1, c[1] + x.astype(jnp.bfloat16)[0, 0]), (0, 1))
tell(lax.scan, lambda c, i: (c * jnp.float16(2), i), 1, jnp.arange(3))
print("shapes")
tell(lax.fori_loop, 0, 2, lambda i, c: c[0], x)
tell(lax.fori_loop, 0, 2, lambda i, c: (c[0], c[1].T), (1, x))
tell(lax.scan, lambda c, i: (c[None], i), 1.0, jnp.arange(3))
tell(lax.while_loop, lambda c: False, lambda c: {"a": c["a"], "b": c["b"][0]}, {"a": 1, "b": x})
print("dtypes")
tell(lax.fori_loop, 0, 2, lambda i, c: c.astype(jnp.int32), x)
tell(lax.while_loop, lambda c: False, lambda c: (c[1], c[0]), (jnp.int8(1), jnp.float32(2)))
tell(lax.scan, lambda c, i: ([c[0] > 0], i), [jnp.float32(1)], jnp.arange(3))
print("structure")
tell(lax.fori_loop, 0, 2, lambda i, c: (c, c), x)
tell(lax.scan, lambda c, i: ({"a": c["a"]}, i), {"a": 1, "b": 2}, jnp.arange(3))
tell(lax.while_loop, lambda c: False, lambda c: list(c), (1, 2))
print("keys")
tell(lax.fori_loop, 0, 2, lambda i, c: jax.random.key(0), 1)
tell(lax.fori_loop, 0, 2, lambda i, c: 1, jax.random.key(0))
