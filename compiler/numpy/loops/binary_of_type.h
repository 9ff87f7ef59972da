// SPDX-License-Identifier: Apache-2.0
// The loops of two operands of one element type, and their table: included by loops_binary.c for
// each type, with
//   T        the C type of the elements
//   UNSIGNED(x)  of integers with a sign, x with the name of the unsigned type of that width, whose
//            loops are theirs where both wrap
//   NEXT     of floats, the C function of the next one
//   NAME(x)  x with the type's name at its end
//   SIGNED_POWER  of floats: x^y of those x and y for which it needs no care
//   CLASS    IS_SIGNED, IS_UNSIGNED, IS_FLOAT or IS_COMPLEX
//   IS_NARROW of integers, whether they have at most 32 bits
//   OF(x)    of complex types, x with the name of the parts at its end (complex_elements.h)

// OPERATIONS(VECTOR, SCALAR, CLOSE) names each: (enumerator of Ufunc, value of the elements x and
// y). SCALAR ones call a function, loop or divide integers, for which vectors are no gain; elements
// of CLOSE ones are brought close, wherever they lie: a CPU that multiplies and adds at once gives
// the same of all, which is NumPy's.
#if CLASS == IS_FLOAT
#define OPERATIONS(VECTOR, SCALAR, CLOSE)                                                          \
  VECTOR(ADD, x + y)                                                                               \
  VECTOR(SUB, x - y)                                                                               \
  VECTOR(MUL, x *y)                                                                                \
  VECTOR(DIV, x / y)                                                                               \
  VECTOR(MAX, x > y || x != x ? x : y)                                                             \
  VECTOR(MIN, x < y || x != x ? x : y)                                                             \
  SCALAR(REM, fmod(x, y))                                                                          \
  SCALAR(FLOORDIV, float_floor_divide(x, y))                                                       \
  SCALAR(MOD, float_mod(x, y))                                                                     \
  SCALAR(LOGADDEXP, log_add(x, y, 0x1.62e42fefa39efp-1, exp, log1p))                               \
  SCALAR(LOGADDEXP2, log_add(x, y, 1, exp2, log2_of_1p))                                           \
  VECTOR(COPYSIGN, copysign(x, y))                                                                 \
  VECTOR(FMAX, x >= y || y != y ? x : y)                                                           \
  VECTOR(FMIN, x <= y || y != y ? x : y)                                                           \
  SCALAR(NEXTAFTER, NEXT(x, y))
#elif CLASS == IS_COMPLEX
#define OPERATIONS(VECTOR, SCALAR, CLOSE)                                                          \
  VECTOR(ADD, x + y)                                                                               \
  VECTOR(SUB, x - y)                                                                               \
  CLOSE(MUL, OF(times)(x, y))                                                                      \
  VECTOR(DIV, OF(over)(x, y))                                                                      \
  VECTOR(MAX, OF(at_most)(y, x) || OF(is_nan)(x) ? x : y)                                          \
  VECTOR(MIN, OF(at_most)(x, y) || OF(is_nan)(x) ? x : y)                                          \
  VECTOR(FMAX, OF(at_most)(y, x) || OF(is_nan)(y) ? x : y)                                         \
  VECTOR(FMIN, OF(at_most)(x, y) || OF(is_nan)(y) ? x : y)
#elif CLASS == IS_UNSIGNED
#define OPERATIONS(VECTOR, SCALAR, CLOSE)                                                          \
  VECTOR(ADD, x + y)                                                                               \
  VECTOR(SUB, x - y)                                                                               \
  VECTOR(MUL, (uint64_t)x *y)                                                                      \
  VECTOR(AND, x &y)                                                                                \
  VECTOR(OR, x | y)                                                                                \
  VECTOR(XOR, x ^ y)                                                                               \
  VECTOR(SHL, y >= 8 * sizeof(T) ? 0 : (uint64_t)x << y)                                           \
  SCALAR(POW, integer_power(x, y))                                                                 \
  ORDERED(VECTOR)                                                                                  \
  VECTOR(SHR, y >= 8 * sizeof(T) ? 0 : x >> y)                                                     \
  SCALAR(REM, y == 0 ? 0 : x % y)
#define WIDE_DIVISIONS(X) X(MOD, y == 0 ? 0 : x % y) X(FLOORDIV, y == 0 ? 0 : x / y)
#elif CLASS == IS_SIGNED
// The loops of the unsigned type that serve here. A quotient by -1 is the negated dividend, which
// wraps.
#define OPERATIONS(VECTOR, SCALAR, CLOSE)                                                          \
  ORDERED(VECTOR)                                                                                  \
  VECTOR(SHR, x >> ((uint64_t)y >= 8 * sizeof(T) ? (T)(8 * sizeof(T) - 1) : y))                    \
  SCALAR(REM, y == 0 || y == -1 ? 0 : x % y)
#define WRAPPING(X) X(ADD) X(SUB) X(MUL) X(AND) X(OR) X(XOR) X(SHL) X(POW) X(EQ) X(NE)
#define WIDE_DIVISIONS(X)                                                                          \
  X(MOD, y == 0 || y == -1 ? 0 : x % y + ((x % y != 0) & ((x % y < 0) != (y < 0)) ? y : 0))        \
  X(FLOORDIV, y == 0    ? 0                                                                        \
              : y == -1 ? (T)(0 - (uint64_t)x)                                                     \
                        : x / y - ((x % y != 0) & ((x % y < 0) != (y < 0))))
#endif
#define ORDERED(VECTOR) VECTOR(MAX, x > y ? x : y) VECTOR(MIN, x < y ? x : y)

// The same of comparisons, whose results are bool; x > y is y < x.
#define EQUALITIES(VECTOR) VECTOR(EQ, x == y) VECTOR(NE, x != y)
#if CLASS == IS_COMPLEX
#define ORDERS(VECTOR) VECTOR(LT, OF(less)(x, y)) VECTOR(LE, OF(at_most)(x, y))
#else
#define ORDERS(VECTOR) VECTOR(LT, x < y) VECTOR(LE, x <= y)
#endif

// Of any strides, compiled once.
#define EACH(name, R, value)                                                                       \
  ND_ONCE static void NAME(name)(char *const *data, const int64_t *strides, int64_t count) {       \
    const int64_t a = strides[0], b = strides[1], c = strides[2];                                  \
    char *out = data[0], *left = data[1], *right = data[2];                                        \
    for (int64_t i = 0; i < count; i++, out += a, left += b, right += c) {                         \
      T x = *(const ND_ELEMENT(T) *)left, y = *(const ND_ELEMENT(T) *)right;                       \
      *(ND_ELEMENT(R) *)out = (R)(value);                                                          \
    }                                                                                              \
  }
#define LOOP(name, R, value)                                                                       \
  EACH(name##_each, R, value)                                                                      \
  ND_LOOP_OF_TWO(NAME(name), R, T, NAME(name##_each), value)
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
static NdLoop NAME(QUOTIENT), NAME(REMAINDER);
EACH(QUOTIENT_each, T, y == 0 ? 0 : (int64_t)floor((double)x / (double)y))
EACH(REMAINDER_each, T, y == 0 ? 0 : x - (int64_t)floor((double)x / (double)y) * y)
ND_CLONES static void NAME(quotients)(char *const *data, const int64_t *strides, int64_t count,
                                      bool of_remainder) {
  typedef ND_ELEMENT(T) Element;
  const int64_t size = (int64_t)sizeof(T);
  const Element *p = (const Element *)data[1], *q = (const Element *)data[2];
  Element *o = (Element *)data[0];
  if (strides[0] != size || strides[1] != size || (strides[2] != size && strides[2] != 0)) {
    if (count < ND_FEW)
      (of_remainder ? NAME(REMAINDER_each) : NAME(QUOTIENT_each))(data, strides, count);
    else
      nd_in_rows(of_remainder ? NAME(REMAINDER) : NAME(QUOTIENT), 3, size, size, data, strides,
                 count);
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
  ND_LOOP_OF_TWO(NAME(op##_near), T, T, NULL, near)                                                \
  EACH(op##_any, T, any)                                                                           \
  ND_CLONES static bool NAME(op##_fits)(const char *p, const char *q, int64_t count) {             \
    const ND_ELEMENT(T) *left = (const ND_ELEMENT(T) *)p, *right = (const ND_ELEMENT(T) *)q;       \
    int far = 0;                                                                                   \
    for (int64_t i = 0; i < count; i++) {                                                          \
      T x = left[i], y = right[i];                                                                 \
      far |= !(test);                                                                              \
    }                                                                                              \
    return !far;                                                                                   \
  }                                                                                                \
  static void NAME(op)(char *const *data, const int64_t *strides, int64_t count) {                 \
    const int64_t size = (int64_t)sizeof(T);                                                       \
    if (strides[0] != size || strides[1] != size || strides[2] != size) {                          \
      nd_in_rows(NAME(op), 3, size, size, data, strides, count);                                   \
      return;                                                                                      \
    }                                                                                              \
    for (int64_t i = 0, n; i < count; i += n) {                                                    \
      n = count - i < STEPS ? count - i : STEPS;                                                   \
      char *const at[] = {data[0] + i * size, data[1] + i * size, data[2] + i * size};             \
      (NAME(op##_fits)(at[1], at[2], n) ? NAME(op##_near) : NAME(op##_any))(at, strides, n);       \
    }                                                                                              \
  }
LIMITED(WITHIN)
#undef WITHIN
#undef STEPS
#undef LIMITED
#undef IS_PLAIN_POWER
#endif

#define VECTOR(op, value)     LOOP(op, T, value)
#define SCALAR(op, value)     EACH(op, T, value)
#define CLOSE(op, value)      ND_LOOP_OF_TWO(NAME(op), T, T, NULL, value)
#define VECTOR_TEST(op, test) LOOP(op, uint8_t, test)
#define SWAPPED(op, of)                                                                            \
  static void NAME(op)(char *const *data, const int64_t *strides, int64_t count) {                 \
    NAME(of)                                                                                       \
    ((char *const[]){data[0], data[2], data[1]},                                                   \
     (const int64_t[]){strides[0], strides[2], strides[1]}, count);                                \
  }
OPERATIONS(VECTOR, SCALAR, CLOSE)
ORDERS(VECTOR_TEST)
SWAPPED(GT, LT)
SWAPPED(GE, LE)
#if CLASS != IS_SIGNED
EQUALITIES(VECTOR_TEST)
#endif

// By one positive divisor of 64 bits. A dividend x < 0 has the quotient ~(~x / y): all that is
// divided has 63 bits, for which the upper half of a product with 2^(63 + s) / y, rounded up, and
// a shift are exact (Granlund and Montgomery 1994).
#if (CLASS == IS_SIGNED || CLASS == IS_UNSIGNED) && !IS_NARROW
WIDE_DIVISIONS(SCALAR)
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
ND_LOOP_OF_ONE(NAME(ROOT), T, T, NULL, sqrt(x))
static void NAME(POW)(char *const *data, const int64_t *strides, int64_t count) {
  T power = *(const ND_ELEMENT(T) *)data[2];
  const int64_t twice[] = {strides[0], strides[1], strides[1]};
  if (strides[2] == 0 && power == 2)
    NAME(MUL)((char *const[]){data[0], data[1], data[1]}, twice, count);
  else if (strides[2] == 0 && power == (T)0.5)
    NAME(ROOT)(data, strides, count);
  else
    NAME(POW_OF)(data, strides, count);
}
#endif

#if CLASS == IS_COMPLEX
EACH(POW_OF, T, OF(power)(x, y))
// Of zeros the sign is lost, as in OF(power).
ND_LOOP_OF_ONE(NAME(SQUARE), T, T, NULL, x == 0 ? OF(make)(0, 0) : OF(times)(x, x))
static void NAME(POW)(char *const *data, const int64_t *strides, int64_t count) {
  const ND_ELEMENT(T) *power = (const ND_ELEMENT(T) *)data[2];
  (strides[2] == 0 && *power == 2 ? NAME(SQUARE) : NAME(POW_OF))(data, strides, count);
}
#endif

#define ROW(op, value)   [UFUNC_##op] = NAME(op),
#define UNSIGNED_ROW(op) [UFUNC_##op] = UNSIGNED(op),
static NdLoop *const NAME(loops)[UFUNC_COUNT] = {
#if CLASS == IS_SIGNED || CLASS == IS_UNSIGNED
    [UFUNC_FLOORDIV] = NAME(QUOTIENT),
    [UFUNC_MOD] = NAME(REMAINDER),
    [UFUNC_FMAX] = NAME(MAX),
    [UFUNC_FMIN] = NAME(MIN),
#elif CLASS == IS_FLOAT
    [UFUNC_POW] = NAME(POW),
    [UFUNC_HYPOT] = NAME(HYPOT),
    [UFUNC_ATAN2] = NAME(ATAN2),
#elif CLASS == IS_COMPLEX
    [UFUNC_POW] = NAME(POW),
#endif
#if CLASS == IS_SIGNED
    WRAPPING(UNSIGNED_ROW)
#else
    EQUALITIES(ROW)
#endif
        OPERATIONS(ROW, ROW, ROW) ORDERS(ROW)[UFUNC_GT] = NAME(GT),
    [UFUNC_GE] = NAME(GE)};

#undef ROW
#undef UNSIGNED_ROW
#undef VECTOR
#undef SCALAR
#undef CLOSE
#undef VECTOR_TEST
#undef SWAPPED
#undef EACH
#undef LOOP
#undef ORDERED
#undef EQUALITIES
#undef ORDERS
#undef WRAPPING
#undef WIDE_DIVISIONS
#undef OPERATIONS
#undef T
#undef UNSIGNED
#undef NAME
#undef CLASS
#undef NEXT
#undef IS_NARROW
#undef OF
