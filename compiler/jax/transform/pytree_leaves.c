// SPDX-License-Identifier: Apache-2.0
// Arrays of pytrees as IR values, and regions that are traced before the op they belong to is made.
#include "ir/core/ir.h"
#include "ir/core/region.h"
#include "pytree_leaves.h"
#include "pytree.h"
#include "python/values/new_value.h"
#include "python/objects/protocol.h"
#include "python/values/raise.h"
#include "python/objects/type_lookup.h"
#include "jax/array/compound.h"
#include "jax/array/ref.h"

void leaf_describe(Eval *ev, Value value, const char *what, Leaf *out) {
  *out = (Leaf){.impl = NULL};
  value = complex_as_array(ev, value);
  if (value_is_compound(ev, value)) {
    out->aval = compound_data(ev, value)->aval;
    out->impl = compound_kind(ev, value);
    return;
  }
  if (value_aval(ev, value, false, &out->aval)) return;
  eval_raise(ev, ev->types.TypeError,
             "Argument '%.*s' of type <class '%s'> is not a valid JAX type; it is given to %s%s",
             STR_FMT(value_str(ev, value)), value_type_name(ev, value), what,
             value_is_ref(ev, value) ? "; close over the ref instead of passing it" : "");
}

void leaves_flatten(Eval *ev, Value tree, const char *what, Leaves *out) {
  List *list = list_new(ev, 8);
  out->tree = pytree_flatten(ev, tree, v_none(), list);
  out->count = list->count;
  out->values = list->items;
  out->leaves = ARENA_ARRAY(ev->arena, Leaf, list->count);
  for (size_t i = 0; i < list->count; i++) leaf_describe(ev, list->items[i], what, &out->leaves[i]);
}

void leaves_flatten_refs(Eval *ev, Value tree, const char *what, Leaves *out) {
  List *list = list_new(ev, 8);
  *out = (Leaves){.tree = pytree_flatten(ev, tree, v_none(), list)};
  out->values = ARENA_ARRAY(ev->arena, Value, list->count);
  out->leaves = ARENA_ARRAY(ev->arena, Leaf, list->count);
  out->refs = ARENA_ARRAY(ev->arena, Value, list->count);
  out->positions = ARENA_ARRAY(ev->arena, size_t, list->count);
  for (size_t i = 0; i < list->count; i++) {
    bool is_ref = value_is_ref(ev, list->items[i]);
    out->refs[i] = is_ref ? list->items[i] : v_unbound();
    if (is_ref) continue;
    leaf_describe(ev, list->items[i], what, &out->leaves[out->count]);
    out->positions[out->count] = i;
    out->values[out->count++] = list->items[i];
  }
}

Value leaves_unflatten(Eval *ev, const Leaves *leaves, const Value *arrays) {
  if (!leaves->refs) return pytree_unflatten(ev, leaves->tree, leaves->count, arrays);
  size_t all = leaves->tree->leaf_count, next = 0;
  Value *values = ARENA_ARRAY(ev->arena, Value, all);
  for (size_t i = 0; i < all; i++)
    values[i] = v_is_unbound(leaves->refs[i]) ? arrays[next++] : leaves->refs[i];
  return pytree_unflatten(ev, leaves->tree, all, values);
}

Str leaves_path(Eval *ev, const Leaves *leaves, size_t array) {
  return pytree_leaf_path(ev, leaves->tree, leaves->refs ? leaves->positions[array] : array);
}

IrValue *leaf_ir(Eval *ev, Value value, DType dtype) {
  value = complex_as_array(ev, value);
  if (value_is_compound(ev, value))
    return array_ir(ev, v_object(compound_data(ev, value)), DT_COUNT);
  return dtype == DT_COUNT ? array_ir(ev, value, DT_COUNT) : array_ir_cast(ev, value, dtype);
}

Value leaf_wrap(Eval *ev, IrValue *ir, const Leaf *leaf) {
  Value array = array_new(ev, ir, leaf->aval.weak);
  return leaf->impl ? compound_new(ev, (Array *)array.o, leaf->impl) : array;
}

const IrType *leaf_type(Eval *ev, const Leaf *leaf) { return aval_type(ev, &leaf->aval); }

Str leaf_text(Eval *ev, const Leaf *leaf) {
  Aval aval = leaf->aval;
  aval.weak = false;
  if (kind_is_complex(leaf->impl)) {
    complex_aval_of_parts(&aval);
    return aval_text(ev->arena, &aval);
  }
  return leaf->impl ? str_format(ev->arena, "key<%s> with data %.*s", leaf->impl->text,
                                 STR_FMT(aval_text(ev->arena, &aval)))
                    : aval_text(ev->arena, &aval);
}

// ---- regions ------------------------------------------------------------------------------------
IrRegion *region_begin(Eval *ev) {
  return ir_region_new(trace_module(ev), NULL, ev->trace->builder.region->func);
}

void region_discard(IrRegion *region) {
  while (region->last) ir_op_remove(region->last);
}

typedef struct TraceBody {
  IrRegion *region;
  void (*body)(Eval *, void *);
  void *data;
} TraceBody;

static void trace_body(Eval *ev, void *data) {
  TraceBody *t = data;
  level_run(ev, LEVEL_REGION, t->region, t->body, t->data);
}

IrRegion *region_trace(Eval *ev, void (*body)(Eval *, void *), void *data, IrRegion *region) {
  TraceBody t = {region, body, data};
  Value exception;
  if (!eval_try(ev, trace_body, &t, &exception)) {
    region_discard(region);
    eval_raise_value(ev, exception);
  }
  return region;
}

void region_attach(Eval *ev, IrOp *op, IrRegion *region) {
  ir_add_region(trace_module(ev), op);
  op->regions[op->region_count - 1] = region;
  region->parent = op;
  if (region->func == op->parent->func) return;
  region->func = op->parent->func;
  ir_walk(region, ir_visit_set_func, region->func);
}
