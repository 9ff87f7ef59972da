# SPDX-License-Identifier: Apache-2.0
"""What kernels hand on to later ones out of a live JAX: memory, semaphores, keys; and what programs say of calls as a whole."""
import functools

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax, random
from jax._src.state import primitives as state_primitives
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu

import pallasc.jax

F32, I32 = jnp.float32, jnp.int32
Shape = jax.ShapeDtypeStruct
X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
ANY, SMEM = pl.BlockSpec(memory_space=pl.ANY), pl.BlockSpec(memory_space=pltpu.SMEM)
equal = np.testing.assert_array_equal


def test_a_copy_into_vmem_that_a_later_kernel_awaits():
    """The later kernel writes nothing: its result is the memory of its aliased operand."""
    vmem, semaphore = pl.BlockSpec(memory_space=pltpu.VMEM), pl.BlockSpec(memory_space=pltpu.SEMAPHORE)

    def start(x_ref, o_ref, sem):
        pltpu.make_async_copy(x_ref, o_ref, sem).start()

    def done(x_ref, o_ref, sem, same_ref):
        pltpu.make_async_copy(x_ref, o_ref, sem).wait()

    @jax.jit
    def copy(x):
        out, sem = pl.pallas_call(start, in_specs=[ANY], out_specs=(vmem, semaphore),
                                  out_shape=(pltpu.VMEM(x.shape, x.dtype), pltpu.SemaphoreType.DMA(())))(x)
        return pl.pallas_call(done, in_specs=[ANY, vmem, semaphore], out_specs=vmem, out_shape=pltpu.VMEM(x.shape, x.dtype),
                              input_output_aliases={1: 0})(x, out, sem)
    equal(copy(X), X)


def test_a_copy_whose_semaphore_nobody_reads():
    """No later kernel can wait for it; where one may, it is over when it is waited for."""
    def start(x_ref, o_ref, sem):
        pltpu.make_async_copy(x_ref, o_ref, sem).start()

    def done(x_ref, o_ref, sem, y_ref):
        pltpu.make_async_copy(x_ref, o_ref, sem).wait()
        pltpu.sync_copy(o_ref, y_ref)

    semaphore, like = pl.BlockSpec(memory_space=pltpu.SEMAPHORE), Shape(X.shape, X.dtype)
    both = pl.pallas_call(start, in_specs=[ANY], out_specs=(ANY, semaphore), out_shape=(like, pltpu.SemaphoreType.DMA(())))
    awaits = pl.pallas_call(done, in_specs=[ANY, ANY, semaphore], out_specs=ANY, out_shape=like)
    with pallasc.jax.machine(check=True):
        equal(jax.jit(lambda x: awaits(x, *both(x)))(X), X)
    with pytest.raises(pallasc.RaceError, match="the copy into 'o_ref' and this read of 'o_ref'"):
        with pallasc.jax.machine(check=True):
            jax.jit(lambda x: both(x)[0])(X)
    equal(jax.jit(lambda x: both(x)[0])(X), X)


def test_the_semaphore_of_sync_copy_has_no_name():
    @functools.partial(pl.kernel, mesh=pltpu.create_tensorcore_mesh("core", num_cores=2), out_type=Shape(X.shape, X.dtype))
    def both(x_ref, o_ref):
        pltpu.sync_copy(x_ref, o_ref)

    with pytest.raises(pallasc.RaceError, match="started here on core 0 of device 0, signals a semaphore;"):
        with pallasc.jax.machine(check=True):
            jax.jit(both)(X)


def test_what_a_later_kernel_reads_before_it_waits_is_a_race():
    """Of a copy that an earlier kernel has started, wherever it ends: also if yet another kernel hands its semaphore on."""
    for place in (ANY, pl.BlockSpec(memory_space=pltpu.VMEM)):
        read_before_waiting(place)


def read_before_waiting(place):
    semaphore, like, dma = pl.BlockSpec(memory_space=pltpu.SEMAPHORE), Shape(X.shape, X.dtype), pltpu.SemaphoreType.DMA(())

    def start(x_ref, o_ref, sem):
        pltpu.make_async_copy(x_ref, o_ref, sem).start()

    def done(is_early, x_ref, o_ref, sem, y_ref):
        awaited = pltpu.make_async_copy(x_ref, o_ref, sem)
        if not is_early:
            awaited.wait()
        pltpu.sync_copy(o_ref, y_ref)
        if is_early:
            awaited.wait()

    both = pl.pallas_call(start, in_specs=[ANY], out_specs=(place, semaphore), out_shape=(like, dma))
    hands_on = pl.pallas_call(lambda sem, y_ref, same: y_ref.__setitem__(..., jnp.ones_like(y_ref)), in_specs=[semaphore],
                              out_specs=(pl.BlockSpec(), semaphore), out_shape=(like, dma), input_output_aliases={0: 1})

    def run(is_early, is_handed_on, x):
        o, sem = both(x)
        ones, sem = hands_on(sem) if is_handed_on else (1, sem)
        awaits = pl.pallas_call(functools.partial(done, is_early), in_specs=[ANY, place, semaphore], out_specs=ANY, out_shape=like)
        return awaits(x, o, sem) * ones
    for is_handed_on in (False, True):
        with pallasc.jax.machine(check=True):
            equal(jax.jit(functools.partial(run, False, is_handed_on))(X), X)
        with pytest.raises(pallasc.RaceError, match="the copy into 'o_ref' and this (read|copy out) of 'o_ref'") as error:
            with pallasc.jax.machine(check=True):
                jax.jit(functools.partial(run, True, is_handed_on))(X)
        assert "make_async_copy(x_ref, o_ref, sem).start()" in str(error.value) and "signals 'sem'" in str(error.value)


def test_what_a_program_reads_before_a_later_kernel_waits_is_a_race():
    """Also where the reader does not get the semaphore: another kernel, or an operation of JAX's own."""
    semaphore, like, dma = pl.BlockSpec(memory_space=pltpu.SEMAPHORE), Shape(X.shape, X.dtype), pltpu.SemaphoreType.DMA(())

    def start(x_ref, o_ref, p_ref, sem, sem_2):
        pltpu.make_async_copy(x_ref, o_ref, sem).start()
        pltpu.make_async_copy(x_ref, p_ref, sem_2).start()

    def done(x_ref, o_ref, sem, y_ref):
        pltpu.make_async_copy(x_ref, o_ref, sem).wait()
        pltpu.sync_copy(o_ref, y_ref)

    both = pl.pallas_call(start, in_specs=[ANY], out_specs=(ANY, ANY, semaphore, semaphore), out_shape=(like, like, dma, dma))
    awaits = pl.pallas_call(done, in_specs=[ANY, ANY, semaphore], out_specs=ANY, out_shape=like)
    passes = pl.pallas_call(lambda o_ref, same_ref: None, in_specs=[ANY], out_specs=ANY, out_shape=like, input_output_aliases={0: 0})
    readers = {
        "operation": jnp.sin, "function": jax.jit(lambda o: jnp.sum(o * o)), "slice": lambda o: o[1:2], "JAX's own": lambda o: jnp.where(X > 0, X, o),
        "window": pl.pallas_call(lambda o_ref, y_ref: y_ref.__setitem__(..., -o_ref[...]), out_shape=like),
        "copy": pl.pallas_call(lambda o_ref, y_ref: pltpu.sync_copy(o_ref, y_ref), in_specs=[ANY], out_specs=ANY, out_shape=like)}

    def run(read, which, x):
        o, p, sem, sem_2 = both(x)
        y = awaits(x, o, sem)
        z = read((x, o, p)[which])
        return awaits(x, p, sem_2) + y + z
    for name, read in readers.items():
        for which in (0, 1):  # there, and over
            with pallasc.jax.machine(check=True):
                jax.jit(functools.partial(run, read, which))(X)
        with pytest.raises(pallasc.RaceError) as error:
            with pallasc.jax.machine(check=True):
                jax.jit(functools.partial(run, read, 2))(X)
        assert "pltpu.make_async_copy(x_ref, p_ref, sem_2).start()" in str(error.value) and "signals 'sem_2'; it is still" in str(error.value), name
        assert len(error.value.findings) == 1 and error.value.findings[0]["file"] == __file__, name
    with pallasc.jax.machine(check=True):
        jax.jit(functools.partial(run, lambda o: 0 if passes(o) is None else 1, 2))(X)


def test_what_loops_and_functions_read_before_a_later_kernel_waits():
    """In turns and behind loops that hand the semaphore on, in what a function has started, and of copies of parts."""
    semaphore, like, dma = pl.BlockSpec(memory_space=pltpu.SEMAPHORE), Shape(X.shape, X.dtype), pltpu.SemaphoreType.DMA(())

    def start(part, x_ref, o_ref, sem):
        pltpu.sync_copy(x_ref, o_ref)
        pltpu.make_async_copy(x_ref.at[part], o_ref.at[part], sem).start()

    def done(part, x_ref, o_ref, sem, y_ref):
        pltpu.make_async_copy(x_ref.at[part], o_ref.at[part], sem).wait()
        pltpu.sync_copy(o_ref, y_ref)

    def begins(part):
        return pl.pallas_call(functools.partial(start, part), in_specs=[ANY], out_specs=(ANY, semaphore), out_shape=(like, dma))

    def ends(part):
        return pl.pallas_call(functools.partial(done, part), in_specs=[ANY, ANY, semaphore], out_specs=ANY, out_shape=like)
    both, awaits = begins(pl.ds(0, 8)), ends(pl.ds(0, 8))

    def in_a_scan(is_early, x):
        def turn(carry, _):
            x, o, sem = carry
            early = jnp.sum(o) if is_early else 0
            y = awaits(x, o, sem)
            return (y, *both(y)), early + jnp.sum(y)
        carry, z = lax.scan(turn, (x, *both(x)), None, length=3)
        return awaits(*carry), z

    def behind_a_loop(is_early, x):
        def turn(_, carry):
            y = awaits(*carry)
            return y, *both(y)
        y, o, sem = lax.fori_loop(0, 3, turn, (x, *both(x)))
        early = jnp.sum(o if is_early else x)
        return awaits(y, o, sem), early

    def in_a_loop(is_early, x):
        o, sem = both(x)
        z = lax.fori_loop(0, 2 if is_early else 0, lambda i, z: z + o[0], x[0])
        return awaits(x, o, sem), z

    def in_a_loop_over_data(is_early, x):
        o, sem = both(x)
        z = lax.while_loop(lambda z: z[1] > 1000, lambda z: z + o[0], x[0])
        early = jnp.sum(o) if is_early else 0
        return awaits(x, o, sem), z, early

    def of_a_function(is_early, x):
        o, sem = jax.jit(both)(x)
        early = jnp.sum(o) if is_early else 0
        return awaits(x, o, sem), early

    def of_a_part(is_early, x):
        half = pl.ds(0, 4)
        o, sem = begins(half)(x)
        early = o[3:6] if is_early else o[4:8:2]
        return ends(half)(x, o, sem), early

    def of_parts(is_early, x):
        half = pl.ds(0, 4)
        o, sem = begins(half)(x)
        early = jnp.sum(o if is_early else jnp.where(jnp.arange(8)[:, None] > 3, o, 0))
        return ends(half)(x, o, sem), early
    for run in (in_a_scan, behind_a_loop, in_a_loop, in_a_loop_over_data, of_a_function, of_a_part, of_parts):
        with pallasc.jax.machine(check=True):
            jax.jit(functools.partial(run, False))(X)
        with pytest.raises(pallasc.RaceError, match="of 'o_ref'.* are not ordered") as error:
            with pallasc.jax.machine(check=True):
                jax.jit(functools.partial(run, True))(X)
        assert len(error.value.findings) == 1 and error.value.findings[0]["file"] == __file__, run.__name__
        assert run is not of_a_part or "this read of 'o_ref'[3:6] are" in str(error.value)


def test_what_may_not_run_reads_a_result_before_a_later_kernel_waits():
    """Of a branch, and of a loop over data, it is the run that says whether they read."""
    semaphore, like, dma = pl.BlockSpec(memory_space=pltpu.SEMAPHORE), Shape(X.shape, X.dtype), pltpu.SemaphoreType.DMA(())

    def start(rows, x_ref, o_ref, sem):
        pltpu.sync_copy(x_ref, o_ref)
        pltpu.make_async_copy(x_ref.at[pl.ds(0, rows)], o_ref.at[pl.ds(0, rows)], sem).start()

    def done(rows, x_ref, o_ref, sem, y_ref):
        pltpu.make_async_copy(x_ref.at[pl.ds(0, rows)], o_ref.at[pl.ds(0, rows)], sem).wait()
        pltpu.sync_copy(o_ref, y_ref)
    doubles = pl.pallas_call(lambda x_ref, y_ref: y_ref.__setitem__(..., x_ref[...] * 2), out_shape=like)
    copies = pl.pallas_call(lambda x_ref, y_ref: pltpu.sync_copy(x_ref, y_ref), in_specs=[ANY], out_specs=ANY, out_shape=like)
    halves = jax.jit(lambda x: x / 2)
    looks = {"an operation": lambda x, o, n: lax.cond(n > 0, lambda: o * 2, lambda: x),
             "the array": lambda x, o, n: lax.cond(n > 0, lambda: o, lambda: x),
             "a kernel": lambda x, o, n: lax.cond(n > 0, lambda: doubles(o), lambda: doubles(x)),
             "a kernel that waits": lambda x, o, n: lax.cond(n > 0, lambda: copies(o), lambda: copies(x)),
             "a function": lambda x, o, n: lax.cond(n > 0, lambda: halves(o), lambda: halves(x)),
             "a part": lambda x, o, n: lax.switch(n, [lambda: o[4:6], lambda: o[3:5], lambda: x[:2]]),
             "a turn": lambda x, o, n: lax.fori_loop(0, n, lambda i, z: z + o[0], x[0]),
             "a branch of a turn": lambda x, o, n: lax.fori_loop(0, 2, lambda i, z: lax.cond(n + i > 1, lambda: z + o[i], lambda: z), x[0])}

    def both(rows, x):
        return pl.pallas_call(functools.partial(start, rows), in_specs=[ANY], out_specs=(ANY, semaphore), out_shape=(like, dma))(x)

    def awaits(rows, *arrays):
        return pl.pallas_call(functools.partial(done, rows), in_specs=[ANY, ANY, semaphore], out_specs=ANY, out_shape=like)(*arrays)

    def run(look, rows, x, n):
        o, sem = both(rows, x)
        z = look(x, o, n)
        return awaits(rows, x, o, sem), z

    def in_a_scan(x, n):
        def turn(carry, _):
            x = awaits(8, *carry)
            o, sem = both(8, x)
            return (x, o, sem), looks["an operation"](x, o, n)
        carry, z = lax.scan(turn, (x, *both(8, x)), None, length=3)
        return awaits(8, *carry), z
    programs = {name: functools.partial(run, look, 4 if name == "a part" else 8) for name, look in looks.items()}
    for name, program in {**programs, "a scan": in_a_scan}.items():
        program = jax.jit(program)
        with pallasc.jax.machine(check=True):
            equal(program(X, 0)[0], X)
        with pytest.raises(pallasc.RaceError, match="of '[ox]_ref'.* are not ordered") as error:
            with pallasc.jax.machine(check=True):
                program(X, 1)
        assert len(error.value.findings) == 1 and error.value.findings[0]["file"] == __file__, name


def test_an_array_that_nothing_uses_while_a_copy_leaves_it():
    semaphore, like, dma = pl.BlockSpec(memory_space=pltpu.SEMAPHORE), Shape(X.shape, X.dtype), pltpu.SemaphoreType.DMA(())

    def start(x_ref, o_ref, sem):
        pltpu.make_async_copy(x_ref, o_ref, sem).start()

    def done(o_ref, sem, y_ref):
        pltpu.make_async_copy(o_ref, o_ref, sem).wait()
        pltpu.sync_copy(o_ref, y_ref)

    both = pl.pallas_call(start, in_specs=[ANY], out_specs=(ANY, semaphore), out_shape=(like, dma))
    awaits = pl.pallas_call(done, in_specs=[ANY, semaphore], out_specs=ANY, out_shape=like)
    lives = {"an argument": (lambda x: x, lambda x: 0), "a result": (jnp.sin, lambda x: x), "read behind the wait": (jnp.sin, jnp.sum),
             "shaped anew": (lambda x: x.reshape(4, 2, 128).reshape(8, 128), lambda x: 0), "a constant": (lambda x: jnp.asarray(X), lambda x: 0)}

    def run(make, use, x):
        made = make(x)
        y = awaits(*both(made))
        return y, use(made)
    for make, use in lives.values():
        with pallasc.jax.machine(check=True):
            jax.jit(functools.partial(run, make, use))(X)
    with pytest.raises(pallasc.RaceError, match="this copy out of 'x_ref' may be in flight when nothing uses the array any more") as error:
        with pallasc.jax.machine(check=True):
            jax.jit(functools.partial(run, jnp.sin, lambda x: 0))(X)
    assert len(error.value.findings) == 1 and "y = awaits(*both(made))" in str(error.value)


def test_an_array_that_a_kernel_gives_back_lives_on():
    """Two copies are awaited one after the other, by kernels that have the array as a result, too."""
    semaphore, sems = pl.BlockSpec(memory_space=pltpu.SEMAPHORE), pltpu.SemaphoreType.DMA((2,))

    def copy(row, x_ref, o_ref, sems):
        return pltpu.make_async_copy(x_ref.at[row], o_ref.at[row], sems.at[row])

    def start(x_ref, o_ref, sems):
        copy(0, x_ref, o_ref, sems).start()
        copy(1, x_ref, o_ref, sems).start()

    def run(is_early, x):
        like = Shape((2, *X.shape), X.dtype)
        begins = pl.pallas_call(start, in_specs=[ANY], out_specs=(ANY, semaphore), out_shape=(like, sems))
        one = pl.pallas_call(lambda x_ref, _, sems, o_ref, out: copy(0, x_ref, o_ref, sems).wait(), in_specs=[ANY, ANY, semaphore],
                             out_specs=(ANY, semaphore), out_shape=(like, sems), input_output_aliases={1: 0, 2: 1})
        two = pl.pallas_call(lambda x_ref, _, sems, o_ref: copy(1, x_ref, o_ref, sems).wait(), in_specs=[ANY, ANY, semaphore], out_specs=ANY,
                             out_shape=like, input_output_aliases={1: 0})
        o, counts = one(x, *begins(x))
        y = o[int(is_early)] * 2
        return two(x, o, counts)[1] + y
    x = jnp.stack([X, X])
    with pallasc.jax.machine(check=True):
        equal(jax.jit(functools.partial(run, False))(x), 3 * X)
    with pytest.raises(pallasc.RaceError, match=r"this read of .*\[1\] are not ordered"):
        with pallasc.jax.machine(check=True):
            jax.jit(functools.partial(run, True))(x)


def test_a_ref_that_is_read_before_a_later_kernel_waits():
    mesh = pltpu.create_tensorcore_mesh("core", num_cores=1)

    def run(is_early, x):
        a, b, sem = jax.new_ref(x), jax.new_ref(jnp.zeros_like(x)), pl.empty_ref_like(pltpu.SemaphoreType.DMA(()))

        @pl.core_map(mesh)
        def _():
            pltpu.make_async_copy(a, b, sem).start()
        y = b[...] * 2 if is_early else a[...] * 2

        @pl.core_map(mesh)
        def _():
            pltpu.make_async_copy(a, b, sem).wait()
        return b[...] + y
    with pallasc.jax.machine(check=True):
        equal(jax.jit(functools.partial(run, False))(X), 3 * X)
    with pytest.raises(pallasc.RaceError, match=r"y = b\[...\] \* 2"):
        with pallasc.jax.machine(check=True):
            jax.jit(functools.partial(run, True))(X)


def test_which_of_several_copies_a_later_kernel_awaits():
    """Those of the steps of loops are other ones, though their arrays may lie in the same place."""
    semaphores, like, halves = pl.BlockSpec(memory_space=pltpu.SEMAPHORE), Shape(X.shape, X.dtype), [pl.ds(0, 4), pl.ds(4, 4)]

    def start(x_ref, o_ref, sems):
        for i, half in enumerate(halves):
            pltpu.make_async_copy(x_ref.at[half], o_ref.at[half], sems.at[i]).start()

    def done(order, x_ref, o_ref, sems, y_ref):
        for waited, read in order:
            pltpu.make_async_copy(x_ref.at[halves[waited]], o_ref.at[halves[waited]], sems.at[waited]).wait()
            pltpu.sync_copy(o_ref.at[halves[read]], y_ref.at[halves[read]])

    def run(order, x):
        both = pl.pallas_call(start, in_specs=[ANY], out_specs=(ANY, semaphores), out_shape=(like, pltpu.SemaphoreType.DMA((2,))))
        awaits = pl.pallas_call(functools.partial(done, order), in_specs=[ANY, ANY, semaphores], out_specs=ANY, out_shape=like)
        return lax.fori_loop(0, 3, lambda i, y: awaits(y, *both(y)), x)
    for order in ([(0, 0), (1, 1)], [(1, 1), (0, 0)]):
        with pallasc.jax.machine(check=True):
            equal(jax.jit(functools.partial(run, order))(X), X)
    with pytest.raises(pallasc.RaceError, match=r"the copy into 'o_ref'\[4:8\] and this copy out of 'o_ref'\[4:8\]"):
        with pallasc.jax.machine(check=True):
            jax.jit(functools.partial(run, [(0, 1), (1, 0)]))(X)


def test_semaphores_as_refs_of_kernels_on_cores():
    mesh = pltpu.create_tensorcore_mesh('core', num_cores=1)
    on_cores = [lambda body: pl.kernel(mesh=mesh)(body)(), lambda body: pl.core_map(mesh)(body)]
    for launch in on_cores:
        @jax.jit
        def run():
            numbers, out = pl.empty_ref_like(pltpu.SMEM((8,), I32)), pl.empty_ref_like(pltpu.HBM((8,), I32))
            sem = pl.empty_ref_like(pltpu.SemaphoreType.DMA(()))

            @launch
            def _():
                for i in range(8):
                    numbers[i] = i * i

            @launch
            def _():
                pltpu.make_async_copy(numbers, out, sem).start()

            @launch
            def _():
                pltpu.make_async_copy(numbers, out, sem).wait()
            return out[...]
        equal(run(), np.arange(8) ** 2)


def test_keys_in_memory():
    key = pltpu.to_pallas_key(random.key(0, impl='rbg'))

    def main(refs):
        key_ref, o_ref = refs

        @pl.core_map(pltpu.create_tensorcore_mesh('core', num_cores=1))
        def _():
            @functools.partial(pl.run_scoped, key_smem=pltpu.SMEM((), key_ref.dtype), o_vmem=pltpu.VMEM(o_ref.shape, F32))
            def _(key_smem, o_vmem):
                pltpu.sync_copy(key_ref, key_smem)
                o_vmem[...] = random.uniform(key_smem[...], shape=o_ref.shape)
                pltpu.sync_copy(o_vmem, o_ref)
    drawn = jax.jit(lambda key: pl.run_state(main)((key, jnp.zeros((8, 128))))[1])(key)
    alone = pl.pallas_call(lambda k, o: o.__setitem__(..., random.uniform(k[...], shape=o.shape)), in_specs=[SMEM], out_shape=Shape((8, 128), F32))
    equal(drawn, jax.jit(alone)(key))


def test_a_key_seeds_the_generator():
    def kernel(key_ref, o_ref):
        pltpu.prng_seed(key_ref[...])
        o_ref[...] = pltpu.stateful_uniform(shape=o_ref.shape)
    call = jax.jit(pl.pallas_call(kernel, in_specs=[SMEM], out_shape=Shape((8, 128), F32)))
    one, other = (np.asarray(call(pltpu.to_pallas_key(random.key(seed)))) for seed in (0, 1))
    assert (one != other).any() and one.min() < one.max()


def test_cores_of_a_mesh_that_gives_no_number():
    for chip, cores in (('v5p', 2), ('v5e', 1)):
        with pallasc.jax.machine(tpu=chip):
            assert len(pltpu.create_tensorcore_mesh('core').devices) == cores


def test_side_effects():
    effects = pltpu.SideEffectType

    def lower(effect, f):
        call = pl.pallas_call(lambda x, o: o.__setitem__(..., x[...]), out_shape=X,
                              compiler_params=pltpu.CompilerParams(has_side_effects=effect), metadata={'b': '1', 'a': 'x'})
        return jax.jit(functools.partial(f, call)).lower(X)

    def text(effect):
        return lower(effect, lambda call, x: call(x)).as_text()
    for effect, is_said in ((effects.PURE, False), (False, False), (effects.SIDE_EFFECTING, True), (effects.DATAFLOW_SIDE_EFFECTING, True), (True, True)):
        assert ('has_side_effect = true' in text(effect)) is is_said
    for effect, calls in ((effects.PURE, (0, 1)), (effects.DATAFLOW_SIDE_EFFECTING, (0, 2)), (effects.SIDE_EFFECTING, (1, 2))):
        for f, count in zip((lambda call, x: (lax.dce_sink(call(x)), x)[1], lambda call, x: call(x) + call(x)), calls):
            assert lower(effect, f).compile().as_text().count(' custom-call(') == count, (effect, count)
    assert r'{\0A\22a\22:\22x\22,\0A\22b\22:\221\22\0A}' in text(False), text(False)
    try:
        text('some')
    except ValueError as error:
        assert 'Invalid side effect type: some' in str(error)
    else:
        raise AssertionError('it was not refused')


def test_what_the_chip_refuses():
    """Not where an interpreter is asked for."""
    def copy(x_ref, o_ref, sem):
        pltpu.async_copy(x_ref, o_ref, sem).wait()

    def calls(interpret):
        flags, bytes_ = jnp.ones((8, 128), jnp.bool_), jnp.ones((32, 128), jnp.uint8)
        yield 'DMAs with bool dtypes', lambda: pl.pallas_call(copy, in_specs=[ANY], out_specs=ANY, out_shape=flags, interpret=interpret,
                                                              scratch_shapes=[pltpu.SemaphoreType.DMA])(flags)
        product = lambda x, o: o.__setitem__(..., jnp.dot(x[...], x[...].T, preferred_element_type=I32))
        yield 'Unsigned integer dtype uint8', lambda: pl.pallas_call(product, out_shape=Shape((32, 32), I32), interpret=interpret)(bytes_)
    for message, call in calls(False):
        try:
            call()
        except NotImplementedError as error:
            assert message in str(error)
        else:
            raise AssertionError(f'not refused: {message}')
    with pallasc.jax.machine(replace_interpret=True):
        for _, call in calls(pltpu.InterpretParams()):
            assert (np.asarray(call()) > 0).all()


def test_a_pinned_buffer():
    x = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
    rows = pl.BlockSpec((1, 128), lambda i: (i, 0))

    @jax.jit
    def f(x):
        pinned = state_primitives.pin(x)
        for _ in range(2):
            pinned = pl.pallas_call(lambda i, o: o.__setitem__(..., i[...] * 2), out_shape=pinned, grid=(8,), in_specs=[rows], out_specs=rows,
                                    input_output_aliases={0: 0})(pinned)
        return state_primitives.unpin(pinned), x
    doubled, same = f(x)
    equal(doubled, x * 4)
    equal(same, x)


# ---- what each of several cores has of its own ---------------------------------------------------------------------------------------

def _on_two_cores(program):
    pl.kernel(mesh=pltpu.create_tensorcore_mesh("core", num_cores=2))(program)()


def _checked_and_not(f, *args):
    with pallasc.jax.machine(check=True):
        checked = jax.jit(f)(*args)
    equal(checked, jax.jit(f)(*args))
    with pallasc.jax.machine(replace_interpret=True), pltpu.force_tpu_interpret_mode():  # whose memory is no array of all cores either
        equal(checked, jax.jit(f)(*args))
    return checked


def test_memory_of_each_core():
    """What a core writes is its own for the next kernel; what is no kernel reads the first core's."""
    def f(x):
        own = jax.new_ref(x, memory_space=pltpu.SMEM)
        out = pl.empty_ref_like(pltpu.HBM((2, 4), jnp.int32))

        @_on_two_cores
        def _():
            for i in range(4):
                own[i] = own[i] + 10 * lax.axis_index("core")

        @_on_two_cores
        def _():
            pltpu.sync_copy(own, out.at[lax.axis_index("core")])
        return jnp.concatenate([out[...], own[...][None]])
    equal(_checked_and_not(f, jnp.arange(4)), np.arange(4) + np.array([[0], [10], [0]]))


def test_memory_of_each_core_between_two_kernels():
    mesh = pltpu.create_tensorcore_mesh("core", num_cores=2)

    def rows():
        return pl.ds(lax.axis_index("core") * 8, 8)

    def f(x):
        own = pl.kernel(lambda x, own: pltpu.sync_copy(x.at[rows()], own), out_type=pltpu.VMEM((8, 128), jnp.float32), mesh=mesh)(x)
        return pl.kernel(lambda own, o: pltpu.sync_copy(own, o.at[rows()]), out_type=jax.ShapeDtypeStruct((16, 128), jnp.float32), mesh=mesh)(own)
    x = jnp.arange(2048.).reshape(16, 128)
    equal(_checked_and_not(f, x), x)


def test_semaphores_of_each_core():
    """Counts, signals to the other core, and copies that another launch waits for."""
    def f(x):
        x, out = jax.new_ref(x), pl.empty_ref_like(pltpu.HBM((2, 8), jnp.float32))
        sems, done = pl.empty_ref_like(pltpu.SemaphoreType.REGULAR((2,))), pl.empty_ref_like(pltpu.SemaphoreType.DMA(()))

        @_on_two_cores
        def _():
            core = lax.axis_index("core")
            pl.semaphore_signal(sems.at[1], 3 + core, core_index=1 - core)
            pltpu.make_async_copy(x.at[core], out.at[core], done).start()

        @_on_two_cores
        def _():
            core = lax.axis_index("core")
            pl.semaphore_wait(sems.at[1], 4 - core)
            pltpu.make_async_copy(x.at[core], out.at[core], done).wait()
        return out[...]
    x = jnp.arange(16.).reshape(2, 8)
    equal(_checked_and_not(f, x), x)


def test_memory_of_each_core_that_several_launches_place():
    """JAX says anew where Refs lie at each launch of a core_map."""
    def f():
        own, done = pl.empty_ref_like(pltpu.SMEM((4,), jnp.int32)), pl.empty_ref_like(pltpu.SemaphoreType.DMA(()))
        out = pl.empty_ref_like(pltpu.HBM((2, 4), jnp.int32))

        def copy():
            return pltpu.make_async_copy(own, out.at[lax.axis_index("core")], done)

        def number():
            for i in range(4):
                own[i] = lax.axis_index("core") + i
        for body in (number, lambda: copy().start(), lambda: copy().wait()):
            pl.core_map(pltpu.create_tensorcore_mesh("core", num_cores=2))(body)
        return jnp.append(out[...], own[...])
    equal(_checked_and_not(f), [0, 1, 2, 3, 1, 2, 3, 4, 0, 1, 2, 3])


def _own_numbers():
    """Scalar memory that holds each core's number."""
    own = pl.empty_ref_like(pltpu.SMEM((4,), jnp.int32))

    @_on_two_cores
    def _():
        for i in range(4):
            own[i] = lax.axis_index("core")
    return own


def _add_to(own):
    """One to what core 0 has, two to what core 1 has."""
    @_on_two_cores
    def _():
        for i in range(4):
            own[i] += 1 + lax.axis_index("core")


def _of_each_core(own):
    out = pl.empty_ref_like(pltpu.HBM((2, 4), jnp.int32))

    @_on_two_cores
    def _():
        pltpu.sync_copy(own, out.at[lax.axis_index("core")])
    return out[:, 0]


def _in_a_loop(n):
    own = _own_numbers()

    def step(_, carry):
        _add_to(own)
        return carry + own[0]
    total = lax.fori_loop(0, 3, step, 0)
    return jnp.append(_of_each_core(own), total)


def test_memory_of_each_core_in_a_loop():
    """What a turn reads of it outside of kernels is the first core's."""
    equal(_checked_and_not(_in_a_loop, 3), [3, 7, 6])


def test_memory_of_each_core_in_a_loop_without_an_end():
    def f(n):
        own = _own_numbers()

        def step(i):
            _add_to(own)
            return i + 1
        lax.while_loop(lambda i: i < n, step, 0)
        return _of_each_core(own)
    equal(_checked_and_not(f, 3), [3, 7])


def test_memory_of_each_core_in_a_branch():
    def f(n):
        own = _own_numbers()
        lax.cond(n > 2, lambda: _add_to(own), lambda: None)
        return _of_each_core(own)
    equal(_checked_and_not(f, 3), [1, 3])
    equal(_checked_and_not(f, 1), [0, 1])


def test_memory_of_each_core_in_functions():
    def f(n):
        own, add = _own_numbers(), jax.jit(_add_to)
        add(own)
        add(own)
        return _of_each_core(own) + n
    equal(_checked_and_not(f, 0), [2, 5])


def test_what_a_scan_collects_of_the_memory_of_each_core():
    def f(xs):
        own = _own_numbers()

        def step(carry, x):
            _add_to(own)
            return carry, (_of_each_core(own) + x, own[...])
        return lax.scan(step, 0, xs)[1]
    each, first = jax.jit(f)(jnp.zeros(3, jnp.int32))
    equal(each, [[1, 3], [2, 5], [3, 7]])
    equal(first[:, 0], [1, 2, 3])


def test_semaphores_of_each_core_in_a_loop():
    def f(x):
        x, out, done = jax.new_ref(x), pl.empty_ref_like(pltpu.HBM((3, 2, 8), jnp.float32)), pl.empty_ref_like(pltpu.SemaphoreType.DMA(()))

        def step(i, carry):
            def copy():
                core = lax.axis_index("core")
                return pltpu.make_async_copy(x.at[core], out.at[i, core], done)
            _on_two_cores(lambda: copy().start())
            _on_two_cores(lambda: copy().wait())
            return carry
        lax.fori_loop(0, 3, step, 0)
        return out[...]
    x = jnp.arange(16.).reshape(2, 8)
    equal(_checked_and_not(f, x), np.stack([x] * 3))


def test_export_of_memory_of_each_core(tmp_path):
    pallasc.jax.export(_in_a_loop, jax.ShapeDtypeStruct((), jnp.int32), name="f", out=tmp_path / "f.so")
    equal(pallasc.load(tmp_path / "f.so").f(np.int32(3)), [3, 7, 6])


def test_export_of_semaphores_that_are_kept(tmp_path):
    def f(x):
        x, out, done = jax.new_ref(x), pl.empty_ref_like(pltpu.HBM((2, 8), jnp.float32)), pl.empty_ref_like(pltpu.SemaphoreType.DMA(()))

        def copy():
            core = lax.axis_index("core")
            return pltpu.make_async_copy(x.at[core], out.at[core], done)
        _on_two_cores(lambda: copy().start())
        _on_two_cores(lambda: copy().wait())
        return out[...]
    x = np.arange(16, dtype=np.float32).reshape(2, 8)
    pallasc.jax.export(f, x, name="f", out=tmp_path / "f.so")
    equal(pallasc.load(tmp_path / "f.so").f(x), x)


def test_memory_of_cores_of_two_kinds_is_refused(tmp_path):
    def f():
        own = _own_numbers()

        def other():
            own[0] += 1
        pl.kernel(mesh=pltpu.create_tensorcore_mesh("other", num_cores=2))(other)()
        return own[...]
    for call in (jax.jit(f), lambda: pallasc.jax.export(f, name="f", out=tmp_path / "f.so")):
        with pytest.raises(NotImplementedError, match="SMEM made outside of a kernel, of which each of 2 cores has its own"):
            call()
