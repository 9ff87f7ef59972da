// SPDX-License-Identifier: Apache-2.0
// Powers of decimal numbers: of whole exponents by squaring, of others by exp and ln.
#include "decimal_functions.h"
#include <string.h>

enum { EXPONENT_DIGITS = 19 }; // that an exponent may have

static void signed_special(Num *out, bool negative, bool is_infinite) {
  num_small(out, negative, 0, 0);
  if (is_infinite) out->kind = DECIMAL_INFINITE;
}

// 1 with `zeros` zeros behind the point.
static void padded_one(Calc *c, Num *out, bool negative, int64_t zeros) {
  Num one;
  num_small(&one, negative, 1, 0);
  num_scale(c, out, &one, zeros);
  out->exponent = -zeros;
}

static int order_to_one(Calc *c, const Num *a) {
  Num one;
  num_small(&one, false, 1, 0);
  return a->kind == DECIMAL_INFINITE ? 1 : num_compare_sizes(c, a, &one);
}

static bool special_power(Calc *c, Num *out, const Num *a, const Num *b, bool negative) {
  if (num_nans(c, out, a, b)) return true;
  if (num_is_zero(a)) {
    if (num_is_zero(b))
      num_invalid(c, out, DECIMAL_INVALID);
    else
      signed_special(out, negative, b->negative);
  } else if (a->negative && !num_is_integer(c, b)) {
    num_invalid(c, out, DECIMAL_INVALID);
  } else if (b->kind == DECIMAL_INFINITE) {
    int order = order_to_one(c, a);
    if (order == 0) {
      padded_one(c, out, negative, c->prec - 1);
      c->status |= DECIMAL_INEXACT | DECIMAL_ROUNDED;
    } else {
      signed_special(out, negative, (order < 0) == b->negative);
    }
  } else if (num_is_zero(b)) {
    num_small(out, negative, 1, 0);
  } else if (a->kind == DECIMAL_INFINITE) {
    signed_special(out, negative, !b->negative);
  } else {
    return false;
  }
  return true;
}

// Of 1 with zeros behind the point: as many zeros as the exponent makes of them.
static void power_of_one(Calc *c, Num *out, const Num *a, const Num *b, bool negative) {
  int64_t zeros = c->prec - 1;
  if (!num_is_integer(c, b)) {
    c->status |= DECIMAL_INEXACT | DECIMAL_ROUNDED;
  } else if (b->negative) {
    zeros = 0;
  } else {
    Calc exact = calc_exact(c->ev);
    Num count, product, most;
    num_small(&count, a->exponent > 0, (uint64_t)(a->exponent < 0 ? -a->exponent : a->exponent), 0);
    num_multiply(&exact, &product, b, &count);
    num_small(&most, false, (uint64_t)zeros, 0);
    if (num_compare(&exact, &product, &most) > 0) {
      c->status |= DECIMAL_ROUNDED;
    } else {
      num_rescale(&exact, &product, 0);
      zeros = product.size && !product.negative ? (int64_t)product.limbs[0] : 0;
    }
  }
  padded_one(c, out, negative, zeros);
}

static int64_t digit_count(int64_t i) {
  int64_t count = 1;
  for (uint64_t rest = i < 0 ? -(uint64_t)i : (uint64_t)i; rest > 9; rest /= 10) count++;
  return count;
}

// A power of ten that |log10 a| is at least.
static int64_t log_scale(Calc *c, const Num *a) {
  int64_t adjusted = num_adjusted(c->ev, a);
  if (adjusted > 0) return digit_count(adjusted) - 1;
  if (adjusted < -1) return digit_count(adjusted + 1) - 1;
  Calc exact = calc_exact(c->ev);
  Num one, difference, positive;
  num_small(&one, false, 1, 0);
  num_copy(c, &positive, a);
  positive.negative = false;
  num_subtract(&exact, &difference, &positive, &one);
  return num_adjusted(c->ev, &difference) - (adjusted == 0 ? 2 : 1);
}

// What certainly lies beyond all exponents of the context.
static bool power_beyond(Calc *c, Num *out, const Num *a, const Num *b, bool negative) {
  bool grows = (order_to_one(c, a) > 0) != b->negative;
  int64_t most = digit_count(grows ? c->emax : calc_etiny(c));
  if (most >= log_scale(c, a) + num_adjusted(c->ev, b)) return false;
  num_small(out, negative, 1, grows ? 2 * DECIMAL_MAX_EMAX : calc_etiny(c) - 1);
  num_finish(c, out);
  return true;
}

static void power_whole(Calc *c, Num *out, const Num *a, const Num *b, bool negative) {
  Calc work = *c;
  int64_t digits = num_digits(c->ev, b) + b->exponent;
  work.prec += digits + 2 + b->negative;
  work.rounding = DECIMAL_HALF_EVEN;
  work.clamp = false;
  Num base, one, count, product;
  num_copy(c, &base, a);
  if (b->negative) {
    num_small(&one, false, 1, 0);
    num_divide(&work, &base, &one, a);
  }
  Calc exact = calc_exact(c->ev);
  num_copy(c, &count, b);
  num_rescale(&exact, &count, 0);
  num_copy(c, out, &base);
  for (mp_bitcnt_t i = mpn_sizeinbase(count.limbs, (mp_size_t)count.size, 2) - 1; i-- > 0;) {
    num_multiply(&work, &product, out, out);
    if (count.limbs[i / 64] >> i % 64 & 1)
      num_multiply(&work, out, &product, &base);
    else
      num_copy(c, out, &product);
    if (num_is_special(out) || (out->size == 0 && (work.status & DECIMAL_CLAMPED))) break;
  }
  c->status |= work.status;
  if (out->kind == DECIMAL_INFINITE) num_small(out, negative, 1, 2 * DECIMAL_MAX_EMAX);
  out->negative = negative;
  num_finish(c, out);
}

static void power_real(Calc *c, Num *out, const Num *a, const Num *b) {
  Calc work = *c;
  int64_t digits = num_digits(c->ev, a);
  work.prec = (digits > c->prec ? digits : c->prec) + 4 + EXPONENT_DIGITS;
  work.rounding = DECIMAL_HALF_EVEN;
  work.status = 0;
  Num log, product;
  num_ln(&work, &log, a);
  num_multiply(&work, &product, &log, b);
  work.emin = -DECIMAL_MAX_EMAX; // what is too small is rounded once
  work.emax = DECIMAL_MAX_EMAX;
  num_exp(&work, out, &product);
  c->status |= DECIMAL_INEXACT | DECIMAL_ROUNDED;
  if (out->kind == DECIMAL_FINITE && out->size && order_to_one(c, out) == 0)
    padded_one(c, out, false, c->prec - 1);
  if (out->kind == DECIMAL_INFINITE) num_small(out, false, 1, 2 * DECIMAL_MAX_EMAX);
  num_finish(c, out);
}

void num_power(Calc *c, Num *out, const Num *a, const Num *b) {
  bool is_whole = num_is_integer(c, b);
  bool negative = a->negative && is_whole && num_is_odd(c, b);
  if (special_power(c, out, a, b, negative)) return;
  if (order_to_one(c, a) == 0) return power_of_one(c, out, a, b, negative);
  if (power_beyond(c, out, a, b, negative)) return;
  if (is_whole)
    power_whole(c, out, a, b, negative);
  else
    power_real(c, out, a, b);
}

// ---- modulo -------------------------------------------------------------------------------------
static void whole_modulo(mpz_t out, const Num *n, const mpz_t modulus) {
  mpz_t view, ten, by;
  mpz_inits(ten, by, NULL);
  mpz_set_ui(ten, 10);
  mpz_set_si(by, n->exponent < 0 ? 0 : n->exponent);
  mpz_powm(ten, ten, by, modulus);
  mpz_mul(ten, ten, mpz_roinit_n(view, n->limbs, (mp_size_t)n->size));
  mpz_mod(out, ten, modulus);
  mpz_clears(ten, by, NULL);
}

void num_power_modulo(Calc *c, Num *out, const Num *a, const Num *b, const Num *modulus) {
  if (num_is_nan(modulus) && a->kind != DECIMAL_SNAN && b->kind != DECIMAL_SNAN) {
    if (modulus->kind == DECIMAL_SNAN || (!num_is_nan(a) && !num_is_nan(b))) {
      num_nans(c, out, modulus, NULL);
      return;
    }
  }
  if (num_nans(c, out, a, b)) return;
  bool is_whole = num_is_integer(c, a) && num_is_integer(c, b) && num_is_integer(c, modulus);
  if (!is_whole || num_is_zero(modulus) || (num_is_zero(a) && num_is_zero(b)) ||
      (b->negative && !num_is_zero(b)) || num_adjusted(c->ev, modulus) >= c->prec)
    return num_invalid(c, out, DECIMAL_INVALID);
  Calc exact = calc_exact(c->ev);
  Num base, exponent, size;
  num_copy(c, &base, a);
  num_copy(c, &exponent, b);
  num_copy(c, &size, modulus);
  if (base.exponent < 0) num_rescale(&exact, &base, 0);
  num_rescale(&exact, &exponent, 0);
  num_rescale(&exact, &size, 0);
  num_small(out, a->negative && num_is_odd(c, b), 0, 0);
  num_reserve(c, out, size.size);
  mpz_t x, m, view;
  mpz_inits(x, m, NULL);
  mpz_set(m, mpz_roinit_n(view, size.limbs, (mp_size_t)size.size));
  whole_modulo(x, &base, m);
  mpz_powm(x, x, mpz_roinit_n(view, exponent.limbs, (mp_size_t)exponent.size), m);
  out->size = mpz_size(x);
  memcpy(out->limbs, mpz_limbs_read(x), out->size * sizeof(mp_limb_t));
  mpz_clears(x, m, NULL);
}
