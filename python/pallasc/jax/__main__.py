# SPDX-License-Identifier: Apache-2.0
"""pallasc jax MODULE:FUNCTION --spec 'f32[32,128]' … -o step.o [-h step.h] [--text]: a function of JAX as an object with a C header."""
import argparse
import importlib
import inspect
import os
import re
import sys

import jax
import numpy as np

from pallasc.errors import CompileError
from pallasc.jax.export import c_name, export, jaxpr_text
from pallasc.jax.text import _SHORT

_LONG = {short: long for long, short in _SHORT.items()}


def _spec(text):
    """f32[32,128] as what stands for such an array."""
    match = re.fullmatch(r"(\w+)\[([\d, ]*)\]", text)
    if not match:
        raise argparse.ArgumentTypeError(f"{text!r} is no type of an array, such as f32[32,128]")
    dims = tuple(int(d) for d in match[2].split(",") if d.strip())
    try:
        return jax.ShapeDtypeStruct(dims, np.dtype(jax.numpy.dtype(_LONG.get(match[1], match[1]))))
    except TypeError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _function(text):
    """MODULE:FUNCTION as the function; ValueError says why there is none."""
    module, _, path = text.partition(":")
    try:
        found = importlib.import_module(module)
    except (ImportError, SyntaxError) as error:
        hint = f"; give the module's name, {module[:-3].replace(os.sep, '.')!r}" if module.endswith(".py") and os.path.exists(module) else ""
        raise ValueError(f"cannot import {module!r}: {error}{hint}") from None
    for name in path.split("."):
        if not hasattr(found, name):
            functions = ", ".join(sorted(n for n, value in vars(found).items() if callable(value) and not n.startswith("_"))) or "none"
            raise ValueError(f"{module!r} has no function {path!r}; those it has: {functions}")
        found = getattr(found, name)
    if not callable(found):
        raise ValueError(f"{text} is no function, but {type(found).__name__!r}")
    return found


def _check_specs(function, specs):
    """ValueError if the function does not take so many arrays."""
    try:
        signature = inspect.signature(function)
        signature.bind(*specs)
    except TypeError as error:
        raise ValueError(f"{len(specs)} --spec do not fit {function.__name__}{signature}: {error}") from None
    except ValueError:
        pass  # it does not say what it takes


def main(arguments=None, prog="python -m pallasc.jax"):
    parser = argparse.ArgumentParser(prog=prog, description=__doc__, add_help=False)
    parser.add_argument("function", metavar="MODULE:FUNCTION")
    parser.add_argument("--spec", action="append", type=_spec, default=[], metavar="TYPE", help="of one argument, in order")
    parser.add_argument("--name", help="of the C function")
    parser.add_argument("-o", dest="out", metavar="FILE", help="an object, or a shared library if it ends in .so")
    parser.add_argument("-h", dest="header", metavar="FILE", help="the C header")
    parser.add_argument("--text", action="store_true", help="write the jaxpr as text to standard output instead")
    parser.add_argument("--help", action="help")
    args = parser.parse_args(arguments)
    module, _, path = args.function.partition(":")
    if not module or not path or not (args.text or args.out):
        parser.error("give MODULE:FUNCTION, and -o FILE or --text")
    sys.path.insert(0, "")
    try:
        function = _function(args.function)
        _check_specs(function, args.spec)
        name = c_name(function, args.name)
    except ValueError as error:
        parser.error(str(error))
    try:
        if args.text:
            sys.stdout.write(jaxpr_text(function, *args.spec, name=name))
        else:
            export(function, *args.spec, name=name, out=args.out, header=args.header)
    except CompileError as error:
        sys.exit(str(error).rstrip())


if __name__ == "__main__":
    main()
