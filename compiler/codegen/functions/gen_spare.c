// SPDX-License-Identifier: Apache-2.0
// Carried arrays that alternate between two places. Whether they do is known when the body of the
// loop has been emitted, which finds out what can be made where: until then the first turn's place
// and the selection of each turn's are instructions whose operands are still open.
#include "gen_spare.h"
#include "base/map.h"
#include "codegen/emit/emit.h"
#include "codegen/emit/gen_build.h"
#include "codegen/emit/gen_const.h"
#include "codegen/emit/gen_function.h"
#include "codegen/values/gen_destination.h"
#include "codegen/values/gen_value.h"
#include "ir/core/ops.h"
#include "ir/core/region.h"

// ---- what pays ----------------------------------------------------------------------------------
// Whether each element of `made`, a result of `maker`, needs but the same element of `old`.
static bool reads_pointwise(LlvmGen *g, const IrOp *maker, const IrValue *made,
                            const IrValue *old) {
  if (maker->code != OP_FUSE) return op_is_elementwise(maker->code);
  Map *depends = map_new(g->arena), *moved = map_new(g->arena);
  map_set(depends, old, maker);
  const IrRegion *body = maker->regions[0];
  for (const IrOp *op = body->first; op != body->last; op = op->next) {
    bool is_dependent = false, is_moved = false;
    for (size_t i = 0; i < op->operand_count; i++) {
      is_dependent |= map_has(depends, op->operands[i]);
      is_moved |= map_has(moved, op->operands[i]);
    }
    if (!is_dependent) continue;
    for (size_t i = 0; i < op->result_count; i++) {
      map_set(depends, op->results[i], op);
      if (is_moved || !op_is_elementwise(op->code)) map_set(moved, op->results[i], op);
    }
  }
  for (size_t i = 0; i < maker->result_count; i++)
    if (maker->results[i] == made) return !map_has(moved, body->last->operands[i]);
  return false;
}

// Whether `made` can be written over the array it replaces.
static bool can_replace(LlvmGen *g, const IrValue *made, const IrValue *old) {
  if (!ir_op_uses(made->def, old) || !reads_pointwise(g, made->def, made, old)) return false;
  for (const IrOp *op = made->def->next; op; op = op->next)
    if (ir_op_uses(op, old)) return false;
  return true;
}

static bool is_made_anew(const IrOp *maker) {
  return maker->code == OP_FUSE || maker->code == OP_CONCAT || op_is_elementwise(maker->code);
}

static bool pays(LlvmGen *g, const IrOp *loop, size_t i, const Mem *own) {
  const IrRegion *body = loop->regions[0];
  const IrValue *made = body->last->operands[i];
  if (g->options->check || !mem_is_dense(own)) return false; // memory is more than its bytes there
  return made->def && made->def->parent == body && is_made_anew(made->def) &&
         !can_replace(g, made, body->args[i + 1]);
}

// ---- places -------------------------------------------------------------------------------------
static Value is_odd(LlvmGen *g, Value number) {
  return LLVMBuildTrunc(g->builder, number, g->i1, "");
}

Spare *spare_open(LlvmGen *g, const IrOp *loop, size_t i, const Mem *own, Value turns) {
  if (!pays(g, loop, i, own)) return NULL;
  const IrType *type = loop->results[i]->type;
  Spare *spare = ARENA_NEW(g->arena, Spare);
  spare->own = *own;
  spare->buffer = frame_take_array(g, type->dtype, type->rank, type->dims, &spare->other);
  spare->turns = gen_intrinsic2(g, "llvm.smax", turns, gen_i64(g, 0));
  spare->first =
      LLVMBuildSelect(g->builder, is_odd(g, spare->turns), spare->other.base, own->base, "first");
  spare->start = LLVMBuildFreeze(g->builder, own->base, "start");
  return spare;
}

void spare_begin_turn(LlvmGen *g, Spare *spare, const IrOp *loop, size_t i, Value turn) {
  Value is_other = is_odd(g, emit_sub(g, spare->turns, turn));
  Value own = spare->own.base, other = spare->other.base;
  spare->current = LLVMBuildSelect(g->builder, is_other, other, own, "current");
  spare->next = LLVMBuildSelect(g->builder, is_other, own, other, "next");
  Mem next = spare->other;
  next.base = spare->next;
  const IrRegion *body = loop->regions[0];
  destination_set(g, body->last->operands[i], body, &next, spare->buffer);
}

bool spare_end_turn(LlvmGen *g, const Spare *spare, const IrValue *yielded) {
  const Binding *binding = value_binding(g, yielded);
  bool is_there = binding->kind == BIND_MEM && binding->buffer == spare->buffer &&
                  binding->mem.base == spare->next && mem_is_dense(&binding->mem);
  destination_clear(g, yielded);
  if (is_there) {
    LLVMSetOperand(spare->start, 0, spare->first);
    return true;
  }
  Value no = LLVMConstNull(g->i1);
  LLVMSetOperand(spare->current, 0, no);
  LLVMSetOperand(spare->next, 0, no);
  return false;
}
