// SPDX-License-Identifier: Apache-2.0
// What the files of vmap share: batch.c (which values are batched; control flow), batch_array.c,
// batch_memory.c, batch_launch.c. Private to batch*.c.
#pragma once
#include "base/map.h"
#include "ir/core/ir.h"
#include "batch.h"

typedef struct Batcher {
  IrModule *module;
  Session *session;
  IrRegion *region;
  Arena *arena;          // until the end of batch_region
  int64_t size;          // of the batch
  Map *batched;          // values of the old region that get the leading dimension
  Map *values;           // old -> new
  VEC(IrOp *) exchanges; // allocs that are exchanged
  Map *lazy; // views at batched indices: they stay with the old op, and are resolved where they are
             // used
  IrBuilder b;  // where new ops go
  bool changed; // while `batched` is being found
} Batcher;

// Of old values. A value from outside of the region stands for itself and is not batched.
bool batch_is(const Batcher *v, const IrValue *value);
IrValue *batch_get(Batcher *v,
                   IrValue *value); // its new value, with the dimension iff it is batched
IrValue *batch_full(Batcher *v, IrValue *value); // with the dimension in any case
void batch_set(Batcher *v, IrValue *old, IrValue *with);
bool batch_any(const Batcher *v, const IrOp *op); // whether any operand is batched
// The type with the leading dimension. NULL, after a diagnostic at `op`, if it is too large.
const IrType *batch_type(Batcher *v, const IrOp *op, const IrType *type);
// A diagnostic at the op, with the frames of the trace; false.
bool batch_fail(Batcher *v, const IrOp *op, const char *fmt, ...) PRINTF_LIKE(3, 4);
// An op of the same code and attributes; attributes may be set anew.
IrOp *batch_build(Batcher *v, const IrOp *like, size_t count, IrValue *const *operands,
                  size_t result_count, const IrType *const *types);
// x with one dimension more in front, that of the batch.
IrValue *batch_broadcast(Batcher *v, IrValue *x);
// x, whose dimension `from` is the batch's, with that in front.
IrValue *batch_to_front(Batcher *v, IrValue *x, int from);
IrValue *batch_from_front(Batcher *v, IrValue *x, int to);
IrValue *batch_element(IrBuilder *b, IrValue *x,
                       IrValue *index); // x[index] of the batch's dimension

// Each makes the new op of an op of which some operand is batched. False after a diagnostic.
bool batch_array_op(Batcher *v, IrOp *op);  // arrays to arrays
bool batch_memory_op(Batcher *v, IrOp *op); // loads, stores, views, copies
bool batch_launch(Batcher *v, IrOp *op);
// Whether an operand, or something the launch's regions take from outside, is batched.
bool batch_launch_is(Batcher *v, IrOp *launch);
