// SPDX-License-Identifier: Apache-2.0
// A transport in memory, for tests: each rank is a machine of this process, on a thread of its own.
// Only one of them runs at a time; at each poll the next one is drawn from a seed, and with it
// whose message it gets, so that a seed repeats an order of delivery that many hosts would show.
#include "prt_memory.h"
#include <stdlib.h>
#include <string.h>

typedef struct Queue { // from one rank to another
  prt_message *first, **last;
  int64_t count, unsent; // messages; the last ones, which set out when the sender polls
  prt_message *reported; // of the first one, which has a body, what was handed out without; or NULL
  bool has_place;        // it is known where the body goes
} Queue;

struct prt_hub {
  pthread_mutex_t lock;
  pthread_cond_t *turned;   // by rank: it has the turn
  int32_t ranks, turn;      // whose turn it is
  int32_t open;             // ranks that have not ended
  int32_t lost;             // the rank that was made to vanish; -1: none
  int64_t sent, lose_after; // -1: none vanishes
  uint64_t state;
  bool *is_here;        // by rank: its transport is in use
  Queue *queues;        // [from][to]
  prt_message **copied; // by rank: messages whose bodies have been
};

typedef struct Memory {
  prt_transport base; // first
  prt_hub *hub;
} Memory;

// Marsaglia 2003: xorshift.
static uint64_t draw(prt_hub *hub, uint64_t ways) {
  hub->state ^= hub->state << 13;
  hub->state ^= hub->state >> 7;
  hub->state ^= hub->state << 17;
  return hub->state % ways;
}

// Gives the turn to a rank that is drawn. Locks: the hub's is held.
static void give_turn(prt_hub *hub) {
  do {
    hub->turn = (int32_t)draw(hub, (uint64_t)hub->ranks);
  } while (!hub->is_here[hub->turn]);
  pthread_cond_signal(&hub->turned[hub->turn]);
}

// Gives the turn away, and waits until it comes back. Locks: the hub's is held on entry and exit,
// and not while it waits.
static void take_turns(prt_hub *hub, int32_t rank) {
  give_turn(hub);
  while (hub->turn != rank && hub->lost != rank) pthread_cond_wait(&hub->turned[rank], &hub->lock);
}

static Queue *queue_of(prt_hub *hub, int32_t from, int32_t to) {
  return &hub->queues[from * hub->ranks + to];
}

// Locks: none on entry and exit; takes the hub's, as all that follow.
static void hub_send(prt_transport *transport, int32_t to, prt_message *message) {
  prt_hub *hub = ((Memory *)transport)->hub;
  pthread_mutex_lock(&hub->lock);
  if (hub->lost < 0 && hub->sent++ == hub->lose_after) hub->lost = transport->rank;
  if (hub->lost == transport->rank) {
    free(message);
  } else {
    Queue *queue = queue_of(hub, transport->rank, to);
    message->from = transport->rank;
    message->next = NULL;
    *queue->last = message;
    queue->last = &message->next;
    queue->count++;
    if (queue->unsent || draw(hub, 4) == 0) queue->unsent++;
  }
  pthread_mutex_unlock(&hub->lock);
}

static prt_message *hub_sent(prt_transport *transport) {
  prt_hub *hub = ((Memory *)transport)->hub;
  pthread_mutex_lock(&hub->lock);
  prt_message *message = hub->copied[transport->rank];
  if (message) hub->copied[transport->rank] = message->next;
  pthread_mutex_unlock(&hub->lock);
  return message;
}

static bool hub_has_sent_all(prt_transport *transport) {
  prt_hub *hub = ((Memory *)transport)->hub;
  int64_t unsent = 0;
  pthread_mutex_lock(&hub->lock);
  for (int32_t to = 0; to < hub->ranks; to++) unsent += queue_of(hub, transport->rank, to)->unsent;
  pthread_mutex_unlock(&hub->lock);
  return unsent == 0;
}

static void hub_receive(prt_transport *transport, prt_message *message, void *body) {
  prt_hub *hub = ((Memory *)transport)->hub;
  pthread_mutex_lock(&hub->lock);
  message->body = body;
  queue_of(hub, message->from, transport->rank)->has_place = true;
  pthread_mutex_unlock(&hub->lock);
}

static prt_message *without_body(const prt_message *message) {
  prt_message *copy = malloc(sizeof *copy + message->bytes);
  if (!copy) return NULL;
  memcpy(copy, message, sizeof *copy + message->bytes);
  copy->next = NULL;
  copy->note = copy->body = NULL;
  return copy;
}

// Locks: the hub's is held. What poll hands out of those of a queue; NULL: nothing, yet.
static prt_message *take(prt_hub *hub, Queue *queue) {
  prt_message *message = queue->first, *reported = queue->reported;
  if (queue->count == queue->unsent || (reported && !queue->has_place)) return NULL;
  if (message->body_bytes && hub->lost >= 0) return NULL; // the memory may be gone, of both
  if (message->body_bytes && !reported) return queue->reported = without_body(message);
  queue->count--;
  queue->first = message->next;
  if (!queue->first) queue->last = &queue->first;
  message->next = NULL;
  if (!reported) return message;
  memcpy(reported->body, message->body, message->body_bytes);
  queue->reported = NULL;
  queue->has_place = false;
  message->next = hub->copied[message->from];
  hub->copied[message->from] = message;
  return reported;
}

// Locks: the hub's is held. So many more messages to each rank are on their way.
static void set_out(prt_hub *hub, int32_t rank, int64_t most) {
  for (int32_t to = 0; to < hub->ranks; to++) {
    Queue *queue = queue_of(hub, rank, to);
    queue->unsent -= queue->unsent < most ? queue->unsent : most;
  }
}

static prt_message *hub_poll(prt_transport *transport) {
  prt_hub *hub = ((Memory *)transport)->hub;
  prt_message *message = NULL;
  pthread_mutex_lock(&hub->lock);
  set_out(hub, transport->rank, 1);
  take_turns(hub, transport->rank);
  int32_t first = (int32_t)draw(hub, (uint64_t)hub->ranks);
  bool is_late = draw(hub, 4) == 0;
  for (int32_t i = 0; i < hub->ranks && !message && !is_late; i++)
    message = take(hub, queue_of(hub, (first + i) % hub->ranks, transport->rank));
  pthread_mutex_unlock(&hub->lock);
  return message;
}

static void hub_rest(prt_transport *transport) { (void)transport; }

static int32_t hub_lost(prt_transport *transport, const char **why) {
  prt_hub *hub = ((Memory *)transport)->hub;
  pthread_mutex_lock(&hub->lock);
  int32_t lost = hub->lost;
  pthread_mutex_unlock(&hub->lock);
  *why = "has vanished";
  return lost;
}

static void hub_terminate(prt_transport *transport, bool failed) {
  prt_hub *hub = ((Memory *)transport)->hub;
  (void)failed;
  pthread_mutex_lock(&hub->lock);
  set_out(hub, transport->rank, INT64_MAX);
  hub->is_here[transport->rank] = false;
  if (--hub->open > 0 && hub->turn == transport->rank) give_turn(hub);
  pthread_mutex_unlock(&hub->lock);
  free(transport);
}

prt_hub *prt__hub_new(int32_t ranks, uint64_t seed, int64_t lose_after) {
  prt_hub *hub = calloc(1, sizeof *hub);
  Queue *queues = calloc((size_t)ranks * (size_t)ranks, sizeof *queues);
  bool *is_here = calloc((size_t)ranks, sizeof *is_here);
  prt_message **copied = calloc((size_t)ranks, sizeof *copied);
  pthread_cond_t *turned = calloc((size_t)ranks, sizeof *turned);
  if (!hub || !queues || !is_here || !copied || !turned) {
    free(turned);
    free(hub);
    free(queues);
    free(is_here);
    free(copied);
    return NULL;
  }
  *hub = (prt_hub){.turned = turned,
                   .ranks = ranks,
                   .open = ranks,
                   .lost = -1,
                   .lose_after = lose_after,
                   .state = seed * 0x9E3779B97F4A7C15u + 0x2545F4914F6CDD1Du,
                   .is_here = is_here,
                   .queues = queues,
                   .copied = copied};
  if (!hub->state) hub->state = 1;
  for (int32_t i = 0; i < ranks; i++) {
    is_here[i] = true;
    pthread_cond_init(&turned[i], NULL);
  }
  for (int32_t i = 0; i < ranks * ranks; i++) queues[i].last = &queues[i].first;
  pthread_mutex_init(&hub->lock, NULL);
  return hub;
}

prt_transport *prt__hub_rank(prt_hub *hub, int32_t rank) {
  Memory *memory = calloc(1, sizeof *memory);
  if (!memory) return NULL;
  *memory = (Memory){.base = {.rank = rank,
                              .ranks = hub->ranks,
                              .send = hub_send,
                              .sent = hub_sent,
                              .has_sent_all = hub_has_sent_all,
                              .poll = hub_poll,
                              .receive = hub_receive,
                              .rest = hub_rest,
                              .lost = hub_lost,
                              .terminate = hub_terminate},
                     .hub = hub};
  return &memory->base;
}

static void free_all(prt_message *message) {
  for (prt_message *next; message; message = next) {
    next = message->next;
    free(message);
  }
}

void prt__hub_free(prt_hub *hub) {
  for (int32_t i = 0; i < hub->ranks * hub->ranks; i++) {
    free_all(hub->queues[i].first);
    free(hub->queues[i].reported);
  }
  for (int32_t i = 0; i < hub->ranks; i++) free_all(hub->copied[i]);
  pthread_mutex_destroy(&hub->lock);
  for (int32_t i = 0; i < hub->ranks; i++) pthread_cond_destroy(&hub->turned[i]);
  free(hub->turned);
  free(hub->queues);
  free(hub->copied);
  free(hub->is_here);
  free(hub);
}
