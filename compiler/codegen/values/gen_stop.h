// SPDX-License-Identifier: Apache-2.0
// Calls that run long can be stopped (prt_machine_stop).
#pragma once
#include "codegen/emit/gen_type.h"
#include "ir/core/ir.h"

// After how many turns of a loop it is looked whether the call is to end, a power of two; 0: never,
// for all of the loop takes little time.
int64_t stop_turns_between(const IrOp *loop);
// Behind the turn of a loop, the one of this number: if it is time and the call is to end, the
// function returns.
void stop_look(LlvmGen *g, const IrOp *loop, Value turns, Value is_time);
// The same of a loop that may not make as many turns as it likes: that is for code with checks.
void stop_look_or_end(LlvmGen *g, const IrOp *loop, Value turns, Value is_time);
// Behind what other functions did, for so many nanoseconds of one thread: if that is long and the
// call has failed there, the function returns.
void stop_if_failed(LlvmGen *g, int64_t cost);
