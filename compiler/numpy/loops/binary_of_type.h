// SPDX-License-Identifier: Apache-2.0
// The loops of two operands of one element type, and their table: included by loops_binary.c for
// each type, with
//   T        the C type of the elements
//   BITS     the unsigned type of its width, in which integers wrap
//   NEXT     of floats, the C function of the next one
//   NAME(x)  x with the type's name at its end
//   SIGNED_POWER  of floats: x^y of those x and y for which it needs no care
//   CLASS    IS_SIGNED, IS_UNSIGNED, IS_FLOAT, IS_BOOL or IS_COMPLEX
//   IS_NARROW of integers, whether they have at most 32 bits
//   OF(x)    of complex types, x with the name of the parts at its end (complex_elements.h)

// OPERATIONS(X) names each: X(enumerator of Ufunc, value of the elements x and y).
#if CLASS == IS_FLOAT
#define OPERATIONS(X)                                                                              \
  X(ADD, x + y)                                                                                    \
  X(SUB, x - y)                                                                                    \
  X(MUL, x *y)                                                                                     \
  X(DIV, x / y)                                                                                    \
  X(MAX, x >= y || x != x ? x : y)                                                                 \
  X(MIN, x <= y || x != x ? x : y)                                                                 \
  X(REM, fmod(x, y))                                                                               \
  X(FLOORDIV, float_floor_divide(x, y))                                                            \
  X(MOD, float_mod(x, y))                                                                          \
  X(LOGADDEXP, log_add(x, y, 0x1.62e42fefa39efp-1, exp, log1p))                                    \
  X(LOGADDEXP2, log_add(x, y, 1, exp2, log2_of_1p))                                                \
  X(COPYSIGN, copysign(x, y))                                                                      \
  X(FMAX, x >= y || y != y ? x : y)                                                                \
  X(FMIN, x <= y || y != y ? x : y)                                                                \
  X(NEXTAFTER, NEXT(x, y))
#elif CLASS == IS_COMPLEX
#define OPERATIONS(X)                                                                              \
  X(ADD, x + y)                                                                                    \
  X(SUB, x - y)                                                                                    \
  X(MUL, OF(times)(x, y))                                                                          \
  X(DIV, OF(over)(x, y))                                                                           \
  X(MAX, OF(at_most)(y, x) || OF(is_nan)(x) ? x : y)                                               \
  X(MIN, OF(at_most)(x, y) || OF(is_nan)(x) ? x : y)                                               \
  X(FMAX, OF(at_most)(y, x) || OF(is_nan)(y) ? x : y)                                              \
  X(FMIN, OF(at_most)(x, y) || OF(is_nan)(y) ? x : y)
#elif CLASS == IS_BOOL
#define OPERATIONS(X)                                                                              \
  X(ADD, x | y)                                                                                    \
  X(MUL, x &y)                                                                                     \
  X(MAX, x | y) X(MIN, x &y) X(FMAX, x | y) X(FMIN, x &y) X(AND, x &y) X(OR, x | y) X(XOR, x ^ y)
#else
#define WRAPPING(X)                                                                                \
  X(ADD, (BITS)x + (BITS)y)                                                                        \
  X(SUB, (BITS)x - (BITS)y)                                                                        \
  X(MUL, (uint64_t)(BITS)x *(BITS)y)                                                               \
  X(MAX, x > y ? x : y)                                                                            \
  X(MIN, x < y ? x : y)                                                                            \
  X(FMAX, x > y ? x : y)                                                                           \
  X(FMIN, x < y ? x : y)                                                                           \
  X(AND, x &y)                                                                                     \
  X(OR, x | y)                                                                                     \
  X(XOR, x ^ y)                                                                                    \
  X(SHL, (uint64_t)y >= 8 * sizeof(T) ? 0 : (uint64_t)(BITS)x << y)                                \
  X(POW, integer_power((uint64_t)x, (uint64_t)y))
#if CLASS == IS_SIGNED
// A quotient by -1 is the negated dividend, which wraps.
#define OPERATIONS(X)                                                                              \
  WRAPPING(X)                                                                                      \
  X(SHR, x >> ((uint64_t)y >= 8 * sizeof(T) ? (T)(8 * sizeof(T) - 1) : y))                         \
  X(REM, y == 0 || y == -1 ? 0 : x % y)
#define WIDE_DIVISIONS(X)                                                                          \
  X(MOD, y == 0 || y == -1 ? 0 : x % y + ((x % y != 0) & ((x % y < 0) != (y < 0)) ? y : 0))        \
  X(FLOORDIV, y == 0    ? 0                                                                        \
              : y == -1 ? (T)((BITS)0 - (BITS)x)                                                   \
                        : x / y - ((x % y != 0) & ((x % y < 0) != (y < 0))))
#else
#define OPERATIONS(X)                                                                              \
  WRAPPING(X)                                                                                      \
  X(SHR, (uint64_t)y >= 8 * sizeof(T) ? 0 : x >> y)                                                \
  X(REM, y == 0 ? 0 : x % y)
#define WIDE_DIVISIONS(X) X(MOD, y == 0 ? 0 : x % y) X(FLOORDIV, y == 0 ? 0 : x / y)
#endif
#endif
#if CLASS == IS_COMPLEX
#define COMPARISONS(X)                                                                             \
  X(EQ, x == y)                                                                                    \
  X(NE, x != y)                                                                                    \
  X(LT, OF(less)(x, y)) X(LE, OF(at_most)(x, y)) X(GT, OF(less)(y, x)) X(GE, OF(at_most)(y, x))
#else
#define COMPARISONS(X)                                                                             \
  X(EQ, x == y) X(NE, x != y) X(LT, x < y) X(LE, x <= y) X(GT, x > y) X(GE, x >= y)
#endif

// For operands that lie close, for one that is a single element, and for any strides.
#define LOOP(name, R, value)                                                                       \
  ND_CLONES static void name(char *const *data, const int64_t *strides, int64_t count) {           \
    typedef ND_ELEMENT(T) In;                                                                      \
    typedef ND_ELEMENT(R) Out;                                                                     \
    const In *p = (const In *)data[1], *q = (const In *)data[2];                                   \
    Out *o = (Out *)data[0];                                                                       \
    const int64_t size = (int64_t)sizeof(T);                                                       \
    bool close = strides[0] == (int64_t)sizeof(R);                                                 \
    if (close && strides[1] == size && strides[2] == size) {                                       \
      _Pragma("GCC ivdep") for (int64_t i = 0; i < count; i++) {                                   \
        T x = p[i], y = q[i];                                                                      \
        o[i] = (R)(value);                                                                         \
      }                                                                                            \
    } else if (close && strides[1] == size && strides[2] == 0) {                                   \
      T y = *q;                                                                                    \
      _Pragma("GCC ivdep") for (int64_t i = 0; i < count; i++) {                                   \
        T x = p[i];                                                                                \
        o[i] = (R)(value);                                                                         \
      }                                                                                            \
    } else if (close && strides[1] == 0 && strides[2] == size) {                                   \
      T x = *p;                                                                                    \
      _Pragma("GCC ivdep") for (int64_t i = 0; i < count; i++) {                                   \
        T y = q[i];                                                                                \
        o[i] = (R)(value);                                                                         \
      }                                                                                            \
    } else {                                                                                       \
      const int64_t a = strides[0], b = strides[1], c = strides[2];                                \
      char *out = data[0], *left = data[1], *right = data[2];                                      \
      _Pragma("GCC unroll 4") for (int64_t i = 0; i < count;                                       \
                                   i++, out += a, left += b, right += c) {                         \
        T x = *(const In *)left, y = *(const In *)right;                                           \
        *(Out *)out = (R)(value);                                                                  \
      }                                                                                            \
    }                                                                                              \
  }

// Quotients of integers of at most 32 bits by way of double, which is exact for them: the CPU has
// no vectors of integer divisions, and a scalar one takes as long as many.
#if (CLASS == IS_SIGNED || CLASS == IS_UNSIGNED) && IS_NARROW
// By one positive divisor: a dividend x < 0 has the quotient ~(~x / y), so that all that is divided
// has a bit less than HALF, for which the upper half of a product with 2^(width + s) / y, rounded
// up, and a shift are exact (Granlund and Montgomery 1994).
#define HALF  NAME(half_type)
#define WHOLE NAME(whole_type)
typedef __typeof__(__builtin_choose_expr(sizeof(T) + ((T)-1 > 0) < 3, (uint16_t)0,
                                         (uint32_t)0)) HALF;
typedef __typeof__(__builtin_choose_expr(sizeof(HALF) == 2, (uint32_t)0, (uint64_t)0)) WHOLE;
ND_CLONES static void NAME(by_product)(char *to, const char *from, int64_t count, T divisor,
                                       bool of_remainder) {
  ND_ELEMENT(T) *o = (ND_ELEMENT(T) *)to;
  const ND_ELEMENT(T) *p = (const ND_ELEMENT(T) *)from;
  const int width = 8 * (int)sizeof(HALF), power = 63 - __builtin_clzll((uint64_t)divisor);
  const bool is_power = (divisor & (divisor - 1)) == 0;
  const HALF factor = (HALF)((((uint64_t)1 << (width + power)) / (uint64_t)divisor) + 1);
  if (is_power && of_remainder) {
    _Pragma("GCC ivdep") for (int64_t i = 0; i < count; i++) o[i] = (T)(p[i] & (divisor - 1));
  } else if (is_power) {
    _Pragma("GCC ivdep") for (int64_t i = 0; i < count; i++) o[i] = (T)(p[i] >> power);
  } else {
    _Pragma("GCC ivdep") for (int64_t i = 0; i < count; i++) {
      HALF sign = (HALF)(CLASS == IS_SIGNED ? (int32_t)p[i] >> 31 : 0),
           x = (HALF)((HALF)p[i] ^ sign);
      HALF n = (HALF)((HALF)((HALF)((WHOLE)x * factor >> width) >> power) ^ sign);
      o[i] = (T)(of_remainder ? (HALF)((HALF)p[i] - (HALF)(n * (HALF)divisor)) : n);
    }
  }
}
#undef WHOLE
#define WIDER NAME(quotient_type)
typedef __typeof__(__builtin_choose_expr((T)-1 > 0 && sizeof(T) == 4, (int64_t)0, 0)) WIDER;
ND_CLONES static void NAME(quotients)(char *const *data, const int64_t *strides, int64_t count,
                                      bool of_remainder) {
  typedef ND_ELEMENT(T) Element;
  const int64_t size = (int64_t)sizeof(T);
  const Element *p = (const Element *)data[1], *q = (const Element *)data[2];
  Element *o = (Element *)data[0];
  if (strides[0] != size || strides[1] != size || (strides[2] != size && strides[2] != 0)) {
    for (int64_t i = 0; i < count; i++) {
      T x = *(const Element *)(data[1] + i * strides[1]),
        y = *(const Element *)(data[2] + i * strides[2]);
      int64_t n = y == 0 ? 0 : (int64_t)floor((double)x / (double)y);
      *(Element *)(data[0] + i * strides[0]) = (T)(of_remainder ? y == 0 ? 0 : x - n * y : n);
    }
  } else if (strides[2] == size) {
    _Pragma("GCC ivdep") for (int64_t i = 0; i < count; i++) {
      T x = p[i], y = q[i];
      int64_t n = (int64_t)floor((double)x / (double)(y == 0 ? 1 : y));
      o[i] = (T)(y == 0 ? 0 : of_remainder ? x - n * y : n);
    }
  } else if (*q == 0) {
    for (int64_t i = 0; i < count; i++) o[i] = 0;
  } else if (sizeof(T) < sizeof(HALF) + (CLASS == IS_SIGNED) && *q > 0) {
    NAME(by_product)(data[0], data[1], count, *q, of_remainder);
  } else { // half a step from each multiple, which is more than what the product is off
    const double divisor = (double)*q, sign = divisor < 0 ? -1 : 1, reciprocal = sign / divisor,
                 half = 0.5 * reciprocal, scale = sign * reciprocal;
    _Pragma("GCC ivdep") for (int64_t i = 0; i < count; i++) {
      double x = (double)p[i], n = floor(x * scale + half);
      n = of_remainder ? x - n * divisor : n;
      o[i] = (T)(WIDER)(CLASS == IS_SIGNED && n > INT32_MAX ? INT32_MIN : n); // of the least by -1
    }
  }
}
#undef WIDER
#undef HALF
static void NAME(QUOTIENT)(char *const *data, const int64_t *strides, int64_t count) {
  NAME(quotients)(data, strides, count, false);
}
static void NAME(REMAINDER)(char *const *data, const int64_t *strides, int64_t count) {
  NAME(quotients)(data, strides, count, true);
}
#endif

// LIMITED(X) names operations whose rows are often of numbers that need no care:
// X(enumerator, test of x and y, value of those that pass, value of any).
#if CLASS == IS_FLOAT
#define IS_PLAIN_POWER(x, y)                                                                       \
  (fabs(x) >= 0x1p-1000 && fabs(x) <= 0x1p1000 && fabs(y) <= 0x1p60 && (x > 0 || y == rint(y)))
#define LIMITED(X)                                                                                 \
  X(POW_OF, IS_PLAIN_POWER((double)x, (double)y), SIGNED_POWER(x, y), pow(x, y))                   \
  X(ATAN2,                                                                                         \
    fabs((double)x) <= 0x1p500 && fabs((double)y) <= 0x1p500 &&                                    \
        fabs((double)x) + fabs((double)y) >= 0x1p-500,                                             \
    lane_atan2(x, y), atan2(x, y))                                                                 \
  X(HYPOT,                                                                                         \
    fabs((double)x) <= 0x1p500 && fabs((double)y) <= 0x1p500 &&                                    \
        (double)x * x + (double)y * y >= 0x1p-900,                                                 \
    sqrt((double)x * x + (double)y * y), hypot(x, y))
#define STEPS 512
#define WITHIN(op, test, near, any)                                                                \
  LOOP(NAME(op##_near), T, near)                                                                   \
  LOOP(NAME(op##_any), T, any)                                                                     \
  ND_CLONES static bool NAME(op##_fits)(const char *p, const char *q, const int64_t *strides,      \
                                        int64_t count) {                                           \
    const int64_t size = (int64_t)sizeof(T), a = strides[1], b = strides[2];                       \
    const ND_ELEMENT(T) *left = (const ND_ELEMENT(T) *)p, *right = (const ND_ELEMENT(T) *)q;       \
    int far = 0;                                                                                   \
    if (a == size && (b == size || b == 0)) {                                                      \
      for (int64_t i = 0; i < count; i++) {                                                        \
        T x = left[i], y = b ? right[i] : *right;                                                  \
        far |= !(test);                                                                            \
      }                                                                                            \
      return !far;                                                                                 \
    }                                                                                              \
    for (int64_t i = 0; i < count; i++) {                                                          \
      T x = *(const ND_ELEMENT(T) *)(p + i * strides[1]),                                          \
        y = *(const ND_ELEMENT(T) *)(q + i * strides[2]);                                          \
      far |= !(test);                                                                              \
    }                                                                                              \
    return !far;                                                                                   \
  }                                                                                                \
  static void NAME(op)(char *const *data, const int64_t *strides, int64_t count) {                 \
    for (int64_t i = 0, n; i < count; i += n) {                                                    \
      n = count - i < STEPS ? count - i : STEPS;                                                   \
      char *const at[] = {data[0] + i * strides[0], data[1] + i * strides[1],                      \
                          data[2] + i * strides[2]};                                               \
      (NAME(op##_fits)(at[1], at[2], strides, n) ? NAME(op##_near) : NAME(op##_any))(at, strides,  \
                                                                                     n);           \
    }                                                                                              \
  }
LIMITED(WITHIN)
#undef WITHIN
#undef STEPS
#undef LIMITED
#undef IS_PLAIN_POWER
#endif

#define COMPUTE(op, value) LOOP(NAME(op), T, value)
#define COMPARE(op, value) LOOP(NAME(op), uint8_t, value)
OPERATIONS(COMPUTE)
COMPARISONS(COMPARE)

// By one positive divisor of 64 bits. A dividend x < 0 has the quotient ~(~x / y): all that is
// divided has 63 bits, for which the upper half of a product with 2^(63 + s) / y, rounded up, and
// a shift are exact (Granlund and Montgomery 1994).
#if (CLASS == IS_SIGNED || CLASS == IS_UNSIGNED) && !IS_NARROW
WIDE_DIVISIONS(COMPUTE)
ND_CLONES static void NAME(by_power)(T *o, const T *p, int64_t count, T divisor,
                                     bool of_remainder) {
  int shift = __builtin_ctzll((unsigned long long)divisor);
  if (of_remainder)
    for (int64_t i = 0; i < count; i++) o[i] = p[i] & (divisor - 1);
  else
    for (int64_t i = 0; i < count; i++) o[i] = p[i] >> shift;
}
#if CLASS == IS_SIGNED
static void NAME(by_product)(T *o, const T *p, int64_t count, T divisor, bool of_remainder) {
  int shift = 63 - __builtin_clzll((unsigned long long)divisor); // s - 1
  uint64_t factor = (uint64_t)(((unsigned __int128)1 << (64 + shift)) / (uint64_t)divisor) + 1;
  for (int64_t i = 0; i < count; i++) {
    uint64_t sign = (uint64_t)(p[i] >> 63), x = (uint64_t)p[i] ^ sign;
    uint64_t n = ((uint64_t)((unsigned __int128)x * factor >> 64) >> shift) ^ sign;
    o[i] = (T)(of_remainder ? (uint64_t)p[i] - n * (uint64_t)divisor : n);
  }
}
#else // of 64 bits, by a factor of 65, whose highest bit is added afterwards
static void NAME(by_product)(T *o, const T *p, int64_t count, T divisor, bool of_remainder) {
  int shift = 63 - __builtin_clzll(divisor);
  unsigned __int128 rest = ((unsigned __int128)2 << shift) - divisor;
  uint64_t factor = (uint64_t)((rest << 64) / divisor) + 1;
  for (int64_t i = 0; i < count; i++) {
    uint64_t x = p[i], high = (uint64_t)((unsigned __int128)x * factor >> 64);
    uint64_t n = (high + ((x - high) >> 1)) >> shift;
    o[i] = of_remainder ? x - n * divisor : n;
  }
}
#endif
static void NAME(divide)(char *const *data, const int64_t *strides, int64_t count,
                         bool of_remainder) {
  const int64_t size = (int64_t)sizeof(T);
  T divisor = *(const ND_ELEMENT(T) *)data[2], *o = (T *)data[0];
  const T *p = (const T *)data[1];
  bool is_row = strides[0] == size && strides[1] == size && strides[2] == 0 && divisor > 0 &&
                ((uintptr_t)o | (uintptr_t)p) % sizeof(T) == 0;
  if (is_row && (divisor & (divisor - 1)) == 0)
    NAME(by_power)(o, p, count, divisor, of_remainder);
  else if (is_row)
    NAME(by_product)(o, p, count, divisor, of_remainder);
  else
    (of_remainder ? NAME(MOD) : NAME(FLOORDIV))(data, strides, count);
}
static void NAME(QUOTIENT)(char *const *data, const int64_t *strides, int64_t count) {
  NAME(divide)(data, strides, count, false);
}
static void NAME(REMAINDER)(char *const *data, const int64_t *strides, int64_t count) {
  NAME(divide)(data, strides, count, true);
}
#endif

// Squares are products, and powers of one half are roots, of -0 and -inf, too.
#if CLASS == IS_FLOAT
LOOP(NAME(ROOT), T, ((void)y, sqrt(x)))
static void NAME(POW)(char *const *data, const int64_t *strides, int64_t count) {
  T power = *(const ND_ELEMENT(T) *)data[2];
  const int64_t twice[] = {strides[0], strides[1], strides[1]};
  if (strides[2] == 0 && power == 2)
    NAME(MUL)((char *const[]){data[0], data[1], data[1]}, twice, count);
  else
    (strides[2] == 0 && power == (T)0.5 ? NAME(ROOT) : NAME(POW_OF))(data, strides, count);
}
#endif

#if CLASS == IS_COMPLEX
LOOP(NAME(POW_OF), T, OF(power)(x, y))
// Of zeros the sign is lost, as in OF(power).
LOOP(NAME(SQUARE), T, ((void)y, x == 0 ? OF(make)(0, 0) : OF(times)(x, x)))
static void NAME(POW)(char *const *data, const int64_t *strides, int64_t count) {
  const ND_ELEMENT(T) *power = (const ND_ELEMENT(T) *)data[2];
  (strides[2] == 0 && *power == 2 ? NAME(SQUARE) : NAME(POW_OF))(data, strides, count);
}
#endif

#define ROW(op, value) [UFUNC_##op] = NAME(op),
static NdLoop *const NAME(loops)[UFUNC_COUNT] = {
#if CLASS == IS_SIGNED || CLASS == IS_UNSIGNED
    [UFUNC_FLOORDIV] = NAME(QUOTIENT),
    [UFUNC_MOD] = NAME(REMAINDER),
#elif CLASS == IS_FLOAT
    [UFUNC_POW] = NAME(POW),
    [UFUNC_HYPOT] = NAME(HYPOT),
    [UFUNC_ATAN2] = NAME(ATAN2),
#elif CLASS == IS_COMPLEX
    [UFUNC_POW] = NAME(POW),
#endif
    OPERATIONS(ROW) COMPARISONS(ROW)};

#undef ROW
#undef COMPUTE
#undef COMPARE
#undef LOOP
#undef COMPARISONS
#undef WRAPPING
#undef WIDE_DIVISIONS
#undef OPERATIONS
#undef T
#undef BITS
#undef NAME
#undef CLASS
#undef NEXT
#undef IS_NARROW
#undef OF
