// SPDX-License-Identifier: Apache-2.0
// Eight threads call functions over eight devices at once, on one machine, on the default one and
// on machines that come and go, while signals interrupt them and the process forks children that do
// the same.
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>
#include "devices.h"

enum {
  ROWS = 64,
  COLUMNS = 128,
  DEVICES = 8,
  PART = ROWS / DEVICES,
  THREADS = 8,
  ROUNDS = 60,
  CHILDREN = 12
};
static prt_machine *shared;
static _Atomic int signals;

static void on_signal(int number) {
  (void)number;
  atomic_fetch_add(&signals, 1);
}

static prt_machine *new_machine(int number) {
  prt_machine_options options;
  prt_machine_options_init(&options);
  options.threads = 1 + number % 4;
  options.seeded = number % 3 == 0;
  options.seed = (uint64_t)number;
  return prt_machine_new(&options);
}

static int call_once(prt_machine *machine, int number) {
  static const float zero[ROWS][COLUMNS];
  float(*x)[COLUMNS] = malloc(sizeof zero), (*out)[COLUMNS] = malloc(sizeof zero);
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < COLUMNS; j++) x[i][j] = (float)((i * 7 + j + number) % 100), out[i][j] = -1;
  int wrong = all_reduce(machine, &x[0][0], &out[0][0]) != PRT_OK;
  for (int i = 0; i < ROWS; i++) {
    for (int j = 0; j < COLUMNS; j++) {
      float want = 0;
      for (int d = 0; d < DEVICES; d++) want += x[d * PART + i % PART][j];
      wrong += out[i][j] != want;
    }
  }
  free(x);
  free(out);
  return wrong != 0;
}

static void *work(void *data) {
  long number = (long)data, wrong = 0;
  for (int round = 0; round < ROUNDS; round++) {
    wrong += call_once(number % 2 ? shared : NULL, round);
    prt_machine *own = new_machine((int)number + round);
    wrong += call_once(own, round);
    prt_machine_free(own);
  }
  return (void *)wrong;
}

static int is_child_well(void) {
  pid_t child = fork();
  if (child == 0) {
    int wrong = call_once(shared, 1) + call_once(NULL, 2);
    prt_machine_free(shared);
    _exit(wrong ? 1 : 7);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
  }
  return WIFEXITED(status) && WEXITSTATUS(status) == 7;
}

int main(void) {
  struct sigaction action = {.sa_handler = on_signal}; // without SA_RESTART
  sigaction(SIGALRM, &action, NULL);
  struct itimerval often = {{0, 500}, {0, 500}};
  setitimer(ITIMER_REAL, &often, NULL);
  shared = new_machine(1);
  pthread_t threads[THREADS];
  long wrong = 0;
  for (long i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, work, (void *)i);
  for (int i = 0; i < CHILDREN; i++) wrong += !is_child_well();
  for (int i = 0; i < THREADS; i++) {
    void *result;
    pthread_join(threads[i], &result);
    wrong += (long)result;
  }
  prt_machine_free(shared);
  printf("%d calls, %d children, %d signals, %ld wrong\n", THREADS * ROUNDS * 2, CHILDREN,
         (int)signals, wrong);
  return wrong != 0;
}
