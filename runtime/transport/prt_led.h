// SPDX-License-Identifier: Apache-2.0
// Launches of devices that rank 0 leads: under check, and where a seed draws the schedule.
//
// Rank 0 has the schedule, the semaphores, the log of accesses and all that is reported: what one
// process has. The devices' memory, their marks and the code that runs are their rank's. Rank 0
// says which task goes on; its rank runs it until it suspends, and reports what it did, which rank
// 0 then does in its place, in the order in which one process would have done it.
#pragma once
#include "machine/prt_call.h"
#include "race/prt_extent.h"
#include "tasks/prt_task.h"
#include "prt_ranks.h"
#include "prt_wire.h"

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

// ---- prt_lead.c: rank 0 -------------------------------------------------------------------------
void prt__lead_begin(prt_schedule *s);
// A task of another rank launches cores, or the devices are launched: who runs them.
void prt__lead_launch(prt_schedule *s, prt_group *group);
bool prt__lead_move(prt_schedule *s, const prt_transfer *transfer);
void prt__lead_leaves(prt_schedule *s, const prt_group *group);
void prt__lead_moved(prt_schedule *s, const struct prt_flight *flight);
// The task runs next: those of other ranks that come after it, whatever it does, go on meanwhile.
void prt__lead_ahead(prt_schedule *s, const prt_node *next);
void prt__lead_over(prt_schedule *s);
void prt__lead_answer(prt_ranks *r, const prt_message *message); // of PACKET_ASK
void prt__lead_close(prt_worker *worker, bool is_before);
void prt__lead_excused(prt_ranks *r, const prt_call *call, const prt_extent *written);
void prt__lead_found(prt_call *call, const prt_finding *finding, bool is_report);

// ---- prt_follow.c: the others -------------------------------------------------------------------
void prt__follow_report(prt_ranks *r, int32_t what, ...);
int64_t prt__follow_ask(prt_ranks *r, int32_t what, ...);
void prt__follow_copy(prt_schedule *s, const prt_transfer *transfer);
// Carries orders out until the launch is over, or the call has failed.
void prt__follow(prt_schedule *s);
void prt__follow_close(prt_worker *worker);
