// SPDX-License-Identifier: Apache-2.0
// Accesses of programs that wait, for the search for races. In: loads, stores, copies, atomics and
// the memory they touch. Out: calls of prt__race_… before them.
#include "ir/core/attr.h"
#include "ir/core/ir.h"
#include "gen_race.h"
#include "codegen/emit/emit.h"
#include "codegen/emit/gen_function.h"
#include "codegen/emit/gen_site.h"
#include "gen_check.h"
#include "ir/core/rules_check.h"
#include "prt_codegen.h"

bool race_is_on(const LlvmGen *g) { return g->options->check && g->frame->task; }

// What has no place in the program is not its own access: what a Ref holds is kept for later.
void race_access(LlvmGen *g, const IrOp *op, const Mem *mem, Value const *sizes, int how) {
  if (!race_is_on(g) || !op->span.file) return;
  Value args[] = {frame_worker(g), gen_site(g, op), check_region(g, mem, sizes), gen_i32(g, how)};
  gen_call_runtime(g, "prt__race_access", g->void_type, COUNT_OF(args), args);
}

void race_element(LlvmGen *g, const IrOp *op, Value address, Value bytes, int how) {
  if (!race_is_on(g)) return;
  Value args[] = {frame_worker(g), gen_site(g, op), address, bytes, gen_i32(g, how)};
  gen_call_runtime(g, "prt__race_element", g->void_type, COUNT_OF(args), args);
}

int race_move(const IrOp *op) {
  _Static_assert((int)MOVE_FETCH == PRT_MOVE_FETCH && (int)MOVE_RENEW == PRT_MOVE_RENEW,
                 "the runtime has other moves");
  const IrAttr *move = ir_attr_find(op, ATTR_MOVE);
  return move ? (int)move->i << PRT_MOVE_SHIFT : 0;
}

void race_ref(LlvmGen *g, const IrOp *op, int how) {
  const Binding *ref = value_binding(g, op->operands[0]);
  if (!ref->virtual_ref) race_access(g, op, &ref->mem, ref->sizes, how);
}

void race_block(LlvmGen *g, const IrOp *op) {
  int how = op->code == OP_PARALLEL_WRITE ? PRT_WRITE : PRT_READ;
  if (ir_attr_int(op, ATTR_DIRECT)) race_ref(g, op, how | PRT_BLOCK);
}

void race_turn(LlvmGen *g, const IrOp *op) {
  _Static_assert((int)TURN_ENTER == PRT_TURN_ENTER && (int)TURN_SUMMED == PRT_TURN_SUMMED,
                 "the runtime has other stages");
  if (!race_is_on(g)) return;
  Value number = op->operand_count ? value_scalar(g, op->operands[0]) : gen_i32(g, 0);
  Value args[] = {frame_worker(g), gen_i32(g, ir_attr_int(op, ATTR_STAGE)), number};
  gen_call_runtime(g, "prt__race_turn", g->void_type, COUNT_OF(args), args);
}

void race_index(LlvmGen *g, const IrOp *op) {
  const Binding *ref = value_binding(g, op->operands[0]);
  if (!race_is_on(g) || ref->virtual_ref) return;
  Value args[] = {frame_worker(g), check_region(g, &ref->mem, ref->sizes)};
  gen_call_runtime(g, "prt__race_index", g->void_type, COUNT_OF(args), args);
}

void race_window(LlvmGen *g, const IrOp *op, Value semaphore, int how) {
  const Binding *ref = value_binding(g, op->operands[0]);
  if (!race_is_on(g)) return;
  int64_t ahead = op->code == OP_FETCH_AHEAD ? ir_attr_int(op, ATTR_AHEAD) : 0;
  Value args[] = {g->frame->task,
                  gen_site(g, op),
                  check_region(g, &ref->mem, ref->sizes),
                  semaphore,
                  gen_i32(g, how),
                  gen_string(g, ir_attr_str(op, ATTR_NAME)),
                  gen_i32(g, (int)ir_attr_int(op, ATTR_BUFFERS)),
                  gen_i32(g, (int)ahead)};
  gen_call_runtime(g, "prt__race_window", g->void_type, COUNT_OF(args), args);
}

void race_copy_begin(LlvmGen *g, const IrOp *op, Value received, Value sent, Value received_units,
                     Value sent_units) {
  if (!race_is_on(g)) return;
  Value args[] = {g->frame->task, gen_site(g, op),
                  received,       sent ? sent : LLVMConstPointerNull(g->ptr),
                  received_units, sent_units};
  gen_call_runtime(g, "prt__race_copy_begin", g->void_type, COUNT_OF(args), args);
}

void race_copy_end(LlvmGen *g) {
  if (!race_is_on(g)) return;
  Value args[] = {frame_worker(g)};
  gen_call_runtime(g, "prt__race_copy_end", g->void_type, COUNT_OF(args), args);
}

void race_atomic(LlvmGen *g, const IrOp *op, Value address) {
  if (!race_is_on(g)) return;
  Value args[] = {frame_worker(g), gen_site(g, op), address, gen_i64(g, sizeof(int32_t)),
                  gen_i32(g, op->results[0]->use_count > 0)};
  gen_call_runtime(g, "prt__race_atomic", g->void_type, COUNT_OF(args), args);
}

void race_inputs(LlvmGen *g, const IrFunc *func) {
  if (!race_is_on(g)) return;
  for (size_t i = 0; i < func->param_count; i++) {
    const Mem *mem = &value_binding(g, func->body->args[i])->mem;
    if (func->params[i].role != PARAM_IN) continue;
    Value args[] = {
        frame_worker(g),       mem->base,          gen_i32(g, gen_dtype_number(mem->dtype)),
        gen_i32(g, mem->rank), check_dims(g, mem), gen_string(g, name_str(func->params[i].name))};
    gen_call_runtime(g, "prt__race_input", g->void_type, COUNT_OF(args), args);
  }
}
