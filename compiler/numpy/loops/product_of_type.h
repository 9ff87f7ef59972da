// SPDX-License-Identifier: Apache-2.0
// The product of matrices of one float type: included by loops_product.c for each, with
//   T               the C type of the elements
//   NAME(x)         x with the type's name at its end
//   FUSED(a, b, c)  a * b + c, rounded once

// Some rows of the result, as wide as a panel of y: what stands in it before is added to. `ystep`
// and `ostep` are the elements from one row to the next. EACH names the rows one by one: sums in an
// array would be stored at each step.
#define TILE(name, attribute, VECTOR, EACH, step)                                                  \
  attribute static void name(T *out, int64_t ostep, const T *x, int64_t xstep, const T *y,         \
                             int64_t ystep, int64_t k) {                                           \
    typedef VECTOR Vector;                                                                         \
    typedef VECTOR Anywhere __attribute__((aligned(sizeof(T)), may_alias));                        \
    const int64_t wide = (int64_t)(sizeof(Vector) / sizeof(T));                                    \
    EACH(TILE_LOAD, step)                                                                          \
    for (int64_t l = 0; l < k; l++) {                                                              \
      const Vector b0 = *(const Anywhere *)(y + l * ystep),                                        \
                   b1 = *(const Anywhere *)(y + l * ystep + wide);                                 \
      EACH(TILE_STEP, step)                                                                        \
    }                                                                                              \
    EACH(TILE_STORE, step)                                                                         \
  }
#define TILE_LOAD(r, step)                                                                         \
  Vector low##r = *(const Anywhere *)(out + r * ostep),                                            \
         high##r = *(const Anywhere *)(out + r * ostep + wide);
#define TILE_STEP(r, step)                                                                         \
  const T a##r = x[r * xstep + l];                                                                 \
  low##r = step(a##r, b0, low##r);                                                                 \
  high##r = step(a##r, b1, high##r);
#define TILE_STORE(r, step)                                                                        \
  *(Anywhere *)(out + r * ostep) = low##r;                                                         \
  *(Anywhere *)(out + r * ostep + wide) = high##r;
#define ROWS_1(X, step) X(0, step)
#define ROWS_4(X, step) ROWS_1(X, step) X(1, step) X(2, step) X(3, step)
#define ROWS_6(X, step) ROWS_4(X, step) X(4, step) X(5, step)
#define ROWS_8(X, step) ROWS_6(X, step) X(6, step) X(7, step)

// All of it, by panels of y two vectors wide and DEPTH deep, which are copied where several tiles
// read them or where y ends inside of them.
#define PRODUCT(kind, attribute, VECTOR, BYTES, ROWS, step)                                        \
  TILE(NAME(tile_##kind), attribute, VECTOR, ROWS_##ROWS, step)                                    \
  TILE(NAME(row_##kind), attribute, VECTOR, ROWS_1, step)                                          \
  attribute static void NAME(product_##kind)(T * out, const T *x, const T *y, int64_t m,           \
                                             int64_t n, int64_t k, int64_t line) {                 \
    enum { WIDE = 2 * BYTES / (int)sizeof(T) };                                                    \
    T panel[DEPTH * WIDE] __attribute__((aligned(64))), edge[ROWS * WIDE];                         \
    for (int64_t l = 0; l < k; l += DEPTH) {                                                       \
      int64_t deep = k - l < DEPTH ? k - l : DEPTH;                                                \
      for (int64_t j = 0; j < n; j += WIDE) {                                                      \
        int64_t wide = n - j < WIDE ? n - j : WIDE, ystep = line;                                  \
        const T *from = y + l * line + j;                                                          \
        if (wide < WIDE || m > ROWS) {                                                             \
          if (wide < WIDE) memset(panel, 0, (size_t)deep *WIDE * sizeof(T));                       \
          for (int64_t p = 0; p < deep; p++)                                                       \
            memcpy(panel + p * WIDE, from + p * line, (size_t)wide * sizeof(T));                   \
          from = panel;                                                                            \
          ystep = WIDE;                                                                            \
        }                                                                                          \
        for (int64_t i = 0, rows; i < m; i += rows) {                                              \
          rows = m - i < ROWS ? 1 : ROWS;                                                          \
          T *to = out + i * line + j, *at = wide < WIDE ? edge : to;                               \
          int64_t ostep = wide < WIDE ? WIDE : line;                                               \
          if (at == edge) {                                                                        \
            memset(edge, 0, sizeof edge);                                                          \
            for (int64_t r = 0; r < rows; r++)                                                     \
              memcpy(edge + r * WIDE, to + r * line, (size_t)wide * sizeof(T));                    \
          }                                                                                        \
          if (rows == 1)                                                                           \
            NAME(row_##kind)(at, ostep, x + i * k + l, k, from, ystep, deep);                      \
          else                                                                                     \
            NAME(tile_##kind)(at, ostep, x + i * k + l, k, from, ystep, deep);                     \
          for (int64_t r = 0; at == edge && r < rows; r++)                                         \
            memcpy(to + r * line, edge + r * WIDE, (size_t)wide * sizeof(T));                      \
        }                                                                                          \
      }                                                                                            \
    }                                                                                              \
  }

// The sum of products of two rows, in DOT_LANES sums side by side.
#define DOT(name, attribute, step)                                                                 \
  attribute static T name(const T *x, const T *y, int64_t count) {                                 \
    T lane[DOT_LANES] = {0};                                                                       \
    int64_t i = 0;                                                                                 \
    for (; i + DOT_LANES <= count; i += DOT_LANES)                                                 \
      for (int p = 0; p < DOT_LANES; p++) lane[p] = step(x[i + p], y[i + p], lane[p]);             \
    for (int p = 0; i + p < count; p++) lane[p] = step(x[i + p], y[i + p], lane[p]);               \
    for (int half = DOT_LANES / 2; half; half /= 2)                                                \
      for (int p = 0; p < half; p++) lane[p] += lane[p + half];                                    \
    return lane[0];                                                                                \
  }

// A row by a matrix: rows of y are added, some at a time, to a part of the result that stays close.
#define ROW_BY_MATRIX(name, attribute, step)                                                       \
  attribute static void name(T *out, const T *x, const T *y, int64_t n, int64_t k) {               \
    enum { PART = 4096 / sizeof(T) };                                                              \
    for (int64_t begin = 0, wide; begin < n; begin += wide) {                                      \
      wide = n - begin < PART ? n - begin : PART;                                                  \
      T *to = out + begin;                                                                         \
      int64_t l = 0;                                                                               \
      for (; l + 4 <= k; l += 4) {                                                                 \
        const T *p = y + l * n + begin, a = x[l], b = x[l + 1], c = x[l + 2], d = x[l + 3];        \
        _Pragma("GCC ivdep") for (int64_t j = 0; j < wide; j++) {                                  \
          T sum = step(a, p[j], to[j]);                                                            \
          sum = step(b, p[n + j], sum);                                                            \
          sum = step(c, p[2 * n + j], sum);                                                        \
          to[j] = step(d, p[3 * n + j], sum);                                                      \
        }                                                                                          \
      }                                                                                            \
      for (; l < k; l++)                                                                           \
        _Pragma("GCC ivdep") for (int64_t j = 0; j < wide; j++) to[j] =                            \
            step(x[l], y[l * n + begin + j], to[j]);                                               \
    }                                                                                              \
  }

typedef T NAME(vector64) __attribute__((vector_size(64)));
typedef T NAME(vector32) __attribute__((vector_size(32)));
typedef T NAME(vector16) __attribute__((vector_size(16)));

#define CONTRACTED(a, b, c) ((a) * (b) + (c))
#ifdef TARGET
PRODUCT(v4, TARGET("x86-64-v4"), NAME(vector64), 64, 8, CONTRACTED)
PRODUCT(v3, TARGET("x86-64-v3"), NAME(vector32), 32, 6, CONTRACTED)
ROW_BY_MATRIX(NAME(by_matrix_v4), TARGET("x86-64-v4"), FUSED)
ROW_BY_MATRIX(NAME(by_matrix_v3), TARGET("x86-64-v3"), FUSED)
DOT(NAME(dot_v4), TARGET("x86-64-v4"), FUSED)
DOT(NAME(dot_v3), TARGET("x86-64-v3"), FUSED)
#endif

static inline NAME(vector16) NAME(fused_vector)(T a, NAME(vector16) b, NAME(vector16) c) {
  for (size_t i = 0; i < 16 / sizeof(T); i++) c[i] = FUSED(a, b[i], c[i]);
  return c;
}
PRODUCT(any, , NAME(vector16), 16, 4, NAME(fused_vector))
DOT(NAME(dot_any), , FUSED)
ROW_BY_MATRIX(NAME(by_matrix_any), , FUSED)

// Of a matrix and its transpose: what lies below the diagonal, and that again above.
static void NAME(symmetric)(void (*product)(T *, const T *, const T *, int64_t, int64_t, int64_t,
                                            int64_t),
                            T *out, const T *x, const T *y, int64_t n, int64_t k) {
  enum { BAND = 64 };
  for (int64_t i = 0, rows; i < n; i += rows) {
    rows = n - i < BAND ? n - i : BAND;
    product(out + i * n, x + i * k, y, rows, i + rows, k, n);
  }
  for (int64_t i = 0; i < n; i += BAND)
    for (int64_t j = i; j < n; j += BAND)
      for (int64_t a = i; a < n && a < i + BAND; a++)
        for (int64_t b = j > a ? j : a + 1; b < n && b < j + BAND; b++)
          out[a * n + b] = out[b * n + a];
}

static void NAME(product)(void *out, const void *x, const void *y, int64_t m, int64_t n, int64_t k,
                          bool is_symmetric) {
  void (*product)(T *, const T *, const T *, int64_t, int64_t, int64_t, int64_t) =
      NAME(product_any);
  T (*dot)(const T *, const T *, int64_t) = NAME(dot_any);
  void (*by_matrix)(T *, const T *, const T *, int64_t, int64_t) = NAME(by_matrix_any);
#ifdef TARGET
  int level = host_level();
  if (level >= 4)
    product = NAME(product_v4), dot = NAME(dot_v4), by_matrix = NAME(by_matrix_v4);
  else if (level == 3)
    product = NAME(product_v3), dot = NAME(dot_v3), by_matrix = NAME(by_matrix_v3);
#endif
  T *to = out;
  if (n == 1) {
    for (int64_t i = 0; i < m; i++) to[i] = dot((const T *)x + i * k, y, k);
    return;
  }
  memset(out, 0, (size_t)(m * n) * sizeof(T));
  if (m == 1)
    by_matrix(to, x, y, n, k);
  else if (is_symmetric)
    NAME(symmetric)(product, to, x, y, n, k);
  else
    product(to, x, y, m, n, k, n);
}

#undef TILE
#undef TILE_LOAD
#undef TILE_STEP
#undef TILE_STORE
#undef ROWS_1
#undef ROWS_4
#undef ROWS_6
#undef ROWS_8
#undef PRODUCT
#undef DOT
#undef ROW_BY_MATRIX
#undef CONTRACTED
#undef T
#undef NAME
#undef FUSED
