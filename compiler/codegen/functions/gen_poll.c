// SPDX-License-Identifier: Apache-2.0
// Counts of semaphores that a program reads and compares. In: a read, and the comparisons of its
// result: in the region it stands in, or in the condition of a while loop that carries it.
// Out: a call of prt__race_polled where the count passes what it is compared with.
#include "gen_poll.h"
#include "codegen/emit/emit.h"
#include "codegen/emit/gen_function.h"
#include "codegen/emit/gen_site.h"
#include "codegen/refs/gen_race.h"
#include "codegen/values/gen_value.h"

// `count OP other`, whichever side the count stands on.
typedef struct Comparison {
  OpCode code;
  const IrValue *other;
} Comparison;

static OpCode turned(OpCode code) {
  switch (code) {
  case OP_LT: return OP_GT;
  case OP_LE: return OP_GE;
  case OP_GT: return OP_LT;
  case OP_GE: return OP_LE;
  default: return code;
  }
}

static bool find_comparison(const IrRegion *region, const IrValue *count, Comparison *out) {
  for (const IrOp *op = region->first; op; op = op->next) {
    if (op->code == OP_CONVERT && op->operands[0] == count &&
        find_comparison(region, op->results[0], out))
      return true;
    if (op_info(op->code)->op_class != CLASS_COMPARE) continue;
    for (int i = 0; i < 2; i++) {
      if (op->operands[i] != count) continue;
      *out = (Comparison){i == 0 ? op->code : turned(op->code), op->operands[1 - i]};
      return true;
    }
  }
  return false;
}

// Which of the op's operands the value is; operand_count: none.
static size_t operand_of(const IrOp *op, const IrValue *value) {
  size_t i = 0;
  while (i < op->operand_count && op->operands[i] != value) i++;
  return i;
}

// A comparison in the condition of a while loop that the value is carried into, by its body or from
// before it.
static bool find_carried(const IrRegion *region, const IrValue *count, Comparison *out) {
  const IrOp *around = region->parent;
  bool in_body = around && around->code == OP_WHILE && around->regions[1] == region;
  size_t at = in_body ? operand_of(region->last, count) : 0;
  if (in_body && at < region->last->operand_count &&
      find_comparison(around->regions[0], around->regions[0]->args[at], out))
    return true;
  for (const IrOp *op = region->first; op; op = op->next) {
    if (op->code != OP_WHILE || (at = operand_of(op, count)) == op->operand_count) continue;
    if (find_comparison(op->regions[0], op->regions[0]->args[at], out)) return true;
  }
  return false;
}

static bool is_known_at(const IrValue *value, const IrRegion *region) {
  const IrRegion *made = ir_value_region(value);
  for (; region; region = region->parent ? region->parent->parent : NULL)
    if (region == made) return true;
  return false;
}

// How many units a count that satisfies the comparison, or fails it as a loop's end does, proves;
// NULL: nothing that is known here. Of == and != it is the number itself, of 0 one.
static Value threshold(LlvmGen *g, const IrOp *op, const Comparison *c, Value count) {
  int64_t number;
  bool is_number = ir_const_int(c->other, &number);
  if (is_number && number == 0 && (c->code == OP_EQ || c->code == OP_NE)) return gen_i32(g, 1);
  if (!is_number && (c->other->type->rank || c->other->type->dtype != DT_I32 ||
                     !is_known_at(c->other, op->parent)))
    return NULL;
  Value limit = is_number ? gen_i32(g, number) : value_scalar(g, c->other);
  if (c->code == OP_EQ || c->code == OP_NE) // only a count that is equal to it proves it
    return emit_select(g, emit_icmp(g, LLVMIntEQ, count, limit), limit, gen_i32(g, 0));
  return c->code == OP_LE || c->code == OP_GT ? emit_add_c(g, limit, 1) : limit;
}

void gen_poll_proves(LlvmGen *g, const IrOp *op, Value semaphore, Value count) {
  const IrValue *result = op->results[0];
  Comparison comparison;
  if (!race_is_on(g)) return;
  if (!find_comparison(op->parent, result, &comparison) &&
      !find_carried(op->parent, result, &comparison))
    return;
  Value least = threshold(g, op, &comparison, count);
  if (!least) return;
  Value args[] = {g->frame->task, semaphore, count, least, gen_site(g, op)};
  gen_call_runtime(g, "prt__race_polled", g->void_type, COUNT_OF(args), args);
}
