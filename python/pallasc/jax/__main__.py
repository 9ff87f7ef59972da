# SPDX-License-Identifier: Apache-2.0
"""python -m pallasc.jax MODULE:FUNCTION --spec 'f32[32,128]' … -o step.o [-h step.h] [--text]: a function of JAX as an object with a C header."""
import argparse
import importlib
import re
import sys

import jax
import numpy as np

from pallasc.jax.export import export, jaxpr_text
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


def main():
    parser = argparse.ArgumentParser(prog="python -m pallasc.jax", description=__doc__, add_help=False)
    parser.add_argument("function", metavar="MODULE:FUNCTION")
    parser.add_argument("--spec", action="append", type=_spec, default=[], metavar="TYPE", help="of one argument, in order")
    parser.add_argument("--name", help="of the C function")
    parser.add_argument("-o", dest="out", metavar="FILE", help="an object, or a shared library if it ends in .so")
    parser.add_argument("-h", dest="header", metavar="FILE", help="the C header")
    parser.add_argument("--text", action="store_true", help="write the jaxpr as text to standard output instead")
    parser.add_argument("--help", action="help")
    args = parser.parse_args()
    module, colon, name = args.function.partition(":")
    if not colon or not (args.text or args.out):
        parser.error("give MODULE:FUNCTION, and -o FILE or --text")
    sys.path.insert(0, "")
    function = getattr(importlib.import_module(module), name)
    if args.text:
        sys.stdout.write(jaxpr_text(function, *args.spec, name=args.name))
    else:
        export(function, *args.spec, name=args.name, out=args.out, header=args.header)


if __name__ == "__main__":
    main()
