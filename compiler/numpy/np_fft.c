// SPDX-License-Identifier: Apache-2.0
// Discrete Fourier transforms of rows of complex numbers, of any length: by its factors, and where
// one of them is a large prime, as a convolution of a length that is a power of two (Bluestein
// 1970). library/numpy/fft.pk is made of it.
#include "loops/complex_types.h"
#include "loops/loops.h"
#include "numpy_state.h"
#include "python/modules/module.h"
#include "python/values/evaluator_state.h"
#include "python/objects/protocol.h"
#include <string.h>

enum { LARGE_PRIME = 50, MOST_FACTORS = 64 };

typedef struct Fft {
  int64_t length;
  complex_f64 *roots; // exp(-2 pi i k / length)
  int64_t factors[MOST_FACTORS];
  // Of a length with a large prime factor.
  struct Fft *wide;            // the transform of the convolution
  complex_f64 *chirp, *filter; // exp(-pi i k^2 / length), and the transform of its conjugate
} Fft;

// exp(-2 pi i k / n), from an angle of at most an eighth of a turn.
static complex_f64 root(int64_t k, int64_t n) {
  int64_t eighths = 8 * k / n, rest = 8 * k - eighths * n; // in turns / (8 n)
  bool flips = eighths & 1;
  if (flips) rest = n - rest;
  double angle = 0x1.921fb54442d18p-1 * (double)rest / (double)n;
  double c = cos(angle), s = 3 * rest == 2 * n ? 0.5 : sin(angle), t;
  if (flips) t = c, c = s, s = t;
  for (int64_t quarter = eighths / 2; quarter > 0; quarter--) t = c, c = -s, s = t;
  return make_f64(c, -s);
}

// w times (-i)^quarters.
static complex_f64 turned(complex_f64 w, int64_t quarters) {
  for (; quarters > 0; quarters--) w = make_f64(__imag__ w, -__real__ w);
  return w;
}

static int64_t factorize(int64_t n, int64_t *factors) {
  int count = 0;
  int64_t greatest = 1;
  for (; n % 4 == 0; n /= 4) factors[count++] = 4;
  for (int64_t p = 2; n > 1; p++) {
    if (p * p > n) p = n;
    for (; n % p == 0; n /= p) {
      factors[count++] = p;
      if (p > greatest) greatest = p;
    }
  }
  factors[count] = 1;
  return greatest;
}

static void transform(const Fft *f, complex_f64 *out, const complex_f64 *in, int64_t n,
                      int64_t step, const int64_t *factor);
static void run(Arena *arena, const Fft *f, complex_f64 *out, const complex_f64 *in);

static Fft *fft_new(Arena *arena, int64_t n) {
  Fft *f = ARENA_NEW(arena, Fft);
  f->length = n;
  bool by_factors = factorize(n, f->factors) <= LARGE_PRIME;
  if (by_factors) {
    f->roots = arena_alloc_bytes(arena, (size_t)n * sizeof *f->roots);
    // The first eighth, which the others mirror.
    for (int64_t k = 0; k < n; k++) {
      bool is_mirrored = n % 8 == 0 && k > n / 8 && k <= n / 4;
      complex_f64 w = is_mirrored ? f->roots[n / 4 - k] : 0,
                  back = n % 4 ? 0 : f->roots[k % (n / 4)];
      f->roots[k] = is_mirrored                ? make_f64(-__imag__ w, -__real__ w)
                    : n % 4 == 0 && k >= n / 4 ? turned(back, k / (n / 4))
                                               : root(k, n);
    }
    return f;
  }
  int64_t wide = 1;
  while (wide < 2 * n - 1) wide *= 2;
  f->wide = fft_new(arena, wide);
  f->chirp = arena_alloc_bytes(arena, (size_t)n * sizeof *f->chirp);
  f->filter = arena_alloc_bytes(arena, (size_t)wide * sizeof *f->filter);
  complex_f64 *around = arena_alloc_bytes(arena, (size_t)wide * sizeof *around);
  for (int64_t k = 0, square = 0; k < n; square = (square + 2 * k + 1) % (2 * n), k++) {
    f->chirp[k] = root(square, 2 * n);
    around[k] = around[(wide - k) % wide] = conj(f->chirp[k]);
  }
  run(arena, f->wide, f->filter, around);
  return f;
}

// The transform of p elements, an odd number; those of a pair have conjugate roots.
static void combine_odd(const complex_f64 *roots, int64_t part, int64_t p, const complex_f64 *x,
                        complex_f64 *out, int64_t step) {
  complex_f64 all = x[0];
  for (int64_t r = 1; r <= p / 2; r++) all += x[r] + x[p - r];
  out[0] = all;
  for (int64_t q = 1; q <= p / 2; q++) {
    complex_f64 even = x[0], odd = 0;
    for (int64_t r = 1; r <= p / 2; r++) {
      complex_f64 w = roots[r * q % p * part];
      even += scaled_f64(x[r] + x[p - r], __real__ w);
      odd += scaled_f64(x[r] - x[p - r], __imag__ w);
    }
    odd = make_f64(-__imag__ odd, __real__ odd); // times i
    out[q * step] = even + odd;
    out[(p - q) * step] = even - odd;
  }
}

// Of four parts of a length m, by their real and imaginary numbers side by side.
ND_CLONES static void combine_four(double *out, const double *roots, int64_t m, int64_t turn) {
  double *o0 = out, *o1 = out + 2 * m, *o2 = out + 4 * m, *o3 = out + 6 * m;
  _Pragma("GCC ivdep") for (int64_t k = 0; k < m; k++) {
    const double *u = roots + 2 * k * turn, *v = roots + 4 * k * turn, *w = roots + 6 * k * turn;
    double x0 = o0[2 * k], y0 = o0[2 * k + 1], p1 = o1[2 * k], q1 = o1[2 * k + 1], p2 = o2[2 * k],
           q2 = o2[2 * k + 1], p3 = o3[2 * k], q3 = o3[2 * k + 1];
    double x1 = p1 * u[0] - q1 * u[1], y1 = p1 * u[1] + q1 * u[0];
    double x2 = p2 * v[0] - q2 * v[1], y2 = p2 * v[1] + q2 * v[0];
    double x3 = p3 * w[0] - q3 * w[1], y3 = p3 * w[1] + q3 * w[0];
    double ax = x0 + x2, ay = y0 + y2, bx = x0 - x2, by = y0 - y2;
    double cx = x1 + x3, cy = y1 + y3, dx = y1 - y3, dy = x3 - x1; // times -i
    o0[2 * k] = ax + cx, o0[2 * k + 1] = ay + cy;
    o1[2 * k] = bx + dx, o1[2 * k + 1] = by + dy;
    o2[2 * k] = ax - cx, o2[2 * k + 1] = ay - cy;
    o3[2 * k] = bx - dx, o3[2 * k + 1] = by - dy;
  }
}

// What the parts of a length n / p are put together to, in place.
static void combine(const Fft *f, complex_f64 *out, int64_t n, int64_t p) {
  int64_t m = n / p, turn = f->length / n, part = f->length / p;
  complex_f64 x[LARGE_PRIME];
  if (p == 4) {
    combine_four((double *)out, (const double *)f->roots, m, turn);
    return;
  }
  for (int64_t k = 0; k < m; k++) {
    for (int64_t r = 0; r < p; r++) x[r] = times_f64(out[r * m + k], f->roots[r * k * turn]);
    if (p == 2) {
      out[k] = x[0] + x[1];
      out[m + k] = x[0] - x[1];
    } else {
      combine_odd(f->roots, part, p, x, out + k, m);
    }
  }
}

static void transform(const Fft *f, complex_f64 *out, const complex_f64 *in, int64_t n,
                      int64_t step, const int64_t *factor) {
  int64_t p = *factor;
  if (n == 1) {
    *out = *in;
    return;
  }
  if (n == p && p == 4) {
    complex_f64 a = in[0] + in[2 * step], b = in[0] - in[2 * step], c = in[step] + in[3 * step],
                d = in[step] - in[3 * step];
    d = make_f64(__imag__ d, -__real__ d); // times -i
    out[0] = a + c, out[1] = b + d, out[2] = a - c, out[3] = b - d;
    return;
  }
  for (int64_t r = 0; r < p; r++)
    transform(f, out + r * (n / p), in + r * step, n / p, step * p, factor + 1);
  combine(f, out, n, p);
}

static void run(Arena *arena, const Fft *f, complex_f64 *out, const complex_f64 *in) {
  if (!f->wide) {
    transform(f, out, in, f->length, 1, f->factors);
    return;
  }
  int64_t n = f->length, wide = f->wide->length;
  size_t size = (size_t)wide * sizeof *out;
  complex_f64 *a = arena_alloc_bytes(arena, size), *b = arena_alloc_bytes(arena, size);
  for (int64_t k = 0; k < n; k++) a[k] = times_f64(in[k], f->chirp[k]);
  run(arena, f->wide, b, a);
  // The inverse transform is that of conjugates, conjugated.
  for (int64_t k = 0; k < wide; k++) b[k] = conj(times_f64(b[k], f->filter[k]));
  run(arena, f->wide, a, b);
  for (int64_t k = 0; k < n; k++) {
    complex_f64 z = conj(a[k]);
    out[k] = times_f64(make_f64(__real__ z / (double)wide, __imag__ z / (double)wide), f->chirp[k]);
  }
}

// The transforms of the last dimension of an array of complex128; inverse: with the other sign.
static Value native_transform(Eval *ev, Value *a) {
  const NdArray *x = nd_contiguous(ev, nd_from_value(ev, a[0], DT_C128, "np.fft"));
  bool is_inverse = value_truth(ev, a[1]);
  NdArray *out = nd_new(ev, DT_C128, x->rank, x->dims);
  int64_t n = x->dims[x->rank - 1], rows = n ? nd_count(x) / n : 0;
  if (rows == 0) return v_object(out);
  Fft *f = ev->numpy->last_fft;
  if (!f || f->length != n) ev->numpy->last_fft = f = fft_new(ev->arena, n);
  complex_f64 *row = arena_alloc_bytes(ev->arena, (size_t)n * sizeof *row);
  for (int64_t i = 0; i < rows; i++) {
    complex_f64 *to = (complex_f64 *)out->data + i * n;
    memcpy(row, (const complex_f64 *)x->data + i * n, (size_t)n * sizeof *row);
    for (int64_t k = 0; is_inverse && k < n; k++) row[k] = conj(row[k]);
    run(ev->arena, f, to, row);
    for (int64_t k = 0; is_inverse && k < n; k++) to[k] = conj(to[k]);
  }
  return v_object(out);
}

static const NativeDef natives[] = {
    {"transform(x, inverse)", native_transform},
    {NULL, NULL},
};

const ModuleDef module_np_fft = {.name = "_np_fft", .functions = natives};
