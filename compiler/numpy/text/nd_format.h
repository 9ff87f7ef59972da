// SPDX-License-Identifier: Apache-2.0
// The text of arrays by NumPy's print options.
#pragma once
#include "numpy/arrays/nd.h"
#include "text/prt_float_text.h"

typedef struct PrintOptions { // as np.set_printoptions has them
  int precision;              // -1: none
  int64_t threshold, edgeitems;
  int linewidth;
  bool suppress;
  char sign; // '-', '+' or ' '
  Str nanstr, infstr, floatmode;
  Str legacy;      // whose version's texts; empty: NumPy's own
  Value formatter; // a dict, or None
} PrintOptions;
const PrintOptions *nd_print_options(Eval *ev); // those in force
// np.array2string
Str nd_text(Eval *ev, const NdArray *nd, const PrintOptions *options, Str separator, Str prefix,
            Str suffix);
Str nd_str(Eval *ev, const NdArray *nd);
Str nd_repr(Eval *ev, const NdArray *nd, const PrintOptions *options);
// The digits of a finite float of this type.
Str nd_float_text(Eval *ev, DType dtype, double x, prt_float_style style, bool is_positional);
