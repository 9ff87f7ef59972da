// SPDX-License-Identifier: Apache-2.0
// Folding, and identities that hold bit for bit (but for which NaN a NaN is). One function for each
// family of ops.
#include <math.h>
#include <string.h>

#include "base/checked.h"
#include "ir/analysis/access.h"
#include "ir/analysis/bounds.h"
#include "ir/analysis/effects.h"
#include "ir/core/arithmetic.h"
#include "ir/core/attr.h"
#include "ir/core/build.h"
#include "ir/core/constant.h"
#include "ir/core/ir.h"
#include "ir/interpret/evaluate.h"
#include "simplify.h"

#define MAX_FOLDED 4096 // elements of a constant that folding reads
#define MAX_GROWTH 64   // elements that folding may make out of fewer

// ---- constants ---------------------------------------------------------------------------------
// The one integer or float that all elements are.
static bool is_int(const IrValue *value, int64_t number) {
  const IrData *data = ir_const_data(value);
  return data && data->count == 1 && !dtype_is_float(data->dtype) &&
         dtype_load_i64(data->dtype, data->bytes) == number;
}

static bool splat_float(const IrValue *value, double *out) {
  const IrData *data = ir_const_data(value);
  if (!data || data->count != 1 || !dtype_is_float(data->dtype)) return false;
  *out = dtype_load_f64(data->dtype, data->bytes);
  return true;
}

static bool is_element(const IrValue *value, ElementKind kind) {
  const IrData *data = ir_const_data(value);
  return data && data->count == 1 && arithmetic_is_element(kind, data->dtype, data->bytes);
}

// ---- folding -----------------------------------------------------------------------------------
// Functions that code may compute with another rounding than evaluation does, and sums whose order
// may differ.
static bool is_exact_op(const IrOp *op) {
  bool is_float_op = op->operand_count > 0 && dtype_is_float(op->operands[0]->type->dtype);
  OpCode step = arithmetic_of(op->code)->step;
  if (!is_float_op) return true;
  if (op->code == OP_DOT || op->code == OP_SCATTER) return false;
  if (step != OP_COUNT && !arithmetic_is(step, ARITHMETIC_EXACT)) return false;
  return !arithmetic_is(op->code, ARITHMETIC_APPROXIMATE);
}

static int64_t largest_operand(const IrOp *op, bool *all_splats) {
  int64_t largest = 1;
  *all_splats = true;
  for (uint32_t i = 0; i < op->operand_count; i++) {
    int64_t count = ir_const_data(op->operands[i])->count;
    *all_splats &= count == 1;
    if (count > largest) largest = count;
  }
  return largest;
}

static bool is_worth_folding(const IrOp *op) {
  const OpInfo *info = op_info(op->code);
  if (!effects_is_pure(op->code) || info->op_class == CLASS_CONST || info->op_class == CLASS_REF ||
      !op->operand_count)
    return false;
  for (uint32_t i = 0; i < op->operand_count; i++)
    if (!ir_const_data(op->operands[i])) return false;
  if (!is_exact_op(op)) return false;
  bool all_splats;
  int64_t largest = largest_operand(op, &all_splats);
  if (all_splats && op_keeps_splats(op->code)) return true;
  for (uint32_t i = 0; i < op->operand_count; i++)
    if (ir_type_count(op->operands[i]->type) > MAX_FOLDED) return false;
  int64_t made = ir_type_count(op->results[0]->type);
  return made <= MAX_GROWTH || made <= largest;
}

bool simplify_fold(Simplifier *s, IrOp *op, IrValue **results) {
  if (!is_worth_folding(op)) return false;
  ArenaMark mark = arena_mark(s->arena);
  const IrData **operands = ARENA_ARRAY(s->arena, const IrData *, op->operand_count);
  for (uint32_t i = 0; i < op->operand_count; i++) operands[i] = ir_const_data(op->operands[i]);
  const IrData *data = ir_evaluate(s->arena, op, operands);
  IrBuilder b = ir_builder_before(op);
  for (uint32_t i = 0; data && i < op->result_count; i++)
    results[i] = ir_const(&b, op->results[i]->type, data[i].bytes, data[i].count);
  arena_release(s->arena, mark);
  return data != NULL;
}

// ---- elementwise -------------------------------------------------------------------------------
static IrValue *zero_like(IrOp *op) {
  IrBuilder b = ir_builder_before(op);
  return ir_const_i64(&b, op->results[0]->type, 0);
}

// Division that rounds down, and what it leaves, by a power of two. Scalars are indices, whose
// bounds are seen more easily in what was written.
static IrValue *binary_division(IrOp *op, IrValue *x, const IrValue *y) {
  const IrData *data = ir_const_data(y);
  if (!x->type->rank || !data || data->count != 1) return NULL;
  int64_t divisor = dtype_load_i64(data->dtype, data->bytes);
  if (divisor < 2 || (divisor & (divisor - 1))) return NULL;
  IrBuilder b = ir_builder_before(op);
  bool keeps_sign = dtype_is_signed(x->type->dtype);
  OpCode code = op->code == OP_MOD ? OP_AND : keeps_sign ? OP_SHR : OP_SHR_LOGICAL;
  int64_t by = op->code == OP_MOD ? divisor - 1 : __builtin_ctzll((unsigned long long)divisor);
  return ir_binary(&b, code, x, ir_const_i64(&b, x->type, by));
}

// What the table knows of x op y.
static IrValue *algebraic_identity(IrOp *op, IrValue *x, IrValue *y) {
  const Arithmetic *arithmetic = arithmetic_of(op->code);
  bool is_float = dtype_is_float(x->type->dtype);
  if (op->results[0]->type == x->type) { // not so of most comparisons
    if (is_element(y, arithmetic_neutral(op->code, x->type->dtype))) return x;
    if (is_element(y, arithmetic_absorbing(op->code, x->type->dtype))) return y;
    if (x == y && arithmetic->traits & ARITHMETIC_IDEMPOTENT) return x;
  }
  bool cancels = !is_float && x == y && arithmetic->traits & ARITHMETIC_CANCELS;
  return cancels ? zero_like(op) : NULL;
}

static IrValue *int_identity(IrOp *op, IrValue *x, IrValue *y) {
  bool leaves = op->code == OP_REM || op->code == OP_MOD;
  if (leaves && is_element(y, ELEMENT_ONE)) return zero_like(op);
  return op->code == OP_FLOORDIV || op->code == OP_MOD ? binary_division(op, x, y) : NULL;
}

// 1 / c as an element of c's type, if dividing by c is multiplying by it.
static bool exact_reciprocal(DType dtype, double c, double *out) {
  int exponent;
  if (!isfinite(c) || fabs(frexp(c, &exponent)) != 0.5) return false;
  uint64_t bytes = 0;
  dtype_store_f64(dtype, &bytes, 1 / c);
  *out = dtype_load_f64(dtype, &bytes);
  return *out == 1 / c && fabs(*out) >= dtype_float_tiny(dtype) &&
         fabs(c) >= dtype_float_tiny(dtype);
}

static IrValue *float_identity(IrOp *op, IrValue *x, const IrValue *y) {
  double c, reciprocal;
  if (op->code != OP_DIV || !splat_float(y, &c) ||
      !exact_reciprocal(y->type->dtype, c, &reciprocal))
    return NULL;
  IrBuilder b = ir_builder_before(op);
  return ir_binary(&b, OP_MUL, x, ir_const_f64(&b, y->type, reciprocal));
}

// 1 or 0 if that is what a comparison of all numbers in the ranges gives, else -1.
static int comparison_of(OpCode code, Range x, Range y) {
  bool is_below = x.high < y.low;
  bool is_above = y.high < x.low;
  switch (code) {
  case OP_LT: return is_below ? 1 : x.low >= y.high ? 0 : -1;
  case OP_LE: return x.high <= y.low ? 1 : is_above ? 0 : -1;
  case OP_GT: return is_above ? 1 : x.high <= y.low ? 0 : -1;
  case OP_GE: return x.low >= y.high ? 1 : is_below ? 0 : -1;
  case OP_EQ: return is_below || is_above ? 0 : -1;
  case OP_NE: return is_below || is_above ? 1 : -1;
  default: return -1;
  }
}

// Whether a comparison of a flag as a number with a constant is the flag itself.
static bool is_of_flag(OpCode code, const IrValue *x, const IrValue *y) {
  const IrData *number = ir_const_data(y);
  if (!x->def || x->def->code != OP_CONVERT || x->def->operands[0]->type->dtype != DT_BOOL ||
      !number || number->count != 1)
    return false;
  Range with = bounds_of(y);
  return comparison_of(code, (Range){0, 0}, with) == 0 &&
         comparison_of(code, (Range){1, 1}, with) == 1;
}

// Of integers, by what they can be: an index that comes from an unsigned number or a remainder is
// never negative.
static IrValue *comparison_identity(IrOp *op, IrValue *x, IrValue *y) {
  if (is_of_flag(op->code, x, y)) return x->def->operands[0];
  int holds = x == y                      ? arithmetic_is(op->code, ARITHMETIC_REFLEXIVE)
              : x->type->dtype == DT_BOOL ? -1
                                          : comparison_of(op->code, bounds_of(x), bounds_of(y));
  IrBuilder b = ir_builder_before(op);
  return holds < 0 ? NULL : ir_const_i64(&b, op->results[0]->type, holds);
}

static IrValue *binary_identity(IrOp *op) {
  if (arithmetic_is(op->code, ARITHMETIC_COMMUTES) && ir_const_data(op->operands[0]) &&
      !ir_const_data(op->operands[1])) {
    IrValue *x = op->operands[0];
    ir_set_operand(op, 0, op->operands[1]);
    ir_set_operand(op, 1, x);
  }
  IrValue *x = op->operands[0], *y = op->operands[1];
  IrValue *known = algebraic_identity(op, x, y);
  if (known) return known;
  if (dtype_is_float(x->type->dtype)) return float_identity(op, x, y);
  return op_info(op->code)->op_class == CLASS_COMPARE ? comparison_identity(op, x, y)
                                                      : int_identity(op, x, y);
}

static IrValue *unary_identity(IrOp *op) {
  IrValue *x = op->operands[0];
  if (op->code == OP_ABS && dtype_kind(x->type->dtype) == 'u') return x;
  if (!x->def || !op_is_elementwise(x->def->code)) return NULL;
  OpCode inner = x->def->code;
  if (inner == op->code && arithmetic_is(inner, ARITHMETIC_INVOLUTION)) return x->def->operands[0];
  if (inner == op->code && arithmetic_is(inner, ARITHMETIC_IDEMPOTENT)) return x;
  if (op->code == OP_ABS && inner == OP_NEG) ir_set_operand(op, 0, x->def->operands[0]);
  return arithmetic_is(op->code, ARITHMETIC_WHOLE) && arithmetic_is(inner, ARITHMETIC_WHOLE) ? x
                                                                                             : NULL;
}

// ---- divisions that round down ------------------------------------------------------------------
static bool is_op_with(const IrValue *value, OpCode code, const IrValue *x, int64_t number) {
  const IrOp *op = value->def;
  return op && op->code == code && op->operands[0] == x && is_int(op->operands[1], number);
}

// Whether something is left over of n / by, by > 0, and n is below 0.
static bool is_rounded_up(const IrOp *both, const IrValue *n, int64_t by) {
  for (int i = 0; i < 2; i++) {
    const IrOp *differs = both->operands[i]->def, *leaves = both->operands[!i]->def;
    if (differs && differs->code == OP_NE && is_int(differs->operands[1], 1) &&
        differs->operands[0]->def && differs->operands[0]->def->code == OP_SIGN &&
        differs->operands[0]->def->operands[0] == n && leaves && leaves->code == OP_NE &&
        is_int(leaves->operands[1], 0) && is_op_with(leaves->operands[0], OP_REM, n, by))
      return true;
  }
  return false;
}

static bool is_below_zero(const IrOp *both, const IrValue *rest) {
  for (int i = 0; i < 2; i++)
    if (is_op_with(both->operands[i], OP_LT, rest, 0) &&
        is_op_with(both->operands[!i], OP_NE, rest, 0))
      return true;
  return false;
}

// jnp.floor_divide and jnp.remainder by a positive number, as a jaxpr has them written out: what is
// selected where the quotient was rounded up, or the rest is below 0.
static IrValue *floored(IrOp *op, const IrValue *adjusted, const IrValue *rounded) {
  const IrOp *both = op->operands[0]->def, *division = rounded->def;
  if (!both || both->code != OP_AND || !division || !dtype_is_signed(rounded->type->dtype) ||
      dtype_is_float(rounded->type->dtype))
    return NULL;
  bool leaves = division->code == OP_REM;
  if (!leaves && division->code != OP_DIV) return NULL;
  IrValue *n = division->operands[0];
  const IrData *number = ir_const_data(division->operands[1]);
  int64_t by = number && number->count == 1 ? dtype_load_i64(number->dtype, number->bytes) : 0;
  if (by <= 0) return NULL;
  bool is_floored = leaves
                        ? is_op_with(adjusted, OP_ADD, rounded, by) && is_below_zero(both, rounded)
                        : is_op_with(adjusted, OP_SUB, rounded, 1) && is_rounded_up(both, n, by);
  IrBuilder b = ir_builder_before(op);
  return is_floored ? ir_binary(&b, leaves ? OP_MOD : OP_FLOORDIV, n, division->operands[1]) : NULL;
}

static IrValue *select_identity(IrOp *op) {
  IrValue *pred = op->operands[0], *x = op->operands[1], *y = op->operands[2];
  if (x == y || is_int(pred, 1)) return x;
  if (is_int(pred, 0)) return y;
  if (x->type->dtype == DT_BOOL && is_int(x, 1) && is_int(y, 0)) return pred;
  IrValue *is_floored = floored(op, x, y);
  if (is_floored) return is_floored;
  IrBuilder b = ir_builder_before(op);
  return simplify_select_of_parts(&b, op);
}

// ---- conversions -------------------------------------------------------------------------------
// Bits of an integer's magnitude, or of a float's significand.
static unsigned digits_of(DType dtype) {
  if (dtype == DT_BOOL) return 1;
  if (dtype_is_float(dtype)) return (unsigned)(1 - ilogb(dtype_float_eps(dtype)));
  return dtype_bits(dtype) - (dtype_is_signed(dtype) ? 1 : 0);
}

static bool simplify_is_exact(DType from, DType to) {
  if (from == to || from == DT_BOOL) return true;
  if (to == DT_BOOL) return false;
  bool to_float = dtype_is_float(to);
  if (dtype_is_float(from)) {
    if (!to_float || digits_of(from) > digits_of(to)) return false;
    // Infinity must be kept too, where there is one; formats of the same width hold different
    // ranges.
    return dtype_bits(to) >= 32 || (dtype_bits(to) == 16 && dtype_bits(from) == 8);
  }
  if (to_float)
    return digits_of(from) <= digits_of(to) && (double)dtype_int_max(from) <= dtype_float_max(to);
  bool signs_fit = !dtype_is_signed(from) || dtype_is_signed(to);
  return signs_fit && digits_of(from) <= digits_of(to);
}

// What is selected of two constants is selected of them converted, which is folded.
static IrValue *convert_selected(IrBuilder *b, const IrOp *select, DType to) {
  IrValue *x = select->operands[1], *y = select->operands[2];
  if (!ir_const_data(x) || !ir_const_data(y)) return NULL;
  return ir_select(b, select->operands[0], ir_convert(b, x, to), ir_convert(b, y, to));
}

static IrValue *convert_identity(IrOp *op) {
  IrValue *x = op->operands[0];
  DType to = op->results[0]->type->dtype;
  IrBuilder b = ir_builder_before(op);
  if (x->type->dtype == to) return x;
  if (!x->def) return NULL;
  if (x->def->code == OP_IOTA && !dtype_is_float(x->type->dtype)) {
    int64_t dim = ir_attr_int(x->def, ATTR_DIM), size = x->type->dims[dim];
    bool fits = size <= (int64_t)1 << digits_of(to) &&
                (uint64_t)size <= dtype_int_max(x->type->dtype) && dtype_is_float(to) &&
                dtype_bits(to) >= 32;
    return fits ? ir_iota(&b, op->results[0]->type, (int)dim) : NULL;
  }
  if (x->def->code == OP_SELECT) return convert_selected(&b, x->def, to);
  if (x->def->code != OP_CONVERT) return NULL;
  IrValue *origin = x->def->operands[0];
  DType from = origin->type->dtype, middle = x->type->dtype;
  if (!simplify_is_exact(from, middle)) return NULL;
  // By way of a float an integer is clamped to the narrower one, directly it wraps.
  bool clamps = dtype_is_float(middle) && !dtype_is_float(from) && dtype_is_integer(to);
  if (clamps && !simplify_is_exact(from, to)) return NULL;
  return ir_convert(&b, origin, to);
}

static IrValue *bitcast_identity(IrOp *op) {
  IrValue *x = op->operands[0];
  if (x->type == op->results[0]->type) return x;
  if (!x->def || x->def->code != OP_BITCAST) return NULL;
  IrBuilder b = ir_builder_before(op);
  return ir_bitcast(&b, x->def->operands[0], op->results[0]->type->dtype);
}

// ---- shape -------------------------------------------------------------------------------------
// Where the dimensions of x went in a reshape that only puts dimensions of size 1 between them.
static bool inserted_ones(const IrType *x, const IrType *reshaped, int64_t *map) {
  int at = 0;
  for (int i = 0; i < reshaped->rank; i++) {
    if (at < x->rank && reshaped->dims[i] == x->dims[at])
      map[at++] = i;
    else if (reshaped->dims[i] != 1)
      return false;
  }
  return at == x->rank;
}

static IrValue *broadcast_identity(IrOp *op) {
  IrValue *x = op->operands[0];
  const IrType *type = op->results[0]->type;
  IrInts dims = ir_attr_ints(op, ATTR_DIMS);
  if (x->type == type) return x;
  if (!x->def) return NULL;
  int64_t inner[IR_MAX_RANK], map[IR_MAX_RANK];
  const IrValue *origin;
  if (x->def->code == OP_BROADCAST) {
    origin = x->def->operands[0];
    IrInts first = ir_attr_ints(x->def, ATTR_DIMS);
    for (size_t i = 0; i < first.count; i++) inner[i] = first.items[i];
  } else if (x->def->code == OP_RESHAPE) {
    origin = x->def->operands[0];
    if (!inserted_ones(origin->type, x->type, inner)) return NULL;
  } else {
    return NULL;
  }
  for (int i = 0; i < origin->type->rank; i++) map[i] = dims.items[inner[i]];
  IrBuilder b = ir_builder_before(op);
  return ir_broadcast(&b, x->def->operands[0], type, map);
}

static IrValue *reshape_identity(IrOp *op) {
  IrValue *x = op->operands[0];
  const IrType *type = op->results[0]->type;
  if (x->type == type) return x;
  if (!x->def || x->def->code != OP_RESHAPE) return NULL;
  IrBuilder b = ir_builder_before(op);
  return ir_reshape(&b, x->def->operands[0], type->rank, type->dims);
}

static IrValue *transpose_identity(IrOp *op) {
  IrValue *x = op->operands[0];
  IrInts perm = ir_attr_ints(op, ATTR_DIMS);
  bool is_identity = true;
  for (size_t i = 0; i < perm.count; i++) is_identity &= perm.items[i] == (int64_t)i;
  if (is_identity) return x;
  IrBuilder b = ir_builder_before(op);
  if (!x->def || x->def->code != OP_TRANSPOSE) return simplify_dot_transposed(b, op);
  IrInts first = ir_attr_ints(x->def, ATTR_DIMS);
  int64_t both[IR_MAX_RANK];
  for (size_t i = 0; i < perm.count; i++) both[i] = first.items[perm.items[i]];
  return ir_transpose(&b, x->def->operands[0], both);
}

// Whether [low, high) of a dimension is one operand's.
static bool is_of_one_part(const IrOp *concat, int64_t dim, int64_t low, int64_t high) {
  int64_t at = 0;
  for (uint32_t i = 0; i < concat->operand_count; i++) {
    int64_t end = at + concat->operands[i]->type->dims[dim];
    if (low >= at && high <= end) return true;
    at = end;
  }
  return false;
}

// Of a concatenation only the parts that are needed of its operands.
static IrValue *slice_of_concat(Simplifier *s, IrOp *op) {
  IrOp *concat = op->operands[0]->def;
  int64_t dim = ir_attr_int(concat, ATTR_DIM), at = 0;
  IrInts starts = ir_attr_ints(op, ATTR_STARTS), limits = ir_attr_ints(op, ATTR_LIMITS),
         strides = ir_attr_ints(op, ATTR_STRIDES);
  bool is_one = is_of_one_part(concat, dim, starts.items[dim], limits.items[dim]);
  if ((!is_one && op->operands[0]->use_count > 1) || strides.items[dim] != 1 ||
      ir_type_count(op->results[0]->type) == 0)
    return NULL;
  IrBuilder b = ir_builder_before(op);
  IrValue **parts = ARENA_ARRAY(s->arena, IrValue *, concat->operand_count);
  uint32_t count = 0;
  for (uint32_t i = 0; i < concat->operand_count; i++) {
    IrValue *part = concat->operands[i];
    int64_t size = part->type->dims[dim], from[IR_MAX_RANK], to[IR_MAX_RANK];
    memcpy(from, starts.items, starts.count * sizeof *from);
    memcpy(to, limits.items, limits.count * sizeof *to);
    from[dim] = starts.items[dim] > at ? starts.items[dim] - at : 0;
    to[dim] = limits.items[dim] < at + size ? limits.items[dim] - at : size;
    at += size;
    if (from[dim] < to[dim]) parts[count++] = ir_slice(&b, part, from, to, strides.items);
  }
  return count == 1 ? parts[0] : ir_concat(&b, count, parts, (int)dim);
}

static IrValue *slice_identity(Simplifier *s, IrOp *op) {
  IrValue *x = op->operands[0];
  if (x->type == op->results[0]->type) return x; // all strides are 1 then, or do not matter
  if (x->def && x->def->code == OP_CONCAT) return slice_of_concat(s, op);
  if (!x->def || x->def->code != OP_SLICE)
    return simplify_slice_of_sorted(s, ir_builder_before(op), op);
  IrInts starts = ir_attr_ints(op, ATTR_STARTS), strides = ir_attr_ints(op, ATTR_STRIDES);
  IrInts first = ir_attr_ints(x->def, ATTR_STARTS), steps = ir_attr_ints(x->def, ATTR_STRIDES);
  const IrType *type = op->results[0]->type;
  int64_t from[IR_MAX_RANK], to[IR_MAX_RANK], by[IR_MAX_RANK];
  for (int i = 0; i < type->rank; i++) {
    if (!type->dims[i] || !mul_i64(steps.items[i], strides.items[i], &by[i])) return NULL;
    from[i] = first.items[i] + starts.items[i] * steps.items[i];
    to[i] = from[i] + (type->dims[i] - 1) * by[i] + 1;
  }
  IrBuilder b = ir_builder_before(op);
  return ir_slice(&b, x->def->operands[0], from, to, by);
}

static IrValue *rev_identity(IrOp *op) {
  IrValue *x = op->operands[0];
  IrInts dims = ir_attr_ints(op, ATTR_DIMS);
  bool is_trivial = true;
  for (size_t i = 0; i < dims.count; i++) is_trivial &= x->type->dims[dims.items[i]] <= 1;
  if (is_trivial) return x;
  if (!x->def || x->def->code != OP_REV) return NULL;
  IrInts first = ir_attr_ints(x->def, ATTR_DIMS);
  unsigned set = 0, first_set = 0;
  for (size_t i = 0; i < dims.count; i++) set |= 1u << dims.items[i];
  for (size_t i = 0; i < first.count; i++) first_set |= 1u << first.items[i];
  return set == first_set ? x->def->operands[0] : NULL;
}

static IrValue *pad_identity(IrOp *op) {
  IrInts low = ir_attr_ints(op, ATTR_LOW), high = ir_attr_ints(op, ATTR_HIGH);
  IrInts interior = ir_attr_ints(op, ATTR_INTERIOR);
  const IrType *type = op->operands[0]->type;
  for (size_t i = 0; i < low.count; i++)
    if (low.items[i] || high.items[i] || (interior.items[i] && type->dims[i] > 1)) return NULL;
  return op->operands[0];
}

// The starts as lax clamps them, if all are known.
static bool known_starts(const IrOp *op, const IrType *window, int64_t *starts) {
  const IrType *x = op->operands[0]->type;
  for (int i = 0; i < x->rank; i++) {
    int64_t last = x->dims[i] - window->dims[i];
    if (last == 0) {
      starts[i] = 0;
      continue;
    }
    if (!ir_const_int(op->operands[1 + i], &starts[i])) return false;
    if (starts[i] > last) starts[i] = last;
    if (starts[i] < 0) starts[i] = 0;
  }
  return true;
}

static IrValue *dynamic_slice_identity(IrOp *op) {
  const IrType *type = op->results[0]->type;
  int64_t starts[IR_MAX_RANK], limits[IR_MAX_RANK];
  if (!known_starts(op, type, starts)) return NULL;
  for (int i = 0; i < type->rank; i++) limits[i] = starts[i] + type->dims[i];
  IrBuilder b = ir_builder_before(op);
  return ir_slice(&b, op->operands[0], starts, limits, NULL);
}

static IrValue *view_identity(const IrOp *op) {
  return access_is_whole(op) ? op->operands[0] : NULL;
}

static IrValue *iota_identity(IrOp *op) {
  int64_t dim = ir_attr_int(op, ATTR_DIM);
  return op->results[0]->type->dims[dim] <= 1 ? zero_like(op) : NULL;
}

// A constant's equal elements are kept once.
static void canonical_const(Simplifier *s, IrOp *op) {
  const IrData *data = ir_attr_data(op, ATTR_DATA);
  size_t size = dtype_size(data->dtype);
  if (data->count < 2) return;
  const char *bytes = data->bytes;
  if (memcmp(bytes, bytes + size, ((size_t)data->count - 1) * size) == 0)
    ir_set_data(s->module, op, ATTR_DATA, data->dtype, 1, bytes);
}

IrValue *simplify_identity(Simplifier *s, IrOp *op) {
  switch (op_info(op->code)->op_class) {
  case CLASS_UNARY: return unary_identity(op);
  case CLASS_BINARY:
  case CLASS_COMPARE: return binary_identity(op);
  default: break;
  }
  switch (op->code) {
  case OP_CONST: canonical_const(s, op); return NULL;
  case OP_IOTA: return iota_identity(op);
  case OP_SELECT: return select_identity(op);
  case OP_CONVERT: return convert_identity(op);
  case OP_BITCAST: return bitcast_identity(op);
  case OP_BROADCAST: return broadcast_identity(op);
  case OP_RESHAPE: return reshape_identity(op);
  case OP_TRANSPOSE: return transpose_identity(op);
  case OP_SLICE: return slice_identity(s, op);
  case OP_REV: return rev_identity(op);
  case OP_PAD: return pad_identity(op);
  case OP_CONCAT: {
    IrBuilder b = ir_builder_before(op);
    return simplify_concat(&b, op);
  }
  case OP_DYNAMIC_SLICE: return dynamic_slice_identity(op);
  case OP_DYNAMIC_UPDATE_SLICE:
    return op->operands[1]->type == op->operands[0]->type ? op->operands[1] : NULL;
  case OP_GATHER: {
    IrBuilder b = ir_builder_before(op);
    return simplify_gather(&b, op);
  }
  case OP_DOT: return simplify_dot(s, ir_builder_before(op), op);
  case OP_VIEW: return view_identity(op);
  case OP_REF_RESHAPE:
  case OP_REF_BITCAST:
    return op->operands[0]->type == op->results[0]->type ? op->operands[0] : NULL;
  default: return NULL;
  }
}
