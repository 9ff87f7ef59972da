// SPDX-License-Identifier: Apache-2.0
// The insides of watched memory: prt_shadow.c, and prt_shadow_ranks.c for what ranks tell each
// other of it.
#pragma once
#include <string.h>
#include "machine/prt_call.h"
#include "race/prt_parallel.h"

enum { MAX_RANK = 32, MAX_GRID = 8, MARKS = 256 };
// Marks of elements in memory; from PRT_FIRST_ORIGIN on: the place that read what was stored here.
enum { NEVER = 0, WRITTEN = 1 };

// A place that read memory that was never written, or the launch that left it out of its output, or
// that wrote it in steps that may run at once.
typedef struct Origin {
  const prt_site *site; // NULL: not known
  const char *what;
  bool is_output, is_window, is_race;
  bool is_reported, is_outside; // the latter: of a block that lies outside, which was reported
  char text[256]; // of an output: its hole; of a race: all that is reported; of a read: " on device
                  // 1", or ""
  const char *data;       // of a race: as JSON, kept by the call; or NULL
  int64_t element, count; // of a read: the first element, and how many
  const char *address;    // of the first element, or of all of an output
  int64_t bytes;
  int32_t rank;
  const int64_t *dims;
  prt_finding step; // the step of the grid, with its indices below
  int64_t grid[MAX_GRID];
  char use[160]; // what depends on it: reported when the races of the call are known; or ""
} Origin;

// Those of a call, by mark. Outputs that are kept share them; if all of these were written, what
// they share has no items.
typedef struct prt_origins {
  int64_t users;
  struct prt_origin_data *data; // what races of the items point to
  bool is_seen;                 // somebody looked at a result of the call
  const char
      *outside; // launch of the last step that was reported to reach outside of memory, or NULL;
  int64_t outside_grid[MAX_GRID]; // and its indices
  int32_t imported; // marks from MARKS - imported on are of other calls, and of outputs
  Origin items[];
} prt_origins;

typedef struct prt_watch {
  const char *base;
  size_t count; // elements
  const char *what;
  int32_t element_bytes, rank;
  const int64_t *dims;
  bool is_window; // of an input: all but its padding is written, but for what is not in its array
  // Where the machine copied what was never written from, for the last time; NULL: it did not.
  const char *unwritten_from;
  bool is_output; // of the call: what of it was never written is asked for later
  // Of another rank, for which rank 0 knows its name: it has no marks here.
  bool is_elsewhere, is_doubted;
  bool is_excused; // a race may be why a part of it was never written
  uint64_t call;   // one more than `settled` of the machine, if other schedules may follow; or 0
  bool is_clean;   // kept only to know whether it is looked at: written everywhere, without marks
  Origin left;     // the launch that left out what was never written; site NULL: none
  prt_origins *origins; // of a watch that is kept: what its marks mean; NULL: the call's
  uint8_t marks[];      // one an element
} prt_watch;

// ---- walks --------------------------------------------------------------------------------------
static inline const char *end_of(const prt_watch *watch) {
  return watch->base + watch->count * (size_t)watch->element_bytes;
}

// A region cut into runs of contiguous elements.
typedef struct Walk {
  const prt_region *region;
  int32_t outer; // dimensions that are walked
  int64_t run;   // elements of a run
  int64_t at[MAX_RANK];
  int64_t element; // row-major number of the run's first element
  bool is_empty;
} Walk;

static inline Walk walk_begin(const prt_region *region) {
  Walk w = {.region = region, .outer = region->rank, .run = 1};
  int64_t bytes = region->element_bytes;
  for (int32_t i = 0; i < region->rank; i++) w.is_empty |= region->dims[i] <= 0;
  while (w.outer > 0 && region->strides[w.outer - 1] == bytes) {
    w.run *= region->dims[--w.outer];
    bytes *= region->dims[w.outer];
  }
  return w;
}

static inline const char *walk_place(const Walk *w) {
  const char *p = w->region->base;
  for (int32_t i = 0; i < w->outer; i++) p += w->at[i] * w->region->strides[i];
  return p;
}

static inline bool walk_next(Walk *w) {
  w->element += w->run;
  for (int32_t i = w->outer - 1; i >= 0; i--) {
    if (++w->at[i] < w->region->dims[i]) return true;
    w->at[i] = 0;
  }
  return false;
}

// Two regions of one shape cut into runs of one length.
static inline void walk_both(Walk *a, Walk *b) {
  a->outer = b->outer = a->outer > b->outer ? a->outer : b->outer;
  a->run = b->run = 1;
  for (int32_t i = a->outer; i < a->region->rank; i++) a->run = b->run *= a->region->dims[i];
}

// Elements of a watch.
typedef struct Marks {
  size_t first, count;
} Marks;

static inline bool are_all(const prt_watch *watch, Marks m, uint8_t mark) {
  const uint8_t *at = watch->marks + m.first;
  return m.count == 0 || (at[0] == mark && memcmp(at, at + 1, m.count - 1) == 0);
}

static inline bool is_all_written(const prt_watch *watch) {
  return are_all(watch, (Marks){0, watch->count}, WRITTEN);
}

// ---- prt_shadow.c -------------------------------------------------------------------------------
// The elements of the watch that the bytes at p touch.
Marks prt__marks_of(const prt_watch *watch, const char *p, int64_t bytes);
prt_watch *prt__find_watch(const prt_call *call, const void *p);
// In place of what was watched there; NULL if the system has no memory for it.
prt_watch *prt__watch_in(prt_watches *list, const void *memory, size_t count, int32_t element_bytes,
                         size_t marks);
prt_origins *prt__origins_of(prt_call *call);
// What a mark of the watch is to the call: NEVER, WRITTEN, or a mark of its own.
uint8_t prt__translate(prt_worker *worker, const prt_watch *watch, uint8_t mark);
uint8_t prt__import(prt_worker *worker, const Origin *origin);
// An item is a copy, with its data, which is left out if there is no memory.
void prt__set_origin(prt_origins *origins, uint8_t mark, const Origin *origin);
// The mark of what a copy that was started at `site` copies from an element that was never written;
// NULL: it is one of the machine's own.
uint8_t prt__mark_read(prt_worker *worker, const prt_site *site, const prt_watch *source,
                       size_t element);

// ---- prt_shadow_ranks.c -------------------------------------------------------------------------
// What rank 0 has to know, where it leads.
struct prt_ranks;
void prt__share_origin(struct prt_ranks *r, uint8_t mark, const Origin *origin);
uint8_t prt__ask_origin(struct prt_ranks *r, const Origin *origin);
void prt__share_left(struct prt_ranks *r, const prt_watch *watch);
