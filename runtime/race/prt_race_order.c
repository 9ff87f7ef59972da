// SPDX-License-Identifier: Apache-2.0
// What is before what, in every run of the segment's operations. In: events, copies, accesses. Out:
// the clocks of events, the waits after which the ends of copies are over, and a visit to each
// access with its agent's clock.
//
// A wait that has taken n units comes after a signal only if it could not have been satisfied
// without it. Let `needed` be what it and all waits before it take off the semaphore, and
// `available` the units of all signals that are not after the wait. Without a signal, its own units
// and those of all signals after it are missing: the wait is after it if that is more than
// available - needed. A copy signals its bytes one after the other, the last one when it is over:
// all but that one may come before. Signals of which any one could have stood in for another give
// no edge. What is after what depends on these edges in turn, so passes over the events go on until
// they find no more of them; each finds at least what the one before it found, and nothing that is
// not so.
//
// A pass costs, for each event, what its clocks differ by, and for each wait a binary search in
// each of its semaphore's chains. Most often the first one shows that all is ordered: it keeps the
// clock of an event as long as a wait may come after it, and a second one, if there is one, all.
#include <stdlib.h>
#include "prt_race.h"

// One agent's signal of a semaphore, or copy that will signal it; or its wait, which takes units
// off.
typedef struct Item {
  int32_t sem, agent, event;
  int32_t at;     // of the event
  int32_t copy;   // PRT_NO_COPY: the agent's own
  bool is_sent;   // by the end of the copy that is read, else by the one that is written
  bool has_begun; // some wait is after its event
  bool is_known;  // and after the end of the copy
  bool arrives;   // it is the end of a copy to another core that is written there
  int64_t units;
  int64_t before; // of all items of its chain before it
} Item;

// The items of one agent on one semaphore, in its order.
typedef struct Chain {
  int32_t agent;
  int32_t first, end;
  int32_t known; // all before are, to the agent `knower`
  int32_t knower;
  int32_t here;  // one behind the last that is not after the wait that is looked at
  bool in_order; // its units come one after the other: all are signals, or all arrive
  int64_t taken; // of waits: the units of those that the pass has come by
} Chain;

typedef struct Range {
  int32_t first, end;
} Range;

// Sorted by semaphore, agent, and the agent's order.
typedef struct Items {
  Item *items;
  Chain *chains;
  Range *sems; // the chains of a semaphore
  int32_t count, chain_count;
} Items;

typedef struct Order {
  prt_race *race;
  Items brought, taken;
  prt_clock **now;     // by agent
  prt_clock **kept;    // by event: of a launch, what its agents knew at their ends
  prt_clock **met;     // by meeting
  prt_clock **atomics; // by place
  prt_clock **seen;    // by place: what those whose result is looked at leave
  int32_t *takers;     // by semaphore: the agent that waits for it, plus 1; -1: several do
  uint8_t *ends;       // by event: how many of its items are not known to the one that takes them
  int64_t edges;
  bool is_brief; // clocks that nobody will come after are given back
  bool is_first; // of the passes: nothing is known of what comes later in this run
  bool is_open;  // some wait could have done without some signal: another pass may find out more
} Order;

static prt_race_event *event_of(const Order *o, int32_t number) {
  return &o->race->events.items[number];
}

static int32_t event_number(const Order *o, const prt_race_event *event) {
  return (int32_t)(event - o->race->events.items);
}

static void *new_array(Order *o, int32_t count, size_t bytes) {
  void *array = calloc((size_t)count + 1, bytes);
  if (!array) prt__race_no_memory(o->race);
  return array;
}

static void learn(Order *o, prt_clock **clock, prt_clock *from) {
  if (!prt__clock_join(&o->race->clocks, clock, from)) prt__race_no_memory(o->race);
}

static void hear(Order *o, prt_clock **clock, int32_t agent, int32_t at) {
  if (!prt__clock_raise(&o->race->clocks, clock, (uint32_t)agent, (uint32_t)at + 1))
    prt__race_no_memory(o->race);
}

// The agent's clock hears of the event, and of all before it.
static void come_after(Order *o, int32_t agent, const prt_race_event *event) {
  if (event->agent == agent) return;
  learn(o, &o->now[agent], event->clock);
  hear(o, &o->now[agent], event->agent, event->at);
}

// ---- lists --------------------------------------------------------------------------------------
static int32_t key_of(const Item *item, bool by_sem) { return by_sem ? item->sem : item->agent; }

// Moves the items to `to`, by ascending keys, those of one key in their order. `ends`: a zero for
// each key, and one more.
static void move_by_key(const Items *list, Item *to, int32_t *ends, int32_t keys, bool by_sem) {
  for (int32_t i = 0; i < list->count; i++) ends[key_of(&list->items[i], by_sem) + 1]++;
  for (int32_t k = 0; k < keys; k++) ends[k + 1] += ends[k];
  for (int32_t i = 0; i < list->count; i++)
    to[ends[key_of(&list->items[i], by_sem)]++] = list->items[i];
}

// They come in the order of events.
static void sort_items(Order *o, Items *list, bool by_sem) {
  int32_t keys = by_sem ? o->race->sems.count : o->race->agents.count;
  Item *sorted = new_array(o, list->count, sizeof *sorted);
  int32_t *ends = new_array(o, keys, sizeof *ends);
  if (sorted && ends) {
    move_by_key(list, sorted, ends, keys, by_sem);
    Item *items = list->items;
    list->items = sorted;
    sorted = items;
  }
  free(sorted);
  free(ends);
}

static void make_chains(Order *o, Items *list) {
  sort_items(o, list, false);
  sort_items(o, list, true);
  list->chains = new_array(o, list->count, sizeof *list->chains);
  list->sems = new_array(o, o->race->sems.count, sizeof *list->sems);
  if (o->race->failed) return;
  for (int32_t i = 0; i < list->count; i++) {
    Item *item = &list->items[i], *last = i ? item - 1 : NULL;
    bool is_next = last && last->sem == item->sem && last->agent == item->agent;
    if (!is_next) {
      Range *range = &list->sems[item->sem];
      if (range->end == 0) range->first = list->chain_count;
      list->chains[list->chain_count++] =
          (Chain){.agent = item->agent, .first = i, .known = i, .in_order = true};
      range->end = list->chain_count;
    }
    Chain *chain = &list->chains[list->chain_count - 1];
    bool is_like_first = item->arrives == list->items[chain->first].arrives;
    chain->in_order &= is_like_first && (item->arrives || item->copy == PRT_NO_COPY);
    item->before = is_next ? last->before + last->units : 0;
    chain->end = i + 1;
  }
}

static void add_item(Items *list, Item item, int64_t units) {
  item.units = units;
  if (units) list->items[list->count++] = item;
}

static void make_lists(Order *o) {
  prt_race *race = o->race;
  o->brought.items = new_array(o, 2 * race->events.count, sizeof(Item));
  o->taken.items = new_array(o, race->events.count, sizeof(Item));
  for (int32_t i = 0; i < race->events.count && !race->failed; i++) {
    const prt_race_event *event = event_of(o, i);
    Item item = {.sem = event->with,
                 .agent = event->agent,
                 .event = i,
                 .at = event->at,
                 .copy = PRT_NO_COPY};
    if (event->kind == RACE_SIGNAL) add_item(&o->brought, item, event->units);
    if (event->kind == RACE_WAIT && !event->keeps) add_item(&o->taken, item, event->units);
    if (event->kind != RACE_COPY) continue;
    const prt_race_copy *copy = &race->copies.items[event->with];
    item.copy = event->with;
    item.sem = copy->received;
    item.arrives = copy->sent >= 0;
    add_item(&o->brought, item, copy->received_units);
    item.sem = copy->sent;
    item.is_sent = true;
    item.arrives = false;
    add_item(&o->brought, item, copy->sent_units);
  }
  if (race->failed) return;
  make_chains(o, &o->brought);
  make_chains(o, &o->taken);
}

static void add_taker(Order *o, int32_t sem, int32_t agent) {
  int32_t *taker = &o->takers[sem];
  *taker = *taker && *taker != agent + 1 ? -1 : agent + 1;
}

static void find_takers(Order *o) {
  for (int32_t i = 0; i < o->race->events.count; i++) {
    const prt_race_event *event = event_of(o, i);
    if (event->kind == RACE_WAIT) add_taker(o, event->with, event->agent);
    if (event->kind != RACE_POLL) continue;
    const prt_race_sum *sum = &o->race->sums.items[event->with];
    for (int32_t k = sum->first; k < sum->end; k++)
      add_taker(o, o->race->terms.items[k].sem, event->agent);
  }
  for (int32_t i = 0; i < o->brought.count; i++) o->ends[o->brought.items[i].event]++;
}

// ---- waits --------------------------------------------------------------------------------------
// Whether what follows the item's event is after the other event.
static bool is_behind(const Order *o, const Item *item, const prt_race_event *event) {
  if (item->agent == event->agent) return item->at > event->at;
  const prt_clock *clock = event_of(o, item->event)->clock;
  return prt__clock_epoch(clock, (uint32_t)event->agent) > (uint32_t)event->at;
}

// How many items of the chain are not after the event: those of its end are, if any.
static int32_t not_after(const Order *o, const Items *list, const Chain *chain,
                         const prt_race_event *event) {
  if (o->is_first && chain->agent != event->agent) return chain->end;
  // Those that are known to be before some wait come first; most often not many more are not after.
  int32_t low = chain->known, high = chain->known, step = 1;
  while (high < chain->end && !is_behind(o, &list->items[high], event)) {
    low = high + 1;
    high = step < chain->end - low ? low + step : chain->end;
    step *= 2;
  }
  while (low < high) {
    int32_t middle = low + (high - low) / 2;
    if (is_behind(o, &list->items[middle], event))
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

// How many items of another agent's chain are before the event.
static int32_t are_before(const Order *o, const Items *list, const Chain *chain,
                          const prt_race_event *event) {
  int32_t low = chain->first, high = chain->end;
  uint32_t known = prt__clock_epoch(o->now[event->agent], (uint32_t)chain->agent);
  while (low < high) {
    int32_t middle = low + (high - low) / 2;
    if ((uint32_t)list->items[middle].at < known)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

// What items up to `end`, one behind the last, of the chain sum up to.
static int64_t sum_to(const Items *list, const Chain *chain, int32_t end) {
  return end == chain->first ? 0 : list->items[end - 1].before + list->items[end - 1].units;
}

static void note_begun(Order *o, Item *item) {
  o->edges += !item->has_begun;
  item->has_begun = true;
}

static void note_known(Order *o, Item *item, const prt_race_event *wait) {
  if (item->is_known) return;
  item->is_known = true;
  o->edges++;
  if (item->copy == PRT_NO_COPY) return;
  prt_race_copy *copy = &o->race->copies.items[item->copy];
  prt_race_point *point = item->is_sent ? &copy->sent_by : &copy->received_by;
  *point = (prt_race_point){wait->agent, wait->at};
}

// Of the chain's items from the known ones on to `end`, whose units come in their order: one behind
// the last that has at least `part` units, or all if it has fewer, behind which there are no more
// than `spare`.
static int32_t find_needed(const Items *list, const Chain *chain, int32_t end, int64_t spare,
                           int64_t part) {
  int64_t all = sum_to(list, chain, end);
  // Most often not many more are needed than those that are known.
  int32_t low = chain->known, high = end, step = 1;
  while (low < high) {
    int32_t middle = low + (step < high - low ? step - 1 : (high - low) / 2);
    const Item *item = &list->items[middle];
    int64_t own = part && part < item->units ? part : item->units;
    if (all - item->before - item->units + own > spare) {
      low = middle + 1;
      step *= 2;
    } else {
      high = middle;
    }
  }
  return low;
}

// The one agent that waits for the chain's units knows of its items from `first` on, up to the
// known ones.
static void note_gone(Order *o, const Chain *chain, int32_t first) {
  if (!o->is_brief || o->takers[o->brought.items[chain->first].sem] < 0) return;
  for (int32_t i = first; i < chain->known; i++) {
    prt_race_event *event = event_of(o, o->brought.items[i].event);
    if (--o->ends[o->brought.items[i].event]) continue;
    prt__clock_drop(&o->race->clocks, event->clock);
    event->clock = NULL;
  }
}

// As take_needed, of a chain whose units come one after the other: those that are needed come
// first.
static void take_first(Order *o, Chain *chain, int32_t end, int64_t spare,
                       const prt_race_event *wait) {
  Items *list = &o->brought;
  int32_t begun = find_needed(list, chain, end, spare, 0);
  // The last unit of a copy comes when it is over, those before it may come earlier.
  int32_t known =
      list->items[chain->first].arrives ? find_needed(list, chain, end, spare, 1) : begun;
  for (int32_t i = chain->known; i < begun; i++) note_begun(o, &list->items[i]);
  for (int32_t i = chain->known; i < known; i++) note_known(o, &list->items[i], wait);
  o->is_open |= known < end && list->items[known].event < event_number(o, wait);
  if (begun > chain->known) come_after(o, wait->agent, event_of(o, list->items[begun - 1].event));
  chain->known = known;
}

// Of the chain's items before `end`: which of them the wait cannot do without, if so many units are
// to spare.
static void take_needed(Order *o, Chain *chain, int32_t end, int64_t spare,
                        const prt_race_event *wait) {
  Items *list = &o->brought;
  if (sum_to(list, chain, end) - sum_to(list, chain, chain->known) <= spare) {
    o->is_open |= chain->known < end && list->items[chain->known].event < event_number(o, wait);
    return;
  }
  if (chain->in_order) {
    take_first(o, chain, end, spare, wait);
    return;
  }
  int32_t last = -1; // from which all the rest follows
  bool all = true;
  int64_t arrivals = 0; // of copies to one core, which arrive in the order they were started
  for (int32_t i = end; i-- > chain->known;) {
    Item *item = &list->items[i];
    bool is_copy = item->copy != PRT_NO_COPY;
    int64_t behind = !is_copy        ? sum_to(list, chain, end) - item->before - item->units
                     : item->arrives ? arrivals
                                     : 0;
    if (item->arrives) arrivals += item->units;
    if (behind + item->units > spare) {
      note_begun(o, item);
      if (last < 0) last = i;
    }
    // The last unit of a copy comes when it is over, those before it may come earlier.
    if (behind + (is_copy ? 1 : item->units) > spare) {
      note_known(o, item, wait);
    } else {
      all = false;
      o->is_open |= item->event < event_number(o, wait);
    }
  }
  if (last >= 0) come_after(o, wait->agent, event_of(o, list->items[last].event));
  if (all) chain->known = end;
}

// The most units that may be there for the wait: those that are not after it, without what has been
// taken off before it.
static int64_t most_for(Order *o, const prt_race_event *wait, int32_t sem) {
  Range takers = o->taken.sems[sem], range = o->brought.sems[sem];
  int64_t taken = 0, available = 0;
  for (int32_t i = takers.first; i < takers.end; i++) {
    const Chain *chain = &o->taken.chains[i];
    taken += chain->agent == wait->agent
                 ? chain->taken
                 : sum_to(&o->taken, chain, are_before(o, &o->taken, chain, wait));
  }
  for (int32_t i = range.first; i < range.end; i++) {
    Chain *chain = &o->brought.chains[i];
    if (chain->knower != wait->agent) chain->known = chain->first;
    chain->knower = wait->agent;
    chain->here = not_after(o, &o->brought, chain, wait);
    available += sum_to(&o->brought, chain, chain->here);
  }
  return available > taken ? available - taken : 0;
}

// It needs so many units of the semaphore, for which there may be `most`.
static void wait_for_units(Order *o, const prt_race_event *wait, int32_t sem, int64_t most,
                           int64_t units) {
  Range range = o->brought.sems[sem];
  for (int32_t i = range.first; i < range.end; i++) {
    Chain *chain = &o->brought.chains[i];
    int32_t known = chain->known;
    take_needed(o, chain, chain->here, most > units ? most - units : 0, wait);
    note_gone(o, chain, known);
  }
}

static void note_taken(Order *o, const prt_race_event *wait) {
  Range takers = o->taken.sems[wait->with];
  for (int32_t i = takers.first; i < takers.end; i++)
    if (o->taken.chains[i].agent == wait->agent) o->taken.chains[i].taken += wait->units;
}

static void wait_for(Order *o, const prt_race_event *wait) {
  wait_for_units(o, wait, wait->with, most_for(o, wait, wait->with), wait->units);
  if (!wait->keeps) note_taken(o, wait);
}

// It needs of each semaphore what the most that the others may have does not come to.
static void wait_for_sum(Order *o, const prt_race_event *wait) {
  const prt_race_sum *sum = &o->race->sums.items[wait->with];
  int64_t most = 0;
  for (int32_t i = sum->first; i < sum->end; i++) {
    const prt_race_term *term = &o->race->terms.items[i];
    most += term->weight * most_for(o, wait, term->sem);
  }
  for (int32_t i = sum->first; i < sum->end; i++) {
    const prt_race_term *term = &o->race->terms.items[i];
    int64_t own = most_for(o, wait, term->sem), rest = wait->units - (most - term->weight * own);
    if (rest > 0)
      wait_for_units(o, wait, term->sem, own, (rest + term->weight - 1) / term->weight);
    else
      o->is_open = true;
  }
}

// Whether there can be as many of each as at the point.
static bool can_be_at(const prt_race_sum *sum, const int64_t *most, int64_t point) {
  for (int32_t i = 0; i < sum->end - sum->first; i++)
    if (prt__race_count_at(sum, point, i) > most[i]) return false;
  return true;
}

// It needs of each semaphore the least that a point that can be come to has.
static void wait_for_point(Order *o, const prt_race_event *wait) {
  const prt_race_sum *sum = &o->race->sums.items[wait->with];
  const prt_race_term *terms = &o->race->terms.items[sum->first];
  int64_t most[PRT_POLLED_COUNTS], least[PRT_POLLED_COUNTS];
  int32_t count = sum->end - sum->first;
  o->is_open = true; // there may be fewer of each, as another pass finds
  for (int32_t i = 0; i < count; i++) {
    most[i] = least[i] = most_for(o, wait, terms[i].sem);
    if (most[i] >= sum->side) return;
  }
  for (int32_t p = sum->first_point; p < sum->end_point; p++) {
    int64_t point = o->race->points.items[p];
    for (int32_t i = 0; can_be_at(sum, most, point) && i < count; i++) {
      int64_t own = prt__race_count_at(sum, point, i);
      if (own < least[i]) least[i] = own;
    }
  }
  for (int32_t i = 0; i < count; i++)
    if (least[i]) wait_for_units(o, wait, terms[i].sem, most_for(o, wait, terms[i].sem), least[i]);
}

// ---- a pass -------------------------------------------------------------------------------------
static void release(Order *o, prt_race_event *event) {
  prt__clock_drop(&o->race->clocks, event->clock);
  event->clock = prt__clock_share(o->now[event->agent]);
}

// An event leaves what its agent knows in a clock for others to find.
static void leave(Order *o, prt_clock **clock, const prt_race_event *event) {
  learn(o, clock, o->now[event->agent]);
  hear(o, clock, event->agent, event->at);
}

static void pass_event(Order *o, prt_race_event *event) {
  prt_clock **now = &o->now[event->agent];
  switch ((prt_race_kind)event->kind) {
  case RACE_START: come_after(o, event->agent, event_of(o, event->with)); break;
  case RACE_END:
    if (event->with >= 0) leave(o, &o->kept[event->with], event);
    break;
  case RACE_JOIN: learn(o, now, o->kept[event->with]); break;
  case RACE_WAIT: wait_for(o, event); break;
  case RACE_POLL:
    (o->race->sums.items[event->with].side ? wait_for_point : wait_for_sum)(o, event);
    break;
  case RACE_MEET: leave(o, &o->met[event->with], event); break;
  case RACE_MET: learn(o, now, o->met[event->with]); break;
  case RACE_ATOMIC:
    learn(o, now, (event->is_seen ? o->atomics : o->seen)[event->with]);
    leave(o, &o->atomics[event->with], event);
    if (event->is_seen) leave(o, &o->seen[event->with], event);
    break;
  case RACE_LAUNCH:
  case RACE_SIGNAL:
  case RACE_COPY: release(o, event); break;
  }
}

static void drop_all(Order *o, prt_clock **clocks, int32_t count) {
  for (int32_t i = 0; clocks && i < count; i++) {
    prt__clock_drop(&o->race->clocks, clocks[i]);
    clocks[i] = NULL;
  }
}

static void begin_pass(Order *o) {
  prt_race *race = o->race;
  drop_all(o, o->now, race->agents.count);
  drop_all(o, o->kept, race->events.count);
  drop_all(o, o->met, race->met);
  drop_all(o, o->atomics, race->atomics.count);
  drop_all(o, o->seen, race->atomics.count);
  for (int32_t i = 0; i < o->brought.count; i++)
    o->brought.items[i].has_begun = o->brought.items[i].is_known = false;
  for (int32_t i = 0; i < o->brought.chain_count; i++)
    o->brought.chains[i].known = o->brought.chains[i].first;
  for (int32_t i = 0; i < o->taken.chain_count; i++) o->taken.chains[i].taken = 0;
  for (int32_t i = 0; i < race->copies.count; i++)
    race->copies.items[i].received_by = race->copies.items[i].sent_by = (prt_race_point){-1, 0};
  o->edges = 0;
  o->is_open = false;
}

// `visitor`: NULL, or who looks at the accesses on the way. Whether it was shown all of them; a
// brief pass ends where it was not.
static bool pass(Order *o, const prt_race_visitor *visitor) {
  prt_race *race = o->race;
  int32_t next = 0;
  begin_pass(o);
  if (visitor && visitor->begin) visitor->begin(visitor->data);
  for (int32_t i = 0; i <= race->events.count && !race->failed; i++) {
    for (; visitor && next < race->accesses.count && race->accesses.items[next].order <= i;
         next++) {
      prt_race_access *access = &race->accesses.items[next];
      if (!visitor->visit(visitor->data, access, o->now[access->agent])) visitor = NULL;
      if (!visitor) break;
    }
    if (!visitor && o->is_brief) break;
    if (i < race->events.count) pass_event(o, event_of(o, i));
  }
  return visitor != NULL;
}

// Passes until no more edges are found, and one to show the accesses; none after one in which the
// looker has not seen enough.
static void pass_all(Order *o, const prt_race_visitor *looker, const prt_race_visitor *visitor) {
  enum { MOST_PASSES = 1000 };
  o->is_first = o->is_brief = true;
  if (pass(o, looker)) return;
  o->is_brief = false;
  pass(o, NULL);
  o->is_first = false;
  for (int i = 1; i < MOST_PASSES && o->is_open && !o->race->failed; i++) {
    int64_t before = o->edges;
    if (pass(o, looker)) return;
    if (o->edges == before) break;
  }
  pass(o, visitor);
}

void prt__race_order(prt_race *race, const prt_race_visitor *looker,
                     const prt_race_visitor *visitor) {
  Order order = {.race = race}, *o = &order;
  make_lists(o);
  o->now = new_array(o, race->agents.count, sizeof(prt_clock *));
  o->kept = new_array(o, race->events.count, sizeof(prt_clock *));
  o->met = new_array(o, race->met, sizeof(prt_clock *));
  o->atomics = new_array(o, race->atomics.count, sizeof(prt_clock *));
  o->seen = new_array(o, race->atomics.count, sizeof(prt_clock *));
  o->takers = new_array(o, race->sems.count, sizeof *o->takers);
  o->ends = new_array(o, race->events.count, sizeof *o->ends);
  if (!race->failed) {
    find_takers(o);
    pass_all(o, looker, visitor);
    begin_pass(o);
  }
  free(o->now);
  free(o->kept);
  free(o->met);
  free(o->atomics);
  free(o->seen);
  free(o->takers);
  free(o->ends);
  free(o->brought.items);
  free(o->brought.chains);
  free(o->brought.sems);
  free(o->taken.items);
  free(o->taken.chains);
  free(o->taken.sems);
}
