// SPDX-License-Identifier: Apache-2.0
// numpy.random's bit streams and the distributions that host code draws test data from: PCG64 with SeedSequence (default_rng), and the
// Mersenne Twister (np.random.seed and friends). Streams are NumPy's to the bit.
//   PCG64: O'Neill 2014, XSL-RR output. MT19937: Matsumoto and Nishimura 1998. Normal deviates: Marsaglia and Tsang 2000 (ziggurat, 256
//   layers) for Generator, Marsaglia's polar method for the older functions. Bounded integers: Lemire 2019, and masks with rejection.
#include "nd.h"
#include <math.h>
#include <string.h>

typedef unsigned __int128 u128;
enum { MT_WORDS = 624, MT_SHIFT = 397, LAYERS = 256 };
#define ZIGGURAT_R 3.6541528853610087963519472518L
#define ZIGGURAT_V 0.00492867323399141L

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
  uint32_t mt[MT_WORDS];
  int mt_at;
  bool has_gauss;
  double gauss;
  Ziggurat wide, narrow; // for double and for float
} Stream;

// ---- seeding -------------------------------------------------------------------------------------------

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

// SeedSequence(words).generate_state(8): the eight words that seed a PCG64.
static void seed_sequence(size_t count, const uint32_t *words, uint32_t out[8]) {
  uint32_t pool[4], constant = 0x43b0d7e5u;
  for (size_t i = 0; i < 4; i++) pool[i] = hash_mix(i < count ? words[i] : 0, &constant);
  for (size_t s = 0; s < 4; s++)
    for (size_t d = 0; d < 4; d++)
      if (s != d) pool[d] = mix(pool[d], hash_mix(pool[s], &constant));
  for (size_t s = 4; s < count; s++)
    for (size_t d = 0; d < 4; d++) pool[d] = mix(pool[d], hash_mix(words[s], &constant));
  constant = 0x8b51f9ddu;
  for (size_t i = 0; i < 8; i++) {
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
  seed_sequence(count, words, w);
  for (int i = 0; i < 4; i++) v[i] = w[2 * i] | (uint64_t)w[2 * i + 1] << 32;
  s->increment = ((u128)v[2] << 64 | v[3]) << 1 | 1;
  s->state = 0;
  pcg_step(s);
  s->state += (u128)v[0] << 64 | v[1];
  pcg_step(s);
}

static void mt_seed(Stream *s, uint32_t seed) {
  for (uint32_t i = 0; i < MT_WORDS; i++) {
    s->mt[i] = seed;
    seed = 1812433253u * (seed ^ seed >> 30) + i + 1;
  }
  s->mt_at = MT_WORDS;
  s->has_gauss = false;
}

// The tables of the ziggurat with `bits` bits in a layer.
static void make_ziggurat(Ziggurat *z, int bits) {
  long double scale = ldexpl(1, bits), d = ZIGGURAT_R, t = d, q = ZIGGURAT_V / expl(-0.5L * d * d);
  z->k[0] = (uint64_t)(d / q * scale);
  z->k[1] = 0;
  z->w[0] = (double)(q / scale);
  z->w[LAYERS - 1] = (double)(d / scale);
  z->f[0] = 1;
  z->f[LAYERS - 1] = (double)expl(-0.5L * d * d);
  for (int i = LAYERS - 2; i >= 1; i--) {
    d = sqrtl(-2 * logl(ZIGGURAT_V / d + expl(-0.5L * d * d)));
    z->k[i + 1] = (uint64_t)(d / t * scale);
    t = d;
    z->f[i] = (double)expl(-0.5L * d * d);
    z->w[i] = (double)(d / scale);
  }
}

// ---- bits ----------------------------------------------------------------------------------------------

static uint32_t mt_next(Stream *s) {
  if (s->mt_at == MT_WORDS) {
    for (int i = 0; i < MT_WORDS; i++) {
      uint32_t y = (s->mt[i] & 0x80000000u) | (s->mt[(i + 1) % MT_WORDS] & 0x7fffffffu);
      s->mt[i] = s->mt[(i + MT_SHIFT) % MT_WORDS] ^ y >> 1 ^ (y & 1 ? 0x9908b0dfu : 0);
    }
    s->mt_at = 0;
  }
  uint32_t y = s->mt[s->mt_at++];
  y ^= y >> 11;
  y ^= y << 7 & 0x9d2c5680u;
  y ^= y << 15 & 0xefc60000u;
  return y ^ y >> 18;
}

static uint64_t next64(Stream *s) {
  if (s->is_mt) {
    uint64_t high = mt_next(s);
    return high << 32 | mt_next(s);
  }
  pcg_step(s);
  uint64_t x = (uint64_t)(s->state >> 64) ^ (uint64_t)s->state;
  unsigned r = (unsigned)(s->state >> 122);
  return x >> r | x << (-r & 63);
}

static uint32_t next32(Stream *s) {
  if (s->is_mt) return mt_next(s);
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
  if (s->is_mt) {
    uint32_t a = mt_next(s) >> 5, b = mt_next(s) >> 6;
    return (a * 67108864.0 + b) / 9007199254740992.0;
  }
  return (double)(next64(s) >> 11) * (1.0 / 9007199254740992.0);
}

static float next_float(Stream *s) {
  return (float)(next32(s) >> 8) * (1.0f / 16777216.0f);
}

// ---- distributions ---------------------------------------------------------------------------------------

static uint64_t mask_of(uint64_t range) {
  uint64_t mask = range;
  for (int shift = 1; shift < 64; shift *= 2) mask |= mask >> shift;
  return mask;
}

// In [0, range], both ends included.
static uint64_t bounded(Stream *s, uint64_t range) {
  if (range == 0) return 0;
  if (s->is_mt) { // masks with rejection
    uint64_t mask = mask_of(range), v;
    do v = range <= UINT32_MAX ? next32(s) & mask : next64(s) & mask;
    while (v > range);
    return v;
  }
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

static double normal(Stream *s) {
  if (s->is_mt) return polar_normal(s);
  const double r = (double)ZIGGURAT_R, inverse = 1 / r;
  for (;;) {
    uint64_t bits = next64(s);
    unsigned layer = bits & 0xff;
    bits >>= 8;
    uint64_t magnitude = bits >> 1 & 0x000fffffffffffffu;
    double x = (double)magnitude * s->wide.w[layer];
    if (bits & 1) x = -x;
    if (magnitude < s->wide.k[layer]) return x;
    if (layer == 0) {
      for (;;) {
        double a = -inverse * log1p(-next_double(s)), b = -log1p(-next_double(s));
        if (b + b > a * a) return magnitude >> 8 & 1 ? -(r + a) : r + a;
      }
    }
    if ((s->wide.f[layer - 1] - s->wide.f[layer]) * next_double(s) + s->wide.f[layer] < exp(-0.5 * x * x)) return x;
  }
}

static float normal_float(Stream *s) {
  const float r = (float)ZIGGURAT_R, inverse = (float)(1 / ZIGGURAT_R);
  for (;;) {
    uint32_t bits = next32(s);
    unsigned layer = bits & 0xff;
    uint32_t magnitude = bits >> 9 & 0x7fffff;
    float x = (float)magnitude * (float)s->narrow.w[layer];
    if (bits >> 8 & 1) x = -x;
    if (magnitude < s->narrow.k[layer]) return x;
    if (layer == 0) {
      for (;;) {
        float a = -inverse * log1pf(-next_float(s)), b = -log1pf(-next_float(s));
        if (b + b > a * a) return magnitude >> 8 & 1 ? -(r + a) : r + a;
      }
    }
    float low = (float)s->narrow.f[layer], high = (float)s->narrow.f[layer - 1];
    if ((high - low) * next_float(s) + low < (float)exp(-0.5 * (double)x * (double)x)) return x;
  }
}

// ---- natives ---------------------------------------------------------------------------------------------

static Stream *take_stream(Eval *ev, Value v) {
  if (v.kind != V_OBJECT || v.o->type != trace_types(ev)->np_stream) eval_raise(ev, ev->types.TypeError, "not a random stream");
  return (Stream *)v.o;
}

// words: the seed as 32-bit words, low first.
static Value native_stream(Eval *ev, Value *a) {
  Stream *s = ARENA_NEW(ev->arena, Stream);
  s->base.type = trace_types(ev)->np_stream;
  s->is_mt = value_truth(ev, a[0]);
  Tuple *words = value_to_tuple(ev, a[1]);
  uint32_t *w = ARENA_ARRAY(ev->arena, uint32_t, words->count + 1);
  for (size_t i = 0; i < words->count; i++) w[i] = (uint32_t)take_int(ev, words->items[i], "seed");
  make_ziggurat(&s->wide, 52);
  make_ziggurat(&s->narrow, 23);
  if (s->is_mt) mt_seed(s, w[0]);
  else pcg_seed(s, words->count, w);
  return v_object(s);
}

typedef enum Draw { DRAW_UNIT, DRAW_NORMAL, DRAW_INTEGERS, DRAW_BITS } Draw;

// kind: 0 uniform in [0, 1), 1 standard normal, 2 integers in [low, low + range], of `dtype`.
static Value native_draw(Eval *ev, Value *a) {
  Stream *s = take_stream(ev, a[0]);
  Draw kind = (Draw)take_int(ev, a[1], "kind");
  int64_t dims[IR_MAX_RANK], low = v_is_none(a[4]) ? 0 : take_int(ev, a[4], "low");
  size_t rank = take_shape(ev, a[2], dims, "size");
  DType dtype = take_dtype(ev, a[3], "dtype");
  uint64_t range = v_is_none(a[5]) ? 0 : (uint64_t)take_int(ev, a[5], "range");
  NdArray *out = nd_new(ev, dtype, rank, dims);
  for (int64_t i = 0, n = nd_count(out); i < n; i++) {
    char *to = out->data + (size_t)i * dtype_size(dtype);
    if (kind == DRAW_INTEGERS) dtype_store_i64(dtype, to, low + (int64_t)bounded(s, range));
    else if (kind == DRAW_UNIT) dtype_store_f64(dtype, to, dtype == DT_F32 ? (double)next_float(s) : next_double(s));
    else dtype_store_f64(dtype, to, dtype == DT_F32 ? (double)normal_float(s) : normal(s));
  }
  return v_object(out);
}

// The order that shuffling n things gives.
static Value native_shuffled(Eval *ev, Value *a) {
  Stream *s = take_stream(ev, a[0]);
  int64_t n = take_int(ev, a[1], "n");
  NdArray *out = nd_new(ev, DT_I64, 1, &n);
  int64_t *at = (int64_t *)out->data;
  for (int64_t i = 0; i < n; i++) at[i] = i;
  for (int64_t i = n - 1; i > 0; i--) {
    int64_t j = (int64_t)bounded(s, (uint64_t)i), t = at[i];
    at[i] = at[j];
    at[j] = t;
  }
  return v_object(out);
}

static const NativeDef random_natives[] = {
    {"stream(is_mt, words)", native_stream},
    {"draw(stream, kind, size, dtype, low, range)", native_draw},
    {"shuffled(stream, n)", native_shuffled},
    {NULL, NULL},
};

static void random_init(Eval *ev, ModuleObject *module UNUSED) {
  static const TypeSlots slots = {0};
  ev->trace->types.np_stream = type_new_native(ev, "numpy.random", "BitGenerator", NULL, &slots, NULL);
}

const ModuleDef module_np_random_prim = {.name = "_np_random", .functions = random_natives, .init = random_init};
const ModuleDef module_numpy_random = {.name = "numpy.random", .prelude = "np_random"};
