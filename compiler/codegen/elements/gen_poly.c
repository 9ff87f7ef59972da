// SPDX-License-Identifier: Apache-2.0
// Polynomials. In: a vector of arguments, coefficients from the constant term up. Out: their value
// by Horner's rule, in the type of the arguments.
#include "gen_poly.h"

// Where registers are few, coefficients are operands in memory: LLVM would load each into a
// register before it is used.
Value math_coefficient(LlvmGen *g, Value x, double c) {
  enum { FEW_REGISTERS = 16 }; // of every x86 without AVX-512
  Value constant = gen_float_like(g, x, c);
  bool fills_registers = gen_lanes(x) * sizeof(float) >= g->target->vector_bytes;
  if (g->target->registers > FEW_REGISTERS || !g->target->has_fma || !fills_registers)
    return constant;
  return gen_hide_constant(g, constant);
}

Value math_poly(LlvmGen *g, Value x, const double *c, unsigned count) {
  Value sum = gen_float_like(g, x, c[count - 1]);
  for (unsigned i = count - 1; i-- > 0;) sum = emit_fma(g, sum, x, math_coefficient(g, x, c[i]));
  return sum;
}

Value math_keep_tiny(LlvmGen *g, Value x, Value result, double limit) {
  return emit_select(g, emit_fcmp_c(g, LLVMRealOLT, emit_abs(g, x), limit), x, result);
}
