// SPDX-License-Identifier: Apache-2.0
// The Mersenne Twister MT19937.
#include "twister.h"

enum { SHIFT = 397 };

void twister_seed(Twister *t, uint32_t seed) {
  t->words[0] = seed;
  for (uint32_t i = 1; i < TWISTER_WORDS; i++) {
    uint32_t previous = t->words[i - 1];
    t->words[i] = 1812433253u * (previous ^ previous >> 30) + i;
  }
  t->at = TWISTER_WORDS;
}

void twister_seed_words(Twister *t, const uint32_t *seed, size_t count) {
  twister_seed(t, 19650218u);
  uint32_t *w = t->words;
  size_t i = 1, j = 0;
  for (size_t k = TWISTER_WORDS > count ? TWISTER_WORDS : count; k > 0; k--) {
    w[i] = (w[i] ^ ((w[i - 1] ^ w[i - 1] >> 30) * 1664525u)) + seed[j] + (uint32_t)j;
    if (++j == count) j = 0;
    if (++i == TWISTER_WORDS) {
      w[0] = w[TWISTER_WORDS - 1];
      i = 1;
    }
  }
  for (size_t k = TWISTER_WORDS - 1; k > 0; k--) {
    w[i] = (w[i] ^ ((w[i - 1] ^ w[i - 1] >> 30) * 1566083941u)) - (uint32_t)i;
    if (++i == TWISTER_WORDS) {
      w[0] = w[TWISTER_WORDS - 1];
      i = 1;
    }
  }
  w[0] = 0x80000000u;
}

static uint32_t twisted(uint32_t far, uint32_t high, uint32_t low) {
  uint32_t y = (high & 0x80000000u) | (low & 0x7fffffffu);
  return far ^ y >> 1 ^ (-(y & 1) & 0x9908b0dfu);
}

static void twist(Twister *t) {
  uint32_t *w = t->words;
  const size_t before = TWISTER_WORDS - SHIFT;
  size_t i = 0;
  for (; i < before; i++) w[i] = twisted(w[i + SHIFT], w[i], w[i + 1]);
  for (; i < TWISTER_WORDS - 1; i++) w[i] = twisted(w[i - before], w[i], w[i + 1]);
  w[i] = twisted(w[i - before], w[i], w[0]);
  t->at = 0;
}

uint32_t twister_next(Twister *t) {
  if (t->at >= TWISTER_WORDS) twist(t);
  uint32_t y = t->words[t->at++];
  y ^= y >> 11;
  y ^= y << 7 & 0x9d2c5680u;
  y ^= y << 15 & 0xefc60000u;
  return y ^ y >> 18;
}

double twister_next_double(Twister *t) {
  uint32_t high = twister_next(t) >> 5, low = twister_next(t) >> 6;
  return ((double)high * 67108864.0 + (double)low) / 9007199254740992.0;
}
