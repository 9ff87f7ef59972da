// SPDX-License-Identifier: Apache-2.0
// The end of a job: all ranks tell each other that they have come to their ends, and how. In: what
// the program of each says. Out: what rank 0 reports of those that have ended in another way than
// its own. The first process to fail may end the others, so none leaves before that is sent.
#include "prt_messages.h"
#include "prt_ranks.h"
#include <stdlib.h>
#include <string.h>

void prt__ranks_ending(prt_ranks *r, int status, const char *text) {
  if (r->rank && r->fails_as_reported) text = "";
  size_t bytes = strlen(text) + 1;
  prt_message *message = prt__packet_new(r, PACKET_BYE, sizeof(prt_bye_packet) + bytes);
  if (!message) return;
  prt_bye_packet *packet = (prt_bye_packet *)(void *)message->data;
  packet->status = status;
  memcpy(packet + 1, text, bytes);
  free(r->ending);
  r->ending = message;
}

static bool all_have_left(const prt_ranks *r) {
  for (int32_t i = 0; i < r->ranks; i++)
    if (i != r->rank && !r->others[i].has_left) return false;
  return true;
}

// How a rank's program has ended; NULL: it is lost.
static const prt_bye_packet *ending_of(const prt_ranks *r, int32_t rank) {
  const prt_message *message = rank == r->rank ? r->ending : r->others[rank].ending.first;
  bool is_whole = message && message->bytes > sizeof(prt_bye_packet) &&
                  message->data[message->bytes - 1] == '\0';
  return is_whole ? (const void *)message->data : NULL;
}

static const char *text_of(const prt_bye_packet *ending) { return (const char *)(ending + 1); }

// With that of `before`, which is reported, as much is said of the other.
static bool says_as_much(const prt_bye_packet *before, const prt_bye_packet *ending) {
  const char *text = text_of(ending);
  return before && ending->status == before->status &&
         (!*text || strcmp(text, text_of(before)) == 0);
}

static void report_endings(prt_ranks *r) {
  const prt_machine_options *options = &r->machine->options;
  for (int32_t i = 1; options->on_ending && i < r->ranks; i++) {
    const prt_bye_packet *ending = ending_of(r, i);
    int32_t reported = 0;
    while (ending && reported < i && !says_as_much(ending_of(r, reported), ending)) reported++;
    if (ending && reported == i)
      options->on_ending(options->data, i, ending->status, text_of(ending));
  }
}

// Returns when it is so. false: a rank is lost.
static bool is_so(prt_ranks *r, bool (*so)(const prt_ranks *r)) {
  const char *why = NULL;
  while (!so(r)) {
    prt_message *message = r->transport->poll(r->transport);
    if (message)
      prt__receive(r, message);
    else
      r->transport->rest(r->transport);
    if (r->transport->lost(r->transport, &why) >= 0) return false;
  }
  return true;
}

static bool is_cleared(const prt_ranks *r) { return r->is_cleared; }
static bool has_sent_all(const prt_ranks *r) { return r->transport->has_sent_all(r->transport); }

bool prt__ranks_leave(prt_ranks *r) {
  if (!r->ending) prt__ranks_ending(r, 0, "");
  if (r->ending) prt__send_all(r, prt__clone(r, r->ending));
  bool is_whole = is_so(r, all_have_left);
  if (r->rank) return is_whole && is_so(r, is_cleared);
  report_endings(r);
  prt__send_all(r, prt__packet_new(r, PACKET_CLEARED, sizeof(prt_packet)));
  return is_whole && is_so(r, has_sent_all);
}
