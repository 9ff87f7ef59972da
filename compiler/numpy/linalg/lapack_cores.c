// SPDX-License-Identifier: Apache-2.0
// Kernels of LAPACK: chosen again where OpenBLAS does not know the model of the CPU.
#include "lapack_cores.h"
#include "base/base.h"
#include "base/host.h"
#include <stdlib.h>
#include <string.h>

// OpenBLAS's own, not in its headers; other libraries of LAPACK have none of them.
char *gotoblas_corename(void) __attribute__((weak));
void gotoblas_dynamic_init(void) __attribute__((weak));
void gotoblas_dynamic_quit(void) __attribute__((weak));

typedef enum Vectors { VECTORS_OLDER, VECTORS_AVX2, VECTORS_AVX512 } Vectors;

// What the kernels of a core are written for (OpenBLAS 0.3.21, driver/others/dynamic.c); all others
// are for older CPUs. The first of each kind is the one to take.
static const struct {
  const char *core;
  Vectors vectors;
} cores[] = {
    {"SkylakeX", VECTORS_AVX512},
    {"Cooperlake", VECTORS_AVX512},
    {"SapphireRapids", VECTORS_AVX512},
    {"Haswell", VECTORS_AVX2},
    {"Zen", VECTORS_AVX2},
};

static Vectors vectors_of_core(const char *core) {
  for (size_t i = 0; i < COUNT_OF(cores); i++)
    if (strcmp(core, cores[i].core) == 0) return cores[i].vectors;
  return VECTORS_OLDER;
}

static Vectors vectors_of_cpu(void) {
  int level = host_level();
  return level >= 4 ? VECTORS_AVX512 : level == 3 ? VECTORS_AVX2 : VECTORS_OLDER;
}

void lapack_fit_cpu(void) {
  if (!gotoblas_corename || !gotoblas_dynamic_init || !gotoblas_dynamic_quit) return;
  Vectors wanted = vectors_of_cpu();
  if (getenv("OPENBLAS_CORETYPE") || vectors_of_core(gotoblas_corename()) >= wanted) return;
  size_t i = 0;
  while (cores[i].vectors != wanted) i++;
  if (setenv("OPENBLAS_CORETYPE", cores[i].core, 1) != 0) return;
  gotoblas_dynamic_quit();
  gotoblas_dynamic_init();
  unsetenv("OPENBLAS_CORETYPE");
}
