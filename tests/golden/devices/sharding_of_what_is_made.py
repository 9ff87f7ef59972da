# cmd: run --devices 4 {}
# What JAX says of products, reshapes and loops of arrays that are placed: an axis that a product sums over is gone.
import jax
import jax.numpy as jnp
from jax.sharding import AxisType, NamedSharding, PartitionSpec as P

for kind in AxisType.Auto, AxisType.Explicit:
    mesh = jax.make_mesh((2, 2), ("a", "b"), axis_types=(kind, kind))
    x = jnp.arange(64.0).reshape(8, 8)
    ab, a, b = (jax.device_put(x, NamedSharding(mesh, P(*spec))) for spec in (("a", "b"), ("a",), (None, "b")))
    both = jax.device_put(jnp.arange(64.0), NamedSharding(mesh, P(("a", "b"))))

    def show(name, result):
        print(name, result.sharding.spec)

    show("product with one that lies nowhere", ab @ x)
    show("product", a @ b)
    show("rows that become more", ab.reshape(8, 2, 4))
    show("rows that are parted", a.reshape(4, 2, 8))
    show("joined", a.reshape(64))
    show("rows of a vector", both.reshape(16, 4))
    show("laid end to end", jnp.concatenate([ab, ab]))
    show("turned round", ab[::-1])
    show("padded", jnp.pad(ab, 1))
    show("fori_loop", jax.lax.fori_loop(0, 3, lambda i, c: c * 2, ab))
    show("sums in a loop", jax.lax.fori_loop(0, 3, lambda i, c: c + ab.sum(0), jnp.zeros(8)))
    show("carries that change places", jax.lax.fori_loop(0, 3, lambda i, c: (c[1], c[0]), (ab, x))[1])
    show("while_loop", jax.lax.while_loop(lambda c: c.sum() < 0, lambda c: c + 1, ab))
    show("cond", jax.lax.cond(True, lambda c: c + 1, lambda c: c, ab))
    show("scan", jax.lax.scan(lambda c, row: (c + row, c), jnp.zeros(8), b)[1])
    show("cumsum", jnp.cumsum(b, 0))
    show("sort", jnp.sort(a, 1))
    if kind == AxisType.Auto:
        show("product with itself", ab @ ab.T)
        show("joined of two", ab.reshape(64))
        show("cumsum along", jnp.cumsum(ab, 0))
        show("sort along", jnp.sort(ab, 1))
        show("scan along", jax.lax.scan(lambda c, row: (c + row, c), jnp.zeros(8), ab)[1])
