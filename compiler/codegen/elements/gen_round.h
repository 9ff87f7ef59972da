// SPDX-License-Identifier: Apache-2.0
// Rounding to integers, and the exact remainder.
#pragma once
#include "codegen/emit/gen.h"
#include "ir/core/ops.h"

Value math_round(LlvmGen *g, OpCode code, Value x); // floor, ceil, trunc, round_even, round_away
Value gen_any(LlvmGen *g, Value bits);              // whether a lane is true
Value math_rem(LlvmGen *g, Value x, Value y);       // C's fmod, exact
