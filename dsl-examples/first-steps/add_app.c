// SPDX-License-Identifier: Apache-2.0
// Calls three compiled functions from C: add, and two specialisations of scale.
#include <stdio.h>
#include <stdlib.h>
#include "add.h"
#include "specialise.h"

static float x[ADD_X_COUNT], y[ADD_X_COUNT], z[ADD_X_COUNT];

static void must(prt_status status) {
  if (status == PRT_OK) return;
  fprintf(stderr, "%s\n", prt_error_message());
  exit(1);
}

int main(void) {
  for (int i = 0; i < ADD_X_COUNT; i++) {
    x[i] = (float)i;
    y[i] = 0.5f * (float)(i % 7);
  }
  must(add(NULL, x, y, z));
  for (int i = 0; i < ADD_X_COUNT; i++)
    if (z[i] != x[i] + y[i]) return fprintf(stderr, "z[%d] is %g\n", i, (double)z[i]), 1;
  printf("%d sums of a %dx%d array are right; z[1000] = %g + %g = %g\n", ADD_X_COUNT, ADD_X_DIM0,
         ADD_X_DIM1, (double)x[1000], (double)y[1000], (double)z[1000]);
  must(scale_small(NULL, x, z));
  printf("scale_small: 0.5 * %g = %g\n", (double)x[9], (double)z[9]);
  must(scale_large(NULL, x, z));
  printf("scale_large: 3 * %g = %g\n", (double)x[9], (double)z[9]);
  return z[9] == 3 * x[9] ? 0 : 1;
}
