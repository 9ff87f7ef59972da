# SPDX-License-Identifier: Apache-2.0
"""A whole function of JAX as an object with a C header: no Python and no XLA is needed to call it."""
import os
import re

import jax

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


def jaxpr_text(fn, *specs, name=None):
    """The text of fn on arrays such as these (docs/jaxpr.md)."""
    name = name or getattr(fn, "__name__", "main")
    if not re.fullmatch(r"[A-Za-z_]\w*", name):
        raise ValueError(f"{name!r} cannot be the name of a C function: give name=")
    return text.write(jax.make_jaxpr(fn)(*specs), name, _parameters(fn, specs))


def export(fn, *specs, name=None, out, header=None, options=()):
    """Compiles fn, kernels inside, to `out`: an object, or a shared library if it ends in .so; and its C header.

    specs: an array, a ShapeDtypeStruct, or a tree of them for each argument; their leaves become parameters of the C function, in order,
    behind them the results. options: more of the command line.
    """
    made = jaxpr_text(fn, *specs, name=name)
    arguments = ["-o", os.fspath(out), *options]
    if os.fspath(out).endswith(".so"):
        arguments.append("-shared")
    if header is not None:
        arguments += ["-h", os.fspath(header)]
    library.compile_files(made, arguments)
