# jax_pallas_poison_buffers: memory of a scope holds NaNs, or the least integers, until it is written; so do the windows of a pipeline.
import functools
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu

BLOCK = pl.BlockSpec((8, 128), lambda i: (0, 0))


def half(dtype, no_pipelining):
    @functools.partial(pl.kernel, out_type=jax.ShapeDtypeStruct((8, 128), dtype), mesh=pltpu.create_tensorcore_mesh("core", num_cores=1))
    def kernel(x_ref, o_ref):
        def body(x_ref, o_ref):
            o_ref[:4, :] = x_ref[:4, :]
        pltpu.emit_pipeline(body, grid=(1,), in_specs=BLOCK, out_specs=BLOCK, no_pipelining=no_pipelining)(x_ref, o_ref)
    return np.asarray(kernel(jnp.ones((8, 128), dtype)).astype(jnp.float32))


def scope(o_ref):
    pl.run_scoped(lambda v, s: o_ref.__setitem__(..., v[...] + s[0].astype(jnp.float32)), pltpu.VMEM((8, 128), jnp.float32),
                  pltpu.SMEM((1,), jnp.int32))


with pl.enable_poison_buffers(True):
    for dtype in (jnp.float32, jnp.int32, jnp.int8, jnp.float8_e4m3fn):
        for no_pipelining in (False, True):
            x = half(dtype, no_pipelining)
            print(jnp.dtype(dtype).name, no_pipelining, x[:4].sum(), np.unique(x[4:]))
    print(np.isnan(pl.pallas_call(scope, out_shape=jax.ShapeDtypeStruct((8, 128), jnp.float32))()).all())
