// SPDX-License-Identifier: Apache-2.0
// Reports of deadlocks, line by line, by cores that carry out what a script says; and barrier
// semaphores.
#include <check.h>
#include <pthread.h>
#include <sched.h>
#include <unistd.h>
#include "tasks/prt_sem.h"
#include "task_script.h"
#include "tasks/prt_task.h"
#include "suite.h"

enum { CORES = 5, SEM = (int)sizeof(prt_sem) };

static ScriptStep steps[2][CORES][6];
static const ScriptStep *stored(const ScriptWorld *w, int device, int core) {
  (void)w;
  return steps[device][core];
}

static char report[4096];
static const prt_site wait_site = {"k.pk", 4, 10, 14, " \t wait(sem)", "", NULL},
                      nowhere = {.file = "k.pk"}, made = {"k.pk", 2, 3, 4, NULL, "", NULL},
                      signal_site = {"k.pk", 7, 5, 6, NULL, "", NULL},
                      copy_site = {"k.pk", 8, 5, 6, NULL, "", NULL};
static const int64_t two[] = {2};
static const prt_buffer buffers[] = {{0, 2 * SEM, "sems", &made, 0, 1, two},
                                     {2 * SEM, SEM, "", NULL, 0, 0, NULL},
                                     {3 * SEM, SEM, "one", &nowhere, 0, 0, NULL}};

static ScriptWorld world(int cores, int devices) {
  return (ScriptWorld){.cores = cores,
                       .devices = devices,
                       .script = stored,
                       .buffers = buffers,
                       .buffer_count = 3,
                       .site = &wait_site};
}

static void expect_report(ScriptWorld *w, const char *wanted) {
  prt_machine *machine = script_machine(1, 0, report);
  report[0] = 0;
  ck_assert_int_eq(script_run(machine, w), PRT_ERROR_DEADLOCK);
  ck_assert_str_eq(report, wanted);
  prt_machine_free(machine);
}

static void waits(int core, int sem, int64_t units) {
  steps[0][core][0] = (ScriptStep){SCRIPT_WAIT, -1, 0, sem, units};
}

// ---- who waits for what -------------------------------------------------------------------------
#define HEAD    "k.pk:4:10: error: deadlock: "
#define NOTE    "k.pk:4:10: note: "
#define LINE    "   4 |  \t wait(sem)\n     |  \t       ^~~\n"
#define NOTHING NOTE "nothing in the program signals it\n"
#define SIGNAL  "k.pk:7:5: note: it is signalled by the signal here"
#define COPY    "k.pk:8:5: note: it is signalled by the copy here"

START_TEST(semaphores_are_named) {
  memset(steps, 0, sizeof steps);
  ScriptWorld w = world(4, 0);
  for (int c = 0; c < 4; c++) waits(c, c, c + 1);
  expect_report(
      &w,
      HEAD "4 programs wait for what cannot come; core 0 of device 0, in 'script', waits for "
           "semaphore 'sems'[0] (made at k.pk:2:3): it is at 0, and 1 is needed\n" LINE NOTHING NOTE
           "core 1 of device 0, in 'script', waits here for semaphore 'sems'[1] (made at "
           "k.pk:2:3): it is at 0, and 2 is needed\n" NOTE
           "core 2 of device 0, in 'script', waits here for a semaphore: it is at 0, and "
           "3 is needed\n" NOTE
           "core 3 of device 0, in 'script', waits here for semaphore 'one': it is at 0, "
           "and 4 is needed\n");
  ck_assert_str_eq(prt_error_message(),
                   "script: deadlock: 4 of its programs wait for what cannot come");
}
END_TEST

START_TEST(places_may_be_unknown) {
  memset(steps, 0, sizeof steps);
  static const prt_site unnamed = {.line = 3, .column = 2};
  const prt_site *const sites[] = {&nowhere, &unnamed};
  static const char *const begins[] = {"", "?:3:2: "};
  for (int i = 0; i < 2; i++) {
    ScriptWorld w = world(1, 0);
    w.site = sites[i];
    w.buffer_count = 0;
    waits(0, 0, 1);
    char wanted[300];
    snprintf(wanted, sizeof wanted,
             "%serror: deadlock: core 0 of device 0, in 'script', waits for a semaphore: it is at "
             "0, and 1 is needed\n",
             begins[i]);
    expect_report(&w, wanted);
    ck_assert_str_eq(prt_error_message(),
                     "script: deadlock: 1 of its programs waits for what cannot come");
  }
}
END_TEST

static const ScriptStep *all_wait(const ScriptWorld *w, int device, int core) {
  static const ScriptStep one[] = {{SCRIPT_WAIT, -1, 0, 3, 1}, {0}};
  (void)w, (void)device, (void)core;
  return one;
}

START_TEST(the_first_64_are_reported) {
  for (int cores = 63; cores <= 66; cores++) {
    ScriptWorld w = world(cores, 0);
    w.script = all_wait;
    char message[100];
    prt_machine *machine = script_machine(1, 0, report);
    ck_assert_int_eq(script_run(machine, &w), PRT_ERROR_DEADLOCK);
    snprintf(message, sizeof message,
             "script: deadlock: %d of its programs wait for what cannot come", cores);
    ck_assert_str_eq(prt_error_message(), message);
    prt_machine_free(machine);
  }
}
END_TEST

// ---- who could have signalled -------------------------------------------------------------------
START_TEST(acts_are_reported_by_who_did_them) {
  static const prt_act acts[] = {
      {&signal_site, PRT_ACT_SIGNAL, 0, 3 * SEM, PRT_ACT_CORE, 0},
      {&copy_site, PRT_ACT_COPY, 0, 3 * SEM, PRT_ACT_CORE, 1},
      {&copy_site, PRT_ACT_COPY, 0, 3 * SEM, PRT_ACT_CORE, 2}, // the same place
      {&wait_site, PRT_ACT_WAIT, 0, 3 * SEM, 0, 3},
      {&made, PRT_ACT_SIGNAL, 0, 0, PRT_ACT_CORE, 4}}; // another semaphore
  memset(steps, 0, sizeof steps);
  ScriptWorld w = world(5, 0);
  w.acts = acts;
  w.act_count = 5;
  steps[0][0][0] = (ScriptStep){SCRIPT_DONE, 0, 0, 0, 0};
  steps[0][0][1] = (ScriptStep){SCRIPT_DONE, 0, 0, 0, 1};
  steps[0][0][2] = (ScriptStep){SCRIPT_DONE, 0, 0, 0, 2};
  steps[0][0][3] = (ScriptStep){SCRIPT_DONE, 0, 0, 0, 3};
  steps[0][0][4] = (ScriptStep){SCRIPT_WAIT, -1, 0, 3, 2};
  steps[0][1][0] = (ScriptStep){SCRIPT_DONE, 0, 0, 0, 1}; // one of two
  expect_report(
      &w, HEAD
      "core 0 of device 0, in 'script', waits for semaphore 'one': it is at 0, and 2 is "
      "needed\n" LINE NOTE "it was waited for before, here\n" SIGNAL
      "; not made by core 1 of device 0, which has ended, core 2 of device 0, which has ended, "
      "core 3 of device 0, which has ended and 1 more; made by core 0 of device 0\n" COPY
      "; not started by core 1 of device 0, which has ended, core 2 of device 0, which has ended, "
      "core 3 of device 0, which has ended and 1 more; started by core 0 of device 0\n");
}
END_TEST

START_TEST(acts_of_oneself_reach_oneself_alone) {
  static const prt_act acts[] = {{&signal_site, PRT_ACT_SIGNAL, 0, 3 * SEM, 0, 0},
                                 {&copy_site, PRT_ACT_SENT, 0, 3 * SEM, PRT_ACT_CORE, 1}};
  memset(steps, 0, sizeof steps);
  ScriptWorld w = world(2, 0);
  w.acts = acts;
  w.act_count = 2;
  waits(1, 3, 1);
  expect_report(&w, HEAD "core 1 of device 0, in 'script', waits for semaphore 'one': it is at 0, "
                         "and 1 is needed\n" LINE SIGNAL
                         "; not made by core 1 of device 0, which waits at k.pk:4:10\n" COPY
                         "; not started by core 1 of device 0, which waits at k.pk:4:10\n");
}
END_TEST

// One place may do several acts: on a semaphore of its own, and on one of who launched it.
START_TEST(acts_of_one_place_are_apart_by_what_they_are_on) {
  static const prt_act acts[] = {{&signal_site, PRT_ACT_SIGNAL, 0, 3 * SEM, PRT_ACT_CORE, 0},
                                 {&signal_site, PRT_ACT_SIGNAL, 1, 3 * SEM, PRT_ACT_CORE, 1},
                                 {&signal_site, PRT_ACT_SIGNAL, 0, 0, PRT_ACT_CORE, 2},
                                 {&signal_site, PRT_ACT_WAIT, 0, 3 * SEM, 0, 3}};
  memset(steps, 0, sizeof steps);
  ScriptWorld w = world(1, 0);
  w.acts = acts;
  w.act_count = 4;
  steps[0][0][0] = (ScriptStep){SCRIPT_DONE, 0, 0, 0, 0};
  steps[0][0][1] = (ScriptStep){SCRIPT_WAIT, -1, 0, 3, 1};
  expect_report(&w, HEAD "core 0 of device 0, in 'script', waits for semaphore 'one': it is at 0, "
                         "and 1 is needed\n" LINE SIGNAL "; made by core 0 of device 0\n");
}
END_TEST

START_TEST(what_only_a_copy_would_signal_is_reported_so) {
  static const prt_act wait_of_copy[] = {{&wait_site, PRT_ACT_COPY_WAIT, 0, 3 * SEM, 0, 0}},
                       wait_of_other[] = {{&wait_site, PRT_ACT_COPY_WAIT, 0, 0, 0, 0}},
                       plain_wait[] = {{&wait_site, PRT_ACT_WAIT, 0, 3 * SEM, 0, 0}};
  const prt_act *const acts[] = {wait_of_copy, wait_of_other, plain_wait};
  for (int i = 0; i < 3; i++) {
    memset(steps, 0, sizeof steps);
    ScriptWorld w = world(1, 0);
    w.acts = acts[i];
    w.act_count = 1;
    waits(0, 3, 1);
    char wanted[400] = HEAD "core 0 of device 0, in 'script', waits for semaphore 'one': it is at "
                            "0, and 1 is needed\n" LINE;
    strcat(wanted, i ? NOTHING
                     : NOTE "no copy that signals it is started anywhere in the program; "
                            "copy.start() starts one\n");
    expect_report(&w, wanted);
  }
}
END_TEST

START_TEST(barriers_have_ids) {
  static const prt_act acts[] = {{&signal_site, PRT_ACT_SIGNAL, -1, 7, PRT_ACT_CORE, 0},
                                 {&copy_site, PRT_ACT_SIGNAL, -1, 8, PRT_ACT_CORE, 1}};
  memset(steps, 0, sizeof steps);
  ScriptWorld w = world(1, 0);
  w.acts = acts;
  w.act_count = 2;
  steps[0][0][0] = (ScriptStep){SCRIPT_BARRIER, -1, 0, 7, 2};
  expect_report(&w, HEAD "core 0 of device 0, in 'script', waits for the barrier semaphore of "
                         "collective id 7: it is at 0, and 2 is needed\n" LINE SIGNAL
                         "; not made by core 0 of device 0, which waits at k.pk:4:10\n");
  steps[0][0][0].sem = (1 << 30) + 1; // lax.psum and the like
  expect_report(&w, HEAD "core 0 of device 0, in 'script', waits for the other devices of a "
                         "collective: it is at 0, and 2 is needed\n" LINE NOTHING);
}
END_TEST

// Of two devices, of which the first has no core that waits.
START_TEST(other_devices_are_reached_by_what_says_so) {
  static const prt_act acts[] = {{&signal_site, PRT_ACT_SIGNAL, 0, 3 * SEM, 0, 0},
                                 {&copy_site, PRT_ACT_COPY, 0, 3 * SEM, PRT_ACT_ABROAD, 1}};
  memset(steps, 0, sizeof steps);
  ScriptWorld w = world(1, 2);
  w.acts = acts;
  w.act_count = 2;
  steps[1][0][0] = (ScriptStep){SCRIPT_WAIT, -1, 0, 3, 1};
  expect_report(&w, HEAD "core 0 of device 1, in 'script', waits for semaphore 'one': it is at 0, "
                         "and 1 is needed\n" LINE SIGNAL
                         "; not made by core 0 of device 1, which waits at k.pk:4:10\n" COPY
                         "; not started by core 0 of device 0, which has ended, core 0 of device "
                         "1, which waits at k.pk:4:10\n");
}
END_TEST

// ---- the graph ----------------------------------------------------------------------------------
static void expect_file(const char *path, const char *wanted) {
  char text[2000] = "";
  FILE *file = fopen(path, "r");
  ck_assert_ptr_nonnull(file);
  text[fread(text, 1, sizeof text - 1, file)] = 0;
  fclose(file);
  ck_assert_str_eq(text, wanted);
}

static void run_drawn(const char *path, const char *errors) {
  prt_machine_options options;
  prt_machine_options_init(&options);
  options.threads = 1;
  options.deadlock_dot = path;
  options.on_report = script_report;
  options.data = report;
  prt_machine *machine = prt_machine_new(&options);
  ScriptWorld w = world(2, 0);
  int kept = dup(2), file = fileno(fopen(errors, "w"));
  dup2(file, 2);
  prt_status status = script_run(machine, &w);
  dup2(kept, 2);
  close(file);
  close(kept);
  ck_assert_int_eq(status, PRT_ERROR_DEADLOCK);
  prt_machine_free(machine);
}

START_TEST(a_deadlock_is_drawn) {
  char folder[] = "/tmp/test_prt_deadlock.XXXXXX", path[100], errors[100], bad[100], wanted[300];
  ck_assert_ptr_nonnull(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/waits.dot", folder);
  snprintf(errors, sizeof errors, "%s/errors", folder);
  snprintf(bad, sizeof bad, "%s/no/waits.dot", folder);
  memset(steps, 0, sizeof steps);
  waits(0, 3, 2);
  waits(1, 1, 5);
  steps[0][0][1] = (ScriptStep){0};
  run_drawn(path, errors);
  expect_file(errors, "");
  expect_file(path,
              "digraph waits {\n"
              "  t0 [label=\"core 0 of device 0\\nk.pk:4:10\"];\n"
              "  s0 [shape=box, label=\"semaphore 'one'\\nat 0 of 2\"];\n"
              "  t0 -> s0;\n"
              "  t1 [label=\"core 1 of device 0\\nk.pk:4:10\"];\n"
              "  s1 [shape=box, label=\"semaphore 'sems'[1] (made at k.pk:2:3)\\nat 0 of 5\"];\n"
              "  t1 -> s1;\n"
              "}\n");
  const char *const paths[] = {bad, "/dev/full"};
  for (int i = 0; i < 2; i++) {
    run_drawn(paths[i], errors);
    snprintf(wanted, sizeof wanted,
             "pallasrt: the graph of the deadlock could not be written to '%s'\n", paths[i]);
    expect_file(errors, wanted);
  }
  unlink(path);
  unlink(errors);
  rmdir(folder);
}
END_TEST

// ---- barrier semaphores -------------------------------------------------------------------------
START_TEST(a_barrier_semaphore_is_one_of_its_id_device_and_core) {
  enum { IDS = 9, DEVICES = 7, MOST = IDS * DEVICES * CORES };
  static prt_schedule s;
  static prt_sem *sems[MOST];
  int32_t count = 0;
  for (int again = 0; again < 2; again++, count = 0)
    for (int id = 0; id < IDS; id++)
      for (int device = 0; device < DEVICES; device++)
        for (int core = 0; core < CORES; core++, count++) {
          prt_sem *sem = prt__barrier_at(&s, 17 * id, device, core);
          if (again) {
            ck_assert_ptr_eq(sem, sems[count]);
            continue;
          }
          sems[count] = sem;
          for (int i = 0; i < count; i++) ck_assert_ptr_ne(sem, sems[i]);
          const prt_barrier *barrier = prt__barrier_of(&s, sem);
          ck_assert_ptr_eq(&barrier->sem, sem);
          ck_assert(barrier->id == 17 * id && barrier->device == device && barrier->core == core);
        }
  prt_sem own;
  ck_assert_ptr_null(prt__barrier_of(&s, &own));
  ck_assert_ptr_null(prt__barrier_of(&s, NULL));
  prt__barriers_free(&s);
  ck_assert_ptr_null(prt__barrier_of(&s, sems[0]));
}
END_TEST

// ---- several calls ------------------------------------------------------------------------------
enum { CALLERS = 3, CALLS = 200 };
static prt_machine *shared;
static _Atomic int inside, wrong, reports;

static void one_at_a_time(void *data, const char *text, size_t length) {
  (void)data, (void)text, (void)length;
  atomic_fetch_add(&reports, 1);
  if (atomic_fetch_add(&inside, 1)) atomic_fetch_add(&wrong, 1);
  sched_yield();
  if (!prt_machine_deadlock(shared)) atomic_fetch_add(&wrong, 1);
  atomic_fetch_sub(&inside, 1);
}

static void *deadlocks(void *data) {
  ScriptWorld *w = data;
  for (int i = 0; i < CALLS; i++)
    if (script_run(shared, w) != PRT_ERROR_DEADLOCK) atomic_fetch_add(&wrong, 1);
  return NULL;
}

START_TEST(calls_that_deadlock_at_once_report_one_after_the_other) {
  static ScriptWorld worlds[CALLERS];
  pthread_t threads[CALLERS];
  prt_machine_options options;
  prt_machine_options_init(&options);
  options.threads = 1;
  options.on_report = one_at_a_time;
  shared = prt_machine_new(&options);
  memset(steps, 0, sizeof steps);
  waits(0, 3, 2);
  for (int i = 0; i < CALLERS; i++) {
    worlds[i] = world(1, 0);
    ck_assert_int_eq(pthread_create(&threads[i], NULL, deadlocks, &worlds[i]), 0);
  }
  for (int i = 0; i < CALLERS; i++) pthread_join(threads[i], NULL);
  ck_assert_int_eq(reports, CALLERS * CALLS);
  ck_assert_int_eq(wrong, 0);
  prt_machine_free(shared);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("prt_deadlock");
  TCase *tests = tcase_create("deadlock");
  tcase_add_test(tests, semaphores_are_named);
  tcase_add_test(tests, places_may_be_unknown);
  tcase_add_test(tests, the_first_64_are_reported);
  tcase_add_test(tests, acts_are_reported_by_who_did_them);
  tcase_add_test(tests, acts_of_oneself_reach_oneself_alone);
  tcase_add_test(tests, acts_of_one_place_are_apart_by_what_they_are_on);
  tcase_add_test(tests, what_only_a_copy_would_signal_is_reported_so);
  tcase_add_test(tests, barriers_have_ids);
  tcase_add_test(tests, other_devices_are_reached_by_what_says_so);
  tcase_add_test(tests, a_deadlock_is_drawn);
  tcase_add_test(tests, a_barrier_semaphore_is_one_of_its_id_device_and_core);
  tcase_add_test(tests, calls_that_deadlock_at_once_report_one_after_the_other);
  suite_add_tcase(suite, tests);
  return suite_run(suite);
}
