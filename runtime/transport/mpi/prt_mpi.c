// SPDX-License-Identifier: Apache-2.0
// The transport over MPI: libpallasrt_mpi.so, which the runtime loads when it is asked for.
// Two-sided and non-blocking. A thread tells the other ranks twice a second that this one is alive,
// so that one that is stopped is noticed by those who wait for it; what it and the runtime's thread
// do with MPI is done under one lock, since MPI need not be safe for several threads at a time.
#define _GNU_SOURCE
#include <mpi.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "prt_transport.h"

enum {
  TAG_MESSAGE = 1,
  TAG_ALIVE = 2,
  TAG_BODY = 3,
  CELL = 16, // messages are sent in cells, so that an int counts 32 GB
  ALIVE_MILLISECONDS = 500,
  SILENT_SECONDS = 3 // that long without a sign: nothing will come any more
};

// One that is on its way. Behind its 16 bytes from `bytes` on comes the data: those are sent as
// one. A body is a message of MPI's behind it; `has_head`: of what is received, that the head is
// here and was handed out.
typedef struct Flight {
  struct Flight *next;
  MPI_Request request, body;
  prt_message *message;
  int from;
  bool has_head;
} Flight;

_Static_assert(offsetof(prt_message, data) - offsetof(prt_message, bytes) == CELL,
               "a message's size is in the cell before its data");

typedef struct Mpi {
  prt_transport base; // first
  MPI_Comm comm;
  MPI_Datatype cell;
  bool has_initialised, has_thread, is_ending;
  Flight *sends, **last_send; // oldest first
  prt_message *sent;          // those with bodies
  Flight *receives, **last_receive;
  struct timespec *seen; // by rank: when it was last heard of; under `lock`
  bool has_failed;       // a call of MPI
  pthread_t thread;
  pthread_mutex_t lock; // of all calls of MPI
  pthread_cond_t ends;
} Mpi;

static Mpi *of(prt_transport *transport) { return (Mpi *)transport; }

static char *first_cell(prt_message *message) { return (char *)message->data - CELL; }
static size_t cells_of(size_t bytes) { return 1 + (bytes + CELL - 1) / CELL; }

static void check(Mpi *mpi, int result) {
  if (result != MPI_SUCCESS) mpi->has_failed = true;
}

static struct timespec now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time;
}

// ---- messages -----------------------------------------------------------------------------------
// Locks: the lock is held.
static bool is_done(Mpi *mpi, MPI_Request *request) {
  int done = 1;
  if (*request != MPI_REQUEST_NULL) check(mpi, MPI_Test(request, &done, MPI_STATUS_IGNORE));
  return done;
}

// Locks: the lock is held. Sends that are done.
static void finish_sends(Mpi *mpi) {
  for (Flight **link = &mpi->sends; *link;) {
    Flight *flight = *link;
    if (!is_done(mpi, &flight->request) || !is_done(mpi, &flight->body)) {
      if (mpi->has_failed) return;
      link = &flight->next;
      continue;
    }
    *link = flight->next;
    if (!*link) mpi->last_send = link;
    if (flight->message->body_bytes) {
      flight->message->next = mpi->sent;
      mpi->sent = flight->message;
    } else {
      free(flight->message);
    }
    free(flight);
  }
}

static prt_message *mpi_sent(prt_transport *transport) {
  Mpi *mpi = of(transport);
  pthread_mutex_lock(&mpi->lock);
  if (mpi->sends && !mpi->sent) finish_sends(mpi);
  prt_message *message = mpi->sent;
  if (message) mpi->sent = message->next;
  pthread_mutex_unlock(&mpi->lock);
  return message;
}

// Locks: none on entry and exit; takes the lock, as all that follow.
static void mpi_send(prt_transport *transport, int32_t to, prt_message *message) {
  Mpi *mpi = of(transport);
  Flight *flight = calloc(1, sizeof *flight);
  size_t cells = cells_of(message->bytes);
  // Room for the cell that is cut.
  prt_message *whole = realloc(message, sizeof *message + cells * CELL);
  if (!flight || !whole || cells > INT32_MAX || whole->body_bytes / CELL > INT32_MAX) {
    mpi->has_failed = true;
    free(flight);
    free(whole ? whole : message);
    return;
  }
  flight->message = whole;
  flight->request = flight->body = MPI_REQUEST_NULL;
  pthread_mutex_lock(&mpi->lock);
  check(mpi, MPI_Isend(first_cell(whole), (int)cells, mpi->cell, to, TAG_MESSAGE, mpi->comm,
                       &flight->request));
  if (whole->body_bytes)
    check(mpi, MPI_Isend(whole->body, (int)(whole->body_bytes / CELL), mpi->cell, to, TAG_BODY,
                         mpi->comm, &flight->body));
  *mpi->last_send = flight;
  mpi->last_send = &flight->next;
  pthread_mutex_unlock(&mpi->lock);
}

// Locks: the lock is held. Starts to receive one message; false: there is none.
static bool begin_receive(Mpi *mpi) {
  MPI_Message handle;
  MPI_Status status;
  int found = 0, cells = 0;
  check(mpi, MPI_Improbe(MPI_ANY_SOURCE, TAG_MESSAGE, mpi->comm, &found, &handle, &status));
  if (!found || mpi->has_failed) return false;
  check(mpi, MPI_Get_count(&status, mpi->cell, &cells));
  Flight *flight = calloc(1, sizeof *flight);
  prt_message *message = malloc(sizeof *message + (size_t)cells * CELL);
  if (!flight || !message) {
    free(flight);
    free(message);
    mpi->has_failed = true;
    return false;
  }
  flight->message = message;
  flight->from = status.MPI_SOURCE;
  flight->body = MPI_REQUEST_NULL;
  check(mpi, MPI_Imrecv(first_cell(message), cells, mpi->cell, &handle, &flight->request));
  *mpi->last_receive = flight;
  mpi->last_receive = &flight->next;
  return true;
}

// A message that comes behind one of the same rank waits for that.
static bool is_behind_another(const Mpi *mpi, const Flight *flight) {
  for (const Flight *older = mpi->receives; older != flight; older = older->next)
    if (older->from == flight->from) return true;
  return false;
}

// Locks: the lock is held. The message to hand out, if this is whole as far as it is known where it
// goes; then it has been taken out of the list, unless its body is to come.
static prt_message *end_of(Mpi *mpi, Flight **link) {
  Flight *flight = *link;
  prt_message *message = flight->message;
  if (!is_done(mpi, &flight->request) || !is_done(mpi, &flight->body)) return NULL;
  if (!flight->has_head) {
    message->next = NULL;
    message->note = message->body = NULL;
    message->from = flight->from;
    mpi->seen[flight->from] = now();
    flight->has_head = true;
    if (message->body_bytes) return message;
  } else if (!message->body) {
    return NULL; // it was handed out, and nobody has said where the body goes
  }
  *link = flight->next;
  if (!*link) mpi->last_receive = link;
  free(flight);
  return message;
}

// Locks: the lock is held.
static prt_message *end_receive(Mpi *mpi) {
  for (Flight **link = &mpi->receives; *link; link = &(*link)->next) {
    if (is_behind_another(mpi, *link)) continue;
    prt_message *message = end_of(mpi, link);
    if (message) return message;
  }
  return NULL;
}

static void mpi_receive(prt_transport *transport, prt_message *message, void *body) {
  Mpi *mpi = of(transport);
  pthread_mutex_lock(&mpi->lock);
  Flight *flight = mpi->receives;
  while (flight->message != message) flight = flight->next;
  message->body = body;
  check(mpi, MPI_Irecv(body, (int)(message->body_bytes / CELL), mpi->cell, flight->from, TAG_BODY,
                       mpi->comm, &flight->body));
  pthread_mutex_unlock(&mpi->lock);
}

static prt_message *mpi_poll(prt_transport *transport) {
  Mpi *mpi = of(transport);
  pthread_mutex_lock(&mpi->lock);
  if (mpi->sends) finish_sends(mpi);
  while (!mpi->has_failed && begin_receive(mpi)) {
  }
  prt_message *message = end_receive(mpi);
  pthread_mutex_unlock(&mpi->lock);
  return message;
}

static void mpi_rest(prt_transport *transport) {
  (void)transport;
  sched_yield();
}

// ---- who is alive -------------------------------------------------------------------------------
// Locks: the lock is held.
static void hear(Mpi *mpi) {
  for (int found = 1; found && !mpi->has_failed;) {
    MPI_Status status;
    check(mpi, MPI_Iprobe(MPI_ANY_SOURCE, TAG_ALIVE, mpi->comm, &found, &status));
    if (!found) return;
    char sign;
    check(mpi,
          MPI_Recv(&sign, 1, MPI_CHAR, status.MPI_SOURCE, TAG_ALIVE, mpi->comm, MPI_STATUS_IGNORE));
    mpi->seen[status.MPI_SOURCE] = now();
  }
}

// Locks: the lock is held.
static void tell(Mpi *mpi, MPI_Request *requests) {
  static const char sign = 1;
  for (int to = 0; to < mpi->base.ranks; to++) {
    int done = 1;
    if (to == mpi->base.rank) continue;
    if (requests[to] != MPI_REQUEST_NULL)
      check(mpi, MPI_Test(&requests[to], &done, MPI_STATUS_IGNORE));
    if (done) check(mpi, MPI_Isend(&sign, 1, MPI_CHAR, to, TAG_ALIVE, mpi->comm, &requests[to]));
  }
}

static void *stay_alive(void *data) {
  Mpi *mpi = data;
  MPI_Request *requests = malloc((size_t)mpi->base.ranks * sizeof *requests);
  for (int i = 0; requests && i < mpi->base.ranks; i++) requests[i] = MPI_REQUEST_NULL;
  pthread_mutex_lock(&mpi->lock);
  while (requests && !mpi->is_ending && !mpi->has_failed) {
    hear(mpi);
    tell(mpi, requests);
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += ALIVE_MILLISECONDS * 1000000L;
    until.tv_sec += until.tv_nsec / 1000000000L;
    until.tv_nsec %= 1000000000L;
    pthread_cond_timedwait(&mpi->ends, &mpi->lock, &until);
  }
  for (int i = 0; requests && i < mpi->base.ranks; i++)
    if (requests[i] != MPI_REQUEST_NULL) MPI_Request_free(&requests[i]);
  pthread_mutex_unlock(&mpi->lock);
  free(requests);
  return NULL;
}

static int32_t mpi_lost(prt_transport *transport, const char **why) {
  Mpi *mpi = of(transport);
  int32_t lost = -1;
  pthread_mutex_lock(&mpi->lock);
  *why = "cannot be reached: MPI has failed";
  if (mpi->has_failed) lost = mpi->base.rank;
  struct timespec time = now();
  for (int32_t i = 0; mpi->has_thread && lost < 0 && i < mpi->base.ranks; i++) {
    if (i == mpi->base.rank || time.tv_sec - mpi->seen[i].tv_sec <= SILENT_SECONDS) continue;
    *why = "does not answer";
    lost = i;
  }
  pthread_mutex_unlock(&mpi->lock);
  return lost;
}

// ---- the end ------------------------------------------------------------------------------------
static void mpi_barrier(prt_transport *transport) {
  Mpi *mpi = of(transport);
  MPI_Request request;
  pthread_mutex_lock(&mpi->lock);
  check(mpi, MPI_Ibarrier(mpi->comm, &request));
  for (int done = 0; !done && !mpi->has_failed;) {
    finish_sends(mpi);
    check(mpi, MPI_Test(&request, &done, MPI_STATUS_IGNORE));
    pthread_mutex_unlock(&mpi->lock);
    sched_yield();
    pthread_mutex_lock(&mpi->lock);
  }
  pthread_mutex_unlock(&mpi->lock);
}

static void free_mpi(Mpi *mpi) {
  pthread_mutex_destroy(&mpi->lock);
  pthread_cond_destroy(&mpi->ends);
  free(mpi->seen);
  free(mpi);
}

static void mpi_terminate(prt_transport *transport, bool failed) {
  Mpi *mpi = of(transport);
  failed |= mpi->has_failed;
  while (!failed && (mpi->sends || mpi->receives)) {
    free(mpi_poll(transport));
    failed = mpi->has_failed;
  }
  if (!failed) mpi_barrier(transport);
  pthread_mutex_lock(&mpi->lock);
  mpi->is_ending = true;
  pthread_cond_signal(&mpi->ends);
  pthread_mutex_unlock(&mpi->lock);
  if (mpi->has_thread) pthread_join(mpi->thread, NULL);
  if (failed) MPI_Abort(mpi->comm, 1);
  for (int found = 1; found;) { // signs of life that nobody has heard
    MPI_Status status;
    char sign;
    MPI_Iprobe(MPI_ANY_SOURCE, TAG_ALIVE, mpi->comm, &found, &status);
    if (found) MPI_Recv(&sign, 1, MPI_CHAR, status.MPI_SOURCE, TAG_ALIVE, mpi->comm, &status);
  }
  MPI_Type_free(&mpi->cell);
  MPI_Comm_free(&mpi->comm);
  if (mpi->has_initialised) MPI_Finalize();
  free_mpi(mpi);
}

// ---- the beginning ------------------------------------------------------------------------------
static bool initialise(Mpi *mpi, char *why, size_t room) {
  int is_initialised = 0, is_finalised = 0, level = MPI_THREAD_SINGLE;
  MPI_Initialized(&is_initialised);
  MPI_Finalized(&is_finalised);
  if (is_finalised) {
    snprintf(why, room, "MPI has been finalised, and cannot be initialised again");
    return false;
  }
  if (!is_initialised) {
    if (MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &level) != MPI_SUCCESS) {
      snprintf(why, room, "MPI_Init_thread failed");
      return false;
    }
    mpi->has_initialised = true;
  }
  MPI_Query_thread(&level);
  if (level < MPI_THREAD_SERIALIZED)
    snprintf(why, room,
             "the program has initialised MPI for one thread; it needs MPI_Init_thread with "
             "MPI_THREAD_SERIALIZED or MPI_THREAD_MULTIPLE");
  return level >= MPI_THREAD_SERIALIZED;
}

prt_transport *prt_transport_open(void *communicator, char *why, size_t room);
PRT_API prt_transport *prt_transport_open(void *communicator, char *why, size_t room) {
  Mpi *mpi = calloc(1, sizeof *mpi);
  if (!mpi) {
    snprintf(why, room, "out of memory");
    return NULL;
  }
  pthread_mutex_init(&mpi->lock, NULL);
  pthread_cond_init(&mpi->ends, NULL);
  mpi->last_send = &mpi->sends;
  mpi->last_receive = &mpi->receives;
  if (!initialise(mpi, why, room)) {
    free_mpi(mpi);
    return NULL;
  }
  MPI_Comm given = communicator ? *(MPI_Comm *)communicator : MPI_COMM_WORLD;
  MPI_Comm_dup(given, &mpi->comm);
  MPI_Comm_set_errhandler(mpi->comm, MPI_ERRORS_RETURN);
  MPI_Type_contiguous(CELL, MPI_BYTE, &mpi->cell);
  MPI_Type_commit(&mpi->cell);
  int rank = 0, ranks = 1;
  MPI_Comm_rank(mpi->comm, &rank);
  MPI_Comm_size(mpi->comm, &ranks);
  mpi->base = (prt_transport){.rank = rank,
                              .ranks = ranks,
                              .send = mpi_send,
                              .sent = mpi_sent,
                              .poll = mpi_poll,
                              .receive = mpi_receive,
                              .rest = mpi_rest,
                              .lost = mpi_lost,
                              .barrier = mpi_barrier,
                              .terminate = mpi_terminate};
  mpi->seen = malloc((size_t)ranks * sizeof *mpi->seen);
  for (int i = 0; mpi->seen && i < ranks; i++) mpi->seen[i] = now();
  mpi->has_thread =
      mpi->seen && ranks > 1 && pthread_create(&mpi->thread, NULL, stay_alive, mpi) == 0;
  if (mpi->seen) return &mpi->base;
  snprintf(why, room, "out of memory");
  free_mpi(mpi);
  return NULL;
}
