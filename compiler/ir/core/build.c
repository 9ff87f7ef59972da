// SPDX-License-Identifier: Apache-2.0
// Building ops whose result types follow from their operands. An operand that does not fit is the
// caller's bug.
#include "base/checked.h"
#include "attr.h"
#include "build.h"
#include "require.h"

#include <string.h>

static IrValue *build1(IrBuilder *b, OpCode code, size_t count, IrValue *const *operands,
                       const IrType *type, IrOp **op_out) {
  if (!type) BUG("the result of '%s' has no type: too large?", op_info(code)->name);
  IrOp *op = ir_build(b, code, count, operands, 1, &type);
  if (op_out) *op_out = op;
  return op->results[0];
}

// ---- constants ---------------------------------------------------------------------------------
// Equal elements are kept once.
IrValue *ir_const(IrBuilder *b, const IrType *type, const void *element_bytes, int64_t count) {
  int64_t elements = ir_type_count(type);
  REQUIRE(!type->is_ref && (count == 1 || count == elements), OP_CONST);
  size_t size = dtype_size(type->dtype), total = (size_t)count * size;
  if (count > 1 && memcmp(element_bytes, (const char *)element_bytes + size, total - size) == 0)
    count = 1;
  IrOp *op;
  IrValue *value = build1(b, OP_CONST, 0, NULL, type, &op);
  ir_set_data(b->module, op, ATTR_DATA, type->dtype, count, element_bytes);
  return value;
}

IrValue *ir_const_f64(IrBuilder *b, const IrType *type, double value) {
  uint64_t bytes = 0;
  dtype_store_f64(type->dtype, &bytes, value);
  return ir_const(b, type, &bytes, 1);
}

IrValue *ir_const_i64(IrBuilder *b, const IrType *type, int64_t value) {
  uint64_t bytes = 0;
  dtype_store_i64(type->dtype, &bytes, value);
  return ir_const(b, type, &bytes, 1);
}

IrValue *ir_i32(IrBuilder *b, int32_t value) {
  return ir_const(b, ir_array_type(b->module, DT_I32, 0, NULL), &value, 1);
}

IrValue *ir_iota(IrBuilder *b, const IrType *type, int dim) {
  REQUIRE(!type->is_ref && dim >= 0 && dim < type->rank, OP_IOTA);
  IrOp *op;
  IrValue *value = build1(b, OP_IOTA, 0, NULL, type, &op);
  ir_set_int(b->module, op, ATTR_DIM, dim);
  return value;
}

// ---- elementwise -------------------------------------------------------------------------------
IrValue *ir_unary(IrBuilder *b, OpCode code, IrValue *x) {
  const IrType *type = x->type;
  REQUIRE(!type->is_ref && op_info(code)->operands == 1 && op_is_elementwise(code), code);
  if (code == OP_IS_FINITE) type = ir_type_with_dtype(b->module, type, DT_BOOL);
  IrOp *op;
  IrValue *value = build1(b, code, 1, &x, type, &op);
  if (code == OP_RECIPROCAL) ir_set_int(b->module, op, ATTR_APPROX, 0);
  return value;
}

IrValue *ir_binary(IrBuilder *b, OpCode code, IrValue *x, IrValue *y) {
  OpClass op_class = op_info(code)->op_class;
  REQUIRE(op_class == CLASS_BINARY || op_class == CLASS_COMPARE, code);
  REQUIRE(!x->type->is_ref && x->type == y->type, code);
  const IrType *type = x->type;
  if (op_class == CLASS_COMPARE) type = ir_type_with_dtype(b->module, type, DT_BOOL);
  return build1(b, code, 2, (IrValue *[]){x, y}, type, NULL);
}

IrValue *ir_select(IrBuilder *b, IrValue *pred, IrValue *x, IrValue *y) {
  REQUIRE(pred->type->dtype == DT_BOOL && ir_same_dims(pred->type, x->type), OP_SELECT);
  REQUIRE(!x->type->is_ref && x->type == y->type, OP_SELECT);
  return build1(b, OP_SELECT, 3, (IrValue *[]){pred, x, y}, x->type, NULL);
}

IrValue *ir_convert(IrBuilder *b, IrValue *x, DType dtype) {
  REQUIRE(!x->type->is_ref, OP_CONVERT);
  if (x->type->dtype == dtype) return x;
  return build1(b, OP_CONVERT, 1, &x, ir_type_with_dtype(b->module, x->type, dtype), NULL);
}

// Between widths the last dimension holds the narrow parts of a wide element.
IrValue *ir_bitcast(IrBuilder *b, IrValue *x, DType dtype) {
  const IrType *type = x->type;
  REQUIRE(!type->is_ref, OP_BITCAST);
  if (type->dtype == dtype) return x;
  unsigned from = dtype_bits(type->dtype), to = dtype_bits(dtype);
  if (from == to)
    return build1(b, OP_BITCAST, 1, &x, ir_type_with_dtype(b->module, type, dtype), NULL);
  int64_t dims[IR_MAX_RANK + 1];
  size_t rank = type->rank;
  memcpy(dims, type->dims, sizeof type->dims);
  if (from > to)
    dims[rank++] = from / to;
  else
    REQUIRE(rank > 0 && dims[--rank] == to / from, OP_BITCAST_WIDTH);
  return build1(b, OP_BITCAST_WIDTH, 1, &x, ir_array_type(b->module, dtype, rank, dims), NULL);
}

// ---- shape -------------------------------------------------------------------------------------
IrValue *ir_broadcast(IrBuilder *b, IrValue *x, const IrType *type, const int64_t *dims) {
  REQUIRE(!x->type->is_ref && x->type->dtype == type->dtype, OP_BROADCAST);
  for (int i = 0; i < x->type->rank; i++) {
    REQUIRE(dims[i] >= 0 && dims[i] < type->rank && (i == 0 || dims[i] > dims[i - 1]),
            OP_BROADCAST);
    REQUIRE(x->type->dims[i] == 1 || x->type->dims[i] == type->dims[dims[i]], OP_BROADCAST);
  }
  IrOp *op;
  IrValue *value = build1(b, OP_BROADCAST, 1, &x, type, &op);
  ir_set_ints(b->module, op, ATTR_DIMS, x->type->rank, dims);
  return value;
}

IrValue *ir_broadcast_to(IrBuilder *b, IrValue *x, size_t rank, const int64_t *dims) {
  const IrType *type = ir_array_type(b->module, x->type->dtype, rank, dims);
  REQUIRE(type && rank >= x->type->rank, OP_BROADCAST);
  if (type == x->type) return x;
  int64_t map[IR_MAX_RANK];
  for (int i = 0; i < x->type->rank; i++) map[i] = (int64_t)rank - x->type->rank + i;
  return ir_broadcast(b, x, type, map);
}

IrValue *ir_reshape(IrBuilder *b, IrValue *x, size_t rank, const int64_t *dims) {
  const IrType *type = ir_array_type(b->module, x->type->dtype, rank, dims);
  REQUIRE(!x->type->is_ref && type && ir_type_count(type) == ir_type_count(x->type), OP_RESHAPE);
  return type == x->type ? x : build1(b, OP_RESHAPE, 1, &x, type, NULL);
}

IrValue *ir_transpose(IrBuilder *b, IrValue *x, const int64_t *perm) {
  int64_t dims[IR_MAX_RANK];
  unsigned seen = 0;
  int rank = x->type->rank;
  for (int i = 0; i < rank; i++) {
    REQUIRE(perm[i] >= 0 && perm[i] < rank && !(seen >> perm[i] & 1), OP_TRANSPOSE);
    seen |= 1u << perm[i];
    dims[i] = x->type->dims[perm[i]];
  }
  IrOp *op;
  const IrType *type = ir_type_with_dims(b->module, x->type, (size_t)rank, dims);
  IrValue *value = build1(b, OP_TRANSPOSE, 1, &x, type, &op);
  ir_set_ints(b->module, op, ATTR_DIMS, (size_t)rank, perm);
  return value;
}

IrValue *ir_slice(IrBuilder *b, IrValue *x, const int64_t *starts, const int64_t *limits,
                  const int64_t *strides) {
  int64_t dims[IR_MAX_RANK], ones[IR_MAX_RANK];
  size_t rank = x->type->rank;
  for (size_t i = 0; i < rank; i++) ones[i] = 1;
  if (!strides) strides = ones;
  for (size_t i = 0; i < rank; i++) {
    REQUIRE(starts[i] >= 0 && starts[i] <= limits[i] && limits[i] <= x->type->dims[i] &&
                strides[i] > 0,
            OP_SLICE);
    dims[i] = (limits[i] - starts[i]) / strides[i] + ((limits[i] - starts[i]) % strides[i] != 0);
  }
  IrOp *op;
  IrValue *value =
      build1(b, OP_SLICE, 1, &x, ir_type_with_dims(b->module, x->type, rank, dims), &op);
  ir_set_ints(b->module, op, ATTR_STARTS, rank, starts);
  ir_set_ints(b->module, op, ATTR_LIMITS, rank, limits);
  ir_set_ints(b->module, op, ATTR_STRIDES, rank, strides);
  return value;
}

IrValue *ir_pad(IrBuilder *b, IrValue *x, IrValue *value, const int64_t *low, const int64_t *high,
                const int64_t *interior) {
  int64_t dims[IR_MAX_RANK];
  size_t rank = x->type->rank;
  REQUIRE(is_scalar_value(value, x->type->dtype), OP_PAD);
  for (size_t i = 0; i < rank; i++) {
    int64_t n = x->type->dims[i], gaps = 0;
    REQUIRE(interior[i] >= 0 && (n < 2 || mul_i64(n - 1, interior[i], &gaps)), OP_PAD);
    REQUIRE(add_i64(n, gaps, &n) && add_i64(n, low[i], &n) && add_i64(n, high[i], &n) && n >= 0,
            OP_PAD);
    dims[i] = n;
  }
  IrOp *op;
  const IrType *type = ir_type_with_dims(b->module, x->type, rank, dims);
  IrValue *result = build1(b, OP_PAD, 2, (IrValue *[]){x, value}, type, &op);
  ir_set_ints(b->module, op, ATTR_LOW, rank, low);
  ir_set_ints(b->module, op, ATTR_HIGH, rank, high);
  ir_set_ints(b->module, op, ATTR_INTERIOR, rank, interior);
  return result;
}

IrValue *ir_concat(IrBuilder *b, size_t count, IrValue *const *xs, int dim) {
  REQUIRE(count > 0 && dim >= 0 && dim < xs[0]->type->rank, OP_CONCAT);
  const IrType *first = xs[0]->type;
  int64_t dims[IR_MAX_RANK];
  memcpy(dims, first->dims, sizeof dims);
  for (size_t i = 1; i < count; i++) {
    const IrType *type = xs[i]->type;
    REQUIRE(type->rank == first->rank && type->dtype == first->dtype, OP_CONCAT);
    for (int d = 0; d < type->rank; d++)
      REQUIRE(d == dim || type->dims[d] == first->dims[d], OP_CONCAT);
    REQUIRE(add_i64(dims[dim], type->dims[dim], &dims[dim]), OP_CONCAT);
  }
  IrOp *op;
  const IrType *type = ir_type_with_dims(b->module, first, first->rank, dims);
  IrValue *value = build1(b, OP_CONCAT, count, xs, type, &op);
  ir_set_int(b->module, op, ATTR_DIM, dim);
  return value;
}

IrValue *ir_rev(IrBuilder *b, IrValue *x, size_t count, const int64_t *dims) {
  IrOp *op;
  IrValue *value = build1(b, OP_REV, 1, &x, x->type, &op);
  ir_set_ints(b->module, op, ATTR_DIMS, count, dims);
  return value;
}

IrValue *ir_dynamic_slice(IrBuilder *b, IrValue *x, IrValue *const *starts, const int64_t *sizes) {
  IrValue *operands[1 + IR_MAX_RANK] = {x};
  size_t rank = x->type->rank;
  for (size_t i = 0; i < rank; i++) {
    REQUIRE(is_scalar_value(starts[i], DT_I32) && sizes[i] >= 0 && sizes[i] <= x->type->dims[i],
            OP_DYNAMIC_SLICE);
    operands[1 + i] = starts[i];
  }
  IrOp *op;
  const IrType *type = ir_type_with_dims(b->module, x->type, rank, sizes);
  IrValue *value = build1(b, OP_DYNAMIC_SLICE, 1 + rank, operands, type, &op);
  ir_set_ints(b->module, op, ATTR_SIZES, rank, sizes);
  return value;
}

IrValue *ir_dynamic_update_slice(IrBuilder *b, IrValue *x, IrValue *update,
                                 IrValue *const *starts) {
  IrValue *operands[2 + IR_MAX_RANK] = {x, update};
  size_t rank = x->type->rank;
  REQUIRE(update->type->rank == rank && update->type->dtype == x->type->dtype,
          OP_DYNAMIC_UPDATE_SLICE);
  for (size_t i = 0; i < rank; i++) {
    REQUIRE(is_scalar_value(starts[i], DT_I32) && update->type->dims[i] <= x->type->dims[i],
            OP_DYNAMIC_UPDATE_SLICE);
    operands[2 + i] = starts[i];
  }
  return build1(b, OP_DYNAMIC_UPDATE_SLICE, 2 + rank, operands, x->type, NULL);
}

// ---- reductions and dot ------------------------------------------------------------------------
IrValue *ir_reduce(IrBuilder *b, OpCode code, IrValue *x, size_t count, const int64_t *axes) {
  REQUIRE(op_is_reduction(code) && !x->type->is_ref, code);
  bool gives_index = code == OP_ARGMAX || code == OP_ARGMIN;
  unsigned reduced = 0;
  for (size_t i = 0; i < count; i++) {
    REQUIRE(axes[i] >= 0 && axes[i] < x->type->rank && !(reduced >> axes[i] & 1), code);
    reduced |= 1u << axes[i];
  }
  REQUIRE(!gives_index || count == 1, code);
  int64_t dims[IR_MAX_RANK];
  size_t rank = 0;
  for (int i = 0; i < x->type->rank; i++)
    if (!(reduced >> i & 1)) dims[rank++] = x->type->dims[i];
  DType dtype = gives_index ? DT_I32 : x->type->dtype;
  IrOp *op;
  IrValue *value = build1(b, code, 1, &x, ir_array_type(b->module, dtype, rank, dims), &op);
  ir_set_ints(b->module, op, ATTR_AXES, count, axes);
  return value;
}

IrValue *ir_cumulative(IrBuilder *b, OpCode code, IrValue *x, int dim, bool reverse) {
  REQUIRE(op_info(code)->op_class == CLASS_CUMULATIVE && dim >= 0 && dim < x->type->rank, code);
  IrOp *op;
  IrValue *value = build1(b, code, 1, &x, x->type, &op);
  ir_set_int(b->module, op, ATTR_DIM, dim);
  ir_set_int(b->module, op, ATTR_REVERSE, reverse);
  return value;
}

OpCode ir_combine_op(ScatterCombine how) {
  switch (how) {
  case COMBINE_ADD: return OP_ADD;
  case COMBINE_MUL: return OP_MUL;
  case COMBINE_MIN: return OP_MIN;
  case COMBINE_MAX: return OP_MAX;
  case COMBINE_SET: break;
  }
  return OP_COUNT;
}
