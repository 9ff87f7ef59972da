// SPDX-License-Identifier: Apache-2.0
// one_hot: products with one-hot matrices, and sums of them, become gathers and scatters of rows.
//   takes:  any IR without launches
//   makes:  gather, scatter; where a factor may hold what is not finite a branch, whose other side
//           is the product
//   breaks: nothing
//   not:    matrices on the right; batches; places that are few, so that the product is as quick
//
// `dot(iota == index, x)` is how programs for the matrix unit look rows up and add them up. The sum
// of each result runs over k in increasing order, and so do the additions of a scatter: what a zero
// of the matrix adds changes nothing, unless it is multiplied by an infinity or a NaN. The number
// of equal elements is added up in the same way.
#include <math.h>

#include "base/map.h"
#include "ir/analysis/effects.h"
#include "ir/core/attr.h"
#include "ir/core/build.h"
#include "ir/core/build_memory.h"
#include "ir/core/constant.h"
#include "ir/core/cpu.h"
#include "ir/core/ir.h"
#include "ir/core/region.h"
#include "passes/arrays/product.h"
#include "passes/pass.h"

// A product with fewer is quicker than looking its rows up one by one. A row that is gathered costs
// a read of its index, a bound and an address, as many steps as a few vectors of the product.
enum {
  LEAST_PLACES = FULL_VECTOR,       // of the one-hot dimension: multiply-adds of a result
  LEAST_RESULTS = 32 * FULL_VECTOR, // multiply-adds of a row: two of a vector in each of 16 steps
  LEAST_ROWS = 4,                   // a choice: as many share a step of a product's micro-kernel
  LEAST_BINS = 4 * FULL_VECTOR,     // comparisons of an element: a step of a walk that counts
};

// A one-hot array: where its coordinate along `dim` equals the index, which the others choose.
typedef struct OneHot {
  int dim;
  IrValue *index; // of as many elements as there are others, in row-major order
  IrValue *first; // added to the coordinate, everywhere the same; or NULL
} OneHot;

static IrOp *def_of(const IrValue *value, OpCode code) {
  return value->def && value->def->code == code ? value->def : NULL;
}

// The dimension along which the value is its coordinate; or -1.
static int coordinate_dim(const IrValue *value) {
  const IrOp *op = value->def;
  const IrType *type = value->type;
  if (!op) return -1;
  if (op->code == OP_IOTA) return (int)ir_attr_int(op, ATTR_DIM);
  if (op->code != OP_BROADCAST && op->code != OP_RESHAPE) return -1;
  int dim = coordinate_dim(op->operands[0]);
  if (dim < 0) return -1;
  const IrType *from = op->operands[0]->type;
  int to = -1;
  if (op->code == OP_BROADCAST) {
    to = (int)ir_attr_ints(op, ATTR_DIMS).items[dim];
  } else if (ir_type_count(from) == from->dims[dim]) {
    for (int d = 0; d < type->rank; d++)
      if (type->dims[d] == from->dims[dim]) to = d;
  }
  return to >= 0 && type->dims[to] == from->dims[dim] ? to : -1;
}

static bool is_everywhere_same(const IrValue *value) {
  const IrOp *op = def_of(value, OP_BROADCAST);
  return ir_const_splat(value) || (op && op->operands[0]->type->rank == 0);
}

static bool find_coordinate(IrValue *value, OneHot *out) {
  out->first = NULL;
  out->dim = coordinate_dim(value);
  const IrOp *add = def_of(value, OP_ADD);
  for (int i = 0; add && i < 2 && out->dim < 0; i++) {
    out->first = add->operands[1 - i];
    if (is_everywhere_same(out->first)) out->dim = coordinate_dim(add->operands[i]);
  }
  return out->dim >= 0;
}

// What a value that is the same along `dim` is made from: one element for each of the others.
static IrValue *spread_along(const IrValue *value, int dim) {
  const IrOp *op = def_of(value, OP_BROADCAST);
  if (!op) return NULL;
  const IrType *from = op->operands[0]->type;
  IrInts dims = ir_attr_ints(op, ATTR_DIMS);
  for (int i = 0; i < from->rank; i++)
    if (dims.items[i] == dim && from->dims[i] > 1) return NULL;
  bool is_one_each = ir_type_count(from) * value->type->dims[dim] == ir_type_count(value->type);
  return is_one_each ? op->operands[0] : NULL;
}

static bool is_equal(const IrValue *value, OneHot *out) {
  const IrOp *op = def_of(value, OP_EQ);
  if (!op) return false;
  DType dtype = op->operands[0]->type->dtype;
  if (dtype != DT_I32 && dtype != DT_U32) return false;
  for (int i = 0; i < 2; i++) {
    if (!find_coordinate(op->operands[i], out)) continue;
    out->index = spread_along(op->operands[1 - i], out->dim);
    if (out->index) return true;
  }
  return false;
}

static bool is_number(const IrValue *value, int64_t number) {
  const IrData *data = ir_const_splat(value);
  return data && dtype_load_f64(data->dtype, data->bytes) == (double)number;
}

// Whether the value is 1 where a OneHot says, and 0 elsewhere.
static bool is_one_hot(const IrValue *value, OneHot *out) {
  const IrOp *op = value->def;
  if (!op) return false;
  switch (op->code) {
  case OP_CONVERT: {
    IrValue *x = op->operands[0];
    return x->type->dtype == DT_BOOL ? is_equal(x, out) : is_one_hot(x, out);
  }
  case OP_SELECT:
    return is_number(op->operands[1], 1) && is_number(op->operands[2], 0) &&
           is_equal(op->operands[0], out);
  case OP_TRANSPOSE: {
    if (value->type->rank != 2 || !is_one_hot(op->operands[0], out)) return false;
    out->dim = (int)(ir_attr_ints(op, ATTR_DIMS).items[0] == 0 ? out->dim : 1 - out->dim);
    return true;
  }
  default: return false;
  }
}

// ---- what is made -------------------------------------------------------------------------------
static IrValue *same_everywhere(IrBuilder *b, const IrValue *value, const IrType *type) {
  const IrData *data = ir_const_splat(value);
  return data ? ir_const(b, type, data->bytes, 1)
              : ir_broadcast(b, value->def->operands[0], type, NULL);
}

// The index of each row as a column of i32: less than 0, or too large, where there is none.
static IrValue *index_column(IrBuilder *b, const OneHot *hot, int64_t count) {
  IrValue *index = hot->index;
  if (hot->first) index = ir_binary(b, OP_SUB, index, same_everywhere(b, hot->first, index->type));
  return ir_reshape(b, ir_convert(b, index, DT_I32), 2, (int64_t[]){count, 1});
}

// Attributes of a gather or scatter of whole rows along the first dimension.
static void set_rows(IrModule *m, IrOp *op, int rank) {
  int64_t zero = 0, behind[IR_MAX_RANK];
  for (int d = 1; d < rank; d++) behind[d - 1] = d;
  ir_set_ints(m, op, ATTR_OFFSET_DIMS, (size_t)rank - 1, behind);
  ir_set_ints(m, op, ATTR_COLLAPSED_DIMS, 1, &zero);
  ir_set_ints(m, op, ATTR_INDEX_MAP, 1, &zero);
  ir_set_ints(m, op, ATTR_OPERAND_BATCH, 0, NULL);
  ir_set_ints(m, op, ATTR_INDEX_BATCH, 0, NULL);
  ir_set_int(m, op, ATTR_MODE, WINDOW_FILL);
}

static IrValue *add_rows(IrBuilder *b, IrValue *sums, IrValue *index, IrValue *rows) {
  IrOp *op = ir_build(b, OP_SCATTER, 3, (IrValue *[]){sums, index, rows}, 1, &sums->type);
  set_rows(b->module, op, sums->type->rank);
  ir_set_int(b->module, op, ATTR_COMBINE, COMBINE_ADD);
  return op->results[0];
}

static IrValue *look_up_rows(IrBuilder *b, IrValue *x, IrValue *index) {
  int64_t dims[IR_MAX_RANK], zero = 0;
  for (int d = 0; d < x->type->rank; d++) dims[d] = x->type->dims[d];
  dims[0] = index->type->dims[0];
  const IrType *type = ir_type_with_dims(b->module, x->type, x->type->rank, dims);
  IrOp *op = ir_build(b, OP_GATHER, 2, (IrValue *[]){x, index}, 1, &type);
  set_rows(b->module, op, x->type->rank);
  dims[0] = 1;
  ir_set_ints(b->module, op, ATTR_SIZES, x->type->rank, dims);
  ir_set_data(b->module, op, ATTR_FILL, x->type->dtype, 1, &zero);
  return op->results[0];
}

// ---- products -----------------------------------------------------------------------------------
typedef struct RowProduct {
  OneHot hot;
  DType type;     // what is added up in
  bool is_lookup; // the sums run over the places: each result row is a row of the factor
} RowProduct;

static bool is_quick_as_product(const RowProduct *p, const IrOp *dot) {
  const IrType *hot = dot->operands[0]->type, *x = dot->operands[1]->type;
  int64_t places = hot->dims[p->hot.dim], rows = hot->dims[1 - p->hot.dim];
  int64_t width = ir_type_count(x) / (x->dims[0] ? x->dims[0] : 1);
  return places < LEAST_PLACES || places * width < LEAST_RESULTS || rows < LEAST_ROWS;
}

static bool find_row_product(const IrOp *dot, RowProduct *out) {
  const IrType *hot = dot->operands[0]->type, *x = dot->operands[1]->type;
  IrInts left = ir_attr_ints(dot, ATTR_LHS_CONTRACT), right = ir_attr_ints(dot, ATTR_RHS_CONTRACT);
  if (hot->rank != 2 || x->rank < 1 || left.count != 1 || right.items[0] != 0 ||
      ir_attr_ints(dot, ATTR_LHS_BATCH).count || !product_has_usual_precision(dot) ||
      !product_type(dot, &out->type) || !is_one_hot(dot->operands[0], &out->hot))
    return false;
  out->is_lookup = left.items[0] == out->hot.dim;
  return !is_quick_as_product(out, dot);
}

static IrValue *rows_of(IrBuilder *b, const RowProduct *p, const IrOp *dot, IrValue *sums) {
  const IrType *hot = dot->operands[0]->type, *result = dot->results[0]->type;
  IrValue *x = dot->operands[1];
  IrValue *index = index_column(b, &p->hot, hot->dims[1 - p->hot.dim]);
  const IrType *wide = ir_type_with_dtype(b->module, result, p->type);
  IrValue *zeros = ir_const_f64(b, wide, 0.0);
  // What no row is added to gets the product's zero: -0 becomes 0.
  bool is_changed_by_zero = sums && !p->is_lookup && dtype_is_float(p->type);
  sums = sums ? ir_convert(b, sums, p->type) : zeros;
  if (is_changed_by_zero) sums = ir_binary(b, OP_ADD, sums, zeros);
  IrValue *made =
      p->is_lookup ? ir_binary(b, OP_ADD, sums, ir_convert(b, look_up_rows(b, x, index), p->type))
                   : add_rows(b, sums, index, ir_convert(b, x, p->type));
  return ir_convert(b, made, result->dtype);
}

// Whether each number of an integer type has a finite one of a float type.
static bool holds_all(DType dtype, DType from) {
  if (dtype_is_float(from)) return false;
  bool is_wide = dtype == DT_F32 || dtype == DT_F64 || dtype == DT_BF16;
  return is_wide || (dtype == DT_F16 && dtype_bits(from) <= 8);
}

// Whether all of a value are numbers, as a scalar; NULL if they always are.
static IrValue *are_finite(IrBuilder *b, IrValue *x) {
  DType dtype = x->type->dtype;
  const IrOp *from = def_of(x, OP_CONVERT);
  if (!dtype_is_float(dtype) || (from && holds_all(dtype, from->operands[0]->type->dtype)))
    return NULL;
  int64_t axes[IR_MAX_RANK];
  for (int d = 0; d < x->type->rank; d++) axes[d] = d;
  IrValue *largest = ir_reduce(b, OP_REDUCE_MAX, ir_unary(b, OP_ABS, x), x->type->rank, axes);
  return ir_binary(b, OP_LT, largest, ir_const_f64(b, largest->type, (double)INFINITY));
}

static bool is_given_to(const IrOp *loop, const IrOp *load) {
  for (uint32_t i = 0; i < load->operand_count; i++) {
    if (ir_region_is_in(ir_value_region(load->operands[i]), loop->regions[0])) return false;
  }
  return true;
}

// The outermost loop around the load in which it gives the same in each turn, or NULL.
static IrOp *loop_of_same(const IrOp *load) {
  IrOp *found = NULL;
  const IrValue *root = ir_ref_root(load->operands[0]);
  for (IrOp *loop = load->parent->parent; loop && loop->code == OP_FOR;
       loop = loop->parent->parent) {
    if (!is_given_to(loop, load) || effects_region_writes(loop->regions[0], root) ||
        effects_region_communicates(loop->regions[0])) // others may write it
      break;
    found = loop;
  }
  return found;
}

// Asked in front of loops in which the answer is the same.
static IrValue *are_finite_before(PassContext *ctx, IrBuilder *b, IrValue *x) {
  const IrOp *load = def_of(x, OP_LOAD);
  IrOp *loop = load ? loop_of_same(load) : NULL;
  if (!loop) return are_finite(b, x);
  IrBuilder before = *b;
  before.region = loop->parent;
  before.before = loop;
  return are_finite(&before, ir_op_clone(&before, load, map_new(ctx->arena))->results[0]);
}

// What nobody but the op needs is made where the op is.
static void sink_operand(IrValue *value, const IrRegion *from, IrOp *to) {
  IrOp *op = value->def;
  if (!op || op->parent != from || value->use_count != 1 || op->result_count != 1 ||
      (!op_is_elementwise(op->code) && op_info(op->code)->op_class != CLASS_SHAPE &&
       op->code != OP_IOTA))
    return;
  ir_op_move(op, to->parent, to);
  for (uint32_t i = 0; i < op->operand_count; i++) sink_operand(op->operands[i], from, op);
}

// The load of what the product is added to, if it may be done where the product is.
static IrOp *late_load(const IrOp *dot) {
  IrOp *load = dot->operand_count > 2 ? def_of(dot->operands[2], OP_LOAD) : NULL;
  if (!load || load->parent != dot->parent || dot->operands[2]->use_count != 1) return NULL;
  for (const IrOp *op = load->next; op != dot; op = op->next)
    if (!effects_is_pure(op->code) && !effects_only_reads(op->code)) return NULL;
  return load;
}

// The store of the product, if it is all that becomes of it and may be done where the product is.
static IrOp *early_store(const IrOp *dot) {
  const IrValue *result = dot->results[0];
  if (result->use_count != 1) return NULL;
  for (IrOp *op = dot->next; op; op = op->next) {
    if (op->code == OP_STORE && op->operands[0] == result) return op;
    bool is_needed = false; // by the store
    for (const IrOp *after = op->next; after && op->result_count; after = after->next)
      for (uint32_t i = 0; i < after->operand_count; i++)
        is_needed |= after->code == OP_STORE && after->operands[0] == result &&
                     after->operands[i] == op->results[0];
    if (!effects_is_pure(op->code) || is_needed) return NULL;
  }
  return NULL;
}

// One side of the branch holds the rows, the other one the product, both with the load in front and
// the store behind: so nothing is copied from one to the other.
static void branch(PassContext *ctx, IrBuilder *b, const RowProduct *p, IrOp *dot,
                   IrValue *finite) {
  IrRegion *region = dot->parent;
  IrOp *load = late_load(dot), *store = early_store(dot);
  IrOp *op = ir_if(b, finite, store ? 0 : 1, &dot->results[0]->type);
  if (!store) ir_replace_uses(region, dot->results[0], op->results[0]);
  IrBuilder rows = *b, product = *b;
  rows.before = product.before = NULL;
  rows.region = op->regions[0];
  product.region = op->regions[1];
  Map *values = map_new(ctx->arena);
  IrValue *sums = dot->operand_count > 2 ? dot->operands[2] : NULL;
  if (load) sums = ir_op_clone(&rows, load, values)->results[0];
  IrValue *made = rows_of(&rows, p, dot, sums);
  if (load) ir_op_move(load, product.region, NULL);
  ir_op_move(dot, product.region, NULL);
  if (store) {
    map_set(values, dot->results[0], made);
    ir_op_clone(&rows, store, values);
    ir_op_move(store, product.region, NULL);
  }
  ir_yield(&rows, store ? 0 : 1, &made);
  ir_yield(&product, store ? 0 : 1, dot->results);
  sink_operand(dot->operands[0], region, dot);
}

static void replace_product(PassContext *ctx, IrOp *dot) {
  RowProduct product;
  if (!find_row_product(dot, &product)) return;
  IrBuilder b = ir_builder_before(dot);
  IrValue *finite = are_finite_before(ctx, &b, dot->operands[1]);
  if (finite) {
    branch(ctx, &b, &product, dot, finite);
    return;
  }
  IrValue *sums = dot->operand_count > 2 ? dot->operands[2] : NULL;
  ir_replace_uses(dot->parent, dot->results[0], rows_of(&b, &product, dot, sums));
  effects_remove_unused(dot);
}

// ---- numbers of equal elements ------------------------------------------------------------------
// Whether sums of ones are exact: integers wrap in any order.
static bool counts_exactly(DType dtype, int64_t ones) {
  return dtype_is_integer(dtype) || (dtype == DT_F32 && ones <= 1 << 24);
}

static bool is_summed(const IrOp *sum, int dim) {
  IrInts axes = ir_attr_ints(sum, ATTR_AXES);
  for (size_t i = 0; i < axes.count; i++)
    if (axes.items[i] == dim) return true;
  return false;
}

// The place of each element's own result among those of the dimensions that are kept in front of
// the places, times as many as there are places; NULL if there is one. -1 where an element has no
// place.
static IrValue *index_in_rows(IrBuilder *b, const OneHot *hot, const IrOp *sum, int64_t places,
                              int64_t kept) {
  const IrType *type = sum->operands[0]->type;
  int64_t dims[IR_MAX_RANK], count = ir_type_count(type) / places;
  int rank = 0;
  for (int d = 0; d < type->rank; d++)
    if (d != hot->dim) dims[rank++] = type->dims[d];
  IrValue *index = index_column(b, hot, count);
  if (kept == 1) return index;
  const IrType *like = ir_array_type(b->module, DT_I32, (size_t)rank, dims);
  IrValue *row = NULL;
  int64_t stride = places;
  for (int d = hot->dim - 1; d >= 0; d--) {
    if (is_summed(sum, d)) continue;
    IrValue *part = ir_binary(b, OP_MUL, ir_iota(b, like, d), ir_const_i64(b, like, stride));
    row = row ? ir_binary(b, OP_ADD, row, part) : part;
    stride *= type->dims[d];
  }
  index = ir_reshape(b, index, (size_t)rank, dims);
  IrValue *zero = ir_const_i64(b, like, 0), *end = ir_const_i64(b, like, places);
  IrValue *is_place =
      ir_binary(b, OP_AND, ir_binary(b, OP_GE, index, zero), ir_binary(b, OP_LT, index, end));
  index = ir_select(b, is_place, ir_binary(b, OP_ADD, index, row), ir_const_i64(b, like, -1));
  return ir_reshape(b, index, 2, (int64_t[]){count, 1});
}

// How many rows of places are kept; 0 if a dimension behind the places is.
static int64_t kept_rows(const IrOp *sum, int dim) {
  const IrType *type = sum->operands[0]->type;
  int64_t kept = 1;
  for (int d = 0; d < type->rank; d++) {
    if (d == dim || is_summed(sum, d)) continue;
    if (d > dim && type->dims[d] != 1) return 0;
    kept *= type->dims[d];
  }
  return kept;
}

static void replace_count(PassContext *ctx, IrOp *sum) {
  OneHot hot;
  if (!is_one_hot(sum->operands[0], &hot)) return;
  const IrType *type = sum->operands[0]->type, *result = sum->results[0]->type;
  int64_t places = type->dims[hot.dim], kept = kept_rows(sum, hot.dim);
  int64_t count = ir_type_count(type) / (places ? places : 1), total = kept * places;
  if (is_summed(sum, hot.dim) || kept == 0 || places < LEAST_BINS || count < 2 * kept ||
      total > INT32_MAX || !counts_exactly(result->dtype, count))
    return;
  IrBuilder b = ir_builder_before(sum);
  IrValue *index = index_in_rows(&b, &hot, sum, places, kept);
  IrValue *zeros = ir_const_f64(&b, ir_array_type(ctx->module, result->dtype, 1, &total), 0.0);
  IrValue *ones = ir_const_f64(&b, ir_array_type(ctx->module, result->dtype, 1, &count), 1.0);
  IrValue *counts = add_rows(&b, zeros, index, ones);
  ir_replace_uses(sum->parent, sum->results[0], ir_reshape(&b, counts, result->rank, result->dims));
  effects_remove_unused(sum);
}

typedef struct Sums {
  Arena *arena;
  VEC(IrOp *) ops;
} Sums;

static void collect(IrOp *op, void *data) {
  Sums *sums = data;
  if (op->code == OP_DOT || op->code == OP_REDUCE_SUM) VEC_PUSH(sums->arena, &sums->ops, op);
}

// A branch takes ops behind the product along, so that all are found before one is replaced.
bool pass_one_hot(PassContext *ctx) {
  Sums sums = {.arena = ctx->arena};
  ir_walk_module(ctx->module, collect, &sums);
  for (size_t i = 0; i < sums.ops.count; i++) {
    IrOp *op = sums.ops.items[i];
    if (!op->parent) continue; // what an earlier one was made from
    if (op->code == OP_DOT)
      replace_product(ctx, op);
    else
      replace_count(ctx, op);
  }
  return true;
}
