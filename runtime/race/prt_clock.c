// SPDX-License-Identifier: Apache-2.0
// Vector clocks as persistent trees: see prt_clock.h.
#include "prt_clock.h"

enum { LEAF_BITS = 4, LEAF = 1 << LEAF_BITS, BITS = 3, FAN = 1 << BITS };

// Of height 0: the epochs of LEAF agents in a row; else FAN clocks of the height below.
struct prt_clock {
  uint32_t users;
  int32_t height;
  union {
    uint32_t epochs[LEAF];
    prt_clock *below[FAN];
    prt_clock *unused; // the next one that nobody has
  };
};

void prt__clocks_clear(prt_clocks *all) {
  prt__room_clear(&all->room);
  all->unused = NULL;
}

void prt__clocks_free(prt_clocks *all) {
  prt__room_free(&all->room);
  all->unused = NULL;
}

// Not set. NULL: no memory.
static prt_clock *take(prt_clocks *all) {
  prt_clock *clock = all->unused;
  if (!clock) return prt__room_take(&all->room, sizeof *clock);
  all->unused = clock->unused;
  return clock;
}

static uint32_t branch(uint32_t agent, int32_t height) {
  return (agent >> (LEAF_BITS + (height - 1) * BITS)) % FAN;
}

// Agents that a clock of this height has room for are below this number.
static uint64_t room_of(int32_t height) { return UINT64_C(1) << (LEAF_BITS + height * BITS); }

prt_clock *prt__clock_share(prt_clock *clock) {
  if (clock) clock->users++;
  return clock;
}

void prt__clock_drop(prt_clocks *all, prt_clock *clock) {
  if (!clock || --clock->users) return;
  for (int i = 0; clock->height && i < FAN; i++) prt__clock_drop(all, clock->below[i]);
  clock->unused = all->unused;
  all->unused = clock;
}

uint32_t prt__clock_epoch(const prt_clock *clock, uint32_t agent) {
  if (!clock || agent >= room_of(clock->height)) return 0;
  while (clock && clock->height) clock = clock->below[branch(agent, clock->height)];
  return clock ? clock->epochs[agent % LEAF] : 0;
}

static prt_clock *new_clock(prt_clocks *all, int32_t height) {
  prt_clock *clock = take(all);
  if (clock) *clock = (prt_clock){.users = 1, .height = height};
  return clock;
}

// The clock itself if nobody else has it, else a copy in its place. NULL: no memory, the clock is
// untouched.
static prt_clock *own(prt_clocks *all, prt_clock *clock) {
  if (clock->users == 1) return clock;
  prt_clock *copy = take(all);
  if (!copy) return NULL;
  *copy = *clock;
  copy->users = 1;
  for (int i = 0; clock->height && i < FAN; i++) prt__clock_share(clock->below[i]);
  clock->users--;
  return copy;
}

// Puts levels above until the clock has that height.
static bool grow(prt_clocks *all, prt_clock **clock, int32_t height) {
  if (!*clock) return (*clock = new_clock(all, height)) != NULL;
  while ((*clock)->height < height) {
    prt_clock *above = new_clock(all, (*clock)->height + 1);
    if (!above) return false;
    above->below[0] = *clock;
    *clock = above;
  }
  return true;
}

static bool raise_in(prt_clocks *all, prt_clock **clock, int32_t height, uint32_t agent,
                     uint32_t epoch) {
  if (!*clock && !(*clock = new_clock(all, height))) return false;
  prt_clock *mine = own(all, *clock);
  if (!mine) return false;
  *clock = mine;
  if (height) return raise_in(all, &mine->below[branch(agent, height)], height - 1, agent, epoch);
  mine->epochs[agent % LEAF] = epoch;
  return true;
}

bool prt__clock_raise(prt_clocks *all, prt_clock **clock, uint32_t agent, uint32_t epoch) {
  if (prt__clock_epoch(*clock, agent) >= epoch) return true;
  int32_t height = *clock ? (*clock)->height : 0;
  while (agent >= room_of(height)) height++;
  return grow(all, clock, height) && raise_in(all, clock, height, agent, epoch);
}

static bool join_leaves(prt_clocks *all, prt_clock **clock, const prt_clock *other) {
  int i = 0;
  while (i < LEAF && other->epochs[i] <= (*clock)->epochs[i]) i++;
  if (i == LEAF) return true;
  prt_clock *mine = own(all, *clock);
  if (!mine) return false;
  *clock = mine;
  for (; i < LEAF; i++)
    if (other->epochs[i] > mine->epochs[i]) mine->epochs[i] = other->epochs[i];
  return true;
}

// Both of one height.
static bool join_in(prt_clocks *all, prt_clock **clock, prt_clock *other) {
  if (!other || *clock == other) return true;
  if (!*clock) {
    *clock = prt__clock_share(other);
    return true;
  }
  if (!other->height) return join_leaves(all, clock, other);
  for (int i = 0; i < FAN; i++) {
    prt_clock *here = (*clock)->below[i];
    if (!other->below[i] || here == other->below[i]) continue;
    if ((*clock)->users == 1) {
      if (!join_in(all, &(*clock)->below[i], other->below[i])) return false;
      continue;
    }
    prt_clock *joined = prt__clock_share(here);
    bool is_done = join_in(all, &joined, other->below[i]);
    if (joined != here) {
      prt_clock *mine = is_done ? own(all, *clock) : NULL;
      if (!mine) {
        prt__clock_drop(all, joined);
        return false;
      }
      *clock = mine;
      prt__clock_drop(all, mine->below[i]);
      mine->below[i] = joined;
    } else {
      prt__clock_drop(all, joined);
      if (!is_done) return false;
    }
  }
  return true;
}

bool prt__clock_join(prt_clocks *all, prt_clock **clock, prt_clock *other) {
  if (!other || *clock == other) return true;
  if (!*clock) {
    *clock = prt__clock_share(other);
    return true;
  }
  if (!grow(all, clock, other->height)) return false;
  // A lower clock stands in the first branch of a higher one.
  prt_clock **at = clock;
  for (int32_t height = (*clock)->height; height > other->height; height--) {
    prt_clock *mine = own(all, *at);
    if (!mine) return false;
    *at = mine;
    at = &mine->below[0];
    if (!*at && height > other->height + 1 && !(*at = new_clock(all, height - 1))) return false;
  }
  return join_in(all, at, other);
}
