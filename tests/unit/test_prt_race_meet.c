// SPDX-License-Identifier: Apache-2.0
// Which accesses of drawn traces race, against all interleavings of them: the clocks say nothing
// that is not so in each of them, and what the search finds is what some of them show.
#include <check.h>
#include "race_draw.h"
#include "suite.h"

enum { DRAWN = 2000, STEPS = 32, MOST = 2 * TRACE_MOST };

static prt_machine *machine;

// ---- all interleavings --------------------------------------------------------------------------
// Where everybody is:
// how many events of each agent are over; of each copy, whether its source has been read and its
// target been written.
typedef struct State {
  int8_t at[TRACE_AGENTS], read[3], written[3];
} State;

typedef struct Search {
  const prt_race *race;
  int32_t events[TRACE_AGENTS][TRACE_EVENTS + 2]; // their numbers
  int depth;                                      // of the stack
  bool met[MOST][MOST];                           // both were under way at once
  bool late[MOST][MOST]; // the second had begun, or might have, when the first was not over
} Search;

enum { STATES = 7 * 7 * 7 * 7 * 64 };
static bool visited[STATES];
static State stack[STATES]; // to be gone on from

static bool has_run(const Search *s, const State *state, int32_t number) {
  const prt_race_event *event = &s->race->events.items[number];
  return event->at < state->at[event->agent];
}

// Whether those that were started before it and arrive in order have arrived.
static bool is_next(const Search *s, const State *state, int32_t number) {
  const prt_race_copy *copy = &s->race->copies.items[number];
  for (int32_t c = 0; c < number; c++)
    if (prt__race_arrive_in_order(s->race, &s->race->copies.items[c], copy) && !state->written[c])
      return false;
  return true;
}

// What has been signalled and not been taken; by an end of a copy that is under way, all but its
// last unit may have been.
static int64_t count_of(const Search *s, const State *state, int32_t sem) {
  const prt_race *race = s->race;
  int64_t count = 0;
  for (int32_t e = 0; e < race->events.count; e++) {
    const prt_race_event *event = &race->events.items[e];
    if (!has_run(s, state, e) || event->with != sem) continue;
    if (event->kind == RACE_SIGNAL) count += event->units;
    if (event->kind == RACE_WAIT && !event->keeps) count -= event->units;
  }
  for (int32_t c = 0; c < race->copies.count; c++) {
    const prt_race_copy *copy = &race->copies.items[c];
    if (!has_run(s, state, copy->event)) continue;
    if (copy->sent == sem) count += copy->sent_units - !state->read[c];
    if (copy->received == sem && is_next(s, state, c))
      count += copy->received_units - !state->written[c];
  }
  return count;
}

// Whether all events have run that the event must come after.
static bool is_enabled(const Search *s, const State *state, int32_t number) {
  const prt_race_event *event = &s->race->events.items[number];
  if (event->kind == RACE_START) return has_run(s, state, event->with);
  if (event->kind == RACE_WAIT) return count_of(s, state, event->with) >= event->units;
  for (int32_t e = 0; e < s->race->events.count; e++) {
    const prt_race_event *other = &s->race->events.items[e];
    bool is_needed =
        other->with == event->with && ((event->kind == RACE_JOIN && other->kind == RACE_END) ||
                                       (event->kind == RACE_MET && other->kind == RACE_MEET) ||
                                       (event->kind == RACE_ATOMIC && other->kind == RACE_ATOMIC &&
                                        e < number && (event->is_seen || other->is_seen)));
    if (is_needed && !has_run(s, state, e)) return false;
  }
  return true;
}

static bool may_be_written(const Search *s, const State *state, int32_t number) {
  return state->read[number] && !state->written[number] && is_next(s, state, number);
}

static bool has_begun(const Search *s, const State *state, const prt_race_access *a) {
  if (a->copy == PRT_NO_COPY) return state->at[a->agent] >= a->at;
  return has_run(s, state, s->race->copies.items[a->copy].event);
}

static bool is_over(const Search *s, const State *state, const prt_race_access *a) {
  (void)s;
  if (a->copy == PRT_NO_COPY) return state->at[a->agent] > a->at;
  return a->how == PRT_READ ? state->read[a->copy] : state->written[a->copy];
}

static void look_at(Search *s, const State *state) {
  const prt_race *race = s->race;
  for (int i = 0; i < race->accesses.count; i++) {
    const prt_race_access *a = &race->accesses.items[i];
    if (is_over(s, state, a)) continue;
    for (int k = 0; k < race->accesses.count; k++) {
      const prt_race_access *b = &race->accesses.items[k];
      if (!has_begun(s, state, b)) continue;
      s->late[i][k] = true;
      if (has_begun(s, state, a) && !is_over(s, state, b)) s->met[i][k] = true;
    }
  }
}

static size_t number_of(const Search *s, const State *state) {
  size_t number = 0;
  for (int32_t a = 0; a < s->race->agents.count; a++)
    number = number * (TRACE_EVENTS + 1) + (size_t)state->at[a];
  for (int32_t c = 0; c < 3; c++)
    number = number * 4 + (size_t)(state->read[c] + 2 * state->written[c]);
  return number;
}

static void go_to(Search *s, const State *state) {
  size_t number = number_of(s, state);
  if (visited[number]) return;
  visited[number] = true;
  stack[s->depth++] = *state;
}

static void go_on_from(Search *s, State state) {
  const prt_race *race = s->race;
  for (int32_t a = 0; a < race->agents.count; a++) {
    if (state.at[a] == race->agents.items[a].at) continue;
    if (!is_enabled(s, &state, s->events[a][state.at[a]])) continue;
    State next = state;
    next.at[a]++;
    go_to(s, &next);
  }
  for (int32_t c = 0; c < race->copies.count; c++) {
    State next = state;
    if (!has_run(s, &state, race->copies.items[c].event)) continue;
    if (!state.read[c])
      next.read[c] = 1;
    else if (may_be_written(s, &state, c))
      next.written[c] = 1;
    go_to(s, &next);
  }
}

static void search(Search *s) {
  for (int32_t e = 0; e < s->race->events.count; e++) {
    const prt_race_event *event = &s->race->events.items[e];
    s->events[event->agent][event->at] = e;
  }
  memset(visited, 0, sizeof visited);
  go_to(s, &(State){0});
  while (s->depth) {
    State state = stack[--s->depth];
    look_at(s, &state);
    go_on_from(s, state);
  }
}

// ---- what is found ------------------------------------------------------------------------------
static bool is_arrival(const prt_race_access *a) {
  return a->copy != PRT_NO_COPY && a->how != PRT_READ;
}

// Two that touch a byte in common, at least one to change it, and that nothing but a run keeps
// apart.
static bool may_race(const prt_race *race, const prt_race_access *a, const prt_race_access *b) {
  bool conflict = a->how && b->how && (a->how != b->how || a->how == PRT_WRITE);
  bool is_own = a->agent == b->agent && a->copy == PRT_NO_COPY && b->copy == PRT_NO_COPY;
  if (!conflict || is_own || !prt__extents_meet(a->extent, b->extent)) return false;
  if (a->copy == PRT_NO_COPY || b->copy == PRT_NO_COPY) return true;
  if (a->copy == b->copy) return (a->how == PRT_READ) != (b->how == PRT_READ);
  return !is_arrival(a) || !is_arrival(b) ||
         !prt__race_arrive_in_order(race, &race->copies.items[a->copy],
                                    &race->copies.items[b->copy]);
}

// Whether the memory of the first was given back before the second came.
static bool is_given_back(const prt_race *race, int first, int second) {
  for (int i = first + 1; i < second; i++) {
    const prt_race_access *between = &race->accesses.items[i];
    if (!between->how && prt__extents_meet(between->extent, race->accesses.items[first].extent))
      return true;
  }
  return false;
}

static bool is_found(const prt_race *race, const prt_race_access *a, const prt_race_access *b) {
  for (int32_t i = 0; i < race->pairs.count; i++) {
    const prt_race_pair *pair = &race->pairs.items[i];
    if ((pair->first == a->site && pair->second == b->site) ||
        (pair->first == b->site && pair->second == a->site))
      return pair->is_race;
  }
  return false;
}

typedef struct Counts {
  int races, missed, kept_apart;
} Counts;

static void compare(const Search *s, bool is_exact, uint32_t seed, Counts *counts) {
  const prt_race *race = s->race;
  for (int i = 0; i < race->accesses.count; i++)
    for (int k = 0; k < i; k++) {
      const prt_race_access *a = &race->accesses.items[k], *b = &race->accesses.items[i];
      bool wanted = may_race(race, a, b) && s->met[i][k] && !is_given_back(race, k, i),
           found = is_found(race, a, b);
      bool is_right = found == wanted || (wanted && !is_exact);
      if (!is_right)
        ck_abort_msg("seed %u: accesses %d and %d %s", seed, k, i, found ? "do not race" : "race");
      counts->races += wanted;
      counts->missed += wanted && !found;
      counts->kept_apart += may_race(race, a, b) && !wanted;
    }
}

static Counts compare_drawn(bool shares) {
  static Search s;
  Counts counts = {0};
  for (uint32_t seed = 1; seed <= DRAWN; seed++) {
    Trace t;
    trace_draw(&t, machine, seed, shares, STEPS);
    s = (Search){.race = t.race};
    search(&s);
    prt__race_find(t.race);
    compare(&s, !shares, seed, &counts);
    trace_fini(&t);
  }
  return counts;
}

START_TEST(what_races_is_found_and_nothing_else) {
  Counts counts = compare_drawn(false);
  ck_assert_int_gt(counts.races, DRAWN / 2);
  ck_assert_int_gt(counts.kept_apart, DRAWN / 2);
}
END_TEST

// Where several take from one semaphore not all orders are tried.
START_TEST(with_shared_semaphores_too_but_for_some) {
  Counts counts = compare_drawn(true);
  ck_assert_int_gt(counts.races, DRAWN / 2);
  ck_assert_int_lt(counts.missed, counts.races / 100);
}
END_TEST

// What runs again finds the same of any two, whatever the clocks say of them; where several take
// from one semaphore, nothing that no interleaving has.
START_TEST(a_run_without_data_decides) {
  static Search s;
  int met = 0, apart = 0;
  for (uint32_t seed = 1; seed <= DRAWN / 2; seed++) {
    Trace t;
    bool shares = seed % 2;
    trace_draw(&t, machine, seed, shares, STEPS);
    s = (Search){.race = t.race};
    search(&s);
    for (int i = 0; i < t.race->accesses.count; i++)
      for (int k = 0; k < t.race->accesses.count; k++) {
        const prt_race_access *a = &t.race->accesses.items[k], *b = &t.race->accesses.items[i];
        if (!may_race(t.race, a, b)) continue;
        bool found = prt__race_can_meet(t.race, a, b);
        bool is_right = found == s.met[k][i] || (shares && s.met[k][i]);
        if (!is_right) ck_abort_msg("seed %u: %d and %d", seed, k, i);
        found ? met++ : apart++;
      }
    trace_fini(&t);
  }
  ck_assert_int_gt(met, DRAWN / 2);
  ck_assert_int_gt(apart, DRAWN / 2);
}
END_TEST

// ---- what the clocks say ------------------------------------------------------------------------
typedef struct Clocks {
  const Search *s;
  int32_t number; // of the access
  uint32_t seed;
} Clocks;

static bool look_at_clock(void *data, prt_race_access *access, prt_clock *clock) {
  Clocks *c = data;
  const prt_race *race = c->s->race;
  int32_t number = c->number++;
  for (int32_t i = 0; i < number; i++) {
    const prt_race_access *other = &race->accesses.items[i];
    if (other->copy != PRT_NO_COPY || other->agent == access->agent) continue;
    if (prt__clock_epoch(clock, (uint32_t)other->agent) > (uint32_t)other->at &&
        c->s->late[i][number])
      ck_abort_msg("seed %u: %d may be after %d", c->seed, i, number);
  }
  return true;
}

START_TEST(what_clocks_say_holds_in_every_run) {
  static Search s;
  for (uint32_t seed = 1; seed <= DRAWN; seed++) {
    Trace t;
    trace_draw(&t, machine, seed, seed % 2, STEPS);
    s = (Search){.race = t.race};
    search(&s);
    Clocks clocks = {&s, 0, seed};
    prt__race_order(t.race, NULL, &(prt_race_visitor){.visit = look_at_clock, .data = &clocks});
    ck_assert_int_eq(clocks.number, t.race->accesses.count);
    trace_fini(&t);
  }
}
END_TEST

static void open_machine(void) { machine = trace_machine(); }
static void close_machine(void) { prt_machine_free(machine); }

int main(void) {
  Suite *suite = suite_create("race meet");
  TCase *tests = tcase_create("meet");
  tcase_add_checked_fixture(tests, open_machine, close_machine);
  tcase_set_timeout(tests, 300);
  tcase_add_test(tests, what_races_is_found_and_nothing_else);
  tcase_add_test(tests, with_shared_semaphores_too_but_for_some);
  tcase_add_test(tests, a_run_without_data_decides);
  tcase_add_test(tests, what_clocks_say_holds_in_every_run);
  suite_add_tcase(suite, tests);
  return suite_run(suite);
}
