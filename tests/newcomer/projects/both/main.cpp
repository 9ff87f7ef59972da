// SPDX-License-Identifier: Apache-2.0
#include <iostream>

extern "C" float sum_of_ones(void);

int main() { std::cout << sum_of_ones() << '\n'; }
