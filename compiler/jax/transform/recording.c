// SPDX-License-Identifier: Apache-2.0
// Traces a call into a region and says what was recorded: behind jax.eval_shape, jax.make_jaxpr,
// pl.estimate_cost and jit(f).lower. Makes no code and changes nothing outside of the region.
#include <string.h>

#include "base/buf.h"
#include "base/map.h"
#include "ir/core/ir.h"
#include "ir/text/print.h"
#include "recording.h"

#include "account.h"
#include "ir/analysis/access.h"
#include "ir/analysis/cost.h"
#include "jax/array/compound.h"
#include "jax/array/key_array.h"
#include "jax/array/placement.h"
#include "jax/array/shape_struct.h"
#include "jax/trace/pending.h"
#include "python/objects/convert.h"
#include "python/objects/value_call.h"
#include "python/values/dict.h"
#include "python/values/new_value.h"
#include "python/values/values.h"

// ---- the call -----------------------------------------------------------------------------------
Value recording_stand_in(Eval *ev, Value arg, const char *what) {
  List *list = list_new(ev, 4);
  PyTree *tree = pytree_flatten(ev, arg, v_none(), list);
  Value *values = ARENA_ARRAY(ev->arena, Value, list->count);
  for (size_t i = 0; i < list->count; i++) {
    Value v = values[i] = list->items[i];
    Leaf leaf = {.impl = NULL};
    if (value_is_complex(ev, v) || !value_aval(ev, v, true, &leaf.aval)) {
      if (!value_as_key_struct(ev, v, &leaf.aval, &leaf.impl)) {
        if (!what && !value_is_compound(ev, v) && !value_is_complex(ev, v)) continue;
        leaf_describe(ev, v, what ? what : "a function", &leaf);
      }
    } else if (complex_aval_to_parts(&leaf.aval)) {
      leaf.impl = complex_kind(ev);
    }
    IrRegion *region = ev->trace->builder.region;
    values[i] = leaf_wrap(ev, ir_region_add_arg(region, leaf_type(ev, &leaf), NULL), &leaf);
  }
  return pytree_unflatten(ev, tree, list->count, values);
}

void recording_note(Eval *ev, Recording *r, Value result, const char *what) {
  List *list = list_new(ev, 4);
  r->tree = pytree_flatten(ev, result, v_none(), list);
  r->count = list->count;
  r->leaves = ARENA_ARRAY(ev->arena, Leaf, list->count);
  r->values = ARENA_ARRAY(ev->arena, IrValue *, list->count);
  r->placements = ARENA_ARRAY(ev->arena, Placement *, list->count);
  for (size_t i = 0; i < list->count; i++) {
    Value v = list->items[i];
    leaf_describe(ev, v, what, &r->leaves[i]);
    if (r->has_values) r->values[i] = leaf_ir(ev, v, DT_COUNT);
    r->placements[i] = placement_of(ev, v);
  }
}

void recording_trace(Eval *ev, Recording *r, void (*body)(Eval *, void *), void *data) {
  TraceState *t = ev->trace;
  pending_settle(ev);
  r->region = region_begin(ev);
  const IrRegion *outer = t->estimated;
  t->estimated = r->region;
  t->extra_flops = t->estimated_launches = 0;
  memset(t->estimates, 0, sizeof t->estimates);
  region_trace(ev, body, data, r->region);
  t->estimated = outer;
  IrCost cost = {0};
  for (const IrOp *op = r->region->first; op; op = op->next) cost_add(&cost, op);
  r->flops = cost.flops + t->extra_flops + t->estimates[0];
  r->transcendentals = cost.transcendentals + t->estimates[1];
  r->bytes = t->estimates[2];
  r->launches = t->estimated_launches;
}

static Value shapes_of(Eval *ev, const Recording *r) {
  Value *values = ARENA_ARRAY(ev->arena, Value, r->count);
  for (size_t i = 0; i < r->count; i++) {
    Aval aval = r->leaves[i].aval;
    if (kind_is_complex(r->leaves[i].impl)) complex_aval_of_parts(&aval);
    Name impl = r->leaves[i].impl;
    values[i] = impl && !kind_is_complex(impl) ? key_struct_new(ev, &aval, impl)
                                               : shape_dtype_struct_new(ev, &aval);
  }
  return pytree_unflatten(ev, r->tree, r->count, values);
}

// ---- the account --------------------------------------------------------------------------------
// The memory that an op fills with an argument, or reads a result from, whole; or NULL.
static const IrValue *callers_memory(const IrOp *op, Map *results) {
  if ((op->code != OP_STORE && op->code != OP_LOAD) || !access_is_whole(op)) return NULL;
  if (op->code == OP_STORE && op->operands[0]->region == op->parent) return op->operands[1];
  if (op->code == OP_LOAD && map_has(results, op->results[0])) return op->operands[0];
  return NULL;
}

static int64_t memory_of(Eval *ev, const Recording *r) {
  Map *results = map_new(ev->arena), *callers = map_new(ev->arena);
  int64_t bytes = 0;
  for (size_t i = 0; i < r->count; i++) map_set(results, r->values[i], r->values[i]);
  for (const IrOp *op = r->region->first; op; op = op->next) {
    if (op->code == OP_ALLOC && op->results[0]->type->space == SPACE_HBM)
      bytes += ir_type_bytes(op->results[0]->type);
    const IrValue *memory = callers_memory(op, results);
    if (!memory || !memory->def || memory->def->code != OP_ALLOC || map_has(callers, memory))
      continue;
    map_set(callers, memory, op->results);
    bytes -= ir_type_bytes(memory->type);
  }
  return bytes;
}

static Value costs_of(Eval *ev, const Recording *r) {
  Value items[] = {v_int(r->flops), v_int(r->transcendentals), v_int(r->bytes), v_int(r->launches)};
  return make_tuple(ev, COUNT_OF(items), items);
}

Value recording_account(Eval *ev, const Recording *r) {
  Account account;
  account_init(ev, &account);
  Value region = account_region(&account, r->region);
  List *given = list_new(ev, r->count);
  for (size_t i = 0; i < r->count; i++) list_push(ev, given, account_value(&account, r->values[i]));
  Buf text;
  buf_init(&text, ev->arena);
  if (r->region->first) ir_print_region(trace_module(ev), r->region, &text);
  Value items[] = {region,
                   v_object(given),
                   shapes_of(ev, r),
                   make_str(ev, buf_view(&text)),
                   v_int(memory_of(ev, r)),
                   costs_of(ev, r)};
  return make_tuple(ev, COUNT_OF(items), items);
}

// ---- natives ------------------------------------------------------------------------------------
typedef struct Call {
  Recording *recording;
  Value fun;
  const Tuple *args;
  Dict *kwargs;
} Call;

static void run_call(Eval *ev, void *data) {
  Call *c = data;
  size_t kw = 0, positional = c->args->count;
  Value *items = ARENA_ARRAY(ev->arena, Value, positional + c->kwargs->count);
  Name *names = ARENA_ARRAY(ev->arena, Name, c->kwargs->count);
  for (size_t i = 0; i < positional; i++)
    items[i] = recording_stand_in(ev, c->args->items[i], "eval_shape");
  DictEntry *entry;
  for (size_t it = 0; dict_next(c->kwargs, &it, &entry); kw++) {
    names[kw] = name_intern(ev->session->interner, take_str(ev, entry->key, "a keyword"));
    items[positional + kw] = recording_stand_in(ev, entry->value, "eval_shape");
  }
  Args args = {positional, items, kw, names, items + positional};
  recording_note(ev, c->recording, value_call(ev, c->fun, &args),
                 "the result of eval_shape's function");
}

static void record_call(Eval *ev, Recording *r, Value *a) {
  Call call = {r, a[0], value_as_tuple(a[1]), value_as_dict(a[2])};
  recording_trace(ev, r, run_call, &call);
}

Value recording_eval_shape(Eval *ev, Value *a) {
  Recording r = {0};
  record_call(ev, &r, a);
  region_discard(r.region);
  return shapes_of(ev, &r);
}

Value recording_count_cost(Eval *ev, Value *a) {
  Recording r = {0};
  record_call(ev, &r, a);
  region_discard(r.region);
  Value items[] = {shapes_of(ev, &r), costs_of(ev, &r)};
  return make_tuple(ev, COUNT_OF(items), items);
}

Value recording_of_call(Eval *ev, Value *a) {
  Recording r = {.has_values = true};
  record_call(ev, &r, a);
  Value account = recording_account(ev, &r);
  region_discard(r.region);
  return account;
}

// What a program says that its kernel costs.
Value recording_note_estimate(Eval *ev, Value *a) {
  ev->trace->estimated_launches++;
  for (int i = 0; i < 3; i++) ev->trace->estimates[i] += take_int(ev, a[i], "cost estimate");
  return v_none();
}
