// SPDX-License-Identifier: Apache-2.0
// Times one entry point of a library of kernels on a machine whose devices are spread over ranks.
// Rank 0 prints the best seconds of a call, and the most memory of any rank, in bytes.
//   call LIBRARY ENTRY TRANSPORT DEVICES REPETITIONS
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>
#include "prt.h"

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

// Arrays of small numbers that are not alike.
static void *array_of(const prt_param *param) {
  size_t bytes = prt_param_bytes(param);
  float *data = aligned_alloc(64, (bytes + 63) / 64 * 64);
  for (size_t i = 0; data && i < bytes / sizeof *data; i++) data[i] = (float)(i % 251) / 256;
  return data;
}

int main(int argc, char **argv) {
  void *library = argc == 6 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
  const prt_entry *entry = library ? prt_find_entry(library, argv[2]) : NULL;
  if (!entry) return fprintf(stderr, "call LIBRARY ENTRY TRANSPORT DEVICES REPETITIONS\n"), 2;
  prt_machine_options options;
  prt_machine_options_init(&options);
  options.transport = argv[3];
  options.devices = atoi(argv[4]);
  prt_machine *machine = prt_machine_new(&options);
  void *arguments[8];
  for (int i = 0; i < entry->param_count; i++) arguments[i] = array_of(&entry->params[i]);
  double best = 1e9;
  for (int i = atoi(argv[5]); machine && i >= 0; i--) { // the first one is not measured
    double begin = now();
    if (entry->call(machine, arguments)) {
      prt_machine_free(machine);
      machine = NULL;
    }
    double took = now() - begin;
    if (i < atoi(argv[5]) && took < best) best = took;
  }
  if (!machine) return fprintf(stderr, "%s\n", prt_error_message()), 1;
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  if (prt_machine_rank(machine) == 0) printf("%.9f %ld\n", best, usage.ru_maxrss * 1024);
  prt_machine_free(machine);
  return 0;
}
