# SPDX-License-Identifier: Apache-2.0
"""What a program of XLA reads of a kernel's result before the kernel that gets its semaphore and may wait for a copy there, in the order in
which it was written: in the kernel's block, in functions that are called, in what calls its own, in loops and behind them.

In: a module of StableHLO. Out: attribute `early` of checked calls, a line for each such operation: the number of the result that may be
the semaphore, the name of the kernel that reads (0: another operation), whether it gives what it reads back as a result, and need not read
it, the number of the look (0: it runs in any case), what it reads (_region), what the result that is read may be called (attribute `outs`), and the
place. Likewise of an operand that nothing uses behind the call: its number, at the place of the call.

A kernel that waits says itself when it reads. In front of another operation that may not run, of a branch or of a loop that may make no turn, stands
a call that says that it does (Looks).
"""
import linecache
import re

import numpy as np
from jax._src.interpreters import mlir
from jax._src.lib.mlir import ir

_PLACE = re.compile(r'"((?:[^"\\]|\\.)*)":(\d+):(\d+)(?: to :(\d+))?')
_SAME = ("stablehlo.reshape", "stablehlo.optimization_barrier")  # whose results are the memory of their operands
_CHOICES = ("stablehlo.case", "stablehlo.if")
# Whose results may have the memory of what lives on.
_MAY_BE_ANOTHER = (*_SAME, *_CHOICES, "stablehlo.constant", "stablehlo.bitcast_convert", "stablehlo.broadcast_in_dim", "stablehlo.convert",
                   "stablehlo.slice", "stablehlo.transpose", "stablehlo.while", "func.call", "sdy.manual_computation")
NOWHERE = "0 0 0\t\t"


class Looks:
    """Operations that may not run, and read what a copy may be on its way to. In front of each a call of `target` says that it runs, by its number,
    attribute `look`. Kernels that get the semaphore behind it get the results of what it is in, too, so that XLA runs them behind it: these are their
    last operands, as many as `behind` says."""

    def __init__(self, target):
        self.target, self.numbers, self.takers = target, {}, {}

    def number(self, op, machine, takers, program):
        """Of the one in front of an operation."""
        for taker in takers:
            for around in program.around(op, taker.operation.block):
                if _is_before(around, taker):  # else it is of the turn before
                    self.takers.setdefault(taker, {})[around] = _changed(around)
        return self.numbers.setdefault(op, (len(self.numbers) + 1, machine))[0]

    def insert(self, program):
        """When all else is known of the module."""
        for op, (number, machine) in self.numbers.items():
            with ir.InsertionPoint(op), op.location:
                mlir.custom_call(self.target, result_types=[], operands=[], backend_config={"look": _count(number), "machine": machine},
                                 has_side_effect=True, api_version=4, operand_layouts=[], result_layouts=[])
        for taker, results in self.takers.items():
            _put_behind(taker, [result for each in results.values() for result in each], program.config(taker))


def _is_before(op, other):
    """Of two of one block."""
    return next(each for each in op.operation.block.operations if each.operation in (op.operation, other.operation)).operation == op.operation


def _count(number):
    return ir.IntegerAttr.get(ir.IntegerType.get_unsigned(64), number)


def _changed(op):
    """The results that are none of the values from before: whoever gets them runs behind the operation."""
    block = op.regions[-1].blocks[0] if op.name == "stablehlo.while" else None
    return [result for i, result in enumerate(op.results)
            if isinstance(result.type, ir.RankedTensorType) and (block is None or _last(block).operands[i] != block.arguments[i])]


def _put_behind(call, values, config):
    attributes = {name: call.attributes[name] for name in call.attributes}
    attributes["mhlo.backend_config"] = ir.DictAttr.get({**config, "behind": _count(len(values))})
    layouts = [np.array(range(ir.RankedTensorType(value.type).rank)[::-1], np.int64) for value in values]
    attributes["operand_layouts"] = ir.ArrayAttr.get([*ir.ArrayAttr(attributes["operand_layouts"]),
                                                      *(ir.DenseIntElementsAttr.get(each, type=ir.IndexType.get()) for each in layouts)])
    other = ir.Operation.create(call.name, [result.type for result in call.results], [*call.operands, *values], attributes,
                                loc=call.location, ip=ir.InsertionPoint(call))
    for result, with_values in zip(call.results, other.results):
        result.replace_all_uses_with(with_values)
    call.operation.erase()


def lines_of(op, program, looks):
    """Of a kernel's call. program: results._Program."""
    names = program.config(op)["outs"].value.split(" ") if "outs" in program.config(op) else []
    out = set()
    for s, semaphore in enumerate(op.results if names else ()):
        if ir.RankedTensorType(semaphore.type).element_type != ir.IntegerType.get_signless(32):
            continue
        for o, result in enumerate(op.results):
            way = _Way(program)
            found = way.behind(op, {result}, {semaphore}) if o != s else None
            for reader, at, place, unsure in found or ():
                config = program.config(reader) if program.is_kernel(reader) else {}
                kept = bool(config) and _is_kept(reader, at, program)
                kernel = config["entry"].value if config else 0
                look = looks.number(unsure, program.config(op)["machine"], way.takers, program) if unsure is not None else 0
                what = f"{s} {kernel} {int(kept)} {look} {_region(reader, at, program)}"
                out.update(f"{what} {name}\t{place}" for name in names[o].split(",") if name)
        if (dead := _dead_operands(op, program)) and _Way(program).behind(op, set(), {semaphore}) is not None:
            out.update(f"{s} 0 0 0 !{i} -\t{_place(op) or NOWHERE}" for i in dead)
    return "\n".join(sorted(out))


def _dead_operands(op, program):
    """Those that nothing uses behind it, so that XLA may give their memory to something else: of arrays that an operation of the block has made, but
    for those that it gives back as results."""
    operations = [other.operation for other in op.operation.block.operations]
    here = operations.index(op.operation)
    return [i for i, operand in enumerate(op.operands) if not _is_kept(op, i, program) and _is_made(operand) and operand.owner.operation in operations
            and max(operations.index(_in_block(use.owner, op.operation.block)) for use in operand.uses) <= here]


def _is_kept(kernel, at, program):
    """Whether the kernel gives the operand back as a result."""
    config = program.config(kernel)
    return "kept" in config and str(at) in config["kept"].value.split()


def _is_made(value):
    return not isinstance(value, ir.BlockArgument) and value.owner.name not in _MAY_BE_ANOTHER


def _in_block(op, block):
    """The operation of the block that one is in."""
    while op.operation.block != block:
        op = op.operation.parent
    return op.operation


class _Way:
    """What comes behind a call, up to where a kernel gets its semaphore. Values that are the array, and the semaphore, are sets, to which
    those of their block are added. Of a reader it is found which operand it reads, where it is, and the operation in front of which it is known that
    it runs; None: it does in any case."""

    def __init__(self, program):
        self.program, self.turned, self.takers = program, set(), []

    def behind(self, op, array, semaphore, is_sure=True):
        """The readers of the array behind an operation. None: nobody gets the semaphore there."""
        block, found = op.operation.block, []
        if self._through(_rest(block, op), array, semaphore, is_sure, found):
            return found
        rest = self._leave(block, array, semaphore, is_sure) if _places(_last(block), semaphore) else None
        return None if rest is None else found + rest

    def _leave(self, block, array, semaphore, is_sure):
        """Behind a block that gives both back."""
        end, parent = _last(block), block.owner
        given = [_places(end, values) for values in (array, semaphore)]
        out = []
        if end.name == "func.return":
            callers = self.program.calls.get(parent.attributes["sym_name"].value, ())
            ways = [self._behind_results(callers[0], given, is_sure)] if len(callers) == 1 else []
        elif parent.name == "stablehlo.while":
            ways = [self._next_turn(parent, given, is_sure), self._behind_results(parent, given, is_sure)]
        else:
            ways = [self._behind_results(parent, given, is_sure)] if parent.name in _CHOICES else []
        for way in ways:
            out += way or ()
        return out if any(way is not None for way in ways) else None

    def _behind_results(self, op, given, is_sure):
        return self.behind(op, *({op.results[i] for i in places} for places in given), is_sure)

    def _next_turn(self, loop, given, is_sure):
        found = []
        if loop in self.turned:
            return None
        self.turned.add(loop)
        return found if self._turn(loop, given, is_sure, is_sure and _turns(loop) > 1, found)[0] else None

    def _turn(self, loop, given, is_asked, is_made, found):
        """Whether a kernel gets the semaphore in it, and which of the loop's values are the array and the semaphore at its end."""
        for region, is_sure in zip(loop.regions, (is_asked, is_made)):
            block = region.blocks[0]
            values = [{block.arguments[i] for i in places} for places in given]
            if self._through(block.operations, *values, is_sure, found):
                return True, given
        return False, [_places(_last(block), inside) for inside in values]

    def _through(self, operations, array, semaphore, is_sure, found):
        """Whether one of the operations gives a kernel the semaphore; those before it that read go to `found`."""
        for op in operations:
            if self._step(op, array, semaphore, is_sure, found):
                return True
        return False

    def _step(self, op, array, semaphore, is_sure, found):
        given = [_places(op, values) for values in (array, semaphore)]
        if op.name in _CHOICES:
            return self._choose(op, array, semaphore, found)
        if not given[0] and not given[1]:
            return False
        if self.program.is_kernel(op) and given[1]:
            self.takers.append(op)
            return True
        same = [], []
        if op.name in _SAME:
            same = given
        elif op.name == "stablehlo.while":
            is_taken, at_end = self._turn(op, given, is_sure, is_sure and _turns(op) > 0, found)
            if is_taken:
                return True
            same = [[i for i in places if i in ends] for places, ends in zip(given, at_end)]
        elif op.name == "func.call":
            is_taken, same = self._call(op, given, is_sure, found)
            if is_taken:
                return True
        elif not op.name.endswith(".return"):
            found += [(op, at, _place(op) or NOWHERE, None if is_sure else op) for at in given[0]]
        for values, places in zip((array, semaphore), same):
            values.update(op.results[i] for i in places)
        return False

    def _call(self, op, given, is_sure, found):
        values = [{self.program.argument(op, i) for i in places} for places in given]
        block, inside = self.program.body(op), []
        is_taken = self._through(block.operations, *values, True, inside)
        here, is_called_once = _place(op), len(self.program.callers(block)) == 1
        for reader, at, place, unsure in inside:
            if unsure is None or is_called_once:  # else it is not known of which call it is
                found.append((reader, at, _place(reader) or here or place, unsure or (None if is_sure else op)))
        return is_taken, [_places(_last(block), each) for each in values]

    def _choose(self, op, array, semaphore, found):
        """Of each branch: it is not known which one runs. What it gives back is a copy."""
        is_taken = False
        for region in op.regions:
            inside, end = set(array), _last(region.blocks[0])
            if self._through(region.blocks[0].operations, inside, set(semaphore), False, found):
                is_taken = True
            else:
                found += [(end, at, _place(end) or _place(op) or NOWHERE, end) for at in _places(end, inside)]
        return is_taken


def _rest(block, op):
    """The operations of a block behind one."""
    operations = iter(block.operations)
    for other in operations:
        if other.operation == op.operation:
            return operations
    return operations


def _last(block):
    return block.operations[len(block.operations) - 1]


def _places(op, values):
    """Which of the operands are among the values."""
    return [i for i, operand in enumerate(op.operands) if operand in values]


def _number(value):
    """Of a scalar that is a constant; or None."""
    op = None if isinstance(value, ir.BlockArgument) else value.owner
    if op is None or op.name != "stablehlo.constant":
        return None
    elements = ir.DenseElementsAttr(op.attributes["value"])
    return int(elements.get_splat_value().value) if elements.is_splat and str(elements.type.element_type) == "i32" else None


def _turns(loop):
    """How many turns of a loop are sure, up to two: of one that counts up to a number."""
    test, body = (region.blocks[0] for region in loop.regions)
    compare = _last(test).operands[0].owner
    is_counted = not isinstance(compare, ir.Block) and compare.name == "stablehlo.compare" and "LT" in str(compare.attributes["comparison_direction"])
    if not is_counted or not isinstance(compare.operands[0], ir.BlockArgument):
        return 0
    at = ir.BlockArgument(compare.operands[0]).arg_number
    first, end = _number(loop.operands[at]), _number(_before_loop(loop, compare.operands[1]))
    if first is None or end is None or first >= end:
        return 0
    added = None if isinstance(_last(body).operands[at], ir.BlockArgument) else _last(body).operands[at].owner
    is_step = added is not None and added.name == "stablehlo.add" and body.arguments[at] in list(added.operands)
    return 2 if is_step and first + 1 < end and 1 in map(_number, added.operands) else 1


def _before_loop(loop, value):
    """What a value of a loop's condition is before it."""
    return loop.operands[ir.BlockArgument(value).arg_number] if isinstance(value, ir.BlockArgument) else value


def _region(reader, at, program):
    """What an operation reads of an operand: all of it, `*`; of a slice the first element, the one behind the last and the step along each dimension;
    or `-`, which is not known."""
    if reader.name == "stablehlo.slice":
        ends = (ir.DenseI64ArrayAttr(reader.attributes[name]) for name in ("start_indices", "limit_indices", "strides"))
        return ",".join(":".join(map(str, each)) for each in zip(*ends)) or "*"
    return "-" if program.may_leave_out(reader, at) else "*"


def _place(op):
    """Line, column, its end, file, text of the line: of the program's innermost frame. None: JAX's own."""
    at = _PLACE.search(str(op.location))
    if at is None:
        return None
    file, line, column = at[1], int(at[2]), int(at[3]) + 1
    end = int(at[4]) + 1 if at[4] else column
    return f"{line} {column} {end}\t{file}\t{linecache.getline(file, line).rstrip()}"
