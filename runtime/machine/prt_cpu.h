// SPDX-License-Identifier: Apache-2.0
// The CPU that the process runs on, and how it computes with floats (prt_float.c).
#pragma once
#include <stddef.h>
#include <stdint.h>

// That this process may use: of AMX the system is asked for permission (arch_prctl).
void prt__cpu_features(uint64_t features[2]);
// "avx512f, avx512vl": those of `missing`, into text.
void prt__cpu_feature_names(const uint64_t missing[2], char *text, size_t size);
int32_t prt__cpu_count(void); // that the process may run on; at least 1
// Compiled code takes subnormal numbers for zero, rounds to nearest and does not trap. Sets the
// thread so and gives the mode it had.
uint64_t prt__float_mode_set(void);
void prt__float_mode_restore(uint64_t mode);
