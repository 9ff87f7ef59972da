// SPDX-License-Identifier: Apache-2.0
// Counts of semaphores that a program reads and compares. In: a read; comparisons of its result;
// branches and loops that hang on them. Out: calls of prt__race_polled.
//
// Where the region of a branch begins, or a turn of a loop, the count has passed what its condition
// says. That is told there, for each region what it proves, as if the units were still there: so
// nothing may have taken some off in between. All other comparisons (of such a semaphore, of what a
// while loop carries, of what is computed with) are told behind the read, if the count passes them.
#include "gen_poll.h"
#include "codegen/emit/emit.h"
#include "codegen/emit/gen_function.h"
#include "codegen/emit/gen_site.h"
#include "codegen/refs/gen_race.h"
#include "codegen/values/gen_value.h"
#include "ir/analysis/effects.h"

// A count: of which read it is the result. `count OP limit`, whichever side the count stands on.
typedef struct Poll {
  const IrOp *read;
  Value semaphore, count;
  OpCode code;
  Value limit;
} Poll;

typedef struct Comparison {
  const IrOp *op;
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

static OpCode negated(OpCode code) {
  switch (code) {
  case OP_LT: return OP_GE;
  case OP_LE: return OP_GT;
  case OP_GT: return OP_LE;
  case OP_GE: return OP_LT;
  case OP_EQ: return OP_NE;
  default: return OP_EQ;
  }
}

static bool is_conversion(const IrOp *op) {
  return op && op->code == OP_CONVERT && op->results[0]->type->dtype != DT_BOOL;
}

// What a count is clamped by proves no less of it: no count is negative.
static bool is_clamp(const IrOp *op) {
  int64_t limit;
  return op && (op->code == OP_MIN || op->code == OP_MAX) &&
         ir_const_int(op->operands[1], &limit) && (op->code == OP_MIN ? limit >= 0 : limit <= 0);
}

static const IrOp *read_of(const IrValue *value) {
  while (is_conversion(value->def) || is_clamp(value->def)) value = value->def->operands[0];
  return value->def && value->def->code == OP_SEM_READ ? value->def : NULL;
}

// The op that makes a condition; JAX asks whether the number that a bool is made is above 0.
static const IrOp *condition_of(const IrValue *condition) {
  const IrOp *op = condition->def;
  int64_t number;
  while (op && op->code == OP_GT && ir_const_int(op->operands[1], &number) && number == 0 &&
         is_conversion(op->operands[0]->def) &&
         op->operands[0]->def->operands[0]->type->dtype == DT_BOOL)
    op = op->operands[0]->def->operands[0]->def;
  return op;
}

// Whether the op compares the count that the value is.
static bool compares(const IrOp *op, const IrValue *count, Comparison *out) {
  if (op_info(op->code)->op_class != CLASS_COMPARE) return false;
  for (int i = 0; i < 2; i++) {
    if (op->operands[i] != count) continue;
    *out = (Comparison){op, i == 0 ? op->code : turned(op->code), op->operands[1 - i]};
    return true;
  }
  return false;
}

// Whether what a count is compared with is known as an i32 where it is.
static bool has_limit(const IrValue *other) {
  int64_t number;
  if (ir_const_int(other, &number)) return number >= INT32_MIN && number <= INT32_MAX;
  return other->type->rank == 0 && other->type->dtype == DT_I32;
}

// ---- branches -----------------------------------------------------------------------------------
static bool takes(const IrOp *op, const IrValue *root) {
  for (size_t i = 0; i < op->operand_count && op->code != OP_SEM_READ; i++)
    if (effects_waits(op->code) && op->operands[i]->type->is_ref &&
        ir_ref_root(op->operands[i]) == root)
      return true;
  for (size_t i = 0; i < op->region_count; i++)
    for (const IrOp *inner = op->regions[i]->first; inner; inner = inner->next)
      if (takes(inner, root)) return true;
  return false;
}

// Whether units may be taken off the semaphore between the read and the op, which is behind it in
// its region or further inside.
static bool takes_between(const IrOp *read, const IrOp *op) {
  const IrValue *root = ir_ref_root(read->operands[0]);
  while (true) {
    const IrRegion *region = op->parent;
    bool is_last = region == read->parent;
    for (const IrOp *at = is_last ? read->next : region->first; at != op; at = at->next)
      if (!at || takes(at, root)) return true;
    if (is_last) return false;
    op = region->parent; // a program of cores is a function of its own
    if (!op || op->code == OP_CORES) return true;
    if ((op->code == OP_FOR || op->code == OP_WHILE) && takes(op, root)) return true;
  }
}

// The comparison that an op makes of a count; false: none, or with what is not known as an i32.
static bool compares_count(const IrOp *op, const IrOp **read, Comparison *out) {
  for (int i = 0; op && i < 2 && op_info(op->code)->op_class == CLASS_COMPARE; i++) {
    *read = read_of(op->operands[i]);
    if (*read && compares(op, op->operands[i], out) && has_limit(out->other)) return true;
  }
  return false;
}

static bool proves(OpCode code, const IrValue *limit) {
  int64_t number;
  if (code == OP_NE) return ir_const_int(limit, &number) && number == 0;
  return code == OP_EQ || code == OP_GE || code == OP_GT;
}

// Whether both sides of the op are as the condition is, which `holds` or does not.
static bool are_both(const IrOp *op, bool holds) { return op->code == (holds ? OP_AND : OP_OR); }

static bool are_either(const IrOp *op, bool holds) { return op->code == (holds ? OP_OR : OP_AND); }

// Whether a condition proves something of the read's count, by this comparison or (NULL) by any.
static bool condition_proves(const IrValue *condition, bool holds, const IrOp *read,
                             const IrOp *comparison) {
  const IrOp *op = condition_of(condition), *compared;
  Comparison c;
  if (!op) return false;
  if (op->code == OP_NOT) return condition_proves(op->operands[0], !holds, read, comparison);
  if (are_both(op, holds))
    return condition_proves(op->operands[0], holds, read, comparison) ||
           condition_proves(op->operands[1], holds, read, comparison);
  if (are_either(op, holds)) {
    const IrValue *a = op->operands[0], *b = op->operands[1];
    if (!comparison)
      return condition_proves(a, holds, read, NULL) && condition_proves(b, holds, read, NULL);
    return (condition_proves(a, holds, read, comparison) &&
            condition_proves(b, holds, read, NULL)) ||
           (condition_proves(b, holds, read, comparison) && condition_proves(a, holds, read, NULL));
  }
  return (!comparison || op == comparison) && compares_count(op, &compared, &c) &&
         compared == read && proves(holds ? c.code : negated(c.code), c.other);
}

// Whether branches in the region, behind `from`, tell what the comparison proves.
static bool has_branch(const IrOp *from, const IrOp *read, const IrOp *comparison) {
  for (const IrOp *op = from; op; op = op->next) {
    if (op->code == OP_IF &&
        (condition_proves(op->operands[0], true, read, comparison) ||
         condition_proves(op->operands[0], false, read, comparison)) &&
        !takes_between(read, op))
      return true;
    for (size_t i = 0; i < op->region_count; i++)
      if (has_branch(op->regions[i]->first, read, comparison)) return true;
  }
  return false;
}

static void tell(LlvmGen *g, const Poll *poll, Value least) {
  Value args[] = {g->frame->task, poll->semaphore, poll->count, least, gen_site(g, poll->read)};
  gen_call_runtime(g, "prt__race_polled", g->void_type, COUNT_OF(args), args);
}

// How many units a count that satisfies the comparison proves; NULL: none.
static Value proven_by(LlvmGen *g, OpCode code, Value limit) {
  switch (code) {
  case OP_EQ:
  case OP_GE: return limit;
  case OP_GT: return emit_add_c(g, limit, 1);
  case OP_NE:
    return emit_select(g, emit_icmp_c(g, LLVMIntEQ, limit, 0), gen_i32(g, 1), gen_i32(g, 0));
  default: return NULL;
  }
}

static const Poll *poll_for(LlvmGen *g, const IrValue *count, const IrOp *branch) {
  const IrOp *read = read_of(count);
  const Poll *poll = read ? map_get(g->polls, read) : NULL;
  return poll && !takes_between(read, branch) ? poll : NULL;
}

// What is known of a count.
typedef struct Proof {
  const Poll *poll;
  Value least;
} Proof;

// What a condition that holds, or does not, proves by either of its sides; false: nothing.
static bool find_proof(LlvmGen *g, const IrValue *condition, bool holds, const IrOp *branch,
                       Proof *out) {
  const IrOp *op = condition_of(condition);
  if (!op) return false;
  if (op->code == OP_NOT) return find_proof(g, op->operands[0], !holds, branch, out);
  if (are_both(op, holds))
    return find_proof(g, op->operands[0], holds, branch, out) ||
           find_proof(g, op->operands[1], holds, branch, out);
  if (are_either(op, holds)) {
    Proof other;
    if (!find_proof(g, op->operands[0], holds, branch, out) ||
        !find_proof(g, op->operands[1], holds, branch, &other) ||
        out->poll->read != other.poll->read)
      return false;
    Value is_less = LLVMBuildICmp(g->builder, LLVMIntSLT, out->least, other.least, "");
    out->least = emit_select(g, is_less, out->least, other.least);
    return true;
  }
  const Poll *poll = map_get(g->polls, op);
  if (!poll || takes_between(poll->read, branch)) return false;
  *out = (Proof){poll, proven_by(g, holds ? poll->code : negated(poll->code), poll->limit)};
  return out->least;
}

// Where the condition is known to hold, or not to.
static void tell_condition(LlvmGen *g, const IrValue *condition, bool holds, const IrOp *branch) {
  const IrOp *op = condition_of(condition);
  Proof proof;
  if (op && op->code == OP_NOT) {
    tell_condition(g, op->operands[0], !holds, branch);
  } else if (op && are_both(op, holds)) {
    for (int i = 0; i < 2; i++) tell_condition(g, op->operands[i], holds, branch);
  } else if (find_proof(g, condition, holds, branch, &proof)) {
    tell(g, proof.poll, proof.least);
  }
}

void gen_poll_entered(LlvmGen *g, const IrOp *op, size_t region) {
  if (!g->polls) return;
  if (op->code == OP_IF) {
    tell_condition(g, op->operands[0], region == 0, op);
    return;
  }
  // The index of a loop is below its bound; of a switch the last region stands for all above.
  const Poll *poll = poll_for(g, op->operands[op->code == OP_FOR ? 1 : 0], op);
  if (!poll) return;
  tell(g, poll,
       op->code == OP_FOR ? emit_add_c(g, value_scalar(g, op->regions[0]->args[0]), 1)
                          : gen_i32(g, (int64_t)region));
}

void gen_poll_compared(LlvmGen *g, const IrOp *op) {
  Comparison comparison;
  const IrOp *read;
  if (!g->polls || !compares_count(op, &read, &comparison)) return;
  const Poll *known = map_get(g->polls, read);
  if (!known) return;
  int64_t number;
  Poll *poll = ARENA_NEW(g->arena, Poll);
  *poll = *known;
  poll->code = comparison.code;
  poll->limit = ir_const_int(comparison.other, &number) ? gen_i32(g, number)
                                                        : value_scalar(g, comparison.other);
  map_set(g->polls, op, poll);
}

// ---- behind the read ----------------------------------------------------------------------------
// Of those that no branch tells of.
static bool find_comparison(const IrRegion *region, const IrOp *read, const IrValue *count,
                            Comparison *out) {
  for (const IrOp *op = region->first; op; op = op->next) {
    if ((is_conversion(op) || is_clamp(op)) && op->operands[0] == count &&
        find_comparison(region, read, op->results[0], out))
      return true;
    if (compares(op, count, out) && !(region == read->parent && has_branch(op->next, read, op)))
      return true;
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
static bool find_carried(const IrOp *read, Comparison *out) {
  const IrRegion *region = read->parent;
  const IrValue *count = read->results[0];
  const IrOp *around = region->parent;
  bool in_body = around && around->code == OP_WHILE && around->regions[1] == region;
  size_t at = in_body ? operand_of(region->last, count) : 0;
  if (in_body && at < region->last->operand_count &&
      find_comparison(around->regions[0], read, around->regions[0]->args[at], out))
    return true;
  for (const IrOp *op = region->first; op; op = op->next) {
    if (op->code != OP_WHILE || (at = operand_of(op, count)) == op->operand_count) continue;
    if (find_comparison(op->regions[0], read, op->regions[0]->args[at], out)) return true;
  }
  return false;
}

static bool is_known_at(const LlvmGen *g, const IrValue *value, const IrRegion *region) {
  const IrRegion *made = ir_value_region(value);
  for (; map_has(g->bindings, value) && region;
       region = region->parent ? region->parent->parent : NULL)
    if (region == made) return true;
  return false;
}

// How many units a count that satisfies the comparison, or fails it as a loop's end does, proves;
// NULL: nothing that is known here. Of == and != it is the number itself, of 0 one.
static Value threshold(LlvmGen *g, const IrOp *op, const Comparison *c, Value count) {
  int64_t number;
  bool is_number = ir_const_int(c->other, &number);
  if (is_number && number == 0 && (c->code == OP_EQ || c->code == OP_NE)) return gen_i32(g, 1);
  if (!has_limit(c->other) || (!is_number && !is_known_at(g, c->other, op->parent))) return NULL;
  Value limit = is_number ? gen_i32(g, number) : value_scalar(g, c->other);
  if (c->code == OP_EQ || c->code == OP_NE) // only a count that is equal to it proves it
    return emit_select(g, emit_icmp(g, LLVMIntEQ, count, limit), limit, gen_i32(g, 0));
  return c->code == OP_LE || c->code == OP_GT ? emit_add_c(g, limit, 1) : limit;
}

void gen_poll_read(LlvmGen *g, const IrOp *op, Value semaphore, Value count) {
  if (!race_is_on(g)) return;
  if (!g->polls) g->polls = map_new(g->arena);
  Poll *poll = ARENA_NEW(g->arena, Poll);
  *poll = (Poll){.read = op, .semaphore = semaphore, .count = count};
  map_set(g->polls, op, poll);
  Comparison comparison;
  if (!find_comparison(op->parent, op, op->results[0], &comparison) &&
      !find_carried(op, &comparison))
    return;
  Value least = threshold(g, op, &comparison, count);
  if (least) tell(g, poll, least);
}
