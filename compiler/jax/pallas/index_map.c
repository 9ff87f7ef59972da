// SPDX-License-Identifier: Apache-2.0
// What an index map depends on: it is called with indices of its own, and nothing of that is kept.
#include "jax/transform/pytree_leaves.h"
#include "python/objects/convert.h"
#include "python/objects/protocol.h"
#include "python/objects/value_call.h"
#include "python/values/new_value.h"
#include "python/values/raise.h"
#include "python/values/values.h"
#include "pallas.h"

typedef struct MapProbe {
  Value index_map;
  size_t rank;
  IrRegion *region;
  bool is_plain; // gives scalars
  VEC(IrValue *) results;
} MapProbe;

static void probe_map(Eval *ev, void *data) {
  MapProbe *probe = data;
  Value args[IR_MAX_RANK];
  for (size_t i = 0; i < probe->rank; i++) args[i] = array_new(ev, probe->region->args[i], false);
  Value result = value_call_n(ev, probe->index_map, probe->rank, args);
  if (!value_as_tuple(result) && !value_as_list(result)) result = make_tuple(ev, 1, &result);
  for (size_t i = 0; i < (size_t)value_len(ev, result); i++) {
    Aval aval;
    // A slice, or a list of indices.
    if (!value_aval(ev, pallas_item(ev, result, i), false, &aval) || aval.rank) return;
    VEC_PUSH(ev->arena, &probe->results,
             index_as_i32(ev, array_ir(ev, pallas_item(ev, result, i), DT_I32)));
  }
  probe->is_plain = true;
}

static bool probe_depends(const MapProbe *probe, size_t dim) {
  const IrValue *index = probe->region->args[dim];
  if (index->use_count) return true;
  for (size_t i = 0; i < probe->results.count; i++)
    if (probe->results.items[i] == index) return true;
  return false;
}

Value pallas_is_constant_map(Eval *ev, Value *a) { // index_map, rank, dims
  int64_t rank = take_int(ev, a[1], "rank of the grid");
  if (rank < 0 || rank > IR_MAX_RANK)
    eval_raise(ev, ev->types.ValueError, "a grid has at most %d dimensions", IR_MAX_RANK);
  MapProbe probe = {.index_map = a[0], .rank = (size_t)rank, .region = region_begin(ev)};
  for (size_t i = 0; i < probe.rank; i++)
    ir_region_add_arg(probe.region, ir_array_type(trace_module(ev), DT_I32, 0, NULL), NULL);
  region_trace(ev, probe_map, &probe, probe.region);
  bool constant = probe.is_plain;
  for (const IrOp *op = probe.region->first; op; op = op->next)
    constant = constant && op->code != OP_LOAD && !op->region_count;
  for (size_t i = 0; i < (size_t)value_len(ev, a[2]); i++)
    constant = constant &&
               !probe_depends(&probe, (size_t)take_int(ev, pallas_item(ev, a[2], i), "dimension"));
  region_discard(probe.region);
  return v_bool(constant);
}
