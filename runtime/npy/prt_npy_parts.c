// SPDX-License-Identifier: Apache-2.0
// Arrays whose parts, along the first dimension, are .npy files. In: their paths. Out: one array in
// memory, of which the bytes that nobody looks at are not read: the files are mapped one behind the
// other.
//
// A page of a file can only stand at a page of memory. So the array begins as far behind a page as
// the elements of the first file do, and the next one goes on at a page if the bytes before it are
// pages. Its first page then has its header where the last elements before it belong: they are
// written over it, into a copy of that page. A file that does not fit so, or whose elements are not
// as they are in memory, is read.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include "machine/prt_fail.h"
#include "machine/prt_scratch.h"
#include "npy/prt_npy_layout.h"

enum { LEAD_MOST = 1 << 16 }; // of a header in the first page: no page is larger

typedef struct Part {
  prt_array array; // its header's
  prt_npy_layout layout;
} Part;

static size_t page_size(void) { return (size_t)sysconf(_SC_PAGESIZE); }

static bool is_same(const prt_array *a, const prt_array *b) {
  if (a->dtype != b->dtype || a->rank != b->rank || a->rank == 0) return false;
  return memcmp(a->dims + 1, b->dims + 1, (size_t)(a->rank - 1) * sizeof a->dims[0]) == 0;
}

static prt_status read_headers(const char *const *paths, int32_t count, const prt_dtype *expected,
                               Part *parts) {
  for (int32_t i = 0; i < count; i++) {
    prt_status status = prt__npy_layout(paths[i], expected, &parts[i].array, &parts[i].layout);
    if (status) return status;
    if (count > 1 && !is_same(&parts[0].array, &parts[i].array))
      return prt__set_error(PRT_ERROR_FORMAT,
                            "%s does not go on where %s ends: shards have one element type, and "
                            "the same sizes but for the first",
                            paths[i], paths[0]);
  }
  return PRT_OK;
}

// Memory for all, of which the first element lies as it does in the page of its file.
static prt_status allocate(const Part *parts, int32_t count, prt_array *out) {
  int64_t dims[PRT_NPY_MAX_RANK] = {0};
  memcpy(dims, parts[0].array.dims, sizeof dims);
  for (int32_t i = 1; i < count; i++) dims[0] += parts[i].array.dims[0];
  prt_status status = prt_array_new(parts[0].array.dtype, parts[0].array.rank, dims, out);
  size_t lead = parts[0].layout.offset % page_size();
  if (status || !parts[0].layout.is_plain || lead % 64) return status;
  prt__unmap(out->mapping, out->mapping_bytes);
  out->mapping_bytes = out->bytes + lead;
  out->mapping = prt__map(out->mapping_bytes);
  out->data = out->mapping ? (char *)out->mapping + lead : NULL;
  if (out->mapping) return PRT_OK;
  *out = (prt_array){0};
  return prt__set_error(PRT_ERROR_MEMORY, "out of memory for the array");
}

// false: it has to be read. What lies before `at` in its page stays as it is.
static bool map_part(const char *path, const Part *part, char *at) {
  size_t page = page_size(), lead = part->layout.offset % page, bytes = part->array.bytes;
  if (!part->layout.is_plain || part->layout.is_short || bytes < page || lead > LEAD_MOST ||
      ((uintptr_t)at - lead) % page)
    return false;
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return false;
  char before[LEAD_MOST];
  memcpy(before, at - lead, lead);
  void *mapped = mmap(at - lead, lead + bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED, fd,
                      (off_t)(part->layout.offset - lead));
  close(fd);
  if (mapped == MAP_FAILED) return false;
  memcpy(at - lead, before, lead);
  return true;
}

static prt_status read_part(const char *path, const prt_dtype *expected, const Part *part,
                            char *at) {
  prt_array read;
  prt_status status = prt_npy_read(path, expected, &read);
  if (status) return status;
  if (read.bytes == part->array.bytes)
    memcpy(at, read.data, read.bytes);
  else
    status = prt__set_error(PRT_ERROR_IO, "%s has changed while it was read", path);
  prt_array_free(&read);
  return status;
}

prt_status prt_npy_read_parts(const char *const *paths, int32_t count, const prt_dtype *expected,
                              prt_array *out) {
  *out = (prt_array){0};
  Part *parts = calloc((size_t)count, sizeof *parts);
  if (!parts) return prt__set_error(PRT_ERROR_MEMORY, "out of memory");
  prt_status status = read_headers(paths, count, expected, parts);
  if (!status) status = allocate(parts, count, out);
  char *at = out->data;
  for (int32_t i = 0; i < count && !status; i++) {
    if (!map_part(paths[i], &parts[i], at)) status = read_part(paths[i], expected, &parts[i], at);
    at += parts[i].array.bytes;
  }
  free(parts);
  if (status) prt_array_free(out);
  return status;
}
