# SPDX-License-Identifier: Apache-2.0
"""What a program can read of its kernels: costs, what debug=True prints, the places of checks."""
import contextlib
import io

import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu

import pallasc.jax

X = jnp.ones((8, 128))


def double_kernel(x_ref, o_ref):
    o_ref[...] = x_ref[...] * 2


def double(**options):
    return pl.pallas_call(double_kernel, out_shape=X, **options)


# ---- costs ---------------------------------------------------------------------------------------------------------------------

def costs(f):
    found = jax.jit(f).lower(X).compile().cost_analysis()
    return [found.get(name, 0) for name in ('flops', 'transcendentals', 'bytes accessed')]


def test_cost_of_a_call():
    call = double(cost_estimate=pl.CostEstimate(flops=1234, transcendentals=21, bytes_accessed=12345))
    assert costs(call) == [1234, 21, 12345]


def test_costs_of_calls_are_added():
    call = double(cost_estimate=pl.CostEstimate(flops=1000, transcendentals=1, bytes_accessed=10))
    alone = costs(lambda x: x + 1)
    assert costs(lambda x: call(call(x))) == [2000, 2, 20]
    assert costs(lambda x: call(x) + 1) == [1000 + alone[0], 1, 10 + alone[2]]


def test_cost_and_metadata():
    call = double(cost_estimate=pl.CostEstimate(flops=7, transcendentals=0, bytes_accessed=1), metadata={'a': 'b'})
    assert costs(call)[0] == 7
    assert 'kernel_metadata' in jax.jit(call).lower(X).as_text()


# ---- debug=True ------------------------------------------------------------------------------------------------------------------

def printed(f, *args):
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        f(*args)
    return out.getvalue()


def test_debug_prints_the_jaxpr_and_the_ir():
    out = printed(double(debug=True), X)
    assert 'The kernel jaxpr for pallas_call double_kernel' in out, out
    assert '<- ' in out and 'The kernel IR for pallas_call double_kernel' in out, out
    assert 'store %' in out and '%x_ref' in out and '%o_ref' in out, out
    assert printed(double(), X) == ''


def test_debug_of_a_kernel_on_cores():
    mesh = pltpu.create_tensorcore_mesh('core', num_cores=1)
    kernel = pl.kernel(lambda x_ref, o_ref: pltpu.sync_copy(x_ref, o_ref), out_type=jax.ShapeDtypeStruct(X.shape, X.dtype), mesh=mesh, debug=True)
    out = printed(kernel, X)
    assert 'The kernel jaxpr idx=0 for mpmd_map' in out and 'copy.start' in out, out


# ---- checks ----------------------------------------------------------------------------------------------------------------------

def test_the_place_of_a_check():
    def kernel(x_ref, o_ref):
        pl.debug_check(True, 'success')
        pl.debug_check(x_ref[0, 0] > 1, 'failure')
        o_ref[...] = x_ref[...]
    with pl.enable_debug_checks():
        try:
            jax.block_until_ready(pl.pallas_call(kernel, out_shape=X)(X))
        except jax.errors.JaxRuntimeError as error:
            assert 'failure (check at test_the_place_of_a_check.<locals>.kernel)' in str(error), error
            assert 'success' not in str(error), error
        else:
            raise AssertionError('the check did not fail')
