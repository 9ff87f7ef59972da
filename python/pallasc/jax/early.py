# SPDX-License-Identifier: Apache-2.0
"""What a program of XLA reads of a kernel's result before the kernel that gets its semaphore and may wait for a copy there, in the order in
which it was written.

In: a module of StableHLO. Out: attribute `early` of checked calls, a line for each such operation: the number of the result that may be
the semaphore, the name of the kernel that reads (0: another operation), whether it gives what it reads back as a result, and need not read
it, what the result that is read may be called (attribute `outs`), and the place.
"""
import linecache
import re

from jax._src.lib.mlir import ir

_PLACE = re.compile(r'"((?:[^"\\]|\\.)*)":(\d+):(\d+)(?: to :(\d+))?')
_SAME = ("stablehlo.reshape", "stablehlo.optimization_barrier")  # whose results are the memory of their operands
_NO_READERS = ("func.return", "stablehlo.return", "sdy.return", "stablehlo.while", "stablehlo.case", "stablehlo.if")


def lines_of(op, program):
    """Of a kernel's call. program: results._Program."""
    names = program.config(op)["outs"].value.split(" ") if "outs" in program.config(op) else []
    out, order = set(), {}
    for s, semaphore in enumerate(op.results if names else ()):
        takers = [use.owner for use in semaphore.uses if program.is_kernel(use.owner) and use.owner.operation.block == op.operation.block]
        if not takers or ir.RankedTensorType(semaphore.type).element_type != ir.IntegerType.get_signless(32):
            continue
        order = order or {other.operation: i for i, other in enumerate(op.operation.block.operations)}
        first = min(order[taker.operation] for taker in takers)
        for o, result in enumerate(op.results):
            users = _users(result) if o != s else ()
            before = [(user, at) for user, at in users if user.operation.block == op.operation.block and order[user.operation] < first]
            for reader, at, place in (reader for user, at in before for reader in _readers(user, at, program)):
                config = program.config(reader) if program.is_kernel(reader) else {}
                kept = "kept" in config and str(at) in config["kept"].value.split()
                kernel = config["entry"].value if config else 0
                out.update(f"{s} {kernel} {int(kept)} {name}\t{place}" for name in names[o].split(",") if name)
    return "\n".join(sorted(out))


def _users(result):
    """The operations that get the memory of an array, and which of their operands it is."""
    rest, out = [result], []
    while rest:
        for use in rest.pop().uses:
            if use.owner.name in _SAME:
                rest.append(use.owner.results[use.operand_number])
            elif use.owner.name not in _NO_READERS:
                out.append((use.owner, use.operand_number))
    return out


def _readers(user, at, program):
    """The operations that read operand number `at` of one, which of theirs it is, and the place: those of the function that it calls, or itself."""
    if user.name != "func.call":
        return [(user, at, _place(user) or "0 0 0\t\t")]
    found = [reader for inner, i in _users(program.argument(user, at)) for reader in _readers(inner, i, program)]
    return [(reader, i, _place(reader) or _place(user) or "0 0 0\t\t") for reader, i, _ in found]


def _place(op):
    """Line, column, its end, file, text of the line: of the program's innermost frame. None: JAX's own."""
    at = _PLACE.search(str(op.location))
    if at is None:
        return None
    file, line, column = at[1], int(at[2]), int(at[3]) + 1
    end = int(at[4]) + 1 if at[4] else column
    return f"{line} {column} {end}\t{file}\t{linecache.getline(file, line).rstrip()}"
