// SPDX-License-Identifier: Apache-2.0
// The exception that was being handled when another one was raised (exception_context.c).
#pragma once
#include "evaluator.h"

// What is handled is the context of what is raised, unless it is the same or none. No chain goes in
// a circle: one that comes back to what is raised ends before it.
void exception_set_context(ExceptionObject *raised, Value handled);
