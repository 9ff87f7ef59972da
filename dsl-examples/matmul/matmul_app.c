// SPDX-License-Identifier: Apache-2.0
// Times the blocked product, and checks some of its elements against the sums written out.
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include "matmul.h"
#include "quantized.h"

enum {
  M = MATMUL_X_DIM0,
  K = MATMUL_X_DIM1,
  N = MATMUL_Y_DIM1,
  Q = QUANTIZED_MATMUL_X_DIM0,
  REPEATS = 50
};
static float x[M * K], y[K * N], z[M * N];
static int8_t qx[Q * Q], qy[Q * Q];
static float sx[Q], sy[Q], qz[Q * Q];

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void must(prt_status status) {
  if (status == PRT_OK) return;
  fprintf(stderr, "%s\n", prt_error_message());
  exit(1);
}

static int check(void) {
  for (int i = 0; i < M; i += 37)
    for (int j = 0; j < N; j += 41) {
      double sum = 0;
      for (int k = 0; k < K; k++) sum += (double)x[i * K + k] * (double)y[k * N + j];
      if (fabs(sum - (double)z[i * N + j]) > 1e-3)
        return fprintf(stderr, "z[%d, %d] is %g, not %g\n", i, j, (double)z[i * N + j], sum), 1;
    }
  return 0;
}

int main(void) {
  srand(1);
  for (int i = 0; i < M * K; i++) x[i] = (float)rand() / (float)RAND_MAX - 0.5f;
  for (int i = 0; i < K * N; i++) y[i] = (float)rand() / (float)RAND_MAX - 0.5f;
  must(matmul(NULL, x, y, z));
  if (check()) return 1;
  double best = 1e9;
  for (int i = 0; i < REPEATS; i++) {
    double start = now();
    must(matmul(NULL, x, y, z));
    double time = now() - start;
    if (time < best) best = time;
  }
  printf("float32 %dx%dx%d: right, %.0f GFLOP/s on %d threads\n", M, N, K,
         2.0 * M * N * K / best * 1e-9, prt_machine_threads(NULL));
  for (int i = 0; i < Q * Q; i++) {
    qx[i] = (int8_t)(rand() % 255 - 127);
    qy[i] = (int8_t)(rand() % 255 - 127);
  }
  for (int i = 0; i < Q; i++) sx[i] = sy[i] = 0.5f;
  must(quantized_matmul(NULL, qx, qy, sx, sy, qz));
  int sum = 0;
  for (int k = 0; k < Q; k++) sum += qx[5 * Q + k] * qy[k * Q + 7];
  printf("int8 %dx%dx%d: element [5, 7] is %g, expected %g\n", Q, Q, Q, (double)qz[5 * Q + 7],
         0.25 * sum);
  return (double)qz[5 * Q + 7] == 0.25 * sum ? 0 : 1;
}
