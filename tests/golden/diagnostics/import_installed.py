import jax.experimental.pallas.ops
