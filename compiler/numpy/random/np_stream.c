// SPDX-License-Identifier: Apache-2.0
// Streams of bits (np_stream.h): seeds and the kinds of generators.
#include "np_stream.h"

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

void seed_pool(size_t count, const uint32_t *words, size_t size, uint32_t *pool) {
  uint32_t constant = 0x43b0d7e5u;
  for (size_t i = 0; i < size; i++) pool[i] = hash_mix(i < count ? words[i] : 0, &constant);
  for (size_t s = 0; s < size; s++)
    for (size_t d = 0; d < size; d++)
      if (s != d) pool[d] = mix(pool[d], hash_mix(pool[s], &constant));
  for (size_t s = size; s < count; s++)
    for (size_t d = 0; d < size; d++) pool[d] = mix(pool[d], hash_mix(words[s], &constant));
}

void seed_from_pool(size_t size, const uint32_t *pool, size_t wanted, uint32_t *out) {
  uint32_t constant = 0x8b51f9ddu;
  for (size_t i = 0; i < wanted; i++) {
    uint32_t v = pool[i % size] ^ constant;
    constant *= 0x58f38dedu;
    v *= constant;
    out[i] = v ^ v >> 16;
  }
}

// ---- the kinds ----------------------------------------------------------------------------------
#define DXSM_FACTOR 0xda942042e4dd58b5ull

static uint64_t next_of_dxsm(Stream *s) {
  uint64_t high = (uint64_t)(s->state >> 64), low = (uint64_t)s->state | 1;
  high ^= high >> 32;
  high *= DXSM_FACTOR;
  high ^= high >> 48;
  high *= low;
  s->state = s->state * DXSM_FACTOR + s->increment;
  return high;
}

static uint64_t next_of_philox(Stream *s) {
  if (s->drawn_at < 4) return s->drawn[s->drawn_at++];
  for (int i = 0; i < 4 && ++s->counter[i] == 0; i++) continue;
  uint64_t c[4] = {s->counter[0], s->counter[1], s->counter[2], s->counter[3]},
           k[2] = {s->key[0], s->key[1]};
  for (int round = 0; round < 10; round++) {
    u128 a = (u128)0xd2e7470ee14c6c93ull * c[0], b = (u128)0xca5a826395121157ull * c[2];
    c[0] = (uint64_t)(b >> 64) ^ c[1] ^ k[0];
    c[1] = (uint64_t)b;
    c[2] = (uint64_t)(a >> 64) ^ c[3] ^ k[1];
    c[3] = (uint64_t)a;
    k[0] += 0x9e3779b97f4a7c15ull;
    k[1] += 0xbb67ae8584caa73bull;
  }
  for (int i = 0; i < 4; i++) s->drawn[i] = c[i];
  s->drawn_at = 1;
  return c[0];
}

static uint64_t next_of_sfc(Stream *s) {
  uint64_t *c = s->counter, sum = c[0] + c[1] + c[3]++;
  c[0] = c[1] ^ c[1] >> 11;
  c[1] = c[2] + (c[2] << 3);
  c[2] = (c[2] << 24 | c[2] >> 40) + sum;
  return sum;
}

uint64_t stream_next64(Stream *s) {
  switch (s->kind) {
  case BITS_PCG64: return pcg_next(&s->state, s->increment);
  case BITS_DXSM: return next_of_dxsm(s);
  case BITS_PHILOX: return next_of_philox(s);
  case BITS_SFC64: return next_of_sfc(s);
  case BITS_TWISTER: break;
  }
  uint64_t high = twister_next(&s->twister);
  return high << 32 | twister_next(&s->twister);
}

uint32_t stream_next32(Stream *s) {
  if (s->kind == BITS_TWISTER) return twister_next(&s->twister);
  if (s->has_half) {
    s->has_half = false;
    return s->half;
  }
  uint64_t x = stream_next64(s);
  s->has_half = true;
  s->half = (uint32_t)(x >> 32);
  return (uint32_t)x;
}

double stream_next_double(Stream *s) {
  if (s->kind == BITS_TWISTER) return twister_next_double(&s->twister);
  return (double)(stream_next64(s) >> 11) * (1.0 / 9007199254740992.0);
}

uint64_t stream_mask(uint64_t range) {
  uint64_t mask = range;
  for (int shift = 1; shift < 64; shift *= 2) mask |= mask >> shift;
  return mask;
}

uint64_t stream_interval(Stream *s, uint64_t range) {
  if (range == 0) return 0;
  uint64_t mask = stream_mask(range), v;
  do v = range <= UINT32_MAX ? stream_next32(s) & mask : stream_next64(s) & mask;
  while (v > range);
  return v;
}

// ---- states -------------------------------------------------------------------------------------
static bool is_pcg(const Stream *s) { return s->kind == BITS_PCG64 || s->kind == BITS_DXSM; }

void stream_state(const Stream *s, uint64_t words[STREAM_WORDS]) {
  for (int i = 0; i < STREAM_WORDS; i++) words[i] = 0;
  if (is_pcg(s)) {
    words[0] = (uint64_t)(s->state >> 64), words[1] = (uint64_t)s->state;
    words[2] = (uint64_t)(s->increment >> 64), words[3] = (uint64_t)s->increment;
    return;
  }
  for (int i = 0; i < 4; i++) words[i] = s->counter[i], words[6 + i] = s->drawn[i];
  words[4] = s->key[0], words[5] = s->key[1], words[10] = (uint64_t)s->drawn_at;
}

void stream_set_state(Stream *s, const uint64_t words[STREAM_WORDS]) {
  if (is_pcg(s)) {
    s->state = (u128)words[0] << 64 | words[1];
    s->increment = (u128)words[2] << 64 | words[3];
    return;
  }
  for (int i = 0; i < 4; i++) s->counter[i] = words[i], s->drawn[i] = words[6 + i];
  s->key[0] = words[4], s->key[1] = words[5];
  s->drawn_at = words[10] < 4 ? (int)words[10] : 4;
}

// ---- seeds of the kinds -------------------------------------------------------------------------
// Of both kinds by the steps of the first.
static void seed_pcg(Stream *s, const uint64_t *v) {
  s->increment = ((u128)v[2] << 64 | v[3]) << 1 | 1;
  s->state = 0;
  pcg_next(&s->state, s->increment);
  s->state += (u128)v[0] << 64 | v[1];
  pcg_next(&s->state, s->increment);
}

void stream_seed(Stream *s, size_t size, const uint32_t *pool) {
  if (s->kind == BITS_TWISTER) {
    seed_from_pool(size, pool, TWISTER_WORDS, s->twister.words);
    s->twister.words[0] = 0x80000000u; // not all zeros
    s->twister.at = TWISTER_WORDS - 1;
    return;
  }
  uint32_t w[8];
  uint64_t v[4];
  seed_from_pool(size, pool, 8, w);
  for (int i = 0; i < 4; i++) v[i] = w[2 * i] | (uint64_t)w[2 * i + 1] << 32;
  if (s->kind == BITS_PHILOX) {
    s->key[0] = v[0], s->key[1] = v[1];
    s->drawn_at = 4;
  } else if (s->kind == BITS_SFC64) {
    for (int i = 0; i < 3; i++) s->counter[i] = v[i];
    s->counter[3] = 1;
    for (int i = 0; i < 12; i++) next_of_sfc(s);
  } else {
    seed_pcg(s, v);
  }
}
