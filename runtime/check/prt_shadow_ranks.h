// SPDX-License-Identifier: Apache-2.0
// Marks of memory that other ranks have, and what they mean.
#pragma once
#include "transport/prt_packet.h"
#include "transport/prt_reported.h"

// One an element of the region, as a copy that was started at the site carries them; site NULL: as
// they are. false: all are written.
bool prt__marks_carried(prt_worker *worker, const prt_site *site, const prt_region *region,
                        uint8_t *marks);
bool prt__has_marks(prt_worker *worker, const prt_region *region);
void prt__marks_put(prt_worker *worker, const prt_region *region, const uint8_t *marks);
// Whether somebody has looked at the result of a call that is over; and that somebody has.
bool prt__kept_is_seen(prt_machine *machine, const void *memory);
void prt__kept_seen(prt_call *call, const void *memory);
void prt__watch_reported(prt_call *call, const prt_reported_argument *at);
void prt__watch_doubted(prt_call *call, const void *memory);
void prt__origin_reported(prt_worker *worker, const prt_reported_argument *at);
void prt__left_reported(prt_worker *worker, const prt_reported_argument *at);
uint8_t prt__import_reported(prt_worker *worker, const prt_reported_argument *at, bool is_kept);
int32_t prt__origins_imported(const prt_call *call); // how many are of other calls, or of outputs
// What a mark means, as PRT_REPORTED_ORIGIN has it, but for an address; or nothing.
void prt__origin_put(const prt_call *call, int32_t mark, prt_wire *wire,
                     void (*put)(prt_wire *wire, int32_t what, ...));
void prt__origin_set(prt_call *call, int32_t imported, const prt_reported_argument *at);
