// SPDX-License-Identifier: Apache-2.0
// The reductions of one element type, and their tables: included by loops_reduce.c for each type,
// with
//   T        the C type of the elements
//   DTYPE    it as a DType
//   NAME(x)  x with the type's name at its end
//   IS_FLOAT whether they are floats, or complex numbers
//   UNSIGNED(x)  of integers with a sign, x with the name of the unsigned type of that width, whose
//            reductions are theirs where both wrap
//   OF(x)    of complex types, x with the name of the parts at its end (complex_elements.h)

#ifdef OF
#define GREATER(x, y) (OF(at_most)((y), (x)) || OF(is_nan)(x) ? (x) : (y))
#define LESS(x, y)    (OF(at_most)((x), (y)) || OF(is_nan)(x) ? (x) : (y))
#define ADDED(x, y)   ((x) + (y))
#define TIMES(x, y)   OF(times)((x), (y))
#define IS_SELF(x)    (!OF(is_nan)(x))
#elif IS_FLOAT
#define IS_SELF(x)    ((x) == (x))
#define GREATER(x, y) ((x) > (y) || (x) != (x) ? (x) : (y))
#define LESS(x, y)    ((x) < (y) || (x) != (x) ? (x) : (y))
#define ADDED(x, y)   ((x) + (y))
#define TIMES(x, y)   ((x) * (y))
#else
#define IS_SELF(x)    true
#define GREATER(x, y) ((x) > (y) ? (x) : (y))
#define LESS(x, y)    ((x) < (y) ? (x) : (y))
#define ADDED(x, y)   ((T)((uint64_t)(x) + (uint64_t)(y)))
#define TIMES(x, y)   ((T)((uint64_t)(x) * (uint64_t)(y)))
#endif
#define BOTH(x, y)   ((x) & (y))
#define EITHER(x, y) ((x) | (y))
#define AT(i)        (*(const ND_ELEMENT(T) *)(p + (i)*stride))

#define EACH(name, op)                                                                             \
  ND_ONCE static T NAME(name##_each)(T all, const char *p, int64_t stride, int64_t count) {        \
    for (int64_t i = 0; i < count; i++) all = op(all, AT(i));                                      \
    return all;                                                                                    \
  }
// In LANES columns side by side, which meet at the end, the last FEW of them one by one: for
// operations whose order does not show.
#define FOLD(name, op)                                                                             \
  EACH(name, op)                                                                                   \
  FOLDS static T NAME(name##_of)(const char *p, int64_t stride, int64_t count) {                   \
    const int64_t size = (int64_t)sizeof(T);                                                       \
    if (stride != size || count < (int64_t)LANES)                                                  \
      return NAME(name##_each)(AT(0), p + stride, stride, count - 1);                              \
    const ND_ELEMENT(T) *q = (const ND_ELEMENT(T) *)p;                                             \
    T lane[LANES];                                                                                 \
    int64_t i = (int64_t)LANES;                                                                    \
    for (int k = 0; k < (int)LANES; k++) lane[k] = q[k];                                           \
    for (; i + (int64_t)LANES <= count; i += (int64_t)LANES)                                       \
      for (int k = 0; k < (int)LANES; k++) lane[k] = op(lane[k], q[i + k]);                        \
    _Pragma("GCC unroll 8") for (int half = (int)LANES / 2; half >= (int)FEW;                      \
                                 half /= 2) for (int k = 0; k < half; k++) lane[k] =               \
        op(lane[k], lane[k + half]);                                                               \
    T all = NAME(name##_each)(lane[0], (const char *)&lane[1], size, (int64_t)FEW - 1);            \
    return NAME(name##_each)(all, p + i * size, size, count - i);                                  \
  }
// Comparisons of complex numbers are no vectors, and show which of two equal ones comes first.
#ifdef OF
#define FOLDS ND_ONCE
#define FEW   1
#else
#define FOLDS ND_CLONES
#define FEW   (16 / sizeof(T))
#endif

#if IS_FLOAT
// NumPy's order of additions: eight sums side by side in blocks of at most 128, halves above that;
// of complex numbers half as many.
#ifdef OF
#define SUMS 4
#else
#define SUMS 8
#endif
static T NAME(sum_of)(const char *p, int64_t stride, int64_t count) {
  if (count < SUMS) {
    T sum = 0;
    for (int64_t i = 0; i < count; i++) sum += AT(i);
    return sum;
  }
  if (count > 16 * SUMS) {
    int64_t half = count / 2 / SUMS * SUMS;
    return NAME(sum_of)(p, stride, half) + NAME(sum_of)(p + half * stride, stride, count - half);
  }
  T s[SUMS];
  int64_t i = SUMS;
  if (stride == (int64_t)sizeof(T)) {
    const ND_ELEMENT(T) *q = (const ND_ELEMENT(T) *)p;
    for (int k = 0; k < SUMS; k++) s[k] = q[k];
    for (; i + SUMS <= count; i += SUMS)
      for (int k = 0; k < SUMS; k++) s[k] += q[i + k];
  } else {
    for (int k = 0; k < SUMS; k++) s[k] = AT(k);
    for (; i + SUMS <= count; i += SUMS)
      for (int k = 0; k < SUMS; k++) s[k] += AT(i + k);
  }
  T sum = (s[0] + s[1]) + (s[2] + s[3]);
#ifndef OF
  sum += (s[4] + s[5]) + (s[6] + s[7]);
#endif
  for (; i < count; i++) sum += AT(i);
  return sum;
}
// One product after the other onto what is there.
static T NAME(product_onto)(T all, const char *p, int64_t stride, int64_t count) {
  for (int64_t i = 0; i < count; i++) all = TIMES(all, AT(i));
  return all;
}
#define PRODUCT_ONTO(all, p, stride, count) NAME(product_onto)(all, p, stride, count)
#else
#ifndef UNSIGNED
FOLD(sum, ADDED)
FOLD(product, TIMES)
#define PRODUCT_ONTO(all, p, stride, count) TIMES(all, NAME(product_of)(p, stride, count))
FOLD(and, BOTH)
FOLD(or, EITHER)
#endif
#endif
#if IS_FLOAT && !defined(OF)
// The CPU's own maximum and minimum leave a NaN out: whether there is one is asked beside them.
#define EXTREME(name, op, wins)                                                                    \
  EACH(name, op)                                                                                   \
  ND_CLONES static T NAME(name##_of)(const char *p, int64_t stride, int64_t count) {               \
    const int64_t size = (int64_t)sizeof(T);                                                       \
    T all = AT(0);                                                                                 \
    if (stride != size || count < (int64_t)LANES)                                                  \
      return NAME(name##_each)(all, p + stride, stride, count - 1);                                \
    const ND_ELEMENT(T) *q = (const ND_ELEMENT(T) *)p;                                             \
    T lane[LANES], nan[LANES] = {0};                                                               \
    int64_t i = 0;                                                                                 \
    for (int k = 0; k < (int)LANES; k++) lane[k] = q[k];                                           \
    for (; i + (int64_t)LANES <= count; i += (int64_t)LANES)                                       \
      for (int k = 0; k < (int)LANES; k++) {                                                       \
        T x = q[i + k];                                                                            \
        lane[k] = lane[k] wins x ? lane[k] : x;                                                    \
        nan[k] = x == x ? nan[k] : x;                                                              \
      }                                                                                            \
    int has_nan = 0;                                                                               \
    for (int k = 0; k < (int)LANES; k++) has_nan |= nan[k] != nan[k];                              \
    _Pragma("GCC unroll 8") for (int half = (int)LANES / 2; half;                                  \
                                 half /= 2) for (int k = 0; k < half; k++) lane[k] =               \
        lane[k] wins lane[k + half] ? lane[k] : lane[k + half];                                    \
    all = op(all, lane[0]);                                                                        \
    for (int k = 0; has_nan && k < (int)LANES; k++)                                                \
      all = op(all, nan[k] == nan[k] ? all : nan[k]);                                              \
    return NAME(name##_each)(all, p + i * size, size, count - i);                                  \
  }
EXTREME(max, GREATER, >)
EXTREME(min, LESS, <)
#undef EXTREME
#else
FOLD(max, GREATER)
FOLD(min, LESS)
#endif

// Where the result stays, its elements are folded; else they go into one result each, as a loop of
// two operands has it.
#define REDUCE(name, code, onto)                                                                   \
  static void NAME(name)(char *const *data, const int64_t *strides, int64_t count) {               \
    ND_ELEMENT(T) *to = (ND_ELEMENT(T) *)data[0];                                                  \
    if (strides[0] == 0)                                                                           \
      *to = onto(*to, data[1], strides[1], count);                                                 \
    else                                                                                           \
      nd_binary_loop(code, DTYPE)((char *const[]){data[0], data[0], data[1]},                      \
                                  (const int64_t[]){strides[0], strides[0], strides[1]}, count);   \
  }
#define SUM_ONTO(all, p, stride, count) ADDED(all, NAME(sum_of)(p, stride, count))
#define MAX_ONTO(all, p, stride, count) NAME(max_of_two)(all, NAME(max_of)(p, stride, count))
#define MIN_ONTO(all, p, stride, count) NAME(min_of_two)(all, NAME(min_of)(p, stride, count))
#define AND_ONTO(all, p, stride, count) BOTH(all, NAME(and_of)(p, stride, count))
#define OR_ONTO(all, p, stride, count)  EITHER(all, NAME(or_of)(p, stride, count))
static inline T NAME(max_of_two)(T x, T y) { return GREATER(x, y); }
static inline T NAME(min_of_two)(T x, T y) { return LESS(x, y); }
#ifndef UNSIGNED
REDUCE(sum, UFUNC_ADD, SUM_ONTO)
REDUCE(product, UFUNC_MUL, PRODUCT_ONTO)
#endif
REDUCE(max, UFUNC_MAX, MAX_ONTO)
REDUCE(min, UFUNC_MIN, MIN_ONTO)
#if !IS_FLOAT && !defined(UNSIGNED)
REDUCE(and, UFUNC_AND, AND_ONTO)
REDUCE(or, UFUNC_OR, OR_ONTO)
#endif

// The block that has it, and then its place there.
#define PICK(name, fold, op)                                                                       \
  FOLDS static int64_t NAME(name)(const char *p, int64_t stride, int64_t count) {                  \
    T best = AT(0);                                                                                \
    int64_t block = 0;                                                                             \
    for (int64_t i = 0; i < count; i += BLOCK) {                                                   \
      T other = NAME(fold)(p + i * stride, stride, count - i < BLOCK ? count - i : BLOCK);         \
      T both = op(best, other);                                                                    \
      if (both == best || !IS_SELF(best)) continue;                                                \
      best = both;                                                                                 \
      block = i;                                                                                   \
    }                                                                                              \
    for (; stride == (int64_t)sizeof(T) && IS_SELF(best) && block + (int64_t)LANES <= count;       \
         block += (int64_t)LANES) {                                                                \
      const ND_ELEMENT(T) *q = (const ND_ELEMENT(T) *)p + block;                                   \
      int first = LANES;                                                                           \
      for (int k = 0; k < (int)LANES; k++) {                                                       \
        int place = q[k] == best ? k : (int)LANES;                                                 \
        first = place < first ? place : first;                                                     \
      }                                                                                            \
      if (first < (int)LANES) return block + first;                                                \
    }                                                                                              \
    for (int64_t i = block; i < count; i++)                                                        \
      if (AT(i) == best || (!IS_SELF(best) && !IS_SELF(AT(i)))) return i;                          \
    return 0;                                                                                      \
  }
PICK(argmax, max_of, GREATER)
PICK(argmin, min_of, LESS)

// A few are read before the results are stored: the CPU would take elements whose addresses end as
// those of the results do for the results.
#define SCAN(name, op)                                                                             \
  static void NAME(name)(char *const *data, const int64_t *strides, int64_t count) {               \
    const int64_t step = strides[0], stride = strides[1];                                          \
    const char *p = data[1];                                                                       \
    char *to = data[0];                                                                            \
    T all = AT(0), row[SCAN_ROW];                                                                  \
    *(ND_ELEMENT(T) *)to = all;                                                                    \
    int64_t i = 1;                                                                                 \
    if (step == (int64_t)sizeof(T) && stride == (int64_t)sizeof(T)) {                              \
      const ND_ELEMENT(T) *q = (const ND_ELEMENT(T) *)p;                                           \
      ND_ELEMENT(T) *o = (ND_ELEMENT(T) *)to;                                                      \
      for (; i + SCAN_ROW <= count; i += SCAN_ROW) {                                               \
        memcpy(row, q + i, sizeof row);                                                            \
        _Pragma("GCC unroll 8") for (int k = 0; k < SCAN_ROW; k++) o[i + k] = all =                \
            op(all, row[k]);                                                                       \
      }                                                                                            \
    }                                                                                              \
    for (; i + SCAN_ROW <= count; i += SCAN_ROW) {                                                 \
      for (int k = 0; k < SCAN_ROW; k++) row[k] = AT(i + k);                                       \
      for (int k = 0; k < SCAN_ROW; k++)                                                           \
        *(ND_ELEMENT(T) *)(to + (i + k) * step) = all = op(all, row[k]);                           \
    }                                                                                              \
    for (; i < count; i++) *(ND_ELEMENT(T) *)(to + i * step) = all = op(all, AT(i));               \
  }
#ifndef UNSIGNED
#define UNSIGNED(x) NAME(x)
SCAN(scan_sum, ADDED)
SCAN(scan_product, TIMES)
#endif
SCAN(scan_max, GREATER)
SCAN(scan_min, LESS)

static const Reductions NAME(reductions) = {
    .sum = UNSIGNED(sum),
    .product = UNSIGNED(product),
    .max = NAME(max),
    .min = NAME(min),
#if !IS_FLOAT
    .all = UNSIGNED(and),
    .any = UNSIGNED(or),
#endif
    .scan_sum = UNSIGNED(scan_sum),
    .scan_product = UNSIGNED(scan_product),
    .scan_max = NAME(scan_max),
    .scan_min = NAME(scan_min),
    .argmax = NAME(argmax),
    .argmin = NAME(argmin),
};

#undef SCAN
#undef IS_SELF
#undef SUMS
#undef OF
#undef PICK
#undef REDUCE
#undef SUM_ONTO
#undef PRODUCT_ONTO
#undef MAX_ONTO
#undef MIN_ONTO
#undef AND_ONTO
#undef OR_ONTO
#undef FOLD
#undef FOLDS
#undef FEW
#undef EACH
#undef AT
#undef BOTH
#undef EITHER
#undef GREATER
#undef LESS
#undef ADDED
#undef TIMES
#undef T
#undef DTYPE
#undef NAME
#undef UNSIGNED
#undef IS_FLOAT
