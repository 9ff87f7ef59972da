// SPDX-License-Identifier: Apache-2.0
// Memory that a call watches: what of it was written (prt_shadow.c).
#pragma once
#include "machine/prt_call.h"

// What is known of memory that is watched.
typedef struct prt_watched {
  const char *base;
  const char *what; // its name
  int32_t element_bytes, rank;
  const int64_t *dims; // row-major
} prt_watched;

struct prt_extent;
// At the end of a call: what of its outputs was never written is reported, or kept for who asks.
void prt__watches_finish(prt_worker *worker);
// It was reported that the step which runs reaches outside of memory: what it reads of a window
// that nothing could be fetched to is no mistake of its own.
void prt__watch_outside(prt_worker *worker);
// A race was reported of the launch at `site` that writes the output at `memory`: that it was never
// written is not reported again.
void prt__watches_reported(prt_call *call, const prt_site *site, const char *memory);
// What was to be written there may not be yet, as is reported: nor is that reported where it is
// read, in the call so far or later.
void prt__watches_raced(prt_call *call, const struct prt_extent *written);
void prt__parallel_free(prt_call *call);
void prt__kept_free(prt_machine *machine);
// As prt__check_copied, of a copy that the program started at `site`, which is reported as what
// read. `adds`: it adds to what is there.
void prt__check_carried(prt_worker *worker, const prt_site *site, const prt_region *to,
                        const prt_region *from, bool adds);
bool prt__is_watching(const prt_call *call);
// false: the address is in no memory that the call watches.
bool prt__watch_of(const prt_call *call, const void *address, prt_watched *out);
void prt__watch_forget(prt_call *call, const void *memory, size_t bytes);
