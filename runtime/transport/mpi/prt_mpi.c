// SPDX-License-Identifier: Apache-2.0
// The transport over MPI: libpallasrt_mpi.so, which the runtime loads when it is asked for.
// Two-sided and non-blocking. The heads of messages, which are most messages as a whole, are
// received into slots that have been posted before they come: MPI copies them once, and looks for
// them with one test. A thread informs the other ranks twice a second that this one is alive, so
// that one that is stopped is noticed by those who wait for it, and carries on what goes in pieces
// while the program is at work and does not poll, since MPI moves nothing unless it is called. What
// it and the runtime's thread do with MPI is done under one lock, since MPI need not be safe for
// several threads at a time. A program that calls MPI itself knows nothing of that lock: there the
// thread is, on all ranks, only if MPI allows several at a time.
#define _GNU_SOURCE
#include <errno.h>
#include <mpi.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "prt_transport.h"
#include "transport/mpi/prt_mpi_leave.h"

enum {
  TAG_MESSAGE = 1,
  TAG_ALIVE = 2,
  TAG_LONG = 4, // the first of those of what goes in pieces
  LONG_TAGS = 4096,
  CELL = 16,       // bytes before a message's data that say how many there are
  PIECE = 1 << 24, // bytes: MPI copies a piece at a time, and nothing else is done meanwhile
  IN_FLIGHT = 2,   // pieces
  HEAD = 2048, // bytes of a message that are sent at once: both MPIs copy that many without asking
  SLOTS = 32,
  SPINS = 1000, // rests with CPUs enough before others may run: some 100 us
  ALIVE_MILLISECONDS = 400,
  CARRY_MILLISECONDS = 1000,  // so long the thread looks after what goes in pieces, if none begins,
  LEAST_NANOSECONDS = 1000,   // after such a pause, which doubles until something else begins,
  CARRY_NANOSECONDS = 200000, // up to this while anything is under way, and this while nothing is;
  IDLE_NANOSECONDS = 1000000, // a look then costs a part in 500 of a CPU
  CARRY_SHARE = 8,            // of the pause it is at work as long
  BESIDE_MOST = 1 << 28,      // bytes that have come before the program has said where they go
  LAST_SIGN = 0,
  SILENT_TICKS = 6, // so often sent that this rank is alive without a sign of another: it is not
  UNREPORTED_TICKS = 1, // then the program has so long to ask for it,
  REPORTED_TICKS = 3    // and to end when it has
};

// What goes in pieces, of which some are on their way at a time. Each has a tag of its own, which
// both sides count, so that MPI cannot take a piece of one for that of another.
typedef struct Stream {
  char *at;
  size_t left; // bytes that are not on their way
  int tag, next;
  MPI_Request requests[IN_FLIGHT];
} Stream;

// A message on its way: its head, of one that is sent; what is behind that; its body.
typedef struct Flight {
  struct Flight *next;
  MPI_Request head;
  Stream rest, body;
  prt_message *message;
  int other;         // the rank on the other side
  bool was_reported; // of what is received: it was handed out, and its body is to come
  void *beside;      // where the body comes until the program says where it goes; NULL: nowhere yet
} Flight;

_Static_assert(offsetof(prt_message, data) - offsetof(prt_message, bytes) == CELL,
               "a message's size is in the cell before its data");

typedef struct Slot { // a receive that has been posted
  MPI_Request request;
  _Alignas(16) char head[HEAD];
} Slot;

typedef struct Sign { // the last one that was sent to a rank
  MPI_Request request;
  bool is_last;
} Sign;

typedef struct Mpi {
  prt_transport base; // first
  MPI_Comm comm;
  bool has_initialised, has_thread, is_ending;
  bool may_have_thread;       // on all ranks
  bool is_crowded;            // fewer CPUs than ranks on this machine
  int rests;                  // since a message came
  Flight *sends, **last_send; // those that were not done at once
  prt_message *sent;          // those with bodies
  Flight *receives, **last_receive;
  int slot;         // the one that the next message comes into
  int32_t ticks;    // how often this rank has sent that it is alive; under `lock`, as the next
  int32_t *seen;    // by rank: the tick at which it was last heard of
  bool *has_closed; // by rank: its last sign has come
  Sign *signs;      // by rank: what this one sends it
  int *long_sent, *long_received; // by rank: how many that go in pieces, mod LONG_TAGS
  bool has_failed;                // a call of MPI
  bool is_reported;               // the program, of a rank that is lost,
  bool is_closing;                // and it ends the job
  int32_t lost_ticks;             // since one is
  Slot *slots;
  size_t beside;          // bytes that Flight.beside has
  _Atomic uint32_t polls; // by the program
  pthread_t thread;
  pthread_mutex_t lock;     // of all calls of MPI
  _Atomic bool is_awaited;  // the lock, by the thread, which else never gets it from who polls
  pthread_mutex_t end_lock; // of is_ending and what follows
  pthread_cond_t ends;      // or something begins to go in pieces
  pthread_cond_t served;    // the thread has had the lock: is_awaited is false
  int64_t carries_until;    // the thread, what goes in pieces; of nanoseconds()
  int64_t pause;            // until its next look at that, in nanoseconds
} Mpi;

static Mpi *of(prt_transport *transport) { return (Mpi *)transport; }

static char *first_cell(prt_message *message) { return (char *)message->data - CELL; }
// Bytes behind the head of a message.
static size_t rest_of(const prt_message *message) {
  return message->bytes > HEAD - CELL ? message->bytes - (HEAD - CELL) : 0;
}

static void check(Mpi *mpi, int result) {
  if (result != MPI_SUCCESS) mpi->has_failed = true;
}

static void nap(long milliseconds) {
  struct timespec time = {milliseconds / 1000, milliseconds % 1000 * 1000000L};
  nanosleep(&time, NULL);
}

// ---- sending ------------------------------------------------------------------------------------
// Locks: the lock is held.
static bool is_done(Mpi *mpi, MPI_Request *request) {
  int done = 1;
  if (*request != MPI_REQUEST_NULL) check(mpi, MPI_Test(request, &done, MPI_STATUS_IGNORE));
  return done && !mpi->has_failed;
}

// The next piece starts when one of those before has come to its end. true: all have. Locks: the
// lock is held.
static bool goes_on(Mpi *mpi, Stream *stream, int other, bool is_sent) {
  for (int looks = 0; looks < IN_FLIGHT; looks++) {
    MPI_Request *request = &stream->requests[stream->next];
    if (!is_done(mpi, request)) return false;
    if (!stream->left) {
      stream->next = (stream->next + 1) % IN_FLIGHT;
      continue;
    }
    int bytes = stream->left < PIECE ? (int)stream->left : PIECE;
    check(mpi,
          is_sent ? MPI_Isend(stream->at, bytes, MPI_BYTE, other, stream->tag, mpi->comm, request)
                  : MPI_Irecv(stream->at, bytes, MPI_BYTE, other, stream->tag, mpi->comm, request));
    stream->at += bytes;
    stream->left -= (size_t)bytes;
    stream->next = (stream->next + 1) % IN_FLIGHT;
  }
  return !stream->left && stream->requests[0] == MPI_REQUEST_NULL &&
         stream->requests[1] == MPI_REQUEST_NULL;
}

static Flight *flight_new(prt_message *message, int other) {
  Flight *flight = malloc(sizeof *flight);
  if (!flight) return NULL;
  *flight = (Flight){.message = message, .other = other, .head = MPI_REQUEST_NULL};
  for (int i = 0; i < IN_FLIGHT; i++)
    flight->rest.requests[i] = flight->body.requests[i] = MPI_REQUEST_NULL;
  return flight;
}

// The tags of what is behind a head: the next ones of those between two ranks. The rest has its
// place in the message. Locks: the lock is held.
static void set_streams(Flight *flight, int *count) {
  prt_message *message = flight->message;
  size_t rest = rest_of(message);
  if (!rest && !message->body_bytes) return;
  int tag = TAG_LONG + *count * 2;
  *count = (*count + 1) % LONG_TAGS;
  flight->rest.tag = tag;
  flight->rest.at = (char *)message->data + HEAD - CELL;
  flight->rest.left = rest;
  flight->body.tag = tag + 1;
}

// Locks: the lock is held.
static bool is_sent(Mpi *mpi, Flight *flight) {
  bool has_rest = goes_on(mpi, &flight->rest, flight->other, true);
  bool has_body = goes_on(mpi, &flight->body, flight->other, true);
  return has_rest && has_body && is_done(mpi, &flight->head);
}

// Locks: the lock is held.
static void end_send(Mpi *mpi, Flight *flight) {
  if (flight->message->body_bytes) {
    flight->message->next = mpi->sent;
    mpi->sent = flight->message;
  } else {
    free(flight->message);
  }
  free(flight);
}

// Locks: the lock is held. Looks at a few sends: each look is one of MPI at all that it has to do.
static void finish_sends(Mpi *mpi) {
  for (int looks = 0; mpi->sends && looks < 4 && !mpi->has_failed; looks++) {
    Flight *flight = mpi->sends;
    bool is_over = is_sent(mpi, flight);
    mpi->sends = flight->next;
    if (!mpi->sends) mpi->last_send = &mpi->sends;
    if (is_over) {
      end_send(mpi, flight);
      continue;
    }
    flight->next = NULL;
    *mpi->last_send = flight;
    mpi->last_send = &flight->next;
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

static int64_t nanoseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

// Something begins to go in pieces: the thread has an eye on that, and for a while on what comes.
// Locks: takes end_lock.
static void begin_to_carry(Mpi *mpi) {
  int64_t now = nanoseconds();
  pthread_mutex_lock(&mpi->end_lock);
  // Where it looks often enough it need not be woken.
  if (mpi->carries_until <= now || mpi->pause > CARRY_NANOSECONDS) pthread_cond_signal(&mpi->ends);
  mpi->pause = LEAST_NANOSECONDS;
  mpi->carries_until = now + CARRY_MILLISECONDS * INT64_C(1000000);
  pthread_mutex_unlock(&mpi->end_lock);
}

// Locks: none on entry and exit; takes the lock, as all that follow.
static void mpi_send(prt_transport *transport, int32_t to, prt_message *message) {
  Mpi *mpi = of(transport);
  Flight *flight = flight_new(message, to);
  pthread_mutex_lock(&mpi->lock);
  if (!flight) {
    mpi->has_failed = true;
    free(message);
    pthread_mutex_unlock(&mpi->lock);
    return;
  }
  int head = rest_of(message) ? HEAD : (int)(CELL + message->bytes);
  check(mpi,
        MPI_Isend(first_cell(message), head, MPI_BYTE, to, TAG_MESSAGE, mpi->comm, &flight->head));
  set_streams(flight, &mpi->long_sent[to]);
  flight->body.at = message->body;
  flight->body.left = message->body_bytes;
  bool has_pieces = message->body_bytes || rest_of(message), is_over = is_sent(mpi, flight);
  if (is_over) {
    end_send(mpi, flight);
  } else {
    *mpi->last_send = flight;
    mpi->last_send = &flight->next;
  }
  pthread_mutex_unlock(&mpi->lock);
  if (has_pieces && !is_over) begin_to_carry(mpi);
}

static bool mpi_has_sent_all(prt_transport *transport) {
  Mpi *mpi = of(transport);
  pthread_mutex_lock(&mpi->lock);
  bool has = !mpi->sends;
  pthread_mutex_unlock(&mpi->lock);
  return has;
}

// ---- receiving ----------------------------------------------------------------------------------
// Locks: the lock is held.
static void post(Mpi *mpi, Slot *slot) {
  check(mpi, MPI_Irecv(slot->head, HEAD, MPI_BYTE, MPI_ANY_SOURCE, TAG_MESSAGE, mpi->comm,
                       &slot->request));
}

// The message that a slot has; NULL: no memory, or it is none of ours. Locks: the lock is held.
static prt_message *message_in(Mpi *mpi, const Slot *slot, int from) {
  prt_message size;
  memcpy((char *)&size + offsetof(prt_message, bytes), slot->head, CELL);
  prt_message *message = size.bytes < SIZE_MAX / 2 ? malloc(sizeof size + size.bytes) : NULL;
  if (!message) {
    mpi->has_failed = true;
    return NULL;
  }
  memcpy(first_cell(message), slot->head, rest_of(&size) ? HEAD : CELL + size.bytes);
  message->next = NULL;
  message->note = message->body = NULL;
  message->from = from;
  return message;
}

// A message that comes behind one of the same rank waits for that.
static bool is_behind_another(const Mpi *mpi, const Flight *end, int from) {
  for (const Flight *older = mpi->receives; older != end; older = older->next)
    if (older->other == from) return true;
  return false;
}

// Locks: the lock is held. It is not whole, or not the next one of its rank.
static void begin_receive(Mpi *mpi, prt_message *message, bool was_reported) {
  Flight *flight = flight_new(message, message->from);
  if (!flight) {
    mpi->has_failed = true;
    free(message);
    return;
  }
  flight->was_reported = was_reported;
  set_streams(flight, &mpi->long_received[message->from]);
  *mpi->last_receive = flight;
  mpi->last_receive = &flight->next;
}

// Locks: the lock is held. What has come in the next slot; NULL: nothing.
static prt_message *take_slot(Mpi *mpi) {
  Slot *slot = &mpi->slots[mpi->slot];
  MPI_Status status;
  int done = 0;
  check(mpi, MPI_Test(&slot->request, &done, &status));
  if (!done || mpi->has_failed) return NULL;
  prt_message *message = message_in(mpi, slot, status.MPI_SOURCE);
  if (!message) return NULL;
  mpi->slot = (mpi->slot + 1) % SLOTS;
  mpi->seen[message->from] = mpi->ticks;
  post(mpi, slot);
  return message;
}

// Locks: the lock is held. A message that has come since; NULL: there is none to hand out.
static prt_message *take_new(Mpi *mpi) {
  for (prt_message *message; (message = take_slot(mpi));) {
    bool is_whole = !rest_of(message) && !is_behind_another(mpi, NULL, message->from);
    if (!is_whole || message->body_bytes) begin_receive(mpi, message, is_whole);
    if (is_whole) return message;
  }
  return NULL;
}

// The body's place is known, and it has come beside it. Locks: the lock is held.
static void put_in_place(Mpi *mpi, Flight *flight) {
  prt_message *message = flight->message;
  memcpy(message->body, flight->beside, message->body_bytes);
  mpi->beside -= message->body_bytes;
  free(flight->beside);
}

// Locks: the lock is held. The message to hand out, if this is whole as far as it is known where it
// goes; then it has been taken out of the list, unless its body is to come.
static prt_message *end_of(Mpi *mpi, Flight **link) {
  Flight *flight = *link;
  prt_message *message = flight->message;
  if (!goes_on(mpi, &flight->rest, flight->other, false)) return NULL;
  if (message->body_bytes && !flight->was_reported) {
    flight->was_reported = true;
    return message;
  }
  if (!goes_on(mpi, &flight->body, flight->other, false)) return NULL;
  if (message->body_bytes && !message->body) return NULL; // nobody has said where it goes
  if (flight->beside) put_in_place(mpi, flight);
  *link = flight->next;
  if (!*link) mpi->last_receive = link;
  free(flight);
  return message;
}

// Locks: the lock is held.
static prt_message *take_pending(Mpi *mpi) {
  for (Flight **link = &mpi->receives; *link; link = &(*link)->next) {
    if (is_behind_another(mpi, *link, (*link)->other)) continue;
    prt_message *message = end_of(mpi, link);
    if (message) return message;
  }
  return NULL;
}

// Locks: the lock is held.
static void begin_body(Mpi *mpi, Flight *flight, void *at) {
  flight->body.at = at;
  flight->body.left = flight->message->body_bytes;
  goes_on(mpi, &flight->body, flight->other, false);
}

// Of a message that has been handed out, and whose body is to come. Locks: the lock is held.
static void place_body(Mpi *mpi, prt_message *message, void *body) {
  Flight *flight = mpi->receives;
  while (flight->message != message) flight = flight->next;
  message->body = body;
  if (!flight->beside) begin_body(mpi, flight, body);
}

static void mpi_receive(prt_transport *transport, prt_message *message, void *body) {
  Mpi *mpi = of(transport);
  pthread_mutex_lock(&mpi->lock);
  place_body(mpi, message, body);
  pthread_mutex_unlock(&mpi->lock);
  begin_to_carry(mpi);
}

// The thread gets the lock, which a program that polls would take again before anybody else.
// Locks: takes end_lock.
static void let_thread_go_first(Mpi *mpi) {
  pthread_mutex_lock(&mpi->end_lock);
  while (atomic_load_explicit(&mpi->is_awaited, memory_order_relaxed))
    pthread_cond_wait(&mpi->served, &mpi->end_lock);
  pthread_mutex_unlock(&mpi->end_lock);
}

static prt_message *mpi_poll(prt_transport *transport) {
  Mpi *mpi = of(transport);
  atomic_fetch_add_explicit(&mpi->polls, 1, memory_order_relaxed);
  if (atomic_load_explicit(&mpi->is_awaited, memory_order_relaxed)) let_thread_go_first(mpi);
  pthread_mutex_lock(&mpi->lock);
  if (mpi->sends) finish_sends(mpi);
  prt_message *message = mpi->receives ? take_pending(mpi) : NULL;
  if (!message) message = take_new(mpi);
  if (message) mpi->rests = 0;
  pthread_mutex_unlock(&mpi->lock);
  return message;
}

static void mpi_rest(prt_transport *transport) {
  Mpi *mpi = of(transport);
  if (mpi->is_crowded || mpi->rests >= SPINS)
    sched_yield();
  else
    mpi->rests++;
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
    mpi->seen[status.MPI_SOURCE] = mpi->ticks;
    mpi->has_closed[status.MPI_SOURCE] |= sign == LAST_SIGN;
  }
}

// Locks: the lock is held. Those to whom the sign before has gone; false: not all.
static bool tell(Mpi *mpi, const char *sign) {
  bool all = true;
  for (int to = 0; to < mpi->base.ranks; to++) {
    Sign *own = &mpi->signs[to];
    if (to == mpi->base.rank || own->is_last) continue;
    if (!is_done(mpi, &own->request)) {
      all = false;
      continue;
    }
    own->is_last = *sign == LAST_SIGN;
    check(mpi, MPI_Isend(sign, 1, MPI_CHAR, to, TAG_ALIVE, mpi->comm, &own->request));
  }
  return all;
}

// Locks: the lock is held. A rank that is not there any more; -1: none.
static int32_t lost_rank(const Mpi *mpi) {
  if (mpi->has_failed) return mpi->base.rank;
  for (int32_t i = 0; mpi->has_thread && i < mpi->base.ranks; i++) {
    if (i == mpi->base.rank || mpi->has_closed[i]) continue;
    if (mpi->ticks - mpi->seen[i] > SILENT_TICKS) return i;
  }
  return -1;
}

static const char *why_lost(const Mpi *mpi) {
  return mpi->has_failed ? "cannot be reached: MPI has failed" : "does not answer";
}

// Ends all ranks. Rank 0 says why, if the program there has not, else the first one that is left,
// or who alone knows. The launcher loses what it has not read when it hears of the end.
static _Noreturn void end_job(Mpi *mpi, bool is_reported) {
  enum { FOR_THE_TELLER = 1000, FOR_THE_LAUNCHER = 200 }; // milliseconds
  int32_t lost = lost_rank(mpi), own = mpi->base.rank, teller = lost == 0;
  if (own != teller && own != lost) nap(FOR_THE_TELLER);
  if (!is_reported && lost >= 0) fprintf(stderr, "rank %d %s\n", lost, why_lost(mpi));
  nap(FOR_THE_LAUNCHER);
  mpi_end_job(mpi->comm);
}

// Locks: the lock is held. A rank is lost, and the program, which may be at work for long, does
// not end the job: this does.
static void end_for_program(Mpi *mpi) {
  int32_t lost = lost_rank(mpi);
  mpi->lost_ticks = lost < 0 ? 0 : mpi->lost_ticks + 1;
  if (mpi->lost_ticks > (mpi->is_reported ? REPORTED_TICKS : UNREPORTED_TICKS) && !mpi->is_closing)
    end_job(mpi, mpi->is_reported && mpi->base.rank == 0);
}

// ---- what goes in pieces while the program is at work -------------------------------------------
// Locks: the lock is held. A body whose place the program has not given comes beside it. true:
// there is more to do.
static bool carry_receive(Mpi *mpi, Flight *flight) {
  prt_message *message = flight->message;
  if (!goes_on(mpi, &flight->rest, flight->other, false)) return true;
  if (!message->body_bytes) return false;
  if (message->body || flight->beside) return !goes_on(mpi, &flight->body, flight->other, false);
  if (message->body_bytes > BESIDE_MOST - mpi->beside) return false;
  flight->beside = malloc(message->body_bytes);
  if (!flight->beside) return false;
  mpi->beside += message->body_bytes;
  begin_body(mpi, flight, flight->beside);
  return true;
}

// Locks: the lock is held. true: there is more to do.
static bool carry_all(Mpi *mpi) {
  finish_sends(mpi);
  for (prt_message *message; (message = take_slot(mpi));) begin_receive(mpi, message, false);
  bool is_left = mpi->sends;
  for (Flight *flight = mpi->receives; flight; flight = flight->next)
    is_left |= carry_receive(mpi, flight);
  return is_left;
}

// Locks: takes the lock, unless the program has polled in the pause before, that of `paused`
// nanoseconds. What it has of a CPU is a part of that, which is long where all CPUs are at work.
// true: there is more to do, and the program does not.
static bool carry_on(Mpi *mpi, uint32_t polls, int64_t paused) {
  if (polls != atomic_load_explicit(&mpi->polls, memory_order_relaxed)) return false;
  int64_t until = nanoseconds() + paused / CARRY_SHARE;
  pthread_mutex_lock(&mpi->lock);
  bool is_left = carry_all(mpi);
  while (is_left && !mpi->has_failed && nanoseconds() < until) is_left = carry_all(mpi);
  is_left &= !mpi->has_failed;
  pthread_mutex_unlock(&mpi->lock);
  return is_left;
}

// Locks: end_lock is held on entry and exit, and not while it waits. True: the time has come.
static bool wait_until(Mpi *mpi, int64_t time) {
  struct timespec until = {time / 1000000000, time % 1000000000};
  return pthread_cond_timedwait(&mpi->ends, &mpi->end_lock, &until) == ETIMEDOUT;
}

// Locks: end_lock is held on entry and exit, and not while it waits and carries. A pause, and a
// look at what goes in pieces; true: there is more to do.
static bool pause_and_carry(Mpi *mpi, int64_t begin, int64_t end, bool is_under_way) {
  uint32_t polls = atomic_load_explicit(&mpi->polls, memory_order_relaxed);
  int64_t until = begin + mpi->pause < end ? begin + mpi->pause : end;
  if (!wait_until(mpi, until)) return is_under_way; // something begins, or all ends
  pthread_mutex_unlock(&mpi->end_lock);
  is_under_way = carry_on(mpi, polls, nanoseconds() - begin);
  pthread_mutex_lock(&mpi->end_lock);
  int64_t most = is_under_way ? CARRY_NANOSECONDS : IDLE_NANOSECONDS;
  mpi->pause = 2 * mpi->pause < most ? 2 * mpi->pause : most;
  return is_under_way;
}

// Locks: takes end_lock. Until the next sign is due; true: there is none.
static bool wait_for_end(Mpi *mpi) {
  int64_t end = nanoseconds() + ALIVE_MILLISECONDS * INT64_C(1000000);
  bool is_under_way = false;
  pthread_mutex_lock(&mpi->end_lock);
  for (int64_t now; !mpi->is_ending && (now = nanoseconds()) < end;) {
    if (is_under_way || mpi->carries_until > now)
      is_under_way = pause_and_carry(mpi, now, end, is_under_way);
    else
      wait_until(mpi, end);
  }
  bool is_ending = mpi->is_ending;
  pthread_mutex_unlock(&mpi->end_lock);
  return is_ending;
}

// Locks: takes end_lock.
static void end_turn(Mpi *mpi) {
  pthread_mutex_lock(&mpi->end_lock);
  atomic_store_explicit(&mpi->is_awaited, false, memory_order_relaxed);
  pthread_cond_broadcast(&mpi->served);
  pthread_mutex_unlock(&mpi->end_lock);
}

static void *stay_alive(void *data) {
  static const char alive = 1;
  Mpi *mpi = data;
  for (bool is_over = false; !is_over;) {
    atomic_store_explicit(&mpi->is_awaited, true, memory_order_relaxed);
    pthread_mutex_lock(&mpi->lock);
    hear(mpi);
    tell(mpi, &alive);
    mpi->ticks++;
    end_for_program(mpi);
    pthread_mutex_unlock(&mpi->lock);
    end_turn(mpi);
    is_over = wait_for_end(mpi);
  }
  return NULL;
}

// Locks: the lock is held. Other ranks may be reading this process's memory, or writing it.
static bool has_bodies(const Mpi *mpi) {
  for (const Flight *flight = mpi->sends; flight; flight = flight->next)
    if (flight->message->body_bytes) return true;
  for (const Flight *flight = mpi->receives; flight; flight = flight->next)
    if (flight->message->body_bytes) return true;
  return false;
}

// If bodies are on their way, the program does not come to give their memory back: MPI ends those
// who then reach for it, with words of its own.
static int32_t mpi_lost(prt_transport *transport, const char **why) {
  Mpi *mpi = of(transport);
  pthread_mutex_lock(&mpi->lock);
  *why = why_lost(mpi);
  int32_t lost = lost_rank(mpi);
  if (lost >= 0 && has_bodies(mpi)) end_job(mpi, false);
  mpi->is_reported |= lost >= 0;
  pthread_mutex_unlock(&mpi->lock);
  return lost;
}

// ---- the end ------------------------------------------------------------------------------------
// Locks: the lock is held on entry and exit, and not while others run.
static void let_others_run(Mpi *mpi) {
  pthread_mutex_unlock(&mpi->lock);
  sched_yield();
  pthread_mutex_lock(&mpi->lock);
}

// Locks: the lock is held. Nobody waits for the message any more, whose body may be to come.
static void discard(Mpi *mpi, prt_message *message) {
  if (!message) return;
  if (!message->body_bytes || message->body) {
    if (!message->note) free(message->body); // else it is where the program wants it
    free(message);
    return;
  }
  void *body = malloc(message->body_bytes);
  if (body)
    place_body(mpi, message, body);
  else
    mpi->has_failed = true;
}

// Locks: takes the lock. What is on its way; false: some of it never comes.
static bool finish(Mpi *mpi) {
  pthread_mutex_lock(&mpi->lock);
  while ((mpi->sends || mpi->receives) && lost_rank(mpi) < 0) {
    finish_sends(mpi);
    discard(mpi, take_pending(mpi));
    let_others_run(mpi);
  }
  bool is_done = lost_rank(mpi) < 0;
  pthread_mutex_unlock(&mpi->lock);
  return is_done;
}

// All ranks have come here, and what one of them has sent another has received: what MPI has not
// brought to an end it may wait for in MPI_Finalize, when the other side does nothing any more.
// Locks: takes the lock.
static void close_signs(Mpi *mpi) {
  static const char last = LAST_SIGN;
  pthread_mutex_lock(&mpi->lock);
  for (bool all = false; !all && lost_rank(mpi) < 0;) {
    all = tell(mpi, &last);
    hear(mpi);
    for (int i = 0; i < mpi->base.ranks; i++)
      all &= i == mpi->base.rank || (mpi->has_closed[i] && is_done(mpi, &mpi->signs[i].request));
    if (!all) let_others_run(mpi);
  }
  pthread_mutex_unlock(&mpi->lock);
}

static void free_mpi(Mpi *mpi) {
  pthread_mutex_destroy(&mpi->lock);
  pthread_mutex_destroy(&mpi->end_lock);
  pthread_cond_destroy(&mpi->ends);
  pthread_cond_destroy(&mpi->served);
  free(mpi->seen);
  free(mpi->slots);
  free(mpi->signs);
  free(mpi->has_closed);
  free(mpi->long_sent);
  free(mpi->long_received);
  free(mpi);
}

static void give_up_receives(Mpi *mpi) {
  for (int i = 0; i < SLOTS; i++) {
    MPI_Cancel(&mpi->slots[i].request);
    MPI_Wait(&mpi->slots[i].request, MPI_STATUS_IGNORE);
  }
}

static void mpi_terminate(prt_transport *transport, bool failed) {
  Mpi *mpi = of(transport);
  failed = failed || !finish(mpi);
  if (!failed) close_signs(mpi);
  pthread_mutex_lock(&mpi->lock);
  failed |= lost_rank(mpi) >= 0;
  mpi->is_closing = true;
  pthread_mutex_unlock(&mpi->lock);
  pthread_mutex_lock(&mpi->end_lock);
  mpi->is_ending = true;
  pthread_cond_signal(&mpi->ends);
  pthread_mutex_unlock(&mpi->end_lock);
  if (mpi->has_thread) pthread_join(mpi->thread, NULL);
  if (failed) end_job(mpi, mpi->base.rank == 0);
  give_up_receives(mpi);
  MPI_Comm_free(&mpi->comm);
  if (mpi->has_initialised) mpi_leave();
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
  bool is_enough = level >= MPI_THREAD_SERIALIZED;
  if (!is_enough)
    snprintf(why, room,
             "the program has initialised MPI for one thread; it needs MPI_Init_thread with "
             "MPI_THREAD_SERIALIZED or MPI_THREAD_MULTIPLE");
  mpi->may_have_thread = mpi->has_initialised || level == MPI_THREAD_MULTIPLE;
  return is_enough;
}

// Whether the ranks on this machine are more than the CPUs that they may run on. All ranks call it.
static bool is_crowded(const Mpi *mpi) {
  MPI_Comm here;
  int ranks = 1;
  cpu_set_t cpus;
  CPU_ZERO(&cpus);
  bool is_known = sched_getaffinity(0, sizeof cpus, &cpus) == 0;
  MPI_Comm_split_type(mpi->comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &here);
  MPI_Comm_size(here, &ranks);
  MPI_Allreduce(MPI_IN_PLACE, &cpus, sizeof cpus, MPI_BYTE, MPI_BOR, here);
  MPI_Comm_free(&here);
  return is_known && CPU_COUNT(&cpus) < ranks;
}

static void make_lock(Mpi *mpi) {
  pthread_condattr_t steady;
  pthread_mutex_init(&mpi->lock, NULL);
  pthread_mutex_init(&mpi->end_lock, NULL);
  pthread_condattr_init(&steady);
  pthread_condattr_setclock(&steady, CLOCK_MONOTONIC);
  pthread_cond_init(&mpi->ends, &steady);
  pthread_cond_init(&mpi->served, NULL);
  pthread_condattr_destroy(&steady);
}

static void join(Mpi *mpi, MPI_Comm given) {
  int rank = 0, ranks = 1;
  MPI_Comm_dup(given, &mpi->comm);
  MPI_Comm_set_errhandler(mpi->comm, MPI_ERRORS_RETURN);
  MPI_Comm_rank(mpi->comm, &rank);
  MPI_Comm_size(mpi->comm, &ranks);
  mpi->is_crowded = is_crowded(mpi);
  MPI_Allreduce(MPI_IN_PLACE, &mpi->may_have_thread, 1, MPI_C_BOOL, MPI_LAND, mpi->comm);
  mpi->base = (prt_transport){.rank = rank,
                              .ranks = ranks,
                              .send = mpi_send,
                              .sent = mpi_sent,
                              .has_sent_all = mpi_has_sent_all,
                              .poll = mpi_poll,
                              .receive = mpi_receive,
                              .rest = mpi_rest,
                              .lost = mpi_lost,
                              .terminate = mpi_terminate};
}

static bool allocate(Mpi *mpi, size_t ranks) {
  mpi->slots = calloc(SLOTS, sizeof *mpi->slots);
  mpi->seen = calloc(ranks, sizeof *mpi->seen);
  mpi->has_closed = calloc(ranks, sizeof *mpi->has_closed);
  mpi->signs = calloc(ranks, sizeof *mpi->signs);
  mpi->long_sent = calloc(ranks, sizeof *mpi->long_sent);
  mpi->long_received = calloc(ranks, sizeof *mpi->long_received);
  return mpi->slots && mpi->seen && mpi->has_closed && mpi->signs && mpi->long_sent &&
         mpi->long_received;
}

prt_transport *prt_transport_open(void *communicator, char *why, size_t room);
PRT_API prt_transport *prt_transport_open(void *communicator, char *why, size_t room) {
  Mpi *mpi = calloc(1, sizeof *mpi);
  if (!mpi) {
    snprintf(why, room, "out of memory");
    return NULL;
  }
  make_lock(mpi);
  mpi->last_send = &mpi->sends;
  mpi->last_receive = &mpi->receives;
  if (!initialise(mpi, why, room)) {
    free_mpi(mpi);
    return NULL;
  }
  join(mpi, communicator ? *(MPI_Comm *)communicator : MPI_COMM_WORLD);
  if (!allocate(mpi, (size_t)mpi->base.ranks)) {
    snprintf(why, room, "out of memory");
    free_mpi(mpi);
    return NULL;
  }
  for (int i = 0; i < mpi->base.ranks; i++) mpi->signs[i].request = MPI_REQUEST_NULL;
  for (int i = 0; i < SLOTS; i++) post(mpi, &mpi->slots[i]);
  pthread_mutex_lock(&mpi->lock); // the thread reads what is set here
  mpi->has_thread = mpi->may_have_thread && mpi->base.ranks > 1 &&
                    pthread_create(&mpi->thread, NULL, stay_alive, mpi) == 0;
  pthread_mutex_unlock(&mpi->lock);
  return &mpi->base;
}
