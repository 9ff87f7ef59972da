// SPDX-License-Identifier: Apache-2.0
// Draws striped images and asks the exported model (model.py) for their directions.
#include "classify.h"
#include <math.h>
#include <stdio.h>

enum { BATCH = CLASSIFY_OUT_DIM0, DIRECTIONS = CLASSIFY_OUT_DIM1, SIZE = CLASSIFY_IMAGES_DIM1 };

static void draw(float image[SIZE][SIZE], int direction) {
  for (int row = 0; row < SIZE; row++)
    for (int column = 0; column < SIZE; column++) {
      const int along[] = {row, column, row + column, row - column};
      image[row][column] = sinf((float)along[direction] * 1.5f);
    }
}

static int greatest(const float *scores) {
  int best = 0;
  for (int i = 1; i < DIRECTIONS; i++)
    if (scores[i] > scores[best]) best = i;
  return best;
}

int main(void) {
  static float images[BATCH][SIZE][SIZE], scores[BATCH][DIRECTIONS];
  for (int i = 0; i < BATCH; i++) draw(images[i], i % DIRECTIONS);
  if (classify(NULL, &images[0][0][0], &scores[0][0]) != PRT_OK) {
    fprintf(stderr, "%s\n", prt_error_message());
    return 1;
  }
  static const char *const names[] = {"horizontal", "vertical", "rising", "falling"};
  int right = 0;
  for (int i = 0; i < BATCH; i++) right += greatest(scores[i]) == i % DIRECTIONS;
  for (int i = 0; i < DIRECTIONS; i++) printf("%s: %s\n", names[i], names[greatest(scores[i])]);
  printf("%d of %d right\n", right, BATCH);
  return right == BATCH ? 0 : 1;
}
