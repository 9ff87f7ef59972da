// SPDX-License-Identifier: Apache-2.0
// exp, ln and log10 of decimal numbers, correctly rounded: computed in binary fixed point with so
// many bits that the digits behind the last one say how it is rounded; where they do not, with
// twice as many more. GMP's numbers live while nothing is taken from the arena.
#include "decimal_functions.h"
#include "base/collected.h"
#include "python/values/raise.h"
#include "std_decimal.h"
#include <math.h>
#include <string.h>

enum { GUARD_DIGITS = 8 };
// More than any exponent has digits.
enum { EXPONENT_DIGITS = 19 };

static int64_t bits_of_digits(int64_t digits) { return digits * 10 / 3 + 4; }

static void of_num(mpz_t z, const Num *n) {
  mpz_t view;
  mpz_set(z, mpz_roinit_n(view, n->limbs, (mp_size_t)n->size));
}

// The room of a result of so many digits, before it is computed.
static void reserve_digits(Calc *c, Num *out, int64_t digits) {
  if (digits > (int64_t)1 << 40) decimal_limbs(c->ev, SIZE_MAX);
  decimal_limbs(c->ev, (size_t)digits * 10 / 192 * 8 + 8); // what lies between
  num_small(out, false, 0, 0);
  num_reserve(c, out, (size_t)digits * 10 / 192 + 4);
}

static void take_digits(Num *out, const mpz_t z) {
  out->negative = mpz_sgn(z) < 0;
  out->size = mpz_size(z);
  memcpy(out->limbs, mpz_limbs_read(z), out->size * sizeof(mp_limb_t));
}

// Whether the digits behind the precision leave no doubt, where the last one may be wrong by 4.
static bool rounds_surely(Calc *c, const Num *n) {
  int64_t extra = num_digits(c->ev, n) - c->prec;
  if (extra < 2) return false;
  Num low, high, near;
  num_copy(c, &low, n);
  low.exponent = 0;
  num_copy(c, &near, &low);
  mpn_sub_1(low.limbs, low.limbs, (mp_size_t)low.size, 4);
  num_normal(&low);
  num_reserve(c, &high, n->size + 1);
  high.limbs[n->size] = mpn_add_1(high.limbs, n->limbs, (mp_size_t)n->size, 4);
  high.size = n->size + 1;
  num_normal(&high);
  Rest below = num_cut(c, &low, extra), above = num_cut(c, &high, extra);
  return below == above && below != REST_NONE && below != REST_HALF &&
         num_compare_coefficients(&low, &high) == 0;
}

// ---- ln 10 --------------------------------------------------------------------------------------
// acoth(n) = 1/n + 1/3n^3 + …
static void add_acoth(mpz_t sum, long factor, unsigned long n, int64_t bits) {
  mpz_t term, part;
  mpz_inits(term, part, NULL);
  mpz_set_si(term, factor);
  mpz_mul_2exp(term, term, (mp_bitcnt_t)bits);
  mpz_tdiv_q_ui(term, term, n);
  for (unsigned long i = 1; mpz_sgn(term); i += 2) {
    mpz_tdiv_q_ui(part, term, i);
    mpz_add(sum, sum, part);
    mpz_tdiv_q_ui(term, term, n * n);
  }
  mpz_clears(term, part, NULL);
}

// In fixed point, kept for the next time.
static void ln_of_ten(Calc *c, mpz_t out, int64_t bits) {
  DecimalState *state = decimal_state(c->ev);
  if (state->ln_ten_bits < bits) {
    int64_t wanted = bits + bits / 2 + 64;
    size_t count = (size_t)wanted / 64 + 2;
    mp_limb_t *limbs = decimal_limbs(c->ev, count);
    mpz_t sum;
    mpz_init(sum);
    add_acoth(sum, 46, 31, wanted + 16);
    add_acoth(sum, 34, 49, wanted + 16);
    add_acoth(sum, 20, 161, wanted + 16);
    mpz_tdiv_q_2exp(sum, sum, 16);
    memcpy(limbs, mpz_limbs_read(sum), mpz_size(sum) * sizeof *limbs);
    state->ln_ten = (DecimalPower){limbs, mpz_size(sum)};
    state->ln_ten_bits = wanted;
    mpz_clear(sum);
  }
  mpz_t view;
  mpz_roinit_n(view, state->ln_ten.limbs, (mp_size_t)state->ln_ten.size);
  mpz_tdiv_q_2exp(out, view, (mp_bitcnt_t)(state->ln_ten_bits - bits));
}

// So many halvings make a series short.
static int64_t halvings(int64_t bits) { return (int64_t)sqrt((double)bits) / 2 + 2; }

// ---- exp ----------------------------------------------------------------------------------------
// r in fixed point, at least 0 and less than 3, becomes exp(r): exp(r / 2^s), squared s times.
static void fixed_exp(mpz_t r, int64_t bits, int64_t s) {
  mpz_t sum, term;
  mpz_inits(sum, term, NULL);
  mpz_tdiv_q_2exp(r, r, (mp_bitcnt_t)s);
  mpz_setbit(term, (mp_bitcnt_t)bits);
  mpz_set(sum, term);
  for (unsigned long i = 1; mpz_sgn(term); i++) {
    mpz_mul(term, term, r);
    mpz_tdiv_q_2exp(term, term, (mp_bitcnt_t)bits);
    mpz_tdiv_q_ui(term, term, i);
    mpz_add(sum, sum, term);
  }
  for (int64_t i = 0; i < s; i++) {
    mpz_mul(sum, sum, sum);
    mpz_tdiv_q_2exp(sum, sum, (mp_bitcnt_t)bits);
  }
  mpz_swap(r, sum);
  mpz_clears(sum, term, NULL);
}

// a in fixed point.
static void fixed_num(mpz_t out, const Num *a, int64_t bits) {
  mpz_t power;
  mpz_init(power);
  of_num(out, a);
  mpz_mul_2exp(out, out, (mp_bitcnt_t)bits);
  mpz_ui_pow_ui(power, 10, (unsigned long)(a->exponent < 0 ? -a->exponent : a->exponent));
  if (a->exponent < 0)
    mpz_tdiv_q(out, out, power);
  else
    mpz_mul(out, out, power);
  if (a->negative) mpz_neg(out, out);
  mpz_clear(power);
}

// x = k ln 10 + r: so many digits of exp(r), and k.
static void exp_digits(Calc *c, Num *out, const Num *a, int64_t digits) {
  int64_t s = halvings(bits_of_digits(digits)), bits = bits_of_digits(digits) + 2 * s + 32;
  int64_t wide = bits + 72;
  reserve_digits(c, out, digits + 2);
  decimal_limbs(c->ev, a->size * 4 + 8);
  mpz_t ten, x, k;
  mpz_init(ten);
  ln_of_ten(c, ten, wide);
  mpz_inits(x, k, NULL);
  fixed_num(x, a, wide);
  mpz_fdiv_qr(k, x, x, ten);
  mpz_fdiv_q_2exp(x, x, (mp_bitcnt_t)(wide - bits));
  fixed_exp(x, bits, s);
  mpz_ui_pow_ui(ten, 10, (unsigned long)(digits - 1));
  mpz_mul(x, x, ten);
  mpz_fdiv_q_2exp(x, x, (mp_bitcnt_t)bits);
  take_digits(out, x);
  out->exponent = mpz_get_si(k) - digits + 1;
  mpz_clears(ten, x, k, NULL);
}

// 1, as what is a little more or less is rounded.
static void near_one(Calc *c, Num *out) {
  Num one;
  num_small(&one, false, 1, 0);
  num_scale(c, out, &one, c->prec - 1);
  out->exponent = 1 - c->prec;
  c->status |= DECIMAL_INEXACT | DECIMAL_ROUNDED;
}

void num_exp(Calc *c, Num *out, const Num *a) {
  if (num_nans(c, out, a, NULL)) return;
  if (a->kind == DECIMAL_INFINITE) {
    num_special(out, a->negative ? DECIMAL_FINITE : DECIMAL_INFINITE, false);
    return;
  }
  if (a->size == 0) return num_small(out, false, 1, 0);
  DecimalRounding rounding = c->rounding;
  c->rounding = DECIMAL_HALF_EVEN;
  int64_t adjusted = num_adjusted(c->ev, a);
  if (adjusted >= EXPONENT_DIGITS) {
    num_small(out, false, 1, a->negative ? calc_etiny(c) - 1 : c->emax + 1);
  } else if (adjusted < -c->prec - 1) {
    near_one(c, out);
  } else {
    int64_t extra = GUARD_DIGITS;
    do {
      exp_digits(c, out, a, c->prec + extra);
      extra *= 3;
    } while (!rounds_surely(c, out));
  }
  num_finish(c, out);
  c->rounding = rounding;
}

// ---- logarithms ---------------------------------------------------------------------------------
// m in fixed point, near 1, becomes ln(m): of its 2^s-th root y, 2^(s+1) atanh((y - 1) / (y + 1)).
static void fixed_ln(mpz_t m, int64_t bits, int64_t s) {
  mpz_t one, z, square, sum;
  mpz_inits(one, z, square, sum, NULL);
  mpz_setbit(one, (mp_bitcnt_t)bits);
  for (int64_t i = 0; i < s; i++) {
    mpz_mul_2exp(m, m, (mp_bitcnt_t)bits);
    mpz_sqrt(m, m);
  }
  mpz_sub(z, m, one);
  mpz_add(m, m, one);
  mpz_mul_2exp(z, z, (mp_bitcnt_t)bits);
  mpz_tdiv_q(z, z, m);
  mpz_mul(square, z, z);
  mpz_tdiv_q_2exp(square, square, (mp_bitcnt_t)bits);
  for (unsigned long i = 1; mpz_sgn(z); i += 2) {
    mpz_tdiv_q_ui(m, z, i);
    mpz_add(sum, sum, m);
    mpz_mul(z, z, square);
    mpz_tdiv_q_2exp(z, z, (mp_bitcnt_t)bits);
  }
  mpz_mul_2exp(m, sum, (mp_bitcnt_t)(s + 1));
  mpz_clears(one, z, square, sum, NULL);
}

// Of a logarithm: x = m 10^k with m near 1, and of which power of ten the logarithm is at least.
typedef struct Reduced {
  Num m;
  int64_t k, scale;
} Reduced;

static void reduce(Calc *c, Reduced *r, const Num *a) {
  int64_t digits = num_digits(c->ev, a);
  num_copy(c, &r->m, a);
  r->k = a->exponent + digits - 1;
  r->m.exponent = 1 - digits;
  Num lead, one;
  num_copy(c, &lead, a);
  if (digits > 2) num_cut(c, &lead, digits - 2);
  if (lead.limbs[0] >= (digits > 1 ? 32 : 4)) {
    r->k++;
    r->m.exponent--;
  }
  if (r->k) {
    num_small(&one, false, (uint64_t)(r->k < 0 ? -r->k : r->k), 0);
    r->scale = num_digits(c->ev, &one) - 2;
    return;
  }
  Calc exact = calc_exact(c->ev);
  Num difference;
  num_small(&one, false, 1, 0);
  num_subtract(&exact, &difference, &r->m, &one);
  r->scale = num_adjusted(c->ev, &difference) - 1;
}

static void log_digits(Calc *c, Num *out, const Reduced *r, bool of_ten, int64_t digits) {
  int64_t places = digits - r->scale, s = halvings(bits_of_digits(places > 0 ? places : 1));
  int64_t bits = bits_of_digits(places > 0 ? places : 1) + s + 40, wide = bits + 72;
  reserve_digits(c, out, digits + 4);
  decimal_limbs(c->ev, r->m.size * 4 + (size_t)bits / 16);
  mpz_t ten, x, k;
  mpz_init(ten);
  ln_of_ten(c, ten, wide);
  mpz_inits(x, k, NULL);
  fixed_num(x, &r->m, bits);
  fixed_ln(x, bits, s);
  mpz_mul_2exp(x, x, (mp_bitcnt_t)(wide - bits));
  mpz_set_si(k, r->k);
  if (of_ten) {
    mpz_mul_2exp(x, x, (mp_bitcnt_t)wide);
    mpz_tdiv_q(x, x, ten);
    mpz_mul_2exp(k, k, (mp_bitcnt_t)wide);
  } else {
    mpz_mul(k, k, ten);
  }
  mpz_add(x, x, k);
  mpz_ui_pow_ui(ten, 10, (unsigned long)(places < 0 ? -places : places));
  if (places < 0)
    mpz_tdiv_q(x, x, ten);
  else
    mpz_mul(x, x, ten);
  mpz_tdiv_q_2exp(x, x, (mp_bitcnt_t)wide);
  take_digits(out, x);
  out->exponent = -places;
  mpz_clears(ten, x, k, NULL);
}

static bool is_power_of_ten(Calc *c, const Num *a) {
  int64_t digits = num_digits(c->ev, a);
  size_t size;
  const mp_limb_t *power = decimal_power(c->ev, digits - 1, &size);
  return size == a->size && mpn_cmp(power, a->limbs, (mp_size_t)size) == 0;
}

static void logarithm(Calc *c, Num *out, const Num *a, bool of_ten) {
  if (num_nans(c, out, a, NULL)) return;
  if (num_is_zero(a)) return num_special(out, DECIMAL_INFINITE, true);
  if (a->negative) return num_invalid(c, out, DECIMAL_INVALID);
  if (a->kind == DECIMAL_INFINITE) return num_special(out, DECIMAL_INFINITE, false);
  DecimalRounding rounding = c->rounding;
  c->rounding = DECIMAL_HALF_EVEN;
  int64_t adjusted = num_adjusted(c->ev, a);
  if ((of_ten || adjusted == 0) && is_power_of_ten(c, a)) {
    num_small(out, adjusted < 0, (uint64_t)(adjusted < 0 ? -adjusted : adjusted), 0);
  } else {
    Reduced r;
    reduce(c, &r, a);
    int64_t extra = GUARD_DIGITS;
    do {
      log_digits(c, out, &r, of_ten, c->prec + extra);
      extra *= 3;
    } while (!rounds_surely(c, out));
  }
  num_finish(c, out);
  c->rounding = rounding;
}

void num_ln(Calc *c, Num *out, const Num *a) { logarithm(c, out, a, false); }
void num_log10(Calc *c, Num *out, const Num *a) { logarithm(c, out, a, true); }
