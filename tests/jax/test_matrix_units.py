# SPDX-License-Identifier: Apache-2.0
"""Matrix units that a kernel drives itself: what is pushed, multiplied by and summed up is memory of the kernel."""
import functools

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu

import pallasc.jax  # noqa: F401

Shape, F32 = jax.ShapeDtypeStruct, jnp.float32
RANDOM = np.random.default_rng(5)


def numbers(*shape, dtype=np.float32):
    return RANDOM.integers(-8, 8, shape).astype(dtype)


def product(a, b):
    return a.astype(np.int64) @ b.astype(np.int64)


def multiply(a, b, address, unit, staging=0, **push):
    pltpu.matmul_push_rhs(b, staging_register=staging, mxu_index=unit, **push)
    pltpu.matmul_acc_lhs(address, a, mxu_index=unit, load_staged_rhs=staging)


def test_one_product():
    def kernel(a, b, o):
        multiply(a[...], b[...], 0, 0)
        o[...] = pltpu.matmul_pop(0, o.shape, o.dtype, mxu_index=0)
    for dtype, sums in ((np.float32, F32), (jnp.bfloat16, F32), (np.int8, jnp.int32)):
        a, b = numbers(64, 256, dtype=dtype), numbers(256, 256, dtype=dtype)
        np.testing.assert_array_equal(pl.pallas_call(kernel, out_shape=Shape((64, 256), sums))(a, b), product(a, b))


def test_sums_of_a_loop_of_two_units():
    def kernel(a, b, o):
        def step(i, _):
            for unit in range(2):
                rows = pl.ds(i * 512 + unit * 256, 256)
                multiply(a[:, rows], b[rows, :], 8, unit, staging=1)
        lax.fori_loop(0, 2, step, None)
        o[...] = pltpu.matmul_pop(8, o.shape, F32, mxu_index=0) + pltpu.matmul_pop(8, o.shape, F32, mxu_index=1)
    a, b = numbers(32, 1024), numbers(1024, 256)
    np.testing.assert_array_equal(pl.pallas_call(kernel, out_shape=Shape((32, 256), F32))(a, b), product(a, b))


def test_sums_of_the_steps_of_a_grid():
    """What is popped is zero again; the accumulators outlive a step."""
    def kernel(a, b, o):
        multiply(a[...], b[...].T, 0, 0, transpose=True)

        @pl.when(pl.program_id(1) == 3)
        def _():
            o[...] = pltpu.matmul_pop(0, o.shape, F32, mxu_index=0)
    a, b = numbers(128, 1024), numbers(1024, 256)
    call = pl.pallas_call(kernel, out_shape=Shape((128, 256), F32), grid=(2, 4), out_specs=pl.BlockSpec((64, 256), lambda i, k: (i, 0)),
                          in_specs=[pl.BlockSpec((64, 256), lambda i, k: (i, k)), pl.BlockSpec((256, 256), lambda i, k: (k, 0))])
    np.testing.assert_array_equal(jax.jit(call)(a, b), product(a, b))
    np.testing.assert_array_equal(jax.vmap(call, in_axes=(0, None))(np.stack([a, a + 1]), b), [product(a, b), product(a + 1, b)])


def test_a_loaded_side_is_used_again_and_addresses_count_eight_rows():
    def kernel(a, b, o):
        multiply(a[:32], b[...], 0, 0)
        pltpu.matmul_acc_lhs(4, a[32:], mxu_index=0)
        o[...] = pltpu.matmul_pop(0, o.shape, F32, mxu_index=0)
    a, b = numbers(64, 256), numbers(256, 256)
    np.testing.assert_array_equal(pl.pallas_call(kernel, out_shape=Shape((64, 256), F32))(a, b), product(a, b))


def test_each_core_has_its_own():
    mesh = pltpu.create_tensorcore_mesh('core', num_cores=2)

    @functools.partial(pl.kernel, out_type=Shape((64, 256), F32), mesh=mesh, scratch_types=[pltpu.VMEM((32, 256), F32), pltpu.VMEM((256, 256), F32)])
    def kernel(a_hbm, b_hbm, o_hbm, a, b):
        mine = pl.ds(lax.axis_index('core') * 32, 32)
        pltpu.sync_copy(a_hbm.at[mine], a)
        pltpu.sync_copy(b_hbm, b)
        multiply(a[...], b[...], 0, 0)
        a[...] = pltpu.matmul_pop(0, a.shape, F32, mxu_index=0)
        pltpu.sync_copy(a, o_hbm.at[mine])
    a, b = numbers(64, 256), numbers(256, 256)
    np.testing.assert_array_equal(jax.jit(kernel)(a, b), product(a, b))


def test_mistakes():
    def not_pushed(a, o):
        pltpu.matmul_acc_lhs(0, a[...], mxu_index=0, load_staged_rhs=1)

    def not_loaded(a, o):
        pltpu.matmul_acc_lhs(0, a[...], mxu_index=0)

    def too_far(a, o):
        multiply(a[...], a[...], 256, 0)

    def no_product(a, o):
        multiply(a[:, :128], a[...], 0, 0)
    for kernel, message in ((not_pushed, 'nothing was pushed to staging register 1'), (not_loaded, 'no right-hand side was loaded'),
                            (too_far, '256 rows of 256 at address 256 are not'), (no_product, 'cannot be multiplied')):
        try:
            pl.pallas_call(kernel, out_shape=Shape((256, 256), F32))(numbers(256, 256))
        except ValueError as error:
            assert message in str(error), error
        else:
            raise AssertionError(f'not refused: {message}')
