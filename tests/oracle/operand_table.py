# SPDX-License-Identifier: Apache-2.0
"""Writes compiler/jax/array/operands.def: which parameters of JAX's functions take arrays and numbers only, no lists.

    python tests/oracle/operand_table.py > compiler/jax/array/operands.def

JAX is asked: a call that works with arrays is made again with a list, a tuple and a list of arrays in each place.
"""
import inspect
import itertools
import warnings

import jax
import jax.numpy as jnp
import jax.scipy.linalg
import jax.scipy.special
import jax.scipy.stats

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


def ask(name, function):
    """(bits of parameters that must be arrays, bits of those whose items must be)."""
    params = parameters(function)
    required = [p for p in params if p.default is p.empty]
    count = COUNTS.get(name, max(len(required), 1))
    if count > 4 or not params:
        return 0, 0
    args = next((args for args in itertools.product(VALUES, repeat=count) if works(function, args)), None)
    if args is None:
        return 0, 0
    plain = items = 0
    for i, value in enumerate(args):
        changed = [[*args[:i], form(as_list(value)), *args[i + 1:]] for form in (list, tuple)]
        if not all(refuses(function, other) for other in changed):
            continue
        is_rest = i < len(params) and params[i].kind is inspect.Parameter.VAR_POSITIONAL and name not in COUNTS
        if is_rest or works(function, [*args[:i], [value, value], *args[i + 1:]]):
            items |= 1 << i
        else:
            plain |= 1 << i
    return plain, items


def bits(mask):
    return " | ".join(bit for i, bit in enumerate(FIRST_BIT) if mask >> i & 1) or "0"


def main():
    warnings.simplefilter("ignore")
    print("// SPDX-License-Identifier: Apache-2.0")
    print("// Parameters that are arrays or numbers, where JAX takes no list; made by tests/oracle/operand_table.py.")
    print("// OPERANDS(module, function, parameters that must be so, parameters whose items must be so), sorted.")
    for module in MODULES:
        space = jax
        for part in module.split(".")[1:]:
            space = getattr(space, part)
        for name in sorted(dir(space)):
            function = getattr(space, name)
            if name.startswith("_") or not callable(function) or isinstance(function, type):
                continue
            plain, items = ask(name, function)
            if plain or items:
                print(f'OPERANDS("{module}", "{name}", {bits(plain)}, {bits(items)})')


if __name__ == "__main__":
    main()
