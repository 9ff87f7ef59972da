// SPDX-License-Identifier: Apache-2.0
// Lines of the source that ended up without code of their own.
#pragma once
#include "gen.h"

// Where ops were emitted, in that order.
typedef struct DebugLines DebugLines;

DebugLines *debug_lines_new(Arena *arena);
void debug_lines_add(DebugLines *lines, LlvmGen *g, LLVMMetadataRef location);
// The functions are whole: each line that no instruction has, since its op was fused or is a view,
// is put at the first instruction of the op that took its place, the next one of the same scope
// that has code, else the last one before it. The code stays as it is.
void debug_lines_place(const DebugLines *lines, LlvmGen *g);
