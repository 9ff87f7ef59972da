# A rule for vmap is of the function it was given to, not of what wraps that one; jax.jit alone passes it on. Nothing mapped: no rule.
import functools

import jax
import jax.numpy as jnp


@jax.custom_batching.custom_vmap
def itself(x):
    return x


@itself.def_vmap
def _times_batch(size, in_batched, x):
    return x * size, True


@functools.wraps(itself)
def wrapped(x):
    return x + 1000


v, m = jnp.arange(5.0), jnp.arange(6.0).reshape(2, 3)
print(jax.vmap(itself)(v), jax.vmap(jax.jit(itself))(v))
print(jax.vmap(wrapped)(v))
print(jax.vmap(jax.vmap(itself))(m).tolist(), jax.vmap(jax.jit(jax.vmap(itself)))(m).tolist())
print(jax.vmap(itself, in_axes=None, axis_size=2)(v).tolist())
print(jax.vmap(itself, in_axes=None, out_axes=1, axis_size=2)(v).tolist())
