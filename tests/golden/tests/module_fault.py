# cmd: test --check --tb=no {}
# status: 2
# Kernels of the module itself.
import jax.numpy as jnp
from jax.experimental import pallas as pl


def reads_on(x_ref, o_ref):
    o_ref[...] = x_ref[pl.ds(pl.program_id(0) + 1, 8), :]


y = pl.pallas_call(reads_on, out_shape=jnp.zeros((8, 128)), grid=(1,))(jnp.zeros((8, 128)))


def test_other():
    pass
