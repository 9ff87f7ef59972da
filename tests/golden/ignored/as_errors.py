# cmd: run {} -Werror=ignored
import jax

jax.config.update("jax_debug_nans", True)
