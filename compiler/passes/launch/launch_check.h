// SPDX-License-Identifier: Apache-2.0
// Under check: what a launch's loops look for beside their work.
#pragma once
#include "ir/core/ir.h"
#include "window.h"

// A check (operand 0, then the values of `format`) that stands where the block's spec does. `kind`:
// a name of prt_finding.def.
IrOp *check_block(Lowering *l, IrBuilder *b, const Window *w, size_t count,
                  IrValue *const *operands, CheckFinding finding, Str format);
// "({}, {})" for the block's indices.
Str check_index_format(Lowering *l, const Window *w);
// Memory with an element, zero at first, for each place that a block of the output can be at; NULL:
// there are too many, or blocks without a place of their own.
IrValue *check_places(Lowering *l, IrBuilder *b, const Window *w, DType dtype, Str name);
// The element of such memory for this step's block: its index, and the operands that it names.
void check_place(IrBuilder *b, const Window *w, const IrValue *memory, IrIndex *index,
                 IrValue **places);

// Where others may see it, or copies may be under way: memory of the launch is its own until here,
// also if nothing more is done there.
void check_memory_end(Lowering *l, IrBuilder *b);

// Steps of dimensions that the author marked parallel may run on several cores: what two of them
// write to a block of an output is nobody's, and none sees scratch as another one left it.
// Allocates before the loops, looks in each step, after its windows have been entered, and once
// behind all write-backs.
bool check_has_parallel(const Lowering *l); // under check: whether there are such steps
bool check_is_parallel(const Lowering *l);  // whether all steps are
// A block has been fetched.
void check_fetched(const Lowering *l, IrBuilder *b, const Window *w);
// Under check: whether the body, before it is moved, touches an array that the launch writes
// without a window.
bool check_touches_arrays(const Lowering *l);
void check_parallel_allocate(Lowering *l, IrBuilder *b);
void check_parallel_step(Lowering *l, IrBuilder *b);
void check_parallel_end(Lowering *l, IrBuilder *b);
