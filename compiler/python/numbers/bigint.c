// SPDX-License-Identifier: Apache-2.0
// Integers of any size, through GMP. GMP keeps its numbers in memory of its own; ours live in the
// arena. So each operation first takes the room of its result in the arena (which may leave through
// out-of-memory), then computes in a GMP number, copies and clears it: nothing can leave in
// between, so nothing leaks.
#include "base/checked.h"
#include "base/collected.h"
#include "python/values/builtin_state.h"
#include "bigint.h"
#include "python/values/raise.h"
#include "digits.h"
#include <gmp.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(GMP_LIMB_BITS == 64 && GMP_NAIL_BITS == 0, "limbs are 64 bits");

// 2^31 bits. Larger results are refused as out of memory before GMP would abort.
#define MAX_LIMBS ((size_t)1 << 22)

// An operand as GMP sees it: read only, nothing to clear.
typedef struct View {
  mpz_t z;
  mp_limb_t limb;
} View;

// The room of a result.
typedef struct Room {
  BigInt *object;
  mp_limb_t *limbs;
  size_t count;
} Room;

static const mpz_t *big_z(Value v) { return (const mpz_t *)((BigInt *)v.o)->mpz; }

static void view_init(View *view, Value v) {
  if (v.kind == V_OBJECT) {
    *view->z = **big_z(v);
    return;
  }
  view->limb = v.i < 0 ? -(mp_limb_t)v.i : (mp_limb_t)v.i;
  const mpz_t z = MPZ_ROINIT_N(&view->limb, v.i == 0 ? 0 : v.i < 0 ? -1 : 1);
  *view->z = *z;
}

static Room room_new(Eval *ev, size_t limbs) {
  if (limbs > MAX_LIMBS)
    eval_raise(ev, ev->types.MemoryError, "integer of more than %zu bits", MAX_LIMBS * 64);
  Room room = {.count = limbs};
  size_t header = (sizeof(BigInt) + sizeof(mpz_t) + 15) & ~(size_t)15;
  room.object = arena_alloc(ev->arena, header + limbs * sizeof(mp_limb_t));
  room.object->base.type = ev->types.integer;
  room.limbs = (mp_limb_t *)((char *)room.object + header);
  return room;
}

static Value room_object(const Room *room, size_t size, bool is_negative) {
  const mpz_t z = MPZ_ROINIT_N(room->limbs, is_negative ? -(int)size : (int)size);
  mpz_t *own = (mpz_t *)(room->object + 1);
  **own = *z;
  room->object->mpz = own;
  return v_object(room->object);
}

// The result as a Value; clears `z`.
static Value room_finish(Room *room, mpz_t z) {
  Value result;
  size_t size = mpz_size(z);
  if (mpz_fits_slong_p(z)) {
    result = v_int(mpz_get_si(z));
  } else {
    if (size > room->count) BUG("integer of %zu limbs in room for %zu", size, room->count);
    memcpy(room->limbs, mpz_limbs_read(z), size * sizeof(mp_limb_t));
    result = room_object(room, size, mpz_sgn(z) < 0);
  }
  mpz_clear(z);
  return result;
}

// ---- arithmetic ---------------------------------------------------------------------------------
static size_t limbs_of_bits(size_t bits) { return bits / 64 + 2; }

static size_t bits_of(const View *view) {
  return mpz_sgn(view->z) == 0 ? 0 : mpz_sizeinbase(view->z, 2);
}

// Limbs the result may need.
static size_t result_limbs(BinaryOp op, const View *a, const View *b) {
  size_t x = mpz_size(a->z), y = mpz_size(b->z);
  size_t longer = x > y ? x : y;
  switch (op) {
  case BIN_MUL: return x + y + 1;
  case BIN_FLOOR_DIV: return x + 2;
  case BIN_MOD: return y + 2;
  case BIN_SHL:
  case BIN_POW: {
    if (x == 0 || (op == BIN_POW && mpz_cmpabs_ui(a->z, 1) == 0)) return 2;
    if (!mpz_fits_ulong_p(b->z)) return SIZE_MAX;
    size_t n = mpz_get_ui(b->z), bits;
    if (op == BIN_SHL) {
      bits = n < SIZE_MAX / 2 ? bits_of(a) + n : SIZE_MAX;
    } else if (__builtin_mul_overflow(bits_of(a), n, &bits)) {
      bits = SIZE_MAX;
    }
    return limbs_of_bits(bits);
  }
  case BIN_SHR: return x + 2;
  default: return longer + 2;
  }
}

static void shift_right(mpz_t out, const View *a, const View *b) {
  if (mpz_fits_ulong_p(b->z)) {
    mpz_fdiv_q_2exp(out, a->z, mpz_get_ui(b->z));
  } else {
    mpz_set_si(out, mpz_sgn(a->z) < 0 ? -1 : 0);
  }
}

static void power(mpz_t out, const View *a, const View *b) {
  if (mpz_fits_ulong_p(b->z)) {
    mpz_pow_ui(out, a->z, mpz_get_ui(b->z));
  } else { // only 0, 1 and -1 come here
    mpz_set_si(out, mpz_sgn(a->z) >= 0 || mpz_even_p(b->z) ? mpz_sgn(a->z) != 0 : -1);
  }
}

// Of so many limbs, in the room, of which the highest may be zeros.
static Value room_value(const Room *room, size_t size, bool is_negative) {
  while (size && !room->limbs[size - 1]) size--;
  mp_limb_t low = size ? room->limbs[0] : 0;
  if (size <= 1 && low <= (mp_limb_t)INT64_MAX + is_negative)
    return v_int(is_negative ? (int64_t)-low : (int64_t)low);
  return room_object(room, size, is_negative);
}

// What is computed where it will stay: sums, differences and products of what is not 0, and what
// signs have no part in.
static Value add_signed(Eval *ev, const View *a, const View *b, bool b_is_negative) {
  size_t n = mpz_size(a->z), m = mpz_size(b->z);
  const mp_limb_t *x = mpz_limbs_read(a->z), *y = mpz_limbs_read(b->z);
  bool a_is_negative = mpz_sgn(a->z) < 0, is_negative = a_is_negative;
  if (n < m || (n == m && a_is_negative != b_is_negative && mpn_cmp(x, y, (mp_size_t)n) < 0)) {
    const mp_limb_t *limbs = x;
    x = y, y = limbs;
    size_t size = n;
    n = m, m = size;
    is_negative = b_is_negative;
  }
  Room room = room_new(ev, n + 1);
  if (a_is_negative == b_is_negative)
    room.limbs[n] = mpn_add(room.limbs, x, (mp_size_t)n, y, (mp_size_t)m);
  else
    mpn_sub(room.limbs, x, (mp_size_t)n, y, (mp_size_t)m);
  return room_value(&room, n + 1, is_negative);
}

static Value multiply(Eval *ev, const View *a, const View *b) {
  const View *x = mpz_size(a->z) >= mpz_size(b->z) ? a : b, *y = x == a ? b : a;
  size_t n = mpz_size(x->z), m = mpz_size(y->z);
  Room room = room_new(ev, n + m);
  mpn_mul(room.limbs, mpz_limbs_read(x->z), (mp_size_t)n, mpz_limbs_read(y->z), (mp_size_t)m);
  return room_value(&room, n + m, (mpz_sgn(a->z) < 0) != (mpz_sgn(b->z) < 0));
}

// Neither is negative, b is not 0; out: NULL for what is not asked for.
static void divide(Eval *ev, const View *a, const View *b, Value *quotient, Value *remainder) {
  size_t n = mpz_size(a->z), m = mpz_size(b->z);
  const mp_limb_t *x = mpz_limbs_read(a->z), *y = mpz_limbs_read(b->z);
  size_t count = n < m ? 0 : n - m + 1;
  Room rest = room_new(ev, m), whole = room_new(ev, count);
  if (m == 1)
    rest.limbs[0] = n ? mpn_divrem_1(whole.limbs, 0, x, (mp_size_t)n, y[0]) : 0;
  else if (count)
    mpn_tdiv_qr(whole.limbs, rest.limbs, 0, x, (mp_size_t)n, y, (mp_size_t)m);
  else
    memcpy(rest.limbs, x, n * sizeof *x);
  if (quotient) *quotient = room_value(&whole, count, false);
  if (remainder) *remainder = room_value(&rest, m, false);
}

static Value shift_left(Eval *ev, const View *a, mp_bitcnt_t bits) {
  size_t n = mpz_size(a->z), whole = bits / 64;
  Room room = room_new(ev, n + whole + 1);
  if (bits % 64)
    room.limbs[n + whole] =
        mpn_lshift(room.limbs + whole, mpz_limbs_read(a->z), (mp_size_t)n, bits % 64);
  else
    memcpy(room.limbs + whole, mpz_limbs_read(a->z), n * sizeof *room.limbs);
  return room_value(&room, n + whole + 1, mpz_sgn(a->z) < 0);
}

static Value shift_right_positive(Eval *ev, const View *a, mp_bitcnt_t bits) {
  size_t n = mpz_size(a->z), whole = bits / 64;
  if (whole >= n) return v_int(0);
  const mp_limb_t *x = mpz_limbs_read(a->z) + whole;
  Room room = room_new(ev, n - whole);
  if (bits % 64)
    mpn_rshift(room.limbs, x, (mp_size_t)room.count, bits % 64);
  else
    memcpy(room.limbs, x, room.count * sizeof *x);
  return room_value(&room, room.count, false);
}

// Neither is negative.
static Value combine_bits(Eval *ev, BinaryOp op, const View *a, const View *b) {
  const View *x = mpz_size(a->z) >= mpz_size(b->z) ? a : b, *y = x == a ? b : a;
  size_t m = mpz_size(y->z), n = op == BIN_AND ? m : mpz_size(x->z);
  const mp_limb_t *longer = mpz_limbs_read(x->z), *shorter = mpz_limbs_read(y->z);
  Room room = room_new(ev, n);
  for (size_t i = 0; i < m; i++)
    room.limbs[i] = op == BIN_AND  ? longer[i] & shorter[i]
                    : op == BIN_OR ? longer[i] | shorter[i]
                                   : longer[i] ^ shorter[i];
  if (n > m) memcpy(room.limbs + m, longer + m, (n - m) * sizeof *longer);
  return room_value(&room, n, false);
}

// Unbound: signs have a part in it, or zeros.
static Value binary_in_place(Eval *ev, BinaryOp op, const View *a, const View *b) {
  bool are_positive = mpz_sgn(a->z) > 0 && mpz_sgn(b->z) > 0, b_is_negative = mpz_sgn(b->z) < 0;
  if (!mpz_sgn(a->z) || !mpz_sgn(b->z)) return v_unbound();
  Value result = v_unbound();
  switch (op) {
  case BIN_ADD: return add_signed(ev, a, b, b_is_negative);
  case BIN_SUB: return add_signed(ev, a, b, !b_is_negative);
  case BIN_MUL: return multiply(ev, a, b);
  case BIN_FLOOR_DIV:
    if (are_positive) divide(ev, a, b, &result, NULL);
    return result;
  case BIN_MOD:
    if (are_positive) divide(ev, a, b, NULL, &result);
    return result;
  case BIN_SHL:
    return !b_is_negative && mpz_cmp_ui(b->z, MAX_LIMBS * 64) < 0
               ? shift_left(ev, a, mpz_get_ui(b->z))
               : result;
  case BIN_SHR:
    return are_positive && mpz_fits_ulong_p(b->z) ? shift_right_positive(ev, a, mpz_get_ui(b->z))
                                                  : result;
  case BIN_AND:
  case BIN_OR:
  case BIN_XOR: return are_positive ? combine_bits(ev, op, a, b) : result;
  default: return result;
  }
}

Value big_divmod(Eval *ev, Value left, Value right, Value *remainder) {
  View a, b;
  view_init(&a, left);
  view_init(&b, right);
  Value quotient;
  if (mpz_sgn(a.z) > 0 && mpz_sgn(b.z) > 0) {
    divide(ev, &a, &b, &quotient, remainder);
  } else {
    quotient = big_binary(ev, BIN_FLOOR_DIV, left, right);
    *remainder = big_binary(ev, BIN_MOD, left, right);
  }
  return quotient;
}

Value big_binary(Eval *ev, BinaryOp op, Value left, Value right) {
  View a, b;
  view_init(&a, left);
  view_init(&b, right);
  Value result = binary_in_place(ev, op, &a, &b);
  if (!v_is_unbound(result)) return result;
  if ((op == BIN_SHL || op == BIN_SHR) && mpz_sgn(b.z) < 0)
    eval_raise(ev, ev->types.ValueError, "negative shift count");
  Room room = room_new(ev, result_limbs(op, &a, &b));
  mpz_t z;
  mpz_init(z);
  switch (op) {
  case BIN_ADD: mpz_add(z, a.z, b.z); break;
  case BIN_SUB: mpz_sub(z, a.z, b.z); break;
  case BIN_MUL: mpz_mul(z, a.z, b.z); break;
  case BIN_FLOOR_DIV: mpz_fdiv_q(z, a.z, b.z); break;
  case BIN_MOD: mpz_fdiv_r(z, a.z, b.z); break;
  case BIN_POW: power(z, &a, &b); break;
  case BIN_SHL: mpz_sgn(a.z) == 0 ? mpz_set_ui(z, 0) : mpz_mul_2exp(z, a.z, mpz_get_ui(b.z)); break;
  case BIN_SHR: shift_right(z, &a, &b); break;
  case BIN_AND: mpz_and(z, a.z, b.z); break;
  case BIN_OR: mpz_ior(z, a.z, b.z); break;
  case BIN_XOR: mpz_xor(z, a.z, b.z); break;
  default: mpz_clear(z); BUG("operator %d on integers", (int)op);
  }
  return room_finish(&room, z);
}

Value big_negate(Eval *ev, Value v) { return big_binary(ev, BIN_SUB, v_int(0), v); }

Value big_invert(Eval *ev, Value v) { return big_binary(ev, BIN_SUB, v_int(-1), v); }

Value big_pow_mod(Eval *ev, Value base, Value exponent, Value modulus) {
  View b, e, m;
  view_init(&b, base);
  view_init(&e, exponent);
  view_init(&m, modulus);
  if (mpz_sgn(m.z) == 0) eval_raise(ev, ev->types.ValueError, "pow() 3rd argument cannot be 0");
  Room room = room_new(ev, mpz_size(m.z) + 2);
  mpz_t z, inverse;
  mpz_init(z);
  if (mpz_sgn(e.z) < 0) {
    mpz_init(inverse);
    bool ok = mpz_invert(inverse, b.z, m.z) != 0;
    mpz_neg(e.z, e.z); // of the view only
    if (ok) mpz_powm(z, inverse, e.z, m.z);
    mpz_clear(inverse);
    if (!ok) {
      mpz_clear(z);
      eval_raise(ev, ev->types.ValueError, "base is not invertible for the given modulus");
    }
  } else {
    mpz_powm(z, b.z, e.z, m.z);
  }
  if (mpz_sgn(m.z) < 0 && mpz_sgn(z) != 0) mpz_add(z, z, m.z); // the sign of the modulus
  return room_finish(&room, z);
}

static uint64_t small_gcd(uint64_t a, uint64_t b) {
  while (b) {
    uint64_t rest = (a | b) >> 32 ? a % b : (uint32_t)a % (uint32_t)b;
    a = b;
    b = rest;
  }
  return a;
}

Value big_gcd(Eval *ev, Value left, Value right) {
  if (left.kind != V_OBJECT && right.kind != V_OBJECT && left.i > INT64_MIN && right.i > INT64_MIN)
    return v_int((int64_t)small_gcd((uint64_t)llabs(left.i), (uint64_t)llabs(right.i)));
  View a, b;
  view_init(&a, left);
  view_init(&b, right);
  size_t x = mpz_size(a.z), y = mpz_size(b.z);
  Room room = room_new(ev, (x > y ? x : y) + 1);
  mpz_t z;
  mpz_init(z);
  mpz_gcd(z, a.z, b.z);
  return room_finish(&room, z);
}

Value big_sqrt(Eval *ev, Value v) {
  View a;
  view_init(&a, v);
  Room room = room_new(ev, mpz_size(a.z) + 1);
  mpz_t z;
  mpz_init(z);
  mpz_sqrt(z, a.z);
  return room_finish(&room, z);
}

Value big_factorial(Eval *ev, uint64_t n) {
  enum { LARGEST_SMALL = 20 }; // 21! has 66 bits
  if (n <= LARGEST_SMALL) {
    int64_t product = 1;
    for (int64_t i = 2; i <= (int64_t)n; i++) product *= i;
    return v_int(product);
  }
  double bits = n < 2 ? 1 : lgamma((double)n + 1) / log(2.0);
  Room room = room_new(ev, bits > 1e12 ? SIZE_MAX : limbs_of_bits((size_t)(bits * 1.001) + 64));
  mpz_t z;
  mpz_init(z);
  mpz_fac_ui(z, n);
  return room_finish(&room, z);
}

enum { MOST_EXACT = 66 }; // C(66, 33) is the last of its kind that 63 bits hold

// n! without its factors of two, of 64 bits.
// clang-format off
static const uint64_t odd_factorials[MOST_EXACT + 1] = {
    0x1u, 0x1u, 0x1u, 0x3u,
    0x3u, 0xfu, 0x2du, 0x13bu,
    0x13bu, 0xb13u, 0x375fu, 0x26115u,
    0x7233fu, 0x5cca33u, 0x2898765u, 0x260eeeebu,
    0x260eeeebu, 0x286fddd9bu, 0x16beecca73u, 0x1b02b930689u,
    0x870d9df20adu, 0xb141df4dae31u, 0x79dd498567c1bu, 0xaf2e19afc5266du,
    0x20d8a4d0f4f7347u, 0x335281867ec241efu, 0x9b3093d46fdd5923u, 0x5e1f9767cc5866b1u,
    0x92dd23d6966aced7u, 0xa30d0f4f0a196e5bu, 0x8dc3e5a1977d7755u, 0x2ab8ce915831734bu,
    0x2ab8ce915831734bu, 0x81d2a0bc5e5fdcabu, 0x9efcac82445da75bu, 0xbc8b95cf58cde171u,
    0xa0e8444a1f3cecf9u, 0x4191deb683ce3ffdu, 0xddd3878bc84ebfc7u, 0xcb39a64b83ff3751u,
    0xf8203f7993fc1495u, 0xbd2a2a78b35f4bddu, 0x84757be6b6d13921u, 0x3fbbcfc0b524988bu,
    0xbd11ed47c8928df9u, 0x3c26b59e41c2f4c5u, 0x677a5137e883fdb3u, 0xff74e943b03b93ddu,
    0xfe5ebbcb10b2bb97u, 0xb021f1de3235e7e7u, 0x33509eb2e743a58fu, 0x390f9da41279fb7du,
    0xe5cb0154f031c559u, 0x93074695ba4ddb6du, 0x81c471caa636247fu, 0xe1347289b5a1d749u,
    0x286f21c3f76ce2ffu, 0xbe84a2173e8ac7u, 0x1595065ca215b88bu, 0xf95877595b018809u,
    0x9c2efe3c5516f887u, 0x373294604679382bu, 0xaf1ff7a888adcd35u, 0x18ddf279a2c5800bu,
    0x18ddf279a2c5800bu, 0x505a90e2542582cbu, 0x5bacad2cd8d5dc2bu,
};
// clang-format on

// In numbers of 64 bits an odd one has an inverse, so that nothing has to be divided.
static int64_t exact_binomial(uint64_t n, uint64_t k) {
  uint64_t divisor = odd_factorials[k] * odd_factorials[n - k];
  uint64_t inverse = divisor * 3 ^ 2; // of 5 bits, twice as many with each step
  for (int bits = 5; bits < 64; bits *= 2) inverse *= 2 - divisor * inverse;
  int twos = __builtin_popcountll(k) + __builtin_popcountll(n - k) - __builtin_popcountll(n);
  return (int64_t)(odd_factorials[n] * inverse << twos);
}

// False: it does not fit, or an intermediate product does not.
static bool small_binomial(int64_t n, uint64_t k, int64_t *out) {
  if (n <= MOST_EXACT) {
    *out = exact_binomial((uint64_t)n, k);
    return true;
  }
  int64_t result = 1;
  for (uint64_t i = 0; i < k; i++) {
    if (__builtin_mul_overflow(result, n - (int64_t)i, &result)) return false;
    uint64_t product = (uint64_t)result, by = i + 1;
    result = (int64_t)(product >> 32 ? product / by : (uint32_t)product / (uint32_t)by);
  }
  *out = result;
  return true;
}

Value big_binomial(Eval *ev, Value v, uint64_t k) {
  int64_t small;
  if (v.kind != V_OBJECT && k <= 64 && small_binomial(v.i, k, &small)) return v_int(small);
  View n;
  view_init(&n, v);
  size_t bits;
  if (__builtin_mul_overflow(bits_of(&n) + 1, k + 1, &bits)) bits = SIZE_MAX;
  // Never more than 2^n either.
  if (mpz_fits_ulong_p(n.z) && mpz_get_ui(n.z) < bits) bits = mpz_get_ui(n.z);
  Room room = room_new(ev, limbs_of_bits(bits) + 1);
  mpz_t z;
  mpz_init(z);
  mpz_bin_ui(z, n.z, k);
  return room_finish(&room, z);
}

// ---- comparison, hash ---------------------------------------------------------------------------
int big_sign(Value v) {
  if (v.kind == V_OBJECT) return mpz_sgn(*big_z(v));
  return (v.i > 0) - (v.i < 0);
}

int big_compare(Value left, Value right) {
  if (left.kind != V_OBJECT && right.kind != V_OBJECT)
    return (left.i > right.i) - (left.i < right.i);
  View a, b;
  view_init(&a, left);
  view_init(&b, right);
  int order = mpz_cmp(a.z, b.z);
  return (order > 0) - (order < 0);
}

int big_compare_double(Value left, double b) {
  if (isinf(b)) return b > 0 ? -1 : 1;
  View a;
  view_init(&a, left);
  int order = mpz_cmp_d(a.z, b);
  return (order > 0) - (order < 0);
}

uint64_t big_hash(Value v) {
  if (v.kind != V_OBJECT) return hash_int(v.i);
  View a;
  view_init(&a, v);
  uint64_t hash = mpz_tdiv_ui(a.z, ((uint64_t)1 << 61) - 1);
  if (mpz_sgn(a.z) < 0) hash = -hash;
  return hash == UINT64_MAX ? (uint64_t)-2 : hash;
}

// ---- doubles ------------------------------------------------------------------------------------
// The top 64 bits, the lowest one set if anything below it is.
static uint64_t top_bits(const mpz_t z, size_t bits) {
  if (bits <= 64) return mpz_getlimbn(z, 0) << (64 - bits);
  size_t shift = bits - 64;
  size_t limb = shift / 64, part = shift % 64;
  uint64_t top = mpz_getlimbn(z, (mp_size_t)limb) >> part;
  if (part) top |= mpz_getlimbn(z, (mp_size_t)limb + 1) << (64 - part);
  return top | (mpz_scan1(z, 0) < shift);
}

bool big_as_double(Value v, double *out) {
  if (v.kind != V_OBJECT) {
    *out = (double)v.i;
    return true;
  }
  View a;
  view_init(&a, v);
  size_t bits = bits_of(&a);
  if (bits > 1025) return false;
  double x = ldexp((double)top_bits(a.z, bits), (int)bits - 64);
  if (isinf(x)) return false;
  *out = mpz_sgn(a.z) < 0 ? -x : x;
  return true;
}

Value big_from_double(Eval *ev, double integral) {
  if (integral >= -9223372036854775808.0 && integral < 9223372036854775808.0)
    return v_int((int64_t)integral);
  Room room = room_new(ev, limbs_of_bits(1024));
  mpz_t z;
  mpz_init_set_d(z, integral);
  return room_finish(&room, z);
}

Value big_from_u64(Eval *ev, uint64_t u) {
  if (u <= INT64_MAX) return v_int((int64_t)u);
  Room room = room_new(ev, 1);
  mpz_t z;
  mpz_init_set_ui(z, u);
  return room_finish(&room, z);
}

bool big_as_u64(Value v, uint64_t *out) {
  View a;
  view_init(&a, v);
  if (!mpz_fits_ulong_p(a.z)) return false;
  *out = mpz_get_ui(a.z);
  return true;
}

uint64_t big_low_bits(Value v) {
  if (v.kind != V_OBJECT) return (uint64_t)v.i;
  const mpz_t *z = big_z(v);
  uint64_t low = mpz_getlimbn(*z, 0);
  return mpz_sgn(*z) < 0 ? -low : low;
}

// Rounds q * 2^exponent (plus something smaller if `sticky`) to a double in one step, subnormals
// included.
static double round_once(uint64_t q, bool sticky, int exponent) {
  int bits = 64 - __builtin_clzll(q | 1);
  int extra = bits - 53;
  if (exponent + extra < -1074) extra = -1074 - exponent;
  if (extra <= 0) return ldexp((double)q, exponent);
  if (extra > 63) return 0;
  uint64_t half = (uint64_t)1 << (extra - 1);
  uint64_t rest = q & (2 * half - 1);
  q >>= extra;
  if (rest > half || (rest == half && (sticky || q & 1))) q++;
  return ldexp((double)q, exponent + extra);
}

double big_true_divide(Eval *ev, Value left, Value right) {
  const int64_t exact = (int64_t)1 << 53;
  if (left.kind != V_OBJECT && right.kind != V_OBJECT && left.i <= exact && left.i >= -exact &&
      right.i <= exact && right.i >= -exact)
    return (double)left.i / (double)right.i;
  View a, b;
  view_init(&a, left);
  view_init(&b, right);
  bool negative = (mpz_sgn(a.z) < 0) != (mpz_sgn(b.z) < 0);
  if (mpz_sgn(a.z) == 0) return mpz_sgn(b.z) < 0 ? -0.0 : 0.0; // as the division of floats
  int64_t magnitude =
      (int64_t)bits_of(&a) - (int64_t)bits_of(&b); // the quotient is about 2^magnitude
  if (magnitude > 1025)
    eval_raise(ev, ev->types.OverflowError, "integer division result too large for a float");
  if (magnitude < -1100) return negative ? -0.0 : 0.0;
  int exponent = (int)magnitude - 60; // the quotient of the shifted operands has 60 or 61 bits
  mpz_t x, y, remainder;
  mpz_init_set(x, a.z);
  mpz_init_set(y, b.z);
  mpz_init(remainder);
  mpz_abs(x, x);
  mpz_abs(y, y);
  exponent < 0 ? mpz_mul_2exp(x, x, (mp_bitcnt_t)-exponent)
               : mpz_mul_2exp(y, y, (mp_bitcnt_t)exponent);
  mpz_tdiv_qr(x, remainder, x, y);
  double result = round_once(mpz_get_ui(x), mpz_sgn(remainder) != 0, exponent);
  mpz_clears(x, y, remainder, NULL);
  if (isinf(result))
    eval_raise(ev, ev->types.OverflowError, "integer division result too large for a float");
  return negative ? -result : result;
}

// ---- text, bits and bytes -----------------------------------------------------------------------
Value big_parse(Eval *ev, Str digits, int base) {
  int64_t small = 0; // what fits an int64 needs no GMP
  bool fits = true;
  for (size_t i = 0; i < digits.len && fits; i++) {
    char c = digits.data[i];
    int digit = c <= '9' ? c - '0' : (c | 32) - 'a' + 10;
    fits = mul_i64(small, base, &small) && add_i64(small, digit, &small);
  }
  if (fits) return v_int(small);
  Room room = room_new(ev, limbs_of_bits((size_t)((double)digits.len * log2(base) * 1.0001) + 8));
  char *text = arena_alloc_bytes(ev->arena, digits.len + 1);
  memcpy(text, digits.data, digits.len);
  mpz_t z;
  mpz_init(z);
  mpz_set_str(z, text, base);
  return room_finish(&room, z);
}

Str big_text(Arena *arena, Value v, int base) {
  if (v.kind != V_OBJECT && base == 10) return str_of_i64(arena, v.i);
  View a;
  view_init(&a, v);
  char *text = arena_alloc_bytes(arena, mpz_sizeinbase(a.z, base) + 3);
  mpz_get_str(text, base, a.z);
  return str_from_c(text);
}

int64_t big_bit_length(Value v) {
  View a;
  view_init(&a, v);
  return (int64_t)bits_of(&a);
}

int64_t big_bit_count(Value v) {
  View a;
  view_init(&a, v);
  size_t count = 0;
  for (size_t i = 0; i < mpz_size(a.z); i++)
    count += (size_t)__builtin_popcountll(mpz_getlimbn(a.z, (mp_size_t)i));
  return (int64_t)count;
}

bool big_to_bytes(Value v, unsigned char *out, size_t size, bool is_signed) {
  View a;
  view_init(&a, v);
  bool negative = mpz_sgn(a.z) < 0;
  size_t bits = bits_of(&a);
  if (is_signed && bits > 0) {
    // -2^(n-1) fits n bits, +2^(n-1) does not.
    bool is_power = negative && mpz_scan1(a.z, 0) == bits - 1;
    bits += !is_power;
  }
  if (bits > 8 * size) return false;
  memset(out, 0, size);
  for (size_t i = 0; i < size; i++) {
    mp_limb_t limb = mpz_getlimbn(a.z, (mp_size_t)(i / 8));
    out[i] = (unsigned char)(limb >> (8 * (i % 8)));
  }
  unsigned carry = 1;
  for (size_t i = 0; negative && i < size; i++) {
    carry += (unsigned char)~out[i];
    out[i] = (unsigned char)carry;
    carry >>= 8;
  }
  return true;
}

Value big_from_bytes(Eval *ev, const unsigned char *bytes, size_t size, bool is_signed) {
  Room room = room_new(ev, limbs_of_bits(8 * size));
  mpz_t z;
  mpz_init(z);
  mpz_import(z, size, -1, 1, 0, 0, bytes);
  if (is_signed && size > 0 && bytes[size - 1] & 0x80) {
    mpz_t modulus;
    mpz_init(modulus);
    mpz_setbit(modulus, 8 * size);
    mpz_sub(z, z, modulus);
    mpz_clear(modulus);
  }
  return room_finish(&room, z);
}
