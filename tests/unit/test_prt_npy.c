// SPDX-License-Identifier: Apache-2.0
// .npy files: good ones of every version, and every way to be bad.
#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "prt_npy.h"

static char folder[] = "/tmp/test_prt_npy.XXXXXX";
static char path[100];

static void put_file(int version, const char *dict, const void *data, size_t bytes) {
  FILE *f = fopen(path, "wb");
  size_t length = strlen(dict);
  fwrite("\x93NUMPY", 1, 6, f);
  fputc(version, f);
  fputc(0, f);
  for (int i = 0; i < (version == 1 ? 2 : 4); i++) fputc((int)(length >> 8 * i & 0xff), f);
  fwrite(dict, 1, length, f);
  fwrite(data, 1, bytes, f);
  fclose(f);
}

static void reads_bad(prt_status status, const char *message) {
  prt_array array;
  ck_assert_int_eq(prt_npy_read(path, NULL, &array), (int)status);
  ck_assert_ptr_null(array.data);
  const char *found = strstr(prt_error_message(), message);
  ck_assert_msg(found != NULL, "'%s' does not say '%s'", prt_error_message(), message);
}

static void refuses(const char *dict, const char *message) {
  float data[64] = {0};
  put_file(1, dict, data, sizeof data);
  reads_bad(PRT_ERROR_FORMAT, message);
}

START_TEST(what_is_written_is_read) {
  static const prt_dtype dtypes[] = {
      PRT_BOOL, PRT_I4,  PRT_I8,  PRT_I16, PRT_I32,      PRT_I64,    PRT_U4,
      PRT_U8,   PRT_U16, PRT_U32, PRT_U64, PRT_F8E4M3FN, PRT_F8E5M2, PRT_F8E4M3B11FNUZ,
      PRT_BF16, PRT_F16, PRT_F32, PRT_F64};
  uint8_t data[6 * 8];
  for (size_t i = 0; i < sizeof data; i++) data[i] = i % 2;
  int64_t dims[] = {2, 3};
  for (size_t i = 0; i < sizeof dtypes / sizeof *dtypes; i++) {
    prt_array array;
    ck_assert_int_eq(prt_npy_write(path, dtypes[i], 2, dims, data), PRT_OK);
    ck_assert_int_eq(prt_npy_read(path, &dtypes[i], &array), PRT_OK);
    ck_assert_int_eq((int)array.dtype, (int)dtypes[i]);
    ck_assert_int_eq(array.rank, 2);
    ck_assert_int_eq(array.dims[1], 3);
    ck_assert_int_eq((int64_t)((uintptr_t)array.data % 64), 0);
    ck_assert_mem_eq(array.data, data, array.bytes);
    prt_array_free(&array);
  }
}
END_TEST

START_TEST(versions_and_spellings) {
  float data[] = {1, 2, 3, 4, 5, 6};
  prt_array a;
  for (int version = 1; version <= 3; version++) {
    put_file(version, "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }  \n", data,
             sizeof data);
    ck_assert_int_eq(prt_npy_read(path, NULL, &a), PRT_OK);
    ck_assert_mem_eq(a.data, data, sizeof data);
    prt_array_free(&a);
  }
  put_file(1, "{\"shape\":(6L,),\"descr\":'=f4','fortran_order':True}", data, sizeof data);
  ck_assert_int_eq(prt_npy_read(path, NULL, &a), PRT_OK);
  ck_assert_int_eq(a.dims[0], 6);
  prt_array_free(&a);
  put_file(1, "{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3)}", data, sizeof data);
  ck_assert_int_eq(prt_npy_read(path, NULL, &a), PRT_OK);
  float turned[] = {1, 3, 5, 2, 4, 6};
  ck_assert_mem_eq(a.data, turned, sizeof turned);
  prt_array_free(&a);
  uint8_t big[] = {0, 0, 1, 2};
  put_file(1, "{'descr': '>i4', 'fortran_order': False, 'shape': ()}", big, sizeof big);
  ck_assert_int_eq(prt_npy_read(path, NULL, &a), PRT_OK);
  ck_assert_int_eq(a.rank, 0);
  ck_assert_int_eq(*(int32_t *)a.data, 258);
  prt_array_free(&a);
  put_file(1, "{'descr': 'bfloat16', 'fortran_order': False, 'shape': (0, 5)}", big, 0);
  ck_assert_int_eq(prt_npy_read(path, NULL, &a), PRT_OK);
  ck_assert_int_eq((int)a.dtype, PRT_BF16);
  ck_assert_int_eq(a.count, 0);
  ck_assert_ptr_nonnull(a.data);
  prt_array_free(&a);
}
END_TEST

START_TEST(raw_types_are_what_is_expected) {
  uint8_t data[4] = {0xff, 1, 2, 3};
  prt_array a;
  prt_dtype expected = PRT_I4;
  bool raw = false;
  put_file(1, "{'descr': '|V1', 'fortran_order': False, 'shape': (4,)}", data, sizeof data);
  ck_assert_int_eq(prt_npy_read(path, &expected, &a), PRT_OK);
  ck_assert_int_eq((int)a.dtype, PRT_I4);
  ck_assert_int_eq(*(uint8_t *)a.data, 15);
  prt_array_free(&a);
  ck_assert_int_eq(prt_npy_read_header(path, NULL, &a, &raw), PRT_OK);
  ck_assert(raw);
  put_file(1, "{'descr': '<V2', 'fortran_order': False, 'shape': (2,)}", data, sizeof data);
  ck_assert_int_eq(prt_npy_read(path, NULL, &a), PRT_OK);
  ck_assert_int_eq((int)a.dtype, PRT_BF16);
  prt_array_free(&a);
}
END_TEST

START_TEST(bad_headers_are_named) {
  refuses("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3)", "malformed");
  refuses("{'descr': '<f4', 'fortran_order': False, 'shape': (2 3)}", "malformed");
  refuses("{'descr': '<f4', 'fortran_order': False, 'shape': (-2, 3)}", "malformed");
  refuses("{'descr': '<f4', 'fortran_order': 0, 'shape': (2, 3)}", "malformed");
  refuses("{'descr': '<f4, 'fortran_order': False, 'shape': (2, 3)}", "'<f4, ' is not supported");
  refuses("[]", "malformed");
  refuses("", "malformed");
  refuses("{'descr': '<f4', 'fortran_order': False, 'shape': (2,)} x", "malformed");
  refuses("{'descr': '<f4', 'shape': (2,)}", "lacks 'fortran_order'");
  refuses("{'fortran_order': False, 'shape': (2,)}", "lacks 'descr'");
  refuses("{'descr': '<f4', 'fortran_order': False, 'shape': (2,), 'colour': 'red'}",
          "key 'colour'");
  refuses("{'descr': '<c8', 'fortran_order': False, 'shape': (2,)}",
          "'<c8' (complex numbers) is not supported");
  refuses("{'descr': '|O', 'fortran_order': False, 'shape': (2,)}", "(Python objects)");
  refuses("{'descr': '<U5', 'fortran_order': False, 'shape': (2,)}", "(text)");
  refuses("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (2,)}", "structured");
  refuses("{'descr': '|V8', 'fortran_order': False, 'shape': (2,)}", "raw bytes");
  refuses("{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,)}",
          "does not fit 64 bits");
  refuses("{'descr': '<f4', 'fortran_order': False, 'shape': (4294967296, 4294967296)}",
          "too large");
  refuses("{'descr': '<f4', 'fortran_order': False, 'shape': (1099511627776,)}",
          "truncated: its shape needs 4398046511104 bytes of elements, 256 are there");
  refuses("{'descr': '<f4', 'fortran_order': False, 'shape': "
          "(1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1)}",
          "more than 32");
}
END_TEST

START_TEST(cut_files_are_refused) {
  float data[6] = {0};
  put_file(1, "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3)}", data, sizeof data);
  struct stat st;
  stat(path, &st);
  for (off_t size = st.st_size - 1; size >= 0; size--) {
    ck_assert_int_eq(truncate(path, size), 0);
    reads_bad(PRT_ERROR_FORMAT, size < 6 ? "not a .npy file" : "truncated");
  }
  put_file(4, "{}", data, 0);
  reads_bad(PRT_ERROR_FORMAT, "format version 4.0");
  unlink(path);
  reads_bad(PRT_ERROR_IO, "No such file");
  prt_array a;
  ck_assert_int_eq(prt_npy_read("/tmp", NULL, &a), PRT_ERROR_IO);
}
END_TEST

START_TEST(writing_is_whole_or_not_at_all) {
  float data[4] = {1, 2, 3, 4};
  int64_t dims[] = {4};
  ck_assert_int_eq(prt_npy_write("/nowhere/x.npy", PRT_F32, 1, dims, data), PRT_ERROR_IO);
  ck_assert_int_eq(prt_npy_write("/dev/null", PRT_F32, 1, dims, data), PRT_OK);
  ck_assert_int_eq(prt_npy_write("/dev/full", PRT_F32, 1, dims, data), PRT_ERROR_IO);
  char link_path[120];
  snprintf(link_path, sizeof link_path, "%s/link.npy", folder);
  ck_assert_int_eq(prt_npy_write(path, PRT_F32, 1, dims, data), PRT_OK);
  ck_assert_int_eq(symlink(path, link_path), 0);
  data[0] = 9;
  ck_assert_int_eq(prt_npy_write(link_path, PRT_F32, 1, dims, data), PRT_OK);
  prt_array a;
  ck_assert_int_eq(prt_npy_read(path, NULL, &a), PRT_OK);
  ck_assert(*(float *)a.data == 9);
  prt_array_free(&a);
  struct stat st;
  ck_assert_int_eq(lstat(link_path, &st), 0);
  ck_assert(S_ISLNK(st.st_mode));
  unlink(link_path);
}
END_TEST

START_TEST(pipes_are_read) {
  int64_t count = 3000000, dims[] = {count};
  float *data = malloc((size_t)count * 4);
  for (int64_t i = 0; i < count; i++) data[i] = (float)i;
  ck_assert_int_eq(prt_npy_write(path, PRT_F32, 1, dims, data), PRT_OK);
  char command[400], fifo[120];
  snprintf(fifo, sizeof fifo, "%s/fifo", folder);
  ck_assert_int_eq(mkfifo(fifo, 0600), 0);
  snprintf(command, sizeof command, "cat %s > %s &", path, fifo);
  ck_assert_int_eq(system(command), 0);
  prt_array a;
  ck_assert_int_eq(prt_npy_read(fifo, NULL, &a), PRT_OK);
  ck_assert_int_eq(memcmp(a.data, data, a.bytes), 0);
  prt_array_free(&a);
  snprintf(command, sizeof command, "head -c 5000 %s > %s &", path, fifo);
  ck_assert_int_eq(system(command), 0);
  ck_assert_int_eq(prt_npy_read(fifo, NULL, &a), PRT_ERROR_FORMAT);
  unlink(fifo);
  free(data);
}
END_TEST

START_TEST(arrays_are_checked) {
  prt_array a;
  int64_t dims[] = {INT64_MAX, 3}, negative[] = {-1}, fine[] = {3, 5};
  ck_assert_int_eq(prt_array_new(PRT_F32, 2, dims, &a), PRT_ERROR_ARGUMENT);
  ck_assert_int_eq(prt_array_new(PRT_F32, 1, negative, &a), PRT_ERROR_ARGUMENT);
  ck_assert_int_eq(prt_array_new((prt_dtype)99, 2, fine, &a), PRT_ERROR_ARGUMENT);
  ck_assert_int_eq(prt_array_new(PRT_I16, 2, fine, &a), PRT_OK);
  ck_assert_uint_eq(a.bytes, 30);
  prt_array_free(&a);
}
END_TEST

int main(void) {
  if (!mkdtemp(folder)) return 1;
  snprintf(path, sizeof path, "%s/x.npy", folder);
  Suite *suite = suite_create("prt_npy");
  TCase *tcase = tcase_create("all");
  tcase_add_test(tcase, what_is_written_is_read);
  tcase_add_test(tcase, versions_and_spellings);
  tcase_add_test(tcase, raw_types_are_what_is_expected);
  tcase_add_test(tcase, bad_headers_are_named);
  tcase_add_test(tcase, cut_files_are_refused);
  tcase_add_test(tcase, writing_is_whole_or_not_at_all);
  tcase_add_test(tcase, pipes_are_read);
  tcase_add_test(tcase, arrays_are_checked);
  suite_add_tcase(suite, tcase);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  unlink(path);
  rmdir(folder);
  return failed != 0;
}
