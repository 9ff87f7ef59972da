// SPDX-License-Identifier: Apache-2.0
// Loads and stores that go element by element.
#pragma once
#include "codegen/values/gen_value.h"
#include "ir/core/ir.h"

// A load or store, or the marks of one, element by element (gen_access.c); `values`: what is
// stored, or where what is loaded goes. mask, other: or NULL.
void ref_access_elements(LlvmGen *g, const IrOp *op, const Binding *ref, const Mem *values,
                         const IrValue *mask, const IrValue *other);
