// SPDX-License-Identifier: Apache-2.0
// numpy.random's bit streams and the distributions that host code draws test data from: np_stream.h
// for Generator, and the Mersenne Twister for the older functions. Streams are NumPy's to the bit.
//   Bounded integers: Lemire 2019, and masks with rejection.
#include "numpy/arrays/nd_convert.h"
#include "numpy/dtypes/dtype_object.h"
#include "numpy/arrays/nd.h"
#include "numpy/arrays/nd_broadcast.h"
#include "np_deviates.h"
#include "np_variates.h"
#include "numpy/numpy_state.h"
#include "python/modules/module.h"
#include "numpy/arrays/nd_shape.h"
#include "python/objects/convert.h"
#include "python/objects/fresh.h"
#include "python/values/new_value.h"
#include "python/objects/protocol.h"
#include "python/objects/iteration.h"
#include "python/values/raise.h"
#include "python/objects/type.h"
#include <float.h>
#include <math.h>
#include <string.h>

// ---- integers -----------------------------------------------------------------------------------

// In [0, range], both ends included.
static uint64_t bounded(Stream *s, uint64_t range) {
  if (range == 0) return 0;
  if (s->is_old) return stream_interval(s, range);
  if (range == UINT64_MAX) return stream_next64(s);
  if (range == UINT32_MAX) return stream_next32(s);
  if (range < UINT32_MAX) {
    uint32_t n = (uint32_t)range + 1;
    uint64_t m = (uint64_t)stream_next32(s) * n;
    if ((uint32_t)m < n) {
      uint32_t threshold = (UINT32_MAX - (uint32_t)range) % n;
      while ((uint32_t)m < threshold) m = (uint64_t)stream_next32(s) * n;
    }
    return m >> 32;
  }
  uint64_t n = range + 1;
  u128 m = (u128)stream_next64(s) * n;
  if ((uint64_t)m < n) {
    uint64_t threshold = (UINT64_MAX - range) % n;
    while ((uint64_t)m < threshold) m = (u128)stream_next64(s) * n;
  }
  return (uint64_t)(m >> 64);
}

// The next `bits` bits for integers of 8 or 16 bits and booleans: a draw of 32 lasts for several,
// within one call of the program's.
static uint32_t next_small(Stream *s, int bits) {
  if (s->buffered == 0) {
    s->buffer = stream_next32(s);
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
  if (s->is_old) {
    uint32_t mask = (uint32_t)stream_mask(range), v;
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

// ---- natives ------------------------------------------------------------------------------------

static Stream *take_stream(Eval *ev, Value v) {
  if (v.kind != V_OBJECT || v.o->type != ev->numpy->np_stream)
    eval_raise(ev, ev->types.TypeError, "not a random stream");
  return (Stream *)v.o;
}

static uint32_t *take_words(Eval *ev, Value v, size_t *count) {
  Tuple *words = value_to_tuple(ev, v);
  uint32_t *w = ARENA_ARRAY(ev->arena, uint32_t, words->count + 1);
  for (size_t i = 0; i < words->count; i++) w[i] = (uint32_t)take_int(ev, words->items[i], "seed");
  *count = words->count;
  return w;
}

// SeedSequence's pool of `size` words.
static uint32_t *take_pool(Eval *ev, Value v, int64_t size) {
  size_t count;
  const uint32_t *words = take_words(ev, v, &count);
  uint32_t *pool = ARENA_ARRAY(ev->arena, uint32_t, (size_t)size);
  seed_pool(count, words, (size_t)size, pool);
  return pool;
}

static Stream *new_stream(Eval *ev, BitKind kind, bool is_old) {
  Stream *s = ARENA_NEW(ev->arena, Stream);
  s->base.type = ev->numpy->np_stream;
  s->kind = kind;
  s->is_old = is_old;
  return s;
}

// words: the seed as 32-bit words, low first.
static Value native_stream(Eval *ev, Value *a) {
  Stream *s = new_stream(ev, (BitKind)take_int(ev, a[0], "kind"), false);
  int64_t size = take_int(ev, a[2], "pool_size");
  stream_seed(s, (size_t)size, take_pool(ev, a[1], size));
  return v_object(s);
}

// The twister of the older functions, seeded by a number or by several words.
static Value native_old_stream(Eval *ev, Value *a) {
  Stream *s = new_stream(ev, BITS_TWISTER, true);
  size_t count;
  if (a[0].kind == V_INT) {
    twister_seed(&s->twister, (uint32_t)a[0].i);
  } else {
    const uint32_t *words = take_words(ev, a[0], &count);
    twister_seed_words(&s->twister, words, count);
  }
  return v_object(s);
}

// The older functions draw from a stream of any kind.
static Value native_draw_as_old(Eval *ev, Value *a) {
  Stream *s = take_stream(ev, a[0]);
  s->is_old = true;
  return a[0];
}

// Where a stream of Philox goes on from: 4 words of the counter, 2 of the key or None for its
// seed's.
static Value native_place_philox(Eval *ev, Value *a) {
  Stream *s = take_stream(ev, a[0]);
  const NdArray *counter = nd_from_value(ev, a[1], DT_U64, "counter");
  for (int i = 0; i < 4; i++) s->counter[i] = (uint64_t)nd_get_i64(counter, i);
  if (v_is_none(a[2])) return v_none();
  const NdArray *key = nd_from_value(ev, a[2], DT_U64, "key");
  for (int i = 0; i < 2; i++) s->key[i] = (uint64_t)nd_get_i64(key, i);
  return v_none();
}

static double draw_float(Eval *ev, Stream *s, Draw kind, bool narrow) {
  const Ziggurats *z = ziggurats(ev);
  switch (kind) {
  case DRAW_UNIT: return narrow ? (double)stream_next_float(s) : stream_next_double(s);
  case DRAW_NORMAL: return narrow ? (double)draw_normal_float(s, &z->narrow) : draw_normal(s, z);
  case DRAW_EXPONENTIAL:
    return narrow ? (double)draw_exponential_float(s, &z->narrow_exponential)
                  : draw_exponential(s, z);
  case DRAW_INVERTED_EXPONENTIAL:
    return narrow ? (double)-log1pf(-stream_next_float(s)) : -log1p(-stream_next_double(s));
  default: return draw_inverted(s, kind);
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
static void fill_units(Stream *s, double *to, int64_t count) {
  u128 state = s->state, increment = s->increment;
  for (int64_t i = 0; i < count; i++)
    to[i] = (double)(pcg_next(&state, increment) >> 11) * (1.0 / 9007199254740992.0);
  s->state = state;
}

static void fill_normals(Stream *s, const Ziggurats *all, double *to, int64_t count) {
  const Ziggurat *z = &all->wide;
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
    to[i] = draw_normal(s, all);
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
  if (s->has_half && count) to[i++] = stream_next_float(s);
  u128 state = s->state, increment = s->increment;
  for (; i + 1 < count; i += 2) {
    uint64_t both = pcg_next(&state, increment);
    to[i] = (float)((uint32_t)both >> 8) * (1.0f / 16777216.0f);
    to[i + 1] = (float)(both >> 40) * (1.0f / 16777216.0f);
  }
  s->state = state;
  if (i < count) to[i] = stream_next_float(s);
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
    uint32_t mask = (uint32_t)stream_mask(range), v;
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
  if (s->is_old) return s->kind == BITS_TWISTER && fill_of_twister(s, kind, out, low, range);
  if (s->kind != BITS_PCG64) {
    for (int64_t i = 0; kind == DRAW_UNIT && wide && i < count; i++)
      wide[i] = stream_next_double(s);
    return kind == DRAW_UNIT && wide;
  }
  if (kind == DRAW_UNIT && wide) {
    fill_units(s, wide, count);
  } else if (kind == DRAW_UNIT && narrow) {
    fill_floats(s, narrow, count);
  } else if (kind == DRAW_NORMAL && wide) {
    fill_normals(s, ziggurats(ev), wide, count);
  } else if (kind == DRAW_NORMAL && narrow) {
    const Ziggurat *z = &ziggurats(ev)->narrow;
    for (int64_t i = 0; i < count; i++) narrow[i] = draw_normal_float(s, z);
  } else if (kind == DRAW_EXPONENTIAL && wide) {
    const Ziggurats *z = ziggurats(ev);
    for (int64_t i = 0; i < count; i++) wide[i] = draw_exponential(s, z);
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
      !value_as_dtype(ev, a[4], &dtype) || dtype != DT_I64 || a[4].o == &ev->types.integer->base ||
      (closed ? low.i > high.i : low.i >= high.i))
    return v_not_implemented();
  uint64_t range = (uint64_t)high.i - (uint64_t)low.i - !closed;
  return made(ev, nd_value(ev, drawn(ev, take_stream(ev, a[0]), DRAW_INTEGERS, a[3], DT_I64,
                                     (uint64_t)low.i, range)));
}

// Integers of `dtype` in [low, low + range], for each pair of these arrays of uint64.
static Value native_bounded(Eval *ev, Value *a) {
  Stream *s = take_stream(ev, a[0]);
  DType dtype = take_dtype(ev, a[1], "dtype");
  const NdArray *low = nd_contiguous(ev, nd_from_value(ev, a[2], DT_U64, "low")),
                *range = nd_contiguous(ev, nd_from_value(ev, a[3], DT_U64, "range"));
  NdArray *out = nd_new_unset(ev, dtype, low->rank, low->dims);
  s->buffered = 0;
  for (int64_t i = 0, n = nd_count(out); i < n; i++) {
    uint64_t x = ((uint64_t *)low->data)[i] + draw_integer(s, dtype, ((uint64_t *)range->data)[i]);
    dtype_store_i64(dtype, out->data + (size_t)i * dtype_size(dtype), (int64_t)x);
  }
  return made(ev, v_object(out));
}

// Deviates of a distribution by its name, whose parameters are as many arrays as there are: they
// are broadcast to a shape, or to each other if that is None.
static Value native_variates(Eval *ev, Value *a) {
  Stream *s = take_stream(ev, a[0]);
  const Variate *variate = variate_find(take_str(ev, a[1], "name"));
  if (!variate) BUG("no such distribution");
  const Tuple *given = value_as_tuple(a[3]);
  NdArray *parameters[MOST_PARAMETERS];
  int64_t dims[ND_MAX_RANK];
  uint8_t common = 0;
  for (size_t i = 0; i < given->count; i++)
    parameters[i] = nd_from_value(ev, given->items[i], DT_F64, "a parameter");
  if (!nd_common_shape(given->count, parameters, &common, dims))
    eval_raise(ev, ev->types.ValueError,
               "shape mismatch: objects cannot be broadcast to a single shape");
  size_t rank = v_is_none(a[2]) ? common : take_shape(ev, a[2], dims, "size");
  for (size_t i = 0; i < given->count; i++)
    parameters[i] = nd_broadcast(ev, nd_as(ev, parameters[i], DT_F64), rank, dims);
  NdArray *out = nd_new_unset(ev, variate->real ? DT_F64 : DT_I64, rank, dims);
  const Ziggurats *z = ziggurats(ev);
  for (int64_t i = 0, n = nd_count(out); i < n; i++) {
    double p[MOST_PARAMETERS];
    for (size_t k = 0; k < given->count; k++) p[k] = *(double *)nd_element(parameters[k], i);
    if (variate->real)
      ((double *)out->data)[i] = variate->real(s, z, p);
    else
      ((int64_t *)out->data)[i] = variate->whole(s, z, p);
  }
  return made(ev, v_object(out));
}

// Rows of how often each of some chances came up in n draws.
static Value native_multinomial(Eval *ev, Value *a) {
  Stream *s = take_stream(ev, a[0]);
  NdArray *out = (NdArray *)a[1].o;
  const NdArray *n = nd_contiguous(ev, nd_from_value(ev, a[2], DT_I64, "n")),
                *chances = nd_contiguous(ev, nd_from_value(ev, a[3], DT_F64, "pvals"));
  int64_t width = out->dims[out->rank - 1], rows = width ? nd_count(out) / width : 0,
          *to = (int64_t *)out->data;
  for (int64_t row = 0; row < rows; row++, to += width) {
    int64_t left = ((int64_t *)n->data)[nd_count(n) == 1 ? 0 : row];
    const double *p = (double *)chances->data + (nd_count(chances) == width ? 0 : row * width);
    double rest = 1;
    for (int64_t k = 0; k < width - 1 && left > 0; k++) {
      to[k] = draw_binomial(s, p[k] / rest, left);
      left -= to[k];
      rest -= p[k];
    }
    if (left > 0) to[width - 1] = left;
  }
  return a[1];
}

// Rows of how many balls of each colour are among `wanted` that are drawn from an urn.
static Value native_colors(Eval *ev, Value *a) {
  Stream *s = take_stream(ev, a[0]);
  NdArray *out = (NdArray *)a[1].o;
  const NdArray *balls = nd_contiguous(ev, nd_from_value(ev, a[2], DT_I64, "colors"));
  int64_t wanted = take_int(ev, a[3], "nsample"), colors = nd_count(balls),
          rows = colors ? nd_count(out) / colors : 0, *to = (int64_t *)out->data;
  for (int64_t row = 0; row < rows; row++)
    draw_colors(s, colors, (int64_t *)balls->data, wanted, to + row * colors);
  return a[1];
}

// The first `wanted` of n things, shuffled; each time on from what the time before has left, as a
// row.
static Value native_partly_shuffled(Eval *ev, Value *a) {
  Stream *s = take_stream(ev, a[0]);
  int64_t n = take_int(ev, a[1], "n"), wanted = take_int(ev, a[2], "wanted"),
          dims[] = {take_int(ev, a[3], "times"), wanted},
          *at = ARENA_ARRAY(ev->arena, int64_t, (size_t)n);
  NdArray *out = nd_new(ev, DT_I64, 2, dims);
  for (int64_t i = 0; i < n; i++) at[i] = i;
  for (int64_t row = 0; row < dims[0]; row++) {
    for (int64_t i = 0; i < wanted; i++) {
      int64_t j = i + (int64_t)stream_interval(s, (uint64_t)(n - i - 1)), t = at[i];
      at[i] = at[j];
      at[j] = t;
    }
    memcpy((int64_t *)out->data + row * wanted, at, (size_t)wanted * sizeof *at);
  }
  return made(ev, v_object(out));
}

// Rows of shares of a Dirichlet distribution.
static Value native_dirichlet(Eval *ev, Value *a) {
  Stream *s = take_stream(ev, a[0]);
  NdArray *out = (NdArray *)a[1].o;
  const NdArray *alpha = nd_contiguous(ev, nd_from_value(ev, a[2], DT_F64, "alpha"));
  const Ziggurats *z = ziggurats(ev);
  int64_t width = nd_count(alpha), rows = width ? nd_count(out) / width : 0;
  const double *weight = (const double *)alpha->data;
  double *to = (double *)out->data, most = 0, *behind = ARENA_ARRAY(ev->arena, double, width + 1);
  for (int64_t k = width; k-- > 0;) {
    behind[k] = behind[k + 1] + weight[k];
    most = weight[k] > most ? weight[k] : most;
  }
  for (int64_t row = 0; row < rows; row++, to += width) {
    if (!s->is_old && most < 0.1) { // a stick is broken: sums of tiny deviates might be 0
      double left = 1;
      for (int64_t k = 0; k + 1 < width; k++) {
        double share = draw_beta(s, z, weight[k], behind[k + 1]);
        to[k] = left * share;
        left *= 1 - share;
        if (behind[k + 1] == 0) break;
      }
      to[width - 1] = left;
      continue;
    }
    double sum = 0;
    for (int64_t k = 0; k < width; k++) sum += to[k] = draw_gamma(s, z, weight[k]);
    for (int64_t k = 0; k < width; k++) to[k] *= 1 / sum;
  }
  return a[1];
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
  shuffle(s, stream_interval, n, 1, at);
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

// SeedSequence's pool, and its state of so many words.
static Value native_seed_pool(Eval *ev, Value *a) {
  int64_t size = take_int(ev, a[1], "pool_size");
  NdArray *out = nd_new(ev, DT_U32, 1, &size);
  memcpy(out->data, take_pool(ev, a[0], size), (size_t)size * sizeof(uint32_t));
  return v_object(out);
}

static Value native_seed_state(Eval *ev, Value *a) {
  int64_t size = take_int(ev, a[1], "pool_size"), count = take_int(ev, a[2], "n_words");
  NdArray *out = nd_new(ev, DT_U32, 1, &count);
  seed_from_pool((size_t)size, take_pool(ev, a[0], size), (size_t)count, (uint32_t *)out->data);
  return v_object(out);
}

// The state of a stream but a twister's: words of 64 bits, which state_words() names, and the half
// of a draw that is left.
static Value native_state(Eval *ev, Value *a) {
  Stream *s = take_stream(ev, a[0]);
  uint64_t w[STREAM_WORDS];
  int64_t count = STREAM_WORDS;
  stream_state(s, w);
  NdArray *words = nd_new(ev, DT_U64, 1, &count);
  memcpy(words->data, w, sizeof w);
  Value items[] = {v_object(words), v_int(s->has_half), v_int(s->half)};
  return make_tuple(ev, COUNT_OF(items), items);
}

static Value native_set_state(Eval *ev, Value *a) {
  Stream *s = take_stream(ev, a[0]);
  const NdArray *words = nd_contiguous(ev, nd_from_value(ev, a[1], DT_U64, "state"));
  if (nd_count(words) != STREAM_WORDS) BUG("a state of another size");
  uint64_t w[STREAM_WORDS];
  memcpy(w, words->data, sizeof w);
  stream_set_state(s, w);
  s->has_half = value_truth(ev, a[2]);
  s->half = (uint32_t)take_int(ev, a[3], "uinteger");
  return v_none();
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
    {"stream(kind, words, pool_size)", native_stream},
    {"old_stream(seed)", native_old_stream},
    {"draw_as_old(stream)", native_draw_as_old},
    {"place_philox(stream, counter, key)", native_place_philox},
    {"draw(stream, kind, size, dtype, low, range_high, range_low)", native_draw},
    {"floats(stream, kind, size)", native_floats},
    {"scaled(stream, kind, size, offset, scale)", native_scaled},
    {"integers(stream, low, high, size, dtype, closed)", native_integers},
    {"bounded(stream, dtype, low, range)", native_bounded},
    {"variates(stream, name, size, parameters)", native_variates},
    {"multinomial(stream, out, n, chances)", native_multinomial},
    {"colors(stream, out, colors, nsample)", native_colors},
    {"partly_shuffled(stream, n, wanted, times)", native_partly_shuffled},
    {"dirichlet(stream, out, alpha)", native_dirichlet},
    {"sample(stream, n, count, shuffled)", native_sample},
    {"seed_pool(words, pool_size)", native_seed_pool},
    {"seed_state(words, pool_size, count)", native_seed_state},
    {"state(stream)", native_state},
    {"set_state(stream, words, has_half, half)", native_set_state},
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
