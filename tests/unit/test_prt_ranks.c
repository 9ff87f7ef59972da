// SPDX-License-Identifier: Apache-2.0
// Devices spread over ranks, by the transport in memory: each rank is a machine on a thread of its
// own, and a seed draws the order in which messages arrive.
#include <check.h>
#include <pthread.h>
#include "machine/prt_call.h"
#include "task_script.h"
#include "transport/prt_idle.h"
#include "transport/prt_memory.h"
#include "transport/prt_packet.h"
#include "transport/prt_ranks.h"
#include "suite.h"

enum { MOST_RANKS = 4, MOST_CORES = 8, STEPS = 40, SEEDS = IS_SANITIZED ? 10 : 25 };

static ScriptStep steps[MOST_RANKS * 2][MOST_CORES][STEPS];
static ScriptStep *at(int device, int core) { return steps[device][core]; }
static const ScriptStep *stored(const ScriptWorld *w, int device, int core) {
  (void)w;
  return at(device, core);
}

typedef struct Rank {
  prt_hub *hub;
  int32_t rank;
  const ScriptPrograms *programs; // of the job
  ScriptWorld world;
  int runs;
  uint64_t seed;        // 0: none draws the schedule
  const char *schedule; // of prt_machine_schedule; NULL: the seed's
  prt_status status;
  bool has_own_programs; // not the job's
  bool holds_back;       // after a run something needs polls to be sent
  char message[PRT_MESSAGE_SIZE], report[4096];
} Rank;

static void *run_rank(void *data) {
  Rank *rank = data;
  prt_machine *machine = script_machine(rank->seed ? 0 : 1, rank->seed, rank->report);
  prt_transport *transport = prt__hub_rank(rank->hub, rank->rank);
  rank->status = machine && transport ? prt__ranks_attach(machine, transport) : PRT_ERROR_MEMORY;
  if (rank->schedule) ck_assert_int_eq(prt_machine_schedule(machine, rank->schedule), PRT_OK);
  for (int i = 0; i < rank->runs && !rank->status; i++) {
    rank->status = script_run_as(machine, &rank->world, rank->programs);
    rank->holds_back |= !rank->status && !transport->has_sent_all(transport);
  }
  if (rank->status) snprintf(rank->message, sizeof rank->message, "%s", prt_error_message());
  prt_machine_free(machine);
  return NULL;
}

static void run_job(Rank *out, int ranks, uint64_t seed, int64_t lose_after) {
  prt_hub *hub = prt__hub_new(ranks, seed, lose_after);
  pthread_t threads[MOST_RANKS];
  ScriptPrograms programs;
  script_programs(&out[0].world, &programs);
  for (int i = 0; i < ranks; i++) {
    bool has_own = out[i].has_own_programs || out[i].world.devices != out[0].world.devices;
    out[i].programs = has_own ? NULL : &programs;
    out[i].hub = hub;
    out[i].rank = i;
    ck_assert_int_eq(pthread_create(&threads[i], NULL, run_rank, &out[i]), 0);
  }
  for (int i = 0; i < ranks; i++) pthread_join(threads[i], NULL);
  for (int i = 0; i < ranks; i++) ck_assert(!out[i].holds_back);
  prt__hub_free(hub);
}

// Seeds of schedules, in which rank 0 leads; 0: each rank goes on by itself.
static const uint64_t draws[] = {0, 1, 7};
enum { DRAWS = sizeof draws / sizeof *draws };
static uint64_t drawn; // of the jobs that are prepared

static void prepare(Rank *out, const ScriptWorld *w, int runs) {
  for (int i = 0; i < MOST_RANKS; i++) out[i] = (Rank){.world = *w, .runs = runs, .seed = drawn};
}

// The token goes round all cores of all devices, several times.
static void make_ring(int devices, int cores, int first) {
  memset(steps, 0, sizeof steps);
  script_ring(at, devices, cores, 5, first);
}

START_TEST(a_ring_goes_round_the_ranks) {
  drawn = draws[_i];
  make_ring(8, 3, 1);
  ScriptWorld w = {.cores = 3, .devices = 8, .script = stored, .launches = 3};
  for (int ranks = 1; ranks <= MOST_RANKS; ranks *= 2)
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
      Rank out[MOST_RANKS];
      prepare(out, &w, 3);
      run_job(out, ranks, seed, -1);
      for (int i = 0; i < ranks; i++) {
        ck_assert_msg(out[i].status == PRT_OK, "rank %d of %d: %s", i, ranks, out[i].message);
        for (int d = 8 / ranks * i; d < 8 / ranks * (i + 1); d++)
          for (int c = 0; c < 3; c++) ck_assert_int_eq(out[i].world.words[d * 3 + c], 5);
      }
    }
}
END_TEST

START_TEST(devices_of_all_ranks_meet) {
  drawn = draws[_i];
  static _Atomic int came;
  make_ring(8, 3, 1);
  ScriptWorld w = {.cores = 3, .devices = 8, .script = stored, .launches = 3, .came = &came};
  for (int ranks = 1; ranks <= MOST_RANKS; ranks *= 2)
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
      Rank out[MOST_RANKS];
      prepare(out, &w, 1);
      came = 0;
      run_job(out, ranks, seed, -1);
      for (int i = 0; i < ranks; i++) {
        ck_assert_msg(out[i].status == PRT_OK, "rank %d of %d: %s", i, ranks, out[i].message);
        for (int d = 8 / ranks * i; d < 8 / ranks * (i + 1); d++)
          for (int c = 0; c < 3; c++) ck_assert_int_eq(out[i].world.words[d * 3 + c], 5);
      }
    }
}
END_TEST

// Each device sends its word to the next one, which waits for it; nobody waits for the other to
// have begun.
START_TEST(copies_find_their_places) {
  drawn = draws[_i];
  memset(steps, 0, sizeof steps);
  for (int d = 0; d < 4; d++) {
    ScriptStep *s = steps[d][0];
    *s++ = (ScriptStep){SCRIPT_ADD, -1, 0, 0, 10 + d};
    *s++ = (ScriptStep){SCRIPT_COPY, (d + 1) % 4, 1, 0, 0};
    *s++ = (ScriptStep){SCRIPT_WAIT, -1, 0, SCRIPT_SEMS - 1, 8};
    s = steps[d][1];
    *s++ = (ScriptStep){SCRIPT_WAIT, -1, 0, 0, 8};
    *s++ = (ScriptStep){SCRIPT_EXPECT, -1, 0, 0, 10 + (d + 3) % 4};
  }
  ScriptWorld w = {.cores = 2, .devices = 4, .script = stored, .launches = 2};
  for (int ranks = 2; ranks <= 4; ranks *= 2)
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
      Rank out[MOST_RANKS];
      prepare(out, &w, 2);
      run_job(out, ranks, seed, -1);
      for (int i = 0; i < ranks; i++)
        ck_assert_msg(out[i].status == PRT_OK, "seed %d, rank %d of %d: %s", (int)seed, i, ranks,
                      out[i].message);
    }
}
END_TEST

// Many bytes go from where they are to where they are to be; what is sent is written again as soon
// as it has gone, and a copy that nobody waits for comes to an end with its launch.
START_TEST(blocks_go_from_place_to_place) {
  drawn = draws[_i];
  enum { BYTES = SCRIPT_BLOCK * 8 };
  memset(steps, 0, sizeof steps);
  for (int d = 0; d < 4; d++) {
    int next = (d + 1) % 4, before = (d + 3) % 4;
    ScriptStep *s = steps[d][0];
    for (int round = 0; round < 3; round++) {
      *s++ = (ScriptStep){SCRIPT_FILL, -1, 0, 0, 10000 * (d + 4 * round)};
      if (round) *s++ = (ScriptStep){SCRIPT_WAIT, -1, 0, 1, 1}; // it has been looked at
      *s++ = (ScriptStep){SCRIPT_COPY_BLOCK, next, 1, 0, 0};
      *s++ = (ScriptStep){SCRIPT_WAIT, -1, 0, SCRIPT_SEMS - 1, BYTES};
    }
    *s++ = (ScriptStep){SCRIPT_COPY_BLOCK, next, 2, 2, 0};
    s = steps[d][1];
    for (int round = 0; round < 3; round++) {
      *s++ = (ScriptStep){SCRIPT_WAIT, -1, 0, 0, BYTES};
      *s++ = (ScriptStep){SCRIPT_EXPECT_BLOCK, -1, 0, 0, 10000 * (before + 4 * round)};
      *s++ = (ScriptStep){SCRIPT_SIGNAL, before, 0, 1, 1};
    }
  }
  ScriptWorld w = {.cores = 3, .devices = 4, .script = stored, .launches = 2, .has_blocks = true};
  for (int ranks = 1; ranks <= 4; ranks *= 2)
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
      Rank out[MOST_RANKS];
      prepare(out, &w, 2);
      run_job(out, ranks, seed, -1);
      for (int i = 0; i < ranks; i++)
        ck_assert_msg(out[i].status == PRT_OK, "seed %d, rank %d of %d: %s", (int)seed, i, ranks,
                      out[i].message);
    }
}
END_TEST

// Of several ranks to one, each to a core of its own, twice: what has come is kept apart, whenever
// it lands.
START_TEST(copies_of_several_ranks_are_kept_apart) {
  static const char *const schedules[] = {NULL, "early", "links,seed=5", "late", "late,seed=3"};
  int target = _i;
  memset(steps, 0, sizeof steps);
  for (int d = 0; d < 4; d++) {
    if (d == target) continue;
    ScriptStep *s = steps[d][0];
    for (int time = 0; time < 2; time++) {
      *s++ = (ScriptStep){SCRIPT_ADD, -1, 0, 0, 10 + d};
      *s++ = (ScriptStep){SCRIPT_COPY, target, d + 4 * time, 0, 0};
      *s++ = (ScriptStep){SCRIPT_WAIT, -1, 0, SCRIPT_SEMS - 1, 8};
      ScriptStep *there = steps[target][d + 4 * time];
      *there++ = (ScriptStep){SCRIPT_WAIT, -1, 0, 0, 8};
      *there++ = (ScriptStep){SCRIPT_EXPECT, -1, 0, 0, (time + 1) * (10 + d)};
    }
  }
  ScriptWorld w = {.cores = 8, .devices = 4, .script = stored, .launches = 2};
  for (size_t k = 0; k < sizeof schedules / sizeof *schedules; k++)
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
      Rank out[MOST_RANKS];
      drawn = schedules[k] != NULL;
      prepare(out, &w, 1);
      for (int i = 0; i < 4; i++) out[i].schedule = schedules[k];
      run_job(out, 4, seed, -1);
      for (int i = 0; i < 4; i++)
        ck_assert_msg(out[i].status == PRT_OK, "%s, seed %d, rank %d: %s", schedules[k], (int)seed,
                      i, out[i].message);
    }
}
END_TEST

START_TEST(a_rank_that_vanishes_takes_its_blocks_along) {
  drawn = draws[_i];
  memset(steps, 0, sizeof steps);
  for (int d = 0; d < 4; d++) {
    ScriptStep *s = steps[d][0];
    *s++ = (ScriptStep){SCRIPT_COPY_BLOCK, (d + 1) % 4, 0, 0, 0};
    *s++ = (ScriptStep){SCRIPT_WAIT, -1, 0, 0, SCRIPT_BLOCK * 8};
    *s++ = (ScriptStep){SCRIPT_WAIT, -1, 0, SCRIPT_SEMS - 1, SCRIPT_BLOCK * 8};
  }
  ScriptWorld w = {.cores = 1, .devices = 4, .script = stored, .has_blocks = true};
  for (int point = 0; point < 20; point++) {
    Rank out[MOST_RANKS];
    prepare(out, &w, 1);
    run_job(out, 4, (uint64_t)point, point);
    for (int i = 0; i < 4; i++)
      if (out[i].status) ck_assert_ptr_nonnull(strstr(out[i].message, "has vanished"));
  }
}
END_TEST

START_TEST(a_deadlock_is_reported_once_as_by_one_process) {
  drawn = draws[_i];
  make_ring(4, 2, 0);
  steps[1][1][0].sem = 2; // and one that waits for something else
  static const prt_site site = {.file = "k.pk", .line = 7, .column = 3, .source = "  wait(sem)"};
  static const prt_buffer buffers[] = {{0, (int64_t)sizeof(prt_sem), "sem", &site, 0, 0, NULL}};
  static const prt_act acts[] = {{&site, PRT_ACT_SIGNAL, 0, 0, PRT_ACT_CORE, 0}};
  ScriptWorld w = {.cores = 2, .devices = 4, .script = stored, .site = &site};
  w.buffers = buffers, w.buffer_count = 1;
  w.acts = acts, w.act_count = 1;
  char alone[4096] = "";
  prt_machine *machine = script_machine(1, 0, alone);
  ScriptWorld again = w;
  ck_assert_int_eq(script_run(machine, &again), PRT_ERROR_DEADLOCK);
  char message[PRT_MESSAGE_SIZE];
  snprintf(message, sizeof message, "%s", prt_error_message());
  prt_machine_free(machine);
  for (int ranks = 2; ranks <= 4; ranks *= 2)
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
      Rank out[MOST_RANKS];
      prepare(out, &w, 1);
      run_job(out, ranks, seed, -1);
      ck_assert_str_eq(out[0].report, alone);
      for (int i = 0; i < ranks; i++) {
        ck_assert_int_eq(out[i].status, PRT_ERROR_DEADLOCK);
        ck_assert_str_eq(out[i].message, message);
        if (i) ck_assert_str_eq(out[i].report, drawn ? alone : "");
      }
    }
}
END_TEST

// Device 1 waits in its second launch, which device 0 never comes to. Where constants lie is not
// the same on ranks that have built their programs: rank 0 counts those, too.
START_TEST(who_waits_in_a_later_launch_is_counted) {
  drawn = 0;
  memset(steps, 0, sizeof steps);
  steps[0][0][0] = (ScriptStep){SCRIPT_SIGNAL, 1, 0, 0, 1};
  steps[0][0][1] = (ScriptStep){SCRIPT_WAIT, -1, 0, 1, 1};
  for (int core = 0; core < 3; core++) steps[1][core][0] = (ScriptStep){SCRIPT_WAIT, -1, 0, 0, 1};
  for (int core = 1; core < 3; core++)
    steps[0][core][0] = (ScriptStep){SCRIPT_SIGNAL, 1, core, 0, 1};
  ScriptWorld w = {.cores = 3, .devices = 2, .script = stored, .launches = 2};
  char alone[4096] = "", message[PRT_MESSAGE_SIZE];
  prt_machine *machine = script_machine(1, 0, alone);
  ScriptWorld again = w;
  ck_assert_int_eq(script_run(machine, &again), PRT_ERROR_DEADLOCK);
  snprintf(message, sizeof message, "%s", prt_error_message());
  prt_machine_free(machine);
  ck_assert_ptr_nonnull(strstr(message, "4 of its programs wait"));
  for (uint64_t seed = 0; seed < SEEDS; seed++)
    for (int is_apart = 0; is_apart < 2; is_apart++) {
      Rank out[MOST_RANKS];
      prepare(out, &w, 1);
      out[1].has_own_programs = is_apart;
      run_job(out, 2, seed, -1);
      for (int i = 0; i < 2; i++) ck_assert_str_eq(out[i].message, message);
      if (is_apart)
        ck_assert_ptr_nonnull(strstr(out[0].report, "3 more wait"));
      else
        ck_assert_str_eq(out[0].report, alone);
    }
}
END_TEST

START_TEST(a_failure_ends_the_call_on_all_ranks) {
  drawn = draws[_i];
  make_ring(4, 1, 1);
  steps[3][0][4] = (ScriptStep){SCRIPT_FAIL, -1, 0, 0, 0};
  ScriptWorld w = {.cores = 1, .devices = 4, .script = stored};
  for (uint64_t seed = 0; seed < SEEDS; seed++) {
    Rank out[MOST_RANKS];
    prepare(out, &w, 1);
    run_job(out, 4, seed, -1);
    for (int i = 0; i < 4; i++) {
      ck_assert_int_eq(out[i].status, PRT_ERROR_ARGUMENT);
      ck_assert_str_eq(out[i].message, "script: the script fails");
    }
  }
}
END_TEST

// Wherever it stops to send, the others hear of it, and nobody hangs.
START_TEST(a_rank_that_vanishes_ends_the_job) {
  drawn = draws[_i];
  make_ring(4, 2, 1);
  ScriptWorld w = {.cores = 2, .devices = 4, .script = stored};
  int failed = 0;
  for (int point = 0; point < 20; point++) {
    Rank out[MOST_RANKS];
    prepare(out, &w, 1);
    run_job(out, 4, (uint64_t)point, point);
    for (int i = 0; i < 4; i++) {
      failed += out[i].status != PRT_OK;
      if (out[i].status) ck_assert_ptr_nonnull(strstr(out[i].message, "has vanished"));
    }
  }
  ck_assert_int_ge(failed, 60);
}
END_TEST

START_TEST(a_mesh_that_the_ranks_do_not_divide_is_refused) {
  make_ring(6, 1, 1);
  ScriptWorld w = {.cores = 1, .devices = 6, .script = stored};
  Rank out[MOST_RANKS];
  prepare(out, &w, 1);
  run_job(out, 4, 0, -1);
  for (int i = 0; i < 4; i++) {
    ck_assert_int_eq(out[i].status, PRT_ERROR_MACHINE);
    ck_assert_str_eq(out[i].message, "script: a mesh of 6 devices cannot be spread evenly over 4 "
                                     "ranks: 1, 2, 3, 6 would do");
  }
}
END_TEST

// A program of one device is nobody else's: each rank runs its own.
START_TEST(one_device_is_run_by_each_rank) {
  make_ring(1, 3, 1);
  ScriptWorld w = {.cores = 3, .devices = 1, .script = stored, .launches = 2};
  for (int ranks = 1; ranks <= MOST_RANKS; ranks++)
    for (uint64_t seed = 0; seed < SEEDS / 5; seed++) {
      Rank out[MOST_RANKS];
      prepare(out, &w, 2);
      run_job(out, ranks, seed, -1);
      for (int i = 0; i < ranks; i++) {
        ck_assert_msg(out[i].status == PRT_OK, "rank %d of %d: %s", i, ranks, out[i].message);
        for (int c = 0; c < 3; c++) ck_assert_int_eq(out[i].world.words[c], 5);
      }
    }
}
END_TEST

START_TEST(ranks_with_different_programs_are_refused) {
  make_ring(4, 1, 1);
  ScriptWorld w = {.cores = 1, .devices = 4, .script = stored};
  Rank out[MOST_RANKS];
  prepare(out, &w, 1);
  out[1].world.devices = 8;
  run_job(out, 2, 0, -1);
  for (int i = 0; i < 2; i++) {
    ck_assert_int_eq(out[i].status, PRT_ERROR_MACHINE);
    ck_assert_ptr_nonnull(strstr(out[i].message, "runs another program than rank"));
  }
}
END_TEST

// A function of the same name with other parameters is another one.
START_TEST(ranks_with_different_functions_are_refused) {
  prt_entry entries[3] = {script_entry, script_entry, script_entry};
  entries[0].signature = "f(x: f32[8])";
  entries[1].signature = "f(x: f32[9])";
  entries[2].signature = "f(x: f32[8])";
  for (int other = 1; other < 3; other++) {
    make_ring(4, 1, 1);
    ScriptWorld w = {.cores = 1, .devices = 4, .script = stored, .entry = &entries[0]};
    Rank out[MOST_RANKS];
    prepare(out, &w, 1);
    out[1].world.entry = &entries[other];
    run_job(out, 2, 0, -1);
    for (int i = 0; i < 2; i++)
      ck_assert_int_eq(out[i].status, other == 1 ? PRT_ERROR_MACHINE : PRT_OK);
  }
}
END_TEST

START_TEST(a_rank_whose_program_ends_early_is_named) {
  make_ring(4, 1, 1);
  ScriptWorld w = {.cores = 1, .devices = 4, .script = stored};
  Rank out[MOST_RANKS];
  prepare(out, &w, 2);
  out[1].runs = 1;
  run_job(out, 2, 3, -1);
  ck_assert_int_eq(out[1].status, PRT_OK);
  ck_assert_str_eq(out[0].message,
                   "script: the program of rank 1 has ended, and others wait for its devices");
}
END_TEST

// What ran in one process, as far as it is of the rank's devices.
static void check_log(const Rank *rank, int ranks, const ScriptWorld *alone) {
  const ScriptWorld *w = &rank->world;
  int first = w->devices * rank->rank / ranks, end = w->devices * (rank->rank + 1) / ranks;
  int logged = 0;
  for (int i = 0; i < alone->logged; i++) {
    int device = alone->log[i] / 1000;
    if (device < first || device >= end) continue;
    ck_assert_int_lt(logged, w->logged);
    ck_assert_int_eq(w->log[logged++], alone->log[i]);
    int core = alone->log[i] % 1000;
    ck_assert_int_eq(w->words[device * w->cores + core], alone->words[device * w->cores + core]);
  }
  ck_assert_int_eq(w->logged, logged);
  ck_assert_int_gt(logged, 0);
}

// `copies`: when they are made, in words of prt_machine_schedule; "": when the seeds say.
static void check_seeds(const ScriptWorld *w, const char *copies) {
  for (uint64_t seed = 1; seed < 10; seed++) {
    char report[4096] = "", schedule[64];
    snprintf(schedule, sizeof schedule, "seed=%d%s", (int)seed, copies);
    static ScriptWorld alone;
    alone = *w;
    prt_machine *machine = script_machine(0, seed, report);
    ck_assert_int_eq(prt_machine_schedule(machine, schedule), PRT_OK);
    ck_assert_int_eq(script_run(machine, &alone), PRT_OK);
    prt_machine_free(machine);
    for (int ranks = 2; ranks <= 4; ranks++) {
      static Rank out[MOST_RANKS];
      drawn = seed;
      prepare(out, w, 1);
      for (int i = 0; i < ranks; i++) out[i].schedule = schedule;
      run_job(out, ranks, seed, -1);
      for (int i = 0; i < ranks; i++) {
        ck_assert_msg(out[i].status == PRT_OK, "rank %d: %s", i, out[i].message);
        check_log(&out[i], ranks, &alone);
      }
    }
  }
}

// What a seed draws is the same in one process and on several ranks, whatever each has of the mesh.
START_TEST(seeded_ranks_run_what_one_process_runs) {
  make_ring(6, 2, 1);
  ScriptWorld w = {.cores = 2, .devices = 6, .script = stored, .data = &w};
  check_seeds(&w, "");
}
END_TEST

// So is what a core finds that looks before a copy to it has come, of its own device or another;
// and the copy comes, though the launch that started it may be over before the core begins.
START_TEST(seeded_ranks_see_copies_when_one_process_does) {
  memset(steps, 0, sizeof steps);
  for (int d = 0; d < 6; d++) {
    ScriptStep *s = steps[d][0];
    *s++ = (ScriptStep){SCRIPT_FILL, -1, 0, 0, 10000 * d};
    *s++ = (ScriptStep){SCRIPT_COPY_BLOCK, -1, 1, 0, 0};
    *s++ = (ScriptStep){SCRIPT_COPY_BLOCK, (d + 1) % 6, 2, 0, 0};
    for (int c = 1; c < 3; c++) {
      s = steps[d][c];
      int first = 10000 * (c == 1 ? d : (d + 5) % 6);
      *s++ = (ScriptStep){SCRIPT_SEE_BLOCK, -1, 0, 0, first};
      *s++ = (ScriptStep){SCRIPT_WAIT, -1, 0, 0, SCRIPT_BLOCK * 8};
      *s++ = (ScriptStep){SCRIPT_EXPECT_BLOCK, -1, 0, 0, first};
    }
  }
  ScriptWorld w = {.cores = 3, .devices = 6, .script = stored, .data = &w, .has_blocks = true};
  check_seeds(&w, ",early");
  check_seeds(&w, ",late");
  check_seeds(&w, ",links");
}
END_TEST

// ---- the end of a job ---------------------------------------------------------------------------
enum { ENDING_RANKS = 3 };
typedef struct Said {
  const char *text; // NULL: nothing
  int status;
} Said;
typedef struct Ending {
  Said said;
  prt_hub *hub;
  int32_t rank;
  char heard[200];
} Ending;

static void hear_ending(void *data, int rank, int status, const char *text) {
  Ending *end = data;
  size_t used = strlen(end->heard);
  snprintf(end->heard + used, sizeof end->heard - used, "%d:%d:%s;", rank, status, text);
}

static void *end_rank(void *data) {
  Ending *end = data;
  prt_machine_options options;
  prt_machine_options_init(&options);
  options.threads = 1;
  options.on_ending = hear_ending;
  options.data = end;
  prt_machine *machine = prt_machine_new(&options);
  ck_assert_int_eq(prt__ranks_attach(machine, prt__hub_rank(end->hub, end->rank)), PRT_OK);
  if (end->said.text) prt_machine_ending(machine, end->said.status, end->said.text);
  prt_machine_free(machine);
  return NULL;
}

// Who says nothing has ended with 0, and of several that end in the same way the first is reported.
START_TEST(endings_that_differ_are_reported) {
  static const struct {
    Said ranks[ENDING_RANKS];
    const char *heard;
  } cases[] = {
      {{{NULL, 0}, {NULL, 0}, {NULL, 0}}, ""},    {{{"", 0}, {NULL, 0}, {"", 0}}, ""},
      {{{NULL, 0}, {"", 0}, {"", 7}}, "2:7:;"},   {{{"", 1}, {NULL, 0}, {NULL, 0}}, "1:0:;"},
      {{{"a", 1}, {"a", 1}, {"b", 1}}, "2:1:b;"}, {{{"a", 1}, {"", 1}, {"a", 2}}, "2:2:a;"},
      {{{"a", 0}, {"b", 0}, {"b", 0}}, "1:0:b;"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    prt_hub *hub = prt__hub_new(ENDING_RANKS, i, -1);
    Ending ranks[ENDING_RANKS];
    pthread_t threads[ENDING_RANKS];
    for (int k = 0; k < ENDING_RANKS; k++) {
      ranks[k] = (Ending){.said = cases[i].ranks[k], .hub = hub, .rank = k};
      ck_assert_int_eq(pthread_create(&threads[k], NULL, end_rank, &ranks[k]), 0);
    }
    for (int k = 0; k < ENDING_RANKS; k++) pthread_join(threads[k], NULL);
    ck_assert_str_eq(ranks[0].heard, cases[i].heard);
    for (int k = 1; k < ENDING_RANKS; k++) ck_assert_str_eq(ranks[k].heard, "");
    prt__hub_free(hub);
  }
}
END_TEST

// ---- a search for the end -----------------------------------------------------------------------
static void answer(prt_ranks *r, int32_t from, int64_t wave, int64_t sent) {
  struct {
    prt_message message;
    prt_idle_packet packet;
  } it = {.message = {.bytes = sizeof it.packet, .from = from}};
  it.packet = (prt_idle_packet){.wave = wave, .sent = sent, .is_idle = 1};
  it.packet.head.kind = PACKET_ANSWER;
  prt__idle_packet(r, &it.message);
}

// What was so before all had been asked says nothing of the time when they were.
START_TEST(an_answer_to_an_earlier_question_does_not_count) {
  prt_other others[3] = {{0}};
  prt_ranks r = {.ranks = 3, .others = others, .is_probing = true, .wave = 2};
  answer(&r, 1, 1, 0);
  ck_assert(!others[1].has_answered);
  answer(&r, 2, 1, 5); // nor what was different then
  ck_assert(r.is_probing && !others[2].has_answered && !others[2].sent);
  answer(&r, 1, 2, 0);
  ck_assert(r.is_probing && others[1].has_answered);
  answer(&r, 2, 2, 5);
  ck_assert(!r.is_probing && others[2].sent == 5);
}
END_TEST

START_TEST(ranks_with_different_seeds_are_refused) {
  make_ring(4, 1, 1);
  ScriptWorld w = {.cores = 1, .devices = 4, .script = stored};
  Rank out[MOST_RANKS];
  prepare(out, &w, 1);
  out[0].seed = 1;
  out[1].seed = 2;
  run_job(out, 2, 0, -1);
  for (int i = 0; i < 2; i++)
    ck_assert_ptr_nonnull(strstr(out[i].message, "runs another program than rank"));
}
END_TEST

START_TEST(a_seeded_rank_does_not_wait_for_one_that_is_gone) {
  make_ring(4, 1, 1);
  ScriptWorld w = {.cores = 1, .devices = 4, .script = stored};
  Rank out[MOST_RANKS];
  prepare(out, &w, 2);
  out[0].seed = out[1].seed = 1;
  out[1].runs = 1;
  run_job(out, 2, 3, -1);
  ck_assert_int_eq(out[1].status, PRT_OK);
  ck_assert_str_eq(out[0].message,
                   "script: the program of rank 1 has ended, and others wait for its devices");
}
END_TEST

int main(void) {
  Suite *suite = suite_create("ranks");
  TCase *tests = tcase_create("ranks");
  tcase_set_timeout(tests, 60);
  tcase_add_loop_test(tests, a_ring_goes_round_the_ranks, 0, DRAWS);
  tcase_add_loop_test(tests, devices_of_all_ranks_meet, 0, DRAWS);
  tcase_add_loop_test(tests, copies_find_their_places, 0, DRAWS);
  tcase_add_loop_test(tests, blocks_go_from_place_to_place, 0, DRAWS);
  tcase_add_loop_test(tests, copies_of_several_ranks_are_kept_apart, 0, MOST_RANKS);
  tcase_add_loop_test(tests, a_rank_that_vanishes_takes_its_blocks_along, 0, DRAWS);
  tcase_add_loop_test(tests, a_deadlock_is_reported_once_as_by_one_process, 0, DRAWS);
  tcase_add_test(tests, who_waits_in_a_later_launch_is_counted);
  tcase_add_loop_test(tests, a_failure_ends_the_call_on_all_ranks, 0, DRAWS);
  tcase_add_loop_test(tests, a_rank_that_vanishes_ends_the_job, 0, DRAWS);
  tcase_add_test(tests, a_mesh_that_the_ranks_do_not_divide_is_refused);
  tcase_add_test(tests, one_device_is_run_by_each_rank);
  tcase_add_test(tests, ranks_with_different_programs_are_refused);
  tcase_add_test(tests, ranks_with_different_functions_are_refused);
  tcase_add_test(tests, a_rank_whose_program_ends_early_is_named);
  tcase_add_test(tests, seeded_ranks_run_what_one_process_runs);
  tcase_add_test(tests, seeded_ranks_see_copies_when_one_process_does);
  tcase_add_test(tests, endings_that_differ_are_reported);
  tcase_add_test(tests, an_answer_to_an_earlier_question_does_not_count);
  tcase_add_test(tests, ranks_with_different_seeds_are_refused);
  tcase_add_test(tests, a_seeded_rank_does_not_wait_for_one_that_is_gone);
  suite_add_tcase(suite, tests);
  return suite_run(suite);
}
