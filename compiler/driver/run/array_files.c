// SPDX-License-Identifier: Apache-2.0
// Arrays of calls from the command line: in a file each, or in several, one a rank (--shards):
// x.0.npy, x.1.npy, … of x.npy, whose first dimensions add up. In: the path as the user gave it.
// Out: the whole array, of which a rank reads what it looks at; a rank's part of it.
#include "driver/options/options.h"
#include "array_files.h"
#include <stdlib.h>
#include <string.h>
#include "driver/output/path.h"
#include "prt_npy.h"

int array_status(Session *session, prt_status status) {
  diag_error(session, (Span){0}, "%s", prt_error_message());
  return status == PRT_ERROR_FORMAT ? STATUS_FAULT : STATUS_MACHINE;
}

// The file of a rank.
static Str shard_path(Arena *arena, Str path, int rank) {
  return path_replace_ending(arena, path, str_format(arena, ".%d.npy", rank).data);
}

int array_read(Session *session, Str path, const prt_dtype *expected, int ranks, bool is_sharded,
               prt_array *out) {
  Arena *arena = session->arena;
  int count = is_sharded ? ranks : 1;
  const char **paths = ARENA_ARRAY(arena, const char *, (size_t)count);
  for (int i = 0; i < count; i++)
    paths[i] = (is_sharded ? shard_path(arena, path, i) : str_copy(arena, path)).data;
  bool is_mapped = ranks > 1 && !str_equal(path, STR("-")); // ranks of a machine share its pages
  prt_status status = is_mapped ? prt_npy_read_parts(paths, count, expected, out)
                                : prt_npy_read(paths[0], expected, out);
  return status ? array_status(session, status) : STATUS_DONE;
}

int shard_of(Session *session, Str path, const prt_array *whole, int rank, int ranks,
             prt_array *part, Str *file) {
  *part = *whole;
  part->mapping = NULL; // the whole array's
  *file = shard_path(session->arena, path, rank);
  if (whole->rank == 0 || whole->dims[0] % ranks) {
    diag_error(session, (Span){0},
               "%.*s cannot be written in %d shards: its first dimension is %lld", STR_FMT(path),
               ranks, whole->rank ? (long long)whole->dims[0] : 1LL);
    return STATUS_FAULT;
  }
  part->dims[0] /= ranks;
  part->count /= ranks;
  part->bytes /= (size_t)ranks;
  part->data = (char *)whole->data + (size_t)rank * part->bytes;
  return STATUS_DONE;
}
