// SPDX-License-Identifier: Apache-2.0
// Waiting for other ranks.
#pragma once
#include "tasks/prt_task.h"
#include "prt_ranks.h"

void prt__ranks_poll(prt_schedule *s);
// Nothing can run here until something comes. false: nothing will, on any rank.
bool prt__ranks_wait(prt_schedule *s);
// Memory of tasks is about to be given back: returns when no body goes from here or comes.
void prt__ranks_settle(prt_ranks *r);
// A launch of devices is over, or a call that rank 0 closes, and the program may do other things
// than poll: returns when all that was sent is on its way. Who waits for it is still in there.
void prt__ranks_flush(prt_ranks *r);
// Returns when all ranks have come to the launch of devices that begins here, or the call has
// failed, since one of them never will or runs another program.
void prt__ranks_gather(prt_schedule *s);
void prt__idle_packet(prt_ranks *r, const prt_message *message);
// Takes what has come, or rests; false: a rank is gone that the call needs, which has failed.
bool prt__ranks_await(prt_ranks *r, prt_call *call);
// The same at the end of a launch: a rank that has ended it may leave.
bool prt__ranks_await_ends(prt_ranks *r, prt_call *call);

// ---- prt_state.c: what rank 0 has to know for its report
void prt__state_send(prt_ranks *r);
void prt__states_take(prt_ranks *r); // of all others, into the tasks as they are here
// What was done in a launch that is over here, which rank 0 may have still: devices may wait in it.
void prt__state_keep(prt_ranks *r, const prt_joint *joint);
int32_t prt__state_met(const prt_ranks *r); // devices that have come to the meeting, on all ranks
