# jnp.round in each type: products and reciprocals as XLA has them.
import jax.numpy as jnp

for dtype in (jnp.float32, jnp.float16, jnp.bfloat16):
    for decimals in (1, 2, 3, 5, 40, -1, -3):
        x = jnp.array([1.3, -0.9, 2.1, 0.6, 1000.4, 2100, 0.65171, 0.0035], dtype)
        print(dtype.__name__, decimals, jnp.round(x, decimals).astype(jnp.float32).tolist())
