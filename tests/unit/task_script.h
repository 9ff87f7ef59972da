// SPDX-License-Identifier: Apache-2.0
// Programs that wait, written by hand: each core carries out a list of instructions, as compiled
// coroutines would.
#pragma once
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include "prt_codegen.h"

enum { SCRIPT_SEMS = 4, SCRIPT_WORDS = 16, SCRIPT_SLOW = 2000000, SCRIPT_BLOCK = 1 << 13 };
typedef enum ScriptOp {
  SCRIPT_END,
  SCRIPT_SIGNAL,
  SCRIPT_WAIT,
  SCRIPT_KEEP,
  SCRIPT_COPY,
  SCRIPT_ADD,
  SCRIPT_FAIL,
  SCRIPT_READ,
  SCRIPT_SHARE,
  SCRIPT_EXPECT,
  SCRIPT_SLOW_COPY,
  SCRIPT_LOCAL_COPY,
  SCRIPT_FILL,
  SCRIPT_COPY_BLOCK,
  SCRIPT_EXPECT_BLOCK,
  SCRIPT_SEE_BLOCK,
  SCRIPT_BARRIER,
  SCRIPT_DONE
} ScriptOp;

// SIGNAL: `sem` of `core` by `value`. WAIT: own `sem` for `value`. KEEP: as WAIT, and the count
// stays. COPY: own word `value % 100` to word `value / 100` of `core`, 8 bytes counted on its `sem`
// and the own last one. LOCAL_COPY: the same within one core, on the own `sem` alone. SLOW_COPY: a
// COPY so many times over. BARRIER: as WAIT, for the barrier
// semaphore of collective id `sem`. DONE: act `value` of the program is carried out. ADD: own word
// 0 += value. READ: the own count is put into word 1. SHARE: as WAIT, for `sem` of `core`. EXPECT:
// fails unless the own word 0 is `value`. Of worlds with blocks, of SCRIPT_BLOCK words each: FILL:
// the own block 0 becomes value, value + 1, ...; COPY_BLOCK: to block 1 of `core`, as COPY;
// EXPECT_BLOCK: fails unless the own block 1 is what FILL makes; SEE_BLOCK: word 0 is whether it
// is.
typedef struct ScriptStep {
  ScriptOp op;
  int device, core, sem; // device -1: the own one
  int64_t value;
} ScriptStep;

typedef struct ScriptWorld {
  int cores, devices; // devices 0: one, without a program of its own
  const ScriptStep *(*script)(const struct ScriptWorld *, int device, int core);
  bool has_blocks;
  int launches;      // of the cores, one after the other; at least 1
  _Atomic int *came; // if not NULL, all devices meet before each launch: how often one has come
  const prt_buffer *buffers; // of the cores' program, for reports, as acts
  int buffer_count;
  const prt_act *acts;
  int act_count;
  const prt_site *site;   // of what they do; NULL: script_site
  const prt_entry *entry; // NULL: script_entry
  int extra;              // bytes of each frame behind what it needs, which keep what is in them
  const prt_program *core_program, *device_program;
  const prt_program *list[1];
  void *data;
  int64_t words[64]; // word 0 of the cores that have ended, by number (mod 64)
  int32_t log[4096]; // who ran, in order
  int logged;
} ScriptWorld;

typedef struct ScriptFrame {
  void (*resume)(void *);
  void (*destroy)(void *);
  prt_task *task;
  ScriptWorld *world;
  int at;
} ScriptFrame;

static const prt_site script_site = {.file = "script", .line = 7, .column = 3, .function = ""};
static const int64_t script_dims[] = {1}, script_strides[] = {8};
static const prt_copy script_copy = {
    8, 1, script_dims, script_strides, script_strides, &script_site, 0, 0};

static const int64_t script_slow_dims[] = {SCRIPT_SLOW}, script_slow_strides[] = {0};
static const prt_copy script_slow_copy = {
    8, 1, script_slow_dims, script_slow_strides, script_slow_strides, &script_site, 0, 0};

static const int64_t script_block_dims[] = {SCRIPT_BLOCK};
static const prt_copy script_block_copy = {
    8, 1, script_block_dims, script_strides, script_strides, &script_site, 0, 0};

static prt_sem *script_sem(prt_task *task, int i) { return (prt_sem *)(void *)task->memory + i; }
static int64_t *script_word(prt_task *task, int64_t i) {
  return (int64_t *)(void *)(task->memory + SCRIPT_SEMS * sizeof(prt_sem)) + i;
}

static int64_t *script_block(prt_task *task, int i) {
  return script_word(task, SCRIPT_WORDS + i * SCRIPT_BLOCK);
}
static bool script_has_block(prt_task *task, int64_t first) {
  for (int64_t i = 0; i < SCRIPT_BLOCK; i++)
    if (script_block(task, 1)[i] != first + i) return false;
  return true;
}

static void script_step(void *handle) {
  ScriptFrame *f = handle;
  prt_task *task = f->task;
  ScriptWorld *w = f->world;
  const prt_site *site = w->site ? w->site : &script_site;
  if (w->logged < 4096 && w->data) w->log[w->logged++] = task->device * 1000 + task->core;
  for (;;) {
    const ScriptStep *step = &w->script(w, task->device, task->core)[f->at++];
    prt_task *peer = task;
    int device = step->device == -1 ? PRT_OWN : step->device;
    if (step->op == SCRIPT_COPY || step->op == SCRIPT_SLOW_COPY || step->op == SCRIPT_COPY_BLOCK)
      peer = prt__peer(task, device, step->core, false, &script_site);
    switch (step->op) {
    case SCRIPT_SIGNAL:
      prt__peer_signal(task, script_sem(task, step->sem), device, step->core, step->value,
                       &script_site);
      break;
    case SCRIPT_WAIT:
    case SCRIPT_KEEP:
      if (!prt__sem_wait(task, script_sem(task, step->sem), step->value, step->op == SCRIPT_KEEP,
                         site))
        return;
      break;
    case SCRIPT_SHARE:
      if (!prt__sem_wait(
              task, script_sem(prt__peer(task, device, step->core, false, &script_site), step->sem),
              step->value, false, &script_site))
        return;
      break;
    case SCRIPT_EXPECT:
      if (*script_word(task, 0) == step->value) break;
      prt__fail(task->worker, PRT_ERROR_ARGUMENT, "word 0 is %lld, not %lld",
                (long long)*script_word(task, 0), (long long)step->value);
      return;
    case SCRIPT_SLOW_COPY:
    case SCRIPT_COPY:
      prt__copy_start(task, peer, step->op == SCRIPT_COPY ? &script_copy : &script_slow_copy, NULL,
                      script_word(peer, step->value / 100), script_word(task, step->value % 100),
                      script_sem(peer, step->sem), script_sem(task, SCRIPT_SEMS - 1));
      break;
    case SCRIPT_LOCAL_COPY:
      prt__copy_start(task, task, &script_copy, NULL, script_word(task, step->value / 100),
                      script_word(task, step->value % 100), script_sem(task, step->sem), NULL);
      break;
    case SCRIPT_FILL:
      for (int64_t i = 0; i < SCRIPT_BLOCK; i++) script_block(task, 0)[i] = step->value + i;
      break;
    case SCRIPT_COPY_BLOCK:
      prt__copy_start(task, peer, &script_block_copy, NULL, script_block(peer, 1),
                      script_block(task, 0), script_sem(peer, step->sem),
                      script_sem(task, SCRIPT_SEMS - 1));
      break;
    case SCRIPT_EXPECT_BLOCK:
      if (script_has_block(task, step->value)) break;
      prt__fail(task->worker, PRT_ERROR_ARGUMENT, "the block is another one");
      return;
    case SCRIPT_SEE_BLOCK: *script_word(task, 0) = script_has_block(task, step->value); break;
    case SCRIPT_ADD: *script_word(task, 0) += step->value; break;
    case SCRIPT_BARRIER:
      if (!prt__sem_wait(task, prt__barrier_sem(task, task, step->sem), step->value, false, site))
        return;
      break;
    case SCRIPT_DONE: task->done |= UINT64_C(1) << step->value; break;
    case SCRIPT_READ:
      *script_word(task, 1) = prt__sem_read(task, script_sem(task, step->sem));
      break;
    case SCRIPT_FAIL: prt__fail(task->worker, PRT_ERROR_ARGUMENT, "the script fails"); return;
    case SCRIPT_END:
      for (int i = 0; i < w->extra; i++)
        if (((uint8_t *)(f + 1))[i] != (uint8_t)(task->device * 16 + task->core))
          prt__fail(task->worker, PRT_ERROR_ARGUMENT, "frames overlap");
      w->words[(task->device * w->cores + task->core) % 64] = *script_word(task, 0);
      prt__task_end(task);
      return;
    }
  }
}

static void *script_begin(prt_task *task, void *captured, void (*resume)(void *)) {
  size_t extra = (size_t)((ScriptWorld *)captured)->extra;
  ScriptFrame *f = prt__frame_alloc(task, (int64_t)(sizeof *f + extra));
  if (!f) return NULL;
  *f = (ScriptFrame){.resume = resume, .task = task, .world = captured};
  memset(f + 1, task->device * 16 + task->core, extra);
  return f;
}

static void *script_core(prt_task *task, void *captured) {
  ScriptFrame *f = script_begin(task, captured, script_step);
  if (!f) return NULL;
  for (int i = 0; i < SCRIPT_WORDS; i++) *script_word(task, i) = 0;
  script_step(f);
  return f;
}

// A device launches its cores as often as the world says, then ends; before each launch it meets
// the others, if the world says so.
static void script_device_step(void *handle) {
  ScriptFrame *f = handle;
  const ScriptWorld *w = f->world;
  int each = w->came ? 2 : 1;
  while (f->at < each * w->launches) {
    if (f->at++ % each == each - 1) {
      if (w->came && *w->came < f->at / each * w->devices)
        prt__fail(f->task->worker, PRT_ERROR_ARGUMENT, "not all have come");
      prt__launch(f->task, 1, &w->core_program, f->world, &script_site);
      return;
    }
    ++*w->came;
    if (!prt__meet(f->task, &script_site)) return;
  }
  prt__task_end(f->task);
}

static void *script_device(prt_task *task, void *captured) {
  ScriptFrame *f = script_begin(task, captured, script_device_step);
  if (f) script_device_step(f);
  return f;
}

static void script_root_step(void *handle) {
  ScriptFrame *f = handle;
  if (f->at++ == 1)
    prt__task_end(f->task);
  else
    prt__launch(f->task, 1, &f->world->device_program, f->world, &script_site);
}

static void *script_root(prt_task *task, void *captured) {
  ScriptFrame *f = script_begin(task, captured, script_root_step);
  if (f) script_root_step(f);
  return f;
}

static const prt_entry script_entry = {.abi_version = PRT_ABI_VERSION,
                                       .name = "script",
                                       .devices = 1,
                                       .chip = "v5p",
                                       .cpu = "baseline"};

// What a module has of a world: constants, which all ranks of a job have the same of.
typedef struct ScriptPrograms {
  int64_t cores, devices;
  prt_program core, device;
} ScriptPrograms;

static void script_programs(const ScriptWorld *w, ScriptPrograms *out) {
  int64_t blocks = w->has_blocks ? 2 * SCRIPT_BLOCK * 8 : 0;
  out->cores = w->cores;
  out->devices = w->devices;
  out->core =
      (prt_program){.start = script_core,
                    .name = "script",
                    .site = &script_site,
                    .memory = SCRIPT_SEMS * (int64_t)sizeof(prt_sem) + SCRIPT_WORDS * 8 + blocks,
                    .semaphores = SCRIPT_SEMS * (int64_t)sizeof(prt_sem),
                    .kind = PRT_TENSOR_CORE,
                    .rank = 1,
                    .sizes = &out->cores,
                    .buffer_count = w->buffer_count,
                    .buffers = w->buffers,
                    .act_count = w->act_count,
                    .acts = w->acts};
  out->device = (prt_program){.start = script_device,
                              .name = "device",
                              .site = &script_site,
                              .kind = PRT_DEVICE_PROGRAM,
                              .rank = 1,
                              .sizes = &out->devices};
}

// `programs`: of the job; NULL: the world's own.
static prt_status script_run_as(prt_machine *machine, ScriptWorld *w,
                                const ScriptPrograms *programs) {
  ScriptPrograms own;
  if (!programs) script_programs(w, &own);
  const ScriptPrograms *used = programs ? programs : &own;
  const prt_program one = {
      .start = script_device, .name = "main", .site = &script_site, .kind = PRT_DEVICE_PROGRAM};
  const prt_program root = {
      .start = script_root, .name = "main", .site = &script_site, .kind = PRT_DEVICE_PROGRAM};
  w->core_program = &used->core;
  w->device_program = &used->device;
  if (w->launches == 0) w->launches = 1;
  memset(w->words, 0, sizeof w->words);
  w->logged = 0;
  prt_worker *worker;
  prt_status status = prt__enter(machine, w->entry ? w->entry : &script_entry, &worker);
  if (status) return status;
  prt__run(worker, w->devices ? &root : &one, w);
  return prt__leave(worker);
}

static prt_status script_run(prt_machine *machine, ScriptWorld *w) {
  return script_run_as(machine, w, NULL);
}

// A token, `first` of them, goes round all cores of all devices `rounds` times. `at`: the steps of
// a core, which are zero.
static inline void script_ring(ScriptStep *(*at)(int device, int core), int devices, int cores,
                               int rounds, int first) {
  for (int d = 0; d < devices; d++) {
    for (int c = 0; c < cores; c++) {
      ScriptStep *s = at(d, c);
      int next = c + 1 < cores ? c + 1 : 0, to = next == 0 ? (d + 1) % devices : d;
      if (d == 0 && c == 0) *s++ = (ScriptStep){SCRIPT_SIGNAL, -1, 0, 0, first};
      for (int r = 0; r < rounds; r++) {
        *s++ = (ScriptStep){SCRIPT_WAIT, -1, 0, 0, 1};
        *s++ = (ScriptStep){SCRIPT_ADD, -1, 0, 0, 1};
        *s++ = (ScriptStep){SCRIPT_SIGNAL, devices > 1 ? to : -1, next, 0, 1};
      }
    }
  }
}

// A machine for scripts: `threads` of the host, or seeded if that is 0. Reports go to *report, if
// it is not NULL.
static void script_report(void *data, const char *text, size_t length) {
  char *out = data;
  size_t n = length < 4095 ? length : 4095;
  if (out) memcpy(out, text, n), out[n] = 0;
}

static prt_machine *script_machine(int threads, uint64_t seed, char *report) {
  prt_machine_options options;
  prt_machine_options_init(&options);
  options.threads = threads ? threads : 1;
  options.seeded = threads == 0;
  options.seed = seed;
  options.on_report = script_report;
  options.data = report;
  return prt_machine_new(&options);
}
