// SPDX-License-Identifier: Apache-2.0
// A program that calls MPI itself, and the ring on a machine that is spread over its ranks, or over
// the half of them that it is in:
//   own_mpi TRANSPORT single|serialized|multiple world|halves
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "ring.h"

static float x[RING_X_COUNT], out[RING_OUT_COUNT];

// All ranks talk to each other all the time, for longer than signs of life are apart.
static int talk(int rank, int ranks) {
  int sum = 0;
  double begin = MPI_Wtime();
  for (int more = 1; more;) {
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    more = MPI_Wtime() < begin + 1.2;
    MPI_Bcast(&more, 1, MPI_INT, 0, MPI_COMM_WORLD);
  }
  return sum == ranks * (ranks - 1) / 2;
}

int main(int argc, char **argv) {
  if (argc != 4) return 2;
  int level = strcmp(argv[2], "single") == 0       ? MPI_THREAD_SINGLE
              : strcmp(argv[2], "serialized") == 0 ? MPI_THREAD_SERIALIZED
                                                   : MPI_THREAD_MULTIPLE;
  int given, rank, ranks, good = 1;
  MPI_Init_thread(&argc, &argv, level, &given);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm part = MPI_COMM_WORLD;
  if (strcmp(argv[3], "halves") == 0) MPI_Comm_split(MPI_COMM_WORLD, rank * 2 / ranks, rank, &part);
  prt_machine_options options;
  prt_machine_options_init(&options);
  options.devices = 8;
  options.transport = argv[1];
  options.mpi_comm = &part;
  prt_machine *machine = prt_machine_new(&options);
  if (!machine) {
    if (rank == 0) printf("%s\n", prt_error_message());
    MPI_Finalize();
    return 0;
  }
  int half = strcmp(argv[3], "halves") == 0 ? rank * 2 / ranks : 0;
  for (int i = 0; i < RING_X_COUNT; i++) x[i] = (float)(i + half);
  for (int round = 0; round < 2; round++) {
    good &= ring(machine, x, out) == PRT_OK;
    good &= talk(rank, ranks);
  }
  double sum = 0;
  for (int i = 0; i < RING_OUT_COUNT; i++) sum += out[i];
  printf("rank %d, %d of %d: %s %.9g\n", rank, prt_machine_rank(machine),
         prt_machine_ranks(machine), good ? "good" : "bad", sum);
  prt_machine_free(machine);
  if (part != MPI_COMM_WORLD) MPI_Comm_free(&part);
  good = talk(rank, ranks); // MPI is still the program's
  MPI_Finalize();
  return !good;
}
