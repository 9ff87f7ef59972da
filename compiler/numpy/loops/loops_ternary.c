// SPDX-License-Identifier: Apache-2.0
// Loops of one result and three operands, by type: what lies between two bounds, and what is close.
#include "complex_types.h"
#include "loops.h"
#include <math.h>

// ---- between two bounds -------------------------------------------------------------------------
// As the maximum of x and the lower one and the minimum of that and the upper one are, NaN
// included.
#define AT_LEAST(x, y) ((x) < (y) || !IS_SELF(y) ? (y) : (x))
#define AT_MOST(x, y)  ((x) > (y) || !IS_SELF(y) ? (y) : (x))

#define CLIP(name, T)                                                                              \
  ND_CLONES static void name(char *const *data, const int64_t *strides, int64_t count) {           \
    typedef ND_ELEMENT(T) Element;                                                                 \
    const int64_t size = (int64_t)sizeof(T);                                                       \
    const T low = *(const Element *)data[2], high = *(const Element *)data[3];                     \
    bool is_plain = strides[2] == 0 && strides[3] == 0 && IS_SELF(low) && IS_SELF(high);           \
    if (is_plain && strides[0] == size && strides[1] == size) {                                    \
      const Element *p = (const Element *)data[1];                                                 \
      Element *o = (Element *)data[0];                                                             \
      _Pragma("GCC ivdep") for (int64_t i = 0; i < count; i++) {                                   \
        T x = p[i], y = x < low ? low : x;                                                         \
        o[i] = y > high ? high : y;                                                                \
      }                                                                                            \
    } else {                                                                                       \
      for (int64_t i = 0; i < count; i++) {                                                        \
        T x = *(const Element *)(data[1] + i * strides[1]),                                        \
          least = *(const Element *)(data[2] + i * strides[2]),                                    \
          most = *(const Element *)(data[3] + i * strides[3]), y = AT_LEAST(x, least);             \
        *(Element *)(data[0] + i * strides[0]) = AT_MOST(y, most);                                 \
      }                                                                                            \
    }                                                                                              \
  }
#define IS_SELF(x) true
CLIP(clip_i8, int8_t)
CLIP(clip_i16, int16_t)
CLIP(clip_i32, int32_t)
CLIP(clip_i64, int64_t)
CLIP(clip_u8, uint8_t)
CLIP(clip_u16, uint16_t)
CLIP(clip_u32, uint32_t)
CLIP(clip_u64, uint64_t)
#undef IS_SELF
#define IS_SELF(x) ((x) == (x))
CLIP(clip_f32, float)
CLIP(clip_f64, double)

NdLoop *nd_clip_loop(DType dtype) {
  static NdLoop *const loops[DT_COUNT] = {
      [DT_I8] = clip_i8,   [DT_I16] = clip_i16, [DT_I32] = clip_i32, [DT_I64] = clip_i64,
      [DT_U8] = clip_u8,   [DT_U16] = clip_u16, [DT_U32] = clip_u32, [DT_U64] = clip_u64,
      [DT_F32] = clip_f32, [DT_F64] = clip_f64};
  return loops[dtype];
}

// ---- what is close ------------------------------------------------------------------------------
// |x - y| <= absolute + relative |y| of a y that is finite, or x == y; the last operand are the
// relative and the absolute tolerance and whether NaN is close to NaN.
#define IS_CLOSE(x, y, abs, most)                                                                  \
  (((abs((x) - (y)) <= absolute + relative * abs(y)) & (abs(y) <= most)) | ((x) == (y)) |          \
   (nan & ((x) != (x)) & ((y) != (y))))
#define CLOSE(name, T, abs, most)                                                                  \
  ND_CLONES static void name(char *const *data, const int64_t *strides, int64_t count) {           \
    typedef ND_ELEMENT(T) Element;                                                                 \
    const int64_t size = (int64_t)sizeof(T);                                                       \
    const Element *tolerances = (const Element *)data[3];                                          \
    const T relative = tolerances[0], absolute = tolerances[1];                                    \
    const bool nan = tolerances[2] != 0;                                                           \
    if (strides[0] == 1 && strides[1] == size && strides[2] == size) {                             \
      const Element *p = (const Element *)data[1], *q = (const Element *)data[2];                  \
      uint8_t *o = (uint8_t *)data[0];                                                             \
      _Pragma("GCC ivdep") for (int64_t i = 0; i < count; i++) {                                   \
        T x = p[i], y = q[i];                                                                      \
        o[i] = IS_CLOSE(x, y, abs, most);                                                          \
      }                                                                                            \
    } else {                                                                                       \
      for (int64_t i = 0; i < count; i++) {                                                        \
        T x = *(const Element *)(data[1] + i * strides[1]),                                        \
          y = *(const Element *)(data[2] + i * strides[2]);                                        \
        data[0][i * strides[0]] = IS_CLOSE(x, y, abs, most);                                       \
      }                                                                                            \
    }                                                                                              \
  }
CLOSE(close_f32, float, fabsf, 0x1.fffffep127f)
CLOSE(close_f64, double, fabs, 0x1.fffffffffffffp1023)

NdLoop *nd_close_loop(DType dtype) { return dtype == DT_F32 ? close_f32 : close_f64; }
