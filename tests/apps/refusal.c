// SPDX-License-Identifier: Apache-2.0
// An object whose CPU features this CPU lacks refuses to run. Its descriptor is changed in place,
// so that the test runs on every CPU.
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include "kernels.h"

int main(void) {
  static float x[ADD_X_COUNT], y[ADD_Y_COUNT], out[ADD_OUT_COUNT];
  prt_entry *entry = (prt_entry *)(uintptr_t)&prt_entry_add;
  uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), start = (uintptr_t)entry / page * page;
  if (mprotect((void *)start, (uintptr_t)(entry + 1) - start, PROT_READ | PROT_WRITE))
    return perror("mprotect"), 1;
  out[0] = 42;
  ((volatile prt_entry *)entry)->cpu_features[1] |= (uint64_t)1 << 60;
  prt_status status = add(NULL, x, y, out);
  if (status != PRT_ERROR_CPU || out[0] != 42)
    return fprintf(stderr, "status %d\n", (int)status), 1;
  if (!strstr(prt_error_message(), "add: compiled for the CPU"))
    return fprintf(stderr, "message '%s'\n", prt_error_message()), 1;
  if (prt_entry_supported(entry) != PRT_ERROR_CPU)
    return fprintf(stderr, "prt_entry_supported says it can\n"), 1;
  puts(prt_error_message());
  return 0;
}
