// SPDX-License-Identifier: Apache-2.0
// The machine that the compiler runs on. It shares with the runtime what is asked of the CPU and
// the system (runtime/host).
#include "host.h"
#include "host/prt_cpu.h"

int host_level(void) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("x86-64-v4")) return 4;
  if (__builtin_cpu_supports("x86-64-v3")) return 3;
  return __builtin_cpu_supports("x86-64-v2") ? 2 : 1;
#else
  return 0;
#endif
}

void host_features(uint64_t features[2]) { prt__cpu_features(features); }

int host_cores(void) { return prt__cpu_online(); }

int64_t host_cache_bytes(int level) { return prt__cpu_cache_bytes(level); }

size_t host_memory_bytes(void) { return (size_t)prt__cpu_memory_bytes(); }
