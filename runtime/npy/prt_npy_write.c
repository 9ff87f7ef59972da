// SPDX-License-Identifier: Apache-2.0
// .npy files: writing, whole or not at all.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "machine/prt_fail.h"
#include "prt_npy.h"

enum { MAX_TRIES = 100 };

// "<f4"; raw types have no order either, NumPy writes them with one all the same.
static const char *descr_of(prt_dtype dtype) {
  switch (dtype) {
#define PRT_DTYPE(id, number, short_name, name, bytes, kind, c_type, descr)                        \
  case PRT_##id:                                                                                   \
    return bytes == 1 && descr[0] != 'V' ? "|" descr : "<" descr;
#include "prt_dtype.def"
#undef PRT_DTYPE
  }
  return NULL;
}

size_t prt_npy_header(prt_dtype dtype, int32_t rank, const int64_t *dims, char *out, size_t size) {
  char dict[PRT_NPY_MAX_RANK * 22 + 100], header[sizeof dict + 128];
  int used = snprintf(dict, sizeof dict, "{'descr': '%s', 'fortran_order': False, 'shape': (",
                      descr_of(dtype));
  for (int32_t i = 0; i < rank; i++)
    used += snprintf(dict + used, sizeof dict - (size_t)used, "%s%lld", i ? ", " : "",
                     (long long)dims[i]);
  used += snprintf(dict + used, sizeof dict - (size_t)used, rank == 1 ? ",), }" : "), }");
  // Spaces and a newline make the elements start at a multiple of 64.
  size_t total = ((size_t)used + 10 + 1 + 63) / 64 * 64, length = total - 10;
  memset(header, ' ', total);
  memcpy(header, "\x93NUMPY\x01\x00", 8);
  header[8] = (char)(length & 0xff);
  header[9] = (char)(length >> 8);
  memcpy(header + 10, dict, (size_t)used);
  header[total - 1] = '\n';
  if (out && size >= total) memcpy(out, header, total);
  return total;
}

static prt_status failed(const char *path) {
  return prt__set_error(PRT_ERROR_IO, "%s: %s", path, strerror(errno));
}

static prt_status write_all(int fd, const char *path, const void *data, size_t bytes) {
  for (size_t done = 0; done < bytes;) {
    size_t want = bytes - done;
    ssize_t n =
        write(fd, (const char *)data + done, want > (size_t)1 << 30 ? (size_t)1 << 30 : want);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return failed(path);
    done += (size_t)n;
  }
  return PRT_OK;
}

static prt_status write_array(int fd, const char *path, prt_dtype dtype, int32_t rank,
                              const int64_t *dims, const void *data) {
  char header[PRT_NPY_MAX_RANK * 22 + 300];
  size_t length = prt_npy_header(dtype, rank, dims, header, sizeof header),
         bytes = prt_dtype_size(dtype);
  for (int32_t i = 0; i < rank; i++) bytes *= (size_t)dims[i];
  prt_status status = write_all(fd, path, header, length);
  return status ? status : write_all(fd, path, data, bytes);
}

// Makes a file beside `target`, an empty one or, as a name, the one that `unnamed` is; its name
// goes to `temporary`. A descriptor; -1 with errno.
static int create_beside(const char *target, int unnamed, char *temporary, size_t size) {
  char source[40];
  snprintf(source, sizeof source, "/proc/self/fd/%d", unnamed);
  for (int i = 0; i < MAX_TRIES; i++) {
    int length = snprintf(temporary, size, "%s.%ld-%d.tmp", target, (long)getpid(), i);
    if (length < 0 || (size_t)length >= size) {
      errno = ENAMETOOLONG;
      return -1;
    }
    int fd = unnamed;
    if (unnamed < 0)
      fd = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    else if (linkat(AT_FDCWD, source, AT_FDCWD, temporary, AT_SYMLINK_FOLLOW))
      fd = -1;
    if (fd >= 0 || errno != EEXIST) return fd;
  }
  return -1;
}

// A file in the folder of `target` that is gone with the process, whatever ends that, until it has
// a name; -1: the file system has no such files, or there is no way to name them. `room` has room
// for the name of the folder.
static int open_unnamed(const char *target, char *room) {
  const char *slash = strrchr(target, '/');
  size_t length = slash ? (size_t)(slash - target) + 1 : 0;
  memcpy(room, target, length);
  memcpy(room + length, ".", 2);
  return access("/proc/self/fd", X_OK) ? -1 : open(room, O_WRONLY | O_TMPFILE | O_CLOEXEC, 0666);
}

static prt_status write_renamed(const char *path, const char *target, prt_dtype dtype, int32_t rank,
                                const int64_t *dims, const void *data) {
  size_t size = strlen(target) + 40;
  char *temporary = malloc(size);
  if (!temporary) return prt__set_error(PRT_ERROR_MEMORY, "%s: out of memory", path);
  int unnamed = open_unnamed(target, temporary);
  int fd = unnamed < 0 ? create_beside(target, -1, temporary, size) : unnamed;
  prt_status status = fd < 0 ? failed(path) : write_array(fd, path, dtype, rank, dims, data);
  bool is_named = fd >= 0 && unnamed < 0;
  if (!status && unnamed >= 0) {
    is_named = create_beside(target, unnamed, temporary, size) >= 0;
    if (!is_named) status = failed(path);
  }
  if (fd >= 0 && close(fd) && !status) status = failed(path);
  if (!status && rename(temporary, target)) status = failed(path);
  if (status && is_named) unlink(temporary);
  free(temporary);
  return status;
}

prt_status prt_npy_write(const char *path, prt_dtype dtype, int32_t rank, const int64_t *dims,
                         const void *data) {
  if (rank < 0 || rank > PRT_NPY_MAX_RANK || !descr_of(dtype))
    return prt__set_error(PRT_ERROR_ARGUMENT, "%s: the type or the shape is not possible", path);
  if (strcmp(path, "-") == 0)
    return write_array(STDOUT_FILENO, "<stdout>", dtype, rank, dims, data);
  struct stat st;
  if (stat(path, &st) == 0 && !S_ISREG(st.st_mode)) { // a device or a pipe
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0) return failed(path);
    prt_status status = write_array(fd, path, dtype, rank, dims, data);
    if (close(fd) && !status) status = failed(path);
    return status;
  }
  char *resolved = realpath(path, NULL); // through a symbolic link, to the file it names
  prt_status status = write_renamed(path, resolved ? resolved : path, dtype, rank, dims, data);
  free(resolved);
  return status;
}
