// SPDX-License-Identifier: Apache-2.0
// Refs that strides cannot describe, and elements of any ref (gen_ref.c, gen_virtual.c).
#pragma once
#include "emit.h"

typedef struct VirtualRef {
  OpCode code;
  const IrOp *op;
  const Binding *source;
  const IrType *type, *source_type;
  Value starts[IR_MAX_RANK]; // of a view
} VirtualRef;

// The start of one dimension of an index, as an i64.
Value ref_dim_start(LlvmGen *g, const IrOp *op, const IndexDim *dim);
// Binds the result of a view, reshape or bitcast to a ref that reaches its elements through the operand.
void ref_bind_virtual(LlvmGen *g, IrOp *op);
// One element of any ref, in the compute type; an i64 for each dimension.
Value ref_load_element(LlvmGen *g, const Binding *ref, Value const *index);
void ref_store_element(LlvmGen *g, const Binding *ref, Value const *index, Value element);
