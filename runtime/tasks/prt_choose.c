// SPDX-License-Identifier: Apache-2.0
// Choices of the seeded scheduler. In: the words of prt_machine_schedule, or a seed. Out: at each
// choice the task that runs next, or a copy that lands. A choice counts where there are several
// ways to go on, and has a number, from 0; what is drawn for it depends on the seed and that number
// alone, so that a choice which is left to chance or not leaves the others what they are.
#include <stdlib.h>
#include <string.h>
#include "prt_copy.h"
#include "machine/prt_call.h"
#include "machine/prt_fail.h"
#include "prt_task.h"
#include "transport/prt_ranks.h"

// ---- words --------------------------------------------------------------------------------------
static bool read_number(const char **text, int64_t *out) {
  const char *at = *text;
  for (*out = 0; *at >= '0' && *at <= '9'; at++)
    if (__builtin_mul_overflow(*out, 10, out) || __builtin_add_overflow(*out, *at - '0', out))
      return false;
  bool any = at != *text;
  *text = at;
  return any;
}

// 3+9+20-29, or none.
static bool read_draws(const char **text, prt_choices *out) {
  out->draws = true;
  free(out->drawn);
  out->drawn = malloc((strlen(*text) / 2 + 1) * sizeof *out->drawn);
  out->drawn_count = 0;
  if (!out->drawn) return false;
  if (strncmp(*text, "none", 4) == 0) {
    *text += 4;
    return true;
  }
  for (;;) {
    prt_interval *interval = &out->drawn[out->drawn_count++];
    if (!read_number(text, &interval->first)) return false;
    interval->last = interval->first;
    if (**text == '-') {
      ++*text;
      if (!read_number(text, &interval->last)) return false;
    }
    if (**text != '+') return true;
    ++*text;
  }
}

static bool begins(const char **text, const char *word) {
  size_t length = strlen(word);
  if (strncmp(*text, word, length) != 0) return false;
  *text += length;
  return true;
}

static bool read_word(const char **text, prt_choices *out) {
  static const char *const times[] = {
      [COPIES_LATE] = "late", [COPIES_EARLY] = "early", [COPIES_BY_LINK] = "links"};
  for (int i = COPIES_LATE; i <= COPIES_BY_LINK; i++)
    if (begins(text, times[i])) {
      out->copies = (uint8_t)i;
      return true;
    }
  int64_t seed;
  if (begins(text, "reversed")) return out->reversed = true;
  if (begins(text, "looking")) return out->looking = true;
  if (begins(text, "draws=")) return read_draws(text, out);
  if (begins(text, "steps=")) return read_number(text, &out->steps) && out->steps > 0;
  if (begins(text, "lose=")) return read_number(text, &out->lost) && out->lost > 0;
  if (begins(text, "double=")) return read_number(text, &out->doubled) && out->doubled > 0;
  if (!begins(text, "seed=") || !read_number(text, &seed)) return false;
  out->seed = (uint64_t)seed;
  out->draws = true;
  return true;
}

// false: there is no such schedule, or no memory; nothing is to be freed then.
static bool read_choices(const char *words, prt_choices *out) {
  *out = (prt_choices){0};
  const char *at = words;
  bool good = true;
  while (at && good) {
    good = read_word(&at, out) && (*at == ',' || !*at);
    at = *at == ',' ? at + 1 : NULL;
  }
  if (good) return true;
  free(out->drawn);
  return false;
}

bool prt__is_schedule(const char *words) {
  prt_choices choices;
  if (!read_choices(words, &choices)) return false;
  free(choices.drawn);
  return true;
}

prt_status prt_machine_schedule(prt_machine *machine, const char *words) {
  prt_choices choices;
  if (!machine || (words && !machine->options.seeded)) // the default machine is not
    return prt__set_error(PRT_ERROR_ARGUMENT, "prt_machine_schedule: %s was made without 'seeded'",
                          machine ? "the machine" : "the default machine, NULL,");
  if (!read_choices(words, &choices))
    return prt__set_error(PRT_ERROR_ARGUMENT, "there is no schedule '%.200s'", words);
  free(machine->choices.drawn);
  machine->choices = choices;
  machine->has_choices = words != NULL;
  return PRT_OK;
}

// ---- draws --------------------------------------------------------------------------------------
// Steele, Lea, Flood 2014: SplitMix64, at a place of its sequence.
static uint64_t mix(uint64_t seed, uint64_t place) {
  uint64_t x = seed + (place + 1) * 0x9E3779B97F4A7C15u;
  x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
  x = (x ^ x >> 27) * 0x94D049BB133111EBu;
  return x ^ x >> 31;
}

static bool is_drawn(const prt_choices *choices, int64_t number) {
  if (!choices->draws || !choices->drawn) return choices->draws;
  for (size_t i = 0; i < choices->drawn_count; i++)
    if (number >= choices->drawn[i].first && number <= choices->drawn[i].last) return true;
  return false;
}

// The choice was another one than without a draw.
static void note_drawn(prt_explored *explored, int64_t number) {
  enum { MOST_DRAWN = 65536 };
  int64_t count = explored->drawn_count;
  if (count == MOST_DRAWN) return;
  if ((count & (count - 1)) == 0) { // a power of two: it is full
    int64_t *more = realloc(explored->drawn, (size_t)(count ? 2 * count : 1) * sizeof *more);
    if (!more) return; // a longer way to the smallest run
    explored->drawn = more;
  }
  explored->drawn[explored->drawn_count++] = number;
}

// ---- copies -------------------------------------------------------------------------------------
static uint64_t place_of(const prt_node *node) {
  return (uint64_t)(uint32_t)node->task.device << 32 | (uint32_t)node->task.core;
}

bool prt__lands_at_once(const prt_schedule *s, const prt_node *from, const prt_node *to) {
  const prt_choices *choices = &s->choices;
  if (choices->copies != COPIES_BY_LINK) return !s->seeded || choices->copies == COPIES_EARLY;
  return mix(mix(choices->seed, place_of(from)), place_of(to)) & 1;
}

// ---- the next one -------------------------------------------------------------------------------
static prt_node *take_first(prt_schedule *s) {
  s->ready--;
  return prt__take_first(s);
}

// The queue turned by a number of places: whoever then stands first is drawn evenly, and nothing is
// lost of the order.
static prt_node *take_turned(prt_schedule *s, uint64_t random) {
  int32_t turns = (int32_t)(random % (uint64_t)(s->ready < 64 ? s->ready : 64));
  for (int32_t i = 0; i < turns; i++) prt__append(s, take_first(s));
  return take_first(s);
}

// Those that can run only give way and look at counts: what they look out for may be in flight.
static bool is_starving(const prt_schedule *s) { return s->gave_way > 2 * (int64_t)s->ready + 64; }

static bool gives_way(const prt_node *node) {
  return node->wait == WAIT_TURN || node->wait == WAIT_POLL;
}

static bool goes_before(const prt_node *a, const prt_node *b) {
  if (a->turn != b->turn) return (int8_t)(uint8_t)(a->turn - b->turn) < 0;
  return place_of(a) > place_of(b);
}

// The first one that has not given way; else the one that has gone on least often of those that
// have, the last core before the others.
static prt_node *take_reversed(prt_schedule *s) {
  prt_node **best = &s->head;
  int32_t looked = 0;
  for (prt_node **at = &s->head; *at && gives_way(*best) && looked < 64; at = &(*at)->next) {
    if (!gives_way(*at) || goes_before(*at, *best)) best = at;
    looked++;
  }
  prt_node *node = *best;
  if (gives_way(node)) node->turn++;
  *best = node->next;
  if (s->tail == &node->next) s->tail = best;
  s->ready--;
  return node;
}

// The last one that has not given way; else the first one.
static prt_node *take_last(prt_schedule *s) {
  prt_node *before = NULL, *last = NULL;
  int32_t looked = 0;
  for (prt_node *at = s->head; at && at->next && looked < 64; at = at->next, looked++)
    if (!gives_way(at->next)) before = at;
  if (!before) return take_first(s);
  last = before->next;
  before->next = last->next;
  if (s->tail == &last->next) s->tail = &before->next;
  s->ready--;
  return last;
}

static prt_node *take_undrawn(prt_schedule *s) {
  if (!s->choices.reversed) return take_first(s);
  return s->choices.looking ? take_last(s) : take_reversed(s);
}

// The task that came last goes on, else the first one; a copy lands where nothing else is left.
static prt_node *next_undrawn(prt_schedule *s) {
  prt_node *node = s->current;
  if (s->flying && (is_starving(s) || (!node && !s->head))) {
    prt__land_needed(s);
    return NULL;
  }
  s->current = NULL;
  return node ? node : take_undrawn(s);
}

static prt_node *next_drawn(prt_schedule *s, int64_t number, bool may_land) {
  prt_node *usual = s->current ? s->current : s->head;
  if (s->current) prt__append(s, s->current);
  s->current = NULL;
  uint64_t random = mix(s->choices.seed, (uint64_t)number), ways = (uint64_t)s->ready + may_land;
  prt_node *node = NULL;
  if (random % ways < (uint64_t)s->ready)
    node = take_turned(s, random / ways);
  else
    prt__land_drawn(s, random / ways);
  if (node != usual) note_drawn(&s->call->explored, number);
  return node;
}

// Adds the turn of the one that runs next to those that bring nothing about: it gives way, or looks
// at a count. What it does between two looks, with counts and copies of its own, is no end of that.
static void note_turn(prt_schedule *s, const prt_node *node) {
  bool looks_out = node && node->wait == WAIT_SEM && node->looks;
  if (node && gives_way(node))
    s->gave_way++;
  else if (!looks_out)
    s->gave_way = 0;
}

prt_node *prt__next_chosen(prt_schedule *s) {
  while (s->current || s->head || s->flying) {
    int64_t tasks = s->ready + (s->current != NULL), number = -1;
    bool may_land = s->flying && s->choices.copies == COPIES_DRAWN;
    if (tasks + may_land > 1) number = s->call->explored.choices++;
    bool draws = number >= 0 && is_drawn(&s->choices, number) && !(s->flying && is_starving(s));
    prt_node *node = draws ? next_drawn(s, number, may_land) : next_undrawn(s);
    note_turn(s, node);
    if (node) return node;
  }
  return NULL;
}

int prt__signal_times(prt_schedule *s, const prt_site *site) {
  prt_explored *explored = &s->call->explored;
  int64_t number = ++explored->signals;
  if (number != s->choices.lost && number != s->choices.doubled) return 1;
  explored->fault = site;
  explored->is_lost = number == s->choices.lost;
  return explored->is_lost ? 0 : 2;
}

void prt__note_step(prt_worker *worker) {
  prt_call *call = worker->call;
  prt_ranks *r = prt__reports_to(call->machine);
  if (r) {
    r->calls->tell(r, PRT_REPORTED_NEXT_STEP);
    return;
  }
  int64_t step = ++prt__trail_of(worker->node)->steps, last = call->machine->choices.steps;
  if (step > call->explored.steps) call->explored.steps = step;
  if (last && step > last && call->machine->has_choices) call->is_cut = true;
}

void prt__explored_keep(prt_call *call) {
  prt_machine *machine = call->machine;
  pthread_mutex_lock(&machine->report_lock);
  free(machine->explored.drawn);
  machine->explored = call->explored;
  pthread_mutex_unlock(&machine->report_lock);
}

prt_explored prt__explored(prt_machine *machine) { return machine->explored; }
