// SPDX-License-Identifier: Apache-2.0
// What rank 0 has to know for the report of a deadlock: who waits for what on the other ranks. It
// puts that into the tasks that it has for their devices, so that the report is that of one
// process.
#include <stdlib.h>
#include "tasks/prt_task.h"
#include "prt_idle.h"
#include "prt_messages.h"
#include "prt_ranks.h"
#include "prt_wire.h"
#include "prt_interned.h"

// A rank says how many of its devices have come to the next meeting, and how constants lie there;
// the launches that are under way, with their programs; then of each task, up to the end,
typedef struct Record {
  prt_place task, semaphore;
  int64_t value, semaphore_count;
  uint64_t done;
  int64_t wait;
} Record; // and the place in the source where it waits.

// ---- on the rank that waits ---------------------------------------------------------------------
static void put_record(prt_wire *wire, prt_schedule *s, const prt_node *node) {
  Record record = {.done = node->task.done, .wait = node->wait};
  prt__place_of_task(s, node, &record.task);
  if (prt__waits_for_sem(node)) {
    int32_t owner;
    prt__place_of(s, node->sem, &record.semaphore, &owner);
    record.semaphore_count = atomic_load_explicit(&node->sem->count, memory_order_relaxed);
    record.value = node->value;
  }
  prt__put_bytes(wire, &record, sizeof record);
  prt__put_site(wire, node->site);
}

static void put_group(prt_wire *wire, prt_schedule *s, const prt_group *group, int32_t first,
                      int32_t count) {
  for (int32_t i = first; i < first + count; i++) put_record(wire, s, &group->nodes[i]);
}

// Cores of a rank's devices that have ended with their launch, as prt__state_keep has left them.
static Record ended(const prt_ranks *r, const prt_launched *launched, int32_t i) {
  int32_t each = launched->cores / r->own_count;
  return (Record){.task = {.kind = PLACE_CORES,
                           .number = launched->number,
                           .ordinal = launched->ordinal,
                           .device = r->own_first + i / each,
                           .core = i % each},
                  .done = launched->done[i],
                  .wait = WAIT_ENDED};
}

static void put_ended(prt_wire *wire, const prt_ranks *r, const prt_launched *launched) {
  for (int32_t i = 0; i < launched->cores; i++) {
    Record record = ended(r, launched, i);
    prt__put_bytes(wire, &record, sizeof record);
    prt__put_site(wire, NULL);
  }
}

void prt__state_keep(prt_ranks *r, const prt_joint *joint) {
  prt_launched *launched = prt__launched_of(r, joint->number);
  int32_t each = joint->groups->count, cores = each * r->own_count;
  uint64_t *done = launched && cores ? realloc(launched->done, (size_t)cores * sizeof *done) : NULL;
  if (!done) return;
  launched->done = done;
  launched->ordinal = joint->ordinal;
  launched->cores = cores;
  for (int32_t i = 0; i < cores; i++)
    done[i] = joint->groups[r->own_first + i / each].nodes[i % each].task.done;
}

static int32_t own_met(const prt_ranks *r) {
  return r->others[r->rank].met > r->met ? r->own_count : r->own_met;
}

static void put_launches(prt_wire *wire, prt_schedule *s) {
  int32_t count = 0;
  for (const prt_joint *joint = s->joints; joint; joint = joint->next) count++;
  prt__put_number(wire, count);
  for (const prt_joint *joint = s->joints; joint; joint = joint->next) {
    prt__put_number(wire, joint->number);
    prt__put_number(wire, joint->ordinal);
    prt__put_number(wire, joint->order);
    prt__put_number(wire, joint->program_count);
    prt__put_constant(wire, s->call, joint->programs);
  }
}

void prt__state_send(prt_ranks *r) {
  prt_schedule *s = r->schedule;
  prt_wire wire = {0};
  prt__show_looks(s);
  prt__put_number(&wire, own_met(r));
  prt__put_number(&wire, (int64_t)prt__layout_of(s->call, r->devices->programs[0]));
  put_launches(&wire, s);
  put_group(&wire, s, r->devices->groups, r->own_first, r->own_count);
  for (const prt_joint *joint = s->joints; joint; joint = joint->next)
    for (int32_t d = r->own_first; d < r->own_first + r->own_count; d++)
      if (joint->groups[d].has_come)
        put_group(&wire, s, &joint->groups[d], 0, joint->groups[d].count);
  for (int32_t i = 0; i < r->launched_count; i++) put_ended(&wire, r, &r->launched[i]);
  prt_message *message = prt__wire_packet(r, PACKET_STATE, &wire);
  if (message) prt__send(r, 0, message);
  free(wire.words);
}

// ---- on rank 0 ----------------------------------------------------------------------------------
static void apply(prt_schedule *s, const Record *record, const prt_site *site) {
  prt_ranks *r = s->ranks;
  prt_node *node;
  if (prt__task_at(s, &record->task, &node) != FOUND) {
    r->unseen += record->wait == WAIT_SEM || record->wait == WAIT_POLL;
    return;
  }
  node->task.done = record->done;
  node->wait = (uint8_t)record->wait;
  node->value = record->value;
  node->site = site;
  node->group->has_come = true;
  if (record->wait == WAIT_LAUNCH) node->children = NULL;
  if (!prt__waits_for_sem(node)) return;
  void *sem;
  if (prt__address_of(s, &record->semaphore, &sem) != FOUND || !sem) sem = &s->nowhere;
  node->sem = sem;
  atomic_store_explicit(&node->sem->count, record->semaphore_count, memory_order_relaxed);
}

// A launch that rank 0's devices have not come to, or have left, is made for the report.
static void make_launch(prt_ranks *r, const prt_place *place, int32_t order, int32_t count,
                        const prt_program *const *programs) {
  prt_schedule *s = r->schedule;
  prt_node *node;
  if (prt__task_at(s, place, &node) == FOUND) return;
  const prt_launched *launched = prt__launched_of(r, place->number);
  prt_joint *joint = prt__joint_of_others(s, count, programs, place->ordinal, order);
  if (!joint || !launched || launched->ordinal != place->ordinal) return;
  for (int32_t i = 0; i < launched->cores; i++) {
    Record record = ended(r, launched, i);
    apply(s, &record, NULL);
  }
}

static void take_launches(prt_ranks *r, prt_words *words, bool is_made) {
  int64_t count = prt__get_number(words);
  while (count-- > 0 && !words->failed) {
    prt_place place = {.kind = PLACE_CORES, .number = (int32_t)prt__get_number(words)};
    place.ordinal = (int32_t)prt__get_number(words);
    int32_t order = (int32_t)prt__get_number(words);
    int32_t programs = (int32_t)prt__get_number(words);
    const void *constant = prt__get_constant(words, r->schedule->call);
    if (is_made && !words->failed) make_launch(r, &place, order, programs, constant);
  }
}

static void take_tasks(prt_ranks *r, prt_words *words) {
  while (words->at < words->end) {
    size_t bytes;
    const Record *record = prt__get_bytes(words, &bytes);
    const prt_site *site = prt__get_site(words, r);
    if (words->failed || !record || bytes != sizeof *record) return;
    apply(r->schedule, record, site);
  }
}

// What one rank says of a launch may be needed where another one waits: all of these come first.
void prt__states_take(prt_ranks *r) {
  uint64_t layout = prt__layout_of(r->schedule->call, r->devices->programs[0]);
  for (int32_t pass = 0; pass < 2; pass++)
    for (int32_t i = 1; i < r->ranks; i++) {
      prt_words words = prt__words_of(r->others[i].state);
      prt__get_number(&words);
      bool is_same_layout = (uint64_t)prt__get_number(&words) == layout;
      take_launches(r, &words, is_same_layout && pass == 0);
      if (pass == 1) take_tasks(r, &words);
    }
}

int32_t prt__state_met(const prt_ranks *r) {
  int32_t met = own_met(r);
  for (int32_t i = 0; i < r->ranks; i++) {
    if (!r->others[i].state) continue;
    prt_words words = prt__words_of(r->others[i].state);
    met += (int32_t)prt__get_number(&words);
  }
  return met;
}
