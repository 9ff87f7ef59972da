// SPDX-License-Identifier: Apache-2.0
// x[index] on arrays. Static slices come first, then windows that move, then a gather if there are
// index arrays, then a reshape that drops integers and adds new dimensions.
#include "ir/core/attr.h"
#include "ir/core/build.h"
#include "ir/core/ir.h"
#include "subscript.h"
#include "python/values/raise.h"
#include "array_data.h"
#include "promote.h"
#include <string.h>

static int64_t clamp(int64_t n, int64_t low, int64_t high) {
  return n < low ? low : n > high ? high : n;
}

// The static part of the index: slices and integers that no index array turns into one of its own.
static IrValue *static_part(Eval *ev, const IndexPlan *plan) {
  IrValue *x = plan->array;
  int64_t starts[IR_MAX_RANK], limits[IR_MAX_RANK], strides[IR_MAX_RANK], reversed[IR_MAX_RANK];
  size_t reverse_count = 0;
  bool whole = true;
  for (int d = 0; d < x->type->rank; d++) {
    starts[d] = 0;
    limits[d] = x->type->dims[d];
    strides[d] = 1;
  }
  for (size_t i = 0; i < plan->count; i++) {
    const IndexItem *item = &plan->items[i];
    int d = item->axis;
    int64_t first = item->start, step = item->step, count = item->count;
    if (item->kind == ITEM_INT && !plan->has_arrays) {
      if (limits[d] == 0)
        eval_raise(ev, ev->types.IndexError, "index %lld is out of bounds for axis %d with size 0",
                   (long long)first, d);
      first = clamp(first, 0, limits[d] - 1);
      step = count = 1;
    } else if (item->kind != ITEM_SLICE)
      continue;
    if (step < 0) {
      reversed[reverse_count++] = d;
      first += (count - 1) * step;
      step = -step;
    }
    int64_t end = count == 0 ? first : first + (count - 1) * step + 1;
    if (count == 0) first = end = clamp(first, 0, limits[d]);
    whole = whole && first == 0 && end == limits[d] && step == 1;
    starts[d] = first;
    limits[d] = end;
    strides[d] = step;
  }
  if (!whole) x = ir_slice(trace_builder(ev), x, starts, limits, strides);
  if (reverse_count) x = ir_rev(trace_builder(ev), x, reverse_count, reversed);
  return x;
}

// Numbers become int32 unless the mode says what is done with those that are out of bounds.
static void check_index_range(Eval *ev, const IndexPlan *plan) {
  for (size_t i = 0; i < plan->count && !ev->trace->x64; i++) {
    const IndexItem *item = &plan->items[i];
    if (item->kind != ITEM_INT) continue;
    // A negative one has had the size added.
    int64_t given =
        item->start < 0 ? item->start - plan->array->type->dims[item->axis] : item->start;
    if (given > INT32_MAX || given < INT32_MIN)
      eval_raise(ev, ev->types.OverflowError, "Python int %lld too large to convert to int32",
                 (long long)given);
  }
}

// Windows and scalars known only at run time.
static IrValue *dynamic_part(Eval *ev, const IndexPlan *plan, IrValue *x) {
  IrValue *starts[IR_MAX_RANK] = {NULL};
  int64_t sizes[IR_MAX_RANK];
  bool any = false;
  memcpy(sizes, x->type->dims, sizeof sizes);
  for (size_t i = 0; i < plan->count; i++) {
    const IndexItem *item = &plan->items[i];
    if (item->kind != ITEM_WINDOW && (item->kind != ITEM_SCALAR || plan->has_arrays)) continue;
    starts[item->axis] = item->value;
    sizes[item->axis] = item->count;
    if (item->count > x->type->dims[item->axis])
      eval_raise(ev, ev->types.ValueError,
                 "a slice of size %lld does not fit dimension %d, which has size %lld",
                 (long long)item->count, item->axis, (long long)x->type->dims[item->axis]);
    any = true;
  }
  if (!any) return x;
  IrBuilder *b = trace_builder(ev);
  IrValue *zero = ir_i32(b, 0);
  for (int d = 0; d < x->type->rank; d++)
    if (!starts[d]) starts[d] = zero;
  return ir_dynamic_slice(b, x, starts, sizes);
}

// ---- index arrays -------------------------------------------------------------------------------
static bool is_advanced(const IndexItem *item) {
  return item->kind == ITEM_ARRAY || item->kind == ITEM_INT || item->kind == ITEM_SCALAR;
}

void index_arrays(Eval *ev, const IndexPlan *plan, AdvancedIndex *out) {
  *out = (AdvancedIndex){.contiguous = true};
  const Aval *avals[IR_MAX_RANK];
  size_t previous = 0;
  for (size_t i = 0; i < plan->count; i++) {
    const IndexItem *item = &plan->items[i];
    if (!is_advanced(item)) continue;
    if (out->axis_count && i != previous + 1) out->contiguous = false;
    if (!out->axis_count) out->first_item = i;
    previous = i;
    out->axes[out->axis_count] = item->axis;
    Aval *aval = ARENA_NEW(ev->arena, Aval);
    *aval = item->value ? aval_of(item->value, false) : (Aval){.dtype = DT_I32};
    avals[out->axis_count++] = aval;
  }
  for (size_t i = 0; i < out->axis_count; i++)
    if (!broadcast_dims(&out->rank, out->dims, avals[i]->rank, avals[i]->dims))
      raise_broadcast(ev, NULL, out->axis_count, avals);
  // The index vectors: the arrays side by side in a new last dimension.
  int64_t dims[IR_MAX_RANK + 1];
  memcpy(dims, out->dims, sizeof out->dims);
  if (out->rank + 1 > IR_MAX_RANK)
    eval_raise(ev, ev->types.ValueError, "the index arrays have too many dimensions");
  dims[out->rank] = 1;
  IrValue *columns[IR_MAX_RANK];
  size_t column = 0;
  IrBuilder *b = trace_builder(ev);
  for (size_t i = 0; i < plan->count; i++) {
    const IndexItem *item = &plan->items[i];
    if (!is_advanced(item)) continue;
    IrValue *x =
        item->value ? item->value : ir_i32(b, (int32_t)clamp(item->start, INT32_MIN, INT32_MAX));
    x = ir_broadcast_to(b, x, out->rank, out->dims);
    columns[column++] = ir_reshape(b, x, out->rank + 1, dims);
  }
  out->indices = column == 1 ? columns[0] : ir_concat(b, column, columns, (int)out->rank);
}

// Where the dimensions of the index arrays stand in the result, new dimensions not counted.
static size_t index_array_position(const IndexPlan *plan, const AdvancedIndex *adv) {
  size_t position = 0;
  if (!adv->contiguous) return 0;
  for (size_t i = 0; i < adv->first_item; i++)
    position += plan->items[i].kind == ITEM_SLICE || plan->items[i].kind == ITEM_WINDOW;
  return position;
}

IrOp *build_gather(Eval *ev, IrValue *operand, IrValue *indices, const GatherSpec *spec) {
  IrModule *m = trace_module(ev);
  int64_t dims[IR_MAX_RANK];
  size_t rank = 0, batch = 0, window = 0;
  size_t index_rank = indices->type->rank - 1u;
  size_t result_rank = index_rank + spec->offset_count;
  if (result_rank > IR_MAX_RANK)
    eval_raise(ev, ev->types.ValueError, "the result of the gather has too many dimensions");
  for (; rank < result_rank; rank++) {
    if (batch + window != rank) BUG("gather dimensions");
    if (window < spec->offset_count && spec->offset_dims[window] == (int64_t)rank) {
      dims[rank] = spec->window_dims[window];
      window++;
    } else
      dims[rank] = indices->type->dims[batch++];
  }
  const IrType *type = array_type_checked(ev, operand->type->dtype, result_rank, dims);
  IrOp *op = ir_build(trace_builder(ev), OP_GATHER, 2, (IrValue *[]){operand, indices}, 1, &type);
  ir_set_ints(m, op, ATTR_OFFSET_DIMS, spec->offset_count, spec->offset_dims);
  ir_set_ints(m, op, ATTR_COLLAPSED_DIMS, spec->collapsed_count, spec->collapsed);
  ir_set_ints(m, op, ATTR_INDEX_MAP, spec->map_count, spec->map);
  ir_set_ints(m, op, ATTR_OPERAND_BATCH, spec->batch_count, spec->operand_batch);
  ir_set_ints(m, op, ATTR_INDEX_BATCH, spec->batch_count, spec->index_batch);
  ir_set_ints(m, op, ATTR_SIZES, operand->type->rank, spec->sizes);
  ir_set_int(m, op, ATTR_MODE, spec->mode);
  const uint64_t zero = 0;
  ir_set_data(m, op, ATTR_FILL, operand->type->dtype, 1, spec->fill ? spec->fill : &zero);
  return op;
}

void default_fill(DType dtype, void *out) {
  switch (dtype_kind(dtype)) {
  case 'f': dtype_store_f64(dtype, out, __builtin_nan("")); break;
  case 'i': dtype_store_i64(dtype, out, dtype_int_min(dtype)); break;
  case 'u': dtype_store_i64(dtype, out, (int64_t)dtype_int_max(dtype)); break;
  default: dtype_store_i64(dtype, out, 1); break;
  }
}

void index_gather_spec(const IndexPlan *plan, const AdvancedIndex *adv, const IrType *type,
                       GatherSpec *spec) {
  size_t at = index_array_position(plan, adv);
  uint32_t advanced = 0;
  for (size_t i = 0; i < adv->axis_count; i++) {
    advanced |= 1u << adv->axes[i];
    spec->map[spec->map_count++] = adv->axes[i];
    spec->collapsed[spec->collapsed_count++] = adv->axes[i];
  }
  for (int d = 0; d < type->rank; d++) {
    bool taken = advanced >> d & 1;
    spec->sizes[d] = taken ? 1 : type->dims[d];
    if (taken) continue;
    size_t n = spec->offset_count++;
    spec->offset_dims[n] = (int64_t)(n < at ? n : n + adv->rank);
    spec->window_dims[n] = type->dims[d];
  }
}

static IrValue *gather_part(Eval *ev, const IndexPlan *plan, IrValue *x, WindowMode mode,
                            const void *fill, AdvancedIndex *adv) {
  index_arrays(ev, plan, adv);
  for (size_t i = 0; i < adv->axis_count; i++)
    if (x->type->dims[adv->axes[i]] == 0 && ir_type_count(adv->indices->type))
      eval_raise(ev, ev->types.IndexError, "an index is out of bounds for axis %d with size 0",
                 adv->axes[i]);
  GatherSpec spec = {.mode = mode, .fill = fill};
  index_gather_spec(plan, adv, x->type, &spec);
  return build_gather(ev, x, adv->indices, &spec)->results[0];
}

// ---- the result's shape: new dimensions in, integers out ----------------------------------------
static IrValue *reshaped(Eval *ev, const IndexPlan *plan, IrValue *x, const AdvancedIndex *adv) {
  int64_t dims[INDEX_MAX_ITEMS + IR_MAX_RANK];
  size_t rank = 0, from = 0;
  bool placed = false;
  if (adv && !adv->contiguous) {
    for (; from < adv->rank; from++) dims[rank++] = x->type->dims[from];
    placed = true;
  }
  for (size_t i = 0; i < plan->count; i++) {
    const IndexItem *item = &plan->items[i];
    if (item->kind == ITEM_NEW)
      dims[rank++] = 1;
    else if (adv && is_advanced(item)) {
      for (size_t k = 0; !placed && k < adv->rank; k++) dims[rank++] = x->type->dims[from++];
      placed = true;
    } else if (item->kind == ITEM_INT || item->kind == ITEM_SCALAR)
      from++;
    else
      dims[rank++] = x->type->dims[from++];
  }
  if (rank > IR_MAX_RANK)
    eval_raise(ev, ev->types.ValueError, "the result of the index has more than %d dimensions",
               IR_MAX_RANK);
  if (rank == x->type->rank && memcmp(dims, x->type->dims, rank * sizeof *dims) == 0) return x;
  return ir_reshape(trace_builder(ev), x, rank, dims);
}

IrValue *index_array(Eval *ev, IrValue *x, Value index, bool wrap, const WindowMode *given,
                     const void *fill) {
  IndexPlan plan;
  index_plan(ev, x, index, wrap, &plan);
  if (!given) check_index_range(ev, &plan);
  WindowMode mode = given ? *given : WINDOW_CLIP;
  // Filling needs to see which integers are out of bounds: all of them become index arrays then.
  if (mode == WINDOW_FILL)
    for (size_t i = 0; i < plan.count; i++)
      if (plan.items[i].kind == ITEM_SCALAR ||
          (plan.items[i].kind == ITEM_INT &&
           (plan.items[i].start < 0 || plan.items[i].start >= x->type->dims[plan.items[i].axis])))
        plan.has_arrays = true;
  x = static_part(ev, &plan);
  x = dynamic_part(ev, &plan, x);
  if (!plan.has_arrays) return reshaped(ev, &plan, x, NULL);
  AdvancedIndex adv;
  x = gather_part(ev, &plan, x, mode, fill, &adv);
  return reshaped(ev, &plan, x, &adv);
}

Value array_getitem(Eval *ev, Value a, Value index) {
  Aval aval;
  take_aval(ev, "indexing", a, 0, &aval);
  settle_index(ev, index);
  return array_new(ev, index_array(ev, array_ir(ev, a, DT_COUNT), index, true, NULL, NULL),
                   aval.weak);
}
