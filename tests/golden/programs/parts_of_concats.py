# What is done to a concatenation is done to its parts, in loops as well, whose arrays change while neighbours are still to be read.
import jax
import jax.numpy as jnp
from jax import lax

x = (jnp.arange(40 * 32) * 37 % 101).reshape(40, 32).astype(jnp.float32)


def show(f, *args):
    for y in jax.tree.leaves(jax.jit(f)(*args)):
        print(y.shape, y.dtype, float(y.sum()), y[0, :3].tolist(), y[-1, -3:].tolist())


def rotated(x, c):
    r = jnp.concatenate([-x[:, 16:], x[:, :16]], 1)
    return x * c + r * (c + 1), r


def diffused(x):
    def step(_, u):
        return u + 0.25 * (jnp.roll(u, 1, 0) + jnp.roll(u, -1, 0) - 2 * u)
    return lax.fori_loop(0, 4, step, x)


def two(x):
    def step(_, c):
        u, v = c
        v = v + jnp.roll(u, 2, 0) - jnp.roll(u, -3, 0)
        return u + 0.5 * v, v
    return lax.fori_loop(0, 3, step, (x, x * 0))


def shifted(x):
    def more(c):
        return c[0] < 5
    def step(c):
        return c[0] + 1, jnp.where(c[1] > 50, jnp.concatenate([c[1][20:], c[1][:20]]), c[1][::-1])
    return lax.while_loop(more, step, (0, x))[1]


def mixed(x):
    y = jnp.concatenate([x[:20], x[:20] * 2])
    return jnp.exp(-y) + 1, (y + 1).sum(1, keepdims=True) + y, jnp.concatenate([y.astype(jnp.bfloat16)[:, :16] * 3, y.astype(jnp.bfloat16)[:, 16:]], 1) + 1


show(rotated, x, x[::-1])
show(diffused, x)
show(two, x)
show(shifted, x)
show(mixed, x)
