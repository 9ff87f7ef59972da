# SPDX-License-Identifier: Apache-2.0
"""Where results of kernels go in a program of XLA: to nobody, back to who called it as they are, or through operations that may leave
elements out.

In: a module of StableHLO. Out: attribute `readers` of checked calls, a letter for each result (READER_… of ffi/devices.h); and `early` (early.py).
"""
import itertools

from jax._src.lib.mlir import ir

from pallasc.jax import annotations, early

_ALL, _PART, _NONE = "apn"
# Operations, and which of their operands they may leave elements of out; what a kernel reads of an operand is its own.
_MASKS = {"stablehlo.select": (1, 2), "stablehlo.slice": (0,), "stablehlo.dynamic_slice": (0,), "stablehlo.gather": (0,),
          "stablehlo.dynamic_gather": (0,), "stablehlo.dynamic_update_slice": (0,), "stablehlo.scatter": (0,), "stablehlo.clamp": (1,)}
_EFFECTS = ("stablehlo.outfeed", "stablehlo.send")  # and custom calls that say so
_CHOICES = ("stablehlo.case", "stablehlo.if")


def mark(module, targets):
    """Marks the checked calls of `targets`."""
    with module.context:
        _Program(module, targets).mark()


class _Program:
    def __init__(self, module, targets):
        self.targets, self.calls, self.kernels = targets, {}, []
        self.functions = {f.attributes["sym_name"].value: f for f in module.body.operations if "sym_name" in f.attributes}
        module.operation.walk(self._note)
        self.has_effects = {}  # of functions, by name

    def _note(self, op):
        if op.name == "func.call":
            self.calls.setdefault(_callee(op), []).append(op)
        elif self.is_kernel(op) and "goes_on" in _config(op):
            self.kernels.append(op)
        return ir.WalkResult.ADVANCE

    def mark(self):
        looks = early.Looks(self.targets[0])
        for op in self.kernels:
            config = self.config(op)
            left_out = ir.StringAttr(config["left_out"]).value if "left_out" in config else ""
            config["readers"] = ir.StringAttr.get("".join(self._reader(result) for result, out in
                                                          itertools.zip_longest(op.results, left_out) if out != "1"))
            if lines := early.lines_of(op, self, looks):
                config["early"] = ir.StringAttr.get(lines)
            op.attributes["mhlo.backend_config"] = ir.DictAttr.get(config)
        looks.insert(self)

    def is_kernel(self, op):
        return op.name == "stablehlo.custom_call" and ir.StringAttr(op.attributes["call_target_name"]).value in self.targets

    @staticmethod
    def config(op):
        """The attributes of a kernel's call."""
        return {a.name: a.attr for a in _config(op)}

    def argument(self, call, at):
        """What operand number `at` of a call is in the function."""
        return self.body(call).arguments[at]

    def body(self, call):
        """The operations of the function that is called."""
        return self.functions[_callee(call)].regions[0].blocks[0]

    def callers(self, block):
        """The calls of the function that a block is of."""
        return self.calls.get(ir.StringAttr(block.owner.attributes["sym_name"]).value, ())

    def around(self, op, block):
        """The operations of the block that one is in, or that call what it is in."""
        while op.operation.block != block:
            if op.name == "func.func":
                return [around for call in self.callers(op.regions[0].blocks[0]) for around in self.around(call, block)]
            op = op.operation.parent
            if op is None or op.name == "builtin.module":
                return []
        return [op]

    def may_leave_out(self, op, at):
        """Whether an operation may read a part of operand number `at`."""
        return at in _MASKS.get(op.name, ()) or self.is_kernel(op)

    def _reader(self, result):
        if self._is_read(result, is_whole=True):
            return _ALL
        return _PART if self._is_read(result, is_whole=False) else _NONE

    def _is_read(self, result, is_whole):
        """Whether the program may give a value back, or show it to the outside. is_whole: on a way on which all operations read all of it, or
        hand it on."""
        seen, rest = set(), [result]
        while rest:
            value = rest.pop()
            if value in seen:
                continue
            seen.add(value)
            for use in value.uses:
                op, at = use.owner, use.operand_number
                if is_whole and self.may_leave_out(op, at):
                    continue
                if self._is_shown(op):
                    return True
                rest += self._followed(op, at)
        return False

    def _is_shown(self, op):
        """Whether an operation that has a value does more with it than to make results."""
        if op.name == "func.return":
            return op.parent.attributes["sym_name"].value == "main"
        if _is_turn(op):
            return self._has_effect(op.parent)
        return op.name in _CHOICES and self._has_effect(op) or _is_effect(op)

    def _followed(self, op, at):
        """The values that operand number `at` becomes, or decides on."""
        if op.name == "func.return":
            return [call.results[at] for call in self.calls.get(op.parent.attributes["sym_name"].value, ())]
        if op.name == "func.call":
            return [self.argument(op, at)]
        if _is_turn(op):
            return list(op.parent.results)
        if op.name in ("stablehlo.return", "sdy.return"):
            return _given_by_region(op.parent, at)
        return [*op.results, *_given_to_regions(op, at)]

    def _has_effect(self, op):
        """Whether the outside sees that an operation of its regions runs."""
        found = []

        def visit(inner):
            if _is_effect(inner) or inner.name == "func.call" and self._has_effect_of(_callee(inner)):
                found.append(inner)
                return ir.WalkResult.INTERRUPT
            return ir.WalkResult.ADVANCE
        op.operation.walk(visit)
        return bool(found)

    def _has_effect_of(self, name):
        if name not in self.has_effects:
            self.has_effects[name] = self._has_effect(self.functions[name])
        return self.has_effects[name]


def _callee(op):
    return ir.FlatSymbolRefAttr(op.attributes["callee"]).value


def _config(op):
    return ir.DictAttr(op.attributes["mhlo.backend_config"])


def _is_effect(op):
    says = "has_side_effect" in op.attributes and ir.BoolAttr(op.attributes["has_side_effect"]).value
    return says and not annotations.is_droppable(op) or op.name in _EFFECTS


def _is_turn(op):
    """Whether it returns a loop's condition."""
    return op.name == "stablehlo.return" and op.parent.name == "stablehlo.while" and op.operation.block == op.parent.regions[0].blocks[0]


def _given_by_region(op, at):
    """What a region's result number `at` becomes: a result of its operation and, of a loop, the next turn's argument."""
    if op.name == "stablehlo.while":
        return [op.results[at], *_given_to_regions(op, at)]
    return [op.results[at]] if op.name in (*_CHOICES, "sdy.manual_computation") else list(op.results)


def _given_to_regions(op, at):
    if op.name not in ("stablehlo.while", "sdy.manual_computation"):
        return []
    return [region.blocks[0].arguments[at] for region in op.regions]
