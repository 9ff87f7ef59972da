// SPDX-License-Identifier: Apache-2.0
// Values of a cluster that are computed before it. Inside its loops they would be computed once for
// each element that a broadcast makes of one of theirs; or once for each place at which the loops
// look at them, where a filter along one dimension is followed by one along another.
#include <string.h>
#include "base/map.h"
#include "fuse_spread.h"
#include "ir/core/region.h"
#include "ir/analysis/element_cost.h"
#include "ir/core/cpu.h"

// Costs are cut off here.
enum { MAX_COST = 1 << 20 };

typedef struct Spread {
  IrOp *const *ops;
  size_t count;
  Map *members; // IrOp * -> its position + 1
  int *costs;   // of an element, with all that it needs of the cluster
  bool *chosen, *cone;
  // How many elements of each are computed inside the loops: for users at the element's own place,
  // and for those at other places, which do not share them.
  int64_t *here, *elsewhere;
} Spread;

// The op of the cluster that makes the value: its position, or -1.
static ptrdiff_t maker_of(const Spread *s, const IrValue *value) {
  return value->def ? (ptrdiff_t)(uintptr_t)map_get(s->members, value->def) - 1 : -1;
}

static void find_costs(const Spread *s) {
  for (size_t i = 0; i < s->count; i++) {
    const IrOp *op = s->ops[i];
    int cost = op_is_pointwise(op->code) ? cost_of_element(op) : 0;
    for (size_t k = 0; k < op->operand_count; k++) {
      ptrdiff_t at = maker_of(s, op->operands[k]);
      if (at >= 0) cost += s->costs[at];
    }
    s->costs[i] = cost < MAX_COST ? cost : MAX_COST;
  }
}

// Marks the op and what it needs in `cone`. False if some of it cannot be, or has better not,
// before the cluster: a reduction of it, memory that it may write, arrays larger than `most`
// elements of which more are needed than that. `needed`: of this one.
static bool find_cone(const Spread *s, size_t at, int64_t most, int64_t needed, bool *cone) {
  const IrOp *op = s->ops[at];
  if (cone[at]) return true;
  bool is_pure = op_is_pointwise(op->code) || op_is_view(op->code) || op->code == OP_IOTA;
  int64_t count = ir_type_count(op->results[0]->type);
  if (count > needed) count = needed; // the rest is sliced off
  if (!is_pure || count > most) return false;
  cone[at] = true;
  for (size_t i = 0; i < op->operand_count; i++) {
    ptrdiff_t maker = maker_of(s, op->operands[i]);
    bool is_part = op->code == OP_SLICE || op->code == OP_DYNAMIC_SLICE ||
                   count < ir_type_count(op->results[0]->type);
    if (maker >= 0 && !find_cone(s, (size_t)maker, most, is_part ? count : INT64_MAX, cone))
      return false;
  }
  return true;
}

// What is dear of a value that is spread: another look at it, or a sign, is left to who uses it.
static size_t dear_part(const Spread *s, size_t at) {
  for (;;) {
    const IrOp *op = s->ops[at];
    bool is_cheap = op_is_view(op->code) || (op_is_pointwise(op->code) && cost_of_element(op) == 1);
    ptrdiff_t from = is_cheap && op->operand_count == 1 ? maker_of(s, op->operands[0]) : -1;
    if (from < 0 || ir_type_count(op->operands[0]->type) != ir_type_count(op->results[0]->type))
      return at;
    at = (size_t)from;
  }
}

static void choose(const Spread *s, size_t at, int64_t most) {
  bool *cone = s->cone;
  memset(cone, 0, s->count * sizeof *cone);
  if (!find_cone(s, at, most, INT64_MAX, cone)) return;
  for (size_t i = 0; i < s->count; i++) s->chosen[i] |= cone[i];
}

static void choose_broadcast(const Spread *s) {
  for (size_t i = 0; i < s->count; i++) {
    const IrOp *op = s->ops[i];
    ptrdiff_t maker = op->code == OP_BROADCAST ? maker_of(s, op->operands[0]) : -1;
    if (maker >= 0 && cost_spread_is_dear(op, s->costs[maker]))
      choose(s, dear_part(s, (size_t)maker), ir_type_count(op->operands[0]->type));
  }
}

// ---- what is looked at from several places ------------------------------------------------------
// Whether an element of the result is one at another place of the operand.
static bool looks_elsewhere(OpCode code) {
  return code == OP_SLICE || code == OP_DYNAMIC_SLICE || code == OP_TRANSPOSE || code == OP_REV;
}

static bool is_used_outside(const Spread *s, const IrValue *value) {
  uint32_t inside = 0;
  for (size_t i = 0; i < s->count; i++) inside += ir_count_operands(s->ops[i], value);
  return value->use_count > inside;
}

// What is made in loops of its own, from all elements of its operand.
static bool takes_all(const IrOp *op) { return op->code == OP_STORE || op_is_reduction(op->code); }

static bool is_root(const Spread *s, const IrOp *op) {
  return takes_all(op) || is_used_outside(s, op->results[0]);
}

// The op needs so many elements of each of its operands.
static void demand(const Spread *s, const IrOp *op, int64_t elements) {
  for (uint32_t k = 0; k < op->operand_count; k++) {
    ptrdiff_t maker = maker_of(s, op->operands[k]);
    if (maker < 0) continue;
    int64_t count = ir_type_count(op->operands[k]->type);
    int64_t needed = op->code == OP_BROADCAST && elements > count ? count : elements;
    if (looks_elsewhere(op->code))
      s->elsewhere[maker] += needed;
    else if (s->here[maker] < needed)
      s->here[maker] = needed;
  }
}

static bool is_read(const IrValue *value) {
  return value->type->rank > 0 && !(value->def && value->def->code == OP_CONST);
}

// What an element costs with all that it needs, each value once at each place; what comes from
// memory costs an addition.
static int64_t cost_with_reads(const Spread *s, size_t at, int64_t *times) {
  int64_t cost = 0;
  memset(times, 0, s->count * sizeof *times);
  times[at] = 1;
  for (size_t i = at + 1; i-- > 0;) {
    const IrOp *op = s->ops[i];
    if (!times[i]) continue;
    if (op_is_pointwise(op->code)) cost += times[i] * cost_of_element(op);
    for (uint32_t k = 0; k < op->operand_count; k++) {
      ptrdiff_t maker = maker_of(s, op->operands[k]);
      if (maker < 0)
        cost += is_read(op->operands[k]);
      else if (looks_elsewhere(op->code))
        times[maker] += times[i];
      else if (times[maker] < times[i])
        times[maker] = times[i];
    }
    if (cost > MAX_COST) return MAX_COST;
  }
  return cost;
}

// What the loops of one root would compute many more elements of than there are goes to memory
// once; what several roots need is their plan's to keep (plan_make.c). MOST_BYTES: of what stays in
// a core's caches until it is read.
static void choose_seen_from_several(const Spread *s, size_t root, int64_t *times) {
  enum {
    LEAST_SAVED = 16, // a choice, in additions: for a store, a load, and a loop of their own
    LEAST_SAVED_IF_LARGE = 64,          // likewise, from the third level of caches
    MOST_BYTES = SECOND_LEVEL_BYTES / 2 // beside what is made of it
  };
  memset(s->here, 0, s->count * sizeof *s->here);
  memset(s->elsewhere, 0, s->count * sizeof *s->elsewhere);
  const IrOp *last = s->ops[root];
  demand(s, last, ir_type_count((takes_all(last) ? last->operands[0] : last->results[0])->type));
  for (size_t i = root; i-- > 0;) {
    const IrOp *op = s->ops[i];
    int64_t elements = s->here[i] + s->elsewhere[i];
    if (!elements || is_root(s, op)) continue;
    const IrType *type = op->results[0]->type;
    int64_t count = ir_type_count(type);
    if (op_is_pointwise(op->code) && elements > count && !s->chosen[i]) {
      bool is_large = count * (int64_t)dtype_size(type->dtype) > MOST_BYTES;
      int64_t least = (is_large ? LEAST_SAVED_IF_LARGE : LEAST_SAVED) * count;
      if ((elements - count) * cost_with_reads(s, i, times) >= least) choose(s, i, count);
    }
    demand(s, op, s->chosen[i] && elements > count ? count : elements);
  }
}

// ---- what both need -----------------------------------------------------------------------------
// Of what was chosen, from the last to the first: cheap values that the rest needs, too.
static FuseOps find_again(const Spread *s, Arena *arena) {
  FuseOps again = {0};
  bool *needed = ARENA_ARRAY(arena, bool, s->count + 1);
  for (size_t i = s->count; i-- > 0;) {
    const IrOp *op = s->ops[i];
    bool is_cheap = op_is_view(op->code) || s->costs[i] <= 1;
    if (s->chosen[i] && !(needed[i] && is_cheap)) continue;
    if (s->chosen[i]) VEC_PUSH(arena, &again, s->ops[i]);
    for (uint32_t k = 0; k < op->operand_count; k++) {
      ptrdiff_t maker = maker_of(s, op->operands[k]);
      if (maker >= 0) needed[maker] = true;
    }
  }
  return again;
}

FuseOps fuse_spread(Arena *arena, IrOp *const *ops, size_t count, FuseOps *again) {
  Spread s = {.ops = ops, .count = count, .members = map_new(arena)};
  s.costs = ARENA_ARRAY(arena, int, count + 1);
  s.chosen = ARENA_ARRAY(arena, bool, count + 1);
  s.cone = ARENA_ARRAY(arena, bool, count + 1);
  s.here = ARENA_ARRAY(arena, int64_t, count + 1);
  s.elsewhere = ARENA_ARRAY(arena, int64_t, count + 1);
  for (size_t i = 0; i < count; i++) map_set(s.members, ops[i], (void *)(uintptr_t)(i + 1));
  find_costs(&s);
  choose_broadcast(&s);
  int64_t *times = ARENA_ARRAY(arena, int64_t, count + 1);
  for (size_t i = count; i-- > 0;)
    if (is_root(&s, ops[i])) choose_seen_from_several(&s, i, times);
  FuseOps first = {0};
  for (size_t i = 0; i < count; i++)
    if (s.chosen[i]) VEC_PUSH(arena, &first, ops[i]);
  *again = find_again(&s, arena);
  return first;
}
