// SPDX-License-Identifier: Apache-2.0
// What an op demands of its operands, results and attributes. The arities, the presence of
// attributes and the element types of elementwise ops come from tables; the rest is one function
// for each family.
#include "base/buf.h"
#include "base/checked.h"
#include "base/map.h"
#include "attr.h"
#include "build.h"
#include "build_dot.h"
#include "build_memory.h"
#include "constant.h"
#include "index.h"
#include "region.h"
#include "rules.h"

#include <string.h>

#include "arithmetic.h"
#include "ir/text/text.h"
#include "rule.h"
#include "rules_check.h"

static bool has_dims(const IrType *type, size_t rank, const int64_t *dims) {
  return type->rank == rank && memcmp(type->dims, dims, rank * sizeof dims[0]) == 0;
}

static bool is_kind(const IrType *type, const char *kinds) {
  return strchr(kinds, dtype_kind(type->dtype)) != NULL;
}

// Whether the numbers are dimensions of an array of that rank, each at most once; the set of them.
static bool distinct_dims(IrInts dims, size_t rank, unsigned *set) {
  *set = 0;
  for (size_t i = 0; i < dims.count; i++) {
    int64_t dim = dims.items[i];
    if (dim < 0 || dim >= (int64_t)rank || (*set >> dim & 1)) return false;
    *set |= 1u << dim;
  }
  return true;
}

static bool is_increasing(IrInts dims) {
  for (size_t i = 1; i < dims.count; i++)
    if (dims.items[i] <= dims.items[i - 1]) return false;
  return true;
}

// ---- elementwise -------------------------------------------------------------------------------
static bool check_kind(const IrOp *op, const IrType *type, Buf *why) {
  RULE(arithmetic_is_defined_on(op->code, type->dtype), "it is not defined on %s",
       dtype_short_name(type->dtype));
  return true;
}

static bool check_elementwise(const IrOp *op, Buf *why) {
  const IrType *x = operand_type(op, 0), *r = result_type(op, 0);
  if (!check_kind(op, x, why)) return false;
  for (uint32_t i = 0; i < op->operand_count; i++)
    RULE(ir_same_dims(operand_type(op, i), r), "operand %u and the result differ in shape", i);
  switch (op->code) {
  case OP_CONVERT: return true;
  case OP_BITCAST:
    RULE(dtype_bits(x->dtype) == dtype_bits(r->dtype), "the widths differ");
    return true;
  case OP_SELECT:
    RULE(operand_type(op, 1) == r && operand_type(op, 2) == r,
         "the cases are not of the result's type");
    return true;
  case OP_THREEFRY:
    for (uint32_t i = 0; i < 4; i++)
      RULE(operand_type(op, i) == r && r->dtype == DT_U32, "operand %u is not u32", i);
    RULE(result_type(op, 1) == r, "the results differ in type");
    return true;
  case OP_REDUCE_PRECISION:
    RULE(ir_attr_int(op, ATTR_EXPONENT_BITS) >= 1, "less than one bit of exponent");
    RULE(ir_attr_int(op, ATTR_MANTISSA_BITS) >= 0, "less than no bits of mantissa");
    break;
  default: break;
  }
  if (op->operand_count == 2) RULE(operand_type(op, 1) == x, "the operands differ in type");
  bool gives_bool = op->code == OP_IS_FINITE || op_info(op->code)->op_class == CLASS_COMPARE;
  RULE(r->dtype == (gives_bool ? DT_BOOL : x->dtype), "the result's element type is not %s",
       gives_bool ? "bool" : "that of the operands");
  return true;
}

static bool check_const(const IrOp *op, Buf *why) {
  const IrType *r = result_type(op, 0);
  if (op->code == OP_CONST) {
    const IrData *data = ir_attr_data(op, ATTR_DATA);
    RULE(data->dtype == r->dtype, "the data is %s", dtype_short_name(data->dtype));
    RULE(data->count == 1 || data->count == ir_type_count(r), "%lld elements for a type of %lld",
         (long long)data->count, (long long)ir_type_count(r));
    return true;
  }
  int64_t dim = ir_attr_int(op, ATTR_DIM);
  RULE(dim >= 0 && dim < r->rank, "there is no dimension %lld", (long long)dim);
  RULE(r->dtype != DT_BOOL, "it is not defined on bool");
  return true;
}

// ---- shape -------------------------------------------------------------------------------------
static bool check_broadcast(const IrOp *op, Buf *why) {
  const IrType *x = operand_type(op, 0), *r = result_type(op, 0);
  IrInts dims = ir_attr_ints(op, ATTR_DIMS);
  unsigned set;
  RULE(dims.count == x->rank && distinct_dims(dims, r->rank, &set) && is_increasing(dims),
       "'dims' are not increasing dimensions of the result, one for each of the operand");
  for (int i = 0; i < x->rank; i++)
    RULE(x->dims[i] == 1 || x->dims[i] == r->dims[dims.items[i]],
         "dimension %d of size %lld does not broadcast to %lld", i, (long long)x->dims[i],
         (long long)r->dims[dims.items[i]]);
  return true;
}

static bool check_transpose(const IrOp *op, Buf *why) {
  const IrType *x = operand_type(op, 0), *r = result_type(op, 0);
  IrInts dims = ir_attr_ints(op, ATTR_DIMS);
  unsigned set;
  RULE(dims.count == x->rank && distinct_dims(dims, x->rank, &set), "'dims' is no permutation");
  RULE(r->rank == x->rank, "the ranks differ");
  for (int i = 0; i < r->rank; i++)
    RULE(r->dims[i] == x->dims[dims.items[i]], "dimension %d of the result is not %lld", i,
         (long long)x->dims[dims.items[i]]);
  return true;
}

static bool check_slice(const IrOp *op, Buf *why) {
  const IrType *x = operand_type(op, 0), *r = result_type(op, 0);
  IrInts starts = ir_attr_ints(op, ATTR_STARTS), limits = ir_attr_ints(op, ATTR_LIMITS);
  IrInts strides = ir_attr_ints(op, ATTR_STRIDES);
  RULE(starts.count == x->rank && limits.count == x->rank && strides.count == x->rank &&
           r->rank == x->rank,
       "not one start, limit and stride for each dimension");
  for (int i = 0; i < x->rank; i++) {
    int64_t start = starts.items[i], limit = limits.items[i], stride = strides.items[i];
    RULE(start >= 0 && start <= limit && limit <= x->dims[i] && stride > 0,
         "dimension %d of size %lld has no slice %lld:%lld:%lld", i, (long long)x->dims[i],
         (long long)start, (long long)limit, (long long)stride);
    int64_t size = (limit - start) / stride + ((limit - start) % stride != 0);
    RULE(r->dims[i] == size, "dimension %d of the result is not %lld", i, (long long)size);
  }
  return true;
}

static bool check_pad(const IrOp *op, Buf *why) {
  const IrType *x = operand_type(op, 0), *r = result_type(op, 0);
  IrInts low = ir_attr_ints(op, ATTR_LOW), high = ir_attr_ints(op, ATTR_HIGH);
  IrInts interior = ir_attr_ints(op, ATTR_INTERIOR);
  RULE(is_scalar(operand_type(op, 1), x->dtype), "what it pads with is no scalar of that type");
  RULE(low.count == x->rank && high.count == x->rank && interior.count == x->rank &&
           r->rank == x->rank,
       "not one 'low', 'high' and 'interior' for each dimension");
  for (int i = 0; i < x->rank; i++) {
    int64_t n = x->dims[i], gaps = 0;
    RULE(interior.items[i] >= 0, "'interior' is negative");
    bool fits = (n < 2 || mul_i64(n - 1, interior.items[i], &gaps)) && add_i64(n, gaps, &n) &&
                add_i64(n, low.items[i], &n) && add_i64(n, high.items[i], &n);
    RULE(fits && n >= 0 && r->dims[i] == n, "dimension %d of the result does not fit", i);
  }
  return true;
}

static bool check_concat(const IrOp *op, Buf *why) {
  const IrType *r = result_type(op, 0);
  int64_t dim = ir_attr_int(op, ATTR_DIM), total = 0;
  RULE(op->operand_count > 0, "it has no operands");
  RULE(dim >= 0 && dim < r->rank, "there is no dimension %lld", (long long)dim);
  for (uint32_t i = 0; i < op->operand_count; i++) {
    const IrType *x = operand_type(op, i);
    RULE(x->rank == r->rank && x->dtype == r->dtype, "operand %u does not fit the result", i);
    for (int d = 0; d < r->rank; d++)
      RULE(d == dim || x->dims[d] == r->dims[d], "operand %u does not fit the result", i);
    RULE(add_i64(total, x->dims[dim], &total), "the sizes are too large");
  }
  RULE(total == r->dims[dim], "the sizes along dimension %lld do not add up", (long long)dim);
  return true;
}

// Operands from `first` on: an i32 scalar for each dimension.
static bool check_starts(const IrOp *op, uint32_t first, Buf *why) {
  uint32_t rank = operand_type(op, 0)->rank;
  RULE(op->operand_count == first + rank, "not one start for each dimension");
  for (uint32_t i = first; i < op->operand_count; i++)
    RULE(is_scalar(operand_type(op, i), DT_I32), "operand %u is no i32", i);
  return true;
}

static bool check_dynamic_slice(const IrOp *op, Buf *why) {
  RULE(op->operand_count > 0, "it has no operands");
  const IrType *x = operand_type(op, 0), *r = result_type(op, 0);
  IrInts sizes = ir_attr_ints(op, ATTR_SIZES);
  if (!check_starts(op, 1, why)) return false;
  RULE(sizes.count == x->rank && has_dims(r, sizes.count, sizes.items),
       "'sizes' is not the result's shape");
  for (int i = 0; i < x->rank; i++)
    RULE(sizes.items[i] <= x->dims[i], "dimension %d is smaller than its slice", i);
  return true;
}

static bool check_dynamic_update_slice(const IrOp *op, Buf *why) {
  RULE(op->operand_count > 1, "it has no update");
  const IrType *x = operand_type(op, 0), *update = operand_type(op, 1);
  if (!check_starts(op, 2, why)) return false;
  RULE(result_type(op, 0) == x, "the result is not of the operand's type");
  RULE(update->rank == x->rank && update->dtype == x->dtype, "the update does not fit");
  for (int i = 0; i < x->rank; i++)
    RULE(update->dims[i] <= x->dims[i], "dimension %d is smaller than its update", i);
  return true;
}

static bool check_bitcast_width(const IrOp *op, Buf *why) {
  const IrType *x = operand_type(op, 0), *r = result_type(op, 0);
  const IrType *wide = x->rank < r->rank ? x : r, *narrow = x->rank < r->rank ? r : x;
  unsigned wide_bits = dtype_bits(wide->dtype), narrow_bits = dtype_bits(narrow->dtype);
  RULE(narrow->rank == wide->rank + 1 && has_dims(wide, wide->rank, narrow->dims) &&
           wide_bits > narrow_bits && narrow->dims[wide->rank] == wide_bits / narrow_bits,
       "the narrow type has not one dimension more, of the ratio of the widths");
  return true;
}

static bool check_shape(const IrOp *op, Buf *why) {
  if (op->operand_count > 0 && op->code != OP_BITCAST_WIDTH)
    RULE(operand_type(op, 0)->dtype == result_type(op, 0)->dtype,
         "the result's element type is not that of the operand");
  unsigned set;
  switch (op->code) {
  case OP_BROADCAST: return check_broadcast(op, why);
  case OP_RESHAPE:
    RULE(ir_type_count(operand_type(op, 0)) == ir_type_count(result_type(op, 0)),
         "the numbers of elements differ");
    return true;
  case OP_TRANSPOSE: return check_transpose(op, why);
  case OP_SLICE: return check_slice(op, why);
  case OP_PAD: return check_pad(op, why);
  case OP_CONCAT: return check_concat(op, why);
  case OP_REV:
    RULE(operand_type(op, 0) == result_type(op, 0), "the result is not of the operand's type");
    RULE(distinct_dims(ir_attr_ints(op, ATTR_DIMS), operand_type(op, 0)->rank, &set),
         "'dims' are not dimensions of the operand");
    return true;
  case OP_DYNAMIC_SLICE: return check_dynamic_slice(op, why);
  case OP_BITCAST_WIDTH: return check_bitcast_width(op, why);
  default: BUG("no rule for '%s'", op_info(op->code)->name);
  }
}

// ---- reductions --------------------------------------------------------------------------------
static bool check_reduce(const IrOp *op, Buf *why) {
  const IrType *x = operand_type(op, 0), *r = result_type(op, 0);
  IrInts axes = ir_attr_ints(op, ATTR_AXES);
  unsigned reduced;
  if (!check_kind(op, x, why)) return false;
  RULE(distinct_dims(axes, x->rank, &reduced), "'axes' are not dimensions of the operand");
  int64_t dims[IR_MAX_RANK];
  size_t rank = 0;
  for (int i = 0; i < x->rank; i++)
    if (!(reduced >> i & 1)) dims[rank++] = x->dims[i];
  RULE(has_dims(r, rank, dims), "the result is not the operand without 'axes'");
  if (op->code == OP_ARGMAX || op->code == OP_ARGMIN) {
    RULE(axes.count == 1, "it works along one axis");
    RULE(dtype_is_integer(r->dtype), "the result is no integer");
  } else {
    RULE(r->dtype == x->dtype, "the result's element type is not that of the operand");
  }
  return true;
}

static bool check_cumulative(const IrOp *op, Buf *why) {
  const IrType *x = operand_type(op, 0);
  int64_t dim = ir_attr_int(op, ATTR_DIM);
  if (!check_kind(op, x, why)) return false;
  RULE(dim >= 0 && dim < x->rank, "there is no dimension %lld", (long long)dim);
  RULE(result_type(op, 0) == x, "the result is not of the operand's type");
  return true;
}

// ---- heavy -------------------------------------------------------------------------------------
static bool check_dot(const IrOp *op, Buf *why) {
  RULE(op->operand_count == 2 || op->operand_count == 3, "there are not two or three operands");
  const IrType *x = operand_type(op, 0), *y = operand_type(op, 1), *r = result_type(op, 0);
  const DotSides s = ir_dot_sides(op);
  IrInts xc = s.contract[0], yc = s.contract[1], xb = s.batch[0], yb = s.batch[1];
  unsigned xc_set, yc_set, xb_set, yb_set;
  RULE(distinct_dims(xc, x->rank, &xc_set) && distinct_dims(xb, x->rank, &xb_set) &&
           !(xc_set & xb_set),
       "the contracted and batch dimensions of the first operand are no such");
  RULE(distinct_dims(yc, y->rank, &yc_set) && distinct_dims(yb, y->rank, &yb_set) &&
           !(yc_set & yb_set),
       "the contracted and batch dimensions of the second operand are no such");
  RULE(xc.count == yc.count && xb.count == yb.count, "the operands' dimensions do not pair");
  for (size_t i = 0; i < xc.count; i++)
    RULE(x->dims[xc.items[i]] == y->dims[yc.items[i]], "contracted sizes differ");
  int64_t dims[2 * IR_MAX_RANK];
  size_t rank = 0;
  for (size_t i = 0; i < xb.count; i++) {
    RULE(x->dims[xb.items[i]] == y->dims[yb.items[i]], "batch sizes differ");
    dims[rank++] = x->dims[xb.items[i]];
  }
  for (int i = 0; i < x->rank; i++)
    if (!((xc_set | xb_set) >> i & 1)) dims[rank++] = x->dims[i];
  for (int i = 0; i < y->rank; i++)
    if (!((yc_set | yb_set) >> i & 1)) dims[rank++] = y->dims[i];
  RULE(has_dims(r, rank, dims), "the result is not batch, first and second operand's dimensions");
  RULE(is_kind(x, "iuf") && is_kind(y, "iuf") && is_kind(r, "iuf"), "it is not defined on bool");
  RULE(ir_attr_int(op, ATTR_SUM_BLOCK) >= 0 && ir_attr_int(op, ATTR_SUM_BLOCK) <= DOT_SUM_BLOCK,
       "there are no sums of %lld terms", (long long)ir_attr_int(op, ATTR_SUM_BLOCK));
  if (op->operand_count == 2) return true;
  RULE(operand_type(op, 2) == r, "what the sums are added to is not of the result's type");
  RULE(r->dtype == ir_dot_summed_in(op), "sums that are added to an operand have another type");
  RULE(xc.count == 1, "sums that are added to an operand are not along one dimension");
  return true;
}

static bool check_sort(const IrOp *op, Buf *why) {
  int64_t dim = ir_attr_int(op, ATTR_DIM), keys = ir_attr_int(op, ATTR_KEYS);
  RULE(op->operand_count > 0 && op->result_count == op->operand_count,
       "not one result for each operand");
  RULE(keys >= 1 && keys <= op->operand_count, "there are no %lld keys", (long long)keys);
  for (uint32_t i = 0; i < op->operand_count; i++) {
    RULE(result_type(op, i) == operand_type(op, i), "result %u is not of its operand's type", i);
    RULE(ir_same_dims(operand_type(op, i), operand_type(op, 0)), "the operands differ in shape");
  }
  RULE(dim >= 0 && dim < operand_type(op, 0)->rank, "there is no dimension %lld", (long long)dim);
  return true;
}

// The window `update` of gather (the result) and scatter (the updates) has the dimensions
// `offset_dims`; the others are those of the indices. window[d] is the greatest size along operand
// dimension d; `exact`: the size.
static bool check_window(const IrOp *op, const IrType *update, const int64_t *window, bool exact,
                         Buf *why) {
  const IrType *x = operand_type(op, 0), *indices = operand_type(op, 1);
  IrInts offset = ir_attr_ints(op, ATTR_OFFSET_DIMS),
         collapsed = ir_attr_ints(op, ATTR_COLLAPSED_DIMS);
  IrInts map = ir_attr_ints(op, ATTR_INDEX_MAP), xb = ir_attr_ints(op, ATTR_OPERAND_BATCH);
  IrInts ib = ir_attr_ints(op, ATTR_INDEX_BATCH);
  unsigned offset_set, collapsed_set, map_set, xb_set, ib_set;
  RULE(dtype_is_integer(indices->dtype) && indices->rank > 0, "the indices are no integer array");
  size_t vector = indices->rank - 1u;
  RULE(distinct_dims(offset, update->rank, &offset_set) && is_increasing(offset),
       "'offset_dims' are not increasing dimensions of the windows");
  RULE(distinct_dims(collapsed, x->rank, &collapsed_set), "'collapsed_dims' are no dimensions");
  RULE(distinct_dims(map, x->rank, &map_set) && (int64_t)map.count == indices->dims[vector],
       "'index_map' does not fit the index vectors");
  RULE(distinct_dims(xb, x->rank, &xb_set) && distinct_dims(ib, vector, &ib_set) &&
           xb.count == ib.count && !(xb_set & collapsed_set) && !(xb_set & map_set),
       "'operand_batch' and 'index_batch' are no such dimensions");
  for (size_t i = 0; i < xb.count; i++)
    RULE(x->dims[xb.items[i]] == indices->dims[ib.items[i]], "batch sizes differ");
  RULE(update->rank == offset.count + vector &&
           x->rank == offset.count + collapsed.count + xb.count,
       "the ranks do not fit");
  size_t from_indices = 0, from_operand = 0;
  for (int i = 0; i < update->rank; i++) {
    if (!(offset_set >> i & 1)) {
      RULE(update->dims[i] == indices->dims[from_indices++],
           "dimension %d of the windows is not that of the indices", i);
      continue;
    }
    while ((collapsed_set | xb_set) >> from_operand & 1) from_operand++;
    int64_t size = window[from_operand++];
    RULE(exact ? update->dims[i] == size : update->dims[i] <= size,
         "dimension %d of the windows has another size", i);
  }
  return true;
}

static bool check_gather(const IrOp *op, Buf *why) {
  const IrType *x = operand_type(op, 0), *r = result_type(op, 0);
  IrInts sizes = ir_attr_ints(op, ATTR_SIZES), collapsed = ir_attr_ints(op, ATTR_COLLAPSED_DIMS);
  IrInts batch = ir_attr_ints(op, ATTR_OPERAND_BATCH);
  const IrData *fill = ir_attr_data(op, ATTR_FILL);
  RULE(r->dtype == x->dtype, "the result's element type is not that of the operand");
  RULE(sizes.count == x->rank, "not one size for each dimension");
  for (int i = 0; i < x->rank; i++)
    RULE(sizes.items[i] >= 0 && sizes.items[i] <= x->dims[i], "size %d is out of range", i);
  if (!check_window(op, r, sizes.items, true, why)) return false;
  for (size_t i = 0; i < collapsed.count; i++)
    RULE(sizes.items[collapsed.items[i]] <= 1, "a collapsed dimension is not of size 1");
  for (size_t i = 0; i < batch.count; i++)
    RULE(sizes.items[batch.items[i]] <= 1, "a batch dimension is not of size 1");
  RULE(fill->dtype == x->dtype && fill->count == 1, "'fill' is no scalar of the operand's type");
  return true;
}

static bool check_scatter(const IrOp *op, Buf *why) {
  const IrType *x = operand_type(op, 0);
  RULE(result_type(op, 0) == x, "the result is not of the operand's type");
  RULE(operand_type(op, 2)->dtype == x->dtype, "the updates are of another element type");
  return check_window(op, operand_type(op, 2), x->dims, false, why);
}

// ---- memory ------------------------------------------------------------------------------------
// The number that a slice or an index takes, as far as it is known, lies in the dimension.
// A size that varies is at most dim->size: what lies behind the end is not known to be named.
static bool check_bounds(const IndexDim *dim, int64_t size, Buf *why) {
  int64_t last = dim->kind != INDEX_SLICE ? 0 : dim->size_operand < 0 ? dim->size - 1 : -1;
  if (dim->kind == INDEX_ARRAY) return true;
  if (dim->kind == INDEX_SLICE) {
    RULE(dim->size >= 0 && dim->stride >= 0, "a slice of size %lld and stride %lld",
         (long long)dim->size, (long long)dim->stride);
    RULE(last < 0 || mul_i64(last, dim->stride, &last), "the slice is too large");
  }
  int64_t start = dim->start_operand < 0 ? dim->start : 0;
  bool fits = add_i64(last, start, &last);
  RULE(fits && start >= 0 && last < size, "the index %lld … %lld is out of bounds for size %lld",
       (long long)start, (long long)last, (long long)size);
  return true;
}

// Operands [first, end) are those of the index: each is used once, and has the type its use
// demands.
static bool check_index(const IrOp *op, const IrType *ref, uint32_t first, uint32_t end, Buf *why) {
  const IrIndex *index = ir_attr_index(op);
  const IrType *array = NULL;
  uint64_t used = 0;
  RULE(index->rank == ref->rank, "%d indices for a ref of rank %d", index->rank, ref->rank);
  RULE(end >= first && end - first <= 2 * IR_MAX_RANK, "the operands do not fit the index");
  for (int i = 0; i < index->rank; i++) {
    const IndexDim *dim = &index->dims[i];
    int positions[2] = {dim->start_operand, dim->kind == INDEX_SLICE ? dim->size_operand : -1};
    for (int j = 0; j < 2; j++) {
      if (positions[j] < 0) continue;
      RULE((uint32_t)positions[j] >= first && (uint32_t)positions[j] < end,
           "an index names an operand that is not there");
      uint64_t bit = (uint64_t)1 << ((uint32_t)positions[j] - first);
      RULE(!(used & bit), "an index names an operand twice");
      used |= bit;
    }
    RULE(dim->kind != INDEX_ARRAY || dim->start_operand >= 0, "an index array is missing");
    if (dim->start_operand >= 0) {
      const IrType *type = operand_type(op, (uint32_t)dim->start_operand);
      bool is_array = dim->kind == INDEX_ARRAY;
      RULE(!type->is_ref && dtype_is_integer(type->dtype) && is_array == (type->rank > 0),
           "operand %d is no index", dim->start_operand);
      RULE(!is_array || !array || ir_same_dims(array, type), "index arrays differ in shape");
      if (is_array) array = type;
    }
    if (positions[1] >= 0)
      RULE(is_scalar(operand_type(op, (uint32_t)positions[1]), DT_I32), "operand %d is no size",
           positions[1]);
    if (!check_bounds(dim, ref->dims[i], why)) return false;
  }
  RULE(used + 1 == (uint64_t)1 << (end - first), "an operand is not part of the index");
  return true;
}

static bool check_access(const IrOp *op, Buf *why) {
  uint32_t ref_at = op_ref_position(op->code);
  bool is_mark = op->code == OP_UNWRITTEN || op->code == OP_UNWRITE;
  bool masked = op->code != OP_VIEW && !is_mark && ir_attr_int(op, ATTR_MASKED);
  uint32_t masks = !masked ? 0 : op->code == OP_LOAD ? 2 : 1;
  RULE(op->operand_count >= ref_at + 1 + masks, "operands are missing");
  const IrType *ref = operand_type(op, ref_at);
  uint32_t end = op->operand_count - masks;
  RULE(ref->is_ref, "operand %u is no ref", ref_at);
  RULE(op->code == OP_VIEW || ref->space != SPACE_SEM, "a semaphore is not read or written so");
  if (!check_index(op, ref, ref_at + 1, end, why)) return false;
  const IrType *type = ir_index_result(op->parent->func->module, ref, ir_attr_index(op),
                                       (const IrValue *const *)op->operands);
  RULE(type, "the result has too many dimensions");
  const IrType *value = ref_at ? operand_type(op, 0) : result_type(op, 0);
  if (op->code == OP_VIEW) {
    RULE(value == type, "the result is not what the index gives");
    return true;
  }
  RULE(!value->is_ref && value->dtype == (is_mark ? DT_U8 : type->dtype) &&
           ir_same_dims(value, type),
       "the value is not what the index gives");
  if (op->code == OP_UNWRITTEN)
    RULE(ir_attr_int(op, ATTR_ORIGIN) >= 2 && ir_attr_int(op, ATTR_ORIGIN) < 240,
         "'origin' is not in 2 to 239");
  if (masked)
    RULE(operand_type(op, end)->dtype == DT_BOOL && !operand_type(op, end)->is_ref &&
             ir_same_dims(operand_type(op, end), value),
         "the mask is no bool array of the value's shape");
  if (masks == 2) RULE(operand_type(op, end + 1) == value, "'other' is not of the result's type");
  return true;
}

static bool check_ref_bitcast(const IrType *x, const IrType *r, Buf *why) {
  uint64_t from = dtype_bits(x->dtype), to = dtype_bits(r->dtype);
  RULE(r->space == x->space && r->rank == x->rank, "the ref has another space or rank");
  RULE(from == to || x->rank >= 2, "the ref has no second-last dimension");
  for (int i = 0; i < x->rank; i++) {
    bool scales = from != to && i == x->rank - 2;
    // Sizes are below 2^61, so that the products fit 128 bits.
    RULE((unsigned __int128)x->dims[i] * (scales ? from : 1) ==
             (unsigned __int128)r->dims[i] * (scales ? to : 1),
         "dimension %d does not fit", i);
  }
  return true;
}

// The semaphores and the target of a signal or copy, from operand `at` on.
static bool check_target(const IrOp *op, uint32_t at, Buf *why) {
  int64_t target = ir_attr_int(op, ATTR_TARGET);
  bool is_copy = op->code == OP_COPY_START;
  RULE(is_semaphore(operand_type(op, at)), "operand %u is no semaphore", at);
  at += is_copy ? 1 : 2;
  RULE(is_copy || !(target & TARGET_REMOTE), "only a copy has a sender");
  if (target & TARGET_REMOTE) {
    RULE(at < op->operand_count, "operands are missing");
    RULE(is_semaphore(operand_type(op, at)), "operand %u is no semaphore", at);
    at++;
  }
  for (int64_t part = TARGET_DEVICE; part <= TARGET_CORE; part <<= 1) {
    if (!(target & part)) continue;
    RULE(at < op->operand_count, "operands are missing");
    RULE(is_scalar(operand_type(op, at), DT_I32), "operand %u is no i32", at);
    at++;
  }
  RULE(at == op->operand_count, "there are operands that the target does not name");
  return true;
}

// One ref, whose equal parts are meant, or several, of which each is one.
static bool check_part(const IrOp *op, Buf *why) {
  RULE(op->operand_count >= 2, "operands are missing");
  const IrType *r = result_type(op, 0);
  uint32_t refs = op->operand_count - 1;
  for (uint32_t i = 0; i < refs; i++) {
    const IrType *x = operand_type(op, i);
    RULE(x->is_ref && r->is_ref && x->space == r->space && x->space != SPACE_SEM &&
             x->dtype == r->dtype,
         "the result is no ref of such elements");
    RULE(refs > 1 ? ir_type_count(x) == ir_type_count(r)
                  : ir_type_count(r) && ir_type_count(x) % ir_type_count(r) == 0,
         "the parts are not equal");
  }
  RULE(is_scalar(operand_type(op, refs), DT_I32), "its last operand is no i32");
  return true;
}

static bool check_ref(const IrOp *op, Buf *why) {
  const IrType *x = op->operand_count ? operand_type(op, 0) : NULL;
  const IrType *y = op->operand_count > 1 ? operand_type(op, 1) : NULL;
  const IrType *r = op->result_count ? result_type(op, 0) : NULL;
  if (op_has_index(op->code)) return check_access(op, why);
  switch (op->code) {
  case OP_ALLOC: RULE(r->is_ref, "the result is no ref"); return true;
  case OP_PART: return check_part(op, why);
  case OP_REF_RESHAPE:
    RULE(x->is_ref && r->is_ref && x->space == r->space && x->sem == r->sem &&
             x->dtype == r->dtype && ir_type_count(x) == ir_type_count(r),
         "the result is no ref of the same elements");
    return true;
  case OP_REF_BITCAST:
    RULE(x->is_ref && r->is_ref && x->space != SPACE_SEM, "it works on refs of elements");
    return check_ref_bitcast(x, r, why);
  case OP_COPY:
  case OP_COPY_START:
    RULE(op->operand_count >= (op->code == OP_COPY ? 2 : 3), "operands are missing");
    RULE(x->is_ref && y->is_ref && x->space != SPACE_SEM && y->space != SPACE_SEM,
         "it copies between refs of elements");
    RULE(x->dtype == y->dtype && ir_same_dims(x, y), "source and destination differ in type");
    return op->code == OP_COPY || check_target(op, 2, why);
  case OP_SEM_SIGNAL:
    RULE(op->operand_count > 1 && is_scalar(y, DT_I32), "the increment is no i32");
    return check_target(op, 0, why);
  case OP_SEM_WAIT:
    RULE(is_semaphore(x), "operand 0 is no semaphore");
    RULE(is_scalar(y, DT_I32), "the value is no i32");
    return true;
  case OP_SEM_READ:
    RULE(is_semaphore(x), "operand 0 is no semaphore");
    RULE(is_scalar(r, DT_I32), "the result is no i32");
    return true;
  case OP_SEM_BARRIER:
    RULE(is_semaphore(r), "the result is no semaphore");
    RULE(ir_attr_int(op, ATTR_COLLECTIVE_ID) >= 0, "it has no collective id");
    return true;
  case OP_MEET: return true;
  case OP_PUBLISH:
    RULE(x->is_ref && x->space != SPACE_SEM, "operand 0 is no ref of elements");
    return true;
  case OP_RESULT_READ:
    RULE(x->is_ref && x->space != SPACE_SEM, "operand 0 is no ref of elements");
    RULE(is_scalar(r, DT_BOOL), "the result is no bool");
    return true;
  case OP_SEM_PASS:
  case OP_SEM_TAKE:
    RULE(is_semaphore(x), "operand 0 is no semaphore");
    RULE(y->is_ref && y->dtype == DT_I32, "operand 1 is no ref of counts");
    RULE(is_scalar(operand_type(op, 2), DT_I32), "the element is no i32");
    return true;
  case OP_FETCH_ADD:
    RULE(x->is_ref && x->space != SPACE_SEM && x->rank == 0 && x->dtype == DT_I32,
         "operand 0 is no ref of one i32");
    RULE(is_scalar(y, DT_I32) && is_scalar(operand_type(op, 2), DT_I32) && is_scalar(r, DT_I32),
         "value, core and result are not i32");
    return true;
  case OP_COPY_WAIT:
    RULE(is_semaphore(x), "operand 0 is no semaphore");
    RULE(y->is_ref && y->space != SPACE_SEM, "operand 1 is no ref of elements");
    return true;
  default: return ir_rules_of_check(op, why);
  }
}

// ---- control -----------------------------------------------------------------------------------
// The region's yield gives values of these types.
static bool check_yield(const IrRegion *region, size_t count, IrValue *const *like, Buf *why) {
  const IrOp *yield = region->last;
  RULE(yield && yield->code == OP_YIELD, "a region does not end with yield");
  RULE(yield->operand_count == count, "a region yields %u values instead of %zu",
       yield->operand_count, count);
  for (uint32_t i = 0; i < count; i++)
    RULE(operand_type(yield, i) == like[i]->type, "yielded value %u is of another type", i);
  return true;
}

static bool check_args(const IrRegion *region, uint32_t first, size_t count, IrValue *const *like,
                       Buf *why) {
  RULE(region->arg_count == first + count, "a region takes %u arguments instead of %zu",
       region->arg_count, first + count);
  for (uint32_t i = 0; i < count; i++)
    RULE(region->args[first + i]->type == like[i]->type,
         "argument %u of a region is of another type", first + i);
  return true;
}

static bool check_for(const IrOp *op, Buf *why) {
  RULE(op->operand_count >= 3, "bounds or step are missing");
  for (uint32_t i = 0; i < 3; i++)
    RULE(is_scalar(operand_type(op, i), DT_I32), "operand %u is no i32", i);
  size_t carries = op->operand_count - 3;
  const IrRegion *body = op->regions[0];
  int64_t step;
  RULE(!ir_const_int(op->operands[2], &step) || step > 0, "the step is not positive");
  RULE(op->result_count == carries, "not one result for each carry");
  for (uint32_t i = 0; i < carries; i++)
    RULE(result_type(op, i) == operand_type(op, 3 + i), "result %u is of another type", i);
  if (!check_args(body, 1, carries, op->operands + 3, why)) return false;
  RULE(is_scalar(body->args[0]->type, DT_I32), "the index is no i32");
  RULE(ir_attr_int(op, ATTR_UNROLL) >= 1, "'unroll' is less than 1");
  return check_yield(body, carries, op->results, why);
}

static bool check_while(const IrOp *op, Buf *why) {
  const IrRegion *test = op->regions[0], *body = op->regions[1];
  RULE(op->result_count == op->operand_count, "not one result for each carry");
  for (uint32_t i = 0; i < op->result_count; i++)
    RULE(result_type(op, i) == operand_type(op, i), "result %u is of another type", i);
  if (!check_args(test, 0, op->operand_count, op->operands, why)) return false;
  if (!check_args(body, 0, op->operand_count, op->operands, why)) return false;
  const IrOp *yield = test->last;
  RULE(yield && yield->code == OP_YIELD && yield->operand_count == 1 &&
           is_scalar(operand_type(yield, 0), DT_BOOL),
       "the test does not yield one bool");
  return check_yield(body, op->result_count, op->results, why);
}

static bool check_branches(const IrOp *op, Buf *why) {
  RULE(op->operand_count == 1, "it takes one operand");
  RULE(is_scalar(operand_type(op, 0), op->code == OP_IF ? DT_BOOL : DT_I32), "the operand is no %s",
       op->code == OP_IF ? "bool" : "i32");
  RULE(op->region_count > 0, "it has no cases");
  for (int i = 0; i < op->region_count; i++) {
    RULE(op->regions[i]->arg_count == 0, "a region takes arguments");
    if (!check_yield(op->regions[i], op->result_count, op->results, why)) return false;
  }
  return true;
}

static bool check_cores(const IrOp *op, Buf *why) {
  RULE(op->region_count > 0, "it has no program");
  IrMeshes meshes = ir_attr_meshes(op);
  for (int i = 0; i < op->region_count; i++) {
    RULE((size_t)i < meshes.count, "program %d has no mesh", i);
    const IrMesh *mesh = &meshes.items[i];
    const IrRegion *region = op->regions[i];
    RULE(region->arg_count == mesh->rank, "program %d takes %u indices, its mesh has %d axes", i,
         region->arg_count, mesh->rank);
    for (uint32_t k = 0; k < region->arg_count; k++)
      RULE(is_scalar(region->args[k]->type, DT_I32), "index %u of program %d is no i32", k, i);
    if (!check_yield(region, 0, NULL, why)) return false;
  }
  RULE(meshes.count == (size_t)op->region_count, "there are more meshes than programs");
  return true;
}

static bool check_fuse(const IrOp *op, Buf *why) {
  RULE(op->regions[0]->arg_count == 0, "the region takes arguments");
  return check_yield(op->regions[0], op->result_count, op->results, why);
}

// ---- launches ----------------------------------------------------------------------------------
static bool check_block_type(const IrBlock *block, const IrType *array, const IrType *ref,
                             Buf *why) {
  RULE(array->is_ref && array->space != SPACE_SEM, "the operand is no ref of elements");
  RULE(block->rank == array->rank, "a block of rank %d for an array of rank %d", block->rank,
       array->rank);
  RULE(ref->is_ref && ref->space == block->space && ref->dtype == array->dtype,
       "the body's ref has another space or element type");
  RULE(block->buffers >= 1, "it has no buffers");
  if (block->mode == BLOCK_WHOLE) {
    RULE(ir_same_dims(array, ref), "the body's ref is not the whole array");
    return true;
  }
  int64_t dims[IR_MAX_RANK];
  size_t rank = 0;
  for (int i = 0; i < block->rank; i++) {
    const BlockDim *dim = &block->dims[i];
    RULE(dim->size >= 0 && dim->pad_lo >= 0 && dim->pad_hi >= 0, "dimension %d is negative", i);
    RULE(dim->kind != BLOCK_SQUEEZED || dim->size == 1, "squeezed dimension %d is not 1", i);
    RULE(dim->kind == BLOCK_ELEMENT || !(dim->pad_lo | dim->pad_hi),
         "dimension %d is padded and not an element dimension", i);
    if (dim->kind != BLOCK_SQUEEZED) dims[rank++] = dim->size;
  }
  RULE(has_dims(ref, rank, dims), "the body's ref has not the block's shape");
  return true;
}

// One i32 for each dimension of the array, then the size of each bounded one. A whole array may go
// without.
static bool check_index_map(const IrBlock *block, const IrRegion *map, const IrRegion *body,
                            size_t count, Buf *why) {
  if (!check_args(map, 0, count, body->args, why)) return false;
  const IrOp *yield = map->last;
  RULE(yield && yield->code == OP_YIELD, "the index map does not end with yield");
  uint32_t wanted = block->rank;
  for (int i = 0; i < block->rank; i++) wanted += block->dims[i].kind == BLOCK_BOUNDED;
  RULE(yield->operand_count == wanted || (block->mode == BLOCK_WHOLE && !yield->operand_count),
       "the index map yields %u values instead of %u", yield->operand_count, wanted);
  for (uint32_t i = 0; i < yield->operand_count; i++)
    RULE(is_scalar(operand_type(yield, i), DT_I32), "the index map yields something else than i32");
  return true;
}

static bool check_grid(const IrOp *op, size_t *dynamic, Buf *why) {
  IrInts grid = ir_attr_ints(op, ATTR_GRID);
  IrInts semantics = ir_attr_ints(op, ATTR_SEMANTICS);
  IrStrs names = ir_attr_strs(op, ATTR_GRID_NAMES);
  *dynamic = 0;
  for (size_t i = 0; i < grid.count; i++) {
    RULE(grid.items[i] >= -1, "a grid size is negative");
    if (grid.items[i] != -1) continue;
    RULE(*dynamic < op->operand_count && is_scalar(operand_type(op, (uint32_t)*dynamic), DT_I32),
         "operand %zu is no size of the grid", *dynamic);
    ++*dynamic;
  }
  RULE(semantics.count == grid.count, "not one word of semantics for each grid dimension");
  RULE(!names.count || names.count == grid.count, "not one name for each grid dimension");
  return true;
}

static bool check_launch(const IrOp *op, Buf *why) {
  size_t dynamic;
  if (!check_grid(op, &dynamic, why)) return false;
  size_t rank = ir_attr_ints(op, ATTR_GRID).count;
  int64_t prefetch = ir_attr_int(op, ATTR_PREFETCH);
  const IrAttr *blocks = ir_attr_find(op, ATTR_BLOCKS), *scratch = ir_attr_find(op, ATTR_SCRATCH);
  size_t block_count = blocks->blocks.count, scratch_count = scratch->types.count;
  RULE(prefetch >= 0 && prefetch <= op->operand_count &&
           op->operand_count == dynamic + (size_t)prefetch + block_count,
       "the operands are not grid sizes, prefetch refs and one array for each block");
  RULE(op->region_count == 1 + block_count, "not one index map for each block");
  const IrRegion *body = op->regions[0];
  size_t shared = rank + (size_t)prefetch; // arguments that index maps have as well
  RULE(body->arg_count == shared + block_count + scratch_count,
       "the body takes %u arguments instead of %zu", body->arg_count,
       shared + block_count + scratch_count);
  for (size_t i = 0; i < rank; i++)
    RULE(is_scalar(body->args[i]->type, DT_I32), "grid index %zu is no i32", i);
  for (size_t i = 0; i < (size_t)prefetch; i++) {
    const IrType *arg = body->args[rank + i]->type, *x = op->operands[dynamic + i]->type;
    RULE(arg->is_ref && x->is_ref && arg->dtype == x->dtype && ir_same_dims(arg, x),
         "prefetch ref %zu is not of its operand's type", i);
  }
  for (size_t i = 0; i < block_count; i++) {
    const IrBlock *block = &blocks->blocks.items[i];
    const IrType *array = op->operands[dynamic + (size_t)prefetch + i]->type;
    buf_printf(why, "block %zu: ", i);
    if (!check_block_type(block, array, body->args[shared + i]->type, why)) return false;
    if (!check_index_map(block, op->regions[1 + i], body, shared, why)) return false;
    why->len = 0;
  }
  for (size_t i = 0; i < scratch_count; i++) {
    const IrType *arg = body->args[shared + block_count + i]->type;
    RULE(arg->is_ref && arg == scratch->types.items[i], "scratch %zu is of another type", i);
  }
  RULE(ir_attr_int(op, ATTR_VMEM_LIMIT) >= 0, "'vmem_limit' is negative");
  RULE(ir_attr_int(op, ATTR_COLLECTIVE_ID) >= -1, "'collective_id' is negative");
  int64_t preset = ir_attr_int(op, ATTR_PRESET);
  RULE(preset >= 0 && preset < PRESET_COUNT, "'preset' is none of those there are");
  return check_yield(body, 0, NULL, why);
}

// ---- the rest ----------------------------------------------------------------------------------
static bool check_effectful(const IrOp *op, Buf *why) {
  switch (op->code) {
  case OP_TURN: return ir_rules_of_check(op, why);
  case OP_PRNG_SEED:
    for (uint32_t i = 0; i < op->operand_count; i++)
      RULE(is_scalar(operand_type(op, i), DT_I32) || is_scalar(operand_type(op, i), DT_U32),
           "operand %u is no i32", i);
    return true;
  case OP_PRNG_BITS:
    RULE(result_type(op, 0)->dtype == DT_U32 || result_type(op, 0)->dtype == DT_I32,
         "the result is not of u32 or i32");
    return true;
  case OP_CHECK:
    RULE(op->operand_count > 0 && is_scalar(operand_type(op, 0), DT_BOOL),
         "the first operand is no bool");
    return true;
  case OP_CHECK_USED:
    RULE(is_scalar(operand_type(op, 0), DT_U8), "the operand is no u8");
    return true;
  case OP_STEP_ENTER:
    for (uint32_t i = 0; i < op->operand_count; i++)
      RULE(is_scalar(operand_type(op, i), DT_I32), "operand %u is no i32", i);
    return true;
  case OP_STEP_LEAVE:
  case OP_DEBUG_PRINT: return true;
  default: BUG("no rule for '%s'", op_info(op->code)->name);
  }
}

static bool check_control(const IrOp *op, Buf *why) {
  switch (op->code) {
  case OP_YIELD: return true; // the op around the region checks it
  case OP_FOR: return check_for(op, why);
  case OP_WHILE: return check_while(op, why);
  case OP_IF:
  case OP_SWITCH: return check_branches(op, why);
  case OP_LAUNCH: return check_launch(op, why);
  case OP_CORES: return check_cores(op, why);
  case OP_FUSE: return check_fuse(op, why);
  default: BUG("no rule for '%s'", op_info(op->code)->name);
  }
}

// It has no meaning but the one that vmap gives it.
static bool check_gather_batch(const IrOp *op, Buf *why) {
  const IrType *x = operand_type(op, 0), *r = result_type(op, 0);
  RULE(is_scalar(operand_type(op, 1), DT_I32), "the index is no i32");
  RULE(!x->is_ref && !r->is_ref && x->dtype == r->dtype && r->rank == x->rank + 1,
       "the result is no batch of the operand");
  for (int i = 0; i < x->rank; i++)
    RULE(r->dims[i + 1] == x->dims[i], "dimension %d of the result is not the operand's", i + 1);
  RULE(!op->parent || !ir_region_is_in(op->parent, op->parent->func->body),
       "there is no vmap around it");
  return true;
}

static bool check_lookup(const IrOp *op, Buf *why) {
  RULE(op->operand_count > 0, "there is nothing to look up");
  const IrType *x = operand_type(op, 0), *r = result_type(op, 0);
  IrInts map = ir_attr_ints(op, ATTR_INDEX_MAP);
  RULE(!x->is_ref && !r->is_ref && r->dtype == x->dtype,
       "the result's element type is not that of the operand");
  RULE(map.count + 1 == op->operand_count, "not one dimension for each index");
  for (size_t i = 0; i < map.count; i++) {
    const IrType *index = operand_type(op, (uint32_t)i + 1);
    RULE(index->dtype == DT_I32 && ir_same_dims(index, r),
         "index %zu is no i32 of the result's shape", i);
    RULE(map.items[i] >= 0 && map.items[i] < x->rank, "there is no dimension %lld",
         (long long)map.items[i]);
  }
  return true;
}

static bool check_heavy(const IrOp *op, Buf *why) {
  switch (op->code) {
  case OP_DYNAMIC_UPDATE_SLICE: return check_dynamic_update_slice(op, why);
  case OP_DOT: return check_dot(op, why);
  case OP_SORT: return check_sort(op, why);
  case OP_GATHER: return check_gather(op, why);
  case OP_SCATTER: return check_scatter(op, why);
  case OP_LOOKUP: return check_lookup(op, why);
  case OP_GATHER_BATCH: return check_gather_batch(op, why);
  default: BUG("no rule for '%s'", op_info(op->code)->name);
  }
}

static bool check_type(const IrType *type, Buf *why) {
  RULE(!dtype_is_complex(type->dtype), "%s is no element type of the IR",
       dtype_short_name(type->dtype));
  return true;
}

// What the table says: counts, attributes; and whether operands and results are arrays where the
// class wants them.
static bool check_table(const IrOp *op, Buf *why) {
  const OpInfo *info = op_info(op->code);
  RULE(info->operands == OP_VARIADIC || op->operand_count == (uint32_t)info->operands,
       "it takes %d operands, not %u", info->operands, op->operand_count);
  RULE(info->results == OP_VARIADIC || op->result_count == (uint32_t)info->results,
       "it has %d results, not %u", info->results, op->result_count);
  RULE(info->regions == OP_VARIADIC || op->region_count == info->regions,
       "it has %d regions, not %d", info->regions, op->region_count);
  for (int i = 0; i < info->attr_count; i++) {
    const IrAttr *attr = ir_attr_find(op, info->attrs[i]);
    RULE(attr, "the attribute '%s' is missing", attr_name(info->attrs[i]));
    AttrKind kind = attr_kind(attr->name);
    bool has_word = kind != KIND_WORD || attr_word(attr->name, attr->i);
    for (size_t k = 0; kind == KIND_WORDS && k < attr->ints.count; k++)
      has_word &= attr_word(attr->name, attr->ints.items[k]) != NULL;
    RULE(has_word, "the attribute '%s' has no word", attr_name(attr->name));
  }
  for (uint32_t i = 0; i < op->result_count; i++)
    if (!check_type(result_type(op, i), why)) return false;
  if (info->op_class == CLASS_REF || info->op_class == CLASS_CONTROL) {
    for (uint32_t i = 0; i < op->result_count && info->op_class == CLASS_CONTROL; i++)
      RULE(!result_type(op, i)->is_ref, "result %u is a ref", i);
    return true;
  }
  for (uint32_t i = 0; i < op->operand_count; i++)
    RULE(!operand_type(op, i)->is_ref, "operand %u is a ref", i);
  for (uint32_t i = 0; i < op->result_count; i++)
    RULE(!result_type(op, i)->is_ref, "result %u is a ref", i);
  return true;
}

bool ir_op_rules(const IrOp *op, Buf *why) {
  if (!check_table(op, why)) return false;
  switch (op_info(op->code)->op_class) {
  case CLASS_CONST: return check_const(op, why);
  case CLASS_UNARY:
  case CLASS_BINARY:
  case CLASS_COMPARE:
  case CLASS_ELEMENTWISE: return check_elementwise(op, why);
  case CLASS_SHAPE: return check_shape(op, why);
  case CLASS_REDUCE: return check_reduce(op, why);
  case CLASS_CUMULATIVE: return check_cumulative(op, why);
  case CLASS_HEAVY: return check_heavy(op, why);
  case CLASS_REF: return check_ref(op, why);
  case CLASS_CONTROL: return check_control(op, why);
  case CLASS_EFFECTFUL: return check_effectful(op, why);
  }
  BUG("no class of ops %d", (int)op_info(op->code)->op_class);
}
