// SPDX-License-Identifier: Apache-2.0
// Elements that move between ranks, and what has come of them.
#pragma once
#include "prt_ranks.h"

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
