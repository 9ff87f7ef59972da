// SPDX-License-Identifier: Apache-2.0
// Linear algebra by LAPACK, on stacks of matrices of float64 or complex128 [count, rows, columns],
// in order. library/numpy/linalg.pk makes NumPy's functions of it: it sees to types, shapes and
// messages. None is what a stack comes to in which LAPACK fails.
#include <limits.h>
#include <math.h>
#include <string.h>
#include "base/collected.h"
#include "numpy/arrays/nd.h"
#include "numpy/arrays/nd_convert.h"
#include "numpy/loops/complex_types.h"
#include "python/modules/module.h"
#include "python/objects/convert.h"
#include "python/objects/protocol.h"
#include "python/values/evaluator_state.h"
#include "python/values/new_value.h"
#include "python/values/raise.h"

// ---- LAPACK's routines --------------------------------------------------------------------------
// Fortran's: all by reference, and behind the arguments the lengths of those that are texts.
#define ROUTINES(T, gesv, getrf, potrf, geqrf, basis)                                              \
  void gesv(const int *, const int *, T *, const int *, int *, T *, const int *, int *);           \
  void getrf(const int *, const int *, T *, const int *, int *, int *);                            \
  void potrf(const char *, const int *, T *, const int *, int *, size_t);                          \
  void geqrf(const int *, const int *, T *, const int *, T *, T *, const int *, int *);            \
  void basis(const int *, const int *, const int *, T *, const int *, const T *, T *, const int *, \
             int *);
ROUTINES(double, dgesv_, dgetrf_, dpotrf_, dgeqrf_, dorgqr_)
ROUTINES(complex_f64, zgesv_, zgetrf_, zpotrf_, zgeqrf_, zungqr_)
void dgesdd_(const char *, const int *, const int *, double *, const int *, double *, double *,
             const int *, double *, const int *, double *, const int *, int *, int *, size_t);
void zgesdd_(const char *, const int *, const int *, complex_f64 *, const int *, double *,
             complex_f64 *, const int *, complex_f64 *, const int *, complex_f64 *, const int *,
             double *, int *, int *, size_t);
void dsyevd_(const char *, const char *, const int *, double *, const int *, double *, double *,
             const int *, int *, const int *, int *, size_t, size_t);
void zheevd_(const char *, const char *, const int *, complex_f64 *, const int *, double *,
             complex_f64 *, const int *, double *, const int *, int *, const int *, int *, size_t,
             size_t);
void dgelsd_(const int *, const int *, const int *, double *, const int *, double *, const int *,
             double *, const double *, int *, double *, const int *, int *, int *);
void zgelsd_(const int *, const int *, const int *, complex_f64 *, const int *, complex_f64 *,
             const int *, double *, const double *, int *, complex_f64 *, const int *, double *,
             int *, int *);
void dgeev_(const char *, const char *, const int *, double *, const int *, double *, double *,
            double *, const int *, double *, const int *, double *, const int *, int *, size_t,
            size_t);
void zgeev_(const char *, const char *, const int *, complex_f64 *, const int *, complex_f64 *,
            complex_f64 *, const int *, complex_f64 *, const int *, complex_f64 *, const int *,
            double *, int *, size_t, size_t);

// The one thing of Fortran's own library that the archive of LAPACK needs: two texts as one, which
// is cut or filled with spaces.
#define FORTRANS __attribute__((weak, visibility("hidden")))
FORTRANS void _gfortran_concat_string(size_t size, char *to, size_t first_size, const char *first,
                                      size_t second_size, const char *second);
void _gfortran_concat_string(size_t size, char *to, size_t first_size, const char *first,
                             size_t second_size, const char *second) {
  for (size_t i = 0; i < size; i++)
    to[i] = i < first_size ? first[i] : i - first_size < second_size ? second[i - first_size] : ' ';
}

// ---- of one matrix ------------------------------------------------------------------------------
static double size_d(double x) { return fabs(x); }
static double size_z(complex_f64 x) { return cabs(x); }
static double product_d(double x, double y) { return x * y; }
static complex_f64 product_z(complex_f64 x, complex_f64 y) { return times_f64(x, y); }

static void gesdd_d(const char *kind, const int *m, const int *n, double *a, const int *lead_a,
                    double *s, double *u, double *vt, const int *lead_vt, double *work,
                    const int *length, double *unused UNUSED, int *order, int *info) {
  dgesdd_(kind, m, n, a, lead_a, s, u, lead_a, vt, lead_vt, work, length, order, info, 1);
}
static void gesdd_z(const char *kind, const int *m, const int *n, complex_f64 *a, const int *lead_a,
                    double *s, complex_f64 *u, complex_f64 *vt, const int *lead_vt,
                    complex_f64 *work, const int *length, double *more, int *order, int *info) {
  zgesdd_(kind, m, n, a, lead_a, s, u, lead_a, vt, lead_vt, work, length, more, order, info, 1);
}
static void eigen_hermitian_d(const char *kind, const char *part, const int *n, double *a,
                              const int *lead, double *values, double *work, const int *length,
                              double *unused, const int *doubles UNUSED, int *words,
                              const int *count, int *info) {
  if (*length < 0) *unused = 0;
  dsyevd_(kind, part, n, a, lead, values, work, length, words, count, info, 1, 1);
}
static void eigen_hermitian_z(const char *kind, const char *part, const int *n, complex_f64 *a,
                              const int *lead, double *values, complex_f64 *work, const int *length,
                              double *more, const int *doubles, int *words, const int *count,
                              int *info) {
  zheevd_(kind, part, n, a, lead, values, work, length, more, doubles, words, count, info, 1, 1);
}
static void gelsd_d(const int *m, const int *n, const int *rights, double *a, const int *lead_a,
                    double *b, const int *lead_b, double *s, const double *rcond, int *rank,
                    double *work, const int *length, double *unused UNUSED, int *words, int *info) {
  dgelsd_(m, n, rights, a, lead_a, b, lead_b, s, rcond, rank, work, length, words, info);
}
static void gelsd_z(const int *m, const int *n, const int *rights, complex_f64 *a,
                    const int *lead_a, complex_f64 *b, const int *lead_b, double *s,
                    const double *rcond, int *rank, complex_f64 *work, const int *length,
                    double *more, int *words, int *info) {
  zgelsd_(m, n, rights, a, lead_a, b, lead_b, s, rcond, rank, work, length, more, words, info);
}

enum { TILE = 16 }; // two of float64 are 4 KB

#define dbasis_ dorgqr_
#define zbasis_ zungqr_
#define T       double
#define OF(x)   x##_d
#define LA(x)   d##x##_
#include "lapack_of_type.h"
#define T     complex_f64
#define OF(x) x##_z
#define LA(x) z##x##_
#include "lapack_of_type.h"

// Eigenvalues, and right eigenvectors as columns or NULL, of a square matrix.
static int eig_z(Arena *arena, const complex_f64 *a, complex_f64 *values, complex_f64 *vectors,
                 int64_t n) {
  int size = (int)n, least = size > 0 ? size : 1, info = 0, length = -1;
  const char *kind = vectors ? "V" : "N";
  complex_f64 *held = columns_of_z(arena, a, n, n), *right = memory_z(arena, n * n), first, none;
  double *more = arena_alloc_bytes(arena, (size_t)(2 * n + 1) * sizeof(double));
  zgeev_("N", kind, &size, held, &least, values, &none, &least, right, &least, &first, &length,
         more, &info, 1, 1);
  length = (int)__real__ first;
  zgeev_("N", kind, &size, held, &least, values, &none, &least, right, &least,
         memory_z(arena, length), &length, more, &info, 1, 1);
  if (vectors) put_rows_z(vectors, right, n, n, n);
  return info;
}

// The same of a real one, whose complex vectors LAPACK gives in pairs, as two columns.
static int eig_d(Arena *arena, const double *a, complex_f64 *values, complex_f64 *vectors,
                 int64_t n) {
  int size = (int)n, least = size > 0 ? size : 1, info = 0, length = -1;
  const char *kind = vectors ? "V" : "N";
  double *held = columns_of_d(arena, a, n, n), *right = memory_d(arena, n * n), first, none;
  double *real = memory_d(arena, n), *imaginary = memory_d(arena, n);
  dgeev_("N", kind, &size, held, &least, real, imaginary, &none, &least, right, &least, &first,
         &length, &info, 1, 1);
  length = (int)first;
  dgeev_("N", kind, &size, held, &least, real, imaginary, &none, &least, right, &least,
         memory_d(arena, length), &length, &info, 1, 1);
  for (int64_t j = 0; j < n; j++) {
    values[j] = make_f64(real[j], imaginary[j]);
    if (!vectors) continue;
    bool is_second = imaginary[j] < 0, is_pair = imaginary[j] != 0;
    const double *x = right + (j - is_second) * n, *y = x + n;
    for (int64_t i = 0; i < n; i++)
      vectors[i * n + j] = make_f64(x[i], !is_pair ? 0 : is_second ? -y[i] : y[i]);
  }
  return info;
}

// ---- of stacks ----------------------------------------------------------------------------------
typedef struct Stack {
  const NdArray *array;
  bool is_complex;
  int64_t count, rows, columns;
} Stack;

static Stack take_stack(Eval *ev, Value v) {
  const NdArray *array = nd_contiguous(ev, nd_from_value(ev, v, DT_COUNT, "numpy.linalg"));
  if (array->rank != 3 || (array->dtype != DT_F64 && array->dtype != DT_C128))
    BUG("linear algebra on no stack of matrices");
  for (int d = 1; d < 3; d++)
    if (array->dims[d] > INT_MAX)
      eval_raise(ev, ev->types.ValueError, "matrices of more than %d rows or columns", INT_MAX);
  return (Stack){array, array->dtype == DT_C128, array->dims[0], array->dims[1], array->dims[2]};
}

// Matrix i of a stack, or of results like it.
static void *matrix(const NdArray *array, int64_t i) {
  int64_t elements = 1;
  for (int d = 1; d < array->rank; d++) elements *= array->dims[d];
  return array->data + i * elements * (int64_t)dtype_size(array->dtype);
}

static NdArray *results(Eval *ev, DType dtype, int64_t count, int64_t rows, int64_t columns) {
  int64_t dims[] = {count, rows, columns};
  return nd_new(ev, dtype, columns < 0 ? 2 : 3, dims);
}

// Of one work type or the other.
#define CALL(stack, f, ...) ((stack).is_complex ? f##_z(__VA_ARGS__) : f##_d(__VA_ARGS__))

// a stack of right sides; None: the identity, which gives inverses.
static Value native_solve(Eval *ev, Value *a) {
  Stack x = take_stack(ev, a[0]), b = v_is_none(a[1]) ? x : take_stack(ev, a[1]);
  NdArray *out = results(ev, x.array->dtype, x.count, x.rows, b.columns);
  void *identity = NULL;
  if (v_is_none(a[1])) {
    identity = memory_z(ev->arena, x.rows * x.rows);
    CALL(x, put_identity, identity, x.rows);
  }
  for (int64_t i = 0; i < x.count; i++)
    if (CALL(x, solve, ev->arena, matrix(x.array, i), identity ? identity : matrix(b.array, i),
             matrix(out, i), x.rows, b.columns) != 0)
      return v_none();
  return v_object(out);
}

static Value native_log_det(Eval *ev, Value *a) {
  Stack x = take_stack(ev, a[0]);
  NdArray *signs = nd_new(ev, x.array->dtype, 1, &x.count), *logs = nd_new(ev, DT_F64, 1, &x.count);
  for (int64_t i = 0; i < x.count; i++)
    CALL(x, log_det, ev->arena, matrix(x.array, i), x.rows, matrix(signs, i), matrix(logs, i));
  return make_tuple(ev, 2, (Value[]){v_object(signs), v_object(logs)});
}

static Value native_cholesky(Eval *ev, Value *a) {
  Stack x = take_stack(ev, a[0]);
  bool is_upper = value_truth(ev, a[1]);
  NdArray *out = results(ev, x.array->dtype, x.count, x.rows, x.columns);
  for (int64_t i = 0; i < x.count; i++)
    if (CALL(x, cholesky, matrix(x.array, i), matrix(out, i), x.rows, is_upper) != 0)
      return v_none();
  return v_object(out);
}

// (R with the reflections below it, transposed as LAPACK has it [count, columns, rows]; factors).
static Value native_reflections(Eval *ev, Value *a) {
  Stack x = take_stack(ev, a[0]);
  int64_t few = x.rows < x.columns ? x.rows : x.columns;
  NdArray *held = results(ev, x.array->dtype, x.count, x.columns, x.rows),
          *factors = results(ev, x.array->dtype, x.count, few, -1);
  for (int64_t i = 0; i < x.count; i++) {
    CALL(x, put_columns, matrix(held, i), matrix(x.array, i), x.rows, x.columns);
    CALL(x, reflections, ev->arena, matrix(held, i), matrix(factors, i), x.rows, x.columns);
  }
  return make_tuple(ev, 2, (Value[]){v_object(held), v_object(factors)});
}

// The first `columns` columns of Q, of what `reflections` gives.
static Value native_basis(Eval *ev, Value *a) {
  Stack held = take_stack(ev, a[0]);
  const NdArray *factors = nd_contiguous(ev, nd_from_value(ev, a[1], DT_COUNT, "numpy.linalg"));
  int64_t rows = held.columns, columns = take_int(ev, a[2], "columns"), few = factors->dims[1];
  size_t bytes = (size_t)(few * rows) * dtype_size(held.array->dtype);
  NdArray *out = results(ev, held.array->dtype, held.count, rows, columns);
  void *q = memory_z(ev->arena, rows * columns);
  for (int64_t i = 0; i < held.count; i++) {
    memcpy(q, matrix(held.array, i), bytes);
    CALL(held, basis, ev->arena, q, matrix(factors, i), rows, columns, few);
    CALL(held, put_rows, matrix(out, i), q, rows, columns, rows);
  }
  return v_object(out);
}

static Value native_svd(Eval *ev, Value *a) { // a, "A", "S" or "N"
  Stack x = take_stack(ev, a[0]);
  char kind = take_str(ev, a[1], "kind").data[0];
  int64_t few = x.rows < x.columns ? x.rows : x.columns;
  DType dtype = x.array->dtype;
  NdArray *u = results(ev, dtype, kind == 'N' ? 0 : x.count, x.rows, kind == 'A' ? x.rows : few),
          *vt = results(ev, dtype, kind == 'N' ? 0 : x.count, kind == 'A' ? x.columns : few,
                        x.columns),
          *s = results(ev, DT_F64, x.count, few, -1);
  for (int64_t i = 0; i < x.count; i++)
    if (CALL(x, svd, ev->arena, matrix(x.array, i), matrix(u, i), matrix(s, i), matrix(vt, i),
             x.rows, x.columns, kind) != 0)
      return v_none();
  return make_tuple(ev, 3, (Value[]){v_object(u), v_object(s), v_object(vt)});
}

static Value native_eigh(Eval *ev, Value *a) { // a, is_upper, has_vectors
  Stack x = take_stack(ev, a[0]);
  bool is_upper = value_truth(ev, a[1]), has_vectors = value_truth(ev, a[2]);
  NdArray *values = results(ev, DT_F64, x.count, x.rows, -1),
          *vectors = results(ev, x.array->dtype, has_vectors ? x.count : 0, x.rows, x.columns);
  for (int64_t i = 0; i < x.count; i++)
    if (CALL(x, eigh, ev->arena, matrix(x.array, i), matrix(values, i),
             has_vectors ? matrix(vectors, i) : NULL, x.rows, is_upper) != 0)
      return v_none();
  return make_tuple(ev, 2, (Value[]){v_object(values), v_object(vectors)});
}

static Value native_eig(Eval *ev, Value *a) { // a, has_vectors
  Stack x = take_stack(ev, a[0]);
  bool has_vectors = value_truth(ev, a[1]);
  NdArray *values = results(ev, DT_C128, x.count, x.rows, -1),
          *vectors = results(ev, DT_C128, has_vectors ? x.count : 0, x.rows, x.columns);
  for (int64_t i = 0; i < x.count; i++)
    if (CALL(x, eig, ev->arena, matrix(x.array, i), matrix(values, i),
             has_vectors ? matrix(vectors, i) : NULL, x.rows) != 0)
      return v_none();
  return make_tuple(ev, 2, (Value[]){v_object(values), v_object(vectors)});
}

// (x with the rest of b behind it, singular values, ranks), of stacks of one.
static Value native_lstsq(Eval *ev, Value *a) {
  Stack x = take_stack(ev, a[0]), b = take_stack(ev, a[1]);
  double rcond = take_float(ev, a[2], "rcond");
  int64_t few = x.rows < x.columns ? x.rows : x.columns,
          most = x.rows > x.columns ? x.rows : x.columns;
  NdArray *out = results(ev, x.array->dtype, 1, most, b.columns),
          *s = results(ev, DT_F64, 1, few, -1);
  int rank = 0;
  if (CALL(x, lstsq, ev->arena, matrix(x.array, 0), matrix(b.array, 0), matrix(out, 0),
           matrix(s, 0), &rank, x.rows, x.columns, b.columns, rcond) != 0)
    return v_none();
  return make_tuple(ev, 3, (Value[]){v_object(out), v_object(s), v_int(rank)});
}

static const NativeDef natives[] = {
    {"solve(a, b)", native_solve},
    {"log_det(a)", native_log_det},
    {"cholesky(a, is_upper)", native_cholesky},
    {"reflections(a)", native_reflections},
    {"basis(held, factors, columns)", native_basis},
    {"svd(a, kind)", native_svd},
    {"eigh(a, is_upper, has_vectors)", native_eigh},
    {"eig(a, has_vectors)", native_eig},
    {"lstsq(a, b, rcond)", native_lstsq},
    {NULL, NULL},
};

const ModuleDef module_np_lapack = {.name = "_np_lapack", .functions = natives};
