# SPDX-License-Identifier: Apache-2.0
"""Suites that are written for JAX's interpreters: their calls come to us, their parameters are taken, pytest's plugin wraps each test."""
import functools
import importlib.util
import os
import pathlib
import subprocess
import sys

import jax
import numpy as np
from jax._src.pallas.mosaic.interpret import interpret_pallas_call as interpreter
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu
from jax.experimental.pallas import tpu_sc as plsc

import pallasc.jax
from logs import logged

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
ROOT = pathlib.Path(pallasc.jax.__file__).resolve().parents[3]


def double(x, interpret):
    return pl.pallas_call(lambda x, o: o.__setitem__(..., x[...] * 2), out_shape=x, interpret=interpret)(x)


def is_ours(f, *args):
    return 'pallasc_call' in jax.jit(f).lower(*args).as_text()


def test_params_of_the_interpreter():
    for params in (True, pltpu.InterpretParams(), pltpu.InterpretParams(dma_execution_mode='eager', uninitialized_memory='zero'),
                   pltpu.InterpretParams(random_seed=3, num_cores_or_threads=2)):
        with pallasc.jax.machine(replace_interpret=True):
            call = lambda x: double(x, params)
            assert is_ours(call, X)
            np.testing.assert_array_equal(jax.jit(call)(X), X * 2)
            np.testing.assert_array_equal(jax.lax.scan(lambda c, _: (call(c), None), X, length=2)[0], X * 4)
    assert not is_ours(lambda x: double(x, pltpu.InterpretParams()), X)


def test_packed_elements_of_an_interpreted_call():
    x = jax.numpy.arange(-8, 8, dtype=jax.numpy.int4)
    call = lambda x: pl.pallas_call(lambda x, o: o.__setitem__(slice(0, 8), x[8:]), out_shape=x, interpret=pltpu.InterpretParams())(x)
    with pallasc.jax.machine(replace_interpret=True):
        assert is_ours(call, x)
        ours = jax.jit(call)(x)
    np.testing.assert_array_equal(ours.astype(np.int32), [*range(8), *[7] * 8])


def test_forced_mode():
    with pallasc.jax.machine(replace_interpret=True), pltpu.force_tpu_interpret_mode():
        assert is_ours(lambda x: double(x, False), X)
        np.testing.assert_array_equal(jax.jit(lambda x: double(x, False))(X), X * 2)


def racing(x, waits_first):
    def kernel(x_ref, o_ref, sem):
        copy = pltpu.make_async_copy(x_ref, o_ref, sem)
        copy.start()
        if waits_first:
            copy.wait()
        o_ref[0, 0] = 7.0
        if not waits_first:
            copy.wait()
    return pl.pallas_call(kernel, out_shape=x, scratch_shapes=[pltpu.SemaphoreType.DMA], interpret=pltpu.InterpretParams(detect_races=True))(x)


def test_races_are_told_as_by_jax():
    with pallasc.jax.machine(replace_interpret=True):
        for waits_first in (True, False):
            jax.block_until_ready(jax.jit(racing, static_argnums=1)(X, waits_first))
            assert interpreter.races.races_found is not waits_first


def test_what_a_compiled_kernel_cannot_do_is_interpreted():
    points = []

    def record(token, point, core):
        points.append(point)
        return token
    for params in (pltpu.InterpretParams(grid_point_recorder=record), pltpu.InterpretParams(skip_floating_point_ops=True)):
        with pallasc.jax.machine(replace_interpret=True):
            call = lambda x: double(x, params)
            assert not is_ours(call, X)
            got = jax.jit(call)(X)
        assert (got == X * 2).all() or np.isinf(got).all()
        try:
            with pallasc.jax.machine(replace_interpret=True, check=True):
                double(X, params)
        except NotImplementedError as error:
            assert 'under check' in str(error)
        else:
            raise AssertionError('it was not refused under check')
    assert points


def leaves_most(x, params):
    """Writes a row of each block of one result, none of the second, and adds up in scratch that nobody has cleared."""
    def kernel(x_ref, row_ref, none_ref, sum_ref, f32_ref, i32_ref):
        row_ref[pl.program_id(0), :] = x_ref[0, :]
        f32_ref[0, :] = x_ref[0, :]
        sum_ref[...] = f32_ref[...] + i32_ref[...].astype(np.float32)
    block = pl.BlockSpec((8, 128), lambda i: (0, 0))
    return pl.pallas_call(kernel, grid=(2,), in_specs=[pl.BlockSpec((8, 128), lambda i: (i, 0))], out_specs=[block] * 3,
                          out_shape=[x, jax.ShapeDtypeStruct((8, 128), np.int16), x],
                          scratch_shapes=[pltpu.VMEM((8, 128), np.float32), pltpu.VMEM((8, 128), np.int32)], interpret=params)(jax.numpy.tile(x, (2, 1)))


def test_memory_that_nobody_wrote():
    for memory in ('nan', 'zero'):
        call = lambda x: leaves_most(x, pltpu.InterpretParams(uninitialized_memory=memory))
        with pallasc.jax.machine(replace_interpret=True):
            assert is_ours(call, X)
            ours, several = jax.jit(call)(X), jax.jit(jax.vmap(call))(np.stack([X, X + 1]))
        for mine, of_several, jaxs in zip(ours, several, call(X)):
            np.testing.assert_array_equal(mine, jaxs)
            np.testing.assert_array_equal(of_several[0], jaxs)


def promises():
    """Calls whose results have what JAX's interpreter promises of memory that nobody has written."""
    spec = lambda index: pl.BlockSpec((8, 128), index)
    whole, first = lambda x, o: o.__setitem__(..., x[...]), lambda x, o: o.__setitem__(0, x[0])
    in_order, one_later = lambda i: (i, 0), lambda i: (jax.numpy.maximum(i - 1, 0), 0)
    twice = lambda i: (i % 2, 0)

    def start(x, o):
        @pl.when(pl.program_id(0) == 0)
        def _():
            whole(x, o)

    def scratch(x, o, f32, i32, flag):
        o[...] = jax.numpy.where(jax.numpy.isnan(f32[...]), 1.0, 0.0) + i32[...] + flag[0, 0]
        f32[...], i32[...] = x[...], jax.numpy.zeros((8, 128), np.int32)
    memory = [pltpu.VMEM((8, 128), np.float32), pltpu.VMEM((8, 128), np.int32), pltpu.SMEM((1, 1), np.int8)]

    def call(kernel, rows, dtype=np.float32, index=in_order, out_index=in_order, out_rows=16, steps=2, **more):
        def run(interpret):
            x = jax.numpy.arange(rows * 128).reshape(rows, 128).astype(dtype)
            f = pl.pallas_call(kernel, grid=(steps,), in_specs=[spec(index)], out_specs=spec(out_index), interpret=interpret,
                               out_shape=jax.ShapeDtypeStruct((out_rows, 128), dtype), **more)
            return jax.jit(f)(x), jax.jit(jax.vmap(f))(jax.numpy.stack([x, x[::-1]]))
        return run
    for dtype in (np.float32, jax.numpy.bfloat16, np.int32, np.int8, np.uint8, np.bool_):
        yield call(whole, 10, dtype)
    yield call(first, 16)
    yield call(first, 16, np.int16)
    yield call(first, 10, out_rows=10)
    yield call(first, 32, out_rows=32, input_output_aliases={0: 0})
    yield call(whole, 32, index=one_later, out_rows=32, steps=4, input_output_aliases={0: 0})
    yield call(start, 32, out_index=twice, steps=4)
    yield call(whole, 32, out_index=twice, steps=3, out_rows=32)
    yield call(lambda x, o: None, 16)
    yield call(scratch, 16, scratch_shapes=memory)


def test_what_interpret_true_promises():
    for call in promises():
        with pallasc.jax.machine(replace_interpret=True):
            ours = call(True)
        for mine, jaxs in zip(ours, call(True)):
            np.testing.assert_array_equal(mine.astype(np.float32), jaxs.astype(np.float32))


def test_when_copies_are_made():
    """A kernel that does not wait: the copy is there if it is made early alone."""
    def kernel(x_ref, o_ref, seen_ref, sem):
        seen_ref[...] = jax.numpy.zeros((8, 128), np.float32)
        copy = pltpu.make_async_copy(x_ref, seen_ref, sem)
        copy.start()
        o_ref[...] = seen_ref[...]
        copy.wait()
    for mode, expected in (('eager', X), ('on_wait', 0 * X)):
        with pallasc.jax.machine(replace_interpret=True):
            got = jax.jit(pl.pallas_call(kernel, out_shape=X, scratch_shapes=[pltpu.VMEM((8, 128), np.float32), pltpu.SemaphoreType.DMA],
                                         in_specs=[pl.BlockSpec(memory_space=pl.ANY)], interpret=pltpu.InterpretParams(dma_execution_mode=mode)))(X)
        np.testing.assert_array_equal(got, expected)


def test_what_is_not_supported_stays_with_the_interpreter():
    x = np.arange(8).astype(np.float32)

    def asks_python(x, interpret):
        return pl.pallas_call(lambda x, o: o.__setitem__(..., jax.pure_callback(lambda a: a * 2, jax.ShapeDtypeStruct((8,), np.float32), x[...])),
                              out_shape=x, interpret=interpret)(x)
    for params in (True, pltpu.InterpretParams()):
        with pallasc.jax.machine(replace_interpret=True), logged() as told:
            got = jax.jit(lambda x: asks_python(asks_python(x, params), params))(x)
        np.testing.assert_array_equal(got, x * 4)
        if params is True:
            assert any("stays with JAX's interpreter" in line and 'pure_callback' in line for line in told)
    for settings in ({}, dict(replace_interpret=True, check=True)):
        try:
            with pallasc.jax.machine(**settings):
                asks_python(x, bool(settings))
        except NotImplementedError as error:
            assert 'pure_callback' in str(error)
        else:
            raise AssertionError('it was not refused')


def test_shapes_that_are_not_known_stay_with_the_interpreter():
    def double(x, interpret):
        spec = pl.BlockSpec((8, 128), lambda i: (i, 0))
        return pl.pallas_call(lambda x_ref, o_ref: o_ref.__setitem__(..., x_ref[...] * 2), grid=(x.shape[0] // 8,), in_specs=[spec], out_specs=spec,
                              out_shape=x, interpret=interpret)(x)

    def exported(interpret):
        rows, = jax.export.symbolic_shape('rows', constraints=['rows >= 1'])
        return jax.export.export(jax.jit(lambda x: double(x, interpret)))(jax.ShapeDtypeStruct((rows * 8, 128), np.float32))
    x = np.arange(24 * 128, dtype=np.float32).reshape(24, 128)
    with pallasc.jax.machine(replace_interpret=True):
        np.testing.assert_array_equal(exported(True).call(x), x * 2)
    try:
        exported(False)
    except NotImplementedError as error:
        assert 'f32[8*rows,128]' in str(error).replace('float32', 'f32') and 'test_interpret.py' in str(error), error
    else:
        raise AssertionError('it was not refused')


def test_reads_out_of_bounds_that_are_no_fault():
    """Under out_of_bounds_reads="uninitialized" they give what uninitialized_memory says."""
    smem, vmem = pl.BlockSpec(memory_space=pltpu.SMEM), pl.BlockSpec(memory_space=pltpu.VMEM)

    def f(start, x):
        params = pltpu.InterpretParams(out_of_bounds_reads='uninitialized')
        return pl.pallas_call(lambda i, x, o: o.__setitem__(..., x[pl.ds(i[0], 8), :]), out_shape=x, in_specs=[smem, vmem], interpret=params)(start, x)
    with pallasc.jax.machine(replace_interpret=True):
        y = np.asarray(f(np.array([6], np.int32), X))
    np.testing.assert_array_equal(y[:2], X[6:])
    assert np.isnan(y[2:]).all()


def test_accesses_out_of_bounds_fail_the_call():
    """Reads, writes, copies and blocks; what is inside, masked or not reached does not."""
    smem, vmem, hbm = (pl.BlockSpec(memory_space=space) for space in (pltpu.SMEM, pltpu.VMEM, pl.ANY))
    params = pltpu.InterpretParams()

    def call(kernel, spec=vmem, **options):
        return pl.pallas_call(kernel, out_shape=X, in_specs=[smem, spec], interpret=params, **options)

    def copy(i, x, o, sem):
        pltpu.async_copy(x.at[pl.ds(i[0], 4)], o.at[0:4], sem).wait()
        pltpu.async_copy(x.at[0:4], o.at[4:8], sem).wait()

    def reached(i, x, o):
        o[...] = x[...]

        @pl.when(i[0] < 5)
        def _():
            o[0, :] = x[i[0], :]
            o[pl.ds(i[0], 4), :] = x[pl.ds(i[0], 4), :]

    def read(i, x, o):
        o[...] = x[...]
        o[0, :] = x[i[0], :]

    def write(i, x, o):
        o[...] = x[...]
        o[pl.ds(i[0], 4), :] = x[0:4, :]

    def turn(i, x, o):
        o[...] = x[...]
        jax.lax.fori_loop(0, 8, lambda k, _: o.__setitem__((k, slice(None)), x[k + i[0], :]), None)
    blocks = pl.pallas_call(lambda i, x, o: o.__setitem__(..., x[...]), out_shape=X, interpret=params,
                            grid_spec=pltpu.PrefetchScalarGridSpec(num_scalar_prefetch=1, grid=(2,), out_specs=pl.BlockSpec((4, 128), lambda k, i: (k, 0)),
                                                                   in_specs=[pl.BlockSpec((4, 128), lambda k, i: (k + i[0], 0))]))
    cores = pl.kernel(read, out_type=jax.ShapeDtypeStruct(X.shape, X.dtype), mesh=pltpu.create_tensorcore_mesh('core', num_cores=1), interpret=params)
    for name, f, good, bad in (('copy', call(copy, hbm, out_specs=hbm, scratch_shapes=[pltpu.SemaphoreType.DMA]), 4, 5), ('read', call(read), 7, -1),
                               ('write', call(write), 4, 6), ('turn', call(turn), 0, 1), ('blocks', blocks, 0, 1), ('reached', call(reached), 9, None),
                               ('cores', lambda i, x: cores(jax.numpy.asarray(i), x), 3, 8)):
        with pallasc.jax.machine(replace_interpret=True):
            assert is_ours(f, np.array([good], np.int32), X) or name == 'cores'
            jax.block_until_ready(jax.jit(f)(np.array([good], np.int32), X))
        if bad is None:
            continue
        with pallasc.jax.machine(replace_interpret=True):  # a test that expects JAX's exception goes on behind it
            try:
                jax.block_until_ready(jax.jit(f)(np.array([bad], np.int32), X))
            except (jax.errors.JaxRuntimeError, ValueError) as error:  # of a program that has run before
                assert 'out of bounds' in str(error).lower().replace('-', ' '), (name, error)
            else:
                raise AssertionError(f'{name} is not found')
        try:
            with pallasc.jax.machine(replace_interpret=True):
                jax.block_until_ready(jax.jit(f)(np.array([bad], np.int32), X))
        except pallasc.OutOfBoundsError as error:
            assert error.findings[0]['file'].endswith('test_interpret.py'), error.findings
        else:
            raise AssertionError(f'{name} is not found')


def test_a_parallel_dimension_of_unknown_size():
    """JAX's interpreter shuffles it, so it refuses."""
    @jax.jit
    def f(n):
        return pl.pallas_call(lambda o: o.__setitem__(0, 1.0), out_shape=jax.ShapeDtypeStruct((1,), np.float32), grid=(n,),
                              out_specs=pl.BlockSpec((1,), lambda _: (0,)), interpret=pltpu.InterpretParams(),
                              compiler_params=pltpu.CompilerParams(dimension_semantics=('parallel',)))()
    try:
        with pallasc.jax.machine(replace_interpret=True):
            f(3)
    except jax.errors.ConcretizationTypeError:
        pass
    else:
        raise AssertionError('it was not refused')


def test_semaphores_of_interpret_true():
    """They count elements, and a wait for more than there are does not block: that is JAX's interpreter's, and stays with it."""
    def kernel(o_ref, sem):
        pl.semaphore_signal(sem, 1)
        pl.semaphore_wait(sem, 4)
        o_ref[0, 0] = pl.semaphore_read(sem)
    with pallasc.jax.machine(replace_interpret=True):
        got = pl.pallas_call(kernel, out_shape=jax.ShapeDtypeStruct((1, 1), np.int32), scratch_shapes=[pltpu.SemaphoreType.REGULAR], interpret=True)()
    assert got[0, 0] == -3


def test_semaphores_between_interpreted_calls():
    """A scalar subcore starts the copy into VMEM of a TensorCore, and gives its semaphore on; the kernel there awaits the copy."""
    subcore, core = plsc.ScalarSubcoreMesh(axis_name='core', num_cores=1), pltpu.create_tensorcore_mesh('tc', num_cores=1)

    def send(x_ref, there_ref, arrived, sent):
        pltpu.async_remote_copy(x_ref, there_ref, sent, arrived, device_id={'tc': 0}).wait_send()

    def take(x_ref, here_ref, arrived):
        pltpu.make_async_copy(x_ref, here_ref, arrived).wait()
        here_ref[...] += 1
    for interpret in (True, pltpu.InterpretParams()):
        @jax.jit
        def run(x):
            x_ref, on_core = jax.new_ref(x), (pltpu.VMEM(x.shape, x.dtype) @ core, pltpu.SemaphoreType.DMA(()) @ core)
            made = pl.kernel(send, mesh=subcore, out_type=on_core, scratch_types=[pltpu.SemaphoreType.DMA(())], interpret=interpret)(x_ref)
            out_ref, arrived = map(jax.new_ref, made)
            pl.kernel(take, mesh=core, interpret=interpret)(x_ref, out_ref, arrived)
            return jax.freeze(out_ref)
        with pallasc.jax.machine(replace_interpret=True):
            np.testing.assert_array_equal(run(X), X + 1)


def test_copies_between_devices_of_interpret_true():
    """They are collectives: what is written before one of them is written on every device."""
    count = jax.device_count()

    def kernel(x_ref, o_ref, sent, received):
        o_ref[...] = jax.numpy.zeros((8, 128), np.float32)
        target = jax.lax.rem(jax.lax.axis_index('x') + 1, count)
        pltpu.async_remote_copy(x_ref, o_ref, sent, received, device_id=target, device_id_type=pl.DeviceIdType.LOGICAL).wait()
    call = pl.pallas_call(kernel, out_shape=X, in_specs=[pl.BlockSpec(memory_space=pl.ANY)], scratch_shapes=[pltpu.SemaphoreType.DMA] * 2, interpret=True)
    x = np.arange(count * 1024, dtype=np.float32).reshape(count * 8, 128)
    mesh = jax.make_mesh((count,), ('x',), axis_types=(jax.sharding.AxisType.Auto,))
    with pallasc.jax.machine(replace_interpret=True):
        got = jax.jit(jax.shard_map(call, mesh=mesh, in_specs=jax.P('x'), out_specs=jax.P('x'), check_vma=False))(x)
    np.testing.assert_array_equal(got, np.roll(x, 8, 0))


def test_copies_between_devices_that_an_interpreter_does_not_take():
    """Of several axes, or with an id for each of them."""
    def kernel(x_ref, o_ref, sent, received):
        other = 1 - jax.lax.axis_index('y')
        pltpu.async_remote_copy(x_ref, o_ref, sent, received, device_id=(jax.lax.axis_index('x'), other)).wait()
    call = pl.pallas_call(kernel, out_shape=X, in_specs=[pl.BlockSpec(memory_space=pl.ANY)], scratch_shapes=[pltpu.SemaphoreType.DMA] * 2,
                          out_specs=pl.BlockSpec(memory_space=pl.ANY), interpret=True)
    mesh = jax.make_mesh((2, 2), ('x', 'y'), axis_types=(jax.sharding.AxisType.Auto,) * 2)
    f = jax.jit(jax.shard_map(call, mesh=mesh, in_specs=jax.P(('x', 'y')), out_specs=jax.P(('x', 'y')), check_vma=False))
    x = np.arange(4 * 1024, dtype=np.float32).reshape(4, 8, 128)
    with pallasc.jax.machine(replace_interpret=True):
        got = f(x.reshape(32, 128))
    np.testing.assert_array_equal(np.asarray(got).reshape(4, 8, 128), x[[1, 0, 3, 2]])


def test_interpreted_calls_have_no_effects():
    """So they may stand where JAX takes none: under remat, in a rule of custom_vjp, in a loop that is differentiated."""
    @jax.custom_vjp
    def cube(x):
        return pl.pallas_call(lambda x, o: o.__setitem__(..., x[...] ** 3), out_shape=x, interpret=pltpu.InterpretParams())(x)

    def backward(x, g):
        return (pl.pallas_call(lambda x, g, o: o.__setitem__(..., 3 * x[...] ** 2 * g[...]), out_shape=x, interpret=pltpu.InterpretParams())(x, g),)
    cube.defvjp(lambda x: (cube(x), x), backward)
    x = jax.numpy.linspace(0.5, 1, 1024).reshape(8, 128)
    with pallasc.jax.machine(replace_interpret=True):
        np.testing.assert_allclose(jax.grad(jax.checkpoint(lambda x: cube(cube(x)).sum()))(x), 9 * x ** 8, rtol=1e-5)
        np.testing.assert_allclose(jax.jit(jax.grad(lambda x: jax.lax.scan(lambda c, _: (cube(c), None), x, length=2)[0].sum()))(x), 9 * x ** 8, rtol=1e-5)
        assert not jax.make_jaxpr(cube)(x).effects
    assert jax.make_jaxpr(lambda x: cube(x) + 1)(x).effects


SUITE = '''
import unittest
import jax, jax.numpy as jnp, numpy as np
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu
x = np.ones((8, 128), np.float32)

def test_good():
    y = pl.pallas_call(lambda x, o: o.__setitem__(..., x[...] * 2), out_shape=x, interpret=True)(x)
    np.testing.assert_array_equal(y, x * 2)

def test_reads_what_nobody_wrote():
    def kernel(x_ref, o_ref, s_ref):
        o_ref[...] = s_ref[...]
    jax.block_until_ready(pl.pallas_call(kernel, out_shape=x, scratch_shapes=[pltpu.VMEM((8, 128), jnp.float32)])(x))

class TestOfUnittest(unittest.TestCase):
    def test_reads_what_nobody_wrote(self):
        test_reads_what_nobody_wrote()

    def test_fails(self):
        self.assertEqual(1, 2)

    def test_is_left_out(self):
        self.skipTest('why')
'''


FIXTURES = '''
import jax, jax.numpy as jnp, numpy as np, pytest
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu
x = np.ones((8, 128), np.float32)

def reads_what_nobody_wrote():
    def kernel(x_ref, o_ref, s_ref):
        o_ref[...] = s_ref[...]
    return jax.block_until_ready(pl.pallas_call(kernel, out_shape=x, scratch_shapes=[pltpu.VMEM((8, 128), jnp.float32)])(x))

@pytest.fixture
def each():
    return reads_what_nobody_wrote()

@pytest.fixture(scope="module")
def all_of_them():
    return reads_what_nobody_wrote()

@pytest.fixture
def behind():
    yield x
    reads_what_nobody_wrote()

def test_for_each(each):
    assert each.shape == x.shape

def test_for_all(all_of_them):
    assert all_of_them.shape == x.shape

def test_behind(behind):
    assert behind is x
'''


def test_plugin(tmp_path):
    assert importlib.util.find_spec('pytest'), 'this test needs pytest'
    (tmp_path / 'test_suite.py').write_text(SUITE)
    environment = {**os.environ, 'PYTHONPATH': str(ROOT / 'python')}

    def suite(*options):
        command = [sys.executable, '-m', 'pytest', '-q', '-p', 'no:cacheprovider', '-p', 'pallasc', *options]
        return subprocess.run(command, cwd=tmp_path, env=environment, stdout=subprocess.PIPE, text=True).stdout
    assert '1 failed, 3 passed, 1 skipped' in suite()
    said = suite('--pallasc=check')
    assert '3 failed, 1 passed, 1 skipped' in said and 'assertEqual(1, 2)' in said, said
    assert said.count('o_ref[...] = s_ref[...]') >= 2 and said.count('  pallasc.UnwrittenError: ') == 2, said
    assert 'read where it was never written' in said, said
    (tmp_path / 'test_suite.py').write_text(FIXTURES)
    assert '3 passed' in suite()
    said = suite('--pallasc=check')
    assert '1 passed, 3 errors' in said and 'ERROR test_suite.py::test_for_each' in said and 'ERROR test_suite.py::test_for_all' in said, said
    assert 'ERROR test_suite.py::test_behind' in said and said.count('o_ref[...] = s_ref[...]') >= 3, said


def test_blocks_below_zero_count_from_the_end():
    x = jax.numpy.arange(5 * 8.0).reshape(5, 8)
    table = jax.numpy.array([-1, 2, -5, 0, -2], jax.numpy.int32)

    def of(block, at, to, steps):
        return pl.pallas_call(lambda x, o: o.__setitem__(..., x[...] * 2 + 1), out_shape=x, grid=(steps,), in_specs=[pl.BlockSpec(block, at)],
                              out_specs=pl.BlockSpec(block, to), interpret=True)(x)

    def same(i):
        return i, 0
    spec = pltpu.PrefetchScalarGridSpec(1, grid=(5,), in_specs=[pl.BlockSpec((1, 8), lambda i, t: (t[i], 0))], out_specs=pl.BlockSpec((1, 8), lambda i, t: (i, 0)))

    def by_table():
        return pl.pallas_call(lambda t, x, o: o.__setitem__(..., x[...]), out_shape=x, grid_spec=spec, interpret=True)(table, x)
    cases = [((1, 8), lambda i: (i - 1, 0), same, 5), ((1, 8), same, lambda i: (i - 2, 0), 5), ((2, 8), lambda i: (i - 1, 0), same, 3),
             ((1, 8), lambda i: (-1 - i, 0), lambda i: (i - 5, 0), 5), ((None, 8), lambda i: (i - 2, 0), same, 5), ((1, 8), lambda i: (i - 9, 0), same, 5),
             ((1, 8), lambda i: (-1, 0), same, 5), ((2, 4), lambda i: (i - 2, -1), lambda i: (i, -1 - i), 2)]
    for i, run in enumerate([by_table, *(functools.partial(of, *case) for case in cases)]):
        want = run()
        with pallasc.jax.machine(replace_interpret=True):
            np.testing.assert_array_equal(run(), want, err_msg=str(i))


def test_divisions_are_those_of_the_interpreter():
    """XLA makes products of them where the divisor is a constant or is broadcast, with its rounded reciprocal."""
    x = jax.random.normal(jax.random.key(0), (8, 128)) * 100
    numbers = jax.numpy.array([3.0, 448.0], jax.numpy.float32)
    bodies = [lambda x, n: x / 3.0, lambda x, n: x / jax.numpy.full_like(x, 127.0), lambda x, n: x[0, 0] / -7.0 + 0 * x,
              lambda x, n: jax.lax.fori_loop(0, 2, lambda i, a: a / 10.0, x), lambda x, n: (x / 448.0).astype(jax.numpy.float8_e4m3fn).astype(x.dtype),
              lambda x, n: x / 0.0, lambda x, n: x / n[0].astype(x.dtype), lambda x, n: x / jax.numpy.max(x, 1, keepdims=True),
              lambda x, n: x / x[3], lambda x, n: 3.0 / x, lambda x, n: x / x[:, :1],
              lambda x, n: x + jax.numpy.max(x, 1)[:, None] / 448.0, lambda x, n: x + jax.numpy.max(x, 1)[:, None] / jax.numpy.min(x, 1)[:, None], lambda x, n: x / (x + 1)]
    for dtype in (jax.numpy.float32, jax.numpy.float16, jax.numpy.bfloat16):
        for i, body in enumerate(bodies):
            for interpret in (True, pltpu.InterpretParams()) if i < 3 else (True,):
                def call(x, n):
                    return pl.pallas_call(lambda x, n, o: o.__setitem__(..., body(x[...], n[...])), out_shape=x, interpret=interpret)(x, n)
                want = call(x.astype(dtype), numbers)
                with pallasc.jax.machine(replace_interpret=True):
                    np.testing.assert_array_equal(call(x.astype(dtype), numbers), want, err_msg=f'{i} {dtype} {interpret}')
    exact = pl.pallas_call(lambda x, o: o.__setitem__(..., x[...] / 3.0), out_shape=x)(x)
    np.testing.assert_array_equal(exact, np.asarray(x) / np.float32(3.0))
