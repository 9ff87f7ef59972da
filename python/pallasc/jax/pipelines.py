# SPDX-License-Identifier: Apache-2.0
"""Equations of pipelines (jax_use_emit_pipeline_primitive) with what JAX makes of them: copies, and loops over steps.

In: an equation of emit_pipeline. Out: the same one, whose only jaxpr takes its operands; steps in it are equations of pipeline_body. And what is
known of a pipeline that JAX has traced into its kernel: what its body calls the buffers, and when one is free for another block.
"""
import inspect
import re

from jax._src import api_util, core
from jax._src import linear_util as lu
from jax._src.interpreters import partial_eval as pe
from jax._src.pallas import core as pallas_core
from jax._src.pallas.mosaic import helpers
from jax._src.pallas.mosaic import primitives as tpu_primitives
from jax._src.pallas.mosaic import pipeline
from jax._src.pallas.primitives import run_scoped_p
from jax._src.tree_util import tracing_registry


def is_pipeline(eqn):
    return eqn.primitive is pipeline.emit_pipeline_p


def expanded(eqn):
    params = dict(eqn.params)
    mapping, args_tree, body = params.pop("grid_mapping"), params.pop("args_tree"), params.pop("body_jaxpr")
    offsets = params.pop("_static_grid_offsets")
    first_bound = sum(len(m.index_map_jaxpr.consts) for m in mapping.block_mappings)
    first_const = first_bound + mapping.num_dynamic_grid_bounds + params.pop("_num_extra_dynamic")
    first_ref = first_const + params.pop("body_consts_len")
    own_axes = [axis for axis in range(len(mapping.grid)) if axis not in mapping.vmapped_dims]

    def step(consts):
        def run(indices, *refs):
            operands, tree = tracing_registry.flatten((tuple(indices[axis] for axis in own_axes), consts, refs))
            return pipeline.pipeline_body_p.bind(*operands, jaxpr=body, in_tree=tree, num_inputs=mapping.num_inputs)
        return run

    def run(*operands):
        consts, bounds = iter(operands), iter(operands[first_bound:first_const])
        specs = [_spec(m, consts) for m in mapping.block_mappings]
        grid, starts = ([next(bounds) if pallas_core.is_dynamic_dim(d) else d for d in dims] for dims in (mapping.grid, offsets))
        refs, _ = tracing_registry.flatten(args_tree.unflatten(operands[first_ref:]), pipeline.is_transformed_ref)
        with pallas_core.tracing_grid_env(tuple(mapping.grid[axis] for axis in own_axes), ()):
            pipeline._emit_pipeline(step(operands[first_const:first_ref]), grid=tuple(grid), in_specs=specs[:mapping.num_inputs],
                                    out_specs=specs[mapping.num_inputs:], _grid_offsets=tuple(starts), _explicit_indices=True, **params)(*refs)
        return ()

    avals = [v.aval for v in eqn.invars]
    info = api_util.debug_info("emit_pipeline", run, avals, {})
    jaxpr, _, consts = pe.trace_to_jaxpr_dynamic(lu.wrap_init(run, debug_info=info), avals)
    assert not consts
    return eqn.replace(params={"jaxpr": _marked_jaxprs(jaxpr), "grid": mapping.grid, "first_bound": first_bound, "axes": own_axes})


def _spec(mapping, consts):
    """The block spec of a mapping, whose index map takes its constants from the operands."""
    index_map = mapping.index_map_jaxpr
    return mapping.replace(index_map_jaxpr=core.ClosedJaxpr(index_map.jaxpr, [next(consts) for _ in index_map.consts])).to_block_spec()


# ---- pipelines as JAX has expanded them ---------------------------------------------------------------------------------

_BUFFER = re.compile(r"(allocations|scratches)\[(\d+)\]")
_COPIES = (tpu_primitives.dma_start_p, tpu_primitives.dma_wait_p)
_METHODS = ("copy_in", "copy_out", "wait_in", "wait_out")  # of a pipeline's buffers


def marked(eqn):
    """The equation, and of a copy of a pipeline, or a wait for one, what JAX does not say: that it leaves out what a block has outside of its array
    (JAX takes whole tiles of it, which the chip pads arrays to); and that the buffer of an output is free for the next block."""
    return _marked_inside(eqn) if eqn.primitive in (*_COPIES, run_scoped_p) and _is_of_buffers(eqn) else eqn


def _marked_inside(eqn):
    """The same for an equation of the pipeline itself, and those that it holds, up to the steps."""
    if eqn.primitive in _COPIES:
        is_write_back = eqn.primitive is tpu_primitives.dma_wait_p and str(eqn.source_info.name_stack).rpartition("/")[2] == "ep_wait_out"
        return eqn.replace(params={**eqn.params, "clipped": True, **({"forgets": True} if is_write_back else {})})
    if eqn.primitive is pipeline.pipeline_body_p:
        return eqn
    return eqn.replace(params={name: _marked_jaxprs(value) for name, value in eqn.params.items()})


def _marked_jaxprs(value):
    if type(value) is tuple:
        return tuple(map(_marked_jaxprs, value))
    if isinstance(value, core.ClosedJaxpr):
        return value.replace(jaxpr=_marked_jaxprs(value.jaxpr))
    return value.replace(eqns=[_marked_inside(eqn) for eqn in value.eqns]) if isinstance(value, core.Jaxpr) else value


def _is_of_buffers(eqn):
    """Whether the innermost function of JAX's pipelines that has made the equation is one of their buffers."""
    codes = eqn.source_info.traceback.raw_frames()[0] if eqn.source_info.traceback else ()
    return next((code.co_name in _METHODS for code in codes if code.co_filename == pipeline.__file__), False)


def named(eqn):
    """The equation of run_scoped that makes a pipeline's buffers, with the names that the parameters of its body have; that of sync_copy, whose
    semaphore is no name of the program's, with none; others as they are."""
    jaxpr = eqn.params["jaxpr"]
    info = jaxpr.debug_info
    if info.func_filename == helpers.__file__:
        return eqn.replace(params={**eqn.params, "jaxpr": jaxpr.replace(debug_info=info.with_unknown_names())})
    places = [_BUFFER.match(name or "") for name in info.arg_names or ()]
    if not any(places):
        return eqn
    last = {which: max((int(m[2]) for m in places if m and m[1] == which), default=-1) + 1 for which in ("allocations", "scratches")}
    names = _parameters(_body(jaxpr), sum(last.values()))
    if not names:
        return eqn
    first = {"allocations": 0, "scratches": last["allocations"]}

    def of(match, name):
        own = names[first[match[1]] + int(match[2])]
        return own + name[match.end():].replace(".window_ref", "")
    arg_names = tuple(of(m, name) if m else name for m, name in zip(places, info.arg_names))
    return eqn.replace(params={**eqn.params, "jaxpr": jaxpr.replace(debug_info=info._replace(arg_names=arg_names))})


def _parameters(code, count):
    """What the function calls its last parameters, if it has so many; what comes before them may be the step's indices, or bound."""
    if code is None or code.co_flags & inspect.CO_VARARGS or code.co_argcount < count:
        return None
    return code.co_varnames[code.co_argcount - count:code.co_argcount]


def _body(jaxpr):
    """The code of the function that a pipeline calls at each step: what is called from JAX's file of pipelines, and is not in JAX."""
    for eqn in jaxpr.eqns:
        codes = eqn.source_info.traceback.raw_frames()[0] if eqn.source_info.traceback else []
        for inner, outer in zip(codes, codes[1:]):
            if outer.co_filename == pipeline.__file__ and outer.co_name in ("loop_body", "_loop_body") and not inner.co_filename.startswith(_JAX):
                return inner
        for inside in core.jaxprs_in_params(eqn.params):
            found = _body(inside)
            if found is not None:
                return found
    return None


_JAX = pipeline.__file__.rpartition("_src")[0]
