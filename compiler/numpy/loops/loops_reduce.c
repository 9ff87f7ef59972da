// SPDX-License-Identifier: Apache-2.0
// Loops that reduce elements, by type (reduce_of_type.h).
#include "complex_types.h"
#include "loops.h"
#include <string.h>

#define LANES    (sizeof(T) < 8 ? 64 : 32)
#define BLOCK    (8192 / (int64_t)sizeof(T))
#define SCAN_ROW 32

#define T        uint8_t
#define NAME(x)  x##_u8
#define DTYPE    DT_U8
#define IS_FLOAT 0
#include "reduce_of_type.h"
#define T           int8_t
#define NAME(x)     x##_i8
#define DTYPE       DT_I8
#define UNSIGNED(x) x##_u8
#define IS_FLOAT    0
#include "reduce_of_type.h"
#define T        uint16_t
#define NAME(x)  x##_u16
#define DTYPE    DT_U16
#define IS_FLOAT 0
#include "reduce_of_type.h"
#define T           int16_t
#define NAME(x)     x##_i16
#define DTYPE       DT_I16
#define UNSIGNED(x) x##_u16
#define IS_FLOAT    0
#include "reduce_of_type.h"
#define T        uint32_t
#define NAME(x)  x##_u32
#define DTYPE    DT_U32
#define IS_FLOAT 0
#include "reduce_of_type.h"
#define T           int32_t
#define NAME(x)     x##_i32
#define DTYPE       DT_I32
#define UNSIGNED(x) x##_u32
#define IS_FLOAT    0
#include "reduce_of_type.h"
#define T        uint64_t
#define NAME(x)  x##_u64
#define DTYPE    DT_U64
#define IS_FLOAT 0
#include "reduce_of_type.h"
#define T           int64_t
#define NAME(x)     x##_i64
#define DTYPE       DT_I64
#define UNSIGNED(x) x##_u64
#define IS_FLOAT    0
#include "reduce_of_type.h"
#define T        float
#define NAME(x)  x##_f32
#define DTYPE    DT_F32
#define IS_FLOAT 1
#include "reduce_of_type.h"
#define T        double
#define NAME(x)  x##_f64
#define DTYPE    DT_F64
#define IS_FLOAT 1
#include "reduce_of_type.h"
#define T        complex_f32
#define OF(x)    x##_f32
#define NAME(x)  x##_c64
#define DTYPE    DT_C64
#define IS_FLOAT 1
#include "reduce_of_type.h"
#define T        complex_f64
#define OF(x)    x##_f64
#define NAME(x)  x##_c128
#define DTYPE    DT_C128
#define IS_FLOAT 1
#include "reduce_of_type.h"

const Reductions *nd_reductions(DType dtype) {
  static const Reductions *const tables[DT_COUNT] = {
      [DT_BOOL] = &reductions_u8,  [DT_I8] = &reductions_i8,   [DT_I16] = &reductions_i16,
      [DT_I32] = &reductions_i32,  [DT_I64] = &reductions_i64, [DT_U8] = &reductions_u8,
      [DT_U16] = &reductions_u16,  [DT_U32] = &reductions_u32, [DT_U64] = &reductions_u64,
      [DT_F32] = &reductions_f32,  [DT_F64] = &reductions_f64, [DT_C64] = &reductions_c64,
      [DT_C128] = &reductions_c128};
  return tables[dtype];
}
