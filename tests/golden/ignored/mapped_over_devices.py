# cmd: run {}
# status: 0
import jax
import jax.numpy as jnp

# The devices that vmap would lay what it maps over.
jax.vmap(lambda x: x + 1, spmd_axis_name="data")(jnp.arange(3))
