// SPDX-License-Identifier: Apache-2.0
// Dead code. First what has effects marks what it needs, and that what it needs: a loop's carry is
// needed if its result or something needed inside of the loop uses it, not because it hands itself
// on. Then the rest is swept.
#include "base/map.h"
#include "ir/analysis/access.h"
#include "ir/analysis/effects.h"
#include "ir/core/ir.h"
#include "ir/core/region.h"
#include "simplify.h"

typedef struct Marker {
  Simplifier *s;
  Map *live;                // values
  VEC(IrValue *) unvisited; // live values whose definition has not been looked at
} Marker;

#define LIVE(op) ((op)->scratch != NULL)

static void mark_value(Marker *m, IrValue *value) {
  if (map_has(m->live, value)) return;
  map_set(m->live, value, NULL);
  VEC_PUSH(m->s->arena, &m->unvisited, value);
}

// Whether single results may be dropped: the others then do not need what these do.
static bool has_separate_results(OpCode code) {
  return code == OP_FOR || code == OP_IF || code == OP_SWITCH;
}

// An op that stays, and those around it.
static void mark_op(Marker *m, IrOp *op) {
  while (!LIVE(op)) {
    op->scratch = op;
    uint32_t needed = op->code == OP_FOR ? 3 : op->operand_count; // of a loop: its bounds
    for (uint32_t i = 0; i < needed; i++) mark_value(m, op->operands[i]);
    for (int i = 0; i < op->region_count && !has_separate_results(op->code); i++) {
      IrOp *yield = op->regions[i]->last;
      for (uint32_t j = 0; yield && j < yield->operand_count; j++)
        mark_value(m, yield->operands[j]);
    }
    if (!op->parent->parent) return;
    op = op->parent->parent;
  }
}

// Result i of an op that has separate results, or the argument that belongs to it.
static void mark_result(Marker *m, IrOp *op, uint32_t i) {
  mark_op(m, op);
  mark_value(m, op->results[i]);
  if (op->code == OP_FOR) {
    mark_value(m, op->operands[3 + i]);
    mark_value(m, op->regions[0]->args[1 + i]);
  }
  for (int j = 0; j < op->region_count; j++)
    if (op->regions[j]->last) mark_value(m, op->regions[j]->last->operands[i]);
}

static void visit(Marker *m, IrValue *value) {
  if (value->def) {
    if (has_separate_results(value->def->code))
      mark_result(m, value->def, value->index);
    else
      mark_op(m, value->def);
  } else if (value->region->parent && value->region->parent->code == OP_FOR && value->index > 0) {
    mark_result(m, value->region->parent, value->index - 1);
  }
}

// An array that nobody looks at: kernels do not load from HBM.
static bool is_array(const IrOp *op) {
  if (op->code != OP_LOAD || !access_is_whole(op)) return false;
  const IrValue *ref = op->operands[0];
  return ref->type->space == SPACE_HBM && ref->def && ref->def->code == OP_ALLOC;
}

// What stays even if nobody uses it. Loads do under check: they may be out of bounds.
static bool is_root(const Simplifier *s, const IrOp *op) {
  if (effects_is_pure(op->code) || op->code == OP_YIELD || op->code == OP_ALLOC) return false;
  if (effects_only_reads(op->code))
    return s->ctx->options->check && op->code != OP_UNWRITTEN && !is_array(op);
  return !has_separate_results(op->code) && !simplify_is_emptied(op);
}

static void clear(IrOp *op, void *data UNUSED) { op->scratch = NULL; }

static void mark_roots(IrOp *op, void *data) {
  Marker *m = data;
  if (is_root(m->s, op)) mark_op(m, op);
}

// ---- sweeping ----------------------------------------------------------------------------------
static void drop_from(IrValue **items, uint32_t *count, uint32_t at) {
  for (uint32_t i = at + 1; i < *count; i++) items[i - 1] = items[i];
  --*count;
}

static void drop_operand(IrOp *op, uint32_t at) {
  op->operands[at]->use_count--;
  drop_from(op->operands, &op->operand_count, at);
}

static void drop_result(IrOp *op, uint32_t at) {
  for (int i = 0; i < op->region_count; i++) drop_operand(op->regions[i]->last, at);
  drop_from(op->results, &op->result_count, at);
  for (uint32_t i = at; i < op->result_count; i++) op->results[i]->index = i;
  if (op->code != OP_FOR) return;
  IrRegion *body = op->regions[0];
  drop_operand(op, 3 + at);
  drop_from(body->args, &body->arg_count, 1 + at);
  for (uint32_t i = 1 + at; i < body->arg_count; i++) body->args[i]->index = i;
}

static void sweep(const Marker *m, IrRegion *region) {
  for (IrOp *op = region->last, *before; op; op = before) {
    before = op->prev;
    if (op->code == OP_YIELD) continue;
    if (!LIVE(op)) {
      ir_op_remove(op);
      continue;
    }
    for (uint32_t i = op->result_count; has_separate_results(op->code) && i-- > 0;)
      if (!map_has(m->live, op->results[i])) drop_result(op, i);
    for (int i = 0; i < op->region_count; i++) sweep(m, op->regions[i]);
  }
}

void simplify_dead(Simplifier *s, IrRegion *region) {
  Marker m = {.s = s, .live = map_new(s->arena)};
  ir_walk(region, clear, NULL);
  ir_walk(region, mark_roots, &m);
  while (m.unvisited.count) visit(&m, m.unvisited.items[--m.unvisited.count]);
  sweep(&m, region);
  ir_walk(region, clear, NULL);
}
