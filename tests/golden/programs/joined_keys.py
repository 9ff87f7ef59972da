# Arrays of keys joined: along every axis there is, and of no other dtype than theirs.
import jax
import jax.numpy as jnp

key, keys = jax.random.key(0), jax.random.split(jax.random.key(0), 2)
grid = jax.random.split(jax.random.key(1), (2, 3))
for call in (lambda: jnp.stack([key, key], dtype=jnp.float32), lambda: jnp.stack([key, key], dtype=key.dtype),
             lambda: jnp.concatenate([keys, keys], dtype=jnp.uint32), lambda: jnp.concatenate([keys, keys], dtype=keys.dtype),
             lambda: jnp.concatenate([keys, keys], axis=None), lambda: jnp.concatenate([key, key]), lambda: jnp.concatenate([key, key], axis=None),
             lambda: jnp.concatenate([grid, keys], axis=None), lambda: jnp.concatenate([keys, keys], axis=2),
             lambda: jnp.concatenate([keys, keys], axis=-2), lambda: jnp.stack([keys, keys], axis=3), lambda: jnp.stack([keys, keys], axis=-2),
             lambda: jnp.stack([keys, keys], axis=-1), lambda: jnp.concatenate([grid, grid], axis=-1)):
    try:
        joined = call()
        print(joined.shape, joined.dtype, jax.random.key_data(joined).tolist())
    except ValueError as error:
        print(error)
