// SPDX-License-Identifier: Apache-2.0
// simplify: constants folded, common and dead ops removed, ops in canonical order.
//   takes:  any verified IR
//   makes:  the same computation, bit for bit, in fewer ops; branches and loops whose course is
//           known are gone
//   breaks: nothing
//   not:    anything whose rounding could differ (no reassociation, no folding of functions that
//           are not exact), anything across the border of a launch
//
// One walk in program order: an op's operands are simplified before it, so that one visit is
// enough. Time is linear in the number of ops, times the depth of nesting for what loops may write.
#include "base/map.h"
#include "ir/core/constant.h"
#include "ir/core/ir.h"
#include "simplify.h"
#include "ir/analysis/effects.h"
#include "ir/core/place.h"

// What a value was replaced by may have been replaced since; the chain is made short on the way.
static IrValue *simplify_resolve(Simplifier *s, IrValue *value) {
  IrValue *last = value, *with;
  while ((with = map_get(s->replaced, last))) last = with;
  while (value != last) {
    with = map_get(s->replaced, value);
    if (with != last) map_set(s->replaced, value, last);
    value = with;
  }
  return last;
}

static void replace(Simplifier *s, IrValue *old, IrValue *with) {
  if (!with->name) with->name = old->name;
  ir_place_replace(s->module, with, old);
  map_set(s->replaced, old, with);
}

static void resolve_operands(Simplifier *s, IrOp *op) {
  for (uint32_t i = 0; i < op->operand_count; i++) {
    IrValue *value = simplify_resolve(s, op->operands[i]);
    if (value != op->operands[i]) ir_set_operand(op, i, value);
  }
}

// ---- control flow whose course is known --------------------------------------------------------
// Moves the region's ops in front of `op`; the first of them, or what follows `op`. The op's
// results become what the region yields. The op itself stays, for the sweep of dead ops.
static IrOp *inline_region(Simplifier *s, IrOp *op, IrRegion *region) {
  IrOp *yield = region->last, *first = NULL;
  while (region->first != yield) {
    IrOp *moved = region->first;
    ir_op_move(moved, op->parent, op);
    if (!first) first = moved;
  }
  for (uint32_t i = 0; i < op->result_count; i++) replace(s, op->results[i], yield->operands[i]);
  return first ? first : op->next;
}

static bool known_bool(const IrValue *value, bool *out) {
  int64_t number;
  if (!ir_const_int(value, &number)) return false;
  *out = number != 0;
  return true;
}

// How often a loop runs: 0, 1, or 2 for more and for unknown.
static int known_trips(const IrOp *loop) {
  int64_t lower, upper, step;
  if (loop->operands[0] == loop->operands[1]) return 0;
  if (!ir_const_int(loop->operands[0], &lower) || !ir_const_int(loop->operands[1], &upper))
    return 2;
  if (lower >= upper) return 0;
  return ir_const_int(loop->operands[2], &step) && upper - lower <= step ? 1 : 2;
}

static IrOp *inline_loop(Simplifier *s, IrOp *loop) {
  IrRegion *body = loop->regions[0];
  for (uint32_t i = 0; i < body->arg_count; i++)
    replace(s, body->args[i], loop->operands[i ? i + 2 : 0]);
  return inline_region(s, loop, body);
}

static void replace_by_carries(Simplifier *s, IrOp *op, uint32_t first) {
  for (uint32_t i = 0; i < op->result_count; i++)
    replace(s, op->results[i], op->operands[first + i]);
}

// The op to go on with if the course of `op` is known, `op` being without effect from then on; else
// NULL.
static IrOp *simplify_course(Simplifier *s, IrOp *op) {
  bool yes;
  int64_t number;
  IrOp *next = NULL;
  switch (op->code) {
  case OP_IF:
    if (!known_bool(op->operands[0], &yes)) return NULL;
    next = inline_region(s, op, op->regions[yes ? 0 : 1]);
    break;
  case OP_SWITCH:
    if (op->region_count == 1)
      number = 0;
    else if (!ir_const_int(op->operands[0], &number))
      return NULL;
    if (number >= op->region_count) number = op->region_count - 1;
    next = inline_region(s, op, op->regions[number < 0 ? 0 : number]);
    break;
  case OP_FOR:
    switch (known_trips(op)) {
    case 0:
      replace_by_carries(s, op, 3);
      next = op->next;
      break;
    case 1: next = inline_loop(s, op); break;
    default: return NULL;
    }
    break;
  case OP_WHILE: // only a test that is a constant on its own
    if (op->regions[0]->first->code != OP_CONST ||
        op->regions[0]->first->next != op->regions[0]->last ||
        !known_bool(op->regions[0]->last->operands[0], &yes) || yes)
      return NULL;
    replace_by_carries(s, op, 0);
    next = op->next;
    break;
  default: return NULL;
  }
  // Without its regions the op has no effects; the sweep takes it when the last use of its results
  // is resolved.
  for (int i = 0; i < op->region_count; i++)
    while (op->regions[i]->last) ir_op_remove(op->regions[i]->last);
  return next;
}

// ---- carries that never change -----------------------------------------------------------------
// A carry that every trip hands on as it came is the initial value.
static void simplify_carries(Simplifier *s, const IrOp *loop) {
  const IrRegion *body = loop->regions[0];
  const IrOp *yield = body->last;
  for (uint32_t i = 0; i < loop->result_count; i++) {
    if (yield->operands[i] != body->args[1 + i]) continue;
    replace(s, body->args[1 + i], loop->operands[3 + i]);
    replace(s, loop->results[i], loop->operands[3 + i]);
  }
}

// ---- loop-invariant scalars --------------------------------------------------------------------
static bool is_inside(const IrRegion *body, const IrValue *value) {
  return value->region == body || (value->def && value->def->parent == body);
}

static bool is_invariant(const IrRegion *body, const IrOp *op) {
  if (!effects_is_pure(op->code) || op->code == OP_CONST) return false;
  for (uint32_t i = 0; i < op->result_count; i++)
    if (op->results[i]->type->is_ref || op->results[i]->type->rank) return false;
  for (uint32_t i = 0; i < op->operand_count; i++) {
    const IrValue *value = op->operands[i];
    if (is_inside(body, value) && !(value->def && value->def->code == OP_CONST)) return false;
  }
  return true;
}

static void hoist_scalars(IrOp *loop) {
  IrRegion *body = loop->regions[0];
  for (IrOp *op = body->first, *next; op; op = next) {
    next = op->next;
    if (!is_invariant(body, op)) continue;
    for (uint32_t i = 0; i < op->operand_count; i++)
      if (is_inside(body, op->operands[i])) ir_op_move(op->operands[i]->def, loop->parent, loop);
    ir_op_move(op, loop->parent, loop);
  }
}

// ---- the walk ----------------------------------------------------------------------------------
static void simplify_region(Simplifier *s, IrRegion *region);

// What is seen inside a launch and outside of it is kept apart: only scalars and refs may cross its
// border.
static void simplify_regions(Simplifier *s, IrOp *op) {
  struct Memory *outer_memory = s->memory;
  struct Cse *outer_common = s->cse;
  for (int i = 0; i < op->region_count; i++) {
    s->memory = simplify_memory_new(s);
    if (op->code == OP_LAUNCH) s->cse = simplify_cse_new(s);
    size_t mark = simplify_cse_mark(s->cse);
    simplify_region(s, op->regions[i]);
    simplify_cse_release(s->cse, mark);
  }
  s->memory = outer_memory;
  s->cse = outer_common;
  if (op->code == OP_FOR) hoist_scalars(op);
}

// Pure ops and loads: whether every result stands replaced.
static bool simplify_value(Simplifier *s, IrOp *op) {
  IrValue *results[2];
  if (op->result_count > 0 && op->result_count <= COUNT_OF(results) &&
      simplify_fold(s, op, results)) {
    for (uint32_t i = 0; i < op->result_count; i++)
      replace(s, op->results[i], simplify_resolve(s, results[i]));
    return true;
  }
  IrValue *same = op->result_count == 1 ? simplify_identity(s, op) : NULL;
  if (!same && op->code == OP_LOAD) same = simplify_load(s, op);
  if (same) {
    replace(s, op->results[0], simplify_resolve(s, same));
    return true;
  }
  if (!effects_is_pure(op->code)) return false;
  const IrOp *seen = simplify_cse_find(s, op);
  for (uint32_t i = 0; seen && i < op->result_count; i++)
    replace(s, op->results[i], seen->results[i]);
  return seen != NULL;
}

static void simplify_op(Simplifier *s, IrOp *op) {
  IrRegion *region = op->parent;
  IrOp *before = op->prev;
  simplify_index(s, op);
  bool is_replaced = simplify_value(s, op);
  // Ops that a rule built in front of this one are simplified in turn; each rule leaves less to do.
  for (IrOp *built = before ? before->next : region->first; built != op; built = built->next) {
    resolve_operands(s, built);
    simplify_op(s, built);
  }
  if (!is_replaced) simplify_effects(s, op);
}

static void simplify_region(Simplifier *s, IrRegion *region) {
  for (IrOp *op = region->first, *next; op; op = next) {
    next = op->next;
    if (simplify_is_emptied(op)) continue; // met again behind what was moved out of it
    resolve_operands(s, op);
    IrOp *inlined = simplify_course(s, op);
    if (inlined) {
      next = inlined;
      continue;
    }
    if (op->code == OP_FOR) simplify_carries(s, op);
    if (op->region_count) simplify_regions(s, op);
    simplify_op(s, op);
  }
}

bool pass_simplify(PassContext *ctx) {
  for (IrFunc *func = ctx->module->first; func; func = func->next) {
    ArenaMark mark = arena_mark(ctx->arena);
    Simplifier s = {.ctx = ctx, .module = ctx->module, .arena = ctx->arena};
    s.replaced = map_new(ctx->arena);
    s.cse = simplify_cse_new(&s);
    s.memory = simplify_memory_new(&s);
    simplify_region(&s, func->body);
    simplify_dead(&s, func->body);
    bool changed = simplify_overwritten(&s, func);
    if (simplify_dead_allocs(&s, func) || changed) simplify_dead(&s, func->body);
    arena_release(ctx->arena, mark);
  }
  return true;
}
