// SPDX-License-Identifier: Apache-2.0
// BLAKE2b and BLAKE2s (RFC 7693) as hash functions in the form of Nettle's. Both are one function
// of words of 64 or 32 bits, which are kept in 64.
#include "std_blake2.h"
#include <string.h>

enum { WORDS = 8, MESSAGE_WORDS = 16, MOST_BLOCK = 128 };

typedef struct Blake2 {
  uint64_t h[WORDS];
  uint64_t count; // bytes that were compressed
  size_t used;    // of the block that is being filled: the last one is compressed at the end
  bool is_last_node;
  uint8_t block[MOST_BLOCK];
} Blake2;

static const uint64_t initial_b[WORDS] = {
    0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b, 0xa54ff53a5f1d36f1,
    0x510e527fade682d1, 0x9b05688c2b3e6c1f, 0x1f83d9abfb41bd6b, 0x5be0cd19137e2179};
static const uint64_t initial_s[WORDS] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                          0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

static const uint8_t sigma[10][MESSAGE_WORDS] = {
    {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
    {14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3},
    {11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4},
    {7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8},
    {9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13},
    {2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9},
    {12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11},
    {13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10},
    {6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5},
    {10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0}};

// What the two differ in; a constant where it is inlined.
typedef struct Kind {
  unsigned bits, rounds, turns[4];
  const uint64_t *initial;
} Kind;
static const Kind kind_b = {64, 12, {32, 24, 16, 63}, initial_b};
static const Kind kind_s = {32, 10, {16, 12, 8, 7}, initial_s};

static inline uint64_t cut(unsigned bits, uint64_t word) {
  return bits == 64 ? word : (uint32_t)word;
}

static inline uint64_t turned(unsigned bits, uint64_t word, unsigned by) {
  return cut(bits, word >> by | word << (bits - by));
}

static inline void mix(const Kind *kind, uint64_t *v, const int at[4], uint64_t x, uint64_t y) {
  unsigned bits = kind->bits;
  uint64_t a = v[at[0]], b = v[at[1]], c = v[at[2]], d = v[at[3]];
  a = cut(bits, a + b + x);
  d = turned(bits, d ^ a, kind->turns[0]);
  c = cut(bits, c + d);
  b = turned(bits, b ^ c, kind->turns[1]);
  a = cut(bits, a + b + y);
  d = turned(bits, d ^ a, kind->turns[2]);
  c = cut(bits, c + d);
  b = turned(bits, b ^ c, kind->turns[3]);
  v[at[0]] = a, v[at[1]] = b, v[at[2]] = c, v[at[3]] = d;
}

static inline uint64_t word_at(const Kind *kind, const uint8_t *bytes) {
  uint64_t word = 0;
  for (unsigned i = 0; i < kind->bits / 8; i++) word |= (uint64_t)bytes[i] << 8 * i;
  return word;
}

static inline __attribute__((always_inline)) void compress(const Kind *kind, Blake2 *s,
                                                           const uint8_t *block, bool is_last) {
  static const int places[8][4] = {{0, 4, 8, 12},  {1, 5, 9, 13},  {2, 6, 10, 14}, {3, 7, 11, 15},
                                   {0, 5, 10, 15}, {1, 6, 11, 12}, {2, 7, 8, 13},  {3, 4, 9, 14}};
  uint64_t m[MESSAGE_WORDS], v[2 * WORDS];
  for (size_t i = 0; i < MESSAGE_WORDS; i++) m[i] = word_at(kind, block + i * (kind->bits / 8));
  for (size_t i = 0; i < WORDS; i++) v[i] = s->h[i], v[WORDS + i] = kind->initial[i];
  v[12] ^= cut(kind->bits, s->count);
  if (kind->bits == 32) v[13] ^= s->count >> 32;
  if (is_last) v[14] = cut(kind->bits, ~v[14]);
  if (is_last && s->is_last_node) v[15] = cut(kind->bits, ~v[15]);
  for (unsigned round = 0; round < kind->rounds; round++) {
    const uint8_t *order = sigma[round % 10];
    for (size_t i = 0; i < 8; i++) mix(kind, v, places[i], m[order[2 * i]], m[order[2 * i + 1]]);
  }
  for (size_t i = 0; i < WORDS; i++) s->h[i] ^= v[i] ^ v[WORDS + i];
}

static void compress_b(Blake2 *s, const uint8_t *block, bool is_last) {
  compress(&kind_b, s, block, is_last);
}

static void compress_s(Blake2 *s, const uint8_t *block, bool is_last) {
  compress(&kind_s, s, block, is_last);
}

static void update(const Kind *kind, void (*step)(Blake2 *, const uint8_t *, bool), Blake2 *s,
                   size_t length, const uint8_t *data) {
  size_t size = kind->bits * 2; // sixteen words
  while (length) {
    if (s->used == size) {
      s->count += size;
      step(s, s->block, false);
      s->used = 0;
    }
    for (; s->used == 0 && length > size; data += size, length -= size) {
      s->count += size;
      step(s, data, false);
    }
    size_t part = size - s->used < length ? size - s->used : length;
    memcpy(s->block + s->used, data, part);
    s->used += part;
    data += part;
    length -= part;
  }
}

static void digest(const Kind *kind, void (*step)(Blake2 *, const uint8_t *, bool), Blake2 *s,
                   size_t length, uint8_t *out) {
  memset(s->block + s->used, 0, kind->bits * 2 - s->used);
  s->count += s->used;
  step(s, s->block, true);
  unsigned size = kind->bits / 8;
  for (size_t i = 0; i < length; i++) out[i] = (uint8_t)(s->h[i / size] >> 8 * (i % size));
}

static void update_b(void *s, size_t length, const uint8_t *data) {
  update(&kind_b, compress_b, s, length, data);
}

static void update_s(void *s, size_t length, const uint8_t *data) {
  update(&kind_s, compress_s, s, length, data);
}

static void digest_b(void *s, size_t length, uint8_t *out) {
  digest(&kind_b, compress_b, s, length, out);
}

static void digest_s(void *s, size_t length, uint8_t *out) {
  digest(&kind_s, compress_s, s, length, out);
}

void blake2_start(const struct nettle_hash *hash, void *context, Str parameters, Str key,
                  bool is_last_node) {
  const Kind *kind = hash == &blake2b_hash ? &kind_b : &kind_s;
  Blake2 *s = context;
  *s = (Blake2){.is_last_node = is_last_node};
  const uint8_t *words = (const uint8_t *)parameters.data;
  for (size_t i = 0; i < WORDS; i++)
    s->h[i] = kind->initial[i] ^ word_at(kind, words + i * (kind->bits / 8));
  if (!key.len) return;
  memcpy(s->block, key.data, key.len);
  s->used = hash->block_size;
}

const struct nettle_hash blake2b_hash = {.name = "blake2b",
                                         .context_size = sizeof(Blake2),
                                         .digest_size = 64,
                                         .block_size = 128,
                                         .update = update_b,
                                         .digest = digest_b};
const struct nettle_hash blake2s_hash = {.name = "blake2s",
                                         .context_size = sizeof(Blake2),
                                         .digest_size = 32,
                                         .block_size = 64,
                                         .update = update_s,
                                         .digest = digest_s};
