// SPDX-License-Identifier: Apache-2.0
// Which signals a program handles (std_signal.c).
#pragma once
#include "python/values/evaluator.h"

// The program has ended: signals reach it no longer.
void signals_fini(Eval *ev);
