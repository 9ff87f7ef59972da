// SPDX-License-Identifier: Apache-2.0
// Calls the flash attention of attention.py on some numbers and says how far it is from the plain
// formula: out[i] = sum over j <= i of softmax(q[i] . k[j] / sqrt(WIDTH))[j] * v[j].
#include "attend.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { HEADS = ATTEND_Q_DIM0, LENGTH = ATTEND_Q_DIM1, WIDTH = ATTEND_Q_DIM2 };
typedef float Heads[HEADS][LENGTH][WIDTH];

static void draw(Heads x) {
  for (int head = 0; head < HEADS; head++)
    for (int i = 0; i < LENGTH; i++)
      for (int d = 0; d < WIDTH; d++) x[head][i][d] = (float)rand() / (float)RAND_MAX * 2 - 1;
}

static double dot(const float *x, const float *y) {
  double sum = 0;
  for (int d = 0; d < WIDTH; d++) sum += (double)x[d] * (double)y[d];
  return sum;
}

static void plain_row(Heads q, Heads k, Heads v, int head, int i, double *out) {
  double sum = 0;
  for (int d = 0; d < WIDTH; d++) out[d] = 0;
  for (int j = 0; j <= i; j++) {
    double weight = exp(dot(q[head][i], k[head][j]) / sqrt(WIDTH));
    for (int d = 0; d < WIDTH; d++) out[d] += weight * (double)v[head][j][d];
    sum += weight;
  }
  for (int d = 0; d < WIDTH; d++) out[d] /= sum;
}

int main(void) {
  static Heads q, k, v, out;
  draw(q), draw(k), draw(v);
  if (attend(NULL, q[0][0], k[0][0], v[0][0], out[0][0]) != PRT_OK) {
    fprintf(stderr, "%s\n", prt_error_message());
    return 1;
  }
  double row[WIDTH], worst = 0;
  for (int head = 0; head < HEADS; head++)
    for (int i = 0; i < LENGTH; i++) {
      plain_row(q, k, v, head, i, row);
      for (int d = 0; d < WIDTH; d++) worst = fmax(worst, fabs(row[d] - (double)out[head][i][d]));
    }
  printf("%d rows, at most %.1e from the plain formula\n", HEADS * LENGTH, worst);
  return worst < 1e-5 ? 0 : 1;
}
