// SPDX-License-Identifier: Apache-2.0
// Loops of one operand, by type and operation (unary_of_type.h). Functions of floats are computed
// in double and rounded once where the float's own operation would not give the same.
#include "base/float_function.h"
#include "complex_types.h"
#include "loops.h"
#include "loops_parts.h"
#include "vector_functions.h"
#include <math.h>
#include <string.h>

// ---- integers -----------------------------------------------------------------------------------

// What rounds, and magnitudes of what has no sign, are copies; what wraps is the same of both types
// of a width.
#define ROUNDED(copy)                                                                              \
  [UFUNC_FLOOR] = (copy), [UFUNC_CEIL] = (copy), [UFUNC_TRUNC] = (copy),                           \
  [UFUNC_ROUND_EVEN] = (copy),
#define OPERATIONS(SIMPLE, VECTOR, SCALAR) SIMPLE(NOT, !x)
#define OTHERS                             ROUNDED(nd_copy_1)[UFUNC_ABS] = nd_copy_1, [UFUNC_SIGN] = nd_copy_1
#define T                                  uint8_t
#define NAME(x)                            x##_bool
#include "unary_of_type.h"
#undef OPERATIONS

#define OPERATIONS(SIMPLE, VECTOR, SCALAR)                                                         \
  SIMPLE(NEG, 0 - (uint64_t)x)                                                                     \
  SIMPLE(SQUARE, (uint64_t)x *(uint64_t)x)                                                         \
  SIMPLE(SIGN, x > 0) SIMPLE(NOT, ~x) SCALAR(RECIPROCAL, x == 1)
#define OTHERS  ROUNDED(nd_copy_1)[UFUNC_ABS] = nd_copy_1
#define T       uint8_t
#define NAME(x) x##_u8
#include "unary_of_type.h"
#define OTHERS  ROUNDED(nd_copy_2)[UFUNC_ABS] = nd_copy_2
#define T       uint16_t
#define NAME(x) x##_u16
#include "unary_of_type.h"
#define OTHERS  ROUNDED(nd_copy_4)[UFUNC_ABS] = nd_copy_4
#define T       uint32_t
#define NAME(x) x##_u32
#include "unary_of_type.h"
#define OTHERS  ROUNDED(nd_copy_8)[UFUNC_ABS] = nd_copy_8
#define T       uint64_t
#define NAME(x) x##_u64
#include "unary_of_type.h"
#undef OPERATIONS

#define OPERATIONS(SIMPLE, VECTOR, SCALAR)                                                         \
  SIMPLE(ABS, x < 0 ? 0 - (uint64_t)x : (uint64_t)x)                                               \
  SIMPLE(SIGN, (x > 0) - (x < 0)) SCALAR(RECIPROCAL, (x == 1) - (x == -1))
#define WRAPPING(of) [UFUNC_NEG] = NEG_##of, [UFUNC_SQUARE] = SQUARE_##of, [UFUNC_NOT] = NOT_##of
#define OTHERS       ROUNDED(nd_copy_1) WRAPPING(u8)
#define T            int8_t
#define NAME(x)      x##_i8
#include "unary_of_type.h"
#define OTHERS  ROUNDED(nd_copy_2) WRAPPING(u16)
#define T       int16_t
#define NAME(x) x##_i16
#include "unary_of_type.h"
#define OTHERS  ROUNDED(nd_copy_4) WRAPPING(u32)
#define T       int32_t
#define NAME(x) x##_i32
#include "unary_of_type.h"
#define OTHERS  ROUNDED(nd_copy_8) WRAPPING(u64)
#define T       int64_t
#define NAME(x) x##_i64
#include "unary_of_type.h"
#undef OPERATIONS

// ---- floats -------------------------------------------------------------------------------------

#define MOST_F32 0x1.fffffep127f
#define MOST_F64 0x1.fffffffffffffp1023

// 0 of -0.0, not as JAX.
#define SIGN_OF(x, T) (x > 0 ? (T)1 : x < 0 ? (T)-1 : x != x ? x : 0)
#define OPERATIONS(SIMPLE, VECTOR, SCALAR)                                                         \
  SIMPLE(NEG, -x)                                                                                  \
  SIMPLE(ABS, fabsf(x))                                                                            \
  SIMPLE(SIGN, SIGN_OF(x, float))                                                                  \
  VECTOR(FLOOR, floorf(x))                                                                         \
  VECTOR(CEIL, ceilf(x))                                                                           \
  VECTOR(TRUNC, truncf(x))                                                                         \
  VECTOR(ROUND_EVEN, rintf(x))                                                                     \
  SIMPLE(SQRT, sqrtf(x))                                                                           \
  SIMPLE(RECIPROCAL, 1 / x)                                                                        \
  SIMPLE(SQUARE, x *x)                                                                             \
  VECTOR(ATAN, atan_f32(x))                                                                        \
  VECTOR(TANH, tanh_f32(x))                                                                        \
  VECTOR(LOGISTIC, 1 / (1 + vector_exp(-(double)x)))                                               \
  FUNCTIONS(VECTOR)
#define IS_NEAR(x)       (fabs((double)(x)) <= CIRCLE_LIMIT)
#define IS_NEAR_F32(x)   (fabsf(x) <= CIRCLE_LIMIT_F32)
#define IS_NORMAL_F32(x) ((x) >= 0x1p-126f && (x) <= MOST_F32)
#define LIMITED(VECTOR, SCALAR)                                                                    \
  VECTOR(EXP, fabsf(x) <= 87, exp_normal_f32(x), exp_f32(x))                                       \
  VECTOR(EXP2, fabsf(x) <= 125, exp2_normal_f32(x), vector_exp2(x))                                \
  SCALAR(SIN, IS_NEAR_F32(x), x != 0 ? circle_f32(x, 0) : x, sin(x))                               \
  SCALAR(COS, IS_NEAR_F32(x), circle_f32(x, 1), cos(x))                                            \
  SCALAR(TAN, IS_NEAR_F32(x), x != 0 ? tan_f32(x) : x, tan(x))                                     \
  VECTOR(SINH, fabsf(x) <= 87, sinh_normal_f32(x), lane_sinh(x))                                   \
  VECTOR(COSH, fabsf(x) <= 87, cosh_normal_f32(x), lane_cosh(x))                                   \
  VECTOR(CBRT, x == 0 || IS_NORMAL_F32(fabsf(x)), cbrt_normal_f32(x), lane_cbrt(x))                \
  VECTOR(ASIN, fabsf(x) <= 1, asin_f32(x), lane_asin(x))                                           \
  VECTOR(LOG, IS_NORMAL_F32(x), log_normal_f32(x), vector_log(x))                                  \
  VECTOR(LOG2, IS_NORMAL_F32(x), log_normal_in_f32(x, 1, 0, 0x1.715p0f, 0x1.1d94aep-14f),          \
         vector_log(x) * 0x1.71547652b82fep0)                                                      \
  VECTOR(LOG10, IS_NORMAL_F32(x),                                                                  \
         log_normal_in_f32(x, 0x1.344p-2f, 0x1.3509f8p-18f, 0x1.bcbp-2f, 0x1.ec549cp-16f),         \
         vector_log(x) * 0x1.bcb7b1526e50ep-2)                                                     \
  VECTOR(EXPM1, fabsf(x) <= 87 && x != 0, expm1_normal_f32(x), lane_expm1(x))                      \
  VECTOR(LOG1P, x > -1 && x <= 0x1p100f && x != 0, log1p_normal_f32(x), lane_log1p(x))
#define FUNCTIONS(X)                                                                               \
  X(ACOS, lane_acos(x))                                                                            \
  X(ASINH, lane_asinh(x)) X(ACOSH, lane_acosh(x)) X(ATANH, lane_atanh(x))
#define T       float
#define NAME(x) x##_f32
#include "unary_of_type.h"
#undef LIMITED
#define LIMITED(VECTOR, SCALAR)                                                                    \
  SCALAR(SIN, IS_NEAR(x), x != 0 ? circle_f64(x, 0) : x, sin(x))                                   \
  SCALAR(COS, IS_NEAR(x), circle_f64(x, 1), cos(x))                                                \
  SCALAR(TAN, IS_NEAR(x), x != 0 ? circle_f64(x, 0) / circle_f64(x, 1) : x, tan(x))                \
  VECTOR(SINH, fabs(x) <= 700, sinh_normal(x), lane_sinh(x))                                       \
  VECTOR(COSH, fabs(x) <= 700, cosh_normal(x), lane_cosh(x))                                       \
  VECTOR(EXP, fabs(x) <= 708, exp_normal(x), exp_f64(x))                                           \
  VECTOR(EXP2, fabs(x) <= 1021, exp2_normal(x), lane_exp2(x))                                      \
  VECTOR(EXPM1, fabs(x) <= 700 && x != 0, expm1_normal(x), lane_expm1(x))                          \
  VECTOR(LOG, IS_NORMAL(x), log_normal(x), log_f64(x))                                             \
  VECTOR(LOG2, IS_NORMAL(x), IN_TWOS(x), lane_log2(x))                                             \
  VECTOR(LOG10, IS_NORMAL(x), IN_TENS(x), lane_log10(x))                                           \
  VECTOR(LOG1P, IS_LOG1P_NORMAL(x), log1p_normal(x), lane_log1p(x))
#undef OPERATIONS

#define OPERATIONS(SIMPLE, VECTOR, SCALAR)                                                         \
  SIMPLE(NEG, -x)                                                                                  \
  SIMPLE(ABS, fabs(x))                                                                             \
  SIMPLE(SIGN, SIGN_OF(x, double))                                                                 \
  VECTOR(FLOOR, floor(x))                                                                          \
  VECTOR(CEIL, ceil(x))                                                                            \
  VECTOR(TRUNC, trunc(x))                                                                          \
  VECTOR(ROUND_EVEN, rint(x))                                                                      \
  SIMPLE(SQRT, sqrt(x))                                                                            \
  SIMPLE(RECIPROCAL, 1 / x)                                                                        \
  SIMPLE(SQUARE, x *x)                                                                             \
  VECTOR(ATAN, lane_atan(x))                                                                       \
  VECTOR(CBRT, lane_cbrt(x)) VECTOR(ASIN, lane_asin(x)) VECTOR(TANH, tanh_f64(x)) FUNCTIONS(VECTOR)
#define T       double
#define NAME(x) x##_f64
#include "unary_of_type.h"

#undef FUNCTIONS
#undef LIMITED
#undef OPERATIONS

// Of bfloat16 and float16 what their bits say.
#define OPERATIONS(SIMPLE, VECTOR, SCALAR) SIMPLE(NEG, x ^ 0x8000) SIMPLE(ABS, x & 0x7fff)
#define T                                  uint16_t
#define NAME(x)                            x##_half
#include "unary_of_type.h"
#undef OPERATIONS

// ---- complex numbers ----------------------------------------------------------------------------

// C(name) is the C library's function on the type, F(name) the one of its parts.
#define OPERATIONS(SIMPLE, VECTOR, SCALAR)                                                         \
  SIMPLE(NEG, -x)                                                                                  \
  SIMPLE(CONJ, OF(make)(__real__ x, -__imag__ x))                                                  \
  SCALAR(SIGN, OF(sign)(x))                                                                        \
  VECTOR(ROUND_EVEN, OF(make)(F(rint)(__real__ x), F(rint)(__imag__ x)))                           \
  SCALAR(RECIPROCAL, OF(reciprocal)(x))                                                            \
  SCALAR(EXP2, C(exp)(OF(scaled)(x, 0x1.62e42fefa39efp-1)))                                        \
  SCALAR(LOG2, OF(scaled)(C(log)(x), 0x1.71547652b82fep0))                                         \
  VECTOR(SQUARE, OF(times)(x, x))                                                                  \
  SCALAR(EXPM1, OF(expm1)(x))                                                                      \
  SCALAR(LOG1P, OF(log1p)(x))                                                                      \
  SCALAR(LOG10, OF(scaled)(C(log)(x), 0x1.bcb7b1526e50ep-2))                                       \
  FUNCTIONS(SCALAR)
#define FUNCTIONS(X)                                                                               \
  X(SQRT, C(sqrt)(x))                                                                              \
  X(EXP, C(exp)(x))                                                                                \
  X(LOG, C(log)(x))                                                                                \
  X(SIN, C(sin)(x))                                                                                \
  X(COS, C(cos)(x))                                                                                \
  X(TAN, C(tan)(x))                                                                                \
  X(ASIN, C(asin)(x))                                                                              \
  X(ACOS, C(acos)(x))                                                                              \
  X(ATAN, C(atan)(x))                                                                              \
  X(SINH, C(sinh)(x))                                                                              \
  X(COSH, C(cosh)(x))                                                                              \
  X(TANH, C(tanh)(x)) X(ASINH, C(asinh)(x)) X(ACOSH, C(acosh)(x)) X(ATANH, C(atanh)(x))
#define C(x)    c##x##f
#define F(x)    x##f
#define OF(x)   x##_f32
#define T       complex_f32
#define NAME(x) x##_c64
#include "unary_of_type.h"
#undef C
#undef F
#undef OF
#define C(x)    c##x
#define F(x)    x
#define OF(x)   x##_f64
#define T       complex_f64
#define NAME(x) x##_c128
#include "unary_of_type.h"

// The greater part, times the root of one and the square of what the lesser is of it: no square is
// too great or too small, and neither zeros nor infinities are divided by themselves.
#define MAGNITUDE(P, SIZE, FUSED, ROOT)                                                            \
  static inline P magnitude_##P(P a, P b) {                                                        \
    a = SIZE(a), b = SIZE(b);                                                                      \
    P great = a > b ? a : b, small = a > b ? b : a, infinity = (P)INFINITY;                        \
    P part = small / (great == 0 || great == infinity ? 1 : great);                                \
    P size = great * ROOT(FUSED(part, part, 1));                                                   \
    return great == infinity || small == infinity ? infinity : size;                               \
  }
MAGNITUDE(float, fabsf, __builtin_fmaf, sqrtf)
MAGNITUDE(double, fabs, __builtin_fma, sqrt)

ND_LOOP_OF_ONE(magnitudes_c64, float, complex_f32, NULL, magnitude_float(__real__ x, __imag__ x))
ND_LOOP_OF_ONE(magnitudes_c128, double, complex_f64, NULL, magnitude_double(__real__ x, __imag__ x))

NdLoop *nd_magnitude_loop(DType dtype) {
  return dtype == DT_C64 ? magnitudes_c64 : magnitudes_c128;
}

NdLoop *nd_unary_loop(Ufunc code, DType dtype) {
  static NdLoop *const *const tables[DT_COUNT] = {
      [DT_BOOL] = loops_bool, [DT_I8] = loops_i8,    [DT_I16] = loops_i16,  [DT_I32] = loops_i32,
      [DT_I64] = loops_i64,   [DT_U8] = loops_u8,    [DT_U16] = loops_u16,  [DT_U32] = loops_u32,
      [DT_U64] = loops_u64,   [DT_F32] = loops_f32,  [DT_F64] = loops_f64,  [DT_C64] = loops_c64,
      [DT_C128] = loops_c128, [DT_F16] = loops_half, [DT_BF16] = loops_half};
  return tables[dtype] ? tables[dtype][code] : NULL;
}

// ---- tests --------------------------------------------------------------------------------------

LANE uint32_t to_bits_f32(float x) {
  uint32_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

#define TEST(name, T, value)                                                                       \
  ND_ONCE static void name##_each(char *const *data, const int64_t *strides, int64_t count) {      \
    const int64_t a = strides[0], b = strides[1];                                                  \
    char *out = data[0], *from = data[1];                                                          \
    for (int64_t i = 0; i < count; i++, out += a, from += b) {                                     \
      T x = *(const ND_ELEMENT(T) *)from;                                                          \
      *(uint8_t *)out = value;                                                                     \
    }                                                                                              \
  }                                                                                                \
  ND_LOOP_OF_ONE(name, uint8_t, T, name##_each, value)
TEST(finite_f32, float, fabsf(x) <= MOST_F32)
TEST(finite_f64, double, fabs(x) <= MOST_F64)
TEST(infinite_f32, float, fabsf(x) > MOST_F32)
TEST(infinite_f64, double, fabs(x) > MOST_F64)
TEST(nan_f32, float, x != x)
TEST(nan_f64, double, x != x)
TEST(negative_f32, float, (to_bits_f32(x) & 0x80000000u) != 0)
TEST(negative_f64, double, (to_bits(x) & 1ull << 63) != 0)
TEST(finite_c64, complex_f32, isfinite(__real__ x) && isfinite(__imag__ x))
TEST(finite_c128, complex_f64, isfinite(__real__ x) && isfinite(__imag__ x))
TEST(infinite_c64, complex_f32, isinf(__real__ x) || isinf(__imag__ x))
TEST(infinite_c128, complex_f64, isinf(__real__ x) || isinf(__imag__ x))
TEST(nan_c64, complex_f32, isnan(__real__ x) || isnan(__imag__ x))
TEST(nan_c128, complex_f64, isnan(__real__ x) || isnan(__imag__ x))

NdLoop *nd_test_loop(Ufunc code, DType dtype) {
  static NdLoop
      *const finite[DT_COUNT] = {[DT_F32] = finite_f32,
                                 [DT_F64] = finite_f64,
                                 [DT_C64] = finite_c64,
                                 [DT_C128] = finite_c128},
             *const infinite[DT_COUNT] = {[DT_F32] = infinite_f32,
                                          [DT_F64] = infinite_f64,
                                          [DT_C64] = infinite_c64,
                                          [DT_C128] = infinite_c128},
             *const nan[DT_COUNT] =
                 {[DT_F32] = nan_f32, [DT_F64] = nan_f64, [DT_C64] = nan_c64, [DT_C128] = nan_c128},
             *const negative[DT_COUNT] = {[DT_F32] = negative_f32, [DT_F64] = negative_f64};
  return (code == UFUNC_IS_FINITE ? finite
          : code == UFUNC_IS_INF  ? infinite
          : code == UFUNC_IS_NAN  ? nan
                                  : negative)[dtype];
}

#define ALL_WITHIN(name, T, abs)                                                                   \
  ND_CLONES static bool name(const char *row, int64_t count, T most) {                             \
    typedef ND_ELEMENT(T) Element;                                                                 \
    const Element *p = (const Element *)row;                                                       \
    int beyond = 0;                                                                                \
    for (int64_t i = 0; i < count; i++) beyond |= !(abs(p[i]) <= most);                            \
    return !beyond;                                                                                \
  }
ALL_WITHIN(all_within_f32, float, fabsf)
ALL_WITHIN(all_within_f64, double, fabs)

bool nd_all_within(DType dtype, const char *row, int64_t count, double most) {
  if (dtype == DT_F64) return all_within_f64(row, count, most);
  return all_within_f32(row, count, most > MOST_F32 ? MOST_F32 : (float)most);
}

// ---- parts of numbers ---------------------------------------------------------------------------

// The fraction, at least 1/2 and below 1, and the exponent; what is 0 or not finite is kept, with
// an exponent of 0.
#define SPLIT(name, T, B, width, bias, up, least)                                                  \
  LANE T name##_one(T x, int32_t *exponent) {                                                      \
    B all, raw;                                                                                    \
    memcpy(&raw, &x, sizeof raw);                                                                  \
    bool is_small = (raw << 1 >> 1) < (B)1 << (width);                                             \
    T large = is_small ? x * (T)(least) : x;                                                       \
    memcpy(&all, &large, sizeof all);                                                              \
    int32_t field = (int32_t)((all << 1) >> ((width) + 1));                                        \
    bool is_kept = x == 0 || field == 2 * (bias) + 1;                                              \
    B half = (all & ~((B)(2 * (bias) + 1) << (width))) | (B)((bias)-1) << (width);                 \
    half = is_kept ? raw : half;                                                                   \
    memcpy(&x, &half, sizeof x);                                                                   \
    *exponent = is_kept ? 0 : field - ((bias)-1) - (is_small ? (up) : 0);                          \
    return x;                                                                                      \
  }                                                                                                \
  ND_CLONES static void name(char *const *data, const int64_t *strides, int64_t count) {           \
    const int64_t a = strides[0], b = strides[1], c = strides[2];                                  \
    int32_t exponent;                                                                              \
    if (a == (int64_t)sizeof(T) && b == (int64_t)sizeof exponent && c == a) {                      \
      const ND_ELEMENT(T) *p = (const ND_ELEMENT(T) *)data[2];                                     \
      ND_ELEMENT(T) *o = (ND_ELEMENT(T) *)data[0];                                                 \
      ND_ELEMENT(int32_t) *e = (ND_ELEMENT(int32_t) *)data[1];                                     \
      _Pragma("GCC ivdep") for (int64_t i = 0; i < count; i++) {                                   \
        o[i] = name##_one(p[i], &exponent);                                                        \
        e[i] = exponent;                                                                           \
      }                                                                                            \
      return;                                                                                      \
    }                                                                                              \
    for (int64_t i = 0; i < count; i++) {                                                          \
      T half = name##_one(*(const ND_ELEMENT(T) *)(data[2] + i * c), &exponent);                   \
      *(ND_ELEMENT(T) *)(data[0] + i * a) = half;                                                  \
      *(ND_ELEMENT(int32_t) *)(data[1] + i * b) = exponent;                                        \
    }                                                                                              \
  }
SPLIT(split_f32, float, uint32_t, 23, 127, 24, 0x1p24f)
SPLIT(split_f64, double, uint64_t, 52, 1023, 54, 0x1p54)

NdLoop *nd_split_loop(DType dtype) {
  return dtype == DT_F32 ? split_f32 : dtype == DT_F64 ? split_f64 : NULL;
}

#define NUMBERS(name, T)                                                                           \
  ND_CLONES static void name(char *out, const char *from, int64_t count, double nan, double high,  \
                             double low) {                                                         \
    const T of_nan = (T)nan, of_high = (T)high, of_low = (T)low;                                   \
    const ND_ELEMENT(T) *p = (const ND_ELEMENT(T) *)from;                                          \
    ND_ELEMENT(T) *o = (ND_ELEMENT(T) *)out;                                                       \
    _Pragma("GCC ivdep") for (int64_t i = 0; i < count; i++) {                                     \
      T x = p[i], y = x == (T)INFINITY ? of_high : x == -(T)INFINITY ? of_low : x;                 \
      o[i] = x != x ? of_nan : y;                                                                  \
    }                                                                                              \
  }
NUMBERS(numbers_f32, float)
NUMBERS(numbers_f64, double)

void nd_numbers(DType dtype, char *out, const char *from, int64_t count, double nan, double high,
                double low) {
  (dtype == DT_F32 ? numbers_f32 : numbers_f64)(out, from, count, nan, high, low);
}
