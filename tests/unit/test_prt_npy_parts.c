// SPDX-License-Identifier: Apache-2.0
// Arrays whose parts are .npy files: what is mapped, and what has to be read, give the same array.
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "prt_npy.h"
#include "suite.h"

enum { PARTS = 4, COLUMNS = 64 };

static char folder[] = "/tmp/test_prt_npy_parts.XXXXXX";
static char names[PARTS][100];
static const char *const paths[PARTS] = {names[0], names[1], names[2], names[3]};

static float element(int64_t i) { return (float)(i % 100003); }

// `rows` by part. Header and elements as NumPy writes them.
static void put_parts(const int64_t *rows) {
  int64_t at = 0;
  for (int p = 0; p < PARTS; p++) {
    int64_t count = rows[p] * COLUMNS, dims[] = {rows[p], COLUMNS};
    float *data = malloc((size_t)count * sizeof *data);
    for (int64_t i = 0; i < count; i++) data[i] = element(at + i);
    ck_assert_int_eq(prt_npy_write(paths[p], PRT_F32, 2, dims, data), PRT_OK);
    free(data);
    at += count;
  }
}

static void has_all(const prt_array *array) {
  const float *data = array->data;
  ck_assert_int_eq((int64_t)((uintptr_t)data % 64), 0);
  for (int64_t i = 0; i < array->count; i++)
    ck_assert_msg(data[i] == element(i), "element %lld", (long long)i);
}

static size_t resident(void) {
  size_t all = 0, pages = 0;
  FILE *f = fopen("/proc/self/statm", "r");
  if (!f || fscanf(f, "%zu %zu", &all, &pages) != 2) pages = 0;
  if (f) fclose(f);
  return pages * (size_t)sysconf(_SC_PAGESIZE);
}

START_TEST(parts_go_on_where_the_one_before_ends) {
  // In rows of 256 bytes: pages, parts of pages, less than one, in turn.
  static const int64_t rows[][PARTS] = {{16, 16, 16, 16}, {64, 32, 16, 48}, {16, 17, 16, 16},
                                        {1, 2, 3, 4},     {16, 0, 32, 1},   {17, 31, 16, 160}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    prt_array array;
    put_parts(rows[i]);
    ck_assert_int_eq(prt_npy_read_parts(paths, PARTS, NULL, &array), PRT_OK);
    ck_assert_int_eq(array.dims[0], rows[i][0] + rows[i][1] + rows[i][2] + rows[i][3]);
    has_all(&array);
    memset(array.data, 0, array.bytes); // it is the caller's, and the files stay as they are
    prt_array_free(&array);
    ck_assert_int_eq(prt_npy_read_parts(paths, PARTS, NULL, &array), PRT_OK);
    has_all(&array);
    prt_array_free(&array);
  }
}
END_TEST

START_TEST(what_nobody_looks_at_is_not_read) {
  static const int64_t rows[PARTS] = {1 << 15, 1 << 15, 1 << 15, 1 << 15}; // 8 MB each
  prt_array array;
  put_parts(rows);
  size_t before = resident();
  ck_assert_int_eq(prt_npy_read_parts(paths, PARTS, NULL, &array), PRT_OK);
  ck_assert_float_eq(((float *)array.data)[array.count - 1], element(array.count - 1));
  ck_assert_uint_lt(resident() - before, array.bytes / 8);
  prt_array_free(&array);
}
END_TEST

START_TEST(what_is_not_as_in_memory_is_read) {
  static const uint8_t bytes[] = {0, 1, 2, 255};
  static const int64_t dims[] = {4096};
  uint8_t *data = malloc(4096);
  for (int i = 0; i < 4096; i++) data[i] = bytes[i % 4];
  for (int p = 0; p < PARTS; p++)
    ck_assert_int_eq(prt_npy_write(paths[p], PRT_BOOL, 1, dims, data), PRT_OK);
  prt_array array;
  ck_assert_int_eq(prt_npy_read_parts(paths, PARTS, NULL, &array), PRT_OK);
  for (int i = 0; i < PARTS * 4096; i++)
    ck_assert_int_eq(((uint8_t *)array.data)[i], bytes[i % 4] != 0);
  prt_array_free(&array);
  free(data);
}
END_TEST

START_TEST(parts_that_do_not_fit_are_refused) {
  static const int64_t rows[PARTS] = {16, 16, 16, 16}, other[] = {16, COLUMNS + 1};
  prt_array array;
  float *data = calloc(16 * (COLUMNS + 1), sizeof *data);
  put_parts(rows);
  ck_assert_int_eq(prt_npy_write(paths[2], PRT_F32, 2, other, data), PRT_OK);
  ck_assert_int_eq(prt_npy_read_parts(paths, PARTS, NULL, &array), PRT_ERROR_FORMAT);
  ck_assert_ptr_nonnull(strstr(prt_error_message(), "does not go on where"));
  put_parts(rows);
  ck_assert_int_eq(truncate(paths[3], 1000), 0);
  ck_assert_int_eq(prt_npy_read_parts(paths, PARTS, NULL, &array), PRT_ERROR_FORMAT);
  ck_assert_ptr_nonnull(strstr(prt_error_message(), "truncated"));
  unlink(paths[1]);
  ck_assert_int_eq(prt_npy_read_parts(paths, PARTS, NULL, &array), PRT_ERROR_IO);
  ck_assert_ptr_null(array.data);
  free(data);
}
END_TEST

int main(void) {
  if (!mkdtemp(folder)) return 1;
  for (int p = 0; p < PARTS; p++) snprintf(names[p], sizeof names[p], "%s/x.%d.npy", folder, p);
  Suite *suite = suite_create("prt_npy_parts");
  TCase *tcase = tcase_create("all");
  tcase_add_test(tcase, parts_go_on_where_the_one_before_ends);
  tcase_add_test(tcase, what_nobody_looks_at_is_not_read);
  tcase_add_test(tcase, what_is_not_as_in_memory_is_read);
  tcase_add_test(tcase, parts_that_do_not_fit_are_refused);
  suite_add_tcase(suite, tcase);
  int status = suite_run(suite);
  for (int p = 0; p < PARTS; p++) unlink(paths[p]);
  rmdir(folder);
  return status;
}
