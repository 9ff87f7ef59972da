# What JAX raises when a kernel is compiled or run can be caught, where it is called.
import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu


def copy(x_ref, o_ref):
    o_ref[...] = x_ref[...]


def part(i_ref, x_ref, o_ref):
    o_ref[...] = x_ref[pl.ds(i_ref[0], 8), :]


def tell(what, f, *args):
    try:
        f(*args)
        print(what, "none")
    except jax.errors.JaxRuntimeError as error:
        print(what, str(error).replace("\n", " | "))


def call(rows, cols, **keywords):
    return pl.pallas_call(copy, out_shape=jax.ShapeDtypeStruct((rows, cols), jnp.float32), **keywords)


x = jnp.zeros((128, 128))
for limit in (256, 131072 - 1, 131072):
    tell(f"limit {limit}:", call(128, 128, compiler_params=pltpu.CompilerParams(vmem_limit_bytes=limit)), x)
big = jnp.zeros((2048, 16384))
block = pl.BlockSpec((1024, 8192), lambda i, j: (i, j), pipeline_mode=pl.Buffered(2))
tell("large:", call(2048, 16384, grid=(2, 2), in_specs=[block], out_specs=block), big)
tell("large, jitted:", jax.jit(call(2048, 16384, grid=(2, 2), in_specs=[block], out_specs=block)), big)
tell("narrow rows:", call(200000, 1), jnp.zeros((200000, 1)))
smem, vmem = pl.BlockSpec(memory_space=pltpu.SMEM), pl.BlockSpec(memory_space=pltpu.VMEM)
reads = pl.pallas_call(part, out_shape=jax.ShapeDtypeStruct((8, 128), jnp.float32), in_specs=[smem, vmem], interpret=pltpu.InterpretParams())
for start in (8, 12, 12, -1):
    tell(f"read at {start}:", lambda i: jax.block_until_ready(reads(jnp.array([i]), jnp.ones((16, 128)))), start)
blocks = call(16, 128, grid=(2,), in_specs=[pl.BlockSpec((8, 128), lambda i: (i + 1, 0))], out_specs=pl.BlockSpec((8, 128), lambda i: (i, 0)),
              interpret=pltpu.InterpretParams())
tell("block:", lambda: jax.block_until_ready(blocks(jnp.ones((16, 128)))))
