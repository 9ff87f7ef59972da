// SPDX-License-Identifier: Apache-2.0
// Sums, products, quotients and roots of decimal numbers: computed exactly, or with a digit more
// that says whether something follows, then rounded once.
#include "decimal_arithmetic.h"
#include <string.h>

// ---- sums ---------------------------------------------------------------------------------------
static void special_sum(Calc *c, Num *out, const Num *a, const Num *b, bool b_negative) {
  bool is_a = a->kind == DECIMAL_INFINITE, is_b = b->kind == DECIMAL_INFINITE;
  if (is_a && is_b && a->negative != b_negative)
    num_invalid(c, out, DECIMAL_INVALID);
  else
    num_special(out, DECIMAL_INFINITE, is_a ? a->negative : b_negative);
}

static void add_coefficients(Calc *c, Num *out, const Num *a, const Num *b) {
  const Num *large = a->size >= b->size ? a : b, *small = a->size >= b->size ? b : a;
  num_reserve(c, out, large->size + 1);
  out->size = large->size;
  mp_limb_t carry = 0;
  if (small->size)
    carry = mpn_add(out->limbs, large->limbs, (mp_size_t)large->size, small->limbs,
                    (mp_size_t)small->size);
  else
    memcpy(out->limbs, large->limbs, large->size * sizeof(mp_limb_t));
  if (carry) out->limbs[out->size++] = carry;
}

// The sign is that of the larger.
static void subtract_coefficients(Calc *c, Num *out, const Num *a, const Num *b, bool a_negative) {
  int order = num_compare_coefficients(a, b);
  const Num *large = order >= 0 ? a : b, *small = order >= 0 ? b : a;
  num_reserve(c, out, large->size);
  out->size = large->size;
  if (small->size)
    mpn_sub(out->limbs, large->limbs, (mp_size_t)large->size, small->limbs, (mp_size_t)small->size);
  else
    memcpy(out->limbs, large->limbs, large->size * sizeof(mp_limb_t));
  num_normal(out);
  out->negative = order == 0 ? c->rounding == DECIMAL_FLOOR : a_negative == (order > 0);
}

static void add_signed(Calc *c, Num *out, const Num *a, const Num *b, bool b_negative) {
  if (num_is_special(a) || num_is_special(b)) {
    if (!num_nans(c, out, a, b)) special_sum(c, out, a, b, b_negative);
    return;
  }
  Num scaled, tiny;
  bool a_negative = a->negative;
  if (a->exponent != b->exponent) {
    bool is_a = a->exponent > b->exponent;
    const Num *high = is_a ? a : b, *low = is_a ? b : a;
    if (high->size) {
      // What lies below all that can matter is as good as one digit there.
      int64_t digits = num_digits(c->ev, high);
      int64_t end = high->exponent - 1 + (digits > c->prec ? 0 : digits - c->prec - 1);
      if (num_adjusted(c->ev, low) < end) {
        num_small(&tiny, low->negative, low->size != 0, end);
        low = &tiny;
      }
      num_scale(c, &scaled, high, high->exponent - low->exponent);
      high = &scaled;
    }
    a = is_a ? high : low;
    b = is_a ? low : high;
    out->exponent = low->exponent;
  } else {
    out->exponent = a->exponent;
  }
  out->kind = DECIMAL_FINITE;
  if (a_negative == b_negative) {
    out->negative = a_negative;
    add_coefficients(c, out, a, b);
  } else {
    subtract_coefficients(c, out, a, b, a_negative);
  }
  num_finish(c, out);
}

void num_add(Calc *c, Num *out, const Num *a, const Num *b) {
  add_signed(c, out, a, b, b->negative);
}

void num_subtract(Calc *c, Num *out, const Num *a, const Num *b) {
  add_signed(c, out, a, b, !b->negative);
}

// ---- one operand --------------------------------------------------------------------------------
static void signed_copy(Calc *c, Num *out, const Num *a, bool negative) {
  if (num_nans(c, out, a, NULL)) return;
  num_copy(c, out, a);
  out->negative = negative;
  num_finish(c, out);
}

void num_plus(Calc *c, Num *out, const Num *a) {
  bool is_plus = num_is_zero(a) && c->rounding != DECIMAL_FLOOR;
  signed_copy(c, out, a, is_plus ? false : a->negative);
}

void num_minus(Calc *c, Num *out, const Num *a) {
  bool is_plus = num_is_zero(a) && c->rounding != DECIMAL_FLOOR;
  signed_copy(c, out, a, is_plus ? false : !a->negative);
}

void num_abs(Calc *c, Num *out, const Num *a) { signed_copy(c, out, a, false); }

void num_normalize(Calc *c, Num *out, const Num *a) {
  if (num_nans(c, out, a, NULL)) return;
  num_copy(c, out, a);
  num_finish(c, out);
  if (num_is_special(out)) return;
  if (out->size == 0) {
    out->exponent = 0;
    return num_finish(c, out);
  }
  out->exponent += num_strip(c, out, (c->clamp ? calc_etop(c) : c->emax) - out->exponent);
}

// ---- products -----------------------------------------------------------------------------------
static void multiply_coefficients(Calc *c, Num *out, const Num *a, const Num *b) {
  const Num *large = a->size >= b->size ? a : b, *small = a->size >= b->size ? b : a;
  out->size = 0;
  if (small->size == 0) {
    out->limbs = out->room;
    return;
  }
  num_reserve(c, out, large->size + small->size);
  out->size = large->size + small->size;
  if (large == small)
    mpn_sqr(out->limbs, large->limbs, (mp_size_t)large->size);
  else
    mpn_mul(out->limbs, large->limbs, (mp_size_t)large->size, small->limbs, (mp_size_t)small->size);
  num_normal(out);
}

static bool special_product(Calc *c, Num *out, const Num *a, const Num *b) {
  if (!num_is_special(a) && !num_is_special(b)) return false;
  if (num_nans(c, out, a, b)) return true;
  if (num_is_zero(a) || num_is_zero(b))
    num_invalid(c, out, DECIMAL_INVALID);
  else
    num_special(out, DECIMAL_INFINITE, a->negative != b->negative);
  return true;
}

static void exact_product(Calc *c, Num *out, const Num *a, const Num *b) {
  out->kind = DECIMAL_FINITE;
  out->negative = a->negative != b->negative;
  out->exponent = a->exponent + b->exponent;
  multiply_coefficients(c, out, a, b);
}

void num_multiply(Calc *c, Num *out, const Num *a, const Num *b) {
  if (special_product(c, out, a, b)) return;
  exact_product(c, out, a, b);
  num_finish(c, out);
}

void num_fma(Calc *c, Num *out, const Num *a, const Num *b, const Num *third) {
  Num product;
  if (num_is_special(a) || num_is_special(b)) {
    if (a->kind == DECIMAL_SNAN || b->kind == DECIMAL_SNAN || num_is_nan(a) || num_is_nan(b)) {
      // A NaN of the product comes first, but for one of the third that signals.
      bool signals =
          third->kind == DECIMAL_SNAN && a->kind != DECIMAL_SNAN && b->kind != DECIMAL_SNAN;
      num_nans(c, out, signals ? third : a, signals ? third : b);
      return;
    }
    if (!special_product(c, &product, a, b)) return;
    if (num_is_nan(&product)) {
      if (num_is_nan(third)) {
        c->status |= DECIMAL_INVALID;
        num_copy(c, out, &product);
      } else {
        num_copy(c, out, &product);
      }
      return;
    }
  } else {
    exact_product(c, &product, a, b);
  }
  num_add(c, out, &product, third);
}

// ---- quotients ----------------------------------------------------------------------------------
// The quotient and the rest of the coefficients; true if the rest is 0. `rest` may be NULL.
static bool divide_coefficients(Calc *c, Num *quotient, Num *rest, const Num *a, const Num *b) {
  Num own;
  if (!rest) rest = &own;
  if (num_compare_coefficients(a, b) < 0) {
    num_copy(c, rest, a);
    quotient->limbs = quotient->room;
    quotient->size = 0;
    return rest->size == 0;
  }
  num_reserve(c, quotient, a->size - b->size + 1);
  num_reserve(c, rest, b->size);
  mpn_tdiv_qr(quotient->limbs, rest->limbs, 0, a->limbs, (mp_size_t)a->size, b->limbs,
              (mp_size_t)b->size);
  quotient->size = a->size - b->size + 1;
  rest->size = b->size;
  num_normal(quotient);
  num_normal(rest);
  return rest->size == 0;
}

// What stands behind the last digit makes that one neither 0 nor 5, so that it rounds rightly.
static void mark_inexact(Num *n) {
  if (n->size == 0) {
    n->limbs[0] = 1;
    n->size = 1;
  } else if (mpn_mod_1(n->limbs, (mp_size_t)n->size, 5) == 0) {
    mpn_add_1(n->limbs, n->limbs, (mp_size_t)n->size, 1);
  }
}

static void shorten_to(Calc *c, Num *n, int64_t ideal) {
  if (n->size == 0 || n->exponent >= ideal) return;
  n->exponent += num_strip(c, n, ideal - n->exponent);
}

static bool special_quotient(Calc *c, Num *out, const Num *a, const Num *b) {
  bool negative = a->negative != b->negative;
  if (num_is_special(a) || num_is_special(b)) {
    if (num_nans(c, out, a, b)) return true;
    if (a->kind == b->kind) {
      num_invalid(c, out, DECIMAL_INVALID);
    } else if (a->kind == DECIMAL_INFINITE) {
      num_special(out, DECIMAL_INFINITE, negative);
    } else {
      num_small(out, negative, 0, calc_etiny(c));
      c->status |= DECIMAL_CLAMPED;
    }
    return true;
  }
  if (b->size) return false;
  if (a->size == 0) {
    num_invalid(c, out, DECIMAL_UNDEFINED);
  } else {
    c->status |= DECIMAL_BY_ZERO;
    num_special(out, DECIMAL_INFINITE, negative);
  }
  return true;
}

// Of a coefficient with `shift` more digits than the ideal exponent has: those that are zeros go if
// it is exact.
static void finish_at(Calc *c, Num *out, bool negative, int64_t ideal, int64_t shift,
                      bool is_exact) {
  out->kind = DECIMAL_FINITE;
  out->negative = negative;
  out->exponent = ideal - shift;
  if (is_exact)
    shorten_to(c, out, ideal);
  else
    mark_inexact(out);
  num_finish(c, out);
}

void num_divide(Calc *c, Num *out, const Num *a, const Num *b) {
  if (special_quotient(c, out, a, b)) return;
  int64_t ideal = a->exponent - b->exponent;
  if (a->size == 0) {
    num_small(out, a->negative != b->negative, 0, ideal);
    return num_finish(c, out);
  }
  int64_t shift = num_digits(c->ev, b) - num_digits(c->ev, a) + c->prec + 1;
  Num scaled;
  num_scale(c, &scaled, shift > 0 ? a : b, shift > 0 ? shift : -shift);
  bool is_exact = shift > 0 ? divide_coefficients(c, out, NULL, &scaled, b)
                            : divide_coefficients(c, out, NULL, a, &scaled);
  finish_at(c, out, a->negative != b->negative, ideal, shift, is_exact);
}

static int64_t lower(int64_t a, int64_t b) { return a < b ? a : b; }

// Of finite numbers, b not 0: the whole quotient and the rest, aligned. False, and reported: the
// quotient has more digits than the precision.
static bool whole_quotient(Calc *c, Num *quotient, Num *rest, const Num *a, const Num *b) {
  int64_t ideal = lower(a->exponent, b->exponent);
  bool negative = a->negative != b->negative;
  num_small(quotient, negative, 0, 0);
  if (a->size == 0) {
    num_small(rest, a->negative, 0, ideal);
    return true;
  }
  int64_t difference = num_adjusted(c->ev, a) - num_adjusted(c->ev, b);
  if (difference < 0) {
    if (a->exponent > b->exponent)
      num_scale(c, rest, a, a->exponent - b->exponent);
    else
      num_copy(c, rest, a);
    rest->exponent = lower(a->exponent, rest->exponent);
    if (a->exponent > b->exponent) rest->exponent = b->exponent;
    return true;
  }
  if (difference <= c->prec) {
    Num scaled;
    int64_t shift = a->exponent - b->exponent;
    num_scale(c, &scaled, shift > 0 ? a : b, shift > 0 ? shift : -shift);
    divide_coefficients(c, quotient, rest, shift > 0 ? &scaled : a, shift > 0 ? b : &scaled);
    rest->kind = DECIMAL_FINITE;
    rest->negative = a->negative;
    rest->exponent = ideal;
    if (num_digits(c->ev, quotient) <= c->prec) return true;
  }
  c->status |= DECIMAL_IMPOSSIBLE;
  num_special(quotient, DECIMAL_QNAN, false);
  num_special(rest, DECIMAL_QNAN, false);
  return false;
}

void num_divide_int(Calc *c, Num *out, const Num *a, const Num *b) {
  if (b->kind == DECIMAL_INFINITE && !num_is_special(a)) {
    num_small(out, a->negative != b->negative, 0, 0);
    return;
  }
  Num rest;
  if (special_quotient(c, out, a, b)) return;
  whole_quotient(c, out, &rest, a, b);
  num_finish(c, out);
}

static bool special_remainder(Calc *c, Num *out, const Num *a, const Num *b) {
  if (num_nans(c, out, a, b)) return true;
  if (a->kind == DECIMAL_INFINITE) {
    num_invalid(c, out, DECIMAL_INVALID);
  } else if (b->kind == DECIMAL_INFINITE) {
    num_copy(c, out, a);
    num_finish(c, out);
  } else if (b->size == 0) {
    num_invalid(c, out, a->size == 0 ? DECIMAL_UNDEFINED : DECIMAL_INVALID);
  } else {
    return false;
  }
  return true;
}

void num_remainder(Calc *c, Num *out, const Num *a, const Num *b) {
  Num quotient;
  if (special_remainder(c, out, a, b)) return;
  whole_quotient(c, &quotient, out, a, b);
  num_finish(c, out);
}

void num_divmod(Calc *c, Num *quotient, Num *rest, const Num *a, const Num *b) {
  bool negative = a->negative != b->negative;
  if (num_nans(c, quotient, a, b)) {
    num_copy(c, rest, quotient);
  } else if (a->kind == DECIMAL_INFINITE) {
    if (b->kind == DECIMAL_INFINITE)
      num_special(quotient, DECIMAL_QNAN, false);
    else
      num_special(quotient, DECIMAL_INFINITE, negative);
    num_invalid(c, rest, DECIMAL_INVALID);
  } else if (b->kind == DECIMAL_INFINITE) {
    num_copy(c, rest, a);
    num_finish(c, rest);
    num_small(quotient, negative, 0, 0);
  } else if (b->size == 0) {
    if (a->size == 0) {
      num_special(quotient, DECIMAL_QNAN, false);
      num_invalid(c, rest, DECIMAL_UNDEFINED);
    } else {
      num_special(quotient, DECIMAL_INFINITE, negative);
      num_invalid(c, rest, DECIMAL_BY_ZERO | DECIMAL_INVALID);
    }
  } else {
    whole_quotient(c, quotient, rest, a, b);
    num_finish(c, quotient);
    num_finish(c, rest);
  }
}

// The rest of the quotient that is rounded to the nearest whole number, to even if it is between.
void num_remainder_near(Calc *c, Num *out, const Num *a, const Num *b) {
  if (special_remainder(c, out, a, b)) return;
  int64_t ideal = lower(a->exponent, b->exponent);
  if (a->size == 0) {
    num_small(out, a->negative, 0, ideal);
    return num_finish(c, out);
  }
  int64_t difference = num_adjusted(c->ev, a) - num_adjusted(c->ev, b);
  if (difference > c->prec) return num_invalid(c, out, DECIMAL_IMPOSSIBLE);
  if (difference <= -2) {
    num_scale(c, out, a, a->exponent > ideal ? a->exponent - ideal : 0);
    out->exponent = ideal < a->exponent ? ideal : a->exponent;
    return num_finish(c, out);
  }
  Num one, other, quotient, rest, back = {.kind = DECIMAL_FINITE};
  num_scale(c, &one, a, a->exponent - ideal);
  num_scale(c, &other, b, b->exponent - ideal);
  divide_coefficients(c, &quotient, &rest, &one, &other);
  Num twice;
  num_reserve(c, &twice, rest.size + 1);
  twice.size = rest.size;
  if (rest.size) {
    mp_limb_t carry = mpn_lshift(twice.limbs, rest.limbs, (mp_size_t)rest.size, 1);
    if (carry) twice.limbs[twice.size++] = carry;
  }
  int order = num_compare_coefficients(&twice, &other);
  out->negative = a->negative;
  if (order > 0 || (order == 0 && quotient.size && (quotient.limbs[0] & 1))) {
    subtract_coefficients(c, &back, &other, &rest, false);
    num_copy(c, out, &back);
    out->negative = !a->negative;
    mp_limb_t one_more = 1;
    Num grown = {.kind = DECIMAL_FINITE};
    num_reserve(c, &grown, quotient.size + 1);
    grown.size = quotient.size + 1;
    grown.limbs[quotient.size] =
        quotient.size ? mpn_add_1(grown.limbs, quotient.limbs, (mp_size_t)quotient.size, 1)
                      : one_more;
    num_normal(&grown);
    num_copy(c, &quotient, &grown);
  } else {
    rest.kind = DECIMAL_FINITE;
    rest.negative = a->negative;
    num_copy(c, out, &rest);
  }
  out->kind = DECIMAL_FINITE;
  out->exponent = ideal;
  if (num_digits(c->ev, &quotient) > c->prec) return num_invalid(c, out, DECIMAL_IMPOSSIBLE);
  num_finish(c, out);
}

// ---- roots --------------------------------------------------------------------------------------
// Of an even number of digits more than the precision has: the whole root and whether it is exact.
void num_sqrt(Calc *c, Num *out, const Num *a) {
  if (num_nans(c, out, a, NULL)) return;
  if (a->negative && !num_is_zero(a)) return num_invalid(c, out, DECIMAL_INVALID);
  if (a->kind == DECIMAL_INFINITE) return num_special(out, DECIMAL_INFINITE, false);
  int64_t ideal = a->exponent >> 1;
  DecimalRounding rounding = c->rounding;
  c->rounding = DECIMAL_HALF_EVEN;
  if (a->size == 0) {
    num_small(out, a->negative, 0, ideal);
    num_finish(c, out);
    c->rounding = rounding;
    return;
  }
  int64_t odd = a->exponent & 1;
  int64_t digits = num_digits(c->ev, a) + odd;
  int64_t shift = c->prec + 1 - (digits + 1) / 2;
  Num scaled;
  bool is_exact = true;
  num_scale(c, &scaled, a, odd + (shift > 0 ? 2 * shift : 0));
  if (shift < 0) is_exact = num_cut(c, &scaled, -2 * shift) == REST_NONE;
  num_reserve(c, out, (scaled.size + 1) / 2);
  Num rest;
  num_reserve(c, &rest, scaled.size);
  is_exact &= mpn_sqrtrem(out->limbs, rest.limbs, scaled.limbs, (mp_size_t)scaled.size) == 0;
  out->size = (scaled.size + 1) / 2;
  num_normal(out);
  finish_at(c, out, false, ideal, shift, is_exact);
  c->rounding = rounding;
}
