// SPDX-License-Identifier: Apache-2.0
// What tasks did, as it is recorded for the search for races: events, copies, accesses. In: calls
// of the scheduler and of compiled code. Out: the lists of a prt_race. A segment ends where one
// agent runs alone and nothing is under way: all before is then before all after, in every run, so
// it is searched and forgotten.
#include <stdlib.h>
#include <string.h>
#include "tasks/prt_name.h"
#include "tasks/prt_sem.h"
#include "check/prt_watch.h"
#include "prt_race.h"
#include "tasks/prt_task.h"
#include "transport/prt_ranks.h"

void prt__race_no_memory(prt_race *race) {
  if (race->failed) return;
  race->failed = true;
  prt__fail(race->worker, PRT_ERROR_MEMORY, "out of memory for the accesses that may race");
}

bool prt__race_grow(prt_race *race, void *items, int32_t *room, size_t bytes) {
  if (race->failed) return false;
  char *old;
  memcpy(&old, items, sizeof old);
  int32_t more = *room ? *room : 64;
  char *grown = *room > INT32_MAX / 2 ? NULL : realloc(old, ((size_t)*room + (size_t)more) * bytes);
  if (!grown) {
    prt__race_no_memory(race);
    return false;
  }
  memcpy(items, &grown, sizeof grown);
  *room += more;
  return true;
}

// ---- segments -----------------------------------------------------------------------------------
static bool is_alone(const prt_race *race) { return race->running <= 1 && race->under_way == 0; }

static void forget_segment(prt_race *race) {
  prt__clocks_clear(&race->clocks);
  prt__room_clear(&race->extents);
  if (race->sems.count)
    memset(race->sem_buckets, 0, (size_t)race->bucket_count * sizeof *race->sem_buckets);
  race->agents.count = race->sems.count = race->events.count = race->copies.count = 0;
  race->accesses.count = race->steps.count = race->turns.count = race->atomics.count = 0;
  race->sums.count = race->terms.count = race->points.count = 0;
  race->met = 0;
  race->segment++;
  race->worker->call->is_open = false;
}

static void end_segment(prt_race *race) {
  if (race->accesses.count && !race->failed) prt__race_find(race);
  forget_segment(race);
}

// Nothing more is recorded.
static bool is_closed(const prt_race *race) {
  return !race || race->failed || race->worker->call->is_cut;
}

bool prt__race_is_on(prt_race *race) {
  if (is_closed(race)) return false;
  if (race->events.count && is_alone(race) && !race->apart) end_segment(race);
  return true;
}

prt_race *prt__race_of(prt_worker *worker) {
  if (worker->call->race) return worker->call->race;
  if (!prt__is_first_rank(worker->call->machine)) return NULL; // rank 0 has the log
  prt_race *race = worker->call->race = calloc(1, sizeof *race);
  if (!race) {
    prt__fail(worker, PRT_ERROR_MEMORY, "out of memory for the accesses that may race");
    return NULL;
  }
  race->worker = worker;
  race->segment = 1;
  race->running = 1;
  return race;
}

void prt__race_free(prt_race *race) {
  prt__race_pass_on(race->worker->call);
  end_segment(race);
  prt__race_report_all(race);
  race->worker->call->explored.is_settled = !race->depends && !race->failed;
  free(race->agents.items);
  free(race->sems.items);
  free(race->sem_buckets);
  free(race->events.items);
  free(race->copies.items);
  free(race->accesses.items);
  free(race->steps.items);
  free(race->turns.items);
  free(race->atomics.items);
  free(race->sums.items);
  free(race->terms.items);
  free(race->points.items);
  prt__clocks_free(&race->clocks);
  prt__room_free(&race->extents);
  free(race->pairs.items);
  free(race->inputs.items);
  for (int32_t i = 0; i < race->unwaited.count; i++) free(race->unwaited.items[i].message);
  free(race->unwaited.items);
  free(race->moved.items);
  free(race->stuck.items);
  for (int32_t i = 0; i < race->left.count; i++) free(race->left.items[i].message);
  free(race->left.items);
  free(race);
}

void prt__race_unwaited(prt_race *race, const prt_program *program, const prt_buffer *buffer,
                        int32_t index, const prt_site *site, const char *message, bool is_scope) {
  prt_race_unwaited *left = PRT_RACE_ADD(race, race->unwaited);
  if (!left) return;
  *left = (prt_race_unwaited){program, buffer, index, site, strdup(message), is_scope};
  if (!left->message) prt__race_no_memory(race);
}

void prt__race_stuck(prt_race *race, const prt_buffer *buffer) {
  const prt_buffer **stuck = PRT_RACE_ADD(race, race->stuck);
  if (stuck) *stuck = buffer;
}

// ---- agents and events --------------------------------------------------------------------------
int32_t prt__race_agent(prt_race *race, prt_node *node) {
  prt_trail *trail = prt__trail_of(node);
  if (trail->race_segment == race->segment) return trail->race_agent;
  prt_race_agent *agent = PRT_RACE_ADD(race, race->agents);
  if (!agent) return -1;
  *agent = (prt_race_agent){.program = node->program,
                            .core = node->task.core,
                            .device = node->task.device,
                            .has_waited = trail->has_waited};
  trail->race_segment = race->segment;
  return trail->race_agent = race->agents.count - 1;
}

static prt_race_event *add_event(prt_race *race, int32_t agent, prt_race_kind kind, int32_t with) {
  prt_race_event *event = agent < 0 ? NULL : PRT_RACE_ADD(race, race->events);
  if (!event) return NULL;
  *event = (prt_race_event){
      .agent = agent, .at = race->agents.items[agent].at++, .kind = (uint8_t)kind, .with = with};
  return event;
}

static int32_t launch_of(const prt_race *race, const prt_group *group) {
  return group->race_segment == race->segment ? group->race_launch : -1;
}

void prt__race_begin(prt_race *race, prt_node *node) {
  if (!prt__race_is_on(race)) return;
  int32_t agent = prt__race_agent(race, node), launch = launch_of(race, node->group);
  if (launch >= 0) add_event(race, agent, RACE_START, launch);
}

void prt__race_end(prt_race *race, prt_node *node) {
  if (is_closed(race)) return;
  prt_group *group = node->group;
  prt_race_event *event =
      add_event(race, prt__race_agent(race, node), RACE_END, launch_of(race, group));
  if (!event || event->with >= 0 || group->count != 1) return;
  // One agent's launch may be of an earlier segment, and leave what it did in this one all the
  // same.
  group->race_segment = race->segment;
  group->race_launch = event->with = race->events.count - 1;
}

void prt__race_meet(prt_race *race, prt_node *node) {
  if (!prt__race_is_on(race)) return;
  int32_t meeting = race->met++ / node->group->count;
  prt__trail_of(node)->meeting = meeting + 1;
  add_event(race, prt__race_agent(race, node), RACE_MEET, meeting);
}

void prt__race_met(prt_race *race, prt_node *node) {
  if (is_closed(race)) return;
  int32_t agent = prt__race_agent(race, node);
  prt_trail *trail = prt__trail_of(node);
  if (add_event(race, agent, RACE_MET, trail->meeting - 1))
    race->agents.items[agent].met = race->agents.items[agent].at;
  trail->meeting = 0;
}

// ---- semaphores ---------------------------------------------------------------------------------
// Semaphores that lie beside each other are looked for beside each other.
static size_t bucket_of(const prt_race *race, const void *address) {
  enum { TOGETHER = 4 };
  uintptr_t number = (uintptr_t)address / sizeof(prt_sem);
  uint64_t mixed = (number / TOGETHER * UINT64_C(0x9e3779b97f4a7c15)) >> 32;
  return (size_t)(mixed * TOGETHER + number % TOGETHER) & (size_t)(race->bucket_count - 1);
}

// Where the number of the semaphore is, or would be put.
static int32_t *place_of(const prt_race *race, const void *address) {
  size_t at = bucket_of(race, address);
  while (race->sem_buckets[at] && race->sems.items[race->sem_buckets[at] - 1].address != address)
    at = (at + 1) & (size_t)(race->bucket_count - 1);
  return &race->sem_buckets[at];
}

static bool make_room(prt_race *race) {
  if (2 * race->sems.count + 2 < race->bucket_count) return true;
  int32_t count = race->bucket_count ? 2 * race->bucket_count : 1024;
  int32_t *buckets = calloc((size_t)count, sizeof *buckets);
  if (!buckets) {
    prt__race_no_memory(race);
    return false;
  }
  free(race->sem_buckets);
  race->sem_buckets = buckets;
  race->bucket_count = count;
  for (int32_t i = 0; i < race->sems.count; i++)
    if (race->sems.items[i].address) *place_of(race, race->sems.items[i].address) = i + 1;
  return true;
}

// `like`: a semaphore of the same buffer in the memory of the node or of one that launched it.
static void name_sem(prt_race_sem *sem, const prt_node *node, const prt_sem *like) {
  const prt_node *owner;
  sem->buffer = prt__buffer_of(node, like, &owner);
  sem->is_barrier = !sem->buffer && prt__barrier_of(prt__schedule_of(node), sem->address);
  if (sem->buffer)
    sem->index = (int32_t)(((const char *)like - owner->task.memory - sem->buffer->offset) /
                           (int64_t)sizeof *like);
}

// The number of the semaphore; -1: no memory.
static int32_t sem_of(prt_race *race, const prt_node *node, const prt_sem *address,
                      const prt_sem *like) {
  if (!make_room(race)) return -1;
  int32_t *place = place_of(race, address);
  if (!*place) {
    prt_race_sem *sem = PRT_RACE_ADD(race, race->sems);
    if (!sem) return -1;
    *sem = (prt_race_sem){.address = address};
    *place = race->sems.count;
  }
  prt_race_sem *sem = &race->sems.items[*place - 1];
  if (!sem->buffer && !sem->is_barrier) name_sem(sem, node, like);
  return *place - 1;
}

static void give_units(prt_race *race, int32_t number, int32_t agent, int64_t units) {
  prt_race_sem *sem = &race->sems.items[number];
  sem->giver = !sem->giver || sem->giver == agent + 1 ? agent + 1 : -1;
  sem->pending += units;
}

void prt__race_given(prt_race *race, const prt_sem *sem, int64_t units) {
  race->given = sem;
  race->given_units = units;
}

static int64_t take_given(prt_race *race, const prt_sem *sem) {
  if (race->given != sem) return 0;
  race->given = NULL;
  return race->given_units;
}

void prt__race_signal(prt_race *race, prt_node *node, const prt_sem *sem, const prt_sem *like,
                      int64_t units, const prt_site *site) {
  if (!prt__race_is_on(race) || race->made) return;
  units -= take_given(race, sem);
  if (units <= 0) return;
  prt_race_event *event =
      add_event(race, prt__race_agent(race, node), RACE_SIGNAL, sem_of(race, node, sem, like));
  if (!event) return;
  event->units = units;
  event->site = site;
  give_units(race, event->with, event->agent, units);
  race->sems.items[event->with].last = (prt_race_signal){site, units, false};
  race->under_way += units;
}

const prt_race_sem *prt__race_sem(const prt_race *race, const prt_sem *sem) {
  int32_t number = race && race->sems.count ? *place_of(race, sem) : 0;
  return number ? &race->sems.items[number - 1] : NULL;
}

const prt_race_signal *prt__race_last_signal(const prt_race *race, const prt_sem *sem) {
  const prt_race_sem *known = prt__race_sem(race, sem);
  return known && known->last.site ? &known->last : NULL;
}

static void note_taker(prt_race *race, int32_t number, int32_t agent) {
  prt_race_sem *sem = &race->sems.items[number];
  race->depends |= sem->taker && sem->taker != agent + 1;
  sem->taker = agent + 1;
}

void prt__race_wait(prt_race *race, prt_node *node, const prt_sem *sem, int64_t units, bool keeps,
                    const prt_site *site) {
  if (is_closed(race) || units == 0) return;
  prt_race_event *event =
      add_event(race, prt__race_agent(race, node), RACE_WAIT, sem_of(race, node, sem, sem));
  if (!event) return;
  event->units = units;
  event->keeps = keeps;
  event->site = site;
  prt__trail_of(node)->has_waited = true;
  note_taker(race, event->with, event->agent);
  if (keeps) return;
  race->under_way -= units;
  race->sems.items[event->with].pending -= units;
}

// ---- accesses -----------------------------------------------------------------------------------
static prt_extent *keep_extent(prt_race *race, const prt_extent *extent) {
  size_t bytes = prt__extent_bytes(extent->rank);
  prt_extent *kept = prt__room_take(&race->extents, bytes);
  if (kept) memcpy(kept, extent, bytes);
  return kept;
}

static bool is_same_step(const prt_race_step *a, const prt_step *b, int32_t within) {
  return a->launch == b->launch && a->rank == b->rank && a->within == within &&
         memcmp(a->indices, b->indices, (size_t)b->rank * sizeof *b->indices) == 0;
}

int32_t prt__race_step(prt_race *race) {
  const prt_step *step = race->worker->step;
  const prt_node *node = race->worker->node;
  const prt_trail *trail = node ? prt__trail_of(node) : NULL;
  int32_t within = trail && trail->parallel ? trail->parallel_step : -1;
  enum { MOST = 8 };
  if (!step || step->rank == 0 || step->rank > MOST) return within;
  if (race->steps.count && is_same_step(&race->steps.items[race->steps.count - 1], step, within))
    return race->steps.count - 1;
  prt_race_step *kept = PRT_RACE_ADD(race, race->steps);
  if (!kept) return -1;
  *kept = (prt_race_step){
      .launch = step->launch, .rank = step->rank, .names = step->names, .within = within};
  memcpy(kept->indices, step->indices, (size_t)step->rank * sizeof *step->indices);
  return race->steps.count - 1;
}

static bool is_end(const prt_extent *e) { return e->rank == 0; }

// An access like the one before it, of the same agent between the same events, is part of it.
static bool is_part_of_last(prt_race *race, const prt_race_access *access,
                            const prt_extent *extent) {
  enum { FAR = 4 };
  for (int32_t i = 1; i <= FAR && i <= race->accesses.count; i++) {
    prt_race_access *last = &race->accesses.items[race->accesses.count - i];
    if (last->order != access->order || last->agent != access->agent) return false;
    if (last->site != access->site || last->how != access->how || last->copy != access->copy ||
        last->step != access->step || last->turn != access->turn || last->move != access->move ||
        last->is_sum != access->is_sum || last->is_block != access->is_block ||
        last->is_shared != access->is_shared)
      continue;
    if (prt__extent_covers(last->extent, extent)) return true;
    if (!is_end(last->extent) || !is_end(extent) || last->extent->end != extent->base) continue;
    last->extent->end = extent->end;
    last->extent->run += extent->run;
    return true;
  }
  return false;
}

// What the address is called.
static void find_memory(const prt_race *race, const char *address, prt_watched *out) {
  if (prt__watch_of(race->worker->call, address, out)) return;
  for (int32_t i = race->inputs.count; i-- > 0;) {
    const prt_watched *input = &race->inputs.items[i];
    if (address < input->base || address >= input->base + prt__watched_bytes(input)) continue;
    *out = *input;
    return;
  }
}

void prt__race_input(prt_worker *worker, const void *memory, int32_t dtype, int32_t rank,
                     const int64_t *dims, const char *what) {
  prt_ranks *r = prt__reports_to(worker->call->machine);
  if (r) {
    r->calls->tell(r, PRT_REPORTED_INPUT, memory, (int64_t)dtype, (int64_t)rank, what, dims);
    return;
  }
  prt_race *race = prt__race_of(worker);
  prt_watched *input = race ? PRT_RACE_ADD(race, race->inputs) : NULL;
  if (!input) return;
  *input = (prt_watched){memory, what, (int32_t)prt_dtype_size((prt_dtype)dtype), rank, dims};
  prt__race_passed_input(race, worker->node, memory, prt__watched_bytes(input));
}

static void add_access(prt_race *race, prt_race_access access, const prt_extent *extent) {
  race->depends |= access.how == PRT_CHANGE;
  access.order = race->events.count;
  access.step = prt__race_step(race);
  if (is_part_of_last(race, &access, extent)) return;
  access.extent = keep_extent(race, extent);
  if (!access.extent) prt__race_no_memory(race);
  prt_race_access *kept = access.extent ? PRT_RACE_ADD(race, race->accesses) : NULL;
  if (!kept) return;
  find_memory(race, extent->base, &access.memory);
  *kept = access;
  race->worker->call->is_open = true;
}

// Looks at those there may be, or at all there are, whichever are fewer.
static void forget_sems(prt_race *race, const char *memory, size_t bytes) {
  if (!race->sems.count) return;
  if (bytes / sizeof(prt_sem) < (size_t)race->sems.count) {
    for (size_t at = 0; at + sizeof(prt_sem) <= bytes; at += sizeof(prt_sem)) {
      int32_t number = *place_of(race, memory + at);
      if (number) race->sems.items[number - 1].address = NULL;
    }
    return;
  }
  for (int32_t i = 0; i < race->sems.count; i++) {
    const char *at = (const char *)race->sems.items[i].address;
    if (at >= memory && at < memory + bytes) race->sems.items[i].address = NULL;
  }
}

void prt__race_forget(prt_race *race, const void *memory, size_t bytes) {
  if (is_closed(race)) return;
  forget_sems(race, memory, bytes);
  prt_region region = {memory, 1, 1, &(int64_t){(int64_t)bytes}, &(int64_t){1}};
  prt_extent_room room;
  if (race->accesses.count && prt__extent_of(&region, &room.extent))
    add_access(race, (prt_race_access){.copy = PRT_NO_COPY}, &room.extent);
}

// Whether cores that have steps of a launch between them have the memory in common.
static bool is_shared(const prt_race *race, const prt_node *node, const void *memory) {
  const prt_node *owner;
  const prt_buffer *buffer = race->apart ? prt__buffer_of(node, memory, &owner) : NULL;
  return race->apart && (!buffer || buffer->space == PRT_HBM);
}

void prt__race_access(prt_worker *worker, const prt_site *site, const prt_region *region,
                      int32_t how) {
  prt_race *race = worker->call->race;
  prt_ranks *r = race ? NULL : prt__reports_to(worker->call->machine);
  if (r) r->calls->tell(r, PRT_REPORTED_ACCESS, site, region, (int64_t)how);
  if (!worker->node || !prt__race_is_on(race)) return;
  bool shares = is_shared(race, worker->node, region->base);
  const prt_trail *trail = prt__trail_of(worker->node);
  if (is_alone(race) && !shares && !trail->turn) return;
  prt_extent_room room;
  int32_t agent = prt__race_agent(race, worker->node);
  if (agent < 0 || !prt__extent_of(region, &room.extent)) return;
  prt_race_access access = {.site = site,
                            .agent = agent,
                            .at = race->agents.items[agent].at,
                            .copy = race->made ? race->made - 1 : PRT_NO_COPY,
                            .how = (uint8_t)(how & ~PRT_BLOCK),
                            .move = (uint8_t)(how >> PRT_MOVE_SHIFT),
                            .turn = trail->turn,
                            .is_block = (how & PRT_BLOCK) != 0,
                            .is_sum = trail->sums > 0,
                            .is_shared = shares};
  add_access(race, access, &room.extent);
}

void prt__race_element(prt_worker *worker, const prt_site *site, const void *element, int64_t bytes,
                       int32_t how) {
  prt_region region = {element, (int32_t)bytes, 0, NULL, NULL};
  prt__race_access(worker, site, &region, how);
}

void prt__race_polled(prt_task *task, const prt_sem *sem, int32_t count, int32_t least,
                      const prt_site *site) {
  prt_node *node = (prt_node *)task;
  prt_race *race = prt__schedule_of(node)->race;
  prt_ranks *r = race ? NULL : prt__reports_to(task->worker->call->machine);
  if (r)
    r->calls->tell(r, PRT_REPORTED_POLLED, sem, (int64_t)count, (int64_t)least, site);
  else if (prt__race_is_on(race) && least > 0 && count >= least)
    prt__race_wait(race, node, sem, least, true, site);
}

// The first term of the sum that is recorded now.
static int32_t first_term(const prt_race *race) {
  return race->sums.count ? race->sums.items[race->sums.count - 1].end : 0;
}

static void add_term(prt_race *race, int32_t sem, int64_t weight) {
  for (int32_t i = first_term(race); i < race->terms.count; i++) {
    if (race->terms.items[i].sem != sem) continue;
    race->terms.items[i].weight += weight;
    return;
  }
  prt_race_term *term = PRT_RACE_ADD(race, race->terms);
  if (term) *term = (prt_race_term){.weight = weight, .sem = sem};
}

void prt__race_polled_term(prt_task *task, const prt_sem *sem, int64_t weight) {
  prt_node *node = (prt_node *)task;
  prt_race *race = prt__schedule_of(node)->race;
  prt_ranks *r = race ? NULL : prt__reports_to(task->worker->call->machine);
  if (r) r->calls->tell(r, PRT_REPORTED_POLLED_TERM, sem, weight);
  if (weight <= 0 || !prt__race_is_on(race)) return; // a count may be as small as 0
  int32_t number = sem_of(race, node, sem, sem);
  if (number >= 0) add_term(race, number, weight);
}

static int32_t first_point(const prt_race *race) {
  return race->sums.count ? race->sums.items[race->sums.count - 1].end_point : 0;
}

// What has been said of the terms proves what a wait for the one semaphore does; or of several.
static void add_poll(prt_race *race, prt_node *node, int64_t least, int32_t side,
                     const prt_site *site) {
  int32_t first = first_term(race), end = race->terms.count, point = first_point(race);
  prt_race_event *event = add_event(race, prt__race_agent(race, node), RACE_POLL, race->sums.count);
  prt_race_sum *sum = event ? PRT_RACE_ADD(race, race->sums) : NULL;
  if (!sum) return;
  *sum = (prt_race_sum){first, end, side, point, race->points.count};
  event->units = least;
  event->site = site;
  for (int32_t i = first; i < end; i++) note_taker(race, race->terms.items[i].sem, event->agent);
}

void prt__race_polled_sum(prt_task *task, int64_t least, const prt_site *site) {
  enum { MOST = 1 << 30 }; // beyond, the program's own sum may have been too large for its type
  prt_node *node = (prt_node *)task;
  prt_race *race = prt__schedule_of(node)->race;
  prt_ranks *r = race ? NULL : prt__reports_to(task->worker->call->machine);
  if (r) r->calls->tell(r, PRT_REPORTED_POLLED_SUM, least, site);
  if (is_closed(race)) return;
  int32_t first = first_term(race);
  if (race->terms.count > first && least > 0 && least <= MOST)
    add_poll(race, node, least, 0, site);
  else
    race->terms.count = first;
}

void prt__race_polled_count(prt_task *task, const prt_sem *sem) {
  prt_node *node = (prt_node *)task;
  prt_race *race = prt__schedule_of(node)->race;
  prt_ranks *r = race ? NULL : prt__reports_to(task->worker->call->machine);
  if (r) r->calls->tell(r, PRT_REPORTED_POLLED_COUNT, sem);
  int32_t number = prt__race_is_on(race) ? sem_of(race, node, sem, sem) : -1;
  prt_race_term *term = number < 0 ? NULL : PRT_RACE_ADD(race, race->terms);
  if (term) *term = (prt_race_term){.weight = 1, .sem = number};
}

// Whether no count of `a` is above that of `b`.
static bool is_below(const prt_race_sum *sum, int64_t a, int64_t b) {
  for (int32_t i = 0; i < sum->end - sum->first; i++)
    if (prt__race_count_at(sum, a, i) > prt__race_count_at(sum, b, i)) return false;
  return true;
}

void prt__race_polled_point(prt_task *task, int32_t side, int64_t point) {
  prt_race *race = prt__schedule_of((prt_node *)task)->race;
  prt_ranks *r = race ? NULL : prt__reports_to(task->worker->call->machine);
  if (r) r->calls->tell(r, PRT_REPORTED_POLLED_POINT, (int64_t)side, point);
  if (is_closed(race)) return;
  prt_race_sum sum = {.first = first_term(race), .end = race->terms.count, .side = side};
  for (int32_t i = first_point(race); i < race->points.count; i++)
    if (is_below(&sum, race->points.items[i], point)) return;
  int64_t *last = PRT_RACE_ADD(race, race->points);
  if (last) *last = point;
}

void prt__race_polled_points(prt_task *task, int32_t side, const prt_site *site) {
  prt_node *node = (prt_node *)task;
  prt_race *race = prt__schedule_of(node)->race;
  prt_ranks *r = race ? NULL : prt__reports_to(task->worker->call->machine);
  if (r) r->calls->tell(r, PRT_REPORTED_POLLED_POINTS, (int64_t)side, site);
  if (is_closed(race)) return;
  int32_t first = first_point(race);
  // It would go on without a unit, or only for counts that are not known.
  bool is_open = race->points.count == first || race->points.items[first] == 0;
  if (race->terms.count > first_term(race) && !is_open) {
    add_poll(race, node, 0, side, site);
  } else {
    race->terms.count = first_term(race);
    race->points.count = first;
  }
}

// NULL: no memory.
static prt_race_atomic *atomic_of(prt_race *race, const void *place) {
  for (int32_t i = 0; i < race->atomics.count; i++)
    if (race->atomics.items[i].place == place) return &race->atomics.items[i];
  prt_race_atomic *atomic = PRT_RACE_ADD(race, race->atomics);
  if (atomic) *atomic = (prt_race_atomic){.place = place};
  return atomic;
}

void prt__race_atomic(prt_worker *worker, const prt_site *site, const void *place, int64_t bytes,
                      int32_t is_looked_at) {
  prt_race *race = worker->call->race;
  prt_ranks *r = race ? NULL : prt__reports_to(worker->call->machine);
  if (r) {
    r->calls->tell(r, PRT_REPORTED_ATOMIC, site, place, bytes, (int64_t)is_looked_at);
    return;
  }
  prt__race_element(worker, site, place, bytes, PRT_CHANGE);
  if (!worker->node || !prt__race_is_on(race)) return;
  prt_race_atomic *atomic = atomic_of(race, place);
  if (!atomic) return;
  int32_t number = (int32_t)(atomic - race->atomics.items);
  prt_race_event *event = add_event(race, prt__race_agent(race, worker->node), RACE_ATOMIC, number);
  if (!event) return;
  event->is_seen = is_looked_at != 0;
  event->units = is_looked_at ? atomic->changes : atomic->seen;
  atomic->changes++;
  if (is_looked_at) atomic->seen = atomic->changes;
}

// ---- launches -----------------------------------------------------------------------------------
// All agents of the launch in the order of their cores, whoever begins first: clocks hold
// neighbours, who talk to each other most, next to each other.
static void number_agents(prt_race *race, const prt_joint *joint) {
  if (joint->groups->trails->race_segment == race->segment) return;
  for (int32_t d = 0; d < joint->devices; d++)
    for (int32_t i = 0; i < joint->groups[d].count; i++)
      prt__race_agent(race, &joint->groups[d].nodes[i]);
}

// The memory of the launch's cores begins or ends, so many events of the node ago.
static void add_memory(prt_race *race, prt_node *node, const prt_group *group, int32_t ago,
                       int32_t how) {
  const prt_joint *joint = group->joint;
  int32_t number = prt__race_agent(race, node);
  prt_region region = {joint->memory + joint->device_bytes * (group - joint->groups), 1, 1,
                       &joint->device_bytes, &(int64_t){1}};
  prt_extent_room room;
  if (number < 0 || !prt__extent_of(&region, &room.extent)) return;
  prt_race_access access = {.site = node->site,
                            .agent = number,
                            .at = race->agents.items[number].at - ago,
                            .copy = PRT_NO_COPY,
                            .how = (uint8_t)how};
  add_access(race, access, &room.extent);
}

// It is there for other devices from when its device has come to the meeting before the launch, if
// there is one.
static void begin_memory(prt_race *race, prt_node *node, const prt_group *group) {
  enum { MEETING_EVENTS = 2 };
  int32_t number = prt__race_agent(race, node);
  if (number < 0 || group->joint->devices == 1) return;
  const prt_race_agent *agent = &race->agents.items[number];
  bool has_met = agent->met && agent->met == agent->at;
  add_memory(race, node, group, has_met ? MEETING_EVENTS : 0, PRT_BEGIN);
}

void prt__race_launch(prt_race *race, prt_node *node, prt_group *group) {
  if (!prt__race_is_on(race)) return;
  number_agents(race, group->joint);
  race->running += group->count - 1;
  if (race->running > 1) begin_memory(race, node, group);
  group->parallel = 0;
  if (!add_event(race, prt__race_agent(race, node), RACE_LAUNCH, -1)) return;
  group->race_segment = race->segment;
  group->race_launch = race->events.count - 1;
}

void prt__race_join(prt_race *race, prt_node *node, const prt_group *group) {
  if (is_closed(race)) return;
  int32_t launch = launch_of(race, group);
  if (launch >= 0) add_event(race, prt__race_agent(race, node), RACE_JOIN, launch);
  race->running -= group->count - 1;
  bool is_of_cores = group->nodes->program->kind != PRT_DEVICE_PROGRAM;
  if (is_of_cores && race->under_way > 0) add_memory(race, node, group, 0, PRT_OVER);
}

// ---- copies -------------------------------------------------------------------------------------
// `owner`: the task in whose memory it is, or that sees it.
static void add_extent(prt_race *race, int32_t copy, const prt_site *site, const prt_extent *extent,
                       int32_t how, bool is_shared) {
  const prt_race_event *event = &race->events.items[race->copies.items[copy].event];
  prt_race_access access = {.site = site,
                            .agent = event->agent,
                            .at = event->at + 1,
                            .copy = copy,
                            .turn = race->copies.items[copy].turn,
                            .how = (uint8_t)how,
                            .is_shared = is_shared};
  add_access(race, access, extent);
}

static void add_end(prt_race *race, int32_t copy, const prt_site *site, const prt_node *owner,
                    const prt_region *region, int32_t how) {
  prt_extent_room room;
  if (!prt__extent_of(region, &room.extent)) return;
  add_extent(race, copy, site, &room.extent, how, is_shared(race, owner, region->base));
}

void prt__race_add_end(prt_race *race, int32_t copy, const prt_extent *extent, uint8_t how) {
  const prt_race_event *event = &race->events.items[race->copies.items[copy].event];
  add_extent(race, copy, event->site, extent, how, false);
}

void prt__race_own(prt_race *race, prt_node *node, const prt_site *site, const prt_extent *extent,
                   uint8_t how) {
  int32_t agent = prt__race_agent(race, node);
  if (agent < 0) return;
  prt_race_access access = {.site = site,
                            .agent = agent,
                            .at = race->agents.items[agent].at,
                            .copy = PRT_NO_COPY,
                            .how = how};
  add_access(race, access, extent);
}

static int64_t units_of(const prt_copy *copy, int32_t flag, int64_t bytes) {
  return copy->counts & flag ? 1 : bytes;
}

void prt__race_index(prt_worker *worker, const prt_region *region) {
  prt_race *race = worker->call->race;
  prt_ranks *r = race ? NULL : prt__reports_to(worker->call->machine);
  if (r) r->calls->tell(r, PRT_REPORTED_INDEX, region);
  if (!race || !worker->node || is_closed(race) || !race->events.count) return;
  const prt_race_event *last = &race->events.items[race->events.count - 1];
  bool is_copy = last->kind == RACE_COPY && last->agent == prt__race_agent(race, worker->node);
  if (!is_copy) return;
  race->copies.items[last->with].index = region->base;
  add_end(race, last->with, last->site, worker->node, region, PRT_READ);
}

// The number of the copy that the node starts; -1: no memory.
static int32_t start_copy(prt_race *race, prt_node *node, prt_node *peer, const prt_site *site,
                          const prt_sem *received, const prt_sem *sent, int64_t received_units,
                          int64_t sent_units) {
  int32_t received_sem = sem_of(race, peer, received, received);
  int32_t sent_sem = sent ? sem_of(race, node, sent, sent) : -1;
  int32_t agent = prt__race_agent(race, node), number = race->copies.count;
  prt_race_copy *kept = received_sem < 0 ? NULL : PRT_RACE_ADD(race, race->copies);
  if (!kept) return -1;
  *kept = (prt_race_copy){.event = race->events.count,
                          .to = prt__race_agent(race, peer),
                          .received = received_sem,
                          .sent = sent_sem,
                          .received_units = received_units,
                          .sent_units = sent ? sent_units : 0,
                          .turn = prt__trail_of(node)->turn,
                          .is_of_step = prt__trail_of(node)->parallel != 0};
  prt_race_event *event = add_event(race, agent, RACE_COPY, number);
  if (!event) return -1;
  event->site = site;
  race->sems.items[received_sem].last = (prt_race_signal){site, received_units, true};
  if (sent_sem >= 0) race->sems.items[sent_sem].last = (prt_race_signal){site, sent_units, true};
  give_units(race, received_sem, event->agent, received_units);
  if (sent_sem >= 0) give_units(race, sent_sem, event->agent, sent_units);
  race->under_way += kept->received_units + kept->sent_units;
  return number;
}

int32_t prt__race_go_on(prt_race *race, prt_node *node, const prt_site *site, const prt_sem *sem,
                        int64_t units) {
  return start_copy(race, node, node, site, sem, NULL, units, 0);
}

int32_t prt__race_go_by(prt_race *race, prt_node *node, const prt_site *site, const void *count,
                        const prt_buffer *buffer, int32_t index) {
  if (!prt__race_is_on(race)) return -1;
  int32_t number = start_copy(race, node, node, site, count, NULL, 1, 0);
  if (number < 0) return -1;
  prt_race_sem *sem = &race->sems.items[race->copies.items[number].received];
  sem->buffer = buffer;
  sem->index = index;
  return number;
}

// Memory of a core that has not begun is not watched yet; it has a name all the same.
static void name_target(prt_race *race, const prt_node *peer, const void *to) {
  const prt_node *owner;
  prt_race_access *target =
      race->accesses.count ? &race->accesses.items[race->accesses.count - 1] : NULL;
  if (!target || target->extent->base != to || target->memory.what) return;
  const prt_buffer *buffer = prt__buffer_of(peer, to, &owner);
  if (buffer && buffer->name[0])
    target->memory = (prt_watched){.base = to, .what = buffer->name, .element_bytes = 1};
}

static bool is_same_region(const prt_region *a, const prt_region *b) {
  bool is_same = a->base == b->base;
  for (int32_t d = 0; is_same && d < a->rank; d++) is_same = a->strides[d] == b->strides[d];
  return is_same;
}

void prt__race_copy(prt_race *race, const prt_transfer *t, int64_t bytes) {
  if (!prt__race_is_on(race)) return;
  prt_node *node = t->from_task, *peer = t->to_task;
  const prt_copy *copy = t->copy;
  int32_t number = start_copy(race, node, peer, copy->site, t->received, t->sent,
                              units_of(copy, 1, bytes), units_of(copy, 2, bytes));
  if (number < 0) return;
  prt_region target = {t->to, copy->element_bytes, copy->rank, t->dims, copy->to_strides};
  prt_region source = {t->from, copy->element_bytes, copy->rank, t->dims, copy->from_strides};
  // A copy of memory to itself leaves there what it reads: only others may not come between.
  bool leaves = node == peer && !copy->add && is_same_region(&source, &target);
  if (!leaves) add_end(race, number, copy->site, node, &source, PRT_READ);
  add_end(race, number, copy->site, peer, &target, copy->add ? PRT_CHANGE : PRT_WRITE);
  name_target(race, peer, t->to);
}

// Whether the step is one of the launch that has parallel steps, not of a pipeline inside of them.
static bool is_of_steps(prt_race *race, const prt_trail *trail) {
  int32_t number = trail->parallel ? prt__race_step(race) : -1;
  if (number < 0 || trail->parallel_step < 0) return false;
  const prt_race_step *step = &race->steps.items[number];
  const prt_race_step *first = &race->steps.items[trail->parallel_step];
  return step->launch == first->launch && step->names == first->names && step->rank == first->rank;
}

void prt__race_window(prt_task *task, const prt_site *site, const prt_region *block,
                      const prt_sem *sem, int32_t how, const char *what, int32_t buffers,
                      int32_t ahead) {
  prt_node *node = (prt_node *)task;
  prt_race *race = prt__schedule_of(node)->race;
  prt_ranks *r = race ? NULL : prt__reports_to(task->worker->call->machine);
  if (r)
    r->calls->tell(r, PRT_REPORTED_WINDOW, site, block, sem, (int64_t)how, what, (int64_t)buffers,
                   (int64_t)ahead);
  int32_t number = prt__race_is_on(race) ? start_copy(race, node, node, site, sem, NULL, 1, 0) : -1;
  if (number < 0) return;
  prt_race_copy *copy = &race->copies.items[number];
  copy->window = what;
  race->sems.items[copy->received].is_of_windows = true;
  copy->buffers = buffers;
  copy->ahead = ahead;
  int32_t accesses = race->accesses.count;
  add_end(race, number, site, node, block, how);
  // A window of the steps themselves is fetched by one for another: prt_parallel.c has those.
  if (race->accesses.count > accesses && is_of_steps(race, prt__trail_of(node)))
    race->accesses.items[accesses].is_shared = false;
  race->made = number + 1;
}

void prt__race_copy_begin(prt_task *task, const prt_site *site, const prt_sem *received,
                          const prt_sem *sent, int64_t received_units, int64_t sent_units) {
  prt_node *node = (prt_node *)task;
  prt_race *race = prt__schedule_of(node)->race;
  prt_ranks *r = race ? NULL : prt__reports_to(task->worker->call->machine);
  if (r)
    r->calls->tell(r, PRT_REPORTED_COPY_BEGIN, site, received, sent, received_units, sent_units);
  if (!prt__race_is_on(race)) return;
  int32_t number = start_copy(race, node, node, site, received, sent, received_units, sent_units);
  race->made = number + 1;
}

void prt__race_copy_end(prt_worker *worker) {
  prt_ranks *r = prt__reports_to(worker->call->machine);
  if (r) r->calls->tell(r, PRT_REPORTED_COPY_END);
  if (worker->call->race) worker->call->race->made = 0;
}
