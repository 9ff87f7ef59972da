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

static void watch(prt_worker *worker, void *memory, size_t bytes, const char *what) {
  prt__watch_forget(worker->call, memory, bytes);
  prt_watch *w = calloc(1, sizeof *w + (bytes / 64 + 1) * sizeof w->written[0]);
  if (!w) {
    prt__fail(worker, PRT_ERROR_MEMORY, "out of memory: no room to watch '%s'", what);
    return;
  }
  w->base = memory;
  w->bytes = bytes;
  w->what = what;
  w->next = worker->call->watches;
  worker->call->watches = w;
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

void prt__check_adopt(prt_worker *worker, void *memory, int32_t dtype, int64_t count,
                      const char *what) {
  prt__fill_unspecified((prt_dtype)dtype, memory, count);
  watch(worker, memory, (size_t)count * prt_dtype_size((prt_dtype)dtype), what);
}

void *prt__check_alloc(prt_worker *worker, int32_t space, int32_t dtype, int64_t count,
                       const char *what) {
  void *memory = prt__alloc(worker, space, (size_t)count * prt_dtype_size((prt_dtype)dtype));
  if (memory) prt__check_adopt(worker, memory, dtype, count, what);
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

void prt__check_written(prt_worker *worker, const prt_region *region) {
  prt_watch *watch = find_watch(worker->call, region->base);
  Walk w = walk_begin(region);
  if (!watch || w.is_empty) return;
  do {
    size_t from, to;
    clip(watch, walk_place(&w), w.run * region->element_bytes, &from, &to);
    set_bits(watch->written, from, to);
  } while (walk_next(&w));
}

// "[3, 0]"
static void element_text(const prt_region *region, int64_t element, char *text, size_t size) {
  int64_t index[MAX_RANK];
  for (int32_t i = region->rank - 1; i >= 0; i--) {
    index[i] = element % region->dims[i];
    element /= region->dims[i];
  }
  size_t used = 0;
  for (int32_t i = 0; i < region->rank && used < size; i++)
    used +=
        (size_t)snprintf(text + used, size - used, "%s%lld", i ? ", " : "[", (long long)index[i]);
  if (used < size) snprintf(text + used, size - used, region->rank ? "]" : "[]");
}

static bool element_is_written(const prt_watch *watch, const char *p, int32_t bytes) {
  size_t from, to;
  clip(watch, p, bytes, &from, &to);
  return all_set(watch->written, from, to);
}

void prt__check_read(prt_worker *worker, const prt_site *site, const prt_region *region,
                     const uint8_t *mask) {
  prt_watch *watch = find_watch(worker->call, region->base);
  Walk w = walk_begin(region);
  if (!watch || w.is_empty) return;
  int64_t first = -1, count = 0;
  do {
    char *p = walk_place(&w);
    size_t from, to;
    clip(watch, p, w.run * region->element_bytes, &from, &to);
    if (all_set(watch->written, from, to)) continue;
    for (int64_t i = 0; i < w.run; i++) {
      if ((mask && !mask[w.element + i]) ||
          element_is_written(watch, p + i * region->element_bytes, region->element_bytes))
        continue;
      if (first < 0) first = w.element + i;
      count++;
    }
  } while (walk_next(&w));
  if (!count) return;
  char where[256], text[512];
  element_text(region, first, where, sizeof where);
  snprintf(text, sizeof text,
           count > 1 ? "'%s' is read where it was never written: element %s and %lld more"
                     : "'%s' is read where it was never written: element %s",
           watch->what, where, (long long)(count - 1));
  prt__report(worker, site, "never written", text);
}

void prt__check_copied(prt_worker *worker, const prt_region *to, const prt_region *from) {
  prt_watch *target = find_watch(worker->call, to->base),
            *source = find_watch(worker->call, from->base);
  if (!target) return;
  if (!source) {
    prt__check_written(worker, to);
    return;
  }
  // Runs of the two may differ: element by element.
  Walk a = walk_begin(to), b = walk_begin(from);
  if (a.is_empty) return;
  a.outer = b.outer = to->rank;
  a.run = b.run = 1;
  do {
    char *p = walk_place(&a);
    size_t begin, end;
    clip(target, p, to->element_bytes, &begin, &end);
    if (element_is_written(source, walk_place(&b), from->element_bytes))
      set_bits(target->written, begin, end);
    else
      clear_bits(target->written, begin, end);
    walk_next(&b);
  } while (walk_next(&a));
}
