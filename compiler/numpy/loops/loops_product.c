// SPDX-License-Identifier: Apache-2.0
// Products of matrices that lie row by row: in, x of m x k and y of k x n; out, m x n. The sum over
// k is made in the order of k, each step rounded once (a fused multiply-add) for floats, whatever
// the CPU; only where n is 1 it is made in DOT_LANES sums side by side.
#include "base/host.h"
#include "complex_types.h"
#include "loops.h"
#include <math.h>
#include <string.h>

#define DOT_LANES 64
#define DEPTH     256 // steps of k whose part of y is kept close

#if defined(__x86_64__)
#define TARGET(name) __attribute__((target("arch=" name)))
#endif

#define T              float
#define NAME(x)        x##_f32
#define FUSED(a, b, c) __builtin_fmaf(a, b, c)
#include "product_of_type.h"
#define T              double
#define NAME(x)        x##_f64
#define FUSED(a, b, c) __builtin_fma(a, b, c)
#include "product_of_type.h"

// Row by row of the result, to which rows of y are added.
#define ROWS(name, T, value)                                                                       \
  ND_CLONES static void name(void *out, const void *x, const void *y, int64_t m, int64_t n,        \
                             int64_t k, bool is_symmetric UNUSED) {                                \
    for (int64_t i = 0; n == 1 && i < m; i++) {                                                    \
      const T *row = (const T *)x + i * k, *column = y;                                            \
      T sum = 0;                                                                                   \
      for (int64_t l = 0; l < k; l++) {                                                            \
        T a = row[l], b = column[l];                                                               \
        sum = sum + (value);                                                                       \
      }                                                                                            \
      ((T *)out)[i] = sum;                                                                         \
    }                                                                                              \
    if (n == 1) return;                                                                            \
    memset(out, 0, (size_t)(m * n) * sizeof(T));                                                   \
    for (int64_t i = 0; i < m; i++)                                                                \
      for (int64_t l = 0; l < k; l++) {                                                            \
        T *to = (T *)out + i * n, a = ((const T *)x)[i * k + l];                                   \
        const T *from = (const T *)y + l * n;                                                      \
        _Pragma("GCC ivdep") for (int64_t j = 0; j < n; j++) {                                     \
          T b = from[j];                                                                           \
          to[j] = to[j] + (value);                                                                 \
        }                                                                                          \
      }                                                                                            \
  }
ROWS(rows_u64, uint64_t, a *b)
ROWS(rows_c64, complex_f32, times_f32(a, b))
ROWS(rows_c128, complex_f64, times_f64(a, b))

NdProduct *nd_product(DType dtype) {
  switch (dtype) {
  case DT_F32: return product_f32;
  case DT_F64: return product_f64;
  case DT_C64: return rows_c64;
  case DT_C128: return rows_c128;
  default: return rows_u64;
  }
}
