// SPDX-License-Identifier: Apache-2.0
#include <stdio.h>
#include "add.h"
#include "both.h"
#include "fast/scale.h"
#include "ones_16.h"
#include "ones_32.h"
#include "ones_8.h"
#include "plus.hpp"
#include "small/scale.h"

static float x[ADD_X_COUNT], out[ADD_X_COUNT], ones[ONES_32_OUT_COUNT];

static float sum_of_ones(int count) {
  float sum = 0;
  for (int i = 0; i < count; i++) sum += ones[i];
  return sum;
}

int main(void) {
  x[1] = 2;
  if (add(NULL, x, x, out)) return 1;
  printf("%g", out[1]);
  if (triple(NULL, x, out)) return 1;
  printf(" %g", out[1]);
  if (negated(NULL, x, out)) return 1;
  printf(" %g", out[1]);
  if (tripled_twice(NULL, x, out)) return 1;
  printf(" %g", out[1]);
  if (plus(NULL, x, x, out)) return 1;
  printf(" %g\n", out[1]);
  static const int64_t sizes[] = {GROWN_N_SIZES};
  for (int i = 0; i < 2; i++) {
    if (grown(NULL, sizes[i], x, out)) return 1;
    printf("%g ", out[1]);
  }
  printf("%d\n", grown(NULL, 5, x, out) == PRT_ERROR_ARGUMENT);
  x[1] = 0;
  if (ones_8(NULL, x, ones)) return 1;
  printf("%g", sum_of_ones(ONES_8_OUT_COUNT));
  if (ones_16(NULL, x, ones)) return 1;
  printf(" %g", sum_of_ones(ONES_16_OUT_COUNT));
  if (ones_32(NULL, x, ones)) return 1;
  printf(" %g\n", sum_of_ones(ONES_32_OUT_COUNT));
  return 0;
}
