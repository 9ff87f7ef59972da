// SPDX-License-Identifier: Apache-2.0
// What ranks tell each other of a call, as words: numbers, bytes, constants of the program and of
// the runtime by their distance from something that all ranks have, or, where they may be of
// another call than the one that runs, by what they are; memory as places.
#pragma once
#include "machine/prt_call.h"
#include "tasks/prt_task.h"
#include "prt_ranks.h"

typedef struct prt_words { // that came, as far as they have not been read
  const uint64_t *at, *end;
  bool failed; // there were fewer than were asked for
} prt_words;

void prt__put_number(prt_wire *wire, int64_t number);
void prt__put_bytes(prt_wire *wire, const void *bytes, size_t count);
void prt__put_words(prt_wire *wire, prt_wire *from);  // as they are; none are left there
void prt__put_text(prt_wire *wire, const char *text); // may be NULL
void prt__put_constant(prt_wire *wire, const prt_call *call, const void *constant);
// Memory that other ranks do not have is named so that no two ranks name the same.
void prt__put_memory(prt_wire *wire, const prt_schedule *s, const void *memory);
void prt__put_task(prt_wire *wire, const prt_schedule *s, const prt_node *node);
void prt__put_numbers(prt_wire *wire, const int64_t *numbers, int32_t count);
void prt__put_region(prt_wire *wire, const prt_schedule *s, const prt_region *region);
void prt__put_finding(prt_wire *wire, const prt_finding *finding);

int64_t prt__get_number(prt_words *words);
const void *prt__get_bytes(prt_words *words, size_t *count);
const char *prt__get_text(prt_words *words);
const void *prt__get_constant(prt_words *words, const prt_call *call);
void *prt__get_memory(prt_words *words, prt_schedule *s); // NULL: it is gone
prt_node *prt__get_task(prt_words *words, prt_schedule *s);
const int64_t *prt__get_numbers(prt_words *words, int32_t *count);
void prt__get_region(prt_words *words, prt_schedule *s, prt_region *region);
// Its notes go there; at most `room` of them are taken.
void prt__get_finding(prt_words *words, prt_ranks *r, prt_finding *finding, prt_finding_note *notes,
                      int32_t room);

// The wire's words as a packet, and none are left in it. NULL: no memory, and the call has failed.
prt_message *prt__wire_packet(prt_ranks *r, prt_packet_kind kind, prt_wire *wire);
prt_words prt__words_of(const prt_message *message);
