// SPDX-License-Identifier: Apache-2.0
// Destinations: memory that a value will be copied to, known before it is made.
#pragma once
#include "codegen/memory/gen_frame.h"
#include "ir/core/ir.h"

typedef struct Destination Destination;
// What makes `value`, an op of the region, is to put it there: all of a buffer that somebody else
// has a use of, or (buffer NULL) a part of an output.
void destination_set(LlvmGen *g, const IrValue *value, const IrRegion *region, const Mem *mem,
                     Buffer *buffer);
void destination_clear(LlvmGen *g, const IrValue *value);
// What makes the value is to put it into the output's memory that the store would copy it to.
void destination_set_stored(LlvmGen *g, const IrValue *value, const IrOp *store, const Mem *mem);
// Once the value has been made: if it is elsewhere, the store is to copy it.
void destination_check_stored(LlvmGen *g, const IrValue *value, const IrOp *store, const Mem *mem);
bool destination_is_stored(const LlvmGen *g, const IrOp *op); // nothing is left to be done
// The value, a part of an array, is made in the array's memory, which the update of it takes over.
void destination_set_update(LlvmGen *g, const IrValue *value, const IrOp *update, const Mem *part,
                            Buffer *buffer);
// The updated array, if the part is in it already; or NULL.
Buffer *destination_updated(LlvmGen *g, const IrOp *update, Mem *mem);
// Its operands, before the ops that make them are emitted.
void destination_set_parts(LlvmGen *g, const IrOp *concat);
// Likewise, where the whole is made in the memory that a store would copy it to, which nobody else
// writes or reads.
void destination_set_parts_stored(LlvmGen *g, const IrOp *concat, const Mem *mem);
// Memory for a result: its destination, or fresh.
Buffer *destination_take(LlvmGen *g, const IrValue *value, Mem *mem);
// The concatenation in whose memory a value is made, if the value is one place of its dimension and
// those places lie side by side; *at: which one. NULL otherwise.
const IrOp *destination_place(LlvmGen *g, const IrValue *value, int64_t *at);
// What some operands are in already; NULL if none is.
Buffer *destination_take_whole(LlvmGen *g, const IrOp *concat, Mem *mem);
// Whether an operand is in its part of that.
bool destination_holds(LlvmGen *g, const IrOp *concat, const IrValue *part, const Buffer *buffer);
