// SPDX-License-Identifier: Apache-2.0
// Loops, conditionals. Scalars that are carried or given by branches are phis; arrays have one
// place in memory for all turns or branches, into which what a region yields is copied; or two
// that the turns of a counted loop use alternately.
#include "ir/analysis/cost.h"
#include "ir/core/attr.h"
#include "ir/core/ir.h"
#include "gen_control.h"
#include "codegen/emit/debug.h"
#include "codegen/emit/emit.h"
#include "codegen/emit/gen_function.h"
#include "codegen/emit/gen_loop.h"
#include "codegen/emit/gen_report.h"
#include "codegen/emit/gen_site.h"
#include "codegen/refs/gen_check.h"
#include "codegen/values/gen_destination.h"
#include "codegen/values/gen_live.h"
#include "codegen/values/gen_parallel.h"
#include "codegen/values/gen_stop.h"
#include "codegen/values/gen_value.h"
#include "gen_comm.h"
#include "gen_poll.h"
#include "gen_spare.h"
#include "gen_task.h"

// ---- carried values -----------------------------------------------------------------------------
// One carried value: its place, from before the loop to its result.
typedef struct Carry {
  bool is_scalar;
  Value scalar; // of the turn at hand
  Mem mem;
  Buffer *buffer;
  unsigned holds; // of the buffer, before the loop
  Spare *spare;   // NULL: the array stays where it is
} Carry;

static void copy_value(LlvmGen *g, const Mem *to, const IrValue *value) {
  Mem from = value_mem(g, value);
  if (from.base != to->base) mem_copy(g, to, &from);
}

// `turns`: how many there will be; NULL: nobody knows.
static Carry *open_carries(LlvmGen *g, const IrOp *loop, IrValue *const *initial, Value turns) {
  size_t count = loop->result_count;
  Carry *carries = ARENA_ARRAY(g->arena, Carry, count + 1);
  for (size_t i = 0; i < count; i++) {
    const IrType *type = initial[i]->type;
    Carry *carry = &carries[i];
    carry->is_scalar = type->rank == 0;
    if (carry->is_scalar) {
      carry->scalar = value_scalar(g, initial[i]);
      continue;
    }
    carry->buffer = destination_take(g, loop->results[i], &carry->mem);
    carry->holds = carry->buffer->holds;
    carry->buffer->holds = carry->buffer->users;
    if (turns) carry->spare = spare_open(g, loop, i, &carry->mem, turns);
    Mem start = carry->mem;
    if (carry->spare) start.base = carry->spare->start;
    copy_value(g, &start, initial[i]);
  }
  return carries;
}

static void bind_carry(LlvmGen *g, const Carry *carry, IrValue *value) {
  if (carry->is_scalar) {
    value_bind_scalar(g, value, carry->scalar);
    return;
  }
  frame_keep(carry->buffer);
  value_bind_mem(g, value, &carry->mem, carry->buffer);
}

static void bind_carries(LlvmGen *g, const Carry *carries, IrValue *const *values, size_t count) {
  for (size_t i = 0; i < count; i++) bind_carry(g, &carries[i], values[i]);
}

static void close_carries(LlvmGen *g, const Carry *carries, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (!carries[i].is_scalar) frame_give(g, carries[i].buffer);
}

static void close_loop(LlvmGen *g, Carry *carries, IrValue *const *results, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (carries[i].is_scalar) continue;
    carries[i].buffer->holds = carries[i].holds;
    if (!carries[i].spare) continue;
    carries[i].mem = carries[i].spare->own;
    frame_give(g, carries[i].spare->buffer);
  }
  bind_carries(g, carries, results, count);
  close_carries(g, carries, count);
}

// Whether a yielded value lies in the place of a carried value, which is about to change.
static bool lies_in_carry(const Carry *carries, size_t count, const Binding *binding) {
  if (binding->kind != BIND_MEM || !binding->buffer) return false;
  for (size_t i = 0; i < count; i++)
    if (binding->buffer == carries[i].buffer) return true;
  return false;
}

// Is it the carry's own place, unchanged?
static bool is_own_place(const Carry *carry, const Binding *binding) {
  if (binding->kind != BIND_MEM || binding->buffer != carry->buffer ||
      binding->mem.base != carry->mem.base)
    return false;
  for (int i = 0; i < carry->mem.rank; i++)
    if (binding->mem.dims[i] != 1 && binding->mem.strides[i] != carry->mem.strides[i]) return false;
  return true;
}

// That an array does not stay where it is from turn to turn.
static void report_carried(const LlvmGen *g, const IrOp *yield, const IrValue *value) {
  const IrOp *loop = yield->parent->parent, *at = value->def ? value->def : loop;
  const Reason why = {.id = REASON_KEPT_CARRIED, .span = at->span};
  RemarkItem *item = gen_report(g, loop);
  remark_numbers(g->session, item, FACT_SIZES, value->type->rank, value->type->dims);
  remark_number(g->session, item, FACT_READ, ir_type_bytes(value->type));
  remark_number(g->session, item, FACT_WRITTEN, ir_type_bytes(value->type));
  if (ir_type_bytes(value->type) < g->target->l1_bytes)
    remark_reason_of_little(g->session, item, &why);
  else
    remark_reason(g->session, item, &why);
}

// What the region yields becomes the next turn's values.
static void yield_carries(LlvmGen *g, Carry *carries, const IrOp *yield, size_t count) {
  bool *is_done = ARENA_ARRAY(g->arena, bool, count + 1);
  for (size_t i = 0; i < count; i++)
    is_done[i] = carries[i].spare && spare_end_turn(g, carries[i].spare, yield->operands[i]);
  Mem *aside = ARENA_ARRAY(g->arena, Mem, count + 1);
  Buffer **buffers = ARENA_ARRAY(g->arena, Buffer *, count + 1);
  for (size_t i = 0; i < count; i++) {
    const IrValue *value = yield->operands[i];
    if (carries[i].is_scalar) {
      carries[i].scalar = value_scalar(g, value);
      continue;
    }
    const Binding *binding = value_binding(g, value);
    if (is_done[i] || is_own_place(&carries[i], binding)) continue;
    if (lies_in_carry(carries, count, binding)) {
      buffers[i] =
          frame_take_array(g, value->type->dtype, value->type->rank, value->type->dims, &aside[i]);
      mem_copy(g, &aside[i], &binding->mem);
    }
  }
  for (size_t i = 0; i < count; i++) {
    if (carries[i].is_scalar || is_done[i]) continue;
    const Binding *binding = value_binding(g, yield->operands[i]);
    if (!is_own_place(&carries[i], binding)) report_carried(g, yield, yield->operands[i]);
    if (buffers[i])
      mem_copy(g, &carries[i].mem, &aside[i]);
    else if (!is_own_place(&carries[i], binding))
      mem_copy(g, &carries[i].mem, &binding->mem);
    frame_give(g, buffers[i]);
  }
}

static unsigned scalars_of(const Carry *carries, size_t count, Value *out) {
  unsigned n = 0;
  for (size_t i = 0; i < count; i++)
    if (carries[i].is_scalar) out[n++] = carries[i].scalar;
  return n;
}

static void set_scalars(Carry *carries, size_t count, Value const *in) {
  for (size_t i = 0; i < count; i++)
    if (carries[i].is_scalar) carries[i].scalar = *in++;
}

// ---- for ----------------------------------------------------------------------------------------
// The loop runs over turns: [0, turns) in i64, so that no index overflows.
typedef struct Range {
  Value lower, step, turns;
} Range;

static Range range_of(LlvmGen *g, const IrOp *op) {
  Range r = {.lower = value_index(g, op->operands[0]), .step = value_index(g, op->operands[2])};
  Value span = emit_sub(g, value_index(g, op->operands[1]), r.lower);
  if (LLVMIsAConstantInt(r.step) && LLVMConstIntGetSExtValue(r.step) == 1)
    r.turns = span;
  else
    r.turns = LLVMBuildSDiv(g->builder, emit_sub_c(g, emit_add(g, span, r.step), 1), r.step, "");
  return r;
}

static void bind_index(LlvmGen *g, IrValue *arg, const Range *r, Value turn) {
  Value index = emit_add(g, r->lower, emit_mul(g, turn, r->step));
  value_bind_scalar(
      g, arg, LLVMBuildTrunc(g->builder, index, gen_compute_type(g, arg->type->dtype, 1), ""));
}

static bool runs_at_least_once(const Range *r) {
  return LLVMIsAConstantInt(r->turns) && LLVMConstIntGetSExtValue(r->turns) > 0;
}

// Some turns, [begin, end), with the scalars that they begin with in `carries`, and then those that
// they end with.
static void emit_some_turns(LlvmGen *g, IrOp *op, const Range *r, Value begin, Value end,
                            bool guarded, Carry *carries) {
  size_t count = op->result_count;
  Value *scalars = ARENA_ARRAY(g->arena, Value, count + 1);
  unsigned scalar_count = scalars_of(carries, count, scalars);
  IrRegion *body = op->regions[0];
  Loop loop;
  loop_begin(g, &loop, begin, end, 1, scalar_count, scalars, guarded);
  set_scalars(carries, count, loop.carried);
  bind_index(g, body->args[0], r, loop.index);
  for (size_t i = 0; i < count; i++) {
    if (!carries[i].spare) continue;
    spare_begin_turn(g, carries[i].spare, op, i, loop.index);
    carries[i].mem.base = carries[i].spare->current;
  }
  bind_carries(g, carries, body->args + 1, count);
  Turn turn;
  check_turn_begin(g, &turn, op, loop.index);
  gen_poll_entered(g, op, 0);
  g->emit_region(g, body);
  g->turn = turn.outer;
  yield_carries(g, carries, body->last, count);
  live_drop_yielded(g, body);
  scalars_of(carries, count, scalars);
  debug_at(g, op); // where another turn begins is no place of the body's last line
  loop_end(g, &loop, scalars);
  set_scalars(carries, count, loop.carried);
}

// If they may take long it is looked whether they are to go on, behind so many of them that a turn
// costs no more for it.
static void emit_turns(LlvmGen *g, IrOp *op, const Range *r, Value begin, Value end, bool guarded,
                       Carry *carries) {
  int64_t between = stop_turns_between(op);
  if (!between) {
    emit_some_turns(g, op, r, begin, end, guarded, carries);
    return;
  }
  size_t count = op->result_count;
  Value *scalars = ARENA_ARRAY(g->arena, Value, count + 1);
  unsigned scalar_count = scalars_of(carries, count, scalars);
  Loop loop;
  loop_begin(g, &loop, begin, end, between, scalar_count, scalars, guarded);
  set_scalars(carries, count, loop.carried);
  Value next = gen_intrinsic2(g, "llvm.smin", emit_add_c(g, loop.index, between), end);
  emit_some_turns(g, op, r, loop.index, next, false, carries);
  stop_look(g, op, next, emit_icmp(g, LLVMIntSLT, next, end));
  scalars_of(carries, count, scalars);
  loop_end(g, &loop, scalars);
  set_scalars(carries, count, loop.carried);
}

static void gen_for(LlvmGen *g, IrOp *op) {
  Range range = range_of(g, op);
  size_t count = op->result_count;
  Carry *carries = open_carries(g, op, op->operands + 3, range.turns);
  emit_turns(g, op, &range, gen_i64(g, 0), range.turns, !runs_at_least_once(&range), carries);
  close_loop(g, carries, op->results, count);
}

typedef struct ParallelFor {
  IrOp *op;
  Range range;
} ParallelFor;

static void parallel_body(LlvmGen *g, Value begin, Value end, const Value *values, void *data) {
  ParallelFor *p = data;
  Range range = {.lower = values[0], .step = values[1]};
  emit_turns(g, p->op, &range, begin, end, true, NULL);
}

static void gen_parallel_for(LlvmGen *g, IrOp *op) {
  ParallelFor p = {.op = op, .range = range_of(g, op)};
  Value values[] = {p.range.lower, p.range.step};
  ParallelBody body = {.region = op->regions[0],
                       .values = values,
                       .value_count = 2,
                       .body = parallel_body,
                       .data = &p,
                       .cost = cost_in_ns(op)};
  parallel_run(g, &body, p.range.turns, gen_i64(g, 1));
}

// ---- while --------------------------------------------------------------------------------------
static void gen_while(LlvmGen *g, IrOp *op) {
  size_t count = op->result_count;
  Carry *carries = open_carries(g, op, op->operands, NULL);
  Value *scalars = ARENA_ARRAY(g->arena, Value, count + 1),
        *phis = ARENA_ARRAY(g->arena, Value, count + 1);
  unsigned scalar_count = scalars_of(carries, count, scalars);
  LLVMBasicBlockRef before = gen_here(g), test = gen_block(g, "while"), body = gen_block(g, "body"),
                    after = gen_block(g, "done");
  LLVMBuildBr(g->builder, test);
  gen_move_to(g, test);
  for (unsigned i = 0; i < scalar_count; i++) {
    phis[i] = LLVMBuildPhi(g->builder, LLVMTypeOf(scalars[i]), "");
    LLVMAddIncoming(phis[i], &scalars[i], &before, 1);
  }
  Value zero = gen_i64(g, 0), turn = LLVMBuildPhi(g->builder, g->i64, "");
  LLVMAddIncoming(turn, &zero, &before, 1);
  Turn named;
  check_turn_begin(g, &named, op, turn);
  set_scalars(carries, count, phis);
  bind_carries(g, carries, op->regions[0]->args, count);
  g->emit_region(g, op->regions[0]);
  Value goes_on = value_scalar(g, op->regions[0]->last->operands[0]);
  live_drop_yielded(g, op->regions[0]);
  LLVMBuildCondBr(g->builder, goes_on, body, after);
  gen_move_to(g, body);
  bind_carries(g, carries, op->regions[1]->args, count);
  g->emit_region(g, op->regions[1]);
  g->turn = named.outer;
  yield_carries(g, carries, op->regions[1]->last, count);
  live_drop_yielded(g, op->regions[1]);
  Value next = emit_add_c(g, turn, 1);
  Value rest = emit_and_c(g, next, stop_turns_between(op) - 1);
  Value is_time = emit_icmp_c(g, LLVMIntEQ, rest, 0);
  if (g->options->check)
    stop_look_or_end(g, op, next, is_time);
  else
    stop_look(g, op, next, is_time);
  LLVMBuildBr(g->builder, test);
  LLVMBasicBlockRef latch = gen_here(g);
  LLVMAddIncoming(turn, &next, &latch, 1);
  scalars_of(carries, count, scalars);
  for (unsigned i = 0; i < scalar_count; i++) LLVMAddIncoming(phis[i], &scalars[i], &latch, 1);
  gen_move_to(g, after);
  set_scalars(carries, count, phis);
  close_loop(g, carries, op->results, count);
}

// ---- branches -----------------------------------------------------------------------------------
static Carry *open_results(LlvmGen *g, const IrOp *op) {
  Carry *results = ARENA_ARRAY(g->arena, Carry, op->result_count + 1);
  for (size_t i = 0; i < op->result_count; i++) {
    results[i].is_scalar = op->results[i]->type->rank == 0;
    if (!results[i].is_scalar)
      results[i].buffer = destination_take(g, op->results[i], &results[i].mem);
  }
  return results;
}

// Emits a branch up to its jump to `after`; the scalars it yields go to the phis.
static void emit_branch(LlvmGen *g, IrRegion *region, const Carry *results, size_t count,
                        Value *phis, LLVMBasicBlockRef after) {
  const IrOp *yield = region->last;
  for (size_t i = 0; i < count; i++)
    if (!results[i].is_scalar)
      destination_set(g, yield->operands[i], region, &results[i].mem, results[i].buffer);
  g->emit_region(g, region);
  for (size_t i = 0; i < count; i++) destination_clear(g, yield->operands[i]);
  Value *scalars = ARENA_ARRAY(g->arena, Value, count + 1);
  for (size_t i = 0; i < count; i++) {
    if (results[i].is_scalar)
      scalars[i] = value_scalar(g, yield->operands[i]);
    else
      copy_value(g, &results[i].mem, yield->operands[i]);
  }
  live_drop_yielded(g, region);
  LLVMBuildBr(g->builder, after);
  LLVMBasicBlockRef from = gen_here(g);
  for (size_t i = 0; i < count; i++)
    if (results[i].is_scalar) LLVMAddIncoming(phis[i], &scalars[i], &from, 1);
}

static Value *make_phis(LlvmGen *g, const IrOp *op, LLVMBasicBlockRef after) {
  Value *phis = ARENA_ARRAY(g->arena, Value, op->result_count + 1);
  LLVMBasicBlockRef here = gen_here(g);
  gen_move_to(g, after);
  for (size_t i = 0; i < op->result_count; i++)
    if (op->results[i]->type->rank == 0)
      phis[i] = LLVMBuildPhi(g->builder, gen_compute_type(g, op->results[i]->type->dtype, 1), "");
  gen_move_to(g, here);
  return phis;
}

static void close_results(LlvmGen *g, const IrOp *op, Carry *results, Value const *phis) {
  for (size_t i = 0; i < op->result_count; i++)
    if (results[i].is_scalar) results[i].scalar = phis[i];
  bind_carries(g, results, op->results, op->result_count);
  close_carries(g, results, op->result_count);
}

static void gen_if(LlvmGen *g, IrOp *op) {
  Carry *results = open_results(g, op);
  Value condition = value_scalar(g, op->operands[0]);
  LLVMBasicBlockRef blocks[] = {gen_block(g, "then"), gen_block(g, "else")},
                    after = gen_block(g, "endif");
  Value *phis = make_phis(g, op, after);
  LLVMBuildCondBr(g->builder, condition, blocks[0], blocks[1]);
  for (size_t i = 0; i < 2; i++) {
    gen_move_to(g, blocks[i]);
    gen_poll_entered(g, op, i);
    emit_branch(g, op->regions[i], results, op->result_count, phis, after);
  }
  gen_move_to(g, after);
  if (!op->result_count) branch_drop_empty(after);
  close_results(g, op, results, phis);
}

static void gen_switch(LlvmGen *g, IrOp *op) {
  Carry *results = open_results(g, op);
  Value which = value_scalar(g, op->operands[0]);
  int64_t last = (int64_t)op->region_count - 1;
  which = gen_intrinsic2(g, "llvm.smin", which, gen_int_like(which, last));
  which = gen_intrinsic2(g, "llvm.smax", which, gen_int_like(which, 0));
  LLVMBasicBlockRef *blocks = ARENA_ARRAY(g->arena, LLVMBasicBlockRef, op->region_count);
  for (size_t i = 0; i < op->region_count; i++) blocks[i] = gen_block(g, "case");
  LLVMBasicBlockRef after = gen_block(g, "endswitch");
  Value *phis = make_phis(g, op, after);
  Value jump = LLVMBuildSwitch(g->builder, which, blocks[last], (unsigned)op->region_count);
  for (size_t i = 0; i < op->region_count; i++) {
    if ((int64_t)i < last) LLVMAddCase(jump, gen_int_like(which, (int64_t)i), blocks[i]);
    gen_move_to(g, blocks[i]);
    gen_poll_entered(g, op, i);
    emit_branch(g, op->regions[i], results, op->result_count, phis, after);
  }
  gen_move_to(g, after);
  close_results(g, op, results, phis);
}

static bool is_parallel(const LlvmGen *g, const IrOp *op) {
  const IrAttr *parallel = ir_attr_find(op, ATTR_PARALLEL);
  return parallel && parallel->i && op->result_count == 0 && !g->options->check &&
         !g->frame->parallel;
}

void gen_control(LlvmGen *g, IrOp *op) {
  switch (op->code) {
  case OP_FOR:
    if (is_parallel(g, op))
      gen_parallel_for(g, op);
    else
      gen_for(g, op);
    return;
  case OP_WHILE:
    gen_while(g, op);
    comm_end_while(g, op);
    return;
  case OP_IF: gen_if(g, op); return;
  case OP_SWITCH: gen_switch(g, op); return;
  case OP_CORES: gen_cores(g, op); return;
  default: BUG("no code for %s", op_info(op->code)->name);
  }
}
