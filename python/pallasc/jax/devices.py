# SPDX-License-Identifier: Apache-2.0
"""Kernels under shard_map that reach other devices: the calls of all devices become one, of a program that is on all of them.

In: the jaxpr of one device's call, and the mesh. Out: a jaxpr of the whole, whose arrays have all devices' parts one behind the other, and
the name of the place where the devices meet (python/ffi/devices.h).
"""
import collections
import contextlib
import ctypes
import itertools
import threading

import jax
import numpy as np
from jax import lax
from jax._src import core, sharding_impls
from jax._src.lax import lax as lax_internal
from jax._src.lax.parallel import axis_index_p
from jax._src.pallas import primitives
from jax._src.pallas.mosaic import primitives as tpu_primitives
from jax._src.shard_map import shard_map_p
from jax.sharding import AbstractMesh, PartitionSpec

from pallasc.jax import library

# Which leaf of an equation's tree of operands names another device.
_DEVICE_LEAVES = {tpu_primitives.dma_start_p: ("tree", 4), tpu_primitives.dma_wait_p: ("tree", 4), primitives.semaphore_signal_p: ("args_tree", 3)}


def mesh_of(ctx):
    """The mesh that this lowering is for one device of; None if it is for no mesh."""
    context = ctx.module_context.axis_context
    mesh = getattr(context, "mesh", None) if isinstance(context, sharding_impls.SPMDAxisContext) else None
    return mesh if mesh is not None and mesh.axis_names else None


def _jaxprs(params):
    for value in params.values():
        yield from core.jaxprs_in_params({"value": value})
        for mapping in getattr(value, "block_mappings", ()):
            yield mapping.index_map_jaxpr.jaxpr


def any_equation(test, primitive, params):
    """Whether an equation, or one that it holds, passes test(primitive, params)."""
    return test(primitive, params) or any(any_equation(test, eqn.primitive, eqn.params) for jaxpr in _jaxprs(params) for eqn in jaxpr.eqns)


def _names_device(primitive, params):
    """Whether an equation is a copy or a signal to a device that it names."""
    if primitive not in _DEVICE_LEAVES:
        return False
    name, place = _DEVICE_LEAVES[primitive]
    tree = params[name]
    leaves = [object()] * tree.num_leaves  # no numbers: pl.select_ref takes several of them for a shape
    return jax.tree_util.tree_unflatten(tree, leaves)[place] is not None


def reaches_devices(primitive, params, axis_names):
    """Whether a kernel asks where it is in a mesh of these axes, or signals or copies to another device."""
    def reaches(primitive, params):
        if primitive is axis_index_p:
            names = params["axis_name"]
            return not set(names if isinstance(names, tuple) else (names,)).isdisjoint(axis_names)
        return primitive is tpu_primitives.get_barrier_semaphore_p or _names_device(primitive, params)
    return any_equation(reaches, primitive, params)


def only_copies_between_devices(primitive, params):
    """Whether a kernel copies to other devices, and does not signal them."""
    def signals(primitive, params):
        return primitive is tpu_primitives.get_barrier_semaphore_p or primitive is primitives.semaphore_signal_p and _names_device(primitive, params)
    return any_equation(_names_device, primitive, params) and not any_equation(signals, primitive, params)


def _joined(aval, size):
    """So many of them, one behind the other: along the first dimension, which a scalar has none of."""
    shape = aval.shape or (1,)
    return core.ShapedArray((size * shape[0], *shape[1:]), aval.dtype)


def _parted(var):
    """(a part of the whole, the equations that make the variable of it, those that make it of the variable): the same but for scalars."""
    if var.aval.shape:
        return var, [], []
    part = core.Var(_joined(var.aval, 1))
    return part, [_reshape(part, var)], [_reshape(var, part)]


def _reshape(var, target):
    params = {"new_sizes": target.aval.shape, "dimensions": None, "sharding": None}
    return core.new_jaxpr_eqn([var], [target], lax_internal.reshape_p, params, core.no_effects)


def joint(closed, mesh):
    """One device's program, in memory as text.write would have it, as that of all."""
    inner = closed.jaxpr
    parts_in, parts_out = map(_parted, inner.invars), [_parted(var) for var in inner.outvars]
    parts_in, before, _ = zip(*parts_in) if inner.invars else ((), (), ())
    parts_out, _, after = zip(*parts_out) if inner.outvars else ((), (), ())
    eqns = [*itertools.chain(*before), *inner.eqns, *itertools.chain(*after)]
    info = core.DebugInfo("pallasc", "devices", ("",) * len(parts_in), ("",) * len(parts_out))
    program = core.Jaxpr((), parts_in, parts_out, eqns, core.no_effects, info)
    ins, outs = ([core.Var(_joined(v.aval, mesh.size)) for v in part] for part in (inner.invars, inner.outvars))
    spec = PartitionSpec(tuple(mesh.axis_names))
    params = {"jaxpr": program, "mesh": AbstractMesh(mesh.axis_sizes, mesh.axis_names), "in_specs": (spec,) * len(ins),
              "out_specs": (spec,) * len(outs), "check_vma": False, "newly_manual_axes": frozenset(mesh.axis_names)}
    place = next((e.source_info for e in inner.eqns if e.source_info.traceback), None)
    eqn = core.new_jaxpr_eqn(ins, outs, shard_map_p, params, core.no_effects, place)
    return core.ClosedJaxpr(core.Jaxpr((), ins, outs, [eqn], core.no_effects, info), ())


class _Lowered(threading.local):
    """The program that a thread lowers: how many calls of a kernel it has had so far."""

    def __init__(self):
        self.calls = collections.Counter()


_lowered, _places, _places_lock = _Lowered(), {}, threading.Lock()


@contextlib.contextmanager
def program():
    """Around the lowering of a program, whose calls of one kernel have places of their own."""
    before, _lowered.calls = _lowered.calls, collections.Counter()
    try:
        yield
    finally:
        _lowered.calls = before


def meeting(entry, count, timeout):
    """The name of the place where so many devices meet in the next call of a kernel in a program; timeout: seconds that one waits for the others."""
    kernel = int(entry), count, max(1, int(timeout * 1000))
    place = *kernel, _lowered.calls[kernel]
    _lowered.calls[kernel] += 1
    with _places_lock:
        if place not in _places:
            _, handler = library.libraries()
            make = handler.pallasc_ffi_devices_new
            make.restype, make.argtypes = ctypes.c_void_p, [ctypes.c_int, ctypes.c_int64]
            address = make(*kernel[1:])
            if not address:
                raise MemoryError("pallasc: out of memory")
            _places[place] = library.name(("devices", place), address)
        return _places[place]


def missed(machine):
    """Who has not come to a kernel on this machine, or on one of its others, since the last question: a message, or None."""
    _, handler = library.libraries()
    ask = handler.pallasc_ffi_devices_missed
    ask.restype, ask.argtypes = ctypes.c_bool, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t]
    text = ctypes.create_string_buffer(1000)
    found = [one for one in (machine, *machine.others) if ask(one.address, text, len(text))]
    return text.value.decode("utf-8", "replace") if found else None


def position(mesh):
    """The number of the device that runs this, where lax.axis_index is lowered."""
    with core.extend_axis_env_nd(list(mesh.shape.items())):
        return lax.axis_index(tuple(mesh.axis_names)).astype(np.int32)
