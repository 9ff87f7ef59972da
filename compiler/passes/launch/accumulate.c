// SPDX-License-Identifier: Apache-2.0
// accumulate: where a loop or a grid adds products up, each product goes on with the sums of the
// one before.
//   takes:  any IR, before anything is folded
//   makes:  dots with a third operand, in place of `add %sums, (dot %x, %y)`
//   breaks: nothing
//   not:    additions that are not part of a cycle: x @ y + bias rounds the product first, wherever
//           it stands; products along several dimensions
//
// So a product that is computed in blocks of k is one that untile can see whole. A dot adds its
// sums to the operand one after another: one of up to DOT_SUM_BLOCK terms keeps its bits. A cycle
// is a ref that is read, added to and written back, or a value carried by a loop; what was read may
// be scaled on the way. A loop of Python is one, too: it leaves a chain of additions that begins
// with zeros.
#include <string.h>

#include "base/map.h"
#include "ir/analysis/alias.h"
#include "ir/core/attr.h"
#include "ir/core/build.h"
#include "ir/core/build_dot.h"
#include "ir/core/constant.h"
#include "ir/core/ir.h"
#include "ir/core/region.h"
#include "passes/pass.h"

enum { MAX_DEPTH = 8 }; // a choice: of views and conversions around a sum; bounds the search

// What the sums have to come from: memory of this root, or the value the loop carries.
typedef struct Cycle {
  const IrValue *root, *carried;
} Cycle;

static bool comes_from(const IrValue *value, const Cycle *cycle, int depth) {
  if (value == cycle->carried) return true;
  const IrOp *op = value->def;
  if (!op || depth == MAX_DEPTH) return false;
  if (op->code == OP_LOAD) return cycle->root && ir_ref_root(op->operands[0]) == cycle->root;
  if (!op_is_elementwise(op->code) && op_info(op->code)->op_class != CLASS_SHAPE) return false;
  for (uint32_t i = 0; i < op->operand_count; i++)
    if (comes_from(op->operands[i], cycle, depth + 1)) return true;
  return false;
}

// The value that a loop carries into the turn after the one in which `yield` gives operand `at`.
static const IrValue *carried_by(const IrOp *yield, size_t at) {
  const IrOp *loop = yield->parent->parent;
  if (!loop) return NULL;
  if (loop->code == OP_FOR) return loop->regions[0]->args[at + 1];
  if (loop->code == OP_WHILE && yield->parent == loop->regions[1])
    return loop->regions[1]->args[at];
  return NULL;
}

// Whether one of the uses of the sum, in its own region, closes a cycle that `value` comes from.
static bool closes_cycle(const IrOp *add, const IrValue *value) {
  const IrValue *sum = add->results[0];
  for (const IrOp *op = add->next; op; op = op->next) {
    if (op->code == OP_STORE && op->operands[0] == sum) {
      Cycle cycle = {.root = ir_ref_root(op->operands[1])};
      if (comes_from(value, &cycle, 0)) return true;
    }
    if (op->code != OP_YIELD) continue;
    for (uint32_t i = 0; i < op->operand_count; i++) {
      Cycle cycle = {.carried = op->operands[i] == sum ? carried_by(op, i) : NULL};
      if (cycle.carried && comes_from(value, &cycle, 0)) return true;
    }
  }
  return false;
}

static bool is_product(const IrOp *add, const IrValue *value) {
  const IrOp *dot = value->def;
  if (!dot || dot->code != OP_DOT || dot->operand_count != 2 || dot->parent != add->parent ||
      value->use_count != 1 || ir_attr_ints(dot, ATTR_LHS_CONTRACT).count != 1)
    return false;
  return value->type->dtype == ir_dot_summed_in(dot);
}

static bool is_zeros(const IrValue *value) {
  const IrData *data = ir_const_splat(value);
  const char zeros[sizeof(double)] = {0};
  return data && memcmp(data->bytes, zeros, dtype_size(data->dtype)) == 0;
}

typedef struct Accumulator {
  PassContext *ctx;
  Map *begun; // products in chains that begin with zeros
} Accumulator;

// Whether the value is what a chain of sums has come to, which nobody else looks at.
static bool is_begun(const Accumulator *a, const IrValue *value) {
  return value->use_count == 1 && map_has(a->begun, value);
}

static void accumulate(IrOp *add, void *data) {
  Accumulator *a = data;
  if (add->code != OP_ADD) return;
  for (int side = 1; side >= 0; side--) {
    IrValue *product = add->operands[side], *sums = add->operands[1 - side];
    if (product == sums || !is_product(add, product)) continue;
    bool begins = is_zeros(sums), goes_on = is_begun(a, sums);
    if (!begins && !goes_on && !closes_cycle(add, sums)) continue;
    IrOp *dot = product->def;
    ir_op_move(dot, add->parent, add);
    ir_replace_uses(add->parent, add->results[0], product);
    ir_op_remove(add);
    if (begins || goes_on) map_set(a->begun, product, product);
    if (!begins) ir_add_operand(a->ctx->module, dot, sums);
    return;
  }
}

bool pass_accumulate(PassContext *ctx) {
  Accumulator a = {.ctx = ctx, .begun = map_new(ctx->arena)};
  ir_walk_module(ctx->module, accumulate, &a);
  return true;
}
