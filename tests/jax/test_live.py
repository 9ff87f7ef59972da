# SPDX-License-Identifier: Apache-2.0
"""Kernels of a live JAX: compiled, called in place, watched."""
import contextlib
import ctypes
import io
import os
import pathlib
import subprocess
import sys
import time

import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu

import pallasc.jax
from logs import logged

X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)


def raises(kind, f):
    try:
        jax.block_until_ready(f())
    except kind as error:
        return error
    raise AssertionError(f'{kind.__name__} did not come')


def double_kernel(x_ref, o_ref):
    o_ref[...] = x_ref[...] * 2


def double(x):
    return pl.pallas_call(double_kernel, out_shape=x)(x)


def test_call():
    np.testing.assert_array_equal(jax.jit(double)(X), X * 2)
    np.testing.assert_array_equal(double(jnp.asarray(X)), X * 2)


def test_vmap_and_scan():
    many = np.stack([X, X + 1])
    np.testing.assert_array_equal(jax.vmap(double)(many), many * 2)
    np.testing.assert_array_equal(jax.lax.scan(lambda c, _: (double(c), None), X, length=3)[0], X * 8)


def test_custom_vjp():
    @jax.custom_vjp
    def f(x):
        return double(x)
    f.defvjp(lambda x: (double(x), None), lambda _, g: (double(g),))
    np.testing.assert_array_equal(jax.jit(jax.grad(lambda x: jnp.sum(f(x))))(X), np.full_like(X, 2))


def test_scratch_grid_and_prefetch():
    def kernel(rows, x_hbm, o_ref, sem):
        copy = pltpu.make_async_copy(x_hbm.at[rows[pl.program_id(0)]], o_ref.at[0], sem)
        copy.start()
        copy.wait()
    spec = pltpu.PrefetchScalarGridSpec(1, grid=(8,), in_specs=[pl.BlockSpec(memory_space=pl.ANY)],
                                        out_specs=pl.BlockSpec((1, 128), lambda i, rows: (i, 0)), scratch_shapes=[pltpu.SemaphoreType.DMA])
    order = np.array([3, 1, 4, 1, 5, 2, 6, 0], np.int32)
    got = jax.jit(lambda r, x: pl.pallas_call(kernel, grid_spec=spec, out_shape=jax.ShapeDtypeStruct((8, 128), jnp.float32))(r, x))(order, X)
    np.testing.assert_array_equal(got, X[order])


def test_findings():
    def forgets(x_ref, o_ref, s_ref):
        o_ref[...] = s_ref[...]
    call = jax.jit(lambda x: pl.pallas_call(forgets, out_shape=x, scratch_shapes=[pltpu.VMEM((8, 128), jnp.float32)])(x))

    def watched():
        with pallasc.jax.machine(check=True, seed=1):
            jax.block_until_ready(call(X))
    error = raises(pallasc.jax.Finding, watched)
    assert 'read where it was never written' in str(error), error
    assert error.findings[0]['source'].strip() == 'o_ref[...] = s_ref[...]', error.findings
    jax.block_until_ready(call(X))  # without checks it runs: jit keeps the two apart


def test_deadlock():
    def waits(x_ref, o_ref, sem):
        pl.semaphore_wait(sem, 1)
        o_ref[...] = x_ref[...]

    def run():
        with pallasc.jax.machine():
            jax.block_until_ready(jax.jit(lambda x: pl.pallas_call(waits, out_shape=x, scratch_shapes=[pltpu.SemaphoreType.REGULAR])(x))(X))
    assert 'nothing in the program signals it' in str(raises(pallasc.jax.DeadlockError, run))


def test_refused():
    def kernel(x_ref, o_ref):
        jax.debug.callback(lambda x: None, x_ref[0, 0])
        o_ref[...] = x_ref[...]
    error = raises(NotImplementedError, lambda: jax.jit(lambda x: pl.pallas_call(kernel, out_shape=x)(x))(X))
    assert 'debug_callback' in str(error) and 'test_live.py' in str(error), error


def test_refused_types():
    copy = lambda x: pl.pallas_call(lambda x_ref, o_ref: o_ref.__setitem__(..., x_ref[...]), out_shape=x)(x)
    error = raises(NotImplementedError, lambda: jax.jit(copy)(np.zeros((8, 128), np.complex64)))
    assert 'pallas_call' in str(error) and 'complex64' in str(error) and 'test_live.py' in str(error), error


def test_types_of_64_bits():
    def kernel(x_ref, n_ref, o_ref, m_ref):
        o_ref[...] = x_ref[...] / 3 + jax.lax.fori_loop(0, 3, lambda i, n: n + i, 0)
        m_ref[...] = n_ref[...] * 2**40
    with jax.enable_x64(True):
        x, n = np.arange(1024.).reshape(8, 128), np.arange(1024).reshape(8, 128)
        got = jax.jit(lambda x, n: pl.pallas_call(kernel, out_shape=(x, n))(x, n))(x, n)
        np.testing.assert_array_equal(got[0], x / 3 + 3)
        np.testing.assert_array_equal(got[1], n * 2**40)
        assert got[0].dtype == np.float64 and got[1].dtype == np.int64


def test_interpret_stays_jaxs_own():
    def call(x):
        return pl.pallas_call(double_kernel, out_shape=x, interpret=True)(x)
    assert 'pallasc_call' not in jax.jit(call).lower(X).as_text()
    with pallasc.jax.machine(replace_interpret=True):
        assert 'pallasc_call' in jax.jit(call).lower(X).as_text()
        np.testing.assert_array_equal(jax.jit(call)(X), X * 2)


def test_export(tmp_path):
    def step(params, x):
        loss = lambda p: jnp.mean((jnp.tanh(double(x) @ p['w']) + p['b']) ** 2)
        # double has no gradient of its own: x is data.
        gradient = jax.grad(loss)(params)
        return jax.tree.map(lambda p, g: p - 0.1 * g, params, gradient)
    params = {'w': np.full((128, 4), 0.01, np.float32), 'b': np.zeros(4, np.float32)}
    pallasc.jax.export(step, params, X / 1000, name='step', out=tmp_path / 'step.so', header=tmp_path / 'step.h')
    assert 'prt_status step(' in (tmp_path / 'step.h').read_text()
    want = jax.jit(step)(params, X / 1000)
    got = call_library(tmp_path / 'step.so', 'step', [params['b'], params['w'], X / 1000], [(4,), (128, 4)])
    np.testing.assert_allclose(got[0], want['b'], rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(got[1], want['w'], rtol=1e-5, atol=1e-6)


def test_export_of_many_leaves(tmp_path):
    """Eight times as many parameters take no sixteen times as long to compile."""
    def step(leaves):
        return [leaf * 2 + i for i, leaf in enumerate(leaves)]

    def seconds(count):
        x = [jax.ShapeDtypeStruct((2, 3), jnp.float32)] * count
        jaxpr = pallasc.jax.text.write(jax.make_jaxpr(step)(x), 'step', [f'p{i}' for i in range(count)])
        start = time.process_time()
        pallasc.jax.library.compile_files(jaxpr, ['-shared', '-o', str(tmp_path / f'step{count}.so')])
        return time.process_time() - start
    few = seconds(200)
    assert seconds(1600) < 16 * few + 1
    leaves = [np.full((2, 3), i, np.float32) for i in range(200)]
    for i, got in enumerate(call_library(tmp_path / 'step200.so', 'step', leaves, [(2, 3)] * 200)):
        np.testing.assert_array_equal(got, np.full((2, 3), 3 * i))
    pointers = [ctypes.c_void_p(a.ctypes.data) for a in leaves * 2]
    pointers[399] = None
    assert ctypes.CDLL(str(tmp_path / 'step200.so'))['step'](None, *pointers) != 0


def call_library(path, name, inputs, shapes):
    function = ctypes.CDLL(str(path))[name]
    arrays = [np.ascontiguousarray(x, np.float32) for x in inputs]
    outputs = [np.empty(shape, np.float32) for shape in shapes]
    assert function(None, *[ctypes.c_void_p(a.ctypes.data) for a in arrays + outputs]) == 0
    return outputs


def test_cores():
    mesh = pltpu.create_tensorcore_mesh('core', num_cores=2)

    def body(x_hbm, o_hbm):
        core = jax.lax.axis_index('core')

        def copy(buffer):
            pltpu.sync_copy(x_hbm.at[pl.ds(core * 4, 4)], buffer)
            buffer[...] += core.astype(jnp.float32)
            pltpu.sync_copy(buffer, o_hbm.at[pl.ds(core * 4, 4)])
        pl.run_scoped(copy, pltpu.VMEM((4, 128), jnp.float32))
    got = jax.jit(pl.kernel(body, jax.ShapeDtypeStruct((8, 128), jnp.float32), mesh=mesh))(X)
    np.testing.assert_array_equal(got, X + np.repeat(np.arange(2, dtype=np.float32), 4)[:, None])


def test_threads_of_python():
    import concurrent.futures

    def one(n):
        call = jax.jit(lambda x: pl.pallas_call(lambda x_ref, o_ref: o_ref.__setitem__(..., x_ref[...] * n), out_shape=x)(x))
        return [np.asarray(call(X + i)) for i in range(20)]
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        for n, results in zip(range(8), pool.map(one, range(8))):
            for i, got in enumerate(results):
                np.testing.assert_array_equal(got, (X + i) * n)


def test_dispatch_is_asynchronous():
    """Calls that depend on each other are queued; nothing is awaited but the last."""
    call = jax.jit(double)
    x = jnp.ones((8, 128), jnp.float32)
    for _ in range(100):
        x = call(x)
    np.testing.assert_array_equal(x, np.full((8, 128), 2.0 ** 100, np.float32))


def test_another_chip():
    for tpu, cores in (('v5e', 1), ('v4', 2), (None, 2)):
        with pallasc.jax.machine(tpu=tpu):
            assert pltpu.get_tpu_info().num_cores == cores
            np.testing.assert_array_equal(jax.jit(double)(X), X * 2)
    error = raises(ValueError, lambda: pallasc.jax.machine(tpu='v99').__enter__())
    assert 'v5p' in str(error)


def test_a_print_stays_where_nobody_reads_the_result():
    def kernel(x_ref, o_ref):
        pl.debug_print('here')
        o_ref[...] = x_ref[...]
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        jax.block_until_ready(jax.jit(lambda x: (pl.pallas_call(kernel, out_shape=x)(x), x)[1])(X))
        jax.effects_barrier()
    assert out.getvalue() == 'here\n', out.getvalue()


def test_findings_outside_do_not_come_later():
    def forgets(x_ref, o_ref, s_ref):
        o_ref[...] = s_ref[...]
    call = jax.jit(lambda x: pl.pallas_call(forgets, out_shape=x, scratch_shapes=[pltpu.VMEM((8, 128), jnp.float32)])(x))
    try:
        with pallasc.jax.machine(check=True, seed=7):
            jax.block_until_ready(call(X))
            raise KeyError('of the program')
    except (KeyError, pallasc.jax.Finding):
        pass
    with pallasc.jax.machine(check=True, seed=7):
        jax.block_until_ready(jax.jit(double)(X))


def test_command_line(tmp_path):
    (tmp_path / 'layer.py').write_text('import jax.numpy as jnp\ndef layer(x, w):\n    return jnp.tanh(x @ w)\n')
    command = [sys.executable, '-m', 'pallasc.jax', 'layer:layer', '--spec', 'f32[8,128]', '--spec', 'f32[128,4]']
    environment = {**os.environ, 'PYTHONPATH': str(pathlib.Path(pallasc.jax.__file__).parents[2])}
    subprocess.run([*command, '-o', 'made.so', '-h', 'made.h'], cwd=tmp_path, env=environment, check=True)
    prototype = 'prt_status layer(prt_machine *machine, const float *x, const float *w, float *out);'
    assert prototype in ' '.join((tmp_path / 'made.h').read_text().split()), (tmp_path / 'made.h').read_text()
    w = np.linspace(-1, 1, 512, dtype=np.float32).reshape(128, 4)
    got, = call_library(tmp_path / 'made.so', 'layer', [X / 1000, w], [(8, 4)])
    np.testing.assert_allclose(got, np.tanh(X / 1000 @ w), rtol=1e-5, atol=1e-6)
    said = subprocess.run([*command, '--text'], cwd=tmp_path, env=environment, check=True, stdout=subprocess.PIPE, text=True).stdout
    assert said.startswith('jaxpr 1\n') and 'dot_general' in said


def test_elements_of_less_than_a_byte():
    def kernel(x_ref, o_ref, wide_ref):
        o_ref[...] = x_ref[...]
        wide_ref[...] = x_ref[...].astype(jnp.float32)
    for name in ('int4', 'uint4', 'float4_e2m1fn'):
        x = jnp.asarray([0, 1, 2, 3, 4, 6, 1], name)
        shapes = jax.ShapeDtypeStruct(x.shape, x.dtype), jax.ShapeDtypeStruct(x.shape, np.float32)
        same, wide = jax.jit(lambda x: pl.pallas_call(kernel, out_shape=shapes)(x))(x)
        np.testing.assert_array_equal(np.asarray(same), np.asarray(x))
        np.testing.assert_array_equal(np.asarray(wide), np.asarray(x).astype(np.float32))


def test_a_checkout_that_is_not_all_built(tmp_path):
    """Only what the program needs: the import says what is missing, and what makes it."""
    built = pathlib.Path(pallasc._native.folder())
    for library in built.glob('lib*.so*'):
        if 'ffi' not in library.name:
            (tmp_path / library.name).symlink_to(library)
    env = dict(os.environ, PALLASC_LIBRARY_DIR=str(tmp_path), PYTHONPATH=str(pathlib.Path(pallasc.__file__).parents[1]))
    ended = subprocess.run([sys.executable, '-c', 'import pallasc.jax'], env=env, capture_output=True, text=True)
    assert ended.returncode and 'libpallasc_ffi.so is not there' in ended.stderr and 'cmake --build build' in ended.stderr, ended.stderr


def test_flags_of_xla_and_jax_are_theirs():
    before = os.environ['XLA_FLAGS']
    os.environ.update(XLA_FLAGS=before + ' --xla_gpu_deterministic_ops=true', JAX_LOG_COMPILES='1')
    try:
        with logged() as told:
            jax.jit(lambda x: pl.pallas_call(lambda x_ref, o_ref: o_ref.__setitem__(..., x_ref[...] * 7), out_shape=x)(x))(X)
    finally:
        os.environ.update(XLA_FLAGS=before)
        del os.environ['JAX_LOG_COMPILES']
    assert not told, told


def test_options_of_the_chips_compiler():
    with logged() as told:
        for name in ('xla_tpu_enable_experimental_fusion_cost_model', 'xla_sc_assert_level'):
            assert jax.jit(lambda x: x + 1, compiler_options={name: 'true', 'xla_cpu_enable_fast_math': False})(1.0) == 2.0
    assert [name in line for name, line in zip(('xla_tpu_enable_experimental_fusion_cost_model', 'xla_sc_assert_level'), told, strict=True)] == [True] * 2
    try:
        jax.jit(lambda x: x + 2, compiler_options={'xla_no_such_option': 'true'})(1.0)
    except jax.errors.JaxRuntimeError as error:
        assert 'xla_no_such_option' in str(error)
    else:
        raise AssertionError('it was not refused')
