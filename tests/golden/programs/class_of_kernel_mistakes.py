"""Mistakes in kernels end in exceptions of JAX's classes."""
import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu

LONG, ONE = pltpu.VMEM((8, 128), jnp.float32), pltpu.SMEM((1,), jnp.int32)
COPIES, COUNTS = pltpu.SemaphoreType.DMA((2,)), pltpu.SemaphoreType.REGULAR((2,))


def tell(name, mistake, *scratch):
    def kernel(x_ref, o_ref, *refs):
        o_ref[...] = x_ref[...]
        mistake(x_ref, *refs)

    try:
        pl.pallas_call(kernel, out_shape=jax.ShapeDtypeStruct((8, 128), jnp.float32), scratch_shapes=scratch, interpret=True)(jnp.ones((8, 128)))
        print(name, "is fine")
    except Exception as error:
        print(name, type(error).__name__)


tell("truth of a ref", lambda x: bool(x))
tell("not", lambda x, one: not one, ONE)
tell("truth of semaphores", lambda x, sems: bool(sems), COPIES)
tell("a semaphore by its index", lambda x, y, sems: pltpu.make_async_copy(x, y, sems[0]).start(), LONG, COPIES)
tell("a signal to one by its index", lambda x, sems: pl.semaphore_signal(sems[0]), COUNTS)
tell("a semaphore is set", lambda x, sems: sems.__setitem__(0, 1), COUNTS)
tell("a copy of another type", lambda x, y, sems: pltpu.sync_copy(x, y), pltpu.VMEM((8, 128), jnp.int32), COPIES)
tell("a copy of a lower rank", lambda x, y, sems: pltpu.sync_copy(x.at[0], y.at[pl.ds(0, 1)]), LONG, COPIES)
tell("a copy of less", lambda x, y, sems: pltpu.sync_copy(x.at[pl.ds(0, 4)], y), LONG, COPIES)


def double(x_ref, o_ref):
    o_ref[...] = x_ref[...] * 2


block = pl.BlockSpec((8, 128), lambda i: (i, 0), pl.Buffered(3))  # the third word is the pipeline's mode
print(pl.pallas_call(double, out_shape=jax.ShapeDtypeStruct((32, 128), jnp.float32), grid=(4,), in_specs=[block],
                     out_specs=pl.BlockSpec((8, 128), lambda i: (i, 0)), interpret=True)(jnp.ones((32, 128)))[31, :4])
try:
    pl.BlockSpec((8, 128), lambda i: (i, 0), None, pltpu.VMEM)
except TypeError as error:
    print(error)
