# own: jax.numpy is no module of plain Python's
# The scalar types of jax.numpy stand in unions as classes do, and so do aliases of types.
import jax.numpy as jnp

print(jnp.float32 | None, None | jnp.bfloat16, int | jnp.int32, jnp.float32 | jnp.int8 | None, list[int] | jnp.float32)
print((jnp.float32 | None).__args__, type(jnp.float32 | int).__name__, jnp.float32 | jnp.float32)


def cast(x, dtype: jnp.float32 | jnp.bfloat16 | None = None):
    return x if dtype is None else x.astype(dtype)


print(cast.__annotations__, cast(jnp.ones(2), jnp.bfloat16).dtype)
try:
    jnp.float32 | 3
except TypeError as error:
    print(error)
type Size = int
print(Size | None, int | Size)
