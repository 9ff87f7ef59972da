# cmd: check --color=never {}
# status: 1
# Arrays that the program gave no name are called as the kernel calls them, on whichever device, and so is what another device signals.
import jax
import jax.numpy as jnp
from jax import lax
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu
from jax.sharding import PartitionSpec as P

jax.config.update("jax_num_cpu_devices", 2)
mesh = jax.make_mesh((2,), ("x",))
anywhere = pl.BlockSpec(memory_space=pl.ANY)


def exchange(own, both, local, sent, received):
    me = lax.axis_index("x")
    other = 1 - me
    pltpu.sync_copy(own, both.at[me])
    away = pltpu.make_async_remote_copy(both.at[me], both.at[me], sent, received, device_id=(other,), device_id_type=pltpu.DeviceIdType.MESH)
    away.start()
    away.wait_send()


call = pl.pallas_call(exchange, out_shape=jax.ShapeDtypeStruct((2, 8, 128), jnp.float32), in_specs=[anywhere], out_specs=anywhere,
                      scratch_shapes=[pltpu.SemaphoreType.DMA] * 3)
x = jnp.arange(2 * 8 * 128, dtype=jnp.float32).reshape(16, 128)
jax.jit(jax.shard_map(call, mesh=mesh, in_specs=P("x"), out_specs=P("x"), check_vma=False))(x).block_until_ready()
