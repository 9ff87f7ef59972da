// SPDX-License-Identifier: Apache-2.0
// The n-th allocation of the runtime fails, alone or with all behind it, for every n: what is asked
// for fails for want of memory or is done all the same, and is done when there is some again.
// Linked with --wrap for the functions below (CMakeLists.txt).
#include <check.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <unistd.h>
#include "transport/prt_packet.h"
#include "prt_npy.h"
#include "race_draw.h"
#include "task_script.h"
#include "transport/prt_memory.h"
#include "transport/prt_wire.h"
#include "suite.h"

// ---- allocations that fail ----------------------------------------------------------------------
static _Atomic long left = -1; // allocations before the one that fails; negative: none does
static _Atomic bool goes_on;   // all behind it fail, too

void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t bytes);
void *__real_realloc(void *old, size_t bytes);
void *__real_mmap(void *place, size_t bytes, int protection, int flags, int file, off_t offset);
void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);
void *__wrap_realloc(void *old, size_t bytes);
void *__wrap_mmap(void *place, size_t bytes, int protection, int flags, int file, off_t offset);

static bool fails(void) {
  long n = atomic_load(&left);
  if (n < 0 || (n == 0 && goes_on)) return n == 0;
  return atomic_fetch_sub(&left, 1) == 0;
}

void *__wrap_malloc(size_t bytes) { return fails() ? NULL : __real_malloc(bytes); }
void *__wrap_calloc(size_t count, size_t bytes) {
  return fails() ? NULL : __real_calloc(count, bytes);
}
void *__wrap_realloc(void *old, size_t bytes) {
  return fails() ? NULL : __real_realloc(old, bytes);
}
void *__wrap_mmap(void *place, size_t bytes, int protection, int flags, int file, off_t offset) {
  return fails() ? MAP_FAILED : __real_mmap(place, bytes, protection, flags, file, offset);
}

// What does not hold while allocations fail, since asserting allocates.
static const char *wrong;

// `act` gives PRT_OK, PRT_ERROR_MEMORY, or what it gives with memory as well.
static void with_failures(prt_status (*act)(void), prt_status wanted) {
  ck_assert_int_eq(act(), wanted);
  for (int mode = 0; mode < 2; mode++) {
    int failed = 0;
    for (long n = 0;; n++) {
      ck_assert_int_lt(n, 20000);
      goes_on = mode;
      left = n;
      prt_status status = act();
      bool was_reached = goes_on ? left == 0 : left < 0;
      left = -1;
      ck_assert_msg(!wrong, "allocation %ld: %s", n, wrong);
      ck_assert_msg(status == wanted || status == PRT_ERROR_MEMORY, "allocation %ld: %d: %s", n,
                    (int)status, prt_error_message());
      failed += status == PRT_ERROR_MEMORY;
      if (n % 7 == 0) ck_assert_int_eq(act(), wanted);
      if (!was_reached) break;
    }
    ck_assert_int_gt(failed, 0);
  }
}

// ---- what is asked for --------------------------------------------------------------------------
static prt_status make_hub(void) {
  prt_hub *hub = prt__hub_new(3, 1, -1);
  if (!hub) return PRT_ERROR_MEMORY;
  prt__hub_free(hub);
  return PRT_OK;
}

START_TEST(a_hub_is_made_or_not) { with_failures(make_hub, PRT_OK); }
END_TEST

static prt_status put_words(void) {
  enum { NUMBERS = 600, BYTES = 5000 };
  static const char bytes[BYTES] = {1};
  prt_wire wire = {0};
  for (int i = 0; i < NUMBERS; i++) prt__put_number(&wire, i);
  prt__put_bytes(&wire, bytes, BYTES);
  prt__put_number(&wire, NUMBERS);
  bool failed = wire.failed;
  if (wire.count > wire.room) wrong = "there are more words than there is room for";
  if (!failed && wire.count != NUMBERS + 1 + BYTES / 8 + 1) wrong = "a word is missing";
  free(wire.words);
  return failed ? PRT_ERROR_MEMORY : PRT_OK;
}

START_TEST(words_are_put_or_not) { with_failures(put_words, PRT_OK); }
END_TEST

static char file_path[] = "/tmp/test_prt_no_memory.XXXXXX";
static float elements[6] = {1, 2, 3, 4, 5, 6};

static prt_status write_file(void) {
  return prt_npy_write(file_path, PRT_F32, 2, (int64_t[]){2, 3}, elements);
}

static prt_status read_file(void) {
  prt_array a;
  prt_status status = prt_npy_read(file_path, NULL, &a);
  if (status && a.data) wrong = "an array that was not read has data";
  if (status) return status;
  bool is_right = memcmp(a.data, elements, sizeof elements) == 0;
  prt_array_free(&a);
  return is_right ? PRT_OK : PRT_ERROR_FORMAT;
}

static prt_status turn_file(void) {
  prt_array a;
  prt_status status = prt_npy_read(file_path, NULL, &a);
  if (!status) prt_array_free(&a);
  return status;
}

START_TEST(files_are_read_and_written_or_not) {
  int file = mkstemp(file_path);
  with_failures(write_file, PRT_OK);
  with_failures(read_file, PRT_OK);
  const char dict[] = "{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3)}\n";
  char head[] = "\x93NUMPY\x01\x00\x39\x00";
  ck_assert_int_eq(pwrite(file, head, 10, 0), 10);
  close(file);
  FILE *f = fopen(file_path, "wb");
  fwrite(head, 1, 10, f);
  fwrite(dict, 1, sizeof dict - 1, f);
  fwrite(elements, 1, sizeof elements, f);
  fclose(f);
  with_failures(turn_file, PRT_OK);
  unlink(file_path);
}
END_TEST

static const prt_entry checked = {.abi_version = PRT_ABI_VERSION,
                                  .flags = PRT_ENTRY_CHECKED,
                                  .name = "f",
                                  .devices = 1,
                                  .chip = "v5p",
                                  .cpu = "baseline"};

static void ignore_finding(void *data, const prt_finding *finding) { (void)data, (void)finding; }
static void ignore_text(void *data, const char *text, size_t length) {
  (void)data, (void)text, (void)length;
}

static prt_machine *quiet_machine(void) {
  prt_machine_options options;
  prt_machine_options_init(&options);
  options.threads = 1;
  options.on_finding = ignore_finding;
  options.on_print = options.on_report = ignore_text;
  return prt_machine_new(&options);
}

static prt_status print_arrays(void) {
  prt_machine *machine = quiet_machine();
  if (!machine) return PRT_ERROR_MEMORY;
  prt_worker *worker;
  prt_status status = prt__enter(machine, &checked, &worker);
  if (!status) {
    static float many[2000];
    const int64_t dims[] = {40, 50};
    prt_value values[] = {{many, PRT_F32, 2, dims}, {elements, PRT_F32, 0, NULL}};
    prt__debug_print(worker, "{} and {:>20}", 2, values);
    status = prt__leave(worker);
  }
  prt_machine_free(machine);
  return status;
}

START_TEST(arrays_are_printed_or_not) { with_failures(print_arrays, PRT_OK); }
END_TEST

static prt_status watch_memory(void) {
  static float out[64];
  static const int64_t dims[] = {64};
  prt_machine *machine = quiet_machine();
  if (!machine) return PRT_ERROR_MEMORY;
  prt_worker *worker;
  prt_status status = prt__enter(machine, &checked, &worker);
  if (!status) {
    for (int i = 0; i < 40; i++) { // more than a list has room for at first
      float *memory = prt__alloc(worker, PRT_VMEM, sizeof out);
      if (memory) prt__check_adopt(worker, memory, PRT_F32, 1, dims, "m", PRT_ADOPT_FRESH);
      if (memory && prt__check_element_unwritten(worker, &script_site, memory, 4, 5) == 5)
        prt__check_used(worker, &script_site, 5, "it");
    }
    prt__check_adopt(worker, out, PRT_F32, 1, dims, "out", PRT_ADOPT_OUT);
    status = prt__leave(worker);
  }
  prt_machine_free(machine);
  return status == PRT_OK ? PRT_ERROR_MEMORY : status; // nothing was found
}

START_TEST(memory_is_watched_or_not) { with_failures(watch_memory, PRT_ERROR_CHECK); }
END_TEST

static prt_status look_for_races(void) {
  prt_machine *machine = quiet_machine();
  if (!machine) return PRT_ERROR_MEMORY;
  long kept = left;
  left = -1; // for what the test makes itself
  Trace t;
  trace_draw(&t, machine, 12, false, 200);
  left = kept;
  prt_worker *worker = t.race->worker;
  prt_status status = prt__leave(worker); // looks for them
  prt_machine_free(machine);
  return status;
}

START_TEST(races_are_looked_for_or_not) { with_failures(look_for_races, PRT_ERROR_CHECK); }
END_TEST

static ScriptStep steps[4][4][20];
static ScriptStep *at(int device, int core) { return steps[device][core]; }
static const ScriptStep *stored(const ScriptWorld *w, int device, int core) {
  (void)w;
  return at(device, core);
}

static prt_status run_ring_on(prt_machine *machine) {
  if (!machine) return PRT_ERROR_MEMORY;
  ScriptWorld w = {.cores = 3, .devices = 2, .script = stored, .launches = 2};
  prt_status status = script_run(machine, &w);
  for (int i = 0; i < 6 && !status; i++)
    if (w.words[i] != 3) wrong = "a core has not come round";
  prt_machine_free(machine);
  return status;
}

static prt_status run_ring(void) { return run_ring_on(script_machine(1, 0, NULL)); }
static prt_status run_seeded(void) { return run_ring_on(script_machine(0, 3, NULL)); }
static prt_status run_stuck(void) {
  prt_machine *machine = quiet_machine();
  if (!machine) return PRT_ERROR_MEMORY;
  ScriptWorld w = {.cores = 3, .devices = 2, .script = stored};
  prt_status status = script_run(machine, &w);
  prt_machine_free(machine);
  return status;
}

// The graph is whole, or it is said that it is not.
static prt_status draw_stuck(void) {
  static const char path[] = "/tmp/test_prt_no_memory.dot",
                    errors[] = "/tmp/test_prt_no_memory.err";
  prt_machine_options options;
  prt_machine_options_init(&options);
  options.threads = 1;
  options.deadlock_dot = path;
  options.on_report = ignore_text;
  unlink(path);
  prt_machine *machine = prt_machine_new(&options);
  if (!machine) return PRT_ERROR_MEMORY;
  ScriptWorld w = {.cores = 3, .devices = 2, .script = stored};
  int kept = dup(2), file = open(errors, O_RDWR | O_CREAT | O_TRUNC, 0600);
  dup2(file, 2);
  prt_status status = script_run(machine, &w);
  dup2(kept, 2);
  char text[2000] = "", said[200] = "";
  int drawn = open(path, O_RDONLY);
  ssize_t length = drawn < 0 ? 0 : read(drawn, text, sizeof text - 1);
  bool is_whole = length > 2 && strcmp(text + length - 3, "\n}\n") == 0;
  bool is_said = pread(file, said, sizeof said - 1, 0) > 0 && strstr(said, "could not be written");
  if (status == PRT_ERROR_DEADLOCK && is_whole == is_said) wrong = "a graph that is not whole";
  if (drawn >= 0) close(drawn);
  close(file);
  close(kept);
  unlink(path);
  unlink(errors);
  prt_machine_free(machine);
  return status;
}

START_TEST(programs_run_or_not) {
  memset(steps, 0, sizeof steps);
  script_ring(at, 2, 3, 3, 1);
  with_failures(run_ring, PRT_OK);
  with_failures(run_seeded, PRT_OK);
  memset(steps, 0, sizeof steps);
  script_ring(at, 2, 3, 3, 0);
  with_failures(run_stuck, PRT_ERROR_DEADLOCK);
  with_failures(draw_stuck, PRT_ERROR_DEADLOCK);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("prt_no_memory");
  TCase *tests = tcase_create("no memory");
  tcase_set_timeout(tests, 120);
  tcase_add_test(tests, a_hub_is_made_or_not);
  tcase_add_test(tests, words_are_put_or_not);
  tcase_add_test(tests, files_are_read_and_written_or_not);
  tcase_add_test(tests, arrays_are_printed_or_not);
  tcase_add_test(tests, memory_is_watched_or_not);
  tcase_add_test(tests, races_are_looked_for_or_not);
  tcase_add_test(tests, programs_run_or_not);
  suite_add_tcase(suite, tests);
  return suite_run(suite);
}
