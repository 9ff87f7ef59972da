// SPDX-License-Identifier: Apache-2.0
// Debug info: lines of the source, as DWARF.
#pragma once
#include "gen.h"

void debug_open(LlvmGen *g);
void debug_function(LlvmGen *g, Value function, const char *name, Span span); // the frame's scope
void debug_at(LlvmGen *g, const IrOp *op); // NULL: nowhere in particular
void debug_close(LlvmGen *g);
