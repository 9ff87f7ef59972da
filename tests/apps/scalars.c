// SPDX-License-Identifier: Apache-2.0
#include "scalars.h"

int main(void) {
  static const int32_t s[F_S_COUNT] = {3};
  static float x[F_X_COUNT], out[F_OUT_COUNT];
  return f(NULL, s, x, out) || out[0] != 31.5f;
}
