// SPDX-License-Identifier: Apache-2.0
// What an inner function needs of the outer one: the LLVM values behind the bindings that it uses
// go through a record in memory.
#include "base/map.h"
#include "ir/core/ir.h"
#include "ir/core/region.h"
#include "gen_capture.h"
#include "codegen/emit/gen_function.h"
#include "gen_value.h"

typedef struct Rebound {
  const IrValue *value;
  void *outer;
} Rebound;

// The LLVM values the body captures, in order of their places in the record.
struct Capture {
  // Where the value stands in a binding (or elsewhere): replaced by the inner function's.
  VEC(Value *) places;
  VEC(Value) outer;
  VEC(Rebound) bindings; // of the outer function
  Type type;             // of the record
};

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

static void rebind_used(LlvmGen *g, Capture *c, const Map *defined, const IrRegion *region,
                        Map *seen);

// What is done with a part of memory that all devices see may be done with another device's.
static void rebind_operands(LlvmGen *g, Capture *c, const Map *defined, const IrOp *op, Map *seen) {
  for (size_t i = 0; i < op->operand_count; i++) {
    IrValue *value = op->operands[i];
    if (map_has(defined, value) || map_has(seen, value)) continue;
    map_set(seen, value, value);
    const IrOp *root = value->type->is_ref ? ir_ref_root(value)->def : NULL;
    if (root) rebind_operands(g, c, defined, root, seen);
    Rebound rebound = {value, map_get(g->bindings, value)};
    if (!rebound.outer) continue; // a constant: bound where it is used
    VEC_PUSH(g->arena, &c->bindings, rebound);
    map_set(g->bindings, value, copy_binding(g, c, rebound.outer));
  }
  for (size_t i = 0; i < op->region_count; i++) rebind_used(g, c, defined, op->regions[i], seen);
}

static void rebind_used(LlvmGen *g, Capture *c, const Map *defined, const IrRegion *region,
                        Map *seen) {
  for (const IrOp *op = region->first; op; op = op->next) rebind_operands(g, c, defined, op, seen);
}

static Type record_type(LlvmGen *g, const Capture *c) {
  Type *types = ARENA_ARRAY(g->arena, Type, c->outer.count + 1);
  for (size_t i = 0; i < c->outer.count; i++) types[i] = LLVMTypeOf(c->outer.items[i]);
  return LLVMStructTypeInContext(g->context, types, (unsigned)c->outer.count, false);
}

Capture *capture_new(LlvmGen *g, const IrRegion *region, IrOp *const *ops, size_t op_count,
                     Value **values, size_t value_count) {
  Capture *c = ARENA_NEW(g->arena, Capture);
  Map *defined = map_new(g->arena), *seen = map_new(g->arena);
  if (region) {
    note_defined(defined, region);
    rebind_used(g, c, defined, region, seen);
  }
  for (size_t i = 0; i < op_count; i++)
    for (size_t k = 0; k < ops[i]->result_count; k++) map_set(defined, ops[i]->results[k], ops[i]);
  for (size_t i = 0; i < op_count; i++) rebind_operands(g, c, defined, ops[i], seen);
  for (size_t i = 0; i < value_count; i++) capture(g, c, values[i]);
  c->type = record_type(g, c);
  return c;
}

// A coroutine's stack is gone while others use the record: it then lies in the task's memory.
static Value record_memory(LlvmGen *g, const Capture *c) {
  if (g->frame->task) return frame_address(g, frame_take(g, c->outer.count * sizeof(void *)));
  LLVMBasicBlockRef here = gen_here(g);
  gen_move_to(g, g->frame->entry);
  Value record = LLVMBuildAlloca(g->builder, c->type, "captured");
  gen_move_to(g, here);
  return record;
}

Value capture_record(LlvmGen *g, const Capture *c) {
  if (c->outer.count == 0) return LLVMConstPointerNull(g->ptr);
  Value record = record_memory(g, c);
  for (size_t i = 0; i < c->outer.count; i++)
    LLVMBuildStore(g->builder, c->outer.items[i],
                   LLVMBuildStructGEP2(g->builder, c->type, record, (unsigned)i, ""));
  return record;
}

void capture_load(LlvmGen *g, const Capture *c, Value record) {
  for (size_t i = 0; i < c->outer.count; i++)
    *c->places.items[i] =
        LLVMBuildLoad2(g->builder, LLVMTypeOf(c->outer.items[i]),
                       LLVMBuildStructGEP2(g->builder, c->type, record, (unsigned)i, ""), "");
}

void capture_end(LlvmGen *g, const Capture *c) {
  for (size_t i = 0; i < c->bindings.count; i++)
    map_set(g->bindings, c->bindings.items[i].value, c->bindings.items[i].outer);
}
