// SPDX-License-Identifier: Apache-2.0
// Elements of copies in launches that rank 0 leads, with their marks; and what has come, until it
// is asked for.
#include <stdlib.h>
#include <string.h>
#include "check/prt_shadow_ranks.h"
#include "check/prt_watch.h"
#include "machine/prt_call.h"
#include "machine/prt_fail.h"
#include "tasks/prt_copy.h"
#include "prt_idle.h"
#include "prt_messages.h"
#include "prt_moved.h"

// ---- inboxes ------------------------------------------------------------------------------------
void prt__inbox_add(prt_inbox *inbox, prt_message *message) {
  message->next = NULL;
  if (!inbox->first) inbox->last = &inbox->first;
  *inbox->last = message;
  inbox->last = &message->next;
}

// Taken out; NULL: it is empty.
static prt_message *first(prt_inbox *inbox) {
  prt_message *message = inbox->first;
  if (message) inbox->first = message->next;
  return message;
}

void prt__inbox_free(prt_inbox *inbox) {
  for (prt_message *message; (message = first(inbox));) free(message);
}

prt_message *prt__inbox_wait(prt_ranks *r, prt_inbox *inbox) {
  while (!inbox->first && !r->led.is_lost)
    r->led.is_lost = !prt__ranks_await(r, r->led.worker->call);
  return first(inbox);
}

// ---- packets ------------------------------------------------------------------------------------
prt_message *prt__wire_packet(prt_ranks *r, prt_packet_kind kind, prt_wire *wire) {
  size_t bytes = wire->count * sizeof *wire->words;
  prt_message *message = wire->failed ? NULL : prt__packet_new(r, kind, sizeof(prt_packet) + bytes);
  if (wire->failed && r->schedule)
    prt__call_fail_text(r->schedule->call, PRT_ERROR_MEMORY, "out of memory");
  if (message && bytes) memcpy(message->data + sizeof(prt_packet), wire->words, bytes);
  wire->count = 0;
  return message;
}

prt_words prt__words_of(const prt_message *message) {
  const uint64_t *first = (const void *)(message->data + sizeof(prt_packet));
  return (prt_words){first, first + (message->bytes - sizeof(prt_packet)) / sizeof *first, false};
}

// ---- elements -----------------------------------------------------------------------------------
typedef struct Moved { // the elements follow, then their marks if there are any
  prt_packet head;
  int64_t number, bytes, marks; // bytes: -1 if there was no memory for them
} Moved;

static int64_t count_of(const prt_copy *copy, const int64_t *dims) {
  return copy->element_bytes ? prt__copy_bytes(copy, dims) / copy->element_bytes : 0;
}

static prt_copy packed_to(const prt_copy *copy, const int64_t *dims, int64_t *strides) {
  prt__packed(copy, dims, strides);
  prt_copy packing = *copy;
  packing.to_strides = strides;
  packing.add = 0;
  return packing;
}

// There is no memory for them: who waits hears of it.
static void send_none(prt_ranks *r, int32_t to, int64_t number) {
  prt__send_fail(r, PRT_ERROR_MEMORY, "out of memory");
  prt_message *message = prt__packet_new(r, PACKET_MOVED, sizeof(Moved));
  if (!message) return;
  Moved *moved = (Moved *)(void *)message->data;
  moved->number = number;
  moved->bytes = -1;
  prt__send(r, to, message);
}

void prt__move_send(prt_ranks *r, int32_t to, int64_t number, const prt_copy *copy,
                    const int64_t *dims, const char *from) {
  size_t bytes = (size_t)prt__copy_bytes(copy, dims), count = (size_t)count_of(copy, dims);
  prt_message *message =
      prt__packet_new(r, PACKET_MOVED, sizeof(Moved) + PRT_PADDED(bytes) + PRT_PADDED(count));
  if (!message) {
    send_none(r, to, number);
    return;
  }
  Moved *moved = (Moved *)(void *)message->data;
  char *elements = (char *)(moved + 1);
  int64_t strides[PACKET_RANK_MOST];
  prt_copy packing = packed_to(copy, dims, strides);
  prt_region source = {from, copy->element_bytes, copy->rank, dims, copy->from_strides};
  prt__copy_elements(&packing, dims, elements, from);
  bool has_marks =
      r->schedule->checked && prt__marks_carried(r->led.worker, copy->site, &source,
                                                 (uint8_t *)elements + PRT_PADDED(bytes));
  moved->number = number;
  moved->bytes = (int64_t)bytes;
  moved->marks = has_marks ? (int64_t)count : 0;
  message->bytes = sizeof *moved + PRT_PADDED(bytes) + (has_marks ? PRT_PADDED(count) : 0);
  prt__send(r, to, message);
}

static prt_message *taken_out(prt_inbox *inbox, int32_t from, int64_t number) {
  for (prt_message **link = &inbox->first; *link; link = &(*link)->next) {
    prt_message *message = *link;
    if (message->from != from || ((const Moved *)(const void *)message->data)->number != number)
      continue;
    *link = message->next;
    if (inbox->last == &message->next) inbox->last = link;
    return message;
  }
  return NULL;
}

static void put_there(prt_ranks *r, const Moved *moved, const prt_copy *copy, const int64_t *dims,
                      char *to) {
  if (moved->bytes != prt__copy_bytes(copy, dims) || !moved->bytes) return;
  int64_t strides[PACKET_RANK_MOST];
  prt_copy unpacking = *copy;
  unpacking.from_strides = strides;
  prt__packed(copy, dims, strides);
  const char *elements = (const char *)(moved + 1);
  prt__copy_elements(&unpacking, dims, to, elements);
  prt_region target = {to, copy->element_bytes, copy->rank, dims, copy->to_strides};
  const uint8_t *marks = (const uint8_t *)elements + PRT_PADDED((size_t)moved->bytes);
  if (r->schedule->checked) prt__marks_put(r->led.worker, &target, moved->marks ? marks : NULL);
  prt__ranks_landed(r->schedule, copy, dims, to);
}

static bool has_failed(const prt_call *call) {
  int32_t status = atomic_load_explicit(&call->status, memory_order_relaxed);
  return status != PRT_OK && status != PRT_ERROR_CHECK;
}

void prt__move_take(prt_ranks *r, int32_t from, int64_t number, const prt_copy *copy,
                    const int64_t *dims, char *to) {
  prt_call *call = r->led.worker->call;
  prt_message *message;
  while (!(message = taken_out(&r->led.moved, from, number))) {
    r->led.is_lost |= !prt__ranks_await(r, call);
    if (r->led.is_lost || has_failed(call)) return;
  }
  if (to) put_there(r, (const Moved *)(const void *)message->data, copy, dims, to);
  free(message);
}

void prt__move_here(prt_ranks *r, const prt_copy *copy, const int64_t *dims, char *to,
                    const char *from) {
  prt_worker *worker = prt__is_watching(r->schedule->call) ? r->led.worker : NULL;
  prt__copy_moves(r->schedule, worker, copy, dims, to, from);
}

static bool have_all_ended(const prt_ranks *r) {
  for (int32_t i = 0; i < r->ranks; i++)
    if (i != r->rank && !r->others[i].has_ended) return false;
  return true;
}

void prt__led_end(prt_ranks *r) {
  prt__send_all(r, prt__packet_new(r, PACKET_END, sizeof(prt_packet)));
  while (!have_all_ended(r) && !r->led.is_lost)
    r->led.is_lost = !prt__ranks_await_ends(r, r->schedule->call);
}
