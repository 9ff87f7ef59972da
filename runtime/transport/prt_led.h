// SPDX-License-Identifier: Apache-2.0
// Launches of devices that rank 0 leads: under check, and where a seed draws the schedule.
//
// Rank 0 has the schedule, the semaphores, the log of accesses and all that is reported: what one
// process has. The devices' memory, their marks and the code that runs are their rank's. Rank 0
// says which task goes on; its rank runs it until it suspends, and tells what it did, which rank 0
// then does in its place, in the order in which one process would have done it.
#pragma once
#include "machine/prt_call.h"
#include "prt_wire.h"
#include "race/prt_extent.h"

// What rank 0 orders. Each rank carries its orders out one after the other.
typedef enum prt_order {
  ORDER_RUN,    // a task goes on: k
  ORDER_LAND,   // a copy inside of the rank: c n m m; answered
  ORDER_SEND,   // elements go to another rank: its number, theirs, c n m; answered
  ORDER_TAKE,   // elements from another rank are put there: its number, theirs, c n m
  ORDER_EXCUSE, // races excuse memory that was never written: as prt__lead_excused has it
  ORDER_DROP,   // or are not needed: its number, theirs
  ORDER_OVER    // the launch is
} prt_order;

// ---- prt_told.c ---------------------------------------------------------------------------------
enum { TOLD_MOST = 16, TOLD_NOTES = 80 };
typedef struct prt_told_argument {
  int64_t number;
  const void *constant;
  void *memory;
  prt_node *task;
  const int64_t *numbers;
  const char *text;
} prt_told_argument;

typedef struct prt_telling {
  int32_t what;
  prt_told_argument at[TOLD_MOST];
  prt_region region;
  prt_finding finding;
  prt_finding_note notes[TOLD_NOTES];
} prt_telling;

// `s`: NULL outside of a launch, where nothing is sent of tasks and memory.
void prt__tell_put(prt_wire *wire, const prt_schedule *s, int32_t what, va_list arguments);
// false: it cannot be read, and the call has failed.
bool prt__tell_get(prt_words *words, prt_ranks *r, prt_telling *out);

// ---- check/prt_shadow_ranks.c: marks and what they mean --------------------------------------
// One an element of the region, as a copy that was started at the site carries them; site NULL: as
// they are. false: all are written.
bool prt__marks_carried(prt_worker *worker, const prt_site *site, const prt_region *region,
                        uint8_t *marks);
bool prt__has_marks(prt_worker *worker, const prt_region *region);
void prt__marks_put(prt_worker *worker, const prt_region *region, const uint8_t *marks);
// Whether somebody has looked at the result of a call that is over; and that somebody has.
bool prt__kept_is_seen(prt_machine *machine, const void *memory);
void prt__kept_seen(prt_call *call, const void *memory);
void prt__watch_told(prt_call *call, const prt_told_argument *at);
void prt__watch_doubted(prt_call *call, const void *memory);
void prt__origin_told(prt_worker *worker, const prt_told_argument *at);
void prt__left_told(prt_worker *worker, const prt_told_argument *at);
uint8_t prt__import_told(prt_worker *worker, const prt_told_argument *at, bool is_kept);
int32_t prt__origins_imported(const prt_call *call); // how many are of other calls, or of outputs
// What a mark means, as PRT_TELL_ORIGIN has it, but for an address; or nothing.
void prt__origin_put(const prt_call *call, int32_t mark, prt_wire *wire,
                     void (*put)(prt_wire *wire, int32_t what, ...));
void prt__origin_set(prt_call *call, int32_t imported, const prt_told_argument *at);

// ---- prt_moved.c: elements ----------------------------------------------------------------------
enum { COPIED_NOT = 0, COPIED_THERE = -1 };
// They go to a rank, under a number.
void prt__move_send(prt_ranks *r, int32_t to, int64_t number, const prt_copy *copy,
                    const int64_t *dims, const char *from);
// What a rank has sent under the number is put there; NULL: is dropped. Waits for it, unless the
// call has failed.
void prt__move_take(prt_ranks *r, int32_t from, int64_t number, const prt_copy *copy,
                    const int64_t *dims, char *to);
// Both are here.
void prt__move_here(prt_ranks *r, const prt_copy *copy, const int64_t *dims, char *to,
                    const char *from);

// No more is written here where all ranks see it; returns when all that the others have is here.
void prt__led_end(prt_ranks *r);

// ---- inboxes (prt_moved.c) ----------------------------------------------------------------------
void prt__inbox_add(prt_inbox *inbox, prt_message *message);
void prt__inbox_free(prt_inbox *inbox);
// The first message of the inbox, when it has come; NULL: it will not, and the call has failed.
prt_message *prt__inbox_wait(prt_ranks *r, prt_inbox *inbox);

// ---- prt_lead.c: rank 0 -------------------------------------------------------------------------
void prt__lead_begin(prt_schedule *s);
// A task of another rank launches cores, or the devices are launched: who runs them.
void prt__lead_launch(prt_schedule *s, prt_group *group);
bool prt__lead_move(prt_schedule *s, const prt_node *from_task, const prt_node *to_task,
                    const prt_copy *copy, const int64_t *dims, char *to, const char *from);
// The task runs next: those of other ranks that come after it, whatever it does, go on meanwhile.
void prt__lead_ahead(prt_schedule *s, const prt_node *next);
void prt__lead_over(prt_schedule *s);
void prt__lead_answer(prt_ranks *r, const prt_message *message); // of PACKET_ASK
void prt__lead_close(prt_worker *worker, bool is_before);
void prt__lead_excused(prt_ranks *r, const prt_call *call, const prt_extent *written);
void prt__lead_found(prt_call *call, const prt_finding *finding, bool is_report);

// ---- prt_follow.c: the others -------------------------------------------------------------------
void prt__follow_tell(prt_ranks *r, int32_t what, ...);
int64_t prt__follow_ask(prt_ranks *r, int32_t what, ...);
void prt__follow_copy(prt_schedule *s, prt_node *node, prt_node *peer, const prt_copy *copy,
                      const int64_t *dims, void *to, const void *from, prt_sem *received,
                      prt_sem *sent);
// Carries orders out until the launch is over, or the call has failed.
void prt__follow(prt_schedule *s);
void prt__follow_close(prt_worker *worker);
