// SPDX-License-Identifier: Apache-2.0
// Square roots, correctly rounded.
#pragma once
#include "codegen/emit/gen.h"

Value root_of(LlvmGen *g, Value x);
// That of what is divided by it, which keeps the divider busy.
Value root_beside_division(LlvmGen *g, Value x);
