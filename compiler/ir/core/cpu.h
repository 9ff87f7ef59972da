// SPDX-License-Identifier: Apache-2.0
// What holds for every CPU that code is made for.
#pragma once

enum {
  WIDEST_VECTOR = 64,              // bytes of the longest vector register that any of them has
  MAX_LANES = WIDEST_VECTOR,       // of a vector; elements have a byte at least
  LINE_BYTES = 64,                 // of the caches
  FULL_VECTOR = WIDEST_VECTOR / 4, // elements of four bytes that fill vectors on any CPU
  // What passes take for near, since they run before the target is known: a core's second level of
  // caches on servers with AVX-512 (codegen/emit/target.def; smaller ones lose a part of the gain).
  SECOND_LEVEL_BYTES = 1 << 20,
  FIRST_LEVEL_BYTES = 32 << 10, // and in the first: the smallest of that table
};
