# SPDX-License-Identifier: Apache-2.0
"""checkify of a pallas_call: the checks of its kernel, and of what has memory in it (run_scoped), become errors that are operands and results of
the call.

In: an error of checkify and the call. Out: the error after the last step of the grid, the first that was found, and the call's results. The
error's values are in scalar memory for the whole launch, so that the grid's steps run in order.
"""
import dataclasses
import functools
import math

import jax
import jax.numpy as jnp
from jax._src import checkify, config, core, linear_util as lu
from jax._src.interpreters import partial_eval as pe
from jax._src.pallas import core as pallas_core
from jax._src.pallas import pallas_call as pallas_call_module
from jax._src.pallas import primitives as pallas_primitives
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu


def _stored(value):
    """An error's value as what memory holds of it."""
    value = jnp.asarray(value)
    return value.astype(jnp.int32) if value.dtype == jnp.bool_ else value


def _block_mapping(mapping, spec, aval, origin):
    return spec.to_block_mapping(origin, aval, index_map_avals=mapping.index_map_avals, index_map_tree=mapping.index_map_tree, grid=mapping.grid,
                                 vmapped_dims=mapping.vmapped_dims)


def _whole_mapping(mapping, aval, origin):
    """The mapping of a value of an error: all of it, at each step."""
    return _block_mapping(mapping, pl.BlockSpec(memory_space=pltpu.VMEM if aval.shape else pltpu.SMEM), aval, origin)


def _call_numbers(mapping):
    """The numbers of the calls that vmap has made one of, and the mapping that gives each call its own; none of a call that is alone."""
    sizes = [mapping.grid[dim] for dim in mapping.vmapped_dims]
    if not sizes:
        return [], []

    def number(*indices):
        return (functools.reduce(lambda n, dim: n * mapping.grid[dim] + indices[dim], mapping.vmapped_dims, 0),)
    numbers = jnp.arange(math.prod(sizes), dtype=jnp.int32)
    return [numbers], [_block_mapping(mapping, pl.BlockSpec((1,), number, memory_space=pltpu.SMEM), core.typeof(numbers), "call_number")]


def _with_errors(mapping, avals, more):
    """A grid mapping with these operands, and those of the mappings `more`, behind the inputs, and results behind the outputs."""
    ins, outs = ([_whole_mapping(mapping, aval, f"{which}[{i}]") for i, aval in enumerate(avals)] for which in ("error", "new_error"))
    before = mapping.block_mappings
    return mapping.replace(block_mappings=(*before[:mapping.num_inputs], *ins, *more, *before[mapping.num_inputs:], *outs),
                           num_inputs=mapping.num_inputs + len(avals) + len(more), num_outputs=mapping.num_outputs + len(avals))


def _in_order(compiler_params):
    """Compiler parameters for a grid whose steps see each other's errors."""
    if getattr(compiler_params, "dimension_semantics", None) is None:
        return compiler_params
    return dataclasses.replace(compiler_params, dimension_semantics=("arbitrary",) * len(compiler_params.dimension_semantics))


def _at_first_step(mapping, numbers):
    """A decorator for what is done there alone."""
    if not mapping.grid:
        return lambda body: body()
    own_axes = range(len(mapping.grid) - len(mapping.vmapped_dims))
    return pl.when(functools.reduce(jnp.logical_and, [pl.program_id(axis) == 0 for axis in own_axes] + [number[0] == 0 for number in numbers]))


def _checked_kernel(jaxpr, checked, avals, before, after):
    """The jaxpr of a kernel whose Refs are those of `jaxpr` and, behind its inputs and its outputs, those of an error's values, and of numbers
    of calls; checked: the kernel with the values themselves in front. before, after: the grid mapping without them, and with them."""
    count, inputs, outputs = len(avals), before.num_index_operands + before.num_inputs, before.num_outputs
    added = after.num_inputs - before.num_inputs
    places = [inputs, inputs + count, inputs + added, inputs + added + outputs, inputs + added + outputs + count]

    def kernel(*refs):
        ins, given, numbers, outs, made, scratch = (refs[a:b] for a, b in zip([0, *places], [*places, len(refs)]))

        @_at_first_step(before, numbers)
        def _():
            for source, target in zip(given, made):
                target[...] = source[...]
        now = [ref[...].astype(aval.dtype) for ref, aval in zip(made, avals)]
        for ref, value in zip(made, core.jaxpr_as_fun(checked)(*now, *ins, *outs, *scratch)):
            ref[...] = _stored(value)
        return []
    own = [var.aval for var in jaxpr.invars]
    more = [mapping.transformed_block_aval for mapping in after.block_mappings[before.num_inputs:after.num_inputs]]
    refs = [*own[:inputs], *more, *own[inputs:inputs + outputs], *more[:count], *own[inputs + outputs:]]
    traced, _, consts = pe.trace_to_jaxpr_dynamic(lu.wrap_init(kernel, debug_info=jaxpr.debug_info.with_unknown_names()), refs)
    if consts:
        raise NotImplementedError(f"checkify of the kernel {jaxpr.debug_info.func_src_info}: its errors hold constant arrays")
    return traced.replace(debug_info=jaxpr.debug_info.with_unknown_names())


def _steps(grid, mapping):
    """Of each dimension of an array: its size, padding included, and where its block begins and ends at each step of a grid."""
    places = jnp.meshgrid(*[jnp.arange(size, dtype=jnp.int32) for size in grid], indexing="ij")
    indices = jax.vmap(core.jaxpr_as_fun(mapping.index_map_jaxpr))(*[place.ravel() for place in places])
    for index, dim, size in zip(indices, mapping.block_shape, mapping.array_aval.shape):
        block, is_element = pallas_core.get_block_size(dim), isinstance(dim, pallas_core.Element)
        start = index if is_element else index * block
        yield size + (sum(dim.padding) if is_element else 0), start, start + block - 1


def _outside(grid, mapping):
    """Whether a block leaves its array at some step of a grid, and the first such: where it begins, the axis, the axis' size."""
    found, rows = [], []
    for axis, (size, start, end) in enumerate(_steps(grid, mapping)):
        found.append((start < 0) | (end >= size))
        rows.append(jnp.stack([start, jnp.full_like(start, axis), jnp.full_like(start, size)], axis=1))
    found = jnp.concatenate(found)
    return jnp.any(found), jnp.concatenate(rows)[jnp.argmax(found)].astype(jnp.int32)


def _check_blocks(error, mapping):
    """The error, or that a block leaves its array, where that depends on nothing but the grid."""
    if mapping.num_index_operands or not mapping.grid or not all(isinstance(size, int) and size for size in mapping.grid):
        return error
    for block in mapping.block_mappings:
        if block.array_aval.shape and not any(isinstance(dim, (pallas_core.BoundedSlice, pallas_core.Indirect)) for dim in block.block_shape):
            is_outside, payload = _outside(mapping.grid, block)
            new = checkify.OOBError(checkify.get_traceback(), "pallas_call", block.array_aval.shape, payload)
            error = checkify.assert_func(error, is_outside, new)
    return error


def _check(error, enabled_errors, *operands, jaxpr, grid_mapping, out_avals, compiler_params, input_output_aliases, mesh, **params):
    """The rule of checkify for pallas_call."""
    call = functools.partial(pallas_call_module.pallas_call_p.bind, mesh=mesh, **params)
    if checkify.OOBError in enabled_errors:
        error = _check_blocks(error, grid_mapping)
    closed, refs = core.ClosedJaxpr(jaxpr, ()), [var.aval for var in jaxpr.invars]
    with grid_mapping.trace_env(), config._check_vma(False), config.mutable_array_checks(False):
        def functionalized():
            values, tree = jax.tree_util.tree_flatten(error)
            avals = [core.typeof(value) for value in values]
            return values, avals, checkify.jaxpr_to_checkify_jaxpr(closed, enabled_errors, tree, *avals, *refs)
        found = functionalized()[2][2]
        if not found:
            return error, call(*operands, jaxpr=jaxpr, grid_mapping=grid_mapping, out_avals=out_avals, compiler_params=compiler_params,
                               input_output_aliases=input_output_aliases)
        if mesh is not None or not all(isinstance(grid_mapping.grid[dim], int) for dim in grid_mapping.vmapped_dims):
            why = "on a mesh of cores" if mesh is not None else "of vmap of unknown size"
            raise NotImplementedError(f"checkify of the kernel {jaxpr.debug_info.func_src_info}, which has checks: checkify {why} is not supported")
        error = error._add_placeholder_effects(found)
        values, avals, (checked, out_tree, _) = functionalized()
        stored = [core.typeof(jax.eval_shape(_stored, aval)) for aval in avals]
        numbers, their_mappings = _call_numbers(grid_mapping)
        mapping = _with_errors(grid_mapping, stored, their_mappings)
        kernel = _checked_kernel(jaxpr, checked, avals, grid_mapping, mapping)
    first = grid_mapping.num_index_operands + grid_mapping.num_inputs
    same = ((first + i, len(out_avals) + i) for i in range(len(stored)))  # a grid without steps gives the error back
    made = call(*operands, *map(_stored, values), *numbers, jaxpr=kernel, grid_mapping=mapping, out_avals=(*out_avals, *stored),
                compiler_params=_in_order(compiler_params), input_output_aliases=(*dict(input_output_aliases).items(), *same))
    results, errors = made[:len(out_avals)], made[len(out_avals):]
    error, _ = jax.tree_util.tree_unflatten(out_tree, [value.astype(aval.dtype) for value, aval in zip(errors, avals)])
    return error, results


def _check_scoped(error, enabled_errors, *operands, jaxpr, **params):
    """The rule of checkify for run_scoped: the error's values go in beside what its body uses from outside, and come out before its results."""
    values, tree = jax.tree_util.tree_flatten(error)
    avals = [core.typeof(value) for value in (*values, *operands)] + [var.aval for var in jaxpr.invars]
    closed = core.ClosedJaxpr(pe.convert_constvars_jaxpr(jaxpr), ())
    checked, out_tree, _ = checkify.jaxpr_to_checkify_jaxpr(closed, enabled_errors, tree, *avals)
    given = (*checked.consts, *values, *operands)
    body = pe.convert_invars_to_constvars(pe.convert_constvars_jaxpr(checked.jaxpr), len(given))
    made = pallas_primitives.run_scoped_p.bind(*given, jaxpr=body, **params)
    return jax.tree_util.tree_unflatten(out_tree, made)


@functools.cache
def register():
    """From now on checkify knows kernels, if this JAX's own does not."""
    checkify.error_checks.setdefault(pallas_call_module.pallas_call_p, _check)
    checkify.error_checks.setdefault(pallas_primitives.run_scoped_p, _check_scoped)
