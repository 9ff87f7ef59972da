# Under jax.disable_jit what is jitted is called as it is, and loops and branches are Python's.
import jax, jax.numpy as jnp
from jax import lax


@jax.jit
def f(x, flag=False):
    return flag is True, isinstance(x, jax.core.Tracer)


def body(i, c):
    print("turn", int(i), float(c))
    return c + i


def step(c, x):
    print("step", int(c), x.tolist())
    return c + x[0], (x * 2, c)


def run():
    print(lax.fori_loop(1, 4, body, 0.5))
    print(lax.while_loop(lambda c: print("test", int(c)) or c < 3, lambda c: c + 1, 0))
    print(lax.cond(jnp.sum(jnp.ones(3)) > 2, lambda x: print("yes") or x, lambda x: print("no") or -x, 4.0))
    print(lax.switch(jnp.int32(7), [lambda: print("first") or 1, lambda: print("last") or 2]))
    for reverse in (False, True):
        c, (ys, cs) = lax.scan(step, 10, jnp.arange(6).reshape(3, 2), reverse=reverse)
        print(c, ys.tolist(), cs.tolist())
    print(lax.map(lambda x: x + 1, jnp.arange(3)))


with jax.disable_jit():
    print(f(jnp.ones(3), True))
    run()
    try:
        lax.scan(step, 0, jnp.zeros((0, 2)))
    except ValueError as e:
        print(e)
    print(jax.config.jax_disable_jit)
print(jax.config.jax_disable_jit, lax.fori_loop(0, 3, lambda i, c: c + i, 0))
jax.config.update("jax_disable_jit", True)
print(f(jnp.ones(3), True), jax.vmap(lambda x: lax.fori_loop(0, 3, lambda i, c: c + x, x))(jnp.arange(3)))
import numpy as np


def kinds():
    c, ys = lax.scan(lambda c, a: (c + a, a), 0.0, np.arange(3.0) * 0.1)
    print(c.dtype, ys.dtype, lax.while_loop(lambda c: c < 2, lambda c: c + 1, np.float64(0)).dtype)
    print(lax.fori_loop(0, 3, lambda i, c: c + [type(i).__name__], []))
    try:
        print(lax.fori_loop(0, 2.5, lambda i, c: c, 0))
    except TypeError:
        print("TypeError")
    print(jax.vmap(lambda n: lax.while_loop(lambda v: v < n, lambda v: v + 1, 0))(jnp.arange(3)))
    c, keys = lax.scan(lambda c, k: (c, jax.random.fold_in(k, 1)), 0, jax.random.split(jax.random.key(0), 3))
    print(keys.shape, jax.random.key_data(keys)[:, 0])


kinds()
