// SPDX-License-Identifier: Apache-2.0
// A layer in front of an MPI, for LD_PRELOAD: it delays, reorders, shortens and breaks what a rank
// does with MPI, its sockets and its files.
//   FAULT_SEED=N      what has come is not seen for a while, by a seed; what a socket or a file is
//                     given or gives is cut short
//   FAULT_AT=WHAT:R:N at the N-th message that rank R sends or awaits: it is killed (`kill`) or
//                     stopped (`stop`), its calls fail (`fail`), or nothing that it sends goes out
//                     any more (`mute`); `count`: at its end it says how many there were; `end`:
//                     MPI_Finalize hangs; R is -1: all ranks
//   FAULT_LEVEL=WHICH MPI lets threads do what it was asked for, which it says, and no more than
//                     `funneled` or `serialized`
//   FAULT_SLOW=R:T    what rank R sends to rank T is sent late, half a second each; not the signs
//                     that it is alive, without which it would be lost after some seconds
//   FAULT_MEMORY=R:LOW:HIGH  rank R has no memory for a piece of LOW ... HIGH - 1 bytes
//   FAULT_TELL=1      at its end each rank says how many receives of more than 64 KB have been
//   begun
//                     by another thread than the one that has begun the first receive
//   FAULT_FULL=R      from its first message on rank R's files have room for 1,000 bytes each
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <mpi.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

static int own_rank(void) {
  static const char *const names[] = {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK"};
  for (int i = 0; i < 3; i++)
    if (getenv(names[i])) return atoi(getenv(names[i]));
  return -1;
}

// 0 ... ways - 1; always 0 without a seed. Marsaglia 2003: xorshift.
static uint32_t draw(uint32_t ways) {
  static _Atomic uint64_t state;
  uint64_t x = atomic_load_explicit(&state, memory_order_relaxed);
  const char *seed = getenv("FAULT_SEED");
  if (!seed) return 0;
  if (!x) x = (uint64_t)(atoi(seed) * 64 + own_rank() + 1) * 0x9E3779B97F4A7C15u;
  x ^= x << 13;
  x ^= x >> 7;
  x ^= x << 17;
  atomic_store_explicit(&state, x, memory_order_relaxed);
  return (uint32_t)(x >> 16) % ways;
}

static int64_t microseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * INT64_C(1000000) + now.tv_nsec / 1000;
}

// ---- points -------------------------------------------------------------------------------------
enum { MOST_FDS = 1024 };
static _Atomic int calls;

static void tell_calls(void) { fprintf(stderr, "rank %d: %d calls\n", own_rank(), calls); }

// Whether this rank's calls from here on are to be of such a kind.
static bool is_struck(const char *what) {
  static _Atomic bool is_known, is_here;
  static char kind[16];
  static int point;
  if (!is_known) {
    int rank = -1;
    const char *at = getenv("FAULT_AT");
    is_here = at && sscanf(at, "%15[a-z]:%d:%d", kind, &rank, &point) == 3 &&
              (rank < 0 || rank == own_rank());
    if (is_here && strcmp(kind, "count") == 0) atexit(tell_calls);
    is_known = true;
  }
  return is_here && calls >= point && strcmp(kind, what) == 0;
}

static bool is_between_ranks(int fd);

static void count_call(void) {
  if (!calls++) is_between_ranks(-1);
  if (is_struck("kill")) raise(SIGKILL);
  if (is_struck("stop")) raise(SIGSTOP);
  if (draw(64) == 1) usleep(draw(2000));
}

// ---- MPI ----------------------------------------------------------------------------------------
int MPI_Isend(const void *data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request *request) {
  enum { SIGN_BYTES = 1, LATE_MICROSECONDS = 500000 };
  const char *slow = getenv("FAULT_SLOW");
  count_call();
  if (slow && count > SIGN_BYTES && atoi(slow) == own_rank() && atoi(strchr(slow, ':') + 1) == to)
    usleep(LATE_MICROSECONDS);
  if (is_struck("fail")) return MPI_ERR_OTHER;
  if (!is_struck("mute")) return PMPI_Isend(data, count, type, to, tag, comm, request);
  *request = MPI_REQUEST_NULL;
  return MPI_SUCCESS;
}

static _Atomic int beside;

static void tell_beside(void) { fprintf(stderr, "rank %d: %d beside\n", own_rank(), beside); }

static void count_receive(int bytes) {
  enum { LONG = 1 << 16 };
  static _Atomic pid_t first;
  pid_t none = 0;
  if (atomic_compare_exchange_strong(&first, &none, gettid()) && getenv("FAULT_TELL"))
    atexit(tell_beside);
  beside += bytes > LONG && gettid() != first;
}

int MPI_Irecv(void *data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
              MPI_Request *request) {
  count_call();
  count_receive(count);
  if (is_struck("fail")) return MPI_ERR_OTHER;
  return PMPI_Irecv(data, count, type, from, tag, comm, request);
}

int MPI_Test(MPI_Request *request, int *flag, MPI_Status *status) {
  enum { LATE_MICROSECONDS = 20000 }; // at most, or who tests twice a second is late for ever
  static _Atomic int late;
  static _Atomic int64_t since;
  if (late > 0 && microseconds() - since > LATE_MICROSECONDS) late = 0;
  if (late > 0 || draw(32) == 1) {
    if (late <= 0) since = microseconds();
    late = late > 0 ? late - 1 : (int)draw(100);
    *flag = 0;
    return MPI_SUCCESS;
  }
  return PMPI_Test(request, flag, status);
}

static int level = MPI_THREAD_SINGLE;

int MPI_Init_thread(int *argc, char ***argv, int asked, int *given) {
  const char *most = getenv("FAULT_LEVEL");
  int status = PMPI_Init_thread(argc, argv, asked, given);
  int limit = most && strcmp(most, "funneled") == 0 ? MPI_THREAD_FUNNELED : MPI_THREAD_SERIALIZED;
  if (most) *given = level = asked < limit ? asked : limit;
  if (most && asked == MPI_THREAD_SERIALIZED) fprintf(stderr, "rank %d takes turns\n", own_rank());
  return status;
}

int MPI_Query_thread(int *given) {
  int status = PMPI_Query_thread(given);
  if (getenv("FAULT_LEVEL")) *given = level;
  return status;
}

int MPI_Finalize(void) {
  while (is_struck("end")) pause();
  return PMPI_Finalize();
}

// ---- memory -------------------------------------------------------------------------------------
void *__libc_malloc(size_t bytes);

void *malloc(size_t bytes) {
  enum { SMALL = 1 << 16 }; // what is needed to get here
  const char *at = bytes > SMALL ? getenv("FAULT_MEMORY") : NULL;
  if (at && atoi(at) == own_rank()) {
    char *end;
    size_t low = strtoul(strchr(at, ':') + 1, &end, 10), high = strtoul(end + 1, NULL, 10);
    errno = ENOMEM;
    if (bytes >= low && bytes < high) return NULL;
  }
  return __libc_malloc(bytes);
}

// ---- sockets ------------------------------------------------------------------------------------
static bool is_file(int fd) {
  struct stat status;
  return fstat(fd, &status) == 0 && S_ISREG(status.st_mode);
}
static bool is_socket(int fd) {
  struct stat status;
  return fstat(fd, &status) == 0 && S_ISSOCK(status.st_mode);
}

// Between the ranks: those to the launcher are there before the first message.
static bool is_between_ranks(int fd) {
  static bool is_known, was_there[MOST_FDS];
  if (!calls) return false;
  for (int i = 0; i < MOST_FDS && !is_known; i++) was_there[i] = is_socket(i);
  is_known = true;
  return fd >= 0 && fd < MOST_FDS && !was_there[fd] && is_socket(fd);
}

// A part of so many bytes, or all of them.
static size_t some_of(size_t bytes) {
  return bytes > 1 && draw(4) == 1 ? 1 + draw((uint32_t)(bytes < 4096 ? bytes : 4096)) : bytes;
}

#define NEXT(function) ((__typeof__(&function))(uintptr_t)dlsym(RTLD_NEXT, #function))

ssize_t send(int fd, const void *data, size_t bytes, int flags) {
  return NEXT(send)(fd, data, is_between_ranks(fd) ? some_of(bytes) : bytes, flags);
}
ssize_t recv(int fd, void *data, size_t bytes, int flags) {
  return NEXT(recv)(fd, data, flags & MSG_WAITALL || !is_between_ranks(fd) ? bytes : some_of(bytes),
                    flags);
}

// One piece, or a part of it, of many.
ssize_t writev(int fd, const struct iovec *pieces, int count) {
  if (!is_between_ranks(fd) || draw(4) != 1) return NEXT(writev)(fd, pieces, count);
  struct iovec piece = {pieces[0].iov_base, some_of(pieces[0].iov_len)};
  return NEXT(writev)(fd, &piece, 1);
}
ssize_t readv(int fd, const struct iovec *pieces, int count) {
  if (!is_between_ranks(fd) || draw(4) != 1) return NEXT(readv)(fd, pieces, count);
  struct iovec piece = {pieces[0].iov_base, some_of(pieces[0].iov_len)};
  return NEXT(readv)(fd, &piece, 1);
}

// ---- files --------------------------------------------------------------------------------------
ssize_t write(int fd, const void *data, size_t bytes) {
  const char *full = getenv("FAULT_FULL");
  if (!calls || !is_file(fd)) return NEXT(write)(fd, data, bytes);
  if (!full || atoi(full) != own_rank()) return NEXT(write)(fd, data, some_of(bytes));
  off_t at = lseek(fd, 0, SEEK_CUR);
  size_t room = at >= 0 && at < 1000 ? (size_t)(1000 - at) : 0;
  if (!room) errno = ENOSPC;
  return room ? NEXT(write)(fd, data, bytes < room ? bytes : room) : -1;
}
