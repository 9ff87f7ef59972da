// SPDX-License-Identifier: Apache-2.0
// Memory that is given back as a whole: what a segment of a call has of extents and clocks.
#pragma once
#include <stddef.h>

struct prt_race_chunk;
// All zero is empty.
typedef struct prt_race_room {
  struct prt_race_chunk *chunks; // the last one made is the first and the largest
  char *next, *end;              // what of it is not taken
} prt_race_room;

// Memory for any type, uninitialised, of 1 byte or more. NULL: there is none.
void *prt__room_take(prt_race_room *room, size_t bytes);
// Gives back all that was taken; the largest chunk is kept to be taken again.
void prt__room_clear(prt_race_room *room);
void prt__room_free(prt_race_room *room);
