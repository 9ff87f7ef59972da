// SPDX-License-Identifier: Apache-2.0
// Ranges of integers: of constants, grid indices and loop indices, and of arithmetic on those; of
// an array, of all its elements.
#include "base/checked.h"
#include "ir/core/attr.h"
#include "access.h"
#include "bounds.h"
#include "ir/core/constant.h"
#include "ir/core/region.h"

// Indices are chains of scalars; of arrays only what is near is looked at.
enum { MAX_DEPTH = 10, ARRAY_DEPTH = 6 };

static Range range_at(const IrValue *value, int depth);

static Range type_range(DType dtype) {
  unsigned bits = dtype_bits(dtype);
  if (dtype == DT_BOOL) return (Range){0, 1};
  if (bits > 32) return (Range){INT64_MIN, INT64_MAX}; // u64: see range_at
  if (dtype_is_signed(dtype))
    return (Range){-(INT64_C(1) << (bits - 1)), (INT64_C(1) << (bits - 1)) - 1};
  return (Range){0, (INT64_C(1) << bits) - 1};
}

static bool is_within(Range range, Range all) {
  return range.low >= all.low && range.high <= all.high;
}

// What overflows wraps, and may then be anything.
static Range within(Range range, DType dtype) {
  Range all = type_range(dtype);
  return is_within(range, all) ? range : all;
}

static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }
static int64_t most(int64_t a, int64_t b) { return a > b ? a : b; }

// Of products and quotients, which are monotonous in each operand.
static Range of_corners(int64_t a, int64_t b, int64_t c, int64_t d) {
  return (Range){least(least(a, b), least(c, d)), most(most(a, b), most(c, d))};
}

Range range_product(Range x, Range y) {
  int64_t corners[4];
  bool fits = mul_i64(x.low, y.low, &corners[0]) && mul_i64(x.low, y.high, &corners[1]) &&
              mul_i64(x.high, y.low, &corners[2]) && mul_i64(x.high, y.high, &corners[3]);
  return fits ? of_corners(corners[0], corners[1], corners[2], corners[3])
              : (Range){INT64_MIN, INT64_MAX};
}

Range range_sum(Range x, Range y) {
  Range out;
  return add_i64(x.low, y.low, &out.low) && add_i64(x.high, y.high, &out.high)
             ? out
             : (Range){INT64_MIN, INT64_MAX};
}

Range range_difference(Range x, Range y) {
  Range out;
  return sub_i64(x.low, y.high, &out.low) && sub_i64(x.high, y.low, &out.high)
             ? out
             : (Range){INT64_MIN, INT64_MAX};
}

static int64_t floor_div(int64_t a, int64_t b) { return a / b - (a % b != 0 && a < 0); } // b > 0

static Range binary_range(OpCode code, Range x, Range y, Range all) {
  switch (code) {
  case OP_ADD: return range_sum(x, y);
  case OP_SUB: return range_difference(x, y);
  case OP_MUL: return range_product(x, y);
  case OP_MIN: return (Range){least(x.low, y.low), least(x.high, y.high)};
  case OP_MAX: return (Range){most(x.low, y.low), most(x.high, y.high)};
  case OP_DIV:
    return y.low > 0 ? of_corners(x.low / y.low, x.low / y.high, x.high / y.low, x.high / y.high)
                     : all;
  case OP_FLOORDIV:
    if (y.low <= 0) return all;
    return of_corners(floor_div(x.low, y.low), floor_div(x.low, y.high), floor_div(x.high, y.low),
                      floor_div(x.high, y.high));
  case OP_MOD:
    return y.low > 0 ? (Range){0, x.low >= 0 ? least(x.high, y.high - 1) : y.high - 1} : all;
  case OP_REM:
    if (y.low <= 0) return all;
    return (Range){x.low >= 0 ? 0 : most(x.low, 1 - y.high),
                   x.high <= 0 ? 0 : least(x.high, y.high - 1)};
  case OP_AND:
    return x.low >= 0 || y.low >= 0 ? (Range){0, x.low < 0   ? y.high
                                                 : y.low < 0 ? x.high
                                                             : least(x.high, y.high)}
                                    : all;
  case OP_SHR: return all.low < 0 && x.low >= 0 && y.low >= 0 ? (Range){0, x.high} : all;
  default: return all;
  }
}

static bool is_range_op(OpCode code) {
  return code == OP_ADD || code == OP_SUB || code == OP_MUL || code == OP_MIN || code == OP_MAX ||
         code == OP_DIV || code == OP_FLOORDIV || code == OP_MOD || code == OP_REM ||
         code == OP_AND || code == OP_SHR;
}

// The index of a `for` loop.
static Range argument_range(const IrValue *value, Range all, int depth) {
  const IrOp *loop = value->region->parent;
  if (!loop || loop->code != OP_FOR || value->index != 0) return all;
  Range lower = range_at(loop->operands[0], depth), upper = range_at(loop->operands[1], depth);
  if (upper.high == INT64_MIN) return all;
  return (Range){lower.low, most(lower.low, upper.high - 1)};
}

static Range range_union(Range x, Range y) {
  return (Range){least(x.low, y.low), most(x.high, y.high)};
}

// Of the elements of a constant.
static Range const_range(const IrValue *value, Range all) {
  enum { MOST_READ = 4096 };
  const IrData *data = ir_attr_data(value->def, ATTR_DATA);
  if (dtype_is_float(data->dtype) || data->count < 1 || data->count > MOST_READ) return all;
  size_t size = dtype_size(data->dtype);
  const char *bytes = data->bytes;
  Range range = {INT64_MAX, INT64_MIN};
  for (int64_t i = 0; i < data->count; i++) {
    int64_t item = dtype_load_i64(data->dtype, bytes + (size_t)i * size);
    range = range_union(range, (Range){item, item});
  }
  return range;
}

// Of ops whose elements are elements of operands.
static Range moved_range(const IrOp *op, Range all, int depth) {
  const IrOp *yield;
  if (op_is_view(op->code)) return range_at(op->operands[0], depth);
  switch (op->code) {
  case OP_SELECT:
    return range_union(range_at(op->operands[1], depth), range_at(op->operands[2], depth));
  case OP_CONCAT: {
    Range range = range_at(op->operands[0], depth);
    for (uint32_t i = 1; i < op->operand_count; i++)
      range = range_union(range, range_at(op->operands[i], depth));
    return range;
  }
  case OP_FUSE:
    yield = op->regions[0]->last;
    return op->result_count == 1 ? range_at(yield->operands[0], depth) : all;
  default: return all;
  }
}

static Range iota_range(const IrOp *op) {
  return (Range){0, most(op->results[0]->type->dims[ir_attr_int(op, ATTR_DIM)] - 1, 0)};
}

// x - x / y * y, rounded down, is what x % y is; wherever that wraps, it wraps back.
static bool is_rest(const IrOp *op, int64_t *divisor) {
  if (op->code != OP_SUB) return false;
  const IrOp *product = op->operands[1]->def;
  const IrOp *quotient = product && product->code == OP_MUL ? product->operands[0]->def : NULL;
  if (!quotient || quotient->code != OP_FLOORDIV || quotient->operands[0] != op->operands[0] ||
      product->operands[1] != quotient->operands[1])
    return false;
  const IrData *data = ir_const_splat(quotient->operands[1]);
  if (data) *divisor = dtype_load_i64(data->dtype, data->bytes);
  return data && *divisor > 0;
}

// The least number of a type is its own opposite.
static Range absolute(Range x, Range all) {
  if (x.low == all.low) return x.low < 0 ? all : x;
  return (Range){x.low > 0 ? x.low : x.high < 0 ? -x.high : 0, most(x.high, -x.low)};
}

static Range range_at(const IrValue *value, int depth) {
  DType dtype = value->type->dtype;
  Range all = type_range(dtype);
  if (dtype == DT_U64) return all; // its upper half is no int64_t: nothing is said of it
  if (depth == MAX_DEPTH) return all;
  if (!value->def) return value->type->rank ? all : argument_range(value, all, depth + 1);
  const IrOp *op = value->def;
  if (op->code == OP_CONST) return const_range(value, all);
  if (op->code == OP_IOTA) return within(iota_range(op), dtype);
  int64_t divisor;
  if (is_rest(op, &divisor)) return within((Range){0, divisor - 1}, dtype);
  if (op->code == OP_ABS && !dtype_is_float(dtype))
    return absolute(range_at(op->operands[0], depth + 1), all);
  if (is_range_op(op->code)) {
    Range x = range_at(op->operands[0], depth + 1), y = range_at(op->operands[1], depth + 1);
    return within(binary_range(op->code, x, y, all), dtype);
  }
  if (op->code == OP_CONVERT && !dtype_is_float(op->operands[0]->type->dtype))
    return within(range_at(op->operands[0], depth + 1), dtype);
  return moved_range(op, all, depth + 1);
}

Range bounds_of(const IrValue *value) {
  return range_at(value, value->type->rank ? MAX_DEPTH - ARRAY_DEPTH : 0);
}

bool bounds_never_wraps(const IrOp *op) {
  DType dtype = op->results[0]->type->dtype;
  Range all = type_range(dtype);
  if (dtype == DT_U64 || dtype_is_float(dtype)) return false;
  if (op->code == OP_IOTA) return is_within(iota_range(op), all);
  if (op->code != OP_ADD && op->code != OP_SUB && op->code != OP_MUL) return false;
  Range range = binary_range(op->code, bounds_of(op->operands[0]), bounds_of(op->operands[1]), all);
  bool is_known = range.low != INT64_MIN || range.high != INT64_MAX; // see range_sum
  return is_known && is_within(range, all);
}

static bool is_multiple_at(const IrValue *value, int64_t n, int depth) {
  int64_t number;
  const IrOp *op = value->def, *loop = op ? NULL : ir_value_region(value)->parent;
  if (ir_const_int(value, &number)) return number % n == 0;
  if (depth == MAX_DEPTH || value->type->rank) return false;
  if (loop && loop->code == OP_FOR && value->index == 0)
    return is_multiple_at(loop->operands[0], n, depth + 1) &&
           is_multiple_at(loop->operands[2], n, depth + 1);
  // A number that wraps is another one by a power of two.
  if (!op || ((n & (n - 1)) && !bounds_never_wraps(op))) return false;
  bool left = op->operand_count && is_multiple_at(op->operands[0], n, depth + 1);
  if (op->code == OP_MUL) return left || is_multiple_at(op->operands[1], n, depth + 1);
  if (op->code == OP_ADD || op->code == OP_SUB)
    return left && is_multiple_at(op->operands[1], n, depth + 1);
  return false;
}

bool bounds_is_multiple(const IrValue *value, int64_t n) { return is_multiple_at(value, n, 0); }

// ---- indices ------------------------------------------------------------------------------------
static const IrValue *ref_of(const IrOp *op) { return access_ref(op); }

bool bounds_dim_inside(const IrOp *op, int i) {
  const IndexDim *dim = &ir_attr_index(op)->dims[i];
  int64_t limit = ref_of(op)->type->dims[i];
  if (dim->kind == INDEX_ARRAY) return false;
  Range start = {dim->start, dim->start};
  if (dim->start_operand >= 0) start = bounds_of(op->operands[dim->start_operand]);
  int64_t size = dim->kind == INDEX_SCALAR ? 1 : dim->size, reach;
  if (size == 0) return start.low >= 0 && start.high <= limit;
  if (!mul_i64(size - 1, dim->kind == INDEX_SCALAR ? 1 : dim->stride, &reach)) return false;
  return start.low >= 0 && start.high < limit - reach;
}

bool bounds_dim_leaves_by_steps(const IrOp *op, int i) {
  const IndexDim *dim = &ir_attr_index(op)->dims[i];
  return dim->kind == INDEX_SLICE && dim->stride > 1 && dim->size > 1 && dim->start_operand >= 0 &&
         !bounds_dim_inside(op, i);
}

bool bounds_leaves_by_steps(const IrOp *op) {
  bool leaves = false;
  for (int i = 0; i < ir_attr_index(op)->rank && !leaves; i++)
    leaves = bounds_dim_leaves_by_steps(op, i);
  return leaves;
}

static bool index_inside(const IrOp *op) {
  for (int i = 0; i < ir_attr_index(op)->rank; i++)
    if (!bounds_dim_inside(op, i)) return false;
  return true;
}

bool bounds_inside(const IrOp *op) {
  if (!index_inside(op)) return false;
  for (const IrValue *ref = ref_of(op); ref->def && ref->def->code != OP_ALLOC;
       ref = ref->def->operands[0])
    if (ref->def->code == OP_VIEW && !index_inside(ref->def)) return false;
  return true;
}
