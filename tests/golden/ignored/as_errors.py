# cmd: run {} -Werror=ignored
import jax

jax.config.update("jax_log_compiles", True)
