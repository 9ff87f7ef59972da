// SPDX-License-Identifier: Apache-2.0
// Loops of two operands, by type and operation (binary_of_type.h).
#include "complex_types.h"
#include "elements.h"
#include "loops.h"
#include "vector_functions.h"

#define IS_SIGNED   1
#define IS_UNSIGNED 2
#define IS_FLOAT    3
#define IS_COMPLEX  4

#define T         uint8_t
#define IS_NARROW 1
#define NAME(x)   x##_u8
#define CLASS     IS_UNSIGNED
#include "binary_of_type.h"
#define T           int8_t
#define IS_NARROW   1
#define NAME(x)     x##_i8
#define UNSIGNED(x) x##_u8
#define CLASS       IS_SIGNED
#include "binary_of_type.h"
#define T         uint16_t
#define IS_NARROW 1
#define NAME(x)   x##_u16
#define CLASS     IS_UNSIGNED
#include "binary_of_type.h"
#define T           int16_t
#define IS_NARROW   1
#define NAME(x)     x##_i16
#define UNSIGNED(x) x##_u16
#define CLASS       IS_SIGNED
#include "binary_of_type.h"
#define T         uint32_t
#define IS_NARROW 1
#define NAME(x)   x##_u32
#define CLASS     IS_UNSIGNED
#include "binary_of_type.h"
#define T           int32_t
#define IS_NARROW   1
#define NAME(x)     x##_i32
#define UNSIGNED(x) x##_u32
#define CLASS       IS_SIGNED
#include "binary_of_type.h"
#define T         uint64_t
#define IS_NARROW 0
#define NAME(x)   x##_u64
#define CLASS     IS_UNSIGNED
#include "binary_of_type.h"
#define T           int64_t
#define IS_NARROW   0
#define NAME(x)     x##_i64
#define UNSIGNED(x) x##_u64
#define CLASS       IS_SIGNED
#include "binary_of_type.h"
#define T            float
#define NEXT         nextafterf
#define NAME(x)      x##_f32
#define CLASS        IS_FLOAT
#define SIGNED_POWER vector_power
#include "binary_of_type.h"
#undef SIGNED_POWER
#define T            double
#define NEXT         nextafter
#define NAME(x)      x##_f64
#define CLASS        IS_FLOAT
#define SIGNED_POWER lane_signed_power
#include "binary_of_type.h"
#undef SIGNED_POWER
#define T       complex_f32
#define OF(x)   x##_f32
#define NAME(x) x##_c64
#define CLASS   IS_COMPLEX
#include "binary_of_type.h"
#define T       complex_f64
#define OF(x)   x##_f64
#define NAME(x) x##_c128
#define CLASS   IS_COMPLEX
#include "binary_of_type.h"

// Truth values are bytes of 0 and 1.
static NdLoop *const loops_bool[UFUNC_COUNT] = {
    [UFUNC_ADD] = OR_u8,  [UFUNC_MUL] = AND_u8,  [UFUNC_MAX] = OR_u8,  [UFUNC_MIN] = AND_u8,
    [UFUNC_FMAX] = OR_u8, [UFUNC_FMIN] = AND_u8, [UFUNC_AND] = AND_u8, [UFUNC_OR] = OR_u8,
    [UFUNC_XOR] = XOR_u8, [UFUNC_EQ] = EQ_u8,    [UFUNC_NE] = NE_u8,   [UFUNC_LT] = LT_u8,
    [UFUNC_LE] = LE_u8,   [UFUNC_GT] = GT_u8,    [UFUNC_GE] = GE_u8};

// The next one of a narrow float, towards y: among numbers of one sign, bits are in their order.
// What is greater than `last` is NaN; of two zeros it is `zero`.
static inline unsigned next_narrow(unsigned x, unsigned y, unsigned sign, unsigned last,
                                   unsigned zero) {
  unsigned size_x = x & ~sign, size_y = y & ~sign;
  if (size_x > last) return x;
  if (size_y > last) return y;
  if (x == y) return x;
  if (!size_x && !size_y) return zero;
  if (!size_x) return (y & sign) | 1;
  bool grows = ((x ^ y) & sign) == 0 && size_y > size_x;
  return grows ? x + 1 : x - 1;
}

// And the table of what cannot be computed in a wider type.
#define NEXT_NARROW(name, T, last, zero)                                                           \
  ND_ONCE static void next_##name(char *const *data, const int64_t *strides, int64_t count) {      \
    for (int64_t i = 0; i < count; i++) {                                                          \
      const T *x = (const T *)(data[1] + i * strides[1]);                                          \
      const T *y = (const T *)(data[2] + i * strides[2]);                                          \
      *(T *)(data[0] + i * strides[0]) =                                                           \
          (T)next_narrow(*x, *y, 1u << (8 * sizeof(T) - 1), last, *zero);                          \
    }                                                                                              \
  }                                                                                                \
  static NdLoop *const loops_##name[UFUNC_COUNT] = {[UFUNC_NEXTAFTER] = next_##name};
NEXT_NARROW(f16, uint16_t, 0x7c00, x)
NEXT_NARROW(bf16, uint16_t, 0x7f80, y)
NEXT_NARROW(f8e3m4, uint8_t, 0x70, y)
NEXT_NARROW(f8e4m3, uint8_t, 0x78, y)
NEXT_NARROW(f8e4m3fn, uint8_t, 0x7e, y)
NEXT_NARROW(f8e5m2, uint8_t, 0x7c, y)

NdLoop *nd_binary_loop(Ufunc code, DType dtype) {
  static NdLoop *const *const tables[DT_COUNT] = {
      [DT_BOOL] = loops_bool,     [DT_I8] = loops_i8,         [DT_I16] = loops_i16,
      [DT_I32] = loops_i32,       [DT_I64] = loops_i64,       [DT_U8] = loops_u8,
      [DT_U16] = loops_u16,       [DT_U32] = loops_u32,       [DT_U64] = loops_u64,
      [DT_F32] = loops_f32,       [DT_F64] = loops_f64,       [DT_C64] = loops_c64,
      [DT_C128] = loops_c128,     [DT_F16] = loops_f16,       [DT_BF16] = loops_bf16,
      [DT_F8E3M4] = loops_f8e3m4, [DT_F8E4M3] = loops_f8e4m3, [DT_F8E4M3FN] = loops_f8e4m3fn,
      [DT_F8E5M2] = loops_f8e5m2};
  return tables[dtype] ? tables[dtype][code] : NULL;
}
