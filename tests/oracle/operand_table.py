# SPDX-License-Identifier: Apache-2.0
"""Writes compiler/jax/array/operands.def: which parameters of JAX's functions take arrays and numbers only, no lists, which are operands of primitives, and
which are static.

    python tests/oracle/operand_table.py > compiler/jax/array/operands.def

JAX is asked: a call that works with arrays is made again with a list, a tuple and a list of arrays in each place, and in a kernel with a Ref there; and with
an array for each parameter, which no static one can be.
"""
import inspect
import itertools
import warnings

import jax
import jax.numpy as jnp
import jax.scipy.linalg
import jax.scipy.special
import jax.scipy.stats
from jax.experimental import pallas as pl

MODULES = ["jax.lax", "jax.nn", "jax.numpy", "jax.numpy.linalg", "jax.scipy.linalg", "jax.scipy.special", "jax.scipy.stats",
           *[f"jax.scipy.stats.{name}" for name in sorted(dir(jax.scipy.stats)) if inspect.ismodule(getattr(jax.scipy.stats, name))]]
VALUES = [jnp.array([1.0, 2.0, 3.0]), jnp.array([[2.0, 1.0, 0.0], [1.0, 3.0, 1.0], [0.0, 1.0, 4.0]]), jnp.array([1, 2, 0]),
          jnp.array([True, False, True]), jnp.array(1.0), 1, jnp.array([1, 2, 0], jnp.uint8), jnp.array([0.5, 0.25, 0.125])]
# Their signatures tell of *args, but they take as many.
COUNTS = {"negative": 1, "where": 3, **dict.fromkeys([
    "add", "bitwise_and", "bitwise_or", "bitwise_xor", "logaddexp", "logaddexp2", "logical_and", "logical_or", "logical_xor", "maximum",
    "minimum", "multiply", "subtract"], 2)}
# What JAX says of a list where it wants an array.
REFUSALS = ("requires ndarray or scalar arguments", "Cannot determine dtype", "Error interpreting argument", "is not a valid JAX type",
            "can only concatenate", "expected ArrayLike", "numpy.ndarray conversion method")
# What JAX says of a Ref, and what it calls operands where no call is known that works.
REF_REFUSAL = "Attempting to pass a Ref"
STATIC_REFUSAL = "Non-hashable static arguments"
OPERAND_NAMES = {"operand", "operands", "array", "x", "lhs"}
FIRST_BIT = ["FIRST", "SECOND", "THIRD", "FOURTH"]


def parameters(function):
    try:
        every = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return []
    return [p for p in every if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD, p.VAR_POSITIONAL)]


def works(function, args):
    try:
        function(*args)
    except Exception:
        return False
    return True


def refuses(function, args):
    try:
        function(*args)
    except TypeError as error:
        return any(text in str(error) for text in REFUSALS)
    except Exception:
        return False
    return False


def as_list(value):
    return value.tolist() if getattr(value, "ndim", 0) else [value]


def refuses_ref(function, args, place):
    """Whether a Ref in that place of a call, or in a list there, is refused for being none of a primitive's operands."""
    said = []

    def kernel(ref, out):
        for operand in (ref, [ref, ref]):
            try:
                function(*args[:place], operand, *args[place + 1:])
            except Exception as error:
                said.append(str(error))

    if not hasattr(args[place], "shape"):
        return False
    try:
        jax.make_jaxpr(pl.pallas_call(kernel, out_shape=jax.ShapeDtypeStruct((8, 128), jnp.float32)))(args[place])
    except Exception:  # of a body that has become malformed: what was said before stands
        pass
    return any(REF_REFUSAL in text for text in said)


def ask(name, function):
    """(bits of parameters that must be arrays, bits of those whose items must be, bits of those that may be no Ref)."""
    params = parameters(function)
    required = [p for p in params if p.default is p.empty]
    count = COUNTS.get(name, max(len(required), 1))
    unknown = 0, 0, int(bool(params) and function.__module__ != "typing" and params[0].name in OPERAND_NAMES)
    if count > 4 or not params:
        return unknown
    args = next((args for args in itertools.product(VALUES, repeat=count) if works(function, args)), None)
    if args is None:
        return unknown
    plain = items = 0
    refs = sum(1 << i for i in range(count) if refuses_ref(function, args, i))
    for i, value in enumerate(args):
        changed = [[*args[:i], form(as_list(value)), *args[i + 1:]] for form in (list, tuple)]
        if not all(refuses(function, other) for other in changed):
            continue
        is_rest = i < len(params) and params[i].kind is inspect.Parameter.VAR_POSITIONAL and name not in COUNTS
        if is_rest or works(function, [*args[:i], [value, value], *args[i + 1:]]):
            items |= 1 << i
        else:
            plain |= 1 << i
    return plain, items, refs


def statics(function):
    """The names of its static parameters, with spaces between them."""
    try:
        every = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return ""
    every = [p for p in every if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]
    names = []
    for asked in every:
        required = [p for p in every if p.default is p.empty and p.kind is not p.KEYWORD_ONLY]
        keywords = {p.name: jnp.ones((3, 3)) for p in every if p.default is p.empty and p.kind is p.KEYWORD_ONLY}
        args = [0 if i else jnp.ones((3, 3)) for i in range(len(required))]
        if asked in required:
            args[required.index(asked)] = jnp.arange(3)
        elif asked.kind is asked.POSITIONAL_ONLY:
            continue
        else:
            keywords[asked.name] = jnp.arange(3)
        try:
            jax.eval_shape(lambda args=args, keywords=keywords: function(*args, **keywords))
        except ValueError as error:
            if str(error).startswith(STATIC_REFUSAL) and "[0 1 2]" in str(error):
                names.append(asked.name)
        except Exception:
            pass
    return " ".join(names)


def bits(mask):
    return " | ".join(bit for i, bit in enumerate(FIRST_BIT) if mask >> i & 1) or "0"


def main():
    warnings.simplefilter("ignore")
    print("// SPDX-License-Identifier: Apache-2.0")
    print("// Parameters that are arrays or numbers, where JAX takes no list, and operands of primitives; made by tests/oracle/operand_table.py.")
    print("// OPERANDS(module, function, parameters that must be so, parameters whose items must be so, parameters that may be no Ref, names of static ones), sorted.")
    for module in MODULES:
        space = jax
        for part in module.split(".")[1:]:
            space = getattr(space, part)
        for name in sorted(dir(space)):
            function = getattr(space, name)
            if name.startswith("_") or not callable(function) or isinstance(function, type):
                continue
            plain, items, refs = ask(name, function)
            refs *= module == "jax.lax"  # the others make arrays of their operands first
            fixed = statics(function)
            if plain or items or refs or fixed:
                print(f'OPERANDS("{module}", "{name}", {bits(plain)}, {bits(items)}, {bits(refs)}, "{fixed}")')


if __name__ == "__main__":
    main()
