// SPDX-License-Identifier: Apache-2.0
// transpose: matrices that lie along the sums of products in a loop are transposed before it, and
// so are arrays of which each trip reads a part across memory.
//   takes:  clustered IR
//   makes:  transpose in a fuse of its own before loops; the products sum over the other dimension
//   breaks: nothing
//   not:    matrices that change in the loop or are large; types of which a product reads several
//           neighbours along the sum at once; loops that run once, or read few of the parts
//
// Sums go in order of k, so that vectors run across them: a factor that lies along k is transposed
// by squares on its way to the sums, which takes longer than the sums of a few rows. A loop would
// do that again in each trip.
#include <string.h>

#include "ir/analysis/trips.h"
#include "ir/core/attr.h"
#include "ir/core/build.h"
#include "ir/core/build_memory.h"
#include "ir/core/cpu.h"
#include "ir/core/ir.h"
#include "ir/core/region.h"
#include "passes/pass.h"

enum {
  MOST_BYTES = SECOND_LEVEL_BYTES, // what comes from farther away takes longer than transposing
  MOST_ROWS = 4 * FULL_VECTOR,     // of the other factor: more of them share what transposing costs
  LEAST_ACROSS = 8 // elements that one trip reads, each from a cache line of its own
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

static bool is_permuted_by(const IrOp *transpose, const int64_t *perm) {
  IrInts dims = ir_attr_ints(transpose, ATTR_DIMS);
  return memcmp(dims.items, perm, dims.count * sizeof *perm) == 0;
}

// Another operation of the loop may want the same.
static IrValue *find_transposed(const IrOp *loop, const IrValue *value, const int64_t *perm) {
  for (const IrOp *op = loop->prev; op && op->code == OP_FUSE; op = op->prev) {
    const IrOp *first = op->regions[0]->first;
    if (first->code == OP_TRANSPOSE && first->operands[0] == value &&
        first->next == op->regions[0]->last && is_permuted_by(first, perm))
      return op->results[0];
  }
  return NULL;
}

static IrValue *transpose_before(PassContext *ctx, IrOp *loop, IrValue *value,
                                 const int64_t *perm) {
  IrValue *found = find_transposed(loop, value, perm);
  if (found) return found;
  IrBuilder b = ir_builder_before(loop);
  IrValue *transposed = ir_transpose(&b, value, perm);
  IrOp *fuse = ir_build(&b, OP_FUSE, 0, NULL, 1, &transposed->type);
  ir_set_ints(ctx->module, fuse, ATTR_AXES, 0, NULL);
  IrBuilder inside = b;
  inside.region = ir_add_region(ctx->module, fuse);
  inside.before = NULL;
  ir_op_move(transposed->def, inside.region, NULL);
  ir_yield(&inside, 1, &transposed);
  return fuse->results[0];
}

// Vectors run across the right factor; across the left one only if the right one is a vector.
static bool wants_transposing(const IrOp *dot, int which) {
  Side side = side_of(dot, which), other = side_of(dot, 1 - which);
  return lies_along_sums(&side) && other.type->dtype == DT_F32 &&
         rows_of(&other) <= (which == 0 ? 1 : MOST_ROWS) && ir_type_bytes(side.type) <= MOST_BYTES;
}

static void transpose_factors(PassContext *ctx, IrOp *dot) {
  for (int which = 0; which < 2; which++) {
    IrValue *value = dot->operands[which];
    IrOp *loop = wants_transposing(dot, which) ? find_loop(dot, value) : NULL;
    if (!loop) continue;
    int64_t perm[IR_MAX_RANK], rank = value->type->rank, inner = rank - 2;
    for (int64_t i = 0; i < rank; i++) perm[i] = i;
    perm[rank - 2] = rank - 1; // the last two dimensions change places
    perm[rank - 1] = rank - 2;
    ir_set_operand(dot, (size_t)which, transpose_before(ctx, loop, value, perm));
    ir_set_ints(ctx->module, dot, side_of(dot, which).contract, 1, &inner);
  }
}

// ---- parts --------------------------------------------------------------------------------------
// The array that `value` is a transpose of, or itself; `perm`: where its dimensions come from.
static IrValue *array_behind(IrValue *value, int64_t *perm) {
  for (int i = 0; i < value->type->rank; i++) perm[i] = i;
  if (!value->def || value->def->code != OP_TRANSPOSE) return value;
  memcpy(perm, ir_attr_ints(value->def, ATTR_DIMS).items, (size_t)value->type->rank * sizeof *perm);
  return value->def->operands[0];
}

// The dimension along which the elements of the array lie side by side, if each trip of the loop
// takes another place of it, and many of the others; or -1.
static int find_across(const IrOp *slice, const IrOp *loop, const int64_t *perm) {
  const IrType *part = slice->results[0]->type, *whole = slice->operands[0]->type;
  int dim = -1; // the last one of the array that has more than one place
  for (int i = 0; i < whole->rank; i++)
    if (whole->dims[i] > 1 && (dim < 0 || perm[i] > perm[dim])) dim = i;
  if (dim < 0 || part->dims[dim] != 1 || ir_type_count(part) < LEAST_ACROSS) return -1;
  const IrRegion *made = ir_value_region(slice->operands[1 + dim]);
  return made != loop->parent && ir_region_is_in(made, loop->parent) ? dim : -1;
}

// Whether all trips together take many places of a dimension.
static bool reads_much(const IrOp *loop, const IrOp *slice, int dim) {
  const IrValue *whole = slice->operands[0];
  IrTrips trips;
  return !trips_of(loop, &trips) ||
         trips.count * (int64_t)whole->use_count >= whole->type->dims[dim] / 2;
}

static void move_to_front(int64_t *items, int dim) {
  int64_t item = items[dim];
  memmove(items + 1, items, (size_t)dim * sizeof *items);
  items[0] = item;
}

// The same part of an array in which the dimension `across` comes first.
static IrValue *part_of_transposed(IrBuilder *b, const IrOp *slice, IrValue *transposed,
                                   int across) {
  int rank = transposed->type->rank;
  IrValue *starts[IR_MAX_RANK];
  int64_t sizes[IR_MAX_RANK], back[IR_MAX_RANK];
  for (int i = 0; i < rank; i++) {
    int from = i == 0 ? across : i <= across ? i - 1 : i;
    starts[i] = slice->operands[1 + from];
    sizes[i] = slice->results[0]->type->dims[from];
    back[from] = i;
  }
  IrValue *part = ir_dynamic_slice(b, transposed, starts, sizes);
  return across == 0 ? part : ir_transpose(b, part, back);
}

// A transpose that ends a fuse, and whose result nobody else looks at; NULL: there is none.
static IrOp *last_transpose(const IrValue *value) {
  const IrOp *fuse = value->def;
  if (!fuse || fuse->code != OP_FUSE || value->use_count != 1) return NULL;
  if (ir_attr_ints(fuse, ATTR_AXES).count) return NULL;
  const IrOp *yield = fuse->regions[0]->last;
  size_t which = 0;
  while (fuse->results[which] != value) which++;
  IrOp *last = yield->operands[which]->def;
  if (!last || last->code != OP_TRANSPOSE || last->results[0]->use_count != 1) return NULL;
  const IrOp *before = last->operands[0]->def;
  return before && before->parent == last->parent ? last : NULL;
}

// The value as a view of what the fuse makes without its last transpose.
static IrValue *transpose_behind(PassContext *ctx, IrValue *value, IrOp *last) {
  IrOp *fuse = value->def;
  IrBuilder b = {.module = ctx->module,
                 .region = fuse->parent,
                 .before = fuse->next,
                 .span = last->span,
                 .frames = last->frames};
  value->type = last->operands[0]->type;
  IrValue *view = ir_transpose(&b, value, ir_attr_ints(last, ATTR_DIMS).items);
  ir_replace_uses(fuse->parent, value, view);
  ir_set_operand(view->def, 0, value);
  ir_replace_uses(last->parent, last->results[0], last->operands[0]);
  ir_op_remove(last);
  return view;
}

static void transpose_slice(PassContext *ctx, IrOp *slice) {
  int64_t perm[IR_MAX_RANK];
  IrValue *array = array_behind(slice->operands[0], perm);
  IrOp *loop = find_loop(slice, slice->operands[0]);
  int across = loop ? find_across(slice, loop, perm) : -1;
  if (across < 0) return;
  IrOp *last = array == slice->operands[0] ? last_transpose(array) : NULL;
  if (last) {
    array = array_behind(transpose_behind(ctx, array, last), perm);
    if ((across = find_across(slice, loop, perm)) < 0) return;
  }
  move_to_front(perm, across);
  if (!find_transposed(loop, array, perm) && !reads_much(loop, slice, across)) return;
  IrBuilder b = ir_builder_before(slice);
  IrValue *transposed = transpose_before(ctx, loop, array, perm);
  ir_replace_uses(slice->parent, slice->results[0],
                  part_of_transposed(&b, slice, transposed, across));
  ir_op_remove(slice);
}

static void transpose(IrOp *op, void *data) {
  if (op->code == OP_DOT) transpose_factors(data, op);
  if (op->code == OP_DYNAMIC_SLICE) transpose_slice(data, op);
}

bool pass_transpose(PassContext *ctx) {
  ir_walk_module(ctx->module, transpose, ctx);
  return true;
}
