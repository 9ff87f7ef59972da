// SPDX-License-Identifier: Apache-2.0
// The loops that convert elements of one type to each other, and their table: included by
// loops_cast.c for each type, with
//   T        the C type of the elements
//   NAME(x)  x with the type's name at its end
//   IS_FLOAT whether they are floats
//   IS_TRUTH whether they are truth values, in bytes that are 0 if false
#define LOOP(name, R, value)                                                                       \
  ND_CLONES static void name(char *const *data, const int64_t *strides, int64_t count) {           \
    typedef ND_ELEMENT(T) In;                                                                      \
    typedef ND_ELEMENT(R) Out;                                                                     \
    if (strides[0] == (int64_t)sizeof(R) && strides[1] == (int64_t)sizeof(T)) {                    \
      const In *p = (const In *)data[1];                                                           \
      Out *o = (Out *)data[0];                                                                     \
      _Pragma("GCC ivdep") for (int64_t i = 0; i < count; i++) {                                   \
        T x = p[i];                                                                                \
        o[i] = (R)(value);                                                                         \
      }                                                                                            \
    } else if (strides[0] == (int64_t)sizeof(R) && strides[1] == 2 * (int64_t)sizeof(T)) {         \
      const In *p = (const In *)data[1];                                                           \
      Out *o = (Out *)data[0];                                                                     \
      _Pragma("GCC ivdep") for (int64_t i = 0; i < count; i++) {                                   \
        T x = p[2 * i];                                                                            \
        o[i] = (R)(value);                                                                         \
      }                                                                                            \
    } else {                                                                                       \
      const int64_t a = strides[0], b = strides[1];                                                \
      char *to = data[0], *from = data[1];                                                         \
      _Pragma("GCC unroll 4") for (int64_t i = 0; i < count; i++, to += a, from += b) {            \
        T x = *(const In *)from;                                                                   \
        *(Out *)to = (R)(value);                                                                   \
      }                                                                                            \
    }                                                                                              \
  }
#if IS_TRUTH
#define TO_INTEGER(way) x != 0
#define TO_UNSIGNED_64  x != 0
#define TO_FLOAT        x != 0
#elif IS_FLOAT
// As NumPy on x86: cut off, in a type `way` of 32 or 64 bits with a sign, of which the lower bits
// are taken; what that does not hold is its least number, whose lower bits are 0.
#define TO_INTEGER(way) CUT_##way(x)
#define CUT_32(x)       (x) >= (T)-0x1p31 && (x) < (T)0x1p31 ? (int32_t)(x) : INT32_MIN
#define CUT_64(x)       (x) >= (T)-0x1p63 && (x) < (T)0x1p63 ? (int64_t)(x) : INT64_MIN
#define TO_UNSIGNED_64                                                                             \
  x >= (T)0x1p63 ? (uint64_t)(CUT_64(x - (T)0x1p63)) ^ 1ull << 63 : (uint64_t)(CUT_64(x))
#define TO_FLOAT x
#else
#define TO_INTEGER(way) x
#define TO_UNSIGNED_64  x
#define TO_FLOAT        x
#endif
LOOP(NAME(bool), uint8_t, x != 0)
LOOP(NAME(i8), int8_t, TO_INTEGER(32))
LOOP(NAME(i16), int16_t, TO_INTEGER(32))
LOOP(NAME(i32), int32_t, TO_INTEGER(32))
LOOP(NAME(i64), int64_t, TO_INTEGER(64))
LOOP(NAME(u8), uint8_t, TO_INTEGER(32))
LOOP(NAME(u16), uint16_t, TO_INTEGER(32))
LOOP(NAME(u32), uint32_t, TO_INTEGER(64))
LOOP(NAME(u64), uint64_t, TO_UNSIGNED_64)
LOOP(NAME(f32), float, TO_FLOAT)
LOOP(NAME(f64), double, TO_FLOAT)
LOOP(NAME(c64), complex_f32, OF_PARTS(make_f32, float, TO_FLOAT))
LOOP(NAME(c128), complex_f64, OF_PARTS(make_f64, double, TO_FLOAT))
#if IS_FLOAT
LOOP(NAME(f16), uint16_t, f16_of(NARROW(x)))
LOOP(NAME(bf16), uint16_t, bf16_of(NARROW(x)))
#endif

static NdLoop *const NAME(casts)[DT_COUNT] = {
    [DT_BOOL] = NAME(bool), [DT_I8] = NAME(i8),     [DT_I16] = NAME(i16), [DT_I32] = NAME(i32),
    [DT_I64] = NAME(i64),   [DT_U8] = NAME(u8),     [DT_U16] = NAME(u16), [DT_U32] = NAME(u32),
    [DT_U64] = NAME(u64),   [DT_F32] = NAME(f32),   [DT_F64] = NAME(f64), [DT_C64] = NAME(c64),
    [DT_C128] = NAME(c128),
#if IS_FLOAT
    [DT_F16] = NAME(f16),   [DT_BF16] = NAME(bf16),
#endif
};

#undef LOOP
#undef TO_INTEGER
#undef TO_UNSIGNED_64
#undef CUT_32
#undef CUT_64
#undef TO_FLOAT
#undef NARROW
#undef T
#undef NAME
#undef IS_FLOAT
#undef IS_TRUTH
