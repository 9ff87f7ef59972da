"""A plain Python file: it imports what it uses, and has no customary names."""
import jax.numpy as jnp


def twice(x, n):
    return jnp.sin(x) * n
