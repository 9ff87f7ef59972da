# Shapes of scratch memory and grids that come as arrays; what is no shape, no grid and no semaphore.
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu

x = jnp.ones((8, 128))
shape = jax.ShapeDtypeStruct(x.shape, x.dtype)


def tried(call):
    try:
        print(call())
    except (TypeError, ValueError) as error:
        print(type(error).__name__, str(error) if str(error).startswith("Shapes") else "")


def copied(x_ref, o_ref):
    o_ref[...] = x_ref[...]


for size in ((8.0,), "ab", np.int32(8), 8, None, (8, None), np.array([8, 2]), [8, np.int32(3)], ()):
    tried(lambda: pltpu.VMEM(size, jnp.float32).shape)
for grid in (np.array([3]), [3], (np.int32(3),), jnp.array([3]), range(1, 3), "a", (3.0,), np.array([3.0])):
    tried(lambda: pl.pallas_call(copied, out_shape=shape, grid=grid, interpret=True)(x).sum())
for wrong in (lambda o: pl.semaphore_signal(3), lambda o: pl.semaphore_wait(3), lambda o: pl.semaphore_signal(None),
              lambda o: pl.semaphore_signal(o), lambda o: pltpu.async_copy(o, o, 3)):
    def kernel(x_ref, o_ref):
        wrong(o_ref)
    tried(lambda: pl.pallas_call(kernel, out_shape=shape, interpret=pltpu.InterpretParams())(x))
