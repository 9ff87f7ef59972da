# SPDX-License-Identifier: Apache-2.0
"""Kernels with a mistake each, which every way into check tells at the line that is marked with its name."""
import sys

import jax
import jax.numpy as jnp
from jax import lax
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu

ANY, DMA, REGULAR = pl.BlockSpec(memory_space=pl.ANY), pltpu.SemaphoreType.DMA, pltpu.SemaphoreType.REGULAR
ONE, TWO = jax.ShapeDtypeStruct((8, 128), jnp.float32), jax.ShapeDtypeStruct((2, 8, 128), jnp.float32)


def cores(n):
    return pltpu.create_tensorcore_mesh("core", num_cores=n)


def input_written(x):
    def kernel(x, o, buf, sem):
        buf[...] = jnp.zeros((8, 128))
        pltpu.async_copy(buf, x, sem).wait()  # input_written
        pltpu.async_copy(x, o, sem).wait()
    return pl.pallas_call(kernel, ONE, in_specs=[ANY], out_specs=ANY, scratch_shapes=[pltpu.VMEM((8, 128), jnp.float32), DMA])(x)


def core_input_written(x):
    def kernel(x, o, buf):
        buf[...] = jnp.zeros((8, 128))
        pltpu.sync_copy(buf, x)  # core_input_written
        pltpu.sync_copy(x, o)
    return pl.kernel(kernel, mesh=cores(1), out_type=ONE, scratch_types=[pltpu.VMEM((8, 128), jnp.float32)])(x)


def dropped_wait(x):
    def kernel(x, o, sem):
        pltpu.make_async_copy(x, o, sem).start()
    return pl.pallas_call(kernel, ONE, in_specs=[ANY], out_specs=ANY, scratch_shapes=[DMA])(x)  # dropped_wait


def read_too_early(x):
    def kernel(x, o, buf, sem):
        copy = pltpu.make_async_copy(x, buf, sem)
        copy.start()
        o[...] = buf[...]  # read_too_early
        copy.wait()
    return pl.pallas_call(kernel, ONE, in_specs=[ANY], scratch_shapes=[pltpu.VMEM((8, 128), jnp.float32), DMA])(x)


def poll_of_a_sum(x):
    """Each of two cores signals; that the sum is one says nothing of either."""
    def kernel(x, o, buf, sem, a, b):
        core = lax.axis_index("core")
        for giver, count in enumerate((a, b)):
            @pl.when(core == giver)
            def _():
                pltpu.async_copy(x, o.at[giver], sem).wait()
                pl.semaphore_signal(count, 1, device_id={"core": 2})

        @pl.when(core == 2)
        def _():
            @pl.when(pl.semaphore_read(a) + pl.semaphore_read(b) >= 1)
            def _():
                pltpu.async_copy(o, buf, sem).wait()  # poll_of_a_sum
            pl.semaphore_wait(a, 1)
            pl.semaphore_wait(b, 1)
    return pl.kernel(kernel, mesh=cores(3), out_type=TWO, scratch_types=[pltpu.VMEM((2, 8, 128), jnp.float32), DMA, REGULAR, REGULAR])(x)


def ahead_of_the_barrier(x):
    def kernel(x, o, swapped, there):
        core = lax.axis_index("core")
        pltpu.sync_copy(x, o.at[core])
        pltpu.sync_copy(o.at[1 - core], swapped.at[core])  # ahead_of_the_barrier
        pl.semaphore_signal(there, core_index=1 - core)
        pl.semaphore_wait(there)
    return pl.kernel(kernel, mesh=cores(2), out_type=(TWO, TWO), scratch_types=[REGULAR])(x)[1]


ALL = (input_written, core_input_written, dropped_wait, read_too_early, poll_of_a_sum, ahead_of_the_barrier)

if __name__ == "__main__":
    for function in ALL:
        if sys.argv[1] == function.__name__:
            print(jax.jit(function)(jnp.ones((8, 128))).sum())
