// SPDX-License-Identifier: Apache-2.0
// How much arithmetic a program asks for.
#include "base/checked.h"
#include "ir/core/attr.h"
#include "cost.h"
#include "effects.h"
#include "ir/core/arithmetic.h"
#include "trips.h"

void cost_add(IrCost *cost, const IrOp *op) {
  int64_t count = op->result_count ? ir_type_count(op->results[0]->type) : 0;
  if (op->code == OP_DOT) {
    IrInts contract = ir_attr_ints(op, ATTR_LHS_CONTRACT);
    count *= 2;
    for (size_t i = 0; i < contract.count; i++)
      count *= op->operands[0]->type->dims[contract.items[i]];
    cost->flops += count;
    return;
  }
  Counted counted = arithmetic_of(op->code)->counted;
  if (counted == COUNTED_FLOPS) cost->flops += count;
  if (counted == COUNTED_TRANSCENDENTALS) cost->transcendentals += count;
}

static int64_t times(int64_t a, int64_t b) {
  int64_t product;
  return mul_i64(a, b, &product) ? product : INT64_MAX;
}

static void add_times(IrCost *to, IrCost cost, int64_t count) {
  int64_t flops = times(cost.flops, count), others = times(cost.transcendentals, count);
  to->flops = flops > INT64_MAX - to->flops ? INT64_MAX : to->flops + flops;
  to->transcendentals =
      others > INT64_MAX - to->transcendentals ? INT64_MAX : to->transcendentals + others;
}

// How often the regions of an op run.
static int64_t runs_of(const IrOp *op) {
  IrTrips trips;
  int64_t count = 1;
  if (op->code == OP_LAUNCH) {
    IrInts grid = ir_attr_ints(op, ATTR_GRID);
    for (size_t i = 0; i < grid.count; i++)
      if (grid.items[i] >= 0) count = times(count, grid.items[i]);
    return count;
  }
  return trips_of(op, &trips) ? trips.count : 1;
}

static IrCost cost_of_region(const IrRegion *region) {
  IrCost cost = {0};
  for (const IrOp *op = region->first; op; op = op->next) {
    cost_add(&cost, op);
    if (op_is_reduction(op->code) || op_info(op->code)->op_class == CLASS_CUMULATIVE)
      add_times(&cost, (IrCost){.flops = ir_type_count(op->operands[0]->type)}, 1);
    IrCost most = {0}, all = {0};
    for (int i = 0; i < op->region_count; i++) {
      IrCost inner = cost_of_region(op->regions[i]);
      add_times(&all, inner, 1);
      if (inner.flops + inner.transcendentals >= most.flops + most.transcendentals) most = inner;
    }
    bool chooses = op->code == OP_IF || op->code == OP_SWITCH;
    add_times(&cost, chooses ? most : all, runs_of(op));
  }
  return cost;
}

IrCost cost_of(const IrFunc *func) { return cost_of_region(func->body); }

// Between what elementwise operations and what products do with vectors of 32 bytes.
enum { FLOPS_PER_NS = 32 };

int64_t cost_in_ns(const IrOp *loop) {
  IrCost all = {0};
  add_times(&all, cost_of_region(loop->regions[0]), runs_of(loop));
  return all.flops / FLOPS_PER_NS + all.transcendentals / FLOPS_PER_NS;
}

static int64_t plus(int64_t a, int64_t b) { return a > INT64_MAX - b ? INT64_MAX : a + b; }

static int64_t elements_of(const IrValue *value) {
  int64_t count = value->type->is_ref ? 0 : ir_type_count(value->type);
  return count < 0 ? 0 : count;
}

// The elements that ops take and give. WAIT stands for an op that other programs have to do with;
// it and UNKNOWN_TRIPS are choices.
static int64_t elements_of_region(const IrRegion *region) {
  enum { UNKNOWN_TRIPS = 16, WAIT = 4096 };
  int64_t all = 0;
  for (const IrOp *op = region->first; op; op = op->next) {
    int64_t own = effects_communicates(op->code) ? WAIT : 0, inner = 0;
    for (uint32_t i = 0; i < op->result_count; i++) own = plus(own, elements_of(op->results[i]));
    for (uint32_t i = 0; i < op->operand_count; i++) own = plus(own, elements_of(op->operands[i]));
    for (uint32_t i = 0; i < op->region_count; i++)
      inner = plus(inner, elements_of_region(op->regions[i]));
    IrTrips trips;
    if (op->code == OP_WHILE || (op->code == OP_FOR && !trips_of(op, &trips)))
      inner = times(inner, UNKNOWN_TRIPS);
    else
      inner = times(inner, runs_of(op));
    all = plus(all, plus(own, inner));
  }
  return all;
}

int64_t cost_of_turn(const IrOp *loop) {
  enum { ELEMENTS_PER_NS = 4 };
  int64_t elements = 0;
  IrCost all = {0};
  for (uint32_t i = 0; i < loop->region_count; i++) {
    elements = plus(elements, elements_of_region(loop->regions[i]));
    add_times(&all, cost_of_region(loop->regions[i]), 1);
  }
  int64_t arithmetic = plus(all.flops, all.transcendentals) / FLOPS_PER_NS;
  int64_t memory = elements / ELEMENTS_PER_NS;
  return 1 + (arithmetic > memory ? arithmetic : memory);
}
