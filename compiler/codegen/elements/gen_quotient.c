// SPDX-License-Identifier: Apache-2.0
// Quotients of many numbers by one, correctly rounded, without dividing each. With r the rounded
// inverse of y, q = x r is next to the quotient, x - q y is exact, and q + (x - q y) r rounds to it
// (Markstein, 1990). That is so of significands; exponents are put to them at the end, which bring
// zeros, infinities and what overflows to where a division has them. Subnormal results are zero, as
// everywhere, so that is exact.
#include "gen_quotient.h"
#include "codegen/emit/emit.h"
#include "codegen/emit/gen_build.h"
#include "codegen/emit/gen_const.h"

// f32s of a register of AVX-512; Intel's manual, VGETMANTPS.
enum { LANES = 16, ROUND_AS_SET = 4, FROM_1_TO_2 = 0 };

bool quotient_is_quick(const LlvmGen *g, Value x, int64_t count) {
  enum { FEW = 4 }; // the divisor's own division and what is around it take as long
  Type type = LLVMTypeOf(x);
  return g->target->divides_slowly && count >= FEW && gen_lanes(x) == LANES &&
         LLVMGetElementType(type) == LLVMFloatTypeInContext(g->context);
}

// Three operations that are no division: quicker than that on every CPU.
bool quotient_of_integers_is_quick(const LlvmGen *g, Value x) {
  return g->target->has_fma && gen_lanes(x) > 1 &&
         LLVMGetElementType(LLVMTypeOf(x)) == LLVMFloatTypeInContext(g->context);
}

static Value exponent_of(LlvmGen *g, Value x) {
  Value args[] = {x, LLVMConstNull(LLVMTypeOf(x)), LLVMConstAllOnes(g->i16),
                  gen_i32(g, ROUND_AS_SET)};
  return gen_intrinsic(g, "llvm.x86.avx512.mask.getexp.ps.512", NULL, 4, args);
}

static Value significand_of(LlvmGen *g, Value x) {
  Value args[] = {x, gen_i32(g, FROM_1_TO_2), LLVMConstNull(LLVMTypeOf(x)),
                  LLVMConstAllOnes(g->i16), gen_i32(g, ROUND_AS_SET)};
  return gen_intrinsic(g, "llvm.x86.avx512.mask.getmant.ps.512", NULL, 5, args);
}

static Value scaled(LlvmGen *g, Value x, Value exponent) {
  Value args[] = {x, exponent, LLVMConstNull(LLVMTypeOf(x)), LLVMConstAllOnes(g->i16),
                  gen_i32(g, ROUND_AS_SET)};
  return gen_intrinsic(g, "llvm.x86.avx512.mask.scalef.ps.512", NULL, 5, args);
}

static Value refined(LlvmGen *g, Value x, Value y, Value inverse) {
  Value q = emit_fmul(g, x, inverse);
  Value rest = emit_fma(g, LLVMBuildFNeg(g->builder, q, ""), y, x);
  return emit_fma(g, rest, inverse, q);
}

Value quotient_by(LlvmGen *g, Value x, Value y) {
  Value significand = significand_of(g, y),
        inverse = emit_fdiv(g, gen_float_like(g, y, 1.0), significand);
  Value exponent = emit_fsub(g, exponent_of(g, x), exponent_of(g, y));
  return scaled(g, refined(g, significand_of(g, x), significand, inverse), exponent);
}

Value quotient_by_inverse(LlvmGen *g, Value x, Value y, Value inverse) {
  Value q = refined(g, significand_of(g, x), y, inverse);
  return scaled(g, q, exponent_of(g, x));
}

// They are zero, or neither so small nor so large that a step would leave the normal numbers.
Value quotient_of_integers(LlvmGen *g, Value x, Value y, Value inverse) {
  return refined(g, x, y, inverse);
}
