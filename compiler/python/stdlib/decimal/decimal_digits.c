// SPDX-License-Identifier: Apache-2.0
// Operations on the digits of decimal numbers: logical ones, shifts, rotations.
#include "decimal_arithmetic.h"
#include "decimal_text.h"
#include <string.h>

// ---- logical operations -------------------------------------------------------------------------
// The digits of a number that are all 0 or 1; empty: it is no such number. Those beyond the
// precision do not count.
static Str logical_digits(Calc *c, const Num *n) {
  Str none = {0};
  if (num_is_special(n) || n->negative || n->exponent != 0) return none;
  Str digits = num_digit_text(c->ev, n);
  for (size_t i = 0; i < digits.len; i++)
    if (digits.data[i] > '1') return none;
  size_t more = (int64_t)digits.len > c->prec ? digits.len - (size_t)c->prec : 0;
  return (Str){digits.data + more, digits.len - more};
}

typedef enum Logical { LOGICAL_AND, LOGICAL_OR, LOGICAL_XOR } Logical;

static void combine(Calc *c, Num *out, const Num *a, const Num *b, Logical operation) {
  Str one = logical_digits(c, a), other = logical_digits(c, b);
  if (!one.len || !other.len) return num_invalid(c, out, DECIMAL_INVALID);
  size_t count = one.len > other.len ? one.len : other.len;
  char *text = arena_alloc(c->ev->arena, count + 1);
  for (size_t i = 0; i < count; i++) { // from the last digit
    bool x = i < one.len && one.data[one.len - 1 - i] == '1';
    bool y = i < other.len && other.data[other.len - 1 - i] == '1';
    bool bit = operation == LOGICAL_AND ? x && y : operation == LOGICAL_OR ? x || y : x != y;
    text[count - 1 - i] = bit ? '1' : '0';
  }
  num_of_digits(c, out, (Str){text, count});
}

void num_and(Calc *c, Num *out, const Num *a, const Num *b) { combine(c, out, a, b, LOGICAL_AND); }
void num_or(Calc *c, Num *out, const Num *a, const Num *b) { combine(c, out, a, b, LOGICAL_OR); }
void num_xor(Calc *c, Num *out, const Num *a, const Num *b) { combine(c, out, a, b, LOGICAL_XOR); }

void num_invert(Calc *c, Num *out, const Num *a) {
  Str digits = logical_digits(c, a);
  if (!digits.len) return num_invalid(c, out, DECIMAL_INVALID);
  decimal_limbs(c->ev, (size_t)(c->prec / 8 + 1)); // so long a text fits
  size_t count = (size_t)c->prec;
  char *text = arena_alloc(c->ev->arena, count + 1);
  memset(text, '1', count);
  for (size_t i = 0; i < digits.len; i++)
    if (digits.data[digits.len - 1 - i] == '1') text[count - 1 - i] = '0';
  num_of_digits(c, out, (Str){text, count});
}

// ---- shifts -------------------------------------------------------------------------------------
// The lowest digits.
static void keep_low(Calc *c, Num *n, int64_t count) {
  if (n->size == 0 || num_digits(c->ev, n) <= count) return;
  Num high, scaled;
  num_copy(c, &high, n);
  num_cut(c, &high, count);
  num_scale(c, &scaled, &high, count);
  mpn_sub(n->limbs, n->limbs, (mp_size_t)n->size, scaled.limbs, (mp_size_t)scaled.size);
  num_normal(n);
}

static bool places(Calc *c, Num *out, const Num *a, const Num *b, int64_t *by) {
  if (num_nans(c, out, a, b)) return false;
  if (!num_small_integer(b, c->prec, by)) {
    num_invalid(c, out, DECIMAL_INVALID);
    return false;
  }
  num_copy(c, out, a);
  return !num_is_special(a);
}

void num_shift(Calc *c, Num *out, const Num *a, const Num *b) {
  int64_t by;
  if (!places(c, out, a, b, &by)) return;
  if (by < 0) {
    keep_low(c, out, c->prec);
    num_cut(c, out, -by);
    return;
  }
  // What would be shifted out is cut off before.
  keep_low(c, out, c->prec - by);
  Num scaled;
  num_scale(c, &scaled, out, by);
  num_copy(c, out, &scaled);
}

void num_rotate(Calc *c, Num *out, const Num *a, const Num *b) {
  int64_t by;
  if (!places(c, out, a, b, &by)) return;
  if (by < 0) by += c->prec;
  Num high, low, scaled;
  num_copy(c, &low, out);
  keep_low(c, &low, c->prec);
  num_copy(c, &high, &low);
  num_cut(c, &high, c->prec - by);
  keep_low(c, &low, c->prec - by);
  num_scale(c, &scaled, &low, by);
  const Num *large = scaled.size >= high.size ? &scaled : &high;
  const Num *small = scaled.size >= high.size ? &high : &scaled;
  num_reserve(c, out, large->size + 1);
  out->size = large->size;
  memcpy(out->limbs, large->limbs, large->size * sizeof(mp_limb_t));
  if (small->size)
    mpn_add(out->limbs, large->limbs, (mp_size_t)large->size, small->limbs, (mp_size_t)small->size);
}
