// SPDX-License-Identifier: Apache-2.0
// Eight threads call one entry point at once, on the default machine and on one of their own.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include "kernels.h"

enum { THREADS = 8, ROUNDS = 60, ROWS = SMOOTH_X_DIM0, COLUMNS = SMOOTH_X_DIM1 };
static prt_machine *own;

static int is_right(const float *x, const float *out) {
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < COLUMNS; j++)
      if (out[i * COLUMNS + j] != (x[i * COLUMNS + j] + x[i * COLUMNS + (j + 1) % COLUMNS]) * 0.5f)
        return 0;
  return 1;
}

static void *work(void *data) {
  long number = (long)data, wrong = 0;
  float *x = malloc(sizeof(float) * SMOOTH_X_COUNT), *out = malloc(sizeof(float) * SMOOTH_X_COUNT);
  for (int i = 0; i < SMOOTH_X_COUNT; i++) x[i] = (float)((i * 7 + number) % 1000);
  for (int round = 0; round < ROUNDS; round++) {
    out[round] = -1;
    wrong += smooth(number % 2 ? own : NULL, x, out) != PRT_OK || !is_right(x, out);
  }
  free(x);
  free(out);
  return (void *)wrong;
}

int main(void) {
  prt_machine_options options;
  prt_machine_options_init(&options);
  options.threads = 3;
  own = prt_machine_new(&options);
  pthread_t threads[THREADS];
  long wrong = 0;
  for (long i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, work, (void *)i);
  for (int i = 0; i < THREADS; i++) {
    void *result;
    pthread_join(threads[i], &result);
    wrong += (long)result;
  }
  prt_machine_free(own);
  printf("%d calls from %d threads, %ld wrong\n", THREADS * ROUNDS, THREADS, wrong);
  return wrong != 0;
}
