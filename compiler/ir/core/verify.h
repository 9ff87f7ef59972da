// SPDX-License-Identifier: Apache-2.0
// Is a module well-formed?
#pragma once
#include "ir.h"

// Checks arities, types, attributes, dominance and region rules of every op. False, with a
// description of the first violation in *what (which may be NULL), if the module is not
// well-formed.
bool ir_verify(const IrModule *module, Str *what);
