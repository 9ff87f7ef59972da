# lax.dtype: of values, of types and of names of types.
import jax.numpy as jnp, numpy as np
from jax import lax

for x in (jnp.arange(2.0), 1, 1.5, True, np.float32(2), np.arange(3), np.arange(3.0), jnp.bfloat16(1), np.int8(1)):
    print(lax.dtype(x))
for t in (float, int, bool, jnp.float32, np.int16, np.dtype("int8"), jnp.dtype("bfloat16"), "uint8"):
    print(lax.dtype(t))
