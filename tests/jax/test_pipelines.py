# SPDX-License-Identifier: Apache-2.0
"""Pipelines in kernels out of a live JAX, as JAX expands them and as the one equation that they are under jax_use_emit_pipeline_primitive."""
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax
from jax._src import config
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu

import pallasc
import pallasc.jax

F32, I32 = jnp.float32, jnp.int32
Shape = jax.ShapeDtypeStruct
ANY = pl.BlockSpec(memory_space=pl.ANY)
equal = np.testing.assert_array_equal


def both_ways(test):
    """Runs a test with the equation and without it."""
    def run():
        for is_primitive in (False, True):
            with config.use_emit_pipeline_primitive(is_primitive):
                test()
    return run


def mesh(cores):
    return pltpu.create_tensorcore_mesh('core', num_cores=cores)


@both_ways
def test_steps_know_where_they_are():
    """Sizes and indices of a grid, of which one dimension is known at run time, in the body and in an index map with a constant."""
    def kernel(n, x_ref, o_ref):
        shift = jnp.int32(17)

        def body(x_ref, o_ref):
            o_ref[...] = x_ref[...] + 10 * pl.num_programs(1) + pl.program_id(1)
        pltpu.emit_pipeline(body, grid=(1, n[0]), in_specs=[pl.BlockSpec((8, 128), lambda _, i: (0, pl.num_programs(1) - 1 - i + shift - 17))],
                            out_specs=[pl.BlockSpec((8, 128), lambda _, i: (0, i))])(x_ref, o_ref)
    x = jnp.arange(8 * 512, dtype=I32).reshape(8, 512)
    got = jax.jit(pl.pallas_call(kernel, out_shape=x, in_specs=[pl.BlockSpec(memory_space=pltpu.SMEM), ANY], out_specs=ANY))(jnp.array([4]), x)
    equal(got, (x.reshape(8, 4, 128)[:, ::-1] + 40 + np.arange(4)[:, None]).reshape(8, 512))


@both_ways
def test_nested():
    def outer(ins, outs):
        memory = jax.empty_ref(Shape((256,), F32), memory_space=pltpu.VMEM)
        memory[...] = ins[0][0][...] + ins[1][...]

        def inner(x_ref, o_ref):
            o_ref[...] = x_ref[...] * 2 + pl.program_id(0)
        block = pl.BlockSpec((128,), lambda i: (i,))
        pltpu.emit_pipeline(inner, grid=(2,), in_specs=[block], out_specs=[block])(memory, outs)

    def kernel(x_ref, y_ref, o_ref):
        block = pl.BlockSpec((256,), lambda i: (i,))
        pltpu.emit_pipeline(outer, grid=(2,), in_specs=([(block,), block],), out_specs=(block,))([(x_ref.at[1],), y_ref], o_ref)
    x = jnp.arange(1024.).reshape(2, 512)
    got = jax.jit(pl.kernel(kernel, out_type=Shape((512,), F32), mesh=mesh(1)))(x, x[0])
    equal(got, 2 * (x[0] + x[1]) + np.repeat(np.tile([0, 1], 2), 128))


@both_ways
def test_last_blocks_leave_their_array():
    """What a block has outside of its array is not there to be copied, however it is buffered; a copy of the program is not clipped."""
    def double(x_ref, o_ref):
        o_ref[...] = x_ref[...] * 2

    def doubled(x, block, grid, index_map, out_mode=None, **options):
        def kernel(x_ref, o_ref):
            pltpu.emit_pipeline(double, grid=grid, in_specs=[pl.BlockSpec(block, index_map, pipeline_mode=options.pop("mode", None))],
                                out_specs=[pl.BlockSpec(block, index_map, pipeline_mode=out_mode)], **options)(x_ref, o_ref)
        with pallasc.jax.machine(check=True):
            return jax.jit(pl.pallas_call(kernel, in_specs=[ANY], out_specs=ANY, out_shape=x))(x)
    x = jnp.arange(20. * 200).reshape(20, 200)
    tiles = (8, 128), (3, 2), lambda i, j: (i, j)
    equal(doubled(x, *tiles), x * 2)
    equal(doubled(x, *tiles, out_mode=pl.Buffered(1)), x * 2)
    equal(doubled(x, *tiles, mode=pl.Buffered(3, use_lookahead=True)), x * 2)
    equal(doubled(x, *tiles, trace_scopes=False), x * 2)
    equal(doubled(x[:4, :100], (8, 128), (1,), lambda i: (0, 0)), x[:4, :100] * 2)
    equal(doubled(x.reshape(2, 10, 200), (None, 8, 128), (2, 2, 2), lambda b, i, j: (b, i, j)), x.reshape(2, 10, 200) * 2)

    def copies(x_ref, o_ref):
        pltpu.sync_copy(x_ref.at[pl.ds(pl.program_id(0) + 16, 8)], o_ref)
    with pytest.raises(pallasc.OutOfBoundsError), pallasc.jax.machine(check=True):
        jax.jit(pl.pallas_call(copies, grid=(1,), in_specs=[ANY], out_specs=ANY, out_shape=Shape((8, 200), F32)))(x)


@both_ways
def test_shared_by_cores():
    def kernel(x_ref, o_ref):
        def body(x_ref, o_ref):
            o_ref[...] = x_ref[...] + lax.axis_index('core')
        block = pl.BlockSpec((8, 128), lambda i: (0, i))
        pltpu.emit_pipeline(body, grid=(5,), in_specs=[block], out_specs=[block], core_axis_name='core',
                            dimension_semantics=(pltpu.PARALLEL,))(x_ref, o_ref)
    x = jnp.arange(8 * 640, dtype=I32).reshape(8, 640)
    equal(jax.jit(pl.kernel(kernel, out_type=x, mesh=mesh(2)))(x), x + np.repeat([0, 0, 0, 1, 1], 128))


@both_ways
def test_keys():
    def draw(key_ref, o_ref):
        o_ref[...] = jax.random.uniform(key_ref[...], shape=o_ref.shape)

    def kernel(key_ref, o_ref):
        pltpu.emit_pipeline(draw, grid=(), in_specs=[pl.BlockSpec(memory_space=pltpu.SMEM)], out_specs=[pl.BlockSpec(memory_space=pltpu.VMEM)])(
            key_ref, o_ref)
    key, spec = pltpu.to_pallas_key(jax.random.key(0)), pl.BlockSpec(memory_space=pltpu.HBM)
    alone = jax.jit(pl.pallas_call(draw, out_shape=Shape((8, 128), F32), in_specs=[pl.BlockSpec(memory_space=pltpu.SMEM)]))(key)
    equal(jax.jit(pl.pallas_call(kernel, out_shape=Shape((8, 128), F32), in_specs=[spec], out_specs=spec))(key), alone)


@both_ways
def test_poisoned_buffers():
    def kernel(x_ref, o_ref):
        def body(x_ref, o_ref):
            o_ref[:4] = x_ref[:4]
        block = pl.BlockSpec((8, 128), lambda i: (0, 0))
        pltpu.emit_pipeline(body, grid=(1,), in_specs=block, out_specs=block)(x_ref, o_ref)
    for dtype, left in ((F32, np.nan), (I32, np.iinfo(np.int32).min), (jnp.int8, -128)):
        with config.jax_pallas_poison_buffers(True):
            got = jax.jit(pl.kernel(kernel, out_type=Shape((8, 128), dtype), mesh=mesh(1)))(jnp.ones((8, 128), dtype))
        equal(got, np.concatenate([np.ones((4, 128)), np.full((4, 128), left)]))


def test_poisoned_memory_of_a_kernel():
    def kernel(o_ref):
        ref = jax.empty_ref(jax.ShapeDtypeStruct(o_ref.shape, o_ref.dtype), memory_space=pltpu.VMEM)
        ref[:4] = jnp.ones((4, 128), o_ref.dtype)
        o_ref[...] = ref[...]
    for dtype, left in ((F32, np.nan), (I32, np.iinfo(np.int32).min), (jnp.bool_, True)):
        with config.jax_pallas_poison_buffers(True):
            got = jax.jit(pl.pallas_call(kernel, out_shape=Shape((8, 128), dtype)))()
        equal(got, np.concatenate([np.ones((4, 128)), np.full((4, 128), left)]))
