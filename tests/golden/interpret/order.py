# cmd: run -Wno-unwritten {}
# status: 0
# The order in which JAX's interpreter takes the points of a grid, and the core that takes each: the numbers are those of JAX 0.10.2.
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu


def params_of(*semantics):
    return pltpu.CompilerParams(dimension_semantics=semantics)


def count(start_ref, o_ref):
    n = start_ref[0]
    start_ref[0] = n + 1
    o_ref[...] = jnp.full(o_ref.shape, n + 100 * pl.program_id(0) + 1000 * pl.num_programs(0))


def counted(interpret, semantics=("parallel", "arbitrary")):
    f = pl.pallas_call(count, out_shape=jax.ShapeDtypeStruct((32, 384), jnp.int32), grid=(4, 3), in_specs=[pl.BlockSpec(memory_space=pltpu.SMEM)],
                       out_specs=pl.BlockSpec((8, 128), lambda i, j: (i, j)), interpret=interpret, compiler_params=params_of(*semantics))
    return np.asarray(jax.jit(f)(jnp.zeros((1,), jnp.int32)))[::8, ::128].tolist()


for cores in (1, 2, 3, 5):
    print(cores, counted(pltpu.InterpretParams(random_seed=12345, num_cores_or_threads=cores)))
print(counted(pltpu.InterpretParams(random_seed=7), ("parallel", "parallel")))
print(counted(pltpu.InterpretParams(random_seed=7, num_cores_or_threads=2), ("arbitrary", "arbitrary")))

points = []



def record(token, point, core):
    points.append((*[int(i) for i in point], int(core)))
    return token


counted(pltpu.InterpretParams(random_seed=1, num_cores_or_threads=2, grid_point_recorder=record))
print(sorted(points, key=lambda point: point[-1]))  # the cores of JAX are threads


def shifted(index_ref, x_ref, held_ref, both, o_ref, sum_ref):
    sum_ref[...] = x_ref[...] + both["a"][...] + index_ref[pl.program_id(0)]
    both["b"][...] = sum_ref[...]
    o_ref[...] = held_ref[...] + sum_ref[...]


x = jnp.arange(32 * 128).reshape(32, 128)
held = x * 10
block = pl.BlockSpec((8, 128), lambda i, index_ref: (index_ref[i], 0))


def kernel(index_ref, x_ref, held_ref, a_ref, b_ref, o_ref, sum_ref):
    shifted(index_ref, x_ref, held_ref, {"a": a_ref, "b": b_ref}, o_ref, sum_ref)


f = pl.pallas_call(kernel, out_shape=(x, x), input_output_aliases={2: 1}, compiler_params=params_of("parallel"), grid_spec=pltpu.PrefetchScalarGridSpec(
    num_scalar_prefetch=1, grid=(4,), in_specs=[block, block, pl.BlockSpec((1, 128), lambda i, _: (i, 0))], out_specs=(block, block),
    scratch_shapes=[pltpu.VMEM((8, 128), jnp.int32)]), interpret=pltpu.InterpretParams(random_seed=3, num_cores_or_threads=3))
for result in f(jnp.array([2, 0, 3, 1], jnp.int32), x, held, x[:4]):
    print(np.asarray(result)[::8, ::64].tolist())
