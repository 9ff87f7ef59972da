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
        "asarray": jnp.asarray, "astype": lambda x: x.astype(x.dtype), "no copy": lambda x: jnp.array(x, copy=False),
        "asarray copy": lambda x: jnp.asarray(x, copy=True), "asarray dtype": lambda x: jnp.asarray(x, x.dtype, copy=True),
        "asarray no copy": lambda x: jnp.asarray(x, copy=False), "ravel": jnp.ravel, "x.ravel": lambda x: x.ravel(), "flatten": lambda x: x.flatten(),
        "real": jnp.real, "x.real": lambda x: x.real, "conj": jnp.conj, "x.conj": lambda x: x.conj(), "conjugate": lambda x: x.conjugate(),
        "atleast_1d": jnp.atleast_1d, "one of two": lambda x: jnp.atleast_1d(x, x)[0], "clip": jnp.clip, "x.clip": lambda x: x.clip(), "flip": lambda x: jnp.flip(x, ()), "rev": lambda x: jax.lax.rev(x, ()),
        "roll": lambda x: jnp.roll(x, 0), "swapaxes": lambda x: jnp.swapaxes(x, 0, 0), "x.swapaxes": lambda x: x.swapaxes(0, 0), "diff": lambda x: jnp.diff(x, 0), "block": jnp.block,
        "barrier": jax.lax.optimization_barrier, "barrier of two": lambda x: jax.lax.optimization_barrier({"a": x, "b": 2})["a"],
        "key barrier": jax.lax.optimization_barrier, "round": lambda x: jnp.round(x.astype(int)), "transpose": jnp.transpose, "reshape": lambda x: x.reshape(4)}
for name, way in ways.items():
    x = jax.random.key(0) if "key" in name else jnp.arange(4.0)
    y = way(x)
    y.delete()
    print(name, x.is_deleted(), y.is_deleted())
for way in (jnp.round, jnp.clip, jnp.nan_to_num, lambda x: x.round()):
    x = jnp.arange(4)
    way(x).delete()
    print(x.is_deleted())
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
