// SPDX-License-Identifier: Apache-2.0
// Square roots, correctly rounded: the CPU's own, or where its divider is slow, from its
// approximation y of 1 / sqrt(x). A step of Newton's method on g = x y, which is near the root, and
// on h = y / 2 makes both almost exact; then x - g^2 is, and g + (x - g^2) h rounds to the root
// (Markstein, 1990; compared with the CPU's for all f32).
#include "gen_root.h"
#include "codegen/emit/emit.h"
#include "codegen/emit/gen_function.h"
#include "gen_fixup.h"

enum { LANES = 16 }; // f32s of a register of AVX-512, which has the approximation

static Value scaled_where(LlvmGen *g, Value is_small, Value x, double factor) {
  return emit_select(g, is_small, emit_fmul_c(g, x, factor), x);
}

static Value estimate(LlvmGen *g, Value x) {
  Value args[] = {x, LLVMConstNull(LLVMTypeOf(x)), LLVMConstAllOnes(g->i16)};
  return gen_intrinsic(g, "llvm.x86.avx512.rsqrt14.ps.512", NULL, COUNT_OF(args), args);
}

static Value refined_root(LlvmGen *g, Value x) {
  // So that x - root^2 is a normal number.
  Value is_small = emit_fcmp_c(g, LLVMRealOLT, x, 0x1p-60),
        s = scaled_where(g, is_small, x, 0x1p64);
  Value y = estimate(g, s), root = emit_fmul(g, s, y), half = emit_fmul_c(g, y, 0.5);
  Value rest = emit_fma(g, emit_fneg(g, root), half, gen_float_like(g, x, 0.5));
  root = emit_fma(g, root, rest, root);
  half = emit_fma(g, half, rest, half);
  root = emit_fma(g, emit_fma(g, emit_fneg(g, root), root, s), half, root);
  return fixup(g, x, scaled_where(g, is_small, root, 0x1p-32),
               FIXUP(FIXUP_ZERO, GIVES_ARGUMENT) | FIXUP(FIXUP_INFINITY, GIVES_ARGUMENT));
}

static Value root(LlvmGen *g, Value x, bool may_divide) {
  unsigned lanes = gen_lanes(x), half = lanes / 2;
  if (!g->target->divides_slowly || !fixup_is_there(g, x) || LLVMIsConstant(x))
    return gen_intrinsic1(g, "llvm.sqrt", x);
  if (lanes > LANES)
    return gen_joined(g, root(g, gen_lanes_of(g, x, 0, half), may_divide),
                      root(g, gen_lanes_of(g, x, half, half), may_divide));
  if (!may_divide) return refined_root(g, x);
  bool is_second = g->last_root == gen_here(g);
  g->last_root = is_second ? NULL : gen_here(g);
  return is_second ? gen_intrinsic1(g, "llvm.sqrt", x) : refined_root(g, x);
}

// The divider works beside the multipliers: every other root of a loop is its.
Value root_of(LlvmGen *g, Value x) { return root(g, x, true); }

Value root_beside_division(LlvmGen *g, Value x) { return root(g, x, false); }
