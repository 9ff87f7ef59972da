// SPDX-License-Identifier: Apache-2.0
// Normal and exponential deviates and those by inversion: the tables of the ziggurat
// (np_deviates.h).
#include "np_deviates.h"
#include "numpy/numpy_state.h"
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// Where the ziggurat's lowest layer ends, and the area of a layer.
#define ZIGGURAT_R     3.6541528853610088
#define ZIGGURAT_AREA  0x1.43016a5a4372ep-8
#define ZIGGURAT_EXP_R 7.6971174701310497

// The tables of the ziggurat, with `bits` bits in a layer. Each layer follows from the one below it
// and multiplies its rounding errors. How much of a layer is accepted at once is cut off in NumPy's
// wide tables and rounded in its narrow ones.
static double rounding(int bits) { return bits < 32 ? 0.5 : 0; }

// For the normal density NumPy's tables hold those of a computation in double, which is repeated
// here.
static double density(double x) { return exp(-0.5 * x * x); }

static void make_normal(Ziggurat *z, int bits) {
  double scale = ldexp(1, bits), d = ZIGGURAT_R, t = d, q = ZIGGURAT_AREA / density(d);
  *z = (Ziggurat){.k[0] = (uint64_t)(d / q * scale), .w[0] = q / scale, .f[0] = 1};
  z->w[LAYERS - 1] = d / scale;
  z->f[LAYERS - 1] = density(d);
  for (int i = LAYERS - 2; i >= 1; i--) {
    d = sqrt(-2 * log(ZIGGURAT_AREA / d + density(d)));
    if (i == 37) d -= 0x1p-52; // the library that made NumPy's table was off here
    z->k[i + 1] = (uint64_t)(d / t * scale + rounding(bits));
    t = d;
    z->f[i] = density(d);
    z->w[i] = d / scale;
  }
}

// For the exponential density they are exact: all is computed with 113 bits of mantissa.
#if LDBL_MANT_DIG >= 113
typedef long double Wide;
#else
typedef __float128 Wide;
#endif

static Wide wide_exp(Wide x) {
  Wide y = x / 1024, term = 1, sum = 1;
  for (int i = 1; i < 24; i++) sum += term *= y / i;
  for (int i = 0; i < 10; i++) sum *= sum;
  return sum;
}

static Wide wide_log(Wide x) {
  Wide y = (Wide)logl((long double)x);
  for (int i = 0; i < 2; i++) y += x * wide_exp(-y) - 1;
  return y;
}

static void make_exponential(Ziggurat *z, int bits) {
  Wide e14 = 1e14, scale = ldexp(1, bits), d = 769711747013104 / e14 + 97140446280481 / e14 / e14,
       t = d;
  Wide area = (d + 1) * wide_exp(-d), q = d + 1;
  *z = (Ziggurat){.k[0] = (uint64_t)(d / q * scale), .w[0] = (double)(q / scale), .f[0] = 1};
  z->w[LAYERS - 1] = (double)(d / scale);
  z->f[LAYERS - 1] = (double)wide_exp(-d);
  for (int i = LAYERS - 2; i >= 1; i--) {
    d = -wide_log(area / d + wide_exp(-d));
    z->k[i + 1] = (uint64_t)(d / t * scale + rounding(bits));
    t = d;
    z->f[i] = (double)wide_exp(-d);
    z->w[i] = (double)(d / scale);
  }
}

// NumPy's tables of exponential deviates in single precision have been written with nine digits,
// and are read from those.
static void round_digits(Ziggurat *z) {
  char text[32];
  for (int i = 0; i < LAYERS; i++) {
    double *const numbers[] = {&z->w[i], &z->f[i]};
    for (int k = 0; k < 2; k++) {
      snprintf(text, sizeof text, "%.8e", *numbers[k]);
      *numbers[k] = strtod(text, NULL);
    }
  }
}

const Ziggurats *ziggurats(Eval *ev) {
  Ziggurats *z = ev->numpy->ziggurats;
  if (z) return z;
  z = ev->numpy->ziggurats = ARENA_NEW(ev->arena, Ziggurats);
  make_normal(&z->wide, 52);
  make_normal(&z->narrow, 23);
  make_exponential(&z->exponential, 53);
  make_exponential(&z->narrow_exponential, 23);
  round_digits(&z->narrow_exponential);
  return z;
}

double polar_normal(Stream *s) {
  if (s->has_gauss) {
    s->has_gauss = false;
    return s->gauss;
  }
  double x, y, r;
  do {
    x = 2 * stream_next_double(s) - 1;
    y = 2 * stream_next_double(s) - 1;
    r = x * x + y * y;
  } while (r >= 1 || r == 0);
  double f = sqrt(-2 * log(r) / r);
  s->gauss = f * x;
  s->has_gauss = true;
  return f * y;
}

double draw_normal(Stream *s, const Ziggurats *all) {
  const Ziggurat *z = &all->wide;
  if (s->is_old) return polar_normal(s);
  const double r = ZIGGURAT_R, inverse = 1 / r;
  for (;;) {
    uint64_t bits = stream_next64(s);
    unsigned layer = bits & 0xff;
    bits >>= 8;
    uint64_t magnitude = bits >> 1 & 0x000fffffffffffffu;
    double x = (double)magnitude * z->w[layer];
    if (bits & 1) x = -x;
    if (magnitude < z->k[layer]) return x;
    if (layer == 0) {
      for (;;) {
        double a = -inverse * log1p(-stream_next_double(s)), b = -log1p(-stream_next_double(s));
        if (b + b > a * a) return magnitude >> 8 & 1 ? -(r + a) : r + a;
      }
    }
    if ((z->f[layer - 1] - z->f[layer]) * stream_next_double(s) + z->f[layer] < exp(-0.5 * x * x))
      return x;
  }
}

float draw_normal_float(Stream *s, const Ziggurat *z) {
  const float r = (float)ZIGGURAT_R, inverse = (float)(1 / ZIGGURAT_R);
  for (;;) {
    uint32_t bits = stream_next32(s);
    unsigned layer = bits & 0xff;
    uint32_t magnitude = bits >> 9 & 0x7fffff;
    float x = (float)magnitude * (float)z->w[layer];
    if (bits >> 8 & 1) x = -x;
    if (magnitude < z->k[layer]) return x;
    if (layer == 0) {
      for (;;) {
        float a = -inverse * log1pf(-stream_next_float(s)), b = -log1pf(-stream_next_float(s));
        if (b + b > a * a) return magnitude >> 8 & 1 ? -(r + a) : r + a;
      }
    }
    float low = (float)z->f[layer], high = (float)z->f[layer - 1];
    if ((high - low) * stream_next_float(s) + low < (float)exp(-0.5 * (double)x * (double)x))
      return x;
  }
}

double draw_exponential(Stream *s, const Ziggurats *all) {
  const Ziggurat *z = &all->exponential;
  if (s->is_old) return -log(1 - stream_next_double(s));
  for (;;) {
    uint64_t bits = stream_next64(s) >> 3;
    unsigned layer = bits & 0xff;
    bits >>= 8;
    double x = (double)bits * z->w[layer];
    if (bits < z->k[layer]) return x;
    if (layer == 0) return ZIGGURAT_EXP_R - log1p(-stream_next_double(s));
    if ((z->f[layer - 1] - z->f[layer]) * stream_next_double(s) + z->f[layer] < exp(-x)) return x;
  }
}

float draw_exponential_float(Stream *s, const Ziggurat *z) {
  for (;;) {
    uint32_t bits = stream_next32(s) >> 1;
    unsigned layer = bits & 0xff;
    bits >>= 8;
    float x = (float)bits * (float)z->w[layer];
    if (bits < z->k[layer]) return x;
    if (layer == 0) return (float)ZIGGURAT_EXP_R - log1pf(-stream_next_float(s));
    float low = (float)z->f[layer], high = (float)z->f[layer - 1];
    if ((high - low) * stream_next_float(s) + low < expf(-x)) return x;
  }
}

// By inversion, of a uniform number that lies inside.
double draw_inverted(Stream *s, Draw kind) {
  for (;;) {
    double u = stream_next_double(s);
    if (kind == DRAW_LAPLACE && u >= 0.5) return -log(2 - u - u);
    if (kind == DRAW_LAPLACE && u > 0) return log(u + u);
    if (kind == DRAW_GUMBEL && 1 - u < 1) return -log(-log(1 - u));
    if (kind == DRAW_LOGISTIC && u > 0) return log(u / (1 - u));
  }
}
