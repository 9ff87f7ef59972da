// SPDX-License-Identifier: Apache-2.0
// Launches of devices that are spread over ranks: who runs whose programs, where they meet, and the
// end, when all ranks have all results.
#include "machine/prt_call.h"
#include "machine/prt_fail.h"
#include "tasks/prt_task.h"
#include "prt_idle.h"
#include "prt_led.h"
#include "prt_messages.h"
#include "prt_moved.h"
#include "prt_ranks.h"
#include "prt_interned.h"
#include <stdlib.h>
#include <string.h>

// ---- the beginning ------------------------------------------------------------------------------
static uint64_t add_number(uint64_t hash, int64_t number) {
  return prt__hash(hash, &number, sizeof number);
}
static uint64_t add_text(uint64_t hash, const char *text) {
  size_t length = strlen(text);
  return prt__hash(add_number(hash, (int64_t)length), text, length);
}

static uint64_t hash_of(const prt_call *call, const prt_program *program, int32_t devices) {
  const prt_entry *entry = call->entry;
  uint64_t hash = add_text(0xCBF29CE484222325u, prt_version());
  hash = add_number(hash, PRT_ABI_VERSION);
  hash = add_text(hash, entry->name);
  hash = add_text(hash, entry->signature ? entry->signature : "");
  hash = add_text(hash, program->name);
  hash = add_number(hash, program->number);
  hash = add_number(hash, program->memory);
  hash = add_number(hash, program->semaphores);
  hash = add_number(hash, entry->flags & PRT_ENTRY_CHECKED);
  for (int32_t i = 0; i < program->act_count; i++) {
    const prt_act *act = &program->acts[i];
    hash = add_number(hash, act->kind * 16 + act->level);
    hash = add_number(hash, act->sem);
    if (act->site) hash = add_number(hash, act->site->line * 4096 + act->site->column);
  }
  return add_number(hash, devices);
}

// Under check, and where a seed draws the schedule, the order of all that happens must be the one
// of one process: rank 0 leads.
static bool is_led(const prt_schedule *s) { return s->checked || s->seeded; }

static bool refuse(prt_schedule *s, const prt_node *parent, int32_t devices) {
  prt_ranks *r = s->ranks;
  prt_worker *worker = parent->task.worker;
  if (devices % r->ranks && !is_led(s)) {
    char list[200] = "";
    for (int32_t i = 1; i <= devices && strlen(list) < 180; i++)
      if (devices % i == 0)
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%d", i > 1 ? ", " : "", i);
    prt__fail(worker, PRT_ERROR_MACHINE,
              "a mesh of %d devices cannot be spread evenly over %d ranks: %s would do", devices,
              r->ranks, list);
  } else if (r->schedule) {
    prt__fail(worker, PRT_ERROR_MACHINE,
              "not supported over ranks: devices inside of a device, or two calls at a time on "
              "one machine");
  } else {
    return false;
  }
  return true;
}

static void forget_launched(prt_ranks *r) {
  for (int32_t i = 0; i < r->launched_count; i++) free(r->launched[i].done);
  r->launched_count = r->launches = 0;
}

static void take_over(prt_schedule *s, prt_group *group) {
  prt_ranks *r = s->ranks;
  r->epoch++;
  r->schedule = s;
  r->devices = group->joint;
  r->device_count = group->count;
  r->own_first = prt__first_of(r, r->rank);
  r->own_count = r->own_left = prt__first_of(r, r->rank + 1) - r->own_first;
  r->own_met = 0;
  r->met = 0;
  r->unseen = 0;
  forget_launched(r);
  r->fails_as_reported = r->was_reported = r->is_probing = r->is_gathering = false;
  for (int32_t i = 0; i < r->ranks; i++) {
    prt_other *other = &r->others[i];
    other->met = 0;
    other->is_ahead = other->has_begun = other->has_ended = other->is_idle = other->has_answered =
        false;
    free(other->state);
    other->state = NULL;
  }
}

static void report_start(prt_schedule *s, const prt_group *group) {
  prt_ranks *r = s->ranks;
  const prt_program *program = group->nodes->program;
  r->hash = hash_of(s->call, program, group->count);
  if (is_led(s)) r->hash = add_number(r->hash, (int64_t)s->choices.seed);
  if (is_led(s)) r->hash = add_number(r->hash, (int64_t)prt__layout_of(s->call, program));
  prt_message *message = prt__packet_new(r, PACKET_START, sizeof(prt_start_packet));
  if (!message) return;
  prt_start_packet *packet = (prt_start_packet *)(void *)message->data;
  packet->hash = r->hash;
  snprintf(packet->name, sizeof packet->name, "%s", program->name);
  prt__send_all(r, message);
}

// Cores are launched in a launch that is led. true: nobody runs them unless rank 0 says so.
static bool goes_on_elsewhere(prt_schedule *s, prt_group *group) {
  prt_ranks *r = s->ranks;
  if (!r->led.is_led) return false;
  if (r->rank == 0) prt__lead_launch(s, group);
  return r->rank != 0;
}

static bool begin_led(prt_schedule *s, prt_group *group) {
  prt_ranks *r = s->ranks;
  prt__ranks_gather(s);
  if (prt__is_over(s)) {
    r->schedule = NULL;
    return true;
  }
  r->led.is_led = true;
  if (r->rank == 0) prt__lead_begin(s);
  r->led.live = s->live - group->count;
  return goes_on_elsewhere(s, group);
}

static bool ranks_begin(prt_schedule *s, prt_node *parent, prt_group *group) {
  prt_ranks *r = s->ranks;
  if (group->nodes->program->kind != PRT_DEVICE_PROGRAM || group->count == 1)
    return goes_on_elsewhere(s, group);
  if (refuse(s, parent, group->count)) return true;
  take_over(s, group);
  report_start(s, group);
  if (is_led(s)) return begin_led(s, group);
  // It waits for its own devices, the ends of the other ranks, and its own suspension.
  int32_t others = group->count - r->own_count - (r->ranks - 1);
  s->live -= group->count - r->own_count;
  atomic_fetch_sub_explicit(&group->remaining, others, memory_order_relaxed);
  for (int32_t i = 0; i < r->own_count; i++) prt__ready(s, &group->nodes[r->own_first + i]);
  prt__receive_early(r);
  return true;
}

static prt_launched *add_launched(prt_ranks *r, int32_t number) {
  if (r->launched_count == r->launched_room) {
    int32_t room = r->launched_room ? 2 * r->launched_room : 8;
    prt_launched *more = realloc(r->launched, (size_t)room * sizeof *more);
    if (!more) return NULL;
    r->launched = more;
    r->launched_room = room;
  }
  prt_launched *added = &r->launched[r->launched_count++];
  *added = (prt_launched){.number = number};
  return added;
}

static void ranks_joint(prt_schedule *s, prt_joint *joint) {
  prt_ranks *r = s->ranks;
  if (!r->schedule) return;
  if (!r->led.is_led || r->rank) joint->own = r->own_count;
  prt_launched *launched = prt__launched_of(r, joint->number);
  if (!launched) launched = add_launched(r, joint->number);
  if (!launched) {
    prt__call_fail_text(s->call, PRT_ERROR_MEMORY, "out of memory");
    return;
  }
  joint->ordinal = launched->count++;
  joint->order = r->launches++;
  r->has_news = true;
}

// ---- meetings -----------------------------------------------------------------------------------
static void ranks_meet(prt_schedule *s, prt_node *node) {
  prt_ranks *r = s->ranks;
  (void)node;
  if (++r->own_met < r->own_count) return;
  r->own_met = 0;
  r->others[r->rank].met++;
  prt__send_all(r, prt__packet_new(r, PACKET_MEET, sizeof(prt_packet)));
  prt__ranks_met(r);
}

// ---- the end ------------------------------------------------------------------------------------
static void ranks_device_ended(prt_schedule *s, prt_node *node) {
  prt_ranks *r = s->ranks;
  if (r->schedule != s || r->led.is_led || node->group != r->devices->groups || --r->own_left)
    return;
  r->others[r->rank].has_ended = true;
  prt__send_all(r, prt__packet_new(r, PACKET_END, sizeof(prt_packet)));
}

static void ranks_over(prt_schedule *s, const prt_joint *joint) {
  prt_ranks *r = s->ranks;
  prt__ranks_settle(r);
  if (r->schedule != s) return;
  if (r->devices != joint) {
    if (!r->led.is_led && joint->devices == r->device_count) prt__state_keep(r, joint);
    return;
  }
  if (r->led.is_led) {
    prt__lead_over(s);
    return;
  }
  prt__receive_early(r); // copies that nobody waited for
  prt__ranks_flush(r);
  r->schedule = NULL;
}

// A call that failed in the middle of a launch ends everywhere. Who has heard of it from another
// rank says so too: a third one must know before it sees this one leave.
static void ranks_call_ends(prt_schedule *s) {
  prt_ranks *r = s->ranks;
  prt__ranks_settle(r);
  if (r->schedule != s) return;
  if (r->led.is_led && r->rank == 0) {
    prt__lead_over(s);
    return;
  }
  r->led.is_led = false;
  int32_t status = atomic_load_explicit(&s->call->status, memory_order_relaxed);
  const char *prefix_end = strchr(s->call->message, ' '); // behind the name of the entry point
  if (status) prt__send_fail(r, (prt_status)status, prefix_end ? prefix_end + 1 : s->call->message);
  r->schedule = NULL;
}

static bool ranks_print(const prt_worker *worker, const char *text, size_t length) {
  prt_ranks *r = worker->call->machine->ranks;
  if (!r->rank) return false;
  bool is_of_device = r->schedule && worker->node && worker->node->group->parent;
  prt_message *message =
      is_of_device ? prt__packet_new(r, PACKET_PRINT, sizeof(prt_packet) + length) : NULL;
  if (!message) return true; // rank 0 runs that program too
  memcpy(message->data + sizeof(prt_packet), text, length);
  prt__send(r, 0, message);
  return true;
}

// ---- calls that rank 0 closes -------------------------------------------------------------------
static void ranks_opens(prt_schedule *s, prt_worker *worker, const prt_program *program) {
  prt_ranks *r = s->ranks;
  if (!is_led(s)) return;
  r->led.worker = worker;
  r->led.call_hash = add_number(hash_of(worker->call, program, 1), ++r->led.calls);
  r->led.found_before = atomic_load_explicit(&r->machine->findings, memory_order_relaxed);
}

static void ranks_closes(prt_worker *worker, bool is_before) {
  prt_ranks *r = worker->call->machine->ranks;
  if (r->led.worker != worker) return;
  if (r->rank == 0)
    prt__lead_close(worker, is_before);
  else if (is_before)
    prt__follow_close(worker);
  if (!r->led.worker) prt__ranks_flush(r);
}

static void ranks_found(prt_ranks *r, const prt_call *call, const prt_finding *finding,
                        bool is_report) {
  if (r->rank == 0 && r->led.worker && (!call || r->led.worker->call == call))
    prt__lead_found(r->led.worker->call, finding, is_report);
}

static bool ranks_wait(prt_schedule *s) {
  prt_ranks *r = s->ranks;
  if (r->schedule != s || !r->led.is_led) return prt__ranks_wait(s);
  if (r->rank) prt__follow(s);
  return r->rank != 0;
}

// ---- machines -----------------------------------------------------------------------------------
static const prt_ranks_calls calls = {.begin = ranks_begin,
                                      .joint = ranks_joint,
                                      .device_ended = ranks_device_ended,
                                      .over = ranks_over,
                                      .meet = ranks_meet,
                                      .call_ends = ranks_call_ends,
                                      .signal = prt__ranks_signal,
                                      .copy = prt__ranks_copy,
                                      .landed = prt__ranks_landed,
                                      .print = ranks_print,
                                      .poll = prt__ranks_poll,
                                      .wait = ranks_wait,
                                      .tell = prt__follow_report,
                                      .ask = prt__follow_ask,
                                      .copy_reported = prt__follow_copy,
                                      .answer = prt__lead_answer,
                                      .ahead = prt__lead_ahead,
                                      .move = prt__lead_move,
                                      .leaves = prt__lead_leaves,
                                      .moved = prt__lead_moved,
                                      .opens = ranks_opens,
                                      .closes = ranks_closes,
                                      .excused = prt__lead_excused,
                                      .found = ranks_found};

prt_status prt__ranks_attach(prt_machine *machine, prt_transport *transport) {
  prt_ranks *r = calloc(1, sizeof *r);
  prt_other *others = calloc((size_t)transport->ranks, sizeof *others);
  if (!r || !others) {
    free(r);
    free(others);
    return prt__set_error(PRT_ERROR_MEMORY, "out of memory");
  }
  *r = (prt_ranks){.calls = &calls,
                   .machine = machine,
                   .transport = transport,
                   .rank = transport->rank,
                   .ranks = transport->ranks,
                   .others = others};
  r->last_early = &r->early;
  r->last_out = &r->out;
  pthread_mutex_init(&r->out_lock, NULL);
  machine->ranks = r;
  return PRT_OK;
}

static void free_messages(prt_message *message) {
  for (prt_message *next; message; message = next) {
    next = message->next;
    free(message);
  }
}

void prt__ranks_detach(prt_machine *machine) {
  prt_ranks *r = machine->ranks;
  if (!r) return;
  machine->ranks = NULL;
  bool is_whole = r->ranks == 1 || prt__ranks_leave(r);
  r->transport->terminate(r->transport, !is_whole);
  free(r->ending);
  free_messages(r->early);
  free_messages(r->out);
  for (int32_t i = 0; i < r->ranks; i++) {
    free(r->others[i].state);
    prt__inbox_free(&r->others[i].reported);
    prt__inbox_free(&r->others[i].ending);
  }
  prt_inbox *const inboxes[] = {&r->led.orders, &r->led.moved, &r->led.answers, &r->led.closed};
  for (size_t i = 0; i < sizeof inboxes / sizeof *inboxes; i++) prt__inbox_free(inboxes[i]);
  prt__interned_free(r->led.interned);
  free(r->led.wire.words);
  free(r->led.origins.words);
  free(r->led.findings.words);
  free(r->led.excused.words);
  free(r->others);
  forget_launched(r);
  free(r->launched);
  pthread_mutex_destroy(&r->out_lock);
  free(r);
}
