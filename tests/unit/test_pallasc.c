// SPDX-License-Identifier: Apache-2.0
// The compiler as a library, as a program of others sees it: code, files, stages, diagnostics, from
// several threads; nothing of it reaches the process's own streams or ends the process.
#include <check.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "pallasc.h"
#include "suite.h"

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

static const char add_source[] = "def add(x: f32[8, 128], y: f32[8, 128]):\n"
                                 "  def kernel(x_ref, y_ref, o_ref):\n"
                                 "    o_ref[...] = x_ref[...] + y_ref[...]\n"
                                 "  return pl.pallas_call(kernel, out_shape=x)(x, y)\n"
                                 "print('traced')\n";

static pallasc_text text_of(const char *path, const char *text) {
  return (pallasc_text){path, text, strlen(text)};
}

static pallasc_result *load(const char *source) {
  const char *arguments[] = {"-O1", "given.pk"};
  pallasc_text text = text_of("given.pk", source);
  return pallasc_load(2, arguments, 1, &text);
}

static void check_add(const prt_entry *entry) {
  static _Thread_local float x[1024], y[1024], out[1024];
  for (int i = 0; i < 1024; i++) x[i] = (float)i, y[i] = 1;
  void *arrays[] = {x, y, out};
  ck_assert_int_eq(entry->call(NULL, arrays), PRT_OK);
  for (int i = 0; i < 1024; i++) ck_assert(out[i] == (float)i + 1);
}

// ---- code ---------------------------------------------------------------------------------------
START_TEST(code_is_found_by_name_and_runs) {
  pallasc_result *made = load(add_source);
  ck_assert_int_eq(pallasc_status_of(made), PALLASC_OK);
  ck_assert_str_eq(pallasc_printed(made), "traced\n");
  ck_assert_uint_eq(pallasc_entry_count(made), 1);
  const prt_entry *add = pallasc_find_entry(made, "add");
  ck_assert_ptr_nonnull(add);
  ck_assert_ptr_eq(add, pallasc_entry_at(made, 0));
  ck_assert_ptr_null(pallasc_entry_at(made, 1));
  ck_assert_ptr_null(pallasc_find_entry(made, "sub"));
  ck_assert_str_eq(add->name, "add");
  ck_assert_str_eq(add->params[1].name, "y");
  ck_assert_int_eq((int)add->params[2].dims[1], 128);
  check_add(add);
  pallasc_free(made);
}
END_TEST

START_TEST(code_may_have_a_name_of_c) {
  pallasc_result *made = load("def exp(register: f32[4]):\n  return jnp.exp(register)\n");
  ck_assert_ptr_nonnull(pallasc_find_entry(made, "exp"));
  pallasc_free(made);
}
END_TEST

START_TEST(code_is_the_only_output) {
  static const char *const refused[][3] = {
      {"given.pk", "-o", "x.o"}, {"given.pk", "-h", "x.h"},
      {"given.pk", "--emit=ir"}, {"given.pk", "-shared"},
      {"run", "given.pk"},       {"given.pk", "-MD"},
      {"given.pk", "also.pk"},   {"given.pk", "--stop-after=fuse"}};
  pallasc_text text = text_of("given.pk", add_source);
  for (size_t i = 0; i < COUNT_OF(refused); i++) {
    pallasc_result *made = pallasc_load(refused[i][2] ? 3 : 2, refused[i], 1, &text);
    ck_assert_int_eq(pallasc_status_of(made), PALLASC_USAGE);
    ck_assert_ptr_nonnull(strstr(pallasc_diagnostics(made), "the only output"));
    ck_assert_uint_eq(pallasc_entry_count(made), 0);
    pallasc_free(made);
  }
}
END_TEST

// ---- files and stages ---------------------------------------------------------------------------
START_TEST(functions_are_timed) {
  const char *arguments[] = {"bench",  "given.pk:mm", "f32[n,8],f32[8,n]", "--sweep=n=8:32:12",
                             "--json", "--threads=1", "--time-passes=json"};
  pallasc_text text = text_of("given.pk", "def mm(x, y):\n  return x @ y\n");
  pallasc_result *made = pallasc_compile(COUNT_OF(arguments), arguments, 1, &text);
  ck_assert_int_eq(pallasc_status_of(made), PALLASC_OK);
  const char *rows[] = {"{\"function\": \"mm\"",
                        "\"n\": 8, \"least\": ", "\"bytes\": 768, \"flops\": 1024}", "\"n\": 20, ",
                        "\"bytes\": 6144, \"flops\": 16384}"};
  for (size_t i = 0; i < COUNT_OF(rows); i++)
    ck_assert_msg(strstr(pallasc_printed(made), rows[i]), "%s", pallasc_printed(made));
  const char *times = pallasc_diagnostics(made);
  ck_assert_ptr_nonnull(
      strstr(times, "{\"phase\": \"pass\", \"name\": \"simplify\", \"seconds\": "));
  ck_assert_ptr_nonnull(strstr(times, "{\"phase\": \"machine code\", \"seconds\": "));
  // What is timed comes behind its code, and has the time.
  const char *code = strstr(times, "machine code"), *timing = strstr(times, "\"timing\"");
  ck_assert(code && timing && code < timing);
  ck_assert_double_gt(strtod(strstr(timing, "\"seconds\": ") + 11, NULL), 0.01);
  pallasc_free(made);
}
END_TEST

START_TEST(what_is_not_touched_has_no_share) {
  const char *arguments[] = {"bench", "given.pk:f", "f32[1024,1024]", "--threads=1"};
  pallasc_text text = text_of(
      "given.pk", "def k(x_ref, o_ref): o_ref[...] = x_ref[...]\n"
                  "S = pl.BlockSpec((8, 128), lambda i: (i, 0))\n"
                  "def f(x): return pl.pallas_call(k, grid=(0,), in_specs=[S], out_specs=S, "
                  "out_shape=x)(x)\n");
  pallasc_result *made = pallasc_compile(COUNT_OF(arguments), arguments, 1, &text);
  ck_assert_int_eq(pallasc_status_of(made), PALLASC_OK);
  ck_assert_msg(strstr(pallasc_printed(made), "GB/s >999 %"), "%s", pallasc_printed(made));
  pallasc_free(made);
}
END_TEST

START_TEST(stages_are_texts) {
  const char *arguments[] = {"--emit=trace", "given.pk"};
  pallasc_text text = text_of("given.pk", add_source);
  pallasc_result *made = pallasc_compile(2, arguments, 1, &text);
  size_t length;
  const char *trace = pallasc_made(made, &length);
  ck_assert_ptr_nonnull(strstr(trace, "func @add("));
  ck_assert_uint_eq(length, strlen(trace));
  ck_assert_str_eq(pallasc_printed(made), "traced\n"); // and not among the text
  // The text goes on from there, as another kind of source.
  pallasc_text ir = text_of("add.ir", trace);
  const char *from_ir[] = {"add.ir"}, *by_kind[] = {"-x", "ir", "typed"};
  pallasc_result *again = pallasc_load(1, from_ir, 1, &ir);
  ck_assert_int_eq(pallasc_status_of(again), PALLASC_OK);
  check_add(pallasc_find_entry(again, "add"));
  pallasc_free(again);
  ir.path = "typed";
  again = pallasc_load(3, by_kind, 1, &ir);
  check_add(pallasc_find_entry(again, "add"));
  pallasc_free(again);
  pallasc_free(made);
}
END_TEST

START_TEST(objects_are_files_or_bytes) {
  char path[] = "/tmp/test_pallasc.XXXXXX";
  int fd = mkstemp(path);
  ck_assert_int_ge(fd, 0);
  const char *to_file[] = {"given.pk", "-o", path, "-h", "-"}, *to_text[] = {"given.pk", "-o", "-"};
  pallasc_text text = text_of("given.pk", add_source);
  pallasc_result *made = pallasc_compile(5, to_file, 1, &text);
  ck_assert_int_eq(pallasc_status_of(made), PALLASC_OK);
  ck_assert_ptr_nonnull(strstr(pallasc_made(made, NULL), "prt_status add(")); // the header
  pallasc_free(made);
  FILE *file = fopen(path, "rb");
  char magic[4] = "";
  ck_assert_uint_eq(fread(magic, 1, 4, file), 4);
  ck_assert_mem_eq(magic, "\177ELF", 4);
  fclose(file);
  close(fd);
  unlink(path);
  made = pallasc_compile(3, to_text, 1, &text);
  size_t length;
  ck_assert_mem_eq(pallasc_made(made, &length), "\177ELF", 4);
  ck_assert_uint_gt(length, 1000);
  pallasc_free(made);
}
END_TEST

START_TEST(programs_run_and_print_into_the_result) {
  const char *arguments[] = {"run", "given.pk"};
  pallasc_text text = text_of("given.pk", "import sys\nprint(jnp.ones(3) + 1)\n"
                                          "print('aside', file=sys.stderr)\n"
                                          "def kernel(o_ref):\n  pl.debug_print('{}', 7)\n"
                                          "  o_ref[...] = jnp.zeros((8, 128))\n"
                                          "print(pl.pallas_call(kernel, out_shape=jax."
                                          "ShapeDtypeStruct((8, 128), f32))()[0, 0])\n");
  pallasc_result *made = pallasc_compile(2, arguments, 1, &text);
  ck_assert_int_eq(pallasc_status_of(made), PALLASC_OK);
  ck_assert_str_eq(pallasc_printed(made), "[2. 2. 2.]\n7\n0.0\n");
  ck_assert_str_eq(pallasc_diagnostics(made), "aside\n");
  pallasc_free(made);
}
END_TEST

START_TEST(help_and_versions_are_texts) {
  const char *arguments[] = {"--version"};
  pallasc_result *made = pallasc_compile(1, arguments, 0, NULL);
  char expected[60];
  snprintf(expected, sizeof expected, "pallasc %s\n", pallasc_version());
  ck_assert_int_eq(strncmp(pallasc_printed(made), expected, strlen(expected)), 0);
  ck_assert_str_eq(pallasc_version(), prt_version());
  ck_assert_str_eq(pallasc_chip("TPU v5 lite"), "v5e");
  ck_assert_ptr_null(pallasc_chip("v9"));
  ck_assert_int_eq(pallasc_api_version(), PALLASC_API_VERSION);
  pallasc_free(made);
}
END_TEST

// ---- what is wrong ------------------------------------------------------------------------------
START_TEST(mistakes_are_data) {
  pallasc_result *made = load("def f(x: f32[8]):\n  return x + y\n");
  ck_assert_int_eq(pallasc_status_of(made), PALLASC_FAULT);
  ck_assert_ptr_null(pallasc_find_entry(made, "f"));
  ck_assert_ptr_nonnull(strstr(pallasc_diagnostics(made), "given.pk:2:14: error: "));
  const char *json = pallasc_diagnostics_json(made);
  ck_assert_int_eq(strncmp(json, "{\"severity\":\"error\",", 20), 0);
  ck_assert_ptr_nonnull(strstr(json, "\"file\":\"given.pk\",\"line\":2,\"column\":14"));
  ck_assert_ptr_eq(strchr(json, '\n'), json + strlen(json) - 1); // one, on one line
  pallasc_free(made);
}
END_TEST

// Each is refused with a diagnostic, of both forms.
START_TEST(bad_input_is_refused) {
  static const struct {
    const char *arguments[4];
    int status;
  } cases[] = {
      {{"no_such_file.pk"}, PALLASC_MACHINE},
      {{"/"}, PALLASC_MACHINE},
      {{NULL}, PALLASC_USAGE},
      {{"--emti=asm", "given.pk"}, PALLASC_USAGE},
      {{"@no_such_file"}, PALLASC_MACHINE},
      {{"-x", "fortran", "given.pk"}, PALLASC_USAGE},
      {{"-x", "ir", "given.pk"}, PALLASC_FAULT},
      {{"--max-trace-steps=1000", "endless.pk"}, PALLASC_FAULT},
      {{"deep.pk"}, PALLASC_FAULT},
      {{"--memory-limit=40M", "large.pk"}, PALLASC_MACHINE},
      {{"zeros.pk"}, PALLASC_FAULT},
      {{"exit.pk"}, PALLASC_FAULT},
  };
  char *deep = malloc(200001);
  memset(deep, '(', 200000);
  deep[200000] = 0;
  const pallasc_text texts[] = {
      text_of("given.pk", add_source), text_of("endless.pk", "while True: pass\n"),
      text_of("deep.pk", deep),        text_of("large.pk", "x = None\nwhile True: x = [x]\n"),
      {"zeros.pk", "x = 1\0\0", 7},    text_of("exit.pk", "import sys\nsys.exit(3)\n")};
  for (size_t i = 0; i < COUNT_OF(cases); i++) {
    size_t count = 0;
    while (count < 4 && cases[i].arguments[count]) count++;
    pallasc_result *made = pallasc_load(count, cases[i].arguments, COUNT_OF(texts), texts);
    ck_assert_ptr_nonnull(made);
    ck_assert_msg((int)pallasc_status_of(made) == cases[i].status, "case %zu: status %d, %s", i,
                  (int)pallasc_status_of(made), pallasc_diagnostics(made));
    ck_assert_msg(pallasc_diagnostics(made)[0] && pallasc_diagnostics_json(made)[0] == '{',
                  "case %zu", i);
    pallasc_free(made);
  }
  free(deep);
}
END_TEST

START_TEST(outputs_that_cannot_be_written_are_errors) {
  const char *arguments[] = {"given.pk", "-o", "/no/such/folder/x.o"};
  pallasc_text text = text_of("given.pk", add_source);
  pallasc_result *made = pallasc_compile(3, arguments, 1, &text);
  ck_assert_int_eq(pallasc_status_of(made), PALLASC_MACHINE);
  ck_assert_ptr_nonnull(strstr(pallasc_diagnostics(made), "cannot write"));
  pallasc_free(made);
}
END_TEST

// ---- threads ------------------------------------------------------------------------------------
enum { THREADS = 6, ROUNDS = 4 };

static void *compile_and_call(void *data) {
  int which = *(const int *)data;
  for (int round = 0; round < ROUNDS; round++) {
    if (which % 3 == 2) { // mistakes stay with whoever made them
      pallasc_result *bad = load("def f(x: f32[8]):\n  return x + nobody\n");
      ck_assert_ptr_nonnull(strstr(pallasc_diagnostics(bad), "nobody"));
      pallasc_free(bad);
      continue;
    }
    pallasc_result *made = load(add_source);
    ck_assert_str_eq(pallasc_diagnostics(made), "");
    check_add(pallasc_find_entry(made, "add"));
    pallasc_free(made);
  }
  return NULL;
}

static void *compile_on_little_stack(void *unused) {
  (void)unused;
  pallasc_result *made = load(add_source);
  ck_assert_int_eq(pallasc_status_of(made), PALLASC_OK);
  pallasc_free(made);
  return NULL;
}

START_TEST(threads_compile_at_once) {
  pthread_t threads[THREADS];
  int numbers[THREADS];
  for (int i = 0; i < THREADS; i++) {
    numbers[i] = i;
    ck_assert_int_eq(pthread_create(&threads[i], NULL, compile_and_call, &numbers[i]), 0);
  }
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
}
END_TEST

START_TEST(the_callers_stack_may_be_small) {
  pthread_attr_t attributes;
  pthread_t thread;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 64 << 10);
  ck_assert_int_eq(pthread_create(&thread, &attributes, compile_on_little_stack, NULL), 0);
  pthread_join(thread, NULL);
  pthread_attr_destroy(&attributes);
}
END_TEST

// Standard output and error of the process get nothing, whatever is compiled and run.
START_TEST(the_processs_streams_stay_empty) {
  char path[] = "/tmp/test_pallasc.XXXXXX";
  int file = mkstemp(path), out = dup(STDOUT_FILENO), err = dup(STDERR_FILENO);
  dup2(file, STDOUT_FILENO);
  dup2(file, STDERR_FILENO);
  static const char *const calls[][3] = {
      {"run", "given.pk", "-q"},        {"check", "given.pk", "-q"},
      {"--emit=ast", "given.pk", "-q"}, {"--print-after=all", "given.pk", "-o/dev/null"},
      {"-o", "-", "given.pk"},          {"--help", "run", "-q"},
      {"run", "wrong.pk", "-q"},        {"--version", "-q", "-q"}};
  const pallasc_text texts[] = {text_of("given.pk", add_source), text_of("wrong.pk", "1 +\n")};
  int worst = 0;
  for (size_t i = 0; i < COUNT_OF(calls); i++) {
    pallasc_result *made = pallasc_compile(3, calls[i], COUNT_OF(texts), texts);
    if ((int)pallasc_status_of(made) > worst) worst = (int)pallasc_status_of(made);
    pallasc_free(made);
  }
  fflush(stdout);
  dup2(out, STDOUT_FILENO);
  dup2(err, STDERR_FILENO);
  ck_assert_int_eq(worst, PALLASC_FAULT);
  ck_assert_int_eq((int)lseek(file, 0, SEEK_END), 0);
  close(file), close(out), close(err);
  unlink(path);
}
END_TEST

static Suite *make_suite(void) {
  Suite *suite = suite_create("pallasc");
  TCase *tcase = tcase_create("pallasc");
  tcase_add_test(tcase, code_is_found_by_name_and_runs);
  tcase_add_test(tcase, code_may_have_a_name_of_c);
  tcase_add_test(tcase, code_is_the_only_output);
  tcase_add_test(tcase, functions_are_timed);
  tcase_add_test(tcase, what_is_not_touched_has_no_share);
  tcase_add_test(tcase, stages_are_texts);
  tcase_add_test(tcase, objects_are_files_or_bytes);
  tcase_add_test(tcase, programs_run_and_print_into_the_result);
  tcase_add_test(tcase, help_and_versions_are_texts);
  tcase_add_test(tcase, mistakes_are_data);
  tcase_add_test(tcase, bad_input_is_refused);
  tcase_add_test(tcase, outputs_that_cannot_be_written_are_errors);
  tcase_add_test(tcase, threads_compile_at_once);
  tcase_add_test(tcase, the_callers_stack_may_be_small);
  tcase_add_test(tcase, the_processs_streams_stay_empty);
  suite_add_tcase(suite, tcase);
  return suite;
}

int main(void) { return suite_run(make_suite()); }
