# What a loop carries is itself in another order: turned, reversed, beside another that it changes places with.
import jax
import jax.numpy as jnp
from jax import lax

x = jnp.arange(16, dtype=jnp.float32).reshape(4, 4)
print(jax.jit(lambda x: lax.fori_loop(0, 3, lambda i, x: x.T, x))(x))
print(jax.jit(lambda x, n: lax.fori_loop(0, n, lambda i, x: x.T, x))(x, 3))
print(jax.jit(lambda x, n: lax.fori_loop(0, n, lambda i, x: jnp.flip(x, 0), x))(x, 3))
print(jax.jit(lambda x, n: lax.while_loop(lambda c: c[0] < n, lambda c: (c[0] + 1, c[1].T), (0, x))[1])(x, 3))
for made in jax.jit(lambda x, n: lax.fori_loop(0, n, lambda i, c: (c[1].T, c[0], c[2].T), (x, 2 * x, 3 * x)))(x, 3):
    print(made)
