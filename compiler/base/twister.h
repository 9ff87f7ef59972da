// SPDX-License-Identifier: Apache-2.0
// The Mersenne Twister MT19937 (Matsumoto and Nishimura 1998), from which Python's random and
// NumPy's older functions draw.
#pragma once
#include "base.h"

enum { TWISTER_WORDS = 624 };

// Seeded before it is drawn from.
typedef struct Twister {
  uint32_t words[TWISTER_WORDS];
  unsigned at; // of the next word to draw; at the end all are made anew
} Twister;

void twister_seed(Twister *t, uint32_t seed);
void twister_seed_words(Twister *t, const uint32_t *seed, size_t count); // count > 0
uint32_t twister_next(Twister *t);
double twister_next_double(Twister *t); // in [0, 1), of 53 bits
