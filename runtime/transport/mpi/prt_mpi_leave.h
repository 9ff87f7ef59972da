// SPDX-License-Identifier: Apache-2.0
// How a rank leaves its MPI when all ranks have said that they are done.
#pragma once

// Ends MPI, or at least this process's part in the job, within some seconds; MPI must not be used
// any more. The process goes on, and its exit status is what its launcher gets.
void mpi_leave(void);
