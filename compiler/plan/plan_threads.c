// SPDX-License-Identifier: Apache-2.0
// Whether several threads compute a cluster. Pieces worth less than a thread's wake-up are not
// made.
#include "base/map.h"
#include "ir/core/ir.h"
#include "passes/arrays/fuse.h"
#include "ir/analysis/element_cost.h"
#include "plan.h"

// Units are additions of one element, of which a CPU with AVX-512 does a million in 10 us where the
// caches hold them, in 30 where not. A second thread is worth it from some 4 us of work on if it is
// awake (the runtime finds out). Four bytes that are read or written take as long as two units.
enum {
  UNITS_PER_NS = 64,
  LEAST_WORK = 1 << 18,
  LEAST_WORK_OF_TURN = 1 << 20, // of a loop, where one core's cache has what the turn before made,
  MUCH_ARITHMETIC = 4,          // unless so many times as much is computed as is moved
  LEAST_PIECE_WORK = 1 << 16,   // some 1 us
  PIECE_WORK = 1 << 19,
  SOME_PIECES = 8, // so that threads that begin late, or are held up, cost little
  MOST_PIECES = 256,
  EAGER_PIECES = 5,
  UNIT_BYTES = 2
};

static bool is_inside(const PlanRequest *request, const IrValue *value) {
  for (size_t i = 0; i < request->count; i++)
    if (value->def == request->ops[i]) return true;
  return false;
}

static int64_t bytes_of(const IrValue *value) {
  return ir_type_count(value->type) * (int64_t)dtype_size(value->type->dtype);
}

// What the cluster takes from outside, and stores.
static int64_t bytes_moved(Arena *arena, const PlanRequest *request) {
  Map *seen = map_new(arena);
  int64_t bytes = 0;
  for (size_t i = 0; i < request->count; i++) {
    const IrOp *op = request->ops[i];
    if (op->code == OP_STORE) bytes += bytes_of(op->operands[0]);
    for (uint32_t k = 0; k < op->operand_count; k++) {
      const IrValue *value = op->operands[k];
      if (value->type->is_ref || map_has(seen, value) || is_inside(request, value)) continue;
      map_set(seen, value, seen);
      bytes += bytes_of(value);
    }
  }
  return bytes;
}

static int64_t work_of(Arena *arena, const PlanRequest *request) {
  int64_t work = bytes_moved(arena, request) / UNIT_BYTES;
  for (size_t i = 0; i < request->count; i++) {
    const IrOp *op = request->ops[i];
    const IrType *type = op->code == OP_STORE || op_is_reduction(op->code) ? op->operands[0]->type
                                                                           : op->results[0]->type;
    work += ir_type_count(type) * (op_is_elementwise(op->code) ? cost_of_element(op) : 1);
  }
  return work;
}

// A reshape of memory that strides cannot describe makes a dense copy of it: that would be one for
// each thread. NULL: there is none.
static const IrOp *copying_reshape(const PlanRequest *request) {
  for (size_t i = 0; i < request->count; i++) {
    const IrOp *op = request->ops[i];
    Layout layout, out;
    if (op->code != OP_RESHAPE || is_inside(request, op->operands[0]) || fuse_reshapes_spread(op))
      continue;
    if (request->memory.find(request->memory.data, op->operands[0], &layout) &&
        !layout_reshape(&layout, op->results[0]->type->rank, op->results[0]->type->dims, &out))
      return op;
  }
  return NULL;
}

static Reason because(ReasonId id, const IrOp *op) { return (Reason){.id = id, .span = op->span}; }

// Reductions to one element are one thread's.
static Reason why_not_shared(Arena *arena, const PlanRequest *request) {
  for (size_t i = 0; i < request->count; i++) {
    const IrOp *op = request->ops[i];
    if (op_is_reduction(op->code) && ir_type_count(op->results[0]->type) < 2)
      return because(REASON_ONE_RESULT, op);
  }
  PlanResults results = plan_results(arena, request->ops, request->count);
  for (size_t i = 0; i < results.count; i++)
    if (results.items[i]->type->rank == 0) return because(REASON_ONE_RESULT, results.items[i]->def);
  const IrOp *reshape = copying_reshape(request);
  return reshape ? because(REASON_RESHAPED_INPUT, reshape) : (Reason){.id = REASON_NONE};
}

static int64_t pieces_of(int64_t work) {
  int64_t pieces = work / PIECE_WORK, most = work / LEAST_PIECE_WORK;
  if (pieces < SOME_PIECES) pieces = SOME_PIECES < most ? SOME_PIECES : most;
  return pieces < MOST_PIECES ? pieces : MOST_PIECES;
}

static bool is_in_loop(const IrOp *op) {
  for (const IrOp *outer = op->parent->parent; outer; outer = outer->parent->parent)
    if (outer->code == OP_FOR || outer->code == OP_WHILE) return true;
  return false;
}

int64_t plan_share(int64_t work) { return work < LEAST_WORK ? 0 : pieces_of(work); }

int64_t plan_cost(int64_t work) { return work / UNITS_PER_NS; }

void plan_pieces(Arena *arena, PlanRequest *request) {
  request->pieces = 0;
  request->one_thread = (Reason){.id = REASON_LOOPS_CHECK};
  if (request->options.check) return;
  int64_t work = work_of(arena, request), moved = bytes_moved(arena, request) / UNIT_BYTES;
  bool is_turn = is_in_loop(request->ops[0]) && work - moved < MUCH_ARITHMETIC * moved;
  int64_t least = is_turn ? LEAST_WORK_OF_TURN : LEAST_WORK;
  bool is_little = work < least && !request->options.eager;
  request->one_thread =
      is_little ? (Reason){.id = REASON_LITTLE_WORK} : why_not_shared(arena, request);
  if (request->one_thread.id != REASON_NONE) return;
  request->cost = plan_cost(work);
  request->pieces = work < LEAST_WORK ? EAGER_PIECES : pieces_of(work);
}
