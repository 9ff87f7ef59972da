// SPDX-License-Identifier: Apache-2.0
// What the MPI itself takes: rank 0 prints the best seconds of a half round trip of one message of
// 64 bytes between two ranks (`ping`), or of an all-gather of BYTES in all (`gather`).
//   engine ping|gather BYTES REPETITIONS
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double ping(int rank, int rounds) {
  char message[64] = {0};
  double begin = MPI_Wtime();
  for (int i = 0; i < rounds; i++) {
    if (rank == 0) MPI_Send(message, sizeof message, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
    MPI_Recv(message, sizeof message, MPI_BYTE, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 1) MPI_Send(message, sizeof message, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
  }
  return (MPI_Wtime() - begin) / (2.0 * rounds);
}

static double gather(char *own, char *all, int bytes) {
  MPI_Barrier(MPI_COMM_WORLD);
  double begin = MPI_Wtime();
  MPI_Allgather(own, bytes, MPI_BYTE, all, bytes, MPI_BYTE, MPI_COMM_WORLD);
  MPI_Barrier(MPI_COMM_WORLD);
  return MPI_Wtime() - begin;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  if (argc != 4) return fprintf(stderr, "engine ping|gather BYTES REPETITIONS\n"), 2;
  int rank, ranks, bytes = atoi(argv[2]);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  char *all = malloc((size_t)bytes), *own = malloc((size_t)bytes);
  if (!all || !own) return fprintf(stderr, "out of memory\n"), 1;
  memset(all, rank, (size_t)bytes);
  memset(own, rank, (size_t)bytes);
  double best = 1e9;
  for (int i = atoi(argv[3]); i >= 0; i--) {
    double took =
        strcmp(argv[1], "ping") == 0 ? ping(rank, 10000) : gather(own, all, bytes / ranks);
    if (i < atoi(argv[3]) && took < best) best = took;
  }
  if (rank == 0) printf("%.9f\n", best);
  free(all);
  free(own);
  MPI_Finalize();
  return 0;
}
