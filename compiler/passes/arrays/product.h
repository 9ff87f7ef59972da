// SPDX-License-Identifier: Apache-2.0
// Products that may be computed by other operations: in which type, and whether a way of rounding
// of their own is asked for.
#pragma once
#include "ir/core/ir.h"

bool product_has_usual_precision(const IrOp *dot);
// What is multiplied and added up: integers wrap, so that those of the result's width will do.
// False if floats and integers meet.
bool product_type(const IrOp *dot, DType *out);
