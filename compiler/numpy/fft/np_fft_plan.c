// SPDX-License-Identifier: Apache-2.0
// How a length is transformed. Many columns: by passes along them. One: as a matrix, whose columns
// are transformed, turned by roots, and transformed the other way, so that every pass has columns
// to run along (Gentleman and Sande 1966; Bailey 1990). A length with a large prime factor: as a
// convolution of a length without any (Bluestein 1970). Ours, for no library serves: of those in
// Debian 12, KISS FFT is built for single precision alone, and FFTW's licence is the GPL.
#include "base/collected.h"
#include "np_fft_plan.h"
#include "numpy/numpy_state.h"
#include "python/values/evaluator_state.h"
#include <string.h>

struct FftPlan {
  int64_t length;
  FftColumns *columns;        // by passes along columns; NULL: not made yet
  FftColumns *first, *second; // the matrix's columns, and its rows; NULL: it has one row
  FftParts turns;             // the roots between both
  FftPlan *wide;              // of the convolution, or NULL …
  FftParts chirp, filter;     // … exp(-pi i k^2 / length), and the transform of its conjugate
  FftParts half_roots;
  struct FftPlan *older;
};

enum {
  KEPT_PLANS = 16,
  SHORT = 16,            // no matrix is made of it
  COLUMNS = 16,          // columns of a matrix that are transformed at a time, or half of them …
  FEW_NUMBERS = 1 << 14, // … where they would be more numbers than this, …
  MOST_NUMBERS = 1 << 20 // … and of one transform beside others
};

static FftParts parts_new(Eval *ev, int64_t count) {
  double *re = arena_alloc_buffer(ev->arena, (size_t)count * 2 * sizeof *re);
  return (FftParts){re, re + count};
}

static FftColumns *columns_new(Eval *ev, int64_t length) {
  FftColumns *columns = ARENA_NEW(ev->arena, FftColumns);
  int64_t room = fft_columns_room(columns, length);
  fft_columns_fill(columns, arena_alloc_buffer(ev->arena, (size_t)(room + 1) * sizeof(double)));
  return columns;
}

static int64_t greatest_prime(int64_t n) {
  int64_t greatest = 1;
  for (int64_t p = 2; n > 1; p++) {
    if (p * p > n) p = n;
    for (; n % p == 0; n /= p) greatest = p;
  }
  return greatest;
}

// The least length from n on that is made of 2, 3 and 5.
static int64_t smooth_from(int64_t n) {
  int64_t best = INT64_MAX;
  for (int64_t five = 1; five < 5 * n; five *= 5)
    for (int64_t three = five; three < 3 * n; three *= 3) {
      int64_t two = three;
      while (two < n) two *= 2;
      if (two < best) best = two;
    }
  return best;
}

// The greatest divisor up to the root of n.
static int64_t rows_of(int64_t n) {
  int64_t best = 1;
  for (int64_t d = 2; d * d <= n; d++)
    if (n % d == 0) best = d;
  return best;
}

static void by_matrix(Eval *ev, FftPlan *plan) {
  int64_t n = plan->length, rows = n > SHORT ? rows_of(n) : 1, columns = n / rows;
  if (rows == 1) {
    plan->columns = columns_new(ev, n);
    return;
  }
  plan->first = columns_new(ev, rows);
  plan->second = rows == columns ? plan->first : columns_new(ev, columns);
  plan->turns = parts_new(ev, n);
  for (int64_t k = 0; k < rows; k++)
    for (int64_t j = 0; j < columns; j++)
      fft_root(k * j, n, plan->turns.re + k * columns + j, plan->turns.im + k * columns + j);
}

static void by_convolution(Eval *ev, FftPlan *plan) {
  int64_t n = plan->length, wide = smooth_from(2 * n - 1);
  plan->wide = fft_plan(ev, wide);
  FftParts chirp = plan->chirp = parts_new(ev, n), around = parts_new(ev, wide),
           other = parts_new(ev, wide);
  memset(around.re, 0, (size_t)wide * 2 * sizeof *around.re);
  for (int64_t k = 0, square = 0; k < n; square = (square + 2 * k + 1) % (2 * n), k++) {
    fft_root(square, 2 * n, chirp.re + k, chirp.im + k);
    int64_t back = k ? wide - k : 0;
    around.re[k] = around.re[back] = chirp.re[k] / (double)wide;
    around.im[k] = around.im[back] = -chirp.im[k] / (double)wide;
  }
  plan->filter = fft_run(ev, plan->wide, around, other, 1);
}

static FftPlan *plan_new(Eval *ev, int64_t length) {
  FftPlan *plan = ARENA_NEW(ev->arena, FftPlan);
  plan->length = length;
  if (greatest_prime(length) > FFT_LARGE_PRIME)
    by_convolution(ev, plan);
  else
    by_matrix(ev, plan);
  return plan;
}

FftPlan *fft_plan(Eval *ev, int64_t length) {
  FftPlan **at = (FftPlan **)&ev->numpy->fft_plans, *plan;
  for (int i = 0; *at && (*at)->length != length; i++) {
    if (i == KEPT_PLANS) (*at)->older = NULL;
    at = &(*at)->older;
  }
  plan = *at;
  if (plan)
    *at = plan->older;
  else
    plan = plan_new(ev, length);
  plan->older = (FftPlan *)ev->numpy->fft_plans;
  ev->numpy->fft_plans = plan;
  return plan;
}

FftParts fft_half_roots(Eval *ev, FftPlan *plan) {
  FftParts *roots = &plan->half_roots;
  int64_t h = plan->length;
  if (roots->re) return *roots;
  *roots = parts_new(ev, h / 2 + 1);
  for (int64_t k = 0; k <= h / 2; k++) fft_root(k, 2 * h, roots->re + k, roots->im + k);
  return *roots;
}

bool fft_goes_side_by_side(const FftPlan *plan, int64_t lanes) {
  return !plan->wide && plan->length * lanes <= MOST_NUMBERS;
}

static FftParts behind(FftParts x, int64_t by) { return (FftParts){x.re + by, x.im + by}; }

// x, as a matrix, to `out`; by way of `turned`, which has as much room.
static void run_matrix(Eval *ev, const FftPlan *plan, FftParts x, FftParts turned, FftParts out) {
  int64_t rows = plan->first->length, columns = plan->second->length,
          lanes = columns * COLUMNS <= FEW_NUMBERS ? COLUMNS : COLUMNS / 2;
  if (rows * columns <= FEW_NUMBERS / 2) lanes = columns;
  FftParts a = parts_new(ev, columns * lanes * 2), b = behind(a, columns * lanes);
  for (int64_t j = 0, some; j < columns; j += some) {
    some = columns - j < lanes ? columns - j : lanes;
    FftParts done = fft_columns_run(plan->first, behind(x, j), columns, some, a, b);
    fft_turn(behind(turned, j * rows), done, behind(plan->turns, j), columns, rows, some);
  }
  for (int64_t k = 0, some; k < rows; k += some) {
    some = rows - k < lanes ? rows - k : lanes;
    FftParts done = fft_columns_run(plan->second, behind(turned, k), rows, some, a, b);
    size_t size = (size_t)some * sizeof(double);
    for (int64_t j = 0; j < columns; j++) {
      memcpy(out.re + j * rows + k, done.re + j * some, size);
      memcpy(out.im + j * rows + k, done.im + j * some, size);
    }
  }
  arena_discard(ev->arena, a.re);
}

static void run_convolution(Eval *ev, FftPlan *plan, FftParts x) {
  int64_t n = plan->length, wide = plan->wide->length;
  FftParts a = parts_new(ev, wide), b = parts_new(ev, wide);
  size_t size = (size_t)n * sizeof(double), rest = (size_t)(wide - n) * sizeof(double);
  fft_times(x, plan->chirp, n);
  memcpy(a.re, x.re, size), memcpy(a.im, x.im, size);
  memset(a.re + n, 0, rest), memset(a.im + n, 0, rest);
  FftParts done = fft_run(ev, plan->wide, a, b, 1), other = done.re == a.re ? b : a;
  fft_times(done, plan->filter, wide);
  // With both parts swapped it is the inverse.
  done = fft_swapped(fft_run(ev, plan->wide, fft_swapped(done), fft_swapped(other), 1));
  memcpy(x.re, done.re, size), memcpy(x.im, done.im, size);
  fft_times(x, plan->chirp, n);
  arena_discard(ev->arena, a.re < a.im ? a.re : a.im);
  arena_discard(ev->arena, b.re < b.im ? b.re : b.im);
}

FftParts fft_run(Eval *ev, FftPlan *plan, FftParts x, FftParts other, int64_t lanes) {
  if (plan->wide) {
    run_convolution(ev, plan, x);
    return x;
  }
  if (lanes == 1 && plan->first) {
    run_matrix(ev, plan, x, other, x);
    return x;
  }
  if (!plan->columns) plan->columns = columns_new(ev, plan->length);
  return fft_columns_run(plan->columns, x, lanes, lanes, other, x);
}
