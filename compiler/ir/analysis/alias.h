// SPDX-License-Identifier: Apache-2.0
// Whether two accesses to refs can touch the same memory (alias.c). Distinct parameters of a
// function do not overlap, nor do distinct allocs.
#pragma once
#include "ir/core/ir.h"

typedef enum Alias {
  ALIAS_NO,    // never the same element
  ALIAS_SAME,  // the same elements, in the same order
  ALIAS_MAYBE, // anything
} Alias;

// Whether two loads, stores or views of one ref never touch the same element.
bool alias_are_disjoint(const IrOp *a, const IrOp *b);
// Of two refs, views or not.
Alias alias_of_refs(const IrValue *a, const IrValue *b);
// Of two loads, stores (unmasked or masked), as whole accesses.
Alias alias_of(const IrOp *a, const IrOp *b);
// Whether the op, or one in its regions, may write memory that a load (or a view) reads. `read` is
// a load, or an op with a ref result.
bool alias_op_may_write(const IrOp *op, const IrOp *load);
