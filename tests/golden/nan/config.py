# cmd: run {}
# status: 1
import jax
import jax.numpy as jnp
jax.config.update("jax_debug_nans", True)
f = jax.jit(lambda x: jnp.log(x) * 2)
print(f(jnp.ones(3)))
try:
    print(f(-jnp.ones(3)))
except FloatingPointError as error:
    print("raised", error)
with jax.debug_nans(False):
    print(f(-jnp.ones(3)))
print(1 / jnp.zeros(2))
jax.config.update("jax_debug_infs", True)
try:
    print(1 / jnp.zeros(2))
except FloatingPointError as error:
    print("raised", error)
print(jnp.sqrt(jnp.array([1., -4.])))
