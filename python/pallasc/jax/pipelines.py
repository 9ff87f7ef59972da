# SPDX-License-Identifier: Apache-2.0
"""Equations of pipelines (jax_use_emit_pipeline_primitive) with what JAX makes of them: copies, and loops over steps.

In: an equation of emit_pipeline. Out: the same one, whose only jaxpr takes its operands; steps in it are equations of pipeline_body.
"""
from jax._src import api_util, core
from jax._src import linear_util as lu
from jax._src.interpreters import partial_eval as pe
from jax._src.pallas import core as pallas_core
from jax._src.pallas.mosaic import pipeline
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
    return eqn.replace(params={"jaxpr": jaxpr, "grid": mapping.grid, "first_bound": first_bound, "axes": own_axes})


def _spec(mapping, consts):
    """The block spec of a mapping, whose index map takes its constants from the operands."""
    index_map = mapping.index_map_jaxpr
    return mapping.replace(index_map_jaxpr=core.ClosedJaxpr(index_map.jaxpr, [next(consts) for _ in index_map.consts])).to_block_spec()
