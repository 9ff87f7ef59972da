// SPDX-License-Identifier: Apache-2.0
// MPI for ranks of one process. In: the calls of the ranks. Out: what was sent is in the buffer of
// the receive that MPI's order of messages says: of those between two ranks with one tag the first
// one that is under way, into the first receive that it fits. Which pair of ranks is served next,
// and when who asks hears that something is done, is drawn by a seed. What is sent is read when it
// arrives and not before.
#include "fake_mpi.h"
#include <check.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ALIVE_TAG = 2 }; // of the signs that ranks give each other all the time

struct FakeComm {
  int rank, ranks;
};

struct FakeRequest {
  struct FakeRequest *next; // of those of its kind that have no other side yet
  bool is_done;
  int from, to, tag, bytes;
  const void *source;
  void *target;
};

typedef struct Queue {
  MPI_Request first, *last;
} Queue;

FakeMpi fake_mpi;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static Queue sends, receives;
static _Atomic int requests, comms;
static uint64_t state;
static struct FakeComm worlds[FAKE_RANKS];

void fake_mpi_begin(int ranks, uint64_t seed) {
  fake_mpi = (FakeMpi){.ranks = ranks,
                       .ranks_here = 1,
                       .level = MPI_THREAD_MULTIPLE,
                       .is_initialised = true,
                       .version = "Fake MPI"};
  state = seed * 0x9E3779B97F4A7C15u + 1;
  sends = (Queue){NULL, &sends.first};
  receives = (Queue){NULL, &receives.first};
  requests = comms = 0;
  for (int i = 0; i < FAKE_RANKS; i++) worlds[i] = (struct FakeComm){i, ranks};
}

MPI_Comm fake_mpi_comm(int rank) { return &worlds[rank]; }
MPI_Comm fake_world(void) { return &worlds[0]; }

// Marsaglia 2003: xorshift.
static uint32_t draw(uint32_t ways) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return (uint32_t)(state >> 16) % ways;
}

uint32_t fake_mpi_draw(uint32_t ways) {
  pthread_mutex_lock(&lock);
  uint32_t drawn = draw(ways);
  pthread_mutex_unlock(&lock);
  return drawn;
}

int fake_mpi_under_way(void) {
  int count = 0;
  pthread_mutex_lock(&lock);
  for (MPI_Request r = sends.first; r; r = r->next) count += r->tag > ALIVE_TAG;
  pthread_mutex_unlock(&lock);
  return count;
}

int fake_mpi_left(void) { return requests + comms; }

// ---- the job ------------------------------------------------------------------------------------
int MPI_Initialized(int *is) { return *is = fake_mpi.is_initialised, MPI_SUCCESS; }
int MPI_Finalized(int *is) { return *is = fake_mpi.is_finalised, MPI_SUCCESS; }
int MPI_Query_thread(int *level) { return *level = fake_mpi.level, MPI_SUCCESS; }

int MPI_Init_thread(int *argc, char ***argv, int required, int *provided) {
  (void)argc, (void)argv;
  fake_mpi.is_initialised = true;
  if (fake_mpi.level > required) fake_mpi.level = required;
  return *provided = fake_mpi.level, MPI_SUCCESS;
}

int MPI_Get_library_version(char *text, int *length) {
  strcpy(text, fake_mpi.version);
  return *length = (int)strlen(text), MPI_SUCCESS;
}

int MPI_Finalize(void) {
  while (fake_mpi.hangs) usleep(1000);
  fake_mpi.is_finalised = true;
  return MPI_SUCCESS;
}

int MPI_Abort(MPI_Comm comm, int status) {
  (void)comm;
  _exit(10 + status);
}

static MPI_Comm comm_new(int rank, int ranks) {
  MPI_Comm comm = malloc(sizeof *comm);
  *comm = (struct FakeComm){rank, ranks};
  comms++;
  return comm;
}

int MPI_Comm_dup(MPI_Comm comm, MPI_Comm *out) {
  return *out = comm_new(comm->rank, comm->ranks), MPI_SUCCESS;
}

int MPI_Comm_split_type(MPI_Comm comm, int type, int key, int info, MPI_Comm *out) {
  (void)type, (void)key, (void)info;
  return *out = comm_new(comm->rank, fake_mpi.ranks_here), MPI_SUCCESS;
}

int MPI_Comm_free(MPI_Comm *comm) {
  free(*comm);
  *comm = NULL;
  comms--;
  return MPI_SUCCESS;
}

int MPI_Comm_rank(MPI_Comm comm, int *rank) { return *rank = comm->rank, MPI_SUCCESS; }
int MPI_Comm_size(MPI_Comm comm, int *ranks) { return *ranks = comm->ranks, MPI_SUCCESS; }
int MPI_Comm_set_errhandler(MPI_Comm comm, int handler) {
  return (void)comm, (void)handler, MPI_SUCCESS;
}

// All ranks have the same.
int MPI_Allreduce(const void *own, void *all, int count, int type, int op, MPI_Comm comm) {
  (void)own, (void)all, (void)count, (void)type, (void)op, (void)comm;
  return MPI_SUCCESS;
}

// ---- messages -----------------------------------------------------------------------------------
static void append(Queue *queue, MPI_Request request) {
  request->next = NULL;
  *queue->last = request;
  queue->last = &request->next;
}

static void take_out(Queue *queue, MPI_Request request) {
  MPI_Request *link = &queue->first;
  while (*link != request) link = &(*link)->next;
  *link = request->next;
  if (!*link) queue->last = link;
}

static bool fits(const struct FakeRequest *send, const struct FakeRequest *receive) {
  return receive->to == send->to && receive->tag == send->tag &&
         (receive->from == MPI_ANY_SOURCE || receive->from == send->from);
}

static bool is_overtaking(const struct FakeRequest *send) {
  for (MPI_Request r = sends.first; r != send; r = r->next)
    if (r->from == send->from && r->to == send->to && r->tag == send->tag) return true;
  return false;
}

static void deliver(MPI_Request send, MPI_Request receive) {
  take_out(&sends, send);
  take_out(&receives, receive);
  ck_assert_int_le(send->bytes, receive->bytes);
  memcpy(receive->target, send->source, (size_t)send->bytes);
  receive->from = send->from;
  send->is_done = receive->is_done = true;
}

// Something that is under way arrives, or not.
static void move_on(void) {
  for (MPI_Request send = sends.first, next; send; send = next) {
    next = send->next;
    if (draw(2) || fake_mpi.is_mute[send->from] || is_overtaking(send)) continue;
    MPI_Request receive = receives.first;
    while (receive && !fits(send, receive)) receive = receive->next;
    if (receive) return deliver(send, receive);
  }
}

static bool fails(void) { return fake_mpi.calls_to_failure && !--fake_mpi.calls_to_failure; }

static int begin(Queue *queue, struct FakeRequest fields, MPI_Request *out) {
  pthread_mutex_lock(&lock);
  bool is_failed = fails();
  if (!is_failed) {
    ck_assert_ptr_null(*out); // the one before is done
    *out = malloc(sizeof **out);
    **out = fields;
    append(queue, *out);
    requests++;
  }
  pthread_mutex_unlock(&lock);
  return is_failed ? MPI_FAILED : MPI_SUCCESS;
}

int MPI_Isend(const void *data, int bytes, int type, int to, int tag, MPI_Comm comm,
              MPI_Request *out) {
  (void)type;
  return begin(&sends,
               (struct FakeRequest){
                   .from = comm->rank, .to = to, .tag = tag, .bytes = bytes, .source = data},
               out);
}

int MPI_Irecv(void *data, int bytes, int type, int from, int tag, MPI_Comm comm, MPI_Request *out) {
  (void)type;
  return begin(&receives,
               (struct FakeRequest){
                   .from = from, .to = comm->rank, .tag = tag, .bytes = bytes, .target = data},
               out);
}

static void give_back(MPI_Request *request, MPI_Status *status) {
  if (status) status->MPI_SOURCE = (*request)->from;
  free(*request);
  *request = MPI_REQUEST_NULL;
  requests--;
}

int MPI_Test(MPI_Request *request, int *done, MPI_Status *status) {
  pthread_mutex_lock(&lock);
  bool is_failed = fails();
  *done = 0;
  if (!is_failed) {
    move_on();
    *done = !*request || ((*request)->is_done && draw(3));
    if (*request && *done) give_back(request, status);
  }
  pthread_mutex_unlock(&lock);
  return is_failed ? MPI_FAILED : MPI_SUCCESS;
}

int MPI_Wait(MPI_Request *request, MPI_Status *status) {
  for (int done = 0; !done;) MPI_Test(request, &done, status);
  return MPI_SUCCESS;
}

int MPI_Cancel(MPI_Request *request) {
  pthread_mutex_lock(&lock);
  if (!(*request)->is_done) take_out(&receives, *request);
  (*request)->is_done = true;
  pthread_mutex_unlock(&lock);
  return MPI_SUCCESS;
}

static MPI_Request waiting(int from, int tag, MPI_Comm comm) {
  MPI_Request send = sends.first;
  while (send && (send->to != comm->rank || send->tag != tag || fake_mpi.is_mute[send->from] ||
                  (from != MPI_ANY_SOURCE && send->from != from)))
    send = send->next;
  return send;
}

int MPI_Iprobe(int from, int tag, MPI_Comm comm, int *found, MPI_Status *status) {
  pthread_mutex_lock(&lock);
  MPI_Request send = waiting(from, tag, comm);
  *found = send != NULL;
  if (send) status->MPI_SOURCE = send->from;
  pthread_mutex_unlock(&lock);
  return MPI_SUCCESS;
}

int MPI_Recv(void *data, int bytes, int type, int from, int tag, MPI_Comm comm,
             MPI_Status *status) {
  (void)type, (void)status;
  pthread_mutex_lock(&lock);
  MPI_Request send = waiting(from, tag, comm);
  ck_assert_ptr_nonnull(send);
  ck_assert_int_le(send->bytes, bytes);
  take_out(&sends, send);
  memcpy(data, send->source, (size_t)send->bytes);
  send->is_done = true;
  pthread_mutex_unlock(&lock);
  return MPI_SUCCESS;
}
