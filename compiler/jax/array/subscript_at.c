// SPDX-License-Identifier: Apache-2.0
// x.at[index].set(y) and the like: functional updates, as a dynamic_update_slice where that says it
// all, else as a scatter.
#include "numpy/arrays/nd.h"
#include "ir/core/attr.h"
#include "ir/core/build.h"
#include "ir/core/ir.h"
#include "subscript_at.h"
#include "subscript.h"
#include "python/modules/module.h"
#include "python/objects/attribute.h"
#include "python/values/new_value.h"
#include "python/objects/protocol.h"
#include "python/values/raise.h"
#include "python/objects/type.h"
#include "python/objects/value_call.h"
#include "python/values/values.h"
#include "arith.h"
#include "array_data.h"
#include "array_names.h"
#include "promote.h"
#include <string.h>

typedef struct AtHelper { // x.at
  Object base;
  Value array;
} AtHelper;
typedef struct AtRef { // x.at[index]
  Object base;
  Value array, index;
} AtRef;

// ---- modes --------------------------------------------------------------------------------------
// Strings and lax.GatherScatterMode members (whose name says it).
WindowMode take_gather_mode(Eval *ev, Value v, WindowMode absent) {
  if (v_is_none(v) || v_is_unbound(v)) return absent;
  Str text;
  if (!value_as_str(v, &text)) {
    Value name = value_getattr_opt(ev, v, array_names(ev)->name);
    if (v_is_unbound(name) || !value_as_str(name, &text)) text = value_str(ev, v);
  }
  static const struct {
    const char *name;
    WindowMode mode;
  } modes[] = {
      {"clip", WINDOW_CLIP},
      {"CLIP", WINDOW_CLIP},
      {"fill", WINDOW_FILL},
      {"drop", WINDOW_FILL},
      {"FILL_OR_DROP", WINDOW_FILL},
      {"promise_in_bounds", WINDOW_PROMISE},
      {"PROMISE_IN_BOUNDS", WINDOW_PROMISE},
  };
  for (size_t i = 0; i < COUNT_OF(modes); i++)
    if (str_equal(text, str_from_c(modes[i].name))) return modes[i].mode;
  if (str_equal(text, STR("ONE_HOT")))
    eval_raise(ev, ev->types.NotImplementedError, "gather mode ONE_HOT is not yet supported");
  eval_raise(ev, ev->types.ValueError, "Unknown gather mode \"%.*s\"", STR_FMT(text));
}

// Updates that are out of bounds are dropped where they were promised not to be: so XLA does.
WindowMode take_scatter_mode(Eval *ev, Value v) {
  WindowMode mode = take_gather_mode(ev, v, WINDOW_FILL);
  return mode == WINDOW_PROMISE ? WINDOW_FILL : mode;
}

// ---- the update ---------------------------------------------------------------------------------
typedef enum AtOp {
  AT_SET,
  AT_ADD,
  AT_MUL,
  AT_MIN,
  AT_MAX,
  AT_SUB,
  AT_DIV,
  AT_POW,
  AT_APPLY,
  AT_GET
} AtOp;

static AtOp at_op(Eval *ev, const char *op) {
  static const struct {
    const char *name;
    AtOp op;
  } ops[] = {
      {"set", AT_SET}, {"add", AT_ADD},     {"subtract", AT_SUB}, {"multiply", AT_MUL},
      {"mul", AT_MUL}, {"divide", AT_DIV},  {"power", AT_POW},    {"min", AT_MIN},
      {"max", AT_MAX}, {"apply", AT_APPLY}, {"get", AT_GET},
  };
  for (size_t i = 0; i < COUNT_OF(ops); i++)
    if (strcmp(ops[i].name, op) == 0) return ops[i].op;
  eval_raise(ev, ev->types.AttributeError, "'_IndexUpdateRef' object has no attribute '%s'", op);
}

static IrValue *combine(Eval *ev, AtOp op, IrValue *old, IrValue *y) {
  IrBuilder *b = trace_builder(ev);
  switch (op) {
  case AT_SET: return y;
  case AT_ADD: return ir_binary(b, OP_ADD, old, y);
  case AT_SUB: return ir_binary(b, OP_SUB, old, y);
  case AT_MUL: return ir_binary(b, OP_MUL, old, y);
  case AT_MIN: return ir_binary(b, OP_MIN, old, y);
  case AT_MAX: return ir_binary(b, OP_MAX, old, y);
  default: BUG("an update that is not a plain op");
  }
}

// The indexed part as the static and moving windows of the plan give it: shape of the window
// (integers as size 1), its starts, and whether it lies inside.
typedef struct Window {
  IrValue *starts[IR_MAX_RANK];
  int64_t sizes[IR_MAX_RANK];
  IrValue *inside; // bool scalar; NULL: surely
} Window;

static void window_and(Eval *ev, Window *w, IrValue *test) {
  w->inside = w->inside ? ir_binary(trace_builder(ev), OP_AND, w->inside, test) : test;
}

static void window_bounds(Eval *ev, Window *w, IrValue *start, int64_t size, int64_t whole) {
  IrBuilder *b = trace_builder(ev);
  window_and(ev, w, ir_binary(b, OP_GE, start, ir_i32(b, 0)));
  window_and(ev, w, ir_binary(b, OP_LE, start, ir_i32(b, (int32_t)(whole - size))));
}

// False if the index is not one window (strides, index arrays).
static bool plan_window(Eval *ev, const IndexPlan *plan, bool clip, Window *w) {
  if (plan->has_arrays) return false;
  *w = (Window){.inside = NULL};
  const IrType *type = plan->array->type;
  for (size_t i = 0; i < plan->count; i++) {
    const IndexItem *item = &plan->items[i];
    int d = item->axis;
    if (item->kind == ITEM_NEW) continue;
    if (item->step != 1 && item->kind != ITEM_INT && item->kind != ITEM_SCALAR && item->count > 1)
      return false;
    w->sizes[d] = item->count;
    int64_t start = item->start;
    if (item->kind == ITEM_INT && clip)
      start = start < 0 ? 0 : start >= type->dims[d] ? type->dims[d] - 1 : start;
    if (item->kind == ITEM_INT && (start < 0 || start >= type->dims[d])) {
      w->inside = ir_const_i64(trace_builder(ev), array_type_checked(ev, DT_BOOL, 0, NULL), 0);
      start = 0;
    }
    w->starts[d] = item->value ? item->value : ir_i32(trace_builder(ev), (int32_t)start);
    if (item->value && !clip) window_bounds(ev, w, item->value, item->count, type->dims[d]);
    if (item->count > type->dims[d]) return false;
  }
  return true;
}

// The shape that x[index] has, from the plan (no index arrays).
static size_t plan_shape(const IndexPlan *plan, int64_t *dims) {
  size_t rank = 0;
  for (size_t i = 0; i < plan->count; i++) {
    const IndexItem *item = &plan->items[i];
    if (item->kind == ITEM_NEW)
      dims[rank++] = 1;
    else if (item->kind == ITEM_SLICE || item->kind == ITEM_WINDOW)
      dims[rank++] = item->count;
  }
  return rank;
}

static IrValue *update_to(Eval *ev, Value y, DType dtype, size_t rank, const int64_t *dims) {
  Aval aval;
  take_aval(ev, "scatter", y, 2, &aval);
  Aval wanted = {.dtype = dtype, .rank = (uint8_t)rank};
  memcpy(wanted.dims, dims, rank * sizeof *dims);
  check_broadcast_to(ev, aval, &wanted);
  return operand_as(ev, y, dtype, rank, dims);
}

static IrValue *update_window(Eval *ev, AtOp op, const IndexPlan *plan, const Window *w, Value y) {
  int64_t dims[INDEX_MAX_ITEMS];
  size_t rank = plan_shape(plan, dims);
  IrValue *x = plan->array;
  IrBuilder *b = trace_builder(ev);
  IrValue *old = NULL;
  if (op != AT_SET || w->inside) old = ir_dynamic_slice(b, x, w->starts, w->sizes);
  IrValue *now = update_to(ev, y, x->type->dtype, rank, dims);
  now = combine(ev, op, old, ir_reshape(b, now, x->type->rank, w->sizes));
  if (w->inside) {
    IrValue *inside = ir_broadcast_to(b, w->inside, now->type->rank, now->type->dims);
    now = ir_select(b, inside, now, old);
  }
  return ir_dynamic_update_slice(b, x, now, w->starts);
}

// ---- scatter ------------------------------------------------------------------------------------
IrOp *build_scatter(Eval *ev, IrValue *operand, IrValue *indices, IrValue *updates,
                    const GatherSpec *spec, ScatterCombine how) {
  IrModule *m = trace_module(ev);
  const IrType *type = operand->type;
  IrOp *op = ir_build(trace_builder(ev), OP_SCATTER, 3, (IrValue *[]){operand, indices, updates}, 1,
                      &type);
  ir_set_ints(m, op, ATTR_OFFSET_DIMS, spec->offset_count, spec->offset_dims);
  ir_set_ints(m, op, ATTR_COLLAPSED_DIMS, spec->collapsed_count, spec->collapsed);
  ir_set_ints(m, op, ATTR_INDEX_MAP, spec->map_count, spec->map);
  ir_set_ints(m, op, ATTR_OPERAND_BATCH, spec->batch_count, spec->operand_batch);
  ir_set_ints(m, op, ATTR_INDEX_BATCH, spec->batch_count, spec->index_batch);
  ir_set_int(m, op, ATTR_MODE, spec->mode);
  ir_set_int(m, op, ATTR_COMBINE, how);
  return op;
}

// Slices with steps become index arrays of their own, so that one scatter covers every index. Their
// axes then stand apart by broadcasting: slice number k of n varies along dimension k of the index
// arrays' shape, behind (or around) that of the arrays given.
static void slices_to_arrays(Eval *ev, IndexPlan *plan) {
  size_t slices = 0, array_rank = 0, place = 0, first = plan->count;
  for (size_t i = 0; i < plan->count; i++) {
    const IndexItem *item = &plan->items[i];
    slices += item->kind == ITEM_SLICE || item->kind == ITEM_WINDOW;
    if (item->value && item->kind == ITEM_ARRAY && item->value->type->rank > array_rank)
      array_rank = item->value->type->rank;
  }
  AdvancedIndex adv = {.contiguous = true};
  size_t previous = 0;
  bool any = false;
  for (size_t i = 0; i < plan->count; i++) {
    const IndexItem *item = &plan->items[i];
    bool is_array = item->kind == ITEM_ARRAY ||
                    (plan->has_arrays && (item->kind == ITEM_INT || item->kind == ITEM_SCALAR));
    if (!is_array) continue;
    if (any && i != previous + 1) adv.contiguous = false;
    if (!any) first = i;
    any = true;
    previous = i;
  }
  size_t before = 0; // slices whose dimensions come before those of the arrays
  for (size_t i = 0; adv.contiguous && any && i < first; i++)
    before += plan->items[i].kind == ITEM_SLICE || plan->items[i].kind == ITEM_WINDOW;
  size_t rank = slices + array_rank;
  if (rank + 1 > IR_MAX_RANK)
    eval_raise(ev, ev->types.ValueError, "the index has too many dimensions");
  for (size_t i = 0; i < plan->count; i++) {
    IndexItem *item = &plan->items[i];
    int64_t dims[IR_MAX_RANK];
    for (size_t d = 0; d < rank; d++) dims[d] = 1;
    IrBuilder *b = trace_builder(ev);
    if (item->kind == ITEM_SLICE || item->kind == ITEM_WINDOW) {
      size_t at = place < before ? place : place + array_rank;
      place++;
      int64_t n = item->count;
      IrValue *k = ir_iota(b, array_type_checked(ev, DT_I32, 1, &n), 0);
      if (item->step != 1) k = ir_binary(b, OP_MUL, k, ir_const_i64(b, k->type, item->step));
      IrValue *base = item->value ? item->value : ir_i32(b, (int32_t)item->start);
      k = ir_binary(b, OP_ADD, k, ir_broadcast_to(b, base, 1, &n));
      dims[at] = n;
      item->value = ir_reshape(b, k, rank, dims);
      item->kind = ITEM_ARRAY;
    } else if (item->kind == ITEM_ARRAY) {
      // The array's own dimensions, then size 1 for the slices that come after it.
      const IrType *type = item->value->type;
      for (size_t d = 0; d < type->rank; d++)
        dims[before + (array_rank - type->rank) + d] = type->dims[d];
      item->value = ir_reshape(b, item->value, rank, dims);
    }
  }
  plan->has_arrays = true;
}

static ScatterCombine combine_of(AtOp op) {
  switch (op) {
  case AT_ADD: return COMBINE_ADD;
  case AT_MUL: return COMBINE_MUL;
  case AT_MIN: return COMBINE_MIN;
  case AT_MAX: return COMBINE_MAX;
  default: return COMBINE_SET;
  }
}

static bool slices_are_whole(const IndexPlan *plan) {
  for (size_t i = 0; i < plan->count; i++) {
    const IndexItem *item = &plan->items[i];
    if (item->kind == ITEM_WINDOW) return false;
    if (item->kind == ITEM_SLICE &&
        (item->step != 1 || item->start != 0 || item->count != plan->array->type->dims[item->axis]))
      return false;
  }
  return true;
}

// The dimensions that x[index] has: of size 1 for each None, the others as without them.
typedef struct NewDims {
  bool is_new[IR_MAX_RANK];
  size_t rank;
} NewDims;

static void add_dims(Eval *ev, NewDims *n, size_t count, bool is_new) {
  if (n->rank + count > IR_MAX_RANK)
    eval_raise(ev, ev->types.ValueError, "the updates have too many dimensions");
  for (size_t i = 0; i < count; i++) n->is_new[n->rank++] = is_new;
}

static bool is_advanced(const IndexPlan *plan, const IndexItem *item) {
  return item->kind == ITEM_ARRAY ||
         (plan->has_arrays && (item->kind == ITEM_INT || item->kind == ITEM_SCALAR));
}

// Takes the Nones out of the plan. One between two index arrays moves the arrays' dimensions to the
// front, where they are without it only if no slice is before them.
static NewDims take_new_dims(Eval *ev, IndexPlan *plan) {
  NewDims n = {.rank = 0};
  size_t array_rank = 0, first = plan->count, last = 0, advanced = 0, between = 0, before = 0,
         kept = 0;
  for (size_t i = 0; i < plan->count; i++) {
    const IndexItem *item = &plan->items[i];
    if (item->kind == ITEM_ARRAY && item->value->type->rank > array_rank)
      array_rank = item->value->type->rank;
    if (!is_advanced(plan, item)) continue;
    if (advanced++ == 0) first = i;
    last = i;
  }
  for (size_t i = first; i < last; i++) between += plan->items[i].kind == ITEM_NEW;
  for (size_t i = 0; advanced && i < first; i++) before += plan->items[i].kind != ITEM_NEW;
  bool contiguous = advanced == 0 || last - first + 1 == advanced;
  if (between && before && last - first + 1 == advanced + between)
    eval_raise(ev, ev->types.NotImplementedError,
               "None between the index arrays of x.at[…] is not yet supported");
  if (!contiguous) add_dims(ev, &n, array_rank, false);
  for (size_t i = 0; i < plan->count; i++) {
    const IndexItem item = plan->items[i];
    if (contiguous && i == first) add_dims(ev, &n, array_rank, false);
    if (item.kind == ITEM_SLICE || item.kind == ITEM_WINDOW) add_dims(ev, &n, 1, false);
    if (item.kind == ITEM_NEW)
      add_dims(ev, &n, 1, true);
    else
      plan->items[kept++] = item;
  }
  plan->count = kept;
  return n;
}

static IrValue *update_scatter(Eval *ev, AtOp op, IndexPlan *plan, Value y, WindowMode mode) {
  NewDims with_new = take_new_dims(ev, plan);
  if (!slices_are_whole(plan)) slices_to_arrays(ev, plan);
  AdvancedIndex adv;
  index_arrays(ev, plan, &adv);
  IrValue *x = plan->array, *updates;
  GatherSpec spec = {.mode = mode};
  index_gather_spec(plan, &adv, x->type, &spec);
  int64_t dims[IR_MAX_RANK], seen[IR_MAX_RANK];
  size_t rank = adv.rank + spec.offset_count, window = 0, from = 0;
  if (rank > IR_MAX_RANK)
    eval_raise(ev, ev->types.ValueError, "the updates have too many dimensions");
  for (size_t d = 0; d < rank; d++) {
    bool is_window = window < spec.offset_count && spec.offset_dims[window] == (int64_t)d;
    dims[d] = is_window ? spec.window_dims[window++] : adv.dims[from++];
  }
  from = 0;
  for (size_t d = 0; d < with_new.rank; d++) seen[d] = with_new.is_new[d] ? 1 : dims[from++];
  updates = update_to(ev, y, x->type->dtype, with_new.rank, seen);
  updates = ir_reshape(trace_builder(ev), updates, rank, dims);
  if (op == AT_SUB) {
    updates = ir_unary(trace_builder(ev), OP_NEG, updates);
    op = AT_ADD;
  }
  IrOp *scatter = build_scatter(ev, x, adv.indices, updates, &spec, combine_of(op));
  return scatter->results[0];
}

// A mask whose values are known only when the program runs: how many elements it selects is not
// known, but an update that does not depend on it is a select.
static bool is_traced_mask(Eval *ev, Value v) {
  if (!value_is_array(ev, v) || !value_is_traced(ev, v)) return false;
  const Aval *aval = &((Array *)v.o)->aval;
  return aval->dtype == DT_BOOL && aval->rank > 0;
}

static bool has_traced_mask(Eval *ev, Value index) {
  const Tuple *items = value_as_tuple(index);
  if (!items) return is_traced_mask(ev, index);
  for (size_t i = 0; i < items->count; i++)
    if (is_traced_mask(ev, items->items[i])) return true;
  return false;
}

// from_end: negative indices count from the end.
static Value array_at(Eval *ev, Value a, Value index, const char *name, Value operand, Value mode,
                      Value fill, bool from_end) {
  AtOp op = at_op(ev, name);
  Aval aval;
  take_aval(ev, "scatter", a, 0, &aval);
  settle_index(ev, index);
  if (op == AT_GET) {
    WindowMode how = take_gather_mode(ev, mode, WINDOW_CLIP); // what fills is for mode="fill" alone
    uint64_t element = 0;
    if (how == WINDOW_FILL) {
      if (v_is_none(fill) || v_is_unbound(fill))
        default_fill(aval.dtype, &element);
      else if (fill.kind == V_FLOAT)
        dtype_store_f64(aval.dtype, &element, fill.f);
      else {
        NdArray *data = array_concrete(ev, fill, "fill_value");
        if (dtype_is_float(data->dtype))
          dtype_store_f64(aval.dtype, &element, dtype_load_f64(data->dtype, data->data));
        else
          dtype_store_i64(aval.dtype, &element, dtype_load_i64(data->dtype, data->data));
      }
    }
    // As a plain subscript: an index that is known must be an int32, and is clipped.
    bool is_plain = how == WINDOW_PROMISE || (v_is_none(mode) && how == WINDOW_CLIP);
    IrValue *source = array_ir(ev, a, DT_COUNT);
    return array_new(ev, index_array(ev, source, index, true, is_plain ? NULL : &how, &element),
                     aval.weak);
  }
  WindowMode how = take_scatter_mode(ev, mode);
  if (op != AT_APPLY && (value_as_list(operand) || value_as_tuple(operand)))
    operand = value_call_n(ev, module_lookup(ev, "jax.numpy", "asarray"), 1, &operand);
  if (op >= AT_ADD && op <= AT_SUB) { // computed in the type that both have in common
    Aval y;
    bool weak;
    take_aval(ev, "scatter", operand, 2, &y);
    DType common = promote_or_raise(ev, aval.dtype, aval.weak, y.dtype, y.weak, &weak);
    if (common != aval.dtype) {
      Value wide = array_astype(ev, a, common);
      wide = array_at(ev, wide, index, name, operand, mode, fill, from_end);
      return array_astype(ev, wide, aval.dtype);
    }
  }
  if (has_traced_mask(ev, index)) {
    Value args[] = {a, index, make_str_c(ev, name), operand};
    return value_call_n(ev, module_lookup(ev, "jax.numpy._indices", "_masked_update"), 4, args);
  }
  IrValue *x = array_ir(ev, a, DT_COUNT);
  if (op == AT_DIV ||
      op == AT_POW) { // of repeated indices each counts: through the product of the operands
    Value ones = array_result(ev, ir_const_i64(trace_builder(ev), x->type, 1));
    Value factor = array_at(ev, ones, index, "multiply", operand, mode, fill, from_end);
    return op == AT_DIV ? array_true_divide(ev, a, factor) : array_power(ev, a, factor);
  }
  IndexPlan plan;
  index_plan(ev, x, index, from_end, &plan);
  if (op == AT_APPLY) {
    Value args[] = {a, index, operand, mode, v_bool(from_end), v_bool(plan.has_arrays)};
    return value_call_n(ev, module_lookup(ev, "jax.numpy._indices", "_apply_each"), 6, args);
  }
  Window window;
  IrValue *updated = plan_window(ev, &plan, how != WINDOW_FILL, &window)
                         ? update_window(ev, op, &plan, &window, operand)
                         : update_scatter(ev, op, &plan, operand, how);
  // The plan's array has a dimension more for each True or False in the index.
  return array_result(ev, ir_reshape(trace_builder(ev), updated, aval.rank, aval.dims));
}

// ---- the objects x.at and x.at[index] -----------------------------------------------------------
Value at_helper_new(Eval *ev, Value array) {
  AtHelper *at = ARENA_NEW(ev->arena, AtHelper);
  at->base.type = ev->trace->arrays->types.at_helper;
  at->array = array;
  return v_object(at);
}

static Value at_getitem(Eval *ev, Value self, Value index) {
  AtRef *ref = ARENA_NEW(ev->arena, AtRef);
  ref->base.type = ev->trace->arrays->types.at_ref;
  ref->array = ((AtHelper *)self.o)->array;
  ref->index = index;
  return v_object(ref);
}

static Str at_repr(Eval *ev, Value self) {
  return str_format(ev->arena, "_IndexUpdateHelper(%.*s)",
                    STR_FMT(value_repr(ev, ((AtHelper *)self.o)->array)));
}

static Str at_ref_repr(Eval *ev, Value self) {
  AtRef *ref = (AtRef *)self.o;
  return str_format(ev->arena, "_IndexUpdateRef(%.*s, %.*s)", STR_FMT(value_repr(ev, ref->array)),
                    STR_FMT(value_repr(ev, ref->index)));
}

// The common signature of the updates: (values, *, indices_are_sorted, unique_indices, mode,
// out_sharding, wrap_negative_indices).
#define UPDATE(name)                                                                               \
  static Value at_##name(Eval *ev, Value *a) {                                                     \
    AtRef *ref = (AtRef *)a[0].o;                                                                  \
    if (!v_is_none(a[5]))                                                                          \
      eval_raise(ev, ev->types.NotImplementedError, "out_sharding is not yet supported");          \
    return array_at(ev, ref->array, ref->index, #name, a[1], a[4], v_none(),                       \
                    value_truth(ev, a[6]));                                                        \
  }
UPDATE(set)
UPDATE(add)
UPDATE(subtract)
UPDATE(multiply)
UPDATE(divide)
UPDATE(power)
UPDATE(min)
UPDATE(max)
UPDATE(apply)
#undef UPDATE

static Value at_get(Eval *ev, Value *a) {
  AtRef *ref = (AtRef *)a[0].o;
  if (!v_is_none(a[5]))
    eval_raise(ev, ev->types.NotImplementedError, "out_sharding is not yet supported");
  if (a[6].kind == V_BOOL && !a[6].i) {
    Aval aval;
    take_aval(ev, "indexing", ref->array, 0, &aval);
    settle_index(ev, ref->index);
    uint64_t element = 0;
    default_fill(aval.dtype, &element);
    WindowMode mode = take_gather_mode(ev, a[3], WINDOW_CLIP);
    IrValue *x = array_ir(ev, ref->array, DT_COUNT);
    return array_new(ev, index_array(ev, x, ref->index, false, &mode, &element), aval.weak);
  }
  return array_at(ev, ref->array, ref->index, "get", v_none(), a[3], a[4], true);
}

#define UPDATE_ARGS                                                                                \
  "indices_are_sorted=False, unique_indices=False, mode=None, out_sharding=None, "                 \
  "wrap_negative_indices=True)"
static const NativeDef at_ref_methods[] = {
    {"set(self, values, *, " UPDATE_ARGS, at_set},
    {"add(self, values, *, " UPDATE_ARGS, at_add},
    {"subtract(self, values, *, " UPDATE_ARGS, at_subtract},
    {"multiply(self, values, *, " UPDATE_ARGS, at_multiply},
    {"mul(self, values, *, " UPDATE_ARGS, at_multiply},
    {"divide(self, values, *, " UPDATE_ARGS, at_divide},
    {"power(self, values, *, " UPDATE_ARGS, at_power},
    {"min(self, values, *, " UPDATE_ARGS, at_min},
    {"max(self, values, *, " UPDATE_ARGS, at_max},
    {"apply(self, func, *, " UPDATE_ARGS, at_apply},
    {"get(self, *, indices_are_sorted=False, unique_indices=False, mode=None, fill_value=None, "
     "out_sharding=None, wrap_negative_indices=True)",
     at_get},
    {NULL, NULL},
};

void at_helper_init(Eval *ev) {
  static const TypeSlots helper = {.getitem = at_getitem, .repr = at_repr};
  static const TypeSlots ref = {.repr = at_ref_repr};
  ArrayTypes *types = &ev->trace->arrays->types;
  types->at_helper = type_new_native(ev, "jax", "_IndexUpdateHelper", NULL, &helper, NULL);
  types->at_ref = type_new_native(ev, "jax", "_IndexUpdateRef", NULL, &ref, at_ref_methods);
}
