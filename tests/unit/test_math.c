// SPDX-License-Identifier: Apache-2.0
// The mathematical functions as compiled code computes them, against f64 libm: dense samples of all
// f32 bit patterns, special values, several targets. The bounds are those that gen_math.c states.
#include <check.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "codegen/codegen.h"
#include "ir/core/ir.h"
#include "ir/text/read.h"
#include "prt.h"
#include "suite.h"

// All bit patterns of f32, one in STRIDE of them, are ROUNDS batches.
enum { BATCH = 4096, SPECIALS = 40, STRIDE = 4057, ROUNDS = (1ll << 32) / BATCH / STRIDE + 1 };

static const char *const targets[] = {"native", "x86-64-v3", "x86-64"};

typedef struct Function {
  OpCode code;
  double (*reference)(double);
  double ulps;
} Function;

static double ref_rsqrt(double x) { return 1 / sqrt(x); }
static double ref_logistic(double x) { return 1 / (1 + exp(-x)); }
static double ref_reciprocal(double x) { return 1 / x; }
static double ref_lgamma(double x) {
  int sign;
  return lgamma_r(x, &sign);
}
// Newton's method on erf.
static double ref_erf_inv(double y) {
  if (!(fabs(y) < 1)) return fabs(y) == 1 ? copysign(INFINITY, y) : NAN;
  double w = -log1p(-y * y), a = 0.147, t = 2 / (M_PI * a) - w / 2,
         x = sqrt(sqrt(t * t + w / a) - t), m = fabs(y);
  for (int i = 0; i < 4; i++) {
    double error = m < 0.5 ? erf(x) - m : (1 - m) - erfc(x),
           step = error / (M_2_SQRTPI * exp(-x * x));
    x -= step / (1 + x * step);
  }
  return copysign(x, y);
}

static const Function functions[] = {
    {OP_EXP, exp, 1.5},
    {OP_EXP2, exp2, 1.5},
    {OP_EXPM1, expm1, 1.5},
    {OP_LOG, log, 1.5},
    {OP_LOG1P, log1p, 1},
    {OP_LOG2, log2, 2},
    {OP_SQRT, sqrt, 0.5},
    {OP_RSQRT, ref_rsqrt, 1.5},
    {OP_CBRT, cbrt, 1},
    {OP_SIN, sin, 1.5},
    {OP_COS, cos, 1.5},
    {OP_TAN, tan, 2},
    {OP_ASIN, asin, 2},
    {OP_ACOS, acos, 2},
    {OP_ATAN, atan, 2},
    {OP_SINH, sinh, 2},
    {OP_COSH, cosh, 2},
    {OP_TANH, tanh, 6},
    {OP_ASINH, asinh, 2},
    {OP_ACOSH, acosh, 2},
    {OP_ATANH, atanh, 2},
    {OP_ERF, erf, 1.5},
    {OP_ERFC, erfc, 6},
    {OP_ERF_INV, ref_erf_inv, 2},
    {OP_LGAMMA, ref_lgamma, 1},
    {OP_LOGISTIC, ref_logistic, 2},
    {OP_RECIPROCAL, ref_reciprocal, 0.5},
    {OP_FLOOR, floor, 0},
    {OP_CEIL, ceil, 0},
    {OP_TRUNC, trunc, 0},
    {OP_ROUND_EVEN, nearbyint, 0},
    {OP_ROUND_AWAY, round, 0},
};

// Distance of a result from the exact one in units of the last place of an f32 of that size.
static double ulps_between(float got, double exact) {
  float rounded = (float)exact;
  if (isnan(exact) || isnan(got)) return isnan(exact) && isnan(got) ? 0 : INFINITY;
  if (isinf(rounded) || isinf(got)) {
    if (isinf(rounded) && isinf(got)) return (rounded > 0) == (got > 0) ? 0 : INFINITY;
    return isinf(exact) || fabs(exact) < 3.4e38 ? INFINITY : 1; // at the brink
  }
  if (exact == 0 && got == 0) return !signbit(exact) == !signbit(got) ? 0 : INFINITY;
  int exponent;
  frexp(exact, &exponent);
  double unit = ldexp(1, (exponent < -125 ? -125 : exponent) - 24);
  return fabs((double)got - exact) / unit;
}

static float from_bits(uint32_t bits) {
  float x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

static void fill_specials(float *x) {
  static const float values[] = {0.0f,          -0.0f,          1.0f,
                                 -1.0f,         INFINITY,       -INFINITY,
                                 NAN,           0.5f,           -0.5f,
                                 2.0f,          -2.0f,          3.0f,
                                 1e-45f,        -1e-45f,        1.17549435e-38f,
                                 3.4028235e38f, -3.4028235e38f, 88.72284f,
                                 88.7f,         -87.3f,         -103.97f,
                                 -104.5f,       0.49999997f,    1.5f,
                                 2.5f,          -2.5f,          8388607.5f,
                                 8388609.0f,    16777216.0f,    0.99999994f,
                                 1.0000001f,    -0.99999994f,   10.05f,
                                 3.9f,          1e10f,          1e30f,
                                 1.5707964f,    3.1415927f,     11.0f,
                                 127.99999f};
  for (size_t i = 0; i < COUNT_OF(values); i++) x[i] = values[i];
}

typedef struct Compiled {
  Jit *jit;
  JitModule *code;
} Compiled;

static Compiled compile(Session *session, Str text, Str target) {
  CodegenOptions options = {.opt_level = 2, .target_cpu = target, .verify = true};
  IrModule *module = ir_read(session, source_add(session, STR("math.ir"), text, false));
  diag_flush(session);
  ck_assert_ptr_nonnull(module);
  Compiled c = {.jit = jit_new(session, &options)};
  ck_assert_ptr_nonnull(c.jit);
  c.code = jit_add(c.jit, module);
  diag_flush(session);
  ck_assert_ptr_nonnull(c.code);
  return c;
}

// Compiled code takes subnormal numbers for zeros, and may give a zero instead of one
// (docs/numbers.md).
static double flushed(double x) { return fabs(x) < (double)FLT_MIN ? copysign(0, x) : x; }

static double error_of(float out, double exact) {
  // Near them a part of the sum may have been taken for zero.
  if (fabs(exact) < 16 * (double)FLT_MIN && fabs((double)out - exact) <= (double)FLT_MIN) return 0;
  return ulps_between(out, exact);
}

static bool is_near_lgamma_zero(const Function *f, float x) {
  return f->code == OP_LGAMMA && x < -2 && fabs(ref_lgamma((double)x)) < 0.1;
}

static Compiled compile_function(Session *session, const Function *f, Str target) {
  Str text = str_format(
      session->arena,
      "module tpu v5p devices 1\nfunc @f(%%x: hbm f32[%d], out %%o: hbm f32[%d]) {\n"
      "  %%v = load %%x[:] : f32[%d]\n  %%r = %s %%v : f32[%d]\n  store %%r, %%o[:]\n}\n",
      BATCH, BATCH, BATCH, op_info(f->code)->name, BATCH);
  return compile(session, text, target);
}

static void check_function(Session *session, const Function *f, Str target) {
  const char *name = op_info(f->code)->name;
  Compiled c = compile_function(session, f, target);
  static float x[BATCH], out[BATCH];
  double worst = 0;
  uint32_t bits = 0;
  for (int round = 0; round < ROUNDS; round++) {
    for (int i = 0; i < BATCH; i++, bits += STRIDE) x[i] = from_bits(bits);
    if (round == 0) fill_specials(x);
    void *arguments[] = {x, out};
    ck_assert_int_eq(jit_run(c.jit, c.code, STR("f"), NULL, arguments), 0);
    for (int i = 0; i < BATCH; i++) {
      if (is_near_lgamma_zero(f, x[i])) continue;
      double error = error_of(out[i], f->reference(flushed((double)x[i])));
      if (error <= worst) continue;
      worst = error;
      CHECK_EACH(error <= f->ulps + 1e-9, "%s(%.9g) on %.*s: %.9g instead of %.17g, %g ulp", name,
                 (double)x[i], STR_FMT(target), (double)out[i], f->reference((double)x[i]), error);
    }
  }
  if (getenv("MATH_VERBOSE")) printf("%-12s %-10.*s %.3f ulp\n", name, STR_FMT(target), worst);
  jit_free(c.jit);
}

static int run_unary(Session *session, void *data) {
  const Function *f = data;
  for (size_t t = 0; t < COUNT_OF(targets); t++) check_function(session, f, str_from_c(targets[t]));
  return 0;
}

START_TEST(unary) {
  Session *session = session_new(0);
  ck_assert_int_eq(session_run(session, run_unary, (void *)(uintptr_t)&functions[_i]), 0);
  session_free(session);
}
END_TEST

static uint32_t next_random(uint64_t *state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(*state >> 32);
}

static bool same_bits(float a, float b) {
  return (isnan(a) && isnan(b)) || memcmp(&a, &b, sizeof a) == 0;
}

// Results depend neither on which CPU with an fma computes them nor on what else is in their
// vector.
static int run_same(Session *session, void *data) {
  const Function *f = data;
  Compiled c = compile_function(session, f, STR("native")),
           avx2 = compile_function(session, f, STR("x86-64-v3"));
  static float x[BATCH], out[BATCH], there[BATCH], turned[BATCH], moved[BATCH];
  uint64_t state = 99;
  for (int round = 0; round < 50; round++) {
    for (int i = 0; i < BATCH; i++)
      x[i] = i % 4 ? from_bits(next_random(&state)) : (float)next_random(&state) * 1e-8f - 20;
    if (round == 0) fill_specials(x);
    for (int i = 0; i < BATCH; i++) turned[i] = x[i * 1237 % BATCH];
    ck_assert_int_eq(jit_run(c.jit, c.code, STR("f"), NULL, (void *[]){x, out}), 0);
    ck_assert_int_eq(jit_run(avx2.jit, avx2.code, STR("f"), NULL, (void *[]){x, there}), 0);
    ck_assert_int_eq(jit_run(c.jit, c.code, STR("f"), NULL, (void *[]){turned, moved}), 0);
    for (int i = 0; i < BATCH; i++) {
      int from = i * 1237 % BATCH;
      CHECK_EACH(same_bits(out[i], there[i]), "%s(%.9g): %.9g, with AVX2 %.9g",
                 op_info(f->code)->name, (double)x[i], (double)out[i], (double)there[i]);
      CHECK_EACH(same_bits(out[from], moved[i]), "%s(%.9g): %.9g, beside others %.9g",
                 op_info(f->code)->name, (double)x[from], (double)out[from], (double)moved[i]);
    }
  }
  jit_free(c.jit);
  jit_free(avx2.jit);
  return 0;
}

START_TEST(functions_agree) {
  if (!__builtin_cpu_supports("fma")) return;
  Session *session = session_new(0);
  ck_assert_int_eq(session_run(session, run_same, (void *)(uintptr_t)&functions[_i]), 0);
  session_free(session);
}
END_TEST

typedef struct Function2 {
  OpCode code;
  double (*reference)(double, double);
  double ulps;
} Function2;

static const Function2 functions2[] = {{OP_POW, pow, 1}, {OP_ATAN2, atan2, 2}, {OP_REM, fmod, 0}};

static void check_function2(Session *session, const Function2 *f, Str target) {
  const char *name = op_info(f->code)->name;
  Str text = str_format(session->arena,
                        "module tpu v5p devices 1\nfunc @f(%%x: hbm f32[%d], %%y: hbm f32[%d], out "
                        "%%o: hbm f32[%d]) {\n"
                        "  %%v = load %%x[:] : f32[%d]\n  %%w = load %%y[:] : f32[%d]\n  %%r = %s "
                        "%%v, %%w : f32[%d]\n  store %%r, %%o[:]\n}\n",
                        BATCH, BATCH, BATCH, BATCH, BATCH, name, BATCH);
  Compiled c = compile(session, text, target);
  static float x[BATCH], y[BATCH], out[BATCH];
  float specials[BATCH];
  fill_specials(specials);
  uint64_t state = 12345;
  double worst = 0;
  for (int round = 0; round < 100; round++) {
    for (int i = 0; i < BATCH; i++) {
      x[i] = from_bits(next_random(&state));
      y[i] = from_bits(next_random(&state));
      // Near 1, where pow is of ordinary size.
      if (round % 2) x[i] = (float)next_random(&state) / 4e8f;
      if (round % 4 == 1) y[i] = (float)(int32_t)next_random(&state) / 5e7f;
      if (round % 8 == 2) y[i] = roundf((float)(int32_t)next_random(&state) / 1e8f);
      // A multiple, or next to one, of few and of too many bits.
      if (round % 8 == 3) y[i] = 1 + (float)next_random(&state) * 0x1p-33f;
      if (round % 8 == 3) x[i] = y[i] * (float)(next_random(&state) >> (8 + round % 16));
      if (round == 0 && i < SPECIALS * SPECIALS)
        x[i] = specials[i / SPECIALS], y[i] = specials[i % SPECIALS];
    }
    void *arguments[] = {x, y, out};
    ck_assert_int_eq(jit_run(c.jit, c.code, STR("f"), NULL, arguments), 0);
    for (int i = 0; i < BATCH; i++) {
      double exact = f->reference(flushed((double)x[i]), flushed((double)y[i])),
             error = error_of(out[i], exact);
      if (error <= worst) continue;
      worst = error;
      CHECK_EACH(error <= f->ulps + 1e-9, "%s(%.9g, %.9g) on %.*s: %.9g instead of %.17g, %g ulp",
                 name, (double)x[i], (double)y[i], STR_FMT(target), (double)out[i], exact, error);
    }
  }
  if (getenv("MATH_VERBOSE")) printf("%-12s %-10.*s %.3f ulp\n", name, STR_FMT(target), worst);
  jit_free(c.jit);
}

static int run_binary(Session *session, void *data) {
  const Function2 *f = data;
  for (size_t t = 0; t < COUNT_OF(targets); t++)
    check_function2(session, f, str_from_c(targets[t]));
  return 0;
}

START_TEST(binary) {
  Session *session = session_new(0);
  ck_assert_int_eq(session_run(session, run_binary, (void *)(uintptr_t)&functions2[_i]), 0);
  session_free(session);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("math");
  TCase *tcase = tcase_create("functions");
  tcase_set_timeout(tcase, 120);
  tcase_add_loop_test(tcase, unary, 0, (int)COUNT_OF(functions));
  tcase_add_loop_test(tcase, functions_agree, 0, (int)COUNT_OF(functions));
  tcase_add_loop_test(tcase, binary, 0, (int)COUNT_OF(functions2));
  suite_add_tcase(suite, tcase);
  return suite_run(suite);
}
