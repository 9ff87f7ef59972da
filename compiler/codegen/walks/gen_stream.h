// SPDX-License-Identifier: Apache-2.0
// Stores past the caches.
#pragma once
#include "codegen/emit/gen.h"

// An address modulo a line, an i64.
Value stream_misalignment(LlvmGen *g, Value address);
// A whole vector, to an address that is a multiple of its size. Somebody must fence before others
// read it.
void stream_store(LlvmGen *g, Value raw, Value address);
void stream_fence(LlvmGen *g);
