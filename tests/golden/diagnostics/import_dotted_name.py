from jax.experimental import pallas.tpu as pltpu
