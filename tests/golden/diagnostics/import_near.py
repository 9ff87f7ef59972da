import jax.experimental.pallas.tpuu as pltpu
