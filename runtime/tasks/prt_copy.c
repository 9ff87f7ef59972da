// SPDX-License-Identifier: Apache-2.0
// Copies. On worker threads a copy is done when it is started, which is one of the times at which a
// chip may do it; the seeded scheduler lets it fly until it chooses to land it. From one core to
// another core copies land in the order in which they were started.
#include <stdlib.h>
#include <string.h>
#include "prt_copy.h"
#include "prt_sem.h"
#include "check/prt_watch.h"
#include "machine/prt_fail.h"
#include "prt_task.h"
#include "race/prt_race_log.h"
#include "transport/prt_ranks.h"

static inline int64_t size_of(int64_t dim) { return dim > 0 ? dim : 0; }

int64_t prt__copy_bytes(const prt_copy *copy, const int64_t *dims) {
  int64_t bytes = copy->element_bytes;
  for (int32_t i = 0; i < copy->rank; i++) bytes *= size_of(dims[i]);
  return bytes;
}

// How many leading dimensions are left when the last ones are one piece on both sides, and its
// bytes.
static int32_t outer_dims(const prt_copy *copy, const int64_t *dims, int64_t *piece) {
  int32_t rank = copy->rank;
  *piece = copy->element_bytes;
  while (rank > 0 && (dims[rank - 1] == 1 || (copy->to_strides[rank - 1] == *piece &&
                                              copy->from_strides[rank - 1] == *piece)))
    *piece *= size_of(dims[--rank]);
  return rank;
}

typedef struct Walk {
  const prt_copy *copy;
  const int64_t *dims;
  int32_t outer;
  int64_t piece;
} Walk;

static void add_piece(int32_t dtype, char *to, const char *from, int64_t bytes) {
  if (dtype == PRT_F32) {
    for (int64_t i = 0; i < bytes / 4; i++) ((float *)to)[i] += ((const float *)from)[i];
  } else if (dtype == PRT_BF16) {
    for (int64_t i = 0; i < bytes / 2; i++)
      ((prt_bf16 *)to)[i] = prt_bf16_from_float(prt_bf16_to_float(((prt_bf16 *)to)[i]) +
                                                prt_bf16_to_float(((const prt_bf16 *)from)[i]));
  } else {
    for (int64_t i = 0; i < bytes / 4; i++) ((uint32_t *)to)[i] += ((const uint32_t *)from)[i];
  }
}

static void copy_level(const Walk *w, char *to, const char *from, int32_t level) {
  if (level == w->outer) {
    if (w->copy->add)
      add_piece(w->copy->add, to, from, w->piece);
    else
      memmove(to, from, (size_t)w->piece);
    return;
  }
  for (int64_t i = 0; i < w->dims[level]; i++)
    copy_level(w, to + i * w->copy->to_strides[level], from + i * w->copy->from_strides[level],
               level + 1);
}

void prt__copy_elements(const prt_copy *copy, const int64_t *dims, char *to, const char *from) {
  Walk walk = {.copy = copy, .dims = dims};
  walk.outer = outer_dims(copy, dims, &walk.piece);
  if (walk.piece) copy_level(&walk, to, from, 0);
}

// Under check: what of the source was never written is not written in the target either.
static void carry_marks(prt_worker *worker, const prt_copy *copy, const int64_t *dims, char *to,
                        const char *from) {
  prt_region target = {to, copy->element_bytes, copy->rank, dims, copy->to_strides};
  prt_region source = {from, copy->element_bytes, copy->rank, dims, copy->from_strides};
  prt__check_carried(worker, copy->site, &target, &source, copy->add != 0);
}

void prt__copy_moves(prt_schedule *s, prt_worker *worker, const prt_copy *copy, const int64_t *dims,
                     char *to, const char *from) {
  bool locks = copy->add && s->shared;
  if (locks) pthread_mutex_lock(&s->add_lock);
  prt__copy_elements(copy, dims, to, from);
  if (locks) pthread_mutex_unlock(&s->add_lock);
  if (worker) carry_marks(worker, copy, dims, to, from);
  if (s->ranks) s->ranks->calls->landed(s, copy, dims, to);
}

// Locks: none on entry and exit; takes add_lock if elements are added, then those of prt__sem_add.
// `by` as in prt__sem_add.
static void land(prt_schedule *s, prt_node *by, const prt_transfer *t) {
  const prt_copy *copy = t->copy;
  int64_t bytes = prt__copy_bytes(copy, t->dims);
  bool is_elsewhere = bytes && s->ranks && s->ranks->calls->move(s, t);
  // Where nobody watches another thread may go on with the task just now.
  prt_worker *worker = prt__is_watching(s->call) ? t->from_task->task.worker : NULL;
  if (bytes && !is_elsewhere) prt__copy_moves(s, worker, copy, t->dims, t->to, t->from);
  if (t->sent) prt__sem_add(s, by, t->sent, copy->counts & PRT_COUNTS_SENT ? 1 : bytes);
  prt__sem_add(s, by, t->received, copy->counts & PRT_COUNTS_RECEIVED ? 1 : bytes);
}

static void count_flight(prt_schedule *s, const prt_flight *flight, int32_t by) {
  s->flying += by;
  flight->transfer.from_task->group->flying += by;
  flight->transfer.to_task->group->flying += by;
}

static void take_off(prt_schedule *s, prt_flight *flight) {
  flight->next = NULL;
  *s->last_flight = flight;
  s->last_flight = &flight->next;
  count_flight(s, flight, 1);
}

prt_flight *prt__flight_new(const prt_transfer *transfer) {
  size_t dims_bytes = (size_t)transfer->copy->rank * sizeof *transfer->dims;
  prt_flight *flight = malloc(sizeof *flight + dims_bytes);
  if (!flight) return NULL;
  *flight = (prt_flight){.transfer = *transfer};
  if (dims_bytes) memcpy(flight->dims, transfer->dims, dims_bytes);
  flight->transfer.dims = flight->dims;
  return flight;
}

// The same for one that a task starts, which fails without memory.
static prt_flight *flight_of(const prt_transfer *transfer) {
  prt_flight *flight = prt__flight_new(transfer);
  if (!flight) prt__fail(transfer->from_task->task.worker, PRT_ERROR_MEMORY, "out of memory");
  return flight;
}

// A copy to a core that has not begun, maybe since its device has not come to the kernel, waits for
// it: true. Locks: none on entry and exit; takes the schedule's if it is shared.
bool prt__hold(prt_schedule *s, prt_flight *flight) {
  prt_node *node = flight->transfer.to_task;
  if (s->shared) pthread_mutex_lock(&s->lock);
  bool is_early = !node->has_begun;
  if (is_early) {
    prt_flight **link = &node->group->held;
    while (*link) link = &(*link)->next;
    *link = flight;
  }
  if (s->shared) pthread_mutex_unlock(&s->lock);
  return is_early;
}

// The same for a copy that has no flight yet.
static bool hold(prt_schedule *s, const prt_transfer *transfer) {
  if (s->shared) pthread_mutex_lock(&s->lock);
  bool has_begun = transfer->to_task->has_begun;
  if (s->shared) pthread_mutex_unlock(&s->lock);
  if (has_begun) return false;
  prt_flight *flight = flight_of(transfer);
  if (!flight || prt__hold(s, flight)) return true;
  prt__flight_free(flight); // it has begun meanwhile
  return false;
}

void prt__flight_free(prt_flight *flight) {
  free(flight->arrived);
  free(flight);
}

// Makes a copy, and signals.
static void land_flight(prt_schedule *s, prt_flight *flight) {
  prt_node *by = s->shared ? NULL : flight->transfer.from_task; // else it may run just now
  if (flight->moved) s->ranks->calls->moved(s, flight);
  land(s, by, &flight->transfer);
  prt__flight_free(flight);
}

// The copies that are held for the node; if there are none, it has begun. Locks: none on entry and
// exit; takes the schedule's if it is shared.
static prt_flight *take_held(prt_schedule *s, prt_node *node) {
  prt_flight *mine = NULL, **last = &mine;
  if (s->shared) pthread_mutex_lock(&s->lock);
  for (prt_flight **link = &node->group->held; *link;) {
    prt_flight *flight = *link;
    if (flight->transfer.to_task != node) {
      link = &flight->next;
      continue;
    }
    *link = flight->next;
    flight->next = NULL;
    *last = flight;
    last = &flight->next;
  }
  node->has_begun = !mine;
  if (s->shared) pthread_mutex_unlock(&s->lock);
  return mine;
}

// What others start while the held copies land is held as well: a later one must not overtake them.
void prt__begun(prt_schedule *s, prt_node *node) {
  for (prt_flight *mine; (mine = take_held(s, node));) {
    for (prt_flight *next; mine; mine = next) {
      next = mine->next;
      if (prt__lands_at_once(s, mine->transfer.from_task, mine->transfer.to_task))
        land_flight(s, mine);
      else
        take_off(s, mine);
    }
  }
}

void prt__unequal_copy(prt_task *task, int32_t dim, int64_t from, int64_t to,
                       const prt_site *site) {
  prt__fault(task->worker, PRT_FINDING_OUT_OF_BOUNDS, site,
             "a copy of %lld to %lld along dimension %d: both ends need one size", (long long)from,
             (long long)to, dim);
}

void prt__copy_start(prt_task *task, prt_task *peer, const prt_copy *copy, const int64_t *dims,
                     void *to, const void *from, prt_sem *received, prt_sem *sent) {
  prt_node *node = (prt_node *)task, *other = (prt_node *)peer;
  prt_schedule *s = prt__schedule_of(node);
  if (prt__is_over(s)) return; // a peer that is not there, for instance
  prt_transfer transfer = {node, other, copy, dims ? dims : copy->dims, to, from, received, sent};
  if (prt__reports_to(s->call->machine)) {
    s->ranks->calls->copy_reported(s, &transfer);
    return;
  }
  if (s->ranks && other != node && s->ranks->calls->copy(s, &transfer)) return;
  if (s->race) prt__race_copy(s->race, &transfer, prt__copy_bytes(copy, transfer.dims));
  if (s->seeded) s->call->explored.copies++;
  if (other != node && hold(s, &transfer)) return;
  if (prt__lands_at_once(s, node, other)) {
    land(s, node, &transfer);
    return;
  }
  prt_flight *flight = flight_of(&transfer);
  if (flight) take_off(s, flight);
}

// The place of an older flight that must land before this one, or its own.
static prt_flight **due_before(prt_schedule *s, prt_flight **link) {
  const prt_transfer *last = &(*link)->transfer;
  if (!last->sent) return link; // local
  for (prt_flight **older = &s->flights; older != link; older = &(*older)->next) {
    const prt_transfer *t = &(*older)->transfer;
    if (t->sent && t->from_task == last->from_task && t->to_task == last->to_task) return older;
  }
  return link;
}

static void land_at(prt_schedule *s, prt_flight **link) {
  prt_flight *flight = *link;
  *link = flight->next;
  if (s->last_flight == &flight->next) s->last_flight = link;
  count_flight(s, flight, -1);
  land_flight(s, flight);
}

static bool is_waited_for(const prt_transfer *t) {
  return t->received->waiters || (t->sent && t->sent->waiters);
}

void prt__land_needed(prt_schedule *s) {
  prt_flight **link = &s->flights;
  while (*link && !is_waited_for(&(*link)->transfer)) link = &(*link)->next;
  land_at(s, due_before(s, *link ? link : &s->flights));
}

void prt__land_drawn(prt_schedule *s, uint64_t random) {
  enum { NEAR = 256 }; // draws are among the oldest ones
  prt_flight **link = &s->flights;
  for (uint64_t skip = random % (uint64_t)(s->flying < NEAR ? s->flying : NEAR); skip > 0; skip--)
    link = &(*link)->next;
  land_at(s, due_before(s, link));
}

void prt__land_all(prt_schedule *s, const prt_group *group) {
  for (prt_flight **link = &s->flights; *link && group->flying;) {
    const prt_transfer *t = &(*link)->transfer;
    if (t->from_task->group == group || t->to_task->group == group)
      land_at(s, link);
    else
      link = &(*link)->next;
  }
}

void prt__flights_free(prt_schedule *s) {
  for (prt_flight *flight = s->flights, *next; flight; flight = next) {
    next = flight->next;
    prt__flight_free(flight);
  }
  s->flights = NULL;
}
