// SPDX-License-Identifier: Apache-2.0
// Values as Python and NumPy print them (prt_print.c, prt_format.c).
#pragma once
#include "prt_codegen.h"
#include "prt_text.h"

// str() of a NumPy array; a scalar if rank is 0.
void prt__print_value(prt_text *text, const prt_value *value);
// repr() of an array of JAX's: "Array([1, 2], dtype=int32)".
void prt__print_repr(prt_text *text, const prt_value *value);
// Python's str.format; too few values print as "{}".
void prt__print_format(prt_text *text, const char *format, int32_t count, const prt_value *values);
