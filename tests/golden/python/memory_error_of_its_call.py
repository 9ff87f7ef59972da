# cmd: run {}
# own: jax arrays of more memory than there is
# An array that can never be made is an exception of the call that asks for it, and of no later one.
import jax
import jax.numpy as jnp

try:
    x = jnp.zeros((1 << 40,))
    print("made")
except MemoryError as error:
    print(error)
try:
    jnp.ones((4,)).reshape(3)
except TypeError as error:
    print("TypeError")
print(jax.jit(lambda n: jnp.broadcast_to(n, (1 << 20, 1 << 20)).shape[0] + n)(1.0))
print(jnp.arange(4).sum())
