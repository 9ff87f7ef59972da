// SPDX-License-Identifier: Apache-2.0
// Sentences as bags of hashed words, each the sum of its words' vectors: which sentences are alike?
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include "embedding_bag.h"

enum {
  WORDS = EMBEDDING_BAG_TABLE_DIM0,
  WIDTH = EMBEDDING_BAG_TABLE_DIM1,
  BAG = EMBEDDING_BAG_TOKENS_DIM1
};
static float table[WORDS * WIDTH], sums[EMBEDDING_BAG_OUT_COUNT];
static int32_t tokens[EMBEDDING_BAG_TOKENS_COUNT];

static const char *const sentences[] = {"the copy waits for the semaphore",
                                        "a semaphore waits for the copy",
                                        "bread with butter and honey"};
enum { SENTENCES = sizeof sentences / sizeof *sentences };

static uint32_t random_bits(uint32_t *state) {
  *state = *state * 1664525u + 1013904223u;
  return *state >> 8;
}

static float likeness(const float *a, const float *b) {
  float ab = 0, aa = 0, bb = 0;
  for (int i = 0; i < WIDTH; i++) ab += a[i] * b[i], aa += a[i] * a[i], bb += b[i] * b[i];
  return ab / sqrtf(aa * bb);
}

int main(void) {
  uint32_t state = 1;
  // Word 0 is none: zero.
  for (int i = WIDTH; i < WORDS * WIDTH; i++) table[i] = (float)random_bits(&state) / (1 << 23) - 1;
  for (int s = 0; s < SENTENCES; s++) {
    int word = 0;
    for (const char *at = sentences[s]; *at && word < BAG; at += strspn(at, " ")) {
      uint32_t hash = 5381;
      for (; *at && *at != ' '; at++) hash = hash * 33 + (unsigned char)*at;
      tokens[s * BAG + word++] = (int32_t)(1 + hash % (WORDS - 1));
    }
  }
  if (embedding_bag(NULL, table, tokens, sums))
    return fprintf(stderr, "%s\n", prt_error_message()), 1;
  for (int s = 1; s < SENTENCES; s++)
    printf("\"%s\" and \"%s\": %.2f\n", sentences[0], sentences[s],
           likeness(sums, sums + s * WIDTH));
  return 0;
}
