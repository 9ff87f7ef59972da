// SPDX-License-Identifier: Apache-2.0
// Decimal numbers with other exponents, their neighbours, and their order.
#include "decimal_arithmetic.h"

// ---- what they are ------------------------------------------------------------------------------
bool num_is_integer(Calc *c, const Num *n) {
  if (num_is_special(n)) return false;
  if (n->exponent >= 0 || n->size == 0) return true;
  if (-n->exponent >= num_digits(c->ev, n)) return false;
  return num_trailing_zeros(c->ev, n) >= -n->exponent;
}

bool num_is_odd(Calc *c, const Num *n) {
  if (n->size == 0 || n->exponent > 0) return false;
  if (n->exponent == 0) return n->limbs[0] & 1;
  Num whole;
  num_copy(c, &whole, n);
  num_cut(c, &whole, -n->exponent);
  return whole.size && (whole.limbs[0] & 1);
}

bool num_small_integer(const Num *n, int64_t limit, int64_t *out) {
  if (num_is_special(n) || n->exponent != 0 || n->size > 1) return false;
  uint64_t size = n->size ? n->limbs[0] : 0;
  if (size > (uint64_t)limit) return false;
  *out = n->negative ? -(int64_t)size : (int64_t)size;
  return true;
}

// ---- exponents ----------------------------------------------------------------------------------
void num_rescale(Calc *c, Num *n, int64_t exponent) {
  if (n->size && exponent < n->exponent) {
    Num scaled;
    num_scale(c, &scaled, n, n->exponent - exponent);
    num_copy(c, n, &scaled);
  } else if (n->size && exponent > n->exponent) {
    Rest rest = num_cut(c, n, exponent - n->exponent);
    num_round_at(c, n, rest);
    c->status |= DECIMAL_ROUNDED;
    if (rest != REST_NONE) c->status |= DECIMAL_INEXACT;
  }
  n->exponent = exponent;
}

void num_quantize(Calc *c, Num *out, const Num *a, const Num *b) {
  if (num_nans(c, out, a, b)) return;
  if (num_is_special(a) || num_is_special(b)) {
    if (a->kind != b->kind) return num_invalid(c, out, DECIMAL_INVALID);
    return num_copy(c, out, a);
  }
  if (b->exponent > c->emax || b->exponent < calc_etiny(c))
    return num_invalid(c, out, DECIMAL_INVALID);
  if (a->size && num_digits(c->ev, a) + (a->exponent - b->exponent) > c->prec)
    return num_invalid(c, out, DECIMAL_INVALID);
  unsigned before = c->status;
  num_copy(c, out, a);
  num_rescale(c, out, b->exponent);
  if (out->size && (num_adjusted(c->ev, out) > c->emax || num_digits(c->ev, out) > c->prec)) {
    c->status = before;
    return num_invalid(c, out, DECIMAL_INVALID);
  }
  num_finish(c, out);
}

void num_to_integral(Calc *c, Num *out, const Num *a, bool reports) {
  if (num_nans(c, out, a, NULL)) return;
  num_copy(c, out, a);
  if (num_is_special(a) || a->exponent >= 0) return;
  unsigned before = c->status;
  num_rescale(c, out, 0);
  if (!reports) c->status = before;
}

void num_scaleb(Calc *c, Num *out, const Num *a, const Num *b) {
  if (num_nans(c, out, a, b)) return;
  int64_t by, most = c->emax > DECIMAL_MAX_EMAX - c->prec ? INT64_MAX / 4 : 2 * (c->emax + c->prec);
  if (!num_small_integer(b, most, &by)) return num_invalid(c, out, DECIMAL_INVALID);
  num_copy(c, out, a);
  if (num_is_special(a)) return;
  out->exponent += by;
  num_finish(c, out);
}

void num_logb(Calc *c, Num *out, const Num *a) {
  if (num_nans(c, out, a, NULL)) return;
  if (a->kind == DECIMAL_INFINITE) return num_special(out, DECIMAL_INFINITE, false);
  if (a->size == 0) {
    c->status |= DECIMAL_BY_ZERO;
    return num_special(out, DECIMAL_INFINITE, true);
  }
  int64_t adjusted = num_adjusted(c->ev, a);
  num_small(out, adjusted < 0, (uint64_t)(adjusted < 0 ? -adjusted : adjusted), 0);
  num_finish(c, out);
}

// ---- neighbours ---------------------------------------------------------------------------------
static void largest_finite(Calc *c, Num *out, bool negative) {
  size_t size;
  const mp_limb_t *power = decimal_power(c->ev, c->prec, &size);
  num_small(out, negative, 0, calc_etop(c));
  num_reserve(c, out, size);
  mpn_sub_1(out->limbs, power, (mp_size_t)size, 1);
  out->size = size;
  num_normal(out);
}

// The next number upwards or downwards, which reports nothing.
static void step(Calc *c, Num *out, const Num *a, bool up) {
  if (a->kind == DECIMAL_INFINITE) {
    if (a->negative == up)
      largest_finite(c, out, up);
    else
      num_copy(c, out, a);
    return;
  }
  Calc work = *c;
  Num tiny;
  work.rounding = up ? DECIMAL_CEILING : DECIMAL_FLOOR;
  num_small(&tiny, !up, 1, calc_etiny(c) - 1);
  work.status = 0;
  num_copy(&work, out, a);
  num_finish(&work, out);
  if (!(work.status & DECIMAL_INEXACT)) num_add(&work, out, a, &tiny);
}

void num_next_plus(Calc *c, Num *out, const Num *a) {
  if (!num_nans(c, out, a, NULL)) step(c, out, a, true);
}

void num_next_minus(Calc *c, Num *out, const Num *a) {
  if (!num_nans(c, out, a, NULL)) step(c, out, a, false);
}

void num_next_toward(Calc *c, Num *out, const Num *a, const Num *b) {
  if (num_nans(c, out, a, b)) return;
  int order = num_compare(c, a, b);
  if (order == 0) {
    num_copy(c, out, a);
    out->negative = b->negative;
    return;
  }
  step(c, out, a, order < 0);
  if (out->kind == DECIMAL_INFINITE) {
    c->status |= DECIMAL_OVERFLOW | DECIMAL_ROUNDED | DECIMAL_INEXACT;
  } else if (num_adjusted(c->ev, out) < c->emin) {
    c->status |= DECIMAL_UNDERFLOW | DECIMAL_SUBNORMAL | DECIMAL_ROUNDED | DECIMAL_INEXACT;
    if (out->size == 0) c->status |= DECIMAL_CLAMPED;
  }
}

// ---- order --------------------------------------------------------------------------------------
static void order_result(Num *out, int order) { num_small(out, order < 0, order != 0, 0); }

void num_compare_quiet(Calc *c, Num *out, const Num *a, const Num *b) {
  if (!num_nans(c, out, a, b)) order_result(out, num_compare(c, a, b));
}

void num_compare_signal(Calc *c, Num *out, const Num *a, const Num *b) {
  if (num_is_nan(a) || num_is_nan(b)) c->status |= DECIMAL_INVALID;
  num_compare_quiet(c, out, a, b);
}

static int rank(const Num *n) {
  return n->kind == DECIMAL_QNAN ? 3 : n->kind == DECIMAL_SNAN ? 2 : n->kind == DECIMAL_INFINITE;
}

// As the positive ones are: numbers, infinity, sNaN, NaN; of equal ones by exponent.
static int order_total(Calc *c, const Num *a, const Num *b, bool is_magnitude) {
  if (!is_magnitude && a->negative != b->negative) return a->negative ? -1 : 1;
  int order = rank(a) - rank(b);
  if (order == 0) {
    if (num_is_nan(a)) {
      order = num_compare_coefficients(a, b);
    } else if (!num_is_special(a)) {
      order = num_compare_sizes(c, a, b);
      if (order == 0) order = (a->exponent > b->exponent) - (a->exponent < b->exponent);
    }
  }
  order = (order > 0) - (order < 0);
  return !is_magnitude && a->negative ? -order : order;
}

void num_compare_total(Calc *c, Num *out, const Num *a, const Num *b) {
  order_result(out, order_total(c, a, b, false));
}

void num_compare_total_mag(Calc *c, Num *out, const Num *a, const Num *b) {
  order_result(out, order_total(c, a, b, true));
}

// The larger or the smaller; of a number and a quiet NaN the number.
static void choose(Calc *c, Num *out, const Num *a, const Num *b, bool larger, bool by_size) {
  const Num *chosen;
  if (a->kind == DECIMAL_QNAN && !num_is_nan(b)) {
    chosen = b;
  } else if (b->kind == DECIMAL_QNAN && !num_is_nan(a)) {
    chosen = a;
  } else {
    if (num_nans(c, out, a, b)) return;
    int order = 0;
    if (by_size) {
      Num one, other;
      num_copy(c, &one, a);
      num_copy(c, &other, b);
      one.negative = other.negative = false;
      order = num_compare(c, &one, &other);
    } else {
      order = num_compare(c, a, b);
    }
    if (order == 0) order = order_total(c, a, b, false);
    chosen = (order < 0) == larger ? b : a;
  }
  num_copy(c, out, chosen);
  num_finish(c, out);
}

void num_max(Calc *c, Num *out, const Num *a, const Num *b) { choose(c, out, a, b, true, false); }
void num_max_mag(Calc *c, Num *out, const Num *a, const Num *b) {
  choose(c, out, a, b, true, true);
}
void num_min(Calc *c, Num *out, const Num *a, const Num *b) { choose(c, out, a, b, false, false); }
void num_min_mag(Calc *c, Num *out, const Num *a, const Num *b) {
  choose(c, out, a, b, false, true);
}
