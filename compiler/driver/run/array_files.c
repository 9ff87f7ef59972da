// SPDX-License-Identifier: Apache-2.0
// Arrays of calls from the command line: in a file each, or in several, one a rank (--shards):
// x.0.npy, x.1.npy, … of x.npy, whose first dimensions add up. In: the path as the user gave it.
// Out: the whole array, which every rank has; a rank's part of it.
#include "array_files.h"
#include <stdlib.h>
#include <string.h>
#include "driver/driver.h"
#include "prt_npy.h"

int array_status(Session *session, prt_status status) {
  diag_error(session, (Span){0}, "%s", prt_error_message());
  return status == PRT_ERROR_FORMAT ? STATUS_FAULT : STATUS_MACHINE;
}

// The file of a rank.
static Str shard_path(Arena *arena, Str path, int rank) {
  return path_replace_ending(arena, path, str_format(arena, ".%d.npy", rank).data);
}

// Whether a shard goes on where the first one ends.
static bool is_alike(const prt_array *a, const prt_array *b) {
  if (a->dtype != b->dtype || a->rank != b->rank || a->rank == 0) return false;
  return memcmp(a->dims + 1, b->dims + 1, (size_t)(a->rank - 1) * sizeof a->dims[0]) == 0;
}

static int refuse(Session *session, Arena *arena, Str path, int rank) {
  diag_error(session, (Span){0},
             "%.*s does not go on where %.*s ends: shards have one element type, and the same "
             "sizes but for the first",
             STR_FMT(shard_path(arena, path, rank)), STR_FMT(shard_path(arena, path, 0)));
  return STATUS_FAULT;
}

static int join(Session *session, Arena *arena, Str path, const prt_array *parts, int ranks,
                prt_array *out) {
  int64_t dims[PRT_NPY_MAX_RANK], rows = 0;
  for (int i = 0; i < ranks; i++) {
    if (!is_alike(&parts[0], &parts[i])) return refuse(session, arena, path, i);
    rows += parts[i].dims[0];
  }
  memcpy(dims, parts[0].dims, sizeof dims);
  dims[0] = rows;
  prt_status status = prt_array_new(parts[0].dtype, parts[0].rank, dims, out);
  if (status) return array_status(session, status);
  size_t at = 0;
  for (int i = 0; i < ranks; i++) {
    memcpy((char *)out->data + at, parts[i].data, parts[i].bytes);
    at += parts[i].bytes;
  }
  return STATUS_DONE;
}

int shards_read(Session *session, Str path, const prt_dtype *expected, int ranks, prt_array *out) {
  Arena *arena = session->arena;
  prt_array *parts = ARENA_ARRAY(arena, prt_array, (size_t)ranks);
  int status = STATUS_DONE;
  for (int i = 0; i < ranks && !status; i++) {
    prt_status read = prt_npy_read(shard_path(arena, path, i).data, expected, &parts[i]);
    if (read) status = array_status(session, read);
  }
  if (!status) status = join(session, arena, path, parts, ranks, out);
  for (int i = 0; i < ranks; i++) prt_array_free(&parts[i]);
  return status;
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
