// SPDX-License-Identifier: Apache-2.0
// fission: a loop whose turns compute something and add it up is two: threads share the first.
//   takes:  any IR without launches, not clustered yet
//   makes:  a parallel loop that keeps what each turn computes, and behind it the former loop
//           that reads it; each sum still goes on with the one before, so that its bits are the
//           same
//   breaks: nothing
//   not:    turns that hand on more than a small part of what they read, or of what the loop before
//           left in memory; loops in other loops or programs; loops that carry values
//
// Loop fission, as compilers of Fortran do it, with a temporary for what goes from one loop to the
// other. A turn is cut in two: the late part has all that writes memory, may read what the loop
// writes, or needs what such an op gives; the early part is the rest. Numbers that follow from the
// indices, and views, are computed in both.
#include "base/checked.h"
#include "base/map.h"
#include "ir/analysis/alias.h"
#include "ir/analysis/cost.h"
#include "ir/analysis/effects.h"
#include "ir/analysis/trips.h"
#include "ir/core/attr.h"
#include "ir/core/build.h"
#include "ir/core/build_memory.h"
#include "ir/core/ir.h"
#include "ir/core/region.h"
#include "ir/remarks/remark.h"
#include "passes/pass.h"

enum {
  LEAST_TURNS = 4,     // a choice: of fewer, threads have too little to share
  LEAST_NS = 16000,    // of arithmetic: some times what waking threads costs
  PART_OF_READ = 8,    // of what a turn reads it may hand on one
  MOST_KEPT = 1 << 24, // bytes, all turns together
};

typedef VEC(IrOp *) Ops;
typedef VEC(IrValue *) Values;

typedef struct Fission {
  PassContext *ctx;
  Ops loops;      // one in the other, outermost first
  IrRegion *body; // of the innermost
  int64_t turns;  // of all together
  Values written; // refs
  Map *late;      // IrOp * of the body
  Map *needed;    // IrValue *: early values that late ops need
  Values passed;  // of these, what goes through memory
  Values kept;    // the memory of each, a part for each turn
  bool is_plain;
} Fission;

// ---- the nest -----------------------------------------------------------------------------------
static bool has_plain_turns(const IrOp *loop, int64_t *turns) {
  IrTrips trips;
  return loop->code == OP_FOR && loop->result_count == 0 && !ir_attr_int(loop, ATTR_PARALLEL) &&
         trips_of(loop, &trips) && trips.lower == 0 && trips.step == 1 && trips.count > 0 &&
         mul_i64(*turns, trips.count, turns);
}

// The only loop in a region that has nothing else but what follows from the indices.
static IrOp *only_loop(const IrRegion *region) {
  IrOp *found = NULL;
  for (IrOp *op = region->first; op != region->last; op = op->next) {
    if (op->code == OP_FOR && !found)
      found = op;
    else if (found || op->region_count || !effects_is_pure(op->code))
      return NULL;
  }
  return found;
}

static bool find_nest(Fission *f, IrOp *loop) {
  f->turns = 1;
  for (; loop && has_plain_turns(loop, &f->turns); loop = only_loop(f->body)) {
    VEC_PUSH(f->ctx->arena, &f->loops, loop);
    f->body = loop->regions[0];
  }
  return f->loops.count > 0 && f->turns >= LEAST_TURNS && f->turns <= INT32_MAX;
}

// ---- what is late -------------------------------------------------------------------------------
static void add_written(IrValue *ref, void *data) {
  Fission *f = data;
  VEC_PUSH(f->ctx->arena, &f->written, ref);
}

static void find_written(IrOp *op, void *data) {
  Fission *f = data;
  if (effects_is_ordered(op->code) || op->code == OP_ALLOC || op->code == OP_WHILE)
    f->is_plain = false;
  effects_visit_written(op, add_written, f);
}

static bool may_be_written(const Fission *f, const IrValue *ref) {
  for (size_t i = 0; i < f->written.count; i++)
    if (alias_of_refs(f->written.items[i], ref) != ALIAS_NO) return true;
  return false;
}

static void see_late(IrOp *op, void *data) {
  Fission *f = data;
  IrOp *whole = ir_op_in(op, f->body);
  bool is_late = false;
  for (uint32_t i = 0; i < op->operand_count; i++) {
    const IrValue *operand = op->operands[i];
    const IrOp *from = operand->def ? ir_op_in(operand->def, f->body) : NULL;
    is_late |= effects_writes(op, i) || (effects_reads(op, i) && may_be_written(f, operand)) ||
               (from && map_has(f->late, from));
  }
  if (is_late) map_set(f->late, whole, whole);
}

static bool is_late(const Fission *f, const IrOp *op) { return map_has(f->late, op); }

static bool is_of_numbers(const IrOp *op) {
  for (uint32_t i = 0; i < op->operand_count; i++)
    if (op->operands[i]->type->rank) return false;
  return op->results[0]->type->rank == 0;
}

// What is computed again where it is needed: a view of memory, a constant, what only spreads what
// is smaller, numbers made from numbers.
static bool is_computed_again(const IrOp *op) {
  if (op->results[0]->type->is_ref || op->code == OP_CONST || op->code == OP_BROADCAST) return true;
  return effects_is_pure(op->code) && !op->region_count && is_of_numbers(op);
}

static void find_passed(Fission *f, IrValue *value) {
  IrOp *op = value->def;
  if (!op || op->parent != f->body || is_late(f, op) || map_has(f->needed, value)) return;
  map_set(f->needed, value, value);
  if (!is_computed_again(op)) {
    VEC_PUSH(f->ctx->arena, &f->passed, value);
    return;
  }
  for (uint32_t i = 0; i < op->operand_count; i++) find_passed(f, op->operands[i]);
}

static void see_needed(IrOp *op, void *data) {
  Fission *f = data;
  if (!is_late(f, ir_op_in(op, f->body))) return;
  for (uint32_t i = 0; i < op->operand_count; i++) find_passed(f, op->operands[i]);
}

// ---- whether it pays ----------------------------------------------------------------------------
static int64_t bytes_read(const Fission *f) {
  int64_t bytes = 0;
  for (const IrOp *op = f->body->first; op; op = op->next)
    if (op->code == OP_LOAD && !is_late(f, op)) bytes += ir_type_bytes(op->results[0]->type);
  return bytes;
}

static int64_t bytes_passed(const Fission *f) {
  int64_t bytes = 0;
  for (size_t i = 0; i < f->passed.count; i++) {
    if (f->passed.items[i]->type->rank + 1 > IR_MAX_RANK) return INT64_MAX / PART_OF_READ;
    bytes += ir_type_bytes(f->passed.items[i]->type);
  }
  return bytes;
}

static bool pays(const Fission *f) {
  int64_t passed = bytes_passed(f);
  return f->passed.count && passed <= MOST_KEPT / f->turns &&
         passed * PART_OF_READ <= bytes_read(f) && cost_in_ns(f->loops.items[0]) >= LEAST_NS;
}

static bool can_be_cut(Fission *f) {
  f->is_plain = true;
  ir_walk(f->body, find_written, f);
  if (!f->is_plain) return false;
  ir_walk(f->body, see_late, f);
  ir_walk(f->body, see_needed, f);
  return f->is_plain && pays(f);
}

// ---- the cut ------------------------------------------------------------------------------------
static IrBuilder builder_at(const Fission *f, IrRegion *region, IrOp *before) {
  const IrOp *loop = f->loops.items[0];
  return (IrBuilder){f->ctx->module, region, before, loop->span, loop->frames};
}

static void make_memory(Fission *f) {
  IrBuilder b = builder_at(f, f->loops.items[0]->parent, f->loops.items[0]);
  for (size_t i = 0; i < f->passed.count; i++) {
    const IrType *type = f->passed.items[i]->type;
    int64_t dims[IR_MAX_RANK] = {f->turns};
    for (size_t d = 0; d < type->rank; d++) dims[d + 1] = type->dims[d];
    const IrType *ref = ir_ref_type(b.module, SPACE_VMEM, type->dtype, type->rank + 1u, dims);
    VEC_PUSH(f->ctx->arena, &f->kept, ir_alloc(&b, ref, STR("turns")));
  }
}

static IrIndex index_of_turn(const IrValue *memory) {
  IrIndex index;
  ir_index_full(memory->type, &index);
  index.dims[0] = (IndexDim){.kind = INDEX_SCALAR, .start_operand = 0, .size_operand = -1};
  return index;
}

// The indices of all loops from the number of the turn.
static void take_apart(const Fission *f, IrBuilder *b, IrValue *turn, Map *values) {
  for (size_t i = f->loops.count; i-- > 0;) {
    IrTrips trips = {0};
    trips_of(f->loops.items[i], &trips);
    IrValue *count = ir_i32(b, (int32_t)trips.count);
    IrValue *index = i ? ir_binary(b, OP_REM, turn, count) : turn;
    map_set(values, f->loops.items[i]->regions[0]->args[0], index);
    if (i) turn = ir_binary(b, OP_DIV, turn, count);
  }
}

static void remove_unused(const Fission *f, IrRegion *region) {
  for (IrOp *op = region->last->prev, *before; op; op = before) {
    before = op->prev;
    if (op->result_count && !is_late(f, op) && ir_op_is_unused(op)) ir_op_remove(op);
  }
}

static void make_early(Fission *f) {
  IrBuilder b = builder_at(f, f->loops.items[0]->parent, f->loops.items[0]);
  IrOp *loop = ir_for(&b, ir_i32(&b, 0), ir_i32(&b, (int32_t)f->turns), ir_i32(&b, 1), 0, NULL);
  ir_set_int(b.module, loop, ATTR_PARALLEL, 1);
  IrBuilder inside = builder_at(f, loop->regions[0], NULL);
  IrValue *turn = loop->regions[0]->args[0];
  Map *values = map_new(f->ctx->arena);
  take_apart(f, &inside, turn, values);
  for (size_t i = 0; i < f->loops.count; i++) {
    const IrRegion *region = f->loops.items[i]->regions[0];
    const IrOp *end = i + 1 < f->loops.count ? f->loops.items[i + 1] : region->last;
    for (const IrOp *op = region->first; op != end; op = op->next)
      if (!is_late(f, op)) ir_op_clone(&inside, op, values);
  }
  for (size_t i = 0; i < f->passed.count; i++) {
    IrIndex index = index_of_turn(f->kept.items[i]);
    ir_store(&inside, map_get(values, f->passed.items[i]), f->kept.items[i], &index, 1, &turn,
             NULL);
  }
  ir_yield(&inside, 0, NULL);
  remove_unused(f, loop->regions[0]);
}

static IrValue *number_of_turn(const Fission *f, IrBuilder *b) {
  IrValue *turn = NULL;
  for (size_t i = 0; i < f->loops.count; i++) {
    IrTrips trips = {0};
    trips_of(f->loops.items[i], &trips);
    IrValue *index = f->loops.items[i]->regions[0]->args[0];
    if (turn) turn = ir_binary(b, OP_MUL, turn, ir_i32(b, (int32_t)trips.count));
    turn = turn ? ir_binary(b, OP_ADD, turn, index) : index;
  }
  return turn;
}

// What is left in the former loop: what was handed on is read, what made it is gone.
static void make_late(Fission *f) {
  IrBuilder b = builder_at(f, f->body, f->body->first);
  IrValue *turn = number_of_turn(f, &b);
  for (size_t i = 0; i < f->passed.count; i++) {
    IrIndex index = index_of_turn(f->kept.items[i]);
    IrValue *read = ir_load(&b, f->kept.items[i], &index, 1, &turn, NULL, NULL);
    ir_replace_uses(f->body, f->passed.items[i], read);
  }
  remove_unused(f, f->body);
}

static void try_loop(PassContext *ctx, IrOp *loop) {
  Fission f = {.ctx = ctx, .late = map_new(ctx->arena), .needed = map_new(ctx->arena)};
  if (!find_nest(&f, loop) || !can_be_cut(&f)) return;
  RemarkItem *item = remark_item(ctx->session, REMARK_TURNS, f.passed.items[0]->def, (Str){0});
  remark_number(ctx->session, item, FACT_STEPS_SHARED, f.turns);
  remark_most_is_done(item);
  make_memory(&f);
  make_early(&f);
  make_late(&f);
}

bool pass_fission(PassContext *ctx) {
  for (IrFunc *func = ctx->module->first; func; func = func->next)
    for (IrOp *op = func->body->first, *next; op; op = next) {
      next = op->next;
      try_loop(ctx, op);
    }
  return true;
}
