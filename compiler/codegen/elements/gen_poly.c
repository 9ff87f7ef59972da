// SPDX-License-Identifier: Apache-2.0
// Polynomials. In: a vector of arguments, coefficients from the constant term up. Out: their value
// by Horner's rule, in the type of the arguments.
#include "gen_poly.h"

Value math_poly(LlvmGen *g, Value x, const double *c, unsigned count) {
  Value sum = gen_float_like(g, x, c[count - 1]);
  for (unsigned i = count - 1; i-- > 0;) sum = emit_fma(g, sum, x, gen_float_like(g, x, c[i]));
  return sum;
}

Value math_keep_tiny(LlvmGen *g, Value x, Value result, double limit) {
  return emit_select(g, emit_fcmp_c(g, LLVMRealOLT, emit_abs(g, x), limit), x, result);
}
