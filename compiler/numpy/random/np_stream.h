// SPDX-License-Identifier: Apache-2.0
// numpy.random's streams of bits, NumPy's to the bit: PCG64 (O'Neill 2014, XSL-RR and DXSM output),
// Philox 4x64-10 (Salmon 2011), SFC64 (Doty-Humphrey 2013), and the Mersenne Twister; seeded by
// SeedSequence.
#pragma once
#include "base/twister.h"
#include "python/values/value.h"

typedef unsigned __int128 u128;

typedef enum BitKind { BITS_PCG64, BITS_DXSM, BITS_PHILOX, BITS_SFC64, BITS_TWISTER } BitKind;

typedef struct Stream {
  Object base;
  BitKind kind;
  bool is_old;                           // the older functions draw from it, in ways of their own
  u128 state, increment;                 // PCG64
  uint64_t counter[4], key[2], drawn[4]; // Philox; SFC64 has its state in `counter`
  int drawn_at;                          // of `drawn`, the next one
  bool has_half;                         // the upper 32 bits of the last draw are still to be used
  uint32_t half;
  Twister twister;
  bool has_gauss;
  double gauss;
  uint32_t buffer; // bits of the last draw that small integers have not used up …
  int buffered;    // … and for how many of them they last
  struct {         // of the last binomial deviate by inversion, which are often many of one kind
    double p, none;
    int64_t n, most;
  } binomial;
} Stream;

// SeedSequence: `size` words of entropy are mixed from those of a seed, and a state from these.
enum { SEED_POOL = 4 }; // their number, if nothing else is asked for
void seed_pool(size_t count, const uint32_t *words, size_t size, uint32_t *pool);
void seed_from_pool(size_t size, const uint32_t *pool, size_t wanted, uint32_t *out);
void stream_seed(Stream *s, size_t size, const uint32_t *pool); // by its kind
uint64_t stream_next64(Stream *s);
uint32_t stream_next32(Stream *s);
double stream_next_double(Stream *s); // in [0, 1)
// In [0, range], by masks with rejection: what shuffles and urns draw, and all that the older
// functions draw.
uint64_t stream_interval(Stream *s, uint64_t range);
uint64_t stream_mask(uint64_t range); // all bits that a number up to `range` may have

// The state of every kind but the twister, as words: PCG64's state and increment, the high word of
// each first; Philox's counter, key, drawn words and place among them; SFC64's.
enum { STREAM_WORDS = 11 };
void stream_state(const Stream *s, uint64_t words[STREAM_WORDS]);
void stream_set_state(Stream *s, const uint64_t words[STREAM_WORDS]);

static inline float stream_next_float(Stream *s) {
  return (float)(stream_next32(s) >> 8) * (1.0f / 16777216.0f);
}

// Of a PCG64 whose state stays in registers.
static inline uint64_t pcg_next(u128 *state, u128 increment) {
  const u128 multiplier = (u128)2549297995355413924ull << 64 | 4865540595714422341ull;
  *state = *state * multiplier + increment;
  uint64_t x = (uint64_t)(*state >> 64) ^ (uint64_t)*state;
  unsigned r = (unsigned)(*state >> 122);
  return x >> r | x << (-r & 63);
}
