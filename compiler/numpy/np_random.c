// SPDX-License-Identifier: Apache-2.0
// numpy.random's bit streams and the distributions that host code draws test data from: PCG64 with
// SeedSequence (default_rng), and the Mersenne Twister (np.random.seed and friends). Streams are
// NumPy's to the bit.
//   PCG64: O'Neill 2014, XSL-RR output. Normal deviates:
//   Marsaglia and Tsang 2000 (ziggurat, 256
//   layers) for Generator, Marsaglia's polar method for the older functions. Bounded integers:
//   Lemire 2019, and masks with rejection.
#include "base/twister.h"
#include "dtype_object.h"
#include "nd.h"
#include "numpy_state.h"
#include "python/modules/module.h"
#include "nd_shape.h"
#include "python/objects/convert.h"
#include "python/objects/fresh.h"
#include "python/values/make.h"
#include "python/objects/protocol.h"
#include "python/values/raise.h"
#include "python/objects/type.h"
#include <float.h>
#include <math.h>
#include <string.h>

typedef unsigned __int128 u128;
enum { LAYERS = 256 };
// Where the ziggurat's lowest layer ends, and the area of a layer.
#define ZIGGURAT_R     3.6541528853610088
#define ZIGGURAT_AREA  0x1.43016a5a4372ep-8
#define ZIGGURAT_EXP_R 7.6971174701310497

typedef struct Ziggurat {
  uint64_t k[LAYERS];
  double w[LAYERS], f[LAYERS];
} Ziggurat;

typedef struct Stream {
  Object base;
  bool is_mt;
  u128 state, increment; // PCG64
  bool has_half;         // the upper 32 bits of the last draw are still to be used
  uint32_t half;
  Twister twister;
  bool has_gauss;
  double gauss;
  uint32_t buffer; // bits of the last draw that small integers have not used up …
  int buffered;    // … and for how many of them they last
} Stream;

typedef enum Draw {
  DRAW_UNIT,
  DRAW_NORMAL,
  DRAW_INTEGERS,
  DRAW_EXPONENTIAL,
  DRAW_LAPLACE,
  DRAW_GUMBEL,
  DRAW_LOGISTIC
} Draw;

// ---- seeding ------------------------------------------------------------------------------------

static uint32_t hash_mix(uint32_t value, uint32_t *constant) {
  value ^= *constant;
  *constant *= 0x931e8875u;
  value *= *constant;
  return value ^ value >> 16;
}

static uint32_t mix(uint32_t x, uint32_t y) {
  uint32_t r = 0xca01f9ddu * x - 0x4973f715u * y;
  return r ^ r >> 16;
}

// SeedSequence(words).generate_state(wanted).
static void seed_sequence(size_t count, const uint32_t *words, size_t wanted, uint32_t *out) {
  uint32_t pool[4], constant = 0x43b0d7e5u;
  for (size_t i = 0; i < 4; i++) pool[i] = hash_mix(i < count ? words[i] : 0, &constant);
  for (size_t s = 0; s < 4; s++)
    for (size_t d = 0; d < 4; d++)
      if (s != d) pool[d] = mix(pool[d], hash_mix(pool[s], &constant));
  for (size_t s = 4; s < count; s++)
    for (size_t d = 0; d < 4; d++) pool[d] = mix(pool[d], hash_mix(words[s], &constant));
  constant = 0x8b51f9ddu;
  for (size_t i = 0; i < wanted; i++) {
    uint32_t v = pool[i % 4] ^ constant;
    constant *= 0x58f38dedu;
    v *= constant;
    out[i] = v ^ v >> 16;
  }
}

static void pcg_step(Stream *s) {
  const u128 multiplier = (u128)2549297995355413924ull << 64 | 4865540595714422341ull;
  s->state = s->state * multiplier + s->increment;
}

static void pcg_seed(Stream *s, size_t count, const uint32_t *words) {
  uint32_t w[8];
  uint64_t v[4];
  seed_sequence(count, words, COUNT_OF(w), w);
  for (int i = 0; i < 4; i++) v[i] = w[2 * i] | (uint64_t)w[2 * i + 1] << 32;
  s->increment = ((u128)v[2] << 64 | v[3]) << 1 | 1;
  s->state = 0;
  pcg_step(s);
  s->state += (u128)v[0] << 64 | v[1];
  pcg_step(s);
}

// The tables of the ziggurat, with `bits` bits in a layer. Each layer follows from the one below it
// and multiplies its rounding errors.
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
    z->k[i + 1] = (uint64_t)(d / t * scale);
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
    z->k[i + 1] = (uint64_t)(d / t * scale);
    t = d;
    z->f[i] = (double)wide_exp(-d);
    z->w[i] = (double)(d / scale);
  }
}

typedef struct Ziggurats {
  Ziggurat wide, narrow, exponential; // normal for double and for float; exponential for double
} Ziggurats;

static const Ziggurats *ziggurats(Eval *ev) {
  Ziggurats *z = ev->numpy->ziggurats;
  if (z) return z;
  z = ev->numpy->ziggurats = ARENA_NEW(ev->arena, Ziggurats);
  make_normal(&z->wide, 52);
  make_normal(&z->narrow, 23);
  make_exponential(&z->exponential, 53);
  return z;
}

// ---- bits ---------------------------------------------------------------------------------------

static uint64_t next64(Stream *s) {
  if (s->is_mt) {
    uint64_t high = twister_next(&s->twister);
    return high << 32 | twister_next(&s->twister);
  }
  pcg_step(s);
  uint64_t x = (uint64_t)(s->state >> 64) ^ (uint64_t)s->state;
  unsigned r = (unsigned)(s->state >> 122);
  return x >> r | x << (-r & 63);
}

static uint32_t next32(Stream *s) {
  if (s->is_mt) return twister_next(&s->twister);
  if (s->has_half) {
    s->has_half = false;
    return s->half;
  }
  uint64_t x = next64(s);
  s->has_half = true;
  s->half = (uint32_t)(x >> 32);
  return (uint32_t)x;
}

static double next_double(Stream *s) {
  if (s->is_mt) return twister_next_double(&s->twister);
  return (double)(next64(s) >> 11) * (1.0 / 9007199254740992.0);
}

static float next_float(Stream *s) { return (float)(next32(s) >> 8) * (1.0f / 16777216.0f); }

// ---- distributions ------------------------------------------------------------------------------

static uint64_t mask_of(uint64_t range) {
  uint64_t mask = range;
  for (int shift = 1; shift < 64; shift *= 2) mask |= mask >> shift;
  return mask;
}

// In [0, range], by masks with rejection: what shuffles draw, and all that the older functions
// draw.
static uint64_t interval(Stream *s, uint64_t range) {
  if (range == 0) return 0;
  uint64_t mask = mask_of(range), v;
  do v = range <= UINT32_MAX ? next32(s) & mask : next64(s) & mask;
  while (v > range);
  return v;
}

// In [0, range], both ends included.
static uint64_t bounded(Stream *s, uint64_t range) {
  if (range == 0) return 0;
  if (s->is_mt) return interval(s, range);
  if (range == UINT64_MAX) return next64(s);
  if (range == UINT32_MAX) return next32(s);
  if (range < UINT32_MAX) {
    uint32_t n = (uint32_t)range + 1;
    uint64_t m = (uint64_t)next32(s) * n;
    if ((uint32_t)m < n) {
      uint32_t threshold = (UINT32_MAX - (uint32_t)range) % n;
      while ((uint32_t)m < threshold) m = (uint64_t)next32(s) * n;
    }
    return m >> 32;
  }
  uint64_t n = range + 1;
  u128 m = (u128)next64(s) * n;
  if ((uint64_t)m < n) {
    uint64_t threshold = (UINT64_MAX - range) % n;
    while ((uint64_t)m < threshold) m = (u128)next64(s) * n;
  }
  return (uint64_t)(m >> 64);
}

// The next `bits` bits for integers of 8 or 16 bits and booleans: a draw of 32 lasts for several,
// within one call of the program's.
static uint32_t next_small(Stream *s, int bits) {
  if (s->buffered == 0) {
    s->buffer = next32(s);
    s->buffered = 32 / bits;
  } else {
    s->buffer >>= bits;
  }
  s->buffered--;
  return s->buffer & ((1u << bits) - 1);
}

static uint32_t bounded_small(Stream *s, uint32_t range, int bits) {
  uint32_t most = (1u << bits) - 1, n = range + 1;
  if (range == 0) return 0;
  if (range == most) return next_small(s, bits);
  if (s->is_mt) {
    uint32_t mask = (uint32_t)mask_of(range), v;
    do v = next_small(s, bits) & mask;
    while (v > range);
    return v;
  }
  uint32_t m = next_small(s, bits) * n;
  if ((m & most) < n) {
    uint32_t threshold = (most - range) % n;
    while ((m & most) < threshold) m = next_small(s, bits) * n;
  }
  return m >> bits;
}

static double polar_normal(Stream *s) {
  if (s->has_gauss) {
    s->has_gauss = false;
    return s->gauss;
  }
  double x, y, r;
  do {
    x = 2 * next_double(s) - 1;
    y = 2 * next_double(s) - 1;
    r = x * x + y * y;
  } while (r >= 1 || r == 0);
  double f = sqrt(-2 * log(r) / r);
  s->gauss = f * x;
  s->has_gauss = true;
  return f * y;
}

static double normal(Stream *s, const Ziggurat *z) {
  if (s->is_mt) return polar_normal(s);
  const double r = ZIGGURAT_R, inverse = 1 / r;
  for (;;) {
    uint64_t bits = next64(s);
    unsigned layer = bits & 0xff;
    bits >>= 8;
    uint64_t magnitude = bits >> 1 & 0x000fffffffffffffu;
    double x = (double)magnitude * z->w[layer];
    if (bits & 1) x = -x;
    if (magnitude < z->k[layer]) return x;
    if (layer == 0) {
      for (;;) {
        double a = -inverse * log1p(-next_double(s)), b = -log1p(-next_double(s));
        if (b + b > a * a) return magnitude >> 8 & 1 ? -(r + a) : r + a;
      }
    }
    if ((z->f[layer - 1] - z->f[layer]) * next_double(s) + z->f[layer] < exp(-0.5 * x * x))
      return x;
  }
}

static float normal_float(Stream *s, const Ziggurat *z) {
  const float r = (float)ZIGGURAT_R, inverse = (float)(1 / ZIGGURAT_R);
  for (;;) {
    uint32_t bits = next32(s);
    unsigned layer = bits & 0xff;
    uint32_t magnitude = bits >> 9 & 0x7fffff;
    float x = (float)magnitude * (float)z->w[layer];
    if (bits >> 8 & 1) x = -x;
    if (magnitude < z->k[layer]) return x;
    if (layer == 0) {
      for (;;) {
        float a = -inverse * log1pf(-next_float(s)), b = -log1pf(-next_float(s));
        if (b + b > a * a) return magnitude >> 8 & 1 ? -(r + a) : r + a;
      }
    }
    float low = (float)z->f[layer], high = (float)z->f[layer - 1];
    if ((high - low) * next_float(s) + low < (float)exp(-0.5 * (double)x * (double)x)) return x;
  }
}

static double exponential(Stream *s, const Ziggurat *z) {
  if (s->is_mt) return -log(1 - next_double(s));
  for (;;) {
    uint64_t bits = next64(s) >> 3;
    unsigned layer = bits & 0xff;
    bits >>= 8;
    double x = (double)bits * z->w[layer];
    if (bits < z->k[layer]) return x;
    if (layer == 0) return ZIGGURAT_EXP_R - log1p(-next_double(s));
    if ((z->f[layer - 1] - z->f[layer]) * next_double(s) + z->f[layer] < exp(-x)) return x;
  }
}

// By inversion, of a uniform number that lies inside.
static double inverted(Stream *s, Draw kind) {
  for (;;) {
    double u = next_double(s);
    if (kind == DRAW_LAPLACE && u >= 0.5) return -log(2 - u - u);
    if (kind == DRAW_LAPLACE && u > 0) return log(u + u);
    if (kind == DRAW_GUMBEL && 1 - u < 1) return -log(-log(1 - u));
    if (kind == DRAW_LOGISTIC && u > 0) return log(u / (1 - u));
  }
}

// ---- natives ------------------------------------------------------------------------------------

static Stream *take_stream(Eval *ev, Value v) {
  if (v.kind != V_OBJECT || v.o->type != ev->numpy->np_stream)
    eval_raise(ev, ev->types.TypeError, "not a random stream");
  return (Stream *)v.o;
}

// words: the seed as 32-bit words, low first.
static Value native_stream(Eval *ev, Value *a) {
  Stream *s = ARENA_NEW(ev->arena, Stream);
  s->base.type = ev->numpy->np_stream;
  s->is_mt = value_truth(ev, a[0]);
  Tuple *words = value_to_tuple(ev, a[1]);
  uint32_t *w = ARENA_ARRAY(ev->arena, uint32_t, words->count + 1);
  for (size_t i = 0; i < words->count; i++) w[i] = (uint32_t)take_int(ev, words->items[i], "seed");
  if (!s->is_mt)
    pcg_seed(s, words->count, w);
  else if (words->count == 1)
    twister_seed(&s->twister, w[0]);
  else
    twister_seed_words(&s->twister, w, words->count);
  return v_object(s);
}

static double draw_float(Eval *ev, Stream *s, Draw kind, bool narrow) {
  const Ziggurats *z = ziggurats(ev);
  switch (kind) {
  case DRAW_UNIT: return narrow ? (double)next_float(s) : next_double(s);
  case DRAW_NORMAL: return narrow ? (double)normal_float(s, &z->narrow) : normal(s, &z->wide);
  case DRAW_EXPONENTIAL: return exponential(s, &z->exponential);
  default: return inverted(s, kind);
  }
}

static uint64_t draw_integer(Stream *s, DType dtype, uint64_t range) {
  switch (dtype) {
  case DT_BOOL: return range ? next_small(s, 1) : 0;
  case DT_I8:
  case DT_U8: return bounded_small(s, (uint32_t)range, 8);
  case DT_I16:
  case DT_U16: return bounded_small(s, (uint32_t)range, 16);
  default: return bounded(s, range);
  }
}

// ---- many at once -------------------------------------------------------------------------------
// The draws that programs make most, of a PCG64 whose state stays in registers. They give what one
// draw after the other would.
static inline uint64_t pcg_next(u128 *state, u128 increment) {
  const u128 multiplier = (u128)2549297995355413924ull << 64 | 4865540595714422341ull;
  *state = *state * multiplier + increment;
  uint64_t x = (uint64_t)(*state >> 64) ^ (uint64_t)*state;
  unsigned r = (unsigned)(*state >> 122);
  return x >> r | x << (-r & 63);
}

static void fill_units(Stream *s, double *to, int64_t count) {
  u128 state = s->state, increment = s->increment;
  for (int64_t i = 0; i < count; i++)
    to[i] = (double)(pcg_next(&state, increment) >> 11) * (1.0 / 9007199254740992.0);
  s->state = state;
}

static void fill_normals(Stream *s, const Ziggurat *z, double *to, int64_t count) {
  u128 state = s->state, increment = s->increment;
  for (int64_t i = 0; i < count; i++) {
    u128 before = state;
    uint64_t bits = pcg_next(&state, increment), magnitude = bits >> 9 & 0x000fffffffffffffu;
    unsigned layer = bits & 0xff;
    double x = (double)magnitude * z->w[layer];
    uint64_t sign = (bits >> 8 & 1) << 63, word;
    memcpy(&word, &x, sizeof word);
    word ^= sign;
    memcpy(&to[i], &word, sizeof word);
    if (magnitude < z->k[layer]) continue;
    s->state = before; // seldom: from the begin, with what follows
    to[i] = normal(s, z);
    state = s->state;
  }
  s->state = state;
}

// In [low, low + range] of a range of less than 32 bits, two of a draw.
static void fill_bounded(Stream *s, uint32_t range, uint64_t low, uint64_t *to, int64_t count) {
  const uint32_t n = range + 1, threshold = (UINT32_MAX - range) % n;
  u128 state = s->state, increment = s->increment;
  bool has_half = s->has_half;
  uint32_t half = s->half;
  for (int64_t i = 0; i < count; i++) {
    uint64_t m;
    do {
      uint32_t x = half;
      if (!has_half) {
        uint64_t both = pcg_next(&state, increment);
        x = (uint32_t)both;
        half = (uint32_t)(both >> 32);
      }
      has_half = !has_half;
      m = (uint64_t)x * n;
    } while ((uint32_t)m < threshold);
    to[i] = low + (m >> 32);
  }
  s->state = state;
  s->has_half = has_half;
  s->half = half;
}

static void fill_floats(Stream *s, float *to, int64_t count) {
  int64_t i = 0;
  if (s->has_half && count) to[i++] = next_float(s);
  u128 state = s->state, increment = s->increment;
  for (; i + 1 < count; i += 2) {
    uint64_t both = pcg_next(&state, increment);
    to[i] = (float)((uint32_t)both >> 8) * (1.0f / 16777216.0f);
    to[i + 1] = (float)(both >> 40) * (1.0f / 16777216.0f);
  }
  s->state = state;
  if (i < count) to[i] = next_float(s);
}

static void fill_integers(Stream *s, NdArray *out, uint64_t low, uint32_t range) {
  int64_t count = nd_count(out);
  if (dtype_size(out->dtype) == 8) {
    fill_bounded(s, range, low, (uint64_t *)out->data, count);
    return;
  }
  uint64_t some[256];
  for (int64_t i = 0, n; i < count; i += n) {
    n = count - i < 256 ? count - i : 256;
    fill_bounded(s, range, low, some, n);
    for (int64_t j = 0; j < n; j++) ((uint32_t *)out->data)[i + j] = (uint32_t)some[j];
  }
}

// What the older functions draw; false: no loop for it.
static bool fill_of_twister(Stream *s, Draw kind, NdArray *out, uint64_t low, uint64_t range) {
  int64_t count = nd_count(out);
  if (kind == DRAW_INTEGERS && range && range <= UINT32_MAX && out->dtype == DT_I64) {
    uint32_t mask = (uint32_t)mask_of(range), v;
    for (int64_t i = 0; i < count; i++) {
      do v = twister_next(&s->twister) & mask;
      while (v > range);
      ((uint64_t *)out->data)[i] = low + v;
    }
    return true;
  }
  if (out->dtype != DT_F64 || (kind != DRAW_UNIT && kind != DRAW_NORMAL)) return false;
  double *to = (double *)out->data;
  for (int64_t i = 0; i < count; i++)
    to[i] = kind == DRAW_UNIT ? twister_next_double(&s->twister) : polar_normal(s);
  return true;
}

static bool fill(Eval *ev, Stream *s, Draw kind, NdArray *out, uint64_t low, uint64_t range) {
  int64_t count = nd_count(out);
  double *wide = out->dtype == DT_F64 ? (double *)out->data : NULL;
  float *narrow = out->dtype == DT_F32 ? (float *)out->data : NULL;
  if (s->is_mt) return fill_of_twister(s, kind, out, low, range);
  if (kind == DRAW_UNIT && wide) {
    fill_units(s, wide, count);
  } else if (kind == DRAW_UNIT && narrow) {
    fill_floats(s, narrow, count);
  } else if (kind == DRAW_NORMAL && wide) {
    fill_normals(s, &ziggurats(ev)->wide, wide, count);
  } else if (kind == DRAW_NORMAL && narrow) {
    const Ziggurat *z = &ziggurats(ev)->narrow;
    for (int64_t i = 0; i < count; i++) narrow[i] = normal_float(s, z);
  } else if (kind == DRAW_EXPONENTIAL && wide) {
    const Ziggurat *z = &ziggurats(ev)->exponential;
    for (int64_t i = 0; i < count; i++) wide[i] = exponential(s, z);
  } else if (kind == DRAW_INTEGERS && range > 0 && range < UINT32_MAX &&
             dtype_size(out->dtype) >= 4) {
    fill_integers(s, out, low, (uint32_t)range);
  } else {
    return false;
  }
  return true;
}

static NdArray *drawn(Eval *ev, Stream *s, Draw kind, Value size, DType dtype, uint64_t low,
                      uint64_t range) {
  int64_t dims[ND_MAX_RANK];
  size_t rank = v_is_none(size) ? 0 : take_shape(ev, size, dims, "size");
  NdArray *out = nd_new_unset(ev, dtype, rank, dims);
  s->buffered = 0;
  if (fill(ev, s, kind, out, low, range)) return out;
  for (int64_t i = 0, n = nd_count(out); i < n; i++) {
    char *to = out->data + (size_t)i * dtype_size(dtype);
    if (kind == DRAW_INTEGERS)
      dtype_store_i64(dtype, to, (int64_t)(low + draw_integer(s, dtype, range)));
    else
      dtype_store_f64(dtype, to, draw_float(ev, s, kind, dtype == DT_F32));
  }
  return out;
}

// kind: a Draw. Integers lie in [low, low + range], of `dtype`; range is given as two halves of 32
// bits.
static Value native_draw(Eval *ev, Value *a) {
  uint64_t range = v_is_none(a[5]) ? 0
                                   : (uint64_t)take_int(ev, a[5], "range") << 32 |
                                         (uint64_t)take_int(ev, a[6], "range");
  int64_t low = v_is_none(a[4]) ? 0 : take_int(ev, a[4], "low");
  return made(ev, v_object(drawn(ev, take_stream(ev, a[0]), (Draw)take_int(ev, a[1], "kind"), a[2],
                                 take_dtype(ev, a[3], "dtype"), (uint64_t)low, range)));
}

// Numbers of double precision; of no size, one of Python.
static Value native_floats(Eval *ev, Value *a) {
  Stream *s = take_stream(ev, a[0]);
  Draw kind = (Draw)take_int(ev, a[1], "kind");
  if (v_is_none(a[2])) return v_float(draw_float(ev, s, kind, false));
  return made(ev, v_object(drawn(ev, s, kind, a[2], DT_F64, 0, 0)));
}

static bool take_number(Value v, double *out) {
  *out = v.kind == V_FLOAT ? v.f : (double)v.i;
  return v.kind == V_FLOAT || v.kind == V_INT;
}

// offset + scale * x; NotImplemented: they are no numbers of Python, or none that is allowed.
static Value native_scaled(Eval *ev, Value *a) {
  double offset, scale;
  Draw kind = (Draw)take_int(ev, a[1], "kind");
  if (!take_number(a[3], &offset) || !take_number(a[4], &scale) ||
      (kind == DRAW_UNIT ? !isfinite(scale) : signbit(scale)))
    return v_not_implemented();
  Stream *s = take_stream(ev, a[0]);
  if (v_is_none(a[2])) return v_float(offset + scale * draw_float(ev, s, kind, false));
  NdArray *out = drawn(ev, s, kind, a[2], DT_F64, 0, 0);
  double *to = (double *)out->data;
  for (int64_t i = 0, n = nd_count(out); i < n; i++) to[i] = offset + scale * to[i];
  return made(ev, v_object(out));
}

// From low up to high, or high itself if it is `closed`, of int64; NotImplemented: bounds or a type
// that the library looks at.
static Value native_integers(Eval *ev, Value *a) {
  DType dtype;
  bool closed = value_truth(ev, a[5]), has_high = !v_is_none(a[2]);
  Value low = has_high ? a[1] : v_int(0), high = has_high ? a[2] : a[1];
  if (low.kind != V_INT || high.kind != V_INT || a[4].kind != V_OBJECT ||
      !value_as_dtype(ev, a[4], &dtype) || dtype != DT_I64 ||
      a[4].o == &ev->types.integer->base || (closed ? low.i > high.i : low.i >= high.i))
    return v_not_implemented();
  uint64_t range = (uint64_t)high.i - (uint64_t)low.i - !closed;
  return made(ev, nd_value(ev, drawn(ev, take_stream(ev, a[0]), DRAW_INTEGERS, a[3], DT_I64,
                                     (uint64_t)low.i, range)));
}

typedef uint64_t (*Chooser)(Stream *s, uint64_t range);

static void shuffle(Stream *s, Chooser choose, int64_t n, int64_t first, int64_t *at) {
  for (int64_t i = n - 1; i >= first; i--) {
    int64_t j = (int64_t)choose(s, (uint64_t)i), t = at[i];
    at[i] = at[j];
    at[j] = t;
  }
}

// The order that shuffling n things gives.
static Value native_shuffled(Eval *ev, Value *a) {
  Stream *s = take_stream(ev, a[0]);
  int64_t n = take_int(ev, a[1], "n");
  NdArray *out = nd_new(ev, DT_I64, 1, &n);
  int64_t *at = (int64_t *)out->data;
  for (int64_t i = 0; i < n; i++) at[i] = i;
  shuffle(s, interval, n, 1, at);
  return v_object(out);
}

static bool is_among(const int64_t *items, int64_t count, int64_t v) {
  for (int64_t i = 0; i < count; i++)
    if (items[i] == v) return true;
  return false;
}

// `count` different numbers below n: the tail of a partial shuffle where many are wanted of many,
// else Floyd's algorithm.
static Value native_sample(Eval *ev, Value *a) {
  Stream *s = take_stream(ev, a[0]);
  int64_t n = take_int(ev, a[1], "n"), count = take_int(ev, a[2], "count");
  bool shuffled = value_truth(ev, a[3]);
  NdArray *out = nd_new(ev, DT_I64, 1, &count);
  int64_t *items = (int64_t *)out->data;
  if (n > 10000 && count > n / (shuffled ? 50 : 20)) {
    int64_t *all = ARENA_ARRAY(ev->arena, int64_t, (size_t)n);
    for (int64_t i = 0; i < n; i++) all[i] = i;
    shuffle(s, bounded, n, n - count > 1 ? n - count : 1, all);
    memcpy(items, all + (n - count), (size_t)count * sizeof *items);
    return v_object(out);
  }
  for (int64_t i = 0; i < count; i++) {
    int64_t j = n - count + i, v = (int64_t)bounded(s, (uint64_t)j);
    items[i] = is_among(items, i, v) ? j : v;
  }
  if (shuffled) shuffle(s, bounded, count, 1, items);
  return v_object(out);
}

// SeedSequence(words).generate_state(count).
static Value native_seed_state(Eval *ev, Value *a) {
  Tuple *words = value_to_tuple(ev, a[0]);
  uint32_t *w = ARENA_ARRAY(ev->arena, uint32_t, words->count + 1);
  for (size_t i = 0; i < words->count; i++) w[i] = (uint32_t)take_int(ev, words->items[i], "seed");
  int64_t count = take_int(ev, a[1], "n_words");
  NdArray *out = nd_new(ev, DT_U32, 1, &count);
  seed_sequence(words->count, w, (size_t)count, (uint32_t *)out->data);
  return v_object(out);
}

// The state of a Mersenne Twister: its words, its place, and the normal deviate that is left.
static Value native_mt_state(Eval *ev, Value *a) {
  const Stream *s = take_stream(ev, a[0]);
  int64_t count = TWISTER_WORDS;
  NdArray *words = nd_new(ev, DT_U32, 1, &count);
  memcpy(words->data, s->twister.words, sizeof s->twister.words);
  Value items[] = {make_str_c(ev, "MT19937"), v_object(words), v_int(s->twister.at),
                   v_int(s->has_gauss), v_float(s->has_gauss ? s->gauss : 0)};
  return make_tuple(ev, COUNT_OF(items), items);
}

static Value native_set_mt_state(Eval *ev, Value *a) {
  Stream *s = take_stream(ev, a[0]);
  const NdArray *words = nd_contiguous(ev, nd_from_value(ev, a[1], DT_U32, "set_state"));
  if (nd_count(words) != TWISTER_WORDS)
    eval_raise(ev, ev->types.ValueError, "state must be %d longs", TWISTER_WORDS);
  memcpy(s->twister.words, words->data, sizeof s->twister.words);
  int64_t at = take_int(ev, a[2], "pos");
  if (at < 0 || at > TWISTER_WORDS)
    eval_raise(ev, ev->types.ValueError, "the place in the state must be in 0 .. %d",
               TWISTER_WORDS);
  s->twister.at = (unsigned)at;
  s->has_gauss = value_truth(ev, a[3]);
  s->gauss = take_float(ev, a[4], "cached_gaussian");
  return v_none();
}

static const NativeDef random_natives[] = {
    {"stream(is_mt, words)", native_stream},
    {"draw(stream, kind, size, dtype, low, range_high, range_low)", native_draw},
    {"floats(stream, kind, size)", native_floats},
    {"scaled(stream, kind, size, offset, scale)", native_scaled},
    {"integers(stream, low, high, size, dtype, closed)", native_integers},
    {"sample(stream, n, count, shuffled)", native_sample},
    {"seed_state(words, count)", native_seed_state},
    {"mt_state(stream)", native_mt_state},
    {"set_mt_state(stream, words, at, has_gauss, gauss)", native_set_mt_state},
    {"shuffled(stream, n)", native_shuffled},
    {NULL, NULL},
};

static void random_init(Eval *ev, ModuleObject *module UNUSED) {
  static const TypeSlots slots = {0};
  ev->numpy->np_stream = type_new_native(ev, "numpy.random", "BitGenerator", NULL, &slots, NULL);
}

const ModuleDef module_np_random_prim = {
    .name = "_np_random", .functions = random_natives, .init = random_init};
