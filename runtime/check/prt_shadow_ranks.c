// SPDX-License-Identifier: Apache-2.0
// Watched memory of calls that rank 0 leads (prt_led.h): marks are where the memory is, what they
// mean is rank 0's, which reports it. In: what one rank knows. Out: what another one has to.
#include <stdlib.h>
#include <string.h>
#include "machine/prt_call.h"
#include "machine/prt_fail.h"
#include "prt_shadow.h"
#include "transport/prt_ranks.h"
#include "prt_shadow_ranks.h"

// ---- marks of elements --------------------------------------------------------------------------
// Of the run's elements, of which the watch has as many marks, more or fewer.
static size_t mark_at(Marks m, int64_t i, int64_t run) {
  return m.first + (size_t)i * m.count / (size_t)run;
}

bool prt__has_marks(prt_worker *worker, const prt_region *region) {
  const prt_watch *watch = prt__find_watch(worker->call, region->base);
  Walk w = walk_begin(region);
  if (!watch || w.is_empty) return false;
  do
    if (!are_all(watch, prt__marks_of(watch, walk_place(&w), w.run * region->element_bytes),
                 WRITTEN))
      return true;
  while (walk_next(&w));
  return false;
}

bool prt__marks_carried(prt_worker *worker, const prt_site *site, const prt_region *region,
                        uint8_t *marks) {
  if (!prt__has_marks(worker, region)) return false;
  const prt_watch *watch = prt__find_watch(worker->call, region->base);
  Walk w = walk_begin(region);
  uint8_t known = WRITTEN, known_to = WRITTEN;
  do {
    Marks m = prt__marks_of(watch, walk_place(&w), w.run * region->element_bytes);
    for (int64_t i = 0; i < w.run && m.count; i++) {
      size_t at = mark_at(m, i, w.run);
      uint8_t mark = watch->marks[at];
      if (mark != known && site)
        known_to = mark == NEVER ? prt__mark_read(worker, site, watch, at)
                                 : prt__translate(worker, watch, mark);
      known = mark;
      marks[w.element + i] = site ? known_to : mark;
    }
  } while (walk_next(&w));
  return true;
}

void prt__marks_put(prt_worker *worker, const prt_region *region, const uint8_t *marks) {
  prt_watch *watch = prt__find_watch(worker->call, region->base);
  Walk w = walk_begin(region);
  if (!watch || watch->is_elsewhere || w.is_empty) return;
  do {
    Marks m = prt__marks_of(watch, walk_place(&w), w.run * region->element_bytes);
    for (size_t i = 0; i < m.count; i++)
      watch->marks[m.first + i] =
          marks ? marks[w.element + (int64_t)(i * (size_t)w.run / m.count)] : WRITTEN;
  } while (walk_next(&w));
}

// ---- memory of other ranks ----------------------------------------------------------------------
void prt__watch_reported(prt_call *call, const prt_reported_argument *at) {
  const char *base = at[0].memory;
  const prt_watch *known = prt__find_watch(call, base);
  if (!base || (known && !known->is_elsewhere)) return; // what all ranks have is watched here
  prt_watch *w =
      prt__watch_in(&call->watches, base, (size_t)at[1].number, (int32_t)at[2].number, 0);
  if (!w) {
    prt__call_fail_text(call, PRT_ERROR_MEMORY, "out of memory for the names of memory");
    return;
  }
  w->is_elsewhere = true;
  w->what = at[3].constant;
  w->rank = (int32_t)at[4].number;
  w->dims = at[5].constant;
}

void prt__kept_seen(prt_call *call, const void *memory) {
  if (memory) prt__find_watch(call, memory);
}

void prt__watch_doubted(prt_call *call, const void *memory) {
  prt_watch *watch = prt__find_watch(call, memory);
  if (watch) watch->is_doubted = true;
}

void prt__share_left(prt_ranks *r, const prt_watch *watch) {
  r->calls->tell(r, PRT_REPORTED_LEFT, watch->base, watch->left.site, watch->left.what,
                 watch->left.text, watch->left.bytes);
}

void prt__left_reported(prt_worker *worker, const prt_reported_argument *at) {
  prt_watch *watch = prt__find_watch(worker->call, at[0].memory);
  if (!watch || watch->is_elsewhere || watch->left.site) return;
  watch->left = (Origin){.site = at[1].constant, .what = at[2].constant, .is_output = true};
  watch->left.address = watch->base;
  watch->left.bytes = at[4].number;
  snprintf(watch->left.text, sizeof watch->left.text, "%s", at[3].text ? at[3].text : "");
}

// ---- what marks mean ----------------------------------------------------------------------------
enum { IS_OUTPUT = 1, IS_WINDOW = 2, IS_RACE = 4, IS_REPORTED = 8, IS_OUTSIDE = 16 };

static int64_t flags_of(const Origin *o) {
  return IS_OUTPUT * o->is_output + IS_WINDOW * o->is_window + IS_RACE * o->is_race +
         IS_REPORTED * o->is_reported + IS_OUTSIDE * o->is_outside;
}

// As prt_reported.def has the arguments.
#define REPORTED_OF(mark, o)                                                                       \
  (int64_t)(mark), (o)->site, (o)->what, (o)->text, flags_of(o), (o)->element, (o)->count,         \
      (o)->address, (o)->bytes, (o)->dims, (int64_t)(o)->rank, (o)->step.launch,                   \
      (o)->step.grid_names, (int64_t)(o)->step.grid_rank, (o)->grid, (int64_t)(o)->step.grid_rank, \
      (o)->data

void prt__share_origin(prt_ranks *r, uint8_t mark, const Origin *origin) {
  r->calls->tell(r, PRT_REPORTED_ORIGIN, REPORTED_OF(mark, origin));
}

uint8_t prt__ask_origin(prt_ranks *r, const Origin *origin) {
  return (uint8_t)r->calls->ask(r, PRT_REPORTED_IMPORT, REPORTED_OF(0, origin));
}

static Origin origin_of(const prt_reported_argument *at) {
  int64_t flags = at[4].number;
  Origin o = {.site = at[1].constant,
              .what = at[2].text,
              .is_output = flags & IS_OUTPUT,
              .is_window = flags & IS_WINDOW,
              .is_race = flags & IS_RACE,
              .is_reported = flags & IS_REPORTED,
              .is_outside = flags & IS_OUTSIDE,
              .element = at[5].number,
              .count = at[6].number,
              .address = at[7].memory,
              .bytes = at[8].number,
              .rank = (int32_t)at[9].number,
              .dims = at[9].numbers,
              .data = at[13].text};
  snprintf(o.text, sizeof o.text, "%s", at[3].text ? at[3].text : "");
  o.step.launch = at[10].text;
  o.step.grid_names = at[11].constant;
  int64_t rank = at[12].number;
  if (rank > MAX_GRID) return o;
  o.step.grid_rank = (int32_t)rank;
  if (rank) memcpy(o.grid, at[12].numbers, (size_t)rank * sizeof *o.grid);
  return o;
}

// The first read of a place stands for the others, on whatever rank.
void prt__origin_reported(prt_worker *worker, const prt_reported_argument *at) {
  prt_origins *origins = prt__origins_of(worker->call);
  if (!origins) return;
  uint8_t mark = (uint8_t)(at[0].number & (MARKS - 1));
  const Origin *known = &origins->items[mark];
  Origin origin = origin_of(at);
  if (!known->site || (known->is_outside && !origin.is_outside))
    prt__set_origin(origins, mark, &origin);
}

uint8_t prt__import_reported(prt_worker *worker, const prt_reported_argument *at, bool is_kept) {
  if (!is_kept) {
    Origin origin = origin_of(at);
    return prt__import(worker, &origin);
  }
  const prt_watch *watch = at[0].memory ? prt__find_watch(worker->call, at[0].memory) : NULL;
  return watch ? prt__translate(worker, watch, (uint8_t)at[1].number) : NEVER;
}

// ---- the end of a call --------------------------------------------------------------------------
int32_t prt__origins_imported(const prt_call *call) {
  return call->origins ? call->origins->imported : 0;
}

void prt__origin_put(const prt_call *call, int32_t mark, prt_wire *wire,
                     void (*put)(prt_wire *wire, int32_t what, ...)) {
  if (!call->origins || mark >= MARKS || !call->origins->items[mark].site) return;
  Origin origin = call->origins->items[mark];
  origin.address = NULL; // the launch is over, and its memory gone
  put(wire, PRT_REPORTED_ORIGIN, REPORTED_OF(mark, &origin));
}

void prt__origin_set(prt_call *call, int32_t imported, const prt_reported_argument *at) {
  prt_origins *origins = prt__origins_of(call);
  if (!origins) return;
  origins->imported = imported;
  Origin origin = origin_of(at);
  prt__set_origin(origins, (uint8_t)(at[0].number & (MARKS - 1)), &origin);
}
