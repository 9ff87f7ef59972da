# What the environment says of JAX holds from its import on, whatever of it is imported.
import os

os.environ["JAX_ENABLE_X64"] = "1"

import jax.numpy as jnp

print(jnp.ones(2).dtype, jnp.arange(3).dtype)
