// SPDX-License-Identifier: Apache-2.0
// What holds for every CPU that code is made for.
#pragma once

enum {
  WIDEST_VECTOR = 64,        // bytes of the longest vector register that any of them has
  MAX_LANES = WIDEST_VECTOR, // of a vector; elements have a byte at least
  LINE_BYTES = 64,           // of the caches
};
