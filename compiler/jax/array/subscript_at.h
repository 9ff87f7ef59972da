// SPDX-License-Identifier: Apache-2.0
// x.at: functional updates.
#pragma once
#include "array.h"

void at_helper_init(Eval *ev);
Value at_helper_new(Eval *ev, Value array); // x.at
