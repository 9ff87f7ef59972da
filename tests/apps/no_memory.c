// SPDX-License-Identifier: Apache-2.0
// The n-th allocation of the runtime fails, and all behind it, for every n: calls say that there is
// no memory, or go on with fewer threads, and are right again when there is some. Linked with
// --wrap for the functions below.
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include "devices.h"

enum { ROWS = 64, COLUMNS = 128, DEVICES = 8, PART = ROWS / DEVICES };
static float x[ROWS][COLUMNS], out[ROWS][COLUMNS];
static _Atomic long left = -1; // allocations before the first that fails; negative: none does

void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t bytes);
void *__real_realloc(void *old, size_t bytes);
void *__real_mmap(void *place, size_t bytes, int protection, int flags, int file, off_t offset);
int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*start)(void *), void *data);
void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);
void *__wrap_realloc(void *old, size_t bytes);
void *__wrap_mmap(void *place, size_t bytes, int protection, int flags, int file, off_t offset);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*start)(void *), void *data);

static int fails(void) {
  long n = atomic_load(&left);
  while (n > 0 && !atomic_compare_exchange_weak(&left, &n, n - 1)) {
  }
  return n == 0;
}

void *__wrap_malloc(size_t bytes) { return fails() ? NULL : __real_malloc(bytes); }
void *__wrap_calloc(size_t count, size_t bytes) {
  return fails() ? NULL : __real_calloc(count, bytes);
}
void *__wrap_realloc(void *old, size_t bytes) {
  return fails() ? NULL : __real_realloc(old, bytes);
}
void *__wrap_mmap(void *place, size_t bytes, int protection, int flags, int file, off_t offset) {
  return fails() ? MAP_FAILED : __real_mmap(place, bytes, protection, flags, file, offset);
}
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*start)(void *), void *data) {
  return fails() ? 11 : __real_pthread_create(thread, attributes, start, data);
}

static int is_right(void) {
  for (int i = 0; i < ROWS; i++) {
    for (int j = 0; j < COLUMNS; j++) {
      float want = 0;
      for (int d = 0; d < DEVICES; d++) want += x[d * PART + i % PART][j];
      if (out[i][j] != want) return 0;
    }
  }
  return 1;
}

static void expect(int condition, const char *what, long n) {
  if (condition) return;
  printf("allocation %ld: %s: %s\n", n, what, prt_error_message());
  exit(1);
}

// Whether all went well although allocation n failed: there is no n-th.
static int goes_well(long n, const prt_machine_options *options) {
  atomic_store(&left, n);
  prt_machine *machine = prt_machine_new(options);
  int was_there = machine != NULL;
  prt_status first = PRT_OK, second = PRT_OK;
  if (machine) {
    first = all_reduce(machine, &x[0][0], &out[0][0]);
    expect(first == PRT_ERROR_MEMORY || (first == PRT_OK && is_right()), "the first call", n);
    second = all_reduce(machine, &x[0][0], &out[0][0]);
    expect(second == PRT_ERROR_MEMORY || (second == PRT_OK && is_right()), "the second call", n);
  }
  int none_failed = atomic_load(&left) > 0;
  atomic_store(&left, -1);
  if (machine)
    expect(all_reduce(machine, &x[0][0], &out[0][0]) == PRT_OK && is_right(), "a call with memory",
           n);
  prt_machine_free(machine);
  return was_there && !first && !second && none_failed;
}

int main(void) {
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < COLUMNS; j++) x[i][j] = (float)(i * 3 + j);
  for (int threads = 0; threads <= 4; threads += 2) { // 0: seeded
    prt_machine_options options;
    prt_machine_options_init(&options);
    options.threads = threads ? threads : 1;
    options.seeded = !threads;
    long n = 0;
    while (!goes_well(n, &options) && n < 5000) n++;
    expect(n > 3 && n < 5000, "how many there are", n);
    printf("%d threads: %ld allocations\n", threads, n);
  }
  return 0;
}
