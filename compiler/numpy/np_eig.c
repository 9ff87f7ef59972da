// SPDX-License-Identifier: Apache-2.0
// Eigenvalues and right eigenvectors of square matrices that need not be symmetric: to Hessenberg
// form by reflections, to triangular form by QR steps with Wilkinson's shifts, eigenvectors of that
// by substitution. In complex128; library/numpy/linalg.pk makes real results of it.
#include "loops/complex_types.h"
#include "nd.h"
#include "python/modules/module.h"
#include "python/values/evaluator_state.h"
#include "python/values/make.h"
#include "python/values/raise.h"
#include <float.h>
#include <string.h>

typedef struct Eigen {
  int64_t n;
  complex_f64 *h, *z; // the matrix as it becomes triangular, and the unitary one that makes it so
} Eigen;

#define H(i, j) e->h[(i)*e->n + (j)]
#define Z(i, j) e->z[(i)*e->n + (j)]

static double size_of(complex_f64 x) { return hypot(__real__ x, __imag__ x); }

static complex_f64 scaled(complex_f64 x, double by) { return scaled_f64(x, by); }

// A reflection that leaves nothing below the subdiagonal of column k.
static void reflect(Eigen *e, int64_t k, complex_f64 *v) {
  int64_t n = e->n;
  double norm = 0, rest = 0;
  for (int64_t i = k + 1; i < n; i++) norm = hypot(norm, size_of(H(i, k)));
  for (int64_t i = k + 2; i < n; i++) rest = hypot(rest, size_of(H(i, k)));
  if (rest == 0) return;
  complex_f64 first = H(k + 1, k);
  double size = size_of(first);
  complex_f64 phase = size ? scaled(first, 1 / size) : make_f64(1, 0);
  for (int64_t i = k + 1; i < n; i++) v[i] = H(i, k);
  v[k + 1] += scaled(phase, norm);
  double length = 0;
  for (int64_t i = k + 1; i < n; i++) length = hypot(length, size_of(v[i]));
  for (int64_t i = k + 1; i < n; i++) v[i] = scaled(v[i], 1 / length);
  for (int64_t j = k; j < n; j++) { // (1 - 2 v v*) from the left
    complex_f64 sum = 0;
    for (int64_t i = k + 1; i < n; i++) sum += times_f64(conj(v[i]), H(i, j));
    for (int64_t i = k + 1; i < n; i++) H(i, j) -= scaled(times_f64(v[i], sum), 2);
  }
  for (int64_t i = 0; i < n; i++) { // and from the right
    complex_f64 sum = 0, also = 0;
    for (int64_t j = k + 1; j < n; j++) {
      sum += times_f64(H(i, j), v[j]);
      also += times_f64(Z(i, j), v[j]);
    }
    for (int64_t j = k + 1; j < n; j++) {
      H(i, j) -= scaled(times_f64(sum, conj(v[j])), 2);
      Z(i, j) -= scaled(times_f64(also, conj(v[j])), 2);
    }
  }
  for (int64_t i = k + 2; i < n; i++) H(i, k) = 0;
}

// The eigenvalue of the last 2 x 2 block that is nearer to its last element.
static complex_f64 shift_of(const Eigen *e, int64_t last) {
  complex_f64 a = H(last - 1, last - 1), b = H(last - 1, last), c = H(last, last - 1),
              d = H(last, last), half = scaled(a - d, 0.5);
  complex_f64 root = csqrt(times_f64(half, half) + times_f64(b, c));
  if (__real__ half * __real__ root + __imag__ half * __imag__ root > 0) root = -root;
  complex_f64 under = half - root;
  return under == 0 ? d : d - over_f64(times_f64(b, c), under);
}

typedef struct Rotation {
  double c;
  complex_f64 s;
} Rotation;

static Rotation rotation_of(complex_f64 a, complex_f64 b) {
  double size = size_of(a), all = hypot(size, size_of(b));
  if (all == 0) return (Rotation){1, 0};
  complex_f64 phase = size ? scaled(a, 1 / size) : make_f64(1, 0);
  return (Rotation){size / all, scaled(times_f64(phase, conj(b)), 1 / all)};
}

// A QR step of rows and columns first … last.
static void step(Eigen *e, int64_t first, int64_t last, complex_f64 shift, Rotation *turns) {
  for (int64_t i = first; i <= last; i++) H(i, i) -= shift;
  for (int64_t i = first; i < last; i++) {
    Rotation t = turns[i] = rotation_of(H(i, i), H(i + 1, i));
    for (int64_t j = i; j < e->n; j++) {
      complex_f64 a = H(i, j), b = H(i + 1, j);
      H(i, j) = scaled(a, t.c) + times_f64(t.s, b);
      H(i + 1, j) = scaled(b, t.c) - times_f64(conj(t.s), a);
    }
    H(i + 1, i) = 0;
  }
  for (int64_t i = first; i < last; i++) {
    Rotation t = turns[i];
    for (int64_t r = 0; r < e->n; r++) {
      complex_f64 a = Z(r, i), b = Z(r, i + 1);
      Z(r, i) = scaled(a, t.c) + times_f64(b, conj(t.s));
      Z(r, i + 1) = scaled(b, t.c) - times_f64(a, t.s);
      if (r > i + 1) continue;
      a = H(r, i), b = H(r, i + 1);
      H(r, i) = scaled(a, t.c) + times_f64(b, conj(t.s));
      H(r, i + 1) = scaled(b, t.c) - times_f64(a, t.s);
    }
  }
  for (int64_t i = first; i <= last; i++) H(i, i) += shift;
}

// False: it does not converge.
static bool make_triangular(Eigen *e, Rotation *turns) {
  enum { MOST_STEPS = 300 };
  int steps = 0;
  for (int64_t last = e->n - 1; last > 0;) {
    int64_t first = last;
    for (; first > 0; first--) {
      double near = size_of(H(first, first)) + size_of(H(first - 1, first - 1));
      if (size_of(H(first, first - 1)) <= DBL_EPSILON * (near ? near : DBL_MIN)) break;
    }
    if (first > 0) H(first, first - 1) = 0;
    if (first == last) {
      last--;
      steps = 0;
      continue;
    }
    if (++steps > MOST_STEPS) return false;
    complex_f64 shift =
        steps % 10 ? shift_of(e, last) : H(last, last) + make_f64(size_of(H(last, last - 1)), 0);
    step(e, first, last, shift, turns);
  }
  return true;
}

// The vector of the eigenvalue at (k, k): of length 1, its greatest element real.
static void vector_of(const Eigen *e, int64_t k, complex_f64 *y, complex_f64 *out) {
  complex_f64 value = H(k, k);
  double least = DBL_EPSILON * (size_of(value) + DBL_MIN), length = 0, greatest = 0;
  y[k] = 1;
  for (int64_t i = k - 1; i >= 0; i--) {
    complex_f64 sum = 0, under = value - H(i, i);
    for (int64_t j = i + 1; j <= k; j++) sum += times_f64(H(i, j), y[j]);
    y[i] = over_f64(sum, size_of(under) < least ? make_f64(least, 0) : under);
  }
  complex_f64 top = 1;
  for (int64_t r = 0; r < e->n; r++) {
    complex_f64 sum = 0;
    for (int64_t j = 0; j <= k; j++) sum += times_f64(Z(r, j), y[j]);
    out[r] = sum;
    length = hypot(length, size_of(sum));
    if (size_of(sum) > greatest * (1 + 8 * DBL_EPSILON)) greatest = size_of(sum), top = sum;
  }
  complex_f64 by = scaled(conj(top), 1 / (greatest * length));
  for (int64_t r = 0; r < e->n; r++) out[r] = times_f64(out[r], by);
}

// Of a square matrix of complex128: the eigenvalues, the vectors as rows, and the unitary matrix
// that makes it triangular; None if that does not converge.
static Value native_eig(Eval *ev, Value *a) {
  const NdArray *x = nd_contiguous(ev, nd_from_value(ev, a[0], DT_C128, "np.linalg.eig"));
  int64_t n = x->dims[0], dims[2] = {n, n};
  NdArray *values = nd_new(ev, DT_C128, 1, dims), *vectors = nd_new(ev, DT_C128, 2, dims),
          *basis = nd_new(ev, DT_C128, 2, dims);
  Eigen eigen = {n, (complex_f64 *)nd_cast(ev, x, DT_C128)->data, (complex_f64 *)basis->data},
        *e = &eigen;
  complex_f64 *work = (complex_f64 *)nd_new(ev, DT_C128, 1, dims)->data;
  for (int64_t i = 0; i < n; i++) Z(i, i) = 1;
  for (int64_t k = 0; k + 2 < n; k++) reflect(e, k, work);
  if (!make_triangular(e, ARENA_ARRAY(ev->arena, Rotation, n + 1))) return v_none();
  for (int64_t k = 0; k < n; k++) {
    ((complex_f64 *)values->data)[k] = H(k, k);
    vector_of(e, k, work, (complex_f64 *)vectors->data + k * n);
  }
  return make_tuple(ev, 3, (Value[]){v_object(values), v_object(vectors), v_object(basis)});
}

static const NativeDef natives[] = {
    {"eig(a)", native_eig},
    {NULL, NULL},
};

const ModuleDef module_np_eig = {.name = "_np_eig", .functions = natives};
