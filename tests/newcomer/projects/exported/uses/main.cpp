// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <vector>
#include "add.h" // of the kernels themselves
extern "C" {
#include "sums.h"
}

int main() {
  std::vector<float> x(ADD_X_COUNT, 1), y(ADD_Y_COUNT, 2);
  std::printf("%g\n", static_cast<double>(sum_at(x.data(), y.data(), ADD_OUT_COUNT - 1)));
}
