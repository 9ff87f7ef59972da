// SPDX-License-Identifier: Apache-2.0
// turn: matrices that lie along the sums of products in a loop are transposed before it.
//   takes:  clustered IR
//   makes:  transpose in a fuse of its own before loops; the products sum over the other dimension
//   breaks: nothing
//   not:    matrices that change in the loop or are large; types of which a product reads several
//           neighbours along the sum at once; loops that run once
//
// Sums go in order of k, so that vectors run across them: a factor that lies along k is transposed
// by squares on its way to the sums, which takes longer than the sums of a few rows. A loop would
// do that again in each trip.
#include "ir/analysis/trips.h"
#include "ir/core/attr.h"
#include "ir/core/build.h"
#include "ir/core/build_memory.h"
#include "ir/core/ir.h"
#include "ir/core/region.h"
#include "passes/pass.h"

enum {
  MOST_BYTES =
      1 << 20,   // second-level caches: what comes from farther away takes longer than turning
  MOST_ROWS = 64 // of the other factor, that share what turning costs
};

// One side of a product.
typedef struct Side {
  const IrType *type;
  AttrName contract;
  IrInts contracted, batches;
} Side;

static Side side_of(const IrOp *dot, int which) {
  AttrName contract = which ? ATTR_RHS_CONTRACT : ATTR_LHS_CONTRACT;
  return (Side){.type = dot->operands[which]->type,
                .contract = contract,
                .contracted = ir_attr_ints(dot, contract),
                .batches = ir_attr_ints(dot, which ? ATTR_RHS_BATCH : ATTR_LHS_BATCH)};
}

// Matrices of f32 that lie along the sums, each batch one behind the other.
static bool lies_along_sums(const Side *side) {
  int64_t rank = side->type->rank;
  if (side->type->dtype != DT_F32 || rank != (int64_t)side->batches.count + 2) return false;
  for (size_t i = 0; i < side->batches.count; i++)
    if (side->batches.items[i] > rank - 3) return false;
  return side->contracted.count == 1 && side->contracted.items[0] == rank - 1;
}

// What is neither summed nor a batch.
static int64_t rows_of(const Side *side) {
  int64_t rows = 1;
  for (int i = 0; i < side->type->rank; i++) {
    bool is_row = true;
    for (size_t k = 0; k < side->contracted.count; k++) is_row &= side->contracted.items[k] != i;
    for (size_t k = 0; k < side->batches.count; k++) is_row &= side->batches.items[k] != i;
    if (is_row) rows *= side->type->dims[i];
  }
  return rows;
}

// The outermost loop around the product, without branches between, outside of which the value is
// made; NULL if there is none.
static IrOp *find_loop(const IrOp *dot, const IrValue *value) {
  const IrRegion *made = ir_value_region(value);
  IrOp *found = NULL;
  for (IrOp *loop = dot->parent->parent; loop; loop = loop->parent->parent) {
    IrTrips trips;
    bool is_loop =
        loop->code == OP_WHILE || (loop->code == OP_FOR && !ir_attr_int(loop, ATTR_PARALLEL));
    if (!is_loop || !ir_region_is_in(loop->parent, made)) break;
    if (!trips_of(loop, &trips) || trips.count > 1) found = loop;
  }
  return found;
}

// Another product of the loop may want the same.
static IrValue *find_turned(const IrOp *loop, const IrValue *value) {
  for (const IrOp *op = loop->prev; op && op->code == OP_FUSE; op = op->prev) {
    const IrOp *first = op->regions[0]->first;
    if (first->code == OP_TRANSPOSE && first->operands[0] == value &&
        first->next == op->regions[0]->last)
      return op->results[0];
  }
  return NULL;
}

// The last two dimensions change places.
static IrValue *turn_before(PassContext *ctx, IrOp *loop, IrValue *value) {
  IrValue *found = find_turned(loop, value);
  if (found) return found;
  IrBuilder b = {.module = ctx->module,
                 .region = loop->parent,
                 .before = loop,
                 .span = loop->span,
                 .frames = loop->frames};
  int64_t perm[IR_MAX_RANK], rank = value->type->rank;
  for (int64_t i = 0; i < rank; i++) perm[i] = i;
  perm[rank - 2] = rank - 1;
  perm[rank - 1] = rank - 2;
  IrValue *turned = ir_transpose(&b, value, perm);
  IrOp *fuse = ir_build(&b, OP_FUSE, 0, NULL, 1, &turned->type);
  ir_set_ints(ctx->module, fuse, ATTR_AXES, 0, NULL);
  IrBuilder inside = b;
  inside.region = ir_add_region(ctx->module, fuse);
  inside.before = NULL;
  ir_op_move(turned->def, inside.region, NULL);
  ir_yield(&inside, 1, &turned);
  return fuse->results[0];
}

// Vectors run across the right factor; across the left one only if the right one is a vector.
static bool wants_turning(const IrOp *dot, int which) {
  Side side = side_of(dot, which), other = side_of(dot, 1 - which);
  return lies_along_sums(&side) && other.type->dtype == DT_F32 &&
         rows_of(&other) <= (which == 0 ? 1 : MOST_ROWS) && ir_type_bytes(side.type) <= MOST_BYTES;
}

static void turn(IrOp *dot, void *data) {
  PassContext *ctx = data;
  if (dot->code != OP_DOT) return;
  for (int which = 0; which < 2; which++) {
    IrValue *value = dot->operands[which];
    IrOp *loop = wants_turning(dot, which) ? find_loop(dot, value) : NULL;
    if (!loop) continue;
    ir_set_operand(dot, (size_t)which, turn_before(ctx, loop, value));
    int64_t inner = value->type->rank - 2;
    ir_set_ints(ctx->module, dot, side_of(dot, which).contract, 1, &inner);
  }
}

bool pass_turn(PassContext *ctx) {
  ir_walk_module(ctx->module, turn, ctx);
  return true;
}
