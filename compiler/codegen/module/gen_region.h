// SPDX-License-Identifier: Apache-2.0
// The ops of a region one after another, each by its family.
#pragma once
#include "codegen/emit/gen.h"
#include "ir/core/ir.h"

// What LlvmGen.emit_region is.
void region_emit(LlvmGen *g, IrRegion *region);
