// SPDX-License-Identifier: Apache-2.0
// Python's operators on arrays: promotion, broadcasting, and which op each one is.
#include "base/buf.h"
#include "numpy/arrays/nd.h"
#include "ir/core/build.h"
#include "ir/core/ir.h"
#include "arith.h"
#include "array_ops.h"
#include "complex_array.h"
#include "subscript_plan.h"
#include "python/values/raise.h"
#include "python/values/suggest.h"
#include "python/objects/type_lookup.h"
#include "python/values/values.h"
#include "primitive.h"
#include "promote.h"
#include <string.h>

static const char *kind_words(char kind) {
  switch (kind) {
  case 'i':
  case 'u': return "integer";
  case 'f': return "floating";
  default: return "bool";
  }
}

// What an operator of bits was probably meant to be, on numbers that are not whole.
static const char *bitwise_hint(const char *what) {
  if (strcmp(what, "xor") == 0) return "a power is x ** y";
  if (strcmp(what, "and") == 0 || strcmp(what, "or") == 0)
    return "'&' and '|' bind more tightly than comparisons: (x > 1) & (x < 5)";
  return "";
}

static Str accepted_words(Arena *arena, const char *what, const char *kinds) {
  const char *known = primitive_accepts(what);
  if (known) return str_from_c(known);
  Buf buf;
  buf_init(&buf, arena);
  const char *last = "";
  for (const char *k = kinds; *k; k++) {
    const char *word = kind_words(*k);
    if (strcmp(word, last) != 0) buf_printf(&buf, "%s%s", buf.len ? ", " : "", word);
    last = word;
  }
  return buf_view(&buf);
}

void require_kind(Eval *ev, const char *what, DType dtype, const char *kinds, int position) {
  if (strchr(kinds, dtype_kind(dtype))) return;
  Str accepted = accepted_words(ev->arena, what, kinds);
  what = primitive_name(what);
  if (position < 0)
    raise_hinted(ev, ev->types.TypeError, bitwise_hint(what),
                 "%s does not accept dtype %s. Accepted dtypes are subtypes of %.*s.", what,
                 dtype_name(dtype), STR_FMT(accepted));
  raise_hinted(ev, ev->types.TypeError, bitwise_hint(what),
               "%s does not accept dtype %s at position %d. Accepted dtypes at position %d are "
               "subtypes of %.*s.",
               what, dtype_name(dtype), position, position, STR_FMT(accepted));
}

// ---- binary -------------------------------------------------------------------------------------
Value elementwise_binary(Eval *ev, const char *what, OpCode code, Value a, Value b) {
  IrValue *x, *y;
  bool weak;
  promote_pair(ev, what, a, b, &x, &y, &weak);
  return array_new(ev, ir_binary(trace_builder(ev), code, x, y), weak);
}

static Value binary_kind(Eval *ev, const char *what, OpCode code, Value a, Value b,
                         const char *kinds) {
  IrValue *x, *y;
  bool weak;
  promote_pair(ev, what, a, b, &x, &y, &weak);
  require_kind(ev, what, x->type->dtype, kinds, 0);
  return array_new(ev, ir_binary(trace_builder(ev), code, x, y), weak);
}

// Promotes with a rule applied to the common type.
static void promote_with(Eval *ev, const char *what, Value a, Value b,
                         DType (*rule)(const Eval *, DType), IrValue **x, IrValue **y, bool *weak) {
  Aval aa, bb;
  take_aval(ev, what, a, 0, &aa);
  take_aval(ev, what, b, 1, &bb);
  DType dtype = promote_or_raise(ev, aa.dtype, aa.weak, bb.dtype, bb.weak, weak);
  promote_pair_as(ev, what, a, &aa, b, &bb, rule(ev, dtype), x, y);
}

Value array_true_divide(Eval *ev, Value a, Value b) {
  IrValue *x, *y;
  bool weak;
  promote_with(ev, "true_divide", a, b, inexact_dtype, &x, &y, &weak);
  return array_new(ev, ir_binary(trace_builder(ev), OP_DIV, x, y), weak);
}

int64_t array_estimate_of(OpCode code, DType dtype) {
  enum { REMAINDER = 2, OF_FLOATS = 6, OF_SIGNED = 3, OF_UNSIGNED = 1 };
  if (code == OP_MOD) return REMAINDER;
  if (code != OP_FLOORDIV) return 0;
  return dtype_is_float(dtype) ? OF_FLOATS : dtype_is_signed(dtype) ? OF_SIGNED : OF_UNSIGNED;
}

static Value divide_down(Eval *ev, const char *what, OpCode code, Value a, Value b) {
  IrValue *x, *y;
  bool weak;
  promote_with(ev, what, a, b, numeric_dtype, &x, &y, &weak);
  Value result = array_new(ev, ir_binary(trace_builder(ev), code, x, y), weak);
  return array_estimated(ev, result, array_estimate_of(code, x->type->dtype));
}

Value array_floor_divide(Eval *ev, Value a, Value b) {
  return divide_down(ev, "floor_divide", OP_FLOORDIV, a, b);
}

Value array_remainder(Eval *ev, Value a, Value b) {
  return divide_down(ev, "remainder", OP_MOD, a, b);
}

static Value shift_right(Eval *ev, Value a, Value b) {
  IrValue *x, *y;
  bool weak;
  promote_with(ev, "shift_right_arithmetic", a, b, numeric_dtype, &x, &y, &weak);
  require_kind(ev, "shift_right_arithmetic", x->type->dtype, "iu", 0);
  OpCode code = dtype_is_signed(x->type->dtype) ? OP_SHR : OP_SHR_LOGICAL;
  return array_new(ev, ir_binary(trace_builder(ev), code, x, y), weak);
}

static Value shift_left(Eval *ev, Value a, Value b) {
  IrValue *x, *y;
  bool weak;
  promote_with(ev, "shift_left", a, b, numeric_dtype, &x, &y, &weak);
  require_kind(ev, "shift_left", x->type->dtype, "iu", 0);
  return array_new(ev, ir_binary(trace_builder(ev), OP_SHL, x, y), weak);
}

// ---- powers -------------------------------------------------------------------------------------
// x ** n by squaring, in the order JAX's expansion multiplies in.
static IrValue *power_by_squaring(Eval *ev, IrValue *x, uint64_t n) {
  IrValue *acc = NULL;
  while (n > 0) {
    if (n & 1) acc = acc ? ir_binary(trace_builder(ev), OP_MUL, acc, x) : x;
    n >>= 1;
    if (n > 0) x = ir_binary(trace_builder(ev), OP_MUL, x, x);
  }
  return acc;
}

Value array_estimated(Eval *ev, Value array, int64_t extra) {
  if (ev->trace->estimated == trace_builder(ev)->region)
    ev->trace->extra_flops += extra * ir_type_count(array_ir(ev, array, DT_COUNT)->type);
  return array;
}

// JAX's estimate takes a power to be a product for each bit of the exponent behind the first, and
// one for each that is set, though one of these is a copy.
Value array_integer_power(Eval *ev, Value a, int64_t exponent) {
  Aval aval;
  take_aval(ev, "integer_pow", a, 0, &aval);
  IrValue *x = array_ir(ev, a, DT_COUNT);
  x = ir_convert(trace_builder(ev), x, numeric_dtype(ev, aval.dtype));
  DType dtype = x->type->dtype;
  if (exponent < 0 && !dtype_is_float(dtype))
    eval_raise(ev, ev->types.TypeError,
               "Integers cannot be raised to negative powers, got integer_pow(%.*s, %lld)",
               STR_FMT(aval_text(ev->arena, &aval)), (long long)exponent);
  if (exponent == 0) return array_new(ev, ir_const_i64(trace_builder(ev), x->type, 1), aval.weak);
  uint64_t n = exponent < 0 ? 0 - (uint64_t)exponent : (uint64_t)exponent;
  IrValue *power = power_by_squaring(ev, x, n);
  if (exponent < 0) {
    IrBuilder *b = trace_builder(ev);
    power = ir_binary(b, OP_DIV, ir_const_i64(b, x->type, 1), power);
  }
  return array_estimated(ev, array_new(ev, power, aval.weak), n > 1);
}

// Integer ** integer with exponents known only at run time: squaring over the exponent's low six
// bits, as JAX does (0 ** y is 0 for y != 0).
static IrValue *integer_power_dynamic(Eval *ev, IrValue *x, IrValue *y) {
  IrBuilder *b = trace_builder(ev);
  IrValue *zero = ir_const_i64(b, y->type, 0), *one = ir_const_i64(b, x->type, 1);
  IrValue *vanishes = ir_binary(b, OP_AND, ir_binary(b, OP_EQ, x, ir_const_i64(b, x->type, 0)),
                                ir_binary(b, OP_NE, y, zero));
  IrValue *acc = ir_select(b, vanishes, ir_const_i64(b, x->type, 0), one);
  const int bits = 6;
  for (int i = 0; i < bits; i++) {
    IrValue *bit = ir_binary(b, OP_AND, y, ir_const_i64(b, y->type, 1));
    IrValue *odd = ir_binary(b, OP_NE, bit, zero);
    acc = ir_select(b, odd, ir_binary(b, OP_MUL, acc, x), acc);
    if (i + 1 == bits) break;
    x = ir_binary(b, OP_MUL, x, x);
    y = ir_binary(b, OP_SHR_LOGICAL, y, ir_const_i64(b, y->type, 1));
  }
  return acc;
}

// An exponent known now: a Python or NumPy integer, or an integer array of known data.
static bool known_exponent(Eval *ev, Value v, int64_t *out) {
  Value plain = value_unwrap(v);
  if (plain.kind == V_INT || plain.kind == V_BOOL)
    *out = plain.i;
  else if (value_is_nd(ev, v) && dtype_is_integer(((const NdArray *)v.o)->dtype))
    *out = dtype_load_i64(((const NdArray *)v.o)->dtype, ((const NdArray *)v.o)->data);
  else
    return static_integer(ev, v, out);
  return true;
}

Value array_power(Eval *ev, Value a, Value b) {
  Aval aa, bb;
  take_aval(ev, "power", a, 0, &aa);
  take_aval(ev, "power", b, 1, &bb);
  int64_t exponent;
  if (bb.rank == 0 && known_exponent(ev, b, &exponent)) return array_integer_power(ev, a, exponent);
  bool weak;
  DType dtype = promote_or_raise(ev, aa.dtype, aa.weak, bb.dtype, bb.weak, &weak);
  dtype = numeric_dtype(ev, dtype);
  if (dtype_is_float(aa.dtype) && !dtype_is_float(bb.dtype)) weak = aa.weak && bb.weak;
  IrValue *x, *y;
  // A float base with integer exponents keeps them integers in JAX; converting them is exact for
  // all that matters (|y| < 2**24).
  promote_pair_as(ev, "power", a, &aa, b, &bb, dtype, &x, &y);
  if (!dtype_is_float(dtype)) return array_new(ev, integer_power_dynamic(ev, x, y), weak);
  return array_new(ev, ir_binary(trace_builder(ev), OP_POW, x, y), weak);
}

// ---- the slots ----------------------------------------------------------------------------------
// Python's containers, which arrays are not compared with.
static bool is_container(Value v) {
  if (v.kind != V_OBJECT) return false;
  LayoutTag tag = v.o->type->layout;
  return tag == LAYOUT_TUPLE || tag == LAYOUT_LIST || tag == LAYOUT_DICT || tag == LAYOUT_SET;
}

// What stands right of no operator of an array.
static bool is_sequence(Value v) { return value_as_tuple(v) || value_as_list(v); }

// In JAX's own words.
static NORETURN void refuse_operands(Eval *ev, const char *op, Value a, Value b) {
  eval_raise(ev, ev->types.TypeError, "unsupported operand type(s) for %s: '%s' and '%s'", op,
             value_type(ev, a)->name->text, value_type(ev, b)->name->text);
}

Value array_binary(Eval *ev, BinaryOp op, Value a, Value b) {
  if (value_is_array(ev, a) && is_sequence(b)) refuse_operands(ev, binary_op_text(op), a, b);
  if (value_is_complex(ev, a) || value_is_complex(ev, b)) return complex_binary(ev, op, a, b);
  if (!value_is_arraylike(ev, a) || !value_is_arraylike(ev, b)) return v_not_implemented();
  switch (op) {
  case BIN_ADD: return elementwise_binary(ev, "add", OP_ADD, a, b);
  case BIN_SUB: return binary_kind(ev, "sub", OP_SUB, a, b, "iuf");
  case BIN_MUL: return elementwise_binary(ev, "mul", OP_MUL, a, b);
  case BIN_DIV: return array_true_divide(ev, a, b);
  case BIN_FLOOR_DIV: return array_floor_divide(ev, a, b);
  case BIN_MOD: return array_remainder(ev, a, b);
  case BIN_POW: return array_power(ev, a, b);
  case BIN_MATMUL: return ops_of_arrays(ev)->matmul(ev, a, b, v_none(), v_none());
  case BIN_SHL: return shift_left(ev, a, b);
  case BIN_SHR: return shift_right(ev, a, b);
  case BIN_AND: return binary_kind(ev, "and", OP_AND, a, b, "iub");
  case BIN_OR: return binary_kind(ev, "or", OP_OR, a, b, "iub");
  case BIN_XOR: return binary_kind(ev, "xor", OP_XOR, a, b, "iub");
  case BIN_COUNT: break;
  }
  return v_not_implemented();
}

static Value elementwise_unary(Eval *ev, const char *what, OpCode code, Value a) {
  Aval aval;
  take_aval(ev, what, a, 0, &aval);
  IrValue *x = array_ir(ev, a, DT_COUNT);
  return array_new(ev, ir_unary(trace_builder(ev), code, x), aval.weak);
}

Value array_unary(Eval *ev, UnaryOp op, Value a) {
  Aval aval;
  if (!value_aval(ev, a, false, &aval)) return v_not_implemented();
  switch (op) {
  case UN_NEG:
    require_kind(ev, "neg", aval.dtype, "iuf", -1);
    return elementwise_unary(ev, "neg", OP_NEG, a);
  case UN_POS: return value_is_array(ev, a) ? array_again(ev, (const Array *)a.o) : a;
  case UN_INVERT:
    require_kind(ev, "not", aval.dtype, "iub", -1);
    return elementwise_unary(ev, "not", OP_NOT, a);
  case UN_NOT:
  case UN_COUNT: break;
  }
  return v_not_implemented();
}

Value array_compare(Eval *ev, CompareOp op, Value a, Value b) {
  if (value_is_complex(ev, a) || value_is_complex(ev, b))
    return op < CMP_COUNT && complex_compares(op) ? complex_compare(ev, op, a, b)
                                                  : v_not_implemented();
  static const struct {
    OpCode code;
    const char *what;
  } ops[] = {
      [CMP_EQ] = {OP_EQ, "equal"},   [CMP_NE] = {OP_NE, "not_equal"},
      [CMP_LT] = {OP_LT, "less"},    [CMP_LE] = {OP_LE, "less_equal"},
      [CMP_GT] = {OP_GT, "greater"}, [CMP_GE] = {OP_GE, "greater_equal"},
  };
  if ((op == CMP_EQ || op == CMP_NE) && is_container(b))
    refuse_operands(ev, "==", a, b); // for != as well, as JAX
  if (op > CMP_GE || !value_is_arraylike(ev, a) || !value_is_arraylike(ev, b))
    return v_not_implemented();
  return elementwise_binary(ev, ops[op].what, ops[op].code, a, b);
}

Value array_astype(Eval *ev, Value a, DType dtype) {
  Aval aval;
  take_aval(ev, "astype", a, 0, &aval);
  dtype = canonical_dtype(ev, dtype);
  if (aval.dtype == dtype && !aval.weak && value_is_array(ev, a)) return a;
  return array_new(ev, array_ir_cast(ev, a, dtype), false);
}
