// SPDX-License-Identifier: Apache-2.0
// Passes of Fourier transforms over columns: decimation in frequency with the order mended on the
// way (Stockham's), one pass for each factor of the length.
#include "fft.h"
#include <math.h>
#include <string.h>

// From an angle of at most an eighth of a turn.
void fft_root(int64_t k, int64_t n, double *re, double *im) {
  int64_t eighths = 8 * k / n, rest = 8 * k - eighths * n; // in turns / (8 n)
  bool flips = eighths & 1;
  if (flips) rest = n - rest;
  double angle = 0x1.921fb54442d18p-1 * (double)rest / (double)n;
  double c = cos(angle), s = 3 * rest == 2 * n ? 0.5 : sin(angle), t;
  if (flips) t = c, c = s, s = t;
  for (int64_t quarter = eighths / 2; quarter > 0; quarter--) t = c, c = -s, s = t;
  *re = c, *im = -s;
}

// One pass: `parts` times `radix` rows of `width` numbers, which begin `pitch` apart in x.
typedef struct Pass {
  const double *xr, *xi;
  double *yr, *yi;
  const double *roots; // radix - 1 for each of the parts; of odd passes those of the radix before
  int64_t radix, parts, width, pitch;
} Pass;

#define ROWS_OF(P, R)                                                                              \
  const int64_t n = (P)->width, across = (P)->parts * (P)->pitch;                                  \
  const double *xr = (P)->xr + p * (P)->pitch, *xi = (P)->xi + p * (P)->pitch;                     \
  double *restrict yr = (P)->yr + (R)*p * n, *restrict yi = (P)->yi + (R)*p * n;                   \
  const double *w = (P)->roots + 2 * ((R)-1) * p
#define EACH _Pragma("GCC ivdep") for (int64_t q = 0; q < n; q++)
// What row k of the result is, turned by its root; of the last pass that is 1.
#define PUT(K, RE, IM)                                                                             \
  {                                                                                                \
    double re = RE, im = IM, c = is_last ? 1 : w[2 * (K)-2], s = is_last ? 0 : w[2 * (K)-1];       \
    yr[(K)*n + q] = is_last ? re : re * c - im * s;                                                \
    yi[(K)*n + q] = is_last ? im : re * s + im * c;                                                \
  }
#define INLINE static inline __attribute__((always_inline))
#define PASS_OF(R)                                                                                 \
  ND_CLONES static void pass_##R(const Pass *pass) {                                               \
    if (pass->parts == 1)                                                                          \
      all_of_##R(pass, true);                                                                      \
    else                                                                                           \
      all_of_##R(pass, false);                                                                     \
  }

INLINE void all_of_2(const Pass *pass, bool is_last) {
  for (int64_t p = 0; p < pass->parts; p++) {
    ROWS_OF(pass, 2);
    EACH {
      double ar = xr[q], ai = xi[q], br = xr[across + q], bi = xi[across + q];
      yr[q] = ar + br;
      yi[q] = ai + bi;
      PUT(1, ar - br, ai - bi)
    }
  }
}
PASS_OF(2)

INLINE void all_of_3(const Pass *pass, bool is_last) {
  const double s3 = 0x1.bb67ae8584caap-1; // of 60 degrees
  for (int64_t p = 0; p < pass->parts; p++) {
    ROWS_OF(pass, 3);
    EACH {
      double ar = xr[q], ai = xi[q], br = xr[across + q], bi = xi[across + q],
             cr = xr[2 * across + q], ci = xi[2 * across + q];
      double tr = br + cr, ti = bi + ci, ur = (br - cr) * s3, ui = (bi - ci) * s3;
      double mr = ar - 0.5 * tr, mi = ai - 0.5 * ti;
      yr[q] = ar + tr;
      yi[q] = ai + ti;
      PUT(1, mr + ui, mi - ur)
      PUT(2, mr - ui, mi + ur)
    }
  }
}
PASS_OF(3)

// The transform of four numbers that begin `apart` from each other.
typedef struct FourPoints {
  double r0, i0, r1, i1, r2, i2, r3, i3;
} FourPoints;
INLINE FourPoints four_points(const double *xr, const double *xi, int64_t apart) {
  double ar = xr[0], ai = xi[0], br = xr[apart], bi = xi[apart], cr = xr[2 * apart],
         ci = xi[2 * apart], dr = xr[3 * apart], di = xi[3 * apart];
  double er = ar + cr, ei = ai + ci, fr = ar - cr, fi = ai - ci;
  double gr = br + dr, gi = bi + di, hr = bi - di, hi = dr - br; // times -i
  return (FourPoints){er + gr, ei + gi, fr + hr, fi + hi, er - gr, ei - gi, fr - hr, fi - hi};
}

INLINE void all_of_4(const Pass *pass, bool is_last) {
  for (int64_t p = 0; p < pass->parts; p++) {
    ROWS_OF(pass, 4);
    EACH {
      FourPoints y = four_points(xr + q, xi + q, across);
      yr[q] = y.r0;
      yi[q] = y.i0;
      PUT(1, y.r1, y.i1)
      PUT(2, y.r2, y.i2)
      PUT(3, y.r3, y.i3)
    }
  }
}
PASS_OF(4)

INLINE void all_of_5(const Pass *pass, bool is_last) {
  // Of 72 and 144 degrees.
  const double c1 = 0x1.3c6ef372fe94fp-2, c2 = -0x1.9e3779b97f4a8p-1, s1 = 0x1.e6f0e134454ffp-1,
               s2 = 0x1.2cf2304755a5ep-1;
  for (int64_t p = 0; p < pass->parts; p++) {
    ROWS_OF(pass, 5);
    EACH {
      double ar = xr[q], ai = xi[q], br = xr[across + q], bi = xi[across + q],
             cr = xr[2 * across + q], ci = xi[2 * across + q], dr = xr[3 * across + q],
             di = xi[3 * across + q], er = xr[4 * across + q], ei = xi[4 * across + q];
      double tr = br + er, ti = bi + ei, ur = br - er, ui = bi - ei;
      double vr = cr + dr, vi = ci + di, zr = cr - dr, zi = ci - di;
      double mr = ar + c1 * tr + c2 * vr, mi = ai + c1 * ti + c2 * vi;
      double nr = ar + c2 * tr + c1 * vr, ni = ai + c2 * ti + c1 * vi;
      double or = s1 * ur + s2 * zr, oi = s1 * ui + s2 * zi;
      double pr = s2 * ur - s1 * zr, pi = s2 * ui - s1 * zi;
      yr[q] = ar + tr + vr;
      yi[q] = ai + ti + vi;
      PUT(1, mr + oi, mi - or)
      PUT(2, nr + pi, ni - pr)
      PUT(3, nr - pi, ni + pr)
      PUT(4, mr - oi, mi + or)
    }
  }
}
PASS_OF(5)

// Radix 8: two transforms of four, of the even and of the odd ones of eight.
INLINE void all_of_8(const Pass *pass, bool is_last) {
  const double h = 0x1.6a09e667f3bcdp-1; // of 45 degrees
  for (int64_t p = 0; p < pass->parts; p++) {
    ROWS_OF(pass, 8);
    EACH {
      FourPoints e = four_points(xr + q, xi + q, 2 * across);
      FourPoints o = four_points(xr + across + q, xi + across + q, 2 * across);
      double t1r = (o.r1 + o.i1) * h, t1i = (o.i1 - o.r1) * h;  // times (1 - i) / sqrt 2
      double t3r = (o.i3 - o.r3) * h, t3i = -(o.r3 + o.i3) * h; // times (-1 - i) / sqrt 2
      yr[q] = e.r0 + o.r0;
      yi[q] = e.i0 + o.i0;
      PUT(1, e.r1 + t1r, e.i1 + t1i)
      PUT(2, e.r2 + o.i2, e.i2 - o.r2)
      PUT(3, e.r3 + t3r, e.i3 + t3i)
      PUT(4, e.r0 - o.r0, e.i0 - o.i0)
      PUT(5, e.r1 - t1r, e.i1 - t1i)
      PUT(6, e.r2 - o.i2, e.i2 + o.r2)
      PUT(7, e.r3 - t3r, e.i3 - t3i)
    }
  }
}
PASS_OF(8)

typedef double Wide __attribute__((vector_size(64)));
enum { WIDE = 8 };

INLINE void take(Wide *to, const double *from, int64_t wide) {
  if (wide == WIDE) {
    memcpy(to, from, sizeof *to);
    return;
  }
  double some[WIDE] = {0};
  for (int64_t q = 0; q < wide; q++) some[q] = from[q];
  memcpy(to, some, sizeof some);
}
INLINE void put(double *to, const Wide *from, int64_t wide) {
  if (wide == WIDE)
    memcpy(to, from, sizeof *from);
  else
    for (int64_t q = 0; q < wide; q++) to[q] = (*from)[q];
}

// Any odd radix, eight columns at a time: the rows of a pair have conjugate roots.
ND_CLONES static void pass_odd(const Pass *pass) {
  const int64_t radix = pass->radix, half = radix / 2, n = pass->width,
                across = pass->parts * pass->pitch;
  const double *own = pass->roots;
  for (int64_t p = 0; p < pass->parts; p++)
    for (int64_t at = 0; at < n; at += WIDE) {
      Wide sr[FFT_LARGE_PRIME / 2 + 1], si[FFT_LARGE_PRIME / 2 + 1], dr[FFT_LARGE_PRIME / 2 + 1],
          di[FFT_LARGE_PRIME / 2 + 1], ar, ai, br, bi;
      const int64_t wide = n - at < WIDE ? n - at : WIDE;
      const double *xr = pass->xr + p * pass->pitch + at, *xi = pass->xi + p * pass->pitch + at;
      double *yr = pass->yr + radix * p * n + at, *yi = pass->yi + radix * p * n + at;
      take(sr, xr, wide), take(si, xi, wide);
      Wide er = sr[0], ei = si[0];
      for (int64_t r = 1; r <= half; r++) {
        take(&ar, xr + r * across, wide), take(&ai, xi + r * across, wide);
        take(&br, xr + (radix - r) * across, wide), take(&bi, xi + (radix - r) * across, wide);
        sr[r] = ar + br, si[r] = ai + bi, dr[r] = ar - br, di[r] = ai - bi;
        er += sr[r], ei += si[r];
      }
      put(yr, &er, wide), put(yi, &ei, wide);
      const double *turns = own + 2 * radix + 2 * (radix - 1) * p;
      for (int64_t k = 1; k <= half; k++) {
        Wide or = {0}, oi = {0};
        er = sr[0], ei = si[0];
        for (int64_t r = 1, turn = k; r <= half; r++, turn += k) {
          if (turn >= radix) turn -= radix;
          const double *w = own + 2 * turn;
          er += sr[r] * w[0], ei += si[r] * w[0];
          or += dr[r] * w[1], oi += di[r] * w[1];
        }
        const double *u = turns + 2 * (k - 1), *v = turns + 2 * (radix - k - 1);
        ar = er - oi, ai = ei + or, br = er + oi, bi = ei - or ;
        er = ar * u[0] - ai * u[1], ei = ar * u[1] + ai * u[0];
        put(yr + k * n, &er, wide), put(yi + k * n, &ei, wide);
        er = br * v[0] - bi * v[1], ei = br * v[1] + bi * v[0];
        put(yr + (radix - k) * n, &er, wide), put(yi + (radix - k) * n, &ei, wide);
      }
    }
}

static bool has_own_pass(int64_t radix) { return radix <= 5 || radix == 8; }

static void run_pass(const Pass *pass) {
  switch (pass->radix) {
  case 2: pass_2(pass); break;
  case 3: pass_3(pass); break;
  case 4: pass_4(pass); break;
  case 5: pass_5(pass); break;
  case 8: pass_8(pass); break;
  default: pass_odd(pass);
  }
}

// ---- columns ------------------------------------------------------------------------------------

int64_t fft_columns_room(FftColumns *columns, int64_t length) {
  *columns = (FftColumns){.length = length};
  int64_t rest = length, room = 0;
  static const int64_t first[] = {8, 4, 2, 3, 5};
  for (size_t i = 0; i < COUNT_OF(first); i++) {
    int64_t radix = first[i];
    // Sixteen are four fours rather than eight twos.
    for (; rest % radix == 0 && !(radix == 8 && rest % 16 == 0 && rest / 16 % 2); rest /= radix)
      columns->radices[columns->count++] = radix;
  }
  for (int64_t radix = 7; rest > 1; radix += 2)
    for (; rest % radix == 0; rest /= radix) columns->radices[columns->count++] = radix;
  for (int i = 0; i < columns->count; i++) {
    int64_t radix = columns->radices[i];
    length /= radix;
    room += 2 * length * (radix - 1) + (has_own_pass(radix) ? 0 : 2 * radix);
  }
  return room;
}

void fft_columns_fill(FftColumns *columns, double *room) {
  int64_t length = columns->length;
  for (int i = 0; i < columns->count; i++) {
    int64_t radix = columns->radices[i], parts = length / radix;
    columns->roots[i] = room;
    for (int64_t k = 0; !has_own_pass(radix) && k < radix; k++, room += 2)
      fft_root(k, radix, room, room + 1);
    for (int64_t p = 0; p < parts; p++)
      for (int64_t k = 1; k < radix; k++, room += 2) fft_root(p * k, length, room, room + 1);
    length = parts;
  }
}

FftParts fft_columns_run(const FftColumns *columns, FftParts x, int64_t pitch, int64_t lanes,
                         FftParts a, FftParts b) {
  int64_t length = columns->length, width = lanes;
  FftParts to = a, other = b;
  for (int i = 0; i < columns->count; i++) {
    int64_t radix = columns->radices[i];
    length /= radix;
    run_pass(&(Pass){x.re, x.im, to.re, to.im, columns->roots[i], radix, length, width, pitch});
    width *= radix;
    pitch = width;
    x = to, to = other, other = x;
  }
  return x;
}

// ---- between the passes -------------------------------------------------------------------------

enum { SIDE = 8 }; // of the squares that are turned at a time

typedef double Four __attribute__((vector_size(32)));
typedef double Loose __attribute__((vector_size(32), aligned(8), may_alias));
typedef int64_t Order __attribute__((vector_size(32)));

// Four rows of four numbers become columns, w, x, y and z.
#define TURN(a, b, c, d)                                                                           \
  const Order even = {0, 4, 2, 6}, odd = {1, 5, 3, 7}, low = {0, 1, 4, 5}, high = {2, 3, 6, 7};    \
  Four p = __builtin_shuffle(a, b, even), q = __builtin_shuffle(a, b, odd),                        \
       r = __builtin_shuffle(c, d, even), s = __builtin_shuffle(c, d, odd);                        \
  Four w = __builtin_shuffle(p, r, low), x = __builtin_shuffle(q, s, low),                         \
       y = __builtin_shuffle(p, r, high), z = __builtin_shuffle(q, s, high)

INLINE void turn_4(double *to, int64_t to_pitch, const double *from, int64_t pitch) {
  Four a = *(const Loose *)from, b = *(const Loose *)(from + pitch),
       c = *(const Loose *)(from + 2 * pitch), d = *(const Loose *)(from + 3 * pitch);
  TURN(a, b, c, d);
  *(Loose *)to = w;
  *(Loose *)(to + to_pitch) = x;
  *(Loose *)(to + 2 * to_pitch) = y;
  *(Loose *)(to + 3 * to_pitch) = z;
}

// A square of at most eight a side.
INLINE void turn_8(double *y, int64_t to, const double *x, int64_t from, int64_t rows,
                   int64_t columns) {
  if (rows == SIDE && columns == SIDE) {
    turn_4(y, to, x, from);
    turn_4(y + 4, to, x + 4 * from, from);
    turn_4(y + 4 * to, to, x + 4, from);
    turn_4(y + 4 * to + 4, to, x + 4 * from + 4, from);
    return;
  }
  for (int64_t c = 0; c < columns; c++)
    for (int64_t r = 0; r < rows; r++) y[c * to + r] = x[r * from + c];
}

ND_CLONES static void turned(FftParts to, FftParts x, FftParts factors, int64_t pitch, int64_t n,
                             int64_t lanes) {
  for (int64_t k = 0; k < n; k += SIDE)
    for (int64_t j = 0; j < lanes; j += SIDE) {
      double re[SIDE][SIDE], im[SIDE][SIDE];
      int64_t rows = n - k < SIDE ? n - k : SIDE, columns = lanes - j < SIDE ? lanes - j : SIDE;
      for (int64_t r = 0; r < rows; r++) {
        const double *xr = x.re + (k + r) * lanes + j, *xi = x.im + (k + r) * lanes + j,
                     *wr = factors.re + (k + r) * pitch + j, *wi = factors.im + (k + r) * pitch + j;
        _Pragma("GCC ivdep") for (int64_t c = 0; c < columns; c++) {
          re[r][c] = xr[c] * wr[c] - xi[c] * wi[c];
          im[r][c] = xr[c] * wi[c] + xi[c] * wr[c];
        }
      }
      turn_8(to.re + j * n + k, n, re[0], SIDE, rows, columns);
      turn_8(to.im + j * n + k, n, im[0], SIDE, rows, columns);
    }
}

void fft_turn(FftParts to, FftParts x, FftParts factors, int64_t pitch, int64_t n, int64_t lanes) {
  turned(to, x, factors, pitch, n, lanes);
}

ND_CLONES static void times(FftParts x, FftParts y, int64_t count) {
  double *restrict xr = x.re, *restrict xi = x.im;
  const double *yr = y.re, *yi = y.im;
  for (int64_t i = 0; i < count; i++) {
    double re = xr[i] * yr[i] - xi[i] * yi[i], im = xr[i] * yi[i] + xi[i] * yr[i];
    xr[i] = re, xi[i] = im;
  }
}

void fft_times(FftParts x, FftParts y, int64_t count) { times(x, y, count); }

// ---- from and to arrays -------------------------------------------------------------------------

static bool are_close(const char *const *at, int64_t lanes, int64_t size) {
  for (int64_t j = 1; j < lanes; j++)
    if (at[j] != at[0] + j * size) return false;
  return lanes > 1;
}

// Complex numbers side by side as their parts, and back; I: the integer type of the width of T.
#define PARTS(T, I)                                                                                \
  typedef T Four_##T __attribute__((vector_size(4 * sizeof(T))));                                  \
  typedef T Loose_##T __attribute__((vector_size(4 * sizeof(T)), aligned(1), may_alias));          \
  typedef I Order_##T __attribute__((vector_size(4 * sizeof(T))));                                 \
  INLINE void part_##T(double *re, double *im, const char *from, int64_t count) {                  \
    int64_t k = 0;                                                                                 \
    for (; k + 4 <= count; k += 4) {                                                               \
      const Loose_##T *at = (const Loose_##T *)(from + 2 * k * (int64_t)sizeof(T));                \
      Four_##T a = at[0], b = at[1];                                                               \
      Four_##T r = __builtin_shuffle(a, b, (Order_##T){0, 2, 4, 6}),                               \
               i = __builtin_shuffle(a, b, (Order_##T){1, 3, 5, 7});                               \
      *(Loose *)(re + k) = __builtin_convertvector(r, Four);                                       \
      *(Loose *)(im + k) = __builtin_convertvector(i, Four);                                       \
    }                                                                                              \
    for (; k < count; k++) {                                                                       \
      re[k] = (double)((const ND_ELEMENT(T) *)from)[2 * k];                                        \
      im[k] = (double)((const ND_ELEMENT(T) *)from)[2 * k + 1];                                    \
    }                                                                                              \
  }                                                                                                \
  INLINE void whole_##T(char *to, const double *re, const double *im, int64_t count,               \
                        double scale) {                                                            \
    int64_t k = 0;                                                                                 \
    for (; k + 4 <= count; k += 4) {                                                               \
      Loose_##T *at = (Loose_##T *)(to + 2 * k * (int64_t)sizeof(T));                              \
      Four_##T r = __builtin_convertvector(*(const Loose *)(re + k) * scale, Four_##T),            \
               i = __builtin_convertvector(*(const Loose *)(im + k) * scale, Four_##T);            \
      at[0] = __builtin_shuffle(r, i, (Order_##T){0, 4, 1, 5});                                    \
      at[1] = __builtin_shuffle(r, i, (Order_##T){2, 6, 3, 7});                                    \
    }                                                                                              \
    for (; k < count; k++) {                                                                       \
      ((ND_ELEMENT(T) *)to)[2 * k] = (T)(re[k] * scale);                                           \
      ((ND_ELEMENT(T) *)to)[2 * k + 1] = (T)(im[k] * scale);                                       \
    }                                                                                              \
  }                                                                                                \
  /* Two numbers of each of four columns. */                                                       \
  INLINE void in_##T(double *re, double *im, int64_t lanes, const char *const *from, int64_t at) { \
    Four a = __builtin_convertvector(*(const Loose_##T *)(from[0] + at), Four),                    \
         b = __builtin_convertvector(*(const Loose_##T *)(from[1] + at), Four),                    \
         c = __builtin_convertvector(*(const Loose_##T *)(from[2] + at), Four),                    \
         d = __builtin_convertvector(*(const Loose_##T *)(from[3] + at), Four);                    \
    TURN(a, b, c, d);                                                                              \
    *(Loose *)re = w;                                                                              \
    *(Loose *)im = x;                                                                              \
    *(Loose *)(re + lanes) = y;                                                                    \
    *(Loose *)(im + lanes) = z;                                                                    \
  }                                                                                                \
  INLINE void out_##T(char *const *to, int64_t at, const double *re, const double *im,             \
                      int64_t lanes, double scale) {                                               \
    Four a = *(const Loose *)re * scale, b = *(const Loose *)im * scale,                           \
         c = *(const Loose *)(re + lanes) * scale, d = *(const Loose *)(im + lanes) * scale;       \
    TURN(a, b, c, d);                                                                              \
    *(Loose_##T *)(to[0] + at) = __builtin_convertvector(w, Four_##T);                             \
    *(Loose_##T *)(to[1] + at) = __builtin_convertvector(x, Four_##T);                             \
    *(Loose_##T *)(to[2] + at) = __builtin_convertvector(y, Four_##T);                             \
    *(Loose_##T *)(to[3] + at) = __builtin_convertvector(z, Four_##T);                             \
  }
PARTS(float, int32_t)
PARTS(double, int64_t)

#define LOAD(name, T)                                                                              \
  ND_CLONES static void name(double *restrict re, double *restrict im, const char *const *from,    \
                             int64_t step, int64_t apart, int64_t count, int64_t lanes) {          \
    typedef ND_ELEMENT(T) Element;                                                                 \
    const int64_t size = (int64_t)sizeof(T);                                                       \
    if (lanes == 1 && step == 2 * size && apart == size) {                                         \
      part_##T(re, im, from[0], count);                                                            \
    } else if (apart == size && are_close(from, lanes, 2 * size)) {                                \
      for (int64_t k = 0; k < count; k++)                                                          \
        part_##T(re + k * lanes, im + k * lanes, from[0] + k * step, lanes);                       \
    } else if (are_close(from, lanes, size)) {                                                     \
      for (int64_t k = 0; k < count; k++) {                                                        \
        const Element *x = (const Element *)(from[0] + k * step),                                  \
                      *y = (const Element *)(from[0] + k * step + apart);                          \
        double *r = re + k * lanes, *i = im + k * lanes;                                           \
        _Pragma("GCC ivdep") for (int64_t j = 0; j < lanes; j++) {                                 \
          r[j] = (double)x[j];                                                                     \
          i[j] = apart ? (double)y[j] : 0;                                                         \
        }                                                                                          \
      }                                                                                            \
    } else {                                                                                       \
      int64_t j = 0, pairs = step == 2 * size && apart == size ? count / 2 : 0;                    \
      for (; pairs && j + 4 <= lanes; j += 4) {                                                    \
        const char *const *x = from + j;                                                           \
        for (int64_t k = 0; k < 2 * pairs; k += 2)                                                 \
          in_##T(re + k * lanes + j, im + k * lanes + j, lanes, x, k * step);                      \
        for (int64_t k = 2 * pairs; k < count; k++)                                                \
          for (int64_t c = 0; c < 4; c++) {                                                        \
            re[k * lanes + j + c] = (double)*(const Element *)(x[c] + k * step);                   \
            im[k * lanes + j + c] = (double)*(const Element *)(x[c] + k * step + apart);           \
          }                                                                                        \
      }                                                                                            \
      for (; j < lanes; j++)                                                                       \
        for (int64_t k = 0; k < count; k++) {                                                      \
          const char *x = from[j] + k * step;                                                      \
          re[k * lanes + j] = (double)*(const Element *)x;                                         \
          im[k * lanes + j] = apart ? (double)*(const Element *)(x + apart) : 0;                   \
        }                                                                                          \
    }                                                                                              \
  }
LOAD(load_f32, float)
LOAD(load_f64, double)

#define STORE(name, T)                                                                             \
  ND_CLONES static void name(char *const *to, int64_t step, int64_t apart, const double *re,       \
                             const double *im, int64_t count, int64_t lanes, double scale) {       \
    typedef ND_ELEMENT(T) Element;                                                                 \
    const int64_t size = (int64_t)sizeof(T);                                                       \
    if (lanes == 1 && step == 2 * size && apart == size) {                                         \
      whole_##T(to[0], re, im, count, scale);                                                      \
    } else if (apart == size && are_close((const char *const *)to, lanes, 2 * size)) {             \
      for (int64_t k = 0; k < count; k++)                                                          \
        whole_##T(to[0] + k * step, re + k * lanes, im + k * lanes, lanes, scale);                 \
    } else {                                                                                       \
      int64_t j = 0, pairs = step == 2 * size && apart == size ? count / 2 : 0;                    \
      for (; pairs && j + 4 <= lanes; j += 4) {                                                    \
        char *const *x = to + j;                                                                   \
        for (int64_t k = 0; k < 2 * pairs; k += 2)                                                 \
          out_##T(x, k *step, re + k * lanes + j, im + k * lanes + j, lanes, scale);               \
        for (int64_t k = 2 * pairs; k < count; k++)                                                \
          for (int64_t c = 0; c < 4; c++) {                                                        \
            *(Element *)(x[c] + k * step) = (T)(re[k * lanes + j + c] * scale);                    \
            *(Element *)(x[c] + k * step + apart) = (T)(im[k * lanes + j + c] * scale);            \
          }                                                                                        \
      }                                                                                            \
      for (; j < lanes; j++)                                                                       \
        for (int64_t k = 0; k < count; k++) {                                                      \
          char *x = to[j] + k * step;                                                              \
          *(Element *)x = (T)(re[k * lanes + j] * scale);                                          \
          if (apart) *(Element *)(x + apart) = (T)(im[k * lanes + j] * scale);                     \
        }                                                                                          \
    }                                                                                              \
  }
STORE(store_f32, float)
STORE(store_f64, double)

void fft_load(DType part, FftParts to, const char *const *from, int64_t step, int64_t apart,
              int64_t count, int64_t lanes) {
  (part == DT_F32 ? load_f32 : load_f64)(to.re, to.im, from, step, apart, count, lanes);
}

void fft_store(DType part, char *const *to, int64_t step, int64_t apart, FftParts from,
               int64_t count, int64_t lanes, double scale) {
  (part == DT_F32 ? store_f32 : store_f64)(to, step, apart, from.re, from.im, count, lanes, scale);
}

// ---- real numbers -------------------------------------------------------------------------------

// X_k and the conjugate of X_(h-k): what the even numbers give, and the odd ones times a root.
#define SPLIT(A, B, C, S)                                                                          \
  {                                                                                                \
    double ar = re[A], ai = im[A], br = re[B], bi = im[B];                                         \
    double er = ar + br, ei = ai - bi, pr = ai + bi, pi = br - ar;                                 \
    double tr = pr * (C)-pi * (S), ti = pr * (S) + pi * (C);                                       \
    re[A] = er + tr, im[A] = ei + ti;                                                              \
    re[B] = er - tr, im[B] = ti - ei;                                                              \
  }
#define JOIN(A, B, C, S)                                                                           \
  {                                                                                                \
    double ar = re[A], ai = im[A], br = re[B], bi = im[B];                                         \
    double er = ar + br, ei = ai - bi, dr = ar - br, di = ai + bi;                                 \
    double pr = dr * (C) + di * (S), pi = di * (C)-dr * (S);                                       \
    re[A] = er - pi, im[A] = ei + pr;                                                              \
    re[B] = er + pi, im[B] = pr - ei;                                                              \
  }
// Rows 1 to h - 1; the one in the middle is paired with itself.
#define PAIRS(WHAT)                                                                                \
  const double *c = roots.re, *s = roots.im;                                                       \
  int64_t pairs = (h - 1) / 2;                                                                     \
  if (lanes == 1) {                                                                                \
    _Pragma("GCC ivdep") for (int64_t k = 1; k <= pairs; k++) WHAT(k, h - k, c[k], s[k])           \
  } else {                                                                                         \
    for (int64_t k = 1; k <= pairs; k++)                                                           \
      _Pragma("GCC ivdep") for (int64_t j = 0; j < lanes; j++)                                     \
          WHAT(k *lanes + j, (h - k) * lanes + j, c[k], s[k])                                      \
  }

ND_CLONES static void split_halves(FftParts x, FftParts roots, int64_t h, int64_t lanes) {
  double *restrict re = x.re, *restrict im = x.im;
  PAIRS(SPLIT)
  for (int64_t j = 0; j < lanes; j++) {
    double a = re[j], b = im[j];
    re[j] = 2 * (a + b), re[h * lanes + j] = 2 * (a - b);
    im[j] = im[h * lanes + j] = 0;
  }
  for (int64_t j = h / 2 * lanes; h % 2 == 0 && j < (h / 2 + 1) * lanes; j++)
    re[j] *= 2, im[j] *= -2;
}

void fft_split_halves(FftParts x, FftParts roots, int64_t h, int64_t lanes) {
  split_halves(x, roots, h, lanes);
}

ND_CLONES static void join_halves(FftParts x, FftParts roots, int64_t h, int64_t lanes) {
  double *restrict re = x.re, *restrict im = x.im;
  PAIRS(JOIN)
  for (int64_t j = 0; j < lanes; j++) {
    double a = re[j], b = re[h * lanes + j];
    re[j] = a + b, im[j] = a - b;
  }
  for (int64_t j = h / 2 * lanes; h % 2 == 0 && j < (h / 2 + 1) * lanes; j++)
    re[j] *= 2, im[j] *= -2;
}

void fft_join_halves(FftParts x, FftParts roots, int64_t h, int64_t lanes) {
  join_halves(x, roots, h, lanes);
}
