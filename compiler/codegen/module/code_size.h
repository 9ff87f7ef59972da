// SPDX-License-Identifier: Apache-2.0
// How much code a function's ops would be, written out where they stand.
#pragma once
#include "codegen/emit/gen.h"
#include "ir/core/ir.h"

Sharing code_size_sharing(const IrFunc *func);
