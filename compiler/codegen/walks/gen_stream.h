// SPDX-License-Identifier: Apache-2.0
// Stores past the caches (gen_stream.c).
#pragma once
#include "codegen/clusters/plan.h"

enum { STREAM_ALIGN = 64 }; // a line

// Whether nothing in the function but one access, through this ref, knows the memory: an output
// that is only written.
bool stream_is_only_written(const LlvmGen *g, const IrValue *ref);
bool stream_wanted(const LlvmGen *g, const Root *root);
// The root's present address modulo a line, an i64.
Value stream_misalignment(LlvmGen *g, const Root *root);
// A whole vector, to an address that is a multiple of its size. Somebody must fence before others
// read it.
void stream_store(LlvmGen *g, Value raw, Value address);
