// SPDX-License-Identifier: Apache-2.0
// Values that are known: constants, and broadcasts of them (constant.c).
#pragma once
#include "ir.h"

// What a value is a broadcast of, however often; else itself.
const IrValue *ir_broadcast_source(const IrValue *value);
// The elements of a constant, one for all or each; NULL if the value is none.
const IrData *ir_const_data(const IrValue *value);
// The one element of a constant that is stored as one for all, broadcast or not; else NULL.
const IrData *ir_const_splat(const IrValue *value);
// The scalar constant a value is, if it is one.
bool ir_const_int(const IrValue *value, int64_t *out);
bool ir_const_float(const IrValue *value, double *out);
