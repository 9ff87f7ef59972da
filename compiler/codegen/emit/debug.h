// SPDX-License-Identifier: Apache-2.0
// Debug info, as DWARF: lines of the source, and scalars as variables.
#pragma once
#include "gen.h"
#include "ir/core/ir.h"

void debug_open(LlvmGen *g);
void debug_function(LlvmGen *g, Value function, const char *name, Span span); // the frame's scope
void debug_at(LlvmGen *g, const IrOp *op); // NULL: nowhere in particular
// The op is about to be emitted: its lines, with those that it took the place of, are to be found
// in the code. debug_at(op) is done, too.
void debug_op(LlvmGen *g, const IrOp *op);
// A scalar of the IR has been emitted as `emitted`: the variables that it was bound to have it.
void debug_scalar(LlvmGen *g, const IrValue *value, Value emitted);
bool debug_has_variables(const LlvmGen *g, const IrValue *value);
void debug_close(LlvmGen *g);
