# cmd: run {}
# status: 1
# What an array has through C code is suggested as well as its methods.
import jax.numpy as jnp

print(jnp.ones((8, 128)).shpae)
