// SPDX-License-Identifier: Apache-2.0
// Watched memory: one bit a byte says whether it has been written. Code compiled with checks runs
// on one thread, so nothing here locks.
#include <stdlib.h>
#include <string.h>
#include "prt_internal.h"

enum { MAX_RANK = 32 };

typedef struct prt_watch {
  struct prt_watch *next; // newest first
  char *base;
  size_t bytes;
  const char *what;
  int32_t element_bytes, rank;
  const int64_t *dims;
  uint64_t written[]; // one bit a byte
} prt_watch;

// ---- watches
// ----------------------------------------------------------------------------------------- Memory
// that is handed out again is no longer what was watched there.
void prt__watch_forget(prt_call *call, const void *memory, size_t bytes) {
  const char *base = memory;
  for (prt_watch **link = &call->watches; *link;) {
    prt_watch *watch = *link;
    if (watch->base < base + bytes && base < watch->base + watch->bytes) {
      *link = watch->next;
      free(watch);
    } else {
      link = &watch->next;
    }
  }
}

// Nothing if the system has no memory for it: the call has failed then.
static prt_watch *watch(prt_worker *worker, void *memory, size_t bytes, const char *what) {
  prt__watch_forget(worker->call, memory, bytes);
  prt_watch *w = calloc(1, sizeof *w + (bytes / 64 + 1) * sizeof w->written[0]);
  if (!w) {
    prt__fail(worker, PRT_ERROR_MEMORY, "out of memory: no room to watch '%s'", what);
    return NULL;
  }
  w->base = memory;
  w->bytes = bytes;
  w->what = what;
  w->next = worker->call->watches;
  worker->call->watches = w;
  return w;
}

void prt__watches_free(prt_call *call) {
  for (prt_watch *w = call->watches, *next; w; w = next) {
    next = w->next;
    free(w);
  }
  call->watches = NULL;
}

static prt_watch *find_watch(const prt_call *call, const void *p) {
  const char *at = p;
  for (prt_watch *w = call->watches; w; w = w->next)
    if (at >= w->base && at < w->base + w->bytes) return w;
  return NULL;
}

static int64_t count_of(int32_t rank, const int64_t *dims) {
  int64_t count = 1;
  for (int32_t i = 0; i < rank; i++) count *= dims[i];
  return count;
}

void prt__check_adopt(prt_worker *worker, void *memory, int32_t dtype, int32_t rank,
                      const int64_t *dims, const char *what) {
  int64_t count = count_of(rank, dims);
  if (count == 0) return;
  size_t size = prt_dtype_size((prt_dtype)dtype);
  prt__fill_unspecified((prt_dtype)dtype, memory, count);
  prt_watch *w = watch(worker, memory, (size_t)count * size, what);
  if (!w) return;
  w->element_bytes = (int32_t)size;
  w->rank = rank;
  w->dims = dims;
}

void *prt__check_alloc(prt_worker *worker, int32_t space, int32_t dtype, int32_t rank,
                       const int64_t *dims, const char *what) {
  size_t bytes = (size_t)count_of(rank, dims) * prt_dtype_size((prt_dtype)dtype);
  void *memory = prt__alloc(worker, space, bytes);
  if (memory) prt__check_adopt(worker, memory, dtype, rank, dims, what);
  return memory;
}

// ---- bits
// ----------------------------------------------------------------------------------------------
static void set_bits(uint64_t *bits, size_t from, size_t to) {
  for (; from < to && from % 64; from++) bits[from / 64] |= (uint64_t)1 << from % 64;
  for (; from + 64 <= to; from += 64) bits[from / 64] = UINT64_MAX;
  for (; from < to; from++) bits[from / 64] |= (uint64_t)1 << from % 64;
}

static void clear_bits(uint64_t *bits, size_t from, size_t to) {
  for (; from < to; from++) bits[from / 64] &= ~((uint64_t)1 << from % 64);
}

static bool all_set(const uint64_t *bits, size_t from, size_t to) {
  for (; from < to && from % 64; from++)
    if (!(bits[from / 64] >> from % 64 & 1)) return false;
  for (; from + 64 <= to; from += 64)
    if (bits[from / 64] != UINT64_MAX) return false;
  for (; from < to; from++)
    if (!(bits[from / 64] >> from % 64 & 1)) return false;
  return true;
}

// ---- walks
// -----------------------------------------------------------------------------------------------
// A region cut into runs of contiguous elements.
typedef struct Walk {
  const prt_region *region;
  int32_t outer; // dimensions that are walked
  int64_t run;   // elements of a run
  int64_t at[MAX_RANK];
  int64_t element; // row-major number of the run's first element
  bool is_empty;
} Walk;

static Walk walk_begin(const prt_region *region) {
  Walk w = {.region = region, .outer = region->rank, .run = 1};
  int64_t bytes = region->element_bytes;
  for (int32_t i = 0; i < region->rank; i++) w.is_empty |= region->dims[i] <= 0;
  while (w.outer > 0 && region->strides[w.outer - 1] == bytes) {
    w.run *= region->dims[--w.outer];
    bytes *= region->dims[w.outer];
  }
  return w;
}

static char *walk_place(const Walk *w) {
  char *p = w->region->base;
  for (int32_t i = 0; i < w->outer; i++) p += w->at[i] * w->region->strides[i];
  return p;
}

static bool walk_next(Walk *w) {
  w->element += w->run;
  for (int32_t i = w->outer - 1; i >= 0; i--) {
    if (++w->at[i] < w->region->dims[i]) return true;
    w->at[i] = 0;
  }
  return false;
}

// The part [*from, *to) of the run at p that lies in the watch, as bytes of the watch.
static void clip(const prt_watch *watch, const char *p, int64_t bytes, size_t *from, size_t *to) {
  const char *end = p + bytes, *limit = watch->base + watch->bytes;
  *from = p > watch->base ? (size_t)(p - watch->base) : 0;
  *to = end < limit ? (size_t)(end - watch->base) : watch->bytes;
  if (end < watch->base) *to = 0;
}

void prt__check_written(prt_worker *worker, const prt_region *region, const uint8_t *mask) {
  prt_watch *watch = find_watch(worker->call, region->base);
  Walk w = walk_begin(region);
  if (!watch || w.is_empty) return;
  do {
    size_t from, to;
    const char *p = walk_place(&w);
    if (!mask) {
      clip(watch, p, w.run * region->element_bytes, &from, &to);
      set_bits(watch->written, from, to);
      continue;
    }
    for (int64_t i = 0; i < w.run; i++) {
      clip(watch, p + i * region->element_bytes, region->element_bytes, &from, &to);
      if (mask[w.element + i]) set_bits(watch->written, from, to);
    }
  } while (walk_next(&w));
}

// "element [3, 0]" of the watched memory.
static void element_text(const prt_watch *watch, const char *p, char *text, size_t size) {
  int64_t index[MAX_RANK], element = (p - watch->base) / watch->element_bytes;
  for (int32_t i = watch->rank - 1; i >= 0; i--) {
    index[i] = element % watch->dims[i];
    element /= watch->dims[i];
  }
  size_t used = 0;
  for (int32_t i = 0; i < watch->rank && used < size; i++)
    used += (size_t)snprintf(text + used, size - used, "%s%lld", i ? ", " : "element [",
                             (long long)index[i]);
  if (used < size) snprintf(text + used, size - used, watch->rank ? "]" : "its one element");
}

static bool element_is_written(const prt_watch *watch, const char *p, int32_t bytes) {
  size_t from, to;
  clip(watch, p, bytes, &from, &to);
  return all_set(watch->written, from, to);
}

static void report_unwritten(prt_worker *worker, const prt_site *site, const prt_watch *watch,
                             const char *first, int64_t count) {
  char where[256], text[512];
  element_text(watch, first, where, sizeof where);
  snprintf(text, sizeof text,
           count > 1 ? "'%s' is read where it was never written: %s and %lld more"
                     : "'%s' is read where it was never written: %s",
           watch->what, where, (long long)(count - 1));
  prt__report(worker, site, "never written", text);
}

void prt__check_read(prt_worker *worker, const prt_site *site, const prt_region *region,
                     const uint8_t *mask) {
  prt_watch *watch = find_watch(worker->call, region->base);
  Walk w = walk_begin(region);
  if (!watch || w.is_empty) return;
  const char *first = NULL;
  int64_t count = 0;
  do {
    const char *p = walk_place(&w);
    size_t from, to;
    clip(watch, p, w.run * region->element_bytes, &from, &to);
    if (all_set(watch->written, from, to)) continue;
    for (int64_t i = 0; i < w.run; i++) {
      const char *element = p + i * region->element_bytes;
      if ((mask && !mask[w.element + i]) ||
          element_is_written(watch, element, region->element_bytes))
        continue;
      if (!first) first = element;
      count++;
    }
  } while (walk_next(&w));
  if (count) report_unwritten(worker, site, watch, first, count);
}

void prt__check_element_written(prt_worker *worker, const void *element, int64_t bytes) {
  prt_watch *watch = find_watch(worker->call, element);
  size_t from, to;
  if (!watch) return;
  clip(watch, element, bytes, &from, &to);
  set_bits(watch->written, from, to);
}

void prt__check_element_read(prt_worker *worker, const prt_site *site, const void *element,
                             int64_t bytes) {
  prt_watch *watch = find_watch(worker->call, element);
  if (watch && !element_is_written(watch, element, (int32_t)bytes))
    report_unwritten(worker, site, watch, element, 1);
}

// ---- outputs
// -------------------------------------------------------------------------------------------------
// The unwritten elements of an output: how many, and the smallest box around them.
typedef struct Hole {
  int64_t count, low[MAX_RANK], high[MAX_RANK]; // high is one behind
} Hole;

static Hole find_hole(const prt_watch *watch, const prt_region *region) {
  Hole hole = {0};
  Walk w = walk_begin(region);
  if (w.is_empty) return hole;
  w.outer = region->rank;
  w.run = 1;
  do {
    if (element_is_written(watch, walk_place(&w), region->element_bytes)) continue;
    for (int32_t i = 0; i < region->rank; i++) {
      if (!hole.count || w.at[i] < hole.low[i]) hole.low[i] = w.at[i];
      if (!hole.count || w.at[i] >= hole.high[i]) hole.high[i] = w.at[i] + 1;
    }
    hole.count++;
  } while (walk_next(&w));
  return hole;
}

// "'o_ref' was never written", with " in [0:8, 64:128]" if only a part was not, and the number of
// elements if the hole does not fill that box.
static void hole_text(const Hole *hole, const prt_region *region, const char *what, char *text,
                      size_t size) {
  int64_t all = count_of(region->rank, region->dims), box = 1;
  size_t used = (size_t)snprintf(text, size, "output '%s' was never written", what);
  if (hole->count == all) return;
  for (int32_t i = 0; i < region->rank && used < size; i++) {
    used += (size_t)snprintf(text + used, size - used, "%s%lld:%lld", i ? ", " : " in [",
                             (long long)hole->low[i], (long long)hole->high[i]);
    box *= hole->high[i] - hole->low[i];
  }
  if (used < size) used += (size_t)snprintf(text + used, size - used, "]");
  if (box != hole->count && used < size)
    snprintf(text + used, size - used, ": %lld elements there", (long long)hole->count);
}

void prt__check_output(prt_worker *worker, const prt_site *site, const prt_region *region,
                       const char *what) {
  prt_watch *watch = find_watch(worker->call, region->base);
  if (!watch || all_set(watch->written, 0, watch->bytes)) return;
  Hole hole = find_hole(watch, region);
  if (hole.count) {
    char text[512];
    hole_text(&hole, region, what, text, sizeof text);
    prt__report(worker, site, what, text);
  }
  prt__check_written(worker, region, NULL);
}

// ---- copies
// --------------------------------------------------------------------------------------------------
void prt__check_copied(prt_worker *worker, const prt_region *to, const prt_region *from) {
  prt_watch *target = find_watch(worker->call, to->base),
            *source = find_watch(worker->call, from->base);
  if (!target) return;
  if (!source) {
    prt__check_written(worker, to, NULL);
    return;
  }
  // Runs of the two may differ: in pieces of the shorter one.
  Walk a = walk_begin(to), b = walk_begin(from);
  if (a.is_empty) return;
  a.outer = b.outer = a.outer > b.outer ? a.outer : b.outer;
  a.run = b.run = 1;
  for (int32_t i = a.outer; i < to->rank; i++) a.run = b.run *= to->dims[i];
  int64_t bytes = to->element_bytes;
  do {
    const char *p = walk_place(&a), *q = walk_place(&b);
    size_t begin, end, source_begin, source_end;
    clip(target, p, a.run * bytes, &begin, &end);
    clip(source, q, a.run * bytes, &source_begin, &source_end);
    if (all_set(source->written, source_begin, source_end)) {
      set_bits(target->written, begin, end);
    } else {
      for (size_t i = 0; i < end - begin; i++) {
        if (all_set(source->written, source_begin + i, source_begin + i + 1))
          set_bits(target->written, begin + i, begin + i + 1);
        else
          clear_bits(target->written, begin + i, begin + i + 1);
      }
    }
    walk_next(&b);
  } while (walk_next(&a));
}
