// SPDX-License-Identifier: Apache-2.0
// How a rank leaves its MPI: with all others, when they have said that they are done; or for all.
#pragma once
#include <mpi.h>

// Ends MPI, or at least this process's part in the job, within some seconds; MPI must not be used
// any more. The process goes on, and its exit status is what its launcher gets.
void mpi_leave(void);

// Ends all ranks of the job, and this process, with status 1.
_Noreturn void mpi_end_job(MPI_Comm comm);
