// SPDX-License-Identifier: Apache-2.0
// What stands in for libFuzzer where there is none: gives each file, and COUNT mutations of it, to
// the target. The same seed makes the same mutations.
//   replay_TARGET [--count N] [--seed S] FILE…
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct Random {
  uint64_t state;
} Random;

static size_t below(Random *r, size_t limit) {
  r->state ^= r->state << 13;
  r->state ^= r->state >> 7;
  r->state ^= r->state << 17;
  return limit ? (size_t)(r->state % limit) : 0;
}

// Changes some bytes, or removes or repeats a piece. `data` has room for twice its size.
static size_t mutate(Random *r, uint8_t *data, size_t size) {
  for (size_t round = 1 + below(r, 4); round && size; round--) {
    size_t at = below(r, size), length = 1 + below(r, size - at < 16 ? size - at : 16);
    switch (below(r, 4)) {
    case 0: data[at] = (uint8_t)below(r, 256); break;
    case 1:
      memmove(data + at, data + at + length, size - at - length);
      size -= length;
      break;
    case 2:
      memmove(data + at + length, data + at, size - at);
      size += length;
      break;
    default: memmove(data + below(r, size - length + 1), data + at, length); break;
    }
  }
  return size;
}

static int give(const char *path, size_t count, uint64_t seed) {
  FILE *in = fopen(path, "rb");
  if (!in) {
    perror(path);
    return 1;
  }
  static const size_t most = (size_t)1 << 20;
  uint8_t *data = malloc(most), *copy = malloc(2 * most);
  size_t size = fread(data, 1, most, in);
  fclose(in);
  LLVMFuzzerTestOneInput(data, size);
  for (size_t i = 0; i < count; i++) {
    Random r = {(seed + 1) * 0x9E3779B97F4A7C15u + i * 0xBF58476D1CE4E5B9u + 1};
    memcpy(copy, data, size);
    size_t length = mutate(&r, copy, size);
    char name[64]; // what is being tried can be looked at after a crash
    snprintf(name, sizeof name, "/tmp/pallasc-replay.%d", (int)getpid());
    FILE *out = fopen(name, "wb");
    if (out) fwrite(copy, 1, length, out), fclose(out);
    LLVMFuzzerTestOneInput(copy, length);
    unlink(name);
  }
  free(data);
  free(copy);
  return 0;
}

int main(int argc, char **argv) {
  size_t count = 0;
  uint64_t seed = 1;
  int failed = 0;
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "--count") == 0 && i + 1 < argc)
      count = strtoull(argv[++i], NULL, 10);
    else if (strcmp(argv[i], "--seed") == 0 && i + 1 < argc)
      seed = strtoull(argv[++i], NULL, 10);
    else
      failed |= give(argv[i], count, seed);
  }
  return failed;
}
