// SPDX-License-Identifier: Apache-2.0
// Times one entry point of a library of kernels on a machine whose devices are spread over ranks,
// and, in turns with its calls, what the MPI itself takes: a half round trip of one message of 64
// bytes between the first two ranks (`ping`), or an all-gather of BYTES in all (`gather`). Rank 0
// prints the best seconds of a call, those of MPI (0: was not asked), and the most memory of a rank
// in bytes.
//   call LIBRARY ENTRY TRANSPORT DEVICES REPETITIONS [ping|gather BYTES]
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include "prt.h"

enum { ROUNDS = 2000 };

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

// ---- MPI alone ----------------------------------------------------------------------------------
static double ping(int rank) {
  char message[64] = {0};
  MPI_Barrier(MPI_COMM_WORLD);
  double begin = now();
  for (int i = 0; i < ROUNDS && rank < 2; i++) {
    if (rank == 0) MPI_Send(message, sizeof message, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
    MPI_Recv(message, sizeof message, MPI_BYTE, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 1) MPI_Send(message, sizeof message, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
  }
  return (now() - begin) / (2.0 * ROUNDS);
}

static double gather(const char *own, char *all, int bytes) {
  MPI_Barrier(MPI_COMM_WORLD);
  double begin = now();
  MPI_Allgather(own, bytes, MPI_BYTE, all, bytes, MPI_BYTE, MPI_COMM_WORLD);
  MPI_Barrier(MPI_COMM_WORLD);
  return now() - begin;
}

typedef struct Alone {
  const char *what; // NULL: it is not asked for
  int rank, part;   // bytes of each rank
  char *own, *all;
  double best;
} Alone;

static int alone_init(Alone *alone, int argc, char **argv) {
  int ranks;
  if (argc != 8) return 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &alone->rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  alone->what = argv[6];
  alone->best = 1e9;
  alone->part = atoi(argv[7]) / ranks;
  size_t bytes = (size_t)alone->part * (size_t)ranks;
  alone->all = malloc(bytes);
  alone->own = malloc((size_t)alone->part);
  if (!alone->all || !alone->own) return 1;
  memset(alone->all, alone->rank, bytes);
  memset(alone->own, alone->rank, (size_t)alone->part);
  return 0;
}

static void time_alone(Alone *alone) {
  if (!alone->what) return;
  double took = strcmp(alone->what, "ping") == 0 ? ping(alone->rank)
                                                 : gather(alone->own, alone->all, alone->part);
  if (took < alone->best) alone->best = took;
}

// ---- the call -----------------------------------------------------------------------------------
// Arrays of small numbers that differ.
static void *array_of(const prt_param *param) {
  size_t bytes = prt_param_bytes(param);
  float *data = aligned_alloc(64, (bytes + 63) / 64 * 64);
  for (size_t i = 0; data && i < bytes / sizeof *data; i++) data[i] = (float)(i % 251) / 256;
  return data;
}

static int time_calls(const prt_entry *entry, prt_machine *machine, int repetitions, Alone *alone) {
  void *arguments[8];
  for (int i = 0; i < entry->param_count; i++) arguments[i] = array_of(&entry->params[i]);
  double best = 1e9;
  for (int i = repetitions; i >= 0; i--) { // the first one is not measured
    time_alone(alone);
    double begin = now();
    if (entry->call(machine, arguments)) return 1;
    double took = now() - begin;
    if (i < repetitions && took < best) best = took;
  }
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  if (prt_machine_rank(machine) == 0)
    printf("%.9f %.9f %ld\n", best, alone->best, usage.ru_maxrss * 1024);
  return 0;
}

int main(int argc, char **argv) {
  void *library = argc >= 6 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
  const prt_entry *entry = library ? prt_find_entry(library, argv[2]) : NULL;
  if (!entry)
    return fprintf(stderr, "call LIBRARY ENTRY TRANSPORT DEVICES REPETITIONS [WHAT BYTES]\n"), 2;
  prt_machine_options options;
  prt_machine_options_init(&options);
  options.transport = argv[3];
  options.devices = atoi(argv[4]);
  int calls_mpi = argc == 8, level, failed = 1; // else it is the runtime's alone
  Alone alone = {0};
  if (calls_mpi) MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &level);
  prt_machine *machine = prt_machine_new(&options);
  if (machine && !alone_init(&alone, argc, argv))
    failed = time_calls(entry, machine, atoi(argv[5]), &alone);
  if (failed) fprintf(stderr, "%s\n", prt_error_message());
  prt_machine_free(machine);
  free(alone.own);
  free(alone.all);
  if (calls_mpi) MPI_Finalize();
  return failed;
}
