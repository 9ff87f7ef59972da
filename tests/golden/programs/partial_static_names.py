# The static names of a partial are those of its function less what is bound already.
import functools

import jax
import jax.numpy as jnp


def scaled(start, x, times):
    for _ in range(times):
        x = x + start
    return x


first = jax.jit(functools.partial(scaled, 2), static_argnames="times")
both = jax.jit(functools.partial(functools.partial(scaled, 3), jnp.ones(2)), static_argnames="times")
print(first(jnp.ones(2), 3), first(jnp.ones(2), times=1))
print(both(2), both(times=3))
