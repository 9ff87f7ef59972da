// SPDX-License-Identifier: Apache-2.0
// The report of a race: every line of it.
#include <check.h>
#include <stdarg.h>
#include <stdio.h>
#include "check/prt_watch.h"
#include "race_trace.h"
#include "suite.h"

// ---- heard --------------------------------------------------------------------------------------
static char heard[8000];

static void say(const char *format, ...) {
  va_list arguments;
  size_t used = strlen(heard);
  va_start(arguments, format);
  vsnprintf(heard + used, sizeof heard - used, format, arguments);
  va_end(arguments);
}

static void hear(void *data, const prt_finding *finding) {
  (void)data;
  say("%d: %s\n", finding->site->line, finding->message);
  for (int32_t i = 0; i < finding->note_count; i++)
    say("%d: %s\n", finding->notes[i].site->line, finding->notes[i].message);
  if (finding->help) say("= %s\n", finding->help);
}

static prt_machine *machine;

static void open_machine(void) {
  prt_machine_options options;
  prt_machine_options_init(&options);
  options.on_finding = hear;
  options.max_findings = 1000;
  machine = prt_machine_new(&options);
  ck_assert_ptr_nonnull(machine);
  heard[0] = 0;
}
static void close_machine(void) { prt_machine_free(machine); }

static void expect_heard(const char *wanted) {
  ck_assert_str_eq(heard, wanted);
  heard[0] = 0;
}

// Looks for races, and tells them.
static void find_and_report(Trace *t) {
  prt__race_find(t->race);
  trace_fini(t);
}

// ---- what was touched, as an index of the array -------------------------------------------------
enum { RANK = 3, BOXES = 3000, ELEMENT = 4 };
static char array[4096];

typedef struct Box {
  int64_t low[RANK], count[RANK], step[RANK];
} Box;

static uint32_t state = 1;
static int64_t draw(int64_t below) {
  state = state * 1664525u + 1013904223u;
  return (int64_t)((state >> 8) % (uint32_t)below);
}

static Box draw_box(const int64_t *dims) {
  Box box;
  for (int d = 0; d < RANK; d++) {
    bool is_whole = draw(3) == 0;
    box.step[d] = draw(3) ? 1 : 1 + draw(3);
    box.low[d] = is_whole && box.step[d] == 1 ? 0 : draw(dims[d]);
    int64_t room = (dims[d] - box.low[d] + box.step[d] - 1) / box.step[d];
    box.count[d] = is_whole ? room : 1 + draw(room);
  }
  return box;
}

// Dimensions at the end of which all is touched are left out.
static void box_text(const Box *box, const int64_t *dims, char *text) {
  int shown = RANK;
  while (shown > 0 && box->low[shown - 1] == 0 && box->count[shown - 1] == dims[shown - 1]) shown--;
  for (int d = 0; d < shown; d++) {
    text += sprintf(text, "%s%lld", d ? ", " : "[", (long long)box->low[d]);
    if (box->count[d] == 1) continue;
    text +=
        sprintf(text, ":%lld", (long long)(box->low[d] + (box->count[d] - 1) * box->step[d] + 1));
    if (box->step[d] > 1) text += sprintf(text, ":%lld", (long long)box->step[d]);
  }
  strcpy(text, shown ? "]" : "");
}

// An access of the box by agent `agent`.
static void touch_box(Trace *t, int32_t agent, const Box *box, const int64_t *dims, int32_t how) {
  prt_race_access *access = trace_access(t, agent, PRT_NO_COPY, how, 0, 1);
  int64_t strides[RANK], stride = ELEMENT, offset = 0;
  for (int d = RANK - 1; d >= 0; stride *= dims[d--]) {
    strides[d] = stride * box->step[d];
    offset += box->low[d] * stride;
  }
  prt_region region = {array + offset, ELEMENT, RANK, box->count, strides};
  access->extent = prt__room_take(&t->race->extents, prt__extent_bytes(PRT_EXTENT_RANK));
  ck_assert(prt__extent_of(&region, access->extent));
  access->memory = (prt_watched){array, "buf", ELEMENT, RANK, dims};
}

START_TEST(boxes_are_reported_as_indices) {
  for (int n = 0; n < BOXES; n++) {
    int64_t dims[] = {1 + draw(4), 1 + draw(6), 1 + draw(8)};
    Box box = draw_box(dims), first = {{0}, {1, 1, 1}, {1, 1, 1}};
    memcpy(first.low, box.low, sizeof first.low);
    Trace t;
    trace_init(&t, machine);
    touch_box(&t, 0, &box, dims, PRT_WRITE);
    touch_box(&t, 1, &first, dims, PRT_READ);
    find_and_report(&t);
    char wanted[200] = "1: race: the write of 'buf'", index[100];
    box_text(&box, dims, index);
    strcat(strcat(wanted, index), " and this read of 'buf'");
    char *at = strstr(heard, " and this read of");
    ck_assert_msg(at != NULL, "%s", heard);
    ck_assert_msg(strncmp(strchr(heard, ':') + 1, strchr(wanted, ':') + 1,
                          strlen(strchr(wanted, ':') + 1)) == 0,
                  "%s\nin [%d, %d, %d] is not %s", heard, (int)dims[0], (int)dims[1], (int)dims[2],
                  wanted);
    heard[0] = 0;
  }
}
END_TEST

// Elements of which parts are touched count; what is no box of the array has no index.
START_TEST(other_shapes_are_reported_too) {
  static const int64_t dims[] = {4, 6};
  static const struct {
    int64_t offset, run, count, stride;
    const char *text;
  } cases[] = {{26, 1, 1, 0, "'buf'[1, 0]"},
               {26, 4, 1, 0, "'buf'[1, 0:2]"},
               {0, 96, 1, 0, "'buf'"},
               {24, 48, 1, 0, "'buf'[1:3]"},
               {8, 32, 1, 0, "'buf'"},
               {4, 4, 3, 10, "'buf'"},
               {20, 8, 1, 0, "'buf'"},
               {4, 4, 4, 24, "'buf'[0:4, 1]"},
               {0, 12, 2, 48, "'buf'[0:3:2, 0:3]"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    Trace t;
    trace_init(&t, machine);
    for (int agent = 0; agent < 2; agent++) {
      prt_region region = {array + cases[i].offset, (int32_t)cases[i].run, 1, &cases[i].count,
                           &cases[i].stride};
      prt_race_access *access = trace_access(&t, agent, PRT_NO_COPY, PRT_WRITE, 0, 1);
      access->extent = prt__room_take(&t.race->extents, prt__extent_bytes(PRT_EXTENT_RANK));
      ck_assert(prt__extent_of(&region, access->extent));
      access->memory = (prt_watched){array, "buf", ELEMENT, 2, dims};
    }
    find_and_report(&t);
    char wanted[200];
    snprintf(wanted, sizeof wanted, "2: race: the write of %s and this write of %s on core ",
             cases[i].text, cases[i].text);
    ck_assert_msg(strncmp(heard, wanted, strlen(wanted)) == 0, "%s\nis not %s", heard, wanted);
    heard[0] = 0;
  }
}
END_TEST

// ---- who, where, and what would help ------------------------------------------------------------
static const int64_t line_dims[] = {8}, sem_dims[] = {2};
static const prt_buffer named_sems = {.name = "sems",
                                      .bytes = 4 * (int64_t)sizeof(prt_sem),
                                      .rank = 1,
                                      .dims = (const int64_t[]){4}},
                        one_sem = {.name = "done", .bytes = (int64_t)sizeof(prt_sem)},
                        bare_sems = {.name = "",
                                     .bytes = 2 * (int64_t)sizeof(prt_sem),
                                     .rank = 1,
                                     .dims = sem_dims};

static prt_race_access *touch(Trace *t, int32_t agent, int32_t how, int32_t line) {
  prt_race_access *access = trace_access(t, agent, PRT_NO_COPY, how, 0, 1);
  access->memory = (prt_watched){(const char *)trace_words, "buf", TRACE_WORD, 1, line_dims};
  trace_sites[t->accesses - 1].line = line;
  return access;
}

// From word 4 to word 0, or from word 0 to word 4.
static void copy(Trace *t, int32_t agent, int32_t to, bool is_into, int32_t line) {
  prt_race_copy one = {.to = to, .received = 0, .received_units = 4, .sent = -1};
  if (to != agent) one.sent = 1, one.sent_units = 4;
  trace_copy(t, agent, one, is_into ? 4 : 0, is_into ? 0 : 4, 1);
  for (int i = 1; i <= 2; i++) {
    prt_race_access *end = &t->race->accesses.items[t->race->accesses.count - i];
    end->memory = (prt_watched){(const char *)trace_words, "buf", TRACE_WORD, 1, line_dims};
    end->site = &trace_sites[t->accesses - 1]; // one place starts both ends
  }
  trace_sites[t->accesses - 1].line = line;
}

static void name_sems(Trace *t) {
  t->race->sems.items[0].buffer = &named_sems;
  t->race->sems.items[0].index = 3;
  t->race->sems.items[1].buffer = &one_sem;
  t->race->sems.items[2].buffer = &bare_sems;
  t->race->sems.items[2].index = 1;
}

START_TEST(two_accesses_want_a_signal) {
  Trace t;
  trace_init(&t, machine);
  touch(&t, 0, PRT_READ, 11);
  touch(&t, 1, PRT_CHANGE, 12);
  find_and_report(&t);
  expect_heard("12: race: the read of 'buf'[0] and this atomic change of 'buf'[0] on core () of "
               "device 0 are not ordered\n"
               "11: the read of 'buf'[0] is here, on core () of device 0\n"
               "12: nothing is waited for before this write\n"
               "= signal a semaphore after line 11, and wait for it before line 12; "
               "the other way round if line 11 is to read what line 12 writes\n");
}
END_TEST

START_TEST(a_place_that_races_often_is_reported_once) {
  Trace t;
  trace_init(&t, machine);
  const prt_site *first = touch(&t, 0, PRT_WRITE, 11)->site;
  const prt_site *second = touch(&t, 1, PRT_WRITE, 12)->site;
  trace_semaphore(&t, 1, RACE_SIGNAL, 3, 1, false); // between the accesses
  for (int i = 0; i < 3; i++) touch(&t, 1, PRT_READ, 12)->site = second;
  prt_race_access *again = touch(&t, 2, PRT_WRITE, 11);
  again->site = first;
  find_and_report(&t);
  // One with each of the four of line 12, then another one of line 11 with the write there and the
  // last of the reads, which stands for those before it, and with its own like.
  expect_heard(
      "12: race: the write of 'buf'[0] and this write of 'buf'[0] on core () of device 0 "
      "are not ordered (6 times)\n"
      "11: the write of 'buf'[0] is here, on core () of device 0\n"
      "12: nothing is waited for before this write\n"
      "= signal a semaphore after line 11, and wait for it before line 12\n"
      "11: race: the write of 'buf'[0] and this write of 'buf'[0] on core () of device 0 "
      "are not ordered\n"
      "11: the write of 'buf'[0] is here, on core () of device 0\n"
      "11: nothing is waited for before this write\n"
      "= signal a semaphore after line 11, and wait for it before line 11 on the other core\n");
}
END_TEST

START_TEST(a_copy_in_flight_wants_a_wait) {
  Trace t;
  trace_init(&t, machine);
  name_sems(&t);
  trace_semaphore(&t, 0, RACE_SIGNAL, 2, 5, false);
  trace_semaphore(&t, 0, RACE_WAIT, 2, 5, false);
  static const prt_site wait_site = {.file = "trace", .line = 5, .function = ""};
  t.race->events.items[1].site = &wait_site;
  copy(&t, 0, 0, true, 11);
  touch(&t, 0, PRT_READ, 14);
  find_and_report(&t);
  expect_heard("14: race: the copy into 'buf'[0] and this read of 'buf'[0] are not ordered\n"
               "11: the copy, started here, signals 'sems'[3]; it is still in flight\n"
               "5: the last wait before the read, on a semaphore[1] for 5, is here\n"
               "= wait for 'sems'[3] between lines 11 and 14\n");
}
END_TEST

START_TEST(a_copy_out_of_what_is_written_wants_a_wait_for_its_source) {
  Trace t;
  trace_init(&t, machine);
  name_sems(&t);
  trace_agent(&t, 1);
  copy(&t, 0, 1, false, 11);
  touch(&t, 0, PRT_WRITE, 11);
  find_and_report(&t);
  expect_heard("11: race: the copy out of 'buf'[0] and this write of 'buf'[0] on core () of device "
               "0 are not ordered\n"
               "11: the copy, started here on core () of device 0, signals 'done'; it is still in "
               "flight\n"
               "11: nothing is waited for before this write\n"
               "= wait for 'done' before line 11\n");
}
END_TEST

START_TEST(a_copy_over_what_is_read_that_nobody_waits_for_wants_a_wait) {
  Trace t;
  trace_init(&t, machine);
  name_sems(&t);
  touch(&t, 1, PRT_READ, 11);
  copy(&t, 0, 1, true, 14);
  find_and_report(&t);
  expect_heard("11: race: the copy into 'buf'[0] and this read of 'buf'[0] on core () of device 0 "
               "are not ordered\n"
               "14: the copy, started here on core () of device 0, signals 'sems'[3]\n"
               "14: nothing is waited for before this copy\n"
               "= wait for 'sems'[3] before line 11\n");
}
END_TEST

START_TEST(a_copy_over_what_is_read_wants_a_signal_or_a_wait) {
  Trace t;
  trace_init(&t, machine);
  name_sems(&t);
  touch(&t, 1, PRT_READ, 11);
  copy(&t, 0, 1, true, 14);
  trace_semaphore(&t, 1, RACE_WAIT, 0, 4, false);
  find_and_report(&t);
  expect_heard("11: race: the copy into 'buf'[0] and this read of 'buf'[0] on core () of device 0 "
               "are not ordered\n"
               "14: the copy, started here on core () of device 0, signals 'sems'[3]\n"
               "14: nothing is waited for before this copy\n"
               "= wait for 'sems'[3] before line 11, or signal a semaphore after line 11, and wait "
               "for it before line 14; the other way round if line 11 is to read what line 14 "
               "writes\n");
}
END_TEST

START_TEST(two_copies_of_two_cores_want_a_signal) {
  Trace t;
  trace_init(&t, machine);
  name_sems(&t);
  copy(&t, 0, 1, true, 11);
  copy(&t, 2, 1, true, 14);
  find_and_report(&t);
  expect_heard(
      "14: race: the copy into 'buf'[0] and this copy into 'buf'[0] on core () of device 0 "
      "are not ordered\n"
      "11: the copy, started here on core () of device 0, signals 'sems'[3]; it is still in "
      "flight\n"
      "14: the copy, started here on core () of device 0, signals 'sems'[3]\n"
      "14: nothing is waited for before this copy\n"
      "= signal a semaphore when the copy of line 11 is over, and wait for it before line "
      "14\n");
}
END_TEST

// Who has waited for it can tell others; nobody else can.
START_TEST(a_copy_that_somebody_waited_for_wants_a_signal) {
  Trace t;
  trace_init(&t, machine);
  copy(&t, 0, 0, true, 11);
  trace_semaphore(&t, 0, RACE_WAIT, 0, 4, false);
  touch(&t, 1, PRT_READ, 14);
  find_and_report(&t);
  expect_heard(
      "14: race: the copy into 'buf'[0] and this read of 'buf'[0] on core () of device 0 "
      "are not ordered\n"
      "11: the copy, started here on core () of device 0, signals a semaphore of others; it "
      "is still in flight\n"
      "14: nothing is waited for before this read\n"
      "= signal a semaphore when the copy of line 11 is over, and wait for it before line "
      "14\n");
}
END_TEST

START_TEST(steps_and_cores_are_named) {
  static const char *const names[] = {"i", NULL};
  static const int64_t sizes[] = {2, 3};
  static const prt_program program = {
      .name = "k", .kind = PRT_TENSOR_CORE, .rank = 2, .sizes = sizes};
  static const prt_program device = {.name = "main", .kind = PRT_DEVICE_PROGRAM};
  Trace t;
  trace_init(&t, machine);
  prt_race_step *step = PRT_RACE_ADD(t.race, t.race->steps);
  *step = (prt_race_step){.launch = "k", .rank = 1, .indices = {7}};
  step = PRT_RACE_ADD(t.race, t.race->steps);
  *step = (prt_race_step){.launch = "k", .rank = 2, .names = names, .indices = {3, 4}};
  touch(&t, 0, PRT_WRITE, 11)->step = 0;
  touch(&t, 1, PRT_WRITE, 12)->step = 1;
  touch(&t, 2, PRT_READ, 13);
  for (int i = 0; i < 2; i++) t.race->agents.items[i].program = &program;
  t.race->agents.items[1].core = 5;
  t.race->agents.items[1].device = 4;
  t.race->agents.items[2].program = &device;
  t.race->agents.items[2].device = 6;
  find_and_report(&t);
  expect_heard(
      "12: race: the write of 'buf'[0] and this write of 'buf'[0] on core (1, 2) of device 4 at "
      "step (i = 3, 4) are not ordered\n"
      "11: the write of 'buf'[0] is here, on core (0, 0) of device 0 at step (7,)\n"
      "12: nothing is waited for before this write\n"
      "= signal a semaphore after line 11, and wait for it before line 12\n"
      "13: race: the write of 'buf'[0] and this read of 'buf'[0] on device 6 are not ordered\n"
      "11: the write of 'buf'[0] is here, on core (0, 0) of device 0 at step (7,)\n"
      "13: nothing is waited for before this read\n"
      "= signal a semaphore after line 11, and wait for it before line 13\n"
      "13: race: the write of 'buf'[0] and this read of 'buf'[0] on device 6 are not ordered\n"
      "12: the write of 'buf'[0] is here, on core (1, 2) of device 4 at step (i = 3, 4)\n"
      "13: nothing is waited for before this read\n"
      "= signal a semaphore after line 12, and wait for it before line 13\n");
}
END_TEST

// Memory without a name takes that of the other access if it lies in there.
START_TEST(one_access_may_know_the_name_for_both) {
  static const struct {
    int32_t first_word, words;
    const char *text;
  } cases[] = {
      {0, 1, "'buf'[0]"}, {7, 1, "'buf'[7]"}, {0, 8, "'buf'"}, {7, 2, "8 bytes of memory"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    Trace t;
    trace_init(&t, machine);
    prt_race_access *known = trace_access(&t, 0, PRT_NO_COPY, PRT_WRITE, 0, 8);
    known->memory = (prt_watched){(const char *)trace_words, "buf", TRACE_WORD, 1, line_dims};
    trace_access(&t, 1, PRT_NO_COPY, PRT_READ, cases[i].first_word, cases[i].words);
    find_and_report(&t);
    char wanted[100];
    snprintf(wanted, sizeof wanted, "the write of 'buf' and this read of %s on core",
             cases[i].text);
    ck_assert_msg(strstr(heard, wanted) != NULL, "%s\nis not %s", heard, wanted);
    heard[0] = 0;
  }
}
END_TEST

// A copy that races is not reported again as one that nobody waited for; others are.
START_TEST(copies_that_nobody_waits_for_are_reported) {
  static const prt_site alone = {.file = "trace", .line = 20, .function = ""};
  Trace t;
  trace_init(&t, machine);
  copy(&t, 0, 0, true, 11);
  touch(&t, 0, PRT_READ, 14);
  const prt_site *site = t.race->accesses.items[0].site;
  prt__race_find(t.race);
  heard[0] = 0;
  static const prt_buffer buffer = {0, (int64_t)sizeof(prt_sem), "sem", NULL, 0, 0, NULL},
                          stuck = {0, (int64_t)sizeof(prt_sem), "stuck", NULL, 0, 0, NULL};
  prt__race_unwaited(t.race, &trace_program, &buffer, 0, site, "of line 11", false);
  prt__race_unwaited(t.race, &trace_program, &buffer, 0, &alone, "of line 20", false);
  prt__race_unwaited(t.race, &trace_program, &stuck, 0, &alone, "of a deadlock", false);
  prt__race_stuck(t.race, &stuck);
  trace_fini(&t);
  char *last = strstr(heard, "20: ");
  ck_assert_ptr_nonnull(last);
  ck_assert_str_eq(last, "20: of line 20\n");
  ck_assert_ptr_null(strstr(heard, "of line 11\n"));
}
END_TEST

int main(void) {
  Suite *suite = suite_create("race report");
  TCase *tests = tcase_create("report");
  tcase_add_checked_fixture(tests, open_machine, close_machine);
  tcase_set_timeout(tests, 60);
  tcase_add_test(tests, boxes_are_reported_as_indices);
  tcase_add_test(tests, other_shapes_are_reported_too);
  tcase_add_test(tests, two_accesses_want_a_signal);
  tcase_add_test(tests, a_place_that_races_often_is_reported_once);
  tcase_add_test(tests, a_copy_in_flight_wants_a_wait);
  tcase_add_test(tests, a_copy_out_of_what_is_written_wants_a_wait_for_its_source);
  tcase_add_test(tests, a_copy_over_what_is_read_that_nobody_waits_for_wants_a_wait);
  tcase_add_test(tests, a_copy_over_what_is_read_wants_a_signal_or_a_wait);
  tcase_add_test(tests, two_copies_of_two_cores_want_a_signal);
  tcase_add_test(tests, a_copy_that_somebody_waited_for_wants_a_signal);
  tcase_add_test(tests, steps_and_cores_are_named);
  tcase_add_test(tests, one_access_may_know_the_name_for_both);
  tcase_add_test(tests, copies_that_nobody_waits_for_are_reported);
  suite_add_tcase(suite, tests);
  return suite_run(suite);
}
