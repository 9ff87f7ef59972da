// SPDX-License-Identifier: Apache-2.0
// AVX-512 looks results of special arguments up in a table of four bits for each class of numbers.
#include "gen_fixup.h"
#include "codegen/emit/emit.h"

enum { LANES = 16, ROUND_AS_SET = 4 }; // f32s of a register of AVX-512; Intel's manual, VFIXUPIMMPS

bool fixup_is_there(const LlvmGen *g, Value x) {
  return g->target->has_masks && gen_lanes(x) % LANES == 0 && !gen_is_f64(x);
}

Value fixup(LlvmGen *g, Value x, Value result, int64_t table) {
  unsigned lanes = gen_lanes(x), half = lanes / 2;
  if (lanes > LANES)
    return gen_joined(
        g, fixup(g, gen_lanes_of(g, x, 0, half), gen_lanes_of(g, result, 0, half), table),
        fixup(g, gen_lanes_of(g, x, half, half), gen_lanes_of(g, result, half, half), table));
  Value args[] = {result,
                  x,
                  gen_int_like(emit_as_int(g, x), table),
                  gen_i32(g, 0),
                  LLVMConstAllOnes(g->i16),
                  gen_i32(g, ROUND_AS_SET)};
  return gen_intrinsic(g, "llvm.x86.avx512.mask.fixupimm.ps.512", NULL, COUNT_OF(args), args);
}
