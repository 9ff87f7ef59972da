# What JAX ships is read from the active environment, and nothing else of it.
import absl
import jax.numpy as jnp
from jax.experimental.pallas.ops.tpu import shipped_doubling
from jax.experimental.pallas.ops.tpu.shipped_doubling import doubled

print(doubled(jnp.arange(4.0)), shipped_doubling.doubled is doubled)
for name in "only_installed", "jax._private_installed":
    try:
        __import__(name)
    except ModuleNotFoundError as error:
        print(error)
