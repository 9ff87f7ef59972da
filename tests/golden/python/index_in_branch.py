# own: a kernel
# An index out of bounds in code that may never run is no error of the trace; under check it is one when it runs.
import jax, jax.numpy as jnp
from jax import lax
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu


def by(index):
    def kernel(n_ref, idx_ref, o_ref):
        o_ref[...] = jnp.zeros_like(o_ref)
        for i in range(4):
            @pl.when(i < n_ref[0])
            def _():
                o_ref[0, index(idx_ref, i)] = 1
    return kernel


def branches(n_ref, idx_ref, o_ref):
    o_ref[0, 0] = lax.cond(n_ref[0] > 2, lambda: idx_ref[5], lambda: idx_ref[1])
    o_ref[0, 1] = lax.fori_loop(0, n_ref[0] - 2, lambda i, c: c + idx_ref[-3], 7)


def call(kernel):
    space = pl.BlockSpec(memory_space=pltpu.SMEM)
    out = jax.ShapeDtypeStruct((8, 128), jnp.int32)
    return pl.pallas_call(kernel, out_shape=out, in_specs=[space] * 2, out_specs=space)(jnp.array([2]), jnp.array([3, 5]))


for index in (lambda ref, i: ref[i], lambda ref, i: ref[jnp.int32(i)], lambda ref, i: ref.at[i][...]):
    print(call(by(index))[0, :8])
print(call(branches)[0, :2])
