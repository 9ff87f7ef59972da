// SPDX-License-Identifier: Apache-2.0
// A rank that follows: runs its tasks when rank 0 says so, and reports what they do. What a task
// does to semaphores, copies and the log is rank 0's to do; its memory and its marks are here.
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include "check/prt_finding.h"
#include "check/prt_shadow_ranks.h"
#include "check/prt_watch.h"
#include "machine/prt_call.h"
#include "machine/prt_fail.h"
#include "tasks/prt_task.h"
#include "prt_led.h"
#include "prt_messages.h"
#include "prt_moved.h"
#include "prt_ranks.h"
#include "prt_reported.h"
#include "prt_interned.h"

// ---- telling ------------------------------------------------------------------------------------
static void flush(prt_ranks *r) {
  prt__send(r, 0, prt__wire_packet(r, PACKET_REPORTED, &r->led.wire));
}

static void put(prt_ranks *r, int32_t what, ...) {
  va_list arguments;
  va_start(arguments, what);
  prt__reported_put(&r->led.wire, r->schedule, what, arguments);
  va_end(arguments);
}

// What is sent is of the step that the task is at, whose indices may have changed.
static void put_step(prt_ranks *r) {
  prt_reported_step *known = &r->led.step;
  const prt_step *step = r->led.worker->step;
  bool is_same = known->is_known && !known->step == !step;
  if (is_same && step)
    is_same = known->launch == step->launch && known->rank == step->rank &&
              memcmp(known->indices, step->indices, (size_t)step->rank * sizeof(int64_t)) == 0;
  if (is_same) return;
  *known = (prt_reported_step){.is_known = true, .step = step};
  if (!step) {
    put(r, PRT_REPORTED_STEP, INT64_C(0), NULL, NULL, NULL, INT64_C(0));
    return;
  }
  known->launch = step->launch;
  known->rank = step->rank;
  known->is_known = step->rank <= PACKET_RANK_MOST;
  if (known->is_known && step->rank)
    memcpy(known->indices, step->indices, (size_t)step->rank * sizeof(int64_t));
  put(r, PRT_REPORTED_STEP, INT64_C(1), step->launch, step->names, step->indices,
      (int64_t)step->rank);
}

void prt__follow_report(prt_ranks *r, int32_t what, ...) {
  enum { MANY = 1 << 13 };
  va_list arguments;
  put_step(r);
  va_start(arguments, what);
  prt__reported_put(&r->led.wire, r->schedule, what, arguments);
  va_end(arguments);
  if (r->led.wire.count > MANY) flush(r);
}

// What a task asks comes behind all that it has sent, so that it is answered when it is the task's
// turn in one process as well.
int64_t prt__follow_ask(prt_ranks *r, int32_t what, ...) {
  prt_wire apart = {0}, *wire = r->led.runs ? &r->led.wire : &apart;
  va_list arguments;
  va_start(arguments, what);
  prt__reported_put(wire, r->schedule, what, arguments);
  va_end(arguments);
  prt__send(r, 0, prt__wire_packet(r, wire == &apart ? PACKET_ASK : PACKET_REPORTED, wire));
  free(apart.words);
  prt_message *answer = prt__inbox_wait(r, &r->led.answers);
  if (!answer) return 0;
  prt_words words = prt__words_of(answer);
  int64_t number = prt__get_number(&words);
  free(answer);
  return number;
}

void prt__follow_copy(prt_schedule *s, const prt_transfer *t) {
  prt_ranks *r = s->ranks;
  prt_node *peer = t->to_task;
  int64_t copied = COPIED_NOT;
  if (prt__lands_at_once(s, t->from_task, peer)) {
    int32_t rank = prt__rank_of(r, peer->task.device);
    if (rank != r->rank) {
      copied = ++r->led.moves;
      prt__move_send(r, rank, copied, t->copy, t->dims, t->from);
    } else if (peer == t->from_task || peer->has_begun) {
      copied = COPIED_THERE;
      prt__move_here(r, t->copy, t->dims, t->to, t->from);
    }
  }
  prt__follow_report(r, PRT_REPORTED_COPY, peer, t->copy, t->dims, (int64_t)t->copy->rank, t->to,
                     t->from, t->received, t->sent, copied);
}

// ---- what races excuse --------------------------------------------------------------------------
// `number`: as put_excused of rank 0 has it, whose call is the same.
static const char *excused_memory(const prt_call *call, const prt_schedule *s, int64_t number) {
  if (number != -1) return call->arguments[number];
  return s ? s->root->nodes->task.memory : NULL;
}

// `s`: NULL if the call's program has ended.
static void take_excused(prt_call *call, const prt_schedule *s, prt_words *words) {
  struct {
    prt_extent extent;
    int64_t levels[2 * PRT_EXTENT_RANK];
  } room;
  int64_t count = prt__get_number(words);
  while (count-- > 0) {
    int64_t number = prt__get_number(words), offset = prt__get_number(words),
            bytes = prt__get_number(words), run = prt__get_number(words);
    int32_t levels;
    const int64_t *numbers = prt__get_numbers(words, &levels);
    if (words->failed || levels > 2 * PRT_EXTENT_RANK) return;
    const char *memory = excused_memory(call, s, number);
    if (!memory) continue;
    room.extent = (prt_extent){memory + offset, memory + offset + bytes, run, levels / 2};
    if (levels) memcpy(room.extent.levels, numbers, (size_t)levels * sizeof(int64_t));
    prt__watches_raced(call, &room.extent);
  }
}

// ---- orders -------------------------------------------------------------------------------------
static void run(prt_ranks *r, prt_words *words) {
  prt_worker *worker = r->led.worker;
  const prt_step *outer = worker->step;
  prt_node *node = prt__get_task(words, r->schedule), *outer_node = worker->node;
  if (!node) {
    prt__call_fail_text(r->schedule->call, PRT_ERROR_MACHINE, "rank %d has no such task", r->rank);
    put(r, PRT_REPORTED_FAILED, (int64_t)PRT_ERROR_MACHINE, NULL, "a rank has no such task");
    put(r, PRT_REPORTED_SUSPENDED, INT64_C(0));
    flush(r);
    return;
  }
  r->led.step.is_known = false;
  r->led.runs = node;
  prt__resume(r->schedule, node, worker);
  put_step(r);
  r->led.runs = NULL;
  worker->step = outer;
  worker->node = outer_node;
  put(r, PRT_REPORTED_SUSPENDED, (int64_t)node->task.done);
  flush(r);
}

static void move(prt_ranks *r, prt_order order, prt_words *words) {
  bool is_far = order != ORDER_LAND;
  int32_t rank = is_far ? (int32_t)prt__get_number(words) : r->rank;
  int64_t number = is_far ? prt__get_number(words) : 0;
  if (order == ORDER_DROP) {
    prt__move_take(r, rank, number, NULL, NULL, NULL);
    return;
  }
  int32_t count;
  const prt_copy *copy = prt__get_constant(words, r->schedule->call);
  const int64_t *dims = prt__get_numbers(words, &count);
  char *memory = prt__get_memory(words, r->schedule);
  const char *from = order == ORDER_LAND ? prt__get_memory(words, r->schedule) : memory;
  if (words->failed || !copy) memory = NULL;
  if (order == ORDER_SEND && memory) prt__move_send(r, rank, number, copy, dims, from);
  if (order == ORDER_TAKE) prt__move_take(r, rank, number, copy, dims, memory);
  if (order == ORDER_LAND && memory && from) prt__move_here(r, copy, dims, memory, from);
  if (order != ORDER_TAKE) prt__send(r, 0, prt__packet_new(r, PACKET_ANSWERED, sizeof(prt_packet)));
}

static void end_launch(prt_ranks *r, prt_words *words) {
  prt_schedule *s = r->schedule;
  prt_explored *explored = &s->call->explored;
  explored->choices = prt__get_number(words);
  explored->copies = prt__get_number(words);
  explored->signals = prt__get_number(words);
  explored->steps = prt__get_number(words);
  explored->atomics = prt__get_number(words);
  explored->looks = prt__get_number(words);
  s->gave_way = prt__get_number(words);
  s->call->is_cut = prt__get_number(words) != 0;
  int64_t status = prt__get_number(words);
  const char *text = prt__get_text(words);
  prt__led_end(r);
  if (status) prt__call_fail_text(s->call, (prt_status)status, "%s", text ? text : "failed");
  r->led.is_led = false;
  r->schedule = NULL;
  s->live = r->led.live;
  prt_group *group = r->devices->groups;
  atomic_store_explicit(&group->remaining, 1, memory_order_relaxed);
  prt__group_count_down(s, group);
}

void prt__follow(prt_schedule *s) {
  prt_ranks *r = s->ranks;
  while (r->led.is_led) {
    prt_message *message = prt__inbox_wait(r, &r->led.orders);
    if (!message) return;
    prt_words words = prt__words_of(message);
    prt_order order = (prt_order)prt__get_number(&words);
    if (order == ORDER_RUN)
      run(r, &words);
    else if (order == ORDER_EXCUSE)
      take_excused(s->call, s, &words);
    else if (order == ORDER_OVER)
      end_launch(r, &words);
    else
      move(r, order, &words);
    free(message);
  }
}

// ---- the end of a call --------------------------------------------------------------------------
static void take_findings(prt_call *call, prt_words *words) {
  prt_machine *machine = call->machine;
  prt_finding_note notes[REPORTED_NOTES];
  prt_finding finding;
  int64_t count = prt__get_number(words);
  for (int64_t i = 0; i < count && !words->failed; i++) {
    bool is_report = prt__get_number(words) != 0;
    prt__get_finding(words, machine->ranks, &finding, notes, REPORTED_NOTES);
    if (words->failed) return;
    if (is_report)
      prt__give_report(machine, &finding);
    else if (machine->options.on_finding)
      machine->options.on_finding(machine->options.data, &finding);
  }
}

static void take_origins(prt_call *call, prt_words *words) {
  prt_reported t;
  int32_t imported = (int32_t)prt__get_number(words);
  while (prt__get_number(words) && prt__reported_get(words, call->machine->ranks, &t))
    prt__origin_set(call, imported, t.at);
}

static void take_drawn(prt_explored *explored, prt_words *words) {
  size_t bytes;
  const void *drawn = prt__get_bytes(words, &bytes);
  free(explored->drawn);
  explored->drawn = bytes ? malloc(bytes) : NULL;
  explored->drawn_count = explored->drawn ? (int64_t)(bytes / sizeof(int64_t)) : 0;
  if (explored->drawn) memcpy(explored->drawn, drawn, bytes);
}

void prt__follow_close(prt_worker *worker) {
  prt_call *call = worker->call;
  prt_ranks *r = call->machine->ranks;
  prt_message *message = prt__inbox_wait(r, &r->led.closed);
  prt_words words = message ? prt__words_of(message) : (prt_words){0};
  if (!message || (uint64_t)prt__get_number(&words) != r->led.call_hash) {
    if (message)
      prt__call_fail_text(call, PRT_ERROR_MACHINE,
                          "rank %d makes another call than rank 0: all ranks need the same",
                          r->rank);
    free(message);
    r->led.worker = NULL;
    return;
  }
  prt_explored *explored = &call->explored;
  explored->choices = prt__get_number(&words);
  explored->copies = prt__get_number(&words);
  explored->signals = prt__get_number(&words);
  explored->steps = prt__get_number(&words);
  explored->atomics = prt__get_number(&words);
  explored->looks = prt__get_number(&words);
  explored->is_settled = prt__get_number(&words) != 0;
  explored->prints = prt__get_number(&words) != 0;
  explored->fault = prt__get_site(&words, r);
  take_drawn(explored, &words);
  call->is_cut = prt__get_number(&words) != 0;
  int32_t status = (int32_t)prt__get_number(&words);
  atomic_store_explicit(&call->status, status, memory_order_relaxed);
  r->fails_as_reported = status != PRT_OK;
  const char *text = prt__get_text(&words);
  snprintf(call->message, sizeof call->message, "%s", text ? text : "");
  call->site = prt__get_site(&words, r);
  int64_t found = prt__get_number(&words);
  atomic_fetch_add_explicit(&call->machine->findings, found, memory_order_relaxed);
  take_origins(call, &words);
  take_excused(call, NULL, &words);
  for (uint32_t i = 0; i < call->entry->param_count; i++)
    if (prt__get_number(&words) && call->arguments) prt__kept_seen(call, call->arguments[i]);
  take_findings(call, &words);
  free(message);
  r->led.worker = NULL;
}
