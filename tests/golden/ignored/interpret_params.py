# cmd: run {}
# status: 0
import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu


def kernel(x_ref, o_ref):
    o_ref[...] = x_ref[...] + 1


x = jnp.zeros((8, 128))
out = jax.ShapeDtypeStruct(x.shape, x.dtype)
params = pltpu.InterpretParams(
    out_of_bounds_reads="uninitialized", uninitialized_memory="zero", num_cores_or_threads=2,
    dma_execution_mode="eager", random_seed=3, buffer_bounds="padded", grid_point_recorder=print, vector_clock_size=9)
usual = pltpu.InterpretParams(out_of_bounds_reads="raise", uninitialized_memory="nan", dma_execution_mode="on_wait", random_seed=None)
for seed in (3, 3, 4):  # each is reported once
    again = pltpu.InterpretParams(random_seed=seed)
assert pl.pallas_call(kernel, out_shape=out, interpret=params)(x).sum() == 1024
assert pl.pallas_call(kernel, out_shape=out, interpret=usual, debug=True)(x).sum() == 1024
assert pl.pallas_call(kernel, out_shape=out, compiler_params=pltpu.CompilerParams(flags={"xla_tpu_x": 1}, disable_bounds_checks=True))(x).sum() == 1024
assert jax.jit(lambda x: x, backend="cpu", compiler_options={"a": 1})(x).sum() == 0
races = pltpu.InterpretParams(num_cores_or_threads=2, detect_races=True, random_seed=5, grid_point_recorder=print)
assert pl.pallas_call(kernel, out_shape=out, interpret=races)(x).sum() == 1024
