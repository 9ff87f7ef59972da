// SPDX-License-Identifier: Apache-2.0
#include <dlfcn.h>
#include <iostream>
#include <vector>
#include "add.h"

int main() {
  std::vector<float> x(ADD_X_COUNT, 2.0f), y(ADD_Y_COUNT), out(ADD_OUT_COUNT);
  void *library = dlopen(DOUBLING, RTLD_NOW);
  const prt_entry *quadrupled = library ? prt_find_entry(library, "quadrupled") : nullptr;
  if (!quadrupled) {
    std::cerr << "there is no quadrupled\n";
    return 1;
  }
  void *arguments[] = {x.data(), y.data()};
  if (quadrupled->call(nullptr, arguments) != PRT_OK ||
      add(nullptr, x.data(), y.data(), out.data()) != PRT_OK) {
    std::cerr << prt_error_message() << '\n';
    return 1;
  }
  std::cout << out[7] << '\n';
}
