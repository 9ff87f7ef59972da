// SPDX-License-Identifier: Apache-2.0
// What rank 0 has to know for the report of a deadlock: who waits for what on the other ranks. It
// puts that into the tasks that it has for their devices, so that the report is that of one
// process.
#include "prt_ranks.h"
#include <stdlib.h>
#include <string.h>

typedef struct StateHead {
  prt_packet head;
  int32_t met, count; // devices that have come to the next meeting; records behind it
} StateHead;

// Behind it: the file's name, the line's text, each with its NUL.
typedef struct Record {
  prt_place task, semaphore;
  int64_t value, semaphore_count;
  uint64_t done;
  int32_t wait, line, column, end_column, text_bytes;
} Record;

// ---- on the rank that waits ---------------------------------------------------------------------
static void add_record(prt_schedule *s, prt_text *text, const prt_node *node) {
  Record record = {.done = node->task.done, .wait = node->wait};
  const prt_site *site = node->site;
  const char *file = site && site->file ? site->file : "";
  const char *source = site && site->source ? site->source : "";
  prt__place_of_task(s, node, &record.task);
  if (prt__waits_for_sem(node)) {
    int32_t owner;
    prt__place_of(s, node->sem, &record.semaphore, &owner);
    record.semaphore_count = atomic_load_explicit(&node->sem->count, memory_order_relaxed);
    record.value = node->value;
  }
  record.line = site ? site->line : 0;
  record.column = site ? site->column : 0;
  record.end_column = site ? site->end_column : 0;
  record.text_bytes = (int32_t)((strlen(file) + strlen(source) + 2 + 7) / 8 * 8);
  size_t pad = (size_t)record.text_bytes - strlen(file) - strlen(source) - 2;
  prt__text_add(text, (const char *)&record, sizeof record);
  prt__text_add(text, file, strlen(file) + 1);
  prt__text_add(text, source, strlen(source) + 1);
  prt__text_pad(text, 0, (int64_t)pad);
}

static int32_t add_group(prt_schedule *s, prt_text *text, const prt_group *group, int32_t first,
                         int32_t count) {
  for (int32_t i = first; i < first + count; i++) add_record(s, text, &group->nodes[i]);
  return count;
}

void prt__state_send(prt_ranks *r) {
  prt_schedule *s = r->schedule;
  prt_text text = {0};
  StateHead head = {.met = r->others[r->rank].met > r->met ? r->own_count : r->own_met};
  head.count = add_group(s, &text, r->devices->groups, r->own_first, r->own_count);
  for (const prt_joint *joint = s->joints; joint; joint = joint->next)
    for (int32_t d = r->own_first; d < r->own_first + r->own_count; d++)
      if (joint->groups[d].has_come)
        head.count += add_group(s, &text, &joint->groups[d], 0, joint->groups[d].count);
  prt_message *message = prt__packet_new(r, PACKET_STATE, sizeof head + text.length);
  if (message) {
    head.head = *(prt_packet *)(void *)message->data;
    memcpy(message->data, &head, sizeof head);
    if (text.length) memcpy(message->data + sizeof head, text.data, text.length);
    prt__send(r, 0, message);
  }
  prt__text_free(&text);
}

// ---- on rank 0 ----------------------------------------------------------------------------------
static void apply(prt_schedule *s, const Record *record, prt_site *site) {
  prt_ranks *r = s->ranks;
  prt_node *node;
  if (prt__task_at(s, &record->task, &node) != FOUND) { // its launch has not begun here
    r->unseen += record->wait == WAIT_SEM || record->wait == WAIT_POLL;
    return;
  }
  const char *file = (const char *)(record + 1);
  *site = (prt_site){.file = file,
                     .line = record->line,
                     .column = record->column,
                     .end_column = record->end_column,
                     .source = file[strlen(file) + 1] ? file + strlen(file) + 1 : NULL,
                     .function = ""};
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
  const StateHead *head = (const void *)message->data;
  prt_other *other = &r->others[message->from];
  if (message->bytes < sizeof *head || head->count < 0) return;
  prt_site *sites = calloc((size_t)head->count + 1, sizeof *sites);
  if (!sites) return;
  free(other->sites);
  other->sites = sites;
  const char *at = (const char *)(head + 1), *end = (const char *)message->data + message->bytes;
  for (int32_t i = 0; i < head->count && at + sizeof(Record) <= end; i++) {
    const Record *record = (const void *)at;
    at += sizeof *record + record->text_bytes;
    if (at > end || record->text_bytes < 2) return;
    apply(r->schedule, record, &sites[i]);
  }
}

int32_t prt__state_met(const prt_ranks *r) {
  int32_t met = r->others[r->rank].met > r->met ? r->own_count : r->own_met;
  for (int32_t i = 0; i < r->ranks; i++)
    if (r->others[i].state) met += ((const StateHead *)(const void *)r->others[i].state->data)->met;
  return met;
}
