# cmd: run {}
# status: 0
import jax

jax.config.update("jax_log_compiles", True)
jax.config.update("jax_log_compiles", False)
jax.config.update("jax_log_compiles", True)
jax.config.update("jax_pallas_verbose_errors", True)
jax.config.update("jax_platform_name", "cpu")
jax.config.update("jax_compilation_cache_dir", "/tmp/nowhere")
jax.config.update("jax_enable_checks", True)
with jax.debug_infs(True), jax.explain_cache_misses(False):
    assert jax.config.jax_debug_infs and jax.config.debug_infs
assert not jax.config.jax_debug_infs
