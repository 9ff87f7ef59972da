// SPDX-License-Identifier: Apache-2.0
// The error function and log-gamma of f64.
#pragma once
#include "gen_double.h"

Value error_f64(LlvmGen *g, Value x);            // erf
Value error_f64_complement(LlvmGen *g, Value x); // erfc
Value error_f64_inverse(LlvmGen *g, Value x);    // erf_inv
Value log_gamma_f64(LlvmGen *g, Value x);
