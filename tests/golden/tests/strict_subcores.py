# cmd: test --strict-tpu {} -v
# What the subcores of a SparseCore do not load, store and sum up is an exception with the words of JAX in front.
import jax
import jax.numpy as jnp
import pytest
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu
from jax.experimental.pallas import tpu_sc as plsc

MESH = plsc.VectorSubcoreMesh(core_axis_name="core", subcore_axis_name="subcore", num_cores=1, num_subcores=1)
X = jnp.arange(16)


def from_hbm(x, o, v):
    v[...] = x[...]


def to_hbm(x, o, v):
    o[...] = v[...]


def scalar_from_vmem(x, o, v):
    v[...] = jnp.broadcast_to(v[3], (16,))


def scalar_to_vmem(x, o, v):
    v[3] = 5


def strided(x, o, v):
    v[pl.ds(0, 8)] = v[pl.ds(0, 8, stride=2)]


def sums_of_rows(x, o, v):
    v[...] = jnp.cumsum(v[...].reshape(4, 4), axis=0).reshape(-1)


@pytest.mark.parametrize("kernel, words", [
    (from_hbm, "Get does not support loading from HBM."), (to_hbm, "Swap does not support storing to HBM."),
    (scalar_from_vmem, "Get only supports loading scalars from SMEM."), (scalar_to_vmem, "Swap only supports scalars in SMEM."),
    (strided, "Get only supports slices with stride 1."), (sums_of_rows, "SC cumsum: .* must be rank 1")])
def test_refused(kernel, words):
    with pytest.raises(NotImplementedError, match="^" + words):
        jax.block_until_ready(pl.kernel(kernel, out_type=X, mesh=MESH, scratch_types=[pltpu.VMEM((16,), jnp.int32)])(X))
