// SPDX-License-Identifier: Apache-2.0
// Packets to other ranks. What is published by loops on several threads waits in a list until the
// thread that runs the tasks comes by: the transport belongs to that one.
#include "check/prt_shadow_ranks.h"
#include "machine/prt_fail.h"
#include "tasks/prt_copy.h"
#include "tasks/prt_sem.h"
#include "tasks/prt_task.h"
#include "prt_messages.h"
#include "prt_ranks.h"
#include <stdlib.h>
#include <string.h>

prt_message *prt__packet_new(prt_ranks *r, prt_packet_kind kind, size_t bytes) {
  prt_message *message =
      bytes < SIZE_MAX - sizeof *message ? malloc(sizeof *message + bytes) : NULL;
  if (!message) {
    if (r->schedule) prt__call_fail_text(r->schedule->call, PRT_ERROR_MEMORY, "out of memory");
    return NULL;
  }
  memset(message->data, 0,
         bytes < sizeof(prt_elements_packet) ? bytes : sizeof(prt_elements_packet));
  message->next = NULL;
  message->note = message->body = NULL;
  message->from = r->rank;
  message->bytes = bytes;
  message->body_bytes = 0;
  prt_packet *packet = (prt_packet *)(void *)message->data;
  packet->epoch = r->epoch;
  packet->kind = kind;
  return message;
}

static void send_now(prt_ranks *r, int32_t to, prt_message *message) {
  const prt_packet *packet = (const prt_packet *)(const void *)message->data;
  if (packet->kind <= PACKET_LAST_COUNTED) r->sent++;
  r->transport->send(r->transport, to, message);
}

prt_message *prt__clone(prt_ranks *r, const prt_message *message) {
  prt_message *out = prt__packet_new(r, PACKET_START, message->bytes);
  if (out) memcpy(out->data, message->data, message->bytes);
  return out;
}

static void send_all_now(prt_ranks *r, prt_message *message) {
  int32_t last = r->rank == r->ranks - 1 ? r->ranks - 2 : r->ranks - 1;
  for (int32_t to = 0; to < last; to++) {
    prt_message *copy = to == r->rank ? NULL : prt__clone(r, message);
    if (copy) send_now(r, to, copy);
  }
  send_now(r, last, message);
}

// How many of these messages, one behind the other, go as one: small ones, until they are many
// bytes, which `bytes` says.
static int32_t together(const prt_message *first, size_t *bytes) {
  enum { SMALL = 1 << 12, MOST = 1 << 16 };
  int32_t count = 1;
  *bytes = first->bytes;
  for (const prt_message *next = first->next; next && first->bytes <= SMALL; next = next->next) {
    if (next->bytes > SMALL || *bytes + next->bytes > MOST) break;
    *bytes += next->bytes;
    count++;
  }
  return count;
}

// Takes `count` messages off the list and makes one of them; NULL: no memory.
static prt_message *joined(prt_ranks *r, prt_message **list, int32_t count, size_t bytes) {
  prt_message *whole = prt__packet_new(r, PACKET_PUBLISH, bytes);
  unsigned char *at = whole ? whole->data : NULL;
  for (int32_t i = 0; i < count; i++) {
    prt_message *part = *list;
    *list = part->next;
    if (at) memcpy(at, part->data, part->bytes);
    if (at) at += part->bytes;
    free(part);
  }
  return whole;
}

// Locks: none on entry and exit; takes out_lock.
static void send_published(prt_ranks *r) {
  pthread_mutex_lock(&r->out_lock);
  prt_message *out = r->out;
  r->out = NULL;
  r->last_out = &r->out;
  pthread_mutex_unlock(&r->out_lock);
  while (out) {
    size_t bytes;
    int32_t count = together(out, &bytes);
    prt_message *message = out;
    if (count > 1)
      message = joined(r, &out, count, bytes);
    else
      out = out->next;
    if (!message) continue;
    message->next = NULL;
    send_all_now(r, message);
  }
}

void prt__send(prt_ranks *r, int32_t to, prt_message *message) {
  if (!message) return;
  send_published(r);
  send_now(r, to, message);
}

void prt__send_all(prt_ranks *r, prt_message *message) {
  if (!message) return;
  send_published(r);
  send_all_now(r, message);
}

void prt__send_fail(prt_ranks *r, prt_status status, const char *text) {
  prt_message *message = prt__packet_new(r, PACKET_FAIL, sizeof(prt_fail_packet));
  if (!message) return;
  prt_fail_packet *packet = (prt_fail_packet *)(void *)message->data;
  packet->status = status;
  snprintf(packet->text, sizeof packet->text, "%s", text);
  prt__send_all(r, message);
}

// ---- elements -----------------------------------------------------------------------------------
void prt__packed(const prt_copy *copy, const int64_t *dims, int64_t *strides) {
  int64_t stride = copy->element_bytes;
  for (int32_t i = copy->rank - 1; i >= 0; i--) {
    strides[i] = stride;
    stride *= dims[i];
  }
}

bool prt__is_packed(const prt_copy *copy, const int64_t *dims, const int64_t *strides) {
  int64_t packed[PACKET_RANK_MOST];
  prt__packed(copy, dims, packed);
  for (int32_t i = 0; i < copy->rank; i++)
    if (dims[i] > 1 && strides[i] != packed[i]) return false;
  return true;
}

// A packet with room for so many bytes of elements, and then of marks, behind it; NULL: no memory.
static prt_message *packet_with(prt_ranks *r, prt_packet_kind kind, const prt_copy *copy,
                                const int64_t *dims, int64_t room, size_t marks) {
  size_t numbers = (size_t)copy->rank * sizeof(int64_t);
  if (copy->rank > PACKET_RANK_MOST) return NULL;
  prt_message *message = prt__packet_new(r, kind,
                                         sizeof(prt_elements_packet) + 2 * numbers +
                                             PRT_PADDED((size_t)room) + PRT_PADDED(marks));
  if (!message) return NULL;
  prt_elements_packet *packet = (prt_elements_packet *)(void *)message->data;
  packet->element_bytes = copy->element_bytes;
  packet->rank = copy->rank;
  packet->add = copy->add;
  packet->counts = copy->counts;
  packet->marks = (int64_t)marks;
  packet->bytes = prt__copy_bytes(copy, dims);
  char *behind = (char *)(packet + 1);
  if (numbers) {
    memcpy(behind, dims, numbers);
    memcpy(behind + numbers, copy->to_strides, numbers);
  }
  return message;
}

static prt_message *empty_packet(prt_ranks *r, prt_packet_kind kind, const prt_copy *copy,
                                 const int64_t *dims) {
  return packet_with(r, kind, copy, dims, 0, 0);
}

// The same with the elements, and room for marks.
static prt_message *elements_packet(prt_ranks *r, prt_packet_kind kind, const prt_copy *copy,
                                    const int64_t *dims, const char *from, size_t marks) {
  int64_t packed[PACKET_RANK_MOST];
  prt_message *message = packet_with(r, kind, copy, dims, prt__copy_bytes(copy, dims), marks);
  if (!message) return NULL;
  prt__packed(copy, dims, packed);
  prt_copy packing = *copy;
  packing.to_strides = packed;
  packing.add = 0;
  char *behind = (char *)message->data + sizeof(prt_elements_packet) +
                 2 * (size_t)copy->rank * sizeof(int64_t);
  prt__copy_elements(&packing, dims, behind, from);
  return message;
}

// Many bytes in one piece, which the program leaves as they are until it has waited for `sent`, go
// from where they are.
static bool goes_as_body(const prt_copy *copy, const int64_t *dims, const prt_sem *sent) {
  enum { AT_LEAST = 1 << 16 }; // less is packed in less time than two messages take
  int64_t bytes = prt__copy_bytes(copy, dims);
  return sent && bytes >= AT_LEAST && prt__is_packed(copy, dims, copy->from_strides);
}

bool prt__ranks_collect(prt_ranks *r) {
  prt_message *message = r->outgoing ? r->transport->sent(r->transport) : NULL;
  if (!message) return false;
  const prt_elements_packet *packet = (const void *)message->data;
  if (r->schedule)
    prt__sem_add(r->schedule, NULL, message->note,
                 packet->counts & PRT_COUNTS_SENT ? 1 : packet->bytes);
  r->outgoing--;
  free(message);
  return true;
}

bool prt__ranks_copy(prt_schedule *s, const prt_transfer *t) {
  prt_ranks *r = s->ranks;
  const prt_copy *copy = t->copy;
  if (!r->schedule || r->led.is_led || prt__is_own(r, t->to_task->task.device)) return false;
  prt_place place, semaphore;
  int32_t owner, to_rank = prt__rank_of(r, t->to_task->task.device);
  if (!prt__place_of(s, t->to, &place, &owner) ||
      !prt__place_of(s, t->received, &semaphore, &owner)) {
    prt__fail_at(t->from_task->task.worker, PRT_ERROR_MACHINE, copy->site,
                 "not supported over ranks: a copy to memory that the other rank does not know");
    return true;
  }
  bool is_body = copy->rank <= PACKET_RANK_MOST && goes_as_body(copy, t->dims, t->sent);
  prt_message *message = is_body ? empty_packet(r, PACKET_COPY, copy, t->dims)
                                 : elements_packet(r, PACKET_COPY, copy, t->dims, t->from, 0);
  if (!message) return true;
  prt_elements_packet *packet = (prt_elements_packet *)(void *)message->data;
  if (is_body) {
    message->sent_body = t->from;
    message->body_bytes = (size_t)packet->bytes;
    message->note = t->sent;
    r->outgoing++;
  }
  packet->to = place;
  packet->received = semaphore;
  prt__place_of_task(s, t->from_task, &packet->from_task);
  prt__place_of_task(s, t->to_task, &packet->to_task);
  int64_t bytes = packet->bytes;
  prt__send(r, to_rank, message);
  if (t->sent && !is_body)
    prt__sem_add(s, t->from_task, t->sent, copy->counts & PRT_COUNTS_SENT ? 1 : bytes);
  return true;
}

bool prt__ranks_signal(prt_schedule *s, const prt_sem *sem, int64_t increment) {
  prt_ranks *r = s->ranks;
  prt_place place;
  int32_t owner;
  if (!r->schedule || r->led.is_led || !prt__place_of(s, sem, &place, &owner) ||
      owner == EVERYWHERE || owner == r->rank)
    return false;
  prt_message *message = prt__packet_new(r, PACKET_SIGNAL, sizeof(prt_signal_packet));
  if (!message) return true;
  prt_signal_packet *packet = (prt_signal_packet *)(void *)message->data;
  packet->semaphore = place;
  packet->increment = increment;
  prt__send(r, owner, message);
  return true;
}

// ---- what all ranks see -------------------------------------------------------------------------
static prt_message *published(prt_schedule *s, const prt_copy *copy, const int64_t *dims,
                              const char *memory) {
  prt_place place;
  int32_t owner;
  if (!prt__place_of(s, memory, &place, &owner) || owner != EVERYWHERE) return NULL;
  int64_t bytes = prt__copy_bytes(copy, dims), count = bytes / copy->element_bytes;
  prt_region region = {memory, copy->element_bytes, copy->rank, dims, copy->from_strides};
  bool has_marks = s->checked && bytes && prt__has_marks(s->ranks->led.worker, &region);
  prt_message *message =
      elements_packet(s->ranks, PACKET_PUBLISH, copy, dims, memory, has_marks ? (size_t)count : 0);
  if (!message) return NULL;
  ((prt_elements_packet *)(void *)message->data)->to = place;
  if (has_marks)
    prt__marks_carried(s->ranks->led.worker, NULL, &region,
                       message->data + message->bytes - PRT_PADDED((size_t)count));
  return message;
}

// Whether what a launch of devices writes is sent to the other ranks: under check always, which
// must know what was never written.
static bool publishes(const prt_ranks *r) {
  return r && r->schedule && (!r->machine->options.local_results || r->led.is_led);
}

// Locks: none on entry and exit; takes out_lock.
static void publish(prt_ranks *r, prt_message *message) {
  if (!message) return;
  pthread_mutex_lock(&r->out_lock);
  *r->last_out = message;
  r->last_out = &message->next;
  pthread_mutex_unlock(&r->out_lock);
}

void prt__ranks_landed(prt_schedule *s, const prt_copy *copy, const int64_t *dims, char *to) {
  if (!publishes(s->ranks)) return;
  prt_copy again = *copy;
  again.from_strides = copy->to_strides;
  again.add = 0;
  publish(s->ranks, published(s, &again, dims, to));
}

void prt__publish(prt_worker *worker, const prt_region *region) {
  prt_ranks *r = worker->call->machine->ranks;
  if (!publishes(r) || r->schedule->call != worker->call) return;
  prt_copy copy = {.element_bytes = region->element_bytes,
                   .rank = region->rank,
                   .dims = region->dims,
                   .to_strides = region->strides,
                   .from_strides = region->strides};
  publish(r, published(r->schedule, &copy, region->dims, region->base));
}
