# SPDX-License-Identifier: Apache-2.0
"""Compiled Pallas kernels as functions on NumPy arrays and anything with DLPack.

    lib = pallasc.load("libkernels.so")                                  # made by pallasc -shared
    lib = pallasc.compile("kernel.pk", entry="add(f32[8,128], f32[8,128])")
    z = lib.add(x, y)

`pallasc.jax` compiles the kernels of a live JAX.
"""
from pallasc import _native
from pallasc import errors as _errors
from pallasc._functions import CompileWarning, Function, Library, compile, load
from pallasc._machine import Machine
from pallasc.errors import *  # noqa: F403 one for each kind of finding

__all__ = ["CompileWarning", "Function", "Library", "Machine", "compile", "load", *_errors.__all__]


def __getattr__(name):
    if name == "__version__":
        return _native.said(_native.compiler().pallasc_version())
    if name == "pytest_plugins":  # pytest -p pallasc
        return ["pallasc.jax.pytest_plugin"]
    beside = "; it comes with 'import pallasc.jax'" if name == "jax" else ""
    raise AttributeError(f"module 'pallasc' has no attribute '{name}'{beside}")
