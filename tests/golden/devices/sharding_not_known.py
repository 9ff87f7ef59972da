# cmd: run {} --devices 4
# Where the operations on placed arrays do not say how the result lies, .sharding says so, and nothing else is different.
import jax
import jax.numpy as jnp
from jax import lax
from jax.experimental import pallas as pl
from jax.sharding import AxisType, NamedSharding, PartitionSpec as P

mesh = jax.make_mesh((2, 2), ("x", "y"), axis_types=(AxisType.Auto,) * 2)
on = lambda shape, *spec: jax.device_put(jnp.ones(shape), NamedSharding(mesh, P(*spec)))
r, t, there = on((8, 4), "x"), on((8, 4), None, "x"), jax.device_put(jnp.ones((8, 4)), jax.devices()[1])


def double(x_ref, o_ref):
    o_ref[...] = x_ref[...] * 2


def unknown(f):
    y = f()
    try:
        print(y.sharding)
    except NotImplementedError as error:
        print(y.shape, float(y.sum()), error)
    return y


unknown(lambda: r + t)
unknown(lambda: r + there)
unknown(lambda: r.reshape(32))
unknown(lambda: r[0])
unknown(lambda: jnp.cumsum(r, 0))
unknown(lambda: lax.fori_loop(0, 3, lambda i, v: v + r, r))
unknown(lambda: pl.pallas_call(double, out_shape=r)(r))
y = unknown(lambda: jnp.concatenate([r, r]) * 2)
print((y * 1).committed, jax.device_put(y, NamedSharding(mesh, P("y"))).sharding.spec)
whole = on((8, 4))
print([v.sharding.spec for v in (whole.reshape(32), whole[0], pl.pallas_call(double, out_shape=whole)(whole), lax.fori_loop(0, 3, lambda i, v: v * 2, whole))])
