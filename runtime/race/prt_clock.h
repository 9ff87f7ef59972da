// SPDX-License-Identifier: Apache-2.0
// Vector clocks that share what they have in common. A clock knows, of each agent, how many of its
// events are before; agents it has not heard of count as zero. Clocks are trees whose nodes are
// shared (counted) and never changed while they are: a snapshot costs nothing, a change one path, a
// join of two clocks what differs between them.
//
// One thread uses the clocks of a call. NULL is the clock that knows of nobody.
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include "prt_race_room.h"

typedef struct prt_clock prt_clock;

// Where the nodes of clocks come from, and go back to. All zero has none.
typedef struct prt_clocks {
  prt_race_room room;
  prt_clock *unused;
} prt_clocks;

// Gives back all clocks, whoever has them.
void prt__clocks_clear(prt_clocks *all);
void prt__clocks_free(prt_clocks *all);
// One more owner of the clock; it is given back with prt__clock_drop.
prt_clock *prt__clock_share(prt_clock *clock);
void prt__clock_drop(prt_clocks *all, prt_clock *clock);
// How many events of the agent are before.
uint32_t prt__clock_epoch(const prt_clock *clock, uint32_t agent);
// The clock hears of `epoch` events of the agent, and of all that `other` knows (which stays its
// owner's). false: no memory; the clock knows then what it knew, or some of the new as well.
bool prt__clock_raise(prt_clocks *all, prt_clock **clock, uint32_t agent, uint32_t epoch);
bool prt__clock_join(prt_clocks *all, prt_clock **clock, prt_clock *other);
