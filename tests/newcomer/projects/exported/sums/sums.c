// SPDX-License-Identifier: Apache-2.0
#include "sums.h"
#include "add.h"

float sum_at(const float *x, const float *y, int i) {
  static float out[ADD_OUT_COUNT];
  return add(NULL, x, y, out) == PRT_OK ? out[i] : -1;
}
