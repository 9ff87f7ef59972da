# SPDX-License-Identifier: Apache-2.0
"""What is found in a JAX program is an exception of its kind, the last that its traceback shows; JAX's arrays are arguments of functions."""
import contextlib
import functools
import io
import os
import pathlib
import pickle
import subprocess
import sys
import textwrap
import threading

import jax
import jax.numpy as jnp
import numpy as np
import pallasc
import pallasc.jax
import pytest
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu
from logs import logged

ROOT = pathlib.Path(__file__).resolve().parents[2]
X = jnp.ones((8,))


def racing(x_ref, o_ref, sem):
    copy = pltpu.make_async_copy(x_ref, o_ref, sem)
    copy.start()
    o_ref[0] = 1.0  # the race
    copy.wait()


def beyond(x_ref, o_ref, sem):
    o_ref[0] = x_ref[x_ref[0].astype(jnp.int32) + 8]  # the place


def stuck(x_ref, o_ref, sem):
    pltpu.make_async_copy(x_ref, o_ref, sem).wait()  # nobody sends


def found(kernel, **options):
    call = jax.jit(pl.pallas_call(kernel, out_shape=X, scratch_shapes=[pltpu.SemaphoreType.DMA]))
    try:
        with pallasc.jax.machine(check=True, **options):
            jax.block_until_ready(call(X))
    except pallasc.PallascError as error:
        return error
    return None


def line_of(comment):
    return next(i for i, line in enumerate(pathlib.Path(__file__).read_text().splitlines(), 1) if f"  # {comment}" in line)


def test_kinds_are_exceptions_with_lines_of_the_program():
    for kernel, kind, comment in ((racing, pallasc.RaceError, "the race"), (beyond, pallasc.OutOfBoundsError, "the place")):
        error = found(kernel)
        assert type(error) is kind, (kernel, error)
        assert error.findings[0]["line"] == line_of(comment) and error.findings[0]["file"] == __file__, error.findings
        assert f"{__file__}:{line_of(comment)}:" in str(error)


def one_too_far(x_ref, o_ref, sem):
    pl.semaphore_signal(sem, 1, core_index=pl.program_id(0) + 1)  # the core


def negative(x_ref, o_ref, sem):
    pl.semaphore_signal(sem, x_ref[0].astype(jnp.int32) - 2)  # the signal


def test_what_ends_a_run_under_checks_is_a_finding():
    for kernel, kind, comment in ((one_too_far, pallasc.OutOfBoundsError, "the core"), (negative, pallasc.SemaphoreError, "the signal")):
        call = jax.jit(pl.pallas_call(kernel, grid=(1,), out_shape=X, scratch_shapes=[pltpu.SemaphoreType.REGULAR]))
        try:
            with pallasc.jax.machine(check=True):
                jax.block_until_ready(call(X))
            raise AssertionError("nothing was found")
        except pallasc.Finding as error:
            assert type(error) is kind and error.findings[0]["line"] == line_of(comment) and error.findings[0]["frames"], error.findings
            assert error.findings[0]["source"].strip().endswith(f"# {comment}")


def test_without_a_machine_a_failed_call_tells_what_was_found():
    call = jax.jit(pl.pallas_call(stuck, out_shape=X, scratch_shapes=[pltpu.SemaphoreType.DMA]))
    for _ in range(2):
        try:
            jax.block_until_ready(call(X))
            raise AssertionError("it is not stuck")
        except jax.errors.JaxRuntimeError as error:
            text = str(error)
        assert text.count(f"{__file__}:{line_of('nobody sends')}:") >= 1 and "'sem'" in text, text
    assert len(text) < 2000  # of this call alone


def half(x_ref, o_ref):
    o_ref[0:4] = x_ref[0:4]  # the other half is left out


def of_half(x):
    return pl.pallas_call(half, out_shape=X)(x)  # half of it


FIRST = jnp.arange(8) < 4
MASKED = {"where": lambda x: jnp.where(FIRST, of_half(x), 0), "slice": lambda x: of_half(x)[:4].sum(), "take": lambda x: of_half(x)[jnp.array([1, 2])],
          "update": lambda x: of_half(x).at[4:].set(0.0), "inner": lambda x: jnp.where(FIRST, jax.jit(of_half)(x) * 2, 0),
          "cond": lambda x: jnp.where(FIRST, jax.lax.cond(x[0] > 0, of_half, lambda y: y, x), 0),
          "scan": lambda x: jax.lax.scan(lambda c, _: (jnp.where(FIRST, of_half(c), 0), None), x, None, length=2)[0],
          "vmap": lambda x: jax.vmap(lambda x: of_half(x)[:4])(jnp.stack([x, x])), "dead": lambda x: (of_half(x), x)[1]}
GIVEN_BACK = {"itself": of_half, "arithmetic": lambda x: of_half(x) * 2, "sum": lambda x: of_half(x).sum(), "inner": lambda x: jax.jit(of_half)(x) + 1,
              "predicate": lambda x: jnp.where(of_half(x) > 0, 1, 2), "cond": lambda x: jax.lax.cond(x[0] > 0, of_half, lambda y: y, x),
              "loop": lambda x: jax.lax.fori_loop(0, 2, lambda i, c: of_half(c), x), "vmap": lambda x: jax.vmap(of_half)(jnp.stack([x, x])),
              "both": lambda x: (jnp.where(FIRST, of_half(x), 0), of_half(x)), "reshape": lambda x: of_half(x).reshape(2, 4).T}


def test_what_is_left_out_outside_is_a_warning_and_what_comes_back_an_error():
    for cases, kind in ((MASKED, None), (GIVEN_BACK, pallasc.UnwrittenError)):
        for name, function in cases.items():
            try:
                with pallasc.jax.machine(check=True, seed=len(name)):
                    jax.block_until_ready(jax.jit(function)(X))
                error = None
            except pallasc.Finding as found:
                error = found
            assert (kind is None and error is None) or type(error) is kind, (name, error)


def test_what_a_program_has_caught_is_raised_at_the_end_unless_it_has_taken_it():
    failing = jax.jit(of_half)
    with pytest.raises(pallasc.UnwrittenError) as raised, pallasc.jax.machine(check=True):
        with contextlib.suppress(jax.errors.JaxRuntimeError):
            jax.block_until_ready(failing(X))
    assert any("m.error() takes what was found" in note for note in raised.value.__notes__)
    with pallasc.jax.machine(check=True) as m:
        with contextlib.suppress(jax.errors.JaxRuntimeError):
            jax.block_until_ready(failing(X))
        assert isinstance(m.error(), pallasc.UnwrittenError)


def test_the_warning_is_told_once_with_its_place():
    with pallasc.jax.machine(check=True, seed=23), logged() as lines:
        for width in (2, 3):
            jax.block_until_ready(jax.jit(lambda x, width=width: of_half(x)[:width])(X))
    told = [line for line in lines if "never written" in line]
    assert len(told) == 1 and f"{__file__}:{line_of('half of it')}:" in told[0], told


def too_large(x_ref, o_ref, scratch):
    o_ref[...] = x_ref[...] + scratch[0]


def test_a_refusal_is_what_xla_would_raise_and_has_a_line_also_without_jit():
    call = pl.pallas_call(too_large, out_shape=X, scratch_shapes=[pltpu.VMEM((1 << 28,), jnp.float32)])
    for run in (lambda: call(X), lambda: jax.jit(call)(X)):
        try:
            run()
        except jax.errors.JaxRuntimeError as error:
            assert isinstance(error, pallasc.CompileError) and "bytes of VMEM" in str(error), error
            assert str(error).startswith(f"{__file__}:"), error
        else:
            raise AssertionError("nothing was refused")


def test_two_operands_for_one_result_are_refused():
    call = pl.pallas_call(lambda x_ref, y_ref, o_ref, p_ref: None, out_shape=[X, X], input_output_aliases={0: 0, 1: 0})
    with pytest.raises(ValueError, match="input_output_aliases maps two inputs to output 0"):
        call(X, X)


def test_refusals_go_to_other_processes():
    """As those of a pool, and of pytest-xdist, do: what is pickled comes back as its class, with its data."""
    def called(error_of):
        return lambda: jax.jit(pl.pallas_call(error_of, out_shape=X))(X)
    cases = ((called(lambda x_ref, o_ref: jax.debug.callback(print, x_ref[0])), pallasc.NotImplementedCompileError),
             (lambda: pallasc.compile("f.pk", text="def f(x: f32[8]):\n    raise ValueError('no')\n"), pallasc.ValueCompileError),
             (lambda: pallasc.compile("f.pk", text="def f(x: f32[8]):\n    return x + None\n"), pallasc.TypeCompileError))
    for call, kind in cases:
        with pytest.raises(kind) as raised:
            call()
        copy = pickle.loads(pickle.dumps(raised.value))
        assert type(copy) is kind and str(copy) == str(raised.value) and copy.diagnostics == raised.value.diagnostics != []


def test_a_deadlock_has_its_exception():
    error = found(stuck)
    assert type(error) is pallasc.DeadlockError and f"{pathlib.Path(__file__).name}:{line_of('nobody sends')}" in str(error), error


def test_the_exception_is_last_in_what_a_program_shows(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(textwrap.dedent('''
        import jax, jax.numpy as jnp
        from jax.experimental import pallas as pl
        from jax.experimental.pallas import tpu as pltpu
        import pallasc.jax

        def kernel(x_ref, o_ref, sem):
            copy = pltpu.make_async_copy(x_ref, o_ref, sem)
            copy.start()
            o_ref[0] = 1.0
            copy.wait()

        x = jnp.ones((8,))
        with pallasc.jax.machine(check=True):
            print(jax.jit(pl.pallas_call(kernel, out_shape=x, scratch_shapes=[pltpu.SemaphoreType.DMA]))(x))
        '''))
    done = subprocess.run([sys.executable, program], capture_output=True, text=True, env={"PYTHONPATH": str(ROOT / "python"), "JAX_PLATFORMS": "cpu"})
    last = done.stderr[done.stderr.rindex("\npallasc."):]
    assert done.returncode == 1 and last.startswith(f"\npallasc.RaceError: {program}:10:"), done.stderr
    assert "Traceback" not in last and "--------------------" not in last, last


def test_arrays_of_jax_are_arguments_of_functions():
    add = pallasc.compile("a.pk", text="def add(x: bf16[4], y: f32[4]):\n    return x.astype(f32) + y\n").add
    y = jax.jit(lambda v: v * 2)(jnp.arange(4.0))
    assert add(jnp.ones(4, jnp.bfloat16), y).tolist() == [1, 3, 5, 7]
    for given, text in ((dict(out=jnp.zeros(4)), "'out' is read-only"),):
        try:
            add(jnp.ones(4, jnp.bfloat16), y, **given)
        except ValueError as error:
            assert text in str(error), error
        else:
            raise AssertionError(given)
    gone = jnp.ones(4)
    gone.delete()
    try:
        add(jnp.ones(4, jnp.bfloat16), gone)
    except ValueError as error:
        assert "argument 'y' cannot be read through DLPack" in str(error), error
    else:
        raise AssertionError("a deleted array was read")
    assert np.asarray(y).tolist() == [0, 2, 4, 6]


def test_findings_of_calls_that_ask_for_an_interpreter():
    call = jax.jit(pl.pallas_call(racing, out_shape=X, scratch_shapes=[pltpu.SemaphoreType.DMA], interpret=pltpu.InterpretParams(random_seed=5)))
    try:
        with pallasc.jax.machine(check=True, replace_interpret=True):
            jax.block_until_ready(call(X))
    except pallasc.RaceError as error:
        assert error.findings[0]["line"] == line_of("the race")
    else:
        raise AssertionError("the race was not told")


def test_arguments_of_a_machine_are_checked():
    for name, value in (("seed", -1), ("seed", "a"), ("seed", True), ("threads", -1), ("threads", 2.0), ("device_timeout", -1), ("device_timeout", "x"),
                        ("check", "yes"), ("replace_interpret", 3), ("tpu", 5), ("tpu", "v9"), ("numerics", "foo")):
        try:
            with pallasc.jax.machine(**{name: value}):
                pass
        except ValueError as error:
            assert name in str(error), error
        else:
            raise AssertionError(f"{name}={value!r} was taken")


def forgetful(x_ref, o_ref):
    o_ref[pl.ds(0, 4)] = x_ref[pl.ds(0, 4)]  # the other half is not written


def test_what_the_compiler_warns_of_is_logged():
    with logged() as told:
        pl.pallas_call(forgetful, out_shape=X, grid=(1,))(X)
    assert any("-Wunwritten" in line and __file__ in line for line in told), told


def test_names_of_exported_functions():
    for name in ("for", "", "a-b", "é"):
        try:
            pallasc.jax.export(lambda x: x, X, name=name, out="unused.o")
        except ValueError as error:
            assert "name=" in str(error)
        else:
            raise AssertionError(f"{name!r} was taken")


def early(x_ref, o_ref, sem):
    pltpu.sync_copy(x_ref.at[pl.ds(0, 4)], o_ref.at[pl.ds(0, 4)])
    pltpu.sync_copy(x_ref.at[pl.ds(4 + x_ref[0].astype(jnp.int32), 4)], o_ref.at[pl.ds(4, 4)])  # beyond the end


def test_functions_of_jax_itself_have_the_place_where_they_are_called():
    error = found(early)
    assert type(error) is pallasc.OutOfBoundsError, error
    assert error.findings[0]["file"] == __file__ and error.findings[0]["line"] == line_of("beyond the end"), error.findings


def test_a_call_that_is_given_up_left_nothing_out():
    error = found(stuck)
    assert type(error) is pallasc.DeadlockError and [f["kind"] for f in error.findings] == ["deadlock"], error.findings


# ---- pipelines inside kernels ---------------------------------------------------------------------------------------------

def skips(a_ref, b_ref):
    @pl.when(pl.program_id(0) != 2)  # whose buffer still holds the first block
    def _():
        b_ref[...] = a_ref[...] * 2.0


def reaches_out(a_ref, b_ref):
    b_ref[...] = a_ref[...]
    b_ref[a_ref[0, 0].astype(jnp.int32) + 7, 0] = 1.0


def of_pipeline(body):
    blocks = pl.BlockSpec((8, 128), lambda i: (i, 0))

    def kernel(x_hbm, result_hbm):
        pltpu.emit_pipeline(body, grid=(4,), in_specs=[blocks], out_specs=[blocks])(x_hbm, result_hbm)
    anywhere = pl.BlockSpec(memory_space=pl.ANY)
    x = jnp.ones((32, 128))
    try:
        with pallasc.jax.machine(check=True):
            jax.block_until_ready(jax.jit(pl.pallas_call(kernel, out_shape=x, in_specs=[anywhere], out_specs=anywhere))(x))
    except pallasc.Finding as error:
        return error
    return None


def test_a_block_of_a_pipeline_that_is_not_written_is_found():
    error = of_pipeline(skips)
    assert type(error) is pallasc.UnwrittenError and "'b_ref' is read where it was never written" in str(error), error
    assert of_pipeline(lambda a_ref, b_ref: pltpu.sync_copy(a_ref, b_ref)) is None


def test_buffers_of_a_pipeline_have_the_names_of_its_body():
    error = of_pipeline(reaches_out)
    assert type(error) is pallasc.OutOfBoundsError and "of 'b_ref" in str(error), error
    error = of_pipeline(functools.partial(lambda unused, a_ref, b_ref: reaches_out(a_ref, b_ref), None))
    assert type(error) is pallasc.OutOfBoundsError and "of 'b_ref" in str(error), error
    error = of_pipeline(lambda *refs: reaches_out(*refs))
    assert type(error) is pallasc.OutOfBoundsError and "allocations[1]" in str(error), error


def test_an_array_in_hbm_is_called_what_the_kernel_calls_it():
    def by_hand(first, second, o_ref):
        pltpu.sync_copy(second.at[pl.ds(first[0], 8)], o_ref)

    def on_cores(first, second, o_ref, place):
        pltpu.sync_copy(first, place)
        pltpu.sync_copy(second.at[pl.ds(place[0], 8)], o_ref)

    any_memory, smem = pl.BlockSpec(memory_space=pl.ANY), pltpu.SMEM((1,), jnp.int32)
    calls = [pl.pallas_call(by_hand, out_shape=X, in_specs=[pl.BlockSpec(memory_space=pltpu.SMEM), any_memory], out_specs=any_memory),
             pl.kernel(on_cores, out_type=X, mesh=pltpu.create_tensorcore_mesh("core", num_cores=1), scratch_types=[smem])]
    for call in calls:
        with pytest.raises(pallasc.OutOfBoundsError, match="dimension 0 of 'second'"):
            with pallasc.jax.machine(check=True):
                jax.jit(call)(jnp.array([3]), jnp.ones((8,)))


def test_an_input_in_hbm_is_called_what_the_kernel_calls_it():
    def rows(source, o_ref, buf, sem):
        pltpu.async_copy(source.at[pl.program_id(0) + 1], buf, sem).wait()
        o_ref[...] = buf[...]

    call = pl.pallas_call(rows, grid=(4,), in_specs=[pl.BlockSpec(memory_space=pl.ANY)], out_specs=pl.BlockSpec((8, 128), lambda i: (i, 0)),
                          out_shape=jax.ShapeDtypeStruct((32, 128), jnp.float32), scratch_shapes=[pltpu.VMEM((8, 128), jnp.float32), pltpu.SemaphoreType.DMA])
    for f in (call, jax.jit(lambda x: call(2 * x))):
        with pytest.raises(pallasc.OutOfBoundsError, match="index 4 is out of bounds for dimension 0 of 'source'"):
            with pallasc.jax.machine(check=True):
                f(jnp.ones((4, 8, 128)))


def test_what_does_not_fit_is_called_what_the_kernel_calls_it():
    call = pl.pallas_call(lambda my_x, my_o, my_scratch: None, out_shape=jax.ShapeDtypeStruct((1 << 14, 1 << 11), jnp.float32),
                          scratch_shapes=[pltpu.VMEM((8, 128), jnp.float32)])
    try:
        jax.jit(call)(jnp.ones((1 << 14, 1 << 11)))
    except pallasc.CompileError as error:
        assert all(f" '{name}' f32[" in str(error) for name in ("my_x", "my_o", "my_scratch")), error
    else:
        raise AssertionError("nothing was refused")


def test_placeholders_of_debug_print_are_told_as_outside_of_jax():
    def call(fmt):
        def kernel(x_ref, o_ref):
            pl.debug_print(fmt, x_ref[0])
            o_ref[...] = x_ref[...]
        jax.jit(pl.pallas_call(kernel, out_shape=X))(X)
    for fmt, text in (("{} {}", "expects 2 arguments, but got 1"), ("{1}", "expects 2 arguments, but got 1"), ("{x}", "placeholder {x}")):
        try:
            call(fmt)
        except TypeError as error:
            assert isinstance(error, pallasc.CompileError) and text in str(error), error
        else:
            raise AssertionError(fmt)


def test_a_machine_where_jax_traces_is_refused():
    """The kernel would run when it is gone."""
    def f(x):
        with pallasc.jax.machine(check=True):
            return pl.pallas_call(lambda x, o: o.__setitem__(..., x[...] + 1), out_shape=x)(x)
    x = jnp.ones((8, 128))
    for traced in (jax.jit(f), jax.make_jaxpr(f), jax.jit(jax.vmap(f))):
        with pytest.raises(RuntimeError, match='belongs around the call'):
            traced(x)
    np.testing.assert_array_equal(jax.vmap(f)(x[None])[0], x + 1)  # which runs at once


def test_each_thread_is_told_what_its_own_calls_have_found():
    def forgets(x_ref, o_ref, scratch_ref):
        o_ref[...] = scratch_ref[...]

    def call(kernel, **options):
        return jax.jit(pl.pallas_call(kernel, out_shape=jax.ShapeDtypeStruct((8, 128), jnp.float32), **options))
    bad = call(forgets, scratch_shapes=[pltpu.VMEM((8, 128), jnp.float32)])
    good = call(lambda x, o: o.__setitem__(..., x[...] * 3))
    x, inside, told = jnp.ones((8, 128)), threading.Barrier(4), {}

    def run(number):
        try:
            with pallasc.jax.machine(check=True):
                inside.wait()
                try:
                    jax.block_until_ready((good, bad)[number % 2](x))
                finally:
                    inside.wait()  # nobody leaves while another one has not found what it will
            told[number] = None
        except Exception as error:
            told[number] = type(error)
    threads = [threading.Thread(target=run, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert told == {0: None, 1: pallasc.UnwrittenError, 2: None, 3: pallasc.UnwrittenError}, told


def looked_at(early):
    """A kernel that reads what a copy brings as long as its semaphore has not, or has, said that it is over; and counts that in its aliased operand."""
    def body(x_ref, count_ref, o_ref, same_ref, buf, sem):
        copy = pltpu.make_async_copy(x_ref, buf, sem)
        copy.start()
        same_ref[0] = count_ref[0] + 1
        is_there = pl.semaphore_read(sem) >= 4096
        pl.debug_print("there: {}", is_there)

        @pl.when(is_there if early else ~is_there)
        def _():
            o_ref[...] = buf[...]
        copy.wait()
        o_ref[...] = buf[...]

    smem = pl.BlockSpec(memory_space=pltpu.SMEM)
    return jax.jit(pl.pallas_call(body, in_specs=[pl.BlockSpec(memory_space=pl.ANY), smem], out_specs=(pl.BlockSpec(memory_space=pltpu.VMEM), smem),
                                  out_shape=(jax.ShapeDtypeStruct((8, 128), jnp.float32), jax.ShapeDtypeStruct((1,), jnp.int32)),
                                  scratch_shapes=[pltpu.VMEM((8, 128), jnp.float32), pltpu.SemaphoreType.DMA], input_output_aliases={1: 1}))


def test_a_call_is_made_in_several_schedules():
    """With late copies the first one reads too early; with a count that is proved nothing is found; each schedule begins with the same operands."""
    x, count = jnp.ones((8, 128)), jnp.zeros(1, jnp.int32)
    for seed in range(4):
        with pytest.raises(pallasc.RaceError) as caught, pallasc.jax.machine(check=True, seed=seed):
            looked_at(early=False)(x, count)[1].block_until_ready()
        assert str(caught.value).count("error: race:") == 1
    printed = io.StringIO()
    with pallasc.jax.machine(check=True), contextlib.redirect_stdout(printed):
        assert looked_at(early=True)(x, count)[1][0] == 1
    assert printed.getvalue().count("there:") == 1


def test_what_the_chip_refuses():
    """Under strict_tpu: with JAX's class and words, for kernels that are for the chip."""
    def copy(shape, block, **options):
        spec = pl.BlockSpec(block, lambda *indices: indices)
        x, grid = jnp.zeros(shape), [-(-n // b) for n, b in zip(shape, block)]
        return jax.jit(pl.pallas_call(lambda x, o: o.__setitem__(..., x[...]), out_shape=x, grid=grid, in_specs=[spec], out_specs=spec, **options))(x)
    refused = (((), (), "supports only blocks of rank >= 1"), ((128,), (64,), "multiple of the tiling size"),
               ((16, 128), (4, 128), "last two dimensions of your block shape are divisible by 8 and 128"))
    with pallasc.jax.machine(strict_tpu=True, replace_interpret=True):
        for shape, block, words in refused:
            try:
                copy(shape, block)
                raise AssertionError(shape)
            except ValueError as error:
                assert isinstance(error, pallasc.CompileError) and words in str(error) and "does not fit" in str(error) or not shape, error
            assert copy(shape, block, interpret=True).shape == shape
        assert copy((16, 128), (8, 128)).shape == (16, 128)
    for shape, block, _ in refused:
        assert copy(shape, block).shape == shape


def test_what_the_chip_refuses_in_a_suite(tmp_path):
    suite = tmp_path / "test_suite.py"
    suite.write_text(textwrap.dedent("""
        import jax, jax.numpy as jnp, pytest
        from jax.experimental import pallas as pl

        @pytest.mark.parametrize("interpret", [False, True])
        def test_rows(interpret):
            spec = pl.BlockSpec((4, 128), lambda i: (i, 0))
            x = jnp.ones((16, 128))
            pl.pallas_call(lambda x, o: o.__setitem__(..., x[...]), out_shape=x, grid=4, in_specs=[spec], out_specs=spec, interpret=interpret)(x)
    """))
    command = [sys.executable, "-m", "pytest", "-q", "-p", "pallasc", "--pallasc-strict-tpu", suite]
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": str(ROOT / "python")})
    assert "1 failed, 1 passed" in done.stdout and "divisible by 8 and 128" in done.stdout, done.stdout


def below_zero(x_ref, o_ref):
    o_ref[...] = jnp.sqrt(jnp.where(jnp.isinf(jnp.exp(x_ref[...] * 1000)), x_ref[...] - 2, x_ref[...]))  # the NaN


def test_debug_nans_name_the_operation_of_a_kernel():
    call, nan = pl.pallas_call(below_zero, out_shape=X), X + jnp.nan
    ways = [call, jax.jit(call), jax.jit(lambda x: call(x) + 1), lambda x: jax.vmap(call)(x[None])]
    with jax.debug_nans(True), contextlib.redirect_stdout(io.StringIO()):
        for way in ways:
            for options in (None, {}, {"check": True}):
                with pytest.raises(pallasc.NanError) as raised:
                    with contextlib.nullcontext() if options is None else pallasc.jax.machine(**options):
                        jax.block_until_ready(way(X))
                assert isinstance(raised.value, FloatingPointError) and raised.value.findings[0]["line"] == line_of("the NaN"), raised.value
                assert len(raised.value.findings) == 1, raised.value  # infinities are not asked for
        twice = pl.pallas_call(lambda x_ref, o_ref: o_ref.__setitem__(..., x_ref[...] * 2), out_shape=X)
        for interpret in (False, True):
            with pytest.raises(FloatingPointError, match=r"invalid value \(nan\) encountered in pallas_call"):
                jax.jit(pl.pallas_call(lambda x_ref, o_ref: o_ref.__setitem__(..., x_ref[...] * 2), out_shape=X, interpret=interpret))(nan)
        assert (jax.jit(twice)(X) == 2).all()
    with jax.debug_infs(True), contextlib.redirect_stdout(io.StringIO()), pytest.raises(pallasc.InfError):
        jax.jit(pl.pallas_call(lambda x_ref, o_ref: o_ref.__setitem__(..., jnp.exp(x_ref[...] * 1000)), out_shape=X))(X)


def test_a_machine_is_used_again():
    stuck_again = jax.jit(pl.pallas_call(stuck, out_shape=X, scratch_shapes=[pltpu.SemaphoreType.DMA]))
    watched, failures = pallasc.jax.machine(check=True), []

    @watched
    def decorated():
        jax.block_until_ready(stuck_again(X))

    def work():
        with pytest.raises(pallasc.DeadlockError), watched, watched:
            jax.block_until_ready(stuck_again(X))
        with pytest.raises(pallasc.DeadlockError):
            decorated()
        failures.append(None)
    threads = [threading.Thread(target=work) for _ in range(3)]
    [t.start() for t in threads]
    [t.join() for t in threads]
    work()
    assert failures == [None] * 4
    with watched as used:
        assert used.error() is None
    with contextlib.suppress(KeyboardInterrupt), watched:
        raise KeyboardInterrupt
    assert pallasc.jax.live.settings() == pallasc.jax.live.Settings()


def test_another_jax_is_refused():
    program = "import jax\njax.__version__ = '9.9'\nimport pallasc.jax\n"
    done = subprocess.run([sys.executable, "-c", program], env={**os.environ, "PYTHONPATH": str(ROOT / "python")}, capture_output=True, text=True)
    assert done.returncode == 1 and f"this is 9.9, which another package may have brought: pip install jax=={pallasc.jax.TESTED[-1]}" in done.stderr, done


INTERRUPTED = """
import os, signal, threading, time
import jax, jax.numpy as jnp, numpy as np
import pallasc.jax
from jax.experimental import pallas as pl

signal.signal(signal.SIGINT, signal.default_int_handler)  # who started this may have had it ignored

def spin(x_ref, o_ref):
    o_ref[...] = jax.lax.while_loop(lambda c: c[0] >= 0, lambda c: (c[0] * 1.0, c[1] + 1.0), (x_ref[0, 0], x_ref[...]))[1]

def call(x):
    return pl.pallas_call(spin, out_shape=x)(x)

@jax.jit
def among_others(x):
    return jnp.sum(jnp.full((1000, 1000), call(x)[0, 0]) @ jnp.ones((1000, 1000)))

x = jnp.ones((8, 128))
for f in call, jax.jit(call), among_others, among_others:
    threading.Timer(1.0, os.kill, (os.getpid(), signal.SIGINT)).start()
    begun = time.monotonic()
    try:
        np.asarray(f(x))
        raise AssertionError("no KeyboardInterrupt")
    except KeyboardInterrupt:
        assert time.monotonic() - begun < 10
print(pl.pallas_call(lambda x_ref, o_ref: o_ref.__setitem__(..., x_ref[...] + 1), out_shape=x)(x)[0, 0])
"""


def test_an_interrupt_ends_a_kernel():
    done = subprocess.run([sys.executable, "-c", INTERRUPTED], env={**os.environ, "PYTHONPATH": str(ROOT / "python")}, capture_output=True, text=True, timeout=240)
    assert done.stdout == "2.0\n", done.stderr
