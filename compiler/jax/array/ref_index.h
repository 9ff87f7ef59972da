// SPDX-License-Identifier: Apache-2.0
// Indices on refs, as JAX's NDIndexer has them.
#pragma once
#include "ir/core/ir.h"
#include "python/values/evaluator.h"

// Ints, slices, pl.ds, arrays, …; no None. Fills index and the dynamic operands (counted from 0).
typedef struct RefIndex {
  IrIndex index;
  IrValue *operands[2 * IR_MAX_RANK];
  size_t operand_count;
  int beyond;   // a dimension whose window is larger than the ref, or -1: only masks make it one
  bool repeats; // a stride of 0: one element again and again
} RefIndex;

// What the program's index names of a ref of this type.
void ref_index_read(Eval *ev, const IrType *type, Value index, RefIndex *out);
// The type of what it names; raises if it does not fit.
const IrType *ref_index_result(Eval *ev, const IrType *type, const RefIndex *index);
// Names each element of the result by index arrays: those lanes that the mask leaves out are not
// looked at, wherever they lie.
void ref_index_by_elements(Eval *ev, const IrType *result, RefIndex *index);
// Makes `next`, an index of the part that `first` (slices and single indices) names, an index of
// the memory that `first` is of. False where it cannot be said so.
bool ref_index_compose(Eval *ev, const RefIndex *first, RefIndex *next);
// Whether it goes by steps from where only the running kernel knows.
bool ref_index_is_strided(const RefIndex *index);
bool ref_index_is_whole(const IrType *type, const RefIndex *index);
// Raises if a size is known at run time only.
void ref_index_require_static(Eval *ev, const RefIndex *index);
NORETURN void ref_index_raise_beyond(Eval *ev, const IrType *type, const RefIndex *index);
const char *ref_element_name(const IrType *type);  // JAX's, of what the elements are: "dma_sem"
Str ref_memory_text(Eval *ev, const IrType *type); // "Ref<vmem>{float32[3]}"
