// SPDX-License-Identifier: Apache-2.0
// Counts the letters of a text file, README.md if none is given, and draws the most frequent ones.
// run: "$root/README.md"
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include "histogram.h"

static uint8_t block[HISTOGRAM_DATA_COUNT];
static int32_t counts[HISTOGRAM_OUT_COUNT];
static long total[256];

int main(int argc, char **argv) {
  const char *path = argc > 1 ? argv[1] : "README.md";
  FILE *file = fopen(path, "rb");
  if (!file) return perror(path), 1;
  for (size_t got; (got = fread(block, 1, sizeof block, file)) > 0;) {
    memset(block + got, 0, sizeof block - got); // zeros are not letters
    if (histogram(NULL, block, counts)) return fprintf(stderr, "%s\n", prt_error_message()), 1;
    for (int i = 0; i < 256; i++) total[tolower(i)] += counts[i];
  }
  fclose(file);
  printf("letters of %s:\n", path);
  long most = 1;
  for (int c = 'a'; c <= 'z'; c++)
    if (total[c] > most) most = total[c];
  for (int line = 0; line < 6; line++) {
    int best = 'a';
    for (int c = 'b'; c <= 'z'; c++)
      if (total[c] > total[best]) best = c;
    printf("  %c %5ld %.*s\n", best, total[best], (int)(40 * total[best] / most),
           "########################################");
    total[best] = -1;
  }
  return 0;
}
