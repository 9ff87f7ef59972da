// SPDX-License-Identifier: Apache-2.0
// hoist: arrays that are the same in every trip of a loop are computed once, before it.
//   takes:  any IR without launches, not clustered yet
//   makes:  the same ops before loops
//   breaks: nothing
//   not:    what costs no more than reading it (views, spreads, a few additions) where a walk
//           computes it; what becomes larger than what it is made from, and than a cache; branches;
//           loops in which programs wait for each other
#include "base/map.h"
#include "ir/core/attr.h"
#include "ir/core/cpu.h"
#include "ir/core/ir.h"
#include "ir/core/region.h"
#include "fuse.h"
#include "ir/analysis/effects.h"
#include "ir/analysis/element_cost.h"
#include "ir/analysis/trips.h"
#include "passes/pass.h"

enum {
  CHEAP = 10, // what a walk computes again for each trip rather than read it
  MOST_BYTES = SECOND_LEVEL_BYTES,
};

// An op of the loop's body that depends on no trip.
typedef struct Invariant {
  int cost;      // of an element of its result, with all that it needs of the body
  int64_t bytes; // of the largest value from outside that it is made from
  bool is_seen;  // by something that changes, if only through a view
  bool is_array; // to something that no walk computes: each trip would make all of its elements
} Invariant;

typedef struct Hoister {
  PassContext *ctx;
  IrOp *loop;
  IrRegion *body;
  Map *invariants; // IrOp * -> Invariant *
  Map *copies;     // IrValue * of the body -> before the loop
} Hoister;

static bool is_made_inside(const Hoister *h, const IrValue *value) {
  return ir_region_is_in(ir_value_region(value), h->body);
}

static Invariant *invariant_of(const Hoister *h, const IrValue *value) {
  return value->def ? map_get(h->invariants, value->def) : NULL;
}

static bool is_view(const IrOp *op) {
  return op_is_view(op->code) || op->code == OP_CONST || op->code == OP_IOTA;
}

// ---- what does not change -----------------------------------------------------------------------
static bool does_not_change(const Hoister *h, const IrOp *op) {
  if (!effects_is_pure(op->code) || op->region_count) return false;
  for (uint32_t i = 0; i < op->result_count; i++)
    if (op->results[i]->type->is_ref) return false;
  for (uint32_t i = 0; i < op->operand_count; i++)
    if (is_made_inside(h, op->operands[i]) && !invariant_of(h, op->operands[i])) return false;
  return true;
}

static void find_invariants(Hoister *h) {
  for (IrOp *op = h->body->first; op; op = op->next) {
    if (!does_not_change(h, op)) continue;
    Invariant *made = ARENA_NEW(h->ctx->arena, Invariant);
    *made = (Invariant){.cost = op_is_elementwise(op->code) ? cost_of_element(op) : 1};
    for (uint32_t i = 0; i < op->operand_count; i++) {
      const Invariant *from = invariant_of(h, op->operands[i]);
      int64_t bytes = from ? from->bytes : ir_type_bytes(op->operands[i]->type);
      if (from) made->cost += from->cost;
      if (bytes > made->bytes) made->bytes = bytes;
    }
    map_set(h->invariants, op, made);
  }
}

// ---- who sees it --------------------------------------------------------------------------------
static void see_operands(const Hoister *h, const IrOp *op, bool as_arrays) {
  for (uint32_t i = 0; i < op->operand_count; i++) {
    Invariant *operand = invariant_of(h, op->operands[i]);
    if (!operand) continue;
    operand->is_seen = true;
    operand->is_array |= as_arrays;
  }
}

static void see(IrOp *op, void *data) { see_operands(data, op, !fuse_takes(op)); }

static void find_seen(Hoister *h) {
  for (IrOp *op = h->body->last; op; op = op->prev) {
    const Invariant *same = map_get(h->invariants, op);
    if (!same)
      see(op, h);
    else if (same->is_seen && is_view(op))
      see_operands(h, op, same->is_array);
    for (int i = 0; i < op->region_count; i++) ir_walk(op->regions[i], see, h);
  }
}

// ---- moving it ----------------------------------------------------------------------------------
static bool is_worth_hoisting(const IrOp *op, const Invariant *same) {
  if (!same->is_seen || is_view(op)) return false;
  int64_t bytes = 0;
  for (uint32_t i = 0; i < op->result_count; i++) bytes += ir_type_bytes(op->results[i]->type);
  if (bytes > MOST_BYTES && bytes > same->bytes) return false;
  return same->is_array || same->cost > CHEAP || !op_is_elementwise(op->code);
}

// What an operand is before the loop: what it takes of the body is computed there as well.
static IrValue *before_loop(Hoister *h, IrBuilder *b, IrValue *value) {
  if (!is_made_inside(h, value)) return value;
  IrValue *known = map_get(h->copies, value);
  if (known) return known;
  for (uint32_t i = 0; i < value->def->operand_count; i++) {
    IrValue *operand = value->def->operands[i];
    map_set(h->copies, operand, before_loop(h, b, operand));
  }
  ir_op_clone(b, value->def, h->copies);
  return map_get(h->copies, value);
}

static void hoist(Hoister *h, IrOp *op) {
  IrBuilder b = ir_builder_for(op, h->loop);
  for (uint32_t i = 0; i < op->operand_count; i++)
    ir_set_operand(op, i, before_loop(h, &b, op->operands[i]));
  ir_op_move(op, h->loop->parent, h->loop);
}

static void hoist_of(Hoister *h) {
  for (IrOp *op = h->body->first, *next; op; op = next) {
    next = op->next;
    const Invariant *same = map_get(h->invariants, op);
    if (same && is_worth_hoisting(op, same)) hoist(h, op);
  }
  for (IrOp *op = h->body->last, *before; op; op = before) {
    before = op->prev;
    if (map_has(h->invariants, op) && ir_op_is_unused(op)) ir_op_remove(op);
  }
}

// The region that each trip runs; NULL of what is no loop whose trips follow one another.
static IrRegion *body_of(const IrOp *op) {
  IrTrips trips;
  if (op->code == OP_WHILE) return op->regions[1];
  if (op->code != OP_FOR || ir_attr_int(op, ATTR_PARALLEL)) return NULL;
  return trips_of(op, &trips) && trips.count < 2 ? NULL : op->regions[0];
}

// Inner loops first: what leaves one may leave the next.
static void hoist_in(PassContext *ctx, IrRegion *region) {
  for (IrOp *op = region->first; op; op = op->next) {
    for (int i = 0; i < op->region_count; i++) hoist_in(ctx, op->regions[i]);
    IrRegion *body = body_of(op);
    if (!body || effects_region_communicates(body)) continue;
    Hoister h = {.ctx = ctx,
                 .loop = op,
                 .body = body,
                 .invariants = map_new(ctx->arena),
                 .copies = map_new(ctx->arena)};
    find_invariants(&h);
    find_seen(&h);
    hoist_of(&h);
  }
}

bool pass_hoist(PassContext *ctx) {
  for (IrFunc *func = ctx->module->first; func; func = func->next) hoist_in(ctx, func->body);
  return true;
}
