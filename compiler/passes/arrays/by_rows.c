// SPDX-License-Identifier: Apache-2.0
// by_rows: reductions of many elements to one reduce rows first, then what comes of them.
//   takes:  any IR
//   makes:  two reductions in place of one
//   breaks: nothing
//   not:    sums and products of floats of 16 bits or fewer, which are rounded once, at the end;
//           arrays that do not consist of rows of a length
//
// Threads share rows, and cannot share one result. The order of sums is another one, so that it is
// chosen here, by the shape alone, at every level of optimisation and for any number of threads.
#include "ir/core/attr.h"
#include "ir/core/build.h"
#include "ir/core/ir.h"
#include "ir/core/region.h"
#include "passes/arrays/fuse.h"
#include "passes/pass.h"

enum {
  LEAST_ROWS = 16,  // for several threads
  LEAST_ROW = 1024, // the end of a row's sums costs little beside them
  CUT_ROW = 4096    // of arrays whose dimensions give no rows
};

static bool is_rounded_at_the_end(const IrOp *reduce) {
  DType dtype = reduce->results[0]->type->dtype;
  return (reduce->code == OP_REDUCE_SUM || reduce->code == OP_REDUCE_PROD) &&
         dtype_is_float(dtype) && dtype_bits(dtype) < 32;
}

// How many leading dimensions count rows; 0: there is no such number.
static size_t dims_of_rows(const IrType *type) {
  int64_t rows = 1, count = ir_type_count(type);
  for (size_t i = 0; i < type->rank; i++) {
    rows *= type->dims[i];
    if (rows >= LEAST_ROWS) return count / rows >= LEAST_ROW ? i + 1 : 0;
  }
  return 0;
}

// As rows, by its own dimensions or cut; NULL: neither.
static IrValue *in_rows(IrBuilder *b, IrValue *x, size_t *rows) {
  *rows = dims_of_rows(x->type);
  if (*rows) return x;
  int64_t count = ir_type_count(x->type);
  if (count % CUT_ROW) return NULL;
  *rows = 1;
  return ir_reshape(b, x, 2, (int64_t[]){count / CUT_ROW, CUT_ROW});
}

static void divide(IrOp *reduce, void *data) {
  PassContext *ctx = data;
  if (!op_is_reduction(reduce->code) || reduce->code == OP_ARGMAX || reduce->code == OP_ARGMIN)
    return;
  IrValue *x = reduce->operands[0];
  if (reduce->results[0]->type->rank || ir_type_count(x->type) < FUSE_MANY_ELEMENTS ||
      is_rounded_at_the_end(reduce))
    return;
  int64_t axes[IR_MAX_RANK], behind[IR_MAX_RANK];
  IrBuilder b = {.module = ctx->module,
                 .region = reduce->parent,
                 .before = reduce,
                 .span = reduce->span,
                 .frames = reduce->frames};
  size_t rows;
  x = in_rows(&b, x, &rows);
  if (!x) return;
  size_t rest = x->type->rank - rows;
  for (size_t i = 0; i < rows; i++) axes[i] = (int64_t)i;
  for (size_t i = 0; i < rest; i++) behind[i] = (int64_t)(rows + i);
  IrValue *of_rows = ir_reduce(&b, reduce->code, x, rest, behind);
  IrValue *result = ir_reduce(&b, reduce->code, of_rows, rows, axes);
  ir_replace_uses(reduce->parent, reduce->results[0], result);
  ir_op_remove(reduce);
}

bool pass_by_rows(PassContext *ctx) {
  ir_walk_module(ctx->module, divide, ctx);
  return true;
}
