# A jitted function is traced once, with jax_debug_nans as without; and each of its calls is looked at.
import jax
import jax.numpy as jnp
import numpy as np

jax.config.update('jax_debug_nans', True)


@jax.jit
def ratio(x, y):
    print('traced')
    return x / y


ones, zeros = jnp.ones(4), jnp.zeros(4)
print(ratio(ones, ones))
print(ratio(zeros, ones))
for x in (zeros, np.full(4, np.nan, np.float32)):
    try:
        ratio(x, zeros)
    except FloatingPointError as error:
        print(type(error).__name__, str(error)[:54])
print(ratio(ones, ones + ones))
jax.config.update('jax_debug_nans', False)
print(ratio(zeros, zeros))
jax.config.update('jax_debug_nans', True)
try:
    ratio(zeros, zeros)
except FloatingPointError as error:
    print(type(error).__name__, str(error)[:54])
