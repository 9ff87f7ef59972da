// SPDX-License-Identifier: Apache-2.0
// The MPI of one process, and what a test may set and see of it.
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include "mpi.h"

enum { FAKE_RANKS = 4 };

typedef struct FakeMpi {
  int ranks, ranks_here;                    // of the job; of it on this machine
  int level;                                // of threads
  bool is_initialised, is_finalised, hangs; // hangs: MPI_Finalize
  bool is_mute[FAKE_RANKS];                 // nothing that the rank sends arrives
  int calls_to_failure;                     // until a send, a receive or a test fails; 0: none does
  const char *version;
} FakeMpi;

extern FakeMpi fake_mpi;

// Begins anew. The seed draws when what was sent arrives, and when who asks hears of it.
void fake_mpi_begin(int ranks, uint64_t seed);
MPI_Comm fake_mpi_comm(int rank);
uint32_t fake_mpi_draw(uint32_t ways);
// Messages with a body's or a rest's tag that are under way, and all that has not been given back.
int fake_mpi_under_way(void);
int fake_mpi_left(void);
