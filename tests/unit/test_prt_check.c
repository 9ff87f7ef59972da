// SPDX-License-Identifier: Apache-2.0
// What compiled code tells: debug prints, findings, memory that was never written.
#include <check.h>
#include <math.h>
#include <string.h>
#include "machine/prt_element.h"
#include "print/prt_print.h"
#include "print/prt_text.h"
#include "suite.h"

static const prt_entry entry = {.abi_version = PRT_ABI_VERSION,
                                .flags = PRT_ENTRY_CHECKED,
                                .name = "f",
                                .devices = 1,
                                .chip = "v5p",
                                .cpu = "baseline"};
static const prt_site outer_site = {"k.pk", 9, 3, 12, "  kernel(x)", "", NULL};
static const prt_site site = {"k.pk", 4, 10, 14, "  o[...] = x[i]", "kernel", &outer_site};

typedef struct Heard {
  char text[4000];
  int findings;
  unsigned kinds; // bits of prt_finding_kind
} Heard;

static void hear_finding(void *data, const prt_finding *finding) {
  Heard *heard = data;
  heard->findings++;
  size_t used = strlen(heard->text);
  snprintf(heard->text + used, sizeof heard->text - used, "%d:%d: %s", finding->site->line,
           finding->site->column, finding->message);
  used = strlen(heard->text);
  if (finding->launch)
    snprintf(heard->text + used, sizeof heard->text - used, " @%s(%lld)", finding->launch,
             (long long)finding->grid[0]);
  heard->kinds |= 1u << finding->kind;
  strcat(heard->text, "\n");
}

static void hear_print(void *data, const char *text, size_t length) {
  strncat(((Heard *)data)->text, text, length);
}

static prt_machine *listening(Heard *heard) {
  memset(heard, 0, sizeof *heard);
  prt_machine_options options;
  prt_machine_options_init(&options);
  options.threads = 1;
  options.on_finding = hear_finding;
  options.on_print = hear_print;
  options.data = heard;
  options.max_findings = 3;
  return prt_machine_new(&options);
}

// What a finding is as data and as text, measured and cut as snprintf does.
START_TEST(findings_are_json_and_text) {
  static const prt_site outer = {"k.pk", 9, 3, 8, NULL, "", NULL};
  static const prt_site inner = {"k.pk", 4, 10, 15, "  x[i] = \"1\"", "add", &outer};
  static const prt_finding_note note = {&outer, "the other"};
  static const int64_t grid[] = {2, 7};
  static const prt_finding finding = {.site = &inner,
                                      .message = "race: a\nb",
                                      .launch = "kernel",
                                      .grid_rank = 2,
                                      .grid = grid,
                                      .note_count = 1,
                                      .notes = &note,
                                      .help = "wait",
                                      .kind = PRT_FINDING_RACE,
                                      .data = "{\"count\":2}"};
  const char *json =
      "{\"severity\":\"error\",\"kind\":\"race\",\"message\":\"race: a\\u000ab\",\"file\":\"k.pk\","
      "\"line\":4,\"column\":10,\"end_column\":15,\"source\":\"  x[i] = \\\"1\\\"\","
      "\"launch\":\"kernel\",\"grid\":[2,7],\"frames\":[{\"name\":\"add\",\"file\":\"k.pk\","
      "\"line\":9,\"column\":3,\"end_column\":8}],\"notes\":[{\"message\":\"the other\","
      "\"file\":\"k.pk\",\"line\":9,\"column\":3,\"end_column\":8}],\"help\":\"wait\",\"race\":{"
      "\"count\":2}}";
  char out[1000], little[8];
  ck_assert_uint_eq(prt_finding_json(&finding, out, sizeof out), strlen(json));
  ck_assert_str_eq(out, json);
  ck_assert_uint_eq(prt_finding_json(&finding, NULL, 0), strlen(json));
  ck_assert_uint_eq(prt_finding_json(&finding, little, sizeof little), strlen(json));
  ck_assert_str_eq(little, "{\"sever");
  prt_finding_text(&finding, out, sizeof out);
  ck_assert_ptr_nonnull(strstr(out, "k.pk:4:10: error: race: a\nb\n   4 |   x[i] = \"1\"\n"));
  ck_assert_ptr_nonnull(strstr(out, "note: in grid step (2, 7) of 'kernel'\n"));
  ck_assert_str_eq(prt_finding_kind_name(PRT_FINDING_UNWRITTEN), "unwritten");
  ck_assert_str_eq(prt_finding_kind_name(99), "check");
}
END_TEST

// The numbers are part of the ABI: a program that was compiled before must read them as it did.
START_TEST(kinds_keep_their_numbers) {
  static const char *const names[] = {"check", "out_of_bounds", "unwritten", "race", "semaphore",
                                      "lost",  "deadlock",      "nan",       "inf"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    ck_assert_str_eq(prt_finding_kind_name((int32_t)i), names[i]);
}
END_TEST

// What has no place in a source is said without one.
START_TEST(findings_may_have_no_line) {
  static const prt_site nowhere = {"k.pk", 0, 0, 0, NULL, "", NULL},
                        first = {"k.pk", 1, 2, 3, NULL, "", NULL};
  const prt_site *sites[] = {&nowhere, &first};
  const char *messages[] = {"f: n is 3", "f: k.pk:1:2: n is 3"};
  for (int i = 0; i < 2; i++) {
    Heard heard;
    prt_machine *machine = listening(&heard);
    prt_worker *worker;
    ck_assert_int_eq(prt__enter(machine, &entry, &worker), PRT_OK);
    int32_t n = 3;
    prt_value value = {&n, PRT_I32, 0, NULL};
    prt__check_failed(worker, PRT_FINDING_CHECK, sites[i], "n is {}", 1, &value);
    ck_assert_int_eq(prt__leave(worker), PRT_ERROR_CHECK);
    ck_assert_str_eq(prt_error_message(), messages[i]);
    prt_machine_free(machine);
  }
}
END_TEST

START_TEST(debug_prints_are_pythons) {
  Heard heard;
  prt_machine *machine = listening(&heard);
  prt_worker *worker;
  ck_assert_int_eq(prt__enter(machine, &entry, &worker), PRT_OK);
  float x = 0.5f, row[] = {1, 2.5f, -3};
  int32_t n = 42;
  int64_t dims[] = {3};
  prt_value values[] = {{&x, PRT_F32, 0, NULL}, {&n, PRT_I32, 0, NULL}, {row, PRT_F32, 1, dims}};
  prt__debug_print(worker, "{{{}}} {:>6d} {} {0:.3f} {7}", 3, values);
  prt__debug_print(worker, "plain }", 0, NULL);
  ck_assert_int_eq(prt__leave(worker), PRT_OK);
  ck_assert_str_eq(heard.text, "{0.5}     42 [ 1.   2.5 -3. ] 0.500 {}\nplain }\n");
  prt_machine_free(machine);
}
END_TEST

START_TEST(findings_are_reported_once_a_place) {
  Heard heard;
  prt_machine *machine = listening(&heard);
  prt_worker *worker;
  ck_assert_int_eq(prt__enter(machine, &entry, &worker), PRT_OK);
  int64_t index[1];
  prt_step step = {.launch = "add_kernel", .rank = 1, .indices = index};
  prt__step_enter(worker, &step);
  for (index[0] = 5; index[0] < 15; index[0]++)
    prt__check_index(worker, &site, "x_ref", 0, 8 + index[0], 8);
  prt__step_leave(worker, &step);
  prt__check_slice(worker, &outer_site, "y_ref", 1, 4, 8, 2, 16);
  int32_t n = 3;
  prt_value value = {&n, PRT_I32, 0, NULL};
  prt__check_failed(worker, PRT_FINDING_CHECK, &site, "n is {}", 1, &value);
  prt__check_failed(worker, PRT_FINDING_CHECK, &site, "not told any more", 0, NULL);
  ck_assert_int_eq(prt__leave(worker), PRT_ERROR_CHECK);
  ck_assert_str_eq(
      heard.text,
      "4:10: index 13 is out of bounds for dimension 0 of 'x_ref', which has size 8 "
      "@add_kernel(5)\n"
      "9:3: elements 4 to 18 are out of bounds for dimension 1 of 'y_ref', which has size 16\n"
      "4:10: n is 3\n");
  ck_assert_str_eq(prt_error_message(), "f: k.pk:4:10: index 13 is out of bounds for dimension 0 "
                                        "of 'x_ref', which has size 8 (and 10 more findings)");
  ck_assert_int_eq(prt_machine_findings(machine), 13);
  ck_assert_uint_eq(heard.kinds, 1u << PRT_FINDING_OUT_OF_BOUNDS | 1u << PRT_FINDING_CHECK);
  prt_machine_free(machine);
}
END_TEST

static float *fresh(prt_worker *worker, const int64_t *dims, const char *what) {
  float *memory = prt__alloc(worker, PRT_VMEM, (size_t)(dims[0] * dims[1]) * sizeof *memory);
  prt__check_adopt(worker, memory, PRT_F32, 2, dims, what, PRT_ADOPT_FRESH);
  return memory;
}

static const int64_t all[] = {8, 128}, all_strides[] = {512, 4};

// Whether the marks of a region of 1024 elements are `mark` in all of them.
static bool are(const uint8_t *marks, uint8_t mark) {
  for (int i = 0; i < 1024; i++)
    if (marks[i] != mark) return false;
  return true;
}

START_TEST(unwritten_memory_is_found_where_it_is_used) {
  Heard heard;
  prt_machine *machine = listening(&heard);
  prt_worker *worker;
  ck_assert_int_eq(prt__enter(machine, &entry, &worker), PRT_OK);
  float *a = fresh(worker, all, "acc");
  ck_assert(isnan(a[0]) && isnan(a[1023]));
  int64_t part[] = {4, 64};
  prt_region upper = {a, 4, 2, part, all_strides}, whole = {a, 4, 2, all, all_strides};
  uint8_t marks[1024];
  prt__check_written(worker, &upper);
  prt__check_unwritten(worker, &site, &whole, 2, marks);
  ck_assert(marks[0] == 0 && marks[63] == 0 && marks[64] == 2 && marks[1023] == 2);
  ck_assert_int_eq(heard.findings, 0); // so far it was only read
  // A copy carries it along, a store of such a value does.
  float *b = fresh(worker, all, "copy"), *c = fresh(worker, all, "other");
  prt_region copy = {b, 4, 2, all, all_strides}, other = {c, 4, 2, all, all_strides};
  prt__check_copied(worker, &copy, &whole);
  prt__check_written(worker, &other);
  int64_t bytes[] = {128, 1};
  prt_region values = {marks, 1, 2, all, bytes};
  prt__check_unwrite(worker, &other, &values);
  uint8_t again[1024];
  prt__check_unwritten(worker, &outer_site, &other, 3, again);
  ck_assert_mem_eq(marks, again, sizeof marks); // the first place that read
  prt__check_unwritten(worker, &outer_site, &copy, 4, again);
  ck_assert(again[0] == 0 && again[1023] == 4); // a copy is no read
  prt__check_used(worker, &outer_site, 2, "a condition");
  ck_assert_str_eq(heard.text, "4:10: 'acc' is read where it was never written: element [0, 64] "
                               "and 767 more; a condition depends on it in line 9\n");
  // What comes from memory nobody watches is written.
  float plain[1024] = {0};
  prt_region source = {plain, 4, 2, all, all_strides};
  prt__check_copied(worker, &copy, &source);
  prt__check_unwritten(worker, &outer_site, &copy, 4, again);
  ck_assert(are(again, 0));
  ck_assert_int_eq(prt__check_element_unwritten(worker, &outer_site, a, 4, 5), 0);
  ck_assert_int_eq(prt__check_element_unwritten(worker, &outer_site, a + 64, 4, 5), 5);
  prt__check_element_unwrite(worker, b, 4, 5);
  ck_assert_int_eq(prt__check_element_unwritten(worker, &outer_site, b, 4, 6), 5);
  ck_assert_int_eq(heard.findings, 1);
  ck_assert_int_eq(prt__leave(worker), PRT_ERROR_CHECK);
  prt_machine_free(machine);
}
END_TEST

// Bytes that end, or begin, inside of an element touch it, as views of another element type do.
START_TEST(partly_touched_elements_count) {
  Heard heard;
  prt_machine *machine = listening(&heard);
  prt_worker *worker;
  ck_assert_int_eq(prt__enter(machine, &entry, &worker), PRT_OK);
  float *a = fresh(worker, all, "acc");
  uint8_t marks[1024];
  prt_region whole = {a, 4, 2, all, all_strides};
  prt__check_element_written(worker, (char *)a + 8, 6);  // 2 and half of 3
  prt__check_element_written(worker, (char *)a + 23, 2); // ends of 5 and 6
  int64_t halves[] = {3}, stride[] = {2};
  prt_region region = {(char *)(a + 10), 2, 1, halves, stride};
  prt__check_written(worker, &region); // 10 and half of 11
  prt__check_unwritten(worker, &site, &whole, 2, marks);
  static const uint8_t wanted[] = {2, 2, 0, 0, 2, 0, 0, 2, 2, 2, 0, 0, 2};
  ck_assert_mem_eq(marks, wanted, sizeof wanted);
  ck_assert_int_eq(prt__check_element_unwritten(worker, &site, (char *)(a + 12) + 2, 2, 3), 3);
  ck_assert_int_eq(prt__leave(worker), PRT_OK);
  prt_machine_free(machine);
}
END_TEST

START_TEST(a_call_reports_holes_in_its_outputs) {
  Heard heard;
  prt_machine *machine = listening(&heard);
  prt_worker *worker;
  float out[1024];
  int64_t part[] = {4, 128};
  prt_region whole = {out, 4, 2, all, all_strides}, upper = {out, 4, 2, part, all_strides};
  ck_assert_int_eq(prt__enter(machine, &entry, &worker), PRT_OK);
  prt__check_adopt(worker, out, PRT_F32, 2, all, "out", PRT_ADOPT_OUT);
  prt__check_written(worker, &upper);
  prt__check_output(worker, &site, &whole, "o_ref");
  ck_assert_int_eq(prt__leave(worker), PRT_ERROR_CHECK);
  ck_assert_str_eq(heard.text, "4:10: output 'o_ref' was never written in [4:8, 0:128]\n");
  ck_assert_uint_eq(heard.kinds, 1u << PRT_FINDING_UNWRITTEN);
  prt_machine_free(machine);
}
END_TEST

START_TEST(holes_are_kept_for_who_looks_at_them) {
  Heard heard;
  prt_machine_options options;
  prt_machine_options_init(&options);
  options.on_finding = hear_finding;
  options.data = &heard;
  options.keeps_unwritten = true;
  memset(&heard, 0, sizeof heard);
  prt_machine *machine = prt_machine_new(&options);
  prt_worker *worker;
  float out[1024], moved[512];
  int64_t part[] = {4, 128};
  prt_region whole = {out, 4, 2, all, all_strides}, upper = {out, 4, 2, part, all_strides},
             lower = {out + 512, 4, 2, part, all_strides};
  prt_region target = {moved, 4, 2, part, all_strides};
  ck_assert_int_eq(prt__enter(machine, &entry, &worker), PRT_OK);
  prt__check_adopt(worker, out, PRT_F32, 2, all, "out", PRT_ADOPT_OUT);
  prt__check_written(worker, &upper);
  prt__check_output(worker, &site, &whole, "o_ref");
  ck_assert_int_eq(prt__leave(worker), PRT_OK);
  ck_assert(!prt__check_read(machine, &upper, "line 7 looks at it"));
  ck_assert(prt__check_read(machine, &lower, NULL)); // only asks
  prt__check_moved(machine, &target, &upper);
  ck_assert(!prt__check_read(machine, &target, NULL));
  prt__check_moved(machine, &target, &lower);
  ck_assert_int_eq(heard.findings, 0);
  ck_assert(!prt__check_rest(machine, false)); // the program looked at what there is
  ck_assert(prt__check_read(machine, &target, "line 7 looks at it"));
  ck_assert_str_eq(heard.text,
                   "4:10: output 'o_ref' was never written in [4:8, 0:128]; line 7 looks at it\n");
  // A later call that reads it knows.
  ck_assert_int_eq(prt__enter(machine, &entry, &worker), PRT_OK);
  uint8_t marks[512];
  prt__check_unwritten(worker, &outer_site, &lower, 2, marks);
  ck_assert_int_gt(marks[0], 2);
  prt__check_used(worker, &outer_site, marks[0], "an index");
  ck_assert_int_eq(heard.findings, 2);
  ck_assert_int_eq(prt__leave(worker), PRT_ERROR_CHECK);
  prt_machine_free(machine);
}
END_TEST

START_TEST(unspecified_values_are_loud) {
  uint8_t m[8] = {0};
  prt__fill_unspecified(PRT_I8, m, 1);
  ck_assert_int_eq(m[0], 127);
  int32_t i;
  prt__fill_unspecified(PRT_I32, &i, 1);
  ck_assert_int_eq(i, INT32_MAX);
  uint16_t u;
  prt__fill_unspecified(PRT_U16, &u, 1);
  ck_assert_uint_eq(u, UINT16_MAX);
  static const prt_dtype floats[] = {PRT_F8E4M3FN, PRT_F8E5M2, PRT_F8E4M3B11FNUZ, PRT_BF16, PRT_F16,
                                     PRT_F32,      PRT_F64};
  for (size_t k = 0; k < sizeof floats / sizeof *floats; k++) {
    prt__fill_unspecified(floats[k], m, 1);
    ck_assert(isnan(prt__load_float(floats[k], m)));
  }
  bool b = false;
  prt__fill_unspecified(PRT_BOOL, &b, 1);
  ck_assert(b);
}
END_TEST

START_TEST(half_floats_round_to_even) {
  ck_assert_uint_eq(prt_f16_from_float(1.0f), 0x3c00);
  ck_assert_uint_eq(prt_f16_from_float(65504.0f), 0x7bff);
  ck_assert_uint_eq(prt_f16_from_float(65520.0f), 0x7c00);
  ck_assert_uint_eq(prt_f16_from_float(-5.9604645e-08f), 0x8001);
  ck_assert_uint_eq(prt_f16_from_float(2.9802322e-08f), 0);
  ck_assert_uint_eq(prt_f16_from_float(1.0f + 0x1p-11f), 0x3c00);
  ck_assert_uint_eq(prt_f16_from_float(1.0f + 0x1.8p-10f), 0x3c02);
  ck_assert_uint_eq(prt_bf16_from_float(1.00390625f), 0x3f80);
  ck_assert_uint_eq(prt_bf16_from_float(3.4e38f), 0x7f80);
  for (uint32_t bits = 0; bits < 0x10000; bits++) {
    float f = prt_f16_to_float((prt_f16)bits);
    if (!isnan(f)) ck_assert_uint_eq(prt_f16_from_float(f), bits);
    float g = prt_bf16_to_float((prt_bf16)bits);
    if (!isnan(g))
      ck_assert_uint_eq(prt_bf16_from_float(g), bits);
    else
      ck_assert(isnan(prt_bf16_to_float(prt_bf16_from_float(g))));
  }
}
END_TEST

static void shows(const char *expected, prt_dtype dtype, const void *data, int32_t rank,
                  const int64_t *dims) {
  prt_text text = {0};
  prt_value value = {data, (int32_t)dtype, rank, dims};
  prt__print_value(&text, &value);
  ck_assert_str_eq(text.data, expected);
  prt__text_free(&text);
}

static void refuses_array(FILE *out, prt_dtype dtype, int32_t rank, int64_t size, const void *data,
                          const char *why) {
  ck_assert_int_eq(prt_print_array(out, dtype, rank, &size, data), PRT_ERROR_ARGUMENT);
  ck_assert_ptr_nonnull(strstr(prt_error_message(), why));
}

START_TEST(arrays_that_are_none_are_not_printed) {
  float x[4] = {0};
  refuses_array(NULL, PRT_F32, 1, 4, x, "the file is NULL");
  refuses_array(stdout, (prt_dtype)999, 1, 4, x, "no such dtype");
  refuses_array(stdout, PRT_F32, -1, 4, x, "the rank is negative");
  refuses_array(stdout, PRT_F32, 1, -4, x, "a dimension is negative");
  refuses_array(stdout, PRT_F32, 1, 4, NULL, "the array is NULL");
  ck_assert_int_eq(prt_print_array(stdout, PRT_F32, 1, NULL, x), PRT_ERROR_ARGUMENT);
  ck_assert_int_eq(prt_print_array(stdout, PRT_F32, 1, &(int64_t){0}, NULL), PRT_OK);
}
END_TEST

START_TEST(arrays_print_as_numpys) {
  float small[] = {1e-5f, 1, -2.5f}, odd[] = {NAN, -INFINITY, 3}, wide[40];
  shows("[ 1.0e-05  1.0e+00 -2.5e+00]", PRT_F32, small, 1, (int64_t[]){3});
  shows("[ nan -inf   3.]", PRT_F32, odd, 1, (int64_t[]){3});
  for (int i = 0; i < 40; i++) wide[i] = (float)i;
  shows("[[ 0.  1.  2.  3.  4.  5.  6.  7.  8.  9. 10. 11. 12. 13. 14. 15. 16. 17.\n  18. 19.]\n"
        " [20. 21. 22. 23. 24. 25. 26. 27. 28. 29. 30. 31. 32. 33. 34. 35. 36. 37.\n  38. 39.]]",
        PRT_F32, wide, 2, (int64_t[]){2, 20});
  static int32_t many[1200];
  for (int i = 0; i < 1200; i++) many[i] = i;
  shows("[[   0    1    2 ...   37   38   39]\n [  40   41   42 ...   77   78   79]\n [  80   81   "
        "82 ...  117  118  119]\n ...\n"
        " [1080 1081 1082 ... 1117 1118 1119]\n [1120 1121 1122 ... 1157 1158 1159]\n [1160 1161 "
        "1162 ... 1197 1198 1199]]",
        PRT_I32, many, 2, (int64_t[]){30, 40});
  shows("[]", PRT_I32, many, 2, (int64_t[]){0, 40});
  bool flags[] = {true, false};
  shows("[ True False]", PRT_BOOL, flags, 1, (int64_t[]){2});
  prt_bf16 b[] = {prt_bf16_from_float(0.1f), prt_bf16_from_float(2)};
  shows("[0.100098 2]", PRT_BF16, b, 1, (int64_t[]){2});
  shows("0.10009765625", PRT_BF16, b, 0, NULL);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("prt_check");
  TCase *tcase = tcase_create("all");
  tcase_add_test(tcase, debug_prints_are_pythons);
  tcase_add_test(tcase, findings_may_have_no_line);
  tcase_add_test(tcase, kinds_keep_their_numbers);
  tcase_add_test(tcase, findings_are_json_and_text);
  tcase_add_test(tcase, findings_are_reported_once_a_place);
  tcase_add_test(tcase, unwritten_memory_is_found_where_it_is_used);
  tcase_add_test(tcase, partly_touched_elements_count);
  tcase_add_test(tcase, a_call_reports_holes_in_its_outputs);
  tcase_add_test(tcase, holes_are_kept_for_who_looks_at_them);
  tcase_add_test(tcase, unspecified_values_are_loud);
  tcase_add_test(tcase, half_floats_round_to_even);
  tcase_add_test(tcase, arrays_print_as_numpys);
  tcase_add_test(tcase, arrays_that_are_none_are_not_printed);
  suite_add_tcase(suite, tcase);
  return suite_run(suite);
}
