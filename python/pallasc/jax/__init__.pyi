# SPDX-License-Identifier: Apache-2.0
# Types of pallasc.jax; tests/jax/test_types.py holds them against it, tests/python/run_python checks a program with them.
import os
from collections.abc import Callable, Sequence
from contextlib import ContextDecorator
from types import TracebackType
from typing import Any, Literal, Protocol, type_check_only

from pallasc import CompileError as CompileError, DeadlockError as DeadlockError, Finding as Finding, PallascError as PallascError

TESTED: tuple[str, ...]

@type_check_only
class _Machine(Protocol):
    def error(self) -> Finding | None: ...

@type_check_only
class _Use(ContextDecorator):
    def __enter__(self) -> _Machine: ...
    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None) -> None: ...

def machine(
    *, check: bool = False, seed: int | None = None, tpu: str | None = None, numerics: Literal["exact", "tpu"] = "exact", threads: int = 0,
    replace_interpret: bool = False, device_timeout: float = 60.0, strict_tpu: bool = False,
) -> _Use: ...
def export(
    fn: Callable[..., Any], *specs: Any, name: str | None = None, out: str | os.PathLike[str], header: str | os.PathLike[str] | None = None,
    donate_argnums: int | Sequence[int] = (), options: Sequence[str] = (),
) -> None: ...
