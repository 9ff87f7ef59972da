# SPDX-License-Identifier: Apache-2.0
"""What pallas_call, its grid and its block specs can say, compiled out of a live JAX; each against NumPy or JAX without the kernel."""
import contextlib
import functools
import io

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu

import pallasc.jax

F32, I32, BF16 = jnp.float32, jnp.int32, jnp.bfloat16
X = np.arange(16 * 256, dtype=np.float32).reshape(16, 256) / 64 - 17
Shape = jax.ShapeDtypeStruct
equal, close = np.testing.assert_array_equal, functools.partial(np.testing.assert_allclose, rtol=2e-6, atol=2e-6)


def copy_kernel(x_ref, o_ref):
    o_ref[...] = x_ref[...]


# ---- blocks ----------------------------------------------------------------------------------------------------------------

def test_squeezed_block():
    spec = pl.BlockSpec((None, 256), lambda i: (15 - i, 0))

    def kernel(x_ref, o_ref):
        assert x_ref.shape == (256,)
        o_ref[...] = x_ref[...]
    equal(pl.pallas_call(kernel, grid=16, in_specs=[spec], out_specs=pl.BlockSpec((pl.squeezed, 256), lambda i: (i, 0)),
                         out_shape=Shape(X.shape, F32))(X), X[::-1])


def test_element_block_with_halo():
    spec = pl.BlockSpec((pl.Element(10, (1, 1)), pl.Element(256)), lambda i: (8 * i, 0))

    def kernel(x_ref, o_ref):
        o_ref[...] = x_ref[1:9] * 2
    equal(pl.pallas_call(kernel, grid=2, in_specs=[spec], out_specs=pl.BlockSpec((8, 256), lambda i: (i, 0)),
                         out_shape=Shape(X.shape, F32))(X), X * 2)


def test_edge_blocks():
    x = X[:13, :200]
    spec = pl.BlockSpec((8, 128), lambda i, j: (i, j))
    equal(pl.pallas_call(lambda x, o: o.__setitem__(..., x[...] + 1), grid=(2, 2), in_specs=[spec], out_specs=spec,
                         out_shape=Shape(x.shape, F32))(x), x + 1)


def test_buffered_and_revisited_output():
    def kernel(x_ref, o_ref):
        @pl.when(pl.program_id(1) == 0)
        def _():
            o_ref[...] = jnp.zeros_like(o_ref)
        o_ref[...] += x_ref[...]
    call = pl.pallas_call(kernel, grid=(2, 2), out_shape=Shape((16, 128), F32), out_specs=pl.BlockSpec((8, 128), lambda i, j: (i, 0)),
                          in_specs=[pl.BlockSpec((8, 128), lambda i, j: (i, j), pipeline_mode=pl.Buffered(3))],
                          compiler_params=pltpu.CompilerParams(dimension_semantics=('parallel', 'arbitrary')))
    close(call(X), X[:, :128] + X[:, 128:])


def test_trees_of_operands():
    def kernel(pair, o_refs):
        o_refs['sum'][...] = pair['a'][...] + pair['b'][0][...]
        o_refs['parts'][0][...] = pair['a'][...]
    out = pl.pallas_call(kernel, out_shape={'sum': Shape(X.shape, F32), 'parts': [Shape(X.shape, F32)]})({'a': X, 'b': (X,)})
    equal(out['sum'], X + X)
    equal(out['parts'][0], X)


def test_none_as_an_operand():
    def kernel(x_ref, none, o_ref):
        assert none is None
        o_ref[...] = x_ref[...]
    equal(pl.pallas_call(kernel, in_specs=[pl.BlockSpec(memory_space=pltpu.VMEM), None], out_shape=Shape(X.shape, F32))(X, None), X)


def test_smem_operands_and_outputs():
    def kernel(s_ref, x_ref, o_ref, n_ref):
        o_ref[...] = x_ref[...] * s_ref[1].astype(F32)
        n_ref[0] = s_ref[0] + 1
        n_ref[1] = s_ref[1] * 2
    smem = pl.BlockSpec(memory_space=pltpu.SMEM)
    o, n = pl.pallas_call(kernel, in_specs=[smem, pl.BlockSpec(memory_space=pltpu.VMEM)], out_specs=[pl.BlockSpec(memory_space=pltpu.VMEM), smem],
                          out_shape=[Shape(X.shape, F32), Shape((2,), I32)])(np.array([4, 3], np.int32), X)
    equal(o, X * 3)
    equal(n, [5, 6])


def test_scalar_operand_in_smem():
    def kernel(s_ref, x_ref, o_ref):
        o_ref[...] = x_ref[...] + s_ref[0, 0]
    equal(pl.pallas_call(kernel, in_specs=[pl.BlockSpec(memory_space=pltpu.SMEM), pl.BlockSpec()], out_shape=Shape(X.shape, F32))(
        np.full((1, 1), 2, np.float32), X), X + 2)


def test_captured_scalars_of_an_index_map():
    def f(x, row):
        return pl.pallas_call(lambda row, x, o: copy_kernel(x, o), grid_spec=pltpu.PrefetchScalarGridSpec(
            1, grid=(2,), in_specs=[pl.BlockSpec((8, 256), lambda i, row: ((row[0] + i) % 2, 0))],
            out_specs=pl.BlockSpec((8, 256), lambda i, row: (i, 0))), out_shape=x)(row, x)
    equal(jax.jit(f)(X, np.array([1], np.int32)), np.roll(X, 8, 0))


def test_captured_constant_array():
    table = np.linspace(0, 1, 256, dtype=np.float32)

    def kernel(x_ref, t_ref, o_ref):
        o_ref[...] = x_ref[...] * t_ref[...]
    equal(pl.pallas_call(kernel, out_shape=Shape(X.shape, F32))(X, table[None]), X * table)


def test_dynamic_grid():
    def start(x_ref, o_ref):
        @pl.when(pl.program_id(0) == 0)
        def _():
            o_ref[...] = jnp.zeros_like(o_ref)
        o_ref[...] += x_ref[...]

    @jax.jit
    def g(n, x):
        block = pl.BlockSpec((8, 256), lambda i: (0, 0))
        return pl.pallas_call(start, grid=(n,), in_specs=[block], out_specs=block, out_shape=Shape((8, 256), F32))(x)
    for n in (1, 3, 5):
        equal(g(jnp.int32(n), X[:8]), X[:8] * n)


def test_input_output_aliases():
    def kernel(x_ref, _, o_ref):
        o_ref[0:8] = x_ref[0:8] * 2
    y = np.full_like(X, 7)
    got = jax.jit(lambda x, y: pl.pallas_call(kernel, out_shape=Shape(X.shape, F32), input_output_aliases={1: 0},
                                              in_specs=[pl.BlockSpec(), pl.BlockSpec(memory_space=pl.ANY)],
                                              out_specs=pl.BlockSpec(memory_space=pltpu.VMEM))(x, y))(X, y)
    equal(got[:8], X[:8] * 2)


def test_aliases_in_place():
    def kernel(x_hbm, o_hbm):
        def body(buffer):
            pltpu.sync_copy(o_hbm.at[pl.ds(0, 8)], buffer)
            buffer[...] += 1
            pltpu.sync_copy(buffer, o_hbm.at[pl.ds(0, 8)])
        pl.run_scoped(body, pltpu.VMEM((8, 256), F32))
    hbm = pl.BlockSpec(memory_space=pl.ANY)
    call = pl.pallas_call(kernel, out_shape=Shape(X.shape, F32), in_specs=[hbm], out_specs=hbm, input_output_aliases={0: 0})
    step = jax.jit(call, donate_argnums=0)
    x = jnp.array(X)
    memory = x.unsafe_buffer_pointer()
    for _ in range(3):
        x = step(x)
    assert x.unsafe_buffer_pointer() == memory
    used = step.lower(x).compile().memory_analysis()
    assert (used.alias_size_in_bytes, used.temp_size_in_bytes) == (x.nbytes, 0)
    equal(x[:8], X[:8] + 3)
    equal(x[8:], X[8:])
    kept = jnp.asarray(X)
    jax.jit(call)(kept)
    equal(kept, X)  # without donation XLA copies


def test_an_alias_of_an_operand_that_is_read_twice():
    def kernel(x_ref, y_ref, o_ref):
        o_ref[...] = x_ref[...] @ y_ref[...]
    x = jnp.asarray(np.sin(X).reshape(64, 64))
    call = pl.pallas_call(kernel, out_shape=x, input_output_aliases={0: 0})
    close(jax.jit(lambda x: call(x, x) + x)(x), x @ x + x, rtol=1e-5, atol=1e-4)
    close(jax.jit(lambda x: call(x, x), donate_argnums=0)(jnp.array(x)), x @ x, rtol=1e-5, atol=1e-4)
    close(jax.jit(lambda x: call(x + 0, x))(x), x @ x, rtol=1e-5, atol=1e-4)
    with pallasc.jax.machine(check=True):
        close(jax.jit(lambda x: call(x, x), donate_argnums=0)(jnp.array(x)), x @ x, rtol=1e-5, atol=1e-4)


def test_aliases_of_scalars_and_of_several_results():
    def kernel(count_ref, x_ref, y_ref, sum_ref, o_ref, count_out):
        o_ref[...] = x_ref[...] - y_ref[...]
        sum_ref[...] = x_ref[...] + y_ref[...]
        count_out[0] = count_ref[0] + 1
    smem = pl.BlockSpec(memory_space=pltpu.SMEM)
    count, x, y = jnp.ones(1, jnp.int32), jnp.asarray(X[:8]), jnp.asarray(X[8:16])
    call = pl.pallas_call(kernel, out_shape=(x, x, count), in_specs=[smem, pl.BlockSpec(), pl.BlockSpec()], out_specs=(pl.BlockSpec(), pl.BlockSpec(), smem),
                          input_output_aliases={0: 2, 2: 1})
    for options in ({}, {'donate_argnums': (0, 2)}):
        total, difference, counted = jax.jit(call, **options)(jnp.array(count), x, jnp.array(y))
        equal(total, X[:8] + X[8:16])
        equal(difference, X[:8] - X[8:16])
        equal(counted, [2])


def test_dtypes():
    for dtype in ('int8', 'uint8', 'int16', 'uint16', 'int32', 'uint32', 'bfloat16', 'float16', 'float32', 'float8_e4m3fn', 'float8_e5m2',
                  'bool'):
        x = jnp.asarray((np.arange(32 * 128).reshape(32, 128) % 7)).astype(dtype)
        equal(np.asarray(pl.pallas_call(copy_kernel, out_shape=Shape(x.shape, x.dtype))(x).astype(F32)), np.asarray(x.astype(F32)))


def test_name_cost_metadata_debug():
    call = pl.pallas_call(copy_kernel, out_shape=Shape(X.shape, F32), name='my kernel!', metadata={'a': 'b'},
                          cost_estimate=pl.CostEstimate(flops=1, bytes_accessed=2, transcendentals=3))
    equal(call(X), X)


def test_compiler_params():
    params = pltpu.CompilerParams(vmem_limit_bytes=1 << 24, has_side_effects=True, allow_input_fusion=[True],
                                  disable_bounds_checks=True, flags={'a': 1}, internal_scratch_in_bytes=1024)
    equal(pl.pallas_call(copy_kernel, out_shape=Shape(X.shape, F32), compiler_params=params)(X), X)


def test_grid_names_and_axis_index():
    def kernel(o_ref):
        o_ref[...] = jnp.full(o_ref.shape, lax.axis_index('i') * 10 + lax.axis_index('j'), I32)
    got = pl.pallas_call(kernel, grid_spec=pl.GridSpec(grid=(('i', 2), ('j', 2)), out_specs=pl.BlockSpec((8, 128), lambda i, j: (i, j))),
                         out_shape=Shape((16, 256), I32))()
    equal(got[::8, ::128], [[0, 1], [10, 11]])


def test_num_programs_and_nested_grids():
    def kernel(o_ref):
        o_ref[pl.program_id(0), pl.program_id(1)] = pl.program_id(0) * pl.num_programs(1) + pl.program_id(1)
    got = pl.pallas_call(kernel, grid=(3, 4), out_specs=pl.BlockSpec(memory_space=pltpu.SMEM), out_shape=Shape((3, 4), I32))()
    equal(got, np.arange(12).reshape(3, 4))


# ---- transforms of JAX around kernels -----------------------------------------------------------------------------------------

def test_vmap():
    spec = pl.BlockSpec((8, 128), lambda i, j: (i, j))
    call = pl.pallas_call(lambda x, y, o: o.__setitem__(..., x[...] + y[...]), grid=(2, 2), in_specs=[spec, spec], out_specs=spec,
                          out_shape=Shape(X.shape, F32))
    xs = np.stack([X, X * 2, X * 3])
    equal(jax.vmap(call)(xs, xs), xs + xs)
    equal(jax.vmap(call, in_axes=(0, None))(xs, X), xs + X)
    equal(jax.vmap(call, in_axes=(1, None), out_axes=1)(np.moveaxis(xs, 0, 1), X), np.moveaxis(xs + X, 0, 1))
    equal(jax.vmap(jax.vmap(call))(xs[None], xs[None]), (xs + xs)[None])


def test_vmap_of_program_ids_and_prefetch():
    def kernel(rows, x_ref, o_ref):
        o_ref[...] = x_ref[...] + (pl.program_id(0) * 100).astype(F32) + pl.num_programs(0)
    spec = pltpu.PrefetchScalarGridSpec(1, grid=(2,), in_specs=[pl.BlockSpec((8, 256), lambda i, rows: (rows[i], 0))],
                                        out_specs=pl.BlockSpec((8, 256), lambda i, rows: (i, 0)))
    call = pl.pallas_call(kernel, grid_spec=spec, out_shape=Shape(X.shape, F32))
    rows = np.array([[1, 0], [0, 0], [1, 1]], np.int32)
    want = np.stack([np.concatenate([X[8 * r[0]:8 * r[0] + 8] + 2, X[8 * r[1]:8 * r[1] + 8] + 102]) for r in rows])
    equal(jax.vmap(call, in_axes=(0, None))(rows, X), want)
    equal(jax.vmap(call, in_axes=(None, 0))(rows[0], np.stack([X, X + 1])), np.stack([want[0], want[0] + 1]))


def test_jvp_and_grad_through_a_kernel():
    def kernel(x_ref, o_ref):
        o_ref[...] = jnp.sin(x_ref[...]) * x_ref[...]
    call = pl.pallas_call(kernel, out_shape=Shape((8, 128), F32))
    x, t = X[:8, :128], np.ones((8, 128), np.float32)
    out, tangent = jax.jvp(call, (x,), (t,))
    close(out, np.sin(x) * x, atol=1e-5)
    close(tangent, np.cos(x) * x + np.sin(x), atol=1e-4)


def test_custom_vjp_with_effects():
    def forward(x_ref, o_ref, sem):
        pltpu.async_copy(x_ref, o_ref, sem).wait()

    def backward(g_ref, o_ref):
        o_ref[...] = g_ref[...] * 3

    @jax.custom_vjp
    def f(x):
        return pl.pallas_call(forward, out_shape=x, scratch_shapes=[pltpu.SemaphoreType.DMA])(x)
    f.defvjp(lambda x: (f(x), None), lambda _, g: (pl.pallas_call(backward, out_shape=g)(g),))
    equal(jax.jit(jax.grad(lambda x: jnp.sum(f(x))))(X), np.full_like(X, 3))


def test_inside_control_flow():
    call = pl.pallas_call(lambda x, o: o.__setitem__(..., x[...] * 2), out_shape=Shape((8, 128), F32))
    x = X[:8, :128]
    equal(jax.jit(lambda x: lax.fori_loop(0, 3, lambda i, x: call(x), x))(x), x * 8)
    equal(jax.jit(lambda p, x: lax.cond(p, call, lambda x: x, x))(True, x), x * 2)
    equal(jax.jit(lambda x: lax.while_loop(lambda s: s[0] < 2, lambda s: (s[0] + 1, call(s[1])), (0, x))[1])(x), x * 4)
    equal(jax.jit(jax.checkpoint(lambda x: call(x)))(x), x * 2)
    equal(lax.map(call, np.stack([x, x + 1])), np.stack([x, x + 1]) * 2)


def test_closed_over_arrays_are_refused_by_jax():
    table = jnp.arange(128.0)
    try:
        pl.pallas_call(lambda o: o.__setitem__(..., table), out_shape=Shape((128,), F32))()
    except ValueError as error:
        assert 'captures constants' in str(error)
    else:
        raise AssertionError('JAX changed its mind')


def test_eager_and_x64_off():
    x = jnp.arange(8, dtype=I32)
    equal(pl.pallas_call(lambda x, o: o.__setitem__(..., x[...] + 1), out_shape=x)(x), np.arange(8) + 1)


def test_lower_and_compile_ahead():
    call = jax.jit(pl.pallas_call(copy_kernel, out_shape=Shape(X.shape, F32)))
    equal(call.lower(Shape(X.shape, F32)).compile()(X), X)


def test_clear_caches():
    call = jax.jit(lambda x: pl.pallas_call(copy_kernel, out_shape=Shape(X.shape, F32))(x))
    equal(call(X), X)
    jax.clear_caches()
    equal(call(X), X)


# ---- control flow and state in kernels ------------------------------------------------------------------------------------------

def test_loops_in_kernels():
    def kernel(n_ref, x_ref, o_ref):
        def body(i, acc):
            return acc + x_ref[pl.ds(i, 1), :]
        o_ref[...] = lax.fori_loop(0, n_ref[0], body, jnp.zeros((1, 256), F32))
    got = pl.pallas_call(kernel, in_specs=[pl.BlockSpec(memory_space=pltpu.SMEM), pl.BlockSpec()], out_shape=Shape((1, 256), F32))(
        np.array([5], np.int32), X)
    close(got, X[:5].sum(0, keepdims=True))


def test_while_with_refs_and_scan():
    def kernel(x_ref, o_ref):
        def body(state):
            i, total = state
            o_ref[pl.ds(i, 1), :] = x_ref[pl.ds(i, 1), :] * 2
            return i + 1, total + 1
        i, total = lax.while_loop(lambda s: s[0] < 16, body, (0, 0))
        carry, ys = lax.scan(lambda c, x: (c + x, c * 2), jnp.float32(0), jnp.arange(4, dtype=F32))
        o_ref[0, 0] = carry + ys[3] + total.astype(F32)
    want = X * 2
    want[0, 0] = 6 + 6 + 16
    equal(pl.pallas_call(kernel, out_shape=Shape(X.shape, F32))(X), want)


def test_cond_switch_and_when():
    def kernel(i_ref, x_ref, o_ref):
        o_ref[...] = lax.switch(i_ref[0], [lambda x: x, lambda x: x * 2, lambda x: x - 1], x_ref[...])

        @pl.when(i_ref[0] > 1)
        def _():
            o_ref[0, 0] = 9.0
    for i in range(3):
        want = [X, X * 2, X - 1][i].copy()
        if i > 1:
            want[0, 0] = 9
        equal(pl.pallas_call(kernel, in_specs=[pl.BlockSpec(memory_space=pltpu.SMEM), pl.BlockSpec()], out_shape=Shape(X.shape, F32))(
            np.array([i], np.int32), X), want)


def test_loop_decorator():
    def kernel(x_ref, o_ref):
        @pl.loop(0, 16, step=2, unroll=2)
        def _(i):
            o_ref[i] = x_ref[i] + 1
            o_ref[i + 1] = x_ref[i + 1] - 1
    equal(pl.pallas_call(kernel, out_shape=Shape(X.shape, F32))(X), X + np.where(np.arange(16) % 2, -1, 1)[:, None])


def test_nested_jit_and_custom_derivatives_in_kernels():
    @jax.jit
    def inner(x):
        return jax.nn.gelu(x) + jax.nn.relu(x) + jax.nn.silu(x)

    def kernel(x_ref, o_ref):
        o_ref[...] = inner(x_ref[...])
    close(pl.pallas_call(kernel, out_shape=Shape(X.shape, F32))(X), inner(X), atol=1e-5)


def test_grad_inside_a_kernel():
    def kernel(x_ref, o_ref):
        o_ref[...] = jax.grad(lambda x: jnp.sum(x * x))(x_ref[...])
    equal(pl.pallas_call(kernel, out_shape=Shape(X.shape, F32))(X), X * 2)


def test_vmap_inside_a_kernel():
    def kernel(x_ref, o_ref):
        o_ref[...] = jax.vmap(lambda row: row - jnp.max(row))(x_ref[...])
    equal(pl.pallas_call(kernel, out_shape=Shape(X.shape, F32))(X), X - X.max(1, keepdims=True))


def test_run_scoped_results_and_nesting():
    def kernel(x_ref, o_ref):
        def outer(a):
            a[...] = x_ref[...] + 1

            def inner(b, sem):
                pltpu.async_copy(a, b, sem).wait()
                return b[0, 0] * 2
            return pl.run_scoped(inner, pltpu.VMEM((16, 256), F32), pltpu.SemaphoreType.DMA)
        o_ref[0, 0] = pl.run_scoped(outer, pltpu.VMEM((16, 256), F32))
    got = pl.pallas_call(kernel, out_specs=pl.BlockSpec(memory_space=pltpu.SMEM), out_shape=Shape((1, 1), F32))(X)
    equal(got, [[(X[0, 0] + 1) * 2]])


def test_with_scoped():
    @pl.with_scoped(pltpu.VMEM((16, 256), F32))
    def kernel(x_ref, o_ref, buffer):
        buffer[...] = x_ref[...] * 4
        o_ref[...] = buffer[...]
    equal(pl.pallas_call(kernel, out_shape=Shape(X.shape, F32))(X), X * 4)


def test_ref_transforms():
    def kernel(x_ref, o_ref, i_ref):
        o_ref.at[0:8, 128:256][...] = x_ref.at[8:16].at[:, 0:128][...]
        o_ref.at[8:16][...] = x_ref.at[0:8][...]
        o_ref[0:8, 0:128] = x_ref.reshape(32, 128)[0:8]
        i_ref[...] = x_ref.bitcast(I32)[...]
    o, i = pl.pallas_call(kernel, out_shape=[Shape(X.shape, F32), Shape(X.shape, I32)])(X)
    want = np.empty_like(X)
    want[0:8, 128:] = X[8:, :128]
    want[8:] = X[:8]
    want[:8, :128] = X.reshape(32, 128)[:8]
    equal(o, want)
    equal(i, X.view(np.int32))


def test_strided_and_dynamic_slices():
    def kernel(n_ref, x_ref, o_ref):
        o_ref[pl.ds(0, 8, stride=2), :] = x_ref[pl.ds(0, 8), :]
        o_ref[pl.ds(1, 8, stride=2), :] = x_ref[pl.ds(n_ref[0], 8), :]
    got = pl.pallas_call(kernel, in_specs=[pl.BlockSpec(memory_space=pltpu.SMEM), pl.BlockSpec()], out_shape=Shape(X.shape, F32))(
        np.array([8], np.int32), X)
    equal(got[::2], X[:8])
    equal(got[1::2], X[8:])


def test_masked_load_and_store():
    def kernel(x_ref, o_ref):
        mask = lax.broadcasted_iota(I32, (16, 256), 0) < 5
        x = pltpu.load(x_ref.at[...], mask=mask)
        o_ref[...] = jnp.zeros_like(o_ref)
        pltpu.store(o_ref.at[...], x, mask=mask)
    got = pl.pallas_call(kernel, out_shape=Shape(X.shape, F32))(X)
    equal(got[:5], X[:5])
    equal(got[5:], 0)


def test_integer_indexing():
    def kernel(x_ref, o_ref):
        o_ref[...] = x_ref[...][jnp.arange(15, -1, -1)]
    equal(pl.pallas_call(kernel, out_shape=Shape(X.shape, F32))(X), X[::-1])


def test_ref_swap_and_addupdate():
    def kernel(x_ref, o_ref):
        o_ref[...] = x_ref[...]
        old = jax.ref.swap(o_ref, (pl.ds(0, 8), slice(None)), jnp.zeros((8, 256), F32))
        jax.ref.addupdate(o_ref, (pl.ds(8, 8), slice(None)), old)
    want = X.copy()
    want[8:] += X[:8]
    want[:8] = 0
    equal(pl.pallas_call(kernel, out_shape=Shape(X.shape, F32))(X), want)


def test_debug_print():
    def kernel(x_ref, o_ref):
        pl.debug_print('x is {} at {}', x_ref[0, 0], pl.program_id(0))
        o_ref[...] = x_ref[...]
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        jax.block_until_ready(pl.pallas_call(kernel, grid=1, out_shape=Shape(X.shape, F32))(X))
    assert out.getvalue() == 'x is -17.0 at 0\n', out.getvalue()


def test_debug_check():
    def kernel(x_ref, o_ref):
        pl.debug_check(x_ref[0, 0] > 0, 'x must be positive')
        o_ref[...] = x_ref[...]
    call = pl.pallas_call(kernel, out_shape=Shape(X.shape, F32))
    equal(call(X), X)  # checks are off by default
    with pl.enable_debug_checks(True):
        try:
            jax.block_until_ready(jax.jit(call)(X))
        except Exception as error:
            assert 'x must be positive' in str(error), error
        else:
            raise AssertionError('the check did not fail')
        equal(jax.jit(call)(X + 100), X + 100)


def test_debug_checks_alone():
    def kernel(x_ref, o_ref, scratch_ref):
        pl.debug_check(x_ref[0, 0] < 0, 'x must be negative')
        o_ref[:8] = x_ref[:8] + 0 * scratch_ref[:8].astype(I32).astype(F32)  # nobody wrote it, nor the rest of the output
    call = pl.pallas_call(kernel, out_shape=Shape(X.shape, F32), scratch_shapes=[pltpu.VMEM(X.shape, BF16)])
    with pl.enable_debug_checks(True):
        equal(jax.jit(call)(X)[:8], X[:8])
        with pallasc.jax.machine():
            equal(jax.jit(call)(X)[:8], X[:8])
        try:
            with pallasc.jax.machine():
                jax.block_until_ready(jax.jit(call)(-X))
        except pallasc.jax.Finding as error:
            assert [finding['kind'] for finding in error.findings] == ['check'], error.findings
        else:
            raise AssertionError('the check did not fail')
        with pallasc.jax.machine():  # one that the program has caught is reported once
            try:
                jax.block_until_ready(jax.jit(lambda x: call(x))(-X))
            except jax.errors.JaxRuntimeError as error:
                assert 'x must be negative' in str(error), error
            else:
                raise AssertionError('the check did not fail')
        try:
            with pallasc.jax.machine(check=True):
                jax.block_until_ready(jax.jit(call)(X))
        except pallasc.jax.Finding as error:
            assert 'never written' in str(error), error
        else:
            raise AssertionError('nothing was found')


# ---- TPU ----------------------------------------------------------------------------------------------------------------------

def call_that_polls(branch):
    def kernel(x_ref, o_ref, buf, sem, ready):
        core = lax.axis_index('core')

        @pl.when(core == 0)
        def _():
            pltpu.async_copy(x_ref, o_ref.at[0], sem).wait()
            pl.semaphore_signal(ready, 1, device_id={'core': 1})

        @pl.when(core == 1)
        def _():
            branch(pl.semaphore_read(ready), lambda: pltpu.async_copy(o_ref.at[0], buf, sem).wait())
            pl.semaphore_wait(ready, 1)
            pltpu.async_copy(x_ref, o_ref.at[1], sem).wait()
    mesh = pltpu.create_tensorcore_mesh('core', num_cores=2)
    scratch = [pltpu.VMEM((8, 128), F32), pltpu.SemaphoreType.DMA, pltpu.SemaphoreType.REGULAR]
    with pallasc.jax.machine(check=True):
        jax.block_until_ready(pl.kernel(kernel, mesh=mesh, out_type=Shape((2, 8, 128), F32), scratch_types=scratch)(jnp.asarray(X[:8, :128])))


def test_what_a_count_proves():
    def nothing():
        pass
    # JAX clamps the index of a switch, and makes numbers of conditions.
    call_that_polls(lambda count, use: lax.switch(count, [nothing, use]))
    call_that_polls(lambda count, use: lax.switch(count, [nothing, use, use]))
    call_that_polls(lambda count, use: pl.when(count >= 1)(use))
    call_that_polls(lambda count, use: lax.cond(jnp.logical_not(count < 1), use, nothing))
    for branch in (lambda count, use: lax.switch(count - 1, [use, nothing]), lambda count, use: pl.when(count >= 0)(use)):
        try:
            call_that_polls(branch)
        except pallasc.jax.Finding as error:
            assert [finding['kind'] for finding in error.findings] == ['race'], error.findings
        else:
            raise AssertionError('nothing was found')


def test_semaphores():
    def kernel(x_ref, o_ref, n_ref, sem, sems):
        pl.semaphore_signal(sem, 3)
        n_ref[0] = pl.semaphore_read(sem)
        pl.semaphore_wait(sem, 2)
        n_ref[1] = pl.semaphore_read(sem)
        pl.semaphore_wait(sem)
        copies = [pltpu.make_async_copy(x_ref.at[pl.ds(8 * i, 8)], o_ref.at[pl.ds(8 * i, 8)], sems.at[i]) for i in range(2)]
        for copy in copies:
            copy.start()
        for copy in copies:
            copy.wait()
    o, n = pl.pallas_call(kernel, out_shape=[Shape(X.shape, F32), Shape((2,), I32)], out_specs=[pl.BlockSpec(), pl.BlockSpec(memory_space=pltpu.SMEM)],
                          scratch_shapes=[pltpu.SemaphoreType.REGULAR, pltpu.SemaphoreType.DMA((2,))])(X)
    equal(o, X)
    equal(n, [3, 1])


def test_copies_of_slices_and_priorities():
    def kernel(x_hbm, o_hbm, buffer, sems):
        def copy(i, slot):
            return pltpu.make_async_copy(x_hbm.at[pl.ds(i * 2, 2), pl.ds(0, 128)], buffer.at[slot], sems.at[slot])
        copy(0, 0).start(priority=1)

        @pl.loop(0, 8)
        def _(i):
            @pl.when(i < 7)
            def _():
                copy(i + 1, (i + 1) % 2).start()
            copy(i, i % 2).wait()
            pltpu.sync_copy(buffer.at[i % 2], o_hbm.at[pl.ds(i * 2, 2)])
    hbm = pl.BlockSpec(memory_space=pltpu.HBM)
    got = pl.pallas_call(kernel, in_specs=[hbm], out_specs=hbm, out_shape=Shape((16, 128), F32),
                         scratch_shapes=[pltpu.VMEM((2, 2, 128), F32), pltpu.SemaphoreType.DMA((2,))])(X)
    equal(got, X[:, :128])


def test_emit_pipeline():
    def kernel(x_hbm, y_hbm, o_hbm):
        def body(x_ref, y_ref, o_ref):
            o_ref[...] = x_ref[...] + y_ref[...] + (pl.program_id(0) * 0).astype(F32)
        spec = pl.BlockSpec((8, 128), lambda i, j: (i, j))
        pltpu.emit_pipeline(body, grid=(2, 2), in_specs=[spec, spec], out_specs=[spec])(x_hbm, y_hbm, o_hbm)
    hbm = pl.BlockSpec(memory_space=pl.ANY)
    call = pl.pallas_call(kernel, in_specs=[hbm, hbm], out_specs=hbm, out_shape=Shape(X.shape, F32))
    equal(jax.jit(call)(X, X), X * 2)


def test_emit_pipeline_accumulates_with_allocations():
    def kernel(x_hbm, o_hbm):
        spec = pl.BlockSpec((8, 256), lambda i: (i, 0))
        out = pl.BlockSpec((8, 256), lambda i: (0, 0))

        def body(x_ref, o_ref):
            @pl.when(pl.program_id(0) == 0)
            def _():
                o_ref[...] = jnp.zeros_like(o_ref)
            o_ref[...] += x_ref[...]
        pipeline, make = pltpu.emit_pipeline_with_allocations(body, grid=(2,), in_specs=[spec], out_specs=[out])
        pl.run_scoped(lambda allocations: pipeline(x_hbm, o_hbm, allocations=allocations), make(x_hbm, o_hbm))
    hbm = pl.BlockSpec(memory_space=pl.ANY)
    close(pl.pallas_call(kernel, in_specs=[hbm], out_specs=hbm, out_shape=Shape((8, 256), F32))(X), X[:8] + X[8:])


def test_tensor_cores():
    mesh = pltpu.create_tensorcore_mesh('core', num_cores=2)

    @jax.jit
    def f(x):
        def inner(refs):
            x_ref, o_ref = refs

            @pl.core_map(mesh)
            def _():
                i = lax.axis_index('core')

                @functools.partial(pl.run_scoped, buffer=pltpu.VMEM((8, 256), F32))
                def _(buffer):
                    pltpu.sync_copy(x_ref.at[pl.ds(i * 8, 8)], buffer)
                    buffer[...] = buffer[...] * 2 + i.astype(F32)
                    pltpu.sync_copy(buffer, o_ref.at[pl.ds(i * 8, 8)])
        return pl.run_state(inner)((x, jnp.zeros_like(x)))[1]
    equal(f(X), X * 2 + np.repeat([0, 1], 8)[:, None])


def test_refs_outside_of_kernels():
    @jax.jit
    def f(x):
        x_ref, o_ref = jax.new_ref(x), pl.empty_ref_like(Shape(x.shape, x.dtype))

        @pl.core_map(pltpu.create_tensorcore_mesh('core', num_cores=1))
        def _():
            pltpu.sync_copy(x_ref, o_ref)
        return jax.freeze(o_ref)
    equal(f(X), X)


def test_kernel_with_refs_passed_in():
    mesh = pltpu.create_tensorcore_mesh('core', num_cores=1)

    @jax.jit
    def f(x):
        state = jax.new_ref(x)

        @pl.kernel(mesh=mesh, out_type=Shape((16, 256), F32), scratch_types=[pltpu.VMEM((16, 256), F32)])
        def kernel(state_ref, o_ref, buffer):
            pltpu.sync_copy(state_ref, buffer)
            buffer[...] += 1
            pltpu.sync_copy(buffer, state_ref)
            pltpu.sync_copy(buffer, o_ref)
        first = kernel(state)
        second = kernel(state)
        return first, second, state[...]
    first, second, state = f(X)
    equal(first, X + 1)
    equal(second, X + 2)
    equal(state, X + 2)


def test_prng():
    def kernel(seed_ref, o_ref):
        pltpu.prng_seed(seed_ref[0])
        o_ref[...] = pltpu.prng_random_bits(o_ref.shape)
    call = pl.pallas_call(kernel, in_specs=[pl.BlockSpec(memory_space=pltpu.SMEM)], out_shape=Shape((8, 128), I32))
    a, b, c = (call(np.array([s], np.int32)) for s in (1, 1, 2))
    equal(a, b)
    assert (np.asarray(a) != np.asarray(c)).mean() > 0.9


def test_pallas_keys_and_stateful_draws():
    def kernel(key_ref, o_ref, n_ref):
        o_ref[...] = jax.random.uniform(key_ref[...], o_ref.shape)
        n_ref[...] = jax.random.normal(jax.random.fold_in(key_ref[...], 3), n_ref.shape)
    key = pltpu.to_pallas_key(jax.random.key(0))
    o, n = pl.pallas_call(kernel, in_specs=[pl.BlockSpec(memory_space=pltpu.SMEM)], out_shape=[Shape((64, 128), F32)] * 2)(key)
    assert 0 <= np.min(o) and np.max(o) < 1 and abs(np.mean(o) - 0.5) < 0.02
    assert abs(np.mean(n)) < 0.05 and abs(np.std(n) - 1) < 0.05


def test_threefry_in_kernels():
    def kernel(key_ref, o_ref):
        key = jax.random.wrap_key_data(key_ref[...], impl='threefry2x32')
        o_ref[...] = jax.random.uniform(jax.random.split(key)[0], o_ref.shape)
    key = jax.random.key(7)
    got = pl.pallas_call(kernel, in_specs=[pl.BlockSpec(memory_space=pltpu.SMEM)], out_shape=Shape((8, 128), F32))(jax.random.key_data(key))
    equal(got, jax.random.uniform(jax.random.split(key)[0], (8, 128)))


def test_key_operands():
    def kernel(key_ref, o_ref):
        o_ref[...] = jax.random.bits(key_ref[()], o_ref.shape)
    key = jax.random.key(3)
    got = jax.jit(lambda k: pl.pallas_call(kernel, in_specs=[pl.BlockSpec(memory_space=pltpu.SMEM)], out_shape=Shape((8, 128), jnp.uint32))(k))(key)
    equal(got, jax.random.bits(key, (8, 128)))


def test_registers_of_the_chip():
    def kernel(x_ref, o_ref, b_ref, p_ref, s_ref):
        x = x_ref[...]
        o_ref[...] = pltpu.roll(x, 3, 1) + pltpu.roll(x, 1, 0, stride=1, stride_axis=1)
        b_ref[...] = pltpu.bitcast(x, jnp.int16)
        p_ref[...] = pltpu.pack_elementwise([x, x + 1], packed_dtype=BF16)
        s_ref[...] = pltpu.unpack_elementwise(p_ref[...], index=1, packed_dtype=BF16, unpacked_dtype=F32)
    o, b, p, s = pl.pallas_call(kernel, out_shape=[Shape((16, 256), F32), Shape((32, 256), jnp.int16), Shape((16, 256), jnp.uint32),
                                                   Shape((16, 256), F32)])(X)
    rolled = np.stack([np.roll(X[:, j], 1 + j) for j in range(256)], 1)
    close(o, np.roll(X, 3, 1) + rolled)
    close(s, np.asarray((X + 1).astype(BF16), np.float32), rtol=1e-2)
    assert b.shape == (32, 256)


def test_stochastic_round_and_reciprocal():
    def kernel(x_ref, o_ref, r_ref):
        bits = jnp.full(x_ref.shape, 0, jnp.uint32)
        o_ref[...] = pltpu.stochastic_round(x_ref[...], bits, target_dtype=BF16)
        r_ref[...] = pl.reciprocal(x_ref[...] + 100, approx=False)
    o, r = pl.pallas_call(kernel, out_shape=[Shape(X.shape, BF16), Shape(X.shape, F32)])(X)
    assert np.all(np.abs(np.asarray(o, np.float32)) <= np.abs(X))
    close(r, 1 / (X + 100))


def test_dot_shapes_and_types():
    for a, b, dims in (((16, 256), (256, 128), (((1,), (0,)), ((), ()))), ((256, 16), (256, 128), (((0,), (0,)), ((), ()))),
                       ((16, 256), (128, 256), (((1,), (1,)), ((), ()))), ((2, 16, 128), (2, 128, 32), (((2,), (1,)), ((0,), (0,))))):
        for dtype in (F32, BF16, jnp.int8):
            x = (np.arange(np.prod(a)) % 5 - 2).reshape(a).astype(dtype)
            y = (np.arange(np.prod(b)) % 7 - 3).reshape(b).astype(dtype)
            out = I32 if dtype == jnp.int8 else F32

            def kernel(x_ref, y_ref, o_ref):
                o_ref[...] = lax.dot_general(x_ref[...], y_ref[...], dims, preferred_element_type=out)
            want = lax.dot_general(x.astype(F32), y.astype(F32), dims)
            equal(np.asarray(pl.pallas_call(kernel, out_shape=Shape(want.shape, out))(x, y), np.float32), want)


def test_einshape_and_shapes():
    def kernel(x_ref, o_ref):
        o_ref[...] = pltpu.einshape('a(bc)->bac', x_ref[...], b=2)
    equal(pl.pallas_call(kernel, out_shape=Shape((2, 16, 128), F32))(X), X.reshape(16, 2, 128).swapaxes(0, 1))


def test_hbm_scratch_and_memory_constraint():
    def kernel(x_ref, o_ref, spill):
        pltpu.sync_copy(x_ref, spill)
        pltpu.sync_copy(spill, o_ref)

    @jax.jit
    def f(x):
        x = pltpu.with_memory_space_constraint(x, pltpu.HBM)
        return pl.pallas_call(kernel, out_shape=Shape(X.shape, F32), scratch_shapes=[pltpu.HBM(X.shape, F32)])(x)
    equal(f(X), X)


def test_async_result_semaphores_between_calls():
    """A copy that one kernel starts and the next one awaits: its semaphore is an output, then an operand."""
    def start(x_ref, o_ref, sem):
        pltpu.make_async_copy(x_ref, o_ref, sem).start()

    def wait(x_ref, o_ref, sem, out):
        pltpu.make_async_copy(x_ref, o_ref, sem).wait()
    hbm, semaphore = pl.BlockSpec(memory_space=pl.ANY), pl.BlockSpec(memory_space=pltpu.SEMAPHORE)

    @jax.jit
    def f(x):
        out, sem = pl.pallas_call(start, in_specs=[hbm], out_specs=[hbm, semaphore],
                                  out_shape=[Shape(X.shape, F32), pltpu.SemaphoreType.DMA(())])(x)
        return pl.pallas_call(wait, in_specs=[hbm, hbm, semaphore], out_specs=hbm, out_shape=Shape(X.shape, F32),
                              input_output_aliases={1: 0})(x, out, sem)
    equal(f(X), X)


# ---- operations -----------------------------------------------------------------------------------------------------------------

UNARY = ('abs neg sign floor ceil exp exp2 log log1p expm1 sqrt rsqrt tanh sin cos tan logistic square cbrt erf is_finite').split()


def test_unary_operations():
    for name in UNARY:
        function = getattr(lax, name)
        x = np.abs(X) + 0.5 if name in ('log', 'log1p', 'sqrt', 'rsqrt', 'cbrt') else X / 8

        def kernel(x_ref, o_ref):
            o_ref[...] = function(x_ref[...]).astype(F32)
        np.testing.assert_allclose(pl.pallas_call(kernel, out_shape=Shape(X.shape, F32))(x), np.asarray(function(x), np.float32), rtol=3e-6,
                                   atol=1e-6, err_msg=name)


BINARY = 'add sub mul div max min pow rem atan2 nextafter eq ne lt le gt ge'.split()


def test_binary_operations():
    y = np.abs(X[::-1]) + 0.25
    for name in BINARY:
        function = getattr(lax, name)
        x = np.abs(X) / 8 if name == 'pow' else X

        def kernel(x_ref, y_ref, o_ref):
            o_ref[...] = function(x_ref[...], y_ref[...] / 8).astype(F32)
        np.testing.assert_allclose(pl.pallas_call(kernel, out_shape=Shape(X.shape, F32))(x, y), np.asarray(function(x, y / 8), np.float32),
                                   rtol=2e-5, atol=1e-6, err_msg=name)


def test_integer_operations():
    x = (np.arange(8 * 128, dtype=np.int32).reshape(8, 128) - 500) * 77773
    for name in 'add sub mul div rem max min bitwise_and bitwise_or bitwise_xor shift_left shift_right_arithmetic shift_right_logical'.split():
        function = getattr(lax, name)
        y = np.abs(x) % 31 + 1

        def kernel(x_ref, y_ref, o_ref):
            o_ref[...] = function(x_ref[...], y_ref[...])
        np.testing.assert_array_equal(pl.pallas_call(kernel, out_shape=Shape(x.shape, I32))(x, y), function(x, y), err_msg=name)
    for function in (lax.population_count, lax.clz, lax.bitwise_not):
        equal(pl.pallas_call(lambda x, o: o.__setitem__(..., function(x[...])), out_shape=Shape(x.shape, I32))(x), function(x))


ARRAYS = {
    'sum': lambda x: jnp.sum(x, 1, keepdims=True), 'max': lambda x: jnp.max(x, 0), 'min': lambda x: jnp.min(x), 'prod': lambda x: jnp.prod(x / 16, 1),
    'argmax': lambda x: jnp.argmax(x, 1), 'argmin': lambda x: jnp.argmin(x, 0), 'any': lambda x: jnp.any(x > 0, 1),
    'all': lambda x: jnp.all(x > -100), 'mean': lambda x: jnp.mean(x, 1), 'var': lambda x: jnp.var(x, 1), 'std': lambda x: jnp.std(x, 0),
    'softmax': lambda x: jax.nn.softmax(x), 'logsumexp': lambda x: jax.scipy.special.logsumexp(x, 1), 'cumsum': lambda x: jnp.cumsum(x, 1),
    'sort': lambda x: jnp.sort(x, 1), 'transpose': lambda x: x.T, 'reshape': lambda x: x.reshape(32, 128), 'concat': lambda x: jnp.concatenate([x, x], 0),
    'where': lambda x: jnp.where(x > 0, x, 0), 'clip': lambda x: jnp.clip(x, -1, 1), 'repeat': lambda x: jnp.repeat(x, 2, 0),
    'tile': lambda x: jnp.tile(x, (2, 1)), 'flip': lambda x: jnp.flip(x, 1), 'pad': lambda x: jnp.pad(x, ((1, 2), (0, 0))),
    'take': lambda x: jnp.take(x, jnp.arange(2) * 2, axis=0), 'take_along': lambda x: jnp.take_along_axis(x, jnp.argsort(x, 1), 1),
    'one_hot': lambda x: jax.nn.one_hot(jnp.arange(8) % 3, 128), 'tril': lambda x: jnp.tril(x), 'triu': lambda x: jnp.triu(x),
    'iota': lambda x: lax.broadcasted_iota(I32, (8, 128), 1), 'split': lambda x: jnp.split(x, 2, 1)[1], 'stack': lambda x: jnp.stack([x, x + 1]),
    'einsum': lambda x: jnp.einsum('ij,kj->ik', x, x), 'matmul': lambda x: x @ x.T, 'outer': lambda x: jnp.outer(x[0], x[1]),
    'isnan': lambda x: jnp.isnan(jnp.log(x)), 'round': lambda x: jnp.round(x), 'mod': lambda x: jnp.mod(x, 3), 'floor_divide': lambda x: x // 3,
    'power': lambda x: x ** 3, 'integer_pow': lambda x: lax.integer_pow(x, 5), 'logaddexp': lambda x: jnp.logaddexp(x, x + 1),
    'dynamic_slice': lambda x: lax.dynamic_slice(x, (3, 4), (8, 128)), 'update': lambda x: lax.dynamic_update_slice(x, x[:2, :2], (3, 4)),
    'at_set': lambda x: x.at[3].set(0.0), 'at_add': lambda x: x.at[jnp.arange(2) * 0].add(1.0), 'squeeze': lambda x: x[None, :, None].squeeze(),
    'top_k': lambda x: lax.top_k(x, 4)[0], 'roll': lambda x: jnp.roll(x, 5, 1), 'expand': lambda x: x[:, None] * x[None, :1],
    'astype': lambda x: x.astype(BF16).astype(I32), 'bitcast': lambda x: lax.bitcast_convert_type(x, jnp.uint32),
    'reduce_precision': lambda x: lax.reduce_precision(x, 8, 7), 'diff': lambda x: jnp.diff(x, axis=1), 'meshgrid': lambda x: jnp.meshgrid(x[0], x[1, :4])[0],
    'cummax': lambda x: lax.cummax(x, 1), 'gelu': lambda x: jax.nn.gelu(x, approximate=False), 'reduce_window': lambda x: lax.reduce_window(
        x, -np.inf, lax.max, (2, 2), (2, 2), 'VALID'), 'searchsorted': lambda x: jnp.searchsorted(x[0], x[1]),
    'conv': lambda x: jnp.convolve(x[0], x[1, :5]), 'select_n': lambda x: lax.select_n(x > 0, x, -x), 'bincount': lambda x: jnp.bincount(jnp.arange(9) % 4, length=4),
    'layer_norm': lambda x: (x - x.mean(-1, keepdims=True)) * lax.rsqrt(x.var(-1, keepdims=True) + 1e-5),
}


def test_functions_of_arrays():
    wrong = []
    for name, function in ARRAYS.items():
        want = jax.jit(function)(X)

        def kernel(x_ref, o_ref):
            o_ref[...] = function(x_ref[...])
        try:
            got = pl.pallas_call(kernel, out_shape=Shape(want.shape, want.dtype))(X)
            np.testing.assert_allclose(np.asarray(got, np.float64), np.asarray(want, np.float64), rtol=1e-4, atol=1e-4)
        except Exception as error:
            wrong.append(f'{name}: {type(error).__name__}: {str(error)[:300]}')
    assert not wrong, '\n'.join(wrong)


def test_divisions_that_round_down():
    """Of scalars and arrays, by numbers of both signs: what a jaxpr has written out."""
    numbers = np.arange(-64, 64, dtype=np.int32).reshape(8, 16)
    divisors = (1, 2, 3, 4, 7, 8, -3, -4)

    def kernel(n_ref, x_ref, scalars_ref, o_ref):
        for k, by in enumerate(divisors):
            scalars_ref[0, k], scalars_ref[1, k] = n_ref[0] // by, n_ref[0] % by
            o_ref[0, k], o_ref[1, k] = x_ref[...] // by, x_ref[...] % by
    smem = pl.BlockSpec(memory_space=pltpu.SMEM)
    shapes = [jax.ShapeDtypeStruct((2, len(divisors), *rest), jnp.int32) for rest in ((), numbers.shape)]
    call = jax.jit(pl.pallas_call(kernel, in_specs=[smem, pl.BlockSpec()], out_specs=(smem, pl.BlockSpec()), out_shape=shapes))
    for n in (-9, -8, -1, 0, 1, 7, 8, np.iinfo(np.int32).min, np.iinfo(np.int32).max):
        scalars, arrays = call(np.array([n], np.int32), numbers)
        np.testing.assert_array_equal(scalars, [[n // by for by in divisors], [n % by for by in divisors]])
    np.testing.assert_array_equal(arrays, [[numbers // by for by in divisors], [numbers % by for by in divisors]])
