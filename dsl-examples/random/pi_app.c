// SPDX-License-Identifier: Apache-2.0
// Estimates pi from a few seeds.
#include <math.h>
#include <stdio.h>
#include "pi.h"

int main(void) {
  double sum = 0;
  for (uint32_t seed = 0; seed < 16; seed++) {
    float estimate;
    if (estimate_pi(NULL, &seed, &estimate)) return fprintf(stderr, "%s\n", prt_error_message()), 1;
    sum += (double)estimate;
  }
  printf("pi from 16 x 65536 points: %.4f\n", sum / 16);
  return fabs(sum / 16 - 3.14159) < 0.01 ? 0 : 1;
}
