// SPDX-License-Identifier: Apache-2.0
// unroll: loops of a known course whose trips are better computed together.
//   takes:  any IR without launches
//   makes:  loops with several trips in each turn, and the trips that are left behind them
//   breaks: nothing
//   not:    loops in which programs wait for each other; more operations than a limit
//
// A loop that computes each element of what it carries from that element alone would pass over its
// arrays once a trip. Several trips in one turn are one walk, which keeps the elements in registers
// meanwhile. Other loops are unrolled as far as the program asks for it.
#include "base/map.h"
#include "ir/analysis/effects.h"
#include "ir/analysis/element_cost.h"
#include "ir/analysis/trips.h"
#include "ir/core/attr.h"
#include "ir/core/build.h"
#include "ir/core/build_memory.h"
#include "ir/core/ir.h"
#include "passes/pass.h"

// Operations of a turn. MOST_FUSED: half of what one cluster takes (fuse.c), so that a turn with
// its loads and stores is one. MOST_ASKED: a program may ask for any number; some 4,000
// instructions (code_size.c) are what a first level of caches holds.
enum { MOST_FUSED = 48, MOST_ASKED = 256 };

// Constants cost nothing.
static int64_t count_ops(const IrRegion *region) {
  int64_t count = 0;
  for (const IrOp *op = region->first; op; op = op->next) {
    count += op->code != OP_CONST && op->code != OP_YIELD;
    for (int i = 0; i < op->region_count; i++) count += count_ops(op->regions[i]);
  }
  return count;
}

// ---- loops over elements -----------------------------------------------------------------------
static bool is_carried_array(const IrRegion *body, const IrValue *value, const Map *made) {
  if (!value->type->rank) return false;
  if (value->def) return map_has(made, value->def);
  for (uint32_t i = 1; i < body->arg_count; i++)
    if (body->args[i] == value) return true;
  return false;
}

// What one trip computes for an element of what is carried.
typedef struct Trip {
  int64_t ops, cost; // operations, and what they cost, in additions
  int64_t cycles;    // until all of them are done, one after the other
  int64_t chain;     // and of the longest chain of those that wait for one another
  int64_t arrays;    // that are carried
} Trip;

static int64_t chain_before(const Map *chains, const IrOp *op) {
  int64_t chain = 0;
  for (uint32_t i = 0; i < op->operand_count; i++) {
    const IrOp *def = op->operands[i]->def;
    int64_t before = def ? (int64_t)(uintptr_t)map_get(chains, def) : 0;
    if (before > chain) chain = before;
  }
  return chain;
}

static void count_op(Trip *trip, Map *chains, const IrOp *op) {
  enum { ADDITION = 2, FLOATS = 2 }; // cycles: of whole numbers, and how many more of floats
  int cost = cost_of_element(op);
  bool is_float = dtype_is_float(op->results[0]->type->dtype);
  int64_t cycles = cost * ADDITION + (is_float ? FLOATS : 0);
  int64_t chain = chain_before(chains, op) + cycles;
  map_set(chains, op, (void *)(uintptr_t)chain);
  trip->ops++;
  trip->cost += cost;
  trip->cycles += cycles;
  if (chain > trip->chain) trip->chain = chain;
}

// Whether an element of each array that is carried depends on no other element of one. What the
// loop only reads is what it was before it.
static bool goes_by_elements(PassContext *ctx, const IrOp *loop, Trip *trip) {
  const IrRegion *body = loop->regions[0];
  Map *chains = map_new(ctx->arena); // up to ops of arrays that come from what is carried
  *trip = (Trip){0};
  for (uint32_t i = 1; i < body->arg_count; i++) trip->arrays += body->args[i]->type->rank > 0;
  for (IrOp *op = body->first; op != body->last; op = op->next) {
    if (op->region_count || (!effects_is_pure(op->code) && !effects_only_reads(op->code)))
      return false;
    bool carried = false;
    for (uint32_t i = 0; i < op->operand_count; i++)
      carried |= is_carried_array(body, op->operands[i], chains);
    if (!carried) continue;
    if (!op_is_elementwise(op->code)) return false;
    count_op(trip, chains, op);
  }
  return trip->arrays > 0;
}

// The most trips that a turn has without waiting. Operations that wait for one another overlap with
// those of other vectors: of as many as go side by side (plan_loops.c), or of as many as are in
// flight.
static int64_t most_without_waiting(const Trip *trip) {
  enum {
    REGISTERS = 24,  // 16, of the CPUs that have fewest, which the vectors fill one after the other
    A_CYCLE = 4,     // additions
    IN_FLIGHT = 256, // operations, of the 224 to 512 that CPUs hold
  };
  int64_t width = (trip->cycles + trip->chain - 1) / trip->chain; // values at a time
  int64_t beside = 1, k = 1;
  while (beside * 2 * (width + trip->arrays) <= REGISTERS) beside *= 2;
  for (; (k + 1) * trip->ops <= MOST_FUSED; k++) {
    int64_t vectors = IN_FLIGHT / ((k + 1) * trip->ops);
    if (vectors < beside) vectors = beside;
    if (trip->chain * A_CYCLE > trip->cost * vectors) break;
  }
  return k;
}

// How many trips a turn is to have.
static int64_t find_factor(PassContext *ctx, const IrOp *loop, const IrTrips *trips) {
  int64_t ops = count_ops(loop->regions[0]), asked = ir_attr_int(loop, ATTR_UNROLL);
  if (ops < 1) ops = 1;
  int64_t most = MOST_ASKED / ops, fused = MOST_FUSED / ops;
  int64_t factor = asked < most ? asked : most;
  Trip trip;
  if (fused > factor && goes_by_elements(ctx, loop, &trip)) {
    int64_t without = trip.chain ? most_without_waiting(&trip) : fused;
    if (fused > without) fused = without;
    if (fused > factor) factor = fused;
  }
  if (factor > 1 && effects_region_communicates(loop->regions[0])) return 1;
  if (factor < 2) return 1;
  int64_t turns = (trips->count + factor - 1) / factor; // of one length: a short rest is left
  return trips->count / turns;
}

// ---- copies of trips ---------------------------------------------------------------------------
// One trip; what is carried is replaced by what the trip hands on.
static void add_trip(PassContext *ctx, IrBuilder *b, const IrOp *loop, IrValue *index,
                     IrValue **carried) {
  const IrRegion *body = loop->regions[0];
  Map *values = map_new(ctx->arena);
  map_set(values, body->args[0], index);
  for (uint32_t i = 0; i < loop->result_count; i++) map_set(values, body->args[i + 1], carried[i]);
  for (const IrOp *op = body->first; op != body->last; op = op->next) ir_op_clone(b, op, values);
  for (uint32_t i = 0; i < loop->result_count; i++) {
    IrValue *next = body->last->operands[i], *copy = map_get(values, next);
    carried[i] = copy ? copy : next;
  }
}

// The turns of `factor` trips each.
static void add_turns(PassContext *ctx, IrBuilder *b, const IrOp *loop, const IrTrips *trips,
                      int64_t factor, IrValue **carried) {
  int64_t whole = trips->count / factor * factor, step = trips->step;
  IrValue *lower = loop->operands[0];
  IrOp *turns = ir_for(b, lower, ir_i32(b, (int32_t)(trips->lower + whole * step)),
                       ir_i32(b, (int32_t)(factor * step)), loop->result_count, carried);
  ir_set_int(b->module, turns, ATTR_PARALLEL, ir_attr_int(loop, ATTR_PARALLEL));
  IrRegion *body = turns->regions[0];
  IrBuilder inside = *b;
  inside.region = body;
  inside.before = NULL;
  for (uint32_t i = 0; i < loop->result_count; i++) carried[i] = body->args[i + 1];
  for (int64_t k = 0; k < factor; k++) {
    IrValue *index = body->args[0];
    if (k) index = ir_binary(&inside, OP_ADD, index, ir_i32(&inside, (int32_t)(k * step)));
    add_trip(ctx, &inside, loop, index, carried);
  }
  ir_yield(&inside, loop->result_count, carried);
  for (uint32_t i = 0; i < loop->result_count; i++) carried[i] = turns->results[i];
}

static void unroll(PassContext *ctx, IrOp *loop) {
  IrTrips trips;
  if (!trips_of(loop, &trips) || trips.count == 0) return;
  int64_t factor = find_factor(ctx, loop, &trips), done = 0;
  if (factor < 2 || trips.count / factor * factor * trips.step + trips.lower > INT32_MAX ||
      factor * trips.step > INT32_MAX)
    return;
  IrBuilder b = ir_builder_before(loop);
  IrValue **carried = ARENA_ARRAY(ctx->arena, IrValue *, loop->result_count + 1);
  for (uint32_t i = 0; i < loop->result_count; i++) carried[i] = loop->operands[i + 3];
  if (factor < trips.count) {
    add_turns(ctx, &b, loop, &trips, factor, carried);
    done = trips.count / factor * factor;
  }
  for (int64_t k = done; k < trips.count; k++)
    add_trip(ctx, &b, loop, ir_i32(&b, (int32_t)(trips.lower + k * trips.step)), carried);
  for (uint32_t i = 0; i < loop->result_count; i++)
    ir_replace_uses(loop->parent, loop->results[i], carried[i]);
  ir_op_remove(loop);
}

static void visit_region(PassContext *ctx, IrRegion *region) {
  for (IrOp *op = region->first, *next; op; op = next) {
    next = op->next;
    for (int i = 0; i < op->region_count; i++) visit_region(ctx, op->regions[i]);
    if (op->code == OP_FOR) unroll(ctx, op);
  }
}

bool pass_unroll(PassContext *ctx) {
  for (IrFunc *func = ctx->module->first; func; func = func->next) visit_region(ctx, func->body);
  return true;
}
