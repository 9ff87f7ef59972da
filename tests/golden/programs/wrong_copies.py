# The classes of what is raised where a value stands for a Ref in a copy, and a number for a buffer's shape.
import jax.numpy as jnp
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu

x = jnp.ones((8, 128))


def tell(name, kernel, *scratch):
    spec = pl.BlockSpec(memory_space=pl.ANY)
    try:
        pl.pallas_call(kernel, out_shape=x, in_specs=[spec], out_specs=spec, scratch_shapes=[make() for make in scratch], interpret=True)(x)
    except Exception as error:
        print(name, type(error).__name__)


def from_value(x_ref, o_ref, vmem, sem):
    pltpu.make_async_copy(vmem[...], o_ref, sem).start()


def to_value(x_ref, o_ref, vmem, sem):
    pltpu.make_async_copy(x_ref, vmem[...], sem).start()


def buffer():
    return pltpu.VMEM((8, 128), jnp.float32)


tell("from a value", from_value, buffer, lambda: pltpu.SemaphoreType.DMA)
tell("to a value", to_value, buffer, lambda: pltpu.SemaphoreType.DMA)
tell("a number as a shape", from_value, lambda: pltpu.VMEM(128, jnp.float32), lambda: pltpu.SemaphoreType.DMA)
