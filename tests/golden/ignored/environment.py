# cmd: run {}
# status: 0
# env: JAX_DEBUG_NANS=1 JAX_LOG_COMPILES=off XLA_FLAGS='--xla_dump_to=there --xla_allow_excess_precision=false' LIBTPU_INIT_ARGS=--x=1 JAX_PLATFORMS=cpu
import os
import jax

os.environ["XLA_FLAGS"] += " --xla_cpu_enable_fast_math=true"
assert jax.config.jax_debug_nans and not jax.config.jax_log_compiles
assert jax.device_count() == 1
