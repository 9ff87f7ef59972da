# What shard_map says of specs that do not fit what they are for.
import os

os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=8"
import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, PartitionSpec as P

mesh = Mesh(np.array(jax.devices()).reshape(4, 2), ("data", "model"))


def both(x, d, *more):
    return x


def attempt(f, args, **kw):
    try:
        jax.shard_map(f, mesh=kw.pop("mesh", mesh), **kw)(*args)
    except Exception as error:
        print(type(error).__name__, str(error).replace("frozenset({'model', 'data'})", "frozenset({'data', 'model'})"), end="\n\n")


x = jnp.ones(8)
attempt(lambda v: v, (jnp.ones(6),), in_specs=P("data"), out_specs=P("data"))
attempt(both, (jnp.ones(6), {"a": jnp.ones((3, 12))}, x[:3]), in_specs=(P("data"), {"a": P(None, ("data", "model"))}, P("model")), out_specs=P("data"))
attempt(lambda v: v, (x,), in_specs=P("nope"), out_specs=P())
attempt(lambda v: v, (x,), in_specs=(P("data"),), out_specs=P("q"))
attempt(lambda v: v, (x,), in_specs=(P("data"),), out_specs=P("data"), axis_names={"model"})
attempt(lambda v: v, (x,), in_specs=P(None, "data"), out_specs=P("data"))
attempt(lambda v: v[0], (x,), in_specs=P("data"), out_specs=P("data"))
attempt(lambda v: v, (x,), in_specs=(P("data"), P()), out_specs=P("data"))
attempt(lambda v: v, (x,), in_specs="data", out_specs=P())
attempt(lambda v: v, (x,), mesh=3, in_specs=P(), out_specs=P())
attempt(lambda v: v, (x,), mesh=None, in_specs=P(), out_specs=P())
for f in (lambda v: v, lambda v: (v, v.sum()[None])):
    try:
        jax.jit(jax.shard_map(f, mesh=mesh, in_specs=P("data"), out_specs=P()))(x)
    except ValueError as error:
        print(error)
