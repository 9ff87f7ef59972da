// SPDX-License-Identifier: Apache-2.0
// Rank 0 leads: it schedules the tasks of all ranks as one process does. A task of another rank
// looks to the schedule like any other: in place of a coroutine it has a prt_far, which lets it go
// on there and does here what is reported of it.
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include "check/prt_shadow_ranks.h"
#include "prt_messages.h"
#include "prt_moved.h"
#include "prt_ranks.h"
#include "prt_reported.h"
#include "tasks/prt_copy.h"
#include "tasks/prt_sem.h"
#include "tasks/prt_task.h"
#include "check/prt_finding.h"
#include "machine/prt_call.h"
#include "machine/prt_fail.h"
#include "prt_led.h"
#include "race/prt_parallel.h"
#include "race/prt_race.h"
#include "prt_interned.h"

typedef struct prt_far {
  void (*resume)(void *); // first: as a coroutine's
  struct prt_far *next, **link;
  prt_schedule *schedule;
  prt_node *node;
  bool has_begun, is_ahead; // the latter: it goes on already
  prt_step step;            // it is at
  int64_t indices[];
} prt_far;

// ---- orders -------------------------------------------------------------------------------------
static void send_order(prt_ranks *r, int32_t to) {
  prt__send(r, to, prt__wire_packet(r, PACKET_DO, &r->led.wire));
}

static void put_elements(prt_ranks *r, prt_order order, int32_t rank, int64_t number,
                         const prt_copy *copy, const int64_t *dims, const void *memory) {
  prt_wire *wire = &r->led.wire;
  prt__put_number(wire, order);
  if (order != ORDER_LAND) {
    prt__put_number(wire, rank);
    prt__put_number(wire, number);
  }
  prt__put_constant(wire, r->schedule->call, copy);
  prt__put_numbers(wire, dims, copy->rank);
  prt__put_memory(wire, r->schedule, memory);
}

static void order_elements(prt_ranks *r, int32_t to, prt_order order, int32_t rank, int64_t number,
                           const prt_copy *copy, const int64_t *dims, const void *memory) {
  put_elements(r, order, rank, number, copy, dims, memory);
  send_order(r, to);
}

// The order has been carried out: what it had to ask for came in the order of orders.
static void await_done(prt_ranks *r) { free(prt__inbox_wait(r, &r->led.answers)); }

// ---- copies -------------------------------------------------------------------------------------
static bool is_of_devices(const prt_ranks *r, const prt_node *node) {
  while (node && node->group->joint != r->devices) node = node->group->parent;
  return node != NULL;
}

// Of rank 0's own; those of the ranks themselves are above zero.
static int64_t next_move(prt_ranks *r) { return COPIED_THERE - ++r->led.moves; }

// Elements that a rank has sent before it reported the copy, or its launch was over.
static void move_sent(prt_ranks *r, int32_t to_rank, const prt_copy *copy, const int64_t *dims,
                      char *to) {
  bool is_there = r->led.copied == COPIED_THERE;
  if (!is_there && to_rank == r->rank)
    prt__move_take(r, r->led.copied_by, r->led.copied, copy, dims, to);
  else if (!is_there)
    order_elements(r, to_rank, ORDER_TAKE, r->led.copied_by, r->led.copied, copy, dims, to);
  r->led.copied = COPIED_NOT;
}

bool prt__lead_move(prt_schedule *s, const prt_transfer *t) {
  prt_ranks *r = s->ranks;
  const prt_copy *copy = t->copy;
  const int64_t *dims = t->dims;
  if (!r->led.is_led || r->rank || !is_of_devices(r, t->from_task)) return false;
  int32_t from_rank = prt__rank_of(r, t->from_task->task.device),
          to_rank = prt__rank_of(r, t->to_task->task.device);
  if (r->led.copied != COPIED_NOT) {
    move_sent(r, to_rank, copy, dims, t->to);
    return true;
  }
  if (from_rank == to_rank) {
    if (from_rank == r->rank) return false;
    put_elements(r, ORDER_LAND, 0, 0, copy, dims, t->to);
    prt__put_memory(&r->led.wire, s, t->from);
    send_order(r, from_rank);
    await_done(r);
    return true;
  }
  int64_t number = next_move(r);
  if (from_rank == r->rank) {
    prt__move_send(r, to_rank, number, copy, dims, t->from);
  } else {
    order_elements(r, from_rank, ORDER_SEND, to_rank, number, copy, dims, t->from);
    await_done(r);
  }
  if (to_rank == r->rank)
    prt__move_take(r, from_rank, number, copy, dims, t->to);
  else
    order_elements(r, to_rank, ORDER_TAKE, from_rank, number, copy, dims, t->to);
  return true;
}

static void send_held(prt_ranks *r, prt_flight *flight) {
  const prt_transfer *t = &flight->transfer;
  int32_t from = prt__rank_of(r, t->from_task->task.device),
          to = prt__rank_of(r, t->to_task->task.device);
  if (from == r->rank || from == to || !prt__copy_bytes(t->copy, t->dims)) return;
  flight->moved = next_move(r);
  order_elements(r, from, ORDER_SEND, to, flight->moved, t->copy, t->dims, t->from);
  await_done(r);
}

void prt__lead_leaves(prt_schedule *s, const prt_group *group) {
  prt_ranks *r = s->ranks;
  const prt_joint *joint = group->joint;
  if (!r->led.is_led || r->rank || prt__is_over(s)) return;
  for (int32_t d = 0; d < joint->devices; d++)
    for (prt_flight *flight = joint->groups[d].held; flight; flight = flight->next)
      if (flight->transfer.from_task->group == group) send_held(r, flight);
}

void prt__lead_moved(prt_schedule *s, const prt_flight *flight) {
  s->ranks->led.copied = flight->moved;
  s->ranks->led.copied_by = prt__rank_of(s->ranks, flight->transfer.from_task->task.device);
}

// The elements that were sent for a copy which is held, or not made at all.
static void drop_sent(prt_ranks *r, int32_t to_rank) {
  if (r->led.copied > 0 && to_rank == r->rank) {
    prt__move_take(r, r->led.copied_by, r->led.copied, NULL, NULL, NULL);
  } else if (r->led.copied > 0) {
    prt__put_number(&r->led.wire, ORDER_DROP);
    prt__put_number(&r->led.wire, r->led.copied_by);
    prt__put_number(&r->led.wire, r->led.copied);
    send_order(r, to_rank);
  }
  r->led.copied = COPIED_NOT;
}

// ---- what is reported --------------------------------------------------------------------------
static void take_step(prt_far **far, const prt_reported *t) {
  prt_worker *worker = (*far)->node->task.worker;
  worker->step = NULL;
  if (!t->at[0].number) return;
  int64_t rank = t->at[3].number;
  if (rank > (*far)->step.rank) { // room for as many indices as there have been
    prt_far *larger = realloc(*far, sizeof *larger + (size_t)rank * sizeof(int64_t));
    if (!larger) {
      prt__fail(worker, PRT_ERROR_MEMORY, "out of memory");
      return;
    }
    *far = larger;
    *larger->link = larger;
    if (larger->next) larger->next->link = &larger->next;
    larger->node->handle = larger;
  }
  prt_step *step = &(*far)->step;
  step->launch = t->at[1].constant;
  step->names = t->at[2].constant;
  step->rank = (int32_t)rank;
  step->indices = (*far)->indices;
  if (rank) memcpy((*far)->indices, t->at[3].numbers, (size_t)rank * sizeof(int64_t));
  worker->step = step;
}

static void take_copy(prt_ranks *r, prt_node *node, const prt_reported *t) {
  prt_node *peer = t->at[0].task;
  r->led.copied = t->at[7].number;
  r->led.copied_by = prt__rank_of(r, node->task.device);
  prt__copy_start(&node->task, &peer->task, t->at[1].constant, t->at[2].numbers, t->at[3].memory,
                  t->at[4].memory, t->at[5].memory, t->at[6].memory);
  drop_sent(r, prt__rank_of(r, peer->task.device));
}

static void answer(prt_ranks *r, int32_t to, int64_t number) {
  prt_wire wire = {0};
  prt__put_number(&wire, number);
  prt__send(r, to, prt__wire_packet(r, PACKET_ANSWERED, &wire));
  free(wire.words);
}

static void take_failure(prt_worker *worker, const prt_reported *t) {
  prt_status status = (prt_status)t->at[0].number;
  const char *text = t->at[2].text ? t->at[2].text : "failed";
  if (t->at[1].constant)
    prt__fail_at(worker, status, t->at[1].constant, "%s", text);
  else
    prt__fail(worker, status, "%s", text);
}

// What waits, signals and launches.
static bool take_event(prt_ranks *r, prt_node *node, const prt_reported *t) {
  prt_task *task = &node->task;
  const prt_reported_argument *a = t->at;
  switch (t->what) {
  case PRT_REPORTED_NEXT_STEP: prt__note_step(task->worker); return true;
  case PRT_REPORTED_WAIT:
    prt__sem_wait(task, a[0].memory, a[1].number, a[2].number != 0, a[3].constant);
    return true;
  case PRT_REPORTED_SIGNAL:
    prt__sem_signal_like(node, a[0].memory, a[1].memory, a[2].number, a[3].constant);
    return true;
  case PRT_REPORTED_PAUSE:
    prt__sem_pause(task, a[0].memory, (int32_t)a[1].number, a[2].constant);
    return true;
  case PRT_REPORTED_AFRESH: prt__sem_afresh(task); return true;
  case PRT_REPORTED_GIVES_WAY: prt__turn(task); return true;
  case PRT_REPORTED_READ:
    answer(r, prt__rank_of(r, task->device), prt__sem_read(task, a[0].memory));
    return true;
  case PRT_REPORTED_MEET: prt__meet(task, a[0].constant); return true;
  case PRT_REPORTED_SCOPE: prt__check_scope(task, a[0].memory, a[1].number); return true;
  case PRT_REPORTED_LAUNCH:
    prt__launch(task, (int32_t)a[0].number, a[1].constant, NULL, a[2].constant);
    return true;
  case PRT_REPORTED_ENDS: prt__task_end(task); return true;
  case PRT_REPORTED_COPY: take_copy(r, node, t); return true;
  default: return false;
  }
}

// What the log has.
static bool take_access(prt_worker *worker, const prt_reported *t) {
  prt_task *task = &worker->node->task;
  const prt_reported_argument *a = t->at;
  switch (t->what) {
  case PRT_REPORTED_ACCESS:
    prt__race_access(worker, a[0].constant, &t->region, (int32_t)a[2].number);
    return true;
  case PRT_REPORTED_INDEX: prt__race_index(worker, &t->region); return true;
  case PRT_REPORTED_WINDOW:
    prt__race_window(task, a[0].constant, &t->region, a[2].memory, (int32_t)a[3].number,
                     a[4].constant, (int32_t)a[5].number, (int32_t)a[6].number);
    return true;
  case PRT_REPORTED_COPY_BEGIN:
    prt__race_copy_begin(task, a[0].constant, a[1].memory, a[2].memory, a[3].number, a[4].number);
    return true;
  case PRT_REPORTED_COPY_END: prt__race_copy_end(worker); return true;
  case PRT_REPORTED_ATOMIC:
    prt__race_atomic(worker, a[0].constant, a[1].memory, a[2].number, (int32_t)a[3].number);
    return true;
  case PRT_REPORTED_POLLED:
    prt__race_polled(task, a[0].memory, (int32_t)a[1].number, (int32_t)a[2].number, a[3].constant);
    return true;
  case PRT_REPORTED_POLLED_TERM: prt__race_polled_term(task, a[0].memory, a[1].number); return true;
  case PRT_REPORTED_POLLED_SUM: prt__race_polled_sum(task, a[0].number, a[1].constant); return true;
  case PRT_REPORTED_POLLED_COUNT: prt__race_polled_count(task, a[0].memory); return true;
  case PRT_REPORTED_POLLED_POINT:
    prt__race_polled_point(task, (int32_t)a[0].number, a[1].number);
    return true;
  case PRT_REPORTED_POLLED_POINTS:
    prt__race_polled_points(task, (int32_t)a[0].number, a[1].constant);
    return true;
  case PRT_REPORTED_TURN:
    prt__race_turn(worker, (int32_t)a[0].number, (int32_t)a[1].number);
    return true;
  case PRT_REPORTED_PARALLEL_STEP: prt__parallel_step(worker, (int32_t)a[0].number); return true;
  case PRT_REPORTED_PARALLEL_REST:
    prt__parallel_rest(worker, a[0].memory, a[1].number);
    return true;
  case PRT_REPORTED_PARALLEL_END: prt__race_leave_steps(worker); return true;
  case PRT_REPORTED_INPUT:
    prt__race_input(worker, a[0].memory, (int32_t)a[1].number, (int32_t)a[2].number, a[4].constant,
                    a[3].constant);
    return true;
  default: return false;
  }
}

// What is found, and what is known of memory.
static bool take_finding(prt_ranks *r, prt_worker *worker, const prt_reported *t) {
  const prt_reported_argument *a = t->at;
  prt_machine *machine = r->machine;
  switch (t->what) {
  case PRT_REPORTED_WATCHED: prt__watch_reported(worker->call, t->at); return true;
  case PRT_REPORTED_SEEN: prt__kept_seen(worker->call, a[0].memory); return true;
  case PRT_REPORTED_DOUBTED: prt__watch_doubted(worker->call, a[0].memory); return true;
  case PRT_REPORTED_ORIGIN: prt__origin_reported(worker, t->at); return true;
  case PRT_REPORTED_LEFT: prt__left_reported(worker, t->at); return true;
  case PRT_REPORTED_USED:
    prt__check_used(worker, a[0].constant, (int32_t)a[1].number, a[2].text);
    return true;
  case PRT_REPORTED_CUT: worker->call->is_cut = true; return true;
  case PRT_REPORTED_FINDING:
    prt__report_finding(machine, worker->call, &t->finding, a[1].constant);
    return true;
  case PRT_REPORTED_REPORT: prt__give_report(machine, &t->finding); return true;
  case PRT_REPORTED_PRINT:
    worker->call->explored.prints = true;
    if (a[0].text) prt__ranks_print(r, a[0].text, strlen(a[0].text));
    return true;
  case PRT_REPORTED_FAILED: take_failure(worker, t); return true;
  default: return false;
  }
}

// What is asked. false: nothing is.
static void take_question(prt_ranks *r, int32_t from, const prt_reported *t) {
  if (t->what != PRT_REPORTED_IMPORT && t->what != PRT_REPORTED_IMPORT_KEPT) return;
  answer(r, from, prt__import_reported(r->led.worker, t->at, t->what == PRT_REPORTED_IMPORT_KEPT));
}

void prt__lead_answer(prt_ranks *r, const prt_message *message) {
  prt_words words = prt__words_of(message);
  prt_reported t;
  if (r->schedule && prt__reported_get(&words, r, &t)) take_question(r, message->from, &t);
}

// ---- tasks of other ranks -----------------------------------------------------------------------
static void far_free(prt_far *far) {
  *far->link = far->next;
  if (far->next) far->next->link = far->link;
  free(far);
}

// Does what one message says. true: the task has suspended.
static bool take(prt_ranks *r, prt_far **far, const prt_message *message) {
  prt_words words = prt__words_of(message);
  prt_node *node = (*far)->node;
  prt_worker *worker = node->task.worker;
  prt_reported t;
  while (words.at < words.end && prt__reported_get(&words, r, &t)) {
    if (t.what == PRT_REPORTED_STEP) {
      take_step(far, &t);
    } else if (t.what == PRT_REPORTED_SUSPENDED) {
      node->task.done = (uint64_t)t.at[0].number;
      return true;
    } else if (!take_event(r, node, &t) && !take_access(worker, &t) &&
               !take_finding(r, worker, &t)) {
      take_question(r, message->from, &t);
    }
  }
  return words.failed;
}

static void order_run(prt_ranks *r, const prt_node *node) {
  prt__put_number(&r->led.wire, ORDER_RUN);
  prt__put_task(&r->led.wire, r->schedule, node);
  send_order(r, prt__rank_of(r, node->task.device));
}

static void run_there(prt_ranks *r, prt_far **far) {
  prt_node *node = (*far)->node;
  int32_t rank = prt__rank_of(r, node->task.device);
  if (!(*far)->is_ahead) order_run(r, node);
  (*far)->is_ahead = r->others[rank].is_ahead = false;
  for (bool is_over = false; !is_over;) {
    prt_message *message = prt__inbox_wait(r, &r->others[rank].reported);
    if (!message) return;
    is_over = take(r, far, message);
    free(message);
  }
}

// What a coroutine does between two suspensions.
static void resume(void *handle) {
  prt_far *far = handle;
  prt_schedule *s = far->schedule;
  prt_node *node = far->node;
  bool is_first = !far->has_begun;
  far->has_begun = true;
  if (is_first && s->race) prt__race_begin(s->race, node);
  do run_there(s->ranks, &far);
  while (node->wait == WAIT_NOTHING && !prt__is_over(s)); // it has what it waits for
  if (node->wait == WAIT_ENDED) {
    node->handle = NULL;
    node->task.worker->step = NULL;
    far_free(far);
  }
  if (is_first) prt__begun(s, node);
}

// ---- tasks before their turn --------------------------------------------------------------------
// Where a task is in the queue is where it will run, and what it does till it suspends is the same
// now, if nothing is drawn and no copy lands before: copies land late, where nothing can run, or
// so many have given way; or at the end of a launch. What it asks is answered in its turn.
static bool may_go_ahead(const prt_schedule *s) {
  return s->seeded && !s->choices.draws && !s->choices.reversed && !s->choices.looking &&
         s->choices.copies == COPIES_LATE && s->gave_way == 0 && !prt__is_over(s);
}

void prt__lead_ahead(prt_schedule *s, const prt_node *next) {
  enum { MOST = 64 }; // as many as may give way before a copy lands
  prt_ranks *r = s->ranks;
  if (!r->led.is_led || r->rank || !may_go_ahead(s)) return;
  int32_t busy = 1; // ranks whose next task goes on, or is known to have to wait
  bool is_next_there = is_of_devices(r, next) && !prt__is_own(r, next->task.device);
  prt_other *there = is_next_there ? &r->others[prt__rank_of(r, next->task.device)] : NULL;
  bool was_ahead = there && there->is_ahead;
  for (int32_t i = 1; i < r->ranks; i++) busy += r->others[i].is_ahead;
  if (there && !was_ahead) there->is_ahead = true, busy++; // its own turn
  const prt_node *node = s->head;
  for (int32_t i = 0; node && i < MOST && busy < r->ranks; i++, node = node->next) {
    if (node->wait == WAIT_LAUNCH || !is_of_devices(r, node)) break;
    int32_t rank = prt__rank_of(r, node->task.device);
    if (rank == r->rank || r->others[rank].is_ahead) continue;
    ((prt_far *)node->handle)->is_ahead = r->others[rank].is_ahead = true;
    busy++;
    order_run(r, node);
  }
  if (there && !was_ahead) there->is_ahead = false;
}

// The launch ends before their turn has come: nobody hears of it.
static void drop_ahead(prt_ranks *r, int32_t rank) {
  while (r->others[rank].is_ahead) {
    prt_message *message = prt__inbox_wait(r, &r->others[rank].reported);
    if (!message) return;
    prt_words words = prt__words_of(message);
    prt_reported t;
    while (words.at < words.end && prt__reported_get(&words, r, &t)) {
      bool asks = t.what == PRT_REPORTED_READ || t.what == PRT_REPORTED_IMPORT ||
                  t.what == PRT_REPORTED_IMPORT_KEPT;
      if (asks) answer(r, rank, 0);
      if (t.what == PRT_REPORTED_SUSPENDED) r->others[rank].is_ahead = false;
    }
    r->others[rank].is_ahead &= !words.failed;
    free(message);
  }
}

void prt__lead_launch(prt_schedule *s, prt_group *group) {
  prt_ranks *r = s->ranks;
  for (int32_t i = 0; i < group->count; i++) {
    prt_node *node = &group->nodes[i];
    if (prt__is_own(r, node->task.device)) continue;
    prt_far *far = calloc(1, sizeof *far);
    if (!far) {
      prt__call_fail_text(s->call, PRT_ERROR_MEMORY, "out of memory");
      return;
    }
    *far = (prt_far){.resume = resume, .schedule = s, .node = node};
    far->next = r->led.fars;
    far->link = &r->led.fars;
    if (far->next) far->next->link = &far->next;
    r->led.fars = far;
    node->handle = far;
  }
}

// ---- the end of a launch ------------------------------------------------------------------------
static void put_explored(prt_wire *wire, const prt_explored *explored) {
  prt__put_number(wire, explored->choices);
  prt__put_number(wire, explored->copies);
  prt__put_number(wire, explored->signals);
  prt__put_number(wire, explored->steps);
  prt__put_number(wire, explored->atomics);
  prt__put_number(wire, explored->looks);
}

static const char *text_of(const prt_call *call) { // behind the name of the entry point
  const char *prefix_end = strchr(call->message, ' ');
  return prefix_end ? prefix_end + 1 : call->message;
}

void prt__lead_over(prt_schedule *s) {
  prt_ranks *r = s->ranks;
  prt_wire *wire = &r->led.wire;
  int32_t status = atomic_load_explicit(&s->call->status, memory_order_relaxed);
  if (status == PRT_ERROR_CHECK) status = PRT_OK;
  for (int32_t i = 1; i < r->ranks; i++) drop_ahead(r, i);
  wire->count = 0;
  prt__put_number(wire, ORDER_OVER);
  put_explored(wire, &s->call->explored);
  prt__put_number(wire, s->gave_way);
  prt__put_number(wire, s->call->is_cut);
  prt__put_number(wire, status);
  prt__put_text(wire, text_of(s->call));
  prt__send_all(r, prt__wire_packet(r, PACKET_DO, wire));
  prt__led_end(r);
  while (r->led.fars) far_free(r->led.fars);
  r->led.is_led = false;
  r->schedule = NULL;
}

// ---- the end of a call --------------------------------------------------------------------------
void prt__lead_found(prt_call *call, const prt_finding *finding, bool is_report) {
  prt_ranks *r = call->machine->ranks;
  prt__put_number(&r->led.findings, is_report);
  prt__put_finding(&r->led.findings, finding);
  r->led.finding_count++;
}

// `number`: of the argument whose memory it may be in; -1: it is the program's.
static bool put_excused(prt_ranks *r, int64_t number, const char *memory, int64_t bytes,
                        const prt_extent *written) {
  prt_wire *wire = &r->led.excused;
  if (!memory || written->base < memory || written->base >= memory + bytes) return false;
  prt__put_number(wire, number);
  prt__put_number(wire, written->base - memory);
  prt__put_number(wire, written->end - written->base);
  prt__put_number(wire, written->run);
  prt__put_numbers(wire, (const int64_t *)written->levels, 2 * written->rank);
  r->led.excused_count++;
  return true;
}

static void put_all_excused(prt_ranks *r, prt_wire *wire) {
  prt__put_number(wire, r->led.excused_count);
  prt__put_words(wire, &r->led.excused);
  r->led.excused_count = 0;
}

// Of memory that the others have as well.
void prt__lead_excused(prt_ranks *r, const prt_call *call, const prt_extent *written) {
  const prt_entry *entry = call->entry;
  if (r->rank || !r->led.worker || r->led.worker->call != call) return;
  for (uint32_t i = 0; call->arguments && i < entry->param_count; i++)
    if (put_excused(r, (int64_t)i, call->arguments[i], (int64_t)prt_param_bytes(&entry->params[i]),
                    written))
      return;
  const prt_schedule *s = r->led.worker->schedule;
  const prt_node *root = s && s->root ? s->root->nodes : NULL;
  if (root) put_excused(r, -1, root->task.memory, root->program->memory, written);
}

void prt__lead_begin(prt_schedule *s) {
  prt_ranks *r = s->ranks;
  prt_wire *wire = &r->led.wire;
  if (!r->led.excused_count) return;
  prt__put_number(wire, ORDER_EXCUSE);
  put_all_excused(r, wire);
  prt__send_all(r, prt__wire_packet(r, PACKET_DO, wire));
}

// One more.
static void put_reported(prt_wire *wire, int32_t what, ...) {
  va_list arguments;
  va_start(arguments, what);
  prt__put_number(wire, 1);
  prt__reported_put(wire, NULL, what, arguments);
  va_end(arguments);
}

static void put_origins(const prt_call *call, prt_wire *wire) {
  prt__put_number(wire, prt__origins_imported(call));
  for (int32_t mark = 0; mark <= UINT8_MAX; mark++) prt__origin_put(call, mark, wire, put_reported);
  prt__put_number(wire, 0);
}

// Before the call has given its marks away, and when all is reported.
void prt__lead_close(prt_worker *worker, bool is_before) {
  prt_call *call = worker->call;
  prt_ranks *r = call->machine->ranks;
  prt_wire *wire = &r->led.wire, *findings = &r->led.findings;
  if (is_before) {
    put_origins(call, &r->led.origins);
    return;
  }
  const prt_explored *explored = &call->explored;
  wire->count = 0;
  prt__put_number(wire, (int64_t)r->led.call_hash);
  put_explored(wire, explored);
  prt__put_number(wire, explored->is_settled);
  prt__put_number(wire, explored->prints);
  prt__put_site(wire, explored->fault);
  prt__put_bytes(wire, explored->drawn, (size_t)explored->drawn_count * sizeof(int64_t));
  prt__put_number(wire, call->is_cut);
  prt__put_number(wire, atomic_load_explicit(&call->status, memory_order_relaxed));
  prt__put_text(wire, call->message);
  prt__put_site(wire, call->site);
  prt__put_number(wire, atomic_load_explicit(&call->machine->findings, memory_order_relaxed) -
                            r->led.found_before);
  prt__put_words(wire, &r->led.origins);
  put_all_excused(r, wire);
  for (uint32_t i = 0; i < call->entry->param_count; i++)
    prt__put_number(wire, call->arguments && prt__kept_is_seen(call->machine, call->arguments[i]));
  prt__put_number(wire, r->led.finding_count);
  prt__put_words(wire, findings);
  r->led.finding_count = 0;
  prt__send_all(r, prt__wire_packet(r, PACKET_CLOSED, wire));
  r->led.worker = NULL;
}
