# SPDX-License-Identifier: Apache-2.0
"""Writes tests/unit/promote_table.def: what JAX promotes every pair of types to; with --x64, under jax_enable_x64.

    python tests/oracle/promote_table.py > tests/unit/promote_table.def
    python tests/oracle/promote_table.py --x64 > tests/unit/promote_table_x64.def
"""
import itertools
import sys
import jax
import jax.numpy as jnp
from jax._src import dtypes
from jax._src.dtypes import TypePromotionError

NAMES = {"bool": "BOOL", "int4": "I4", "int8": "I8", "int16": "I16", "int32": "I32", "uint4": "U4", "uint8": "U8",
         "uint16": "U16", "uint32": "U32", "float8_e4m3fn": "F8E4M3FN", "float8_e5m2": "F8E5M2",
         "float8_e4m3b11fnuz": "F8E4M3B11FNUZ", "float8_e3m4": "F8E3M4", "float8_e4m3": "F8E4M3",
         "float8_e4m3fnuz": "F8E4M3FNUZ", "float8_e5m2fnuz": "F8E5M2FNUZ", "float8_e8m0fnu": "F8E8M0FNU",
         "float4_e2m1fn": "F4E2M1FN", "bfloat16": "BF16", "float16": "F16", "float32": "F32"}
X64 = "--x64" in sys.argv[1:]
if X64:
    jax.config.update("jax_enable_x64", True)
    NAMES.update({"int64": "I64", "uint64": "U64", "float64": "F64"})


class Operand:
    """A type with its weakness, as JAX's rule wants it."""

    def __init__(self, dtype, weak):
        self.dtype, self.weak_type = jnp.dtype(dtype), weak


def value(operand):
    """A value of that type: Python's own numbers are the weak ones."""
    if operand.weak_type:
        return 0 if jnp.issubdtype(operand.dtype, jnp.integer) else 0.0
    return jnp.zeros((), operand.dtype)


def result(a, b):
    dtype, weak = dtypes.result_type(value(a), value(b), return_weak_type_flag=True)
    return NAMES[dtype.name], weak


def main():
    print("// SPDX-License-Identifier: Apache-2.0")
    print("// What JAX promotes each pair of types to; made by tests/oracle/promote_table.py" + (" --x64." if X64 else "."))
    print("// PAIR(left, weak, right, weak, result, weak); NO_PAIR where there is no common type.")
    operands = [Operand(n, False) for n in NAMES] + [Operand("int64" if X64 else "int32", True), Operand("float64" if X64 else "float32", True)]
    for a, b in itertools.product(operands, operands):
        left = f"{NAMES[a.dtype.name]}, {int(a.weak_type)}, {NAMES[b.dtype.name]}, {int(b.weak_type)}"
        try:
            name, weak = result(a, b)
            print(f"PAIR({left}, {name}, {int(weak)})")
        except TypePromotionError:
            print(f"NO_PAIR({left})")


main()
