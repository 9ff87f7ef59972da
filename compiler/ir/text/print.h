// SPDX-License-Identifier: Apache-2.0
// The IR as text. Deterministic.
#pragma once
#include "base/buf.h"
#include "base/map.h"
#include "ir/core/ir.h"

// `spans`: a comment `; file:line:column` behind each op that has a span.
void ir_print(const IrModule *module, bool spans, Buf *out);
void ir_print_op(const IrOp *op, Buf *out); // one op, for messages
// A region that is being recorded; values from outside of it print as %?.
void ir_print_region(const IrModule *module, const IrRegion *region, Buf *out);
// IrValue * -> Name: what the values are called in the text, without the %.
Map *ir_value_names(const IrFunc *func, Arena *arena);
