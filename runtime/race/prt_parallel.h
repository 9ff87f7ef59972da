// SPDX-License-Identifier: Apache-2.0
// Between prt_parallel.c, which finds what several steps of parallel dimensions write, and
// prt_shadow.c, which knows who looks at it.
#pragma once
#include "machine/prt_call.h"
#include "check/prt_watch.h"
#include "prt_extent.h"

// The report of elements whose contents depend on which of several steps comes first.
typedef struct prt_doubt {
  const prt_site *site;
  const char *what, *message;
  const char *data; // as of a race
  const prt_step *step;
} prt_doubt;

// A block that a step of parallel dimensions reads or writes.
typedef struct prt_race_block {
  const prt_site *site;
  const prt_step *step; // NULL: not known
  prt_watched memory;
  const prt_extent *extent;
  int32_t device;
  bool is_read;
} prt_race_block;
// Of prt_race_data.c: the race of two of them as a JSON object.
void prt__race_blocks_data(struct prt_text *out, const prt_race_block *one,
                           const prt_race_block *other);
// The region's elements, those that have bytes of `part` if that is not NULL, are such. false:
// their memory is not watched, or there is no memory.
bool prt__watch_doubt(prt_worker *worker, const prt_region *region, const prt_extent *part,
                      const prt_doubt *doubt);
// Of prt_race_steps.c: the launch is over for the worker's task.
void prt__race_leave_steps(prt_worker *worker);
// Whether the element there is such.
bool prt__watch_in_doubt(const prt_call *call, const void *address);
