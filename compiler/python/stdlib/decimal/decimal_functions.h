// SPDX-License-Identifier: Apache-2.0
// Functions of decimal numbers whose values have no last digit (decimal_functions.c).
#pragma once
#include "decimal_arithmetic.h"

DecimalUnary num_exp, num_ln, num_log10;
DecimalBinary num_power;
void num_power_modulo(Calc *c, Num *out, const Num *a, const Num *b, const Num *modulus);
