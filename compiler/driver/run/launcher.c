// SPDX-License-Identifier: Apache-2.0
// What the launcher of a job says in the environment.
#include "driver/run/launcher.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

typedef struct Launcher {
  const char *mark, *count, *rank, *transport; // who sets `mark` says the others
} Launcher;

Job job_of_launcher(void) {
  static const Launcher launchers[] = {
      {"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK", "mpi"},
      {"PMIX_RANK", "SLURM_NTASKS", "PMIX_RANK", "mpi"}, // srun --mpi=pmix
      {"PMI_RANK", "PMI_SIZE", "PMI_RANK", "mpich"}};
  for (size_t i = 0; i < COUNT_OF(launchers); i++) {
    const Launcher *l = &launchers[i];
    const char *count = getenv(l->mark) ? getenv(l->count) : NULL, *rank = getenv(l->rank);
    if (count && atoi(count) > 1) return (Job){atoi(count), rank ? atoi(rank) : 0, l->transport};
  }
  return (Job){.processes = 1};
}

const char *job_transport(Arena *arena, const Options *o, bool *is_guess) {
  *is_guess = o->transport.len == 0;
  if (str_equal(o->transport, STR("none"))) return NULL;
  return *is_guess ? job_of_launcher().transport : str_copy(arena, o->transport).data;
}
