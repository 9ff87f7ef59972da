# SPDX-License-Identifier: Apache-2.0
"""Kernels under shard_map on several devices of a CPU: remote copies, barriers, collectives around them; a device that never comes."""
import functools
import time

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.experimental import checkify
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

import pallasc.jax

F32 = jnp.float32
Shape = jax.ShapeDtypeStruct
equal = np.testing.assert_array_equal
N = 4
X = np.arange(8 * N * 128, dtype=np.float32).reshape(8 * N, 128)


def mesh_of(*sizes):
    return Mesh(np.array(jax.devices()[:N]).reshape(sizes), ('x', 'y')[:len(sizes)])


def on_devices(f, *sizes, in_specs=P('x'), out_specs=P('x'), check_vma=False):
    return jax.jit(jax.shard_map(f, mesh=mesh_of(*sizes or (N,)), in_specs=in_specs, out_specs=out_specs, check_vma=check_vma))


def right_kernel(x_ref, o_ref, sent, received):
    """Every device's block goes to its neighbour on the right."""
    right = lax.rem(lax.axis_index('x') + 1, N)
    copy = pltpu.make_async_remote_copy(x_ref, o_ref, sent, received, device_id=(right,), device_id_type=pl.DeviceIdType.MESH)
    copy.start()
    copy.wait()


def right(x):
    return pl.pallas_call(right_kernel, out_shape=x, in_specs=[pl.BlockSpec(memory_space=pl.ANY)], out_specs=pl.BlockSpec(memory_space=pl.ANY),
                          scratch_shapes=[pltpu.SemaphoreType.DMA] * 2)(x)


def test_kernels_that_stay_alone():
    def double(x):
        return pl.pallas_call(lambda x, o: o.__setitem__(..., x[...] * 2), out_shape=x)(x)
    equal(on_devices(double)(X), X * 2)
    assert 'devices' not in on_devices(double).lower(X).as_text().replace('num_devices', '')


def test_remote_copy():
    equal(on_devices(right)(X), np.roll(X, 8, 0))


def test_a_mesh_of_one_device():
    """A kernel asks where it is, and copies to its neighbour, which is itself."""
    def kernel(x_ref, o_ref, sent, received):
        neighbour = lax.rem(lax.axis_index('x') + 1, lax.axis_size('x'))
        copy = pltpu.make_async_remote_copy(x_ref, o_ref, sent, received, device_id=(neighbour,), device_id_type=pl.DeviceIdType.MESH)
        copy.start()
        copy.wait()
    call = pl.pallas_call(kernel, out_shape=X, scratch_shapes=[pltpu.SemaphoreType.DMA] * 2)
    mesh = Mesh(np.array(jax.devices()[:1]), ('x',))
    equal(jax.jit(jax.shard_map(call, mesh=mesh, in_specs=P('x'), out_specs=P('x'), check_vma=False))(X), X)


def test_remote_copies_in_a_row_and_in_a_loop():
    equal(on_devices(lambda x: right(right(x)))(X), np.roll(X, 16, 0))
    equal(on_devices(lambda x: lax.fori_loop(0, 3, lambda _, x: right(x), x))(X), np.roll(X, 24, 0))


def test_checkify_of_each_device():
    """Of kernels that stay alone and of ones that reach others: an error tells which device it is of."""
    def alone(x_ref, o_ref):
        checkify.check(x_ref[0, 0] < 2048, '{} is too much', x_ref[0, 0])
        o_ref[...] = x_ref[...]

    def sending(x_ref, *rest):
        checkify.check(x_ref[0, 0] < 2048, '{} is too much', x_ref[0, 0])
        right_kernel(x_ref, *rest)
    for kernel, sems, moved in ((alone, 0, 0), (sending, 2, 8)):
        call = pl.pallas_call(kernel, out_shape=Shape((8, 128), F32), scratch_shapes=[pltpu.SemaphoreType.DMA] * sems)
        checked = jax.jit(checkify.checkify(jax.shard_map(call, mesh=mesh_of(N), in_specs=P('x'), out_specs=P('x'), check_vma=False)))
        error, got = checked(X % 2048)
        assert error.get() is None
        equal(got, np.roll(X % 2048, moved, 0))
        error, got = checked(X)
        assert 'at mapped index 2: 2048.0 is too much' in error.get() and 'index 1' not in error.get(), error.get()
        equal(got, np.roll(X, moved, 0))


def test_with_collectives_around():
    def f(x):
        return right(x) + lax.psum(jnp.sum(x), 'x') - lax.ppermute(x, 'x', [(i, (i + 1) % N) for i in range(N)])
    equal(on_devices(f)(X / 1024), np.full_like(X, (X / 1024).reshape(N, -1).sum(1).sum()))


def test_barrier_and_logical_ids():
    def kernel(x_ref, o_ref, sent, received):
        barrier = pltpu.get_barrier_semaphore()
        me = lax.axis_index('x') * 2 + lax.axis_index('y')
        for i in range(N):
            pl.semaphore_signal(barrier, 1, device_id=jnp.int32(i), device_id_type=pl.DeviceIdType.LOGICAL)
        pl.semaphore_wait(barrier, N)
        copy = pltpu.make_async_remote_copy(x_ref, o_ref, sent, received, device_id=N - 1 - me, device_id_type=pl.DeviceIdType.LOGICAL)
        copy.start()
        copy.wait()

    def f(x):
        return pl.pallas_call(kernel, out_shape=x, scratch_shapes=[pltpu.SemaphoreType.DMA] * 2,
                              compiler_params=pltpu.CompilerParams(collective_id=0))(x)
    got = on_devices(f, 2, 2, in_specs=P(('x', 'y')), out_specs=P(('x', 'y')))(X)
    equal(got, X.reshape(N, 8, 128)[::-1].reshape(X.shape))


def test_axis_index_alone():
    def kernel(o_ref):
        o_ref[...] = jnp.full(o_ref.shape, lax.axis_index('x') * 10 + lax.axis_index('y'), F32)
    got = on_devices(lambda: pl.pallas_call(kernel, out_shape=Shape((8, 128), F32))(), 2, 2, in_specs=(), out_specs=P(('x', 'y')))()
    equal(np.asarray(got)[::8, 0], [0, 1, 10, 11])


def test_all_gather_ring():
    def kernel(x_ref, o_ref, local, sent, received):
        me = lax.axis_index('x')
        pltpu.sync_copy(x_ref, o_ref.at[me])
        for step in range(N - 1):
            slot = lax.rem(me - step + N, N)
            copy = pltpu.make_async_remote_copy(o_ref.at[slot], o_ref.at[slot], sent.at[step], received.at[step],
                                                device_id=(lax.rem(me + 1, N),))
            copy.start()
            copy.wait()
    hbm = pl.BlockSpec(memory_space=pl.ANY)

    def f(x):
        return pl.pallas_call(kernel, out_shape=Shape((N, 8, 128), F32), in_specs=[hbm], out_specs=hbm,
                              scratch_shapes=[pltpu.SemaphoreType.DMA, pltpu.SemaphoreType.DMA((N - 1,)), pltpu.SemaphoreType.DMA((N - 1,))])(x)
    got = on_devices(f)(X)
    equal(np.asarray(got).reshape(N, *X.shape), np.stack([X] * N))


def test_grad_and_vmap_around():
    @jax.custom_vjp
    def shift(x):
        return right(x)
    shift.defvjp(lambda x: (right(x), None), lambda _, g: (right(right(right(g))),))
    loss = on_devices(lambda x: jax.grad(lambda x: jnp.sum(shift(x) ** 2) / 2)(x))
    equal(loss(X), X)


def test_several_outputs_and_types():
    def kernel(n_ref, x_ref, o_ref, m_ref, sent, received):
        right_kernel(x_ref, o_ref, sent, received)
        m_ref[0] = n_ref[0] + lax.axis_index('x')
    smem = pl.BlockSpec(memory_space=pltpu.SMEM)

    def f(n, x):
        return pl.pallas_call(kernel, in_specs=[smem, pl.BlockSpec()], out_specs=[pl.BlockSpec(), smem],
                              out_shape=[Shape(x.shape, jnp.bfloat16), Shape((1,), jnp.int32)], scratch_shapes=[pltpu.SemaphoreType.DMA] * 2)(n, x)
    x = (X / 64).astype(jnp.bfloat16)
    o, m = on_devices(f, in_specs=(P(), P('x')), out_specs=(P('x'), P('x')))(np.array([5], np.int32), x)
    equal(np.asarray(o), np.roll(np.asarray(x), 8, 0))
    equal(m, 5 + np.arange(N))


def test_a_deadlock_is_an_error():
    def kernel(x_ref, o_ref, sem):
        pl.semaphore_signal(sem, 1, device_id=(jnp.int32(0),))
        pl.semaphore_wait(sem, 1)
        o_ref[...] = x_ref[...]

    def f(x):
        return pl.pallas_call(kernel, out_shape=x, scratch_shapes=[pltpu.SemaphoreType.REGULAR])(x)
    try:
        with pallasc.jax.machine():
            jax.block_until_ready(on_devices(f)(X))
    except Exception as error:
        assert 'deadlock' in str(error).lower(), error
    else:
        raise AssertionError('it ended')


def test_a_device_that_never_comes():
    def f(x):
        return lax.cond(lax.axis_index('x') != 2, right, lambda x: x, x)
    try:
        with pallasc.jax.machine(device_timeout=0.2):
            jax.block_until_ready(on_devices(f)(X))
    except pallasc.DeadlockError as error:
        assert isinstance(error, jax.errors.JaxRuntimeError)
        assert 'not in 0.2 s: device 2' in str(error), error
        assert error.findings[0]['kind'] == 'deadlock' and 'device 2' in error.findings[0]['message'], error.findings
    else:
        raise AssertionError('it ended')
    equal(on_devices(right)(X), np.roll(X, 8, 0))


def test_a_device_that_waits_elsewhere_instead():
    """XLA ends the process if the others fail, and never come to the collective that it waits in."""
    def f(x):
        return lax.psum(lax.cond(lax.axis_index('x') != 2, right, lambda x: x, x), 'x')
    for fails in (False, True):
        try:
            with pallasc.jax.machine(device_timeout=0.2):
                y = np.asarray(on_devices(f)(X))
                assert not fails, y  # values of such a run are none
        except jax.errors.JaxRuntimeError as error:
            assert 'not in 0.2 s: device 2' in str(error), error
        else:
            raise AssertionError('it ended')
    with pallasc.jax.machine():
        equal(on_devices(right)(X), np.roll(X, 8, 0))


def test_a_race_between_devices():
    def kernel(x_ref, o_ref, sent, received):
        copy = pltpu.make_async_remote_copy(x_ref, o_ref, sent, received, device_id=(lax.rem(lax.axis_index('x') + 1, N),))
        copy.start()
        o_ref[0, 0] = 1.0
        copy.wait()

    def f(x):
        return pl.pallas_call(kernel, out_shape=x, scratch_shapes=[pltpu.SemaphoreType.DMA] * 2)(x)
    try:
        with pallasc.jax.machine(check=True, seed=1):
            jax.block_until_ready(on_devices(f)(X))
    except pallasc.jax.Finding as error:
        assert 'race' in str(error), error
    else:
        raise AssertionError('nothing was found')


def test_export_of_a_mesh(tmp_path):
    def f(x):
        return jax.shard_map(lambda x: right(x) + lax.psum(x, 'x'), mesh=mesh_of(N), in_specs=P('x'), out_specs=P('x'), check_vma=False)(x)
    pallasc.jax.export(f, X, name='f', out=tmp_path / 'f.o', header=tmp_path / 'f.h')
    assert f'F_DEVICES {N}' in (tmp_path / 'f.h').read_text()


def test_the_axes_that_a_kernel_names_are_in_its_metadata():
    def kernel(x_ref, o_ref, sent, received):
        pltpu.async_remote_copy(x_ref, o_ref, sent, received, device_id={'y': 1 - lax.axis_index('y')}).wait()

    def swap(x, **options):
        return pl.pallas_call(kernel, out_shape=x, scratch_shapes=[pltpu.SemaphoreType.DMA] * 2, **options)(x)

    def lowered(f):
        return on_devices(f, 2, 2, in_specs=P('y'), out_specs=P('y')).lower(X).compile().as_text()
    assert '"mesh_axes":"[\\"y\\"]"' in lowered(swap)
    assert '"a":"b"' in lowered(functools.partial(swap, metadata={'a': 'b'}))
    try:
        lowered(functools.partial(swap, metadata={'mesh_axes': 'x'}))
    except ValueError as error:
        assert 'mesh axes' in str(error), error
    else:
        raise AssertionError('two of one name were taken')


def _shifted(x_ref, o_ref, sent, received, *, axes):
    """Four rows of what a device has go behind those of the next one, in the same array."""
    place = {axis: lax.axis_index(axis) for axis in axes}
    place['x'] = lax.rem(place['x'] + 1, lax.axis_size('x'))
    copy = pltpu.make_async_remote_copy(x_ref.at[:4], o_ref.at[4:8], sent, received, device_id=place)
    copy.start()
    copy.wait()


def _owned(x, sharding):
    """Memory that XLA allocated. What NumPy has at a multiple of 64 bytes is shared with it, and what is shared cannot be donated."""
    return jax.device_put(x, sharding) + 0


def _in_place_on(*sizes, more=()):
    """A call whose result is its donated operand, an operand of it that lies on such a mesh, and what comes out."""
    axes = ('x', 'y')[:len(sizes)]
    kernel = functools.partial(_shifted, axes=axes) if not more else lambda x, _, o, *sems: _shifted(x, o, *sems, axes=axes)

    def call(x):
        anywhere, scalar = pl.BlockSpec(memory_space=pl.ANY), pl.BlockSpec(memory_space=pltpu.SMEM)
        return pl.pallas_call(kernel, out_shape=x, in_specs=[anywhere, *[scalar for _ in more]], out_specs=anywhere,
                              scratch_shapes=[pltpu.SemaphoreType.DMA] * 2, input_output_aliases={0: 0})(x, *more)
    mesh = mesh_of(*sizes)
    f = jax.jit(jax.shard_map(call, mesh=mesh, in_specs=P(axes), out_specs=P(axes), check_vma=False), donate_argnums=0)
    expected = X.reshape(*sizes, 8, 128).copy()
    expected[..., 4:, :] = np.roll(expected[..., :4, :], 1, 0)
    return f, _owned(X, NamedSharding(mesh, P(axes))), expected.reshape(X.shape)


def test_aliases_in_place():
    for f, x, expected in (_in_place_on(N), _in_place_on(2, 2), _in_place_on(N, more=(np.int32(3),))):
        assert 'output_operand_aliases = [#stablehlo' in f.lower(x).as_text()
        places = [shard.data.unsafe_buffer_pointer() for shard in x.addressable_shards]
        y = f(x)
        assert x.is_deleted() and places == [shard.data.unsafe_buffer_pointer() for shard in y.addressable_shards]
        equal(y, expected)
        with pallasc.jax.machine(check=True):
            equal(f(jax.device_put(X, y.sharding)), expected)


def _least_seconds(call):
    """Of the process's CPUs, of several calls."""
    times = []
    for _ in range(7):
        begin = time.process_time()
        call()
        times.append(time.process_time() - begin)
    return min(times)


def test_what_devices_have_is_not_copied():
    """A kernel that moves four rows takes less than half of what a copy of the whole takes."""
    f, x, _ = _in_place_on(N)
    arrays = [_owned(np.zeros((16384 * N, 128), np.float32), x.sharding)]

    def call():
        arrays.append(jax.block_until_ready(f(arrays.pop())))
    call()
    assert _least_seconds(call) < _least_seconds(lambda: np.zeros((16384 * N, 128), np.float32) + 1) / 2


def test_one_of_several_refs_goes_to_another_device():
    def kernel(x_ref, y_ref, o_ref, send, receive, ready):
        here = lax.axis_index('x')
        pl.semaphore_signal(ready, device_id=1 - here)
        pl.semaphore_wait(ready)
        pltpu.async_remote_copy(pl.select_ref(here, x_ref, y_ref), o_ref, send, receive, device_id=1 - here).wait()
    mesh = Mesh(jax.devices()[:2], ['x'])
    x = np.arange(16 * 128, dtype=np.float32).reshape(16, 128)
    call = pl.pallas_call(kernel, in_specs=[pl.BlockSpec(memory_space=pl.ANY)] * 2, out_specs=pl.BlockSpec(memory_space=pl.ANY),
                          out_shape=Shape((8, 128), F32),
                          scratch_shapes=[pltpu.SemaphoreType.DMA, pltpu.SemaphoreType.DMA, pltpu.SemaphoreType.REGULAR])
    spec = P('x')
    out = jax.jit(jax.shard_map(call, mesh=mesh, in_specs=spec, out_specs=spec, check_vma=False))(x, -x)
    np.testing.assert_array_equal(out, np.concatenate([-x[8:], x[:8]]))


def test_one_of_several_refs_under_an_interpreter():
    x = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
    any_memory = pl.BlockSpec(memory_space=pl.ANY)
    call = pl.pallas_call(lambda n_ref, x_ref, y_ref, o_ref: pltpu.sync_copy(pl.select_ref(n_ref[0], x_ref, y_ref), o_ref), interpret=True,
                          in_specs=[pl.BlockSpec(memory_space=pltpu.SMEM), any_memory, any_memory], out_specs=any_memory,
                          out_shape=Shape(x.shape, F32))
    with pallasc.jax.machine(replace_interpret=True):
        np.testing.assert_array_equal(call(np.array([1], np.int32), x, -x), -x)


def test_what_a_call_finds_that_nobody_waits_for():
    def kernel(x_ref, o_ref, copied, sem, sent, received):
        neighbour = lax.rem(lax.axis_index('x') + 1, N)
        copy = pltpu.make_async_remote_copy(x_ref, copied, sent, received, device_id=(neighbour,))
        copy.start()
        o_ref[...] = copied[...]
        copy.wait()
    call = pl.pallas_call(kernel, out_shape=Shape((8, 128), F32), in_specs=[pl.BlockSpec(memory_space=pl.ANY)],
                          scratch_shapes=[pltpu.VMEM((8, 128), F32), *[pltpu.SemaphoreType.DMA] * 3])
    f, found = on_devices(call), 0
    for _ in range(20):
        try:
            with pallasc.jax.machine(check=True):
                f(X)
        except pallasc.RaceError:
            found += 1
    assert found == 20
