# SPDX-License-Identifier: Apache-2.0
"""Programs that XLA has compiled in another process: from JAX's cache, whose kernels are made again, and serialized, whose kernels are not there."""
import os
import pathlib
import subprocess
import sys
import textwrap

ROOT = pathlib.Path(__file__).resolve().parents[2]
BEGIN = """
import sys
import jax, jax.numpy as jnp, numpy as np
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu
import pallasc.jax

def scale(number):
    def kernel(x_ref, o_ref):
        o_ref[...] = x_ref[...] * number
    return pl.pallas_call(kernel, out_shape=jax.ShapeDtypeStruct((8, 128), jnp.float32))

x = np.ones((8, 128), np.float32)
"""


def run(program, *arguments, devices=1):
    environment = dict(os.environ, PYTHONPATH=str(ROOT / "python"), XLA_FLAGS=f"--xla_force_host_platform_device_count={devices}")
    done = subprocess.run([sys.executable, "-c", BEGIN + textwrap.dedent(program), *map(str, arguments)], env=environment, capture_output=True, text=True,
                          timeout=300)
    assert done.returncode == 0, done.stderr
    return done.stdout


CACHED = """
    hits = []
    jax.monitoring.register_event_listener(lambda event, **_: hits.append(event) if event == "/jax/compilation_cache/cache_hits" else None)
    jax.config.update("jax_compilation_cache_dir", sys.argv[1])
    jax.config.update("jax_persistent_cache_min_compile_time_secs", 0)
    jax.config.update("jax_persistent_cache_min_entry_size_bytes", -1)

    def shift(x_ref, o_ref, sent, received):
        there = 1 - jax.lax.axis_index("d")
        pltpu.make_async_remote_copy(x_ref, o_ref, sent, received, device_id={"d": there}).start()
        pltpu.make_async_remote_copy(x_ref, o_ref, sent, received, device_id={"d": there}).wait()

    shift = pl.pallas_call(shift, out_shape=jax.ShapeDtypeStruct((8, 128), jnp.float32), scratch_shapes=[pltpu.SemaphoreType.DMA] * 2,
                           in_specs=[pl.BlockSpec(memory_space=pl.ANY)], out_specs=pl.BlockSpec(memory_space=pl.ANY))

    @jax.jit
    def program(x):
        return scale(float(sys.argv[2]))(x) + scale(10)(x)

    @jax.jit
    def of_devices(x):
        spec = jax.P("d")
        return jax.shard_map(lambda x: shift(shift(x) + 1), mesh=jax.sharding.Mesh(jax.devices(), ("d",)), in_specs=spec, out_specs=spec, check_vma=False)(x)

    y = program(x)
    z = of_devices(np.arange(2 * 8 * 128, dtype=np.float32).reshape(16, 128))
    with pallasc.jax.machine(check=True, seed=1):
        checked = program(x)
    print(y[0, 0], z[0, 0], z[8, 0], checked[0, 0], len(hits))
"""


def test_a_later_process_finds_programs_in_the_cache(tmp_path):
    """Each with its own kernels: the second process has another one in a program of the same form."""
    first, other, again = (run(CACHED, tmp_path, number, devices=2).split() for number in (2, 3, 2))
    assert first[:4] == again[:4] == ["12.0", "1.0", "1025.0", "12.0"] and other[0] == other[3] == "13.0"
    assert int(again[4]) >= 3 > int(first[4]), (first, again)


def test_a_serialized_program_tells_that_its_kernels_are_not_there(tmp_path):
    run("""
        import pickle
        from jax.experimental import serialize_executable
        with open(sys.argv[1], "wb") as file:
            pickle.dump(serialize_executable.serialize(jax.jit(scale(2)).lower(x).compile()), file)
    """, tmp_path / "program")
    said = run("""
        import pickle
        from jax.experimental import serialize_executable
        with open(sys.argv[1], "rb") as file:
            program = serialize_executable.deserialize_and_load(*pickle.load(file))
        try:
            jax.block_until_ready(program(x))
        except jax.errors.JaxRuntimeError as error:
            print(error)
    """, tmp_path / "program")
    assert "the kernel of this program is not in this process" in said, said


def test_jax_export_makes_no_program_whose_kernels_are_of_this_process(tmp_path):
    said = run("""
        from jax import export
        for effect in pltpu.SideEffectType:
            copy = pl.pallas_call(lambda x, o: o.set(x[...]), out_shape=x, compiler_params=pltpu.CompilerParams(has_side_effects=effect))
            try:
                export.export(jax.jit(copy))(x)
                print("made", effect)
            except ValueError as error:
                print("compatibility guarantees" in str(error))
    """, tmp_path)
    assert said.split() == ["True"] * 3, said
