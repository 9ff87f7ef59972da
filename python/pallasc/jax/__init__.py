# SPDX-License-Identifier: Apache-2.0
"""Kernels of a live JAX, compiled by pallasc.

    import pallasc.jax                            # a pallas_call on the CPU is now compiled by pallasc
    with pallasc.jax.machine(check=True):         # or watched
        y = jax.jit(my_kernel)(x)

`export` makes an object and a C header of a whole function.
"""
try:
    import jax as _jax
except ModuleNotFoundError as _error:
    if _error.name != "jax":
        raise
    raise ModuleNotFoundError("pallasc.jax needs JAX, which is not installed: pip install 'pallasc[jax]'", name="jax") from None

TESTED = ("0.10.2",)  # versions of JAX
if _jax.__version__ not in TESTED:
    raise ImportError(f"pallasc.jax is tested with JAX {', '.join(TESTED)}; this is {_jax.__version__}, which another package may have brought: pip install jax=={TESTED[-1]}")

from pallasc.errors import CompileError, DeadlockError, Finding, PallascError
from pallasc.jax.export import export
from pallasc.jax.live import machine, register as _register

_register()
