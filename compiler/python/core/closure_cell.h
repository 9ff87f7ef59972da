// SPDX-License-Identifier: Apache-2.0
// __closure__ of functions.
#pragma once
#include "python/values/evaluator.h"

// Its __closure__: a cell for each of its free variables, in the order of their names, or None.
Value function_cells(Eval *ev, const Function *f);
void cells_init(Eval *ev);
