// SPDX-License-Identifier: Apache-2.0
#include <stdio.h>
#include "add.h"

int main(void) {
  static float x[ADD_X_COUNT], y[ADD_Y_COUNT], out[ADD_OUT_COUNT];
  x[3] = 1;
  y[3] = 2;
  if (add(NULL, x, y, out) != PRT_OK) {
    fprintf(stderr, "%s\n", prt_error_message());
    return 1;
  }
  printf("%g\n", out[3]);
  return 0;
}
