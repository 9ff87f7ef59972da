// SPDX-License-Identifier: Apache-2.0
// What an inner function needs of the outer one.
#pragma once
#include "codegen/emit/gen.h"
#include "ir/core/ir.h"

typedef struct Capture Capture;
// Binds all that the region (or NULL), or the ops, use from outside to what the inner function will
// load; `values`: where further LLVM values stand, which change likewise. Between this and
// capture_end, code of the inner function is emitted, and none of the outer one.
Capture *capture_new(LlvmGen *g, const IrRegion *region, IrOp *const *ops, size_t op_count,
                     Value **values, size_t value_count);
// In the outer function: fills a record, gives its address.
Value capture_record(LlvmGen *g, const Capture *c);
void capture_load(LlvmGen *g, const Capture *c, Value record); // in the inner function
void capture_end(LlvmGen *g, const Capture *c);                // back in the outer function
