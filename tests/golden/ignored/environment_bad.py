# cmd: run {}
# env: JAX_DEBUG_NANS=perhaps
import jax

jax.config.update("jax_log_compiles", True)
