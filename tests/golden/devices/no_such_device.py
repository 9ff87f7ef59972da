# cmd: run {}
import jax

assert jax.devices()[0] == jax.devices()[-1] and len(jax.devices()[:3]) == 1
print(jax.devices()[3])
