# SPDX-License-Identifier: Apache-2.0
"""The runtime and the compiler through ctypes: where they are, the structs of prt.h and pallasc.h, their functions with types.

Nothing is built for a version of Python, so one wheel serves them all; what a call costs is in docs/python.md.
"""
import ctypes
import functools
import os
import pathlib
import struct
import sys
from ctypes import POINTER, c_bool, c_char, c_char_p, c_int, c_int32, c_int64, c_size_t, c_uint32, c_uint64, c_void_p

ABI_VERSION = 4  # PRT_ABI_VERSION
IN, OUT, IN_OUT, SIZE = range(4)  # prt_role
CHECKED = 1  # PRT_ENTRY_CHECKED
OK, ERROR_ARGUMENT, ERROR_MEMORY, ERROR_STOPPED = 0, 1, 2, 9  # prt_status


class Text(ctypes.Structure):
    _fields_ = [("path", c_char_p), ("text", c_char_p), ("length", c_size_t)]


class MachineOptions(ctypes.Structure):
    _fields_ = [("size", c_size_t), ("chip", c_char_p), ("devices", c_int), ("threads", c_int), ("on_finding", c_void_p),
                ("on_print", c_void_p), ("data", c_void_p), ("max_findings", c_int64), ("seeded", c_bool), ("seed", c_uint64),
                ("deadlock_dot", c_char_p), ("on_report", c_void_p), ("keeps_unwritten", c_bool), ("transport", c_char_p),
                ("most_scratch", c_void_p), ("mpi_comm", c_void_p), ("local_results", c_bool), ("max_turns", c_int64),
                ("on_ending", c_void_p)]


class Param(ctypes.Structure):
    _fields_ = [("name", c_char_p), ("label", c_char_p), ("role", c_int32), ("dtype", c_int32), ("rank", c_int32), ("dims", POINTER(c_int64))]


class Entry(ctypes.Structure):
    pass


Entry._fields_ = [("abi_version", c_uint32), ("flags", c_uint32), ("name", c_char_p), ("signature", c_char_p), ("source", c_char_p),
                  ("param_count", c_uint32), ("devices", c_int32), ("params", POINTER(Param)), ("chip", c_char_p),
                  ("cpu_features", c_uint64 * 2), ("cpu", c_char_p), ("call", c_void_p), ("function", c_void_p), ("size_count", c_uint32),
                  ("variant_count", c_uint32), ("variants", POINTER(POINTER(Entry))), ("sizes", POINTER(c_int64))]

REPORTED = ctypes.CFUNCTYPE(None, c_void_p, c_void_p)
WROTE = ctypes.CFUNCTYPE(None, c_void_p, POINTER(c_char), c_size_t)
CALL = ctypes.CFUNCTYPE(c_int, c_void_p, POINTER(c_void_p))

_RUNTIME = {"prt_machine_options_init_size": (None, [POINTER(MachineOptions), c_size_t]),
            "prt_machine_new": (c_void_p, [POINTER(MachineOptions)]),
            "prt_machine_free": (None, [c_void_p]),
            "prt_machine_schedule": (c_int32, [c_void_p, c_char_p]),
            "prt_machine_stop": (None, [c_void_p, c_bool]),
            "prt_machine_stop_silently": (None, [c_void_p]),
            "prt_machine_deadlock": (c_void_p, [c_void_p]),
            "prt_error_message": (c_char_p, []),
            "prt_list_entries": (c_size_t, [c_void_p, POINTER(POINTER(Entry)), c_size_t]),
            "prt_finding_kind_name": (c_char_p, [c_int32]),
            "prt_finding_json": (c_size_t, [c_void_p, c_char_p, c_size_t]),
            "prt_finding_text": (c_size_t, [c_void_p, c_char_p, c_size_t]),
            "prt_dtype_name": (c_char_p, [c_int])}

_ARGUMENTS = [c_size_t, POINTER(c_char_p), c_size_t, POINTER(Text)]
_COMPILER = {"pallasc_load": (c_void_p, _ARGUMENTS),
             "pallasc_compile": (c_void_p, _ARGUMENTS),
             "pallasc_free": (None, [c_void_p]),
             "pallasc_status_of": (c_int, [c_void_p]),
             "pallasc_diagnostics": (c_char_p, [c_void_p]),
             "pallasc_diagnostics_json": (c_char_p, [c_void_p]),
             "pallasc_printed": (c_char_p, [c_void_p]),
             "pallasc_made": (c_char_p, [c_void_p, POINTER(c_size_t)]),
             "pallasc_entry_count": (c_size_t, [c_void_p]),
             "pallasc_entry_at": (POINTER(Entry), [c_void_p, c_size_t]),
             "pallasc_find_entry": (c_void_p, [c_void_p, c_char_p]),
             "pallasc_chip": (c_char_p, [c_char_p]),
             "pallasc_version": (c_char_p, [])}


def said(text):
    return text.decode("utf-8", "replace") if text else ""


def package_folders():
    """Those of the package: with `pip install -e` its modules are in the checkout, and what was built is in site-packages."""
    return [pathlib.Path(path).resolve() for path in sys.modules[__package__].__path__]


def folder():
    """Where the libraries are: named by PALLASC_LIBRARY_DIR, in the package, or in the build folder of a checkout."""
    here = pathlib.Path(__file__).resolve().parent
    folders = [os.environ.get("PALLASC_LIBRARY_DIR"), *(path / "lib" for path in package_folders()), here.parents[1] / "build"]
    for path in folders:
        if path and (pathlib.Path(path) / "libpallasrt.so").exists():
            return pathlib.Path(path)
    raise ImportError(f"libpallasrt.so is in none of {[str(f) for f in folders if f]}; PALLASC_LIBRARY_DIR names its folder")


def _typed(library, functions):
    for name, (result, arguments) in functions.items():
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    return library


@functools.cache
def runtime():
    """The runtime that the compiler's code and the libraries that have none of their own run on."""
    return _typed(ctypes.CDLL(str(folder() / "libpallasrt.so"), ctypes.RTLD_GLOBAL), _RUNTIME)


@functools.cache
def compiler():
    runtime()
    return _typed(ctypes.CDLL(str(folder() / "libpallasc.so")), _COMPILER)


# ---- libraries of others ------------------------------------------------------------------------------------------------

def _is_whole(data, size):
    """Whether an ELF file's first bytes are those of a 64-bit library all of whose segments are in the file: dlopen maps what is not, and faults."""
    if len(data) < 64 or data[:6] != b"\x7fELF\x02\x01":
        return False
    kind, = struct.unpack_from("<H", data, 16)
    table, = struct.unpack_from("<Q", data, 32)
    entry_size, count = struct.unpack_from("<HH", data, 54)
    if kind != 3 or entry_size != 56 or table + entry_size * count > len(data):
        return False
    segments = (struct.unpack_from("<IIQQQQQQ", data, table + i * entry_size) for i in range(count))
    return all(offset + length <= size for kind, _, offset, _, _, length, _, _ in segments if kind == 1)


_files = {}  # of each path, which files have been opened under it


def _loader_name(path, status):
    """The name of a library for the dynamic loader, which takes a name that it has loaded before for the same library, where it may be
    another file by now; a file that it has loaded it knows by its inode."""
    folder, name = os.path.split(os.fspath(path))
    files, file = _files.setdefault(path, []), (status.st_dev, status.st_ino)
    if file not in files:
        files.append(file)
    return os.path.join(folder, *["."] * files.index(file), name)


def open_library(path):
    """A library of compiled kernels; OSError if the file is none."""
    with open(path, "rb") as file:
        head, status = file.read(1 << 16), os.fstat(file.fileno())
    if not _is_whole(head, status.st_size):
        hints = {".pk": "; pallasc.compile takes a source", ".py": "; pallasc.compile takes a source", ".o": "; 'pallasc -shared' makes one"}
        hint = hints.get(os.path.splitext(os.fspath(path))[1], "")
        raise OSError(f"{path}: not a shared library for this machine, or not all of it{hint}")
    library = ctypes.CDLL(_loader_name(path, status))
    try:
        return _typed(library, _RUNTIME)
    except AttributeError as error:
        raise OSError(f"{path}: not a library made by 'pallasc -shared' of this version ({error})") from None


def entries_of(library, path):
    count = library.prt_list_entries(library._handle, None, 0)
    if not count:
        raise OSError(f"{path} has no entry points: it is no library that pallasc has made, or one of another version")
    entries = (POINTER(Entry) * count)()
    library.prt_list_entries(library._handle, entries, count)
    return [e.contents for e in entries]
