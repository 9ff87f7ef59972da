// SPDX-License-Identifier: Apache-2.0
// Decimal numbers while they are computed with: a sign, a coefficient of any size (GMP's limbs) and
// an exponent of ten; their digits, and rounding to a context (decimal_number.c).
#pragma once
#include "python/values/evaluator.h"
#include <gmp.h>

#define DECIMAL_MAX_PREC 999999999999999999
#define DECIMAL_MAX_EMAX 999999999999999999

typedef enum DecimalKind {
  DECIMAL_FINITE,
  DECIMAL_INFINITE,
  DECIMAL_QNAN,
  DECIMAL_SNAN
} DecimalKind;

// What operations report, a bit each. Those of `decimal_signals` in the order in which CPython has
// them; those that a signal stands for besides.
typedef enum DecimalStatus {
  DECIMAL_INVALID = 1,
  DECIMAL_SYNTAX = 2,     // of a text
  DECIMAL_IMPOSSIBLE = 4, // a quotient of too many digits
  DECIMAL_UNDEFINED = 8,  // 0 / 0
  DECIMAL_INVALID_OPERATION = 15,
  DECIMAL_FLOAT = 16,
  DECIMAL_BY_ZERO = 32,
  DECIMAL_OVERFLOW = 64,
  DECIMAL_SUBNORMAL = 128,
  DECIMAL_UNDERFLOW = 256,
  DECIMAL_ROUNDED = 512,
  DECIMAL_INEXACT = 1024,
  DECIMAL_CLAMPED = 2048,
} DecimalStatus;

typedef enum DecimalRounding {
  DECIMAL_UP,
  DECIMAL_DOWN,
  DECIMAL_CEILING,
  DECIMAL_FLOOR,
  DECIMAL_HALF_UP,
  DECIMAL_HALF_DOWN,
  DECIMAL_HALF_EVEN,
  DECIMAL_05UP,
} DecimalRounding;

enum {
  DECIMAL_ROOM = 8, // limbs: products of numbers of 77 digits
  DECIMAL_STRIPPED = 32
};

typedef struct Num {
  DecimalKind kind;
  bool negative;
  int64_t exponent; // of a finite number
  size_t size;      // limbs of the coefficient, or of a NaN's payload; the last is not 0
  mp_limb_t *limbs; // in `room`, or in the arena, or somebody else's: then they are only read
  mp_limb_t room[DECIMAL_ROOM];
} Num;

// How a computation rounds, and what it has to report. Limbs that do not fit a Num are taken from
// the arena before they are computed, so that GMP's own memory never leaks.
typedef struct Calc {
  Eval *ev;
  int64_t prec, emin, emax;
  DecimalRounding rounding;
  bool clamp;
  unsigned status;
} Calc;

// Exact, as far as memory goes.
static inline Calc calc_exact(Eval *ev) {
  return (Calc){.ev = ev,
                .prec = DECIMAL_MAX_PREC,
                .emin = -DECIMAL_MAX_EMAX,
                .emax = DECIMAL_MAX_EMAX,
                .rounding = DECIMAL_HALF_EVEN};
}
static inline int64_t calc_etiny(const Calc *c) { return c->emin - (c->prec - 1); }
static inline int64_t calc_etop(const Calc *c) { return c->emax - (c->prec - 1); }
static inline bool num_is_nan(const Num *n) { return n->kind >= DECIMAL_QNAN; }
static inline bool num_is_special(const Num *n) { return n->kind != DECIMAL_FINITE; }
static inline bool num_is_zero(const Num *n) { return n->kind == DECIMAL_FINITE && n->size == 0; }

mp_limb_t *decimal_limbs(Eval *ev, size_t count); // raises MemoryError where they would be too many
void num_reserve(Calc *c, Num *n, size_t limbs);  // its coefficient is lost
void num_normal(Num *n);                          // limbs that are 0 at the top do not count
void num_copy(Calc *c, Num *to, const Num *from);
void num_small(Num *n, bool negative, uint64_t coefficient, int64_t exponent);
void num_special(Num *n, DecimalKind kind, bool negative);
void num_invalid(Calc *c, Num *n, unsigned status); // a NaN, which is reported
void num_of_value(Calc *c, Num *n, Value integer);  // an int of any size
void num_of_double(Calc *c, Num *n, double x);      // exactly
Value num_whole(Eval *ev, const Num *n);            // the coefficient and its sign, an int

// 10^k; the limbs are not to be written to.
const mp_limb_t *decimal_power(Eval *ev, int64_t k, size_t *size);
int64_t num_digits(Eval *ev, const Num *n); // 1 of zero
static inline int64_t num_adjusted(Eval *ev, const Num *n) {
  return n->exponent + num_digits(ev, n) - 1;
}
void num_scale(Calc *c, Num *to, const Num *from, int64_t k); // the coefficient times 10^k
// What is cut off behind a last digit.
typedef enum Rest { REST_NONE, REST_LOW, REST_HALF, REST_HIGH } Rest;
Rest num_cut(Calc *c, Num *n, int64_t k);           // the coefficient without its last k digits
void num_round_at(Calc *c, Num *n, Rest rest);      // one more, if the rest is to be rounded up
int64_t num_strip(Calc *c, Num *n, int64_t most);   // the coefficient loses so many zeros
int64_t num_trailing_zeros(Eval *ev, const Num *n); // of a coefficient that is not 0
int num_compare_coefficients(const Num *a, const Num *b);
// The order of the absolute values of finite numbers.
int num_compare_sizes(Calc *c, const Num *a, const Num *b);
int num_compare(Calc *c, const Num *a, const Num *b); // finite or infinite ones

void num_finish(Calc *c, Num *n); // rounded to the context, with all that has to be reported
// True if an operand is a NaN: then that is the result.
bool num_nans(Calc *c, Num *out, const Num *a, const Num *b);
