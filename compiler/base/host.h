// SPDX-License-Identifier: Apache-2.0
// The machine that the compiler runs on: what its CPU can do, its cores, caches and memory. Nothing
// else of the compiler asks for them (but LLVM for the CPU's name: codegen/emit/target.c).
#pragma once
#include <stddef.h>
#include <stdint.h>

// The level of the x86-64 psABI that the CPU has, 1 to 4; 0 on other kinds. It costs a load: loops
// over elements ask it to choose their code.
int host_level(void);
void host_features(uint64_t features[2]); // bits of prt_cpu.def; takes microseconds
int host_cores(void);                     // of the machine, whether the process may use them or not
int64_t host_cache_bytes(int level);      // of a core's data, at level 1 or 2; 0 if not known
size_t host_memory_bytes(void);           // 0 if not known
