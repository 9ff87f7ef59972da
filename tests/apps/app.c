// SPDX-License-Identifier: Apache-2.0
// Calls every entry point through the generated header; the file is C and C++.
#include <stdio.h>
#include <string.h>
#include "kernels.h"

static int failures;

static void expect(int holds, const char *what) {
  if (holds) return;
  fprintf(stderr, "not so: %s (last error: %s)\n", what, prt_error_message());
  failures++;
}

static void test_add(prt_machine *machine) {
  static float x[ADD_X_COUNT], y[ADD_Y_COUNT], out[ADD_OUT_COUNT + 1];
  for (int i = 0; i < ADD_X_COUNT; i++) {
    x[i] = (float)i;
    y[i] = (float)(3 * i);
  }
  out[ADD_OUT_COUNT] = 77;
  expect(add(machine, x, y, out) == PRT_OK, "add returns PRT_OK");
  int right = 1;
  for (int i = 0; i < ADD_OUT_COUNT; i++) right &= out[i] == (float)(4 * i);
  expect(right, "sums are right");
  expect(out[ADD_OUT_COUNT] == 77, "nothing is written behind the output");
  // Any alignment of at least the element's.
  static float odd[ADD_X_COUNT + 3];
  memcpy(odd + 3, x, sizeof x);
  memset(out, 0, sizeof out);
  expect(add(machine, odd + 3, y, out + 1) == PRT_OK && out[1] == 0 &&
             out[ADD_OUT_COUNT] == (float)(4 * (ADD_OUT_COUNT - 1)),
         "unaligned arrays are added");
}

static void test_two_results(prt_machine *machine) {
  static int32_t values[COUNT_AND_CLIP_VALUES_COUNT], clipped[COUNT_AND_CLIP_OUT0_COUNT];
  static bool keep[COUNT_AND_CLIP_KEEP_COUNT];
  int32_t most = 100, count = -1;
  for (int i = 0; i < COUNT_AND_CLIP_VALUES_COUNT; i++) {
    values[i] = i;
    keep[i] = i % 3 == 0;
  }
  expect(count_and_clip(machine, values, keep, &most, clipped, &count) == PRT_OK,
         "count_and_clip returns PRT_OK");
  expect(clipped[3] == 3 && clipped[4] == 0 && clipped[255] == 100, "values are kept and clipped");
  expect(count == (COUNT_AND_CLIP_VALUES_COUNT + 2) / 3, "kept values are counted");
}

static void test_bfloat16(prt_machine *machine) {
  static prt_bf16 x[HALVE_X_COUNT], out[HALVE_OUT_COUNT];
  for (int i = 0; i < HALVE_X_COUNT; i++) x[i] = prt_bf16_from_float((float)i);
  expect(halve(machine, x, out) == PRT_OK, "halve returns PRT_OK");
  expect(prt_bf16_to_float(out[100]) == 50, "half of 100 is 50");
}

static void test_errors(void) {
  static float x[ADD_X_COUNT];
  expect(add(NULL, x, NULL, x) == PRT_ERROR_ARGUMENT, "a NULL argument is refused");
  expect(strstr(prt_error_message(), "'y'") != NULL, "the message names the argument");
}

static void test_descriptor(void) {
  const prt_entry *e = &prt_entry_add;
  expect(e->abi_version == PRT_ABI_VERSION && strcmp(e->name, "add") == 0 && e->param_count == 3,
         "the descriptor of add");
  expect(e->params[2].role == PRT_OUT && e->params[2].dtype == PRT_F32 && e->params[2].rank == 2 &&
             e->params[2].dims[1] == 128,
         "its output");
  expect(prt_param_bytes(&e->params[0]) == 8 * 128 * 4, "bytes of a parameter");
  expect(strcmp(prt_entry_count_and_clip.params[2].name, "register_") == 0,
         "a keyword of C gets another name");
  expect(prt_entry_supported(e) == PRT_OK, "this CPU can run it");
  static float x[ADD_X_COUNT], y[ADD_Y_COUNT], out[ADD_OUT_COUNT];
  x[5] = 1;
  y[5] = 2;
  void *arguments[] = {x, y, out};
  expect(e->call(NULL, arguments) == PRT_OK && out[5] == 3, "a call through the descriptor");
}

int main(void) {
  prt_machine_options options;
  prt_machine_options_init(&options);
  options.threads = 3;
  options.chip = "v5p";
  prt_machine *machine = prt_machine_new(&options);
  expect(machine != NULL, "a machine is made");
  for (int i = 0; i < 3; i++) {
    prt_machine *which = i ? machine : NULL;
    test_add(which);
    test_two_results(which);
    test_bfloat16(which);
  }
  test_errors();
  test_descriptor();
  prt_machine_free(machine);
  if (!failures) puts("all entry points are right");
  return failures != 0;
}
