// SPDX-License-Identifier: Apache-2.0
// Two libraries of kernels in one C++ program.
#include <cstdio>
#include <vector>
#include "kernels.h"
#include "special.h"

int main() {
  std::vector<float> x(TRIPLE_X_COUNT, 2.0f), y(QUARTER_OUT_COUNT), z(ADD_OUT_COUNT);
  if (triple(nullptr, x.data(), y.data()) || y[0] != 6.0f) return 1;
  if (quarter(nullptr, x.data(), y.data()) || y[QUARTER_OUT_COUNT - 1] != 0.5f) return 2;
  if (add(nullptr, x.data(), y.data(), z.data()) || z[3] != 2.5f) return 3;
  std::puts("two libraries of kernels work together");
  return 0;
}
