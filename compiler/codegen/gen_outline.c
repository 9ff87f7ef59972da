// SPDX-License-Identifier: Apache-2.0
// Parallel bodies: functions of their own, which find what they use of the outer function in a record on its stack. Each thread that runs
// one has a frame of its own.
#include "control.h"
#include "ref.h"

// The LLVM values the body captures, in order of their places in the record.
typedef struct Capture {
  VEC(Value *) places; // where the value stands in a binding (or elsewhere): replaced by the inner function's
  VEC(Value) outer;
} Capture;

static void capture(LlvmGen *g, Capture *c, Value *place) {
  if (!*place || LLVMIsConstant(*place)) return;
  VEC_PUSH(g->arena, &c->places, place);
  VEC_PUSH(g->arena, &c->outer, *place);
}

static Binding *copy_binding(LlvmGen *g, Capture *c, const Binding *binding) {
  Binding *copy = ARENA_NEW(g->arena, Binding);
  *copy = *binding;
  if (binding->kind == BIND_SCALAR) {
    capture(g, c, &copy->scalar);
    return copy;
  }
  capture(g, c, &copy->mem.base);
  if (binding->sizes) {
    copy->sizes = ARENA_ARRAY(g->arena, Value, binding->mem.rank + 1);
    for (int i = 0; i < binding->mem.rank; i++) {
      copy->sizes[i] = binding->sizes[i];
      capture(g, c, &copy->sizes[i]);
    }
  }
  if (binding->virtual_ref) {
    VirtualRef *v = ARENA_NEW(g->arena, VirtualRef);
    *v = *binding->virtual_ref;
    v->source = copy_binding(g, c, v->source);
    for (int i = 0; i < IR_MAX_RANK; i++) capture(g, c, &v->starts[i]);
    copy->virtual_ref = v;
  }
  return copy;
}

static void note_defined(Map *defined, const IrRegion *region) {
  for (size_t i = 0; i < region->arg_count; i++) map_set(defined, region->args[i], region->args[i]);
  for (const IrOp *op = region->first; op; op = op->next) {
    for (size_t i = 0; i < op->result_count; i++) map_set(defined, op->results[i], op->results[i]);
    for (size_t i = 0; i < op->region_count; i++) note_defined(defined, op->regions[i]);
  }
}

typedef struct Rebound {
  const IrValue *value;
  void *outer;
} Rebound;

typedef struct Outer {
  VEC(Rebound) bindings;
} Outer;

static void rebind_used(LlvmGen *g, Capture *c, const Map *defined, const IrRegion *region, Map *seen, Outer *outer);

static void rebind_operands(LlvmGen *g, Capture *c, const Map *defined, const IrOp *op, Map *seen, Outer *outer) {
  for (size_t i = 0; i < op->operand_count; i++) {
    const IrValue *value = op->operands[i];
    if (map_has(defined, value) || map_has(seen, value)) continue;
    map_set(seen, value, op->operands[i]);
    Rebound rebound = {value, map_get(g->bindings, value)};
    if (!rebound.outer) continue; // a constant: bound where it is used
    VEC_PUSH(g->arena, &outer->bindings, rebound);
    map_set(g->bindings, value, copy_binding(g, c, rebound.outer));
  }
  for (size_t i = 0; i < op->region_count; i++) rebind_used(g, c, defined, op->regions[i], seen, outer);
}

static void rebind_used(LlvmGen *g, Capture *c, const Map *defined, const IrRegion *region, Map *seen, Outer *outer) {
  for (const IrOp *op = region->first; op; op = op->next) rebind_operands(g, c, defined, op, seen, outer);
}

static Type record_type(LlvmGen *g, const Capture *c) {
  Type *types = ARENA_ARRAY(g->arena, Type, c->outer.count + 1);
  for (size_t i = 0; i < c->outer.count; i++) types[i] = LLVMTypeOf(c->outer.items[i]);
  return LLVMStructTypeInContext(g->context, types, (unsigned)c->outer.count, false);
}

// In the outer function: the record, filled.
static Value fill_record(LlvmGen *g, const Capture *c, Type type) {
  if (c->outer.count == 0) return LLVMConstPointerNull(g->ptr);
  LLVMBasicBlockRef here = gen_here(g);
  gen_move_to(g, g->frame->entry);
  Value record = LLVMBuildAlloca(g->builder, type, "captured");
  gen_move_to(g, here);
  for (size_t i = 0; i < c->outer.count; i++)
    LLVMBuildStore(g->builder, c->outer.items[i], LLVMBuildStructGEP2(g->builder, type, record, (unsigned)i, ""));
  return record;
}

static void load_record(LlvmGen *g, const Capture *c, Type type, Value record) {
  for (size_t i = 0; i < c->outer.count; i++)
    *c->places.items[i] = LLVMBuildLoad2(g->builder, LLVMTypeOf(c->outer.items[i]), LLVMBuildStructGEP2(g->builder, type, record, (unsigned)i, ""), "");
}

static Value new_body_function(LlvmGen *g) {
  Type params[] = {g->ptr, g->i64, g->i64, g->ptr};
  const char *name = str_format(g->arena, "%s.part%u", g->func->name->text, ++g->counter).data;
  return gen_new_function(g, name, LLVMFunctionType(g->void_type, params, 4, false), true);
}

void outline_parallel(LlvmGen *g, const Outline *outline, Value count, Value grain) {
  Capture captured = {0};
  Outer outer = {0};
  Map *defined = map_new(g->arena);
  if (outline->region && !outline->ops) {
    note_defined(defined, outline->region);
    rebind_used(g, &captured, defined, outline->region, map_new(g->arena), &outer);
  }
  if (outline->ops) {
    Map *seen = map_new(g->arena);
    for (size_t i = 0; i < outline->op_count; i++)
      for (size_t k = 0; k < outline->ops[i]->result_count; k++) map_set(defined, outline->ops[i]->results[k], outline->ops[i]);
    for (size_t i = 0; i < outline->op_count; i++) rebind_operands(g, &captured, defined, outline->ops[i], seen, &outer);
  }
  Value *values = ARENA_ARRAY(g->arena, Value, outline->value_count + 1);
  for (size_t i = 0; i < outline->value_count; i++) {
    values[i] = outline->values[i];
    capture(g, &captured, &values[i]);
  }
  Value prng = g->prng_state;
  capture(g, &captured, &g->prng_state);
  Type type = record_type(g, &captured);
  Value record = fill_record(g, &captured, type), function = new_body_function(g);
  LLVMBasicBlockRef here = gen_here(g);
  LLVMMetadataRef location = LLVMGetCurrentDebugLocation2(g->builder);

  Frame frame;
  frame_open(g, &frame, function, LLVMGetParam(function, 3));
  frame.parallel = true;
  debug_function(g, function, LLVMGetValueName2(function, &(size_t){0}), g->func->span);
  load_record(g, &captured, type, LLVMGetParam(function, 0));
  outline->body(g, LLVMGetParam(function, 1), LLVMGetParam(function, 2), values, outline->data);
  frame_close(g);

  gen_move_to(g, here);
  LLVMSetCurrentDebugLocation2(g->builder, location);
  g->prng_state = prng;
  for (size_t i = 0; i < outer.bindings.count; i++) map_set(g->bindings, outer.bindings.items[i].value, outer.bindings.items[i].outer);
  Value args[] = {g->frame->worker, count, grain, function, record};
  gen_call_runtime(g, "prt__parallel_for", g->void_type, 5, args);
}
