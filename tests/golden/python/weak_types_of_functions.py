# Weak types of the results of functions of two arguments, as JAX has them.
import jax.numpy as jnp, numpy as np
for f in (jnp.fmod, jnp.remainder, jnp.mod, jnp.hypot, jnp.arctan2, jnp.power, jnp.floor_divide, jnp.true_divide, jnp.copysign, jnp.nextafter, jnp.logaddexp, jnp.maximum, jnp.heaviside, jnp.ldexp, jnp.gcd, jnp.divide, jnp.float_power):
    for a, b in ((5.0, 3.0), (5, 3), (5, 3.0), (jnp.float32(5), 3.0), (jnp.bfloat16(5), 3), (jnp.int8(5), 3), (jnp.int32(5), 2.0)):
        try: r = f(a, b); print(f.__name__, r.dtype, r.weak_type, r)
        except Exception as e: print(f.__name__, type(e).__name__)
