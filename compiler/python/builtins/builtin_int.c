// SPDX-License-Identifier: Apache-2.0
// int and bool. Small integers are done here in int64, the rest in builtin_bigint.c.
#include "python/values/builtin_state.h"
#include "python/builtins/text/builtin_bytes.h"
#include "builtin_index.h"
#include "builtin_int.h"
#include "python/builtins/text/builtin_text.h"
#include "builtin_wrap.h"
#include "python/numbers/bigint.h"
#include "python/values/bytes_like.h"
#include "python/objects/convert.h"
#include "python/numbers/integer.h"
#include "python/values/new_value.h"
#include "python/numbers/number.h"
#include "python/objects/protocol.h"
#include "python/values/raise.h"
#include "python/objects/type_lookup.h"
#include "python/objects/value_call.h"
#include "python/values/values.h"
#include "python/builtins/text/builtin_format.h"
#include <ctype.h>
#include <math.h>
#include <string.h>

bool value_is_int(Value v) { return int_operand(&v); }

// ---- arithmetic ---------------------------------------------------------------------------------
static Value int_binary(Eval *ev, BinaryOp op, Value left, Value right) {
  if (op == BIN_MATMUL || !int_operand(&left) || !int_operand(&right)) return v_not_implemented();
  if (left.kind == V_BOOL && right.kind == V_BOOL &&
      (op == BIN_AND || op == BIN_OR || op == BIN_XOR)) {
    int64_t bit = op == BIN_AND  ? left.i & right.i
                  : op == BIN_OR ? left.i | right.i
                                 : left.i ^ right.i;
    return v_bool(bit);
  }
  return int_arithmetic(ev, op, left, right);
}

static Value int_unary(Eval *ev, UnaryOp op, Value self) {
  if (!int_operand(&self)) return v_not_implemented();
  switch (op) {
  case UN_POS: return self.kind == V_BOOL ? v_int(self.i) : self;
  case UN_NEG:
    return self.kind != V_OBJECT && self.i != INT64_MIN ? v_int(-self.i) : big_negate(ev, self);
  case UN_INVERT: return self.kind != V_OBJECT ? v_int(~self.i) : big_invert(ev, self);
  default: return v_not_implemented();
  }
}

static Value int_compare(Eval *ev UNUSED, CompareOp op, Value left, Value right) {
  if (!int_operand(&left)) return v_not_implemented();
  int order;
  if (int_operand(&right)) {
    order = big_compare(left, right);
  } else {
    Value other = value_unwrap(right);
    if (other.kind != V_FLOAT) return v_not_implemented();
    if (isnan(other.f)) return v_bool(op == CMP_NE);
    order = big_compare_double(left, other.f);
  }
  return v_bool(order_holds(op, order));
}

// ---- other slots --------------------------------------------------------------------------------
static uint64_t int_hash(Eval *ev UNUSED, Value self) {
  int_operand(&self);
  return big_hash(self);
}

static bool int_truth(Eval *ev UNUSED, Value self) {
  int_operand(&self);
  return big_sign(self) != 0;
}

static Str int_repr(Eval *ev, Value self) {
  int_operand(&self);
  return int_text(ev, self);
}

static Str int_format(Eval *ev, Value self, Str spec) { return format_int(ev, self, spec); }

static Str bool_repr(Eval *ev UNUSED, Value self) { return self.i ? STR("True") : STR("False"); }

static Str bool_format(Eval *ev, Value self, Str spec) {
  if (spec.len == 0) return bool_repr(ev, self);
  return format_int(ev, self, spec);
}

static int64_t int_index(Eval *ev, Value self) {
  int_operand(&self);
  if (self.kind == V_OBJECT)
    eval_raise(ev, ev->types.OverflowError, "Python int too large to convert to C ssize_t");
  return self.i;
}

// ---- making -------------------------------------------------------------------------------------
static int digit_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  c |= 32;
  return c >= 'a' && c <= 'z' ? c - 'a' + 10 : 99;
}

// Skips "0x" and the like if the base allows it, and fixes base 0. False: "010" in base 0.
static bool skip_prefix(Str *text, int *base) {
  int prefix_base = 0;
  if (text->len > 1 && text->data[0] == '0') {
    char c = text->data[1] | 32;
    prefix_base = c == 'x' ? 16 : c == 'o' ? 8 : c == 'b' ? 2 : 0;
  }
  if (prefix_base != 0 && (*base == 0 || *base == prefix_base)) {
    *base = prefix_base;
    text->data += 2, text->len -= 2;
    if (text->len > 0 && text->data[0] == '_') text->data++, text->len--;
    return true;
  }
  if (*base != 0) return true;
  *base = 10;
  if (text->len == 0 || text->data[0] != '0') return true;
  for (size_t i = 0; i < text->len; i++) {
    if (text->data[i] != '0' && text->data[i] != '_') return false;
  }
  return true;
}

// The digits without underscores; an empty Str if something is no digit of the base.
static Str clean_digits(Arena *arena, Str text, int base) {
  char *digits = arena_alloc(arena, text.len + 1);
  size_t count = 0;
  for (size_t i = 0; i < text.len; i++) {
    if (text.data[i] == '_') {
      if (i == 0 || i + 1 == text.len || text.data[i - 1] == '_') return (Str){0};
      continue;
    }
    if (digit_value(text.data[i]) >= base) return (Str){0};
    digits[count++] = text.data[i];
  }
  return (Str){digits, count};
}

// int(text, base)
static Value int_parse(Eval *ev, Value original, Str text, int base) {
  if (base != 0 && (base < 2 || base > 36))
    eval_raise(ev, ev->types.ValueError, "int() base must be >= 2 and <= 36, or 0");
  int given_base = base;
  Str rest = text_number_ascii(ev->arena, text);
  while (rest.len > 0 && isspace((unsigned char)rest.data[0])) rest.data++, rest.len--;
  while (rest.len > 0 && isspace((unsigned char)rest.data[rest.len - 1])) rest.len--;
  bool negative = rest.len > 0 && rest.data[0] == '-';
  if (negative || (rest.len > 0 && rest.data[0] == '+')) rest.data++, rest.len--;
  Str digits = {0};
  if (skip_prefix(&rest, &base)) digits = clean_digits(ev->arena, rest, base);
  if (digits.len == 0) {
    Str shown = value_repr(ev, original);
    shown.len = text_offset(shown, 200); // as CPython cuts it
    eval_raise(ev, ev->types.ValueError, "invalid literal for int() with base %d: %.*s", given_base,
               STR_FMT(shown));
  }
  if (digits.len > INT_MAX_STR_DIGITS && (base & (base - 1)) != 0) {
    eval_raise(ev, ev->types.ValueError,
               "Exceeds the limit (%d digits) for integer string conversion: value has %zu digits; "
               "use sys.set_int_max_str_digits() to increase the limit",
               INT_MAX_STR_DIGITS, digits.len);
  }
  Value result = big_parse(ev, digits, base);
  return negative ? int_unary(ev, UN_NEG, result) : result;
}

// What __int__ or __trunc__ gives, made sure to be an int.
static Value checked_int(Eval *ev, Value v, const char *method) {
  if (!int_operand(&v))
    eval_raise(ev, ev->types.TypeError, "%s returned non-int (type %s)", method,
               value_type_name(ev, v));
  return v.kind == V_BOOL ? v_int(v.i) : v;
}

static Value int_from_value(Eval *ev, Value v) {
  const struct BuiltinNames *names = &ev->builtin->names;
  Str text;
  Value plain = value_unwrap(v);
  if (plain.kind == V_FLOAT &&
      (v.kind == V_FLOAT || value_type(ev, v)->payload == ev->types.floating))
    return int_from_double(ev, trunc(plain.f));
  if (int_operand(&v)) return v.kind == V_BOOL ? v_int(v.i) : v;
  Value number;
  if (number_of_object(ev, v, &number))
    return number.kind == V_FLOAT  ? int_from_double(ev, trunc(number.f))
           : number.kind == V_BOOL ? v_int(number.i)
                                   : number;
  if (value_as_str(v, &text)) return int_parse(ev, v, text, 10);
  if (value_as_bytes(ev, v, &text)) return int_parse(ev, v, text, 10);
  Value result = special_call(ev, v, names->dunder_int, 0, NULL);
  if (!v_is_unbound(result)) return checked_int(ev, result, "__int__");
  result = take_index_opt(ev, v);
  if (!v_is_unbound(result)) return checked_int(ev, result, "__index__");
  result = special_call(ev, v, names->dunder_trunc, 0, NULL);
  if (!v_is_unbound(result)) return checked_int(ev, take_index(ev, result), "__trunc__");
  eval_raise(ev, ev->types.TypeError,
             "int() argument must be a string, a bytes-like object or a real number, not '%s'",
             value_type_name(ev, v));
}

static Value int_new(Eval *ev, Value *a) {
  Type *cls = (Type *)a[0].o;
  Value result;
  if (v_is_unbound(a[1])) {
    if (!v_is_unbound(a[2])) eval_raise(ev, ev->types.TypeError, "int() missing string argument");
    result = v_int(0);
  } else if (v_is_unbound(a[2])) {
    result = int_from_value(ev, a[1]);
  } else {
    Str text;
    int64_t base = take_index_clamped(ev, a[2]);
    if (!value_as_bytes(ev, a[1], &text) && !value_as_str(a[1], &text)) {
      eval_raise(ev, ev->types.TypeError, "int() can't convert non-string with explicit base");
    }
    result = int_parse(ev, a[1], text, base < -1 || base > 99 ? 99 : (int)base);
  }
  return payload_wrap(ev, cls, ev->types.integer, result);
}

static Value int_of(Eval *ev, const Args *args) {
  if (!args_are(args, 1, 1)) return v_unbound();
  Value x = args->items[0];
  if (x.kind == V_INT || x.kind == V_BOOL) return v_int(x.i);
  if (x.kind == V_FLOAT) return int_from_double(ev, trunc(x.f));
  return is_a(x, ev->types.string) ? int_parse(ev, x, ((const StrObject *)x.o)->text, 10)
                                   : v_unbound();
}

static Value bool_of(Eval *ev, const Args *args) {
  bool is_plain = args_are(args, 1, 1) &&
                  (args->items[0].kind != V_OBJECT || !args->items[0].o->type->slots.number);
  return is_plain ? v_bool(value_truth(ev, args->items[0])) : v_unbound();
}

static Value bool_new(Eval *ev, Value *a) {
  return v_bool(!v_is_unbound(a[1]) && value_truth(ev, a[1]));
}

// ---- methods ------------------------------------------------------------------------------------
static Value self_int(Eval *ev, Value self) {
  if (!int_operand(&self)) {
    eval_raise(ev, ev->types.TypeError, "descriptor requires a 'int' object but received a '%s'",
               value_type_name(ev, self));
  }
  return self.kind == V_BOOL ? v_int(self.i) : self;
}

static Value int_same(Eval *ev, Value *a) { return self_int(ev, a[0]); }

static Value int_bit_length(Eval *ev, Value *a) {
  if (a[0].kind == V_INT && a[0].i > 0) return v_int(64 - __builtin_clzll((uint64_t)a[0].i));
  return v_int(big_bit_length(self_int(ev, a[0])));
}

static Value int_bit_count(Eval *ev, Value *a) { return v_int(big_bit_count(self_int(ev, a[0]))); }

static Value int_to_float(Eval *ev, Value *a) {
  double x;
  if (!big_as_double(self_int(ev, a[0]), &x))
    eval_raise(ev, ev->types.OverflowError, "int too large to convert to float");
  return v_float(x);
}

static Value int_abs(Eval *ev, Value *a) {
  Value self = self_int(ev, a[0]);
  return big_sign(self) < 0 ? int_unary(ev, UN_NEG, self) : self;
}

static Value int_ratio(Eval *ev, Value *a) {
  return make_tuple(ev, 2, (Value[]){self_int(ev, a[0]), v_int(1)});
}

// To a multiple of 10^-ndigits, half to even.
static Value int_round(Eval *ev, Value *a) {
  Value self = self_int(ev, a[0]);
  if (v_is_unbound(a[1]) || v_is_none(a[1])) return self;
  Value ndigits = take_index(ev, a[1]);
  if (big_sign(ndigits) >= 0) return self;
  // Beyond the digits it has the result is 0.
  if (ndigits.kind == V_OBJECT || -(double)ndigits.i > (double)big_bit_length(self))
    return v_int(0);
  Value unit = int_arithmetic(ev, BIN_POW, v_int(10), v_int(-ndigits.i));
  Value remainder, quotient = int_divmod(ev, self, unit, &remainder);
  int order = big_compare(int_add(ev, remainder, remainder), unit);
  bool is_odd = big_low_bits(quotient) & 1;
  if (order > 0 || (order == 0 && is_odd)) quotient = int_add(ev, quotient, v_int(1));
  return int_multiply(ev, quotient, unit);
}

static Value int_divmod_method(Eval *ev, Value *a) {
  Value left = a[0], right = a[1], remainder;
  if (!int_operand(&left) || !int_operand(&right)) return v_not_implemented();
  Value quotient = int_divmod(ev, left, right, &remainder);
  return make_tuple(ev, 2, (Value[]){quotient, remainder});
}

static Value int_rdivmod_method(Eval *ev, Value *a) {
  return int_divmod_method(ev, (Value[]){a[1], a[0]});
}

static Value int_pow_method(Eval *ev, Value *a) {
  Value base = a[0], exponent = a[1], modulus = a[2];
  if (!int_operand(&base) || !int_operand(&exponent)) return v_not_implemented();
  if (v_is_none(modulus)) return int_arithmetic(ev, BIN_POW, base, exponent);
  if (!int_operand(&modulus)) return v_not_implemented();
  return big_pow_mod(ev, base, exponent, modulus);
}

static bool take_little(Eval *ev, Value v) {
  Str order = take_str(ev, v, "byteorder");
  if (str_equal(order, STR("little"))) return true;
  if (str_equal(order, STR("big"))) return false;
  eval_raise(ev, ev->types.ValueError, "byteorder must be either 'little' or 'big'");
}

static void reverse_bytes(char *bytes, size_t size) {
  for (size_t i = 0; i < size / 2; i++) {
    char c = bytes[i];
    bytes[i] = bytes[size - 1 - i];
    bytes[size - 1 - i] = c;
  }
}

static Value int_to_bytes(Eval *ev, Value *a) {
  Value self = self_int(ev, a[0]);
  int64_t length = take_index64(ev, a[1]);
  bool little = take_little(ev, a[2]), is_signed = value_truth(ev, a[3]);
  if (length < 0) eval_raise(ev, ev->types.ValueError, "length argument must be non-negative");
  if (!is_signed && big_sign(self) < 0)
    eval_raise(ev, ev->types.OverflowError, "can't convert negative int to unsigned");
  char *bytes = arena_alloc(ev->arena, (size_t)length);
  if (!big_to_bytes(self, (unsigned char *)bytes, (size_t)length, is_signed))
    eval_raise(ev, ev->types.OverflowError, "int too big to convert");
  if (!little) reverse_bytes(bytes, (size_t)length);
  return make_bytes(ev, (Str){bytes, (size_t)length});
}

// Of fewer bytes than an int64 has.
static int64_t short_from_bytes(Str text, bool little, bool is_signed) {
  uint64_t bits = 0;
  for (size_t i = 0; i < text.len; i++)
    bits = bits << 8 | (unsigned char)text.data[little ? text.len - 1 - i : i];
  unsigned unused = 64 - 8 * (unsigned)text.len;
  return is_signed && text.len ? (int64_t)(bits << unused) >> unused : (int64_t)bits;
}

static Value int_from_bytes(Eval *ev, Value *a) {
  Value bytes = a[1];
  if (bytes.kind == V_OBJECT && value_as_str(bytes, &(Str){0}))
    eval_raise(ev, ev->types.TypeError, "cannot convert 'str' object to bytes");
  Str text = take_bytes(ev, bytes);
  bool little = take_little(ev, a[2]), is_signed = value_truth(ev, a[3]);
  Value result;
  if (text.len < sizeof(int64_t)) {
    result = v_int(short_from_bytes(text, little, is_signed));
  } else {
    char *copy = arena_dup(ev->arena, text.data, text.len);
    if (!little) reverse_bytes(copy, text.len);
    result = big_from_bytes(ev, (const unsigned char *)copy, text.len, is_signed);
  }
  if (a[0].o == (Object *)ev->types.integer) return result;
  return value_call_n(ev, a[0], 1, &result);
}

static Value int_zero(Eval *ev UNUSED, Value self UNUSED) { return v_int(0); }

static Value int_one(Eval *ev UNUSED, Value self UNUSED) { return v_int(1); }

static const NativeGetter int_getters[] = {
    {"real", self_int}, {"imag", int_zero}, {"numerator", self_int}, {"denominator", int_one}, {0},
};

static const NativeDef int_methods[] = {
    {"__new__(cls, x=, /, base=)", int_new},
    {"bit_length(self, /)", int_bit_length},
    {"bit_count(self, /)", int_bit_count},
    {"conjugate(self, /)", int_same},
    {"as_integer_ratio(self, /)", int_ratio},
    {"to_bytes(self, /, length=1, byteorder='big', *, signed=False)", int_to_bytes},
    {"from_bytes(cls, /, bytes, byteorder='big', *, signed=False)", int_from_bytes},
    {"__int__(self, /)", int_same},
    {"__trunc__(self, /)", int_same},
    {"__floor__(self, /)", int_same},
    {"__ceil__(self, /)", int_same},
    {"__float__(self, /)", int_to_float},
    {"__abs__(self, /)", int_abs},
    {"__round__(self, ndigits=, /)", int_round},
    {"__divmod__(self, value, /)", int_divmod_method},
    {"__rdivmod__(self, value, /)", int_rdivmod_method},
    {"__pow__(self, value, mod=None, /)", int_pow_method},
    {0},
};

static const NativeType int_type = {
    .slots = {.make = int_of,
              .binary = int_binary,
              .unary = int_unary,
              .compare = int_compare,
              .hash = int_hash,
              .truth = int_truth,
              .repr = int_repr,
              .format = int_format,
              .index = int_index},
    .methods = int_methods,
    .getters = int_getters,
};

static const NativeDef bool_methods[] = {{"__new__(cls, x=, /)", bool_new}, {0}};

static const NativeType bool_type = {
    .slots = {.make = bool_of,
              .binary = int_binary,
              .unary = int_unary,
              .compare = int_compare,
              .hash = int_hash,
              .truth = int_truth,
              .repr = bool_repr,
              .format = bool_format,
              .index = int_index},
    .methods = bool_methods,
};

void builtin_int_init(Eval *ev) {
  ev->types.integer->layout = LAYOUT_INT;
  native_type_define(ev, ev->types.integer, &int_type);
  native_type_define(ev, ev->types.boolean, &bool_type);
  ev->types.boolean->is_final = true;
}
