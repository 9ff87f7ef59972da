# SPDX-License-Identifier: Apache-2.0
"""A whole function of JAX as an object with a C header: no Python and no XLA is needed to call it."""
import functools
import keyword
import os
import re

import jax
from jax._src import core
from jax._src.shard_map import shard_map_p
from jax._src.state.discharge import discharge_state

from pallasc.jax import library, own_memory, text


def _name(path, used):
    """A name of C for a leaf of the arguments."""
    name = re.sub(r"\W+", "_", path).strip("_") or "arg"
    name = name if not name[0].isdigit() else f"arg{name}"
    unique, count = name, 2
    while unique in used:
        unique, count = f"{name}_{count}", count + 1
    used.add(unique)
    return unique


def _parameters(fn, specs):
    """Names for the leaves of the arguments: those of the function's parameters, with the path into trees."""
    code = getattr(getattr(fn, "__wrapped__", fn), "__code__", None)
    names = code.co_varnames[:code.co_argcount] if code else ()
    used = set()
    out = []
    for i, spec in enumerate(specs):
        own = names[i] if i < len(names) else f"arg{i}"
        out += [_name(own + jax.tree_util.keystr(path), used) for path, _ in jax.tree_util.tree_leaves_with_path(spec)]
    return out


def _devices(jaxpr):
    """How many devices a program runs on: those of its largest mesh."""
    inner = [_devices(j) for eqn in jaxpr.eqns for j in core.jaxprs_in_params(eqn.params)]
    return max([1, *inner, *[eqn.params["mesh"].size for eqn in jaxpr.eqns if eqn.primitive is shard_map_p]])


def c_name(fn, name):
    """What the C function is called: the name, or the function's own."""
    if name is None:
        while isinstance(fn, functools.partial):
            fn = fn.func
        name = getattr(fn, "__name__", type(fn).__name__)
    if not re.fullmatch(r"[A-Za-z_]\w*", name, re.ASCII) or keyword.iskeyword(name):
        raise ValueError(f"{name!r} cannot be the name of a C function: give name=")
    return name


def _donated(specs, donate_argnums):
    """The numbers of the leaves of donated arguments."""
    numbers = (donate_argnums,) if isinstance(donate_argnums, int) else tuple(donate_argnums)
    for number in numbers:
        if isinstance(number, bool) or not isinstance(number, int) or not -len(specs) <= number < len(specs):
            raise ValueError(f"donate_argnums has {number!r}, which is no number of one of {len(specs)} arguments")
    donated = {number % len(specs) for number in numbers}
    leaves = [i in donated for i, spec in enumerate(specs) for _ in jax.tree_util.tree_leaves(spec)]
    return [i for i, is_donated in enumerate(leaves) if is_donated]


def _in_place(closed, parameters, donated):
    """(parameter, result) for each donated parameter: it holds the first result of its type that no other holds. One for which there is none
    is reported, as XLA does."""
    pairs, rest = [], list(range(len(closed.out_avals)))
    for i in donated:
        aval = closed.in_avals[i]
        result = next((o for o in rest if (closed.out_avals[o].shape, closed.out_avals[o].dtype) == (aval.shape, aval.dtype)), None)
        if result is None:
            library.log.warning("the donated parameter '%s' is used in place by no result: none is left of type %s", parameters[i], aval.str_short())
            continue
        rest.remove(result)
        pairs.append((i, result))
    return tuple(pairs)


def _own_memory_parted(closed):
    """A jaxpr in which memory that is kept between kernels on several cores is each core's own."""
    keeps = any(isinstance(effect, core.InternalMutableArrayEffect) for effect in closed.effects)
    closed = own_memory.with_parts(discharge_state(closed) if keeps and own_memory.has_cores(closed.jaxpr) else closed)
    own_memory.refuse_shared_in(closed.jaxpr)
    return closed


def _jaxpr(fn, specs, name, donate_argnums=()):
    """The jaxpr of fn on arrays such as these, and its text."""
    name, donated = c_name(fn, name), _donated(specs, donate_argnums)
    closed, parameters = _own_memory_parted(jax.make_jaxpr(fn)(*specs)), _parameters(fn, specs)
    return closed, text.write(closed, name, parameters, _in_place(closed, parameters, donated))


def jaxpr_text(fn, *specs, name=None):
    """The text of fn on arrays such as these (docs/jaxpr.md)."""
    return _jaxpr(fn, specs, name)[1]


def export(fn, *specs, name=None, out, header=None, donate_argnums=(), options=()):
    """Compiles fn, kernels inside, to `out`: an object, or a shared library if it ends in .so; and its C header.

    specs: an array, a ShapeDtypeStruct, or a tree of them for each argument; their leaves become parameters of the C function, in order,
    behind them the results. donate_argnums: arguments whose arrays hold results when the function returns; those results are no parameters.
    options: more of the command line.
    """
    if isinstance(options, (str, bytes)):
        raise TypeError(f"options are a list of texts, such as ['-g'], not {options!r}")
    closed, made = _jaxpr(fn, specs, name, donate_argnums)
    arguments = ["-o", os.fspath(out), *options]
    if (count := _devices(closed.jaxpr)) > 1:
        arguments.append(f"--devices={count}")
    if os.fspath(out).endswith(".so"):
        arguments.append("-shared")
    if header is not None:
        arguments += ["-h", os.fspath(header)]
    library.compile_files(made, arguments)
