// SPDX-License-Identifier: Apache-2.0
// Functions of a program's own statements that are interpreted, not compiled (tiny.c).
#pragma once
#include "ir/core/ir.h"

// What has been interpreted, by the hash of its text.
typedef struct TinySeen {
  uint64_t hash;
  int times;
} TinySeen;

// Runs the function on the buffers of its parameters. False: nothing has been done, for it computes
// too much, or something whose last bits are the compiled code's.
bool tiny_run(Arena *arena, const IrFunc *func, void *const *buffers);
// Whether what has this hash comes so often that it is better compiled.
bool tiny_is_frequent(TinySeen *seen, uint64_t hash);
enum { TINY_SEEN = 4096 };
