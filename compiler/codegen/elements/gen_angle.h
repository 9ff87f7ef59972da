// SPDX-License-Identifier: Apache-2.0
// sin, cos and tan.
#pragma once
#include "codegen/emit/gen.h"

Value math_trigonometric(LlvmGen *g, OpCode code, Value x);
