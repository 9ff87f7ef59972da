// SPDX-License-Identifier: Apache-2.0
// What the search for races stands on: vector clocks against plain arrays, extents against the
// bytes that they are.
#include <check.h>
#include <stdlib.h>
#include <string.h>
#include "race/prt_clock.h"
#include "race/prt_extent.h"
#include "suite.h"

enum { AGENTS = 3000, CLOCKS = 12, STEPS = 20000, BYTES = 4096, REGIONS = 4000 };

static uint32_t state = 1;
static uint32_t draw(uint32_t below) {
  state = state * 1664525u + 1013904223u;
  return (state >> 8) % below;
}

// ---- clocks -------------------------------------------------------------------------------------
static uint32_t plain[CLOCKS][AGENTS];
static prt_clocks all;

static void expect_equal(const prt_clock *clock, const uint32_t *wanted) {
  for (uint32_t i = 0; i < AGENTS; i++) ck_assert_uint_eq(prt__clock_epoch(clock, i), wanted[i]);
}

static void raise_one(prt_clock **clocks, uint32_t at) {
  uint32_t agent = draw(4) ? draw(40) : draw(AGENTS), epoch = draw(1000);
  ck_assert(prt__clock_raise(&all, &clocks[at], agent, epoch));
  if (epoch > plain[at][agent]) plain[at][agent] = epoch;
}

static void join_one(prt_clock **clocks, uint32_t at) {
  uint32_t other = draw(CLOCKS);
  ck_assert(prt__clock_join(&all, &clocks[at], clocks[other]));
  for (uint32_t i = 0; i < AGENTS; i++)
    if (plain[other][i] > plain[at][i]) plain[at][i] = plain[other][i];
}

static void snapshot_one(prt_clock **clocks, uint32_t at) {
  uint32_t other = draw(CLOCKS);
  prt_clock *kept = prt__clock_share(clocks[other]);
  prt__clock_drop(&all, clocks[at]);
  clocks[at] = kept;
  memmove(plain[at], plain[other], sizeof plain[at]);
}

START_TEST(clocks_are_what_arrays_are) {
  prt_clock *clocks[CLOCKS] = {NULL};
  memset(plain, 0, sizeof plain);
  state = 1;
  for (int step = 0; step < STEPS; step++) {
    uint32_t at = draw(CLOCKS), what = draw(10);
    if (what < 7)
      raise_one(clocks, at);
    else if (what < 9)
      join_one(clocks, at);
    else
      snapshot_one(clocks, at);
    if (step % 500 == 0) expect_equal(clocks[at], plain[at]);
  }
  for (int i = 0; i < CLOCKS; i++) expect_equal(clocks[i], plain[i]);
  for (int i = 0; i < CLOCKS; i++) prt__clock_drop(&all, clocks[i]);
  prt__clocks_free(&all);
}
END_TEST

// Nodes that nobody has any more are taken again.
START_TEST(dropped_clocks_are_room) {
  prt_clock *clock = NULL;
  for (int i = 0; i < 100000; i++) {
    ck_assert(prt__clock_raise(&all, &clock, (uint32_t)i, 1));
    if (i % 100 != 99) continue;
    prt__clock_drop(&all, clock);
    clock = NULL;
  }
  const char *end = all.room.end;
  ck_assert_ptr_nonnull(end);
  ck_assert_int_le(end - (const char *)all.room.chunks, 8192);
  prt__clocks_clear(&all);
  ck_assert_ptr_null(all.unused);
  prt__clocks_free(&all);
}
END_TEST

// What is taken is there side by side, whatever its size, until all of it is given back.
START_TEST(room_is_taken_and_cleared) {
  enum { TAKEN = 300 };
  prt_race_room room = {0};
  prt__room_clear(&room);
  for (int turn = 0; turn < 2; turn++) {
    char *taken[TAKEN];
    for (int i = 0; i < TAKEN; i++) {
      size_t bytes = i == 99 ? (size_t)5 << 20 : (size_t)(i + 1) * 7;
      taken[i] = prt__room_take(&room, bytes);
      ck_assert_ptr_nonnull(taken[i]);
      ck_assert_uint_eq((uintptr_t)taken[i] % 8, 0);
      memset(taken[i], i, bytes);
    }
    for (int i = 1; i < TAKEN; i++) {
      ck_assert_int_eq((unsigned char)taken[i][0], i % 256);
      ck_assert_int_eq((unsigned char)taken[i][i * 7 + 6], i % 256);
    }
    prt__room_clear(&room);
  }
  prt__room_free(&room);
  ck_assert_ptr_null(room.chunks);
}
END_TEST

START_TEST(agents_far_apart) {
  prt_clock *low = NULL, *high = NULL;
  ck_assert(prt__clock_raise(&all, &low, 3, 7));
  ck_assert(prt__clock_raise(&all, &high, 100000000, 9));
  ck_assert(prt__clock_join(&all, &low, high));
  ck_assert(prt__clock_join(&all, &high, low));
  ck_assert_uint_eq(prt__clock_epoch(low, 100000000), 9);
  ck_assert_uint_eq(prt__clock_epoch(high, 3), 7);
  ck_assert_uint_eq(prt__clock_epoch(high, 4), 0);
  ck_assert(prt__clock_raise(&all, &low, UINT32_MAX, 5) &&
            prt__clock_raise(&all, &low, UINT32_MAX / 4, 6));
  ck_assert_uint_eq(prt__clock_epoch(low, UINT32_MAX), 5);
  ck_assert_uint_eq(prt__clock_epoch(low, UINT32_MAX / 4), 6);
  ck_assert_uint_eq(prt__clock_epoch(low, 3), 7);
  // A clock of a few agents comes into one of those far away, with room for those between.
  prt_clock *few = NULL, *far = NULL;
  ck_assert(prt__clock_raise(&all, &few, 3, 7) && prt__clock_raise(&all, &far, UINT32_MAX, 9));
  ck_assert(prt__clock_join(&all, &far, few));
  for (uint32_t k = 0; k < 32; k++)
    ck_assert(prt__clock_raise(&all, &far, UINT32_C(1) << k, 100 + k));
  for (uint32_t k = 0; k < 32; k++)
    ck_assert_uint_eq(prt__clock_epoch(far, UINT32_C(1) << k), 100 + k);
  ck_assert(prt__clock_epoch(far, 3) == 7 && prt__clock_epoch(far, UINT32_MAX) == 9);
  prt__clocks_free(&all);
}
END_TEST

// ---- extents ------------------------------------------------------------------------------------
static char memory[BYTES];

typedef struct Drawn {
  prt_region region;
  int64_t dims[4], strides[4];
  prt_extent *extent;
  bool touches[BYTES];
} Drawn;

// Up to four dimensions, often nested as those of an array are, now and then any strides at all.
static bool draw_shape(Drawn *d) {
  memset(d, 0, sizeof *d);
  d->region = (prt_region){memory, 1 << draw(3), (int32_t)draw(5), d->dims, d->strides};
  int64_t inner = d->region.element_bytes, span = 0;
  for (int32_t i = d->region.rank; i-- > 0;) {
    d->dims[i] = 1 + draw(5);
    d->strides[i] = draw(6) ? inner * (1 + (draw(3) == 0)) : 1 + draw(64);
    inner = d->strides[i] * (d->dims[i] + draw(2));
    span += (d->dims[i] - 1) * d->strides[i];
  }
  int64_t room = BYTES - span - d->region.element_bytes;
  if (room <= 0) return false;
  d->region.base = memory + draw((uint32_t)(room < 96 ? room : 96));
  return true;
}

static void draw_region(Drawn *d) {
  while (!draw_shape(d)) continue;
  d->extent = malloc(prt__extent_bytes(PRT_EXTENT_RANK));
  ck_assert(prt__extent_of(&d->region, d->extent));
}

static void mark(Drawn *d, int32_t dim, int64_t at) {
  if (dim == d->region.rank) {
    for (int64_t i = 0; i < d->region.element_bytes; i++) d->touches[at + i] = true;
    return;
  }
  for (int64_t i = 0; i < d->dims[dim]; i++) mark(d, dim + 1, at + i * d->strides[dim]);
}

// It spans from the first byte that is touched to the last one, in as many runs as there are, and
// does not depend on the order of dimensions, on such of one element, or on which way they run.
static void expect_canonical(const Drawn *d) {
  const prt_extent *e = d->extent;
  ck_assert(d->touches[e->base - memory] && d->touches[e->end - 1 - memory]);
  bool is_inside = true;
  for (int i = 0; i < BYTES; i++)
    is_inside &= !d->touches[i] || (memory + i >= e->base && memory + i < e->end);
  ck_assert(is_inside);
  for (int32_t i = 0; i < e->rank; i++) {
    ck_assert_int_gt(e->levels[2 * i], 1);
    ck_assert_int_gt(e->levels[2 * i + 1], e->run);
    ck_assert(i == 0 || e->levels[2 * i + 1] <= e->levels[2 * i - 1]);
  }
  prt_region other = d->region;
  int64_t dims[6], strides[6];
  int32_t rank = 0;
  dims[rank] = 1, strides[rank++] = 12345;
  for (int32_t i = d->region.rank; i-- > 0; rank++) {
    dims[rank] = d->dims[i], strides[rank] = d->strides[i];
    if (i % 2 == 0) {
      other.base = (const char *)other.base + (dims[rank] - 1) * strides[rank];
      strides[rank] = -strides[rank];
    }
  }
  other.rank = rank, other.dims = dims, other.strides = strides;
  prt_extent *turned = malloc(prt__extent_bytes(PRT_EXTENT_RANK));
  ck_assert(prt__extent_of(&other, turned));
  bool are_distinct = true;
  for (int32_t i = 0; i < d->region.rank; i++)
    for (int32_t k = 0; k < i; k++) are_distinct &= d->strides[i] != d->strides[k];
  ck_assert(!are_distinct || (prt__extent_covers(turned, e) && prt__extent_covers(e, turned)));
  free(turned);
}

START_TEST(extents_meet_where_bytes_do) {
  static Drawn a, b;
  int met = 0, apart = 0;
  state = 7;
  for (int n = 0; n < REGIONS; n++) {
    draw_region(&a);
    draw_region(&b);
    mark(&a, 0, (const char *)a.region.base - memory);
    mark(&b, 0, (const char *)b.region.base - memory);
    bool common = false, covered = true;
    for (int i = 0; i < BYTES; i++) {
      common |= a.touches[i] && b.touches[i];
      covered &= a.touches[i] || !b.touches[i];
    }
    ck_assert_msg(prt__extents_meet(a.extent, b.extent) == common, "pair %d", n);
    ck_assert_msg(prt__extents_meet(b.extent, a.extent) == common, "pair %d, turned", n);
    if (prt__extent_covers(a.extent, b.extent)) ck_assert_msg(covered, "pair %d", n);
    // In one piece it covers all that lies in it, else what is the same.
    ck_assert(a.extent->rank || prt__extent_covers(a.extent, b.extent) == covered);
    expect_canonical(&a);
    common ? met++ : apart++;
    free(a.extent);
    free(b.extent);
  }
  ck_assert_int_gt(met, REGIONS / 10);
  ck_assert_int_gt(apart, REGIONS / 10);
}
END_TEST

START_TEST(rows_that_alternate_do_not_meet) {
  static char wide[65 * 1024];
  int64_t dims[] = {64, 128}, strides[] = {1024, 4};
  prt_region even = {wide, 4, 2, dims, strides}, odd = {wide + 512, 4, 2, dims, strides};
  prt_extent *a = malloc(prt__extent_bytes(PRT_EXTENT_RANK)),
             *b = malloc(prt__extent_bytes(PRT_EXTENT_RANK));
  ck_assert(prt__extent_of(&even, a) && prt__extent_of(&odd, b));
  ck_assert(!prt__extents_meet(a, b));
  odd.base = wide + 508;
  ck_assert(prt__extent_of(&odd, b));
  ck_assert(prt__extents_meet(a, b));
  free(a);
  free(b);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("race");
  TCase *tests = tcase_create("race");
  tcase_add_test(tests, clocks_are_what_arrays_are);
  tcase_add_test(tests, dropped_clocks_are_room);
  tcase_add_test(tests, room_is_taken_and_cleared);
  tcase_add_test(tests, agents_far_apart);
  tcase_add_test(tests, extents_meet_where_bytes_do);
  tcase_add_test(tests, rows_that_alternate_do_not_meet);
  suite_add_tcase(suite, tests);
  return suite_run(suite);
}
