// SPDX-License-Identifier: Apache-2.0
// Decimal numbers: coefficients, their digits, and rounding, as the General Decimal Arithmetic has
// it. Coefficients are integers of GMP's: they are scaled and cut by powers of ten.
#include "decimal_number.h"
#include "base/collected.h"
#include "python/numbers/bigint.h"
#include "python/numbers/integer.h"
#include "python/values/builtin_state.h"
#include "python/values/raise.h"
#include "std_decimal.h"
#include <math.h>
#include <string.h>

// 3 * 10^8 digits. GMP aborts where memory ends, so that it is asked for before.
#define MOST_LIMBS ((size_t)1 << 24)

static const mp_limb_t small_powers[20] = {
    1u,
    10u,
    100u,
    1000u,
    10000u,
    100000u,
    1000000u,
    10000000u,
    100000000u,
    1000000000u,
    10000000000u,
    100000000000u,
    1000000000000u,
    10000000000000u,
    100000000000000u,
    1000000000000000u,
    10000000000000000u,
    100000000000000000u,
    1000000000000000000u,
    10000000000000000000u,
};

mp_limb_t *decimal_limbs(Eval *ev, size_t count) {
  if (count > MOST_LIMBS)
    eval_raise(ev, ev->types.MemoryError, "decimal number of more than %zu digits",
               MOST_LIMBS * 19);
  // GMP's own room, while it computes, is of this size too.
  if (count > 1024) demand_memory(ev, 4 * count * sizeof(mp_limb_t));
  return arena_alloc_bytes(ev->arena, (count ? count : 1) * sizeof(mp_limb_t));
}

void num_reserve(Calc *c, Num *n, size_t limbs) {
  n->limbs = limbs <= DECIMAL_ROOM ? n->room : decimal_limbs(c->ev, limbs);
}

void num_normal(Num *n) {
  while (n->size && n->limbs[n->size - 1] == 0) n->size--;
}

void num_copy(Calc *c, Num *to, const Num *from) {
  to->kind = from->kind;
  to->negative = from->negative;
  to->exponent = from->exponent;
  num_reserve(c, to, from->size);
  to->size = from->size;
  memcpy(to->limbs, from->limbs, from->size * sizeof(mp_limb_t));
}

void num_small(Num *n, bool negative, uint64_t coefficient, int64_t exponent) {
  n->kind = DECIMAL_FINITE;
  n->negative = negative;
  n->exponent = exponent;
  n->limbs = n->room;
  n->room[0] = coefficient;
  n->size = coefficient != 0;
}

void num_special(Num *n, DecimalKind kind, bool negative) {
  num_small(n, negative, 0, 0);
  n->kind = kind;
}

void num_invalid(Calc *c, Num *n, unsigned status) {
  c->status |= status;
  num_special(n, DECIMAL_QNAN, false);
}

void num_of_value(Calc *c, Num *n, Value integer) {
  if (!value_is_big(integer)) {
    uint64_t size = integer.i < 0 ? -(uint64_t)integer.i : (uint64_t)integer.i;
    num_small(n, integer.i < 0, size, 0);
    return;
  }
  const mpz_t *z = (const mpz_t *)((const BigInt *)integer.o)->mpz;
  num_small(n, mpz_sgn(*z) < 0, 0, 0);
  n->size = mpz_size(*z);
  num_reserve(c, n, n->size);
  memcpy(n->limbs, mpz_limbs_read(*z), n->size * sizeof(mp_limb_t));
}

// A double is m * 2^e: of a negative e, m * 5^-e * 10^e.
void num_of_double(Calc *c, Num *n, double x) {
  if (isnan(x) || isinf(x)) {
    num_special(n, isnan(x) ? DECIMAL_QNAN : DECIMAL_INFINITE, !isnan(x) && signbit(x));
    return;
  }
  int e;
  uint64_t m = (uint64_t)ldexp(frexp(fabs(x), &e), 53);
  e -= 53;
  num_small(n, signbit(x), m, 0);
  if (m == 0) return;
  int zeros = __builtin_ctzll(m);
  if (e < 0) {
    int shift = zeros < -e ? zeros : -e;
    m >>= shift;
    e += shift;
  }
  size_t room = 2 + (size_t)(e < 0 ? -e * 7 / 3 : e) / 64;
  num_reserve(c, n, room);
  mpz_t z;
  mpz_init(z);
  mpz_ui_pow_ui(z, e < 0 ? 5 : 2, (unsigned long)(e < 0 ? -e : e));
  mpz_mul_ui(z, z, m);
  n->size = mpz_size(z);
  memcpy(n->limbs, mpz_limbs_read(z), n->size * sizeof(mp_limb_t));
  mpz_clear(z);
  if (e < 0) n->exponent = e;
}

Value num_whole(Eval *ev, const Num *n) {
  if (n->size == 0) return v_int(0);
  Value v = big_from_bytes(ev, (const unsigned char *)n->limbs, n->size * sizeof(mp_limb_t), false);
  return n->negative ? big_negate(ev, v) : v;
}

// ---- powers of ten ------------------------------------------------------------------------------
static const mp_limb_t *power_made(Eval *ev, int64_t k, size_t *size) {
  if (k > (int64_t)MOST_LIMBS * 19) decimal_limbs(ev, MOST_LIMBS + 1);
  mp_limb_t *limbs = decimal_limbs(ev, (size_t)k * 10 / 192 + 2); // log 10 / log 2^64 < 10 / 192
  mpz_t z;
  mpz_init(z);
  mpz_ui_pow_ui(z, 5, (unsigned long)k);
  mpz_mul_2exp(z, z, (mp_bitcnt_t)k);
  *size = mpz_size(z);
  memcpy(limbs, mpz_limbs_read(z), *size * sizeof(mp_limb_t));
  mpz_clear(z);
  return limbs;
}

static inline const mp_limb_t *power_of_ten(Eval *ev, int64_t k, size_t *size) {
  if (k < 20) {
    *size = 1;
    return &small_powers[k];
  }
  if (k >= DECIMAL_KEPT_POWERS) return power_made(ev, k, size);
  DecimalPower *kept = &decimal_state(ev)->powers[k];
  if (!kept->limbs) kept->limbs = power_made(ev, k, &kept->size);
  *size = kept->size;
  return kept->limbs;
}

const mp_limb_t *decimal_power(Eval *ev, int64_t k, size_t *size) {
  return power_of_ten(ev, k, size);
}

static bool less_than_power(Eval *ev, const Num *n, int64_t k) {
  size_t size;
  const mp_limb_t *power = power_of_ten(ev, k, &size);
  if (n->size != size) return n->size < size;
  return mpn_cmp(n->limbs, power, (mp_size_t)size) < 0;
}

int64_t num_digits(Eval *ev, const Num *n) {
  if (n->size == 0) return 1;
  mp_limb_t top = n->limbs[n->size - 1];
  if (n->size == 1) {
    int64_t few = (64 - __builtin_clzll(top)) * 1233 >> 12;
    return few + (few < 20 && top >= small_powers[few]);
  }
  int64_t bits = (int64_t)n->size * 64 - __builtin_clzll(top);
  if (n->size <= 16) {
    int64_t few = bits * 30103 / 100000;
    if ((bits - 1) * 30103 / 100000 == few) return few + 1; // no power of ten has so many bits
    return less_than_power(ev, n, few) ? few : few + 1;
  }
  // The logarithm from the leading limbs, unless it is close to a whole number.
  double lead = (double)top * 0x1p64 + (double)n->limbs[n->size - 2];
  long double log = log10l((long double)lead) + (long double)(n->size - 2) * 64 * log10l(2);
  long double whole = floorl(log), near = 1e-10L * (1 + log * 1e-6L);
  if (log - whole > near && log - whole < 1 - near) return (int64_t)whole + 1;
  int64_t k = (int64_t)floorl(log + 0.5L);
  return less_than_power(ev, n, k) ? k : k + 1;
}

void num_scale(Calc *c, Num *to, const Num *from, int64_t k) {
  to->kind = from->kind;
  to->negative = from->negative;
  to->exponent = from->exponent;
  if (from->size == 0 || k == 0) {
    num_copy(c, to, from);
    return;
  }
  size_t size;
  const mp_limb_t *power = power_of_ten(c->ev, k, &size);
  num_reserve(c, to, from->size + size);
  to->size = from->size + size;
  if (size == 1)
    to->limbs[from->size] = mpn_mul_1(to->limbs, from->limbs, (mp_size_t)from->size, power[0]);
  else if (from->size >= size)
    mpn_mul(to->limbs, from->limbs, (mp_size_t)from->size, power, (mp_size_t)size);
  else
    mpn_mul(to->limbs, power, (mp_size_t)size, from->limbs, (mp_size_t)from->size);
  num_normal(to);
}

// ---- division by powers of ten ------------------------------------------------------------------
// Of one limb: by a reciprocal of the divisor, shifted so that its first bit is set (Möller and
// Granlund, "Improved division by invariant integers", 2011).
static mp_limb_t reciprocal_of(mp_limb_t divisor) {
  return (mp_limb_t)(~(unsigned __int128)0 / divisor - ((unsigned __int128)1 << 64));
}

static inline mp_limb_t divide_step(mp_limb_t high, mp_limb_t low, mp_limb_t divisor,
                                    mp_limb_t reciprocal, mp_limb_t *rest) {
  unsigned __int128 q =
      (unsigned __int128)reciprocal * high + (((unsigned __int128)high << 64) | low);
  mp_limb_t quotient = (mp_limb_t)(q >> 64) + 1, r = low - quotient * divisor;
  if (r > (mp_limb_t)q) {
    quotient--;
    r += divisor;
  }
  if (r >= divisor) {
    quotient++;
    r -= divisor;
  }
  *rest = r;
  return quotient;
}

// In place, by 10^k of one limb; the rest.
static mp_limb_t cut_limb(Eval *ev, mp_limb_t *limbs, size_t size, int64_t k) {
  mp_limb_t divisor = small_powers[k], *known = &decimal_state(ev)->reciprocals[k];
  int shift = __builtin_clzll(divisor);
  divisor <<= shift;
  if (!*known) *known = reciprocal_of(divisor);
  mp_limb_t rest = shift ? limbs[size - 1] >> (64 - shift) : 0;
  for (size_t i = size; i-- > 0;) {
    mp_limb_t next = shift && i ? limbs[i - 1] >> (64 - shift) : 0;
    limbs[i] = divide_step(rest, limbs[i] << shift | next, divisor, *known, &rest);
  }
  return rest >> shift;
}

static Rest rest_of(int order, bool is_zero) {
  return is_zero ? REST_NONE : order < 0 ? REST_LOW : order == 0 ? REST_HALF : REST_HIGH;
}

// A limb's digits at a time.
static Rest cut_short(Calc *c, Num *n, int64_t k) {
  bool is_exact = true;
  for (; k > 19; k -= 19) {
    if (n->size) is_exact &= cut_limb(c->ev, n->limbs, n->size, 19) == 0;
    num_normal(n);
  }
  if (n->size == 0) return is_exact ? REST_NONE : REST_LOW;
  mp_limb_t rest = cut_limb(c->ev, n->limbs, n->size, k), half = small_powers[k] / 2;
  num_normal(n);
  int order = rest < half ? -1 : rest > half || !is_exact;
  return rest_of(order, rest == 0 && is_exact);
}

// n is written in place; its limbs are its own.
Rest num_cut(Calc *c, Num *n, int64_t k) {
  if (k <= 0 || n->size == 0) return REST_NONE;
  if (k <= 19 || (n->size <= DECIMAL_ROOM && k <= 8 * 19)) return cut_short(c, n, k);
  if (k > num_digits(c->ev, n)) {
    n->size = 0;
    return REST_LOW;
  }
  size_t size, before = n->size;
  const mp_limb_t *power = power_of_ten(c->ev, k, &size);
  mp_limb_t *quotient = decimal_limbs(c->ev, 3 * before + 3);
  mp_limb_t *rest = quotient + before + 1, *twice = rest + before + 1;
  if (before < size) { // as many digits, of which the power has one more
    memcpy(rest, n->limbs, before * sizeof *rest);
    memset(rest + before, 0, (size - before) * sizeof *rest);
    n->size = 0;
  } else {
    mpn_tdiv_qr(quotient, rest, 0, n->limbs, (mp_size_t)before, power, (mp_size_t)size);
    n->size = before - size + 1;
    memcpy(n->limbs, quotient, n->size * sizeof *quotient);
    num_normal(n);
  }
  if (mpn_zero_p(rest, (mp_size_t)size)) return REST_NONE;
  mp_limb_t carry = mpn_lshift(twice, rest, (mp_size_t)size, 1);
  return rest_of(carry ? 1 : mpn_cmp(twice, power, (mp_size_t)size), false);
}

static bool rounds_up(const Num *n, DecimalRounding rounding, Rest rest) {
  if (rest == REST_NONE) return false;
  switch (rounding) {
  case DECIMAL_UP: return true;
  case DECIMAL_DOWN: return false;
  case DECIMAL_CEILING: return !n->negative;
  case DECIMAL_FLOOR: return n->negative;
  case DECIMAL_HALF_UP: return rest >= REST_HALF;
  case DECIMAL_HALF_DOWN: return rest == REST_HIGH;
  case DECIMAL_HALF_EVEN:
    return rest == REST_HIGH || (rest == REST_HALF && n->size && (n->limbs[0] & 1));
  case DECIMAL_05UP: break;
  }
  return n->size == 0 || mpn_mod_1(n->limbs, (mp_size_t)n->size, 5) == 0;
}

void num_round_at(Calc *c, Num *n, Rest rest) {
  if (!rounds_up(n, c->rounding, rest)) return;
  if (n->size == 0) {
    n->limbs[0] = 1;
    n->size = 1;
    return;
  }
  mp_limb_t carry = mpn_add_1(n->limbs, n->limbs, (mp_size_t)n->size, 1);
  // All that was cut was worth at least a digit: there is a limb more, unless nothing was cut.
  if (carry) n->limbs[n->size++] = carry;
}

// Zeros of a number of few limbs: of what is left behind the last limb's digits that are none.
static int64_t strip_short(Calc *c, Num *n, int64_t most) {
  int64_t zeros = 0;
  while (zeros < most && !(n->limbs[0] & 1)) {
    mp_limb_t few[DECIMAL_STRIPPED];
    int64_t k = most - zeros < 19 ? most - zeros : 19;
    memcpy(few, n->limbs, n->size * sizeof *few);
    mp_limb_t rest = cut_limb(c->ev, few, n->size, k);
    if (rest) {
      for (k = 0; rest % 10 == 0; rest /= 10) k++;
      if (k) cut_limb(c->ev, n->limbs, n->size, k);
      num_normal(n);
      return zeros + k;
    }
    memcpy(n->limbs, few, n->size * sizeof *few);
    num_normal(n);
    zeros += k;
  }
  return zeros;
}

int64_t num_strip(Calc *c, Num *n, int64_t most) {
  if (n->size <= DECIMAL_STRIPPED) return strip_short(c, n, most);
  // By powers that double, then that halve.
  int64_t zeros = 0;
  bool grows = true;
  for (int64_t step = 1; step && !(n->limbs[0] & 1); step = grows ? 2 * step : step / 2) {
    Num cut;
    num_copy(c, &cut, n);
    if (step <= most - zeros && num_cut(c, &cut, step) == REST_NONE) {
      zeros += step;
      num_copy(c, n, &cut);
    } else {
      grows = false;
    }
  }
  return zeros;
}

int64_t num_trailing_zeros(Eval *ev, const Num *n) {
  if (n->limbs[0] & 1) return 0;
  Calc exact = calc_exact(ev);
  Num work;
  num_copy(&exact, &work, n);
  return num_strip(&exact, &work, INT64_MAX);
}

// ---- order --------------------------------------------------------------------------------------
int num_compare_coefficients(const Num *a, const Num *b) {
  if (a->size != b->size) return a->size < b->size ? -1 : 1;
  return a->size ? mpn_cmp(a->limbs, b->limbs, (mp_size_t)a->size) : 0;
}

static int sign_of(int64_t i) { return i < 0 ? -1 : i > 0; }

int num_compare_sizes(Calc *c, const Num *a, const Num *b) {
  if (a->size == 0 || b->size == 0) return (a->size != 0) - (b->size != 0);
  if (a->exponent == b->exponent) return sign_of(num_compare_coefficients(a, b));
  int64_t one = num_adjusted(c->ev, a), other = num_adjusted(c->ev, b);
  if (one != other) return one < other ? -1 : 1;
  Num scaled;
  int64_t shift = a->exponent - b->exponent;
  num_scale(c, &scaled, shift > 0 ? a : b, shift > 0 ? shift : -shift);
  return sign_of(shift > 0 ? num_compare_coefficients(&scaled, b)
                           : num_compare_coefficients(a, &scaled));
}

int num_compare(Calc *c, const Num *a, const Num *b) {
  int one = num_is_zero(a) ? 0 : a->negative ? -1 : 1;
  int other = num_is_zero(b) ? 0 : b->negative ? -1 : 1;
  if (one != other) return one < other ? -1 : 1;
  if (one == 0) return 0;
  int size;
  if (a->kind == DECIMAL_INFINITE || b->kind == DECIMAL_INFINITE)
    size = (a->kind == DECIMAL_INFINITE) - (b->kind == DECIMAL_INFINITE);
  else
    size = num_compare_sizes(c, a, b);
  return one * size;
}

// ---- rounding to a context ----------------------------------------------------------------------
static void largest(Calc *c, Num *n) {
  size_t size;
  const mp_limb_t *power = power_of_ten(c->ev, c->prec, &size);
  num_reserve(c, n, size);
  mpn_sub_1(n->limbs, power, (mp_size_t)size, 1);
  n->size = size;
  num_normal(n);
  n->exponent = calc_etop(c);
}

static void overflow(Calc *c, Num *n) {
  bool stays = c->rounding == DECIMAL_DOWN || c->rounding == DECIMAL_05UP ||
               (c->rounding == DECIMAL_CEILING && n->negative) ||
               (c->rounding == DECIMAL_FLOOR && !n->negative);
  c->status |= DECIMAL_OVERFLOW | DECIMAL_INEXACT | DECIMAL_ROUNDED;
  if (stays)
    largest(c, n);
  else
    num_special(n, DECIMAL_INFINITE, n->negative);
}

// Cut and rounded so that the exponent becomes `exponent`, which is larger.
static bool round_to_exponent(Calc *c, Num *n, int64_t exponent) {
  Rest rest = num_cut(c, n, exponent - n->exponent);
  n->exponent = exponent;
  num_round_at(c, n, rest);
  c->status |= DECIMAL_ROUNDED;
  if (rest != REST_NONE) c->status |= DECIMAL_INEXACT;
  return rest != REST_NONE;
}

static void finish_small(Calc *c, Num *n) {
  int64_t etiny = calc_etiny(c);
  if (n->size == 0) {
    if (n->exponent < etiny) {
      n->exponent = etiny;
      c->status |= DECIMAL_CLAMPED;
    }
    return;
  }
  c->status |= DECIMAL_SUBNORMAL;
  if (n->exponent >= etiny || !round_to_exponent(c, n, etiny)) return;
  c->status |= DECIMAL_UNDERFLOW;
  if (n->size == 0) c->status |= DECIMAL_CLAMPED;
}

static void fold_down(Calc *c, Num *n, int64_t adjusted) {
  int64_t shift = n->exponent - calc_etop(c);
  Num scaled;
  num_scale(c, &scaled, n, shift);
  num_copy(c, n, &scaled);
  n->exponent -= shift;
  c->status |= DECIMAL_CLAMPED;
  if (n->size && adjusted < c->emin) c->status |= DECIMAL_SUBNORMAL;
}

// False: the exponent is one of the context's.
static bool finish_exponent(Calc *c, Num *n, int64_t digits) {
  int64_t adjusted = n->exponent + digits - 1;
  if (adjusted > c->emax) {
    if (n->size) {
      overflow(c, n);
    } else {
      n->exponent = c->clamp ? calc_etop(c) : c->emax;
      c->status |= DECIMAL_CLAMPED;
    }
  } else if (c->clamp && n->exponent > calc_etop(c)) {
    fold_down(c, n, adjusted);
  } else if (adjusted < c->emin) {
    finish_small(c, n);
  } else {
    return false;
  }
  return true;
}

// Of a payload only so many digits are kept as a coefficient may have.
static void finish_nan(Calc *c, Num *n) {
  int64_t room = c->prec - c->clamp, digits = num_digits(c->ev, n);
  if (n->size == 0 || digits <= room) return;
  if (room <= 0) {
    n->size = 0;
    return;
  }
  Num high, scaled;
  num_copy(c, &high, n);
  num_cut(c, &high, room);
  num_scale(c, &scaled, &high, room);
  if (scaled.size)
    mpn_sub(n->limbs, n->limbs, (mp_size_t)n->size, scaled.limbs, (mp_size_t)scaled.size);
  num_normal(n);
}

void num_finish(Calc *c, Num *n) {
  if (num_is_special(n)) {
    if (num_is_nan(n)) finish_nan(c, n);
    return;
  }
  int64_t digits = num_digits(c->ev, n);
  if (finish_exponent(c, n, digits)) {
    if (num_is_special(n)) return;
    digits = num_digits(c->ev, n);
  }
  if (digits <= c->prec) return;
  round_to_exponent(c, n, n->exponent + digits - c->prec);
  digits = num_digits(c->ev, n);
  if (digits > c->prec) { // 99… became 100…
    num_cut(c, n, 1);
    n->exponent++;
    digits--;
  }
  finish_exponent(c, n, digits);
}

static void quiet(Calc *c, Num *out, const Num *nan) {
  num_copy(c, out, nan);
  out->kind = DECIMAL_QNAN;
  finish_nan(c, out);
}

bool num_nans(Calc *c, Num *out, const Num *a, const Num *b) {
  const Num *nan = NULL;
  if (a->kind == DECIMAL_SNAN)
    nan = a;
  else if (b && b->kind == DECIMAL_SNAN)
    nan = b;
  else if (a->kind == DECIMAL_QNAN)
    nan = a;
  else if (b && b->kind == DECIMAL_QNAN)
    nan = b;
  if (!nan) return false;
  if (nan->kind == DECIMAL_SNAN) c->status |= DECIMAL_INVALID;
  quiet(c, out, nan);
  return true;
}
