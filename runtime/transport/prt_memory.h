// SPDX-License-Identifier: Apache-2.0
// A transport in memory: see prt_memory.c.
#pragma once
#include <pthread.h>
#include "prt_transport.h"

typedef struct prt_hub prt_hub;
// Of so many ranks; the rank that would send message number `lose_after` vanishes (-1: none does).
// NULL: no memory. Freed when all of its transports have been terminated.
prt_hub *prt__hub_new(int32_t ranks, uint64_t seed, int64_t lose_after);
prt_transport *prt__hub_rank(prt_hub *hub, int32_t rank);
void prt__hub_free(prt_hub *hub);
