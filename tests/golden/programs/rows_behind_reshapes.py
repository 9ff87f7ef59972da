# What is reduced by rows and comes from a transposed or reshaped array whose leading dimensions are not the rows.
import jax
import jax.numpy as jnp


def show(f, *args):
    for y in jax.tree.leaves(jax.jit(f)(*args)):
        y = y.astype(jnp.int32).ravel()
        print(y[::7][:9].tolist(), int((y * jnp.arange(y.size)).sum()))


def turned(x):
    y = x * 2
    return jnp.transpose(y, (2, 0, 1)).reshape(x.shape) + jnp.sum(y, axis=(1,), keepdims=True)


def joined(x):
    y = abs(x - 40).reshape(-1, x.shape[2]).T
    return y - jnp.sum(y, axis=1, keepdims=True)


def joined_twice(x):
    y = abs(x - 40).reshape(-1, x.shape[2]).T
    return y - jnp.sum(y, axis=1, keepdims=True), y + jnp.max(y * 3, axis=1, keepdims=True), y.T[::-1]


for shape in (1, 8, 17), (1, 1, 17), (3, 8, 17), (5, 3, 3), (300, 3, 4), (4, 3, 300), (17, 3, 64), (64, 64, 64):
    x = (jnp.arange(shape[0] * shape[1] * shape[2]) % 91).astype(jnp.float32).reshape(shape)
    show(turned, x)
    show(joined, x)
    show(joined_twice, x)
