// SPDX-License-Identifier: Apache-2.0
// Sending and receiving packets.
#pragma once
#include "prt_ranks.h"

// A packet of `bytes` with its head filled in; NULL: no memory, and the call has failed.
prt_message *prt__packet_new(prt_ranks *r, prt_packet_kind kind, size_t bytes);
prt_message *prt__clone(prt_ranks *r, const prt_message *message); // without a body; NULL likewise
void prt__send(prt_ranks *r, int32_t to, prt_message *message);
void prt__send_all(prt_ranks *r, prt_message *message); // to all others
void prt__send_fail(prt_ranks *r, prt_status status, const char *text);
// Strides, in bytes, of elements that lie one behind the other; and how many bytes they are.
void prt__packed(const prt_copy *copy, const int64_t *dims, int64_t *strides);
bool prt__is_packed(const prt_copy *copy, const int64_t *dims, const int64_t *strides);
// A body has been sent: its copy's semaphore knows. false: none has.
bool prt__ranks_collect(prt_ranks *r);

// ---- prt_receive.c
void prt__receive(prt_ranks *r, prt_message *message);
void prt__ranks_print(prt_ranks *r, const char *text, size_t length);
void prt__ranks_met(prt_ranks *r); // perhaps all have come to a meeting
// What came too early is looked at again.
void prt__receive_early(prt_ranks *r);
