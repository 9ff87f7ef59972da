# SPDX-License-Identifier: Apache-2.0
"""A whole function of JAX as an object with a C header: no Python and no XLA is needed to call it."""
import keyword
import os
import re

import jax
from jax._src import core
from jax._src.shard_map import shard_map_p

from pallasc.jax import library, text


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
        name = getattr(fn, "__name__", "main")
    if not re.fullmatch(r"[A-Za-z_]\w*", name, re.ASCII) or keyword.iskeyword(name):
        raise ValueError(f"{name!r} cannot be the name of a C function: give name=")
    return name


def _jaxpr(fn, specs, name):
    """The jaxpr of fn on arrays such as these, and its text."""
    name = c_name(fn, name)
    closed = jax.make_jaxpr(fn)(*specs)
    return closed, text.write(closed, name, _parameters(fn, specs))


def jaxpr_text(fn, *specs, name=None):
    """The text of fn on arrays such as these (docs/jaxpr.md)."""
    return _jaxpr(fn, specs, name)[1]


def export(fn, *specs, name=None, out, header=None, options=()):
    """Compiles fn, kernels inside, to `out`: an object, or a shared library if it ends in .so; and its C header.

    specs: an array, a ShapeDtypeStruct, or a tree of them for each argument; their leaves become parameters of the C function, in order,
    behind them the results. options: more of the command line.
    """
    closed, made = _jaxpr(fn, specs, name)
    arguments = ["-o", os.fspath(out), *options]
    if (count := _devices(closed.jaxpr)) > 1:
        arguments.append(f"--devices={count}")
    if os.fspath(out).endswith(".so"):
        arguments.append("-shared")
    if header is not None:
        arguments += ["-h", os.fspath(header)]
    library.compile_files(made, arguments)
