// SPDX-License-Identifier: Apache-2.0
// The machine that the process runs on: what its CPU can do, its cores, caches and memory.
#pragma once
#include <stddef.h>
#include <stdint.h>

// That this process may use: of AMX the system is asked for permission (arch_prctl).
void prt__cpu_features(uint64_t features[2]);
// "avx512f, avx512vl": those of `missing`, into text.
void prt__cpu_feature_names(const uint64_t missing[2], char *text, size_t size);
int32_t prt__cpu_count(void);            // that the process may run on; at least 1
int32_t prt__cpu_online(void);           // that the machine has; at least 1
int64_t prt__cpu_cache_bytes(int level); // of one core's data, at level 1 or 2; 0 if not known
int64_t prt__cpu_memory_bytes(void);     // of the machine; 0 if not known
// The calling thread goes on on another CPU of those that it may use, if it is on this one and
// there is another. It may come back.
void prt__leave_cpu(int cpu);
