# Functions of the host in functions under jit and vmap; rules of custom_vmap.
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

x = jnp.arange(4.0)


def doubled(a, **options):
    return jax.pure_callback(lambda v: np.asarray(v) * 2, jax.ShapeDtypeStruct(a.shape, a.dtype), a, **options)


f = jax.jit(lambda a: doubled(a) + 1)
print(f(x), f(x + 1), jax.jit(lambda a: f(a) * 2)(x))
print(jax.jit(lambda a: lax.scan(lambda c, v: (c + doubled(v), c * 1), jnp.float32(0), a))(x))
print(jax.jit(lambda n: lax.fori_loop(0, n, lambda i, c: c + doubled(c), 1.0))(3))
print(jax.jit(lambda a: lax.cond(a[0] < 1, lambda: doubled(a), lambda: a))(x))
print(jax.jit(lambda a, n: doubled(a) + n, static_argnums=1)(3.0, 2), jax.jit(lambda a, *, k: doubled(a) + k, static_argnames="k")(3.0, k=1))
seen = []
jax.jit(lambda a: jax.debug.callback(lambda v: seen.append(float(v)), a[1]))(x)
print(seen)
for method in ("sequential", "expand_dims", "broadcast_all"):
    print(method, jax.vmap(lambda a: doubled(a, vmap_method=method))(x.reshape(2, 2)))
print(jax.jit(jax.vmap(lambda a, b: doubled(a, vmap_method="sequential") + b, in_axes=(1, None), out_axes=1))(jnp.arange(6.0).reshape(2, 3), 5.0))
print(jax.vmap(lambda d: {"p": doubled(d["a"], vmap_method="sequential"), "q": d["b"]}, in_axes=({"a": 0, "b": None},))({"a": x[:2], "b": x[1:3]}))
try:
    jax.vmap(f)(x)
except NotImplementedError:
    print("no method")


@jax.custom_batching.custom_vmap
def g(a, b):
    return a + b


@g.def_vmap
def g_rule(size, batched, a, b):
    print(size, batched, a.shape, b.shape)
    return (a + 10 * b if batched[1] else a * 100 + b), batched[0] or batched[1]


print(g(1.0, 2.0), jax.vmap(g)(x, x), jax.vmap(g, in_axes=(0, None))(x, x[2]), jax.jit(jax.vmap(g, in_axes=(None, 0)))(x[2], x))
print(jax.vmap(g, in_axes=(1, 0), out_axes=1)(jnp.arange(6.0).reshape(2, 3), jnp.arange(6.0).reshape(3, 2)))
