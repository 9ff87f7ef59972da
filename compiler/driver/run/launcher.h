// SPDX-License-Identifier: Apache-2.0
// What the launcher of a job says in the environment: that there are several processes, of which
// MPI, and which one this is.
#pragma once
#include "driver/options/options.h"

typedef struct Job {
  int processes, rank;   // 1 and 0: it stands alone
  const char *transport; // of the launcher's MPI; NULL: it stands alone
} Job;

Job job_of_launcher(void);
// The transport that carries what the ranks of the job say: the options', else the launcher's.
// NULL: none. `is_guess`: the options do not name it.
const char *job_transport(Arena *arena, const Options *options, bool *is_guess);
