// SPDX-License-Identifier: Apache-2.0
// Arithmetic on host arrays with NumPy 2's dtype rules. Floats are computed in double and rounded
// to the result's type (which for + - * / and sqrt is the correctly rounded result), integers in 64
// bits and wrapped.
#include "nd.h"
#include "jax/program/eager.h"
#include <math.h>
#include <string.h>

// ---- dtypes -------------------------------------------------------------------------------------

static int kind_rank(DType dtype) {
  switch (dtype_kind(dtype)) {
  case 'b': return 0;
  case 'f': return 2;
  default: return 1;
  }
}

static DType signed_of_bits(unsigned bits) {
  return bits <= 8 ? DT_I8 : bits <= 16 ? DT_I16 : bits <= 32 ? DT_I32 : DT_I64;
}

static bool is_narrow_float(DType d) { // NumPy does not know these; any other float wins
  return dtype_kind(d) == 'f' && d != DT_F16 && d != DT_F32 && d != DT_F64;
}

static DType promote_integers(DType a, DType b) {
  bool a_signed = dtype_is_signed(a), b_signed = dtype_is_signed(b);
  unsigned a_bits = dtype_bits(a), b_bits = dtype_bits(b);
  if (a_signed == b_signed) return a_bits >= b_bits ? a : b;
  unsigned sbits = a_signed ? a_bits : b_bits, ubits = a_signed ? b_bits : a_bits;
  if (sbits > ubits) return a_signed ? a : b;
  return ubits >= 64 ? DT_F64 : signed_of_bits(ubits * 2);
}

static DType promote_float_integer(DType f, DType i) {
  if (is_narrow_float(f)) return f;
  unsigned bits = dtype_bits(i);
  DType needed = bits <= 8 ? DT_F16 : bits <= 16 ? DT_F32 : DT_F64;
  return dtype_bits(f) >= dtype_bits(needed) ? f : needed;
}

DType nd_promote(DType a, bool a_python, DType b, bool b_python) {
  if (a == b) return a;
  if (a_python != b_python) { // a Python scalar only decides the kind
    DType python = a_python ? a : b, other = a_python ? b : a;
    if (kind_rank(python) <= kind_rank(other)) return other;
    return kind_rank(python) == 2 ? DT_F64 : DT_I64;
  }
  int ra = kind_rank(a), rb = kind_rank(b);
  if (ra == 0) return b;
  if (rb == 0) return a;
  if (ra == 1 && rb == 1) return promote_integers(a, b);
  if (ra == 2 && rb == 2) {
    if (is_narrow_float(a) != is_narrow_float(b)) return is_narrow_float(a) ? b : a;
    if (dtype_bits(a) == dtype_bits(b)) return DT_F32;
    return dtype_bits(a) > dtype_bits(b) ? a : b;
  }
  return ra == 2 ? promote_float_integer(a, b) : promote_float_integer(b, a);
}

// The float type that exp and the like give for an integer type.
static DType inexact_of(DType d) {
  if (dtype_kind(d) == 'f') return d;
  if (d == DT_BOOL || dtype_bits(d) <= 8) return DT_F16;
  return dtype_bits(d) <= 16 ? DT_F32 : DT_F64;
}

// ---- one element --------------------------------------------------------------------------------

static double float_unary(OpCode code, double x) {
  if (code == OP_SIGN) return isnan(x) ? x : (x > 0) - (x < 0); // 0 of -0.0, not as JAX
  return ir_evaluate_unary(code, x);
}

static double float_mod(double x, double y) {
  double r = fmod(x, y);
  if (r == 0) return copysign(0, y);
  return (r < 0) != (y < 0) ? r + y : r;
}

static double float_binary(OpCode code, double x, double y) {
  switch (code) {
  case OP_ADD: return x + y;
  case OP_SUB: return x - y;
  case OP_MUL: return x * y;
  case OP_DIV: return x / y;
  case OP_REM: return fmod(x, y);
  case OP_FLOORDIV: return y == 0 ? x / y : floor((x - float_mod(x, y)) / y + 0.5);
  case OP_MOD: return float_mod(x, y);
  case OP_MAX: return isnan(x) ? x : isnan(y) ? y : x > y ? x : y;
  case OP_MIN: return isnan(x) ? x : isnan(y) ? y : x < y ? x : y;
  case OP_POW: return pow(x, y);
  case OP_ATAN2: return atan2(x, y);
  case OP_NEXTAFTER: return nextafter(x, y);
  default: BUG("no such binary op on host floats: %s", op_info(code)->name);
  }
}

static uint64_t integer_power(uint64_t x, int64_t n) {
  uint64_t r = 1;
  for (; n > 0; n >>= 1, x *= x)
    if (n & 1) r *= x;
  return r;
}

static int64_t integer_divide(bool is_unsigned, int64_t x, int64_t y, bool floor_it,
                              int64_t *rest) {
  *rest = 0;
  if (y == 0) return 0;
  if (is_unsigned) {
    *rest = (int64_t)((uint64_t)x % (uint64_t)y);
    return (int64_t)((uint64_t)x / (uint64_t)y);
  }
  if (y == -1) return (int64_t)(0 - (uint64_t)x);
  int64_t q = x / y, r = x % y;
  if (floor_it && r != 0 && (r < 0) != (y < 0)) q--, r += y;
  *rest = r;
  return q;
}

static int64_t integer_binary(OpCode code, bool is_unsigned, int64_t x, int64_t y, unsigned bits) {
  uint64_t a = (uint64_t)x, b = (uint64_t)y;
  int64_t rest;
  bool less = is_unsigned ? a < b : x < y;
  switch (code) {
  case OP_ADD: return (int64_t)(a + b);
  case OP_SUB: return (int64_t)(a - b);
  case OP_MUL: return (int64_t)(a * b);
  case OP_DIV: return integer_divide(is_unsigned, x, y, false, &rest);
  case OP_FLOORDIV: return integer_divide(is_unsigned, x, y, true, &rest);
  case OP_REM: integer_divide(is_unsigned, x, y, false, &rest); return rest;
  case OP_MOD: integer_divide(is_unsigned, x, y, true, &rest); return rest;
  case OP_MAX: return less ? y : x;
  case OP_MIN: return less ? x : y;
  case OP_POW: return (int64_t)integer_power(a, y);
  case OP_AND: return (int64_t)(a & b);
  case OP_OR: return (int64_t)(a | b);
  case OP_XOR: return (int64_t)(a ^ b);
  case OP_SHL: return b >= bits ? 0 : (int64_t)(a << b);
  case OP_SHR:
    return b >= bits ? (is_unsigned || x >= 0 ? 0 : -1) : is_unsigned ? (int64_t)(a >> b) : x >> b;
  default: BUG("no such binary op on host integers: %s", op_info(code)->name);
  }
}

static bool compare_order(OpCode code, int order) { // -1, 0, 1; 2: unordered
  switch (code) {
  case OP_EQ: return order == 0;
  case OP_NE: return order != 0;
  case OP_LT: return order == -1;
  case OP_LE: return order == -1 || order == 0;
  case OP_GT: return order == 1;
  default: return order == 1 || order == 0;
  }
}

// ---- arrays -------------------------------------------------------------------------------------

typedef struct Operand {
  NdArray *nd;
  bool python; // made from a Python scalar
} Operand;

// False: not something NumPy would take (a jax.Array, a string …).
static bool take_operand(Eval *ev, Value v, Operand *out) {
  Value scalar = value_unwrap(v);
  if (scalar.kind >= V_BOOL && scalar.kind <= V_FLOAT) {
    *out = (Operand){nd_from_value(ev, scalar, DT_COUNT, "an operand"), true};
    return true;
  }
  if (!value_is_nd(ev, v) && !value_as_list(v) && !value_as_tuple(v)) return false;
  *out = (Operand){nd_from_value(ev, v, DT_COUNT, "an operand"), false};
  return true;
}

static Operand need_operand(Eval *ev, Value v) {
  Operand o;
  if (take_operand(ev, v, &o)) return o;
  return (Operand){nd_from_value(ev, v, DT_COUNT, "an operand"), false};
}

static bool is_compare(OpCode code) { return op_info(code)->op_class == CLASS_COMPARE; }

static DType result_dtype(Eval *ev, OpCode code, DType common) {
  bool is_float = dtype_is_float(common);
  bool bitwise =
      code == OP_AND || code == OP_OR || code == OP_XOR || code == OP_SHL || code == OP_SHR;
  if (bitwise && is_float)
    eval_raise(ev, ev->types.TypeError, "ufunc '%s' not supported for the input types",
               op_info(code)->name);
  if (code == OP_DIV || code == OP_ATAN2) return is_float ? common : DT_F64;
  if (common == DT_BOOL && (code == OP_SUB))
    eval_raise(ev, ev->types.TypeError,
               "numpy boolean subtract, the `-` operator, is not supported, use the bitwise_xor, "
               "the `^` operator, or the logical_xor function instead.");
  if (common == DT_BOOL && !bitwise && code != OP_ADD && code != OP_MUL && code != OP_MAX &&
      code != OP_MIN)
    return DT_I8;
  return common;
}

// Either operand's elements that were never written make the result's so. Masks are beyond this:
// `&` and `|` leave out what one side of them decides.
static void moved_by(Eval *ev, OpCode code, const NdArray *out, const NdArray *x,
                     const NdArray *y) {
  if (code != OP_AND && code != OP_OR) run_moved(ev, out, run_is_partly_unwritten(ev, x) ? x : y);
}

static NdArray *binary(Eval *ev, OpCode code, Operand x, Operand y) {
  DType common = nd_promote(x.nd->dtype, x.python, y.nd->dtype, y.python);
  DType compute = is_compare(code) ? common : result_dtype(ev, code, common);
  NdArray *both[] = {x.nd, y.nd};
  uint8_t rank;
  int64_t dims[IR_MAX_RANK];
  if (!nd_common_shape(2, both, &rank, dims))
    eval_raise(ev, ev->types.ValueError,
               "operands could not be broadcast together with shapes %.*s %.*s",
               STR_FMT(shape_text(ev->arena, x.nd->rank, x.nd->dims)),
               STR_FMT(shape_text(ev->arena, y.nd->rank, y.nd->dims)));
  NdArray *a = nd_broadcast(ev, nd_cast(ev, x.nd, compute), rank, dims),
          *b = nd_broadcast(ev, nd_cast(ev, y.nd, compute), rank, dims);
  NdArray *out = nd_new(ev, is_compare(code) ? DT_BOOL : compute, rank, dims);
  size_t size = dtype_size(out->dtype);
  int64_t count = nd_count(out);
  bool is_float = dtype_is_float(compute), is_unsigned = dtype_kind(compute) != 'i';
  for (int64_t i = 0; i < count; i++) {
    char *target = out->data + (size_t)i * size;
    if (is_float) {
      double p = nd_get_f64(a, i), q = nd_get_f64(b, i);
      int order = p < q ? -1 : p > q ? 1 : p == q ? 0 : 2;
      if (is_compare(code))
        *target = compare_order(code, order);
      else
        dtype_store_f64(compute, target, float_binary(code, p, q));
    } else {
      int64_t p = nd_get_i64(a, i), q = nd_get_i64(b, i);
      bool less = is_unsigned ? (uint64_t)p < (uint64_t)q : p < q;
      if (is_compare(code))
        *target = compare_order(code, p == q ? 0 : less ? -1 : 1);
      else if (compute == DT_BOOL && code == OP_ADD)
        *target = (p | q) != 0;
      else
        dtype_store_i64(compute, target,
                        integer_binary(code, is_unsigned, p, q, dtype_bits(compute)));
    }
  }
  moved_by(ev, code, out, a, b);
  return out;
}

Value nd_binary(Eval *ev, OpCode code, Value x, Value y) {
  return nd_value(ev, binary(ev, code, need_operand(ev, x), need_operand(ev, y)));
}

static bool keeps_integers(OpCode code) {
  return code == OP_NEG || code == OP_ABS || code == OP_SIGN || code == OP_FLOOR ||
         code == OP_CEIL || code == OP_TRUNC || code == OP_ROUND_EVEN || code == OP_NOT;
}

Value nd_unary(Eval *ev, OpCode code, Value v) {
  NdArray *x = nd_from_value(ev, v, DT_COUNT, "an operand");
  if (code == OP_IS_FINITE) {
    NdArray *out = nd_new(ev, DT_BOOL, x->rank, x->dims);
    for (int64_t i = 0, n = nd_count(x); i < n; i++)
      out->data[i] = !dtype_is_float(x->dtype) || isfinite(nd_get_f64(x, i));
    run_moved(ev, out, x);
    return nd_value(ev, out);
  }
  bool integers = !dtype_is_float(x->dtype) && keeps_integers(code);
  DType dtype = integers ? x->dtype : inexact_of(x->dtype);
  NdArray *out = nd_new(ev, dtype, x->rank, x->dims);
  size_t size = dtype_size(dtype);
  for (int64_t i = 0, n = nd_count(x); i < n; i++) {
    char *target = out->data + (size_t)i * size;
    if (!integers) {
      dtype_store_f64(dtype, target, float_unary(code, nd_get_f64(x, i)));
      continue;
    }
    int64_t p = nd_get_i64(x, i);
    if (code == OP_NEG) p = (int64_t)(0 - (uint64_t)p);
    if (code == OP_ABS && dtype_kind(dtype) == 'i' && p < 0) p = (int64_t)(0 - (uint64_t)p);
    if (code == OP_SIGN) p = (p > 0) - (p < 0);
    if (code == OP_NOT) p = dtype == DT_BOOL ? !p : ~p;
    dtype_store_i64(dtype, target, p);
  }
  run_moved(ev, out, x);
  return nd_value(ev, out);
}

// ---- operators ----------------------------------------------------------------------------------

Value nd_slot_binary(Eval *ev, BinaryOp op, Value left, Value right) {
  static const OpCode codes[BIN_COUNT] = {[BIN_ADD] = OP_ADD,
                                          [BIN_SUB] = OP_SUB,
                                          [BIN_MUL] = OP_MUL,
                                          [BIN_DIV] = OP_DIV,
                                          [BIN_FLOOR_DIV] = OP_FLOORDIV,
                                          [BIN_MOD] = OP_MOD,
                                          [BIN_POW] = OP_POW,
                                          [BIN_SHL] = OP_SHL,
                                          [BIN_SHR] = OP_SHR,
                                          [BIN_AND] = OP_AND,
                                          [BIN_OR] = OP_OR,
                                          [BIN_XOR] = OP_XOR};
  Operand x, y;
  if (!take_operand(ev, left, &x) || !take_operand(ev, right, &y)) return v_not_implemented();
  if (op == BIN_MATMUL) return nd_matmul(ev, left, right);
  return nd_value(ev, binary(ev, codes[op], x, y));
}

Value nd_slot_unary(Eval *ev, UnaryOp op, Value self) {
  if (op == UN_POS) return self;
  return nd_unary(ev, op == UN_NEG ? OP_NEG : OP_NOT, self);
}

Value nd_slot_compare(Eval *ev, CompareOp op, Value left, Value right) {
  static const OpCode codes[] = {[CMP_EQ] = OP_EQ, [CMP_NE] = OP_NE, [CMP_LT] = OP_LT,
                                 [CMP_LE] = OP_LE, [CMP_GT] = OP_GT, [CMP_GE] = OP_GE};
  Operand x, y;
  if (!take_operand(ev, left, &x) || !take_operand(ev, right, &y)) return v_not_implemented();
  return nd_value(ev, binary(ev, codes[op], x, y));
}

// ---- reductions ---------------------------------------------------------------------------------

typedef struct Cell { // one result being accumulated
  double f;
  int64_t i, at; // at: of argmax and argmin
  bool any;
} Cell;

static void accumulate(OpCode code, const NdArray *x, int64_t i, int64_t along, Cell *c) {
  if (dtype_is_float(x->dtype)) {
    double v = nd_get_f64(x, i);
    bool better = !c->any || (isnan(v) && !isnan(c->f)) ||
                  (code == OP_ARGMAX || code == OP_REDUCE_MAX ? v > c->f : v < c->f);
    switch (code) {
    case OP_REDUCE_SUM: c->f += v; break;
    case OP_REDUCE_PROD: c->f = c->any ? c->f * v : v; break;
    case OP_REDUCE_AND: c->i = (c->any ? c->i : 1) && v != 0; break;
    case OP_REDUCE_OR: c->i = c->i || v != 0; break;
    default:
      if (better && !(c->any && isnan(c->f))) c->f = v, c->at = along;
    }
  } else {
    int64_t v = nd_get_i64(x, i);
    bool is_unsigned = dtype_kind(x->dtype) != 'i';
    bool greater = is_unsigned ? (uint64_t)v > (uint64_t)c->i : v > c->i;
    bool better =
        !c->any || (code == OP_ARGMAX || code == OP_REDUCE_MAX ? greater : !greater && v != c->i);
    switch (code) {
    case OP_REDUCE_SUM: c->i = (int64_t)((uint64_t)c->i + (uint64_t)v); break;
    case OP_REDUCE_PROD: c->i = c->any ? (int64_t)((uint64_t)c->i * (uint64_t)v) : v; break;
    case OP_REDUCE_AND: c->i = (c->any ? c->i : 1) && v; break;
    case OP_REDUCE_OR: c->i = c->i || v; break;
    default:
      if (better) c->i = v, c->at = along;
    }
  }
  c->any = true;
}

static DType reduced_dtype(OpCode code, DType dtype) {
  if (code == OP_REDUCE_AND || code == OP_REDUCE_OR) return DT_BOOL;
  if (code == OP_ARGMAX || code == OP_ARGMIN) return DT_I64;
  if (code != OP_REDUCE_SUM && code != OP_REDUCE_PROD) return dtype;
  if (dtype == DT_BOOL || dtype_kind(dtype) == 'i') return DT_I64;
  return dtype_kind(dtype) == 'u' ? DT_U64 : dtype;
}

NdArray *nd_reduce(Eval *ev, OpCode code, const NdArray *x, uint32_t axes, bool keepdims,
                   DType dtype) {
  int64_t kept[IR_MAX_RANK], shape[IR_MAX_RANK], out_stride[IR_MAX_RANK],
      count = nd_count(x), cells = 1, along_stride[IR_MAX_RANK], along = 1;
  size_t rank = 0;
  for (int d = 0; d < x->rank; d++) {
    kept[d] = axes >> d & 1 ? 1 : x->dims[d];
    if (!(axes >> d & 1) || keepdims) shape[rank++] = kept[d];
  }
  for (int d = x->rank; d-- > 0;) {
    out_stride[d] = axes >> d & 1 ? 0 : cells;
    along_stride[d] = axes >> d & 1 ? along : 0;
    cells *= kept[d];
    if (axes >> d & 1) along *= x->dims[d];
  }
  bool needs_items =
      code == OP_REDUCE_MAX || code == OP_REDUCE_MIN || code == OP_ARGMAX || code == OP_ARGMIN;
  if (needs_items && along == 0 && cells > 0)
    eval_raise(ev, ev->types.ValueError,
               "zero-size array to reduction operation %s which has no identity",
               code == OP_REDUCE_MAX ? "maximum" : "minimum");
  run_look_at(ev, x);
  Cell *cell = ARENA_ARRAY(ev->arena, Cell, cells + 1);
  for (int64_t i = 0; i < count; i++) {
    int64_t rest = i, to = 0, position = 0;
    for (int d = x->rank; d-- > 0;) {
      int64_t p = rest % x->dims[d];
      rest /= x->dims[d];
      to += p * out_stride[d];
      position += p * along_stride[d];
    }
    accumulate(code, x, i, position, &cell[to]);
  }
  DType result = dtype != DT_COUNT ? dtype : reduced_dtype(code, x->dtype);
  NdArray *out = nd_new(ev, result, rank, shape);
  bool from_float = dtype_is_float(x->dtype) && code != OP_REDUCE_AND && code != OP_REDUCE_OR &&
                    code != OP_ARGMAX && code != OP_ARGMIN;
  for (int64_t i = 0; i < cells; i++) {
    char *target = out->data + (size_t)i * dtype_size(result);
    Cell *c = &cell[i];
    if (!c->any && (code == OP_REDUCE_PROD || code == OP_REDUCE_AND)) c->f = 1, c->i = 1;
    if (code == OP_ARGMAX || code == OP_ARGMIN)
      dtype_store_i64(result, target, c->at);
    else if (from_float)
      dtype_store_f64(result, target, c->f);
    else
      dtype_store_i64(result, target, c->i);
  }
  return out;
}
