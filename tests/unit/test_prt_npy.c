// SPDX-License-Identifier: Apache-2.0
// .npy files: good ones of every version, and every way to be bad.
#include <check.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "prt_npy.h"
#include "suite.h"

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
  // Opened, but no read succeeds: nothing is there at 0.
  ck_assert_int_eq(prt_npy_read("/proc/self/mem", NULL, &a), PRT_ERROR_IO);
  ck_assert_ptr_nonnull(strstr(prt_error_message(), strerror(EIO)));
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

// Without a standard input the file that is written has its descriptor, and gives it back.
START_TEST(the_descriptor_may_be_0) {
  float data[4] = {1, 2, 3, 4};
  int64_t dims[] = {4};
  int input = dup(0);
  close(0);
  ck_assert_int_eq(prt_npy_write(path, PRT_F32, 1, dims, data), PRT_OK);
  ck_assert_int_eq(open("/dev/null", O_RDONLY), 0);
  dup2(input, 0);
  close(input);
  prt_array a;
  ck_assert_int_eq(prt_npy_read(path, NULL, &a), PRT_OK);
  ck_assert(((float *)a.data)[3] == 4);
  prt_array_free(&a);
}
END_TEST

START_TEST(pipes_are_read) {
  int64_t count = 9000000, dims[] = {count}; // more than is read at once
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

// ---- what is written, byte by byte --------------------------------------------------------------
static const struct {
  prt_dtype dtype;
  const char *descr; // as NumPy and ml_dtypes write it
} descrs[] = {{PRT_BOOL, "|b1"},      {PRT_I2, "<V1"},         {PRT_I4, "<V1"},
              {PRT_I8, "|i1"},        {PRT_I16, "<i2"},        {PRT_I32, "<i4"},
              {PRT_I64, "<i8"},       {PRT_U2, "<V1"},         {PRT_U4, "<V1"},
              {PRT_U8, "|u1"},        {PRT_U16, "<u2"},        {PRT_U32, "<u4"},
              {PRT_U64, "<u8"},       {PRT_BF16, "<V2"},       {PRT_F16, "<f2"},
              {PRT_F32, "<f4"},       {PRT_F64, "<f8"},        {PRT_F8E4M3FN, "<V1"},
              {PRT_F8E5M2, "<V1"},    {PRT_F8E3M4, "<V1"},     {PRT_F8E4M3B11FNUZ, "<V1"},
              {PRT_F8E4M3, "<V1"},    {PRT_F8E4M3FNUZ, "<V1"}, {PRT_F8E5M2FNUZ, "<V1"},
              {PRT_F8E8M0FNU, "<V1"}, {PRT_F4E2M1FN, "<V1"}};

static void expect_header(prt_dtype dtype, const char *descr, int32_t rank, const int64_t *dims) {
  char dict[1200], header[1600];
  int length = sprintf(dict, "{'descr': '%s', 'fortran_order': False, 'shape': (", descr);
  for (int32_t i = 0; i < rank; i++)
    length += sprintf(dict + length, "%lld,%s", (long long)dims[i], i + 1 < rank ? " " : "");
  if (rank > 1) length--; // (2, 3), but (2,)
  length += sprintf(dict + length, "), }");
  size_t total = prt_npy_header(dtype, rank, dims, NULL, 0);
  ck_assert(total % 64 == 0 && total >= (size_t)length + 11 && total < (size_t)length + 11 + 64);
  memset(header, 'x', sizeof header);
  ck_assert_uint_eq(prt_npy_header(dtype, rank, dims, header, total - 1), total);
  ck_assert_int_eq(header[0], 'x'); // too little room
  ck_assert_uint_eq(prt_npy_header(dtype, rank, dims, header, total), total);
  ck_assert_mem_eq(header, "\x93NUMPY\x01\x00", 8);
  ck_assert_uint_eq((size_t)(uint8_t)header[8] + 256 * (size_t)(uint8_t)header[9], total - 10);
  ck_assert_mem_eq(header + 10, dict, (size_t)length);
  for (size_t i = (size_t)length + 10; i < total - 1; i++) ck_assert_int_eq(header[i], ' ');
  ck_assert(header[total - 1] == '\n' && header[total] == 'x');
}

START_TEST(headers_are_numpys) {
  int64_t dims[PRT_NPY_MAX_RANK];
  for (size_t i = 0; i < sizeof descrs / sizeof *descrs; i++)
    expect_header(descrs[i].dtype, descrs[i].descr, 2, (int64_t[]){3, 70});
  for (int32_t rank = 0; rank <= PRT_NPY_MAX_RANK; rank++)
    for (int64_t dim = 1; dim < INT64_MAX / 30; dim *= 29) {
      for (int32_t k = 0; k < PRT_NPY_MAX_RANK; k++) dims[k] = dim;
      expect_header(PRT_F32, "<f4", rank, dims);
    }
}
END_TEST

static void writes(float first) {
  float data[] = {first, 2};
  ck_assert_int_eq(prt_npy_write(path, PRT_F32, 1, (int64_t[]){2}, data), PRT_OK);
}

static float first_there(void) {
  prt_array a;
  ck_assert_int_eq(prt_npy_read(path, NULL, &a), PRT_OK);
  float first = *(float *)a.data;
  prt_array_free(&a);
  return first;
}

static int files_there(void) {
  int count = 0;
  DIR *directory = opendir(folder);
  while (readdir(directory)) count++;
  closedir(directory);
  return count - 2; // . and ..
}

// A file of the same name as the temporary one is somebody else's.
START_TEST(temporary_files_have_names_of_their_own) {
  enum { TRIES = 100 };
  char other[200];
  writes(1);
  for (int i = 0; i < TRIES; i++) {
    snprintf(other, sizeof other, "%s.%ld-%d.tmp", path, (long)getpid(), i);
    FILE *f = fopen(other, "w");
    fputs("mine", f);
    fclose(f);
    if (i == 1) writes(2);
    if (i == TRIES - 2) writes(3);
    ck_assert_int_eq(files_there(), i + 2);
  }
  float data[] = {4};
  ck_assert_int_eq(prt_npy_write(path, PRT_F32, 1, (int64_t[]){1}, data), PRT_ERROR_IO);
  ck_assert(first_there() == 3);
  for (int i = 0; i < TRIES; i++) {
    struct stat st;
    snprintf(other, sizeof other, "%s.%ld-%d.tmp", path, (long)getpid(), i);
    ck_assert(stat(other, &st) == 0 && st.st_size == 4);
    unlink(other);
  }
}
END_TEST

// Killed in the midst of a file: there is none, and the old one is as it was.
START_TEST(a_process_that_is_killed_leaves_no_part) {
  enum { COUNT = 100000 };
  float *data = calloc(COUNT, sizeof *data);
  unlink(path);
  for (int i = 0; i < 2; i++) {
    pid_t child = fork();
    if (child == 0) {
      signal(SIGXFSZ, SIG_DFL);
      setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
      setrlimit(RLIMIT_FSIZE, &(struct rlimit){COUNT, COUNT});
      prt_npy_write(path, PRT_F32, 1, (int64_t[]){COUNT}, data);
      _exit(0);
    }
    int status = 0;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGXFSZ);
    ck_assert_int_eq(files_there(), i);
    if (i) ck_assert(first_there() == 7);
    writes(7);
  }
  free(data);
}
END_TEST

START_TEST(what_cannot_be_written_leaves_nothing) {
  char long_path[300], directory[200];
  float data[] = {4};
  int64_t dims[] = {1};
  writes(1);
  snprintf(long_path, sizeof long_path, "%s/%0250d", folder, 0);
  ck_assert_int_eq(prt_npy_write(long_path, PRT_F32, 1, dims, data), PRT_ERROR_IO);
  snprintf(directory, sizeof directory, "%s/sub", folder);
  ck_assert_int_eq(mkdir(directory, 0700), 0);
  ck_assert_int_eq(prt_npy_write(directory, PRT_F32, 1, dims, data), PRT_ERROR_IO);
  ck_assert_int_eq(files_there(), 2);
  rmdir(directory);
  ck_assert_int_eq(prt_npy_write(path, PRT_F32, -1, dims, data), PRT_ERROR_ARGUMENT);
  ck_assert_int_eq(prt_npy_write(path, PRT_F32, 33, dims, data), PRT_ERROR_ARGUMENT);
  ck_assert_int_eq(prt_npy_write(path, (prt_dtype)99, 1, dims, data), PRT_ERROR_ARGUMENT);
  ck_assert(first_there() == 1);
}
END_TEST

// More than one call of the system takes; nobody looks at it.
START_TEST(large_arrays_are_written) {
  int64_t dims[] = {((int64_t)1 << 30) + 5};
  void *data =
      mmap(NULL, (size_t)dims[0], PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  ck_assert_ptr_ne(data, MAP_FAILED);
  ck_assert_int_eq(prt_npy_write("/dev/null", PRT_U8, 1, dims, data), PRT_OK);
  munmap(data, (size_t)dims[0]);
}
END_TEST

// ---- what is read -------------------------------------------------------------------------------
static void reads(const char *dict, const void *data, size_t bytes, const prt_dtype *expected,
                  prt_array *array) {
  put_file(1, dict, data, bytes);
  ck_assert_msg(prt_npy_read(path, expected, array) == PRT_OK, "%s", prt_error_message());
}

static void expect_type(const char *descr, const prt_dtype *expected, prt_dtype wanted, bool raw) {
  char dict[200];
  uint8_t data[16] = {0};
  prt_array a;
  bool is_raw = !raw;
  snprintf(dict, sizeof dict, "{'descr': '%s', 'fortran_order': False, 'shape': (2,)}", descr);
  reads(dict, data, 2 * prt_dtype_size(wanted), expected, &a);
  ck_assert_msg(a.dtype == wanted, "%s", descr);
  prt_array_free(&a);
  ck_assert_int_eq(prt_npy_read_header(path, expected, &a, &is_raw), PRT_OK);
  ck_assert(is_raw == raw && a.dtype == wanted && a.count == 2);
}

START_TEST(types_are_read) {
  prt_dtype f16 = PRT_F16, e4 = PRT_F8E4M3FN, f32 = PRT_F32;
  for (size_t i = 0; i < sizeof descrs / sizeof *descrs; i++) {
    const char *descr = descrs[i].descr;
    expect_type(descr, &descrs[i].dtype, descrs[i].dtype, descr[1] == 'V');
    expect_type(prt_dtype_name(descrs[i].dtype), NULL, descrs[i].dtype, false);
    if (descr[1] == 'V') continue;
    expect_type(descr, NULL, descrs[i].dtype, false);
    expect_type(descr + 1, &e4, descrs[i].dtype, false);
  }
  expect_type("|V1", NULL, PRT_U8, true);
  expect_type("|V1", &f16, PRT_U8, true);
  expect_type("V2", NULL, PRT_BF16, true);
  expect_type("V2", &e4, PRT_BF16, true);
  expect_type(">V2", &f16, PRT_F16, true);
  expect_type("|V4", &f32, PRT_F32, true);
  expect_type("|f1", NULL, PRT_F8E5M2, true);
  refuses("{'descr': '|V3', 'fortran_order': False, 'shape': (2,)}", "raw bytes ('V3')");
  refuses("{'descr': '<M8', 'fortran_order': False, 'shape': (2,)}", "'<M8' (dates)");
  refuses("{'descr': '<m8', 'fortran_order': False, 'shape': (2,)}", "'<m8' (dates)");
  refuses("{'descr': '|S3', 'fortran_order': False, 'shape': (2,)}", "'|S3' (text)");
  refuses("{'descr': '<i3', 'fortran_order': False, 'shape': (2,)}", "'<i3' is not supported");
  refuses("{'descr': '', 'fortran_order': False, 'shape': (2,)}", "'' is not supported");
  refuses("{'descr': '0123456789012345678901234567890123456789', 'shape': (2,)}",
          "not supported: '012345678901234567890123456789…'");
  refuses("{'descr': '012345678901234567890123456789012345678', 'shape': (2,)}",
          "'012345678901234567890123456789012345678' is not supported");
}
END_TEST

// All but the last byte of what is fine is malformed there, or lacks something.
START_TEST(headers_are_malformed_where_they_are) {
  static const struct {
    const char *dict;
    int at;
  } cases[] = {{"x", 0},
               {"  x", 2},
               {"{x", 1},
               {"{'descr'", 8},
               {"{'descr' '<f4'", 9},
               {"{'descr': <f4", 10},
               {"{'descr': '<f4' 'shape'", 16},
               {"{'descr': '<f4', 'shape': 2", 26},
               {"{'shape': (x", 11},
               {"{'shape': (2", 12},
               {"{'shape': (2;", 12},
               {"{'shape': (2,,", 13},
               {"{'fortran_order': Falso, 'shape': (2,)}", 18},
               {"{'fortran_order': false, 'shape': (2,)}", 18},
               {"{'fortran_order': Tru", 18},
               {"{'fortran_order': Fals", 18},
               {"{'fortran_order': Trux}", 18},
               {"{} {", 3},
               {"{'descr': '<f4',, ", 16}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char message[100];
    snprintf(message, sizeof message, "malformed at byte %d of the description", cases[i].at);
    refuses(cases[i].dict, message);
  }
  refuses("{'shape': (2,), 'shape': (2,)}", "key 'shape' that is not known");
  refuses("{'shapes': (2,)}", "key 'shapes'");
  refuses("{'descx': '<f4'}", "key 'descx'");
  refuses("{'fortran_ordex': True}", "key 'fortran_ordex'");
  refuses("{'0123456789012345678901234567890123456789abc': 1}",
          "key '0123456789012345678901234567890123456789' that");
  refuses("{'descr': '<f4', 'fortran_order': False}", "lacks 'shape'");
}
END_TEST

START_TEST(space_is_where_it_may_be) {
  float data[6] = {1, 2, 3, 4, 5, 6};
  static const char spaces[] = " \t\n\r";
  static const char *const tokens[] = {"{", "'descr'", ":", "'<f4'",     ",", "'fortran_order'",
                                       ":", "False",   ",", "\"shape\"", ":", "(",
                                       "2", ",",       "3", ")",         "}"};
  for (int kind = 0; kind < 4; kind++) {
    char dict[300] = "";
    for (size_t i = 0; i < sizeof tokens / sizeof *tokens; i++)
      strncat(strcat(dict, tokens[i]), spaces + (kind + (int)i) % 4, 1);
    prt_array a;
    reads(dict, data, sizeof data, NULL, &a);
    ck_assert(a.rank == 2 && a.dims[0] == 2 && a.dims[1] == 3);
    ck_assert_mem_eq(a.data, data, sizeof data);
    prt_array_free(&a);
  }
}
END_TEST

START_TEST(fortran_order_is_turned) {
  static const int64_t shapes[][4] = {{2, 3, 4, 5}, {3, 1, 4, 2}, {1, 1, 1, 7}, {5, 2, 1, 1}};
  int16_t data[120], wanted[120];
  for (int16_t i = 0; i < 120; i++) data[i] = i;
  for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
    for (int rank = 0; rank <= 4; rank++) {
      const int64_t *dims = shapes[s];
      int64_t n[4] = {1, 1, 1, 1}, at = 0;
      char dict[200], *end = dict;
      end += sprintf(end, "{'descr': '<i2', 'fortran_order': True, 'shape': (");
      for (int d = 0; d < rank; d++) end += sprintf(end, "%d,", (int)(n[d] = dims[d]));
      sprintf(end, ")}");
      for (int64_t a = 0; a < n[0]; a++)
        for (int64_t b = 0; b < n[1]; b++)
          for (int64_t c = 0; c < n[2]; c++)
            for (int64_t d = 0; d < n[3]; d++)
              wanted[at++] = (int16_t)(a + n[0] * (b + n[1] * (c + n[2] * d)));
      prt_array array;
      reads(dict, data, (size_t)at * 2, NULL, &array);
      ck_assert_int_eq(array.count, at);
      ck_assert_mem_eq(array.data, wanted, (size_t)at * 2);
      prt_array_free(&array);
    }
}
END_TEST

START_TEST(the_other_byte_order_is_turned) {
  uint8_t data[16], wanted[16];
  for (uint8_t i = 0; i < 16; i++) data[i] = i;
  static const char *const types[] = {"i1", "i2", "u4", "f4", "f8", "f2"};
  static const size_t sizes[] = {1, 2, 4, 4, 8, 2};
  for (int i = 0; i < 6; i++) {
    char dict[100];
    prt_array a;
    sprintf(dict, "{'descr': '>%s', 'fortran_order': False, 'shape': (%d,)}", types[i],
            (int)(16 / sizes[i]));
    for (size_t k = 0; k < 16; k++)
      wanted[k] = data[k / sizes[i] * sizes[i] + sizes[i] - 1 - k % sizes[i]];
    reads(dict, data, 16, NULL, &a);
    ck_assert_mem_eq(a.data, wanted, 16);
    prt_array_free(&a);
  }
}
END_TEST

START_TEST(bits_that_mean_nothing_go) {
  uint8_t data[4] = {0, 1, 0x52, 0xff};
  prt_array a;
  prt_dtype i4 = PRT_I4, u2 = PRT_U2, u8 = PRT_U8;
  reads("{'descr': '|b1', 'fortran_order': False, 'shape': (4,)}", data, 4, NULL, &a);
  ck_assert_mem_eq(a.data, "\0\1\1\1", 4);
  prt_array_free(&a);
  const char *raw = "{'descr': '|V1', 'fortran_order': False, 'shape': (4,)}";
  reads(raw, data, 4, &i4, &a);
  ck_assert_mem_eq(a.data, "\x0\x1\x2\xf", 4);
  prt_array_free(&a);
  reads(raw, data, 4, &u2, &a);
  ck_assert_mem_eq(a.data, "\x0\x1\x2\x3", 4);
  prt_array_free(&a);
  reads(raw, data, 4, &u8, &a);
  ck_assert_mem_eq(a.data, data, 4);
  prt_array_free(&a);
}
END_TEST

START_TEST(long_headers_have_a_limit) {
  static char dict[(1 << 20) + 2];
  float data[2] = {1, 2};
  prt_array a;
  memset(dict, ' ', sizeof dict - 1);
  memcpy(dict, "{'descr': '<f4', 'fortran_order': False, 'shape': (2,)}", 55);
  dict[1 << 20] = 0;
  put_file(2, dict, data, sizeof data);
  ck_assert_int_eq(prt_npy_read(path, NULL, &a), PRT_OK);
  ck_assert(((float *)a.data)[1] == 2);
  prt_array_free(&a);
  dict[1 << 20] = ' ';
  put_file(2, dict, data, sizeof data);
  reads_bad(PRT_ERROR_FORMAT, "its header of 1048577 bytes is longer than the 1048576");
}
END_TEST

// As the program's own input and output, from where the input stands.
START_TEST(a_dash_is_input_or_output) {
  float data[2] = {1, 2}, other[2] = {7, 8};
  int64_t dims[] = {2};
  prt_array a;
  FILE *f = fopen(path, "wb");
  fputs("before", f);
  fclose(f);
  int input = dup(0), output = dup(1), fd = open(path, O_RDWR | O_APPEND);
  fflush(stdout);
  dup2(fd, 1);
  ck_assert_int_eq(prt_npy_write("-", PRT_F32, 1, dims, data), PRT_OK);
  ck_assert_int_eq(prt_npy_write("-", PRT_F32, 1, dims, other), PRT_OK);
  dup2(output, 1);
  dup2(fd, 0);
  lseek(0, 6, SEEK_SET);
  ck_assert_int_eq(prt_npy_read("-", NULL, &a), PRT_OK);
  ck_assert_mem_eq(a.data, data, sizeof data);
  prt_array_free(&a);
  ck_assert_int_eq(prt_npy_read("-", NULL, &a), PRT_OK);
  ck_assert_mem_eq(a.data, other, sizeof other);
  prt_array_free(&a);
  ck_assert_int_eq(prt_npy_read("-", NULL, &a), PRT_ERROR_FORMAT);
  ck_assert_ptr_nonnull(strstr(prt_error_message(), "<stdin>: not a .npy file"));
  dup2(input, 0);
  close(fd);
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
  tcase_add_test(tcase, the_descriptor_may_be_0);
  tcase_add_test(tcase, pipes_are_read);
  tcase_add_test(tcase, arrays_are_checked);
  tcase_add_test(tcase, headers_are_numpys);
  tcase_add_test(tcase, temporary_files_have_names_of_their_own);
  tcase_add_test(tcase, a_process_that_is_killed_leaves_no_part);
  tcase_add_test(tcase, what_cannot_be_written_leaves_nothing);
  tcase_add_test(tcase, large_arrays_are_written);
  tcase_add_test(tcase, types_are_read);
  tcase_add_test(tcase, headers_are_malformed_where_they_are);
  tcase_add_test(tcase, space_is_where_it_may_be);
  tcase_add_test(tcase, fortran_order_is_turned);
  tcase_add_test(tcase, the_other_byte_order_is_turned);
  tcase_add_test(tcase, bits_that_mean_nothing_go);
  tcase_add_test(tcase, long_headers_have_a_limit);
  tcase_add_test(tcase, a_dash_is_input_or_output);
  suite_add_tcase(suite, tcase);
  int status = suite_run(suite);
  unlink(path);
  rmdir(folder);
  return status;
}
