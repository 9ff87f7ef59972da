// SPDX-License-Identifier: Apache-2.0
// Factors of one matrix by LAPACK, included for float64 and complex128 with
//   T         the C type of an element
//   OF(x)     x with the type's name at its end
//   LA(x)     LAPACK's routine of the name x for the type; OF(gesdd) and others, whose arguments
//             are not the same, have one list of them
// LAPACK keeps matrices column by column, so all come and go transposed (put_columns). Each gives
// LAPACK's status: 0, or what went wrong. Work memory is the arena's.

// to [rows, columns] is the transpose of what begins `from`, whose rows are `pitch` apart: in tiles
// of which both sides stay in the caches.
static void OF(put_rows)(T *to, const T *from, int64_t rows, int64_t columns, int64_t pitch) {
  for (int64_t top = 0; top < rows; top += TILE)
    for (int64_t left = 0; left < columns; left += TILE)
      for (int64_t i = top; i < rows && i < top + TILE; i++)
        for (int64_t j = left; j < columns && j < left + TILE; j++)
          to[i * columns + j] = from[j * pitch + i];
}

static void OF(put_columns)(T *to, const T *from, int64_t rows, int64_t columns) {
  OF(put_rows)(to, from, columns, rows, columns);
}

static T *OF(memory)(Arena *arena, int64_t count) {
  return arena_alloc_bytes(arena, (size_t)(count > 0 ? count : 1) * sizeof(T));
}

static T *OF(columns_of)(Arena *arena, const T *from, int64_t rows, int64_t columns) {
  T *copy = OF(memory)(arena, rows * columns);
  OF(put_columns)(copy, from, rows, columns);
  return copy;
}

static void OF(put_identity)(T *to, int64_t n) {
  memset(to, 0, (size_t)(n * n) * sizeof(T));
  for (int64_t i = 0; i < n; i++) to[i * n + i] = 1;
}

// How much work memory a routine asks for, given as an element.
static int OF(asked)(T size) { return (int)__real__ size; }

// a x = b: a [n, n], b and x [n, columns].
static int OF(solve)(Arena *arena, const T *a, const T *b, T *x, int64_t n, int64_t columns) {
  int size = (int)n, right = (int)columns, least = size > 0 ? size : 1, info = 0;
  T *lu = OF(columns_of)(arena, a, n, n), *held = OF(columns_of)(arena, b, n, columns);
  int *pivots = ARENA_ARRAY(arena, int, n + 1);
  LA(gesv)(&size, &right, lu, &least, pivots, held, &least, &info);
  OF(put_rows)(x, held, n, columns, n);
  return info;
}

// The determinant's sign (or direction), and the logarithm of its size.
static void OF(log_det)(Arena *arena, const T *a, int64_t n, T *sign, double *log_size) {
  int size = (int)n, least = size > 0 ? size : 1, info = 0;
  T *lu = OF(columns_of)(arena, a, n, n);
  int *pivots = ARENA_ARRAY(arena, int, n + 1);
  LA(getrf)(&size, &size, lu, &least, pivots, &info);
  *sign = info > 0 ? 0 : 1;
  *log_size = info > 0 ? -INFINITY : 0;
  for (int64_t i = 0; i < n && info <= 0; i++) {
    T element = lu[i * n + i];
    double length = OF(size)(element);
    *sign = OF(product)(*sign, element / length);
    if (pivots[i] != i + 1) *sign = -*sign;
    *log_size += log(length);
  }
}

// A triangle whose product with its own conjugate transpose is a, of which that triangle is read.
static int OF(cholesky)(const T *a, T *out, int64_t n, bool is_upper) {
  int size = (int)n, least = size > 0 ? size : 1, info = 0;
  // The rows of a are the columns of its transpose, whose other factor is this one transposed.
  memcpy(out, a, (size_t)(n * n) * sizeof(T));
  LA(potrf)(is_upper ? "L" : "U", &size, out, &least, &info, 1);
  for (int64_t i = 0; i < n; i++)
    for (int64_t j = 0; j < n; j++)
      if (is_upper ? j < i : j > i) out[i * n + j] = 0;
  return info;
}

// R and the reflections below it, as columns, and their factors.
static int OF(reflections)(Arena *arena, T *a, T *tau, int64_t rows, int64_t columns) {
  int m = (int)rows, n = (int)columns, least = m > 0 ? m : 1, length = -1, info = 0;
  T first;
  LA(geqrf)(&m, &n, a, &least, tau, &first, &length, &info);
  length = OF(asked)(first);
  LA(geqrf)(&m, &n, a, &least, tau, OF(memory)(arena, length), &length, &info);
  return info;
}

// The first columns of Q, of reflections in a [rows, columns], column by column.
static int OF(basis)(Arena *arena, T *a, const T *tau, int64_t rows, int64_t columns,
                     int64_t count) {
  int m = (int)rows, n = (int)columns, k = (int)count, least = m > 0 ? m : 1, length = -1, info = 0;
  T first;
  LA(basis)(&m, &n, &k, a, &least, tau, &first, &length, &info);
  length = OF(asked)(first);
  LA(basis)(&m, &n, &k, a, &least, tau, OF(memory)(arena, length), &length, &info);
  return info;
}

// a [m, n] = u s vt; kind: 'A' all of u [m, m] and vt [n, n], 'S' what belongs to a value, 'N'
// none.
static int OF(svd)(Arena *arena, const T *a, T *u, double *s, T *vt, int64_t rows, int64_t columns,
                   char kind) {
  int m = (int)rows, n = (int)columns, least = m < n ? m : n, length = -1, info = 0;
  int across = kind == 'A' ? m : least, down = kind == 'A' ? n : least;
  int lead_a = m > 0 ? m : 1, lead_vt = down > 0 && kind != 'N' ? down : 1;
  int64_t most = m > n ? m : n, few = least;
  if (few == 0 && kind == 'A') OF(put_identity)(u, rows), OF(put_identity)(vt, columns);
  if (few == 0) return 0;
  T *held = OF(columns_of)(arena, a, rows, columns), *left = OF(memory)(arena, rows * across),
    *right = OF(memory)(arena, (int64_t)down * columns), first;
  int64_t doubles =
      few * (5 * few + 7 > 2 * most + 2 * few + 1 ? 5 * few + 7 : 2 * most + 2 * few + 1);
  double *more = arena_alloc_bytes(arena, (size_t)(doubles + 1) * sizeof(double));
  int *order = ARENA_ARRAY(arena, int, 8 * few + 1);
  OF(gesdd)
  (&kind, &m, &n, held, &lead_a, s, left, right, &lead_vt, &first, &length, more, order, &info);
  length = OF(asked)(first);
  OF(gesdd)
  (&kind, &m, &n, held, &lead_a, s, left, right, &lead_vt, OF(memory)(arena, length), &length, more,
   order, &info);
  if (kind == 'N') return info;
  OF(put_rows)(u, left, rows, across, rows);
  OF(put_rows)(vt, right, down, columns, down);
  return info;
}

// Eigenvalues of a symmetric or Hermitian matrix, in order, and vectors as columns, or NULL.
static int OF(eigh)(Arena *arena, const T *a, double *values, T *vectors, int64_t n,
                    bool is_upper) {
  int size = (int)n, least = size > 0 ? size : 1, info = 0, length = -1, words = -1, doubles = -1;
  const char *kind = vectors ? "V" : "N", *part = is_upper ? "U" : "L";
  T *held = OF(columns_of)(arena, a, n, n), first;
  double real;
  int word;
  OF(eigen_hermitian)
  (kind, part, &size, held, &least, values, &first, &length, &real, &doubles, &word, &words, &info);
  length = OF(asked)(first), doubles = (int)real, words = word;
  double *more = arena_alloc_bytes(arena, (size_t)(doubles > 0 ? doubles : 1) * sizeof(double));
  OF(eigen_hermitian)
  (kind, part, &size, held, &least, values, OF(memory)(arena, length), &length, more, &doubles,
   ARENA_ARRAY(arena, int, words + 1), &words, &info);
  if (vectors) OF(put_rows)(vectors, held, n, n, n);
  return info;
}

// The least solution of least squares: a [m, n], b [m, columns], x [max(m, n), columns] with the
// rest of b behind the first n rows.
static int OF(lstsq)(Arena *arena, const T *a, const T *b, T *x, double *s, int *rank, int64_t rows,
                     int64_t columns, int64_t rights, double rcond) {
  int m = (int)rows, n = (int)columns, right = (int)rights, lead_a = m > 0 ? m : 1, info = 0;
  int64_t most = rows > columns ? rows : columns;
  int lead_b = most > 0 ? (int)most : 1, length = -1, word = 0;
  T *held = OF(columns_of)(arena, a, rows, columns), *sides = OF(memory)(arena, most * rights),
    first;
  double real = 0;
  for (int64_t j = 0; j < rights; j++)
    for (int64_t i = 0; i < most; i++) sides[j * most + i] = i < rows ? b[i * rights + j] : 0;
  OF(gelsd)
  (&m, &n, &right, held, &lead_a, sides, &lead_b, s, &rcond, rank, &first, &length, &real, &word,
   &info);
  length = OF(asked)(first);
  double *more = arena_alloc_bytes(arena, (size_t)(real > 0 ? real : 1) * sizeof(double));
  OF(gelsd)
  (&m, &n, &right, held, &lead_a, sides, &lead_b, s, &rcond, rank, OF(memory)(arena, length),
   &length, more, ARENA_ARRAY(arena, int, word + 1), &info);
  OF(put_rows)(x, sides, most, rights, most);
  return info;
}

#undef T
#undef OF
#undef LA
