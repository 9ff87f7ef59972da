# cmd: run --devices 2 {}
# status: 0
# Races with begins and ends of memory, with indices of a gather, and of iterations without an order, are found by detect_races as by check.
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax._src.pallas.mosaic.interpret import interpret_pallas_call as mosaic_interpret
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu
from jax.experimental.pallas import tpu_sc as plsc

DMA, ANY = pltpu.SemaphoreType.DMA, pl.BlockSpec(memory_space=pl.ANY)
detecting = pltpu.InterpretParams(detect_races=True)
subcore = plsc.VectorSubcoreMesh(core_axis_name="c", subcore_axis_name="s", num_cores=1, num_subcores=1)


def show(f, *args):
    with pltpu.force_tpu_interpret_mode(detecting):
        jax.block_until_ready(f(*args))
    print(mosaic_interpret.races.races_found)


def scope(waits):
    def kernel(x, o, sem):
        def inner(buf):
            buf[...] = x[...]
            pltpu.make_async_copy(buf, o, sem).start()
            if waits:
                pltpu.make_async_copy(buf, o, sem).wait()
        pl.run_scoped(inner, pltpu.VMEM((8, 128), jnp.float32))
        if not waits:
            pltpu.make_async_copy(x, o, sem).wait()
    return pl.pallas_call(kernel, jax.ShapeDtypeStruct((8, 128), jnp.float32), out_specs=ANY, scratch_shapes=[DMA])


def gather(row):
    def kernel(x, o, indices, rows, sem):
        for k in range(2):
            indices[k] = lax.iota(jnp.int32, 16)
        copy = pltpu.make_async_copy(x.at[indices.at[0]], rows, sem)
        copy.start()
        indices[row] = lax.iota(jnp.int32, 16)
        copy.wait()
        pltpu.sync_copy(rows, o)
    return pl.kernel(kernel, mesh=subcore, out_type=jax.ShapeDtypeStruct((16, 128), jnp.int32),
                     scratch_types=[pltpu.VMEM((2, 16), jnp.int32), pltpu.VMEM((16, 128), jnp.int32), DMA])


def turns(adds):
    def kernel(x, o, sums):
        pltpu.sync_copy(x, sums)

        @plsc.parallel_loop(0, 4)
        def _(i):
            if adds:
                plsc.addupdate(sums, lax.iota(jnp.int32, 16))
            else:
                sums[...] = sums[...] + lax.iota(jnp.int32, 16)
        pltpu.sync_copy(sums, o)
    return pl.kernel(kernel, mesh=subcore, out_type=jax.ShapeDtypeStruct((16,), jnp.int32), scratch_types=[pltpu.VMEM((16,), jnp.int32)])


def launch(meets):
    def kernel(x, o, send, recv):
        other = 1 - lax.axis_index("x")
        barrier = pltpu.get_barrier_semaphore()
        pl.semaphore_signal(barrier, 1, device_id=other)
        if meets:
            pl.semaphore_wait(barrier, 1)
        pltpu.async_remote_copy(x, o, send, recv, device_id=other).wait()
        if not meets:
            pl.semaphore_wait(barrier, 1)
    call = pl.pallas_call(kernel, jax.ShapeDtypeStruct((8, 128), jnp.float32), in_specs=[ANY], out_specs=ANY, scratch_shapes=[DMA, DMA],
                          compiler_params=pltpu.CompilerParams(collective_id=0))
    mesh = jax.sharding.Mesh(np.array(jax.devices()), ("x",))
    return jax.jit(jax.shard_map(call, mesh=mesh, in_specs=jax.P("x"), out_specs=jax.P("x"), check_vma=False))


for waits in (False, True):
    show(scope(waits), jnp.ones((8, 128)))
for row in (0, 1):
    show(gather(row), jnp.ones((16, 128), jnp.int32))
for adds in (False, True):
    show(turns(adds), jnp.ones(16, jnp.int32))
for meets in (False, True):
    show(launch(meets), jnp.ones((16, 128)))
