# env: XLA_FLAGS=--xla_force_host_platform_device_count=4
import jax
import jax.numpy as jnp
from jax.sharding import PartitionSpec as P
from jax.numpy import float32 as f32

mesh = jax.make_mesh((4,), ("x",))


@jax.jit
def total(x: f32[8]):
    return jax.shard_map(lambda x: jax.lax.psum(x, "x"), mesh=mesh, in_specs=P("x"), out_specs=P())(x)
