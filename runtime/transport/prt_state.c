// SPDX-License-Identifier: Apache-2.0
// What rank 0 has to know for the report of a deadlock: who waits for what on the other ranks. It
// puts that into the tasks that it has for their devices, so that the report is that of one
// process.
#include <stdlib.h>
#include "prt_wire.h"

// What a rank tells of itself: the devices that have come to the next meeting, then of each task:
typedef struct Record {
  prt_place task, semaphore;
  int64_t value, semaphore_count;
  uint64_t done;
  int64_t wait;
} Record; // and the place in the source where it waits

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

// Cores of own devices that have ended with their launch, as prt__state_keep has left them.
static void put_ended(prt_wire *wire, const prt_ranks *r, const prt_launched *launched) {
  int32_t each = launched->cores / r->own_count;
  for (int32_t i = 0; launched->done && i < launched->cores; i++) {
    Record record = {.task = {.kind = PLACE_CORES,
                              .number = launched->number,
                              .ordinal = launched->ordinal,
                              .device = r->own_first + i / each,
                              .core = i % each},
                     .done = launched->done[i],
                     .wait = WAIT_ENDED};
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

void prt__state_send(prt_ranks *r) {
  prt_schedule *s = r->schedule;
  prt_wire wire = {0};
  prt__put_number(&wire, own_met(r));
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
  if (prt__task_at(s, &record->task, &node) != FOUND) { // its launch has not begun here
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

void prt__state_take(prt_ranks *r, const prt_message *message) {
  prt_words words = prt__words_of(message);
  prt__get_number(&words);
  while (words.at < words.end) {
    size_t bytes;
    const Record *record = prt__get_bytes(&words, &bytes);
    const prt_site *site = prt__get_site(&words, r);
    if (words.failed || !record || bytes != sizeof *record) return;
    apply(r->schedule, record, site);
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
