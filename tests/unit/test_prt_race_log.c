// SPDX-License-Identifier: Apache-2.0
// What is recorded of what tasks do: every event, access and end of a segment, by tasks made by
// hand.
#include <check.h>
#include <pthread.h>
#include <sched.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include "check/prt_watch.h"
#include "race/prt_race.h"
#include "tasks/prt_task.h"
#include "suite.h"

enum { DEVICES = 2, CORES = 3, SEMS = 4 };

static const prt_site here = {"k.pk", 4, 10, 14, NULL, "", NULL},
                      there = {"k.pk", 9, 3, 12, NULL, "", NULL};
static const prt_entry entry = {.abi_version = PRT_ABI_VERSION,
                                .flags = PRT_ENTRY_CHECKED,
                                .name = "f",
                                .devices = 1,
                                .chip = "v5p",
                                .cpu = "baseline"};
static const int64_t sem_dims[] = {SEMS};
static const prt_buffer buffers[] = {
    {.name = "sems", .bytes = SEMS * (int64_t)sizeof(prt_sem), .rank = 1, .dims = sem_dims}};
static const prt_program core_program = {.name = "k",
                                         .kind = PRT_TENSOR_CORE,
                                         .memory = 4096,
                                         .buffer_count = 1,
                                         .buffers = buffers},
                         device_program = {.name = "main", .kind = PRT_DEVICE_PROGRAM};

// A call with two devices, each of which launches three cores.
static prt_machine *machine;
static prt_worker *worker;
static prt_race *race;
static prt_schedule schedule;
static prt_node devices[DEVICES], cores[DEVICES][CORES];
static prt_group root, groups[DEVICES];
static prt_trail device_trails[DEVICES], trails[DEVICES][CORES];
static prt_joint joint, root_joint;
static char memories[DEVICES * CORES][4096];

static prt_node *core(int device, int number) { return &cores[device][number]; }
static prt_sem *sem(int core_number, int i) { return (prt_sem *)(void *)memories[core_number] + i; }
static char *word(int core_number, int i) { return memories[core_number] + 1024 + 4 * i; }

static void make_groups(void) {
  memset(&schedule, 0, sizeof schedule);
  memset(devices, 0, sizeof devices);
  memset(cores, 0, sizeof cores);
  memset(groups, 0, sizeof groups);
  memset(device_trails, 0, sizeof device_trails);
  memset(trails, 0, sizeof trails);
  root_joint = (prt_joint){.groups = &root, .devices = 1};
  joint = (prt_joint){.groups = groups, .devices = DEVICES};
  root = (prt_group){
      .nodes = devices, .trails = device_trails, .count = DEVICES, .joint = &root_joint};
  for (int d = 0; d < DEVICES; d++) {
    devices[d] = (prt_node){.task = {.worker = worker, .device = d}, .group = &root};
    devices[d].program = &device_program;
    groups[d] = (prt_group){.parent = &devices[d],
                            .nodes = cores[d],
                            .trails = trails[d],
                            .count = CORES,
                            .joint = &joint};
    for (int c = 0; c < CORES; c++) {
      cores[d][c] = (prt_node){.task = {.worker = worker, .device = d, .core = c},
                               .group = &groups[d],
                               .program = &core_program};
      cores[d][c].task.memory = memories[d * CORES + c];
    }
  }
}

static void open_call(void) {
  prt_machine_options options;
  prt_machine_options_init(&options);
  options.on_finding = NULL;
  machine = prt_machine_new(&options);
  ck_assert_int_eq(prt__enter(machine, &entry, &worker), PRT_OK);
  race = prt__race_of(worker);
  ck_assert_ptr_eq(prt__race_of(worker), race);
  make_groups();
  schedule.race = race;
  schedule.call = worker->call;
  worker->schedule = &schedule;
}

static void close_call(void) {
  race->failed = true; // looks for no races
  worker->node = NULL;
  prt__leave(worker);
  prt_machine_free(machine);
}

// ---- what was recorded, as text -----------------------------------------------------------------
static char text[4000];
static void say(const char *format, ...) {
  va_list arguments;
  size_t used = strlen(text);
  va_start(arguments, format);
  vsnprintf(text + used, sizeof text - used, format, arguments);
  va_end(arguments);
}

static void say_event(const prt_race_event *e) {
  static const char *const kinds[] = {"start", "launch", "end",  "join", "signal",
                                      "copy",  "wait",   "meet", "met",  "atomic"};
  say("%d.%d %s %d", e->agent, e->at, kinds[e->kind], e->with);
  if (e->units) say(" units %d", (int)e->units);
  if (e->keeps) say(" keeps");
  if (e->is_seen) say(" seen");
  if (e->site) say(" line %d", e->site->line);
  say("\n");
}

static void expect_events(const char *wanted) {
  text[0] = 0;
  for (int32_t i = 0; i < race->events.count; i++) say_event(&race->events.items[i]);
  ck_assert_str_eq(text, wanted);
}

// Bytes from word 0 of core 0 of device 0.
static void expect_accesses(const char *wanted) {
  text[0] = 0;
  for (int32_t i = 0; i < race->accesses.count; i++) {
    const prt_race_access *a = &race->accesses.items[i];
    say("%d.%d after %d how %d: %d+%d", a->agent, a->at, a->order, a->how,
        (int)(a->extent->base - word(0, 0)), (int)(a->extent->end - a->extent->base));
    if (a->copy != PRT_NO_COPY) say(" copy %d", a->copy);
    if (a->step >= 0) say(" step %d", a->step);
    if (a->site) say(" line %d", a->site->line);
    say("\n");
  }
  ck_assert_str_eq(text, wanted);
}

// ---- events -------------------------------------------------------------------------------------
// Agents are numbered: who launches as it comes, then the cores, device by device.
START_TEST(launches_and_joins) {
  ck_assert_int_eq(race->running, 1);
  prt__race_launch(race, &devices[0], &groups[0]);
  ck_assert_int_eq(race->running, CORES);
  for (int c = 0; c < CORES; c++) prt__race_begin(race, core(0, c));
  prt__race_end(race, core(0, 1));
  prt__race_launch(race, &devices[1], &groups[1]);
  prt__race_begin(race, core(1, 2));
  prt__race_end(race, core(1, 2));
  prt__race_join(race, &devices[0], &groups[0]);
  ck_assert_int_eq(race->running, CORES);
  expect_events("6.0 launch -1\n0.0 start 0\n1.0 start 0\n2.0 start 0\n1.1 end 0\n7.0 launch -1\n"
                "5.0 start 5\n5.1 end 5\n6.1 join 0\n");
  ck_assert_int_eq(race->agents.items[4].core, 1);
  ck_assert_int_eq(race->agents.items[4].device, 1);
  ck_assert_ptr_eq(race->agents.items[4].program, &core_program);
  ck_assert_ptr_eq(race->agents.items[7].program, &device_program);
}
END_TEST

START_TEST(meetings) {
  prt__race_launch(race, &devices[0], &root); // as many as there are devices
  for (int again = 0; again < 2; again++) {
    prt__race_meet(race, &devices[1]);
    prt__race_meet(race, &devices[0]);
    prt__race_met(race, &devices[0]);
    prt__race_met(race, &devices[1]);
    ck_assert_int_eq(device_trails[0].meeting, 0);
  }
  expect_events("0.0 launch -1\n1.0 meet 0\n0.1 meet 0\n0.2 met 0\n1.1 met 0\n"
                "1.2 meet 1\n0.3 meet 1\n0.4 met 1\n1.3 met 1\n");
}
END_TEST

START_TEST(signals_and_waits) {
  prt__race_launch(race, &devices[0], &groups[0]);
  prt__race_signal(race, core(0, 0), sem(1, 2), sem(0, 2), 3, &here);
  prt__race_signal(race, core(0, 0), sem(1, 2), sem(0, 2), 0, &here); // nothing
  ck_assert_int_eq(race->under_way, 3);
  prt__race_wait(race, core(0, 1), sem(1, 2), 2, true, &there);
  ck_assert_int_eq(race->under_way, 3);
  prt__race_wait(race, core(0, 1), sem(1, 2), 2, false, &there);
  ck_assert_int_eq(race->under_way, 1);
  prt__race_wait(race, core(0, 1), sem(1, 3), 0, false, &there);
  prt__race_signal(race, core(0, 2), sem(2, 0), sem(2, 0), 1, NULL);
  expect_events("6.0 launch -1\n0.0 signal 0 units 3 line 4\n1.0 wait 0 units 2 keeps line 9\n"
                "1.1 wait 0 units 2 line 9\n2.0 signal 1 units 1\n");
  const prt_race_sem *first = &race->sems.items[0], *second = &race->sems.items[1];
  ck_assert(first->address == sem(1, 2) && first->buffer == buffers && first->index == 2);
  ck_assert(second->address == sem(2, 0) && second->index == 0);
}
END_TEST

// Without a seed a wait takes what is there at once.
START_TEST(a_wait_that_finds_its_units_is_recorded) {
  prt__race_launch(race, &devices[0], &groups[0]);
  atomic_store(&sem(1, 0)->count, 3);
  ck_assert(prt__sem_wait(&core(0, 1)->task, sem(1, 0), 2, false, &there));
  expect_events("6.0 launch -1\n1.0 wait 0 units 2 line 9\n");
  ck_assert_int_eq((int)atomic_load(&sem(1, 0)->count), 1);
}
END_TEST

START_TEST(polls_count_when_they_pass) {
  prt__race_launch(race, &devices[0], &groups[0]);
  prt__race_polled(&core(0, 1)->task, sem(1, 0), 3, 4, &here); // too few
  prt__race_polled(&core(0, 1)->task, sem(1, 0), 3, 0, &here); // no comparison
  prt__race_polled(&core(0, 1)->task, sem(1, 0), 3, 3, &here);
  prt__race_polled(&core(0, 1)->task, sem(1, 0), 3, 2, &here);
  expect_events(
      "6.0 launch -1\n1.0 wait 0 units 3 keeps line 4\n1.1 wait 0 units 2 keeps line 4\n");
  ck_assert_int_eq(race->under_way, 0);
}
END_TEST

// Points below which there is another one are left out.
START_TEST(points_are_the_least_ones) {
  enum { SIDE = 4 };
  prt_task *task = &core(0, 1)->task;
  prt__race_launch(race, &devices[0], &groups[0]);
  for (int i = 0; i < 2; i++) prt__race_polled_count(task, sem(1, i));
  static const int64_t points[] = {2, 3, 1 + SIDE, 2 + SIDE, 3 * SIDE};
  for (size_t i = 0; i < sizeof points / sizeof *points; i++)
    prt__race_polled_point(task, SIDE, points[i]);
  prt__race_polled_points(task, SIDE, &here);
  ck_assert_int_eq(race->sums.count, 1);
  ck_assert_int_eq(race->terms.count, 2);
  ck_assert_int_eq(race->points.count, 3);
  ck_assert_int_eq(race->points.items[0], 2);
  ck_assert_int_eq(race->points.items[1], 1 + SIDE);
  ck_assert_int_eq(race->points.items[2], 3 * SIDE);
  // What goes on without a unit, or for none of the points, proves nothing.
  for (int goes_on = 0; goes_on < 2; goes_on++) {
    prt__race_polled_count(task, sem(1, 0));
    if (goes_on) prt__race_polled_point(task, SIDE, 0);
    prt__race_polled_points(task, SIDE, &here);
  }
  ck_assert_int_eq(race->sums.count, 1);
  ck_assert_int_eq(race->terms.count, 2);
  ck_assert_int_eq(race->points.count, 3);
}
END_TEST

START_TEST(atomics_know_how_many_are_before) {
  prt__race_launch(race, &devices[0], &groups[0]);
  static const int looks[] = {0, 0, 1, 0, 1, 1, 0};
  for (int i = 0; i < 7; i++) {
    worker->node = core(0, i % CORES);
    prt__race_atomic(worker, &here, word(0, 0), 4, looks[i]);
  }
  prt__race_atomic(worker, &there, word(0, 1), 4, 1);
  expect_events("6.0 launch -1\n0.0 atomic 0\n1.0 atomic 0\n2.0 atomic 0 units 2 seen\n"
                "0.1 atomic 0 units 3\n1.1 atomic 0 units 4 seen\n2.1 atomic 0 units 5 seen\n"
                "0.2 atomic 0 units 6\n0.3 atomic 1 seen\n");
  expect_accesses("0.0 after 1 how 4: 0+4 line 4\n1.0 after 2 how 4: 0+4 line 4\n"
                  "2.0 after 3 how 4: 0+4 line 4\n0.1 after 4 how 4: 0+4 line 4\n"
                  "1.1 after 5 how 4: 0+4 line 4\n2.1 after 6 how 4: 0+4 line 4\n"
                  "0.2 after 7 how 4: 0+4 line 4\n0.3 after 8 how 4: 4+4 line 9\n");
}
END_TEST

// ---- copies -------------------------------------------------------------------------------------
static const int64_t two[] = {2}, four[] = {4}, strides[] = {4};

static void start_copy(int from, int to, const prt_copy *copy, const int64_t *dims) {
  bool is_remote = from != to;
  prt_transfer transfer = {core(from / CORES, from % CORES),
                           core(to / CORES, to % CORES),
                           copy,
                           dims,
                           word(to, 8),
                           word(from, 0),
                           sem(to, 0),
                           is_remote ? sem(from, 1) : NULL};
  prt__race_copy(race, &transfer, 16);
}

static void expect_copy(int number, int to, int received, int received_units, int sent,
                        int sent_units) {
  const prt_race_copy *copy = &race->copies.items[number];
  ck_assert_int_eq(copy->to, to);
  ck_assert_int_eq(copy->received, received);
  ck_assert_int_eq((int)copy->received_units, received_units);
  ck_assert_int_eq(copy->sent, sent);
  ck_assert_int_eq((int)copy->sent_units, sent_units);
}

START_TEST(copies_have_two_ends) {
  static const prt_copy plain = {4, 1, four, strides, strides, &here, 0, 0},
                        adds = {4, 1, four, strides, strides, &there, PRT_F32, 3};
  prt__race_launch(race, &devices[0], &groups[0]);
  start_copy(0, 0, &plain, four);
  ck_assert_int_eq(race->under_way, 16);
  start_copy(0, 1, &adds, two);
  ck_assert_int_eq(race->under_way, 18); // one unit for each of its ends
  start_copy(1, 2, &plain, four);
  ck_assert_int_eq(race->under_way, 50);
  expect_events("6.0 launch -1\n0.0 copy 0 line 4\n0.1 copy 1 line 9\n1.0 copy 2 line 4\n");
  expect_copy(0, 0, 0, 16, -1, 0);
  expect_copy(1, 1, 1, 1, 2, 1);
  expect_copy(2, 2, 3, 16, 4, 16);
  expect_accesses("0.1 after 2 how 1: 0+16 copy 0 line 4\n0.1 after 2 how 2: 32+16 copy 0 line 4\n"
                  "0.2 after 3 how 1: 0+8 copy 1 line 9\n"
                  "0.2 after 3 how 4: 4128+8 copy 1 line 9\n"
                  "1.1 after 4 how 1: 4096+16 copy 2 line 4\n"
                  "1.1 after 4 how 2: 8224+16 copy 2 line 4\n");
}
END_TEST

// Other calls of the machine, on threads of their own, are over again and again.
static _Atomic bool is_enough;
static _Atomic int ended;
static void *end_calls(void *arguments) {
  prt_call other = {.machine = machine, .entry = &entry, .arguments = arguments};
  for (; !atomic_load(&is_enough); atomic_fetch_add(&ended, 1)) prt__race_pass_on(&other);
  return NULL;
}

START_TEST(copies_left_under_way_are_there_whatever_others_do) {
  static const prt_copy plain = {4, 1, four, strides, strides, &here, 0, 0};
  int32_t counts[1] = {16};
  void *arguments[] = {counts};
  pthread_t others[3];
  prt__race_launch(race, &devices[0], &groups[0]);
  start_copy(0, 0, &plain, four);
  worker->node = core(0, 0);
  worker->call->arguments = arguments;
  prt__sem_pass(worker, sem(0, 0), 0, 0);
  atomic_store(&is_enough, false);
  atomic_store(&ended, 0);
  for (int i = 0; i < 3; i++)
    ck_assert_int_eq(pthread_create(&others[i], NULL, end_calls, arguments), 0);
  int missed = 0;
  for (int i = 0; i < 10000 || (atomic_load(&ended) < 100000 && !missed); i++) {
    if (i % 100 == 99) sched_yield();
    prt__sem_take(worker, sem(0, 2), 0, 0);
    missed += race->given_units != 16;
  }
  atomic_store(&is_enough, true);
  for (int i = 0; i < 3; i++) pthread_join(others[i], NULL);
  ck_assert_int_eq(missed, 0);
}
END_TEST

// ---- accesses -----------------------------------------------------------------------------------
// The memory of a launch begins with it, if others run beside it who may have kept its address.
START_TEST(memory_begins_where_others_run) {
  joint.memory = memories[0];
  joint.device_bytes = CORES * (int64_t)sizeof memories[0];
  groups[0].count = 1;
  groups[1].count = 2;
  prt__race_launch(race, &devices[0], &groups[0]);
  ck_assert_int_eq(race->running, 1);
  ck_assert_int_eq(race->accesses.count, 0);
  prt__race_launch(race, &devices[1], &groups[1]);
  ck_assert_int_eq(race->running, 2);
  ck_assert_int_eq(race->accesses.count, 1);
  const prt_race_access *begin = &race->accesses.items[0];
  ck_assert_int_eq(begin->how, PRT_BEGIN);
  ck_assert_int_eq(begin->copy, PRT_NO_COPY);
  ck_assert(begin->extent->base == memories[CORES]);
  ck_assert(begin->extent->end == memories[CORES] + joint.device_bytes);
}
END_TEST

static void touch(int number, int at, int words, int how, const prt_site *site) {
  worker->node = core(0, number);
  prt_region region = {word(0, at), 4, 1, &(int64_t){words}, strides};
  prt__race_access(worker, site, &region, how);
}

START_TEST(accesses_of_one_place_are_joined) {
  prt__race_launch(race, &devices[0], &groups[0]);
  touch(0, 0, 2, PRT_READ, &here);
  touch(0, 2, 2, PRT_READ, &here); // follows
  touch(0, 1, 1, PRT_READ, &here); // lies in there
  touch(0, 4, 1, PRT_WRITE, &here);
  touch(0, 4, 1, PRT_READ, &there);
  touch(0, 4, 1, PRT_READ, &here); // behind the first one
  touch(0, 6, 1, PRT_READ, &here); // leaves a gap
  expect_accesses("0.0 after 1 how 1: 0+20 line 4\n0.0 after 1 how 2: 16+4 line 4\n"
                  "0.0 after 1 how 1: 16+4 line 9\n0.0 after 1 how 1: 24+4 line 4\n");
  touch(1, 7, 1, PRT_READ, &here); // another agent
  touch(0, 7, 1, PRT_READ, &here); // not the same without a gap
  prt__race_signal(race, core(0, 0), sem(1, 2), sem(0, 2), 1, &here);
  touch(0, 8, 1, PRT_READ, &here); // an event is between
  ck_assert_int_eq(race->accesses.count, 7);
  ck_assert_int_eq(race->accesses.items[6].at, 1);
}
END_TEST

START_TEST(an_access_is_looked_for_among_the_last_four) {
  prt__race_launch(race, &devices[0], &groups[0]);
  prt_site sites[6];
  for (int i = 0; i < 6; i++) {
    sites[i] = here;
    touch(0, i, 1, PRT_READ, &sites[i]);
  }
  touch(0, 2, 1, PRT_READ, &sites[2]);
  ck_assert_int_eq(race->accesses.count, 6);
  touch(0, 1, 1, PRT_READ, &sites[1]);
  ck_assert_int_eq(race->accesses.count, 7);
  static const int64_t rows[] = {2, 1}, apart[] = {64, 4};
  prt_region strided = {word(0, 0), 4, 2, rows, apart};
  for (int i = 0; i < 2; i++) prt__race_access(worker, &there, &strided, PRT_READ);
  touch(0, 17, 1, PRT_READ, &there); // behind what is not in one piece
  ck_assert_int_eq(race->accesses.count, 9);
}
END_TEST

START_TEST(accesses_know_their_step) {
  static const char *const names[] = {"i", "j"};
  int64_t indices[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  prt__race_launch(race, &devices[0], &groups[0]);
  for (int rank = 0; rank <= 9; rank++) {
    prt_step step = {.launch = "k", .rank = rank, .names = names, .indices = indices};
    prt__step_enter(worker, &step);
    touch(0, 2 * rank, 1, PRT_READ, &here);
    touch(0, 2 * rank, 1, PRT_WRITE, &here); // the same one
    prt__step_leave(worker, &step);
    const prt_race_access *last = &race->accesses.items[race->accesses.count - 1];
    ck_assert_int_eq(last->step, rank == 0 || rank == 9 ? -1 : rank - 1);
    ck_assert_int_eq(last[-1].step, last->step);
    if (last->step < 0) continue;
    const prt_race_step *kept = &race->steps.items[last->step];
    ck_assert(kept->rank == rank && kept->names == names && strcmp(kept->launch, "k") == 0);
    ck_assert_mem_eq(kept->indices, indices, (size_t)rank * sizeof *indices);
  }
  prt_step step = {.launch = "k", .rank = 2, .names = names, .indices = indices};
  prt__step_enter(worker, &step);
  touch(0, 20, 1, PRT_READ, &here);
  indices[1] = 77;
  touch(0, 21, 1, PRT_READ, &here); // of another step
  prt__step_leave(worker, &step);
  ck_assert_int_eq(race->accesses.items[race->accesses.count - 1].step, 9);
  ck_assert_int_eq(race->accesses.items[race->accesses.count - 2].step, 8);
}
END_TEST

START_TEST(memory_has_names) {
  static const int64_t dims[] = {2, 3};
  static float watched[6];
  prt__check_adopt(worker, watched, PRT_F32, 2, dims, "acc", PRT_ADOPT_FRESH);
  prt__race_input(worker, word(0, 4), PRT_F32, 2, dims, "old");
  prt__race_input(worker, word(0, 4), PRT_F32, 2, dims, "x");
  prt__race_launch(race, &devices[0], &groups[0]);
  worker->node = core(0, 0);
  prt__race_element(worker, &here, &watched[5], 4, PRT_READ);
  ck_assert_str_eq(race->accesses.items[0].memory.what, "acc");
  static const char *const wanted[] = {NULL, "x", "x", NULL};
  static const int words[] = {3, 4, 9, 10};
  for (int i = 0; i < 4; i++) {
    touch(1, words[i], 1, PRT_WRITE, i % 2 ? &here : &there);
    const prt_watched *memory = &race->accesses.items[race->accesses.count - 1].memory;
    if (!wanted[i]) {
      ck_assert_ptr_null(memory->what);
      continue;
    }
    ck_assert_str_eq(memory->what, wanted[i]);
    ck_assert(memory->base == word(0, 4) && memory->element_bytes == 4 && memory->rank == 2 &&
              memory->dims == dims);
  }
}
END_TEST

START_TEST(memory_is_given_back) {
  prt__race_launch(race, &devices[0], &groups[0]);
  prt__race_forget(race, word(0, 0), 8); // nobody has touched anything
  ck_assert_int_eq(race->accesses.count, 0);
  touch(0, 0, 1, PRT_WRITE, &here);
  for (int core_number = 0; core_number < 4; core_number++)
    for (int i = 0; i < SEMS; i++)
      prt__race_signal(race, core(0, 0), sem(core_number, i), sem(0, i), 1, NULL);
  prt__race_forget(race, sem(1, 1), 2 * sizeof(prt_sem));
  prt__race_forget(race, memories[2], 4096);
  prt__race_forget(race, word(0, 4), 12);
  ck_assert_int_eq(race->accesses.count, 4);
  const prt_race_access *last = &race->accesses.items[3];
  ck_assert(last->how == 0 && last->extent->base == word(0, 4) && last->extent->end == word(0, 7) &&
            last->copy == PRT_NO_COPY);
  for (int i = 0; i < 4 * SEMS; i++) {
    bool is_gone = i == SEMS + 1 || i == SEMS + 2 || i / SEMS == 2;
    ck_assert_int_eq(race->sems.items[i].address == NULL, is_gone);
  }
  // What lies there from now on is another one.
  prt__race_signal(race, core(0, 0), sem(2, 3), sem(0, 3), 1, NULL);
  ck_assert_int_eq(race->events.items[race->events.count - 1].with, 4 * SEMS);
  prt__race_signal(race, core(0, 0), sem(1, 3), sem(0, 3), 1, NULL);
  ck_assert_int_eq(race->events.items[race->events.count - 1].with, 2 * SEMS - 1);
}
END_TEST

// Whose library may be unloaded before a copy that it has started is reported.
START_TEST(places_and_buffers_outlive_the_code) {
  char file[] = "k.pk", line[] = "f(x)", name[] = "sems";
  int64_t dims[] = {SEMS};
  prt_site caller = {file, 4, 10, 14, line, "", NULL}, site = {file, 9, 3, 12, line, name, &caller};
  prt_buffer buffer = {.name = name, .bytes = 64, .rank = 1, .dims = dims};
  const prt_site *kept = prt__race_keep_site(machine, &site);
  const prt_buffer *named = prt__race_keep_buffer(machine, &buffer);
  ck_assert_ptr_eq(kept, prt__race_keep_site(machine, &site));
  ck_assert_ptr_eq(named, prt__race_keep_buffer(machine, &buffer));
  buffer.bytes = 32;
  ck_assert_ptr_ne(named, prt__race_keep_buffer(machine, &buffer));
  memset(file, 'x', sizeof file - 1);
  memset(line, 'x', sizeof line - 1);
  memset(name, 'x', sizeof name - 1);
  dims[0] = caller.line = site.line = 0;
  ck_assert_str_eq(kept->file, "k.pk");
  ck_assert_str_eq(kept->source, "f(x)");
  ck_assert_str_eq(kept->function, "sems");
  ck_assert_int_eq(kept->line, 9);
  ck_assert_int_eq(kept->caller->line, 4);
  ck_assert_str_eq(named->name, "sems");
  ck_assert_int_eq(named->dims[0], SEMS);
  ck_assert_ptr_null(prt__race_keep_site(machine, NULL));
  ck_assert_ptr_null(prt__race_keep_buffer(machine, NULL));
}
END_TEST

START_TEST(many_semaphores_keep_their_numbers) {
  enum { MANY = 3000 };
  static prt_sem many[MANY];
  prt__race_launch(race, &devices[0], &groups[0]);
  for (int again = 0; again < 2; again++)
    for (int i = 0; i < MANY; i++) {
      prt__race_signal(race, core(0, 0), &many[i * 7 % MANY], sem(0, 0), 1, NULL);
      ck_assert_int_eq(race->events.items[race->events.count - 1].with, i);
    }
  ck_assert_int_eq(race->sems.count, MANY);
}
END_TEST

// ---- segments -----------------------------------------------------------------------------------
// Where one agent runs alone and nothing is under way, all that was is over.
START_TEST(a_segment_ends_where_one_is_alone) {
  touch(0, 0, 1, PRT_WRITE, &here); // nobody else runs
  ck_assert_int_eq(race->accesses.count, 0);
  prt__race_launch(race, &devices[0], &groups[0]);
  uint32_t segment = race->segment;
  for (int c = 0; c < CORES; c++) prt__race_begin(race, core(0, c));
  touch(0, 0, 1, PRT_WRITE, &here);
  prt__race_signal(race, core(0, 0), sem(1, 0), sem(0, 0), 2, NULL);
  for (int c = 0; c < CORES; c++) prt__race_end(race, core(0, c));
  prt__race_join(race, &devices[0], &groups[0]);
  ck_assert_int_eq(race->running, 1);
  prt__race_signal(race, &devices[0], sem(1, 1), sem(0, 1), 1, NULL); // two units are under way
  ck_assert_uint_eq(race->segment, segment);
  ck_assert_int_eq(race->accesses.count, 1);
  prt__race_wait(race, &devices[0], sem(1, 0), 2, false, NULL);
  prt__race_wait(race, &devices[0], sem(1, 1), 1, false, NULL);
  ck_assert_uint_eq(race->segment, segment);
  prt__race_signal(race, &devices[0], sem(2, 1), sem(0, 1), 1, &here);
  ck_assert_uint_eq(race->segment, segment + 1);
  ck_assert_int_eq(race->accesses.count, 0);
  expect_events("0.0 signal 0 units 1 line 4\n"); // all numbers begin anew
  ck_assert_int_eq(race->agents.count, 1);
  prt__race_end(race, core(0, 0)); // of a launch before it
  expect_events("0.0 signal 0 units 1 line 4\n1.0 end -1\n");
}
END_TEST

START_TEST(nothing_is_recorded_of_a_call_that_is_over) {
  prt__race_launch(race, &devices[0], &groups[0]);
  worker->call->is_cut = true;
  prt__race_begin(race, core(0, 0));
  prt__race_end(race, core(0, 0));
  prt__race_signal(race, core(0, 0), sem(1, 0), sem(0, 0), 2, NULL);
  prt__race_wait(race, core(0, 0), sem(1, 0), 2, false, NULL);
  prt__race_meet(race, core(0, 0));
  prt__race_met(race, core(0, 0));
  prt__race_join(race, &devices[0], &groups[0]);
  touch(0, 0, 1, PRT_WRITE, &here);
  prt__race_atomic(worker, &here, word(0, 0), 4, 1);
  prt__race_forget(race, word(0, 0), 8);
  prt__race_polled(&core(0, 1)->task, sem(1, 0), 3, 3, &here);
  static const prt_copy plain = {4, 1, four, strides, strides, &here, 0, 0};
  start_copy(0, 0, &plain, four);
  worker->call->is_cut = false;
  expect_events("6.0 launch -1\n");
  expect_accesses("");
  prt__race_forget(NULL, word(0, 0), 8); // code without checks
}
END_TEST

int main(void) {
  Suite *suite = suite_create("race log");
  TCase *tests = tcase_create("log");
  tcase_add_checked_fixture(tests, open_call, close_call);
  tcase_add_test(tests, launches_and_joins);
  tcase_add_test(tests, meetings);
  tcase_add_test(tests, signals_and_waits);
  tcase_add_test(tests, a_wait_that_finds_its_units_is_recorded);
  tcase_add_test(tests, polls_count_when_they_pass);
  tcase_add_test(tests, points_are_the_least_ones);
  tcase_add_test(tests, atomics_know_how_many_are_before);
  tcase_add_test(tests, copies_have_two_ends);
  tcase_add_test(tests, copies_left_under_way_are_there_whatever_others_do);
  tcase_add_test(tests, memory_begins_where_others_run);
  tcase_add_test(tests, accesses_of_one_place_are_joined);
  tcase_add_test(tests, an_access_is_looked_for_among_the_last_four);
  tcase_add_test(tests, accesses_know_their_step);
  tcase_add_test(tests, memory_has_names);
  tcase_add_test(tests, memory_is_given_back);
  tcase_add_test(tests, many_semaphores_keep_their_numbers);
  tcase_add_test(tests, places_and_buffers_outlive_the_code);
  tcase_add_test(tests, a_segment_ends_where_one_is_alone);
  tcase_add_test(tests, nothing_is_recorded_of_a_call_that_is_over);
  suite_add_tcase(suite, tests);
  return suite_run(suite);
}
