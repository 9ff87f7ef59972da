// SPDX-License-Identifier: Apache-2.0
// Places: addresses that mean the same on every rank.
#pragma once
#include "tasks/prt_task.h"

typedef enum prt_place_kind {
  PLACE_NONE,
  PLACE_SHARED,   // memory of the call's own program: `offset`
  PLACE_ARGUMENT, // argument `number` of the entry point: `offset`
  PLACE_DEVICES,  // memory of the devices' programs: `offset`
  PLACE_CORES,    // of launch `ordinal` of the cores of program `number`: `offset`
  PLACE_BARRIER   // semaphore of collective id `number`, on `device` and `core`
} prt_place_kind;

typedef struct prt_place {
  int32_t kind, number, ordinal, device, core, unused;
  int64_t offset;
} prt_place;

enum { EVERYWHERE = -1 }; // the owner of memory that all ranks have the same of

// Whose memory it is: a rank, or EVERYWHERE; false: it is none that others know.
bool prt__place_of(const prt_schedule *s, const void *address, prt_place *place, int32_t *owner);
typedef enum prt_found { FOUND, FOUND_LATER, FOUND_GONE } prt_found;
// Here. FOUND_LATER: its launch has not begun on this rank; FOUND_GONE: it is over.
prt_found prt__address_of(prt_schedule *s, const prt_place *place, void **address);
// A task, as PLACE_DEVICES or PLACE_CORES with its number in the group as `core`.
void prt__place_of_task(const prt_schedule *s, const prt_node *node, prt_place *place);
prt_found prt__task_at(prt_schedule *s, const prt_place *place, prt_node **node);
