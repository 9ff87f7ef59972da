// SPDX-License-Identifier: Apache-2.0
// One segment of what agents did, as the search for races gets it: put together step by step.
#pragma once
#include <check.h>
#include <stdlib.h>
#include <string.h>
#include "race/prt_race.h"

enum { TRACE_AGENTS = 8, TRACE_SEMS = 7, TRACE_MOST = 64, TRACE_WORD = 4 };

typedef struct Trace {
  prt_race *race;
  int32_t launches[TRACE_MOST], launch_count;
  int32_t copies, accesses;
} Trace;

static const prt_program trace_program = {.name = "trace", .kind = PRT_TENSOR_CORE};
static prt_site trace_sites[2 * TRACE_MOST]; // of accesses
static int32_t trace_words[TRACE_MOST];      // what they touch

static prt_race_agent *trace_agent(Trace *t, int32_t agent) {
  prt_race *race = t->race;
  while (race->agents.count <= agent) {
    prt_race_agent *one = PRT_RACE_ADD(race, race->agents);
    *one = (prt_race_agent){.program = &trace_program, .core = race->agents.count - 1};
  }
  return &race->agents.items[agent];
}

static prt_race_event *trace_add(Trace *t, int32_t agent, prt_race_kind kind, int32_t with) {
  prt_race_agent *who = trace_agent(t, agent);
  prt_race_event *event = PRT_RACE_ADD(t->race, t->race->events);
  *event = (prt_race_event){.agent = agent, .at = who->at++, .kind = (uint8_t)kind, .with = with};
  return event;
}

// An access of `words` words from number `word`.
static prt_race_access *trace_access(Trace *t, int32_t agent, int32_t copy, int32_t how,
                                     int32_t word, int32_t words) {
  prt_race *race = t->race;
  prt_race_access *access = PRT_RACE_ADD(race, race->accesses);
  prt_site *site = &trace_sites[t->accesses++];
  *site = (prt_site){.file = "trace", .line = t->accesses, .function = ""};
  prt_extent *extent = prt__room_take(&race->extents, prt__extent_bytes(0));
  const char *base = (const char *)&trace_words[word];
  *extent = (prt_extent){base, base + (ptrdiff_t)words * TRACE_WORD, words * TRACE_WORD, 0};
  *access = (prt_race_access){.site = site,
                              .extent = extent,
                              .agent = agent,
                              .at = trace_agent(t, agent)->at,
                              .order = race->events.count,
                              .copy = copy,
                              .step = -1,
                              .how = (uint8_t)how};
  return access;
}

// The ends of the copy are accesses of their own, if `words` is not 0.
static void trace_copy(Trace *t, int32_t agent, prt_race_copy copy, int32_t from, int32_t to,
                       int32_t words) {
  trace_agent(t, copy.to);
  prt_race *race = t->race;
  prt_race_copy *kept = PRT_RACE_ADD(race, race->copies);
  copy.event = race->events.count;
  *kept = copy;
  trace_add(t, agent, RACE_COPY, t->copies);
  if (words) {
    trace_access(t, agent, t->copies, PRT_READ, from, words);
    trace_access(t, agent, t->copies, PRT_WRITE, to, words);
  }
  t->copies++;
}

static inline void trace_atomic(Trace *t, int32_t agent, int32_t place, bool is_seen) {
  prt_race *race = t->race;
  while (race->atomics.count <= place) {
    prt_race_atomic *one = PRT_RACE_ADD(race, race->atomics);
    *one = (prt_race_atomic){.place = &trace_words[race->atomics.count]};
  }
  prt_race_atomic *atomic = &race->atomics.items[place];
  prt_race_event *event = trace_add(t, agent, RACE_ATOMIC, place);
  event->is_seen = is_seen;
  event->units = is_seen ? atomic->changes : atomic->seen;
  atomic->changes++;
  if (is_seen) atomic->seen = atomic->changes;
}

static void trace_semaphore(Trace *t, int32_t agent, prt_race_kind kind, int32_t sem, int64_t units,
                            bool keeps) {
  prt_race_event *event = trace_add(t, agent, kind, sem);
  event->units = units;
  event->keeps = keeps;
}

// A poll of the sum of counts.
static inline void trace_sum(Trace *t, int32_t agent, int64_t least, const prt_race_term *terms,
                             int32_t count) {
  prt_race *race = t->race;
  int32_t first = race->terms.count;
  for (int32_t i = 0; i < count; i++) *PRT_RACE_ADD(race, race->terms) = terms[i];
  trace_add(t, agent, RACE_POLL, race->sums.count)->units = least;
  *PRT_RACE_ADD(race, race->sums) = (prt_race_sum){.first = first, .end = race->terms.count};
}

// A poll of a condition of two counts, each below `side`, that holds where they stand at a point.
static inline void trace_points(Trace *t, int32_t agent, int32_t side, const int *sems,
                                const int *points, int count) {
  prt_race *race = t->race;
  trace_sum(t, agent, 1, (prt_race_term[]){{1, sems[0]}, {1, sems[1]}}, 2);
  prt_race_sum *sum = &race->sums.items[race->sums.count - 1];
  sum->side = side;
  sum->first_point = race->points.count;
  for (int i = 0; i < count; i++) *PRT_RACE_ADD(race, race->points) = points[i];
  sum->end_point = race->points.count;
}

static inline void trace_launch(Trace *t, int32_t agent) {
  trace_add(t, agent, RACE_LAUNCH, -1);
  t->launches[t->launch_count++] = t->race->events.count - 1;
}

// All who meet do so as often.
static inline void trace_meet(Trace *t, int32_t agent, int32_t meeting) {
  trace_add(t, agent, RACE_MEET, meeting);
  if (meeting >= t->race->met) t->race->met = meeting + 1;
}

// An empty trace in the race of a call, which is over with trace_fini.
static void trace_init(Trace *t, prt_machine *machine) {
  static const prt_entry entry = {.abi_version = PRT_ABI_VERSION,
                                  .name = "trace",
                                  .devices = 1,
                                  .chip = "v5p",
                                  .cpu = "baseline"};
  prt_worker *worker;
  ck_assert_int_eq(prt__enter(machine, &entry, &worker), PRT_OK);
  *t = (Trace){.race = prt__race_of(worker)};
  t->race->sem_buckets = calloc(1, sizeof *t->race->sem_buckets); // none is looked up
  for (int i = 0; i < TRACE_SEMS; i++) *PRT_RACE_ADD(t->race, t->race->sems) = (prt_race_sem){0};
}

// A machine that keeps its findings to itself.
static inline void trace_hear(void *data, const prt_finding *finding) { (void)data, (void)finding; }

static inline prt_machine *trace_machine(void) {
  prt_machine_options options;
  prt_machine_options_init(&options);
  options.on_finding = trace_hear;
  prt_machine *made = prt_machine_new(&options);
  ck_assert_ptr_nonnull(made);
  return made;
}

// What has been found is kept; nothing is searched for anew.
static inline void trace_fini(Trace *t) {
  t->race->failed = true;
  prt__leave(t->race->worker);
}
