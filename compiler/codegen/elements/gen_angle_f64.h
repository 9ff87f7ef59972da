// SPDX-License-Identifier: Apache-2.0
// Trigonometric functions of f64, and their inverses.
#pragma once
#include "ir/core/ops.h"
#include "gen_double.h"

Value angle_f64_unary(LlvmGen *g, OpCode code, Value x);
Double angle_f64_sin_pi(LlvmGen *g, Value t); // sin(pi t), 0 < t <= 1/2
Value angle_f64_atan2(LlvmGen *g, Value y, Value x);
