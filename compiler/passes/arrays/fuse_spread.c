// SPDX-License-Identifier: Apache-2.0
// Values of a cluster that are computed before it: inside its loops they would be computed once for
// each element that a broadcast makes of one of theirs.
#include "fuse_spread.h"

#include "ir/analysis/element_cost.h"

// Costs are cut off here.
enum { MAX_COST = 1 << 20 };

typedef struct Spread {
  IrOp *const *ops;
  size_t count;
  Map *members; // IrOp * -> its position + 1
  int *costs;   // of an element, with all that it needs of the cluster
  bool *chosen;
} Spread;

// The op of the cluster that makes the value: its position, or -1.
static ptrdiff_t maker_of(const Spread *s, const IrValue *value) {
  return value->def ? (ptrdiff_t)(uintptr_t)map_get(s->members, value->def) - 1 : -1;
}

static void find_costs(const Spread *s) {
  for (size_t i = 0; i < s->count; i++) {
    const IrOp *op = s->ops[i];
    int cost = op_is_elementwise(op->code) ? cost_of_element(op) : 0;
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
  bool is_pure = op_is_elementwise(op->code) || op_is_view(op->code) || op->code == OP_IOTA;
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
    bool is_cheap =
        op_is_view(op->code) || (op_is_elementwise(op->code) && cost_of_element(op) == 1);
    ptrdiff_t from = is_cheap && op->operand_count == 1 ? maker_of(s, op->operands[0]) : -1;
    if (from < 0 || ir_type_count(op->operands[0]->type) != ir_type_count(op->results[0]->type))
      return at;
    at = (size_t)from;
  }
}

FuseOps fuse_spread(Arena *arena, IrOp *const *ops, size_t count) {
  Spread s = {.ops = ops, .count = count, .members = map_new(arena)};
  s.costs = ARENA_ARRAY(arena, int, count + 1);
  s.chosen = ARENA_ARRAY(arena, bool, count + 1);
  for (size_t i = 0; i < count; i++) map_set(s.members, ops[i], (void *)(uintptr_t)(i + 1));
  find_costs(&s);
  for (size_t i = 0; i < count; i++) {
    ptrdiff_t maker = ops[i]->code == OP_BROADCAST ? maker_of(&s, ops[i]->operands[0]) : -1;
    if (maker < 0 || !cost_spread_is_dear(ops[i], s.costs[maker])) continue;
    bool *cone = ARENA_ARRAY(arena, bool, count + 1);
    if (!find_cone(&s, dear_part(&s, (size_t)maker), ir_type_count(ops[i]->operands[0]->type),
                   INT64_MAX, cone))
      continue;
    for (size_t k = 0; k < count; k++) s.chosen[k] |= cone[k];
  }
  FuseOps first = {0};
  for (size_t i = 0; i < count; i++)
    if (s.chosen[i]) VEC_PUSH(arena, &first, ops[i]);
  return first;
}
