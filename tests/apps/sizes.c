// SPDX-License-Identifier: Apache-2.0
// Calls functions for several sizes: through their prototypes, their descriptors, and with sizes
// that there is no code for. The file is C and C++. Usage: sizes [checked] [LIBRARY]
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include "sizes.h"

static int failures;

static void expect(int holds, const char *what) {
  if (holds) return;
  fprintf(stderr, "not so: %s (last error: %s)\n", what, prt_error_message());
  failures++;
}

static float x[SOFTMAX_X_COUNT_MAX], out[SOFTMAX_OUT_COUNT_MAX + 1];

// Rows up to n are written, and nothing behind them.
static void expect_rows(prt_status status, int64_t n) {
  expect(status == PRT_OK, "softmax returns PRT_OK");
  int right = 1;
  for (int64_t i = 0; i < n * 128; i++) right &= out[i] == 1.0f / 128;
  expect(right, "each row is 1/128");
  expect(out[n * 128] == 7, "nothing is written behind the rows");
}

static void fill(void) {
  for (int i = 0; i <= SOFTMAX_OUT_COUNT_MAX; i++) out[i] = 7;
}

static void test_sizes(void) {
  static const int64_t sizes[] = {SOFTMAX_N_SIZES};
  expect(sizeof sizes / sizeof *sizes == 3 && sizes[2] == 256, "there are three sizes");
  for (int i = 0; i < 3; i++) {
    fill();
    expect_rows(softmax(NULL, sizes[i], x, out), sizes[i]);
  }
}

static void test_other_sizes(void) {
  expect(softmax(NULL, 24, x, out) == PRT_ERROR_ARGUMENT, "another size is refused");
  expect(
      !strcmp(prt_error_message(), "softmax: there is no code for n = 24; n is one of 8, 16, 256"),
      "the message lists the sizes");
  expect(mm(NULL, 4, 9, 32, x, x, out, out + 512) == PRT_ERROR_ARGUMENT, "so are several");
  expect(!strcmp(prt_error_message(), "mm: there is no code for rows = 4, k = 9, columns = 32; "
                                      "k is one of 3, 5"),
         "the message lists those that are wrong");
  expect(softmax(NULL, 8, x, NULL) == PRT_ERROR_ARGUMENT, "NULL is refused");
  expect(strstr(prt_error_message(), "'out'") != NULL, "the message names the argument");
}

static void test_combinations(void) {
  static const int64_t rows[] = {MM_ROWS_SIZES}, ks[] = {MM_K_SIZES},
                       columns[] = {MM_COLUMNS_SIZES};
  static float a[MM_A_COUNT_MAX], b[MM_B_COUNT_MAX], c[MM_OUT0_COUNT_MAX];
  for (int i = 0; i < MM_A_COUNT_MAX; i++) a[i] = 1;
  for (int i = 0; i < MM_B_COUNT_MAX; i++) b[i] = 2;
  for (int i = 0; i < 8; i++) {
    float which = 0;
    int64_t r = rows[i / 4], k = ks[i / 2 % 2], n = columns[i % 2];
    expect(mm(NULL, r, k, n, a, b, c, &which) == PRT_OK, "mm returns PRT_OK");
    expect(which == (float)(r * 10000 + n), "the code for these sizes ran");
    expect(c[r * n - 1] == 2 * (float)k, "the product is right");
  }
}

static void test_descriptor(const prt_entry *entry) {
  expect(entry->size_count == 1 && entry->variant_count == 3 && entry->param_count == 3,
         "the descriptor has a size, and code for three");
  const prt_param *n = &entry->params[0], *array = &entry->params[1];
  expect(!strcmp(n->name, "n") && n->role == PRT_SIZE && n->dtype == PRT_I64 && n->rank == 0 &&
             prt_param_bytes(n) == sizeof(int64_t),
         "the size is a parameter");
  expect(array->dims[0] == PRT_ANY_SIZE && array->dims[1] == 128 && prt_param_bytes(array) == 0,
         "the array depends on it");
  int64_t size = 16;
  void *arguments[] = {&size, x, out}, *no_size[] = {NULL, x, out};
  fill();
  expect_rows(entry->call(NULL, arguments), 16);
  size = 17;
  expect(entry->call(NULL, arguments) == PRT_ERROR_ARGUMENT, "another size is refused");
  expect(entry->call(NULL, no_size) == PRT_ERROR_ARGUMENT, "a size that is NULL is refused");
  expect(entry->call(NULL, NULL) == PRT_ERROR_ARGUMENT, "a list that is NULL is refused");
  const prt_entry *variant;
  size = 256;
  expect(prt_entry_for_sizes(entry, &size, &variant) == PRT_OK, "there is a variant for 256");
  expect(variant->sizes[0] == 256 && variant->param_count == 2 && variant->variant_count == 0 &&
             prt_param_bytes(&variant->params[0]) == 256 * 128 * sizeof(float),
         "it knows its shapes");
  fill();
  expect_rows(variant->call(NULL, arguments + 1), 256);
  expect(variant->call(NULL, NULL) == PRT_ERROR_ARGUMENT, "so it is by a variant");
  const prt_entry *same;
  expect(prt_entry_for_sizes(variant, &size, &same) == PRT_OK && same == variant,
         "a variant has no others");
}

static void test_devices(void) {
  static float parts[OVER_X_COUNT_MAX];
  expect(over(NULL, 16, x, parts) == PRT_OK, "over returns PRT_OK");
  expect(parts[3] == 0 && parts[4] == 1 && parts[15] == 3, "each device has its part");
  expect(over(NULL, 8, x, parts) == PRT_OK && parts[7] == 3, "and of another size");
}

static void test_library(const char *path) {
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  const prt_entry *entries[10];
  expect(library != NULL && prt_list_entries(library, entries, 10) == 3, "the library has three");
  if (library) test_descriptor(prt_find_entry(library, "softmax"));
}

int main(int argc, char **argv) {
  test_sizes();
  test_other_sizes();
  test_combinations();
  test_descriptor(&prt_entry_softmax);
  test_devices();
  if (argc > 1 && !strcmp(argv[1], "checked")) {
    expect(softmax(NULL, 16, x, x) == PRT_ERROR_ARGUMENT, "arguments that overlap are refused");
    expect(softmax(NULL, 8, x, x + 8 * 128) == PRT_OK, "by the size of the call");
  } else if (argc > 1) {
    test_library(argv[1]);
  }
  return failures > 0;
}
