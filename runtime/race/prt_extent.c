// SPDX-License-Identifier: Apache-2.0
// Extents of accesses: see prt_extent.h.
#include "check/prt_watch.h"
#include "print/prt_text.h"
#include "prt_extent.h"
#include <string.h>

typedef struct Level {
  int64_t count, stride;
} Level;

static Level level_of(const prt_extent *e, int32_t i) {
  return (Level){e->levels[2 * i], e->levels[2 * i + 1]};
}

static void sort_levels(Level *levels, int32_t count) {
  for (int32_t i = 1; i < count; i++) {
    Level level = levels[i];
    int32_t at = i;
    for (; at > 0 && levels[at - 1].stride < level.stride; at--) levels[at] = levels[at - 1];
    levels[at] = level;
  }
}

bool prt__extent_of(const prt_region *region, prt_extent *out) {
  Level levels[PRT_EXTENT_RANK];
  int32_t count = 0;
  *out = (prt_extent){.base = region->base, .run = region->element_bytes};
  for (int32_t i = 0; i < region->rank; i++) {
    Level level = {region->dims[i], region->strides[i]};
    if (level.count <= 0) return false;
    if (level.count == 1 || level.stride == 0) continue;
    if (level.stride < 0) {
      out->base += (level.count - 1) * level.stride;
      level.stride = -level.stride;
    }
    levels[count++] = level;
  }
  sort_levels(levels, count);
  while (count > 0 && levels[count - 1].stride <= out->run) {
    count--;
    out->run += (levels[count].count - 1) * levels[count].stride;
  }
  for (int32_t i = 0; i < count; i++) {
    const Level *last = out->rank ? (const Level *)(void *)&out->levels[2 * out->rank - 2] : NULL;
    bool follows = last && last->stride == levels[i].count * levels[i].stride;
    if (follows) {
      out->levels[2 * out->rank - 2] = last->count * levels[i].count;
      out->levels[2 * out->rank - 1] = levels[i].stride;
      continue;
    }
    out->levels[2 * out->rank] = levels[i].count;
    out->levels[2 * out->rank + 1] = levels[i].stride;
    out->rank++;
  }
  out->end = out->base + out->run;
  for (int32_t i = 0; i < out->rank; i++)
    out->end += (out->levels[2 * i] - 1) * out->levels[2 * i + 1];
  return true;
}

// ---- meeting ------------------------------------------------------------------------------------
// What is left of an extent below its first `level` dimensions, at one place of those.
typedef struct Rest {
  const prt_extent *of;
  int32_t level;
  const char *base;
  int64_t bytes; // from its first byte to behind its last
} Rest;

static Rest rest_of(const prt_extent *e) { return (Rest){e, 0, e->base, e->end - e->base}; }

// One place further down, `index` along the dimension.
static Rest inner(const Rest *r, int64_t index) {
  Level level = level_of(r->of, r->level);
  return (Rest){r->of, r->level + 1, r->base + index * level.stride,
                r->bytes - (level.count - 1) * level.stride};
}

static bool has_levels(const Rest *r) { return r->level < r->of->rank; }

static int64_t floor_div(int64_t a, int64_t b) { return a / b - (a % b < 0); }
static int64_t larger(int64_t a, int64_t b) { return a > b ? a : b; }
static int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }

static bool meet(const Rest *a, const Rest *b);

// a's indices whose bytes can meet b, which is not taken apart.
static bool meet_along(const Rest *a, const Rest *b) {
  Level level = level_of(a->of, a->level);
  Rest first = inner(a, 0);
  int64_t low = floor_div(b->base - (first.base + first.bytes), level.stride) + 1;
  int64_t high = floor_div(b->base + b->bytes - 1 - first.base, level.stride);
  low = larger(low, 0);
  high = smaller(high, level.count - 1);
  for (int64_t i = low; i <= high; i++) {
    Rest next = inner(a, i);
    if (meet(&next, b)) return true;
  }
  return false;
}

// Both with one stride: only how many steps they are apart matters.
static bool meet_in_step(const Rest *a, const Rest *b) {
  Level la = level_of(a->of, a->level), lb = level_of(b->of, b->level);
  Rest ra = inner(a, 0), rb = inner(b, 0);
  int64_t low = floor_div(ra.base - (rb.base + rb.bytes), la.stride) + 1;
  int64_t high = floor_div(ra.base + ra.bytes - 1 - rb.base, la.stride);
  low = larger(low, 1 - la.count);
  high = smaller(high, lb.count - 1);
  for (int64_t apart = low; apart <= high; apart++) {
    Rest next = rb;
    next.base += apart * la.stride;
    if (meet(&ra, &next)) return true;
  }
  return false;
}

static bool meet(const Rest *a, const Rest *b) {
  if (a->base >= b->base + b->bytes || b->base >= a->base + a->bytes) return false;
  if (!has_levels(a) && !has_levels(b)) return true;
  if (!has_levels(b)) return meet_along(a, b);
  if (!has_levels(a)) return meet_along(b, a);
  int64_t sa = level_of(a->of, a->level).stride, sb = level_of(b->of, b->level).stride;
  if (sa == sb) return meet_in_step(a, b);
  return sa > sb ? meet_along(a, b) : meet_along(b, a);
}

bool prt__extents_meet(const prt_extent *a, const prt_extent *b) {
  Rest ra = rest_of(a), rb = rest_of(b);
  return meet(&ra, &rb);
}

// ---- comparing ----------------------------------------------------------------------------------
static bool are_equal(const prt_extent *a, const prt_extent *b) {
  return a->base == b->base && a->run == b->run && a->rank == b->rank &&
         memcmp(a->levels, b->levels, (size_t)a->rank * 2 * sizeof(int64_t)) == 0;
}

bool prt__extent_covers(const prt_extent *a, const prt_extent *b) {
  if (a->rank == 0) return a->base <= b->base && b->end <= a->end;
  return are_equal(a, b);
}

// ---- words --------------------------------------------------------------------------------------
// An extent has joined dimensions that follow on each other, which are taken apart again from the
// last one on.
bool prt__extent_box(const prt_extent *extent, const prt_watched *memory, prt_extent_span *box) {
  Level levels[PRT_EXTENT_RANK + 1];
  int32_t left = 0;
  for (; left < extent->rank; left++)
    levels[left] = (Level){extent->levels[2 * left], extent->levels[2 * left + 1]};
  int64_t stride = memory->element_bytes, offset = extent->base - memory->base;
  levels[left++] = (Level){(offset % stride + extent->run + stride - 1) / stride, stride};
  for (int32_t d = memory->rank - 1; d >= 0; stride *= memory->dims[d--]) {
    int64_t dim = memory->dims[d];
    box[d] = (prt_extent_span){offset / stride % dim, 1, 1};
    if (left && levels[left - 1].count == 1) left--;
    if (!left || levels[left - 1].stride >= stride * dim) continue;
    Level *level = &levels[left - 1];
    if (level->stride % stride) return false;
    box[d].step = level->stride / stride;
    int64_t most = (dim - 1 - box[d].low) / box[d].step + 1;
    box[d].count = level->count < most ? level->count : most;
    if (level->count % box[d].count) return false;
    *level = (Level){level->count / box[d].count, level->stride * box[d].count};
  }
  return left == 0 || (left == 1 && levels[0].count == 1);
}

void prt__extent_index(prt_text *out, const prt_extent *extent, const prt_watched *memory) {
  prt_extent_span box[PRT_EXTENT_RANK];
  if (!prt__extent_box(extent, memory, box)) return;
  int32_t shown = memory->rank;
  while (shown > 0 && box[shown - 1].count == memory->dims[shown - 1]) shown--;
  for (int32_t d = 0; d < shown; d++) {
    const prt_extent_span *span = &box[d];
    prt__text_printf(out, "%s%lld", d ? ", " : "[", (long long)span->low);
    if (span->count == 1) continue;
    prt__text_printf(out, ":%lld", (long long)(span->low + (span->count - 1) * span->step + 1));
    if (span->step > 1) prt__text_printf(out, ":%lld", (long long)span->step);
  }
  if (shown) prt__text_c(out, "]");
}
