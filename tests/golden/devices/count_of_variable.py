# env: JAX_NUM_CPU_DEVICES=4
import jax
from jax.sharding import PartitionSpec as P

mesh = jax.make_mesh((4,), ("x",))
total = jax.shard_map(lambda x: jax.lax.psum(x, "x"), mesh=mesh, in_specs=P("x"), out_specs=P())
print(len(jax.devices()), jax.local_device_count(), total(jax.numpy.arange(8.0)))
