# What else a file names that is not there is noted up to the number of errors that are asked for, each once.
# cmd: run --max-errors=3 {}
# status: 1
# own: CPython reports the first
import jax.numpy as jnp


def f(x):
    x = jnp.sinn(x) + jnp.sinn(x)
    x = jnp.coss(x) + one(x) + one(x)
    return jnp.tann(x) + two(x)


g(1)
