# SPDX-License-Identifier: Apache-2.0
"""Writes a jaxpr as text (docs/jaxpr.md): every parameter by its type, no primitive by its name.

In: a closed jaxpr of a live JAX. Out: the text that `pallasc FILE.jaxpr` compiles, the same for the same program.
"""
import base64
import dataclasses
import enum
import functools
import linecache
import re

import jax
import jax.numpy as jnp
import numpy as np
from jax._src import checkify, core, source_info_util
from jax._src.frozen_dict import FrozenDict
from jax._src.interpreters import partial_eval as pe
from jax._src.pallas.core import debug_checks_enabled, poison_buffers_enabled
from jax._src.pallas.primitives import run_scoped_p
from jax._src.random import prng
from jax._src.state.types import AbstractRef
from jax.sharding import AbstractMesh, Mesh, PartitionSpec

from pallasc.jax import pipelines

VERSION = 1
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
_KEYWORDS = frozenset("jaxpr file line loc entry const return ref type dtype data map opaque none true false inf nan _".split())
_SHORT = {"float32": "f32", "float16": "f16", "bfloat16": "bf16", "float64": "f64", "int2": "i2", "uint2": "u2", "int4": "i4", "int8": "i8", "int16": "i16",
          "int32": "i32", "int64": "i64", "uint4": "u4", "uint8": "u8", "uint16": "u16", "uint32": "u32", "uint64": "u64"}
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_TREE = type(jax.tree_util.tree_structure(0))


def _message(error):
    """What a check of checkify says when it fails, before its values are put in."""
    trees, payloads = error._metadata.values(), error._payload.values()
    exceptions = [jax.tree_util.tree_unflatten(tree, payload) for tree, payload in zip(trees, payloads)]
    return next((e.fmt_string for e in exceptions if isinstance(e, checkify.FailedCheckError)), "a check of the program")


class _Leaf:
    """Operand number `index` of an equation, where a tree of operands holds it."""

    def __init__(self, index):
        self.index = index


def _string(text):
    out = "".join(_ESCAPES.get(c) or (c if c >= " " and c != "\x7f" else f"\\x{ord(c):02x}") for c in text)
    return f'"{out}"'


def _word(text):
    return text if _WORD.match(text) and text not in _KEYWORDS else _string(text)


def _kind(value):
    """The name of a value's class, as a word."""
    name = type(value).__name__
    return name if _WORD.match(name) and name not in _KEYWORDS else f"Class_{name}"


def _float(value):
    return value.hex() if value == value and abs(value) != float("inf") else repr(float(value)).replace("+", "")


def _primitive(primitive):
    """Its name. SparseCores have some under names that others have, too."""
    return f"sc_{primitive.name}" if primitive in _sparse_core() else primitive.name


@functools.cache
def _sparse_core():
    from jax._src.pallas.mosaic import sc_primitives
    return frozenset(v for v in vars(sc_primitives).values() if isinstance(v, core.Primitive))


def _dims(shape):
    return f"[{','.join(str(int(d)) for d in shape)}]"


def _element(dtype):
    name = getattr(dtype, "name", None) or str(dtype)
    return _SHORT.get(name, name).replace(" ", "")


def _data(array):
    """The bytes of an array, as a string of base64, in which nothing has to be escaped."""
    array = np.asarray(array)
    return f'"{base64.b64encode(np.ascontiguousarray(array).tobytes()).decode()}"'


class _Scope:
    """The numbers of a jaxpr's variables."""

    def __init__(self):
        self.numbers = {}

    def define(self, var):
        number = self.numbers[id(var)] = len(self.numbers)
        return number


class Writer:
    def __init__(self):
        self.files, self.locs = {}, {}
        self.place = ""  # of the equation that holds those being written
        self.lines = {}  # file -> line -> text

    # ---- places ------------------------------------------------------------------------------------------

    def _file(self, name):
        return self.files.setdefault(name, len(self.files))

    def location(self, source_info):
        frame = source_info_util.user_frame(source_info.traceback)
        if frame is None:
            return self.place
        file = self._file(frame.file_name)
        for number in {frame.start_line, frame.end_line or frame.start_line}:
            self.lines.setdefault(file, {})[number] = linecache.getline(frame.file_name, number).rstrip("\r\n")
        key = (f"{file}:{frame.start_line}:{frame.start_column}:{frame.end_line or frame.start_line}:"
               f"{frame.end_column or frame.start_column} {_string(frame.function_name)}")
        return f" @{self.locs.setdefault(key, len(self.locs))}"

    # ---- types and values ----------------------------------------------------------------------------------

    def type(self, aval):
        if isinstance(aval, AbstractRef):
            space = aval.memory_space
            return f"ref {_word('default' if space is None else str(space))} {self.type(aval.inner_aval)}"
        if not hasattr(aval, "shape"):
            return f"{_kind(aval)}[]"
        weak = "~" if getattr(aval, "weak_type", False) else ""
        element = _element(aval.dtype)
        return f"{weak}{element}{_dims(aval.shape)}"

    def value(self, value):
        if value is None:
            return "none"
        if value is ...:
            return "..."
        if isinstance(value, (bool, np.bool_)):
            return "true" if value else "false"
        if isinstance(value, enum.Enum):
            return f"{_kind(value)}.{value.name}"
        if isinstance(value, int):
            return str(int(value))
        if isinstance(value, float):
            return _float(float(value))
        if isinstance(value, str):
            return _string(value)
        if isinstance(value, _Leaf):
            return f"#{value.index}"
        if isinstance(value, (core.Jaxpr, core.ClosedJaxpr)):
            return self.jaxpr(value)
        if isinstance(value, core.AbstractValue):
            return f"type {self.type(value)}"
        if isinstance(value, core.Primitive):
            return _string(_primitive(value))
        if isinstance(value, _TREE):
            return self._tree(value)
        return self._compound(value)

    def _tree(self, tree):
        try:
            return self.value(jax.tree_util.tree_unflatten(tree, [_Leaf(i) for i in range(tree.num_leaves)]))
        except Exception:  # a class of the user that looks at its parts
            return f"opaque {_string('tree of ' + str(tree.num_leaves))}"

    def _compound(self, value):
        if isinstance(value, np.dtype) or hasattr(value, "_rules"):
            return f"dtype {_element(value)}"
        if isinstance(value, type) and issubclass(value, np.generic) or isinstance(value, type(jnp.float32)):
            return f"dtype {_element(np.dtype(value))}"
        if isinstance(value, PartitionSpec):
            return self._record(value, [("parts", tuple(value))])
        if isinstance(value, (Mesh, AbstractMesh)):
            return self._record(value, [("axis_names", value.axis_names), ("axis_sizes", value.axis_sizes)])
        if isinstance(value, checkify.Error):
            return self._record(value, [("message", _message(value))])
        if isinstance(value, np.generic) and isinstance(value.item(), (int, float)):
            return self.value(value.item())
        if isinstance(value, np.ndarray) and value.dtype == object:
            return self.value(value.tolist())
        if isinstance(value, (np.ndarray, np.generic, jax.Array)) or type(value).__name__ in ("TypedNdArray", "TypedInt", "TypedFloat"):
            array = np.asarray(value)
            return f"data {_element(array.dtype)}{_dims(array.shape)} {_data(array)}"
        if isinstance(value, tuple) and hasattr(value, "_fields"):
            return self._record(value, [(name, getattr(value, name)) for name in value._fields])
        if isinstance(value, tuple):
            return f"({', '.join(self.value(v) for v in value)})"
        if isinstance(value, list):
            return f"[{', '.join(self.value(v) for v in value)}]"
        if isinstance(value, (frozenset, set)):
            return f"({', '.join(sorted(self.value(v) for v in value))})"
        if isinstance(value, (dict, FrozenDict)):
            return f"map {{{', '.join(f'{self.value(k)}: {self.value(v)}' for k, v in value.items())}}}"
        if isinstance(value, slice):
            return f"slice(start = {self.value(value.start)}, stop = {self.value(value.stop)}, step = {self.value(value.step)})"
        return self._object(value)

    def _object(self, value):
        if dataclasses.is_dataclass(value) and not isinstance(value, type):
            return self._record(value, [(f.name, getattr(value, f.name, None)) for f in dataclasses.fields(value)])
        if not callable(value) and not getattr(value, "__dict__", None) and not hasattr(value, "__slots__"):
            return f"{_kind(value)}()"
        return f"opaque {_string(type(value).__module__ + '.' + type(value).__qualname__)}"

    def _record(self, value, fields):
        return f"{_kind(value)}({', '.join(f'{name} = {self.value(v)}' for name, v in fields)})"

    # ---- jaxprs -----------------------------------------------------------------------------------------------

    def jaxpr(self, closed, is_entry=False):
        """A jaxpr; what it binds without a value comes before its parameters. Those of an entry are what is in memory: the counts of
        semaphores."""
        jaxpr, consts = (closed.jaxpr, closed.consts) if isinstance(closed, core.ClosedJaxpr) else (closed, None)
        scope, info = _Scope(), jaxpr.debug_info
        out = ["{ " + _string(getattr(info, "func_name", None) or "jaxpr")]
        bound = list(zip(jaxpr.constvars, consts)) if consts is not None else []
        for var, const in bound + self._array_literals(jaxpr):
            out.append(f"  const {self._var(scope, var)} = {_data(np.asarray(const, var.aval.dtype) if isinstance(const, complex) else const)}")
        params = [*(jaxpr.constvars if consts is None else ()), *jaxpr.invars]
        names = self._names(info, len(params), len(jaxpr.invars))
        out.append(f"  ({', '.join(self._var(scope, v, is_entry) + n for v, n in zip(params, names))})")
        used = {id(v) for e in jaxpr.eqns for v in e.invars} | {id(v) for v in jaxpr.outvars}
        out += [self._equation(scope, e, used) for e in jaxpr.eqns]
        out.append(f"  return ({', '.join(self._atom(scope, v) for v in jaxpr.outvars)}) }}")
        return "\n".join(out)

    @staticmethod
    def _names(info, count, own):
        names = list(getattr(info, "arg_names", None) or ())
        if len(names) != own:
            return [""] * count
        return [""] * (count - own) + [f" {_string(n)}" if n else "" for n in names]

    @staticmethod
    def _array_literals(jaxpr):
        atoms = [v for e in jaxpr.eqns for v in e.invars] + list(jaxpr.outvars)
        return [(v, v.val) for v in {id(v): v for v in atoms if isinstance(v, core.Literal) and (np.ndim(v.val) or np.iscomplexobj(v.val))}.values()]

    def _var(self, scope, var, is_physical=False):
        return f"%{scope.define(var)}:{self.type(core.physical_aval(var.aval) if is_physical else var.aval)}"

    def _atom(self, scope, atom):
        if id(atom) in scope.numbers:
            return f"%{scope.numbers[id(atom)]}"
        value = np.asarray(atom.val).item()
        text = _float(value) if isinstance(value, float) else self.value(value)
        return f"{text}:{self.type(atom.aval)}"

    @staticmethod
    def _check_place(e):
        """Where a check is, in the words of the chip's runtime, whose messages tests look for."""
        frame = source_info_util.user_frame(e.source_info.traceback)
        return f"check at {frame.function_name}" if frame else None

    def _equation(self, scope, e, used):
        if pipelines.is_pipeline(e):
            e = pipelines.expanded(e)
        e = pipelines.marked(e)
        if e.primitive is run_scoped_p:
            e = pipelines.named(e)
        if e.primitive in (run_scoped_p, core.empty_ref_p) and poison_buffers_enabled():
            e = e.replace(params={**e.params, "poison": True})
        if debug_checks_enabled() and _primitive(e.primitive) == "sc_gather":
            e = e.replace(params={**e.params, "checked": True})
        if e.primitive is checkify.check_p:
            e = e.replace(params={**e.params, "place": self._check_place(e)})
        operands = ", ".join(self._atom(scope, v) for v in e.invars)
        place, self.place = self.place, self.location(e.source_info)
        params = ", ".join(f"{name} = {self.value(v)}" for name, v in sorted(e.params.items()))
        own, self.place = self.place, place
        outs = ", ".join(self._var(scope, v) if id(v) in used else f"_:{self.type(v.aval)}" for v in e.outvars)
        call = f"{_word(_primitive(e.primitive))}({operands}){f' [{params}]' if params else ''}{own}"
        return f"  {outs} = {call}" if outs else f"  {call}"

    # ---- the whole ----------------------------------------------------------------------------------------------

    def program(self, entries):
        """entries: (name, names of the parameters, pairs of a parameter and the result that takes its place, closed jaxpr)."""
        texts = []
        for name, params, in_place, closed in entries:
            pairs = f" [in_place = {self.value(in_place)}]" if in_place else ""
            texts.append(f"entry {_string(name)} [{', '.join(_string(p) for p in params)}]{pairs}\n{self.jaxpr(closed, True)}\n")
        out = [f"jaxpr {VERSION}"]
        for path, file in self.files.items():
            out.append(f"file {file} {_string(path)}")
            out += [f"line {file} {number} {_string(text)}" for number, text in sorted(self.lines[file].items()) if number]
        out += [f"loc {number} {key}" for key, number in self.locs.items()]
        return "\n".join(out + texts)


# ---- entries --------------------------------------------------------------------------------------------------------------------

def _is_key(aval):
    return jax.dtypes.issubdtype(getattr(aval, "dtype", None), jax.dtypes.prng_key)


def _wrapping(var, wraps):
    """The equation that makes keys of their data, or the other way round; and the variable of the data."""
    data = core.Var(core.physical_aval(var.aval))
    ins, outs = ([data], [var]) if wraps else ([var], [data])
    primitive, params = (prng.random_wrap_p, {"impl": var.aval.dtype._impl}) if wraps else (prng.random_unwrap_p, {})
    return core.new_jaxpr_eqn(ins, outs, primitive, params, core.no_effects), data


def physical(closed):
    """The same program with the data of keys as operands and results: that is what is in memory."""
    jaxpr = closed.jaxpr
    before = {var: _wrapping(var, True) for var in jaxpr.invars if _is_key(var.aval)}
    after = {var: _wrapping(var, False) for var in jaxpr.outvars if _is_key(var.aval)}
    if not before and not after:
        return closed
    eqns = [*(eqn for eqn, _ in before.values()), *jaxpr.eqns, *(eqn for eqn, _ in after.values())]
    invars = [before[v][1] if v in before else v for v in jaxpr.invars]
    outvars = [after[v][1] if not isinstance(v, core.Literal) and v in after else v for v in jaxpr.outvars]
    return core.ClosedJaxpr(jaxpr.replace(invars=invars, outvars=outvars, eqns=eqns),
                            closed.consts)


def write(closed, name="main", params=None, in_place=()):
    """The text of one closed jaxpr as an entry. in_place: (parameter, result) for each result that takes a parameter's place."""
    if closed.jaxpr.is_high:
        closed = pe.lower_jaxpr2(closed)
    closed = physical(closed)
    if not closed.jaxpr.outvars:  # an entry has a result
        closed = core.ClosedJaxpr(closed.jaxpr.replace(outvars=[core.Literal(np.int32(0), core.ShapedArray((), np.int32))],
                                                       debug_info=closed.jaxpr.debug_info.with_unknown_names()), closed.consts)
    count = len(closed.jaxpr.invars)
    return Writer().program([(name, params or [f"arg{i}" for i in range(count)], tuple(in_place), closed)])
