# cmd: run {}
# lax.dot_general of two types: XLA's order of types gives the result's, 8-bit floats included. The text is JAX's own.
import jax, jax.numpy as jnp
from jax import lax
a = jnp.arange(8, dtype=jnp.float32).reshape(2, 4).astype(jnp.bfloat16); b = jnp.ones((4, 3), jnp.float8_e4m3fn)
for la, lb in ((a, b), (b.T, a.T), (a, b.astype(jnp.int8)), (a.astype(jnp.int8), b), (a, b.astype(jnp.float32)), (b.T, b.astype(jnp.float8_e5m2))):
  for p in (None, jnp.float32):
    try:
        r = lax.dot_general(la, lb, (((1,), (0,)), ((), ())), preferred_element_type=p)
        print(la.dtype, lb.dtype, p, r.dtype, r.tolist()[0])
    except Exception as e: print(la.dtype, lb.dtype, p, type(e).__name__, str(e)[:150])
for x, y in (("uint8", "int8"), ("int8", "uint8"), ("int16", "uint8"), ("float16", "bfloat16"), ("float8_e5m2", "float16"), ("bool", "int8")):
    print(x, y, lax.dot_general(jnp.ones((2, 4), x), jnp.ones((4, 3), y), (((1,), (0,)), ((), ()))).dtype)
