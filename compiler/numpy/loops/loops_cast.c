// SPDX-License-Identifier: Apache-2.0
// Loops that convert elements (cast_of_type.h): between C's types, and from and to bfloat16 and
// float16, which are kept as their bits.
#include "complex_types.h"
#include "loops.h"
#include <math.h>
#include <string.h>

// ---- narrow floats ------------------------------------------------------------------------------

static inline uint32_t bits_of(float x) {
  uint32_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

static inline float of_bits(uint32_t bits) {
  float x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

// A float that rounds to any narrower format as the double itself would: what does not fit is kept
// as an odd last bit.
static inline float round_to_odd(double x) {
  float near = (float)x;
  uint32_t bits = bits_of(near);
  bits -= fabs((double)near) > fabs(x) && fabs(x) < INFINITY;
  bits |= x == x && (double)near != x;
  return of_bits(bits);
}

static inline uint16_t bf16_of(float x) {
  uint32_t bits = bits_of(x);
  return (uint16_t)(x != x ? 0x7fc0 | (bits >> 16 & 0x8000)
                           : (bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

// In front of the 13 bits that are cut off, so that all is of one width until then.
static inline uint16_t f16_of(float x) {
  uint32_t bits = bits_of(x), sign = bits >> 3 & 0x8000u << 13, all = bits & 0x7fffffff;
  uint32_t normal = all - (112u << 23) + 0xfff + (all >> 13 & 1);
  // The sum's last bit is that of the least subnormal number.
  uint32_t subnormal = bits_of(of_bits(all) + 0.5f) - bits_of(0.5f);
  uint32_t code = all < (113u << 23) ? subnormal << 13 : normal;
  code = all >= (143u << 23) ? 0x7c00u << 13 : code;
  code = all > 0x7f800000 ? 0x7e00u << 13 : code;
  return (uint16_t)((sign | code) >> 13);
}

static inline float of_f16(uint16_t code) {
  uint32_t sign = (uint32_t)(code & 0x8000) << 16, all = (uint32_t)(code & 0x7fff) << 13;
  float scaled = of_bits(all) * 0x1p112f; // subnormal numbers, too
  uint32_t bits = all >= (31u << 23) ? all | 0x7f800000 : bits_of(scaled);
  return of_bits(sign | bits);
}

static inline float of_bf16(uint16_t code) { return of_bits((uint32_t)code << 16); }

// ---- to complex numbers -------------------------------------------------------------------------

// Pairs of each element and 0.
#define PAIR(name, P)                                                                              \
  ND_CLONES static void name(char *const *data, const int64_t *strides, int64_t count) {           \
    const int64_t size = (int64_t)sizeof(P), a = strides[0], b = strides[1];                       \
    char *to = data[0], *from = data[1];                                                           \
    if (a == 2 * size && b == size) {                                                              \
      const ND_ELEMENT(P) *p = (const ND_ELEMENT(P) *)from;                                        \
      ND_ELEMENT(P) *o = (ND_ELEMENT(P) *)to;                                                      \
      _Pragma("GCC ivdep") for (int64_t i = 0; i < count; i++) {                                   \
        o[2 * i] = p[i];                                                                           \
        o[2 * i + 1] = 0;                                                                          \
      }                                                                                            \
      return;                                                                                      \
    }                                                                                              \
    for (int64_t i = 0; i < count; i++, to += a, from += b) {                                      \
      ND_ELEMENT(P) *o = (ND_ELEMENT(P) *)to;                                                      \
      o[0] = *(const ND_ELEMENT(P) *)from;                                                         \
      o[1] = 0;                                                                                    \
    }                                                                                              \
  }
PAIR(pair_f32, float)
PAIR(pair_f64, double)

enum { ROW = 256 };

// By way of a type of `between` bytes.
static void in_two_steps(NdLoop *first, size_t between, NdLoop *second, char *const *data,
                         const int64_t *strides, int64_t count) {
  _Alignas(64) char row[ROW * sizeof(double)];
  const int64_t size = (int64_t)between;
  for (int64_t i = 0, n; i < count; i += n) {
    n = count - i < ROW ? count - i : ROW;
    first((char *[]){row, data[1] + i * strides[1]}, (int64_t[]){size, strides[1]}, n);
    second((char *[]){data[0] + i * strides[0], row}, (int64_t[]){strides[0], size}, n);
  }
}

// ---- between C's types --------------------------------------------------------------------------

#define IS_SIGNED   1
#define IS_UNSIGNED 2
#define IS_FLOAT    3
#define IS_TRUTH    4

#define T       uint8_t
#define NAME(x) bool_to_##x
#define CLASS   IS_TRUTH
#include "cast_of_type.h"
#define T       uint8_t
#define NAME(x) u8_to_##x
#define CLASS   IS_UNSIGNED
#define WIDTH   8
#include "cast_of_type.h"
#define T           int8_t
#define NAME(x)     i8_to_##x
#define UNSIGNED(x) u8_to_##x
#define CLASS       IS_SIGNED
#define WIDTH       8
#include "cast_of_type.h"
#define T       uint16_t
#define NAME(x) u16_to_##x
#define CLASS   IS_UNSIGNED
#define WIDTH   16
#include "cast_of_type.h"
#define T           int16_t
#define NAME(x)     i16_to_##x
#define UNSIGNED(x) u16_to_##x
#define CLASS       IS_SIGNED
#define WIDTH       16
#include "cast_of_type.h"
#define T       uint32_t
#define NAME(x) u32_to_##x
#define CLASS   IS_UNSIGNED
#define WIDTH   32
#include "cast_of_type.h"
#define T           int32_t
#define NAME(x)     i32_to_##x
#define UNSIGNED(x) u32_to_##x
#define CLASS       IS_SIGNED
#define WIDTH       32
#include "cast_of_type.h"
#define T       uint64_t
#define NAME(x) u64_to_##x
#define CLASS   IS_UNSIGNED
#define WIDTH   64
#include "cast_of_type.h"
#define T           int64_t
#define NAME(x)     i64_to_##x
#define UNSIGNED(x) u64_to_##x
#define CLASS       IS_SIGNED
#define WIDTH       64
#include "cast_of_type.h"
#define T         float
#define NAME(x)   f32_to_##x
#define CLASS     IS_FLOAT
#define NARROW(x) x
#include "cast_of_type.h"
#define T         double
#define NAME(x)   f64_to_##x
#define CLASS     IS_FLOAT
#define NARROW(x) round_to_odd(x)
#include "cast_of_type.h"

// ---- from narrow floats -------------------------------------------------------------------------

#define WIDEN(name, R, value)                                                                      \
  ND_CLONES static void name(char *const *data, const int64_t *strides, int64_t count) {           \
    const int64_t a = strides[0], b = strides[1];                                                  \
    char *to = data[0], *from = data[1];                                                           \
    if (a == (int64_t)sizeof(R) && b == 2) {                                                       \
      const ND_ELEMENT(uint16_t) *p = (const ND_ELEMENT(uint16_t) *)from;                          \
      ND_ELEMENT(R) *o = (ND_ELEMENT(R) *)to;                                                      \
      _Pragma("GCC ivdep") for (int64_t i = 0; i < count; i++) {                                   \
        uint16_t x = p[i];                                                                         \
        o[i] = value;                                                                              \
      }                                                                                            \
      return;                                                                                      \
    }                                                                                              \
    for (int64_t i = 0; i < count; i++) {                                                          \
      uint16_t x = *(const ND_ELEMENT(uint16_t) *)(from + i * b);                                  \
      *(ND_ELEMENT(R) *)(to + i * a) = value;                                                      \
    }                                                                                              \
  }
WIDEN(f16_to_f32, float, of_f16(x))
WIDEN(f16_to_f64, double, of_f16(x))
WIDEN(bf16_to_f32, float, of_bf16(x))
WIDEN(bf16_to_f64, double, of_bf16(x))

// ---- types of one byte --------------------------------------------------------------------------

#define LOOK_UP(name, T)                                                                           \
  static void name(void *out, const char *table, const uint8_t *codes, int64_t count) {            \
    const ND_ELEMENT(T) *t = (const ND_ELEMENT(T) *)table;                                         \
    ND_ELEMENT(T) *o = (ND_ELEMENT(T) *)out;                                                       \
    for (int64_t i = 0; i < count; i++) o[i] = t[codes[i]];                                        \
  }
LOOK_UP(look_up_1, uint8_t)
LOOK_UP(look_up_2, uint16_t)
LOOK_UP(look_up_4, uint32_t)
LOOK_UP(look_up_8, uint64_t)

void nd_look_up(size_t element, void *out, const char *table, const uint8_t *codes, int64_t count) {
  (element == 1   ? look_up_1
   : element == 2 ? look_up_2
   : element == 4 ? look_up_4
                  : look_up_8)(out, table, codes, count);
}

void nd_cast_by_front(uint8_t *out, const float *p, int64_t count, const uint8_t *table) {
  for (int64_t i = 0; i < count; i++) {
    uint32_t bits = bits_of(p[i]);
    out[i] = table[bits >> 16 | ((bits & 0xffff) != 0)];
  }
}

// ---- from complex numbers -----------------------------------------------------------------------

#define FROM_COMPLEX(name, P, R, value)                                                            \
  ND_CLONES static void name(char *const *data, const int64_t *strides, int64_t count) {           \
    typedef ND_ELEMENT(P) Part;                                                                    \
    const int64_t a = strides[0], b = strides[1];                                                  \
    char *to = data[0], *from = data[1];                                                           \
    if (a == (int64_t)sizeof(R) && b == 2 * (int64_t)sizeof(P)) {                                  \
      const Part *p = (const Part *)from;                                                          \
      ND_ELEMENT(R) *o = (ND_ELEMENT(R) *)to;                                                      \
      _Pragma("GCC ivdep") for (int64_t i = 0; i < count; i++) {                                   \
        P x = p[2 * i], y = p[2 * i + 1];                                                          \
        o[i] = value;                                                                              \
      }                                                                                            \
    } else {                                                                                       \
      for (int64_t i = 0; i < count; i++, to += a, from += b) {                                    \
        P x = ((const Part *)from)[0], y = ((const Part *)from)[1];                                \
        *(ND_ELEMENT(R) *)to = value;                                                              \
      }                                                                                            \
    }                                                                                              \
  }
FROM_COMPLEX(c64_to_bool, float, uint8_t, (x != 0) | (y != 0))
FROM_COMPLEX(c128_to_bool, double, uint8_t, (x != 0) | (y != 0))
FROM_COMPLEX(c64_to_c128, float, complex_f64, make_f64(x, y))
FROM_COMPLEX(c128_to_c64, double, complex_f32, make_f32((float)x, (float)y))

// The real parts lie where the elements do.
static NdLoop *from_complex_loop(DType from, DType to) {
  if (to == DT_BOOL) return from == DT_C64 ? c64_to_bool : c128_to_bool;
  if (dtype_is_complex(to)) return from == DT_C64 ? c64_to_c128 : c128_to_c64;
  DType parts = dtype_of_parts(from);
  return parts == to ? nd_copy_loop(dtype_size(to)) : nd_cast_loop(parts, to);
}

NdLoop *nd_cast_loop(DType from, DType to) {
  static NdLoop *const f16_casts[DT_COUNT] = {[DT_F32] = f16_to_f32, [DT_F64] = f16_to_f64},
                       *const bf16_casts[DT_COUNT] = {
                           [DT_F32] = bf16_to_f32, [DT_F64] = bf16_to_f64};
  static NdLoop *const *const tables[DT_COUNT] = {
      [DT_BOOL] = bool_to_casts, [DT_I8] = i8_to_casts,   [DT_I16] = i16_to_casts,
      [DT_I32] = i32_to_casts,   [DT_I64] = i64_to_casts, [DT_U8] = u8_to_casts,
      [DT_U16] = u16_to_casts,   [DT_U32] = u32_to_casts, [DT_U64] = u64_to_casts,
      [DT_F32] = f32_to_casts,   [DT_F64] = f64_to_casts, [DT_F16] = f16_casts,
      [DT_BF16] = bf16_casts};
  if (from == to) return nd_copy_loop(dtype_size(to));
  if (dtype_is_complex(from)) return from_complex_loop(from, to);
  return tables[from] ? tables[from][to] : NULL;
}

// ---- steps that are rounded ---------------------------------------------------------------------
#define FOLD(name, op)                                                                             \
  static void name(char *const *data, const int64_t *strides, int64_t count) {                     \
    float total = *(const float *)data[0];                                                         \
    for (int64_t i = 0; i < count; i++)                                                            \
      total = of_bf16(bf16_of(total op * (const float *)(data[1] + i * strides[1])));              \
    *(float *)data[0] = total;                                                                     \
  }
FOLD(fold_sum_bf16, +)
FOLD(fold_product_bf16, *)

NdLoop *nd_fold_loop(Ufunc code, DType dtype) {
  if (dtype != DT_BF16) return NULL;
  return code == UFUNC_REDUCE_SUM    ? fold_sum_bf16
         : code == UFUNC_REDUCE_PROD ? fold_product_bf16
                                     : NULL;
}
