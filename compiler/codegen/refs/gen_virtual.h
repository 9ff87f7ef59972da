// SPDX-License-Identifier: Apache-2.0
// Refs that strides cannot describe, and elements of any ref.
#pragma once
#include "codegen/values/gen_value.h"
#include "ir/core/ir.h"

// Binds the result of a view, reshape or bitcast to a ref that reaches its elements through the
// operand.
void ref_bind_virtual(LlvmGen *g, IrOp *op);
// One element of any ref, in the compute type; an i64 for each dimension.
Value ref_load_element(LlvmGen *g, const Binding *ref, Value const *index);
void ref_store_element(LlvmGen *g, const Binding *ref, Value const *index, Value element);
// What check.h says of an element: of the ops `unwritten` and `unwrite`.
// For the search for races: the memory behind one element.
void ref_element_accessed(LlvmGen *g, const IrOp *op, const Binding *ref, Value const *index,
                          int how);
Value ref_element_unwritten(LlvmGen *g, const IrOp *op, const Binding *ref, Value const *index);
void ref_element_unwrite(LlvmGen *g, const Binding *ref, Value const *index, Value mark);
