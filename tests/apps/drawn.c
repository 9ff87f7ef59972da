// SPDX-License-Identifier: Apache-2.0
// Calls every entry point of the program some times, from two threads on one machine, and compares
// what they give with what a machine of one thread gives. Entry points that are linked are not
// known by name: they are found by the list that the objects have.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "prt.h"

enum { THREADS = 3, CALLERS = 2, MOST = 64 };
static const prt_entry *entries[MOST];
static size_t count;
static void **wanted[MOST];
static prt_machine *shared;
static int rounds;

static prt_machine *new_machine(int threads) {
  prt_machine_options options;
  prt_machine_options_init(&options);
  options.threads = threads;
  return prt_machine_new(&options);
}

static void **arrays_of(const prt_entry *entry) {
  void **arrays = malloc((entry->param_count + 1) * sizeof *arrays);
  for (uint32_t i = 0; i < entry->param_count; i++)
    arrays[i] = calloc(1, prt_param_bytes(&entry->params[i]) + 1);
  return arrays;
}

static void free_arrays(const prt_entry *entry, void **arrays) {
  for (uint32_t i = 0; i < entry->param_count; i++) free(arrays[i]);
  free(arrays);
}

static long call_once(const prt_entry *entry, prt_machine *machine, void **want) {
  void **got = arrays_of(entry);
  long wrong = entry->call(machine, got) != PRT_OK;
  if (wrong) fprintf(stderr, "%s: %s\n", entry->name, prt_error_message());
  for (uint32_t i = 0; i < entry->param_count && !wrong; i++)
    wrong = memcmp(got[i], want[i], prt_param_bytes(&entry->params[i])) != 0;
  if (wrong) fprintf(stderr, "%s is wrong\n", entry->name);
  free_arrays(entry, got);
  return wrong;
}

static void *work(void *data) {
  long wrong = 0;
  size_t first = (size_t)(long)data;
  for (int round = 0; round < rounds; round++)
    for (size_t i = 0; i < count; i++) {
      size_t entry = (i * (first + 1) + first) % count;
      wrong += call_once(entries[entry], shared, wanted[entry]);
    }
  return (void *)wrong;
}

int main(int argc, char **argv) {
  rounds = argc > 1 ? atoi(argv[1]) : 1;
  count = prt_list_entries(NULL, entries, MOST);
  prt_machine *alone = new_machine(1);
  shared = new_machine(THREADS);
  for (size_t i = 0; i < count; i++) {
    wanted[i] = arrays_of(entries[i]);
    if (entries[i]->call(alone, wanted[i])) return 1;
  }
  pthread_t threads[CALLERS];
  long wrong = count == 0;
  for (long i = 0; i < CALLERS; i++) pthread_create(&threads[i], NULL, work, (void *)i);
  for (int i = 0; i < CALLERS; i++) {
    void *result;
    pthread_join(threads[i], &result);
    wrong += (long)result;
  }
  for (size_t i = 0; i < count; i++) free_arrays(entries[i], wanted[i]);
  prt_machine_free(shared);
  prt_machine_free(alone);
  fprintf(stderr, "%zu entry points, %ld wrong\n", count, wrong);
  return wrong != 0;
}
