# Functions of the host in loops, branches and batches of the program's own statements, without jit around them.
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.experimental import io_callback

x = jnp.arange(6.0).reshape(2, 3)


def doubled(v, **how):
    return jax.pure_callback(lambda a: np.asarray(a) * 2, jax.ShapeDtypeStruct(v.shape, v.dtype), v, **how)


def show(text, result):
    print(text, *[f"{leaf.dtype}{leaf.tolist()}" for leaf in jax.tree.leaves(result)])


show("scan", lax.scan(lambda c, v: (c + doubled(v), v), jnp.zeros(3), x))
show("map", lax.map(doubled, x))
show("while", lax.while_loop(lambda c: c[0] < 3, lambda c: (c[0] + 1, doubled(c[1])), (0, x)))
show("fori", lax.fori_loop(0, 3, lambda i, c: doubled(c) + i, x))
show("cond", lax.cond(x.sum() > 3, doubled, lambda v: v, x))
show("switch", lax.switch(1, [lambda v: v, doubled], x))
show("again", lax.scan(lambda c, v: (c + v, c), 0.0, jnp.arange(3.0)))

seen = []
lax.fori_loop(0, 3, lambda i, c: (jax.debug.callback(lambda a: seen.append(int(a)), i), c)[1], 0.0)
jax.effects_barrier()
print(sorted(seen))
seen.clear()
show("under vmap", jax.vmap(lambda v: (jax.debug.callback(lambda a: seen.append(float(np.sum(a))), v), v + 1)[1])(x))
jax.effects_barrier()
print(sorted(seen))
show("io", jax.vmap(lambda v: io_callback(lambda a: np.asarray(a) + 1, v, v))(x))
try:
    jax.vmap(lambda v: io_callback(lambda a: a, v, v, ordered=True))(x)
except ValueError as error:
    print(error)
show("scan under vmap", jax.vmap(lambda v: lax.scan(lambda c, u: (c + doubled(u, vmap_method="sequential"), u), jnp.float32(0), v))(x))

# What sees batches has an axis for each vmap in front; how many elements a batch has is not promised here.
axes = []


def total(v, w):
    def call(a, b):
        axes.append((np.ndim(a), np.ndim(b)))
        return np.asarray(a + b).sum(axis=-1)
    return jax.pure_callback(call, jax.ShapeDtypeStruct((), jnp.float32), v, w, vmap_method=method)


for method in ("sequential", "expand_dims", "broadcast_all"):
    axes.clear()
    show(method, jax.vmap(total, in_axes=(0, None))(x, jnp.ones(3)))
    print(sorted(set(axes)))
    axes.clear()
    show(method, jax.vmap(jax.vmap(total, in_axes=(0, None)), in_axes=(None, 0))(x, x))
    print(sorted(set(axes)))

try:
    lax.scan(lambda c, v: (io_callback(lambda a: 1 / 0, c, c), v), jnp.float32(0), x)
except Exception as error:
    print("ZeroDivisionError" in str(error))
show("after", lax.map(doubled, x))
