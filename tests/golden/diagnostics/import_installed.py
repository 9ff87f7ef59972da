import jax.experimental.pallas.ops.tpu.flash_attention
