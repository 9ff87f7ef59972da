// SPDX-License-Identifier: Apache-2.0
// The end of MPI in a process. In: a job whose ranks have agreed that they are done. Out: a process
// that the launcher lets end with a status of its own.
//
// MPI_Finalize is collective, and a job must not hang in it when its work is done. Two measures:
//
// MPICH before 4.2 on UCX is not finalised. There each rank closes its connections, which needs
// answers of the other side, and then waits in a barrier of the launcher, where it answers nobody:
// who comes to the closing a little later, having answered the others before, waits for ever
// (pmodels/mpich#6596 took that barrier away). A barrier of ours in front of it does not help:
// whoever leaves that first closes while the others still answer.
//
// Any other MPI_Finalize runs on a thread of its own, and is given up when it does not come back.
//
// Both then tell the launcher what MPI_Finalize would have, since a process that ends without is
// taken for one that has failed: by PMI-1, whose wire protocol is lines of text on the descriptor
// in PMI_FD (Hydra, Slurm's pmi2), or by PMIx (Open MPI's mpirun, Slurm's pmix), of which the MPI
// has loaded the library.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "transport/mpi/prt_mpi_leave.h"

enum { FINALIZE_SECONDS = 3, ANSWER_SECONDS = 1 };

// ---- with an end --------------------------------------------------------------------------------
static bool is_over_within(pthread_t thread, int seconds) {
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_sec += seconds;
  return pthread_timedjoin_np(thread, NULL, &until) == 0;
}

// Runs it on a thread that takes no signals of the program's. false: it has not come back in time,
// and has been stopped where it was.
static bool is_done_within(void *(*work)(void *), void *data, int seconds) {
  pthread_t thread;
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  bool has_thread = pthread_create(&thread, NULL, work, data) == 0;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (!has_thread) return work(data), true;
  if (is_over_within(thread, seconds)) return true;
  pthread_cancel(thread);
  if (!is_over_within(thread, ANSWER_SECONDS)) pthread_detach(thread);
  return false;
}

static void *finalise(void *unused) {
  pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
  MPI_Finalize();
  return unused;
}

// ---- the launcher -------------------------------------------------------------------------------
static void report_pmi(int fd, const char *line) {
  char answer[256];
  size_t bytes = strlen(line);
  struct pollfd ready = {.fd = fd, .events = POLLIN};
  if (write(fd, line, bytes) != (ssize_t)bytes) return;
  if (poll(&ready, 1, ANSWER_SECONDS * 1000) != 1) return;
  ssize_t length = read(fd, answer, sizeof answer); // it has heard; what it says does not matter
  (void)length;
}

typedef int EndPmix(const void *info, size_t count);

static void *report_pmix(void *unused) {
  static const char *const names[] = {"libpmix.so.2", "libpmix.so"};
  pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
  void *library = NULL;
  for (int i = 0; i < 2 && !library; i++) library = dlopen(names[i], RTLD_NOW | RTLD_NOLOAD);
  EndPmix *end = (EndPmix *)(uintptr_t)dlsym(library ? library : RTLD_DEFAULT, "PMIx_Finalize");
  if (end) end(NULL, 0);
  return unused;
}

enum { VERSION_ROOM = MPI_MAX_LIBRARY_VERSION_STRING };

// The descriptor of PMI-1; -1: this MPI has another way to its launcher.
static int pmi_descriptor(char version[VERSION_ROOM]) {
  const char *fd = getenv("PMI_FD");
  int length;
  version[0] = '\0';
  MPI_Get_library_version(version, &length);
  return fd && strstr(version, "MPICH") && !strstr(version, "pmi=pmi2") ? atoi(fd) : -1;
}

// ---- which --------------------------------------------------------------------------------------
static bool hangs_in_finalize(const char *version) {
  int major, minor;
  const char *number = strstr(version, "MPICH Version:");
  return number && sscanf(number, "MPICH Version: %d.%d", &major, &minor) == 2 &&
         (major < 4 || (major == 4 && minor < 2)) && strstr(version, "ch4:ucx");
}

void mpi_leave(void) {
  char version[VERSION_ROOM];
  int ranks = 1, pmi = pmi_descriptor(version);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  bool is_skipped = ranks > 1 && pmi >= 0 && hangs_in_finalize(version);
  if (!is_skipped && is_done_within(finalise, NULL, FINALIZE_SECONDS)) return;
  if (pmi >= 0)
    report_pmi(pmi, "cmd=finalize\n");
  else
    is_done_within(report_pmix, NULL, ANSWER_SECONDS);
}

static void *abort_mpi(void *comm) {
  pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
  MPI_Abort(*(MPI_Comm *)comm, 1);
  return NULL;
}

// MPICH's MPI_Abort leaves by exit(), which may take long beside threads that are at work; a
// launcher that is gone answers nobody.
_Noreturn void mpi_end_job(MPI_Comm comm) {
  char version[VERSION_ROOM];
  int pmi = pmi_descriptor(version);
  if (pmi >= 0)
    report_pmi(pmi, "cmd=abort exitcode=1\n");
  else
    is_done_within(abort_mpi, &comm, ANSWER_SECONDS);
  _exit(1);
}
