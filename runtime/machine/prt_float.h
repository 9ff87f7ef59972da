// SPDX-License-Identifier: Apache-2.0
// How a thread computes with floats while compiled code runs on it.
#pragma once
#include <stdint.h>

// Compiled code takes subnormal numbers for zero, rounds to nearest and does not trap. Sets the
// thread so and gives the mode it had.
uint64_t prt__float_mode_set(void);
void prt__float_mode_restore(uint64_t mode);
