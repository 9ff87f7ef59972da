// SPDX-License-Identifier: Apache-2.0
// Findings as text and as JSON, where they go, how often; and what is asked of a call's arguments.
#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "check/prt_finding.h"
#include "machine/prt_call.h"
#include "machine/prt_fail.h"
#include "suite.h"

static const prt_entry entry = {.abi_version = PRT_ABI_VERSION,
                                .flags = PRT_ENTRY_CHECKED,
                                .name = "f",
                                .devices = 1,
                                .chip = "v5p",
                                .cpu = "baseline"};

// ---- for people ---------------------------------------------------------------------------------
static void expect_text(const prt_finding *finding, const char *wanted) {
  char out[2000];
  ck_assert_uint_eq(prt_finding_text(finding, out, sizeof out), strlen(wanted));
  ck_assert_str_eq(out, wanted);
}

START_TEST(a_finding_has_its_lines) {
  static const prt_site main_site = {"m.pk", 30, 1, 9, "main(x)", "main", NULL},
                        middle = {"m.pk", 9, 3, 12, "  kernel(x)", "", &main_site},
                        inner = {"k.pk", 4, 10, 14, "  o[...] = x[i]", "kernel", &middle},
                        other = {"k.pk", 12345, 2, 40, "\ty = 1", "", NULL},
                        bare = {"k.pk", 7, 1, 2, NULL, NULL, NULL};
  static const prt_finding_note notes[] = {{&other, "one"}, {&bare, "two"}};
  static const int64_t grid[] = {2, -1, 7};
  static const char *const names[] = {"i", NULL, "k"};
  prt_finding finding = {.site = &inner,
                         .message = "it is wrong",
                         .launch = "kern",
                         .grid_rank = 3,
                         .grid = grid,
                         .grid_names = names,
                         .note_count = 2,
                         .notes = notes,
                         .help = "do better"};
  expect_text(&finding, "k.pk:4:10: error: it is wrong\n"
                        "   4 |   o[...] = x[i]\n"
                        "     |          ^~~~\n"
                        "m.pk:9:3: note: in call to 'kernel'\n"
                        "m.pk:30:1: note: in call to ''\n"
                        "note: in grid step (i = 2, -1, k = 7) of 'kern'\n"
                        "k.pk:12345:2: note: one\n"
                        "12345 | \ty = 1\n"
                        "      | \t^~~~~\n"
                        "k.pk:7:1: note: two\n"
                        "     = help: do better\n");
  finding.note_count = 0;
  finding.help = NULL;
  finding.site = &bare;
  finding.grid_names = NULL;
  expect_text(&finding, "k.pk:7:1: error: it is wrong\nnote: in grid step (2, -1, 7) of 'kern'\n");
  finding.grid_rank = 0;
  expect_text(&finding, "k.pk:7:1: error: it is wrong\n");
  finding.grid_rank = 1;
  finding.launch = NULL;
  expect_text(&finding, "k.pk:7:1: error: it is wrong\n");
  static const prt_site top = {"t.pk", 1, 1, 3, "ab", NULL, NULL};
  finding.site = &top;
  expect_text(&finding, "t.pk:1:1: error: it is wrong\n"
                        "   1 | ab\n"
                        "     | ^~\n");
  static const prt_site nowhere = {0}, unnamed = {"u.pk", 3, 2, 3, "ab", NULL, &bare};
  finding.site = &nowhere;
  expect_text(&finding, "error: it is wrong\n");
  finding.site = &unnamed;
  expect_text(&finding, "u.pk:3:2: error: it is wrong\n"
                        "   3 | ab\n"
                        "     |  ^\n"
                        "k.pk:7:1: note: in call to '?'\n");
}
END_TEST

START_TEST(carets_stay_on_their_line) {
  static const struct {
    int32_t column, end;
    const char *carets;
  } cases[] = {{1, 2, "^"},    {1, 4, "^~~"},   {3, 4, "  ^"}, {3, 99, "  ^"},
               {4, 5, "   ^"}, {9, 12, "   ^"}, {1, 1, "^"},   {2, 4, " ^~"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    prt_site site = {"k.pk", 10000, cases[i].column, cases[i].end, "abc", NULL, NULL};
    prt_finding finding = {.site = &site, .message = "m"};
    char wanted[200];
    snprintf(wanted, sizeof wanted, "k.pk:10000:%d: error: m\n10000 | abc\n      | %s\n",
             cases[i].column, cases[i].carets);
    expect_text(&finding, wanted);
  }
}
END_TEST

// ---- JSON ---------------------------------------------------------------------------------------
static void expect_json(const prt_finding *finding, const char *wanted) {
  char out[2000];
  ck_assert_uint_eq(prt_finding_json(finding, out, sizeof out), strlen(wanted));
  ck_assert_str_eq(out, wanted);
  for (size_t room = 0; room <= strlen(wanted) + 1; room++) { // as snprintf does
    memset(out, 'x', sizeof out);
    ck_assert_uint_eq(prt_finding_json(finding, out, room), strlen(wanted));
    size_t fits = room > strlen(wanted) ? strlen(wanted) : room ? room - 1 : 0;
    ck_assert(strncmp(out, wanted, fits) == 0 && (!room || out[fits] == 0) && out[room] == 'x');
  }
}

START_TEST(a_finding_is_an_object) {
  static const prt_site outer = {"a.pk", 30, 1, 9, NULL, "main", NULL},
                        middle = {NULL, 9, 3, 12, "s", NULL, &outer},
                        inner = {"k.pk", 4, 10, 14, "\"\\\t\x1f \x7f\xc3\xa9", "kernel", &middle},
                        nowhere = {0};
  static const prt_finding_note notes[] = {{&outer, "one"}, {&nowhere, "two"}};
  static const int64_t grid[] = {5};
  prt_finding finding = {.site = &inner,
                         .message = "m",
                         .launch = "kern",
                         .grid_rank = 1,
                         .grid = grid,
                         .note_count = 2,
                         .notes = notes,
                         .kind = PRT_FINDING_LOST};
  expect_json(
      &finding,
      "{\"severity\":\"error\",\"kind\":\"lost\",\"message\":\"m\",\"file\":\"k.pk\",\"line\""
      ":4,\"column\":10,\"end_column\":14,\"source\":\"\\\"\\\\\\u0009\\u001f \\u007f\xc3\xa9\","
      "\"launch\":\"kern\",\"grid\":[5],\"frames\":[{\"name\":\"kernel\",\"file\":\"\",\"line\""
      ":9,\"column\":3,\"end_column\":12,\"source\":\"s\"},{\"name\":\"?\",\"file\":\"a.pk\","
      "\"line\":30,\"column\":1,\"end_column\":9}],\"notes\":[{\"message\":\"one\",\"file\":"
      "\"a.pk\",\"line\":30,\"column\":1,\"end_column\":9},{\"message\":\"two\"}]}");
  finding = (prt_finding){.site = &nowhere, .message = "m", .help = "h", .launch = "l"};
  expect_json(&finding,
              "{\"severity\":\"error\",\"kind\":\"check\",\"message\":\"m\",\"launch\":\"l\","
              "\"grid\":[],\"frames\":[],\"notes\":[],\"help\":\"h\"}");
  finding = (prt_finding){.message = "m"};
  expect_json(&finding,
              "{\"severity\":\"error\",\"kind\":\"check\",\"message\":\"m\",\"frames\":[],"
              "\"notes\":[]}");
}
END_TEST

START_TEST(kinds_have_names) { // prt_finding.def
  static const char *const names[] = {"check", "out_of_bounds", "unwritten", "race", "semaphore",
                                      "lost",  "deadlock",      "nan",       "inf"};
  enum { KINDS = sizeof names / sizeof *names };
  for (int i = 0; i < KINDS; i++) ck_assert_str_eq(prt_finding_kind_name(i), names[i]);
  ck_assert_str_eq(prt_finding_kind_name(KINDS), "check");
  ck_assert_str_eq(prt_finding_kind_name(-1), "check");
}
END_TEST

// ---- where they go ------------------------------------------------------------------------------
static char heard[4000];

static void hear(void *data, const prt_finding *finding) {
  (void)data;
  prt_finding_text(finding, heard + strlen(heard), sizeof heard - strlen(heard));
}

static prt_machine *machine_with(int64_t most, bool hears) {
  prt_machine_options options;
  prt_machine_options_init(&options);
  options.max_findings = (int32_t)most;
  if (hears) options.on_finding = hear;
  heard[0] = 0;
  prt_machine *machine = prt_machine_new(&options);
  ck_assert_ptr_nonnull(machine);
  return machine;
}

static prt_worker *enter(prt_machine *machine) {
  prt_worker *worker;
  ck_assert_int_eq(prt__enter(machine, &entry, &worker), PRT_OK);
  return worker;
}

static const prt_site sites[] = {{"k.pk", 1, 1, 2, NULL, "", NULL},
                                 {"k.pk", 2, 1, 2, NULL, "", NULL},
                                 {"k.pk", 3, 1, 2, NULL, "", NULL}};

START_TEST(a_place_is_reported_once_and_a_few_at_most) {
  for (int64_t most = 0; most <= 4; most++) {
    prt_machine *machine = machine_with(most, true);
    prt_worker *worker = enter(machine);
    char wanted[1000] = "";
    for (int again = 0; again < 3; again++)
      for (int i = 0; i < 3; i++)
        prt__check_failed(worker, PRT_FINDING_CHECK, &sites[i], "wrong", 0, NULL);
    for (int i = 0; i < 3 && i < most; i++)
      snprintf(wanted + strlen(wanted), 100, "k.pk:%d:1: error: wrong\n", i + 1);
    prt__check_failed(worker, PRT_FINDING_CHECK, &sites[0], "other", 0, NULL);
    if (most == 4) strcat(wanted, "k.pk:1:1: error: other\n");
    ck_assert_int_eq(prt__leave(worker), PRT_ERROR_CHECK);
    ck_assert_str_eq(heard, wanted);
    snprintf(wanted, sizeof wanted, "f: k.pk:1:1: wrong (and %d more findings)", (int)(10 - most));
    ck_assert_str_eq(prt_error_message(), wanted);
    ck_assert_int_eq(prt_machine_findings(machine), 10);
    prt_machine_free(machine);
  }
}
END_TEST

START_TEST(one_more_is_one_finding) {
  prt_machine *machine = machine_with(1, true);
  prt_worker *worker = enter(machine);
  for (int i = 0; i < 2; i++)
    prt__check_failed(worker, PRT_FINDING_CHECK, &sites[i], "wrong", 0, NULL);
  ck_assert_int_eq(prt__leave(worker), PRT_ERROR_CHECK);
  ck_assert_str_eq(prt_error_message(), "f: k.pk:1:1: wrong (and 1 more finding)");
  prt_machine_free(machine);
}
END_TEST

START_TEST(one_finding_has_no_more) {
  prt_machine *machine = machine_with(4, true);
  prt_worker *worker = enter(machine);
  prt__check_failed(worker, PRT_FINDING_CHECK, &sites[2], "wrong", 0, NULL);
  ck_assert_int_eq(prt__leave(worker), PRT_ERROR_CHECK);
  ck_assert_str_eq(prt_error_message(), "f: k.pk:3:1: wrong");
  worker = enter(machine); // another call tells it again
  prt__check_failed(worker, PRT_FINDING_CHECK, &sites[2], "wrong", 0, NULL);
  ck_assert_int_eq(prt__leave(worker), PRT_ERROR_CHECK);
  ck_assert_str_eq(heard, "k.pk:3:1: error: wrong\nk.pk:3:1: error: wrong\n");
  prt_machine_free(machine);
}
END_TEST

// A loop of the place itself is none of the program.
START_TEST(loops_and_steps_are_reported_of_one_finding) {
  prt_machine *machine = machine_with(9, true);
  prt_worker *worker = enter(machine);
  static const int64_t indices[] = {4};
  prt_step step = {.launch = "kern", .rank = 1, .indices = indices};
  for (int64_t i = 0; i < 6; i++) prt__check_turn(worker, &sites[i % 3], 10 + i);
  prt__step_enter(worker, &step);
  prt__check_slice(worker, &sites[0], "x", 2, 5, 3, 4, 9);
  prt__step_leave(worker, &step);
  prt__check_slice(worker, &sites[1], "x", 0, -5, 1, 4, 9);
  ck_assert_int_eq(prt__leave(worker), PRT_ERROR_CHECK);
  ck_assert_str_eq(
      heard,
      "k.pk:1:1: error: elements 5 to 13 are out of bounds for dimension 2 of 'x', which has size "
      "9\n"
      "note: in grid step (4) of 'kern'\n"

      "k.pk:2:1: note: in iteration 11 of this loop\n"
      "k.pk:3:1: note: in iteration 12 of this loop\n"

      "k.pk:2:1: error: index -5 is out of bounds for dimension 0 of 'x', which has size 9\n");
  prt_machine_free(machine);
}
END_TEST

// What is written to the file number meanwhile.
static char caught[4000];
static void catch_from(int number, void (*act)(void)) {
  char name[] = "/tmp/test_prt_finding.XXXXXX";
  int file = mkstemp(name), kept = dup(number);
  fflush(NULL);
  dup2(file, number);
  act();
  fflush(NULL);
  dup2(kept, number);
  ssize_t length = pread(file, caught, sizeof caught - 1, 0);
  caught[length < 0 ? 0 : length] = 0;
  close(file);
  close(kept);
  unlink(name);
}

static void find_twice(void) {
  prt_machine *machine = machine_with(4, false);
  prt_worker *worker = enter(machine);
  for (int i = 0; i < 2; i++) prt__check_index(worker, &sites[1], "x", 0, 9 + i, 9);
  ck_assert_int_eq(prt__leave(worker), PRT_ERROR_CHECK);
  prt_machine_free(machine);
}

static void print_something(void) {
  prt_machine *machine = machine_with(4, false);
  prt_worker *worker = enter(machine);
  int32_t n = 7;
  prt_value value = {&n, PRT_I32, 0, NULL};
  prt__debug_print(worker, "n = {}", 1, &value);
  ck_assert_int_eq(prt__leave(worker), PRT_OK);
  prt_machine_free(machine);
}

START_TEST(without_a_listener_findings_go_to_stderr_and_prints_to_stdout) {
  catch_from(2, find_twice);
  ck_assert_str_eq(caught,
                   "k.pk:2:1: error: index 9 is out of bounds for dimension 0 of 'x', which "
                   "has size 9\n"
                   "note: f: 2 findings in 1 places\n");
  catch_from(1, print_something);
  ck_assert_str_eq(caught, "n = 7\n");
}
END_TEST

START_TEST(places_are_the_same_by_what_they_say) {
  prt_site a = {"k.pk", 4, 10, 0, NULL, NULL, NULL}, b = a;
  char name[] = "k.pk";
  b.file = name;
  ck_assert(prt__is_place(&a, &a) && prt__is_place(&a, &b));
  b.line = 5;
  ck_assert(!prt__is_place(&a, &b));
  b = a, b.column = 11;
  ck_assert(!prt__is_place(&a, &b));
  b = a, b.file = "j.pk";
  ck_assert(!prt__is_place(&a, &b));
  b.file = NULL;
  ck_assert(!prt__is_place(&a, &b) && !prt__is_place(&b, &a));
  a.file = NULL;
  ck_assert(!prt__is_place(&a, &b) && prt__is_place(&a, &a));
}
END_TEST

START_TEST(sites_are_the_same_if_all_their_callers_are) {
  static const prt_site outer = {"m.pk", 9, 1, 0, NULL, NULL, NULL}, outer_again = outer,
                        other = {"m.pk", 8, 1, 0, NULL, NULL, NULL};
  prt_site a = {"k.pk", 4, 10, 0, NULL, NULL, &outer}, b = a;
  ck_assert(prt__is_site(&a, &a) && prt__is_site(&a, &b));
  b.caller = &outer_again;
  ck_assert(prt__is_site(&a, &b));
  b.caller = &other;
  ck_assert(!prt__is_site(&a, &b));
  b.caller = NULL;
  ck_assert(!prt__is_site(&a, &b) && !prt__is_site(&b, &a));
}
END_TEST

START_TEST(a_long_message_is_cut) {
  static char text[2 * PRT_MESSAGE_SIZE];
  memset(text, 'x', sizeof text - 1);
  prt_machine *machine = machine_with(4, true);
  prt_worker *worker = enter(machine);
  worker->call->site = &sites[0];
  prt__fail_at(worker, PRT_ERROR_ARGUMENT, &sites[1], "%s", text);
  ck_assert_ptr_eq(worker->call->site, &sites[1]);
  ck_assert_uint_eq(strlen(worker->call->message), PRT_MESSAGE_SIZE - 1);
  ck_assert_ptr_eq(worker->call->findings, NULL);
  ck_assert_uint_eq(worker->call->watches.count, 0);
  ck_assert_int_eq(prt__leave(worker), PRT_ERROR_ARGUMENT);
  prt_machine_free(machine);
}
END_TEST

// ---- arguments ----------------------------------------------------------------------------------
enum { BYTES = 16 };
static _Alignas(64) char memory[256];

// What is said of a call with two or three arguments of 16 bytes at these places, -1: NULL.
static void expect_call(const int *roles, const int *places, const char *wanted) {
  static const int64_t dims[] = {4};
  static const char *const names[] = {"x", "y", "z"};
  prt_param params[3];
  void *arguments[3];
  for (int i = 0; i < 3; i++) {
    params[i] = (prt_param){names[i], names[i], roles[i], PRT_F32, 1, dims};
    arguments[i] = places[i] < 0 ? NULL : memory + places[i];
  }
  prt_entry called = entry;
  called.params = params;
  called.param_count = 3;
  prt_machine *machine = machine_with(4, true);
  prt_worker *worker;
  prt_status status = prt__enter_call(machine, &called, &worker, arguments);
  ck_assert_int_eq(status, wanted ? PRT_ERROR_ARGUMENT : PRT_OK);
  if (wanted)
    ck_assert_msg(strstr(prt_error_message(), wanted) != NULL, "%s", prt_error_message());
  else
    ck_assert_int_eq(prt__leave(worker), PRT_OK);
  prt_machine_free(machine);
}

START_TEST(outputs_overlap_nothing) {
  static const int io[] = {PRT_IN, PRT_OUT, PRT_IN_OUT}, iio[] = {PRT_IN, PRT_IN, PRT_OUT},
                   ooo[] = {PRT_OUT, PRT_OUT, PRT_OUT};
  expect_call(io, (int[]){0, 16, 32}, NULL);
  expect_call(io, (int[]){0, 12, 32}, "f: arguments 'y' and 'x' overlap: 16 bytes at ");
  expect_call(io, (int[]){12, 0, 32}, "arguments 'y' and 'x' overlap");
  expect_call(io, (int[]){0, 16, 28}, "arguments 'y' and 'z' overlap");
  expect_call(io, (int[]){0, 32, 0}, "arguments 'z' and 'x' overlap");
  expect_call(iio, (int[]){0, 0, 16}, NULL); // two inputs may be one
  expect_call(iio, (int[]){0, 4, 20}, NULL);
  expect_call(iio, (int[]){0, 32, 20}, "arguments 'z' and 'y' overlap");
  expect_call(ooo, (int[]){32, 16, 0}, NULL);
  expect_call(ooo, (int[]){32, 0, 4}, "arguments 'y' and 'z' overlap");
  expect_call(ooo, (int[]){0, -1, 4}, NULL); // refused by the entry point itself
}
END_TEST

START_TEST(arguments_are_aligned) {
  static const int roles[] = {PRT_IN, PRT_IN, PRT_OUT};
  for (int off = 1; off < 4; off++) {
    expect_call(roles, (int[]){off, 32, 64}, "f: argument 'x' is at ");
    expect_call(roles, (int[]){0, 32, 64 + off},
                ", which is no multiple of 4, the size of float32");
  }
  expect_call(roles, (int[]){4, 36, 68}, NULL);
}
END_TEST

// Arrays without elements lie anywhere.
START_TEST(empty_arrays_overlap_nothing) {
  static const int64_t none[] = {0}, some[] = {4};
  const prt_param params[] = {{"x", "x", PRT_OUT, PRT_F32, 1, none},
                              {"y", "y", PRT_OUT, PRT_F32, 1, some},
                              {"z", "z", PRT_IN, PRT_F32, 1, none}};
  prt_entry called = entry;
  called.params = params;
  called.param_count = 3;
  prt_machine *machine = machine_with(4, true);
  prt_worker *worker;
  void *arguments[] = {memory + 1, memory, NULL};
  ck_assert_int_eq(prt__enter_call(machine, &called, &worker, arguments), PRT_OK);
  ck_assert_int_eq(prt__leave(worker), PRT_OK);
  arguments[1] = memory + 1;
  ck_assert_int_eq(prt__enter_call(machine, &called, &worker, arguments), PRT_ERROR_ARGUMENT);
  prt_machine_free(machine);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("prt_finding");
  TCase *tests = tcase_create("finding");
  tcase_add_test(tests, a_finding_has_its_lines);
  tcase_add_test(tests, carets_stay_on_their_line);
  tcase_add_test(tests, a_finding_is_an_object);
  tcase_add_test(tests, kinds_have_names);
  tcase_add_test(tests, a_place_is_reported_once_and_a_few_at_most);
  tcase_add_test(tests, one_more_is_one_finding);
  tcase_add_test(tests, one_finding_has_no_more);
  tcase_add_test(tests, loops_and_steps_are_reported_of_one_finding);
  tcase_add_test(tests, without_a_listener_findings_go_to_stderr_and_prints_to_stdout);
  tcase_add_test(tests, places_are_the_same_by_what_they_say);
  tcase_add_test(tests, sites_are_the_same_if_all_their_callers_are);
  tcase_add_test(tests, a_long_message_is_cut);
  tcase_add_test(tests, outputs_overlap_nothing);
  tcase_add_test(tests, arguments_are_aligned);
  tcase_add_test(tests, empty_arrays_overlap_nothing);
  suite_add_tcase(suite, tests);
  return suite_run(suite);
}
