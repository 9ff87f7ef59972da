// SPDX-License-Identifier: Apache-2.0
// What a step of the scheduler costs: cores that pass a token around, each a coroutine written by
// hand as compiled ones are. Prints nanoseconds a step and bytes a core.
//   ring_cost [CORES [ROUNDS [TOKENS]]]
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include "prt_codegen.h"

typedef struct Ring {
  int64_t cores, rounds, tokens;
  const prt_program *program;
} Ring;

typedef struct Frame {
  void (*resume)(void *);
  void (*destroy)(void *);
  prt_task *task;
  const Ring *ring;
  int64_t round;
  int32_t next;
} Frame;

static const prt_site site = {.file = "ring", .line = 1, .column = 1};

static void step(void *handle) {
  Frame *f = handle;
  const Ring *ring = f->ring;
  for (;;) {
    if (f->round > 0)
      prt__peer_signal(f->task, (prt_sem *)(void *)f->task->memory, PRT_OWN, f->next, 1, &site);
    if (f->round++ == ring->rounds) break;
    if (!prt__sem_wait(f->task, (prt_sem *)(void *)f->task->memory, 1, false, &site)) return;
  }
  prt__task_end(f->task);
}

static void *begin(prt_task *task, void *captured) {
  Frame *f = prt__frame_alloc(task, sizeof *f);
  if (!f) return NULL;
  const Ring *ring = captured;
  *f = (Frame){.resume = step,
               .task = task,
               .ring = ring,
               .next = task->core + 1 == ring->cores ? 0 : task->core + 1};
  if (task->core < ring->tokens) prt__sem_signal(task, (prt_sem *)(void *)task->memory, 1, &site);
  step(f);
  return f;
}

static void launch(void *handle) {
  Frame *f = handle;
  if (f->round++)
    prt__task_end(f->task);
  else
    prt__launch(f->task, 1, &f->ring->program, (void *)(uintptr_t)f->ring, &site);
}

static void *device(prt_task *task, void *captured) {
  Frame *f = prt__frame_alloc(task, sizeof *f);
  if (!f) return NULL;
  *f = (Frame){.resume = launch, .task = task, .ring = captured};
  launch(f);
  return f;
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int main(int argc, char **argv) {
  Ring ring = {.cores = argc > 1 ? atoll(argv[1]) : 18000,
               .rounds = argc > 2 ? atoll(argv[2]) : 1000,
               .tokens = argc > 3 ? atoll(argv[3]) : 1};
  const prt_program core = {.start = begin,
                            .name = "ring",
                            .site = &site,
                            .memory = sizeof(prt_sem),
                            .semaphores = sizeof(prt_sem),
                            .rank = 1,
                            .sizes = &ring.cores};
  const prt_program main_program = {
      .start = device, .name = "main", .site = &site, .kind = PRT_DEVICE_PROGRAM};
  const prt_entry entry = {.abi_version = PRT_ABI_VERSION,
                           .name = "ring",
                           .devices = 1,
                           .chip = "v5p",
                           .cpu = "baseline"};
  ring.program = &core;
  prt_machine_options options;
  prt_machine_options_init(&options);
  options.threads = 1;
  prt_machine *machine = prt_machine_new(&options);
  double best = 1e9;
  for (int i = 0; i < 4; i++) {
    prt_worker *worker;
    if (prt__enter(machine, &entry, &worker)) return 1;
    double start = now();
    prt__run(worker, &main_program, &ring);
    double seconds = now() - start;
    if (prt__leave(worker)) {
      printf("%s\n", prt_error_message());
      return 1;
    }
    if (seconds < best) best = seconds;
  }
  double steps = (double)ring.cores * (double)ring.rounds;
  printf("%lld cores, %lld rounds: %.3f s, %.1f ns a step, %.0f bytes a core\n",
         (long long)ring.cores, (long long)ring.rounds, best, best / steps * 1e9,
         (double)prt_machine_footprint(machine) / (double)ring.cores);
  prt_machine_free(machine);
  return 0;
}
