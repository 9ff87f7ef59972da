// SPDX-License-Identifier: Apache-2.0
// Tasks, semaphores, copies, both schedulers and the verdict of a deadlock, by programs written by
// hand.
#include <check.h>
#include "task_script.h"
#include "suite.h"

enum { CORES = 60, ROUNDS = 25, VARIANTS = 9 };

// Variants 0 to 2 run on 1, 2 and 4 threads, the others by a seed.
static prt_machine *variant(int i, char *report) {
  static const int threads[] = {1, 2, 4};
  prt_machine *machine = script_machine(i < 3 ? threads[i] : 0, (uint64_t)i, report);
  ck_assert_ptr_nonnull(machine);
  return machine;
}

static void expect(ScriptWorld *w, prt_status wanted, const char *words) {
  for (int i = 0; i < VARIANTS; i++) {
    char report[4096] = "";
    prt_machine *machine = variant(i, report);
    for (int again = 0; again < 3; again++)
      ck_assert_msg(script_run(machine, w) == wanted, "variant %d: %s", i, prt_error_message());
    if (words)
      ck_assert_msg(strstr(wanted == PRT_ERROR_DEADLOCK ? report : prt_error_message(), words) !=
                        NULL,
                    "%s\n%s", report, prt_error_message());
    if (wanted != PRT_ERROR_DEADLOCK) ck_assert_str_eq(report, "");
    prt_machine_free(machine);
  }
}

// ---- rings -------------------------------------------------------------------------------------
static ScriptStep steps[8][CORES + 8][4 * ROUNDS + 8];
static ScriptStep *at(int device, int core) { return steps[device][core]; }
static const ScriptStep *stored(const ScriptWorld *w, int device, int core) {
  (void)w;
  return at(device, core);
}

// The same steps for each core.
static const ScriptStep *only;
static const ScriptStep *same_for_all(const ScriptWorld *w, int device, int core) {
  (void)w, (void)device, (void)core;
  return only;
}

static void make_ring(int devices, int cores, int rounds, int first) {
  memset(steps, 0, sizeof steps);
  script_ring(at, devices, cores, rounds, first);
}

START_TEST(a_ring_goes_round) {
  for (int cores = 1; cores <= CORES; cores += 13) {
    make_ring(1, cores, ROUNDS, 1);
    ScriptWorld w = {.cores = cores, .script = stored};
    expect(&w, PRT_OK, NULL);
    for (int c = 0; c < cores; c++) ck_assert_int_eq(w.words[c], ROUNDS);
  }
}
END_TEST

START_TEST(a_ring_goes_round_devices) {
  make_ring(4, 5, ROUNDS, 1);
  ScriptWorld w = {.cores = 5, .devices = 4, .script = stored};
  expect(&w, PRT_OK, NULL);
  for (int c = 0; c < 20; c++) ck_assert_int_eq(w.words[c], ROUNDS);
}
END_TEST

START_TEST(a_ring_without_a_token_is_stuck) {
  make_ring(1, 7, ROUNDS, 0);
  ScriptWorld w = {.cores = 7, .script = stored};
  expect(&w, PRT_ERROR_DEADLOCK, "core 6 of device 0, in 'script', waits here");
  expect(&w, PRT_ERROR_DEADLOCK, "it is at 0, and 1 is needed");
}
END_TEST

START_TEST(launches_follow_each_other) {
  make_ring(3, 2, 2, 1);
  ScriptWorld w = {.cores = 2, .devices = 3, .script = stored, .launches = 40};
  expect(&w, PRT_OK, NULL);
}
END_TEST

START_TEST(devices_meet_before_they_launch) {
  static _Atomic int came;
  make_ring(4, 2, ROUNDS, 1);
  ScriptWorld w = {.cores = 2, .devices = 4, .script = stored, .launches = 3, .came = &came};
  for (int i = 0; i < VARIANTS; i++) {
    prt_machine *machine = variant(i, NULL);
    came = 0;
    ck_assert_msg(script_run(machine, &w) == PRT_OK, "variant %d: %s", i, prt_error_message());
    prt_machine_free(machine);
  }
}
END_TEST

START_TEST(frames_lie_apart) {
  make_ring(2, 5, 3, 1);
  for (int extra = 0; extra <= 33; extra++) {
    ScriptWorld w = {.cores = 5, .devices = 2, .script = stored, .extra = extra};
    prt_machine *machine = script_machine(1, 0, NULL);
    ck_assert_msg(script_run(machine, &w) == PRT_OK, "%d: %s", extra, prt_error_message());
    prt_machine_free(machine);
  }
}
END_TEST

// Two cores wait for one semaphore: the first wants more than there is before the second has had
// its part.
START_TEST(a_small_wait_passes_a_large_one) {
  memset(steps, 0, sizeof steps);
  steps[0][0][0] = (ScriptStep){SCRIPT_SHARE, -1, 2, 0, 2};
  steps[0][1][0] = (ScriptStep){SCRIPT_SHARE, -1, 2, 0, 1};
  steps[0][1][1] = (ScriptStep){SCRIPT_SIGNAL, -1, 2, 0, 2};
  steps[0][2][0] = (ScriptStep){SCRIPT_SIGNAL, -1, 2, 0, 1};
  ScriptWorld w = {.cores = 3, .script = stored};
  expect(&w, PRT_OK, NULL);
}
END_TEST

// Who comes to the count later, and only looks at it, leaves it to others.
START_TEST(a_wait_that_keeps_takes_nothing) {
  memset(steps, 0, sizeof steps);
  steps[0][0][0] = (ScriptStep){SCRIPT_KEEP, -1, 0, 0, 3};
  steps[0][0][1] = (ScriptStep){SCRIPT_WAIT, -1, 0, 0, 1};
  steps[0][0][2] = (ScriptStep){SCRIPT_KEEP, -1, 0, 0, 2};
  steps[0][0][3] = (ScriptStep){SCRIPT_WAIT, -1, 0, 0, 2};
  steps[0][1][0] = (ScriptStep){SCRIPT_SIGNAL, -1, 0, 0, 3};
  ScriptWorld w = {.cores = 2, .script = stored};
  expect(&w, PRT_OK, NULL);
}
END_TEST

// ---- copies ------------------------------------------------------------------------------------
START_TEST(copies_arrive_in_order) {
  // Core 0 sends its word 0, which grows, five times; core 1 adds nothing and ends with the last
  // value.
  static const ScriptStep sender[] = {{SCRIPT_ADD, -1, 0, 0, 1},
                                      {SCRIPT_COPY, -1, 1, 0, 0},
                                      {SCRIPT_WAIT, -1, 0, 1, 1},
                                      {SCRIPT_ADD, -1, 0, 0, 1},
                                      {SCRIPT_COPY, -1, 1, 0, 0},
                                      {SCRIPT_WAIT, -1, 0, 1, 1},
                                      {0}};
  static const ScriptStep receiver[] = {{SCRIPT_WAIT, -1, 0, 0, 8},   {SCRIPT_ADD, -1, 0, 0, 10},
                                        {SCRIPT_SIGNAL, -1, 0, 1, 1}, {SCRIPT_WAIT, -1, 0, 0, 8},
                                        {SCRIPT_SIGNAL, -1, 0, 1, 1}, {0}};
  memset(steps, 0, sizeof steps);
  memcpy(steps[0][0], sender, sizeof sender);
  memcpy(steps[0][1], receiver, sizeof receiver);
  ScriptWorld w = {.cores = 2, .script = stored};
  expect(&w, PRT_OK, NULL);
  ck_assert_int_eq(w.words[0], 2);
  ck_assert_int_eq(w.words[1], 2);
}
END_TEST

// From core to core there is an order; a copy within a core lands when it is waited for, before or
// behind one from the core to itself.
START_TEST(a_local_copy_may_be_overtaken) {
  for (int awaited = 0; awaited < 2; awaited++) {
    const ScriptStep both[] = {{SCRIPT_ADD, -1, 0, 0, 5},
                               {SCRIPT_LOCAL_COPY, -1, 0, 0, 100}, // word 0 to word 1
                               {SCRIPT_COPY, -1, 0, 1, 103},       // 0 there
                               {SCRIPT_WAIT, -1, 0, awaited, 8},
                               {SCRIPT_WAIT, -1, 0, 1 - awaited, 8},
                               {SCRIPT_LOCAL_COPY, -1, 0, 0, 1},
                               {SCRIPT_WAIT, -1, 0, 0, 8},
                               {0}};
    only = both;
    prt_machine *machine = script_machine(0, 0, NULL);
    ScriptWorld w = {.cores = 1, .script = same_for_all};
    ck_assert_int_eq(script_run(machine, &w), PRT_OK);
    ck_assert_int_eq(w.words[0], awaited ? 5 : 0);
    prt_machine_free(machine);
  }
}
END_TEST

START_TEST(copies_to_a_device_that_comes_later) {
  // Device 0 sends at once; device 1's core waits. Whoever begins first, the word arrives.
  memset(steps, 0, sizeof steps);
  ScriptStep *s = steps[0][0];
  *s++ = (ScriptStep){SCRIPT_ADD, -1, 0, 0, 42};
  *s++ = (ScriptStep){SCRIPT_COPY, 1, 0, 0, 0};
  *s++ = (ScriptStep){SCRIPT_WAIT, -1, 0, 1, 1};
  s = steps[1][0];
  *s++ = (ScriptStep){SCRIPT_WAIT, -1, 0, 0, 8};
  *s++ = (ScriptStep){SCRIPT_EXPECT, -1, 0, 0, 42}; // not cleared since, by each of the machines
  *s++ = (ScriptStep){SCRIPT_SIGNAL, 0, 0, 1, 1};
  ScriptWorld w = {.cores = 1, .devices = 2, .script = stored};
  expect(&w, PRT_OK, NULL);
  ck_assert_int_eq(w.words[1], 42);
}
END_TEST

// A copy that takes long is held for a core that has not begun; as soon as that has begun, one that
// is soon done goes the same way.
START_TEST(a_held_copy_is_not_overtaken) {
  static const ScriptStep sender[] = {{SCRIPT_SLOW_COPY, 1, 0, 0, 1},
                                      {SCRIPT_WAIT, -1, 0, 1, 1},
                                      {SCRIPT_ADD, -1, 0, 0, 1},
                                      {SCRIPT_COPY, 1, 0, 0, 0},
                                      {0}};
  static const ScriptStep receiver[] = {{SCRIPT_SIGNAL, 0, 0, 1, 1},
                                        {SCRIPT_WAIT, -1, 0, 0, 8 * (SCRIPT_SLOW + 1)},
                                        {SCRIPT_EXPECT, -1, 0, 0, 1},
                                        {0}};
  memset(steps, 0, sizeof steps);
  memcpy(steps[0][0], sender, sizeof sender);
  memcpy(steps[1][0], receiver, sizeof receiver);
  ScriptWorld w = {.cores = 1, .devices = 2, .script = stored};
  expect(&w, PRT_OK, NULL);
}
END_TEST

START_TEST(copies_nobody_waits_for_do_no_harm) {
  memset(steps, 0, sizeof steps);
  for (int d = 0; d < 4; d++)
    for (int c = 0; c < 3; c++)
      for (int i = 0; i < 6; i++)
        steps[d][c][i] = (ScriptStep){SCRIPT_COPY, (d + i) % 4, (c + 1) % 3, 2, i + 100 * (8 + i)};
  ScriptWorld w = {.cores = 3, .devices = 4, .script = stored, .launches = 30};
  expect(&w, PRT_OK, NULL);
}
END_TEST

// ---- turns --------------------------------------------------------------------------------------
// A wait that finds what it wants goes on, but for each 64th one, which lets others run.
START_TEST(who_never_waits_gives_way_now_and_then) {
  enum { WAITS = 320, EACH = 64 };
  static ScriptStep waits[2 * WAITS + 1];
  for (int i = 0; i < WAITS; i++) {
    waits[2 * i] = (ScriptStep){SCRIPT_SIGNAL, -1, 0, 0, 1};
    waits[2 * i + 1] = (ScriptStep){SCRIPT_SHARE, -1, 0, 0, 1};
  }
  only = waits;
  static ScriptWorld w = {.cores = 2, .script = same_for_all, .data = &w};
  prt_machine *machine = script_machine(1, 0, NULL);
  ck_assert_int_eq(script_run(machine, &w), PRT_OK);
  int ran[2] = {0}, turns = 1;
  for (int i = 0; i < w.logged; i++) {
    ran[w.log[i]]++;
    turns += i && w.log[i] != w.log[i - 1];
  }
  ck_assert_int_eq(ran[0], WAITS / EACH + 1);
  ck_assert_int_eq(ran[1], WAITS / EACH + 1);
  ck_assert_int_ge(turns, 2 * (WAITS / EACH));
  prt_machine_free(machine);
}
END_TEST

// ---- a pod -------------------------------------------------------------------------------------
static const ScriptStep *neighbours(const ScriptWorld *w, int device, int core) {
  static const ScriptStep nothing[] = {{0}};
  static ScriptStep step[4] = {{SCRIPT_WAIT, -1, 0, 0, 1}, {SCRIPT_SIGNAL, 0, 0, 0, 1}, {0}};
  if (device < 0 || core < 0) return nothing;
  step[1].device = (device + (core + 1 == w->cores)) % w->devices;
  step[1].core = (core + 1) % w->cores;
  return device == 0 && core == 0 ? step + 1 : step; // the first one does not wait
}

START_TEST(a_launch_on_many_devices_is_small) {
  // Bytes for two cores' memory, nodes and frames, and those of their device.
  enum { POD = 4000, EACH = 640 };
  prt_machine *machine = script_machine(1, 0, NULL);
  ScriptWorld w = {.cores = 2, .devices = POD, .script = neighbours};
  ck_assert_int_eq(script_run(machine, &w), PRT_OK);
  ck_assert_uint_lt(prt_machine_footprint(machine), (size_t)POD * 2 * EACH);
  prt_machine_free(machine);
}
END_TEST

// ---- failures ----------------------------------------------------------------------------------
START_TEST(a_failure_is_reported_and_not_the_deadlock) {
  static const ScriptStep waits[] = {{SCRIPT_WAIT, -1, 0, 0, 1}, {0}},
                          fails[] = {{SCRIPT_FAIL, 0, 0, 0, 0}, {0}};
  memset(steps, 0, sizeof steps);
  for (int c = 0; c < 5; c++) memcpy(steps[0][c], waits, sizeof waits);
  memcpy(steps[0][5], fails, sizeof fails);
  ScriptWorld w = {.cores = 6, .script = stored};
  expect(&w, PRT_ERROR_ARGUMENT, "the script fails");
}
END_TEST

START_TEST(bad_targets_fail) {
  static const struct {
    ScriptStep step;
    const char *text;
  } bad[] = {{{SCRIPT_SIGNAL, -1, 3, 0, 1}, "there is no core 3: the mesh has 2"},
             {{SCRIPT_SIGNAL, -1, -2, 0, 1}, "there is no core -2"},
             {{SCRIPT_SIGNAL, 4, 0, 0, 1}, "there is no device 4: the mesh has 2"},
             {{SCRIPT_COPY, -3, 0, 0, 1}, "there is no device -3"},
             {{SCRIPT_SIGNAL, -1, 0, 0, -1}, "a semaphore is signalled by -1, which is negative"},
             {{SCRIPT_WAIT, -1, 0, 0, -1}, "a wait for -1, which is negative"}};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    memset(steps, 0, sizeof steps);
    steps[0][1][0] = bad[i].step;
    ScriptWorld w = {.cores = 2, .devices = 2, .script = stored};
    expect(&w, PRT_ERROR_ARGUMENT, bad[i].text);
  }
}
END_TEST

// ---- the seeded scheduler -----------------------------------------------------------------------
START_TEST(a_seed_repeats_a_run) {
  make_ring(2, 4, 5, 3);
  int different = 0;
  static ScriptWorld first, again;
  for (uint64_t seed = 0; seed < 12; seed++) {
    int32_t before[4096];
    memcpy(before, first.log, sizeof before);
    int before_count = first.logged;
    prt_machine *machine = script_machine(0, seed, NULL);
    first = (ScriptWorld){.cores = 4, .devices = 2, .script = stored, .data = &first};
    again = first;
    ck_assert_int_eq(script_run(machine, &first), PRT_OK);
    ck_assert_int_eq(script_run(machine, &again), PRT_OK);
    ck_assert_int_eq(first.logged, again.logged);
    ck_assert_int_eq(memcmp(first.log, again.log, sizeof first.log), 0);
    different +=
        seed > 0 && (before_count != first.logged || memcmp(before, first.log, sizeof before));
    prt_machine_free(machine);
  }
  ck_assert_int_gt(different, 3);
}
END_TEST

START_TEST(memory_is_steady) {
  make_ring(2, 20, 2, 1);
  prt_machine *machine = script_machine(1, 0, NULL);
  ScriptWorld w = {.cores = 20, .devices = 2, .script = stored, .launches = 5};
  ck_assert_int_eq(script_run(machine, &w), PRT_OK);
  size_t before = prt_machine_footprint(machine);
  for (int i = 0; i < 500; i++) ck_assert_int_eq(script_run(machine, &w), PRT_OK);
  ck_assert_uint_eq(prt_machine_footprint(machine), before);
  prt_machine_free(machine);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("prt_task");
  TCase *tests = tcase_create("prt_task");
  tcase_set_timeout(tests, 120);
  tcase_add_test(tests, a_ring_goes_round);
  tcase_add_test(tests, a_ring_goes_round_devices);
  tcase_add_test(tests, a_ring_without_a_token_is_stuck);
  tcase_add_test(tests, launches_follow_each_other);
  tcase_add_test(tests, devices_meet_before_they_launch);
  tcase_add_test(tests, frames_lie_apart);
  tcase_add_test(tests, a_small_wait_passes_a_large_one);
  tcase_add_test(tests, a_wait_that_keeps_takes_nothing);
  tcase_add_test(tests, copies_arrive_in_order);
  tcase_add_test(tests, a_local_copy_may_be_overtaken);
  tcase_add_test(tests, copies_to_a_device_that_comes_later);
  tcase_add_test(tests, a_held_copy_is_not_overtaken);
  tcase_add_test(tests, copies_nobody_waits_for_do_no_harm);
  tcase_add_test(tests, who_never_waits_gives_way_now_and_then);
  tcase_add_test(tests, a_launch_on_many_devices_is_small);
  tcase_add_test(tests, a_failure_is_reported_and_not_the_deadlock);
  tcase_add_test(tests, bad_targets_fail);
  tcase_add_test(tests, a_seed_repeats_a_run);
  tcase_add_test(tests, memory_is_steady);
  suite_add_tcase(suite, tests);
  return suite_run(suite);
}
