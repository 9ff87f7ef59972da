# cmd: check --color=never {}
# status: 1
# Arguments of pl.kernel are called as its body calls them; what is found is reported with the subcore.
import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu, tpu_sc as plsc

mesh = plsc.VectorSubcoreMesh(core_axis_name="c", subcore_axis_name="s", num_cores=1)


@pl.kernel(out_shape=jax.ShapeDtypeStruct((128, 128), jnp.float32), mesh=mesh,
           scratch_shapes=[pltpu.VMEM((8,), jnp.int32), pltpu.VMEM((8, 128), jnp.float32)])
def gather(table, indices, out, own, rows):
    part = pl.ds(jax.lax.axis_index("s") * 8, 8)
    pltpu.sync_copy(indices.at[part], own)
    pltpu.sync_copy(table.at[own], rows)
    pltpu.sync_copy(rows, out.at[part])


indices = (jnp.arange(128, dtype=jnp.int32) % 64).at[19].set(64)
gather(jnp.ones((64, 128)), indices).block_until_ready()
