// SPDX-License-Identifier: Apache-2.0
// Loads a shared library of kernels, finds its entry points by name and by list, and calls one.
// Usage: loader LIBRARY
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "prt.h"

int main(int argc, char **argv) {
  void *library = argc > 1 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
  if (!library) return fprintf(stderr, "%s\n", dlerror()), 1;
  const prt_entry *entries[10];
  size_t count = prt_list_entries(library, entries, 10);
  if (count != 4) return fprintf(stderr, "%zu entry points\n", count), 1;
  for (size_t i = 0; i < count; i++)
    if (prt_find_entry(library, entries[i]->name) != entries[i])
      return fprintf(stderr, "%s is found elsewhere\n", entries[i]->name), 1;
  if (prt_find_entry(library, "nothing") ||
      !strstr(prt_error_message(), "'nothing'; there are '") || prt_find_entry(library, NULL) ||
      !strstr(prt_error_message(), "'NULL'"))
    return fprintf(stderr, "found nothing\n"), 1;
  if (prt_find_entry(NULL, "smooth") || !strstr(prt_error_message(), "the handle is NULL"))
    return puts("a library that was not opened is not told from one without the entry"), 1;
  const prt_entry *smooth = prt_find_entry(library, "smooth");
  float *x = calloc(1, prt_param_bytes(&smooth->params[0])),
        *out = calloc(1, prt_param_bytes(&smooth->params[1]));
  x[1] = 8;
  void *arguments[] = {x, out};
  prt_status status = smooth->call(NULL, arguments);
  if (status) return printf("status %d: %s\n", (int)status, prt_error_message()), 1;
  if (out[0] != 4 || out[1] != 4)
    return fprintf(stderr, "out is %g %g\n", (double)out[0], (double)out[1]), 1;
  printf("%zu entry points; %s\n", count, smooth->signature);
  free(x);
  free(out);
  return dlclose(library);
}
