// SPDX-License-Identifier: Apache-2.0
// Products of arrays: lax.dot_general, and jnp.matmul and jnp.dot in its terms.
#include "ir/core/build.h"
#include "ir/core/build_dot.h"
#include "ir/core/ir.h"
#include "dot_numbers.h"
#include "jax/array/scalar_type.h"
#include "python/objects/attribute.h"
#include "python/objects/convert.h"
#include "python/objects/protocol.h"
#include "python/objects/iteration.h"
#include "python/values/suggest.h"
#include "python/values/raise.h"
#include "python/values/values.h"
#include "jax/array/arith.h"
#include "jax/array/array.h"
#include "jax/array/array_names.h"
#include "jax/array/operands.h"
#include "jax/array/promote.h"
#include "natives.h"
#include <math.h>
#include <string.h>

// ---- precision ----------------------------------------------------------------------------------
static bool precision_text(Eval *ev, Value v, Str *out) {
  if (value_as_str(v, out)) return true;
  if (v.kind != V_OBJECT) return false;
  Value name = value_getattr_opt(ev, v, array_names(ev)->name);
  return !v_is_unbound(name) && value_as_str(name, out);
}

DotPrecision take_precision(Eval *ev, Value v) {
  static const struct {
    const char *text;
    DotPrecision precision;
  } known[] = {
      {"default", PRECISION_DEFAULT},
      {"bfloat16", PRECISION_DEFAULT},
      {"fastest", PRECISION_DEFAULT},
      {"high", PRECISION_HIGH},
      {"bfloat16_3x", PRECISION_HIGH},
      {"tensorfloat32", PRECISION_HIGH},
      {"highest", PRECISION_HIGHEST},
      {"float32", PRECISION_HIGHEST},
      {"f32_f32_f32", PRECISION_HIGHEST},
      {"bf16_bf16_f32", PRECISION_BF16},
      {"bf16_bf16_f32_x3", PRECISION_BF16_X3},
      {"bf16_bf16_f32_x6", PRECISION_BF16_X6},
      {"bf16_bf16_f32_x9", PRECISION_BF16_X9},
      {"bf16_bf16_bf16", PRECISION_BF16},
      {"f16_f16_f32", PRECISION_F16},
      {"f16_f16_f16", PRECISION_F16},
      {"tf32_tf32_f32", PRECISION_TF32},
      {"tf32_tf32_f32_x3", PRECISION_TF32_X3},
      {"any_f8_any_f8_f32", PRECISION_DEFAULT},
      {"any_f8_any_f8_any", PRECISION_DEFAULT},
      {"any_f8_any_f8_f32_fast_accum", PRECISION_DEFAULT},
      {"any_f8_any_f8_any_fast_accum", PRECISION_DEFAULT},
  };
  if (v_is_none(v)) return ev->trace->default_precision;
  Tuple *pair = value_as_tuple(v);
  if (pair && pair->count == 2) {
    DotPrecision a = take_precision(ev, pair->items[0]), b = take_precision(ev, pair->items[1]);
    return b == PRECISION_HIGHEST ? b : a;
  }
  Str text;
  if (precision_text(ev, v, &text)) {
    char lower[40];
    size_t n = text.len < sizeof lower ? text.len : sizeof lower - 1;
    for (size_t i = 0; i < n; i++)
      lower[i] =
          text.data[i] >= 'A' && text.data[i] <= 'Z' ? (char)(text.data[i] + 32) : text.data[i];
    for (size_t i = 0; i < COUNT_OF(known); i++)
      if (str_equal((Str){lower, n}, str_from_c(known[i].text))) return known[i].precision;
    if (str_equal((Str){lower, n}, STR("f64_f64_f64")))
      eval_raise(ev, ev->types.ValueError,
                 "precision F64_F64_F64: float64 is not available (x64 is off)");
  }
  eval_raise(ev, ev->types.ValueError,
             "Precision argument must be None, one of 'default', 'high', 'highest', 'float32', "
             "'bfloat16', "
             "'bfloat16_3x', 'tensorfloat32', 'fastest', a lax.Precision value, a tuple of two of "
             "those, or a "
             "lax.DotAlgorithmPreset; but got %.*s",
             STR_FMT(value_str(ev, v)));
}

// ---- dot_general --------------------------------------------------------------------------------
static size_t take_dims(Eval *ev, Value v, int64_t *out, const char *what) {
  Tuple *items = value_to_tuple(ev, v);
  if (items->count > IR_MAX_RANK)
    eval_raise(ev, ev->types.ValueError, "%s: too many dimensions", what);
  for (size_t i = 0; i < items->count; i++) out[i] = take_int(ev, items->items[i], what);
  return items->count;
}

static void take_pair(Eval *ev, Value v, Value *first, Value *second) {
  Tuple *pair = value_to_tuple(ev, v);
  if (pair->count != 2)
    eval_raise(ev, ev->types.ValueError,
               "dot_general: dimension_numbers must be ((lhs_contracting, rhs_contracting), "
               "(lhs_batch, rhs_batch))");
  *first = pair->items[0];
  *second = pair->items[1];
}

static void check_side(Eval *ev, const char *side, const DotDims *d, bool lhs, int rank) {
  const int64_t *contract = lhs ? d->lhs_contract : d->rhs_contract;
  const int64_t *batch = lhs ? d->lhs_batch : d->rhs_batch;
  uint32_t seen = 0;
  for (size_t i = 0; i < d->contract_count + d->batch_count; i++) {
    int64_t dim = i < d->contract_count ? contract[i] : batch[i - d->contract_count];
    if (dim < 0 || dim >= rank)
      eval_raise(
          ev, ev->types.TypeError,
          "dot_general requires %s dimension numbers to be nonnegative and less than the number of "
          "axes "
          "of the %s value, got %s_batch of %.*s and %s_contracting of %.*s for %s of rank %d",
          side, side, side, STR_FMT(shape_text(ev->arena, d->batch_count, batch)), side,
          STR_FMT(shape_text(ev->arena, d->contract_count, contract)), side, rank);
    if (seen >> dim & 1)
      eval_raise(ev, ev->types.TypeError,
                 "dot_general requires %s batch dimensions to be disjoint from contracting "
                 "dimensions, got "
                 "%s_batch %.*s and %s_contracting %.*s.",
                 side, side, STR_FMT(shape_text(ev->arena, d->batch_count, batch)), side,
                 STR_FMT(shape_text(ev->arena, d->contract_count, contract)));
    seen |= 1u << dim;
  }
}

// What to write instead of a product of rows by rows, or of columns by columns; "": nothing.
static const char *transpose_hint(const IrType *x, const IrType *y, const DotDims *d) {
  if (d->contract_count != 1 || x->rank < 2 || y->rank < 2) return "";
  int64_t xd = d->lhs_contract[0], yd = d->rhs_contract[0];
  if (yd == y->rank - 2 && y->dims[y->rank - 1] == x->dims[xd])
    return "sums over the last axis of both want the second one transposed: `.T`, or `.mT` with "
           "batch dimensions";
  if (xd == x->rank - 1 && x->dims[x->rank - 2] == y->dims[yd])
    return "sums over the first axis of both want the first one transposed: `.T`, or `.mT` with "
           "batch dimensions";
  return "";
}

static void check_sizes(Eval *ev, const IrValue *x, const IrValue *y, size_t count,
                        const int64_t *xd, const int64_t *yd, const char *kind, const char *hint) {
  int64_t a[IR_MAX_RANK], b[IR_MAX_RANK];
  for (size_t i = 0; i < count; i++) {
    a[i] = x->type->dims[xd[i]];
    b[i] = y->type->dims[yd[i]];
  }
  if (memcmp(a, b, count * sizeof *a) != 0)
    raise_hinted(ev, ev->types.TypeError, hint,
                 "dot_general requires %s to have the same shape, got %.*s and %.*s.", kind,
                 STR_FMT(shape_text(ev->arena, count, a)),
                 STR_FMT(shape_text(ev->arena, count, b)));
}

// A type of bytes that holds every integer of less than a byte.
static DType whole_bytes(DType dtype) {
  return dtype_is_integer(dtype) && dtype_bits(dtype) < 8 ? DT_I8 : dtype;
}

// What both factors of a product are converted to. Floats of 8 bits have no promotion with other
// floats, integers of less than 8 bits none with anything; here they may meet.
static DType common_factor(Eval *ev, DType x, DType y) {
  x = whole_bytes(x), y = whole_bytes(y);
  if (dtype_is_float(x) != dtype_is_float(y)) {
    DType real = dtype_is_float(x) ? x : y;
    return dtype_bits(real) <= 8 ? DT_F32 : real;
  }
  bool weak, are_floats = dtype_is_float(x) && dtype_is_float(y);
  unsigned narrow = dtype_bits(x) < dtype_bits(y) ? dtype_bits(x) : dtype_bits(y);
  if (!are_floats || narrow > 8) return promote_or_raise(ev, x, false, y, false, &weak);
  if (dtype_bits(x) == dtype_bits(y)) return DT_F32;
  return dtype_bits(x) > dtype_bits(y) ? x : y;
}

static IrValue *build_dot(Eval *ev, IrValue *x, IrValue *y, const DotDims *d, DType result,
                          DotPrecision precision) {
  check_side(ev, "lhs", d, true, x->type->rank);
  check_side(ev, "rhs", d, false, y->type->rank);
  check_sizes(ev, x, y, d->batch_count, d->lhs_batch, d->rhs_batch,
              "lhs batch dimensions and rhs batch dimensions", "");
  check_sizes(ev, x, y, d->contract_count, d->lhs_contract, d->rhs_contract,
              "contracting dimensions", transpose_hint(x->type, y->type, d));
  size_t rank = x->type->rank + y->type->rank - d->batch_count - 2 * d->contract_count;
  if (rank > IR_MAX_RANK)
    eval_raise(ev, ev->types.ValueError, "dot_general: the result has too many dimensions");
  if (x->type->dtype != y->type->dtype) {
    bool is_float = dtype_is_float(x->type->dtype) || dtype_is_float(y->type->dtype);
    DType common = is_float && !dtype_is_float(result)
                       ? result // XLA's way: what is behind the point is lost before it counts
                       : common_factor(ev, x->type->dtype, y->type->dtype);
    x = ir_convert(trace_builder(ev), x, common);
    y = ir_convert(trace_builder(ev), y, common);
  }
  // The op multiplies floats as floats and integers as integers: operands meet the result's kind.
  if (dtype_is_float(result) && !dtype_is_float(x->type->dtype)) {
    x = ir_convert(trace_builder(ev), x, dtype_computed_in(result));
    y = ir_convert(trace_builder(ev), y, dtype_computed_in(result));
  }
  const DotSides sides = {
      {{d->lhs_contract, d->contract_count}, {d->rhs_contract, d->contract_count}},
      {{d->lhs_batch, d->batch_count}, {d->rhs_batch, d->batch_count}}};
  int64_t dims[2 * IR_MAX_RANK];
  ir_dot_dims(x->type, y->type, &sides, dims);
  array_type_checked(ev, result, rank, dims);
  if (!dtype_is_float(result) && dtype_is_float(x->type->dtype)) {
    IrValue *r =
        ir_dot(trace_builder(ev), x, y, &sides, x->type->dtype, precision); // rounded to it
    return ir_convert(trace_builder(ev), r, result);
  }
  return ir_dot(trace_builder(ev), x, y, &sides, result, precision);
}

// XLA's order of types, by which lax.dot_general gives the greater of its operands' types: floats
// by range, then by precision; then by width, and signed before unsigned.
static int order_of_types(DType x, DType y) {
  double keys[2][4];
  const DType types[2] = {x, y};
  for (int i = 0; i < 2; i++) {
    bool is_float = dtype_is_float(types[i]);
    keys[i][0] = is_float ? ilogb(dtype_float_max(types[i])) : -1;
    keys[i][1] = is_float ? -dtype_float_eps(types[i]) : -1;
    keys[i][2] = dtype_kind(types[i]) == 'b' ? 1 : dtype_bits(types[i]);
    keys[i][3] = dtype_kind(types[i]) != 'u';
  }
  for (int k = 0; k < 4; k++)
    if (keys[0][k] != keys[1][k]) return keys[0][k] > keys[1][k] ? 1 : -1;
  return 0;
}

// lhs, rhs, dimension_numbers, precision, preferred_element_type, out_sharding
Value lax_dot_general(Eval *ev, Value *a) {
  refuse_keyword(ev, "lax.dot_general", "out_sharding", a[5]);
  DotDims d;
  Value contract, batch, lhs, rhs;
  take_pair(ev, a[2], &contract, &batch);
  take_pair(ev, contract, &lhs, &rhs);
  d.contract_count = take_dims(ev, lhs, d.lhs_contract, "dimension_numbers");
  size_t other = take_dims(ev, rhs, d.rhs_contract, "dimension_numbers");
  if (d.contract_count != other)
    eval_raise(
        ev, ev->types.TypeError,
        "dot_general requires equal numbers of lhs_contracting and rhs_contracting dimensions, got "
        "lhs_contracting %.*s and rhs_contracting %.*s.",
        STR_FMT(value_repr(ev, lhs)), STR_FMT(value_repr(ev, rhs)));
  take_pair(ev, batch, &lhs, &rhs);
  d.batch_count = take_dims(ev, lhs, d.lhs_batch, "dimension_numbers");
  other = take_dims(ev, rhs, d.rhs_batch, "dimension_numbers");
  if (d.batch_count != other)
    eval_raise(ev, ev->types.TypeError,
               "dot_general requires equal numbers of lhs_batch and rhs_batch dimensions, got "
               "lhs_batch %.*s and "
               "rhs_batch %.*s.",
               STR_FMT(value_repr(ev, lhs)), STR_FMT(value_repr(ev, rhs)));
  Aval x, y;
  take_aval(ev, "dot_general", a[0], 0, &x);
  take_aval(ev, "dot_general", a[1], 1, &y);
  bool weak = x.weak && y.weak;
  DType result = order_of_types(x.dtype, y.dtype) >= 0 ? x.dtype : y.dtype;
  if (!v_is_none(a[4])) {
    result = take_requested_dtype(ev, a[4], "preferred_element_type");
    weak = false;
  }
  IrValue *xv = array_ir(ev, a[0], DT_COUNT), *yv = array_ir(ev, a[1], DT_COUNT);
  return array_new(ev, build_dot(ev, xv, yv, &d, result, take_precision(ev, a[3])), weak);
}

// ---- jnp.matmul ---------------------------------------------------------------------------------
// One side of a matmul: which of its dimensions are batch dimensions of both, and which it alone
// has.
typedef struct Side {
  IrValue *value;
  int64_t
      kept[IR_MAX_RANK]; // dims without the batch dimensions of size 1 that the other side spreads
  size_t rank;
} Side;

static Value refuse_scalar(Eval *ev, const char *what, int position) {
  eval_raise(ev, ev->types.ValueError,
             "%s input operand %d must have ndim at least 1, but it has ndim 0", what, position);
}

// The type asked for; only without one do the factors need a common type.
static DType product_dtype(Eval *ev, const Aval *x, const Aval *y, Value preferred, bool *weak) {
  *weak = false;
  if (!v_is_none(preferred)) return take_requested_dtype(ev, preferred, "preferred_element_type");
  return promote_or_raise(ev, x->dtype, x->weak, y->dtype, y->weak, weak);
}

Value array_matmul(Eval *ev, Value a, Value b, Value precision, Value preferred) {
  Aval aa, bb;
  take_aval(ev, "matmul", a, 0, &aa);
  take_aval(ev, "matmul", b, 1, &bb);
  if (aa.rank == 0) return refuse_scalar(ev, "matmul", 0);
  if (bb.rank == 0) return refuse_scalar(ev, "matmul", 1);
  bool weak;
  DType result = product_dtype(ev, &aa, &bb, preferred, &weak);
  int na = aa.rank < 2 ? 0 : aa.rank - 2, nb = bb.rank < 2 ? 0 : bb.rank - 2;
  int n = na > nb ? na : nb;
  Side x = {.rank = 0}, y = {.rank = 0};
  DotDims d = {.contract_count = 1};
  // Where each dimension of the result comes from: an id in the order that dot gives them, found
  // again below.
  enum { BOTH, LEFT, RIGHT };
  int origin[IR_MAX_RANK];
  for (int i = 0; i < n; i++) {
    int64_t p = i < n - na ? 0 : aa.dims[i - (n - na)], q = i < n - nb ? 0 : bb.dims[i - (n - nb)];
    if (p && q && p != q && p != 1 && q != 1)
      eval_raise(ev, ev->types.ValueError, "Incompatible types for matmul arguments: %.*s and %.*s",
                 STR_FMT(aval_text(ev->arena, &aa)), STR_FMT(aval_text(ev->arena, &bb)));
    bool has_p = i >= n - na, has_q = i >= n - nb;
    if (has_p && has_q && p == q) {
      origin[i] = BOTH;
      d.lhs_batch[d.batch_count] = (int64_t)x.rank;
      d.rhs_batch[d.batch_count++] = (int64_t)y.rank;
      x.kept[x.rank++] = p;
      y.kept[y.rank++] = q;
    } else if (has_p && (!has_q || q == 1)) {
      origin[i] = LEFT;
      x.kept[x.rank++] = p;
    } else {
      origin[i] = RIGHT;
      y.kept[y.rank++] = q;
    }
  }
  bool row = aa.rank > 1, column = bb.rank > 1;
  if (row) x.kept[x.rank++] = aa.dims[aa.rank - 2];
  d.lhs_contract[0] = (int64_t)x.rank;
  x.kept[x.rank++] = aa.dims[aa.rank - 1];
  d.rhs_contract[0] = (int64_t)y.rank;
  y.kept[y.rank++] = bb.dims[column ? bb.rank - 2 : 0];
  if (column) y.kept[y.rank++] = bb.dims[bb.rank - 1];
  IrBuilder *builder = trace_builder(ev);
  x.value = ir_reshape(builder, array_ir(ev, a, DT_COUNT), x.rank, x.kept);
  y.value = ir_reshape(builder, array_ir(ev, b, DT_COUNT), y.rank, y.kept);
  IrValue *r = build_dot(ev, x.value, y.value, &d, result, take_precision(ev, precision));
  // dot gives batch, left, row, right, column; wanted is batch, left and right in their places,
  // then row, column.
  int64_t perm[IR_MAX_RANK];
  int both = 0, left = (int)d.batch_count, lefts = 0, rank = 0;
  for (int i = 0; i < n; i++) lefts += origin[i] == LEFT;
  int right = left + lefts + row;
  bool identity = true;
  for (int i = 0; i < n; i++) {
    perm[rank] = origin[i] == BOTH ? both++ : origin[i] == LEFT ? left++ : right++;
    rank++;
  }
  if (row) perm[rank++] = left;
  if (column) perm[rank++] = right;
  for (int i = 0; i < rank; i++) identity = identity && perm[i] == i;
  if (!identity) r = ir_transpose(trace_builder(ev), r, perm);
  return array_new(ev, r, weak);
}

Value jnp_matmul(Eval *ev, Value *a) { // a, b, precision, preferred_element_type, out_sharding
  refuse_keyword(ev, "jnp.matmul", "out_sharding", a[4]);
  return array_matmul(ev, a[0], a[1], a[2], a[3]);
}

Value jnp_dot(Eval *ev, Value *a) { // a, b, precision, preferred_element_type, out_sharding
  refuse_keyword(ev, "jnp.dot", "out_sharding", a[4]);
  Aval x, y;
  take_aval(ev, "dot", a[0], 0, &x);
  take_aval(ev, "dot", a[1], 1, &y);
  bool weak;
  DType result = product_dtype(ev, &x, &y, a[3], &weak);
  if (x.rank == 0 || y.rank == 0) {
    Value product = elementwise_binary(ev, "dot", OP_MUL, a[0], a[1]);
    return ((Array *)product.o)->aval.dtype == result ? product : array_astype(ev, product, result);
  }
  DotDims d = {.contract_count = 1};
  d.lhs_contract[0] = x.rank - 1;
  d.rhs_contract[0] = y.rank > 1 ? y.rank - 2 : 0;
  IrValue *xv = array_ir(ev, a[0], DT_COUNT), *yv = array_ir(ev, a[1], DT_COUNT);
  return array_new(ev, build_dot(ev, xv, yv, &d, result, take_precision(ev, a[2])), weak);
}
