// SPDX-License-Identifier: Apache-2.0
// The loops that convert elements of one type to each other, and their table: included by
// loops_cast.c for each type, with
//   T        the C type of the elements
//   NAME(x)  x with the type's name at its end
//   CLASS    IS_SIGNED, IS_UNSIGNED, IS_FLOAT, or IS_TRUTH of bytes that are 0 if false
//   WIDTH    of integers, their bits
//   UNSIGNED(x)  of integers with a sign, x with the name of the unsigned type of that width
//   NARROW(x)  of floats, a float that rounds as x does

#define LOOP(name, R, value)                                                                       \
  ND_ONCE static void NAME(name##_each)(char *const *data, const int64_t *strides,                 \
                                        int64_t count) {                                           \
    const int64_t a = strides[0], b = strides[1];                                                  \
    char *to = data[0], *from = data[1];                                                           \
    for (int64_t i = 0; i < count; i++, to += a, from += b) {                                      \
      T x = *(const ND_ELEMENT(T) *)from;                                                          \
      *(ND_ELEMENT(R) *)to = (R)(value);                                                           \
    }                                                                                              \
  }                                                                                                \
  ND_LOOP_OF_ONE(NAME(name), R, T, NAME(name##_each), value)
#if CLASS == IS_TRUTH
#define INTEGERS(X)                                                                                \
  X(u8, uint8_t, x != 0)                                                                           \
  X(u16, uint16_t, x != 0) X(u32, uint32_t, x != 0) X(u64, uint64_t, x != 0)
#define TO_FLOAT x != 0
#elif CLASS == IS_FLOAT
// As NumPy on x86: cut off, in a type of 32 or 64 bits with a sign, of which the lower bits are
// taken; what that does not hold is its least number, whose lower bits are 0.
#define CUT_32(x) (x) >= (T)-0x1p31 && (x) < (T)0x1p31 ? (int32_t)(x) : INT32_MIN
#define CUT_64(x) (x) >= (T)-0x1p63 && (x) < (T)0x1p63 ? (int64_t)(x) : INT64_MIN
#define INTEGERS(X)                                                                                \
  X(u8, uint8_t, CUT_32(x))                                                                        \
  X(u16, uint16_t, CUT_32(x))                                                                      \
  X(i32, int32_t, CUT_32(x))                                                                       \
  X(u32, uint32_t, CUT_64(x))                                                                      \
  X(i64, int64_t, CUT_64(x))                                                                       \
  X(u64, uint64_t,                                                                                 \
    x >= (T)0x1p63 ? (uint64_t)(CUT_64(x - (T)0x1p63)) ^ 1ull << 63 : (uint64_t)(CUT_64(x)))       \
  X(f16, uint16_t, f16_of(NARROW(x)))                                                              \
  X(bf16, uint16_t, bf16_of(NARROW(x)))
#define TO_FLOAT x
#else
// Integers of a width have the same bits with a sign and without: one loop brings them there, and
// what is cut off tells types with a sign and without no more apart.
#if CLASS == IS_SIGNED
#define CUT(X, name, R)
#define LOWER(name) UNSIGNED(name)
#else
#define CUT(X, name, R) X(name, R, x)
#define LOWER(name)     NAME(name)
#endif
#if WIDTH == 8
#define INTEGERS(X)       X(u16, uint16_t, x) X(u32, uint32_t, x) X(u64, uint64_t, x)
#define INTEGER_ROWS(ROW) ROW(8, nd_copy_1) ROW(16, NAME(u16)) ROW(32, NAME(u32)) ROW(64, NAME(u64))
#elif WIDTH == 16
#define INTEGERS(X)       CUT(X, u8, uint8_t) X(u32, uint32_t, x) X(u64, uint64_t, x)
#define INTEGER_ROWS(ROW) ROW(8, LOWER(u8)) ROW(16, nd_copy_2) ROW(32, NAME(u32)) ROW(64, NAME(u64))
#elif WIDTH == 32
#define INTEGERS(X) CUT(X, u8, uint8_t) CUT(X, u16, uint16_t) X(u64, uint64_t, x)
#define INTEGER_ROWS(ROW)                                                                          \
  ROW(8, LOWER(u8)) ROW(16, LOWER(u16)) ROW(32, nd_copy_4) ROW(64, NAME(u64))
#else
#define INTEGERS(X) CUT(X, u8, uint8_t) CUT(X, u16, uint16_t) CUT(X, u32, uint32_t)
#define INTEGER_ROWS(ROW)                                                                          \
  ROW(8, LOWER(u8)) ROW(16, LOWER(u16)) ROW(32, LOWER(u32)) ROW(64, nd_copy_8)
#endif
#define TO_FLOAT x
#endif
INTEGERS(LOOP)
#if CLASS != IS_SIGNED
LOOP(truth, uint8_t, x != 0)
#endif
LOOP(f32, float, TO_FLOAT)
LOOP(f64, double, TO_FLOAT)
// A complex number of a real one, by way of its parts' type.
#define TO_COMPLEX(name, parts, P, pair)                                                           \
  static void NAME(name)(char *const *data, const int64_t *strides, int64_t count) {               \
    if (_Generic((T)0, P : true, default : false))                                                 \
      pair(data, strides, count);                                                                  \
    else                                                                                           \
      in_two_steps(NAME(parts), sizeof(P), pair, data, strides, count);                            \
  }
TO_COMPLEX(c64, f32, float, pair_f32)
TO_COMPLEX(c128, f64, double, pair_f64)

#define ROW(width, loop) [DT_I##width] = (loop), [DT_U##width] = (loop),
static NdLoop *const NAME(casts)[DT_COUNT] = {
#if CLASS == IS_TRUTH
    ROW(8, NAME(u8)) ROW(16, NAME(u16)) ROW(32, NAME(u32)) ROW(64, NAME(u64))
#elif CLASS == IS_FLOAT
    ROW(8, NAME(u8)) ROW(16, NAME(u16))
    [DT_I32] = NAME(i32), [DT_U32] = NAME(u32), [DT_I64] = NAME(i64), [DT_U64] = NAME(u64),
    [DT_F16] = NAME(f16), [DT_BF16] = NAME(bf16),
#else
    INTEGER_ROWS(ROW)
#endif
#if CLASS == IS_SIGNED
        [DT_BOOL] = UNSIGNED(truth),
#else
    [DT_BOOL] = NAME(truth),
#endif
    [DT_F32] = NAME(f32), [DT_F64] = NAME(f64), [DT_C64] = NAME(c64), [DT_C128] = NAME(c128)};

#undef ROW
#undef INTEGER_ROWS
#undef TO_COMPLEX
#undef CUT
#undef LOOP
#undef INTEGERS
#undef LOWER
#undef CUT_32
#undef CUT_64
#undef TO_FLOAT
#undef NARROW
#undef T
#undef NAME
#undef UNSIGNED
#undef CLASS
#undef WIDTH
