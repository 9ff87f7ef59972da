# SPDX-License-Identifier: Apache-2.0
"""libpallasc through ctypes: jaxprs as text become code in this process, and machines to run it on.

In: the text of a jaxpr, options of the command line. Out: the address of an entry point; what a machine found.
"""
import ctypes
import functools
import hashlib
import json
import os
import pathlib
import sys
import threading

from pallasc.jax.errors import CompileError, finding_error


def _folder():
    """Where the libraries are: named by PALLASC_LIBRARY_DIR, beside the package, or in the build folder of a checkout."""
    here = pathlib.Path(__file__).resolve().parents[1]
    folders = [os.environ.get("PALLASC_LIBRARY_DIR"), here / "lib", here.parents[1] / "build"]
    for folder in folders:
        if folder and (pathlib.Path(folder) / "libpallasc.so").exists():
            return pathlib.Path(folder)
    raise ImportError(f"libpallasc.so is in none of {[str(f) for f in folders if f]}; PALLASC_LIBRARY_DIR names its folder")


class _Text(ctypes.Structure):
    _fields_ = [("path", ctypes.c_char_p), ("text", ctypes.c_char_p), ("length", ctypes.c_size_t)]


class _MachineOptions(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), ("chip", ctypes.c_char_p), ("devices", ctypes.c_int), ("threads", ctypes.c_int),
                ("on_finding", ctypes.c_void_p), ("on_print", ctypes.c_void_p), ("data", ctypes.c_void_p), ("max_findings", ctypes.c_int64),
                ("seeded", ctypes.c_bool), ("seed", ctypes.c_uint64), ("deadlock_dot", ctypes.c_char_p), ("on_report", ctypes.c_void_p),
                ("keeps_unwritten", ctypes.c_bool)]


class _Site(ctypes.Structure):
    _fields_ = [("file", ctypes.c_char_p), ("line", ctypes.c_int32), ("column", ctypes.c_int32), ("end_column", ctypes.c_int32),
                ("source", ctypes.c_char_p), ("function", ctypes.c_char_p), ("caller", ctypes.c_void_p)]


class _Note(ctypes.Structure):
    _fields_ = [("site", ctypes.POINTER(_Site)), ("message", ctypes.c_char_p)]


class _Finding(ctypes.Structure):
    _fields_ = [("site", ctypes.POINTER(_Site)), ("message", ctypes.c_char_p), ("launch", ctypes.c_char_p), ("grid_rank", ctypes.c_int32),
                ("grid", ctypes.POINTER(ctypes.c_int64)), ("grid_names", ctypes.c_void_p), ("note_count", ctypes.c_int32),
                ("notes", ctypes.POINTER(_Note)), ("help", ctypes.c_char_p)]


_TOLD = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.POINTER(_Finding))
_WROTE = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.POINTER(ctypes.c_char), ctypes.c_size_t)


@functools.cache
def libraries():
    """libpallasc and the handler of XLA's calls."""
    folder = _folder()
    compiler = ctypes.CDLL(str(folder / "libpallasc.so"), ctypes.RTLD_GLOBAL)
    strings = ctypes.POINTER(ctypes.c_char_p)
    for name in ("pallasc_load", "pallasc_compile"):
        function = getattr(compiler, name)
        function.restype, function.argtypes = ctypes.c_void_p, [ctypes.c_size_t, strings, ctypes.c_size_t, ctypes.POINTER(_Text)]
    for name in ("pallasc_diagnostics", "pallasc_diagnostics_json"):
        function = getattr(compiler, name)
        function.restype, function.argtypes = ctypes.c_char_p, [ctypes.c_void_p]
    compiler.pallasc_find_entry.restype, compiler.pallasc_find_entry.argtypes = ctypes.c_void_p, [ctypes.c_void_p, ctypes.c_char_p]
    compiler.pallasc_status_of.argtypes = compiler.pallasc_free.argtypes = [ctypes.c_void_p]
    compiler.prt_machine_new.restype, compiler.prt_machine_new.argtypes = ctypes.c_void_p, [ctypes.POINTER(_MachineOptions)]
    compiler.prt_machine_options_init.argtypes = [ctypes.POINTER(_MachineOptions)]
    compiler.prt_error_message.restype = ctypes.c_char_p
    return compiler, ctypes.CDLL(str(folder / "libpallasc_ffi.so"))


# ---- code ---------------------------------------------------------------------------------------------------------------

_made, _lock = {}, threading.Lock()


def _run(function, text, options):
    """A result of libpallasc for one text; raises where it is at fault."""
    compiler, _ = libraries()
    data = text.encode()
    path = b"kernel.jaxpr"
    arguments = [path, *(o.encode() for o in options)]
    result = function(len(arguments), (ctypes.c_char_p * len(arguments))(*arguments), 1,
                      ctypes.byref(_Text(path, data, len(data))))
    if not result:
        raise MemoryError("pallasc: out of memory")
    if compiler.pallasc_status_of(result):
        diagnostics = compiler.pallasc_diagnostics(result).decode("utf-8", "replace")
        lines = compiler.pallasc_diagnostics_json(result).decode("utf-8", "replace").splitlines()
        compiler.pallasc_free(result)
        raise CompileError.of(diagnostics, [json.loads(line) for line in lines if line.startswith("{")])
    return result


def entry_of(text, name, options=()):
    """The address of an entry point of a text, compiled once for a text and its options; the code stays for the life of the process."""
    key = (hashlib.sha256(text.encode()).digest(), name, tuple(options))
    with _lock:
        if key not in _made:
            compiler, _ = libraries()
            _made[key] = compiler.pallasc_find_entry(_run(compiler.pallasc_load, text, options), name.encode())
        return _made[key]


def compile_files(text, options):
    """What the options name is written: an object, a header, a shared library."""
    compiler, _ = libraries()
    compiler.pallasc_free(_run(compiler.pallasc_compile, text, options))


# ---- machines --------------------------------------------------------------------------------------------------------------

def _said(text):
    return text.decode("utf-8", "replace") if text else ""


def _at(site, message):
    """A message at its place, as data."""
    if not site:
        return {"message": message, "file": "", "line": 0}
    place = site.contents
    return {"message": message, "file": _said(place.file), "line": place.line, "column": place.column, "end_column": place.end_column,
            "source": _said(place.source)}


def _finding(pointer):
    found = pointer.contents
    data = _at(found.site, _said(found.message))
    data.update(launch=_said(found.launch), grid=[found.grid[i] for i in range(found.grid_rank)], help=_said(found.help),
                notes=[_at(found.notes[i].site, _said(found.notes[i].message)) for i in range(found.note_count)])
    return data


def finding_text(data, what="error"):
    """A finding as the program prints it."""
    head = f"{data['file']}:{data['line']}:{data.get('column', 0)}: {what}: {data['message']}"
    lines = [head, f"    {data['source'].rstrip()}"] if data.get("source") else [head]
    return "\n".join(lines + [finding_text(note, "note") for note in data.get("notes", ())])


class Machine:
    """A prt_machine for the life of the process, and what it tells: findings as data and as text, reports of deadlocks."""

    def __init__(self, threads=0, seed=None, tell=None):
        """tell: called with each finding, which is then no error."""
        compiler, _ = libraries()
        self.findings, self.reports = [], []

        def told(_, finding):
            (tell or self.findings.append)(_finding(finding))

        def printed(_, text, length):
            sys.stdout.write(text[:length].decode("utf-8", "replace"))

        def reported(_, text, length):
            self.reports.append(text[:length].decode("utf-8", "replace"))
        self._callbacks = _TOLD(told), _WROTE(printed), _WROTE(reported)
        options = _MachineOptions()
        compiler.prt_machine_options_init(ctypes.byref(options))
        options.threads = threads
        options.on_finding, options.on_print, options.on_report = (ctypes.cast(c, ctypes.c_void_p) for c in self._callbacks)
        if seed is not None:
            options.seeded, options.seed = True, seed
        self.address = compiler.prt_machine_new(ctypes.byref(options))
        if not self.address:
            raise RuntimeError(compiler.prt_error_message().decode())

    def error(self):
        """The exception for what has been told since the last one; None if nothing was."""
        findings, reports = self.findings[:], self.reports[:]
        del self.findings[:], self.reports[:]
        return finding_error(findings, [finding_text(found) for found in findings], reports)
