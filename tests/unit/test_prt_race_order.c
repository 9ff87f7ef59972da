// SPDX-License-Identifier: Apache-2.0
// What is before what: each edge of the relation (docs/check.md) alone, and drawn traces against
// the rule carried out on a plain table of all pairs.
#include <check.h>
#include "race_draw.h"
#include "suite.h"

enum { DRAWN = 3000, STEPS = 40 };

static prt_machine *machine;

// ---- traces from text ---------------------------------------------------------------------------
// A list of `AGENT WORD NUMBERS`, with `;` between, in the order of the run:
//   touch                  an access, numbered from 0
//   launch                 numbered from 0; start L, end L, join L: of launch L
//   signal SEM UNITS       wait SEM UNITS, poll SEM UNITS (which takes none off)
//   copy TO SEM UNITS      numbered from 0, and local; with SEM UNITS behind it: a copy to another
//                          core whose source signals that one
//   sum UNITS WEIGHT SEM WEIGHT SEM   a poll of the sum of two counts, each times its weight
//   points SIDE SEM SEM POINTS  a poll of a condition of two counts that holds at up to three
//   points:
//                          a point is the first count, and SIDE times the second
//   meet M, met M
//   atomic PLACE           look PLACE: one whose result is looked at
static void trace_step(Trace *t, const char *text) {
  char word[16];
  int agent, n[6] = {0},
             count = sscanf(text, "%d %15[a-z] %d %d %d %d %d %d", &agent, word, &n[0], &n[1],
                            &n[2], &n[3], &n[4], &n[5]);
  ck_assert_msg(count >= 2, "%s", text);
#define IS(name) (strcmp(word, name) == 0)
  if (IS("touch"))
    trace_access(t, agent, PRT_NO_COPY, PRT_WRITE, 0, 1);
  else if (IS("launch"))
    trace_launch(t, agent);
  else if (IS("start"))
    trace_add(t, agent, RACE_START, t->launches[n[0]]);
  else if (IS("end"))
    trace_add(t, agent, RACE_END, t->launches[n[0]]);
  else if (IS("join"))
    trace_add(t, agent, RACE_JOIN, t->launches[n[0]]);
  else if (IS("signal"))
    trace_semaphore(t, agent, RACE_SIGNAL, n[0], n[1], false);
  else if (IS("wait"))
    trace_semaphore(t, agent, RACE_WAIT, n[0], n[1], false);
  else if (IS("poll"))
    trace_semaphore(t, agent, RACE_WAIT, n[0], n[1], true);
  else if (IS("sum"))
    trace_sum(t, agent, n[0], (prt_race_term[]){{n[1], n[2]}, {n[3], n[4]}}, 2);
  else if (IS("points"))
    trace_points(t, agent, n[0], &n[1], &n[3], count - 5);
  else if (IS("meet"))
    trace_meet(t, agent, n[0]);
  else if (IS("met"))
    trace_add(t, agent, RACE_MET, n[0]);
  else if (IS("atomic"))
    trace_atomic(t, agent, n[0], false);
  else if (IS("look"))
    trace_atomic(t, agent, n[0], true);
  else if (IS("copy"))
    trace_copy(t, agent,
               (prt_race_copy){.to = n[0],
                               .received = n[1],
                               .received_units = n[2],
                               .sent = count > 5 ? n[3] : -1,
                               .sent_units = count > 5 ? n[4] : 0},
               0, 0, 0);
  else
    ck_abort_msg("%s", text);
#undef IS
}

static void trace_read(Trace *t, const char *text) {
  trace_init(t, machine);
  for (const char *step = text; step; step = strchr(step, ';')) {
    step += *step == ';';
    trace_step(t, step);
  }
}

// ---- what was found -----------------------------------------------------------------------------
// The clock of the agent at each access, and what is known of copies at the last one.
typedef struct Seen {
  prt_race *race;
  prt_clock *clocks[2 * TRACE_MOST];
  prt_race_copy copies[TRACE_MOST];
} Seen;

static bool see(void *data, prt_race_access *access, prt_clock *clock) {
  Seen *seen = data;
  for (int i = 0; i < seen->race->copies.count; i++) seen->copies[i] = seen->race->copies.items[i];
  seen->clocks[access - seen->race->accesses.items] = prt__clock_share(clock);
  return true;
}

// `is_brief`: as the first pass finds it.
static void find_order(Trace *t, Seen *seen, bool is_brief) {
  *seen = (Seen){.race = t->race};
  prt_race_visitor visitor = {.visit = see, .data = seen};
  prt__race_order(t->race, is_brief ? &visitor : NULL, &visitor);
  ck_assert(!t->race->failed);
}

static void forget_order(Seen *seen) {
  for (int i = 0; i < 2 * TRACE_MOST; i++) prt__clock_drop(&seen->race->clocks, seen->clocks[i]);
}

// Whether the access is behind event number `at` of the agent.
static bool is_behind(const Seen *seen, int access, int32_t agent, int32_t at) {
  const prt_race_access *later = &seen->race->accesses.items[access];
  if (agent < 0) return false;
  if (agent == later->agent) return later->at > at;
  return prt__clock_epoch(seen->clocks[access], (uint32_t)agent) > (uint32_t)at;
}

// Whether what the letter says of number `which` is over before the access: `t` an access, `w` the
// target of a copy, `r` its source, as far as it is known by the end that reads it.
static bool is_over(const Seen *seen, char letter, int which, int access) {
  if (letter == 't') {
    const prt_race_access *earlier = &seen->race->accesses.items[which];
    return earlier->agent == seen->race->accesses.items[access].agent
               ? which < access
               : is_behind(seen, access, earlier->agent, earlier->at);
  }
  const prt_race_copy *copy = &seen->copies[which];
  const prt_race_point *point = letter == 'w' ? &copy->received_by : &copy->sent_by;
  return is_behind(seen, access, point->agent, point->at);
}

// `wanted`: "t0<t1 w0|t1": the first is over before the access behind `<`, and need not be before
// the one behind `|`.
static void expect_of(const char *trace, const char *wanted, bool is_brief) {
  Trace t;
  Seen seen;
  trace_read(&t, trace);
  find_order(&t, &seen, is_brief);
  for (const char *at = wanted; at; at = strchr(at, ' ')) {
    char letter, relation;
    int which, access;
    at += *at == ' ';
    ck_assert_msg(sscanf(at, "%c%d%ct%d", &letter, &which, &relation, &access) == 4, "%s", at);
    ck_assert_msg(is_over(&seen, letter, which, access) == (relation == '<'),
                  "%s\nis not so: %.5s (of %s)", trace, at, wanted);
  }
  forget_order(&seen);
  trace_fini(&t);
}

static void expect(const char *trace, const char *wanted) { expect_of(trace, wanted, false); }

// ---- edge by edge -------------------------------------------------------------------------------
START_TEST(an_agent_goes_on_in_its_order) {
  expect("0 touch; 0 signal 0 1; 0 touch; 1 touch", "t0<t1 t0|t2 t1|t2");
}
END_TEST

START_TEST(a_launch_is_before_its_agents) {
  expect("0 touch; 0 launch; 1 start 0; 1 touch; 2 start 0; 2 touch; 0 touch",
         "t0<t1 t0<t2 t1|t2 t1|t3");
  // What starts without that launch knows nothing of it.
  expect("0 touch; 0 launch; 1 start 0; 2 touch", "t0|t1");
  expect("3 touch; 3 signal 0 1; 0 wait 0 1; 0 launch; 1 start 0; 1 touch", "t0<t1");
}
END_TEST

START_TEST(the_ends_of_agents_are_before_the_join) {
  const char *two = "0 launch; 1 start 0; 2 start 0; 1 touch; 1 end 0; 2 touch; 2 end 0; 0 touch; "
                    "0 join 0; 0 touch; 1 touch";
  expect(two, "t0<t3 t1<t3 t0|t2 t1|t2 t0|t1 t3|t4");
  // Of that launch alone.
  expect("0 launch; 1 start 0; 0 launch; 2 start 1; 1 touch; 1 end 0; 2 touch; 2 end 1; 0 join 1; "
         "0 touch; 0 join 0; 0 touch",
         "t0|t2 t1<t2 t0<t3 t1<t3");
  // What an agent has heard of before its end is handed on.
  expect("3 touch; 3 signal 0 1; 0 launch; 1 start 0; 1 wait 0 1; 1 end 0; 0 join 0; 0 touch",
         "t0<t1");
}
END_TEST

START_TEST(all_that_came_is_before_the_end_of_a_meeting) {
  expect("0 touch; 0 meet 0; 1 touch; 1 meet 0; 1 met 0; 1 touch; 0 met 0; 0 touch",
         "t0<t2 t1<t3 t0|t1 t2|t3");
  // The second meeting is another one.
  expect("0 meet 0; 1 meet 0; 0 met 0; 1 met 0; 0 touch; 0 meet 1; 1 touch; 1 meet 1; 1 met 1; "
         "1 touch",
         "t0|t1 t0<t2");
  expect("3 touch; 3 signal 0 1; 0 wait 0 1; 0 meet 0; 1 meet 0; 1 met 0; 1 touch", "t0<t1");
}
END_TEST

START_TEST(a_signal_is_before_the_wait_that_needs_it) {
  expect("0 touch; 0 signal 0 1; 0 touch; 1 touch; 1 wait 0 1; 1 touch", "t0<t3 t1|t3 t0|t2");
  // Over a third agent.
  expect("0 touch; 0 signal 0 1; 1 wait 0 1; 1 signal 1 1; 2 wait 1 1; 2 touch", "t0<t1");
  // Another semaphore says nothing.
  expect("0 touch; 0 signal 0 1; 0 signal 1 1; 1 wait 1 1; 1 touch; 2 wait 0 1; 2 touch",
         "t0<t1 t0<t2 t1|t2");
}
END_TEST

START_TEST(a_copy_begins_behind_its_agent_and_ends_before_its_waits) {
  // What starts a copy is before all that waits for it.
  expect("0 touch; 0 copy 0 0 8; 0 touch; 1 touch; 1 wait 0 8; 1 touch", "t0<t3 t1|t3 w0<t3 w0|t2");
  // The source, by the semaphore of the sender; the target, by that of the receiver.
  expect("0 copy 1 0 8 1 8; 0 touch; 0 wait 1 8; 0 touch", "r0<t1 w0|t1 r0|t0");
  expect("0 copy 1 0 8 1 8; 1 touch; 1 wait 0 8; 1 touch; 2 touch", "w0<t1 r0|t1 w0|t0 w0|t2");
  expect("3 touch; 3 signal 2 1; 0 wait 2 1; 0 copy 1 0 8 1 8; 1 wait 0 8; 1 touch", "t0<t1");
  expect("0 touch; 0 copy 1 0 8 1 8; 2 wait 1 8; 2 touch", "t0<t1 r0<t1 w0|t1");
  // For less than all of its units no more than its start is before.
  expect("0 touch; 0 copy 1 0 8 1 8; 1 wait 0 7; 0 wait 1 7; 0 touch; 1 touch; 1 wait 0 1; 1 touch",
         "t0<t2 w0|t2 r0|t1 r0|t2 w0<t3");
  expect("0 copy 1 0 8 1 8; 0 copy 1 0 8 1 8; 1 wait 0 8; 0 wait 1 8; 0 touch; 1 touch",
         "w0<t1 w1|t1 r0|t0 r1|t0");
}
END_TEST

START_TEST(atomics_whose_result_is_looked_at_come_after_all_before) {
  expect("0 touch; 0 atomic 0; 1 touch; 1 look 0; 1 touch", "t0<t2 t0|t1");
  expect("0 touch; 0 look 0; 1 look 0; 1 touch; 2 atomic 0; 2 touch", "t0<t1 t0<t2 t1|t2");
  expect("0 touch; 0 atomic 0; 1 atomic 0; 1 touch", "t0|t1");
  expect("0 touch; 0 atomic 0; 1 look 0; 2 atomic 0; 2 touch", "t0<t1");
  expect("0 touch; 0 atomic 0; 1 look 1; 1 touch", "t0|t1"); // another place
  expect("3 touch; 3 signal 0 1; 0 wait 0 1; 0 atomic 0; 1 look 0; 1 touch", "t0<t1");
}
END_TEST

START_TEST(a_poll_is_a_wait_that_takes_nothing) {
  expect("0 touch; 0 signal 0 1; 1 poll 0 1; 1 touch; 1 wait 0 1; 1 touch", "t0<t1 t0<t2");
  // Units that a poll saw are there for the next wait as well: it needs no others.
  expect("0 touch; 0 signal 0 1; 1 poll 0 1; 2 touch; 2 signal 0 1; 1 wait 0 1; 1 touch",
         "t0|t2 t1|t2");
  expect(
      "0 touch; 0 signal 0 1; 1 poll 0 1; 1 wait 0 1; 2 touch; 2 signal 0 1; 1 poll 0 1; 1 touch",
      "t0<t2 t1<t2");
  // Two of two, then one of them.
  expect("0 touch; 0 signal 0 1; 2 touch; 2 signal 0 1; 1 poll 0 2; 1 touch", "t0<t2 t1<t2");
  expect("0 touch; 0 signal 0 1; 2 touch; 2 signal 0 1; 1 poll 0 1; 1 touch", "t0|t2 t1|t2");
}
END_TEST

// ---- the ends of copies -------------------------------------------------------------------------
enum { SOURCE, TARGET, OTHER };

// How many pairs of places the clocks leave open, and whether the one there is, if any, is a race:
// a copy from core 0 to core 1, a wait for one of its semaphores, and a write.
static void expect_open(int waits, int32_t units, int32_t word, int wanted) {
  Trace t;
  trace_init(&t, machine);
  prt_race_copy copy = {.to = 1, .received = 1, .received_units = 8, .sent = 0, .sent_units = 8};
  trace_copy(&t, 0, copy, SOURCE, TARGET, 1);
  trace_semaphore(&t, waits, RACE_WAIT, waits, units, false);
  trace_access(&t, waits, PRT_NO_COPY, PRT_WRITE, word, 1);
  prt__race_find(t.race);
  ck_assert_int_eq(t.race->pairs.count, wanted);
  for (int i = 0; i < wanted; i++) ck_assert(t.race->pairs.items[i].is_race);
  trace_fini(&t);
}

START_TEST(what_has_arrived_has_been_read) {
  expect_open(1, 8, TARGET, 0);
  expect_open(1, 8, SOURCE, 0);
  expect_open(0, 8, SOURCE, 0);
  expect_open(0, 8, TARGET, 1); // read, and not yet there
  expect_open(0, 8, OTHER, 0);
}
END_TEST

// A second copy to the same place is started at once.
static int64_t pairs_of_two(int32_t first_to, int32_t second_from, int32_t second_to,
                            int32_t word) {
  Trace t;
  trace_init(&t, machine);
  prt_race_copy copy = {
      .to = first_to, .received = 1, .received_units = 8, .sent = 0, .sent_units = 8};
  trace_copy(&t, 0, copy, SOURCE, TARGET, 1);
  copy.to = second_to;
  trace_copy(&t, second_from, copy, OTHER, word, 1);
  prt__race_find(t.race);
  int64_t pairs = t.race->pairs.count;
  trace_fini(&t);
  return pairs;
}

START_TEST(arrivals_on_one_way_do_not_race) {
  ck_assert_int_eq(pairs_of_two(1, 0, 1, TARGET), 0);
  ck_assert_int_eq(pairs_of_two(1, 2, 1, TARGET), 1); // from another core
  ck_assert_int_eq(pairs_of_two(1, 0, 2, TARGET), 1); // to another core
  ck_assert_int_eq(pairs_of_two(1, 0, 1, SOURCE), 1); // over what the first may still read
}
END_TEST

// Whether two agents of meshes of that size, on these devices and cores, are one core.
static bool are_one_core(int32_t device, int32_t core, prt_core_kind kind, int64_t last) {
  int64_t sizes[] = {2, 2}, others[] = {2, last};
  prt_program a = {.kind = PRT_VECTOR_SUBCORE, .rank = 2, .sizes = sizes};
  prt_program b = {.kind = kind, .rank = 2, .sizes = others};
  prt_race_agent agents[] = {{.program = &a, .core = 2, .device = 1},
                             {.program = &b, .core = core, .device = device}};
  prt_race race = {.agents.items = agents, .agents.count = 2};
  return prt__race_is_one_core(&race, 0, 1);
}

START_TEST(launches_have_cores_in_common) {
  ck_assert(are_one_core(1, 2, PRT_VECTOR_SUBCORE, 2));
  ck_assert(!are_one_core(0, 2, PRT_VECTOR_SUBCORE, 2));
  ck_assert(!are_one_core(1, 1, PRT_VECTOR_SUBCORE, 2));
  ck_assert(!are_one_core(1, 2, PRT_TENSOR_CORE, 2));
  ck_assert(!are_one_core(1, 2, PRT_VECTOR_SUBCORE, 4)); // number 2 is of another core there
}
END_TEST

// How many conflicts are found of a later access by another agent with two by agent 0, at one place
// or at two.
static int64_t conflicts(int hows, int32_t first, int32_t first_words, int32_t second,
                         int32_t second_words, bool at_one_place, int how) {
  Trace t;
  trace_init(&t, machine);
  trace_access(&t, 0, PRT_NO_COPY, hows & 15, first, first_words);
  const prt_site *site = t.race->accesses.items[0].site;
  prt_race_access *access = trace_access(&t, 0, PRT_NO_COPY, hows >> 4, second, second_words);
  if (at_one_place) access->site = site;
  trace_access(&t, 1, PRT_NO_COPY, how, 0, 1);
  prt__race_find(t.race);
  int64_t count = 0;
  for (int i = 0; i < t.race->pairs.count; i++) count += t.race->pairs.items[i].count;
  trace_fini(&t);
  return count;
}

START_TEST(an_access_stands_for_those_it_covers) {
  enum { WRITES = PRT_WRITE | PRT_WRITE << 4, READS = PRT_READ | PRT_READ << 4 };
  ck_assert_int_eq(conflicts(WRITES, 0, 1, 0, 1, true, PRT_READ), 1);
  ck_assert_int_eq(conflicts(WRITES, 0, 1, 0, 3, true, PRT_READ), 1);
  ck_assert_int_eq(conflicts(READS, 0, 2, 0, 2, true, PRT_WRITE), 1);
  ck_assert_int_eq(conflicts(WRITES, 0, 1, 0, 1, false, PRT_READ), 2); // each place is reported
  ck_assert_int_eq(conflicts(WRITES, 0, 2, 1, 2, true, PRT_READ), 1);  // that meets the first alone
  ck_assert_int_eq(conflicts(WRITES, 0, 3, 0, 1, true, PRT_READ), 2);  // which is the larger one
  ck_assert_int_eq(conflicts(PRT_WRITE | PRT_READ << 4, 0, 1, 0, 1, true, PRT_READ), 1);
  ck_assert_int_eq(conflicts(PRT_READ | PRT_WRITE << 4, 0, 1, 0, 1, true, PRT_WRITE), 2);
  ck_assert_int_eq(conflicts(PRT_CHANGE | PRT_CHANGE << 4, 0, 1, 0, 1, true, PRT_CHANGE), 0);
}
END_TEST

// ---- counters -----------------------------------------------------------------------------------
START_TEST(a_wait_knows_what_it_cannot_do_without) {
  // Of two units either may have come first, whoever did.
  expect("0 touch; 0 signal 0 1; 1 touch; 1 signal 0 1; 2 wait 0 1; 2 touch; 2 wait 0 1; 2 touch",
         "t0|t2 t1|t2 t0<t3 t1<t3");
  expect("0 touch; 0 signal 0 2; 1 touch; 1 signal 0 2; 2 wait 0 3; 2 touch", "t0<t2 t1<t2");
  expect("0 touch; 0 signal 0 2; 1 touch; 1 signal 0 3; 2 wait 0 3; 2 touch", "t0|t2 t1<t2");
  // One agent's signals come in its order, so the first is known of before the second is.
  expect("0 touch; 0 signal 0 1; 0 touch; 0 signal 0 1; 1 wait 0 1; 1 touch; 1 wait 0 1; 1 touch",
         "t0<t2 t1|t2 t1<t3");
  // Without its first signal the agent's second is missing as well.
  expect("0 touch; 0 signal 0 1; 0 signal 0 3; 1 touch; 1 signal 0 2; 2 wait 0 4; 2 touch",
         "t0<t2 t1|t2");
}
END_TEST

START_TEST(a_sum_of_counts_needs_what_the_others_cannot_come_to) {
  const char *one_each = "0 touch; 0 signal 0 1; 2 touch; 2 signal 1 1; ";
  const struct {
    const char *sum, *wanted;
  } cases[] = {
      {"2 1 0 1 1", "t0<t2 t1<t2"},                               // all there is of both
      {"1 1 0 1 1", "t0|t2 t1|t2"},                               // either of them is enough
      {"3 2 0 1 1", "t0<t2 t1<t2"}, {"2 2 0 1 1", "t0<t2 t1|t2"}, // the other one alone comes to 1
      {"2 1 0 2 1", "t0|t2 t1<t2"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char trace[256];
    snprintf(trace, sizeof trace, "%s1 sum %s; 1 touch", one_each, cases[i].sum);
    expect(trace, cases[i].wanted);
    expect_of(trace, cases[i].wanted, true);
  }
  // A weight says how many units of a semaphore stand for what is missing.
  expect("0 touch; 0 signal 0 1; 3 touch; 3 signal 0 1; 2 signal 1 1; 1 sum 4 2 0 1 1; 1 touch",
         "t0<t2 t1<t2");
  expect("0 touch; 0 signal 0 1; 3 touch; 3 signal 0 1; 2 signal 1 1; 1 sum 3 2 0 1 1; 1 touch",
         "t0|t2 t1|t2");
  // What answers it counts for nothing, which one pass finds out of the next sum after the other.
  expect("6 touch; 6 signal 5 1; 7 touch; 7 signal 5 1; 4 sum 2 1 5 1 6; 4 touch; 4 signal 3 1; "
         "5 signal 3 1; 2 sum 2 1 3 1 4; 2 touch; 2 signal 0 1; 2 signal 6 2; 0 signal 0 1; "
         "1 sum 2 1 0 1 1; 1 touch; 1 signal 2 1; 1 signal 4 2; 3 wait 2 1; 3 signal 1 2",
         "t3<t4 t2<t3 t0<t2 t1<t2");
}
END_TEST

START_TEST(a_condition_needs_the_least_of_its_points) {
  const char *one_each = "0 touch; 0 signal 0 1; 2 touch; 2 signal 1 1; ";
  const struct {
    const char *points, *wanted;
  } cases[] = {
      {"2 0 1 3", "t0<t2 t1<t2"},     // one of each
      {"2 0 1 1 3", "t0<t2 t1|t2"},   // of the first, whatever there is of the second
      {"2 0 1 2 3", "t0|t2 t1<t2"},   // and the other way round
      {"2 0 1 1 2 3", "t0|t2 t1|t2"}, // of any of them
      {"3 0 1 2 4", "t0<t2 t1<t2"},   // of the first there are no two, so one of each
      {"3 0 1 6 4", "t0<t2 t1<t2"},   // nor of the second
      {"1 0 1", "t0|t2 t1|t2"},       // there may be more than was asked for
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char trace[256];
    snprintf(trace, sizeof trace, "%s1 points %s; 1 touch", one_each, cases[i].points);
    expect(trace, cases[i].wanted);
  }
}
END_TEST

START_TEST(what_answers_a_wait_is_not_there_for_it) {
  // The second signal is sent after an answer to the first.
  expect("0 touch; 0 signal 0 1; 1 wait 0 1; 1 touch; 1 signal 1 1; 0 wait 1 1; 0 signal 0 1; "
         "1 wait 0 1; 1 touch",
         "t0<t1 t0<t2");
  // A signal of someone else, who may come at any time, is.
  expect("0 touch; 0 signal 0 1; 1 wait 0 1; 1 touch; 1 signal 1 1; 2 signal 0 1; 1 wait 0 1; "
         "1 touch",
         "t0|t1 t0<t2");
  // One's own later signals are not there either, those before are.
  expect("0 touch; 0 signal 0 1; 1 wait 0 1; 1 touch; 1 signal 0 1", "t0<t1");
  expect("1 signal 0 1; 0 touch; 0 signal 0 1; 1 wait 0 1; 1 touch", "t0|t1");
}
END_TEST

START_TEST(what_others_took_before_is_gone) {
  // Agent 1 takes a unit, then lets agent 2 go on: two are needed then.
  expect("0 touch; 0 signal 0 1; 3 touch; 3 signal 0 1; 1 wait 0 1; 1 signal 1 1; 2 wait 1 1; "
         "2 wait 0 1; 2 touch",
         "t0<t2 t1<t2");
  expect("0 touch; 0 signal 0 1; 3 touch; 3 signal 0 1; 1 wait 0 1; 2 wait 0 1; 2 touch",
         "t0|t2 t1|t2");
  // A poll takes none.
  expect("0 touch; 0 signal 0 1; 3 touch; 3 signal 0 1; 1 poll 0 1; 1 signal 1 1; 2 wait 1 1; "
         "2 wait 0 1; 2 touch",
         "t0|t2 t1|t2");
}
END_TEST

START_TEST(copies_arrive_in_order_from_one_core_to_another) {
  // Of two equal copies the first, if they go to another core; neither, if they do not.
  expect("0 copy 1 0 8 1 8; 0 copy 1 0 8 1 8; 1 wait 0 8; 1 touch", "w0<t0 w1|t0");
  expect("0 copy 0 0 8; 0 copy 0 0 8; 0 wait 0 8; 0 touch; 0 wait 0 8; 0 touch",
         "w0|t0 w1|t0 w0<t1 w1<t1");
  expect("0 copy 1 0 8 1 8; 2 copy 1 0 8 1 8; 1 wait 0 8; 1 touch; 1 wait 0 8; 1 touch",
         "w0|t0 w1|t0 w0<t1 w1<t1");
  // Sources are read in any order.
  expect("0 copy 1 0 8 1 8; 0 copy 1 0 8 1 8; 0 wait 1 8; 0 touch; 0 wait 1 8; 0 touch",
         "r0|t0 r1|t0 r0<t1 r1<t1");
  // The bytes of both at once.
  expect("0 copy 0 0 8; 0 copy 0 0 8; 0 wait 0 16; 0 touch", "w0<t0 w1<t0");
  expect("0 copy 0 0 4; 0 copy 0 0 8; 0 wait 0 8; 0 touch", "w0|t0 w1|t0");
  // All of the first one, and a part of the second one.
  expect("0 copy 1 0 8 1 8; 0 copy 1 0 8 1 8; 1 wait 0 12; 1 touch", "w0<t0 w1|t0");
}
END_TEST

START_TEST(what_a_later_pass_finds_helps_an_earlier_wait) {
  // That agent 2's signal comes after the first wait of agent 1 is known once the chain from there
  // over semaphores 1 and 2 is: it stands before its links in the run.
  expect("0 touch; 0 signal 0 1; 1 wait 0 1; 1 touch; 1 signal 1 1; 3 wait 1 1; 3 signal 2 1; "
         "2 wait 2 1; 2 signal 0 1; 1 wait 0 1; 1 touch",
         "t0<t1 t0<t2");
}
END_TEST

// Whether another schedule may do something else: if accesses that conflict are not ordered.
static void expect_depends(const char *trace, bool wanted) {
  Trace t;
  trace_read(&t, trace);
  prt__race_find(t.race);
  ck_assert_msg(t.race->depends == wanted, "%s", trace);
  trace_fini(&t);
}

START_TEST(what_is_ordered_is_settled) {
  expect_depends("0 touch; 0 signal 0 1; 1 wait 0 1; 1 touch", false);
  expect_depends("0 touch; 1 touch", true);
  // Two that are not ordered with each other, though both with a third one.
  expect_depends("0 touch; 0 signal 0 1; 2 touch; 2 signal 0 1; 1 wait 0 2; 1 touch", true);
  // That the first pass does not find it yet makes no difference.
  expect_depends("0 touch; 0 signal 0 1; 1 wait 0 1; 1 touch; 1 signal 1 1; 3 wait 1 1; "
                 "3 signal 2 1; 2 wait 2 1; 2 signal 0 1; 1 wait 0 1; 1 touch",
                 false);
}
END_TEST

// ---- runs that are tried one after the other ----------------------------------------------------
// Whether the first two accesses can be under way at once.
static void expect_meet(const char *trace, bool wanted) {
  Trace t;
  trace_read(&t, trace);
  const prt_race_access *accesses = t.race->accesses.items;
  ck_assert_msg(prt__race_can_meet(t.race, &accesses[0], &accesses[1]) == wanted, "%s", trace);
  trace_fini(&t);
}

// Where several take from one semaphore who comes first decides; each run begins anew.
START_TEST(each_run_begins_anew) {
  // One unit while agent 3 is at its access: it is needed to launch agent 1, and by that.
  expect_meet("2 signal 0 1; 0 wait 0 1; 0 launch; 3 touch; 3 signal 0 1; 1 start 0; 1 wait 0 1; "
              "1 touch",
              false);
  // Agent 4 must be the one who gets it, and end.
  expect_meet("3 signal 0 1; 0 launch; 4 start 0; 4 wait 0 1; 4 end 0; 0 join 0; 0 touch; 2 touch; "
              "2 signal 0 1; 1 wait 0 1",
              true);
  // The same over a meeting, and over an atomic operation.
  expect_meet("3 signal 0 1; 4 wait 0 1; 4 meet 0; 0 meet 0; 0 met 0; 4 met 0; 0 touch; 2 touch; "
              "2 signal 0 1; 1 wait 0 1",
              true);
  expect_meet("3 signal 0 1; 4 wait 0 1; 4 atomic 0; 0 look 0; 0 touch; 2 touch; 2 signal 0 1; "
              "1 wait 0 1",
              true);
}
END_TEST

// ---- the rule on a table of all pairs -----------------------------------------------------------
// Bit e of before[f]: event e is
// before event f.
typedef struct Table {
  prt_race *race;
  uint64_t before[64];
} Table;

static const prt_race_event *event_at(const Table *table, int number) {
  return &table->race->events.items[number];
}

static uint64_t with_all_before(const Table *table, int number) {
  return table->before[number] | UINT64_C(1) << number;
}

// What the agent knows behind its first `at` events.
static uint64_t known_at(const Table *table, int32_t agent, int32_t at) {
  uint64_t known = 0;
  for (int e = 0; e < table->race->events.count; e++)
    if (event_at(table, e)->agent == agent && event_at(table, e)->at < at)
      known |= with_all_before(table, e);
  return known;
}

// What an event brings a semaphore: as a signal, or as a copy by one of its ends.
typedef struct Brought {
  int64_t units;
  bool is_copy, is_arrival;
} Brought;

static Brought brought_by(const Table *table, int number, int32_t sem, bool is_sent) {
  const prt_race_event *event = event_at(table, number);
  if (event->kind == RACE_SIGNAL && event->with == sem && !is_sent)
    return (Brought){event->units, false, false};
  if (event->kind != RACE_COPY) return (Brought){0};
  const prt_race_copy *copy = &table->race->copies.items[event->with];
  if (is_sent) return (Brought){copy->sent == sem ? copy->sent_units : 0, true, false};
  return (Brought){copy->received == sem ? copy->received_units : 0, true, copy->sent >= 0};
}

// All that the agent's events from `from` on bring the semaphore and are not after the wait; of
// arrivals alone, or of everything.
static int64_t brought_from(const Table *table, int32_t agent, int from, int wait,
                            bool of_arrivals) {
  int64_t units = 0;
  for (int e = from; e < table->race->events.count; e++) {
    if (event_at(table, e)->agent != agent || table->before[e] >> wait & 1) continue;
    for (int is_sent = 0; is_sent < 2; is_sent++) {
      Brought b = brought_by(table, e, event_at(table, wait)->with, is_sent);
      if (!of_arrivals || b.is_arrival) units += b.units;
    }
  }
  return units;
}

// Ends whose wait is behind them, by copy: which event. -1: none.
static int ends[2][TRACE_MOST];

static uint64_t known_by_wait(const Table *table, int wait, uint64_t known) {
  const prt_race *race = table->race;
  const prt_race_event *event = event_at(table, wait);
  int64_t needed = event->units, available = 0;
  for (int e = 0; e < race->events.count; e++) {
    const prt_race_event *other = event_at(table, e);
    if (other->kind == RACE_WAIT && !other->keeps && other->with == event->with && known >> e & 1)
      needed += other->units;
  }
  for (int32_t a = 0; a < race->agents.count; a++)
    available += brought_from(table, a, 0, wait, false);
  int64_t spare = available > needed ? available - needed : 0;
  for (int i = 0; i < 2 * race->events.count; i++) {
    int e = i / 2;
    Brought b = brought_by(table, e, event->with, i % 2);
    if (!b.units || table->before[e] >> wait & 1 || e == wait) continue;
    int64_t missing = b.is_arrival || !b.is_copy
                          ? brought_from(table, event_at(table, e)->agent, e, wait, b.is_arrival)
                          : b.units;
    if (missing <= spare) continue;
    known |= with_all_before(table, e);
    if (b.is_copy && missing - b.units + 1 <= spare) continue; // its last unit is not needed
    int *end = b.is_copy ? &ends[i % 2][event_at(table, e)->with] : NULL;
    if (end && *end < 0) *end = wait;
  }
  return known;
}

static uint64_t known_by(const Table *table, int number) {
  const prt_race_event *event = event_at(table, number);
  uint64_t known = known_at(table, event->agent, event->at);
  if (event->kind == RACE_WAIT) return known_by_wait(table, number, known);
  if (event->kind == RACE_START) return known | with_all_before(table, event->with);
  for (int e = 0; e < table->race->events.count; e++) {
    const prt_race_event *other = event_at(table, e);
    bool is_edge =
        other->with == event->with && ((event->kind == RACE_JOIN && other->kind == RACE_END) ||
                                       (event->kind == RACE_MET && other->kind == RACE_MEET) ||
                                       (event->kind == RACE_ATOMIC && other->kind == RACE_ATOMIC &&
                                        e < number && (event->is_seen || other->is_seen)));
    if (is_edge) known |= with_all_before(table, e);
  }
  return known;
}

static void fill(Table *table) {
  bool changed = true;
  while (changed) {
    changed = false;
    memset(ends, -1, sizeof ends);
    for (int e = 0; e < table->race->events.count; e++) {
      uint64_t known = known_by(table, e);
      changed |= known != table->before[e];
      table->before[e] = known;
    }
  }
}

static void expect_point(const Table *table, prt_race_point point, int wait, uint32_t seed) {
  int32_t agent = wait < 0 ? -1 : event_at(table, wait)->agent;
  if (point.agent != agent) ck_abort_msg("seed %u: agent %d, not %d", seed, point.agent, agent);
  if (wait >= 0 && point.at != event_at(table, wait)->at) ck_abort_msg("seed %u", seed);
}

static void compare(const Table *table, const Seen *seen, uint32_t seed) {
  const prt_race *race = table->race;
  for (int i = 0; i < race->accesses.count; i++) {
    const prt_race_access *access = &race->accesses.items[i];
    uint64_t known = known_at(table, access->agent, access->at);
    for (int e = 0; e < race->events.count; e++) {
      const prt_race_event *event = event_at(table, e);
      bool is_before = is_behind(seen, i, event->agent, event->at);
      if (is_before != (known >> e & 1)) ck_abort_msg("seed %u: event %d, access %d", seed, e, i);
    }
  }
  for (int i = 0; i < race->copies.count; i++) {
    expect_point(table, seen->copies[i].received_by, ends[0][i], seed);
    expect_point(table, seen->copies[i].sent_by, ends[1][i], seed);
  }
}

// Of traces in which each semaphore is waited for by one agent.
START_TEST(drawn_traces_are_ordered_as_the_rule_says) {
  int64_t edges = 0;
  for (uint32_t seed = 1; seed <= DRAWN; seed++) {
    Trace t;
    Seen seen;
    trace_draw(&t, machine, seed, false, STEPS);
    Table table = {.race = t.race};
    ck_assert_int_le(t.race->events.count, 64);
    find_order(&t, &seen, false);
    fill(&table);
    compare(&table, &seen, seed);
    for (int i = 0; i < t.race->copies.count; i++) edges += ends[0][i] >= 0;
    forget_order(&seen);
    trace_fini(&t);
  }
  ck_assert_int_gt(edges, DRAWN / 10);
}
END_TEST

// ---- the first pass -----------------------------------------------------------------------------
// How many pairs of an event and an access of another agent are in order.
static int count_pairs(const Seen *seen) {
  const prt_race *race = seen->race;
  int pairs = 0;
  for (int i = 0; i < race->accesses.count; i++)
    for (int e = 0; e < race->events.count; e++) {
      const prt_race_event *event = &race->events.items[e];
      pairs += event->agent != race->accesses.items[i].agent &&
               is_behind(seen, i, event->agent, event->at);
    }
  return pairs;
}

// Nothing that is not so; and though it gives clocks back most of what there is: what it cannot
// know is which signals come after a wait by what is later in the run.
START_TEST(the_first_pass_finds_most_of_it) {
  int64_t brief_pairs = 0, pairs = 0;
  for (uint32_t seed = 1; seed <= DRAWN; seed++) {
    Trace t;
    Seen brief, seen;
    trace_draw(&t, machine, seed, false, STEPS);
    find_order(&t, &brief, true);
    find_order(&t, &seen, false);
    for (int i = 0; i < t.race->accesses.count; i++)
      for (int e = 0; e < t.race->events.count; e++) {
        const prt_race_event *event = &t.race->events.items[e];
        if (is_behind(&brief, i, event->agent, event->at))
          ck_assert(is_behind(&seen, i, event->agent, event->at));
      }
    brief_pairs += count_pairs(&brief);
    pairs += count_pairs(&seen);
    forget_order(&brief);
    forget_order(&seen);
    trace_fini(&t);
  }
  ck_assert_int_gt(brief_pairs, pairs * 9 / 10);
}
END_TEST

// What clocks need for two agents that answer each other so often.
static ptrdiff_t room_of_answers(int rounds) {
  Trace t;
  Seen seen;
  char text[2048] = "0 touch";
  for (int i = 0; i < rounds; i++)
    strcat(text, "; 0 signal 0 1; 1 wait 0 1; 1 signal 1 1; 0 wait 1 1");
  strcat(text, "; 1 touch");
  trace_read(&t, text);
  find_order(&t, &seen, true);
  ck_assert(is_over(&seen, 't', 0, 1));
  forget_order(&seen);
  const prt_race_room *room = &t.race->clocks.room;
  ptrdiff_t taken = room->next - (char *)room->chunks;
  trace_fini(&t);
  return taken;
}

START_TEST(the_first_pass_keeps_what_others_need) {
  // Agent 0 has seen that its source is sent; the copy's other end is still to be seen.
  expect_of("2 touch; 2 signal 2 1; 0 wait 2 1; 0 copy 1 0 8 1 8; 0 wait 1 8; 1 wait 0 8; 1 touch",
            "t0<t1", true);
  // Two take from one semaphore, where neither can do without the signal.
  expect_of("2 touch; 2 signal 2 1; 0 wait 2 1; 0 signal 0 2; 1 wait 0 1; 3 wait 0 1; 3 touch",
            "t0<t1", true);
}
END_TEST

START_TEST(the_first_pass_gives_clocks_back) {
  ck_assert_int_eq(room_of_answers(3), room_of_answers(12));
}
END_TEST

static void open_machine(void) { machine = trace_machine(); }
static void close_machine(void) { prt_machine_free(machine); }

int main(void) {
  Suite *suite = suite_create("race order");
  TCase *tests = tcase_create("order");
  tcase_add_checked_fixture(tests, open_machine, close_machine);
  tcase_set_timeout(tests, 120);
  tcase_add_test(tests, an_agent_goes_on_in_its_order);
  tcase_add_test(tests, a_launch_is_before_its_agents);
  tcase_add_test(tests, the_ends_of_agents_are_before_the_join);
  tcase_add_test(tests, all_that_came_is_before_the_end_of_a_meeting);
  tcase_add_test(tests, a_signal_is_before_the_wait_that_needs_it);
  tcase_add_test(tests, a_copy_begins_behind_its_agent_and_ends_before_its_waits);
  tcase_add_test(tests, atomics_whose_result_is_looked_at_come_after_all_before);
  tcase_add_test(tests, a_poll_is_a_wait_that_takes_nothing);
  tcase_add_test(tests, what_has_arrived_has_been_read);
  tcase_add_test(tests, arrivals_on_one_way_do_not_race);
  tcase_add_test(tests, launches_have_cores_in_common);
  tcase_add_test(tests, an_access_stands_for_those_it_covers);
  tcase_add_test(tests, a_wait_knows_what_it_cannot_do_without);
  tcase_add_test(tests, a_sum_of_counts_needs_what_the_others_cannot_come_to);
  tcase_add_test(tests, a_condition_needs_the_least_of_its_points);
  tcase_add_test(tests, what_answers_a_wait_is_not_there_for_it);
  tcase_add_test(tests, what_others_took_before_is_gone);
  tcase_add_test(tests, copies_arrive_in_order_from_one_core_to_another);
  tcase_add_test(tests, what_a_later_pass_finds_helps_an_earlier_wait);
  tcase_add_test(tests, what_is_ordered_is_settled);
  tcase_add_test(tests, each_run_begins_anew);
  tcase_add_test(tests, drawn_traces_are_ordered_as_the_rule_says);
  tcase_add_test(tests, the_first_pass_finds_most_of_it);
  tcase_add_test(tests, the_first_pass_keeps_what_others_need);
  tcase_add_test(tests, the_first_pass_gives_clocks_back);
  suite_add_tcase(suite, tests);
  return suite_run(suite);
}
