# SPDX-License-Identifier: Apache-2.0
"""Kernels of a live JAX on the CPU: each pallas_call is written as text, compiled once, and called by XLA in place.

`machine(…)` says how; jit keeps programs of different machines apart.
"""
import contextlib
import dataclasses
import functools
import itertools
import os
import threading

import jax
import jax.numpy as jnp
import numpy as np
from jax._src import api_util, callback, config, core, debugging, dispatch, dtypes, effects, source_info_util
from jax._src.interpreters import mlir, partial_eval as pe
from jax._src.lib import xla_client
from jax._src.pallas import core as pallas_core, mpmd
from jax._src.pallas import pallas_call as pallas_call_module
from jax._src.pallas import primitives as pallas_primitives
from jax._src.pallas.mosaic import core as tpu_core
from jax._src.pallas.mosaic import tpu_info
from jax._src.pallas.mosaic.interpret import interpret_pallas_call as interpreter
from jax._src.pallas.mosaic.interpret import params as interpret_params
from jax._src.pallas.mosaic.interpret import race_detection_state
from jax._src.state import primitives as state_primitives
from jax._src.state.types import AbstractLinVal
from jax.experimental.pallas import tpu as pltpu

from pallasc._machine import CHIPS, chip_named
from pallasc.jax import annotations, checks, chip_options, devices, library, own_memory, results, text

_TARGET = "pallasc_call"
_DROPPABLE_TARGET = "tpu_custom_call"  # the one whose calls with effects XLA drops where nobody reads their results, if the call says so

source_info_util.register_exclusion(os.path.dirname(__file__))  # the lines of a program are not of these files


@dataclasses.dataclass(frozen=True)
class Settings:
    """How kernels are compiled and what they run on."""
    check: bool = False
    seed: int | None = None
    tpu: str | None = None
    numerics: str = "exact"
    threads: int = 0
    replace_interpret: bool = False
    device_timeout: float = 60.0
    strict_tpu: bool = False
    watch: tuple = ()  # of 'nan' and 'inf', what operations must not make
    only: tuple = ()  # of what checks find, the kinds that count: a 'race' is reported as JAX's detector does, a 'check' is an error
    copies: str | None = None  # when they are made: 'late' or 'early'; None: as it happens, or as the seed says
    number: int = 0  # of machines that are the same and that threads have at one time

    def options(self):
        out = ["--check", "-O1"] if self.check else []  # as `pallasc check` does: calls of checks leave little to optimise, and much to compile
        if self.watch:
            out.append("--nan")
        if self.tpu:
            out.append(f"--tpu={self.tpu}")
        if self.numerics == "tpu":
            out.append("--matmul-precision=tpu")
        if self.strict_tpu:
            out.append("--strict-tpu")
        return tuple(out)

    def tries(self):
        """Whether a call is made in several schedules, as `pallasc check` does: all is checked, and nothing says when copies are made."""
        return self.check and not self.only and self.copies is None


DEFAULT_CHIP = "v5p"

_settings = config.string_or_object_state(
    name="pallasc_machine", default=None, help="How pallasc runs kernels (pallasc.jax.machine).", include_in_jit_key=True,
    include_in_trace_context=True)


def settings():
    return _settings.value or Settings()


@functools.cache
def _machine(threads, seed, tpu, check, only, watch, copies, number):
    tell = functools.partial(_report_of, only, watch) if only or watch else None
    of = threads, seed, tpu, check, only, watch, copies, number
    return library.Machine(of, threads, seed, tell, never_fails=only == ("race",) and not watch, copies=copies)


def machine_of(chosen):
    seed = chosen.seed or 0 if chosen.tries() else chosen.seed  # schedules are for machines that draw
    return _machine(chosen.threads, seed, chosen.tpu, chosen.check, chosen.only, chosen.watch, chosen.copies, chosen.number)


_owners, _owners_lock = {}, threading.Lock()  # the threads inside of a `with machine(…)`, one for each time


@contextlib.contextmanager
def _of_this_thread(chosen):
    """These settings with a machine that no other thread has meanwhile, so that what is found is reported where it was made."""
    me = threading.get_ident()
    with _owners_lock:
        mine = next(one for one in (dataclasses.replace(chosen, number=i) for i in itertools.count()) if set(_owners.get(one, ())) <= {me})
        _owners.setdefault(mine, []).append(me)
    try:
        yield mine
    finally:
        with _owners_lock:
            _owners[mine].remove(me)


def _refuse_tracing():
    """What is traced runs later, where a machine that was set while it was traced is gone."""
    trace = core.trace_ctx.trace
    while trace is not None:
        if isinstance(trace, pe.DynamicJaxprTrace):
            raise RuntimeError("pallasc.jax.machine(…) says nothing in a function that JAX traces, as under jit: it belongs around the call")
        trace = getattr(trace, "parent_trace", None)


def _is_int(value, limit):
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < limit


def check_arguments(check=False, seed=None, tpu=None, numerics="exact", threads=0, replace_interpret=False, device_timeout=60.0, strict_tpu=False):
    """Raises ValueError for what machine() does not take."""
    for name, value in (("check", check), ("replace_interpret", replace_interpret), ("strict_tpu", strict_tpu)):
        if not isinstance(value, bool):
            raise ValueError(f"{name} must be True or False, got {value!r}")
    if seed is not None and not _is_int(seed, 1 << 64):
        raise ValueError(f"seed must be None or an int of 64 bits, got {seed!r}")
    if not _is_int(threads, 1025):
        raise ValueError(f"threads must be an int from 0 (all CPUs) to 1024, got {threads!r}")
    if isinstance(device_timeout, bool) or not isinstance(device_timeout, (int, float)) or not 0 < device_timeout < 1e9:
        raise ValueError(f"device_timeout must be a number of seconds above 0, got {device_timeout!r}")
    if numerics not in ("exact", "tpu"):
        raise ValueError(f"numerics must be 'exact' or 'tpu', got {numerics!r}")
    chip_named(tpu)


def machine(*, check=False, seed=None, tpu=None, numerics="exact", threads=0, replace_interpret=False, device_timeout=60.0, strict_tpu=False):
    """Kernels that are called inside run on this machine: with checks, with choices drawn from a seed, as another chip.

    replace_interpret: those that ask for an interpreter of JAX, too. device_timeout: seconds that a device waits for the others of its mesh
    in a kernel that reaches them. strict_tpu: what the chip's own compiler would refuse is refused, in kernels that are not interpreted.
    """
    check_arguments(check, seed, tpu, numerics, threads, replace_interpret, device_timeout, strict_tpu)
    return _Use(Settings(check, seed, chip_named(tpu), numerics, threads, replace_interpret, device_timeout, strict_tpu))


@functools.cache
def _nothing_on(devices):
    """A program, and its operands: on all of these devices together and on each of them."""
    mesh = jax.sharding.Mesh(np.array(devices), ("device",))
    with jax.transfer_guard("allow"):
        together = jax.device_put(np.zeros(len(devices), np.float32), jax.NamedSharding(mesh, jax.P("device")))
        return jax.jit(jnp.negative), [together, *(jax.device_put(np.float32(0), device) for device in devices)]


def _error_of_calls():
    """Programs of one device are over in their order, and so are programs of several: when those that come last are over, so are those whose
    results nobody waits for. What JAX says of them."""
    try:
        program, operands = _nothing_on(tuple(jax.local_devices(backend="cpu")))
    except RuntimeError:  # JAX_PLATFORMS leaves CPUs out: no call was made here
        return None
    try:
        with jax.disable_jit(False):
            jax.block_until_ready([program(operand) for operand in operands])
    except Exception as error:
        return error
    return None


_AT_END = ("Raised where `with machine(…)` ends, whether or not the program has caught what the call raised; "
           "of `with machine(…) as m`, m.error() takes what was found, and nothing is raised then")


class _Use(contextlib.ContextDecorator):
    """What machine() gives, for one `with`, or several, of one thread, or several."""

    def __init__(self, chosen):
        self._chosen, self._of_thread = chosen, threading.local()

    def __enter__(self):
        _refuse_tracing()
        with contextlib.ExitStack() as inside:
            chosen = inside.enter_context(_of_this_thread(self._chosen))
            used = machine_of(chosen)
            used.error()  # what calls outside have found
            inside.enter_context(_settings(chosen))
            self._of_thread.__dict__.setdefault("entered", []).append((inside.pop_all(), used, used.errors))
        return used

    def __exit__(self, kind, error, traceback):
        __tracebackhide__ = True  # pytest shows the program's lines
        inside, used, errors = self._of_thread.entered.pop()
        inside.close()
        if error is not None and not isinstance(error, Exception):
            return
        late = _error_of_calls()
        is_at_end = error is None
        error = error or late
        if error is None:
            found = _error_of(used)
        else:
            # Another thread on this machine may have been given what this one's call has found.
            found = (_error_of(used) or used.said_in(str(error)) or used.taken_since(errors)) if _is_of_a_call(error) else None
            missed = devices.missed(used) if found is None else None
            if missed is not None:
                found = library.MissingDeviceError.of(missed)
        if found is not None:
            if is_at_end:
                found.add_note(_AT_END)
            raise found from error
        if error is late and late is not None:
            raise late


def _is_of_a_call(error):
    """Whether a compiled program has failed. Where jit has run it before, XLA's message comes as a ValueError."""
    return isinstance(error, jax.errors.JaxRuntimeError) or type(error) is ValueError and str(error).startswith("INTERNAL: ")


def _error_of(used):
    """The exception for what happened on a machine since the last one; None if nothing did."""
    missed = devices.missed(used)
    found = used.error()
    return found if found is not None or missed is None else library.MissingDeviceError.of(missed)


def _tpu_info():
    """What pltpu.get_tpu_info says where the device is a CPU: the chip that kernels are compiled for."""
    version, cores = CHIPS[settings().tpu or DEFAULT_CHIP]
    return tpu_info.get_tpu_info_for_chip(tpu_info.ChipVersion[version], cores)


def _on_this_chip(create):
    """pltpu.create_tensorcore_mesh where the device is a CPU: it has the cores of the chip that kernels are compiled for."""
    @functools.wraps(create)
    def create_tensorcore_mesh(axis_name, devices=None, num_cores=None):
        if num_cores is None and jax.sharding.get_abstract_mesh().abstract_device is None:
            if all(device.platform == "cpu" for device in devices or jax.devices()[:1]):
                devices, num_cores = None, CHIPS[settings().tpu or DEFAULT_CHIP][1]
        return create(axis_name, devices, num_cores)
    return create_tensorcore_mesh


# ---- the lowering -------------------------------------------------------------------------------------------------------------

def _names(params, count):
    """What the kernel calls its operands, the words that messages are in; an operand without a name of its own has a number."""
    kernel = params["jaxpr"] if "jaxpr" in params else params["jaxprs"][0]
    bounds = params["grid_mapping"].num_dynamic_grid_bounds if "grid_mapping" in params else 0
    names = [f"arg{i}" for i in range(count)]
    for i, name in enumerate(kernel.debug_info.arg_names or (), bounds):
        if i < count and name and name.isidentifier() and name not in names:
            names[i] = name
    return names


def _out_names(params, operands, outs):
    """For each result what it may be called: as the kernel calls it, or the operand that it is; with commas between."""
    kernel = params["jaxpr"] if "jaxpr" in params else params["jaxprs"][0]
    bounds = params["grid_mapping"].num_dynamic_grid_bounds if "grid_mapping" in params else 0
    known, of = dict(enumerate(kernel.debug_info.arg_names or (), bounds)), {o: i for i, o in _aliases(params)}
    for o in range(outs):
        names = (known.get(operands + o), known.get(of.get(o)), f"args[{of[o]}]" if o in of else None)
        yield ",".join(name for name in names if name and " " not in name)


def _closed_call(primitive, params, avals_in, avals_out, source_info):
    """The jaxpr of this one equation."""
    inputs, outputs = [core.Var(a) for a in avals_in], [core.Var(a) for a in avals_out]
    equation = core.new_jaxpr_eqn(inputs, outputs, primitive, params, core.no_effects, source_info)
    info = core.DebugInfo("pallasc", primitive.name, tuple("" for _ in inputs), tuple("" for _ in outputs))
    return core.ClosedJaxpr(core.Jaxpr((), inputs, outputs, [equation], core.no_effects, info), ())


def _source_info(ctx):
    """Where the program calls it: of the context, where that knows a line of the program; else the line that waits for this."""
    for traceback in (ctx.traceback, source_info_util.current().traceback, xla_client.Traceback.get_traceback()):
        if traceback is not None and source_info_util.user_frame(traceback) is not None:
            return source_info_util.SourceInfo(traceback, ctx.name_stack)
    return source_info_util.new_source_info()


def _side_effect(params):
    """What a program says of a call's effects: whether XLA may drop it, or make one of two."""
    said = getattr(params.get("compiler_params"), "has_side_effects", False)
    if isinstance(said, bool):
        said = tpu_core.SideEffectType.SIDE_EFFECTING if said else tpu_core.SideEffectType.PURE
    if not isinstance(said, tpu_core.SideEffectType):
        raise ValueError(f"Invalid side effect type: {said}")
    return said


def _has_effects(params):
    """Whether a call has to stay where nobody reads its results."""
    return any(not isinstance(effect, effects.JaxprInputEffect) for jaxpr in annotations.jaxprs(params) for effect in jaxpr.effects)


def _refuse_types(primitive, ctx, params):
    frame = source_info_util.user_frame(_source_info(ctx).traceback)
    place = f" at {frame.file_name}:{frame.start_line}" if frame else ""
    if primitive is mpmd.mpmd_map_p and params["interpret"] is not True:
        own_memory.refuse_shared(params, ctx.avals_in, frame)
    for aval in (*ctx.avals_in, *ctx.avals_out):
        if _is_complex(aval):
            raise NotImplementedError(f"{primitive.name} '{params.get('name') or 'kernel'}'{place}: arrays of {aval.dtype} are not supported")
        if not core.is_constant_shape(getattr(aval, "shape", ())):
            raise NotImplementedError(f"{primitive.name} '{params.get('name') or 'kernel'}'{place}: shapes that are not known, {aval.str_short()}, are not supported")


def _aliases(params):
    """Pairs of an operand and the result that is the same array; one operand a result: several are refused where the kernel is read."""
    dynamic = params["grid_mapping"].num_dynamic_grid_bounds if "grid_mapping" in params else 0
    return list({o: (i + dynamic, o) for i, o in dict(params["input_output_aliases"]).items()}.values())


def _in_place(params, avals_in, avals_out, options):
    """Pairs of an operand and the result that has its memory. Under check each has its own, so that it is known who writes what."""
    if "--check" in options:
        return ()
    pairs = _aliases(params)
    same = [core.physical_aval(avals_in[i]).str_short() == core.physical_aval(avals_out[o]).str_short() for i, o in pairs]
    return tuple(pair for pair, is_same in zip(pairs, same) if is_same)


def _lower(primitive, ctx, operands, params, chosen):
    _refuse_types(primitive, ctx, params)
    closed = _closed_call(primitive, params, ctx.avals_in, ctx.avals_out, _source_info(ctx))
    options = chosen.options()
    mesh = devices.mesh_of(ctx)
    of_devices = mesh
    if mesh is not None and devices.reaches_devices(primitive, params, mesh.axis_names):
        closed, options = devices.joint(text.physical(closed), mesh), (*options, f"--devices={mesh.size}", "--apart")
    else:
        mesh = None
    ins, outs = ([core.physical_aval(aval) for aval in avals] for avals in (ctx.avals_in, ctx.avals_out))
    is_packed = any(map(_is_packed, (*ins, *outs)))
    in_place = () if is_packed else _in_place(params, ins, outs, options)
    used = machine_of(chosen)
    written = text.write(closed, params=_names(params, len(ins)) if mesh is None else None, in_place=in_place)
    if params.get("debug"):
        annotations.tell(primitive, params, written, options)
    attributes = dict(entry=library.entry_of(written, "main", options), machine=used.name)
    as_interpreter = not chosen.check and isinstance(params.get("interpret"), interpret_params.InterpretParams)
    if _settings.value is None or as_interpreter or "check" in chosen.only:
        attributes["reported"] = np.uint64(1)  # JAX's interpreter, and its debug checks, fail the call, too
    if "--check" in options or "--nan" in options:
        attributes["goes_on"] = np.uint64(1)
    if chosen.tries():
        attributes["trial"] = np.uint64(1)
        if kept := [i for i, _ in _aliases(params)]:
            attributes["kept"] = " ".join(map(str, kept))
        attributes["outs"] = " ".join(_out_names(params, len(ctx.avals_in), len(outs)))
    effect, has_effects = _side_effect(params), _has_effects(params)
    stays = effect is not tpu_core.SideEffectType.PURE or has_effects
    is_direct = mesh is None and not is_packed
    stays_here = not ctx.module_context.lowering_parameters.for_export  # of jax.export the target is one that any process is to know
    droppable = is_direct and stays_here and effect is tpu_core.SideEffectType.DATAFLOW_SIDE_EFFECTING and not has_effects and bool(outs)
    if ctx.tokens_in:
        ctx.set_tokens_out(ctx.tokens_in)
    is_empty = not outs
    if is_empty:  # the entry gives a number, which nobody reads
        outs, stays = [core.ShapedArray((), np.int32)], True
    ctx = ctx.replace(avals_in=ins, avals_out=outs, tokens_out=None)
    if mesh is not None:
        attributes["devices"] = devices.meeting(attributes["entry"], mesh.size, chosen.device_timeout)
        if _settings.value is not None:  # machine() tells
            attributes["misses"] = np.uint64(1)
    more = _MORE if len(outs) > 1 else []
    if in_place or more:
        attributes["left_out"] = "".join("1" if o in dict(in_place).values() else "0" for o in range(len(outs))) + "1" * len(more)
    if is_direct:
        target = _DROPPABLE_TARGET if droppable else _TARGET
        lowering = jax.ffi.ffi_lowering(target, has_side_effect=stays, operand_output_aliases=dict(in_place))
        results = lowering(ctx.replace(avals_out=[*outs, *more]), *operands, **attributes)[:len(outs)]
    else:
        results = mlir.lower_fun(functools.partial(_call, outs, attributes, stays, mesh, in_place), multiple_results=True)(ctx, *operands)
    annotations.annotate(results, params, of_devices, droppable)
    return [] if is_empty else results


# Of a loop whose body ends with an operation of several results, and which is the tuple of these, XLA takes that operation's operands for the
# loop's results: a call of a kernel would be moved out of the loop. A result more, of no elements, makes it another tuple.
_MORE = [core.ShapedArray((0,), np.uint8)]


# XLA packs several elements of less than a byte into one; an entry point has one in each byte.
def _is_packed(aval):
    return jnp.issubdtype(aval.dtype, np.generic) and dtypes.itemsize_bits(aval.dtype) in (2, 4)


def _bits(aval):
    """The integer type with the element's bits, and the one of a byte that holds it."""
    signed = jnp.issubdtype(aval.dtype, jnp.signedinteger)
    bits = aval.dtype if jnp.issubdtype(aval.dtype, jnp.integer) else jnp.dtype(f"uint{dtypes.itemsize_bits(aval.dtype)}")
    return bits, jnp.int8 if signed else jnp.uint8


def _widen(array):
    if not _is_packed(array):
        return array
    bits, byte = _bits(array)
    return jax.lax.bitcast_convert_type(array, bits).astype(byte)


def _call(avals_out, attributes, stays, mesh, in_place, *arrays):
    position = [] if mesh is None else [devices.position(mesh)]
    aliases = {i + len(position): o for i, o in in_place}
    shapes = [jax.ShapeDtypeStruct(aval.shape, _bits(aval)[1] if _is_packed(aval) else aval.dtype) for aval in avals_out]
    shapes += [jax.ShapeDtypeStruct(aval.shape, aval.dtype) for aval in (_MORE if len(avals_out) > 1 else [])]
    outs = jax.ffi.ffi_call(_TARGET, shapes, has_side_effect=stays, input_output_aliases=aliases)(*position, *map(_widen, arrays), **attributes)
    return [jax.lax.bitcast_convert_type(out.astype(_bits(aval)[0]), aval.dtype) if _is_packed(aval) else out
            for out, aval in zip(outs, avals_out)]


# ---- calls that ask for an interpreter of JAX ------------------------------------------------------------------------------------

def _report_of(only, watch, finding, text):
    """What JAX's own detector would say of a race: tests look at it. Whether the finding is an error."""
    kind = finding["kind"]
    if kind == "race" and kind in only:
        interpreter.races.races_found = True
        print(text)
    if kind in ("nan", "inf"):
        return kind in watch
    return not only or kind == "check" and kind in only


def _with_debug_checks(chosen):
    """Under pl.enable_debug_checks what a program checks itself is an error; what else is found is one where everything is checked."""
    if not pallas_core.debug_checks_enabled() or chosen.check and not chosen.only:
        return chosen
    return dataclasses.replace(chosen, check=True, only=(*chosen.only, "check"))


def _as_interpreted(chosen, interpret):
    """Settings for a call with these InterpretParams, as far as they ask for more than a run."""
    if chosen.seed is None:
        copies = {"eager": "early", "on_wait": "late"}[interpret.dma_execution_mode]
        chosen = dataclasses.replace(chosen, seed=interpret.random_seed, copies=copies)
    if chosen.check or not interpret.detect_races:
        return chosen
    interpreter.races = race_detection_state.RaceDetectionState(num_cores=interpret.num_cores_per_device)
    return dataclasses.replace(chosen, check=True, only=("race",))


def _report_as_one(machine, other):
    """What the other one finds is what the program's own finds."""
    if other is not machine and other not in machine.others:
        machine.others.append(other)


_OF_INTERPRETERS = (("grid_point_recorder", None), ("skip_floating_point_ops", False), ("out_of_bounds_reads", "raise"))


def _has_unknown_parallel_size(params):
    kinds = getattr(params.get("compiler_params"), "dimension_semantics", None) or ()
    grid = params["grid_mapping"].grid if "grid_mapping" in params else ()
    return any(str(kind) == "parallel" and not isinstance(size, int) for kind, size in zip(kinds, grid))


def _asked_of_jax(interpret):
    """The parameters of InterpretParams for what only an interpreter of JAX does: to call Python at each grid point, to compute nothing, to
    go on with what is not there."""
    return [name for name, usual in _OF_INTERPRETERS if getattr(interpret, name, usual) != usual]


def _stays_with_jax(interpret, chosen, primitive, params, avals):
    """Whether a call asks for what only an interpreter of JAX does; or for a grid that it cannot shuffle, to be refused; or, under
    interpret=True, for copies between devices that are collectives, and semaphores that count elements and do not block."""
    asked = _asked_of_jax(interpret)
    if asked and chosen.check:
        raise NotImplementedError(f"InterpretParams({asked[0]}=) is not supported under check: compiled kernels call no Python, compute what they say and read what is there")
    if isinstance(interpret, interpret_params.InterpretParams):
        return bool(asked) or _has_unknown_parallel_size(params) or not chosen.check and _is_foreign(primitive, avals, params)
    if chosen.check:
        return False
    reads = devices.any_equation(lambda p, _: p is pallas_primitives.semaphore_read_p, primitive, params)
    return reads or devices.only_copies_between_devices(primitive, params)


def _is_ours(eqn):
    """Whether a kernel on several cores has the chip's memories: what interpret=True means is an array."""
    interpret, chosen, avals = eqn.params["interpret"], settings(), [atom.aval for atom in eqn.invars]
    is_replaced = chosen.replace_interpret and isinstance(interpret, interpret_params.InterpretParams)
    return own_memory.is_compiled(eqn) or is_replaced and not _stays_with_jax(interpret, chosen, eqn.primitive, eqn.params, avals)


def _promise(interpret):
    """Of what a call is interpreted by, what its code depends on: what memory holds that nobody has written."""
    if not isinstance(interpret, interpret_params.InterpretParams):
        return interpret
    return interpret_params.InterpretParams(uninitialized_memory=interpret.uninitialized_memory)


def _effects(of_jax):
    """The effects of a call that asks for an interpreter: those of JAX's own, which calls Python, unless the call comes here. So it may stand
    under remat, and in what is differentiated."""
    @functools.wraps(of_jax)
    def get_interpret_effects(interpret):
        is_of_mosaic = isinstance(interpret, interpret_params.InterpretParams)
        stays = not settings().replace_interpret or not is_of_mosaic or _asked_of_jax(interpret) or _tracing.is_foreign
        return of_jax(interpret) if stays else effects.no_effects
    return get_interpret_effects


class _Tracing(threading.local):
    """The call whose effects are asked for: whether it is none for us."""
    is_foreign = False


_tracing = _Tracing()
_OF_PYTHON = (callback.pure_callback_p, callback.io_callback_p, debugging.debug_callback_p)


def _is_complex(aval):
    return getattr(aval, "dtype", None) is not None and jnp.issubdtype(aval.dtype, jnp.complexfloating)


def _is_foreign(primitive, avals, params):
    """Whether a kernel calls Python, or takes complex numbers."""
    return any(map(_is_complex, avals)) or devices.any_equation(lambda p, _: p in _OF_PYTHON, primitive, params)


def _traced(primitive, abstract_eval):
    """A primitive's rule, during which _effects knows the call."""
    @functools.wraps(abstract_eval)
    def rule(*avals, **params):
        before, _tracing.is_foreign = _tracing.is_foreign, bool(params.get("interpret")) and _is_foreign(primitive, avals, params)
        try:
            return abstract_eval(*avals, **params)
        finally:
            _tracing.is_foreign = before
    return rule


def _rule(primitive, of_jax):
    """How a call is lowered on a CPU: of_jax is JAX's own way, for calls that ask for an interpreter."""
    def lower(ctx, *operands, interpret, **params):
        chosen = settings()
        if interpret and not chosen.replace_interpret:
            return of_jax(ctx, *operands, interpret=interpret, **params)
        if interpret and _stays_with_jax(interpret, chosen, primitive, params, ctx.avals_in):
            try:
                return of_jax(ctx, *operands, interpret=interpret, **params)
            except (NotImplementedError, TypeError):  # what JAX's interpreter does not take either: several axes of devices
                if interpret is not True:
                    raise
        if isinstance(interpret, interpret_params.InterpretParams):
            chosen = _as_interpreted(chosen, interpret)
        watched = _with_debug_checks(chosen)
        _report_as_one(machine_of(settings()), machine_of(watched))
        try:
            return _lower(primitive, ctx, operands, dict(params, interpret=_promise(interpret)), watched)
        except NotImplementedError as error:
            if interpret is not True or chosen.check:  # others have been traced without the effects of an interpreter
                raise
            library.log.warning("%s '%s' stays with JAX's interpreter: %s", primitive.name, params.get("name") or "kernel", str(error).splitlines()[0])
            return of_jax(ctx, *operands, interpret=interpret, **params)
    return lower


def _watching(primitive, of_jax):
    """The rule of a call outside of jit. With jax_debug_nans JAX makes a call that gave a NaN again in this way, operation by operation: here a
    kernel is watched, whose operations are its. of_jax is jit of the call, which would ask for that again, and again."""
    @functools.wraps(of_jax)
    def call(*args, **params):
        watch = tuple(kind for kind, asked in (("nan", config.debug_nans), ("inf", config.debug_infs)) if asked.value)
        if not watch:
            return of_jax(*args, **params)
        with config.debug_nans(False), config.debug_infs(False), _Use(dataclasses.replace(settings(), watch=watch)):
            outs = jax.block_until_ready(of_jax(*args, **params))
        try:
            dispatch.check_special(primitive.name, outs)
        except api_util.InternalFloatingPointError as error:
            raise FloatingPointError(f"invalid value ({error.ty}) encountered in {primitive.name}") from None
        return outs
    return call


def _pin_nothing():
    """XLA's CPU compiler refuses buffers between its own operations: a pinned buffer is an array, as it is for everything but its place."""
    mlir.ir_type_handlers[AbstractLinVal] = lambda aval: mlir.ir_type_handlers[type(aval.inner_aval)](aval.inner_aval)
    for primitive in (state_primitives.pin_p, state_primitives.unpin_p):
        mlir.register_lowering(primitive, lambda ctx, x, **_: [x], platform="cpu")


def _marked(lower):
    """mlir.lower_jaxpr_to_module, whose kernels hand on what each core has of its own, and whose checked calls of kernels say who reads their
    results."""
    @functools.wraps(lower)
    def lower_jaxpr_to_module(module_name, jaxpr, *args, **options):
        with devices.program():
            lowered = lower(module_name, own_memory.with_parts(jaxpr, _is_ours), *args, **options)
        results.mark(lowered.module, (_TARGET, _DROPPABLE_TARGET))
        return lowered
    return lower_jaxpr_to_module


@functools.cache
def register():
    """From now on kernels on the CPU are compiled here."""
    _, handler = library.libraries()
    tpu_info.registry.setdefault("cpu", _tpu_info)
    pallas_core.get_interpret_effects = _effects(pallas_core.get_interpret_effects)
    for primitive in (pallas_call_module.pallas_call_p, mpmd.mpmd_map_p):
        primitive.abstract_eval = _traced(primitive, primitive.abstract_eval)
        primitive.def_impl(_watching(primitive, primitive.impl))
    tpu_core.create_tensorcore_mesh = pltpu.create_tensorcore_mesh = _on_this_chip(tpu_core.create_tensorcore_mesh)
    annotations.register()
    checks.register()
    chip_options.register()
    mlir.lower_jaxpr_to_module = _marked(mlir.lower_jaxpr_to_module)
    for target in (_TARGET, _DROPPABLE_TARGET):
        jax.ffi.register_ffi_target(target, jax.ffi.pycapsule(handler.pallasc_ffi_call), platform="cpu")
    _pin_nothing()
    for primitive, of_jax in ((mpmd.mpmd_map_p, mpmd._mpmd_map_fallback_lowering),
                              (pallas_call_module.pallas_call_p, pallas_call_module._pallas_call_lowering)):
        mlir.register_lowering(primitive, _rule(primitive, of_jax), platform="cpu")
