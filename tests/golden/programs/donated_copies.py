# What is donated is one array: its copies, and results that are the same value, stay.
import functools
import jax, jax.numpy as jnp


@functools.partial(jax.jit, donate_argnums=(0,))
def spend(x):
    return x + 1


x = jnp.ones((4, 4))
y = spend(jnp.array(x))
print(x[0, 0], y[0, 0])
ways = {"array": jnp.array, "copy": jnp.copy, "method": lambda x: x.copy(), "pos": lambda x: +x, "positive": jnp.positive, "squeeze": jnp.squeeze,
        "where": lambda x: jnp.where(True, x, 0), "jit": jax.jit(lambda x: x), "key": lambda k: jax.jit(lambda k: k)(k),
        "asarray": jnp.asarray, "astype": lambda x: x.astype(x.dtype), "no copy": lambda x: jnp.array(x, copy=False)}
for name, way in ways.items():
    x = jax.random.key(0) if name == "key" else jnp.arange(4.0)
    y = way(x)
    y.delete()
    print(name, x.is_deleted(), y.is_deleted())
constant = jax.jit(lambda: jnp.array([1.0, 2.0]))
for _ in range(3):
    print(spend(constant()))
same = jax.jit(lambda x: x, donate_argnums=0)
x = jnp.arange(3.0)
y = same(x)
print(x.is_deleted(), y)
pair = jax.jit(lambda x: (x, x))(jnp.arange(3.0))
pair[0].delete()
print(pair[1])
