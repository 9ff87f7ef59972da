# SPDX-License-Identifier: Apache-2.0
"""What memory holds that nobody has written, for InterpretParams(uninitialized_memory=).

In: the parameters of a pallas_call, the types of results. Out: the parameters with scratch that is filled before the first program of the
grid; the bytes that results are filled with.
"""
import functools

import jax.numpy as jnp
import numpy as np
from jax._src import linear_util as lu
from jax._src.interpreters import partial_eval as pe
from jax._src.pallas.mosaic.interpret import utils
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu

_NUMBERS = (jnp.floating, jnp.integer, jnp.bool_)


def _has_value(dtype):
    return any(jnp.issubdtype(dtype, kind) for kind in _NUMBERS)


def of_results(avals, memory):
    """For each result its size and eight bytes that repeat, as the handler of the calls takes them."""
    out = []
    for aval in avals:
        is_filled = _has_value(aval.dtype)
        value = np.full((), utils.get_uninitialized_value(aval.dtype, memory) if is_filled else 0, aval.dtype).tobytes()
        out += [aval.size * len(value) if is_filled else 0, int.from_bytes((value * 8)[:8], "little", signed=True)]
    return np.array(out, np.int64)


def _fill(memory, rank, *refs):
    def fill():
        for ref in refs:
            ref[...] = utils.get_uninitialized_array(ref.shape, ref.dtype, memory)
    if rank:
        pl.when(functools.reduce(jnp.logical_and, [pl.program_id(axis) == 0 for axis in range(rank)]))(fill)
    else:
        fill()
    return ()


def with_scratch(params, memory):
    """The call, where the first program of its grid fills the arrays of numbers among its scratch in VMEM."""
    jaxpr, mapping = params["jaxpr"], params["grid_mapping"]
    scratch = [v for v in jaxpr.invars[mapping.slice_scratch_ops]
               if v.aval.memory_space == pltpu.VMEM and v.aval.shape and _has_value(v.aval.dtype)]
    if not scratch:
        return params
    function = functools.partial(_fill, memory, len(mapping.grid) - len(mapping.vmapped_dims))
    with mapping.trace_env():
        filling, _, consts = pe.trace_to_jaxpr_dynamic(lu.wrap_init(function, debug_info=jaxpr.debug_info.with_unknown_names()),
                                                       [v.aval for v in scratch])
    assert not consts
    refs = dict(zip(filling.invars, scratch))
    first = [e.replace(invars=[v if hasattr(v, "val") else refs.get(v, v) for v in e.invars]) for e in filling.eqns]
    return {**params, "jaxpr": jaxpr.replace(eqns=[*first, *jaxpr.eqns])}
