# SPDX-License-Identifier: Apache-2.0
"""Options of the chip's own compiler in jit(compiler_options=…): XLA's compiler for CPUs does not know them, and refuses the program.

In: the options of a compilation for a CPU. Out: those that are none of the chip's. What is left out is logged, once.
"""
import functools

from jax._src import compiler

from pallasc.jax import library

_OF_CHIP = ("xla_jf_", "xla_sc_", "xla_tpu_")  # how their names begin


@functools.cache
def _tell(name):
    library.log.warning("the compiler option '%s' is for a TPU, and says nothing here", name)


def _without_chip(get_compile_options):
    @functools.wraps(get_compile_options)
    def wrapped(*args, env_options_overrides=None, backend=None, **kwargs):
        if env_options_overrides and getattr(backend, "platform", None) == "cpu":
            of_chip = [name for name in env_options_overrides if name.startswith(_OF_CHIP)]
            for name in of_chip:
                _tell(name)
            env_options_overrides = {name: value for name, value in env_options_overrides.items() if name not in of_chip}
        return get_compile_options(*args, env_options_overrides=env_options_overrides, backend=backend, **kwargs)
    return wrapped


@functools.cache
def register():
    """From now on a program for the chip compiles with its options."""
    compiler.get_compile_options = _without_chip(compiler.get_compile_options)
