// SPDX-License-Identifier: Apache-2.0
// How far NumPy's functions of float64 are from what the C library's long double gives, where that
// has more digits: in units of the last place of the result.
#include "numpy/loops/loops.h"
#include "suite.h"
#include <check.h>
#include <float.h>
#include <math.h>

enum { COUNT = 20000 };

typedef struct Case {
  const char *name;
  Ufunc code;
  long double (*exact)(long double);
  double low, high; // of the arguments
  bool is_wide;     // which are drawn by their exponents
  double most;      // ulps
} Case;

static const Case cases[] = {
    {"exp", UFUNC_EXP, expl, -700, 700, false, 1},
    {"exp2", UFUNC_EXP2, exp2l, -1000, 1000, false, 1.1},
    {"expm1", UFUNC_EXPM1, expm1l, -30, 30, false, 2.5},
    {"expm1 near 0", UFUNC_EXPM1, expm1l, -0.3, 0.3, false, 1},
    {"log", UFUNC_LOG, logl, -300, 300, true, 1},
    {"log near 1", UFUNC_LOG, logl, 0.5, 2, false, 1},
    {"log2", UFUNC_LOG2, log2l, -300, 300, true, 1.5},
    {"log10", UFUNC_LOG10, log10l, -300, 300, true, 1.5},
    {"log1p", UFUNC_LOG1P, log1pl, -0.9, 10, false, 1.1},
    {"sin", UFUNC_SIN, sinl, -1000, 1000, false, 1},
    {"cos", UFUNC_COS, cosl, -1000, 1000, false, 1},
    {"tanh", UFUNC_TANH, tanhl, -5, 5, false, 3.5},
    {"atan", UFUNC_ATAN, atanl, -20, 20, false, 1.5},
    {"sqrt", UFUNC_SQRT, sqrtl, 0, 1000, false, 0.51},
};

static double draw(const Case *c, uint64_t *state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  double share = (double)(*state >> 11) * 0x1p-53, x = c->low + (c->high - c->low) * share;
  return c->is_wide ? exp2(x) : x;
}

static double ulps_off(double found, long double exact) {
  double near = fabs((double)exact), unit = nextafter(near, INFINITY) - near;
  return (double)(fabsl((long double)found - exact) / (long double)unit);
}

START_TEST(functions_of_f64_are_as_near_as_they_say) {
  const Case *c = &cases[_i];
  static double x[COUNT], y[COUNT];
  uint64_t state = 1;
  double worst = 0, at = 0;
  for (int i = 0; i < COUNT; i++) x[i] = draw(c, &state);
  nd_unary_loop(c->code, DT_F64)((char *[]){(char *)y, (char *)x}, (int64_t[]){8, 8}, COUNT);
  for (int i = 0; i < COUNT; i++) {
    double off = ulps_off(y[i], c->exact((long double)x[i]));
    if (off > worst) worst = off, at = x[i];
  }
  ck_assert_msg(worst <= c->most, "%s: %g ulp at %a", c->name, worst, at);
}
END_TEST

int main(void) {
  if (LDBL_MANT_DIG <= DBL_MANT_DIG) return 0;
  Suite *suite = suite_create("np_ulps");
  TCase *tcase = tcase_create("all");
  tcase_add_loop_test(tcase, functions_of_f64_are_as_near_as_they_say, 0,
                      sizeof cases / sizeof *cases);
  suite_add_tcase(suite, tcase);
  return suite_run(suite);
}
