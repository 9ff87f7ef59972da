// SPDX-License-Identifier: Apache-2.0
// What the chip's compiler refuses and the kernel IR does not show, as it is made of other
// operations.
#pragma once
#include "python/values/evaluator.h"

// Reports it (-Wtpu) in the body of a kernel that is for the chip's TensorCore; `words`: with which
// JAX's own lowering refuses it.
void chip_refuses(Eval *ev, Str message, Str words);
void chip_has_no_rule(Eval *ev, Str primitive);
