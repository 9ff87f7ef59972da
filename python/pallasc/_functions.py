# SPDX-License-Identifier: Apache-2.0
"""Entry points as functions of Python: of a library that `pallasc -shared` made, or of a source that is compiled in this process."""
import ast
import ctypes
import inspect
import json
import os
import warnings
import weakref

from pallasc import _interrupt, _machine, _native
from pallasc._arrays import Parameter
from pallasc._native import IN, IN_OUT, OUT, SIZE
from pallasc.errors import CompileError, PallascError


class _Form:
    """An entry point of known shapes."""

    def __init__(self, entry):
        self.name = _native.said(entry.name)
        self.parameters = [Parameter(self.name, entry.params[i]) for i in range(entry.param_count)]
        self.inputs = [p for p in self.parameters if p.role in (IN, IN_OUT)]
        self.outputs = [p for p in self.parameters if p.role == OUT]
        self.places = [self.parameters.index(p) for p in self.inputs], [self.parameters.index(p) for p in self.outputs]
        self.is_checked = bool(entry.flags & _native.CHECKED)
        self.chip = _native.said(entry.chip)
        self.call = _native.CALL(entry.call)
        self.memory = ctypes.c_void_p * len(self.parameters)


def _given(count):
    return "1 was given" if count == 1 else f"{count} were given"


def _shape(value):
    return tuple(getattr(value, "shape", ()))


def _signature(parameters):
    """What help() and editors show of a call."""
    kind = inspect.Parameter
    own = [kind(name, kind.KEYWORD_ONLY, default=None) for name in ("out", "machine") if name not in parameters]
    return inspect.Signature([*(kind(name, kind.POSITIONAL_OR_KEYWORD) for name in parameters), *own])


class _OfThisProcess:
    """Compiled code: a copy is the same, and no other process can have it."""

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    def __reduce__(self):
        raise TypeError(f"{self!r} cannot be pickled, for it is code in this process: give others the path, or the source, to call pallasc.load or pallasc.compile on")


class Function(_OfThisProcess):
    """An entry point. Arrays are passed in the order of `parameters` or by name; results come back as new NumPy arrays, or in `out`."""

    def __init__(self, entry, runtime, owner):
        if entry.abi_version != _native.ABI_VERSION:
            raise OSError(f"entry point '{_native.said(entry.name)}' is of version {entry.abi_version} of the interface, this is {_native.ABI_VERSION}")
        self.__name__ = self.__qualname__ = _native.said(entry.name)
        self.signature = self.__doc__ = _native.said(entry.signature)
        self.source = _native.said(entry.source)
        self._runtime, self._owner = runtime, owner
        self._form = _Form(entry)
        forms = [_Form(entry.variants[i].contents) for i in range(entry.variant_count)]
        self._forms = {tuple(p.shape for p in form.inputs): form for form in forms}
        if not forms and any(p.role == SIZE for p in self._form.parameters):
            raise OSError(f"entry point '{self.__name__}' takes sizes that are not enumerated, which this version of the package does not know")
        self.parameters = tuple(p.name for p in self._form.inputs)
        self.results = tuple(p.name for p in self._form.outputs)
        self.__signature__ = _signature(self.parameters)

    def __repr__(self):
        return f"<pallasc function {self.signature}>"

    def _arguments(self, args, named):
        names = self.parameters
        if len(args) > len(names):
            count = "1 argument" if len(names) == 1 else f"{len(names)} arguments"
            raise TypeError(f"{self.__name__}() takes {count} ({', '.join(names)}), {_given(len(args))}")
        if not named and len(args) == len(names):
            return args
        for name in named:
            if name not in names:
                raise TypeError(f"{self.__name__}() has no argument '{name}'; it takes {', '.join(names)}")
            if name in names[:len(args)]:
                raise TypeError(f"{self.__name__}(): argument '{name}' is given twice")
        missing = [name for name in names[len(args):] if name not in named]
        if missing:
            raise TypeError(f"{self.__name__}() needs {', '.join(repr(name) for name in missing)}")
        return (*args, *(named[name] for name in names[len(args):]))

    def _form_for(self, values):
        """The code for the shapes of these values."""
        if not self._forms:
            return self._form
        form = self._forms.get(tuple(map(_shape, values)))
        if form is not None:
            return form
        for parameter, value in zip(self._form.inputs, values):
            known = sorted({p.shape for form in self._forms.values() for p in form.inputs if p.name == parameter.name})
            if _shape(value) not in known:
                raise ValueError(f"{self.__name__}(): argument '{parameter.name}' has shape {_shape(value)}; there is code for {', '.join(map(str, known))}")
        given = ", ".join(f"{p.name}: {_shape(v)}" for p, v in zip(self._form.inputs, values))
        raise ValueError(f"{self.__name__}(): the sizes of the arguments do not fit each other: {given}")

    def _outputs(self, form, out):
        if out is None:
            return [p.new() for p in form.outputs]
        outputs = list(out) if isinstance(out, (tuple, list)) else [out]
        if len(outputs) != len(form.outputs):
            raise TypeError(f"{self.__name__}(): out must be {len(form.outputs)} arrays ({', '.join(self.results)}), {_given(len(outputs))}")
        return [p.new() if given is None else given for p, given in zip(form.outputs, outputs)]

    def __call__(self, *args, out=None, machine=None, **named):
        values = self._arguments(args, named)
        form = self._form_for(values)
        memory, held = form.memory(), []
        for parameter, place, value in zip(form.inputs, form.places[0], values):
            memory[place] = parameter.take(value, parameter.role == IN_OUT, held)
        outputs = self._outputs(form, out)
        for parameter, place, value in zip(form.outputs, form.places[1], outputs):
            memory[place] = parameter.take(value, True, held)
        if out is not None or any(p.role == IN_OUT for p in form.inputs):
            _check_apart(form, memory)
        if machine is None:
            machine = _machine.default
        elif not isinstance(machine, _machine.Machine):
            raise TypeError(f"{self.__name__}(): machine must be a pallasc.Machine, not {type(machine).__name__}")
        native = machine._native_for(self._runtime, form.chip)
        if form.is_checked:
            with native.lock:
                self._run(form, native, memory)
        else:
            self._run(form, native, memory)
        return outputs[0] if len(outputs) == 1 else tuple(outputs) if outputs else None

    def _run(self, form, native, memory):
        status = _interrupt.call(native, form.call, native.address, memory)
        if status == _native.OK:
            return
        message = _native.said(self._runtime.prt_error_message())
        found = native.error()
        if status == _native.ERROR_STOPPED:
            raise KeyboardInterrupt(message)
        if found is not None:
            raise found
        raise {_native.ERROR_ARGUMENT: ValueError, _native.ERROR_MEMORY: MemoryError}.get(status, PallascError)(message)


def _check_apart(form, memory):
    """What is written must share no memory with anything else."""
    spans = ((memory[i], memory[i] + p.count * p.itemsize, i) for i, p in enumerate(form.parameters) if memory[i] and p.count)
    end, last = 0, None
    for begin, stop, i in sorted(spans):
        parameter = form.parameters[i]
        if begin < end and (parameter.role != IN or last.role != IN):
            raise ValueError(f"{form.name}(): '{last.name}' and '{parameter.name}' share memory, and one of them is written")
        if stop > end:
            end, last = stop, parameter


class Library(_OfThisProcess):
    """Entry points by name: as attributes, as items, in their order. With one of them, the library can be called itself."""

    def __init__(self, path, entries, runtime, owner, advice=""):
        self._path = os.fspath(path)
        self._advice = advice  # of a function that is no entry point
        self._functions = {f.__name__: f for f in (Function(entry, runtime, owner) for entry in entries)}

    def _no_entry(self, name):
        own = self.__dict__
        return f"{own.get('_path')} has no entry point '{name}'; it has {', '.join(own.get('_functions', {}))}{own.get('_advice', '')}"

    def __getattr__(self, name):
        if name.startswith("__") or name not in self.__dict__.get("_functions", {}):
            raise AttributeError(self._no_entry(name), name=name, obj=self)
        return self._functions[name]

    def __getitem__(self, name):
        if name not in self._functions:
            raise KeyError(self._no_entry(name))
        return self._functions[name]

    def __iter__(self):
        return iter(self._functions.values())

    def __len__(self):
        return len(self._functions)

    def __contains__(self, name):
        return name in self._functions

    def __dir__(self):
        return [*super().__dir__(), *self._functions]

    def __repr__(self):
        return f"<pallasc library {self._path}: {', '.join(self._functions)}>"

    def __call__(self, *args, **named):
        if len(self._functions) != 1:
            raise TypeError(f"{self._path} has {len(self._functions)} entry points: {', '.join(self._functions)}")
        return next(iter(self))(*args, **named)


def load(path):
    """The functions of a library that `pallasc -shared` made. It stays loaded for the life of the process."""
    path = os.path.abspath(os.fspath(path))
    library = _native.open_library(path)
    return Library(path, _native.entries_of(library, path), library, library)


class CompileWarning(UserWarning):
    """What the compiler warns of in a source that it takes."""
    __module__ = "pallasc"


class _Result:
    """The code of a compiled source; freed when no function of it is left."""

    def __init__(self, address):
        self.address = address
        weakref.finalize(self, _native.compiler().pallasc_free, address).atexit = False


def _expression(name, value):
    """A value of define= as Python writes it; a text is an expression already."""
    try:
        ast.parse(str(value), mode="eval")
    except (SyntaxError, ValueError):
        raise TypeError(f"define: {name} must be a value that Python can write, or an expression as a text, not {value!r}") from None
    return value


def _options(entry, options, check, tpu, define):
    if isinstance(options, (str, bytes)):
        raise TypeError(f"options are a list of texts, such as ['-O1'], not {options!r}")
    if not hasattr(entry or (), "__iter__"):
        raise TypeError(f"entry is a text, such as 'scale(f32[8,128], factor=2)', or a list of them, not {entry!r}")
    if not hasattr(define or {}, "items"):
        raise TypeError(f"define is a dict of names and values, such as {{'N': 3}}, not {define!r}")
    entries = [entry] if isinstance(entry, str) else list(entry or ())
    out = [word for spec in entries for word in ("--entry", spec)]
    out += ["--check"] if check else []
    out += [f"--tpu={tpu}"] if tpu else []
    for name, value in (define or {}).items():
        out += ["-D", f"{name}={_expression(name, value)}"]
    out += list(options)
    for option in out:
        if not isinstance(option, str) or "\0" in option:
            raise TypeError(f"options are texts without NUL, not {option!r}")
    return out


def _quotes_missing(define, said):
    """What to say where a text of define= is no expression that can be evaluated: it may be meant as a value."""
    wrong = [(name, value) for name, value in define.items() if isinstance(value, str) and f"-D {name}:1:" in said]
    return "".join(f"\nnote: define takes texts as expressions; {value!r} itself is define={{{name!r}: {repr(value)!r}}}" for name, value in wrong)


def _is_source(path):
    """Whether what is given as a path is statements, or a call: no name of a file reads so."""
    if "\n" in path:
        return True
    try:
        first, *_ = ast.parse(path).body
    except (SyntaxError, ValueError):
        return False
    return not isinstance(first.value, (ast.Name, ast.Attribute, ast.BinOp)) if isinstance(first, ast.Expr) else True


def _refuse_unreadable(path, said):
    """Raises what the system says of a file that cannot be read, in the words of the compiler, which may know a better name."""
    try:
        open(path, "rb").close()
    except OSError as error:
        raise OSError(error.errno, said.partition(f"'{path}': ")[2] or error.strerror, path) from None


def compile(path, *, entry=None, text=None, check=False, tpu=None, define=None, options=()):
    """Compiles a source for this process: the file `path`, or `text`, which messages call so. `entry` is as on the command line, one or several."""
    compiler = _native.compiler()
    if callable(path):
        raise TypeError(f"path names a file, it is not {path!r}: a function of Python is compiled from its source, text=inspect.getsource(…); pallasc.jax compiles kernels of a live JAX")
    path = os.fspath(path)
    if not isinstance(path, str) or "\0" in path:
        raise TypeError(f"path must be a text without NUL, not {path!r}")
    arguments = [os.fsencode(a) for a in (*_options(entry, options, check, tpu, define), path)]
    if text is None and _is_source(path):
        raise TypeError("path names a file; a source is given as text: compile('kernel.pk', text=...)")
    texts, count = None, 0
    if text is not None:
        if not isinstance(text, (str, bytes, bytearray)):
            raise TypeError(f"text must be the source, as a text or as bytes, not {text!r}")
        data = text.encode("utf-8", "surrogateescape") if isinstance(text, str) else bytes(text)
        texts, count = ctypes.byref(_native.Text(arguments[-1], data, len(data))), 1
    address = compiler.pallasc_load(len(arguments), (ctypes.c_char_p * len(arguments))(*arguments), count, texts)
    if not address:
        raise MemoryError("pallasc: out of memory")
    result = _Result(address)
    if compiler.pallasc_status_of(address):
        lines = _native.said(compiler.pallasc_diagnostics_json(address)).splitlines()
        said = _native.said(compiler.pallasc_diagnostics(address)).rstrip()
        if text is None and path != "-":
            _refuse_unreadable(path, said)
        said += _quotes_missing(define or {}, said)
        raise CompileError.of(said, [json.loads(line, strict=False) for line in lines if line.startswith("{")])
    if said := _native.said(compiler.pallasc_diagnostics(address)).rstrip():
        warnings.warn(said, CompileWarning, stacklevel=2)
    entries = [compiler.pallasc_entry_at(address, i).contents for i in range(compiler.pallasc_entry_count(address))]
    if not entries:
        raise CompileError(f"{path} has no entry points: functions whose array parameters are annotated, or that entry= names")
    advice = "" if entry else "; entry='name(f32[8,128])' makes one of a function whose parameters have no types"
    return Library(path, entries, _native.runtime(), result, advice)
