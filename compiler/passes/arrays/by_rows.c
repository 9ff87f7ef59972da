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
#include "base/map.h"
#include "ir/core/attr.h"
#include "ir/core/build.h"
#include "ir/core/constant.h"
#include "ir/core/ir.h"
#include "ir/core/region.h"
#include "ir/analysis/element_cost.h"
#include "passes/arrays/fuse.h"
#include "passes/pass.h"

enum {
  LEAST_ROWS = 16,  // for several threads
  LEAST_ROW = 1024, // the end of a row's sums costs little beside them
  MOST_ROW = 4096,  // of arrays whose dimensions give no rows: some times as long
  MOST_DEPTH = 64,  // a choice: of the operations that rows are looked for through
  // In additions: what others use as well is computed twice up to it, as its operands are read in
  // less time than it is written and read again.
  MOST_TWICE = 1,
  MOST_BEFORE = 4096 // of the operations that are gone through before a sum: many sums of a long
                     // region would take time that grows with their product
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

// The longest row that arrays of so many elements may be cut to; 0: there is none.
static int64_t cut_row(int64_t count) {
  int64_t row = MOST_ROW;
  while (row >= LEAST_ROW && count % row) row--;
  return row >= LEAST_ROW ? row : 0;
}

static bool is_by_element(const IrOp *op) {
  bool is_same = op->code == OP_RESHAPE && op->operands[0]->type->rank;
  return is_same || (op_is_elementwise(op->code) && op->result_count == 1);
}

static void count_uses(Map *uses, const IrOp *op) {
  for (uint32_t i = 0; i < op->operand_count; i++) {
    const IrValue *value = op->operands[i];
    map_set(uses, value, (void *)((size_t)map_get(uses, value) + 1));
  }
}

// The operations of the region whose results nobody but the reduction, and others of them, uses.
static Map *only_of(Arena *arena, const IrOp *reduce) {
  Map *uses = map_new(arena), *found = map_new(arena);
  count_uses(uses, reduce);
  const IrOp *op = reduce->prev;
  for (int i = 0; op && i < MOST_BEFORE; i++, op = op->prev) {
    if (!is_by_element(op) || (size_t)map_get(uses, op->results[0]) != op->results[0]->use_count)
      continue;
    map_set(found, op, found);
    count_uses(uses, op);
  }
  return found;
}

typedef struct Cut {
  IrBuilder *b;
  int64_t dims[2];
  Map *made;
  Map *only;  // operations that are of nobody else
  Map *moved; // what is_moved knows: `only` if it is, else `made`
} Cut;

static bool is_inside(const Cut *c, const IrOp *op) {
  return op && is_by_element(op) && (map_has(c->only, op) || cost_of_element(op) <= MOST_TWICE);
}

// Whether some of what `x` is computed from has its elements elsewhere than memory has them, as
// slices and what is spread: in another shape each of those would be an array of its own.
static bool is_moved(const Cut *c, const IrValue *x, int depth) {
  const IrOp *op = x->def;
  if (!op || x->type->rank == 0 || ir_const_splat(x)) return false;
  const Map *known = map_get(c->moved, x);
  if (known) return known == c->only;
  bool found = false;
  if (is_inside(c, op) && depth > 0) {
    for (uint32_t i = 0; i < op->operand_count && !found; i++)
      found = is_moved(c, op->operands[i], depth - 1);
  } else if (op_info(op->code)->op_class == CLASS_SHAPE) {
    bool is_one = op->code == OP_BROADCAST && op->operands[0]->type->rank == 0;
    found = !is_one && op->code != OP_RESHAPE;
  }
  map_set(c->moved, x, found ? c->only : c->made);
  return found;
}

// `x` in the shape of the cut: what is computed element by element, of what lies in memory as it
// is, is computed in that shape, so that it need not go through memory.
static IrValue *cut_value(const Cut *c, IrValue *x, int depth) {
  if (x->type->rank == 0) return x;
  IrValue *known = map_get(c->made, x);
  if (known) return known;
  const IrOp *op = x->def;
  const IrType *type = ir_type_with_dims(c->b->module, x->type, 2, c->dims);
  const IrData *data = ir_const_splat(x);
  bool goes_on = is_inside(c, op) && depth > 0 && !is_moved(c, x, depth);
  if (data) {
    known = ir_const(c->b, type, data->bytes, 1);
  } else if (goes_on && op->code == OP_RESHAPE) {
    known = cut_value(c, op->operands[0], depth - 1);
  } else if (goes_on) {
    for (uint32_t i = 0; i < op->operand_count; i++)
      map_set(c->made, op->operands[i], cut_value(c, op->operands[i], depth - 1));
    known = ir_op_clone(c->b, op, c->made)->results[0];
    known->type = type;
  } else {
    known = ir_reshape(c->b, x, 2, c->dims);
  }
  map_set(c->made, x, known);
  return known;
}

// As rows, by its own dimensions or cut; NULL: neither.
static IrValue *in_rows(IrBuilder *b, Arena *arena, const IrOp *reduce, size_t *rows) {
  IrValue *x = reduce->operands[0];
  *rows = dims_of_rows(x->type);
  if (*rows) return x;
  int64_t count = ir_type_count(x->type), row = cut_row(count);
  if (!row) return NULL;
  *rows = 1;
  Cut cut = {b, {count / row, row}, map_new(arena), only_of(arena, reduce), map_new(arena)};
  return cut_value(&cut, x, MOST_DEPTH);
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
  IrBuilder b = ir_builder_before(reduce);
  size_t rows;
  x = in_rows(&b, ctx->arena, reduce, &rows);
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
