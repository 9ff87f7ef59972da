// SPDX-License-Identifier: Apache-2.0
// What a task of another rank did, as words on their way to rank 0.
#pragma once
#include <stdarg.h>
#include "tasks/prt_task.h"
#include "prt_ranks.h"
#include "prt_wire.h"

enum { REPORTED_MOST = 16, REPORTED_NOTES = 80 };
typedef struct prt_reported_argument {
  int64_t number;
  const void *constant;
  void *memory;
  prt_node *task;
  const int64_t *numbers;
  const char *text;
} prt_reported_argument;

typedef struct prt_reported {
  int32_t what;
  prt_reported_argument at[REPORTED_MOST];
  prt_region region;
  prt_finding finding;
  prt_finding_note notes[REPORTED_NOTES];
} prt_reported;

// `s`: NULL outside of a launch, where nothing is sent of tasks and memory.
void prt__reported_put(prt_wire *wire, const prt_schedule *s, int32_t what, va_list arguments);
// false: it cannot be read, and the call has failed.
bool prt__reported_get(prt_words *words, prt_ranks *r, prt_reported *out);
