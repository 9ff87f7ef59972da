# What is said of loops whose body returns another tree or other types than it was given, and of branches that differ.
import jax.numpy as jnp
from jax import lax

ones = jnp.ones(3)


def body(c, x):
    return {"a": c["a"] + 1j, "b": c["b"].astype(jnp.int8), "d": c["d"][:1]}, x


for f in (
    lambda: lax.fori_loop(0, 3, lambda i, c: (c, c), 1.0),
    lambda: lax.fori_loop(0, 3, lambda i, c: c[:2], (1.0, 2, 3)),
    lambda: lax.fori_loop(0, 3, lambda i, c: [c[0], c[1][None]], [1.0, ones]),
    lambda: lax.scan(lambda c, x: (c[:1], x), (1.0, 2), jnp.arange(3)),
    lambda: lax.scan(lambda c, x: ({"b": c["a"]}, x), {"a": 1.0}, jnp.arange(3)),
    lambda: lax.scan(lambda *a: (a[0][0], None), (1, 2), None, length=2),
    lambda: lax.scan(body, {"a": ones, "b": ones, "d": ones}, jnp.arange(3)),
    lambda: lax.while_loop(lambda s: s[0] < 3, lambda state: (state[0] + 1, state[1].sum(), {}), (0, ones, {"k": 1})),
    lambda: lax.while_loop(lambda c: c < 3, lambda c: None, 1),
    lambda: lax.cond(True, lambda: (1, {"a": 2}), lambda: (1, {"b": 2})),
    lambda: lax.cond(True, lambda: [1, 2], lambda: [1]),
    lambda: lax.cond(True, lambda: 1.0, lambda: None),
    lambda: lax.cond(True, lambda x: x, lambda x: x[0], ones),
    lambda: lax.cond(True, lambda x: (x, x, x, 1), lambda x: (x[0], x.sum(), x.astype(int), 1), ones),
    lambda: lax.switch(1, [lambda: 1, lambda: 2.0, lambda: 3]),
    lambda: lax.switch(1, [lambda: 1, lambda: (2.0,)]),
):
    try:
        f()
    except TypeError as error:
        print(str(error).replace(__file__, "FILE"), end="\n\n")
