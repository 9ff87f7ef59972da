// SPDX-License-Identifier: Apache-2.0
// Memory that is given back as a whole: chunks, each twice the one before it, up to a megabyte.
#include "prt_race_room.h"
#include <stdalign.h>
#include <stdbool.h>
#include <stdlib.h>

typedef struct prt_race_chunk {
  struct prt_race_chunk *before;
  size_t bytes; // all of it
} Chunk;

enum {
  FIRST = 4096,
  MOST = 1 << 20,
  ALIGN = alignof(max_align_t),
  HEAD = (sizeof(Chunk) + ALIGN - 1) / ALIGN * ALIGN
};

static void open_chunk(prt_race_room *room, Chunk *chunk) {
  room->chunks = chunk;
  room->next = (char *)chunk + HEAD;
  room->end = (char *)chunk + chunk->bytes;
}

static bool add_chunk(prt_race_room *room, size_t least) {
  size_t bytes = room->chunks ? 2 * room->chunks->bytes : FIRST;
  if (bytes > MOST) bytes = MOST;
  if (bytes < HEAD + least) bytes = HEAD + least;
  Chunk *chunk = malloc(bytes);
  if (!chunk) return false;
  *chunk = (Chunk){.before = room->chunks, .bytes = bytes};
  open_chunk(room, chunk);
  return true;
}

static void free_chunks(Chunk *chunk) {
  for (Chunk *before; chunk; chunk = before) {
    before = chunk->before;
    free(chunk);
  }
}

void *prt__room_take(prt_race_room *room, size_t bytes) {
  bytes = (bytes + ALIGN - 1) / ALIGN * ALIGN;
  if ((size_t)(room->end - room->next) < bytes && !add_chunk(room, bytes)) return NULL;
  void *taken = room->next;
  room->next += bytes;
  return taken;
}

void prt__room_clear(prt_race_room *room) {
  if (!room->chunks) return;
  free_chunks(room->chunks->before);
  room->chunks->before = NULL;
  open_chunk(room, room->chunks);
}

void prt__room_free(prt_race_room *room) {
  free_chunks(room->chunks);
  *room = (prt_race_room){0};
}
