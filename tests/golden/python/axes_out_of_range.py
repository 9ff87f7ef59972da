# Axes that an array does not have: the class and the words of each refusal are JAX's.
import jax.numpy as jnp

x = jnp.ones((2, 3, 4))


def told(f):
    try:
        print(f().shape)
    except (ValueError, IndexError) as error:
        print(type(error).__name__, error)


told(lambda: jnp.swapaxes(x, 0, 5))
told(lambda: jnp.swapaxes(x, -4, 0))
told(lambda: x.swapaxes(0, 3))
told(lambda: x.swapaxes(-1, 0))
told(lambda: jnp.moveaxis(x, 0, 5))
told(lambda: jnp.moveaxis(x, -4, 0))
told(lambda: jnp.expand_dims(x, 5))
told(lambda: jnp.expand_dims(x, (-6, 0)))
told(lambda: jnp.squeeze(x, 5))
told(lambda: jnp.squeeze(x, -4))
told(lambda: jnp.squeeze(x, 1))
