// SPDX-License-Identifier: Apache-2.0
// Ranks on which nothing can run: they wait for what others send. If all do, and nothing is on its
// way, nothing will ever come.
//
// Rank 0 finds that out by counting twice (Mattern 1987: the four-counter method). A rank that is
// idle says how many packets it has sent and received so far. When all are, and as many were
// received as sent, rank 0 asks all of them once more: if the numbers are what they were, they were
// so at one time, and nothing is under way.
#include "machine/prt_call.h"
#include "machine/prt_fail.h"
#include "tasks/prt_task.h"
#include "prt_idle.h"
#include "prt_messages.h"
#include "prt_ranks.h"
#include <stdlib.h>
#include <string.h>

// Nothing that concerns the memory of this rank is on its way.
static bool is_quiet(const prt_ranks *r) { return !r->outgoing && !r->incoming; }

static void send_numbers(prt_ranks *r, int32_t to, prt_packet_kind kind, int64_t wave,
                         bool is_idle) {
  prt_message *message = prt__packet_new(r, kind, sizeof(prt_idle_packet));
  if (!message) return;
  prt_idle_packet *packet = (prt_idle_packet *)(void *)message->data;
  packet->wave = wave;
  packet->is_idle = is_idle;
  packet->sent = r->sent;
  packet->received = r->received;
  prt__send(r, to, message);
}

static void note_numbers(prt_other *other, bool is_idle, int64_t sent, int64_t received) {
  other->is_idle = is_idle;
  other->sent = sent;
  other->received = received;
}

// ---- rank 0 -------------------------------------------------------------------------------------
static bool all_are_idle(prt_ranks *r) {
  int64_t under_way = 0;
  note_numbers(&r->others[0], true, r->sent, r->received);
  for (int32_t i = 0; i < r->ranks; i++) {
    if (!r->others[i].is_idle) return false;
    under_way += r->others[i].sent - r->others[i].received;
  }
  return under_way == 0;
}

static void ask_again(prt_ranks *r) {
  r->is_probing = true;
  r->wave++;
  r->reported_sent = r->sent;
  r->reported_received = r->received;
  for (int32_t i = 1; i < r->ranks; i++) {
    r->others[i].has_answered = false;
    send_numbers(r, i, PACKET_PROBE, r->wave, true);
  }
}

static void take_answer(prt_ranks *r, int32_t from, const prt_idle_packet *packet) {
  if (!r->is_probing || packet->wave != r->wave) return;
  prt_other *other = &r->others[from];
  other->has_answered = true;
  bool is_same =
      packet->is_idle && packet->sent == other->sent && packet->received == other->received;
  note_numbers(other, packet->is_idle, packet->sent, packet->received);
  if (!is_same) r->is_probing = false;
}

// All have answered what they had said before.
static bool is_sure(const prt_ranks *r) {
  for (int32_t i = 1; i < r->ranks; i++)
    if (!r->others[i].has_answered) return false;
  return r->is_probing && r->reported_sent == r->sent && r->reported_received == r->received;
}

static bool has_all_states(const prt_ranks *r) {
  for (int32_t i = 1; i < r->ranks; i++)
    if (!r->others[i].state) return false;
  return true;
}

// true: it is a deadlock, and the tasks here are as they are on their ranks.
static bool is_end(prt_ranks *r) {
  if (r->is_gathering) {
    if (!has_all_states(r)) return false;
    prt__states_take(r);
    r->devices->groups->met = prt__state_met(r);
    return true;
  }
  if (is_sure(r)) {
    r->is_gathering = true;
    prt__send_all(r, prt__packet_new(r, PACKET_GATHER, sizeof(prt_packet)));
  } else if (!r->is_probing && all_are_idle(r)) {
    ask_again(r);
  }
  return false;
}

// ---- the others ---------------------------------------------------------------------------------
static void report_idle(prt_ranks *r) {
  if (r->was_reported && r->reported_sent == r->sent && r->reported_received == r->received) return;
  r->was_reported = true;
  r->reported_sent = r->sent;
  r->reported_received = r->received;
  send_numbers(r, 0, PACKET_IDLE, 0, true);
}

void prt__idle_packet(prt_ranks *r, const prt_message *message) {
  const prt_idle_packet *packet = (const void *)message->data;
  int32_t kind = packet->head.kind;
  bool is_whole = message->bytes >= sizeof *packet;
  if (kind == PACKET_IDLE && is_whole) {
    note_numbers(&r->others[message->from], true, packet->sent, packet->received);
    r->is_probing = false;
  } else if (kind == PACKET_PROBE && is_whole)
    send_numbers(r, 0, PACKET_ANSWER, packet->wave, r->is_waiting && is_quiet(r));
  else if (kind == PACKET_ANSWER && is_whole)
    take_answer(r, message->from, packet);
  else if (kind == PACKET_GATHER)
    prt__state_send(r);
  else if (kind == PACKET_STATE && !r->others[message->from].state) {
    prt_message *state = malloc(sizeof *state + message->bytes);
    if (state) memcpy(state, message, sizeof *state + message->bytes);
    r->others[message->from].state = state;
  }
}

// ---- waiting ------------------------------------------------------------------------------------
// Nothing has come. true: so often that it is time to see whether anything will; that costs more
// than what comes at once takes, and messages of its own.
static bool rest(prt_ranks *r) {
  enum { PATIENCE = 128 };
  r->transport->rest(r->transport);
  return ++r->rests % PATIENCE == 0;
}

static bool take_one(prt_ranks *r) {
  bool has_sent = prt__ranks_collect(r);
  prt_message *message = r->transport->poll(r->transport);
  if (message) prt__receive(r, message);
  if (r->has_news) {
    r->has_news = false;
    prt__receive_early(r);
  }
  return has_sent || message;
}

void prt__ranks_poll(prt_schedule *s) {
  prt_ranks *r = s->ranks;
  if (r->schedule != s) return;
  while (take_one(r) && r->schedule == s && !prt__is_over(s)) {
  }
}

static bool has_lost_one(prt_ranks *r, prt_call *call) {
  const char *why = "";
  int32_t lost = r->transport->lost(r->transport, &why);
  if (lost >= 0) prt__call_fail_text(call, PRT_ERROR_MACHINE, "rank %d %s", lost, why);
  return lost >= 0;
}

static void report_left(prt_call *call, int32_t rank) {
  prt__call_fail_text(call, PRT_ERROR_MACHINE,
                      "the program of rank %d has ended, and others wait for its devices", rank);
}

// A rank that is gone, or whose program has ended, will not do what we wait for: begin the launch
// (while they gather), or end its devices.
static bool is_alone(prt_ranks *r, prt_call *call, bool is_gathering) {
  if (has_lost_one(r, call)) return true;
  for (int32_t i = 0; i < r->ranks; i++) {
    const prt_other *other = &r->others[i];
    if (!other->has_left || (is_gathering ? other->has_begun : other->has_ended)) continue;
    report_left(call, i);
    return true;
  }
  return false;
}

bool prt__ranks_wait(prt_schedule *s) {
  prt_ranks *r = s->ranks;
  if (r->schedule != s) return false;
  r->is_waiting = true;
  bool is_over = false, has_come = false;
  while (!is_over && !has_come) {
    int64_t before = r->received, outgoing = r->outgoing;
    if (!take_one(r) && rest(r)) {
      is_over = r->rank == 0 && is_quiet(r) && is_end(r);
      if (r->rank && is_quiet(r)) report_idle(r);
      if (is_alone(r, s->call, false)) break;
    }
    has_come =
        r->received != before || r->outgoing != outgoing || r->schedule != s || prt__is_over(s);
  }
  r->is_waiting = false;
  return !is_over;
}

bool prt__ranks_await(prt_ranks *r, prt_call *call) {
  if (take_one(r) || !rest(r)) return true;
  if (has_lost_one(r, call)) return false;
  // Of ranks that follow, another one may have heard of the end of the call before.
  for (int32_t i = 0; i < (r->rank ? 1 : r->ranks); i++) {
    if (!r->others[i].has_left) continue;
    report_left(call, i);
    return false;
  }
  return true;
}

bool prt__ranks_await_ends(prt_ranks *r, prt_call *call) {
  return take_one(r) || !rest(r) || !is_alone(r, call, false);
}

// Takes what has come, or rests. false: nothing more will, since a rank is lost.
static bool goes_on(prt_ranks *r) {
  const char *why;
  return take_one(r) || !rest(r) || r->transport->lost(r->transport, &why) < 0;
}

void prt__ranks_settle(prt_ranks *r) {
  while (!is_quiet(r) && goes_on(r)) {
  }
}

void prt__ranks_flush(prt_ranks *r) {
  while (!r->transport->has_sent_all(r->transport) && goes_on(r)) {
  }
}

static bool have_all_begun(const prt_ranks *r) {
  for (int32_t i = 0; i < r->ranks; i++)
    if (i != r->rank && !r->others[i].has_begun) return false;
  return true;
}

void prt__ranks_gather(prt_schedule *s) {
  prt_ranks *r = s->ranks;
  prt__receive_early(r);
  while (!have_all_begun(r) && !prt__is_over(s)) {
    if (!take_one(r) && rest(r) && is_alone(r, s->call, true)) return;
  }
}
