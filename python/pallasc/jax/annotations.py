# SPDX-License-Identifier: Apache-2.0
"""What a program can read of its kernels: metadata and costs, which stand at their calls in XLA's module, and what debug=True prints.

In: the parameters of a call, its operations in StableHLO, its text. Out: attributes of them; lines on standard output.
"""
import functools
import json
import re

from jax._src import core, stages
from jax._src.interpreters import mlir

from pallasc.jax import library

_COST = re.compile(r'\bkernel_cost="(\d+) (\d+) (\d+)"')
_DROPPABLE = "xla_allow_dce_side_effecting_op"  # a call with effects goes if nobody reads its results; of two none is made one
_OF_COST = (("flops", -1), ("transcendentals", 0), ("bytes accessed", -1))  # XLA's words for a CostEstimate, and what it counts for a call


def jaxprs(params):
    """Of a call of kernels: one for each mesh."""
    return params["jaxprs"] if "jaxprs" in params else [params["jaxpr"]]


def _metadata(params, mesh):
    """What the program gives a call, and the axes of the device mesh that the kernel names."""
    given = dict(params.get("metadata") or {})
    named = {effect.name for jaxpr in jaxprs(params) for effect in jaxpr.effects if isinstance(effect, core.NamedAxisEffect)}
    axes = named & set(mesh.axis_names) if mesh is not None else None
    if axes:
        if "mesh_axes" in given:
            raise ValueError("Metadata already contains mesh axes.")
        given["mesh_axes"] = json.dumps(sorted(axes, key=str))
    return given


def _cost(params):
    """The text of _COST: what the program says that a call costs; None: nothing."""
    said = params.get("cost_estimate")
    return said and " ".join(str(int(n)) for n in (said.flops, said.transcendentals, said.bytes_accessed))


def annotate(results, params, mesh, droppable):
    """Gives a call what the program says of it, where its results are XLA's own."""
    attributes = {_DROPPABLE: "true"} if droppable else {}
    if given := _metadata(params, mesh):
        attributes["kernel_metadata"] = json.dumps(given, sort_keys=True, indent=0, separators=(",", ":"))
    if cost := _cost(params):
        attributes["kernel_cost"] = cost
    if attributes and results and results[0].owner.name == "stablehlo.custom_call":
        texts = {name: mlir.ir.StringAttr.get(text) for name, text in attributes.items()}
        results[0].owner.attributes["mhlo.frontend_attributes"] = mlir.ir.DictAttr.get(texts)


def is_droppable(op):
    """Whether an operation with effects goes where nobody reads its results."""
    name = "mhlo.frontend_attributes"
    return name in op.attributes and _DROPPABLE in mlir.ir.DictAttr(op.attributes[name])


def _with_kernels(analyse):
    """An executable's cost_analysis, with what programs say that kernels cost."""
    @functools.wraps(analyse)
    def cost_analysis(executable):
        found = analyse(executable)
        modules = executable.xla_extension_executable().hlo_modules() if isinstance(found, dict) else ()
        for costs in (match for module in modules for match in _COST.findall(module.to_string())):
            for (name, counted), cost in zip(_OF_COST, costs):
                found[name] = found.get(name, counted) - counted + float(cost)
        return found
    return cost_analysis


def tell(primitive, params, text, options):
    """What debug=True asks for, under the words of JAX: the kernels' jaxprs, and the IR that they become."""
    for number, jaxpr in enumerate(jaxprs(params)):
        which = "jaxpr" if "jaxpr" in params else f"jaxpr idx={number}"
        print(f"\nThe kernel {which} for {primitive.name} {jaxpr.debug_info.func_src_info}:\n{jaxpr}")
    print(f"\nThe kernel IR for {primitive.name} {jaxprs(params)[0].debug_info.func_src_info}:\n{library.recorded(text, options)}")


@functools.cache
def register():
    """From now on XLA's cost analysis counts kernels."""
    stages.Executable.cost_analysis = _with_kernels(stages.Executable.cost_analysis)
