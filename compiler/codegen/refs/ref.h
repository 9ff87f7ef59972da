// SPDX-License-Identifier: Apache-2.0
// Refs that strides cannot describe, and elements of any ref (gen_ref.c, gen_virtual.c).
#pragma once
#include "codegen/emit/emit.h"
#include "ir/analysis/bounds.h"

typedef struct VirtualRef {
  OpCode code;
  const IrOp *op;
  const Binding *source;
  const IrType *type, *source_type;
  Value starts[IR_MAX_RANK]; // of a view
} VirtualRef;

// The start of dimension i of an index, as an i64: as it is named, and brought inside of the ref,
// as lax.dynamic_slice does it.
Value ref_dim_named(LlvmGen *g, const IrOp *op, int i);
Value ref_dim_start(LlvmGen *g, const IrOp *op, int i);
// Binds the result of a view, reshape or bitcast to a ref that reaches its elements through the
// operand.
void ref_bind_virtual(LlvmGen *g, IrOp *op);
// The memory that a store fills, if it is a view of the ref's; false if it is masked, or must go
// element by element.
bool ref_store_mem(LlvmGen *g, const IrOp *store, Mem *out);
// One element of any ref, in the compute type; an i64 for each dimension.
Value ref_load_element(LlvmGen *g, const Binding *ref, Value const *index);
void ref_store_element(LlvmGen *g, const Binding *ref, Value const *index, Value element);
// What check.h says of an element: of the ops `unwritten` and `unwrite`.
Value ref_element_unwritten(LlvmGen *g, const IrOp *op, const Binding *ref, Value const *index);
void ref_element_unwrite(LlvmGen *g, const Binding *ref, Value const *index, Value mark);
// Copies all elements, at once.
void ref_copy(LlvmGen *g, const IrValue *source, const IrValue *target);
// The memory that an index without arrays names, brought inside, and its sizes if some are dynamic
// (else NULL).
Mem ref_index_mem(LlvmGen *g, const IrOp *op, const Binding *ref, Value **sizes);
// A load or store, or the marks of one, element by element (gen_access.c); `values`: what is
// stored, or where what is loaded goes. mask, other: or NULL.
void ref_access_elements(LlvmGen *g, const IrOp *op, const Binding *ref, const Mem *values,
                         const IrValue *mask, const IrValue *other);
