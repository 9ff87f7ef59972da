// SPDX-License-Identifier: Apache-2.0
// What is said of an equation that is not as JAX writes it (jaxpr_refusal.c).
#pragma once
#include "jaxpr.h"
#include "primitives.h"
#include "python/values/evaluator.h"

// Raises what calling `function` for the equation has raised: in words of the equation if it is its
// form that the function cannot take.
NORETURN void jaxpr_refuse(Eval *ev, const JaxprEquation *e, const Primitive *row, Value function,
                           const Args *args, Value exception);
