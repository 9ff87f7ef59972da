# SPDX-License-Identifier: Apache-2.0
"""Jaxprs as text become code in this process.

In: the text of a jaxpr, options of the command line. Out: the name of an entry point.
"""
import ctypes
import functools
import hashlib
import json
import logging
import threading

import numpy as np
from jax.errors import JaxRuntimeError

from pallasc import _interrupt, _native
from pallasc._machine import NativeMachine, Trial
from pallasc.errors import KINDS, CompileError


log = logging.getLogger("pallasc")  # a suite may take Python's warnings for errors; what is said here is none


_SINK = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_char_p)
_GOES_ON = ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_void_p, ctypes.c_bool)
_REPORTS = ctypes.CFUNCTYPE(None, ctypes.c_void_p, _SINK, ctypes.c_void_p)
_TRIAL = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int)
_FIRST, _AGAIN, _OVER = range(3)  # of python/ffi/devices.h


class _Host(ctypes.Structure):
    """Of python/ffi/devices.h."""
    _fields_ = [("machine", ctypes.c_void_p), ("reported", _REPORTS), ("goes_on", _GOES_ON), ("trial", _TRIAL)]


class Machine(NativeMachine):
    """One whose findings and reports are asked for by `machine(…)`, or, where there is none, by the call that fails. name: what programs call it by,
    made of what `of` says."""

    def __init__(self, of, threads=0, seed=None, tell=None, never_fails=False, **options):
        super().__init__(threads, seed, tell, **options)
        self._never_fails, self._warned, self._in_call = never_fails, set(), None
        self._taken = 0, None  # how many exceptions error() has given, and the last one
        self._host = _Host(self.address, _REPORTS(self._report_of), _GOES_ON(self._goes_on), _TRIAL(self._try))
        self.name = name(("machine", of), ctypes.addressof(self._host))
        _interrupt.also(libraries()[1].pallasc_ffi_running, self)

    def _goes_on(self, _, is_masked):
        """Of a masked call, what it leaves unwritten in its results is a warning."""
        found, texts, reports = self._reported
        for i in reversed(range(len(found) if is_masked else 0)):
            if found[i].get("result"):
                text = texts.pop(i)
                del found[i]
                if text not in self._warned:
                    self._warned.add(text)
                    log.warning("%s\nnote: no error, since what reads this result may leave it out (a mask, a slice)", text.rstrip())
        return self._never_fails or not (found or reports)

    def _report_of(self, _, sink, out):
        found = self._in_call = self.error()
        if found is not None:
            sink(out, str(found).encode())

    def _try(self, _, at):
        if at == _FIRST:
            self.trial = Trial()
        elif at == _AGAIN:
            self.trial.begin_again()
        else:
            self.trial.end()
            self.trial = None

    def error(self):
        found = super().error()
        if found is not None:
            self._taken = self._taken[0] + 1, found
        return found

    @property
    def errors(self):
        """How many exceptions error() has given."""
        return self._taken[0]

    def taken_since(self, errors):
        """The last exception that error() has given, to whichever thread, since there were so many; None: it has given none."""
        count, found = self._taken
        return found if count > errors else None

    def said_in(self, text):
        """The exception whose text a failed call, of this machine or of one that tells with it, has given; None: none has."""
        for machine in (self, *self.others):
            if machine._in_call is not None and str(machine._in_call) in text:
                return machine._in_call
        return None


class JaxCompileError(CompileError, JaxRuntimeError):
    """A kernel that is refused, in the place of what XLA raises for one."""
    __module__ = "pallasc.jax.library"


class MissingDeviceError(KINDS["deadlock"], JaxRuntimeError):
    """Devices wait in a kernel for one that does not come: a deadlock, in the place of what XLA raises for a call that fails."""
    __module__ = "pallasc.jax.library"

    @classmethod
    def of(cls, text):
        return cls(text, [{"severity": "error", "kind": cls.kind, "message": text}])


@functools.cache
def libraries():
    """libpallasc and the handler of XLA's calls."""
    path = _native.folder() / "libpallasc_ffi.so"
    if not path.exists():
        raise ImportError(f"{path} is not there, which JAX's programs call kernels by; in a checkout `cmake --build build` makes all libraries")
    return _native.compiler(), ctypes.CDLL(str(path))


def name(of, address):
    """The number that programs of XLA call what is at the address by. It is made of what `of` says, whose text is the same in every process."""
    _, handler = libraries()
    number = int.from_bytes(hashlib.sha256(repr(of).encode()).digest()[:8], "little") >> 1 or 1  # MLIR's Python takes 63 bits
    handler.pallasc_ffi_name.restype, handler.pallasc_ffi_name.argtypes = ctypes.c_bool, [ctypes.c_uint64, ctypes.c_void_p]
    if not handler.pallasc_ffi_name(number, address):
        raise MemoryError("pallasc: out of memory")
    return np.uint64(number)


# ---- code ---------------------------------------------------------------------------------------------------------------

_made, _lock = {}, threading.Lock()


def _run(function, text, options):
    """A result of libpallasc for one text; raises where it is at fault."""
    compiler, _ = libraries()
    data = text.encode()
    path = b"kernel.jaxpr"
    arguments = [path, *(o.encode() for o in options)]
    result = function(len(arguments), (ctypes.c_char_p * len(arguments))(*arguments), 1,
                      ctypes.byref(_native.Text(path, data, len(data))))
    if not result:
        raise MemoryError("pallasc: out of memory")
    if compiler.pallasc_status_of(result):
        diagnostics = compiler.pallasc_diagnostics(result).decode("utf-8", "replace")
        lines = compiler.pallasc_diagnostics_json(result).decode("utf-8", "replace").splitlines()
        compiler.pallasc_free(result)
        raise JaxCompileError.of(diagnostics, [json.loads(line) for line in lines if line.startswith("{")])
    if said := compiler.pallasc_diagnostics(result).decode("utf-8", "replace"):
        log.warning(said.rstrip())
    return result


def entry_of(text, function, options=()):
    """The name of an entry point of a text, compiled once for a text and its options; the code stays for the life of the process."""
    key = (hashlib.sha256(text.encode()).digest(), function, tuple(options))
    with _lock:
        if key not in _made:
            compiler, _ = libraries()
            _made[key] = name(("entry", key), compiler.pallasc_find_entry(_run(compiler.pallasc_load, text, options), function.encode()))
        return _made[key]


def compile_files(text, options):
    """What the options name is written: an object, a header, a shared library."""
    compiler, _ = libraries()
    compiler.pallasc_free(_run(compiler.pallasc_compile, text, options))


def recorded(text, options):
    """The kernel IR of a text, before any pass."""
    compiler, _ = libraries()
    result = _run(compiler.pallasc_compile, text, (*options, "--emit=trace"))
    made = compiler.pallasc_made(result, None).decode()
    compiler.pallasc_free(result)
    return made
