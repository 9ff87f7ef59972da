// SPDX-License-Identifier: Apache-2.0
// Loops of one operand, by type and operation (unary_of_type.h). Functions of floats are computed
// in double and rounded once where the float's own operation would not give the same.
#include "base/float_function.h"
#include "complex_types.h"
#include "loops.h"
#include "vector_math.h"
#include <math.h>

// ---- integers -----------------------------------------------------------------------------------

#define SAME(X)                    X(FLOOR, x) X(CEIL, x) X(TRUNC, x) X(ROUND_EVEN, x)
#define OPERATIONS(VECTOR, SCALAR) SAME(VECTOR) VECTOR(ABS, x) VECTOR(SIGN, x) VECTOR(NOT, !x)
#define T                          uint8_t
#define NAME(x)                    x##_bool
#include "unary_of_type.h"
#undef OPERATIONS

#define OPERATIONS(VECTOR, SCALAR)                                                                 \
  SAME(VECTOR)                                                                                     \
  VECTOR(NEG, 0 - (uint64_t)x)                                                                     \
  VECTOR(ABS, x < 0 ? 0 - (uint64_t)x : (uint64_t)x)                                               \
  VECTOR(SIGN, (x > 0) - (x < 0))                                                                  \
  SCALAR(RECIPROCAL, (x == 1) - (x == -1))                                                         \
  VECTOR(NOT, ~x)
#define T       int8_t
#define NAME(x) x##_i8
#include "unary_of_type.h"
#define T       int16_t
#define NAME(x) x##_i16
#include "unary_of_type.h"
#define T       int32_t
#define NAME(x) x##_i32
#include "unary_of_type.h"
#define T       int64_t
#define NAME(x) x##_i64
#include "unary_of_type.h"
#undef OPERATIONS

#define OPERATIONS(VECTOR, SCALAR)                                                                 \
  SAME(VECTOR)                                                                                     \
  VECTOR(NEG, 0 - (uint64_t)x)                                                                     \
  VECTOR(ABS, x) VECTOR(SIGN, x > 0) VECTOR(NOT, ~x) SCALAR(RECIPROCAL, x == 1)
#define T       uint8_t
#define NAME(x) x##_u8
#include "unary_of_type.h"
#define T       uint16_t
#define NAME(x) x##_u16
#include "unary_of_type.h"
#define T       uint32_t
#define NAME(x) x##_u32
#include "unary_of_type.h"
#define T       uint64_t
#define NAME(x) x##_u64
#include "unary_of_type.h"
#undef OPERATIONS

// ---- floats -------------------------------------------------------------------------------------

// 0 of -0.0, not as JAX.
#define SIGN_OF(x, T) (x > 0 ? (T)1 : x < 0 ? (T)-1 : x != x ? x : 0)
#define OPERATIONS(VECTOR, SCALAR)                                                                 \
  VECTOR(NEG, -x)                                                                                  \
  VECTOR(ABS, fabsf(x))                                                                            \
  VECTOR(SIGN, SIGN_OF(x, float))                                                                  \
  VECTOR(FLOOR, floorf(x))                                                                         \
  VECTOR(CEIL, ceilf(x))                                                                           \
  VECTOR(TRUNC, truncf(x))                                                                         \
  VECTOR(ROUND_EVEN, rintf(x))                                                                     \
  VECTOR(SQRT, sqrtf(x))                                                                           \
  VECTOR(RECIPROCAL, 1 / x)                                                                        \
  VECTOR(EXP, exp_f32(x))                                                                          \
  VECTOR(EXP2, vector_exp2(x))                                                                     \
  VECTOR(LOG, vector_log(x))                                                                       \
  VECTOR(LOG2, vector_log(x) * 0x1.71547652b82fep0)                                                \
  VECTOR(TANH, tanh_f32(x))                                                                        \
  VECTOR(LOGISTIC, 1 / (1 + vector_exp(-(double)x)))                                               \
  FUNCTIONS(SCALAR)
#define IS_NEAR(x) (fabs((double)(x)) <= CIRCLE_LIMIT)
#define LIMITED(X) X(SIN, circle_f64(x, 0), sin(x)) X(COS, circle_f64(x, 1), cos(x))
#define FUNCTIONS(X)                                                                               \
  X(EXPM1, expm1(x))                                                                               \
  X(LOG1P, log1p(x))                                                                               \
  X(CBRT, cbrt(x))                                                                                 \
  X(TAN, tan(x))                                                                                   \
  X(ASIN, asin(x))                                                                                 \
  X(ACOS, acos(x))                                                                                 \
  X(ATAN, atan(x))                                                                                 \
  X(SINH, sinh(x)) X(COSH, cosh(x)) X(ASINH, asinh(x)) X(ACOSH, acosh(x)) X(ATANH, atanh(x))
#define T       float
#define NAME(x) x##_f32
#include "unary_of_type.h"
#undef OPERATIONS

#define OPERATIONS(VECTOR, SCALAR)                                                                 \
  VECTOR(NEG, -x)                                                                                  \
  VECTOR(ABS, fabs(x))                                                                             \
  VECTOR(SIGN, SIGN_OF(x, double))                                                                 \
  VECTOR(FLOOR, floor(x))                                                                          \
  VECTOR(CEIL, ceil(x))                                                                            \
  VECTOR(TRUNC, trunc(x))                                                                          \
  VECTOR(ROUND_EVEN, rint(x))                                                                      \
  VECTOR(SQRT, sqrt(x))                                                                            \
  VECTOR(RECIPROCAL, 1 / x)                                                                        \
  VECTOR(EXP, exp_f64(x))                                                                          \
  SCALAR(EXP2, exp2(x))                                                                            \
  VECTOR(LOG, log_f64(x)) SCALAR(LOG2, log2(x)) VECTOR(TANH, tanh_f64(x)) FUNCTIONS(SCALAR)
#define T       double
#define NAME(x) x##_f64
#include "unary_of_type.h"

#undef FUNCTIONS
#undef LIMITED
#undef OPERATIONS

// ---- complex numbers ----------------------------------------------------------------------------

// C(name) is the C library's function on the type, F(name) the one of its parts.
#define OPERATIONS(VECTOR, SCALAR)                                                                 \
  VECTOR(NEG, -x)                                                                                  \
  VECTOR(CONJ, OF(make)(__real__ x, -__imag__ x))                                                  \
  SCALAR(SIGN, OF(sign)(x))                                                                        \
  VECTOR(ROUND_EVEN, OF(make)(F(rint)(__real__ x), F(rint)(__imag__ x)))                           \
  SCALAR(RECIPROCAL, OF(over)(OF(make)(1, 0), x))                                                  \
  SCALAR(EXP2, C(exp)(OF(scaled)(x, 0x1.62e42fefa39efp-1)))                                        \
  SCALAR(LOG2, OF(scaled)(C(log)(x), 0x1.71547652b82fep0))                                         \
  SCALAR(EXPM1, OF(expm1)(x))                                                                      \
  SCALAR(LOG1P, OF(log1p)(x))                                                                      \
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

#define OF_PARTS(name, T, P, value)                                                                \
  static void name(char *const *data, const int64_t *strides, int64_t count) {                     \
    for (int64_t i = 0; i < count; i++) {                                                          \
      T x = *(const ND_ELEMENT(T) *)(data[1] + i * strides[1]);                                    \
      *(ND_ELEMENT(P) *)(data[0] + i * strides[0]) = value;                                        \
    }                                                                                              \
  }
OF_PARTS(magnitude_c64, complex_f32, float, hypotf(__real__ x, __imag__ x))
OF_PARTS(magnitude_c128, complex_f64, double, hypot(__real__ x, __imag__ x))

NdLoop *nd_magnitude_loop(DType dtype) { return dtype == DT_C64 ? magnitude_c64 : magnitude_c128; }

NdLoop *nd_unary_loop(Ufunc code, DType dtype) {
  static NdLoop *const *const tables[DT_COUNT] = {
      [DT_BOOL] = loops_bool, [DT_I8] = loops_i8,   [DT_I16] = loops_i16, [DT_I32] = loops_i32,
      [DT_I64] = loops_i64,   [DT_U8] = loops_u8,   [DT_U16] = loops_u16, [DT_U32] = loops_u32,
      [DT_U64] = loops_u64,   [DT_F32] = loops_f32, [DT_F64] = loops_f64, [DT_C64] = loops_c64,
      [DT_C128] = loops_c128};
  return tables[dtype] ? tables[dtype][code] : NULL;
}

// ---- tests --------------------------------------------------------------------------------------

ND_CLONES static void finite_f32(char *const *data, const int64_t *strides, int64_t count) {
  for (int64_t i = 0; i < count; i++) {
    float x = *(const ND_ELEMENT(float) *)(data[1] + i * strides[1]);
    data[0][i * strides[0]] = fabsf(x) <= 0x1.fffffep127f;
  }
}

ND_CLONES static void finite_f64(char *const *data, const int64_t *strides, int64_t count) {
  for (int64_t i = 0; i < count; i++) {
    double x = *(const ND_ELEMENT(double) *)(data[1] + i * strides[1]);
    data[0][i * strides[0]] = fabs(x) <= 0x1.fffffffffffffp1023;
  }
}

OF_PARTS(finite_c64, complex_f32, uint8_t, isfinite(__real__ x) && isfinite(__imag__ x))
OF_PARTS(finite_c128, complex_f64, uint8_t, isfinite(__real__ x) && isfinite(__imag__ x))

NdLoop *nd_finite_loop(DType dtype) {
  switch (dtype) {
  case DT_F32: return finite_f32;
  case DT_F64: return finite_f64;
  case DT_C64: return finite_c64;
  case DT_C128: return finite_c128;
  default: return NULL;
  }
}
