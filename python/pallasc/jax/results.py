# SPDX-License-Identifier: Apache-2.0
"""Where results of kernels go in a program of XLA: back to who called it as they are, or through operations that may leave elements out.

In: a module of StableHLO. Out: attribute `masked` of checked calls, 1 if none of their results comes back without such an operation.
"""
from jax._src.lib.mlir import ir

# Operations, and which of their operands they may leave elements of out; what a kernel reads of an operand is its own.
_MASKS = {"stablehlo.select": (1, 2), "stablehlo.slice": (0,), "stablehlo.dynamic_slice": (0,), "stablehlo.gather": (0,),
          "stablehlo.dynamic_gather": (0,), "stablehlo.dynamic_update_slice": (0,), "stablehlo.scatter": (0,), "stablehlo.clamp": (1,)}


def mark(module, target):
    """Marks the checked calls of `target`."""
    with module.context:
        _mark(module, target)


def _mark(module, target):
    functions = {f.attributes["sym_name"].value: f for f in module.body.operations if "sym_name" in f.attributes}
    calls, kernels = {}, []

    def visit(op):
        if op.name == "func.call":
            calls.setdefault(ir.FlatSymbolRefAttr(op.attributes["callee"]).value, []).append(op)
        elif _is_kernel(op, target) and "masked" in _config(op):
            kernels.append(op)
        return ir.WalkResult.ADVANCE
    module.operation.walk(visit)
    for op in kernels:
        if not any(_comes_back(result, functions, calls, target) for result in op.results):
            config = {a.name: a.attr for a in _config(op)}
            config["masked"] = ir.IntegerAttr.get(config["masked"].type, 1)
            op.attributes["mhlo.backend_config"] = ir.DictAttr.get(config)


def _is_kernel(op, target):
    return op.name == "stablehlo.custom_call" and ir.StringAttr(op.attributes["call_target_name"]).value == target


def _config(op):
    return ir.DictAttr(op.attributes["mhlo.backend_config"])


def _comes_back(result, functions, calls, target):
    """Whether the program may give a value back whole: through operations that read all of it, or hand it on."""
    seen, rest = set(), [result]
    while rest:
        value = rest.pop()
        if value in seen:
            continue
        seen.add(value)
        for use in value.uses:
            op, at = use.owner, use.operand_number
            if op.name == "func.return":
                name = op.parent.attributes["sym_name"].value
                if name == "main":
                    return True
                rest += [call.results[at] for call in calls.get(name, ())]
            elif op.name == "func.call":
                rest.append(functions[ir.FlatSymbolRefAttr(op.attributes["callee"]).value].regions[0].blocks[0].arguments[at])
            elif op.name in ("stablehlo.return", "sdy.return"):
                rest += _given_by_region(op.parent, at)
            elif at not in _MASKS.get(op.name, ()) and not _is_kernel(op, target):
                rest += [*op.results, *_given_to_regions(op, at)]
    return False


def _given_by_region(op, at):
    """What a region's result number `at` becomes: a result of its operation and, of a loop, the next turn's argument."""
    if op.name == "stablehlo.while":
        return [op.results[at], *_given_to_regions(op, at)] if at < len(op.results) else []
    return list(op.results)[at:at + 1] if op.name in ("stablehlo.case", "stablehlo.if", "sdy.manual_computation") else list(op.results)


def _given_to_regions(op, at):
    if op.name not in ("stablehlo.while", "sdy.manual_computation"):
        return []
    return [region.blocks[0].arguments[at] for region in op.regions]
