# SPDX-License-Identifier: Apache-2.0
"""Functions of loaded libraries and of compiled sources: what they give, what they take, what they refuse."""
import array
import ast
import copy
import ctypes
import gc
import inspect
import os
import pathlib
import pickle
import resource
import subprocess
import sys
import threading
import warnings

import ml_dtypes
import numpy as np
import pallasc
from pallasc import _native
from pallasc._machine import CHIPS

HERE = pathlib.Path(__file__).resolve().parent
KERNELS = HERE / "kernels.pk"
X = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)


def raises(kind, pattern, function, *args, **named):
    try:
        function(*args, **named)
    except kind as error:
        for part in [pattern] if isinstance(pattern, str) else pattern:
            assert part in str(error), (part, str(error))
        return error
    raise AssertionError(f"no {kind.__name__}: {pattern}")


def program():
    return os.environ.get("PALLASC_PROGRAM") or pathlib.Path(sys.executable).parent / "pallasc"


def library(folder, *options, source=KERNELS):
    out = folder / f"lib{len(list(folder.iterdir()))}.so"
    subprocess.run([program(), "-shared", source, "-o", out, *options], check=True)
    return out


class OnlyDlpack:
    """An array of which nothing is known but DLPack."""

    def __init__(self, array, device=1, old=False, error=None):
        self.array, self.device, self.old, self.error = array, device, old, error

    def __dlpack_device__(self):
        return self.device, 0

    def __dlpack__(self, **options):
        if self.error:
            raise self.error
        if self.old and options:
            raise TypeError("no such argument")
        return self.array.__dlpack__(**options)


def test_loaded_and_compiled_functions_are_the_same(tmp_path):
    for lib in (pallasc.load(library(tmp_path)), pallasc.compile(KERNELS), pallasc.compile("k.pk", text=KERNELS.read_text())):
        assert [f.__name__ for f in lib] == ["add", "halves", "scaled"] and len(lib) == 3 and "add" in lib and "sub" not in lib
        assert np.array_equal(lib.add(X, X), X + X) and np.array_equal(lib["add"](y=X, x=X), X + X)
        b = np.ones((4, 8), ml_dtypes.bfloat16)
        half, total = lib.halves(b)
        assert half.dtype == b.dtype and (half == 0.5).all() and total.shape == () and total == 32
        assert lib.scaled(np.arange(4, dtype=np.int32), -3, True, 1.5).tolist() == [1, 4, 7, 10]
        assert lib.add.parameters == ("x", "y") and lib.add.signature.startswith("add(x: f32[8,128]")


def test_types_that_numpy_lacks():
    known = pallasc._arrays.dtype_of
    pallasc._arrays.dtype_of = lambda name: None if name == "bfloat16" else np.dtype(name)  # as where there is no ml_dtypes
    try:
        lib = pallasc.compile("k.pk", text="def up(x: bf16[8]):\n    return x + 1\ndef made(x: f32[8]):\n    return x.astype(jnp.bfloat16)\n")
        raises(TypeError, "argument 'x' must be bfloat16[8], not float32[8]", lib.up, np.ones(8, np.float32))
        raises(TypeError, "result 'out' is bfloat16, which NumPy does not have: install ml_dtypes", lib.made, np.ones(8, np.float32))
    finally:
        pallasc._arrays.dtype_of = known


def test_names_and_numbers_that_are_not_there():
    lib = pallasc.compile(KERNELS)
    raises(KeyError, "has no entry point 'sub'; it has add, halves, scaled", lambda: lib["sub"])
    raises(TypeError, "argument 'by' must be int32[], not int64[]; a number of Python is taken, too", lib.scaled, np.arange(4, dtype=np.int32), np.int64(3), True, 1.5)


def test_out_is_written_in_place():
    add = pallasc.compile(KERNELS).add
    out = np.zeros_like(X)
    assert add(X, X, out=out) is out and np.array_equal(out, 2 * X)
    same = X.copy()
    raises(ValueError, ("'x' and 'out' share memory",), add, same, X, out=same)
    both = np.zeros((9, 128), np.float32)
    raises(ValueError, "share memory", add, both[:8], X, out=both[1:])
    raises(TypeError, "out must be 1 arrays", add, X, X, out=(out, out))


def test_arrays_of_all_kinds_are_taken_without_copies():
    add = pallasc.compile(KERNELS).add
    assert np.array_equal(add(OnlyDlpack(X), OnlyDlpack(X, old=True)), 2 * X)
    out = np.zeros_like(X)
    add(OnlyDlpack(X), memoryview(X), out=OnlyDlpack(out))
    assert np.array_equal(out, 2 * X)
    scaled = pallasc.compile(KERNELS).scaled
    assert scaled(array.array("i", [1, 2, 3, 4]), np.int32(2), np.bool_(False), np.float32(0)).tolist() == [2, 4, 6, 8]
    raw = (np.ctypeslib.ctypes.c_float * 1024)()
    wide = np.frombuffer(raw, np.float32).reshape(8, 128)
    add(X, X, out=wide)
    assert raw[1023] == 2 * X[7, 127]


def test_what_does_not_fit_is_refused_by_name():
    lib = pallasc.compile(KERNELS)
    add, y = lib.add, X.copy()
    raises(TypeError, ("add(): argument 'y' must be float32[8, 128], not float64[8, 128]",), add, X, y.astype(np.float64))
    raises(ValueError, ("argument 'x' must be float32[8, 128], not float32[8, 64]",), add, X[:, :64].copy(), y)
    raises(ValueError, "argument 'x' must be float32[8, 128], not float32[1024]", add, X.ravel(), y)
    raises(ValueError, "argument 'x' is not contiguous", add, np.asfortranarray(X), y)
    raises(ValueError, "argument 'x' is not contiguous", add, OnlyDlpack(np.asfortranarray(X)), y)
    raises(ValueError, "argument 'x' is not contiguous", add, np.zeros((8, 256), np.float32)[:, ::2], y)
    raises(ValueError, "argument 'x' is not contiguous", add, np.broadcast_to(np.float32(1), (8, 128)), y)
    raises(TypeError, "not byte-swapped float32[8, 128]", add, X.astype(">f4"), y)
    raises(ValueError, "is no multiple of 4", add, np.frombuffer(bytearray(4097), np.float32, 1024, 1).reshape(8, 128), y)
    raises(TypeError, "argument 'x' must be an array, float32[8, 128], not list", add, X.tolist(), y)
    raises(TypeError, "argument 'x' must be an array", add, 1.0, y)
    raises(TypeError, "argument 'x' must be an array", add, None, y)
    raises(TypeError, "takes 2 arguments (x, y), 3 were given", add, X, X, X)
    raises(TypeError, "takes 1 argument (x), 2 were given", lib.halves, X, X)
    raises(TypeError, "needs 'y'", add, X)
    raises(TypeError, "has no argument 'z'", add, X, z=X)
    raises(TypeError, "argument 'x' is given twice", add, X, x=X)
    raises(TypeError, "must be a pallasc.Machine", add, X, X, machine=3)
    read_only = X.copy()
    read_only.flags.writeable = False
    assert np.array_equal(add(read_only, read_only), 2 * X)
    raises(ValueError, "'out' is read-only", add, X, X, out=read_only)
    raises(ValueError, "'out' is read-only", add, X, X, out=memoryview(bytes(4096)).cast("f", (8, 128)))
    raises(AttributeError, "no entry point 'sub'; it has add, halves", lambda: lib.sub)
    view = memoryview(bytearray(4096))
    view.release()
    raises(ValueError, "argument 'x' has no memory", add, view, y)
    raises(ValueError, "not in the memory of the CPU", add, OnlyDlpack(X, device=2), y)
    raises(ValueError, "argument 'x' cannot be read through DLPack: gone", add, OnlyDlpack(X, error=RuntimeError("gone")), y)
    traced = type("DynamicJaxprTracer", (OnlyDlpack,), {})(X, error=AttributeError("no memory"))
    raises(ValueError, "argument 'x' is a value that JAX traces, as under jit", add, traced, y)
    raises(TypeError, "must be float32[8, 128], not complex64[8, 128]", add, OnlyDlpack(X.astype(np.complex64)), y)
    raises(TypeError, "must be float32[8, 128], not int32[8, 128]", add, OnlyDlpack(X.astype(np.int32)), y)
    raises(TypeError, "must be bfloat16[4, 8], not float16[4, 8]", lib.halves, np.zeros((4, 8), np.float16))
    four = np.zeros(4, np.int32)
    raises(ValueError, "'by' is 2147483648, which does not fit int32", lib.scaled, four, 1 << 31, True, 0.0)
    raises(TypeError, "'by' must be int32, not float", lib.scaled, four, 1.5, True, 0.0)
    raises(TypeError, "'flip' must be bool, not int", lib.scaled, four, 1, 1, 0.0)


def test_files_that_are_no_libraries_are_refused(tmp_path):
    raises(OSError, "No such file", pallasc.load, tmp_path / "none.so")
    raises(OSError, "", pallasc.load, tmp_path)
    good = library(tmp_path).read_bytes()
    cases = {"empty": b"", "text": b"hello\n" * 100, "part": good[:len(good) // 8], "head": good[:64], "elf": b"\x7fELF\x02\x01" + b"\xff" * 5000,
             "other": pathlib.Path(sys.executable).resolve().read_bytes()[:1000]}
    for name, data in cases.items():
        path = tmp_path / f"{name}.so"
        path.write_bytes(data)
        raises(OSError, str(path), pallasc.load, path)
    raises(OSError, "; pallasc.compile takes a source", pallasc.load, KERNELS)
    plain = tmp_path / "plain.so"
    subprocess.run(["cc", "-shared", "-x", "c", "-", "-o", plain], input=b"int f(void) { return 1; }", check=True)
    raises(OSError, "not a library made by 'pallasc -shared'", pallasc.load, plain)
    runtime = next(iter(sorted(pathlib.Path(program()).resolve().parent.glob("libpallasrt.so*"))), None)
    if runtime is not None:  # it has a list of entry points, which is empty
        raises(OSError, "has no entry points: it is no library that pallasc has made", pallasc.load, runtime)


def test_sources_that_are_refused_say_why(tmp_path):
    error = raises(pallasc.CompileError, ("bad.pk:2:16: error:", "return x +"), pallasc.compile, "bad.pk", text="def f(x: f32[8]):\n    return x + y\n")
    assert error.diagnostics[0]["line"] == 2 and error.diagnostics[0]["severity"] == "error"
    assert str(raises(FileNotFoundError, "none.pk", pallasc.compile, tmp_path / "none.pk")) == f"[Errno 2] No such file or directory: '{tmp_path / 'none.pk'}'"
    raises(IsADirectoryError, str(tmp_path), pallasc.compile, tmp_path)
    raises(pallasc.CompileError, "unknown option", pallasc.compile, KERNELS, options=["--nonsense"])
    raises(pallasc.CompileError, "options that ask for others", pallasc.compile, KERNELS, options=["-o", "x.o"])
    typed = pallasc.compile("typed.pk", text="def twice(x: f32[8]):\n    return x * 2\ndef scaled(x, by):\n    return x * by\n")
    raises(AttributeError, "it has twice; entry='name(f32[8,128])' makes one of a function whose parameters have no types", lambda: typed.scaled)
    raises(pallasc.CompileError, "has no entry point", pallasc.compile, "no.pk", text="N = 3\n")
    raises(TypeError, "without NUL", pallasc.compile, "a\0b")
    raises(pallasc.CompileError, "", pallasc.compile, KERNELS, entry="nothing(f32[8])")
    raises(pallasc.CompileError, "", pallasc.compile, "\udcff.pk", text=b"\xff\xfe def")
    raises(pallasc.CompileError, "", pallasc.compile, "deep.pk", text="x = " + "(" * 100000)


def test_huge_constants_are_an_answer_or_an_exception():
    huge = "table = np.ones((1 << 28,), np.float32)\n\ndef f(x: f32[8]):\n    return x + table[:8]\n"
    assert pallasc.compile("huge.pk", text=huge).f(np.zeros(8, np.float32)).tolist() == [1.0] * 8
    absurd = "def f(x: f32[8]):\n    return jnp.zeros((1 << 20, 1 << 20, 1 << 20), f32)[0, 0, :8] + x\n"
    try:
        pallasc.compile("absurd.pk", text=absurd).f(np.zeros(8, np.float32))
    except (pallasc.PallascError, MemoryError):
        pass


def test_options_reach_the_compiler():
    text = "N = 2\n\ndef f(x):\n    return x * N\n"
    lib = pallasc.compile("n.pk", text=text, entry=["f4 = f(f32[4])", "f8 = f(f32[8])"], define={"N": 5}, tpu="v6e")
    assert lib.f4(np.ones(4, np.float32)).tolist() == [5] * 4 and lib.f8(np.ones(8, np.float32)).shape == (8,)
    one = pallasc.compile("n.pk", text=text, entry="f(f32[4])")
    assert one(np.ones(4, np.float32)).tolist() == [2] * 4
    raises(TypeError, "has 2 entry points: f4, f8", lib, np.ones(4, np.float32))


def test_entry_points_for_several_sizes_take_them_from_shapes(tmp_path):
    spec = "scale(f32[{64,256},128])"
    text = "def scale(x):\n    return x * 2\n"
    source = tmp_path / "sizes.pk"
    source.write_text(text)
    for lib in (pallasc.compile(source, entry=spec), pallasc.load(library(tmp_path, "--entry", spec, source=source))):
        for rows in (64, 256):
            x = np.full((rows, 128), 3, np.float32)
            assert lib.scale(x).shape == x.shape and (lib.scale(x) == 6).all()
        raises(ValueError, ("argument 'x' has shape (128, 128)", "(64, 128), (256, 128)"), lib.scale, np.ones((128, 128), np.float32))
        raises(TypeError, "not float64", lib.scale, np.ones((64, 128)))


def test_threads_call_one_function_at_once():
    add, wrong = pallasc.compile(KERNELS).add, []

    def work(k):
        x = X + k
        for _ in range(200):
            if not np.array_equal(add(x, X), x + X):
                wrong.append(k)
    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    [t.start() for t in threads]
    [t.join() for t in threads]
    assert not wrong


def test_threads_compile_at_once():
    results = [None] * 4

    def work(k):
        results[k] = pallasc.compile("t.pk", text=f"def f(x: f32[8]):\n    return x + {k}\n").f(np.zeros(8, np.float32))[0]
    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    [t.start() for t in threads]
    [t.join() for t in threads]
    assert results == [0, 1, 2, 3]


def test_functions_outlive_their_library():
    add = pallasc.compile(KERNELS).add
    gc.collect()
    assert np.array_equal(add(X, X), 2 * X)


def _resident():
    return int(pathlib.Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()


def test_compiling_and_freeing_leaves_nothing():
    def once(k):
        machine = pallasc.Machine(threads=1)
        lib = pallasc.compile("leak.pk", text=KERNELS.read_text() + f"# {k}\n", entry="add(f32[8,128], f32[8,128])")
        lib.add(X, X, machine=machine)
        try:
            lib.add(X, 1.0)
        except TypeError:
            pass
    for k in range(40):
        once(k)
    gc.collect()
    before = _resident()
    for k in range(200):
        once(k)
    gc.collect()
    grown = _resident() - before
    assert grown < 4 << 20, f"{grown} bytes more after 200 compilations"


def test_what_the_compiler_warns_of_is_a_warning():
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        pallasc.compile("k.pk", text="def f(x: f32[8]): return x\n", define={"M": 3})
    assert [type(w.message) for w in told] == [pallasc.CompileWarning] and "no such name" in str(told[0].message), told


def test_the_chips_are_those_of_the_compiler():
    told = subprocess.run([program(), "--help=tpu"], check=True, capture_output=True, text=True).stdout
    rows = [line.split() for line in told[told.index("chip "):].splitlines()[1:] if line.strip()]
    assert {row[0]: int(row[1]) for row in rows} == {name: cores for name, (_, cores) in CHIPS.items()}


def test_options_are_a_list():
    raises(TypeError, "a list of texts", pallasc.compile, "k.pk", text="def f(x: f32[8]): return x\n", options="-O3")
    raises(TypeError, "entry is a text", pallasc.compile, "k.pk", text="def f(x): return x\n", entry=3)


def test_what_was_probably_meant_is_told():
    raises(TypeError, "a source is given as text", pallasc.compile, "def f(x: f32[8]): return x\n")
    for line in "def f(x: f32[8]): return x", "f = lambda x: x", "print(1)":
        raises(TypeError, "a source is given as text", pallasc.compile, line)
    for path in "no.pk", "no-one.pk", "no folder/no.pk", "no":
        raises(FileNotFoundError, path, pallasc.compile, path)
    raises(FileNotFoundError, f"did you mean '{KERNELS}'?", pallasc.compile, str(KERNELS)[:-3])
    scale = pallasc.compile("k.pk", text="def scale(x: f32[8], factor: f32):\n    return x * factor\n")
    raises(TypeError, "argument 'factor' must be a number, or an array, float32[], not str", scale, np.ones(8, np.float32), "2")
    code = "import pallasc\ntry: pallasc.jax\nexcept AttributeError as e: print(e)\n"
    told = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": ":".join(sys.path)}).stdout
    assert "import pallasc.jax" in told, told


def test_a_source_and_its_constants_are_what_they_can_be():
    raises(TypeError, "text must be the source", pallasc.compile, "k.pk", text=3)
    for value in (object(), "1 +", "a\0"):
        raises(TypeError, "define: N must be a value", pallasc.compile, "k.pk", text="N = 1\ndef f(x: f32[8]): return x * N\n", define={"N": value})
    for value in (2, 2.0, np.float32(2), "1 + 1", "'ab'.__len__()"):
        twice = pallasc.compile("k.pk", text="N = 1\ndef f(x: f32[2]): return x * N\n", define={"N": value})
        assert twice.f(np.ones(2, np.float32)).tolist() == [2, 2], value


def test_without_jax_its_part_says_how_to_get_it():
    without = "import sys; sys.modules['jax'] = None; import pallasc.jax"
    said = subprocess.run([sys.executable, "-c", without], capture_output=True, text=True).stderr
    assert said.splitlines()[-1].endswith("which is not installed: pip install 'pallasc[jax]'"), said


def test_a_function_says_how_it_is_called_and_stays_in_its_process():
    lib = pallasc.compile(KERNELS)
    add = lib.add
    assert str(inspect.signature(add)) == "(x, y, *, out=None, machine=None)", inspect.signature(add)
    assert copy.copy(add) is add and copy.deepcopy({"lib": lib})["lib"] is lib
    for code in (add, lib):
        raises(TypeError, ["cannot be pickled", "pallasc.load"], pickle.dumps, code)
    raises(TypeError, "define is a dict", pallasc.compile, KERNELS, define=3)


def test_the_stub_exports_what_the_package_exports():
    stub = ast.parse(pathlib.Path(pallasc.__file__).with_suffix(".pyi").read_text())
    exported = next(ast.literal_eval(s.value) for s in stub.body if isinstance(s, ast.Assign) and s.targets[0].id == "__all__")
    assert sorted(exported) == sorted(pallasc.__all__)


class Negatives:
    """A tensor of PyTorch whose memory holds the negatives of its elements."""

    def __init__(self, array):
        self.array = array

    def is_neg(self):
        return True

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()

    def __dlpack__(self, **options):
        return self.array.__dlpack__(**options)


def test_what_memory_alone_does_not_say_is_refused():
    add = pallasc.compile(KERNELS)["add"]
    raises(TypeError, "argument 'x' has a mask", add, np.ma.masked_array(X, X > 5), X)
    raises(ValueError, "argument 'y' is a view of negatives; a copy is: x.resolve_neg()", add, X, Negatives(X))
    assert (add(X.view(np.matrix), X) == 2 * X).all()


def test_a_text_without_its_quotes():
    source = "N = 'b'\ndef f(x: f32[8]): return x * (2 if N == 'a' else 3)\n"
    error = raises(pallasc.CompileError, """'a' itself is define={'N': "'a'"}""", pallasc.compile, "k.pk", text=source, define={"N": "a"})
    assert "name 'a' is not defined" in str(error)
    assert (pallasc.compile("k.pk", text=source, define={"N": "'a'"}).f(np.ones(8, np.float32)) == 2).all()


def test_machines_show_their_options():
    assert repr(pallasc.Machine()) == "pallasc.Machine()"
    assert repr(pallasc.Machine(tpu="TPU v5 lite")) == "pallasc.Machine(tpu='v5e')"  # as jax.devices()[0].device_kind says it
    assert repr(pallasc.Machine(threads=2, seed=0, tpu="v5e")) == "pallasc.Machine(threads=2, seed=0, tpu='v5e')"


LONG = """
def spin(x_ref, o_ref):
    o_ref[0] = lax.while_loop(lambda c: c >= 0, lambda c: c + 0 * c, x_ref[0])

def counted(x_ref, o_ref):
    o_ref[...] = lax.fori_loop(0, 2 ** 31 - 1, lambda i, c: c * 0.5 + 1, x_ref[...])

def endless(x: f32[1]):
    return pl.pallas_call(spin, out_shape=x)(x)

def turns(x: f32[1024]):
    return pl.pallas_call(counted, out_shape=x)(x)

def some_time(x: f32[1024]):
    return lax.fori_loop(0, 10 ** 8, lambda i, c: c * 0.5 + 1, x)

def fits(x: f32[8]):
    return x + 1
"""
INTERRUPTED = """
import os, signal, threading, time
import numpy as np
import pallasc

signal.signal(signal.SIGINT, signal.default_int_handler)  # who started this may have had it ignored

def interrupted(function, size):
    threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
    begun = time.monotonic()
    try:
        function(np.ones(size, np.float32))
    except KeyboardInterrupt:
        assert time.monotonic() - begun < 10
        return
    raise AssertionError("no KeyboardInterrupt")

lib = pallasc.compile("long.pk")
for _ in range(2):
    interrupted(lib.endless, 1)
    interrupted(lib.turns, 1024)
    assert lib.fits(np.ones(8, np.float32))[0] == 2
interrupted(pallasc.compile("long.pk", check=True).endless, 1)

child = os.fork()
if not child:
    interrupted(lib.endless, 1)
    os._exit(7)
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7

heard = []  # a handler of the program's own waits until the kernel is over
signal.signal(signal.SIGINT, lambda *_: heard.append(1))
threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGINT)).start()
assert abs(lib.some_time(np.ones(1024, np.float32))[0] - 2) < 1e-3 and heard == [1]
print("done")
"""


def test_an_interrupt_ends_a_kernel(tmp_path):
    (tmp_path / "long.pk").write_text(LONG)
    done = subprocess.run([sys.executable, "-Wignore", "-c", INTERRUPTED], cwd=tmp_path, capture_output=True, text=True, timeout=120,
                          env={**os.environ, "PYTHONPATH": ":".join(sys.path)})
    assert done.stdout == "done\n" and not done.stderr, done.stderr


def test_what_beginners_give(tmp_path):
    lib = pallasc.compile("two.pk", text="def two(x: f32[8, 4]):\n    return x + 1, x * 2\n")
    x = np.ones((8, 4), np.float32)
    raises(TypeError, "two(): out must be 2 arrays (out0, out1), 1 was given", lib.two, x, out=x)
    raises(ValueError, "give an array that is, and copy from it", lib.two, x, out=(np.ones((8, 8), np.float32)[:, ::2], None))
    raises(TypeError, "a function of Python is compiled from its source", pallasc.compile, lambda x: x)
    (tmp_path / "two.o").write_bytes(b"\x7fELF\x02\x01")
    raises(OSError, "'pallasc -shared' makes one", pallasc.load, tmp_path / "two.o")


def test_structs_are_as_long_as_those_of_the_runtime():
    options = _native.MachineOptions()
    spare = ctypes.create_string_buffer(b"\xfd" * 256, 256)  # what is written behind the struct is seen
    _native.runtime()["prt_machine_options_init"](spare)
    assert spare.raw[ctypes.sizeof(options):] == b"\xfd" * (256 - ctypes.sizeof(options))
    assert _native.MachineOptions.from_buffer(spare).size == ctypes.sizeof(options)
