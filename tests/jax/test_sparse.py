# SPDX-License-Identifier: Apache-2.0
"""Kernels of SparseCores out of a live JAX, each against NumPy."""
import functools

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu
from jax.experimental.pallas import tpu_sc as plsc

import pallasc.jax

I32, F32 = jnp.int32, jnp.float32
Shape = jax.ShapeDtypeStruct
LANES = 8
equal = np.testing.assert_array_equal
MESH = plsc.VectorSubcoreMesh(core_axis_name='core', subcore_axis_name='subcore', num_cores=1, num_subcores=4)
X = (np.arange(4 * LANES, dtype=np.int32) * 37 % 19).reshape(4, LANES)


def on_vectors(*outs):
    """Runs f on one vector of each subcore; f gives one vector for each of outs."""
    def decorator(f):
        @functools.partial(pl.kernel, out_type=[Shape((4, *shape), dtype) for shape, dtype in outs], mesh=MESH,
                           scratch_types=[pltpu.VMEM((LANES,), I32), *[pltpu.VMEM(shape, dtype) for shape, dtype in outs]])
        def kernel(x_hbm, *refs):
            o_hbms, buffer, o_refs = refs[:len(outs)], refs[len(outs)], refs[len(outs) + 1:]
            i = lax.axis_index('subcore')
            pltpu.sync_copy(x_hbm.at[i], buffer)
            f(buffer, *o_refs)
            for o_ref, o_hbm in zip(o_refs, o_hbms):
                pltpu.sync_copy(o_ref, o_hbm.at[i])
        return [np.asarray(y) for y in jax.jit(kernel)(X)]
    return decorator


def test_registers():
    @on_vectors(((LANES,), I32), ((LANES,), I32), ((LANES,), I32), ((LANES,), I32))
    def got(x_ref, sums, greatest, counts, total):
        x = x_ref[...]
        sums[...] = plsc.cumsum(x, mask=x > 5)
        greatest[...] = plsc.cummax(x)
        counts[...] = plsc.scan_count(x)[0]
        total[...] = jnp.full((LANES,), plsc.all_reduce_population_count(x > 5)[0] * 100 + plsc.all_reduce_ffs(x > 5)[0], I32)
    equal(got[0], np.cumsum(np.where(X > 5, X, 0), 1))
    equal(got[1], np.maximum.accumulate(X, 1))
    equal(got[2], [[list(row[:i + 1]).count(row[i]) for i in range(LANES)] for row in X])
    equal(got[3][:, 0], (X > 5).sum(1) * 100 + (X > 5).argmax(1))


def test_gather_and_scatter():
    @on_vectors(((LANES,), I32), ((LANES,), I32), ((LANES,), I32))
    def got(x_ref, gathered, scattered, added):
        reverse = (LANES - 1) - lax.iota(I32, LANES)
        gathered[...] = plsc.load_gather(x_ref, [reverse])
        plsc.store_scatter(scattered, [reverse], x_ref[...])
        added[...] = jnp.zeros((LANES,), I32)
        plsc.addupdate_scatter(added, [lax.iota(I32, LANES) % 2], x_ref[...])
    equal(got[0], X[:, ::-1])
    equal(got[1], X[:, ::-1])
    equal(got[2][:, :2], np.stack([X[:, ::2].sum(1), X[:, 1::2].sum(1)], 1))


def test_compressed_stores():
    @on_vectors(((LANES,), I32), ((LANES,), I32), ((LANES,), I32))
    def got(x_ref, packed, expanded, added):
        packed[...] = jnp.zeros((LANES,), I32)
        plsc.store_compressed(packed.at[...], x_ref[...], mask=x_ref[...] % 2 == 0)
        expanded[...] = jnp.where(x_ref[...] > 4, plsc.load_expanded(x_ref.at[...], mask=x_ref[...] > 4), -1)
        added[...] = x_ref[...]
        plsc.addupdate(added.at[...], x_ref[...])
    for row, packed, expanded in zip(X, *got[:2]):
        even = row[row % 2 == 0]
        equal(packed, np.concatenate([even, np.zeros(LANES - len(even), np.int32)]))
        want = np.full(LANES, -1)
        want[row > 4] = row[:np.sum(row > 4)]
        equal(expanded, want)
    equal(got[2], X * 2)


def test_sort_and_pack():
    @on_vectors(((LANES,), I32), ((LANES,), I32), ((2 * LANES,), jnp.int16), ((LANES,), I32))
    def got(x_ref, keys, values, packed, unpacked):
        keys[...], values[...] = plsc.sort_key_val(x_ref[...], lax.iota(I32, LANES), descending=True)
        packed[...] = plsc.pack(x_ref[...], x_ref[...] + 1, format=plsc.PackFormat.INTERLEAVED)
        unpacked[...] = plsc.unpack(packed[...], format=plsc.PackFormat.INTERLEAVED)[1]
    equal(got[0], -np.sort(-X, 1))
    equal(np.take_along_axis(X, got[1], 1), got[0])
    equal(got[2], np.stack([X, X + 1], 2).reshape(4, -1))
    equal(got[3], X + 1)


def test_bitcast():
    @on_vectors(((LANES,), F32), ((LANES,), I32))
    def got(x_ref, floats, back):
        floats[...] = plsc.bitcast(x_ref[...], F32)
        back[...] = plsc.bitcast(plsc.bitcast(x_ref[...], jnp.int16), I32)
    equal(got[0], X.view(np.float32))
    equal(got[1], X)


def test_parallel_loop():
    @on_vectors(((LANES,), I32), ((1,), I32))
    def got(x_ref, doubled, total):
        @plsc.parallel_loop(0, LANES, step=1, unroll=2)
        def _(i):
            doubled[pl.ds(i, 1)] = x_ref[pl.ds(i, 1)] * 2
        total[...] = plsc.parallel_loop(0, LANES, carry=jnp.zeros((1,), I32))(lambda i, acc: acc + x_ref[pl.ds(i, 1)])
    equal(got[0], X * 2)
    equal(got[1], X.sum(1, keepdims=True))


def test_parallel_loop_of_unknown_length():
    @on_vectors(((LANES,), I32))
    def got(x_ref, doubled):
        doubled[...] = jnp.zeros((LANES,), I32)

        @plsc.parallel_loop(0, lax.axis_index('subcore') * 2, unroll=4)
        def _(i):
            doubled[pl.ds(i, 1)] = x_ref[pl.ds(i, 1)] * 2
    equal(got[0], np.where(np.arange(LANES) < 2 * np.arange(4)[:, None], X * 2, 0))


def test_barrier_and_fetch_and_add():
    @functools.partial(pl.kernel, out_type=Shape((4, LANES), I32), mesh=MESH,
                       scratch_types=[pltpu.SMEM((1,), I32), pltpu.VMEM((LANES,), I32)])
    def kernel(o_hbm, count, buffer):
        i = lax.axis_index('subcore')
        count[0] = 0
        plsc.subcore_barrier()
        plsc.fetch_and_add(count, i + 1, subcore_id=0)
        plsc.subcore_barrier()
        buffer[...] = jnp.full((LANES,), count[0], I32)
        pltpu.sync_copy(buffer, o_hbm.at[i])
    got = np.asarray(jax.jit(kernel)())
    equal(got[0], np.full(LANES, 10))
    equal(got[1:], 0)


def test_a_counter_that_others_change_keeps_its_place():
    @functools.partial(pl.kernel, out_type=Shape((4, LANES), I32), mesh=MESH,
                       scratch_types=[pltpu.SMEM((1,), I32), pltpu.VMEM((LANES,), I32)])
    def kernel(o_hbm, count, buffer):
        count[0] = 0
        plsc.subcore_barrier()
        ticket = plsc.fetch_and_add(count.at[0], 1, subcore_id=0)  # its last use here, but not there
        buffer[...] = jnp.full((LANES,), ticket, I32)
        pltpu.sync_copy(buffer, o_hbm.at[lax.axis_index('subcore')])
    equal(np.sort(np.asarray(jax.jit(kernel)())[:, 0]), range(4))


def test_gather_by_a_copy():
    table = np.arange(32 * 128, dtype=np.int32).reshape(32, 128)

    @functools.partial(pl.kernel, out_type=Shape((4, LANES, 128), I32), mesh=MESH,
                       scratch_types=[pltpu.VMEM((LANES,), I32), pltpu.VMEM((LANES, 128), I32)])
    def kernel(table_hbm, indices_hbm, o_hbm, indices, rows):
        i = lax.axis_index('subcore')
        pltpu.sync_copy(indices_hbm.at[i], indices)
        pltpu.sync_copy(table_hbm.at[indices], rows)
        pltpu.sync_copy(rows, o_hbm.at[i])
    equal(jax.jit(kernel)(table, X), table[X])


def places_of(o_rows, in_block, out_block):
    """A pipeline on one subcore over blocks of rows, whose places an array tells."""
    @functools.partial(pl.kernel, out_type=Shape((o_rows, 128), I32), mesh=MESH, scratch_types=[pltpu.VMEM((32,), I32)])
    def kernel(x_hbm, places_hbm, o_hbm, places):
        @pl.when(lax.axis_index('subcore') == 0)
        def _():
            pltpu.sync_copy(places_hbm, places)
            pltpu.emit_pipeline(pltpu.sync_copy, grid=(4, 2), in_specs=[in_block(places)], out_specs=[out_block(places)])(x_hbm, o_hbm)
    return jax.jit(kernel)


def test_blocks_of_rows_at_places():
    table = np.arange(64 * 128, dtype=np.int32).reshape(64, 128)
    places = np.random.default_rng(5).permutation(64)[:32].astype(np.int32)

    def rows(_):
        return pl.BlockSpec((8, 64), lambda i, j: (i, j))

    def at(places):
        return pl.BlockSpec((pl.Indirect(8), 64), lambda i, j: (places[pl.ds(i * 8, 8)], j))
    equal(places_of(32, at, rows)(table, places), table[places])
    equal(np.asarray(places_of(64, rows, at)(table[:32], places))[places], table[:32])


def test_scalar_subcores():
    mesh = plsc.ScalarSubcoreMesh(axis_name='core', num_cores=2)

    @functools.partial(pl.kernel, out_type=Shape((2, LANES), I32), mesh=mesh, scratch_types=[pltpu.SMEM((LANES,), I32)])
    def kernel(x_hbm, o_hbm, row):
        core = lax.axis_index('core')
        pltpu.sync_copy(x_hbm.at[core], row)
        row[0] = row[0] + 100
        pltpu.sync_copy(row, o_hbm.at[core])
    want = X[:2].copy()
    want[:, 0] += 100
    equal(jax.jit(kernel)(X), want)


def test_a_copy_to_a_core_that_runs_nothing_yet():
    """An output in memory of a TensorCore, of a kernel on a SparseCore, with the semaphore that a later kernel awaits."""
    sparse, tensor = plsc.ScalarSubcoreMesh(axis_name='core', num_cores=1), pltpu.create_tensorcore_mesh('tensor', num_cores=1)

    def send(x_ref, o_ref, arrived, sent):
        pltpu.async_remote_copy(x_ref, o_ref, sent, arrived, device_id={'tensor': 0}).wait_send()

    def receive(x_ref, o_ref, arrived):
        pltpu.make_async_copy(x_ref, o_ref, arrived).wait()
        o_ref[...] += 1

    @jax.jit
    def f(x):
        x_ref = jax.new_ref(x)
        out, arrived = pl.kernel(send, mesh=sparse, out_type=(pltpu.VMEM(x.shape, x.dtype) @ tensor, pltpu.SemaphoreType.DMA(()) @ tensor),
                                 scratch_types=[pltpu.SemaphoreType.DMA(())])(x_ref)
        o_ref = jax.new_ref(out)
        pl.kernel(receive, mesh=tensor)(x_ref, o_ref, jax.new_ref(arrived))
        return jax.freeze(o_ref)
    x = np.arange(8 * 128, dtype=np.int32).reshape(8, 128)
    equal(f(x), x + 1)


def test_an_axis_of_the_other_mesh_has_to_be_named():
    scalar, vector = plsc.ScalarSubcoreMesh(axis_name='core', num_cores=1), MESH

    def signal(_, sem):
        pl.semaphore_signal(sem, device_id={'core': 0})
    call = pl.kernel(body=[lambda _, sem: pl.semaphore_wait(sem), signal], mesh=[vector, scalar], out_type=Shape((8,), I32),
                     scratch_types=[pltpu.SemaphoreType.REGULAR(()) @ vector])
    try:
        jax.jit(call)()
    except ValueError as error:
        assert "following axes are missing from the mesh: {'subcore'}" in str(error), error
    else:
        raise AssertionError('not refused')


def test_what_the_chip_refuses():
    """Memory that is not a subcore's own is reached by copies, sums go along one dimension; an interpreter takes both."""
    def from_hbm(x_hbm, o_hbm, row):
        row[...] = x_hbm[0]
        pltpu.sync_copy(row, o_hbm)

    def to_hbm(x_hbm, o_hbm, row):
        pltpu.sync_copy(x_hbm.at[0], row)
        o_hbm[...] = row[...]

    def sums(x_hbm, o_hbm, row):
        pltpu.sync_copy(x_hbm.at[0], row)
        row[...] = jnp.cumsum(row[...].reshape(2, LANES // 2), axis=1).reshape(LANES)
        pltpu.sync_copy(row, o_hbm)
    for body, message, want in ((from_hbm, 'Get does not support loading from HBM', X[0]), (to_hbm, 'Swap does not support storing to HBM', X[0]),
                                (sums, 'must be rank 1', np.cumsum(X[0].reshape(2, -1), axis=1).reshape(-1))):
        def call(x, **options):
            mesh = plsc.VectorSubcoreMesh(core_axis_name='core', subcore_axis_name='subcore', num_cores=1, num_subcores=1)
            return pl.kernel(body, out_type=Shape((LANES,), I32), mesh=mesh, scratch_types=[pltpu.VMEM((LANES,), I32)], **options)(x)
        try:
            jax.jit(call)(X)
        except NotImplementedError as error:
            assert message in str(error), error
        else:
            raise AssertionError(f'not refused: {message}')
        with pallasc.jax.machine(replace_interpret=True):
            equal(jax.jit(lambda x: call(x, interpret=pltpu.InterpretParams()))(X), want)


def test_a_gather_out_of_bounds_under_debug_checks():
    def reversed_by(indices):
        @on_vectors(((LANES,), I32))
        def got(x_ref, gathered):
            gathered[...] = plsc.load_gather(x_ref, [indices(lax.iota(I32, LANES))], mask=lax.iota(I32, LANES) > 0)
        return got[0]
    with pl.enable_debug_checks():
        equal(reversed_by(lambda i: LANES - i)[:, 1:], X[:, :0:-1])
        try:
            reversed_by(lambda i: i + 1)
        except Exception as error:
            assert 'Trying to perform an indexed vector load from out of bounds address.' in str(error), error
        else:
            raise AssertionError('an index out of bounds was not found')
