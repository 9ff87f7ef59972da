// SPDX-License-Identifier: Apache-2.0
// Natives of the module _np about text (np_print.c).
#pragma once
#include "python/values/evaluator.h"

Value np_print_options(Eval *ev, Value *a);
Value np_set_print_options(Eval *ev, Value *a);
Value np_array_repr(Eval *ev, Value *a);
Value np_array_text(Eval *ev, Value *a);
Value np_float_text(Eval *ev, Value *a);
