// SPDX-License-Identifier: Apache-2.0
// Is there a run in which two accesses are under way at once? In: a segment's events, two accesses.
// Out: yes or no.
//
// The agents' events are run again, without their data: an agent that comes to one of the two
// accesses stays there; a copy that is one of them starts and does not end; all else goes on as far
// as it can. If each semaphore is waited for by one agent, whatever runs first, all ends at the
// same point: more signals never keep anybody from what it can do. So one run decides. Where
// several agents take from one semaphore who comes first matters: those of the two accesses go
// first, then other orders are tried, drawn from a fixed seed.
#include <stdlib.h>
#include <string.h>
#include "prt_race.h"

enum { NOBODY = -1, RANDOM_RUNS = 32 };

// What an agent can wait for, by number: a semaphore, then an event (its launch, the ends of all
// that it launched), a meeting, its turn at an atomic, any semaphore.
typedef struct Replay {
  const prt_race *race;
  const prt_race_access *accesses[2];
  int32_t *events, *first; // by agent: its events are events[first[agent]] up to first[agent + 1]
  int32_t *at;             // by agent
  int64_t *counts;         // by semaphore
  int32_t *ended;          // by event: how many of the launch's agents have not ended
  bool *launched;          // by event
  int32_t *to_meet;        // by meeting: how many have not come
  int32_t *turns;          // by place of atomics
  int32_t *waiting, *next; // by what is waited for: the first agent; by agent: the next one
  int32_t *queue;          // agents that can go on
  int32_t queued;
  bool under_way[2]; // of a copy: it has started
  uint64_t random;   // 0: in order
} Replay;

static int32_t waits_for_event(const Replay *r, int32_t event) {
  return r->race->sems.count + event;
}
static int32_t waits_for_meeting(const Replay *r, int32_t meeting) {
  return r->race->sems.count + r->race->events.count + meeting;
}
static int32_t waits_for_turn(const Replay *r, int32_t place) {
  return r->race->sems.count + r->race->events.count + r->race->met + place;
}
static int32_t waits_for_any(const Replay *r) { return waits_for_turn(r, r->race->atomics.count); }
static int32_t wait_count(const Replay *r) { return waits_for_any(r) + 1; }

// ---- memory -------------------------------------------------------------------------------------
static void *array(bool *failed, int32_t count, size_t bytes) {
  void *items = calloc((size_t)count + 1, bytes);
  if (!items) *failed = true;
  return items;
}

static bool replay_init(Replay *r) {
  const prt_race *race = r->race;
  bool failed = false;
  r->events = array(&failed, race->events.count, sizeof *r->events);
  r->first = array(&failed, race->agents.count + 1, sizeof *r->first);
  r->at = array(&failed, race->agents.count, sizeof *r->at);
  r->counts = array(&failed, race->sems.count, sizeof *r->counts);
  r->ended = array(&failed, race->events.count, sizeof *r->ended);
  r->launched = array(&failed, race->events.count, sizeof *r->launched);
  r->to_meet = array(&failed, race->met, sizeof *r->to_meet);
  r->turns = array(&failed, race->atomics.count, sizeof *r->turns);
  r->waiting = array(&failed, wait_count(r), sizeof *r->waiting);
  r->next = array(&failed, race->agents.count, sizeof *r->next);
  r->queue = array(&failed, race->agents.count, sizeof *r->queue);
  if (failed) return false;
  for (int32_t i = 0; i < race->agents.count; i++)
    r->first[i + 1] = r->first[i] + race->agents.items[i].at;
  for (int32_t i = 0; i < race->events.count; i++)
    r->events[r->first[race->events.items[i].agent] + race->events.items[i].at] = i;
  return true;
}

static void replay_fini(Replay *r) {
  free(r->events);
  free(r->first);
  free(r->at);
  free(r->counts);
  free(r->ended);
  free(r->launched);
  free(r->to_meet);
  free(r->turns);
  free(r->waiting);
  free(r->next);
  free(r->queue);
}

static void put(Replay *r, int32_t agent) { r->queue[r->queued++] = agent; }

// Everybody at the start.
static void restart(Replay *r) {
  const prt_race *race = r->race;
  memset(r->at, 0, (size_t)race->agents.count * sizeof *r->at);
  memset(r->counts, 0, (size_t)race->sems.count * sizeof *r->counts);
  memset(r->ended, 0, (size_t)race->events.count * sizeof *r->ended);
  memset(r->launched, 0, (size_t)race->events.count * sizeof *r->launched);
  memset(r->to_meet, 0, (size_t)race->met * sizeof *r->to_meet);
  memset(r->turns, 0, (size_t)race->atomics.count * sizeof *r->turns);
  for (int32_t i = 0; i < wait_count(r); i++) r->waiting[i] = NOBODY;
  r->queued = 0;
  r->under_way[0] = r->under_way[1] = false;
  for (int32_t i = 0; i < race->events.count; i++) {
    const prt_race_event *event = &race->events.items[i];
    if (event->kind == RACE_END && event->with >= 0) r->ended[event->with]++;
    if (event->kind == RACE_MEET) r->to_meet[event->with]++;
  }
  for (int32_t i = race->agents.count; i-- > 0;)
    if (i != r->accesses[0]->agent && i != r->accesses[1]->agent) put(r, i);
  put(r, r->accesses[0]->agent);
  if (r->accesses[1]->agent != r->accesses[0]->agent) put(r, r->accesses[1]->agent);
}

// ---- running ------------------------------------------------------------------------------------
static void wake(Replay *r, int32_t what) {
  int32_t agent = r->waiting[what];
  r->waiting[what] = NOBODY;
  while (agent != NOBODY) {
    int32_t next = r->next[agent];
    put(r, agent);
    agent = next;
  }
}

// false: the agent waits for it from now on.
static bool unless(Replay *r, bool has_come, int32_t agent, int32_t what) {
  if (has_come) return true;
  r->next[agent] = r->waiting[what];
  r->waiting[what] = agent;
  return false;
}

static void add_units(Replay *r, int32_t sem, int64_t units) {
  if (sem < 0 || !units) return;
  r->counts[sem] += units;
  wake(r, sem);
  wake(r, waits_for_any(r));
}

// Whether one of the two accesses must arrive before the copy.
static bool is_behind_access(const Replay *r, const prt_race_copy *copy) {
  for (int i = 0; i < 2; i++) {
    bool is_copy = r->accesses[i]->copy != PRT_NO_COPY && r->under_way[i];
    if (is_copy &&
        prt__race_arrive_in_order(r->race, &r->race->copies.items[r->accesses[i]->copy], copy))
      return true;
  }
  return false;
}

// All but the last unit of a copy's end that is under way.
static int64_t part_of(int64_t units) { return units > 0 ? units - 1 : 0; }

// A copy that is not one of the two accesses is over as soon as it starts; of one that is, the last
// byte is left to come. The target of one of them is not written before its source is read.
static void start_copy(Replay *r, int32_t number) {
  const prt_race_copy *copy = &r->race->copies.items[number];
  bool is_sent = true, is_received = !is_behind_access(r, copy);
  int64_t received = is_received ? copy->received_units : 0;
  for (int i = 0; i < 2; i++) {
    if (r->accesses[i]->copy != number) continue;
    r->under_way[i] = true;
    if (is_received) received = part_of(copy->received_units);
    if (r->accesses[i]->how == PRT_READ) is_sent = false;
  }
  add_units(r, copy->sent, is_sent ? copy->sent_units : part_of(copy->sent_units));
  add_units(r, copy->received, received);
}

static int64_t count_of_term(const Replay *r, const prt_race_sum *sum, int32_t i) {
  return r->counts[r->race->terms.items[sum->first + i].sem];
}

static bool is_at_point(const Replay *r, const prt_race_sum *sum, int64_t point) {
  for (int32_t i = 0; i < sum->end - sum->first; i++)
    if (count_of_term(r, sum, i) < prt__race_count_at(sum, point, i)) return false;
  return true;
}

// Whether counts can have been at one of the points, or beyond what is known.
static bool is_at_some_point(const Replay *r, const prt_race_sum *sum) {
  for (int32_t i = 0; i < sum->end - sum->first; i++)
    if (count_of_term(r, sum, i) >= sum->side) return true;
  for (int32_t i = sum->first_point; i < sum->end_point; i++)
    if (is_at_point(r, sum, r->race->points.items[i])) return true;
  return false;
}

static bool has_come_to(const Replay *r, const prt_race_sum *sum, int64_t least) {
  if (sum->side) return is_at_some_point(r, sum);
  int64_t now = 0;
  for (int32_t i = sum->first; i < sum->end; i++)
    now += r->race->terms.items[i].weight * r->counts[r->race->terms.items[i].sem];
  return now >= least;
}

// false: not now.
static bool can_run(Replay *r, const prt_race_event *event) {
  int32_t with = event->with;
  switch ((prt_race_kind)event->kind) {
  case RACE_START: return unless(r, r->launched[with], event->agent, waits_for_event(r, with));
  case RACE_JOIN: return unless(r, !r->ended[with], event->agent, waits_for_event(r, with));
  case RACE_WAIT: return unless(r, r->counts[with] >= event->units, event->agent, with);
  case RACE_POLL:
    return unless(r, has_come_to(r, &r->race->sums.items[with], event->units), event->agent,
                  waits_for_any(r));
  case RACE_MET: return unless(r, !r->to_meet[with], event->agent, waits_for_meeting(r, with));
  case RACE_ATOMIC:
    return unless(r, r->turns[with] >= event->units, event->agent, waits_for_turn(r, with));
  default: return true;
  }
}

static void run_event(Replay *r, int32_t number) {
  const prt_race_event *event = &r->race->events.items[number];
  int32_t with = event->with;
  switch ((prt_race_kind)event->kind) {
  case RACE_LAUNCH:
    r->launched[number] = true;
    wake(r, waits_for_event(r, number));
    break;
  case RACE_END:
    if (with >= 0 && --r->ended[with] == 0) wake(r, waits_for_event(r, with));
    break;
  case RACE_SIGNAL: add_units(r, with, event->units); break;
  case RACE_COPY: start_copy(r, with); break;
  case RACE_WAIT:
    if (!event->keeps) r->counts[with] -= event->units;
    break;
  case RACE_MEET:
    if (--r->to_meet[with] == 0) wake(r, waits_for_meeting(r, with));
    break;
  case RACE_ATOMIC:
    r->turns[with]++;
    wake(r, waits_for_turn(r, with));
    break;
  default: break;
  }
}

static bool is_at(const Replay *r, int32_t agent, const prt_race_access *access) {
  return access->copy == PRT_NO_COPY && access->agent == agent && access->at == r->at[agent];
}

// It has come to one of the accesses and stays there.
static bool stays(const Replay *r, int32_t agent) {
  return is_at(r, agent, r->accesses[0]) || is_at(r, agent, r->accesses[1]);
}

static bool is_under_way(const Replay *r, int i) {
  const prt_race_access *access = r->accesses[i];
  return access->copy == PRT_NO_COPY ? r->at[access->agent] == access->at : r->under_way[i];
}

static uint64_t draw(Replay *r) {
  r->random ^= r->random << 13;
  r->random ^= r->random >> 7;
  r->random ^= r->random << 17;
  return r->random;
}

static int32_t take_agent(Replay *r) {
  if (r->random) {
    int32_t at = (int32_t)(draw(r) % (uint64_t)r->queued), last = r->queued - 1;
    int32_t agent = r->queue[at];
    r->queue[at] = r->queue[last];
    r->queue[last] = agent;
  }
  return r->queue[--r->queued];
}

// With a random order an agent gives way after each event.
static void run_agent(Replay *r, int32_t agent) {
  int32_t count = r->race->agents.items[agent].at;
  while (r->at[agent] < count && !stays(r, agent)) {
    int32_t number = r->events[r->first[agent] + r->at[agent]];
    if (!can_run(r, &r->race->events.items[number])) return;
    r->at[agent]++;
    run_event(r, number);
    if (r->random && r->at[agent] < count) {
      put(r, agent);
      return;
    }
  }
}

static bool run(Replay *r) {
  restart(r);
  while (r->queued) run_agent(r, take_agent(r));
  return is_under_way(r, 0) && is_under_way(r, 1);
}

// Whether another one waits for it as well, so far.
static bool is_anothers(int32_t *owner, int32_t sem, int32_t agent) {
  bool is_so = owner[sem] && owner[sem] != agent;
  owner[sem] = agent;
  return is_so;
}

static bool has_shared_semaphore(const Replay *r) {
  int32_t *owner = calloc((size_t)r->race->sems.count + 1, sizeof *owner);
  bool is_shared = false;
  for (int32_t i = 0; owner && i < r->race->events.count; i++) {
    const prt_race_event *event = &r->race->events.items[i];
    int32_t agent = event->agent + 1;
    if (event->kind == RACE_WAIT) is_shared |= is_anothers(owner, event->with, agent);
    if (event->kind != RACE_POLL) continue;
    const prt_race_sum *sum = &r->race->sums.items[event->with];
    for (int32_t k = sum->first; k < sum->end; k++)
      is_shared |= is_anothers(owner, r->race->terms.items[k].sem, agent);
  }
  free(owner);
  return is_shared;
}

bool prt__race_can_meet(prt_race *race, const prt_race_access *a, const prt_race_access *b) {
  Replay replay = {.race = race, .accesses = {a, b}}, *r = &replay;
  bool found = true; // no memory to find out: they are not ordered
  bool is_own = a->copy != PRT_NO_COPY && a->copy == b->copy;
  if (!is_own && replay_init(r)) {
    found = run(r);
    bool is_shared = !found && has_shared_semaphore(r);
    for (int i = 0; is_shared && !found && i < RANDOM_RUNS; i++) {
      r->random = UINT64_C(0x2545f4914f6cdd1d) * (uint64_t)(i + 1);
      found = run(r);
    }
  }
  replay_fini(r);
  return found;
}
