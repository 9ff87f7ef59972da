// SPDX-License-Identifier: Apache-2.0
// Counts of semaphores that a program reads and asks about. In: a read; scalars that are computed
// of its result; branches and loops that hang on them. Out: calls of prt__race_polled, or, of sums
// of several counts, prt__race_polled_sum, or of all else that is asked of several, of
// prt__race_polled_points.
//
// What a condition proves of a count is found by computing it again, for 0, 1, …: the least count
// that it holds for as well is there in every run that comes this way. So it matters neither how
// the condition is written nor in which type. (Where it is a comparison of what grows with the
// count, the least one is found by halves; else those up to 65,536 are tried, and a condition that
// holds for none of them has proved that there are more.) Where the region of a branch begins, or a
// turn of a loop, that is recorded for each region, as if the units were still there: so nothing
// may have taken some off in between. A condition on several counts proves what each of its sides
// does, if both must hold. A comparison of sums of counts proves the sum, weights and bound of
// which are found by computing it for counts of 0 and 1; one that, if the counts grow, can only
// begin to hold, proves of each count what it needs if the others are as large as can be. Any other
// condition is computed for all small counts there are. Behind the read it is recorded whether a
// while loop ends, or goes on, by the count alone, if that is otherwise for 0; where other things
// decide about it, the same of the first test of the count that no branch hangs on.
#include "base/map.h"
#include "ir/core/constant.h"
#include "ir/core/ir.h"
#include "ir/core/region.h"
#include "gen_poll.h"
#include "codegen/elements/gen_elem.h"
#include "codegen/emit/emit.h"
#include "codegen/emit/gen_function.h"
#include "codegen/emit/gen_site.h"
#include "codegen/refs/gen_race.h"
#include "codegen/values/gen_value.h"
#include "ir/analysis/effects.h"
#include "prt_codegen.h"

// No op on elements has more operands (ops.def); the runtime takes so many counts at once.
enum { MOST_OPERANDS = 4, MOST_COUNTS = PRT_POLLED_COUNTS };

// A read of a count.
typedef struct Poll {
  const IrOp *read;
  Value semaphore, count;
} Poll;

// Of a scalar that is computed of counts.
typedef struct Mark {
  const IrOp *read;       // of the one count; NULL: of several
  const IrValue *carried; // of what a while loop carries into its condition: what it hands on
} Mark;

struct Polls {
  Map *polls; // IrOp * of a read -> Poll *
  Map *marks; // IrValue * -> Mark *
  Map *known; // IrValue * that is computed with, and has no mark -> LLVM value
};

// What a comparison takes of several counts.
typedef struct Counts {
  const Poll *polls[MOST_COUNTS];
  size_t count;
} Counts;

// What is computed again of the count of a read.
typedef struct Question {
  const Poll *poll;
  const IrValue *asked;
  const IrRegion *place; // where what it takes must be known; NULL: it has been computed before
  Value outcome;         // the answer; NULL: one with which the region of the branch is entered
  const IrOp *branch;
  size_t region;
  const Counts *counts; // the count is one of these; NULL: it is asked about alone
  Value rest;           // what the others are
} Question;

static struct Polls *new_polls(LlvmGen *g) {
  struct Polls *polls = ARENA_NEW(g->arena, struct Polls);
  *polls = (struct Polls){map_new(g->arena), map_new(g->arena), map_new(g->arena)};
  return polls;
}

// ---- what is computed of counts -----------------------------------------------------------------
static bool is_arithmetic(const IrOp *op) {
  if (!op_is_elementwise(op->code) || op->code == OP_THREEFRY) return false;
  for (size_t i = 0; i < op->operand_count; i++)
    if (op->operands[i]->type->rank) return false;
  return true;
}

static const Mark *mark_of(const LlvmGen *g, const IrValue *value) {
  return map_get(g->polls->marks, value);
}

static void set_mark(LlvmGen *g, const IrValue *value, const IrOp *read, const IrValue *carried) {
  Mark *mark = ARENA_NEW(g->arena, Mark);
  *mark = (Mark){read, carried};
  map_set(g->polls->marks, value, mark);
}

static void mark_result(LlvmGen *g, const IrOp *op) {
  const IrOp *read = NULL;
  size_t marked = 0;
  for (size_t i = 0; i < op->operand_count; i++) {
    const Mark *mark = mark_of(g, op->operands[i]);
    if (mark) read = marked++ && read != mark->read ? NULL : mark->read;
  }
  if (marked) set_mark(g, op->results[0], read, NULL);
}

// What the loop's condition is given, of the values that it begins with or that its body hands on.
static void mark_carried(LlvmGen *g, const IrOp *loop, IrValue *const *values) {
  const IrRegion *condition = loop->regions[0];
  for (size_t i = 0; i < loop->result_count; i++) {
    const Mark *mark = mark_of(g, values[i]);
    if (mark) set_mark(g, condition->args[i], mark->read, values[i]);
  }
}

static void mark_region(LlvmGen *g, const IrOp *from) {
  for (const IrOp *op = from; op; op = op->next) {
    if (is_arithmetic(op)) mark_result(g, op);
    if (op->code == OP_WHILE) mark_carried(g, op, op->operands);
    for (size_t i = 0; i < op->region_count; i++) mark_region(g, op->regions[i]->first);
  }
}

static bool is_body_of_while(const IrRegion *region) {
  return region->parent && region->parent->code == OP_WHILE && region->parent->regions[1] == region;
}

static void mark_all(LlvmGen *g, const IrOp *read) {
  const IrRegion *region = read->parent;
  set_mark(g, read->results[0], read, NULL);
  mark_region(g, read->next);
  if (!is_body_of_while(region)) return;
  mark_carried(g, region->parent, region->last->operands);
  mark_region(g, region->parent->regions[0]->first);
}

void gen_poll_computed(LlvmGen *g, const IrOp *op, Value const *operands) {
  if (!g->polls || !is_arithmetic(op) || !mark_of(g, op->results[0])) return;
  for (size_t i = 0; i < op->operand_count; i++)
    if (!mark_of(g, op->operands[i])) map_set(g->polls->known, op->operands[i], operands[i]);
}

// ---- computing it again -------------------------------------------------------------------------
static bool is_known_at(const LlvmGen *g, const IrValue *value, const IrRegion *region) {
  const IrRegion *made = ir_value_region(value);
  for (; map_has(g->bindings, value) && region;
       region = region->parent ? region->parent->parent : NULL)
    if (region == made) return true;
  return false;
}

static bool is_const(const IrValue *value) { return value->def && value->def->code == OP_CONST; }

static bool is_count(const Counts *counts, const IrValue *value) {
  for (size_t i = 0; counts && i < counts->count; i++)
    if (value == counts->polls[i]->read->results[0]) return true;
  return false;
}

static bool can_compute(const LlvmGen *g, const Question *q, const IrValue *value, Map *seen) {
  const Mark *mark = mark_of(g, value);
  if (is_const(value) || value == q->poll->read->results[0] || is_count(q->counts, value) ||
      map_has(seen, value))
    return true;
  if (!mark) return q->place ? is_known_at(g, value, q->place) : map_has(g->polls->known, value);
  if (!q->counts && mark->read != q->poll->read) return false;
  map_set(seen, value, value);
  if (mark->carried) return can_compute(g, q, mark->carried, seen);
  for (size_t i = 0; i < value->def->operand_count; i++)
    if (!can_compute(g, q, value->def->operands[i], seen)) return false;
  return value->def->code != OP_SEM_READ;
}

// `made`: what has been computed, with the count itself.
static Value compute(LlvmGen *g, const Question *q, const IrValue *value, Map *made) {
  const Mark *mark = mark_of(g, value);
  if (map_has(made, value)) return map_get(made, value);
  if (is_const(value) || (!mark && q->place)) return value_scalar(g, value);
  if (!mark) return map_get(g->polls->known, value);
  if (mark->carried) return compute(g, q, mark->carried, made);
  Value operands[MOST_OPERANDS];
  for (size_t i = 0; i < value->def->operand_count; i++)
    operands[i] = compute(g, q, value->def->operands[i], made);
  Value result = elem_op(g, value->def, operands);
  map_set(made, value, result);
  return result;
}

static Value compute_for(LlvmGen *g, const Question *q, Value count) {
  Map *made = map_new(g->arena);
  for (size_t i = 0; q->counts && i < q->counts->count; i++)
    map_set(made, q->counts->polls[i]->read->results[0], q->rest);
  map_set(made, q->poll->read->results[0], count);
  return compute(g, q, q->asked, made);
}

static Value compute_at(LlvmGen *g, const Question *q, Value const *counts) {
  Map *made = map_new(g->arena);
  for (size_t i = 0; i < q->counts->count; i++)
    map_set(made, q->counts->polls[i]->read->results[0], counts[i]);
  return compute(g, q, q->asked, made);
}

// Whether the program would go the same way with that answer.
static Value goes_so(LlvmGen *g, const Question *q, Value answer) {
  if (q->outcome) return emit_icmp(g, LLVMIntEQ, answer, q->outcome);
  if (q->branch->code == OP_FOR) // the index is below its bound
    return emit_icmp(g, LLVMIntSGT, answer, value_scalar(g, q->branch->regions[0]->args[0]));
  // The first and the last region of a switch stand for all below and above.
  LLVMIntPredicate same = q->region == 0                             ? LLVMIntSLE
                          : q->region + 1 == q->branch->region_count ? LLVMIntSGE
                                                                     : LLVMIntEQ;
  return emit_icmp_c(g, same, answer, (int64_t)q->region);
}

// ---- how what is asked depends on the count ----------------------------------------------------
// The op that makes a condition; JAX asks whether the number that a bool is made is above 0.
static const IrOp *condition_of(const IrValue *condition) {
  const IrOp *op = condition->def;
  int64_t number;
  while (op && op->code == OP_GT && ir_const_int(op->operands[1], &number) && number == 0 &&
         op->operands[0]->def && op->operands[0]->def->code == OP_CONVERT &&
         op->operands[0]->def->operands[0]->type->dtype == DT_BOOL)
    op = op->operands[0]->def->operands[0]->def;
  return op;
}

// A number that is added must be small: else the sum may wrap, for counts that there are.
static bool is_small(const IrValue *value) {
  int64_t number;
  return ir_const_int(value, &number) && number >= -(1 << 20) && number <= 1 << 20;
}

// Whether it is 1 where a condition holds, or all of some, and else 0.
static bool is_flag(const IrValue *value) {
  const IrOp *op = value->def;
  if (op && op->code == OP_MUL) return is_flag(op->operands[0]) && is_flag(op->operands[1]);
  return op && op->code == OP_CONVERT && op->operands[0]->type->dtype == DT_BOOL;
}

// Whether it is a small number, or counts which of some conditions hold.
static bool is_bounded(const IrValue *value) {
  const IrOp *op = value->def;
  if (op && op->code == OP_ADD) return is_bounded(op->operands[0]) && is_bounded(op->operands[1]);
  return is_flag(value) || is_small(value);
}

static bool is_count_itself(const IrValue *value) {
  return value->def && value->def->code == OP_SEM_READ;
}

static bool is_positive(const IrValue *value) {
  int64_t number;
  return ir_const_int(value, &number) && number > 0;
}

// Whether the value never falls where the count grows.
static bool grows(const LlvmGen *g, const IrValue *value) {
  const Mark *mark = mark_of(g, value);
  if (!mark) return true; // the same for all counts
  if (mark->carried) return grows(g, mark->carried);
  const IrOp *op = value->def;
  DType dtype = value->type->dtype;
  bool is_wide = dtype == DT_I32 || dtype_is_float(dtype);
  switch (op->code) {
  case OP_SEM_READ: return true;
  case OP_CONVERT: return is_wide && grows(g, op->operands[0]);
  case OP_MIN:
  case OP_MAX: return grows(g, op->operands[0]) && grows(g, op->operands[1]);
  case OP_ADD:
    return is_wide && (is_bounded(op->operands[0]) || is_bounded(op->operands[1])) &&
           grows(g, op->operands[0]) && grows(g, op->operands[1]);
  case OP_SUB: return is_wide && is_small(op->operands[1]) && grows(g, op->operands[0]);
  case OP_MUL: // of a flag with what is not below 0
    for (int i = 0; i < 2; i++) {
      const IrValue *flag = op->operands[i], *other = op->operands[!i];
      if (is_wide && is_flag(flag) && (is_flag(other) || is_count_itself(other)))
        return grows(g, flag) && grows(g, other);
    }
    return false;
  case OP_DIV:
  case OP_FLOORDIV:
  case OP_SHR: return is_positive(op->operands[1]) && grows(g, op->operands[0]);
  case OP_AND:
  case OP_OR: return dtype == DT_BOOL && grows(g, op->operands[0]) && grows(g, op->operands[1]);
  case OP_GT:
  case OP_GE: return !mark_of(g, op->operands[1]) && grows(g, op->operands[0]);
  case OP_LT:
  case OP_LE: return !mark_of(g, op->operands[0]) && grows(g, op->operands[1]);
  default: return false;
  }
}

// Whether it compares what grows with what is the same for all counts. Then the counts for which it
// is as it is are all above one, or 0 is among them, or they lie beside each other.
static bool is_comparison(const LlvmGen *g, const IrOp *op) {
  if (!op || op_info(op->code)->op_class != CLASS_COMPARE) return false;
  const Mark *left = mark_of(g, op->operands[0]), *right = mark_of(g, op->operands[1]);
  return (!left || !right) && grows(g, op->operands[0]) && grows(g, op->operands[1]);
}

// Whether a condition can only begin to hold where the count grows; if it `falls`, only cease to.
static bool is_monotone(const LlvmGen *g, const IrValue *condition, bool falls) {
  const IrOp *op = condition->def;
  if (!falls && grows(g, condition)) return true;
  if (!op || condition->type->dtype != DT_BOOL || !mark_of(g, condition)) return false;
  switch (op->code) {
  case OP_NOT: return is_monotone(g, op->operands[0], !falls);
  case OP_AND:
  case OP_OR:
    return is_monotone(g, op->operands[0], falls) && is_monotone(g, op->operands[1], falls);
  case OP_GT:
  case OP_GE: return falls && !mark_of(g, op->operands[0]) && grows(g, op->operands[1]);
  case OP_LT:
  case OP_LE: return falls && !mark_of(g, op->operands[1]) && grows(g, op->operands[0]);
  default: return false;
  }
}

static bool can_halve(const LlvmGen *g, const Question *q) {
  if (!q->outcome && q->branch->code != OP_IF) return grows(g, q->asked);
  const IrOp *op = condition_of(q->asked);
  if (!op || is_comparison(g, op)) return op != NULL;
  return is_monotone(g, op->results[0], false) || is_monotone(g, op->results[0], true);
}

// ---- the least count ----------------------------------------------------------------------------
// The next count to try: the next one, or the one in the middle.
static Value probe_between(LlvmGen *g, Value low, Value high, Value halves) {
  Value each = emit_add_c(g, low, 1);
  Value half =
      LLVMBuildLShr(g->builder, LLVMBuildSub(g->builder, high, low, ""), gen_i32(g, 1), "");
  Value middle = LLVMBuildAdd(g->builder, low, half, "");
  Value is_first = emit_icmp_c(g, LLVMIntSLT, low, 0);
  return emit_select(g, emit_and(g, halves, emit_not(g, is_first)), middle, each);
}

// How many units are there at least if the program goes this way, up to those that were read: it
// would with `high`, and with none up to `low`.
static Value least_count(LlvmGen *g, const Question *q) {
  LLVMBasicBlockRef before = gen_here(g), test = gen_block(g, "count"),
                    more = gen_block(g, "probe"), done = gen_block(g, "counted");
  enum { TRIED = 1 << 16 }; // a choice: some 100 us of the shortest conditions
  Value below = gen_i32(g, -1), all = q->poll->count;
  Value is_usual = emit_icmp_c(g, LLVMIntSLT, all, INT32_MAX - (1 << 20));
  Value halves = can_halve(g, q) ? is_usual : LLVMConstInt(g->i1, false, false);
  LLVMBuildBr(g->builder, test);
  gen_move_to(g, test);
  Value low = LLVMBuildPhi(g->builder, g->i32, ""), high = LLVMBuildPhi(g->builder, g->i32, "");
  LLVMAddIncoming(low, &below, &before, 1);
  LLVMAddIncoming(high, &all, &before, 1);
  Value next = emit_add_c(g, low, 1), is_found = emit_icmp(g, LLVMIntSGE, next, high);
  Value is_enough = emit_and(g, emit_not(g, halves), emit_icmp_c(g, LLVMIntSGE, next, TRIED));
  LLVMBuildCondBr(g->builder, emit_or(g, is_found, is_enough), done, more);
  gen_move_to(g, more);
  Value probe = probe_between(g, low, high, halves), same = goes_so(g, q, compute_for(g, q, probe));
  Value next_low = emit_select(g, same, low, probe);
  Value next_high = emit_select(g, same, probe, high);
  LLVMBasicBlockRef end = gen_here(g);
  LLVMAddIncoming(low, &next_low, &end, 1);
  LLVMAddIncoming(high, &next_high, &end, 1);
  LLVMBuildBr(g->builder, test);
  gen_move_to(g, done);
  return next;
}

static void emit_polled(LlvmGen *g, const Question *q, Value least) {
  const Poll *poll = q->poll;
  Value args[] = {g->frame->task, poll->semaphore, poll->count, least, gen_site(g, poll->read)};
  gen_call_runtime(g, "prt__race_polled", g->void_type, COUNT_OF(args), args);
}

// ---- branches -----------------------------------------------------------------------------------
static bool takes(const IrOp *op, const IrValue *root) {
  for (size_t i = 0; i < op->operand_count && op->code != OP_SEM_READ; i++)
    if (effects_waits(op->code) && ir_ref_root(op->operands[i]) == root) return true;
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

// Whether both sides of the op are as the condition is, which `holds` or does not.
static bool are_both(const IrOp *op, bool holds) { return op->code == (holds ? OP_AND : OP_OR); }

static void report_branch(LlvmGen *g, Question *q, const IrOp *read, const IrOp *branch) {
  q->poll = map_get(g->polls->polls, read);
  if (q->poll && !takes_between(read, branch) && can_compute(g, q, q->asked, map_new(g->arena)))
    emit_polled(g, q, least_count(g, q));
}

// ---- several counts in one comparison -----------------------------------------------------------
// Whether it is a sum of counts, each times what is the same for all, and of what is the same.
static bool is_sum(const LlvmGen *g, const IrValue *value) {
  const Mark *mark = mark_of(g, value);
  if (value->type->dtype != DT_I32) return false;
  if (!mark) return true;
  if (mark->carried) return is_sum(g, mark->carried);
  const IrOp *op = value->def;
  switch (op->code) {
  case OP_SEM_READ: return true;
  case OP_MUL:
    if (mark_of(g, op->operands[0]) && mark_of(g, op->operands[1])) return false;
    return is_sum(g, op->operands[0]) && is_sum(g, op->operands[1]);
  case OP_ADD:
  case OP_SUB: return is_sum(g, op->operands[0]) && is_sum(g, op->operands[1]);
  case OP_NEG: return is_sum(g, op->operands[0]);
  default: return false;
  }
}

// The reads whose counts it is computed of. false: too many, or not all have been made.
static bool find_counts(const LlvmGen *g, const IrValue *value, Counts *counts, Map *seen) {
  const Mark *mark = mark_of(g, value);
  if (!mark || map_has(seen, value)) return true;
  map_set(seen, value, value);
  if (mark->carried) return find_counts(g, mark->carried, counts, seen);
  if (value->def->code == OP_SEM_READ) {
    const Poll *poll = map_get(g->polls->polls, value->def);
    if (!poll || counts->count == MOST_COUNTS) return false;
    counts->polls[counts->count++] = poll;
    return true;
  }
  for (size_t i = 0; i < value->def->operand_count; i++)
    if (!find_counts(g, value->def->operands[i], counts, seen)) return false;
  return true;
}

// What the left side is above the right one, if the count number `one` is 1 and all others are 0.
static Value difference(LlvmGen *g, Question *q, const IrOp *test, size_t one) {
  Value sides[2];
  Map *made = map_new(g->arena);
  for (size_t i = 0; i < q->counts->count; i++)
    map_set(made, q->counts->polls[i]->read->results[0], gen_i32(g, i == one));
  for (int i = 0; i < 2; i++)
    sides[i] = emit_sext(g, compute(g, q, test->operands[i], made), g->i64);
  return emit_sub(g, sides[0], sides[1]);
}

// The sum, or if it `falls` the sum times -1, is at least `least` where it is proved.
static void report_sum(LlvmGen *g, const Counts *counts, Value const *weights, bool falls,
                       Value least, Value is_proved) {
  Value zero = gen_i64(g, 0);
  for (size_t i = 0; i < counts->count; i++) {
    Value weight = falls ? emit_sub(g, zero, weights[i]) : weights[i];
    Value term[] = {g->frame->task, counts->polls[i]->semaphore, weight};
    gen_call_runtime(g, "prt__race_polled_term", g->void_type, COUNT_OF(term), term);
  }
  Value args[] = {g->frame->task, emit_select(g, is_proved, least, zero),
                  gen_site(g, counts->polls[0]->read)};
  gen_call_runtime(g, "prt__race_polled_sum", g->void_type, COUNT_OF(args), args);
}

// left - right = rest + the sum of counts times weights.
static void report_comparison(LlvmGen *g, Question *q, const IrOp *test) {
  Value weights[MOST_COUNTS], rest = difference(g, q, test, MOST_COUNTS);
  Value holds = q->outcome, fails = emit_not(g, holds), minus = emit_sub(g, gen_i64(g, 0), rest);
  for (size_t i = 0; i < q->counts->count; i++)
    weights[i] = emit_sub(g, difference(g, q, test, i), rest);
  OpCode code = test->code;
  if (code == OP_LT || code == OP_GE) { // or its contrary
    Value is_above = code == OP_GE ? holds : fails, is_below = code == OP_GE ? fails : holds;
    report_sum(g, q->counts, weights, false, minus, is_above);
    report_sum(g, q->counts, weights, true, emit_add_c(g, rest, 1), is_below);
  } else if (code == OP_GT || code == OP_LE) {
    Value is_above = code == OP_GT ? holds : fails, is_below = code == OP_GT ? fails : holds;
    report_sum(g, q->counts, weights, false, emit_add_c(g, minus, 1), is_above);
    report_sum(g, q->counts, weights, true, rest, is_below);
  } else {
    Value is_equal = code == OP_EQ ? holds : fails;
    report_sum(g, q->counts, weights, false, minus, is_equal);
    report_sum(g, q->counts, weights, true, rest, is_equal);
  }
}

// Whether the test can only begin to hold, or cease to, if the counts grow.
static bool is_monotonic(const LlvmGen *g, const IrOp *test) {
  bool is_order = test->code != OP_EQ && test->code != OP_NE;
  return is_order && is_comparison(g, test);
}

// If it begins to hold, each of them needs most where the others are as large as can be.
static void report_each(LlvmGen *g, Question *q) {
  Value largest = gen_i32(g, INT32_MAX - (1 << 20));
  q->rest = largest;
  Value is_risen = emit_icmp(g, LLVMIntEQ, compute_for(g, q, largest), q->outcome);
  q->rest = emit_select(g, is_risen, largest, gen_i32(g, 0));
  for (size_t i = 0; i < q->counts->count; i++) {
    q->poll = q->counts->polls[i];
    emit_polled(g, q, least_count(g, q));
  }
}

// The counts below that are tried of so many semaphores: some thousand points at most.
static int32_t side_of(size_t counts) {
  enum { MOST_POINTS = 4096 }; // a choice: some microseconds a read
  int32_t side = 1;
  for (int64_t points = 0; points <= MOST_POINTS; side++) {
    points = 1;
    for (size_t i = 0; i < counts; i++) points *= side + 1;
  }
  return side - 1;
}

// Its digits to the base `side`.
static void counts_at(LlvmGen *g, const Question *q, Value point, int32_t side, Value *counts) {
  for (size_t i = 0; i < q->counts->count; i++) {
    Value base = gen_i32(g, side);
    counts[i] = LLVMBuildURem(g->builder, point, base, "");
    point = LLVMBuildUDiv(g->builder, point, base, "");
  }
}

// Records the points with which the program would go the same way, in ascending order; none behind
// 0, which proves nothing.
static void report_points(LlvmGen *g, const Question *q) {
  LLVMBasicBlockRef before = gen_here(g), test = gen_block(g, "point"), same = gen_block(g, "same"),
                    more = gen_block(g, "other"), done = gen_block(g, "points");
  int32_t side = side_of(q->counts->count), points = 1;
  for (size_t i = 0; i < q->counts->count; i++) points *= side;
  Value zero = gen_i32(g, 0), counts[MOST_COUNTS];
  LLVMBuildBr(g->builder, test);
  gen_move_to(g, test);
  Value point = LLVMBuildPhi(g->builder, g->i32, "");
  LLVMAddIncoming(point, &zero, &before, 1);
  counts_at(g, q, point, side, counts);
  Value is_so = goes_so(g, q, compute_at(g, q, counts));
  LLVMBuildCondBr(g->builder, is_so, same, more);
  gen_move_to(g, same);
  Value args[] = {g->frame->task, gen_i32(g, side), emit_sext(g, point, g->i64)};
  gen_call_runtime(g, "prt__race_polled_point", g->void_type, COUNT_OF(args), args);
  LLVMBuildCondBr(g->builder, emit_icmp_c(g, LLVMIntEQ, point, 0), done, more);
  gen_move_to(g, more);
  Value next = emit_add_c(g, point, 1);
  LLVMBasicBlockRef end = gen_here(g);
  LLVMAddIncoming(point, &next, &end, 1);
  LLVMBuildCondBr(g->builder, emit_icmp_c(g, LLVMIntSLT, next, points), test, done);
  gen_move_to(g, done);
}

static void report_all_points(LlvmGen *g, const Question *q) {
  int32_t side = side_of(q->counts->count);
  for (size_t i = 0; i < q->counts->count; i++) {
    Value term[] = {g->frame->task, q->counts->polls[i]->semaphore};
    gen_call_runtime(g, "prt__race_polled_count", g->void_type, COUNT_OF(term), term);
  }
  report_points(g, q);
  Value args[] = {g->frame->task, gen_i32(g, side), gen_site(g, q->counts->polls[0]->read)};
  gen_call_runtime(g, "prt__race_polled_points", g->void_type, COUNT_OF(args), args);
}

// Whether what is asked of several counts can be computed at the op.
static bool can_tell_several(LlvmGen *g, Question *q, const IrValue *asked, const IrOp *at,
                             Counts *counts) {
  *counts = (Counts){.count = 0};
  if (!find_counts(g, asked, counts, map_new(g->arena)) || counts->count < 2) return false;
  for (size_t i = 0; i < counts->count; i++)
    if (counts->polls[i]->read != at && takes_between(counts->polls[i]->read, at)) return false;
  q->counts = counts;
  q->poll = counts->polls[0];
  q->asked = asked;
  return can_compute(g, q, asked, map_new(g->arena));
}

static bool compares_sums(const LlvmGen *g, const IrOp *test) {
  return op_info(test->code)->op_class == CLASS_COMPARE && is_sum(g, test->operands[0]) &&
         is_sum(g, test->operands[1]);
}

// The test has, or had where it was read, the answer `outcome`.
static void report_several(LlvmGen *g, Question *q, const IrOp *test) {
  if (compares_sums(g, test)) {
    report_comparison(g, q, test);
    return;
  }
  if (is_monotonic(g, test)) {
    Question each = *q;
    report_each(g, &each);
  }
  report_all_points(g, q);
}

// Whether both sides ask about one count, so that together they may prove more than each of them.
static bool share_a_count(const LlvmGen *g, const IrOp *op) {
  Counts left = {.count = 0}, right = {.count = 0};
  if (!find_counts(g, op->operands[0], &left, map_new(g->arena)) ||
      !find_counts(g, op->operands[1], &right, map_new(g->arena)))
    return false;
  for (size_t i = 0; i < left.count; i++)
    if (is_count(&right, left.polls[i]->read->results[0])) return true;
  return false;
}

// Where the condition is known to hold, or not to.
static void report_condition(LlvmGen *g, const IrValue *condition, bool holds, const IrOp *branch) {
  const Mark *mark = mark_of(g, condition);
  const IrOp *op = condition_of(condition);
  if (!mark) return;
  if (mark->read) {
    Question q = {.asked = condition, .outcome = LLVMConstInt(g->i1, holds, false)};
    report_branch(g, &q, mark->read, branch);
  } else if (op->code == OP_NOT) {
    report_condition(g, op->operands[0], !holds, branch);
    return;
  }
  for (int i = 0; i < 2 && are_both(op, holds); i++)
    report_condition(g, op->operands[i], holds, branch);
  if (are_both(op, holds) && !share_a_count(g, op)) return;
  Counts counts;
  Question q = {.outcome = LLVMConstInt(g->i1, holds, false)};
  if (can_tell_several(g, &q, op->results[0], branch, &counts)) report_several(g, &q, op);
}

void gen_poll_entered(LlvmGen *g, const IrOp *op, size_t region) {
  if (!g->polls) return;
  if (op->code == OP_IF) {
    report_condition(g, op->operands[0], region == 0, op);
    return;
  }
  const IrValue *asked = op->operands[op->code == OP_FOR ? 1 : 0];
  const Mark *mark = mark_of(g, asked);
  Question q = {.asked = asked, .branch = op, .region = region};
  Counts counts;
  if (mark && mark->read)
    report_branch(g, &q, mark->read, op);
  else if (mark && can_tell_several(g, &q, asked, op, &counts))
    report_all_points(g, &q);
}

// ---- behind the read ----------------------------------------------------------------------------
static bool uses(const LlvmGen *g, const IrValue *value, const IrValue *test, Map *seen) {
  const Mark *mark = mark_of(g, value);
  if (value == test) return true;
  if (!mark || mark->carried || value->def->code == OP_SEM_READ || map_has(seen, value))
    return false;
  map_set(seen, value, value);
  for (size_t i = 0; i < value->def->operand_count; i++)
    if (uses(g, value->def->operands[i], test, seen)) return true;
  return false;
}

// Whether report_condition asks what the condition proves of all its counts, if it is one on
// several: of constants and counts alone, none of which is taken from before the branch.
static bool asks_several(const IrValue *value, const IrOp *branch, Map *reads, Map *seen) {
  const IrOp *op = value->def;
  if (map_has(seen, value) || is_const(value)) return true;
  map_set(seen, value, value);
  if (!op || (op->code != OP_SEM_READ && !is_arithmetic(op))) return false;
  if (op->code == OP_SEM_READ) {
    map_set(reads, op, op);
    return map_count(reads) <= MOST_COUNTS && !takes_between(op, branch);
  }
  for (size_t i = 0; i < op->operand_count; i++)
    if (!asks_several(op->operands[i], branch, reads, seen)) return false;
  return true;
}

// Whether report_condition, at the branch, implies of the read what the test, a part of the
// condition, says; or leaves open what it does not need.
static bool implies(const LlvmGen *g, const IrValue *condition, bool holds, const IrOp *branch,
                    const IrOp *read, const IrValue *test) {
  const Mark *mark = mark_of(g, condition);
  const IrOp *op = condition_of(condition);
  if (!mark || !uses(g, condition, test, map_new(g->arena))) return false;
  if (mark->read) return mark->read == read;
  if (op->code == OP_NOT) return implies(g, op->operands[0], !holds, branch, read, test);
  if (asks_several(condition, branch, map_new(g->arena), map_new(g->arena))) return true;
  return are_both(op, holds) && (implies(g, op->operands[0], holds, branch, read, test) ||
                                 implies(g, op->operands[1], holds, branch, read, test));
}

// Whether a branch in the region, behind `from`, does.
static bool has_branch(const LlvmGen *g, const IrOp *from, const IrOp *read, const IrValue *test) {
  for (const IrOp *op = from; op; op = op->next) {
    if (op->code == OP_IF && !takes_between(read, op) &&
        (implies(g, op->operands[0], true, op, read, test) ||
         implies(g, op->operands[0], false, op, read, test)))
      return true;
    for (size_t i = 0; i < op->region_count; i++)
      if (has_branch(g, op->regions[i]->first, read, test)) return true;
  }
  return false;
}

// ---- what is kept -------------------------------------------------------------------------------
// Whether it is computed of the number itself: where a bool is in between, that was asked for.
static bool is_of_number(const LlvmGen *g, const IrValue *value, const IrValue *number, Map *seen) {
  const Mark *mark = mark_of(g, value);
  if (value == number) return true;
  if (!mark || mark->carried || value->def->code == OP_SEM_READ || map_has(seen, value) ||
      value->type->dtype == DT_BOOL)
    return false;
  map_set(seen, value, value);
  for (size_t i = 0; i < value->def->operand_count; i++)
    if (is_of_number(g, value->def->operands[i], number, seen)) return true;
  return false;
}

// A count, or a test of one.
static bool is_computed_of(const LlvmGen *g, const IrValue *value, const IrValue *asked) {
  bool is_test = asked->type->dtype == DT_BOOL;
  return (is_test ? uses : is_of_number)(g, value, asked, map_new(g->arena));
}

// Whether the op, which ends a region, makes a result of the op around it that something needs.
static bool hands_out(const LlvmGen *g, const IrOp *yield, const IrValue *asked) {
  const IrOp *around = yield->parent->parent;
  if (!around || (around->code == OP_WHILE && yield->parent == around->regions[0])) return false;
  for (size_t i = 0; i < around->result_count && i < yield->operand_count; i++)
    if (around->results[i]->use_count && is_computed_of(g, yield->operands[i], asked)) return true;
  return false;
}

// Whether a store, or the end of a region, in that of `from` and behind it, takes the count or test
// where what is computed of it is not followed.
static bool is_kept(const LlvmGen *g, const IrOp *from, const IrValue *asked) {
  for (const IrOp *op = from; op; op = op->next) {
    if (op->code == OP_STORE && is_computed_of(g, op->operands[0], asked)) return true;
    if (op->code == OP_YIELD && hands_out(g, op, asked)) return true;
    for (size_t i = 0; i < op->region_count; i++)
      if (is_kept(g, op->regions[i]->first, asked)) return true;
  }
  return false;
}

// Whether the op makes a bool of the count, of no other bool.
static bool is_test(const LlvmGen *g, const IrOp *op, const IrOp *read) {
  const Mark *mark = is_arithmetic(op) ? mark_of(g, op->results[0]) : NULL;
  if (!mark || mark->read != read || op->results[0]->type->dtype != DT_BOOL) return false;
  for (size_t i = 0; i < op->operand_count; i++)
    if (mark_of(g, op->operands[i]) && op->operands[i]->type->dtype == DT_BOOL) return false;
  return true;
}

// A test that no branch asks, or whose outcome is kept, in the region behind `from` or the
// condition of a loop there.
static bool find_test(const LlvmGen *g, const IrOp *from, Question *q) {
  const IrOp *read = q->poll->read;
  for (const IrOp *op = from; op; op = op->next) {
    if (op->code == OP_WHILE && find_test(g, op->regions[0]->first, q)) return true;
    if (!is_test(g, op, read)) continue;
    q->asked = op->results[0];
    bool is_reported = op->parent == read->parent && has_branch(g, op->next, read, q->asked) &&
                       !is_kept(g, op->next, q->asked);
    if (!is_reported && can_compute(g, q, q->asked, map_new(g->arena))) return true;
  }
  return false;
}

// Whether the loop ends, or goes on, by the test, which is in its condition or its body.
static bool ends_loop(const LlvmGen *g, const IrOp *loop, const IrOp *test) {
  const IrRegion *condition = loop->regions[0], *body = loop->regions[1];
  const IrValue *ends = condition->last->operands[0], *result = test->results[0];
  if (test->parent == condition) return uses(g, ends, result, map_new(g->arena));
  for (size_t i = 0; i < loop->result_count; i++)
    if (uses(g, body->last->operands[i], result, map_new(g->arena)) &&
        uses(g, ends, condition->args[i], map_new(g->arena)))
      return true;
  return false;
}

// Whether it is a comparison, or a bool that is not a part of another one.
static bool is_reported_alone(const IrOp *op) {
  const IrValue *result = op->results[0];
  if (result->type->dtype != DT_BOOL) return false;
  return op_info(op->code)->op_class == CLASS_COMPARE || op->parent->last->operands[0] == result;
}

// A test of several counts, of which `read` is the last, by which a while loop ends.
static void report_loop(LlvmGen *g, const IrOp *loop, const IrOp *from, const IrOp *read) {
  for (const IrOp *op = from; op; op = op->next) {
    const Mark *mark = is_arithmetic(op) ? mark_of(g, op->results[0]) : NULL;
    Counts counts;
    Question q = {.place = read->parent};
    if (!mark || mark->read || !is_reported_alone(op) ||
        !can_tell_several(g, &q, op->results[0], read, &counts) || !ends_loop(g, loop, op))
      continue;
    Map *made = map_new(g->arena);
    for (size_t i = 0; i < counts.count; i++)
      map_set(made, counts.polls[i]->read->results[0], counts.polls[i]->count);
    q.outcome = compute(g, &q, q.asked, made);
    report_several(g, &q, op);
  }
}

static void report_loops(LlvmGen *g, const IrOp *read) {
  const IrRegion *region = read->parent;
  const IrOp *loop = region->parent;
  if (!loop || loop->code != OP_WHILE) return;
  report_loop(g, loop, read->next, read);
  if (is_body_of_while(region)) report_loop(g, loop, loop->regions[0]->first, read);
}

// The condition of the while loop in whose condition or body the read is, if the count alone
// decides about it.
static bool find_end(const LlvmGen *g, const IrRegion *region, Question *q) {
  const IrOp *loop = region->parent;
  if (!loop || loop->code != OP_WHILE) return false;
  q->asked = loop->regions[0]->last->operands[0];
  const Mark *mark = mark_of(g, q->asked);
  if (mark && mark->carried) q->asked = mark->carried;
  return mark && mark->read == q->poll->read && can_compute(g, q, q->asked, map_new(g->arena));
}

void gen_poll_read(LlvmGen *g, const IrOp *op, Value semaphore, Value count) {
  if (!race_is_on(g)) return;
  if (!g->polls) g->polls = new_polls(g);
  Poll *poll = ARENA_NEW(g->arena, Poll);
  *poll = (Poll){.read = op, .semaphore = semaphore, .count = count};
  map_set(g->polls->polls, op, poll);
  mark_all(g, op);
  report_loops(g, op);
  Question q = {.poll = poll, .place = op->parent};
  const IrRegion *region = op->parent;
  if (find_end(g, region, &q) || find_test(g, op->next, &q) ||
      (is_body_of_while(region) && find_test(g, region->parent->regions[0]->first, &q))) {
    q.outcome = compute_for(g, &q, count);
    emit_polled(g, &q, least_count(g, &q));
  } else if (is_kept(g, op->next, op->results[0])) {
    emit_polled(g, &q, count);
  }
}
