// SPDX-License-Identifier: Apache-2.0
// What a call from C costs: nanoseconds for one of an 8x128 add, warm. Built by the benchmark;
// prints one number a round.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include "one_add.h"

enum { CALLS = 20000 };

int main(int argc, char **argv) {
  static _Alignas(64) float x[ONE_ADD_X_COUNT], y[ONE_ADD_Y_COUNT], out[ONE_ADD_OUT_COUNT];
  for (int i = 0; i < ONE_ADD_X_COUNT; i++) x[i] = (float)i, y[i] = (float)-2 * (float)i;
  for (int round = argc > 1 ? atoi(argv[1]) : 9; round >= 0; round--) {
    struct timespec start, end;
    clock_gettime(CLOCK_MONOTONIC, &start);
    for (int i = 0; i < CALLS; i++)
      if (one_add(NULL, x, y, out)) return 1;
    clock_gettime(CLOCK_MONOTONIC, &end);
    printf("%g\n",
           ((double)(end.tv_sec - start.tv_sec) * 1e9 + (double)(end.tv_nsec - start.tv_nsec)) /
               CALLS);
  }
  return out[5] != -5;
}
