// SPDX-License-Identifier: Apache-2.0
// What the generated code may use of a CPU.
#pragma once
#include "base/session.h"

#define BASELINE_CPU "x86-64" // of code that runs before the CPU is known

typedef struct Target {
  const char *triple;
  const char *name;      // of the CPU, for the descriptor and for LLVM's scheduling
  const char *cpu;       // LLVM's CPU with the instructions that may be used: "x86-64-v3"
  const char *features;  // beyond it: "+avx512vnni"
  unsigned vector_bytes; // of one register
  unsigned registers;    // vector registers
  int64_t l1_bytes;      // of a core's data in the first level of caches
  int64_t l2_bytes;      // and in the second
  bool has_fma, has_f16c, has_masks, has_vnni;
  bool rounds_bf16;         // vcvtneps2bf16
  bool multiplies_pairs;    // vdpbf16ps, at the rate of f32
  bool has_tiles;           // AMX: those of bf16 and of bytes
  bool has_sse41;           // roundps, pminsd, blends
  bool gathers_quickly;     // than so many loads
  bool divides_slowly;      // vectors of f32s: elements/gen_quotient.c is quicker
  uint64_t feature_bits[2]; // of prt_cpu.def, without
  uint64_t tile_bits[2];    // those of code with tiles
} Target;

// NULL after a diagnostic.
const Target *target_find(Session *session, Arena *arena, Str name);
