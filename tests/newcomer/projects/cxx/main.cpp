// SPDX-License-Identifier: Apache-2.0
#include <iostream>
#include <vector>
#include "add.h"

int main() {
  std::vector<float> x(ADD_X_COUNT, 1.5f), y(ADD_Y_COUNT, 2.0f), out(ADD_OUT_COUNT);
  if (add(nullptr, x.data(), y.data(), out.data()) != PRT_OK) {
    std::cerr << prt_error_message() << '\n';
    return 1;
  }
  std::cout << out[1023] << '\n';
}
