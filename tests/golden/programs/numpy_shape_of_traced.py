# np.shape, np.ndim and np.size ask the object itself: what is traced has a shape, though no elements.
import jax, jax.numpy as jnp, numpy as np


class Said:
    shape, ndim, size = (2, 3), 7, 9


def tried(call):
    try:
        print(call())
    except Exception as e:
        print(type(e).__name__, e)


x = jnp.arange(6.0).reshape(2, 3)
print(jax.jit(lambda a: a * np.shape(a)[0])(x), jax.jit(lambda a: a * np.ndim(a) + np.size(a) + np.size(a, 1))(x))
print(jax.vmap(lambda a: a * np.shape(a)[0])(x))
print(np.shape(Said()), np.ndim(Said()), np.size(Said()), np.size(Said(), 1), np.size(np.zeros((2, 3, 4)), (0, -1)))
print(np.shape("abc"), np.ndim(b"a"), np.size("abc"), np.shape(3), np.ndim([[1]]), np.size([[1, 2]], -1), np.shape(jax.ShapeDtypeStruct((2,), jnp.int8)))
tried(lambda: np.size(x, 2))
tried(lambda: np.size([[1, 2]], 5))
mapped = jax.pmap(lambda a: a + 1)
print(jax.jit(mapped)(jnp.arange(1.0)), jax.vmap(mapped)(jnp.ones((3, 1))), jax.vmap(mapped, in_axes=1)(jnp.ones((1, 4))).shape)
