# cmd: run -Wno-unwritten {}
# status: 0
# What JAX's interpreters promise of memory that nobody has written: the numbers are those of JAX 0.10.2.
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu

ROWS = pl.BlockSpec((8, 128), lambda i: (i, 0))


def tell(what, x):
    x = np.asarray(x).astype(np.float64)
    print(what, x.shape, "nan:", np.isnan(x).sum(), "first:", x[0, 0], "last:", x[-1, -1], "sum:", np.nansum(x))


def whole(x_ref, o_ref):
    o_ref[...] = x_ref[...]


def first(x_ref, o_ref):
    o_ref[0, :] = x_ref[0, :]


def scratch(x_ref, o_ref, sum_ref, count_ref):
    @pl.when(pl.program_id(0) == 0)
    def _():
        count_ref[0] = 0
    count_ref[0] += 1
    o_ref[...] = jnp.where(jnp.isnan(sum_ref[...]), -1.0, sum_ref[...]) + count_ref[0]
    sum_ref[...] = x_ref[...]


def added(x_ref, o_ref):
    def body(acc_ref):
        o_ref[...] = acc_ref[...] + x_ref[...]
    pl.run_scoped(body, pltpu.VMEM((8, 128), jnp.float32))


x = jnp.arange(10 * 128.0).reshape(10, 128)
y = jnp.arange(32 * 128.0).reshape(32, 128)
for interpret in (True, pltpu.InterpretParams(uninitialized_memory="zero")):
    def call(kernel, rows, dtype=jnp.float32, **keywords):
        return pl.pallas_call(kernel, grid=(2,), in_specs=[ROWS], out_specs=ROWS, out_shape=jax.ShapeDtypeStruct((rows, 128), dtype),
                              interpret=interpret, **keywords)
    tell("outside", call(whole, 16)(x))
    tell("outside, integers", call(whole, 16, jnp.int32)(x.astype(jnp.int32)))
    tell("unwritten rows", call(first, 16)(x))
    tell("unwritten blocks", call(whole, 32)(y))
    tell("scratch", call(scratch, 16, scratch_shapes=[pltpu.VMEM((8, 128), jnp.float32), pltpu.SMEM((1,), jnp.int32)])(y))
    tell("scope", call(added, 16)(y))
    if interpret is True:
        tell("alias", call(first, 32, input_output_aliases={0: 0})(y))
        tell("aliases", jax.vmap(call(first, 32, input_output_aliases={0: 0}))(jnp.stack([y, y + 1]))[1])
with pltpu.force_tpu_interpret_mode():
    tell("forced", pl.pallas_call(lambda x_ref, o_ref: None, out_shape=y)(y))
