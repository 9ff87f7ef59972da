// SPDX-License-Identifier: Apache-2.0
// Packets from other ranks, and what they do here. What is for a launch that has not begun on this
// rank is kept until it does.
#include "check/prt_shadow_ranks.h"
#include "machine/prt_fail.h"
#include "tasks/prt_copy.h"
#include "tasks/prt_sem.h"
#include "tasks/prt_task.h"
#include "prt_idle.h"
#include "prt_messages.h"
#include "prt_moved.h"
#include "prt_places.h"
#include "prt_ranks.h"
#include <stdlib.h>
#include <string.h>

static const prt_packet *packet_of(const prt_message *message) {
  return (const prt_packet *)(const void *)message->data;
}

static void keep(prt_ranks *r, prt_message *message) {
  message->next = NULL;
  *r->last_early = message;
  r->last_early = &message->next;
}

static void free_message(prt_message *message) {
  if (message->body && !message->note) free(message->body); // it was received beside its place
  free(message);
}

// ---- elements -----------------------------------------------------------------------------------
// What a flight keeps of a packet: the packet itself, and the copy as if it were from here.
typedef struct Arrived {
  prt_copy copy;
  int64_t from_strides[PACKET_RANK_MOST];
  prt_message message; // last
} Arrived;

static const int64_t *dims_of(const prt_elements_packet *packet) {
  return (const int64_t *)(const void *)(packet + 1);
}

// The bytes of a packet that begins a run of so many; 0: it is none.
static size_t packet_bytes(const prt_elements_packet *packet, size_t room, size_t body_bytes) {
  if (room < sizeof *packet || packet->rank < 0 || packet->rank > PACKET_RANK_MOST ||
      packet->bytes < 0 || (body_bytes && body_bytes != (size_t)packet->bytes) ||
      packet->marks < 0 || packet->marks > packet->bytes)
    return 0;
  size_t numbers = 2 * (size_t)packet->rank * sizeof(int64_t), elements = (size_t)packet->bytes;
  if (elements > SIZE_MAX / 4) return 0;
  size_t bytes = sizeof *packet + numbers + (body_bytes ? 0 : PRT_PADDED(elements)) +
                 PRT_PADDED((size_t)packet->marks);
  return bytes <= room ? bytes : 0;
}

static bool is_sound(const prt_message *message) {
  return packet_bytes((const void *)message->data, message->bytes, message->body_bytes) ==
         message->bytes;
}

static void describe(const prt_elements_packet *packet, prt_copy *copy, int64_t *from_strides) {
  *copy = (prt_copy){.element_bytes = packet->element_bytes,
                     .rank = packet->rank,
                     .dims = dims_of(packet),
                     .to_strides = dims_of(packet) + packet->rank,
                     .from_strides = from_strides,
                     .add = packet->add,
                     .counts = packet->counts};
  prt__packed(copy, copy->dims, from_strides);
}

static const char *elements_of(const prt_message *message) {
  return message->body_bytes ? message->body : prt__elements_of((const void *)message->data);
}

// A copy to a core that has not begun: it flies on its own.
static bool hold_arrived(prt_schedule *s, const prt_message *message, prt_node *from, prt_node *to,
                         void *memory, prt_sem *received) {
  if (to->has_begun) return false;
  const prt_elements_packet *packet = (const void *)message->data;
  Arrived *arrived = malloc(sizeof *arrived + message->bytes + message->body_bytes);
  if (!arrived) {
    prt__call_fail_text(s->call, PRT_ERROR_MEMORY, "out of memory");
    return true;
  }
  memcpy(arrived->message.data, message->data, message->bytes);
  if (message->body_bytes)
    memcpy(arrived->message.data + message->bytes, message->body, message->body_bytes);
  packet = (const void *)arrived->message.data;
  describe(packet, &arrived->copy, arrived->from_strides);
  prt_transfer transfer = {.from_task = from,
                           .to_task = to,
                           .copy = &arrived->copy,
                           .dims = arrived->copy.dims,
                           .to = memory,
                           .from = prt__elements_of(packet),
                           .received = received};
  prt_flight *flight = prt__flight_new(&transfer);
  if (!flight) {
    free(arrived);
    prt__call_fail_text(s->call, PRT_ERROR_MEMORY, "out of memory");
    return true;
  }
  flight->arrived = arrived;
  if (prt__hold(s, flight)) return true;
  prt__flight_free(flight);
  return false;
}

// false: it is too early.
static bool take_copy(prt_ranks *r, const prt_message *message) {
  prt_schedule *s = r->schedule;
  const prt_elements_packet *packet = (const void *)message->data;
  void *to, *received;
  prt_node *task = NULL, *from = NULL;
  prt_found has_task = prt__task_at(s, &packet->to_task, &task);
  if (has_task == FOUND_LATER) return false;
  prt_found has_memory = prt__address_of(s, &packet->to, &to);
  prt_found has_sem = prt__address_of(s, &packet->received, &received);
  if (has_memory == FOUND_LATER || has_sem == FOUND_LATER) return false;
  prt__task_at(s, &packet->from_task, &from);
  // The launch that has the one has the other.
  if (has_memory == FOUND && has_sem == FOUND && task &&
      hold_arrived(s, message, from, task, to, received))
    return true;
  prt_copy copy;
  int64_t from_strides[PACKET_RANK_MOST];
  describe(packet, &copy, from_strides);
  if (has_memory == FOUND) {
    if (!message->note) prt__copy_elements(&copy, copy.dims, to, elements_of(message));
    prt__ranks_landed(s, &copy, copy.dims, to);
  }
  if (has_sem == FOUND)
    prt__sem_add(s, NULL, received, packet->counts & PRT_COUNTS_RECEIVED ? 1 : packet->bytes);
  return true;
}

static void take_marks(prt_ranks *r, const prt_elements_packet *packet, const prt_copy *copy,
                       const char *to) {
  prt_region region = {to, copy->element_bytes, copy->rank, copy->dims, copy->to_strides};
  const uint8_t *marks =
      (const uint8_t *)prt__elements_of(packet) + PRT_PADDED((size_t)packet->bytes);
  prt__marks_put(r->led.worker, &region, packet->marks ? marks : NULL);
}

static void take_published(prt_ranks *r, const prt_message *message) {
  const char *at = (const char *)message->data;
  for (size_t left = message->bytes, bytes; left; left -= bytes, at += bytes) {
    const prt_elements_packet *packet = (const void *)at;
    void *to;
    bytes = packet_bytes(packet, left, 0);
    if (!bytes) return;
    if (prt__address_of(r->schedule, &packet->to, &to) != FOUND) continue;
    prt_copy copy;
    int64_t from_strides[PACKET_RANK_MOST];
    describe(packet, &copy, from_strides);
    if (!r->machine->options.local_results)
      prt__copy_elements(&copy, copy.dims, to, prt__elements_of(packet));
    if (r->schedule->checked) take_marks(r, packet, &copy, to);
  }
}

// The memory that a copy's body may be received into as it comes: its core runs, and its elements
// lie one behind the other; NULL: it has to be kept elsewhere.
static void *target_of(prt_ranks *r, const prt_message *message) {
  const prt_elements_packet *packet = (const void *)message->data;
  if (packet_of(message)->epoch != r->epoch || !r->schedule || !is_sound(message)) return NULL;
  prt_node *task = NULL;
  void *to;
  if (prt__task_at(r->schedule, &packet->to_task, &task) != FOUND || !task || !task->has_begun ||
      prt__address_of(r->schedule, &packet->to, &to) != FOUND)
    return NULL;
  prt_copy copy;
  int64_t from_strides[PACKET_RANK_MOST];
  describe(packet, &copy, from_strides);
  return !copy.add && prt__is_packed(&copy, copy.dims, copy.to_strides) ? to : NULL;
}

static bool begin_body(prt_ranks *r, prt_message *message) {
  void *body = target_of(r, message);
  message->note = body;
  if (!body) body = malloc(message->body_bytes);
  if (!body) return false;
  r->incoming++;
  r->transport->receive(r->transport, message, body);
  return true;
}

static bool take_signal(prt_ranks *r, const prt_message *message) {
  const prt_signal_packet *packet = (const void *)message->data;
  void *sem;
  prt_found found = prt__address_of(r->schedule, &packet->semaphore, &sem);
  if (found == FOUND) prt__sem_add(r->schedule, NULL, sem, packet->increment);
  return found != FOUND_LATER;
}

// ---- launches -----------------------------------------------------------------------------------
static void take_start(prt_ranks *r, const prt_message *message) {
  const prt_start_packet *packet = (const void *)message->data;
  r->others[message->from].has_begun = true;
  if (packet->hash == r->hash) return;
  r->fails_as_reported = true; // rank 0 sees that one of all is not as the others, too
  prt__call_fail_text(r->schedule->call, PRT_ERROR_MACHINE,
                      "rank %d runs another program than rank %d: its kernel is '%s' in another "
                      "version, or with other options or sizes; all ranks need the same",
                      message->from, r->rank, packet->name);
}

void prt__ranks_met(prt_ranks *r) {
  for (;;) {
    for (int32_t i = 0; i < r->ranks; i++)
      if (r->others[i].met <= r->met) return;
    r->met++;
    for (int32_t d = 0; d < r->own_count; d++) {
      prt_sem *sem = prt__barrier_at(r->schedule, MEETING, r->own_first + d, 0);
      if (sem) prt__sem_add(r->schedule, NULL, sem, 1);
    }
  }
}

static void take_end(prt_ranks *r, int32_t from) {
  r->others[from].has_ended = true;
  if (r->led.is_led) return;
  prt__group_count_down(r->schedule, r->devices->groups);
}

static bool is_in_launch(prt_ranks *r, prt_message *message) {
  switch ((prt_packet_kind)packet_of(message)->kind) {
  case PACKET_START: take_start(r, message); return true;
  case PACKET_COPY: return !is_sound(message) || take_copy(r, message);
  case PACKET_PUBLISH: take_published(r, message); return true;
  case PACKET_SIGNAL: return take_signal(r, message);
  case PACKET_MEET:
    r->others[message->from].met++;
    prt__ranks_met(r);
    return true;
  case PACKET_END: take_end(r, message->from); return true;
  case PACKET_ASK: r->calls->answer(r, message); return true;
  case PACKET_FAIL: {
    const prt_fail_packet *packet = (const void *)message->data;
    r->fails_as_reported |=
        atomic_load_explicit(&r->schedule->call->status, memory_order_relaxed) == PRT_OK;
    prt__call_fail_text(r->schedule->call, (prt_status)packet->status, "%.*s",
                        (int)sizeof packet->text - 1, packet->text);
    return true;
  }
  default: prt__idle_packet(r, message); return true;
  }
}

void prt__ranks_print(prt_ranks *r, const char *text, size_t length) {
  prt_machine *machine = r->machine;
  pthread_mutex_lock(&machine->report_lock);
  if (machine->options.on_print)
    machine->options.on_print(machine->options.data, text, length);
  else
    fwrite(text, 1, length, stdout);
  pthread_mutex_unlock(&machine->report_lock);
}

// true: it is done with. What belongs to a launch that is over has come too late to matter.
static bool take(prt_ranks *r, prt_message *message) {
  const prt_packet *packet = packet_of(message);
  if (packet->kind == PACKET_CLEARED) {
    r->is_cleared = true;
    return true;
  }
  if (packet->kind == PACKET_PRINT) {
    prt__ranks_print(r, (const char *)message->data + sizeof(prt_packet),
                     message->bytes - sizeof(prt_packet));
    return true;
  }
  if (packet->epoch > r->epoch) return false;
  if (packet->epoch < r->epoch || !r->schedule) return true;
  return is_in_launch(r, message);
}

// What belongs to a launch that is led, or ends a call or the job, is looked at when it is asked
// for.
static bool keep_for_later(prt_ranks *r, prt_message *message) {
  prt_inbox *inbox = NULL;
  switch ((prt_packet_kind)packet_of(message)->kind) {
  case PACKET_DO: inbox = &r->led.orders; break;
  case PACKET_REPORTED: inbox = &r->others[message->from].reported; break;
  case PACKET_MOVED: inbox = &r->led.moved; break;
  case PACKET_ANSWERED: inbox = &r->led.answers; break;
  case PACKET_CLOSED: inbox = &r->led.closed; break;
  case PACKET_BYE:
    r->others[message->from].has_left = true;
    inbox = &r->others[message->from].ending;
    break;
  default: return false;
  }
  prt__inbox_add(inbox, message);
  return true;
}

void prt__receive(prt_ranks *r, prt_message *message) {
  if (message->bytes < sizeof(prt_packet)) {
    free_message(message);
    return;
  }
  if (message->body_bytes && !message->body) {
    if (!begin_body(r, message) && r->schedule)
      prt__call_fail_text(r->schedule->call, PRT_ERROR_MEMORY, "out of memory");
    return;
  }
  if (message->body_bytes) r->incoming--;
  if (keep_for_later(r, message)) return;
  if (packet_of(message)->kind <= PACKET_LAST_COUNTED) r->received++;
  if (take(r, message))
    free_message(message);
  else
    keep(r, message);
}

void prt__receive_early(prt_ranks *r) {
  prt_message *message = r->early;
  r->early = NULL;
  r->last_early = &r->early;
  for (prt_message *next; message; message = next) {
    next = message->next;
    if (take(r, message))
      free_message(message);
    else
      keep(r, message);
  }
}
