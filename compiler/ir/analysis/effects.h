// SPDX-License-Identifier: Apache-2.0
// What an op does beside giving its results, as the table of ops.def says it: reads and writes of
// memory, waits, semaphores (effects.c). Nobody else lists ops that do such things.
#pragma once
#include "ir/core/ir.h"

// Whether an op gives results and does nothing else. Its regions, if it has any, may do more: an op
// with regions is never pure here.
bool effects_is_pure(OpCode code);
// Whether it does no more than read memory: it may go if nobody uses its results.
bool effects_only_reads(OpCode code);
// Whether its place among other ordered ops counts, and it stays if its results are not used.
bool effects_is_ordered(OpCode code);
// Whether it has to do with other programs: copies that take time, semaphores, launches of cores.
bool effects_communicates(OpCode code);
// Whether what other programs and copies have written is seen behind it.
bool effects_waits(OpCode code);
// Whether its reads and writes go on behind it.
bool effects_is_later(OpCode code);

// Whether it reads, or writes, memory of the ref that the operand is. Of a launch: its blocks
// answer, and what its body captures is not asked.
bool effects_reads(const IrOp *op, uint32_t operand);
bool effects_writes(const IrOp *op, uint32_t operand);
// The ref that an op other than a launch writes; NULL: none.
IrValue *effects_written(const IrOp *op);
// The semaphore that it raises; NULL: none.
IrValue *effects_signalled(const IrOp *op);
// Whether it does so in another program, or writes there: `whom` is TARGET_DEVICE or TARGET_CORE.
bool effects_targets(const IrOp *op, int64_t whom);
// Calls visit(ref, data) for each ref that an op writes: of a launch also those from outside that
// its body writes directly, in whole blocks or as captured. Ops in other regions are not looked at.
void effects_visit_written(const IrOp *op, void (*visit)(IrValue *ref, void *data), void *data);
// Whether there is such an op in the region or in one of its ops'.
bool effects_region_has(const IrRegion *region, bool (*is_such)(const IrOp *op));
// Whether an op in the region, or in regions inside, is one that communicates.
bool effects_region_communicates(const IrRegion *region);
// Whether an op in the region, or in regions inside, is ordered.
bool effects_region_is_ordered(const IrRegion *region);
// Whether the op, or an op in the region, or one in regions inside, writes memory of a root.
bool effects_op_writes(const IrOp *op, const IrValue *root);
bool effects_region_writes(const IrRegion *region, const IrValue *root);
// Removes the op, if it is pure and nobody uses its results, and then what it was made from.
void effects_remove_unused(IrOp *op);
