# Functions of two Python numbers give weak results, of arrays those of their type, as in JAX.
import jax.numpy as jnp
strong, half = jnp.int16(4), jnp.float16(3)
for f, integer in ((jnp.gcd, True), (jnp.lcm, True), (jnp.fmod, True), (jnp.hypot, False), (jnp.heaviside, False)):
    for x, y in ((12, 8), (strong, 2), (12, strong)) if integer else ((3, 4), (half, 4), (3, half), (3, strong)):
        out = f(x, y)
        print(f.__name__, out.dtype, out.weak_type, out)
