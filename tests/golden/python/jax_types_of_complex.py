# Types that a complex number joins, and a body of scan that gives no pair.
import jax
import jax.numpy as jnp

print(jnp.result_type(1j, jnp.float32), jnp.result_type(jnp.float32, 1j, 2), jnp.result_type(jnp.complex64, 1.0))
try:
    jax.lax.scan(lambda c, x: c, 0, jnp.arange(3))
except TypeError as e:
    print(e)
