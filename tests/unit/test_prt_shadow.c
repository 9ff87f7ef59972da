// SPDX-License-Identifier: Apache-2.0
// Memory that knows what was written: drawn sequences against plain arrays of marks, and every text
// that is reported of it.
#include <check.h>
#include <stdlib.h>
#include <string.h>
#include "check/prt_watch.h"
#include "race/prt_extent.h"
#include "race/prt_parallel.h"
#include "suite.h"

enum { ROUNDS = 60, STEPS = 250, MEMORIES = 8, MOST = 720, NEVER = 0, WRITTEN = 1 };

static const prt_entry entry = {.abi_version = PRT_ABI_VERSION,
                                .flags = PRT_ENTRY_CHECKED,
                                .name = "f",
                                .devices = 1,
                                .chip = "v5p",
                                .cpu = "baseline"};
static const prt_site site = {"k.pk", 4, 10, 14, NULL, "", NULL},
                      other_site = {"k.pk", 9, 3, 12, NULL, "", NULL};

static uint32_t state;
static int64_t draw(int64_t below) {
  state = state * 1664525u + 1013904223u;
  return (int64_t)((state >> 8) % (uint32_t)below);
}

// ---- what is reported --------------------------------------------------------------------------
static char reported[4000];

static void hear(void *data, const prt_finding *finding) {
  (void)data;
  size_t used = strlen(reported);
  used += (size_t)snprintf(reported + used, sizeof reported - used, "%d: %s", finding->site->line,
                           finding->message);
  for (int32_t i = 0; i < finding->grid_rank; i++)
    used += (size_t)snprintf(reported + used, sizeof reported - used, "%s%lld", i ? ", " : " @",
                             (long long)finding->grid[i]);
  snprintf(reported + used, sizeof reported - used, "\n");
}

static void expect_reported(const char *wanted) {
  ck_assert_str_eq(reported, wanted);
  reported[0] = 0;
}

static prt_machine *listening(bool keeps_unwritten) {
  prt_machine_options options;
  prt_machine_options_init(&options);
  options.on_finding = hear;
  options.max_findings = 1000;
  options.keeps_unwritten = keeps_unwritten;
  reported[0] = 0;
  prt_machine *machine = prt_machine_new(&options);
  ck_assert_ptr_nonnull(machine);
  return machine;
}

static prt_worker *enter(prt_machine *machine) {
  prt_worker *worker;
  ck_assert_int_eq(prt__enter(machine, &entry, &worker), PRT_OK);
  return worker;
}

// ---- drawn sequences ----------------------------------------------------------------------------
typedef struct Memory {
  prt_dtype dtype;
  int32_t bytes, rank;
  int64_t dims[4];
  char *data;
  bool is_watched;
  uint8_t marks[MOST]; // what they must be
} Memory;

static const struct {
  prt_dtype dtype;
  int32_t rank;
  int64_t dims[4];
} shapes[MEMORIES] = {{PRT_F32, 2, {6, 20}},     {PRT_F32, 3, {4, 5, 6}}, {PRT_U8, 4, {2, 3, 4, 6}},
                      {PRT_F64, 1, {90}},        {PRT_F32, 2, {8, 15}},   {PRT_I32, 3, {5, 5, 6}},
                      {PRT_I8, 4, {2, 3, 5, 6}}, {PRT_F32, 2, {9, 13}}};

static Memory memories[MEMORIES];

static int64_t elements_of(const Memory *m) {
  int64_t count = 1;
  for (int32_t i = 0; i < m->rank; i++) count *= m->dims[i];
  return count;
}

// The last one is not watched.
static void adopt_all(prt_worker *worker) {
  for (int i = 0; i < MEMORIES; i++) {
    Memory *m = &memories[i];
    *m = (Memory){.dtype = shapes[i].dtype, .rank = shapes[i].rank, .is_watched = i < MEMORIES - 1};
    memcpy(m->dims, shapes[i].dims, sizeof m->dims);
    m->bytes = (int32_t)prt_dtype_size(m->dtype);
    m->data = prt__alloc(worker, PRT_VMEM, (size_t)(elements_of(m) * m->bytes));
    memset(m->marks, m->is_watched ? NEVER : WRITTEN, sizeof m->marks);
    if (m->is_watched)
      prt__check_adopt(worker, m->data, (int32_t)m->dtype, m->rank, m->dims, "m", PRT_ADOPT_FRESH);
  }
}

typedef struct Region {
  prt_region region;
  int64_t dims[5], strides[5];
  int64_t count;
} Region;

static Region region_of(const Memory *m, const int64_t *low, const int64_t *count,
                        const int64_t *step) {
  Region r = {.region = {m->data, m->bytes, m->rank, NULL, NULL}, .count = 1};
  int64_t stride = m->bytes, offset = 0;
  for (int32_t d = m->rank - 1; d >= 0; stride *= m->dims[d--]) {
    r.dims[d] = count[d];
    r.strides[d] = stride * step[d];
    offset += low[d] * stride;
    r.count *= count[d];
  }
  r.region.base = m->data + offset;
  return r;
}

static void close_region(Region *r) {
  r->region.dims = r->dims;
  r->region.strides = r->strides;
}

// A box of the memory, with steps now and then, and whole dimensions often.
static Region draw_region(const Memory *m) {
  int64_t low[4], count[4], step[4];
  for (int32_t d = 0; d < m->rank; d++) {
    step[d] = draw(5) ? 1 : 1 + draw(3);
    low[d] = draw(2) ? 0 : draw(m->dims[d]);
    int64_t room = (m->dims[d] - low[d] + step[d] - 1) / step[d];
    count[d] = draw(2) ? room : draw(30) ? 1 + draw(room) : 0;
  }
  return region_of(m, low, count, step);
}

// As halves of its elements, of which the second, the first or both are meant.
static void halve(Region *r) {
  int64_t half = r->region.element_bytes / 2, from = draw(2);
  r->region.base = (const char *)r->region.base + from * half;
  r->region.element_bytes = (int32_t)half;
  r->dims[r->region.rank] = from ? 1 : 1 + draw(2);
  r->strides[r->region.rank++] = half;
}

// The number of the memory's element at number `i`, row-major, of the region.
static int64_t element_at(const Memory *m, const Region *r, int64_t i) {
  const char *p = r->region.base;
  for (int32_t d = r->region.rank - 1; d >= 0; i /= r->dims[d--])
    p += i % r->dims[d] * r->strides[d];
  return (p - m->data) / m->bytes;
}

static void write_some(prt_worker *worker, Memory *m) {
  Region r = draw_region(m);
  int64_t parts = 1;
  if (m->bytes > 1 && draw(4) == 0) halve(&r), parts = r.dims[r.region.rank - 1];
  close_region(&r);
  prt__check_written(worker, &r.region);
  for (int64_t i = 0; i < r.count * parts; i++) m->marks[element_at(m, &r, i)] = WRITTEN;
}

static void write_element(prt_worker *worker, Memory *m) {
  int64_t at = draw(elements_of(m)), mark = m->is_watched && draw(2) ? 2 + draw(200) : 0;
  prt__check_element_written(worker, m->data + at * m->bytes, m->bytes);
  if (m->is_watched) m->marks[at] = WRITTEN;
  prt__check_element_unwrite(worker, m->data + at * m->bytes, m->bytes, (int32_t)mark);
  if (mark) m->marks[at] = (uint8_t)mark;
}

static uint8_t mark_of_value(uint8_t mark, uint8_t origin) {
  return mark == WRITTEN ? 0 : mark == NEVER ? origin : mark;
}

static void read_some(prt_worker *worker, Memory *m) {
  static uint8_t marks[MOST];
  Region r = draw_region(m);
  close_region(&r);
  uint8_t origin = (uint8_t)(PRT_FIRST_ORIGIN + draw(200));
  memset(marks, 77, sizeof marks);
  prt__check_unwritten(worker, &site, &r.region, origin, marks);
  for (int64_t i = 0; i < r.count; i++)
    if (marks[i] != mark_of_value(m->marks[element_at(m, &r, i)], origin))
      ck_abort_msg("element %lld of a region", (long long)i);
  ck_assert_uint_eq(marks[r.count], 77);
  int64_t at = draw(elements_of(m));
  ck_assert_int_eq(
      prt__check_element_unwritten(worker, &site, m->data + at * m->bytes, m->bytes, origin),
      mark_of_value(m->marks[at], origin));
}

// Marks of values, which lie as they like.
static void store_marks(prt_worker *worker, Memory *m) {
  static uint8_t marks[2 * MOST];
  Region r = draw_region(m);
  close_region(&r);
  int64_t strides[4], stride = 1;
  for (int32_t d = m->rank - 1; d >= 0; d--) {
    strides[d] = stride;
    stride *= r.dims[d] ? r.dims[d] : 1;
    if (d == m->rank - 1 && draw(2)) strides[d] = 2, stride *= 2;
  }
  for (size_t i = 0; i < sizeof marks; i++) marks[i] = (uint8_t)(draw(3) ? 2 + draw(100) : 0);
  prt_region values = {marks, 1, m->rank, r.dims, strides};
  prt__check_unwrite(worker, &r.region, &values);
  for (int64_t i = 0; i < r.count && m->is_watched; i++) {
    int64_t rest = i, at = 0;
    for (int32_t d = m->rank - 1; d >= 0; rest /= r.dims[d--]) at += rest % r.dims[d] * strides[d];
    if (marks[at]) m->marks[element_at(m, &r, i)] = marks[at];
  }
}

// A box of one memory to a box of another one of the same rank and element.
static void copy_some(prt_worker *worker, Memory *to, Memory *from) {
  if (to == from || to->rank != from->rank || to->bytes != from->bytes) return;
  int64_t low[2][4], count[4], step[2][4];
  for (int32_t d = 0; d < to->rank; d++) {
    int64_t both = to->dims[d] < from->dims[d] ? to->dims[d] : from->dims[d];
    count[d] = draw(2) ? both / 2 : 1 + draw(both / 2);
    for (int k = 0; k < 2; k++) {
      const Memory *m = k ? from : to;
      step[k][d] = count[d] * 2 <= m->dims[d] && draw(3) == 0 ? 2 : 1;
      low[k][d] = draw(m->dims[d] - (count[d] - 1) * step[k][d]);
    }
    if (draw(4) == 0 && to->dims[d] == from->dims[d]) {
      count[d] = both;
      low[0][d] = low[1][d] = 0;
      step[0][d] = step[1][d] = 1;
    }
  }
  Region a = region_of(to, low[0], count, step[0]), b = region_of(from, low[1], count, step[1]);
  close_region(&a);
  close_region(&b);
  prt__check_copied(worker, &a.region, &b.region);
  for (int64_t i = 0; i < a.count && to->is_watched; i++)
    to->marks[element_at(to, &a, i)] = from->marks[element_at(from, &b, i)];
}

static void expect_all(prt_worker *worker) {
  static uint8_t marks[MOST];
  for (int i = 0; i < MEMORIES; i++) {
    Memory *m = &memories[i];
    int64_t low[4] = {0}, step[4] = {1, 1, 1, 1};
    Region r = region_of(m, low, m->dims, step);
    close_region(&r);
    prt__check_unwritten(worker, &site, &r.region, PRT_LAST_ORIGIN, marks);
    for (int64_t k = 0; k < r.count; k++)
      if (marks[k] != mark_of_value(m->marks[k], PRT_LAST_ORIGIN))
        ck_abort_msg("memory %d, element %lld: %d, not %d", i, (long long)k, marks[k], m->marks[k]);
  }
}

START_TEST(marks_are_what_plain_arrays_say) {
  prt_machine *machine = listening(false);
  state = 1;
  for (int round = 0; round < ROUNDS; round++) {
    prt_worker *worker = enter(machine);
    adopt_all(worker);
    for (int step = 0; step < STEPS; step++) {
      Memory *m = &memories[draw(MEMORIES)];
      switch (draw(6)) {
      case 0: write_some(worker, m); break;
      case 1: write_element(worker, m); break;
      case 2: read_some(worker, m); break;
      case 3: store_marks(worker, m); break;
      default: copy_some(worker, m, &memories[draw(MEMORIES)]); break;
      }
      if (step % 10 == 0) expect_all(worker);
    }
    expect_all(worker);
    ck_assert_int_eq(prt__leave(worker), PRT_OK);
  }
  expect_reported("");
  prt_machine_free(machine);
}
END_TEST

// ---- which memory is watched --------------------------------------------------------------------
enum { PLACES = 64, PLACE = 32, PLACE_DIM = 4 };
static char arena[PLACES * PLACE];
static int owners[PLACES * PLACE]; // by byte: whose memory; 0: nobody's
static int64_t place_dims[PLACES + 1][1];

static void expect_owners(prt_worker *worker) {
  for (int i = 0; i < PLACES * PLACE; i++) {
    prt_watched found;
    bool is_watched = prt__watch_of(worker->call, arena + i, &found);
    if (is_watched != (owners[i] != 0) || (is_watched && found.dims != place_dims[owners[i]]))
      ck_abort_msg("byte %d", i);
  }
}

static void forget_owner(int owner) {
  for (int i = 0; i < PLACES * PLACE; i++)
    if (owners[i] == owner) owners[i] = 0;
}

// What lies where something is watched anew, or is handed out again, is not watched any more.
static void take_place(prt_worker *worker, int number) {
  int64_t words = 1 + draw(2 * PLACE / PLACE_DIM), at = draw(PLACES * PLACE / 4 - words) * 4;
  bool is_watched = draw(5) != 0;
  for (int64_t i = at; i < at + words * 4; i++)
    if (owners[i]) forget_owner(owners[i]);
  if (!is_watched) {
    prt__watch_forget(worker->call, arena + at, (size_t)words * 4);
    return;
  }
  forget_owner(number);
  place_dims[number][0] = words;
  prt__check_adopt(worker, arena + at, PRT_F32, 1, place_dims[number], "m", PRT_ADOPT_FRESH);
  for (int64_t i = at; i < at + words * 4; i++) owners[i] = number;
}

START_TEST(memory_is_watched_until_it_is_taken_anew) {
  prt_machine *machine = listening(false);
  prt_worker *worker = enter(machine);
  state = 3;
  for (int step = 0; step < 600; step++) {
    int number = 1 + step % PLACES;
    bool is_used = false; // its dims are
    for (int i = 0; i < PLACES * PLACE; i++) is_used |= owners[i] == number;
    if (is_used) continue;
    take_place(worker, number);
    if (step % 20 == 0) expect_owners(worker);
  }
  expect_owners(worker);
  prt_watched found;
  ck_assert_int_eq(prt__leave(worker), PRT_OK);
  worker = enter(machine);
  ck_assert(!prt__watch_of(worker->call, arena, &found)); // another call
  ck_assert(!prt__is_watching(worker->call));
  static const int64_t dims[] = {3, 5};
  prt__check_adopt(worker, arena, PRT_F64, 2, dims, "name", PRT_ADOPT_FRESH);
  ck_assert(prt__is_watching(worker->call));
  ck_assert(prt__watch_of(worker->call, arena + 119, &found));
  ck_assert(found.base == arena && found.element_bytes == 8 && found.rank == 2);
  ck_assert_str_eq(found.what, "name");
  ck_assert(!prt__watch_of(worker->call, arena + 120, &found));
  ck_assert_int_eq(prt__leave(worker), PRT_OK);
  prt_machine_free(machine);
}
END_TEST

// ---- what reads are reported as ----------------------------------------------------------------
static const int64_t dims3[] = {2, 3, 4}, strides3[] = {48, 16, 4};
static float *floats;

static void *adopt(prt_worker *worker, int32_t rank, const int64_t *dims, const char *what,
                   int32_t role) {
  floats = prt__alloc(worker, PRT_VMEM, 4096);
  prt__check_adopt(worker, floats, PRT_F32, rank, dims, what, role);
  return floats;
}

static void write_words(prt_worker *worker, const float *from, int64_t count) {
  prt_region region = {from, 4, 1, &count, &(int64_t){4}};
  prt__check_written(worker, &region);
}

START_TEST(a_read_is_reported_by_its_first_element) {
  prt_machine *machine = listening(false);
  prt_worker *worker = enter(machine);
  uint8_t marks[24];
  const float *a = adopt(worker, 3, dims3, "acc", PRT_ADOPT_FRESH);
  prt_region all = {a, 4, 3, dims3, strides3};
  write_words(worker, a, 18);
  prt__check_unwritten(worker, &site, &all, 5, marks);
  prt__check_used(worker, &site, 5, "a condition");
  expect_reported("4: 'acc' is read where it was never written: element [1, 1, 2] and 5 more; a "
                  "condition depends on it\n");
  write_words(worker, a + 18, 5);
  prt__check_unwritten(worker, &site, &all, 5, marks); // the place is known by its first read
  prt__check_used(worker, &site, 5, "a condition");    // nor reported again
  expect_reported("");
  prt__check_unwritten(worker, &other_site, &all, 6, marks);
  prt__check_used(worker, &other_site, 6, "a mask");
  expect_reported(
      "9: 'acc' is read where it was never written: element [1, 2, 3]; a mask depends on "
      "it\n");
  prt__check_used(worker, &site, 0, "nothing");
  expect_reported("");
  static const prt_site third = {"k.pk", 12, 1, 2, NULL, "", NULL},
                        fourth = {"k.pk", 13, 1, 2, NULL, "", NULL};
  const float *one = adopt(worker, 0, NULL, "one", PRT_ADOPT_FRESH);
  ck_assert_int_eq(prt__check_element_unwritten(worker, &third, one, 4, 7), 7);
  prt__check_used(worker, &site, 7, "a store");
  expect_reported(
      "12: 'one' is read where it was never written: its one element; a store depends on it "
      "in line 4\n");
  const float *w = adopt(worker, 3, dims3, "x_ref", PRT_ADOPT_WINDOW);
  ck_assert_int_eq(prt__check_element_unwritten(worker, &fourth, w + 23, 4, 8), 8);
  prt__check_used(worker, &fourth, 8, "a store");
  expect_reported(
      "13: 'x_ref' is read in its padding, outside of the array: element [1, 2, 3]; a store "
      "depends on it\n");
  ck_assert_int_eq(prt__leave(worker), PRT_ERROR_CHECK);
  prt_machine_free(machine);
}
END_TEST

START_TEST(a_read_knows_its_step) {
  int64_t index[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  for (int32_t rank = 0; rank <= 9; rank++) {
    prt_machine *machine = listening(false);
    prt_worker *worker = enter(machine);
    const float *a = adopt(worker, 3, dims3, "acc", PRT_ADOPT_FRESH);
    prt_step step = {.launch = "kernel", .rank = rank, .indices = index};
    prt__step_enter(worker, &step);
    index[0] = 1;
    prt__check_element_unwritten(worker, &site, a, 4, 5);
    index[0] = 77; // it has gone on since
    prt__step_leave(worker, &step);
    prt__check_used(worker, &site, 5, "it");
    char wanted[300], *at = wanted;
    at += sprintf(at, "4: 'acc' is read where it was never written: element [0, 0, 0]; it depends "
                      "on it");
    for (int32_t i = 0; i < rank && rank <= 8; i++)
      at += sprintf(at, "%s%d", i ? ", " : " @", i + 1);
    sprintf(at, "\n");
    expect_reported(wanted);
    ck_assert_int_eq(prt__leave(worker), PRT_ERROR_CHECK);
    prt_machine_free(machine);
  }
}
END_TEST

// ---- what outputs are reported as --------------------------------------------------------------
// What is reported of an output of `dims` of which all elements but those that `hole` says were
// written.
static void expect_hole(int32_t rank, const int64_t *dims, bool (*hole)(int64_t),
                        const char *text) {
  prt_machine *machine = listening(false);
  prt_worker *worker = enter(machine);
  int64_t strides[4], stride = 4, count = 1;
  for (int32_t d = rank - 1; d >= 0; stride *= dims[d--]) strides[d] = stride, count *= dims[d];
  const float *out = adopt(worker, rank, dims, "out", PRT_ADOPT_OUT);
  prt_region all = {out, 4, rank, dims, strides};
  for (int64_t i = 0; i < count; i++)
    if (!hole(i)) prt__check_element_written(worker, out + i, 4);
  prt__check_output(worker, &site, &all, "o_ref");
  bool is_whole = text == NULL;
  ck_assert_int_eq(prt__leave(worker), is_whole ? PRT_OK : PRT_ERROR_CHECK);
  char wanted[300] = "";
  if (!is_whole) snprintf(wanted, sizeof wanted, "4: output 'o_ref' was never written%s\n", text);
  expect_reported(wanted);
  prt_machine_free(machine);
}

static bool everything(int64_t i) { return i >= 0; }
static bool nothing(int64_t i) { return i < 0; }
static bool first(int64_t i) { return i == 0; }
static bool last(int64_t i) { return i == 23; }
static bool column(int64_t i) { return i % 4 == 2; }
static bool rows(int64_t i) { return i / 4 % 3 > 0; }
static bool corners(int64_t i) { return i == 5 || i == 18; }
static bool chessboard(int64_t i) { return i % 2 != 0; }
static bool from_6(int64_t i) { return i >= 6; }

START_TEST(holes_are_reported_as_boxes) {
  static const int64_t flat[] = {24}, none[] = {4, 0};
  expect_hole(3, dims3, nothing, NULL);
  expect_hole(3, dims3, everything, "");
  expect_hole(3, dims3, first, " in [0:1, 0:1, 0:1]");
  expect_hole(3, dims3, last, " in [1:2, 2:3, 3:4]");
  expect_hole(3, dims3, column, " in [0:2, 0:3, 2:3]");
  expect_hole(3, dims3, rows, " in [0:2, 1:3, 0:4]");
  expect_hole(3, dims3, corners, " in [0:2, 1:2, 1:3]: 2 elements there");
  expect_hole(3, dims3, chessboard, " in [0:2, 0:3, 1:4]: 12 elements there");
  expect_hole(3, dims3, from_6, " in [0:2, 0:3, 0:4]: 18 elements there");
  expect_hole(1, flat, from_6, " in [6:24]");
  expect_hole(1, flat, corners, " in [5:19]: 2 elements there");
  expect_hole(0, NULL, everything, "");
  expect_hole(2, none, everything, NULL);
}
END_TEST

// Regions whose rows do not lie one behind the other are walked row by row.
START_TEST(holes_of_a_part_are_reported_in_its_own_indices) {
  prt_machine *machine = listening(false);
  prt_worker *worker = enter(machine);
  static const int64_t part[] = {2, 2, 3};
  const float *out = adopt(worker, 3, dims3, "out", PRT_ADOPT_OUT);
  prt_region inner = {out + 5, 4, 3, part, strides3};
  for (int64_t i = 0; i < 24; i++)
    if (i != 10 && i != 23) prt__check_element_written(worker, out + i, 4);
  prt__check_output(worker, &site, &inner, "o_ref");
  ck_assert_int_eq(prt__leave(worker), PRT_ERROR_CHECK);
  expect_reported("4: output 'o_ref' was never written in [0:2, 1:2, 1:3]: 2 elements there\n");
  prt_machine_free(machine);
}
END_TEST

// The text has an end, wherever it comes.
START_TEST(long_holes_are_reported_whole) {
  int64_t dims[32];
  for (int rank = 30; rank <= 32; rank++) {
    for (int digits = 0; digits < 6; digits++) {
      prt_machine *machine = listening(false);
      prt_worker *worker = enter(machine);
      for (int i = 0; i < rank; i++) dims[i] = i < digits ? 10 : 1;
      dims[rank - 1] = 2;
      char wanted[400] = " in [";
      for (int i = 0; i < rank; i++)
        strcat(strcat(wanted, i ? ", " : ""), i < digits && i < 2 ? "0:10" : "0:1");
      strcat(wanted, "]");
      dims[2] = dims[3] = dims[4] = dims[5] = 1;
      int64_t strides[32], stride = 4, count = 1;
      for (int d = rank - 1; d >= 0; stride *= dims[d--]) strides[d] = stride, count *= dims[d];
      const float *out = adopt(worker, rank, dims, "out", PRT_ADOPT_OUT);
      prt_region all = {out, 4, rank, dims, strides};
      for (int64_t i = 1; i < count; i += 2) prt__check_element_written(worker, out + i, 4);
      prt__check_output(worker, &site, &all, "o");
      ck_assert_int_eq(prt__leave(worker), PRT_ERROR_CHECK);
      char text[500];
      snprintf(text, sizeof text, "4: output 'o' was never written%s\n", wanted);
      expect_reported(text);
      prt_machine_free(machine);
    }
  }
}
END_TEST

// The first launch that leaves something out is reported; without one, the array's own name is.
START_TEST(outputs_are_reported_by_the_launch_that_left_them) {
  prt_machine *machine = listening(false);
  prt_worker *worker = enter(machine);
  const float *out = adopt(worker, 3, dims3, "out", PRT_ADOPT_OUT);
  prt_region all = {out, 4, 3, dims3, strides3};
  write_words(worker, out, 23);
  prt__check_output(worker, &site, &all, "first_ref");
  prt__check_output(worker, &other_site, &all, "second_ref");
  const float *bare = adopt(worker, 3, dims3, "bare", PRT_ADOPT_OUT);
  write_words(worker, bare, 12);
  const float *same = adopt(worker, 3, dims3, "same", PRT_ADOPT_IN_OUT), *fresh;
  ck_assert_int_eq(prt__check_element_unwritten(worker, &site, same + 23, 4, 9), 0);
  fresh = adopt(worker, 3, dims3, "fresh", PRT_ADOPT_FRESH); // is no output
  ck_assert_int_eq(prt__check_element_unwritten(worker, &other_site, fresh + 3, 4, 9), 9);
  prt__check_element_unwrite(worker, same + 7, 4, 9);
  prt__check_element_unwrite(worker, same + 8, 4, 9); // reported once
  ck_assert_int_eq(prt__leave(worker), PRT_ERROR_CHECK);
  expect_reported("4: output 'first_ref' was never written in [1:2, 2:3, 3:4]\n"
                  "0: output 'bare' was never written in [1:2, 0:3, 0:4]\n"
                  "9: 'fresh' is read where it was never written: element [0, 0, 3]; output 'same' "
                  "depends on it\n");
  prt_machine_free(machine);
}
END_TEST

START_TEST(what_nobody_reads_is_not_reported) {
  prt_machine *machine = listening(false);
  char memory[2][2 * 3 * 4 * sizeof(float)];
  void *const unread[] = {memory[0]};
  for (int with = 0; with < 2; with++) {
    prt_results_unread(with ? unread : NULL, 1);
    prt_worker *worker = enter(machine);
    prt_results_unread(NULL, 0); // for later calls
    prt__check_adopt(worker, memory[0], PRT_F32, 3, dims3, "scratch", PRT_ADOPT_OUT);
    prt__check_adopt(worker, memory[1], PRT_F32, 3, dims3, "out", PRT_ADOPT_OUT);
    const float *fresh = adopt(worker, 3, dims3, "fresh", PRT_ADOPT_FRESH);
    ck_assert_int_eq(prt__check_element_unwritten(worker, &site, fresh, 4, 9), 9);
    for (int i = 0; i < 2;
         i++) { // both have it; what is reported of the first is not reported again
      prt__check_element_written(worker, memory[i], sizeof memory[i]);
      prt__check_element_unwrite(worker, memory[i], 4, 9);
    }
    ck_assert_int_eq(prt__leave(worker), PRT_ERROR_CHECK);
    expect_reported(
        with ? "4: 'fresh' is read where it was never written: element [0, 0, 0]; output "
               "'out' depends on it\n"
             : "4: 'fresh' is read where it was never written: element [0, 0, 0]; output "
               "'scratch' depends on it\n");
  }
  prt_machine_free(machine);
}
END_TEST

// What a finding on a race has reported is not reported again.
START_TEST(what_was_reported_as_a_race_is_not_reported_again) {
  prt_machine *machine = listening(false);
  prt_worker *worker = enter(machine);
  const float *a = adopt(worker, 3, dims3, "acc", PRT_ADOPT_FRESH);
  prt__check_element_unwritten(worker, &site, a, 4, 5);
  const char *bytes = (const char *)a;
  prt_extent before = {bytes - 8, bytes, 8, 0}, first = {bytes, bytes + 8, 8, 0};
  prt__watches_raced(worker->call, &before);
  prt__check_used(worker, &site, 5, "one");
  expect_reported(
      "4: 'acc' is read where it was never written: element [0, 0, 0]; one depends on it\n");
  prt__watches_raced(worker->call, &first);
  prt__check_used(worker, &site, 5, "two");
  ck_assert_int_eq(prt__check_element_unwritten(worker, &other_site, a + 1, 4, 6), 0); // nor later
  expect_reported("");
  ck_assert_int_eq(prt__check_element_unwritten(worker, &other_site, a + 2, 4, 6), 6);
  prt__check_used(worker, &other_site, 6, "three");
  expect_reported(
      "9: 'acc' is read where it was never written: element [0, 0, 2]; three depends on "
      "it\n");
  const float *out = adopt(worker, 3, dims3, "out", PRT_ADOPT_OUT);
  prt_region all = {out, 4, 3, dims3, strides3};
  prt__check_output(worker, &site, &all, "o_ref");
  prt__watches_reported(worker->call, &site, (const char *)out);
  ck_assert_int_eq(prt__leave(worker), PRT_ERROR_CHECK);
  expect_reported("");
  prt_machine_free(machine);
}
END_TEST

// Elements that depend on which of several steps comes first: those that were named, until they are
// written anew.
START_TEST(some_elements_are_in_doubt) {
  static const int64_t two[] = {2}, one[] = {4}, none[] = {0};
  static const float other[2];
  prt_machine *machine = listening(false);
  prt_worker *worker = enter(machine);
  const float *a = adopt(worker, 3, dims3, "acc", PRT_ADOPT_FRESH);
  write_words(worker, a, 23);
  prt_doubt doubt = {.site = &site, .what = "acc", .message = "two steps write it"};
  prt_region part = {a + 4, 4, 1, two, one}, empty = {a, 4, 1, none, one},
             away = {other, 4, 1, two, one};
  ck_assert(!prt__watch_in_doubt(worker->call, a) && !prt__watch_in_doubt(worker->call, a + 23));
  ck_assert(prt__watch_doubt(worker, &empty, NULL, &doubt));
  ck_assert(!prt__watch_doubt(worker, &away, NULL, &doubt));
  ck_assert(!prt__watch_in_doubt(worker->call, a) && !prt__watch_in_doubt(worker->call, other));
  ck_assert(prt__watch_doubt(worker, &part, NULL, &doubt));
  for (int i = 0; i < 24; i++)
    ck_assert_int_eq(prt__watch_in_doubt(worker->call, a + i), i == 4 || i == 5);
  const char *bytes = (const char *)(a + 8);
  prt_extent word = {bytes + 4, bytes + 8, 4, 0};
  part.base = a + 8;
  ck_assert(prt__watch_doubt(worker, &part, &word, &doubt)); // of which one is meant
  ck_assert(!prt__watch_in_doubt(worker->call, a + 8) && prt__watch_in_doubt(worker->call, a + 9));
  write_words(worker, a, 5);
  ck_assert(!prt__watch_in_doubt(worker->call, a + 4) && prt__watch_in_doubt(worker->call, a + 5));
  ck_assert_int_eq(prt__leave(worker), PRT_OK);
  prt_machine_free(machine);
}
END_TEST

// ---- results that are kept ----------------------------------------------------------------------
static float results[3][24];

// A call with three outputs: `holes` have none of their last words written.
static void call_with_results(prt_machine *machine, unsigned holes) {
  prt_worker *worker = enter(machine);
  static const prt_site sites[] = {{"k.pk", 21, 1, 2, NULL, "", NULL},
                                   {"k.pk", 22, 1, 2, NULL, "", NULL},
                                   {"k.pk", 23, 1, 2, NULL, "", NULL}};
  static const char *const names[] = {"a_ref", "b_ref", "c_ref"};
  for (int i = 0; i < 3; i++) {
    prt_region all = {results[i], 4, 3, dims3, strides3};
    prt__check_adopt(worker, results[i], PRT_F32, 3, dims3, names[i], PRT_ADOPT_OUT);
    write_words(worker, results[i], holes >> i & 1 ? 23 : 24);
    prt__check_output(worker, &sites[i], &all, names[i]);
  }
  ck_assert_int_eq(prt__leave(worker), PRT_OK);
}

static prt_region result(int i) { return (prt_region){results[i], 4, 3, dims3, strides3}; }

START_TEST(results_are_reported_when_they_are_looked_at) {
  prt_machine *machine = listening(true);
  prt_region a = result(0), b = result(1), c = result(2);
  call_with_results(machine, 5);
  ck_assert(!prt__check_read(machine, &b, "a print")); // somebody looked
  ck_assert(!prt__check_rest(machine, false));
  expect_reported("");
  ck_assert(prt__check_rest(machine, true));
  expect_reported("21: output 'a_ref' was never written in [1:2, 2:3, 3:4]\n"
                  "23: output 'c_ref' was never written in [1:2, 2:3, 3:4]\n");
  ck_assert(prt__check_read(machine, &c, "a print"));
  expect_reported("23: output 'c_ref' was never written in [1:2, 2:3, 3:4]; a print\n");
  ck_assert(prt__check_read(machine, &a, NULL));
  a.rank = 1, a.dims = (const int64_t[]){0};
  ck_assert(!prt__check_read(machine, &a, NULL)); // nothing of it
  a = result(0);
  expect_reported("");
  call_with_results(machine, 2); // they are others now
  ck_assert(!prt__check_read(machine, &a, "a print"));
  call_with_results(machine, 2);
  ck_assert(prt__check_rest(machine, false));
  expect_reported("22: output 'b_ref' was never written in [1:2, 2:3, 3:4]\n");
  call_with_results(machine, 0);
  ck_assert(!prt__check_rest(machine, true));
  prt_machine_free(machine);
}
END_TEST

START_TEST(results_keep_their_holes_when_they_are_moved) {
  prt_machine *machine = listening(true);
  static float moved[24], again[4];
  static const int64_t flat[] = {24}, turned[] = {4, 2, 3}, turned_strides[] = {4, 48, 16},
                       four[] = {4}, one[] = {4};
  prt_region c = result(2), to = {moved, 4, 1, flat, one};
  prt_region seen = {results[2], 4, 3, turned, turned_strides};
  call_with_results(machine, 4);
  prt__check_moved(machine, &to, &seen); // axes 2, 0, 1
  for (int i = 0; i < 24; i++) {
    prt_region word = {moved + i, 4, 0, NULL, NULL};
    ck_assert_int_eq(prt__check_read(machine, &word, NULL), i == 23);
  }
  prt_region part = {moved + 20, 4, 1, four, one}, fresh = {again, 4, 1, four, one};
  prt__check_moved(machine, &fresh, &part);
  ck_assert(prt__check_read(machine, &fresh, "a sum"));
  expect_reported("23: output 'c_ref' was never written in [1:2, 2:3, 3:4]; a sum\n");
  // Over what is whole nothing is reported, though something was there before.
  prt_region whole_part = {moved, 4, 1, four, one};
  prt__check_moved(machine, &fresh, &whole_part);
  ck_assert(!prt__check_read(machine, &fresh, "a sum"));
  ck_assert(prt__check_read(machine, &c, NULL));
  prt_machine_free(machine);
}
END_TEST

// Only what has holes is kept for long.
START_TEST(results_without_holes_cost_nothing) {
  enum { BIG = 1024 };
  static float big[BIG], moved[4];
  static const int64_t dims[] = {BIG}, four[] = {4}, one[] = {4};
  prt_machine *machine = listening(true);
  prt_region all = {big, 4, 1, dims, one}, part = {big, 4, 1, four, one};
  prt_worker *worker = enter(machine);
  prt__check_adopt(worker, big, PRT_F32, 1, dims, "out", PRT_ADOPT_OUT);
  write_words(worker, big, BIG);
  ck_assert_int_eq(prt__leave(worker), PRT_OK);
  void *others[8]; // where its marks were
  for (int i = 0; i < 8; i++) others[i] = calloc(1, BIG - 128 * (size_t)i);
  ck_assert(!prt__check_read(machine, &all, NULL) && !prt__check_read(machine, &all, "a print"));
  for (int i = 0; i < 8; i++) free(others[i]);
  worker = enter(machine);
  ck_assert(prt__is_watching(worker->call)); // of who looks at it
  prt__check_adopt(worker, big, PRT_F32, 1, dims, "out", PRT_ADOPT_OUT);
  write_words(worker, big, BIG - 1);
  ck_assert_int_eq(prt__leave(worker), PRT_OK);
  prt_region to = {moved, 4, 1, four, one};
  prt__check_moved(machine, &to, &part); // of written ones nothing need be known
  worker = enter(machine);
  prt__check_adopt(worker, big, PRT_F32, 1, dims, "scratch", PRT_ADOPT_FRESH);
  ck_assert_int_eq(prt__leave(worker), PRT_OK);
  worker = enter(machine);
  ck_assert(!prt__is_watching(worker->call));
  ck_assert_int_eq(prt__leave(worker), PRT_OK);
  prt_machine_free(machine);
}
END_TEST

// Marks of an earlier call's results are ones of this call when they come into it.
START_TEST(a_later_call_knows_of_earlier_ones) {
  prt_machine *machine = listening(true);
  call_with_results(machine, 7);
  prt_worker *worker = enter(machine);
  uint8_t marks[3][24];
  for (int i = 0; i < 3; i++) {
    prt_region all = result(i);
    prt__check_unwritten(worker, &other_site, &all, PRT_FIRST_ORIGIN, marks[i]);
    ck_assert(marks[i][22] == 0 && marks[i][23] > PRT_LAST_ORIGIN);
    ck_assert_int_eq(prt__check_element_unwritten(worker, &site, results[i] + 23, 4, 3),
                     marks[i][23]);
  }
  ck_assert(marks[0][23] != marks[1][23] && marks[1][23] != marks[2][23] &&
            marks[0][23] != marks[2][23]);
  prt__check_used(worker, &other_site, marks[1][23], "an index");
  expect_reported(
      "22: output 'b_ref' was never written in [1:2, 2:3, 3:4]; an index depends on it in "
      "line 9\n");
  // One that this call reads and writes keeps what it is.
  prt__check_adopt(worker, results[0], PRT_F32, 3, dims3, "again", PRT_ADOPT_IN_OUT);
  ck_assert_int_eq(prt__check_element_unwritten(worker, &site, results[0] + 23, 4, 3),
                   marks[0][23]);
  // A copy brings it along.
  const float *copy = adopt(worker, 3, dims3, "copy", PRT_ADOPT_FRESH);
  prt_region to = {copy, 4, 3, dims3, strides3}, from = result(2);
  prt__check_copied(worker, &to, &from);
  ck_assert_int_eq(prt__check_element_unwritten(worker, &site, copy + 23, 4, 3), marks[2][23]);
  ck_assert_int_eq(prt__check_element_unwritten(worker, &site, copy + 22, 4, 3), 0);
  ck_assert_int_eq(prt__leave(worker), PRT_ERROR_CHECK);
  prt_machine_free(machine);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("prt_shadow");
  TCase *tests = tcase_create("shadow");
  tcase_set_timeout(tests, 120);
  tcase_add_test(tests, marks_are_what_plain_arrays_say);
  tcase_add_test(tests, memory_is_watched_until_it_is_taken_anew);
  tcase_add_test(tests, a_read_is_reported_by_its_first_element);
  tcase_add_test(tests, a_read_knows_its_step);
  tcase_add_test(tests, holes_are_reported_as_boxes);
  tcase_add_test(tests, holes_of_a_part_are_reported_in_its_own_indices);
  tcase_add_test(tests, long_holes_are_reported_whole);
  tcase_add_test(tests, outputs_are_reported_by_the_launch_that_left_them);
  tcase_add_test(tests, what_nobody_reads_is_not_reported);
  tcase_add_test(tests, some_elements_are_in_doubt);
  tcase_add_test(tests, what_was_reported_as_a_race_is_not_reported_again);
  tcase_add_test(tests, results_are_reported_when_they_are_looked_at);
  tcase_add_test(tests, results_keep_their_holes_when_they_are_moved);
  tcase_add_test(tests, results_without_holes_cost_nothing);
  tcase_add_test(tests, a_later_call_knows_of_earlier_ones);
  suite_add_tcase(suite, tests);
  return suite_run(suite);
}
