// SPDX-License-Identifier: Apache-2.0
// Trains the character model of model.py on a text and writes some more of it: train FILE [STEPS].
// In: the objects step.o, predict.o and start.o. Out: the loss now and then, then text.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "predict.h"
#include "start.h"
#include "step.h"

#define SAMPLE 200

// What a step reads and what it makes, in turn.
static float theta[2][STEP_THETA_COUNT], mean[2][STEP_THETA_COUNT], square[2][STEP_THETA_COUNT];
static unsigned random_state = 1;

static unsigned draw(unsigned below) {
  random_state = random_state * 1664525u + 1013904223u;
  return (random_state >> 8) % below;
}

static int fail(void) {
  fprintf(stderr, "train: %s\n", prt_error_message());
  return 1;
}

static char *read_text(const char *path, size_t *length) {
  FILE *file = fopen(path, "rb");
  if (!file) return NULL;
  static char text[1 << 20];
  *length = fread(text, 1, sizeof text, file);
  fclose(file);
  for (size_t i = 0; i < *length; i++) text[i] &= 127;
  return text;
}

static int train(const char *text, size_t length, int steps) {
  float count[2] = {0, 0}, loss = 0;
  int32_t texts[STEP_TEXTS_DIM0][STEP_TEXTS_DIM1];
  for (int n = 0; n < steps; n++) {
    for (size_t i = 0; i < STEP_TEXTS_DIM0; i++) {
      size_t first = draw((unsigned)(length - STEP_TEXTS_DIM1));
      for (size_t k = 0; k < STEP_TEXTS_DIM1; k++) texts[i][k] = text[first + k];
    }
    int now = n % 2, next = !now;
    if (step(NULL, theta[now], mean[now], square[now], &count[now], texts[0], theta[next],
             mean[next], square[next], &count[next], &loss) != PRT_OK)
      return fail();
    if (n % 50 == 0 || n == steps - 1) printf("step %d: loss %.3f\n", n, (double)loss);
  }
  if (steps % 2) memcpy(theta[0], theta[1], sizeof theta[0]);
  return 0;
}

// The character behind text[at], drawn as the model says.
static int draw_next(const float *scores) {
  double sum = 0, greatest = -INFINITY;
  for (int c = 0; c < PREDICT_OUT_DIM1; c++) greatest = fmax(greatest, (double)scores[c]);
  for (int c = 0; c < PREDICT_OUT_DIM1; c++) sum += exp(((double)scores[c] - greatest) / 0.7);
  double left = sum * draw(1 << 20) / (1 << 20);
  for (int c = 0; c < PREDICT_OUT_DIM1; c++) {
    left -= exp(((double)scores[c] - greatest) / 0.7);
    if (left < 0) return c;
  }
  return ' ';
}

static int write_text(const char *start) {
  static float scores[PREDICT_OUT_DIM0][PREDICT_OUT_DIM1];
  int32_t window[PREDICT_TEXT_COUNT];
  for (size_t i = 0; i < PREDICT_TEXT_COUNT; i++) window[i] = start[i];
  for (int n = 0; n < SAMPLE; n++) {
    if (predict(NULL, theta[0], window, scores[0]) != PRT_OK) return fail();
    int c = draw_next(scores[PREDICT_OUT_DIM0 - 1]);
    putchar(c);
    memmove(window, window + 1, sizeof window - sizeof window[0]);
    window[PREDICT_TEXT_COUNT - 1] = c;
  }
  putchar('\n');
  return 0;
}

int main(int argc, char **argv) {
  size_t length = 0;
  const char *text = argc > 1 ? read_text(argv[1], &length) : NULL;
  if (!text || length <= STEP_TEXTS_DIM1) return fprintf(stderr, "train: FILE [STEPS]\n"), 1;
  if (start(NULL, theta[0]) != PRT_OK) return fail();
  if (train(text, length, argc > 2 ? atoi(argv[2]) : 1000)) return 1;
  return write_text(text);
}
