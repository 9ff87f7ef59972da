// SPDX-License-Identifier: Apache-2.0
// The elementwise functions of jax.numpy and jax.lax: one op each (elementwise.def), and those that
// need a few.
#include "base/buf.h"
#include "ir/core/attr.h"
#include "ir/core/build.h"
#include "ir/core/ir.h"
#include "jax/array/scalar_type.h"
#include "python/objects/attribute.h"
#include "python/objects/protocol.h"
#include "python/objects/convert.h"
#include "python/values/new_value.h"
#include "python/values/raise.h"
#include "python/values/values.h"
#include <math.h>
#include <string.h>
#include "create.h"
#include "jax/array/arith.h"
#include "jax/array/array.h"
#include "jax/trace/chip_rule.h"
#include "jax/array/array_names.h"
#include "jax/array/key_array.h"
#include "jax/array/operands.h"
#include "jax/array/primitive.h"
#include "jax/array/promote.h"
#include "jax/array/ref.h"
#include "python/objects/type_lookup.h"
#include "natives.h"

typedef enum Rule {
  RULE_INEXACT,
  RULE_SAME,
  RULE_NUMERIC,
  RULE_ROUND,
  RULE_ABS,
  RULE_LOGICAL,
  RULE_BITS,
  RULE_SHIFT,
  RULE_ARITH
} Rule;

// Whether the rule takes elements of the type that the operands meet in.
static void check_rule(Eval *ev, const char *what, Rule rule, DType dtype, int position) {
  if (rule == RULE_BITS) require_kind(ev, what, dtype, "iub", position);
  if (rule == RULE_SHIFT) require_kind(ev, what, dtype, "iub", position);
  if (rule == RULE_ARITH) require_kind(ev, what, dtype, "iuf", position);
}

static DType apply_rule(Eval *ev, Rule rule, DType dtype) {
  switch (rule) {
  case RULE_INEXACT: return inexact_dtype(ev, dtype);
  case RULE_NUMERIC: return numeric_dtype(ev, dtype);
  case RULE_LOGICAL: return DT_BOOL;
  case RULE_SHIFT: return dtype == DT_BOOL ? DT_I32 : dtype;
  case RULE_BITS:
  case RULE_ARITH:
  case RULE_SAME:
  case RULE_ROUND:
  case RULE_ABS: break;
  }
  return dtype;
}

// JAX's exp2 is exp(x * ln 2), both rounded to the type: in 16 bits the factor's error shows.
static IrValue *apply_unary(Eval *ev, OpCode code, IrValue *x) {
  IrBuilder *b = trace_builder(ev);
  if (code != OP_EXP2 || dtype_size(x->type->dtype) != 2) return ir_unary(b, code, x);
  IrValue *ln2 = ir_const_f64(b, x->type, 0.69314718055994530942);
  return ir_unary(b, OP_EXP, ir_binary(b, OP_MUL, x, ln2));
}

static Value unary(Eval *ev, const char *what, OpCode code, Rule rule, Value a) {
  Aval aval;
  take_aval(ev, what, a, 0, &aval);
  check_rule(ev, what, rule, aval.dtype, -1);
  DType dtype = apply_rule(ev, rule, aval.dtype);
  IrValue *x = array_ir_cast(ev, a, dtype);
  bool nothing = (rule == RULE_ROUND && !dtype_is_float(dtype)) ||
                 (rule == RULE_ABS && !dtype_is_float(dtype) && !dtype_is_signed(dtype));
  if (!nothing) x = apply_unary(ev, code, x);
  return array_new(ev, x, aval.weak);
}

static Value binary(Eval *ev, const char *what, OpCode code, Rule rule, Value a, Value b) {
  Aval x, y;
  take_aval(ev, what, a, 0, &x);
  take_aval(ev, what, b, 1, &y);
  bool weak;
  DType common = DT_BOOL;
  if (rule == RULE_LOGICAL)
    weak = x.weak && y.weak;
  else
    common = promote_or_raise(ev, x.dtype, x.weak, y.dtype, y.weak, &weak);
  DType dtype = apply_rule(ev, rule, common);
  if (code == OP_SHR && !dtype_is_signed(dtype)) code = OP_SHR_LOGICAL;
  IrValue *xv, *yv;
  promote_pair_as(ev, what, a, &x, b, &y, dtype, &xv, &yv);
  check_rule(ev, what, rule, common, 0); // JAX looks at the shapes first
  Value result = array_new(ev, ir_binary(trace_builder(ev), code, xv, yv), weak);
  return array_estimated(ev, result, array_estimate_of(code, dtype));
}

// ---- lax: no promotion --------------------------------------------------------------------------
static void take_operand(Eval *ev, const char *what, Value v, int position, Aval *out) {
  if (v.kind != V_OBJECT || value_is_ref(ev, v) || value_is_key(ev, v) ||
      value_is_arraylike(ev, v)) {
    take_aval(ev, what, v, (size_t)position, out);
    return;
  }
  what = primitive_name(what);
  eval_raise(ev, ev->types.TypeError,
             "Error interpreting argument to %s as a JAX value. The problematic value is of type "
             "<class '%s'> and was passed to %s at position %d.",
             what, value_type_name(ev, v), what, position);
}

static Value lax_unary(Eval *ev, const char *what, OpCode code, const char *kinds, Value a) {
  Aval aval;
  take_operand(ev, what, a, 0, &aval);
  require_kind(ev, what, aval.dtype, kinds, -1);
  return array_new(ev, apply_unary(ev, code, array_ir(ev, a, DT_COUNT)), aval.weak);
}

void lax_same_dtypes(Eval *ev, const char *what, const char *tip, size_t count, const Aval *avals) {
  bool same = true;
  for (size_t i = 1; i < count; i++) same = same && avals[i].dtype == avals[0].dtype;
  if (same) return;
  Buf buf;
  buf_init(&buf, ev->arena);
  for (size_t i = 0; i < count; i++)
    buf_printf(&buf, "%s%s", i ? ", " : "", dtype_name(avals[i].dtype));
  eval_raise(
      ev, ev->types.TypeError, "lax.%s requires arguments to have the same dtypes, got %.*s.%s%s%s",
      primitive_name(what), STR_FMT(buf_view(&buf)), tip ? " (Tip: jnp." : "", tip ? tip : "",
      tip ? " is a similar function that does automatic type promotion on inputs)." : "");
}

// lax broadcasts scalars, and dimensions of size 1 among equal ranks. Gives the rank.
static size_t lax_shape(Eval *ev, const char *what, size_t count, const Aval *avals,
                        int64_t *dims) {
  size_t rank = 0;
  const Aval *array = NULL;
  for (size_t i = 0; i < count; i++) {
    if (avals[i].rank && array && avals[i].rank != array->rank)
      eval_raise(ev, ev->types.TypeError,
                 "%s: arrays must have the same number of dimensions, got {%d, %d}",
                 primitive_name(what), array->rank < avals[i].rank ? array->rank : avals[i].rank,
                 array->rank < avals[i].rank ? avals[i].rank : array->rank);
    if (avals[i].rank) array = &avals[i];
    if (!broadcast_dims(&rank, dims, avals[i].rank, avals[i].dims)) {
      const Aval **all = ARENA_ARRAY(ev->arena, const Aval *, count);
      for (size_t k = 0; k < count; k++) all[k] = &avals[k];
      raise_broadcast(ev, what, count, all);
    }
  }
  return rank;
}

static Value lax_binary(Eval *ev, const char *what, OpCode code, const char *kinds, const char *tip,
                        Value a, Value b) {
  Aval avals[2];
  Value values[2] = {a, b};
  IrValue *x[2];
  take_operand(ev, what, a, 0, &avals[0]);
  take_operand(ev, what, b, 1, &avals[1]);
  int64_t dims[IR_MAX_RANK];
  size_t rank = lax_shape(ev, what, 2, avals, dims); // JAX says this first
  for (int i = 0; i < 2; i++) require_kind(ev, what, avals[i].dtype, kinds, i);
  lax_same_dtypes(ev, what, tip, 2, avals);
  for (int i = 0; i < 2; i++) x[i] = operand_as(ev, values[i], avals[i].dtype, rank, dims);
  return array_new(ev, ir_binary(trace_builder(ev), code, x[0], x[1]),
                   avals[0].weak && avals[1].weak);
}

#define JNP1(name, op, rule)                                                                       \
  Value jnp_##name(Eval *ev, Value *a) { return unary(ev, #name, OP_##op, RULE_##rule, a[0]); }
#define JNP2(name, op, rule)                                                                       \
  Value jnp_##name(Eval *ev, Value *a) {                                                           \
    return binary(ev, #name, OP_##op, RULE_##rule, a[0], a[1]);                                    \
  }
#define JNPU(name, op, rule)                                                                       \
  Value jnp_##name(Eval *ev, Value *a) {                                                           \
    refuse_ufunc_keyword(ev, #name, "out", a[2]);                                                  \
    refuse_ufunc_keyword(ev, #name, "where", a[3]);                                                \
    return binary(ev, #name, OP_##op, RULE_##rule, a[0], a[1]);                                    \
  }
#define LAX1(name, op, kinds)                                                                      \
  Value lax_##name(Eval *ev, Value *a) { return lax_unary(ev, #name, OP_##op, kinds, a[0]); }
#define LAX2(name, op, kinds, tip)                                                                 \
  Value lax_##name(Eval *ev, Value *a) {                                                           \
    return lax_binary(ev, #name, OP_##op, kinds, tip, a[0], a[1]);                                 \
  }
#include "elementwise.def"
#undef JNP1
#undef JNP2
#undef JNPU
#undef LAX1
#undef LAX2

// With out_dtype, the operands are converted to it first.
Value lax_mul(Eval *ev, Value *a) {
  Value x[2] = {a[0], a[1]};
  if (!v_is_none(a[2])) {
    DType dtype = take_requested_dtype(ev, a[2], "mul");
    for (int i = 0; i < 2; i++)
      x[i] = array_result(ev, ir_convert(trace_builder(ev), array_ir(ev, x[i], DT_COUNT), dtype));
  }
  return lax_binary(ev, "mul", OP_MUL, "iuf", "multiply", x[0], x[1]);
}

// ---- jnp: more than one op ----------------------------------------------------------------------
Value jnp_power(Eval *ev, Value *a) { return array_power(ev, a[0], a[1]); }

Value jnp_square(Eval *ev, Value *a) { // x * x; bool becomes int32
  return array_estimated(ev, binary(ev, "square", OP_MUL, RULE_NUMERIC, a[0], a[0]), -1);
}

Value jnp_reciprocal(Eval *ev, Value *a) {
  return unary(ev, "reciprocal", OP_RECIPROCAL, RULE_INEXACT, a[0]);
}

Value jnp_positive(Eval *ev, Value *a) {
  Aval aval;
  take_aval(ev, "positive", a[0], 0, &aval);
  return array_apart(ev, array_from(ev, a[0]), a[0]);
}

static Value same_constant(Eval *ev, const Aval *aval, bool value) {
  const IrType *type = array_type_checked(ev, DT_BOOL, aval->rank, aval->dims);
  return array_result(ev, ir_const_i64(trace_builder(ev), type, value));
}

Value jnp_isnan(Eval *ev, Value *a) {
  Aval aval;
  take_aval(ev, "isnan", a[0], 0, &aval);
  if (!dtype_is_float(aval.dtype)) return same_constant(ev, &aval, false);
  IrValue *x = array_ir(ev, a[0], DT_COUNT);
  return array_new(ev, ir_binary(trace_builder(ev), OP_NE, x, x), aval.weak);
}

static Value is_finite(Eval *ev, const char *what, Value v) {
  Aval aval;
  take_aval(ev, what, v, 0, &aval);
  if (!dtype_is_float(aval.dtype)) return same_constant(ev, &aval, true);
  IrValue *x = array_ir(ev, v, DT_COUNT);
  const IrType *type = array_type_checked(ev, DT_BOOL, aval.rank, aval.dims);
  return array_new(ev, ir_build(trace_builder(ev), OP_IS_FINITE, 1, &x, 1, &type)->results[0],
                   aval.weak);
}

Value jnp_isfinite(Eval *ev, Value *a) { return is_finite(ev, "isfinite", a[0]); }

Value jnp_isinf(Eval *ev, Value *a) {
  Aval aval;
  take_aval(ev, "isinf", a[0], 0, &aval);
  if (!dtype_is_float(aval.dtype)) return same_constant(ev, &aval, false);
  IrBuilder *b = trace_builder(ev);
  IrValue *x = ir_unary(b, OP_ABS, array_ir(ev, a[0], DT_COUNT));
  return array_result(ev, ir_binary(b, OP_EQ, x, ir_const_f64(b, x->type, __builtin_inf())));
}

Value jnp_clip(Eval *ev, Value *a) { // arr, min, max
  if (v_is_none(a[0]))
    eval_raise(ev, ev->types.ValueError, "No input was provided to the clip function.");
  Value x = a[0];
  Aval aval;
  take_aval(ev, "clip", x, 0, &aval);
  if (!v_is_none(a[1])) x = binary(ev, "max", OP_MAX, RULE_SAME, a[1], x);
  if (!v_is_none(a[2])) x = binary(ev, "min", OP_MIN, RULE_SAME, a[2], x);
  return array_apart(ev, array_from(ev, x), a[0]);
}

Value jnp_round(Eval *ev, Value *a) { // a, decimals, out
  refuse_keyword(ev, "jnp.round", "out", a[2]);
  Aval aval;
  take_aval(ev, "round", a[0], 0, &aval);
  int64_t decimals = take_int(ev, a[1], "decimals");
  if (aval.dtype == DT_BOOL)
    eval_raise(ev, ev->types.ValueError,
               "jnp.round: a bool cannot be rounded; convert it to a number first");
  if (!dtype_is_float(aval.dtype)) {
    if (decimals < 0)
      eval_raise(ev, ev->types.NotImplementedError,
                 "integer np.round not implemented for decimals < 0");
    return array_apart(ev, array_from(ev, a[0]), a[0]);
  }
  IrValue *x = array_ir(ev, a[0], DT_COUNT);
  IrBuilder *b = trace_builder(ev);
  if (decimals == 0) return array_new(ev, ir_unary(b, OP_ROUND_EVEN, x), aval.weak);
  if ((double)decimals > log10(dtype_float_max(aval.dtype))) return array_from(ev, a[0]);
  if (aval.dtype == DT_F16) x = ir_convert(b, x, DT_F32);
  IrValue *scale = ir_const_f64(b, x->type, pow(10, (double)decimals));
  x = ir_unary(b, OP_ROUND_EVEN, ir_binary(b, OP_MUL, x, scale));
  // XLA divides by a constant by multiplying by its reciprocal, of bfloat16 in float32, which shows
  // in the last digit.
  if (aval.dtype == DT_BF16) x = ir_convert(b, x, DT_F32), scale = ir_convert(b, scale, DT_F32);
  IrValue *inverse = ir_binary(b, OP_DIV, ir_const_f64(b, x->type, 1), scale);
  x = ir_convert(b, ir_binary(b, OP_MUL, x, inverse), aval.dtype);
  return array_new(ev, x, aval.weak);
}

Value jnp_bitwise_count(Eval *ev, Value *a) {
  Aval aval;
  take_aval(ev, "bitwise_count", a[0], 0, &aval);
  IrValue *x = array_ir(ev, a[0], DT_COUNT);
  IrBuilder *b = trace_builder(ev);
  if (aval.dtype == DT_BOOL) return array_result(ev, ir_convert(b, x, DT_U8));
  require_kind(ev, "population_count", aval.dtype, "iu", -1);
  if (dtype_is_signed(aval.dtype)) x = ir_unary(b, OP_ABS, x);
  return array_result(ev, ir_convert(b, ir_unary(b, OP_POPCOUNT, x), DT_U8));
}

// The function of the library that the program has called, behind its private helpers.
static const char *public_caller(const Eval *ev) {
  const Frame *frame = ev->frame;
  while (frame->caller && frame_function(frame)->text[0] == '_') frame = frame->caller;
  return frame_function(frame)->text;
}

// _promote_inexact(*args): the arguments as floats of their common type, shapes as they are.
// Weakness is kept.
Value jnp_promote_inexact(Eval *ev, Value *a) {
  Tuple *args = value_as_tuple(a[0]);
  IrValue **x = ARENA_ARRAY(ev->arena, IrValue *, args->count);
  bool weak;
  promote_many(ev, public_caller(ev), args->count, args->items, true, x, &weak);
  Tuple *out = tuple_new(ev, args->count);
  for (size_t i = 0; i < args->count; i++) out->items[i] = array_new(ev, x[i], weak);
  return v_object(out);
}

// ---- lax: more ----------------------------------------------------------------------------------
Value lax_pow(Eval *ev, Value *a) {
  Aval x, y;
  take_aval(ev, "pow", a[0], 0, &x);
  take_aval(ev, "pow", a[1], 1, &y);
  require_kind(ev, "pow", x.dtype, "f", 0);
  if (dtype_is_float(y.dtype)) {
    Aval avals[2] = {x, y};
    lax_same_dtypes(ev, "pow", "power", 2, avals);
  }
  Value exponent = value_unwrap(a[1]);
  if (exponent.kind == V_INT) return array_integer_power(ev, a[0], exponent.i);
  IrValue *xv, *yv;
  promote_pair_as(ev, "pow", a[0], &x, a[1], &y, x.dtype, &xv, &yv);
  return array_new(ev, ir_binary(trace_builder(ev), OP_POW, xv, yv), x.weak && y.weak);
}

Value lax_integer_pow(Eval *ev, Value *a) {
  return array_integer_power(ev, a[0], take_int(ev, a[1], "y"));
}

// JAX's estimate has no rule for squares.
Value lax_square(Eval *ev, Value *a) {
  Aval aval;
  take_aval(ev, "square", a[0], 0, &aval);
  require_kind(ev, "square", aval.dtype, "iuf", -1);
  return array_estimated(ev, array_integer_power(ev, a[0], 2), -2);
}

Value lax_reciprocal(Eval *ev, Value *a) {
  return lax_unary(ev, "reciprocal", OP_RECIPROCAL, "f", a[0]);
}

Value lax_is_finite(Eval *ev, Value *a) {
  Aval aval;
  take_aval(ev, "is_finite", a[0], 0, &aval);
  require_kind(ev, "is_finite", aval.dtype, "f", -1);
  return is_finite(ev, "is_finite", a[0]);
}

Value lax_clamp(Eval *ev, Value *a) { // min, x, max
  Aval avals[3];
  for (size_t i = 0; i < 3; i++) take_aval(ev, "clamp", a[i], i, &avals[i]);
  lax_same_dtypes(ev, "clamp", NULL, 3, avals);
  for (int i = 0; i < 3; i += 2)
    if (avals[i].rank &&
        (avals[i].rank != avals[1].rank ||
         memcmp(avals[i].dims, avals[1].dims, avals[1].rank * sizeof *avals[1].dims) != 0))
      eval_raise(ev, ev->types.TypeError,
                 "clamp requires %s.shape == operand.shape or %s.shape == (), got %.*s",
                 i ? "max" : "min", i ? "max" : "min",
                 STR_FMT(shape_text(ev->arena, avals[i].rank, avals[i].dims)));
  IrValue *x[3];
  for (int i = 0; i < 3; i++)
    x[i] = operand_as(ev, a[i], avals[1].dtype, avals[1].rank, avals[1].dims);
  IrBuilder *b = trace_builder(ev);
  return array_new(ev, ir_binary(b, OP_MIN, ir_binary(b, OP_MAX, x[1], x[0]), x[2]), avals[1].weak);
}

// lax.select(pred, on_true, on_false); lax.select_n(which, *cases).
static Value select_cases(Eval *ev, Value which, size_t count, const Value *cases) {
  Aval w, *avals = ARENA_ARRAY(ev->arena, Aval, count);
  take_aval(ev, "select", which, 0, &w);
  bool weak = true;
  for (size_t i = 0; i < count; i++) {
    take_aval(ev, "select", cases[i], i + 1, &avals[i]);
    weak = weak && avals[i].weak;
    if (avals[i].rank != avals[0].rank ||
        memcmp(avals[i].dims, avals[0].dims, avals[0].rank * sizeof *avals[0].dims) != 0)
      eval_raise(ev, ev->types.TypeError,
                 "select cases must have the same shapes, got [%.*s, %.*s].",
                 STR_FMT(shape_text(ev->arena, avals[0].rank, avals[0].dims)),
                 STR_FMT(shape_text(ev->arena, avals[i].rank, avals[i].dims)));
  }
  lax_same_dtypes(ev, "select", "where", count, avals);
  if (w.rank &&
      (w.rank != avals[0].rank || memcmp(w.dims, avals[0].dims, w.rank * sizeof *w.dims) != 0))
    eval_raise(ev, ev->types.TypeError,
               "select `which` must be scalar or have the same shape as cases, got `which` shape "
               "%.*s but case shape %.*s.",
               STR_FMT(shape_text(ev->arena, w.rank, w.dims)),
               STR_FMT(shape_text(ev->arena, avals[0].rank, avals[0].dims)));
  IrValue **x = ARENA_ARRAY(ev->arena, IrValue *, count);
  for (size_t i = 0; i < count; i++)
    x[i] = operand_as(ev, cases[i], avals[0].dtype, avals[0].rank, avals[0].dims);
  IrBuilder *b = trace_builder(ev);
  if (count == 1) return array_new(ev, x[0], weak);
  IrValue *index = operand_as(ev, which, w.dtype, avals[0].rank, avals[0].dims);
  if (w.dtype == DT_BOOL) {
    if (count != 2)
      eval_raise(ev, ev->types.TypeError,
                 "select with a bool `which` needs at most two cases, got %zu", count);
    return array_new(ev, ir_select(b, index, x[1], x[0]), weak);
  }
  require_kind(ev, "select `which`", w.dtype, "iu", 0);
  IrValue *result = x[count - 1];
  for (size_t i = count - 1; i-- > 0;) { // the index is clamped: below 1 the first case
    IrValue *test = ir_binary(b, OP_LE, index, ir_const_i64(b, index->type, (int64_t)i));
    result = ir_select(b, test, x[i], result);
  }
  return array_new(ev, result, weak);
}

Value lax_select(Eval *ev, Value *a) {
  Aval pred;
  take_aval(ev, "select", a[0], 0, &pred);
  require_kind(ev, "select", pred.dtype, "biu", 0);
  Value cases[2] = {a[2], a[1]};
  Value which = pred.dtype == DT_BOOL ? a[0] : array_result(ev, array_ir_cast(ev, a[0], DT_BOOL));
  return select_cases(ev, which, 2, cases);
}

Value lax_select_n(Eval *ev, Value *a) {
  Tuple *cases = value_as_tuple(a[1]);
  if (cases->count == 0)
    eval_raise(ev, ev->types.ValueError, "select_n() must have at least one case");
  if (cases->count > 2)
    chip_refuses(ev, STR("a TPU's compiler has select_n of two cases at most"),
                 STR("select_n only supported with <= 2 arguments"));
  return select_cases(ev, a[0], cases->count, cases->items);
}

Value lax_round(Eval *ev, Value *a) { // x, rounding_method
  Aval aval;
  take_aval(ev, "round", a[0], 0, &aval);
  require_kind(ev, "round", aval.dtype, "f", -1);
  Value name = v_is_none(a[1]) ? v_unbound() : value_getattr_opt(ev, a[1], array_names(ev)->name);
  Str text = STR("AWAY_FROM_ZERO");
  if (!v_is_unbound(name)) value_as_str(name, &text);
  OpCode code = str_equal(text, STR("TO_NEAREST_EVEN")) ? OP_ROUND_EVEN : OP_ROUND_AWAY;
  return array_new(ev, ir_unary(trace_builder(ev), code, array_ir(ev, a[0], DT_COUNT)), aval.weak);
}

Value lax_reduce_precision(Eval *ev, Value *a) { // operand, exponent_bits, mantissa_bits
  Aval aval;
  take_aval(ev, "reduce_precision", a[0], 0, &aval);
  require_kind(ev, "reduce_precision", aval.dtype, "f", -1);
  int64_t exponent = take_int(ev, a[1], "exponent_bits"),
          mantissa = take_int(ev, a[2], "mantissa_bits");
  IrValue *x = array_ir(ev, a[0], DT_COUNT);
  if (exponent < 1 || mantissa < 0)
    eval_raise(ev, ev->types.ValueError,
               "reduce_precision: exponent_bits must be positive and mantissa_bits not negative");
  IrOp *op = ir_build(trace_builder(ev), OP_REDUCE_PRECISION, 1, &x, 1, &x->type);
  ir_set_int(trace_module(ev), op, ATTR_EXPONENT_BITS, exponent);
  ir_set_int(trace_module(ev), op, ATTR_MANTISSA_BITS, mantissa);
  return array_new(ev, op->results[0], aval.weak);
}
