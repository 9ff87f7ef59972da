# cmd: run {} -Wno-ignored
# status: 0
import jax

jax.config.update("jax_debug_nans", True)
