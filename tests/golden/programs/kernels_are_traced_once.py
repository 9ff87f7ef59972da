# What a kernel prints and counts while it is traced, it does once for each pallas_call and types of arrays, and not where it is called again.
# own: JAX runs such kernels on a TPU alone
import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu

count = [0]


def kernel(x_ref, o_ref):
    count[0] += 1
    print("traced", x_ref.shape)
    o_ref[...] = x_ref[...] + count[0]


x = jnp.ones((8, 128))
call = pl.pallas_call(kernel, out_shape=x)
print([float(call(x)[0, 0]) for _ in range(3)])
print(float(call(x + 1)[0, 0]))

another = pl.pallas_call(kernel, out_shape=x)
print(float(another(x)[0, 0]), float(call(x)[0, 0]))
print(count)


def unwritten(o_ref):
    print("traced")


for memory in ("zero", "nan", "zero"):
    with pltpu.force_tpu_interpret_mode(pltpu.InterpretParams(uninitialized_memory=memory)):
        print(memory, pl.pallas_call(unwritten, out_shape=jax.ShapeDtypeStruct((8, 128), jnp.float32))()[0, 0])
