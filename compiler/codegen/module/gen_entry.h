// SPDX-License-Identifier: Apache-2.0
// Entry points: the C functions of a module, and the descriptors by which programs find them
// (gen_entry.c).
#pragma once
#include "codegen/emit/gen.h"
#include "ir/core/ir.h"

// In front of the names of functions that take a machine and arguments.
#define CALL_PREFIX "prt_call_"

// NAME, prt_call_NAME and prt_entry_NAME, which is the result. `body` is called with a worker and
// the memory of each parameter. Those of a family's function are the object's own.
Value entry_emit(LlvmGen *g, const IrFunc *func, Value body);
// The same for a family: they choose among its functions, whose descriptors are `entries`.
Value entry_emit_family(LlvmGen *g, const IrFunc *first, Value *entries);
// What prt_list_entries reads.
void entry_emit_table(LlvmGen *g, Value *entries, unsigned count);
