// SPDX-License-Identifier: Apache-2.0
// The memory that an index names.
#pragma once
#include "codegen/values/gen_value.h"
#include "ir/core/ir.h"

// The start of dimension i of an index, as an i64: as it is named, and brought inside of the ref,
// as lax.dynamic_slice does it.
Value ref_dim_named(LlvmGen *g, const IrOp *op, int i);
Value ref_dim_start(LlvmGen *g, const IrOp *op, int i);
// The memory that an index without arrays names, brought inside, and its sizes if some are dynamic
// (else NULL).
Mem ref_index_mem(LlvmGen *g, const IrOp *op, const Binding *ref, Value **sizes);
// Whether an access goes element by element: index arrays, sizes that are not constant, masks that
// are needed, steps that may leave the ref.
bool ref_needs_elements(const LlvmGen *g, const IrOp *op, const Binding *ref);
// Whether it does so for such steps alone, of which all may be inside when it runs.
bool ref_needs_steps_alone(const LlvmGen *g, const IrOp *op, const Binding *ref);
// The memory that a store fills, if it is a view of the ref's; false if it is masked, or must go
// element by element.
bool ref_store_mem(LlvmGen *g, const IrOp *store, Mem *out);
Mem ref_store_target(LlvmGen *g, const IrOp *store); // of a store with a plain index
bool ref_has_dynamic_sizes(const IrIndex *index);
const IrType *ref_type_of(const IrOp *op);
