// SPDX-License-Identifier: Apache-2.0
// What runs a module's own statements and calls in this process.
#pragma once
#include "driver/options/options.h"
#include "ir/core/ir.h"
#include "jax/program/eager.h"

typedef struct JitBackend JitBackend;
// What was called, and in how many schedules in all.
typedef struct ProgramCounts {
  uint64_t calls, schedules;
} ProgramCounts;

JitBackend *jit_backend_new(Session *session, const Options *options);
// The program ends here with that exit status. Over ranks rank 0 reports, when it is freed, those
// that have ended in another way.
void jit_backend_ending(JitBackend *backend, int status);
void jit_backend_free(JitBackend *backend);
// Makes the machine now, whose devices are spread over the ranks of the job that the options, or
// the environment, say there is. The rank, 0 if there is no job; after a diagnostic the exit
// status, negated.
int jit_backend_join(JitBackend *backend);
// The rank that the backend has joined as, and how many there are: 0 and 1 without a job.
int jit_backend_rank(const JitBackend *backend, int *ranks);
EagerBackend jit_backend_run(JitBackend *backend);
// The program's arrays lie in this arena, which may be collected.
void jit_backend_watch_arena(JitBackend *backend, Arena *arena);
// Compiles (or finds again) the module of `func` and calls it. 0, or the exit status after a
// diagnostic.
int jit_backend_call(JitBackend *backend, IrModule *module, IrFunc *func, void *const *buffers);
// Looks for what the chip refuses of the module, and calls nothing. 0, or the exit status after a
// diagnostic.
int jit_backend_judge(JitBackend *backend, IrModule *module);
// The program is over: results that it never looked at, of calls of which it looked at nothing, are
// judged as a whole.
void jit_backend_finish(JitBackend *backend);
// From any thread: a call that is in an endless loop ends there, and the program's exception says
// where; until it is taken back.
void jit_backend_interrupt(void *backend, bool on);
// Whether anything has been called, or judged.
bool jit_backend_has_run(const JitBackend *backend);
ProgramCounts jit_backend_counts(const JitBackend *backend);
// The worst exit status of a call so far.
int jit_backend_status(const JitBackend *backend);
