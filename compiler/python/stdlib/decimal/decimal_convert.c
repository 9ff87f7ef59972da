// SPDX-License-Identifier: Apache-2.0
// Decimal numbers from texts, tuples and other numbers, and as those; their order and their hash.
#include "base/collected.h"
#include "decimal_arithmetic.h"
#include "decimal_text.h"
#include "std_decimal.h"
#include "python/builtins/builtin_int.h"
#include "python/builtins/builtin_wrap.h"
#include "python/builtins/text/builtin_text.h"
#include "python/modules/module.h"
#include "python/numbers/bigint.h"
#include "python/numbers/digits.h"
#include "python/numbers/integer.h"
#include "python/numbers/number.h"
#include "python/objects/attribute.h"
#include "python/objects/operators.h"
#include "python/objects/protocol.h"
#include "python/objects/type_lookup.h"
#include "python/objects/value_call.h"
#include "python/values/new_value.h"
#include "python/values/raise.h"
#include "python/values/values.h"
#include <math.h>
#include <string.h>

Value make_decimal(Eval *ev, const Num *n) {
  DecimalObject *object =
      arena_alloc_bytes(ev->arena, sizeof(DecimalObject) + n->size * sizeof(mp_limb_t));
  object->base.type = decimal_state(ev)->decimal;
  object->kind = n->kind;
  object->negative = n->negative;
  object->exponent = n->exponent;
  object->size = n->size;
  memcpy(object->limbs, n->limbs, n->size * sizeof(mp_limb_t));
  return v_object(object);
}

bool decimal_operand(Calc *c, Value v, Num *out) {
  DecimalObject *object = value_as_decimal(c->ev, v);
  if (object) {
    num_view(out, object);
    return true;
  }
  if (!int_operand(&v)) return false;
  num_of_value(c, out, v);
  return true;
}

static NORETURN void raise_no_conversion(Eval *ev, Value v) {
  eval_raise(ev, ev->types.TypeError, "conversion from %s to Decimal is not supported",
             value_type_name(ev, v));
}

void take_decimal(Calc *c, Value v, Num *out) {
  if (!decimal_operand(c, v, out)) raise_no_conversion(c->ev, v);
}

// ---- making -------------------------------------------------------------------------------------
static Str without_underscores(Arena *arena, Str text) {
  if (!memchr(text.data, '_', text.len)) return text;
  char *kept = arena_alloc_bytes(arena, text.len);
  size_t count = 0;
  for (size_t i = 0; i < text.len; i++)
    if (text.data[i] != '_') kept[count++] = text.data[i];
  return (Str){kept, count};
}

static void of_text(Calc *c, Num *n, Str text, bool is_exact) {
  if (is_exact) text = text_strip(text, true, true);
  if (!text_is_ascii(text)) text = text_number_ascii(c->ev->arena, text);
  if (is_exact && text.len) text = without_underscores(c->ev->arena, text);
  if (!num_parse(c, n, text)) num_invalid(c, n, DECIMAL_SYNTAX);
  if (num_is_nan(n) && n->size && num_digits(c->ev, n) > c->prec - c->clamp)
    num_invalid(c, n, DECIMAL_SYNTAX);
}

static int64_t tuple_sign(Eval *ev, Value v) {
  if (v.kind != V_INT && v.kind != V_BOOL) v = v_int(value_is_int(v) ? 2 : 3);
  if (v.i != 0 && v.i != 1)
    eval_raise(ev, ev->types.ValueError, "sign must be an integer with the value 0 or 1");
  return v.i;
}

static bool sequence_items(Value v, const Value **items, size_t *count) {
  const Tuple *tuple = value_as_tuple(v);
  const List *list = value_as_list(v);
  if (!tuple && !list) return false;
  *items = tuple ? tuple->items : list->items;
  *count = tuple ? tuple->count : list->count;
  return true;
}

static void tuple_digits(Calc *c, Num *n, Value v) {
  Eval *ev = c->ev;
  const Value *items;
  size_t count;
  if (!sequence_items(v, &items, &count))
    eval_raise(ev, ev->types.ValueError, "coefficient must be a tuple of digits");
  char *text = arena_alloc_bytes(ev->arena, count + 1);
  for (size_t i = 0; i < count; i++) {
    Value digit = value_unwrap(items[i]);
    if ((digit.kind != V_INT && digit.kind != V_BOOL) || digit.i < 0 || digit.i > 9)
      eval_raise(ev, ev->types.ValueError, "coefficient must be a tuple of digits");
    text[i] = (char)('0' + digit.i);
  }
  num_of_digits(c, n, (Str){text, count});
}

// (sign, digits, exponent).
static void of_tuple(Calc *c, Num *n, Value v) {
  Eval *ev = c->ev;
  const Value *items;
  size_t count = 0;
  sequence_items(v, &items, &count);
  if (count != 3) eval_raise(ev, ev->types.ValueError, "argument must be a sequence of length 3");
  bool negative = tuple_sign(ev, value_unwrap(items[0])) != 0;
  Value exponent = value_unwrap(items[2]), digits = items[1];
  Str special;
  if (value_as_str(exponent, &special)) {
    bool is_infinite = str_equal(special, STR("F"));
    if (!is_infinite && !str_equal(special, STR("n")) && !str_equal(special, STR("N")))
      eval_raise(ev, ev->types.ValueError,
                 "string argument in the third position must be 'F', 'n' or 'N'");
    tuple_digits(c, n, digits);
    if (is_infinite) num_small(n, false, 0, 0);
    n->kind = is_infinite                    ? DECIMAL_INFINITE
              : str_equal(special, STR("n")) ? DECIMAL_QNAN
                                             : DECIMAL_SNAN;
    n->exponent = 0;
  } else if (exponent.kind == V_INT || exponent.kind == V_BOOL) {
    tuple_digits(c, n, digits);
    int64_t most = 4 * DECIMAL_MAX_EMAX;
    n->exponent = exponent.i > most ? most : exponent.i < -most ? -most : exponent.i;
  } else {
    eval_raise(ev, ev->types.ValueError, "exponent must be an integer");
  }
  n->negative = negative;
}

Value decimal_of_value(Eval *ev, Value v, DecimalContext *context, DecimalContext *reports) {
  Calc c = context ? calc_of(ev, context) : calc_exact(ev);
  Num n;
  Str text;
  double x;
  bool is_text = value_as_str(v, &text);
  if (is_text) {
    of_text(&c, &n, text, !context);
  } else if (value_as_tuple(v) || value_as_list(v)) {
    of_tuple(&c, &n, v);
  } else if (decimal_operand(&c, v, &n)) {
    if (num_is_nan(&n) && context && n.size && num_digits(ev, &n) > c.prec - c.clamp)
      num_invalid(&c, &n, DECIMAL_SYNTAX);
  } else if (value_unwrap(v).kind == V_FLOAT) {
    x = value_unwrap(v).f;
    decimal_report(ev, reports, DECIMAL_FLOAT);
    num_of_double(&c, &n, x);
  } else {
    raise_no_conversion(ev, v);
  }
  Num own; // a view is not written to
  num_copy(&c, &own, &n);
  num_finish(&c, &own);
  if (!context) {
    if (c.status & (DECIMAL_INEXACT | DECIMAL_ROUNDED | DECIMAL_CLAMPED))
      num_invalid(&c, &own, DECIMAL_INVALID);
    c.status &= DECIMAL_INVALID_OPERATION;
  }
  return decimal_result(reports, &c, &own);
}

#define MOST_DIGITS 80000000 // of an int (bigint.c)

// ---- other numbers ------------------------------------------------------------------------------
static NORETURN void raise_special(Eval *ev, const Num *n, const char *what) {
  if (num_is_nan(n)) eval_raise(ev, ev->types.ValueError, "cannot convert NaN to %s", what);
  eval_raise(ev, ev->types.OverflowError, "cannot convert Infinity to %s", what);
}

Value decimal_to_int(Eval *ev, const Num *n, DecimalRounding rounding) {
  if (num_is_special(n)) raise_special(ev, n, "integer");
  if (n->size == 0) return v_int(0);
  Calc c = calc_exact(ev);
  c.rounding = rounding;
  if (n->exponent > MOST_DIGITS)
    eval_raise(ev, ev->types.MemoryError, "integer of more than %d digits", MOST_DIGITS);
  Num whole;
  num_copy(&c, &whole, n);
  num_rescale(&c, &whole, 0);
  return num_whole(ev, &whole);
}

Value decimal_to_ratio(Eval *ev, const Num *n) {
  if (num_is_special(n)) raise_special(ev, n, "integer ratio");
  Num left = *n, one;
  left.limbs = n->limbs;
  Value top, under = v_int(1);
  Calc c = calc_exact(ev);
  if (n->exponent >= 0) {
    top = decimal_to_int(ev, n, DECIMAL_DOWN);
  } else {
    Num power;
    top = num_whole(ev, &left);
    num_small(&one, false, 1, 0);
    num_scale(&c, &power, &one, n->exponent < 0 ? -n->exponent : 0);
    under = num_whole(ev, &power);
    Value common = big_gcd(ev, top, under);
    top = int_arithmetic(ev, BIN_FLOOR_DIV, top, common);
    under = int_arithmetic(ev, BIN_FLOOR_DIV, under, common);
  }
  Value pair[] = {top, under};
  return make_tuple(ev, 2, pair);
}

double decimal_to_double(Eval *ev, const Num *n) {
  double x = 0;
  if (n->kind == DECIMAL_SNAN)
    eval_raise(ev, ev->types.ValueError, "cannot convert signaling NaN to float");
  if (n->kind == DECIMAL_QNAN) return n->negative ? -NAN : NAN;
  if (n->kind == DECIMAL_INFINITE) return n->negative ? -INFINITY : INFINITY;
  float_parse(ev->arena, num_text(ev, n, false, true), &x);
  return x;
}

// ---- order and hash -----------------------------------------------------------------------------
static uint64_t times(uint64_t a, uint64_t b) {
  return (uint64_t)((unsigned __int128)a * b % HASH_PRIME);
}

// That of the int, float or Fraction that equals it.
uint64_t decimal_hash(Eval *ev, Value self) {
  const DecimalObject *d = value_as_decimal(ev, self);
  if (d->kind == DECIMAL_SNAN)
    eval_raise(ev, ev->types.TypeError, "Cannot hash a signaling NaN value");
  if (d->kind == DECIMAL_QNAN) return object_identity_hash(self);
  if (d->kind == DECIMAL_INFINITE) return hash_double(d->negative ? -INFINITY : INFINITY);
  if (d->size == 0) return hash_int(0);
  uint64_t hash = mpn_mod_1(d->limbs, (mp_size_t)d->size, HASH_PRIME);
  uint64_t base = 10, by = (uint64_t)d->exponent;
  if (d->exponent < 0) {
    by = -by;
    base = 2075258708292324556; // 1 / 10
  }
  for (; by; by >>= 1, base = times(base, base))
    if (by & 1) hash = times(hash, base);
  return hash_int(d->negative ? -(int64_t)hash : (int64_t)hash);
}

// A Fraction: both sides times its denominator. False: it is no rational number.
static bool rational_operand(Calc *c, Value v, Num *self, Num *scaled, Num *other) {
  Eval *ev = c->ev;
  if (v.kind != V_OBJECT || !value_isinstance(ev, v, module_lookup(ev, "numbers", "Rational")))
    return false;
  Value top = value_getattr(ev, v, name_of(ev, "numerator")),
        under = value_getattr(ev, v, name_of(ev, "denominator"));
  Num by;
  if (!int_operand(&top) || !int_operand(&under)) return false;
  num_of_value(c, other, top);
  num_of_value(c, &by, under);
  if (num_is_special(self))
    num_copy(c, scaled, self);
  else
    num_multiply(c, scaled, self, &by);
  return true;
}

Value decimal_compare(Eval *ev, CompareOp op, Value left, Value right) {
  Calc c = calc_exact(ev);
  Num a, b, scaled;
  const Num *one = &a;
  bool is_equality = op == CMP_EQ || op == CMP_NE;
  if (!value_as_decimal(ev, left)) return v_not_implemented();
  num_view(&a, value_as_decimal(ev, left));
  Value other = value_unwrap(right);
  if (other.kind == V_OBJECT && other.o->type == ev->types.complex && is_equality) {
    Complex z = ((ComplexObject *)other.o)->number;
    if (z.imag != 0) return v_bool(op == CMP_NE);
    other = v_float(z.real);
  }
  if (decimal_operand(&c, other, &b)) {
  } else if (other.kind == V_FLOAT) {
    DecimalContext *context = decimal_current(ev);
    if (is_equality)
      context->flags |= DECIMAL_FLOAT;
    else
      decimal_report(ev, context, DECIMAL_FLOAT);
    num_of_double(&c, &b, other.f);
  } else if (rational_operand(&c, right, &a, &scaled, &b)) {
    one = &scaled;
  } else {
    return v_not_implemented();
  }
  if (num_is_nan(one) || num_is_nan(&b)) {
    if (!is_equality || one->kind == DECIMAL_SNAN || b.kind == DECIMAL_SNAN)
      decimal_report(ev, decimal_current(ev), DECIMAL_INVALID);
    return v_bool(op == CMP_NE);
  }
  return v_bool(order_holds(op, num_compare(&c, one, &b)));
}
