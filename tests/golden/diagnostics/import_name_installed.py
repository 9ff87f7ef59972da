from jax.experimental.pallas.ops.tpu import megablox
