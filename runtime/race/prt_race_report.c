// SPDX-License-Identifier: Apache-2.0
// The report of a race. In: two accesses of a segment. Out: a finding with both places, who was
// there, what they touched, what would have ordered them.
#include <stdlib.h>
#include <string.h>
#include "check/prt_finding.h"
#include "check/prt_watch.h"
#include "machine/prt_call.h"
#include "print/prt_text.h"
#include "prt_race.h"
#include "tasks/prt_name.h"

enum { MOST_NOTES = 4 };

typedef struct prt_race_text {
  const prt_site *site;
  prt_text message, help, data;
  prt_race_missing missing;
  int32_t note_count;
  const prt_site *note_sites[MOST_NOTES];
  prt_text notes[MOST_NOTES];
} prt_race_text;

// ---- words --------------------------------------------------------------------------------------
static void add_memory(prt_text *out, const prt_race_access *access) {
  if (!access->memory.what) {
    prt__text_printf(out, "%lld bytes of memory",
                     (long long)(access->extent->end - access->extent->base));
    return;
  }
  prt__text_printf(out, "'%s'", access->memory.what);
  if (access->memory.rank <= PRT_EXTENT_RANK)
    prt__extent_index(out, access->extent, &access->memory);
}

static bool is_copy(const prt_race_access *access) { return access->copy != PRT_NO_COPY; }

static bool is_window(const prt_race *race, const prt_race_access *access) {
  return is_copy(access) && race->copies.items[access->copy].window;
}

// "the pipeline's fetch into 'x'": of its copies between steps, which of the two ends says.
static void add_move(prt_text *out, const prt_race_access *access, const char *which) {
  bool reads = access->how == PRT_READ, fetches = access->move == PRT_MOVE_FETCH;
  if (access->move == PRT_MOVE_RENEW)
    prt__text_printf(out, "%s start of another block of ", which);
  else
    prt__text_printf(out, "%s pipeline's %s %s ", which, fetches ? "fetch" : "write-back",
                     reads     ? "of"
                     : fetches ? "into"
                               : "to");
  add_memory(out, access);
}

// "the copy into 'buf'[1]", "this read of 'buf'[1]".
static void add_access(prt_text *out, const prt_race_access *access, const char *which) {
  if (access->move) {
    add_move(out, access, which);
    return;
  }
  const char *own = access->how == PRT_READ      ? "read of"
                    : access->how == PRT_WRITE   ? "write of"
                    : access->how == PRT_RELEASE ? "end of the scope of"
                    : prt__race_begins(access)   ? "start of"
                                                 : "atomic change of";
  const char *copy = access->how == PRT_READ    ? "copy out of"
                     : access->how == PRT_WRITE ? "copy into"
                                                : "copy that adds to";
  prt__text_printf(out, "%s %s ", which, is_copy(access) ? copy : own);
  add_memory(out, access);
}

static void add_step(prt_text *out, const char *where, const prt_race_step *step) {
  prt__text_printf(out, " %s step (", where);
  prt__text_indices(out, step->rank, step->names, step->indices);
  prt__text_c(out, step->rank == 1 ? ",)" : ")");
}

// Whether several cores, or devices, are at work.
static bool has_several(const prt_race *race) {
  int32_t core = -1;
  for (int32_t i = 0; i < race->agents.count; i++) {
    const prt_race_agent *agent = &race->agents.items[i];
    if (agent->device != race->agents.items[0].device) return true;
    if (agent->program->kind == PRT_DEVICE_PROGRAM) continue;
    if (core >= 0 && !prt__race_is_one_core(race, core, i)) return true;
    core = i;
  }
  return false;
}

static void add_agent(prt_text *out, const prt_race *race, const prt_race_access *access) {
  const prt_race_agent *agent = &race->agents.items[access->agent];
  if (has_several(race)) {
    prt__text_c(out, " on ");
    prt__add_who(out, agent->program, agent->core, agent->device);
  }
  bool fetches_for = access->move == PRT_MOVE_FETCH && access->how == PRT_READ;
  const char *where = fetches_for ? "for" : access->move == PRT_MOVE_WRITE_BACK ? "before" : "at";
  if (access->step >= 0) add_step(out, where, &race->steps.items[access->step]);
}

static void add_sem(prt_text *out, const prt_race *race, int32_t number) {
  const prt_race_sem *sem = &race->sems.items[number];
  if (sem->is_barrier)
    prt__text_c(out, "the barrier semaphore");
  else if (sem->buffer)
    prt__add_sem_name(out, "", sem->buffer->name);
  else
    prt__text_c(out, "a semaphore of others");
  if (sem->buffer) prt__add_sem_index(out, sem->buffer, sem->index);
}

// ---- notes --------------------------------------------------------------------------------------
static prt_text *add_note(prt_race_text *text, const prt_site *site) {
  if (text->note_count == MOST_NOTES) return NULL;
  text->note_sites[text->note_count] = site;
  return &text->notes[text->note_count++];
}

static void note_access(prt_race_text *text, const prt_race *race, const prt_race_access *access,
                        bool is_earlier) {
  prt_text *out = add_note(text, access->site);
  if (!out) return;
  if (is_copy(access)) {
    prt__text_c(out, "the copy, started here");
    add_agent(out, race, access);
    prt__text_c(out, ", signals ");
    add_sem(out, race, prt__race_sem_of_end(race, access));
    if (is_earlier) prt__text_c(out, "; it is still in flight");
    return;
  }
  add_access(out, access, "the");
  prt__text_c(out, access->move ? " is here" : " is here,");
  add_agent(out, race, access);
}

// The last wait of the access's agent before it.
static const prt_race_event *last_wait(const prt_race *race, const prt_race_access *access) {
  const prt_race_event *found = NULL;
  int32_t end = access->order < race->events.count ? access->order : race->events.count;
  for (int32_t i = end; i-- > 0 && !found;) {
    const prt_race_event *event = &race->events.items[i];
    bool is_before = event->agent == access->agent && event->at < access->at;
    if (is_before && event->kind == RACE_WAIT && !race->sems.items[event->with].is_of_windows)
      found = event;
  }
  return found;
}

// How much of the copy the wait is for, if it is a part of it.
static void add_units(prt_text *out, const prt_race *race, const prt_race_event *wait,
                      const prt_race_access *earlier) {
  if (is_copy(earlier) && wait->with == prt__race_sem_of_end(race, earlier)) {
    const prt_race_copy *copy = &race->copies.items[earlier->copy];
    int64_t all = wait->with == copy->received ? copy->received_units : copy->sent_units;
    if (wait->units < all) {
      prt__text_printf(out, " for only %lld of %lld bytes", (long long)wait->units, (long long)all);
      return;
    }
  }
  prt__text_printf(out, " for %lld", (long long)wait->units);
}

// Whether the wait would do for the copy, but another copy that signals the semaphore may be what
// it has waited for.
static bool takes_another(const prt_race *race, const prt_race_event *wait,
                          const prt_race_access *earlier) {
  if (!wait || !is_copy(earlier) || wait->with != prt__race_sem_of_end(race, earlier)) return false;
  const prt_race_copy *copy = &race->copies.items[earlier->copy];
  int64_t all = wait->with == copy->received ? copy->received_units : copy->sent_units;
  return wait->units >= all && wait > &race->events.items[copy->event];
}

// `wait`: the last one of the access's agent before it, or NULL.
static void note_wait(prt_race_text *text, const prt_race *race, const prt_race_event *wait,
                      const prt_race_access *access, const prt_race_access *earlier) {
  const char *what = is_copy(access)                  ? "copy"
                     : access->move == PRT_MOVE_FETCH ? "fetch"
                     : access->move == PRT_MOVE_RENEW ? "block"
                     : access->move                   ? "write-back"
                     : access->how == PRT_READ        ? "read"
                     : access->how == PRT_RELEASE     ? "end of the scope"
                                                      : "write";
  prt_text *out = add_note(text, wait && wait->site ? wait->site : access->site);
  if (!out) return;
  if (!wait) {
    bool has_waited = race->agents.items[access->agent].has_waited;
    prt__text_printf(out, "nothing %sis waited for before this %s", has_waited ? "more " : "",
                     what);
    return;
  }
  prt__text_printf(out, "the last wait before the %s, on ", what);
  add_sem(out, race, wait->with);
  add_units(out, race, wait, earlier);
  prt__text_c(out, ", is here");
  if (takes_another(race, wait, earlier)) prt__text_c(out, "; it may be over by another copy");
}

// Whether somebody has waited for the end of the copy.
static bool is_waited_for(const prt_race *race, const prt_race_access *access) {
  const prt_race_copy *copy = &race->copies.items[access->copy];
  return copy->received_by.agent >= 0 || (access->how == PRT_READ && copy->sent_by.agent >= 0);
}

// The agent that can wait for the end of the copy.
static int32_t waiter_of(const prt_race *race, const prt_race_access *access) {
  const prt_race_copy *copy = &race->copies.items[access->copy];
  return prt__race_sem_of_end(race, access) == copy->sent ? access->agent : copy->to;
}

// Somebody else, who begins a copy or knows nothing of this one, can learn it by a signal alone.
static bool needs_signal(const prt_race *race, const prt_race_access *first,
                         const prt_race_access *second) {
  if (!is_copy(first)) return true;
  return !prt__race_is_one_core(race, waiter_of(race, first), second->agent) &&
         (is_copy(second) || is_waited_for(race, first));
}

// The last event of the other agent that is before the access with the clock.
static const prt_race_event *last_known(const prt_race *race, const prt_clock *clock,
                                        int32_t agent) {
  int64_t at = (int64_t)prt__clock_epoch(clock, (uint32_t)agent) - 1;
  for (int32_t i = race->events.count; at >= 0 && i-- > 0;) {
    const prt_race_event *event = &race->events.items[i];
    if (event->agent == agent && event->at == at) return event;
  }
  return NULL;
}

static bool passes_on(const prt_race_event *event) {
  return event->kind == RACE_SIGNAL || event->kind == RACE_COPY || event->kind == RACE_MEET ||
         event->kind == RACE_ATOMIC;
}

// What the second one, of another agent, is after, and the agent of the copy does behind its start
// without having waited for it: a wait there would order the two. NULL: there is none.
static const prt_race_event *passed_too_early(const prt_race *race, const prt_race_access *first,
                                              const prt_race_access *second,
                                              const prt_clock *clock) {
  if (!is_copy(first) || waiter_of(race, first) != first->agent) return NULL;
  const prt_race_event *start = &race->events.items[race->copies.items[first->copy].event];
  const prt_race_event *passed = last_known(race, clock, first->agent);
  if (first->agent == second->agent || !passed || !passed->site || !passes_on(passed)) return NULL;
  int32_t sem = prt__race_sem_of_end(race, first);
  for (const prt_race_event *event = start; event < passed; event++)
    if (event->kind == RACE_WAIT && event->with == sem) return NULL;
  return passed > start ? passed : NULL;
}

// Whether nobody waits for what the copy brings to the core that has the other access.
static bool is_forgotten(const prt_race *race, const prt_race_access *copy,
                         const prt_race_access *other) {
  return is_copy(copy) && copy->how != PRT_READ && !prt__race_wait_for_end(race, copy) &&
         prt__race_is_one_core(race, waiter_of(race, copy), other->agent);
}

// Whether both are of subcores of one core, which have a barrier: the last axis is theirs.
static bool share_barrier(const prt_race *race, const prt_race_access *a,
                          const prt_race_access *b) {
  const prt_race_agent *x = &race->agents.items[a->agent], *y = &race->agents.items[b->agent];
  if (x->program != y->program || x->program->kind != PRT_VECTOR_SUBCORE) return false;
  int64_t subcores = x->program->sizes[x->program->rank - 1];
  return x->device == y->device && x->core / subcores == y->core / subcores;
}

// What the agent of one of them is to that of the other one.
static const char *kind_of_other(const prt_race *race, const prt_race_access *a,
                                 const prt_race_access *b) {
  if (race->agents.items[a->agent].device != race->agents.items[b->agent].device) return "device";
  return share_barrier(race, a, b) ? "subcore" : "core";
}

// What an agent has waited for on the semaphore before the access.
static int64_t units_taken(const prt_race *race, const prt_race_access *access, int32_t sem) {
  int64_t units = 0;
  for (int32_t i = 0; i < race->events.count && i < access->order; i++) {
    const prt_race_event *event = &race->events.items[i];
    if (event->agent == access->agent && event->at < access->at && event->kind == RACE_WAIT &&
        event->with == sem)
      units += event->units;
  }
  return units;
}

// Whether the reader has waited for no more than what earlier copies of the same agent, which is
// another one, have brought: they arrive in order.
static bool has_had_another(const prt_race *race, const prt_race_access *first,
                            const prt_race_access *second) {
  if (!is_copy(first) || first->how != PRT_WRITE || second->how != PRT_READ ||
      first->agent == second->agent)
    return false;
  const prt_race_copy *copy = &race->copies.items[first->copy];
  int64_t taken = units_taken(race, second, copy->received), brought = 0;
  for (int32_t i = 0; i < first->copy; i++) {
    const prt_race_copy *earlier = &race->copies.items[i];
    if (earlier->received == copy->received &&
        race->events.items[earlier->event].agent == first->agent)
      brought += earlier->received_units;
  }
  return taken > 0 && taken <= brought;
}

// What was read is what that one has brought, or what this one is to bring.
static void add_help_of_another(prt_race_text *text, const prt_race *race,
                                const prt_race_access *first, const prt_race_access *second) {
  int from = first->site->line, to = second->site->line;
  prt_text *out = &text->help;
  text->missing = (prt_race_missing){second->site, first->site, -1};
  prt__text_printf(out,
                   "signal a semaphore after line %d, and wait for it before line %d, if line %d "
                   "is to read what an earlier copy has brought; else wait for ",
                   to, from, to);
  add_sem(out, race, prt__race_sem_of_end(race, first));
  prt__text_printf(out, " once more before line %d", to);
}

// A step's copy is to be over before the pipeline comes to its window.
static void add_help_of_move(prt_text *out, const prt_race *race, const prt_race_access *first,
                             const prt_race_access *move) {
  prt__text_c(out, "wait for ");
  add_sem(out, race, prt__race_sem_of_end(race, first));
  prt__text_c(out, first->step >= 0               ? " in the step that starts the copy"
                   : move->move == PRT_MOVE_FETCH ? " before the pipeline fetches the block"
                   : move->move == PRT_MOVE_RENEW ? " before the pipeline comes to another block"
                                                  : " before the pipeline writes the block back");
}

// A wait for what the copy that is started at the first place signals. `is_start`: another copy is
// started at the second one.
static void add_wait(prt_text *out, const prt_race *race, int32_t sem, const prt_site *start,
                     const prt_site *place, bool is_one_agent, bool is_start) {
  int from = start->line, to = place->line;
  prt__text_c(out, "wait for ");
  add_sem(out, race, sem);
  if (from < to)
    prt__text_printf(out, " between lines %d and %d", from, to);
  else if (from > to && is_one_agent)
    prt__text_printf(out, " after line %d, before line %d comes again", from, to);
  else if (is_start && prt__is_place(start, place) && is_one_agent)
    prt__text_printf(out, " before line %d comes again", to);
  else if (from == to && start->column < place->column)
    prt__text_printf(out, " before column %d of line %d", place->column, to);
  else
    prt__text_printf(out, " before line %d", to);
}

// What was forgotten is a wait, and a wait would do, of whoever can: true.
static bool add_help_of_wait(prt_race_text *text, const prt_race *race,
                             const prt_race_access *first, const prt_race_access *second,
                             const prt_clock *clock) {
  const prt_race_event *passed = passed_too_early(race, first, second, clock);
  if (!passed && !is_forgotten(race, second, first)) return false;
  const prt_race_access *copy = passed ? first : second;
  const prt_site *place = passed ? passed->site : first->site;
  bool is_one_agent = waiter_of(race, copy) == copy->agent;
  text->missing = (prt_race_missing){copy->site, place, prt__race_sem_of_end(race, copy)};
  add_wait(&text->help, race, text->missing.sem, copy->site, place, is_one_agent,
           passed ? passed->kind == RACE_COPY : is_copy(first));
  return true;
}

// Both write, for different agents: the other order may be what was meant.
static void add_help_of_order(prt_text *out, const prt_race_access *first,
                              const prt_race_access *second) {
  int from = first->site->line, to = second->site->line;
  if (first->how != PRT_WRITE || second->how != PRT_WRITE || first->agent == second->agent ||
      from == to)
    return;
  prt__text_printf(out,
                   is_copy(second)
                       ? ", or signal a semaphore when the copy of line %d is over, and "
                         "wait for it before line %d"
                       : ", or signal a semaphore after line %d, and wait for it before "
                         "line %d",
                   to, from);
}

// `is_waited_for_another`: there is a wait between them, which another copy may satisfy.
static void add_help(prt_race_text *text, const prt_race *race, bool is_waited_for_another,
                     const prt_race_access *first, const prt_race_access *second,
                     const prt_clock *clock) {
  int from = first->site->line, to = second->site->line;
  prt_text *out = &text->help;
  bool waits = !needs_signal(race, first, second);
  int32_t sem = waits ? prt__race_sem_of_end(race, first) : -1;
  text->missing = (prt_race_missing){first->site, second->site, sem};
  if (waits && has_had_another(race, first, second)) {
    add_help_of_another(text, race, first, second);
    return;
  }
  if (waits && is_waited_for_another) {
    prt__text_c(out, "wait for all copies that signal ");
    add_sem(out, race, sem);
    prt__text_printf(out, " before line %d, or give each a semaphore of its own", to);
    return;
  }
  if (waits && second->move) {
    add_help_of_move(out, race, first, second);
    return;
  }
  if (waits) {
    add_wait(out, race, sem, first->site, second->site, first->agent == second->agent,
             is_copy(second));
    add_help_of_order(out, first, second);
    return;
  }
  if (add_help_of_wait(text, race, first, second, clock)) return;
  bool may_wait = !is_copy(first) && is_copy(second) && first->how == PRT_READ;
  if (may_wait) {
    prt__text_c(out, "wait for ");
    add_sem(out, race, prt__race_sem_of_end(race, second));
    prt__text_printf(out, " before line %d, or ", from);
  }
  prt__text_printf(out,
                   is_copy(first)
                       ? "signal a semaphore when the copy of line %d is over, and wait for it "
                         "before line %d"
                       : "signal a semaphore after line %d, and wait for it before line %d",
                   from, to);
  if (from == to && first->agent != second->agent)
    prt__text_printf(out, " on the other %s", kind_of_other(race, first, second));
  // What was read first here may be what should have been there already.
  bool may_turn =
      first->how == PRT_READ && second->how != PRT_READ && first->agent != second->agent;
  if (may_turn && from != to)
    prt__text_printf(out, "; the other way round if line %d is to read what line %d writes", from,
                     to);
  if (share_barrier(race, first, second)) prt__text_c(out, ", as plsc.subcore_barrier() does");
}

// Memory of an agent that has not begun has no name yet; the other access may know it.
static prt_race_access named(const prt_race_access *access, const prt_race_access *other) {
  prt_race_access found = *access;
  const prt_watched *memory = &other->memory;
  const prt_extent *extent = access->extent;
  if (!found.memory.dims && memory->what && extent->base >= memory->base &&
      extent->end <= memory->base + prt__watched_bytes(memory))
    found.memory = *memory;
  return found;
}

static void note_sems(prt_race_pair *pair, const prt_race *race, const prt_race_access *first,
                      const prt_race_access *second) {
  const prt_race_access *const both[] = {first, second};
  for (int i = 0; i < 2; i++) {
    if (!is_copy(both[i])) {
      pair->is_read = both[i]->how == PRT_READ;
      continue;
    }
    pair->copies[i] = both[i]->site;
    pair->sems[i] = race->sems.items[prt__race_sem_of_end(race, both[i])];
  }
}

// A copy whose source and target have bytes in common.
static void describe_own(prt_race_text *text, const prt_race *race, const prt_race_access *first,
                         const prt_race_access *second) {
  const prt_race_access *from = first->how == PRT_READ ? first : second,
                        *to = from == first ? second : first;
  prt_text *out = &text->message;
  prt__text_c(out, "race: this copy reads ");
  add_memory(out, from);
  prt__text_c(out, to->how == PRT_WRITE ? " and writes " : " and adds to ");
  add_memory(out, to);
  add_agent(out, race, from);
  prt__text_c(out, ", which overlap");
  prt__text_c(&text->help, "copy to memory of its own first");
}

// Whether both are rows that one scatter writes: it starts them one after the other, by indices
// that lie one behind the other.
static bool is_one_scatter(const prt_race *race, const prt_race_access *first,
                           const prt_race_access *second) {
  if (!is_copy(first) || !is_copy(second) || first->how == PRT_READ || second->how == PRT_READ)
    return false;
  const prt_race_copy *copies = race->copies.items;
  int32_t event = copies[first->copy].event, agent = race->events.items[event].agent;
  if (second->copy <= first->copy || !copies[first->copy].index) return false;
  for (int32_t i = first->copy + 1; i <= second->copy; i++) {
    bool is_next = copies[i].event == ++event && copies[i].index > copies[i - 1].index;
    const prt_race_event *start = &race->events.items[event];
    if (!is_next || start->agent != agent || !prt__is_place(start->site, first->site)) return false;
  }
  return true;
}

static void describe_scatter(prt_race_text *text, const prt_race *race,
                             const prt_race_access *row) {
  prt__text_c(&text->message, "race: this scatter writes ");
  add_memory(&text->message, row);
  prt__text_c(&text->message, " twice");
  add_agent(&text->message, race, row);
  prt__text_c(&text->message, ", in any order");
  prt__text_c(&text->help, "let the indices differ, or let rows be added up, with add=True");
}

// The signal by which the entry's agent says that it is there, to a semaphore that the other one
// waits for before its access: with too few units, which may be of others. NULL: there is none.
static const prt_race_event *signal_of_entry(const prt_race *race, const prt_race_access *entry,
                                             const prt_race_access *other,
                                             const prt_race_event **wait) {
  for (int32_t i = 0; i < race->events.count; i++) {
    const prt_race_event *signal = &race->events.items[i];
    if (signal->kind != RACE_SIGNAL || signal->agent != entry->agent || signal->at < entry->at)
      continue;
    for (int32_t k = race->events.count; k-- > 0;) {
      *wait = &race->events.items[k];
      if ((*wait)->kind == RACE_WAIT && (*wait)->site && (*wait)->agent == other->agent &&
          (*wait)->with == signal->with && (*wait)->at < other->at)
        return signal;
    }
  }
  return NULL;
}

static void add_help_of_entry(prt_race_text *text, const prt_race *race,
                              const prt_race_access *entry, const prt_race_access *other) {
  const prt_race_event *wait, *signal = signal_of_entry(race, entry, other, &wait);
  int device = race->agents.items[entry->agent].device, line = other->site->line;
  if (signal && race->sems.items[signal->with].pending > 0) {
    text->missing = (prt_race_missing){signal->site, other->site, signal->with};
    prt__text_printf(&text->help, "wait in line %d for all that signal ", (int)wait->site->line);
    add_sem(&text->help, race, signal->with);
    prt__text_printf(&text->help, ": what it takes may be of others than device %d", device);
    return;
  }
  text->missing = (prt_race_missing){entry->site, other->site, -1};
  if (signal) {
    prt__text_printf(&text->help,
                     "let device %d signal a semaphore of the kernel's own, too, and wait for it "
                     "before line %d: what line %d takes may be of others that are further on",
                     device, line, (int)wait->site->line);
    return;
  }
  prt__text_printf(&text->help,
                   "signal the barrier semaphore of device %d on device %d, and wait for it before "
                   "line %d",
                   (int)race->agents.items[other->agent].device, device, line);
}

// Another device's launch, whose memory need not be there yet when the other access comes.
static void describe_entry(prt_race_text *text, const prt_race *race, const prt_race_access *entry,
                           const prt_race_access *other) {
  const prt_race_agent *agent = &race->agents.items[entry->agent];
  text->site = other->site;
  prt__text_c(&text->message, "race: ");
  add_access(&text->message, other, "this");
  prt__text_printf(&text->message,
                   " of device %d comes too early: device %d has not said that it is in the kernel",
                   (int)agent->device, (int)agent->device);
  prt_text *out = add_note(text, entry->site);
  if (out) {
    prt__text_printf(out,
                     "the kernel, and with it this memory, begins here on device %d; the %s is",
                     (int)agent->device, is_copy(other) ? "copy" : "access");
    add_agent(out, race, other);
  }
  note_wait(text, race, last_wait(race, other), other, entry);
  add_help_of_entry(text, race, entry, other);
}

static void add_owner(prt_text *out, const prt_race *race, const prt_race_access *access) {
  const prt_race_agent *agent = &race->agents.items[access->agent];
  prt__add_who(out, agent->program, agent->core, agent->device);
}

// Memory of another one's scope, which it need not have entered when the other access comes.
static void describe_scope(prt_race_text *text, const prt_race *race, const prt_race_access *entry,
                           const prt_race_access *other) {
  text->site = other->site;
  prt__text_c(&text->message, "race: ");
  add_access(&text->message, other, "this");
  prt__text_c(&text->message, " of ");
  add_owner(&text->message, race, entry);
  prt__text_c(&text->message, " comes too early: it has not said that it is in the scope");
  prt_text *out = add_note(text, entry->site);
  if (out) {
    prt__text_c(out, "the scope begins here on ");
    add_owner(out, race, entry);
    prt__text_printf(out, "; the %s is", is_copy(other) ? "copy" : "access");
    add_agent(out, race, other);
  }
  note_wait(text, race, last_wait(race, other), other, entry);
  text->missing = (prt_race_missing){entry->site, other->site, -1};
  prt__text_printf(&text->help,
                   "signal a semaphore inside the scope, and wait for it before line %d",
                   (int)other->site->line);
}

// An array that nothing uses any more, or memory of a launch that has ended, while a copy is under
// way there.
static void describe_death(prt_race_text *text, const prt_race *race, const prt_race_access *death,
                           const prt_race_access *copy) {
  const prt_race_event *wait = prt__race_wait_for_end(race, copy);
  text->site = copy->site;
  prt__text_c(&text->message, "race: ");
  add_access(&text->message, copy, "this");
  bool is_launch = death->how == PRT_OVER;
  prt__text_c(&text->message,
              is_launch ? " may be in flight when its launch ends, and with it the memory"
                        : " may be in flight when nothing uses the array any more, and its "
                          "memory may be another one's");
  prt_text *out = add_note(text, death->site);
  if (out) prt__text_c(out, is_launch ? "this is the launch" : "here it is used for the last time");
  out = wait && wait->site ? add_note(text, wait->site) : NULL;
  if (out) prt__text_c(out, "here the copy is waited for");
  int32_t sem = prt__race_sem_of_end(race, copy);
  text->missing = (prt_race_missing){copy->site, death->site, sem};
  prt__text_c(&text->help, is_launch ? "wait for " : "use the array behind the wait for ");
  add_sem(&text->help, race, sem);
  prt__text_c(&text->help, is_launch ? " before the launch ends"
                                     : ", as an operand of the launch that waits, for instance");
}

// "the pipeline's fetch of 'x'[8:16] for the next step"
static void add_pipelined(prt_text *out, const prt_race *race, const prt_race_access *access,
                          const char *which, bool is_reported_when) {
  if (!is_window(race, access)) {
    add_access(out, access, which);
    return;
  }
  bool fetches = access->how == PRT_READ;
  prt__text_printf(out, "the pipeline's %s of ", fetches ? "fetch" : "write-back");
  add_memory(out, access);
  static const char *const steps[] = {"", " for the next step", " for a later step"};
  prt__text_c(out, fetches            ? steps[race->copies.items[access->copy].ahead]
                   : is_reported_when ? ""
                                      : " of the step before");
}

// A copy of the chip's pipeline, and what a step does meanwhile.
static void describe_window(prt_race_text *text, const prt_race *race,
                            const prt_race_access *window, const prt_race_access *other) {
  text->site = other->site;
  prt__text_c(&text->message, "race: ");
  add_pipelined(&text->message, race, window, "the", false);
  prt__text_c(&text->message, " and ");
  add_pipelined(&text->message, race, other, "this", true);
  add_agent(&text->message, race, other);
  prt__text_c(&text->message, " are not ordered");
  prt_text *out = add_note(text, window->site);
  if (out)
    prt__text_printf(out, "this window is %s while a step runs, with %d buffers",
                     window->how == PRT_READ ? "fetched ahead" : "written back",
                     (int)race->copies.items[window->copy].buffers);
  // What a step does behind the start of the pipeline's copy can wait for nothing.
  if (!is_copy(other) || is_window(race, other) || other->order > window->order) {
    prt__text_c(&text->help, window->how == PRT_READ || is_window(race, other)
                                 ? "let a step write no other block of the array than it reads"
                                 : "use the block two steps later, when it has been written back");
    prt__text_c(&text->help, ", or copy the blocks by hand");
    return;
  }
  text->missing = (prt_race_missing){other->site, window->site, prt__race_sem_of_end(race, other)};
  prt__text_c(&text->help, "wait for ");
  add_sem(&text->help, race, text->missing.sem);
  prt__text_printf(&text->help, " before the pipeline %s the block",
                   window->how == PRT_READ ? "fetches" : "writes back");
}

// Two steps of parallel dimensions. The report does not depend on which cores have them.
static void describe_steps(prt_race_text *text, const prt_race *race, const prt_race_access *first,
                           const prt_race_access *second) {
  const prt_race_step *a = prt__race_step_around(race, first);
  const prt_race_step *b = prt__race_step_around(race, second);
  bool swaps = a->number > b->number;
  const prt_race_access *other = swaps ? second : first, *here = swaps ? first : second;
  prt_text *out = &text->message;
  text->site = here->site;
  prt__text_c(out, "race: ");
  add_access(out, other, "the");
  add_step(out, "at", swaps ? b : a);
  prt__text_c(out, " and ");
  add_access(out, here, "this");
  add_step(out, "at", swaps ? a : b);
  prt__text_c(out, " are not ordered");
  out = add_note(text, other->site);
  if (out) {
    add_access(out, other, "the");
    prt__text_c(out, " is here; steps of parallel dimensions may run at once");
  }
  prt__text_c(&text->help, "make the dimensions 'arbitrary', or let each step have memory of its "
                           "own");
}

// Two iterations of a loop in which each is to be independent of the others.
static void describe_turns(prt_race_text *text, const prt_race *race, const prt_race_access *first,
                           const prt_race_access *second) {
  int32_t a = prt__race_turn_apart(race, first, second)->number;
  int32_t b = prt__race_turn_apart(race, second, first)->number;
  const prt_race_access *other = a > b ? second : first, *here = a > b ? first : second;
  prt_text *out = &text->message;
  text->site = here->site;
  prt__text_c(out, "race: ");
  add_access(out, other, "the");
  prt__text_printf(out, " in iteration %d and ", a > b ? b : a);
  add_access(out, here, "this");
  prt__text_printf(out, " in iteration %d are not ordered", a > b ? a : b);
  out = add_note(text, other->site);
  if (out) {
    add_access(out, other, "the");
    prt__text_c(out, " is here; iterations of a parallel_loop run in any order, or at once");
  }
  prt__text_c(&text->help, "hand it on by `carry`, or use pl.loop");
}

static void describe(prt_race_text *text, const prt_race *race, const prt_race_access *first,
                     const prt_race_access *second, const prt_clock *clock) {
  if (prt__race_begins(first) || prt__race_begins(second)) {
    bool is_first = prt__race_begins(first);
    (first->how == PRT_ENTER || second->how == PRT_ENTER ? describe_scope : describe_entry)(
        text, race, is_first ? first : second, is_first ? second : first);
    return;
  }
  if (prt__race_dies(first) || prt__race_dies(second)) {
    bool is_first = prt__race_dies(first);
    describe_death(text, race, is_first ? first : second, is_first ? second : first);
    return;
  }
  if (prt__race_turn_apart(race, first, second)) {
    describe_turns(text, race, first, second);
    return;
  }
  if (prt__race_are_apart(race, first, second)) {
    describe_steps(text, race, first, second);
    return;
  }
  if (is_window(race, first) || is_window(race, second)) {
    bool is_first = is_window(race, first);
    describe_window(text, race, is_first ? first : second, is_first ? second : first);
    return;
  }
  // The place that is reported is what the program does itself, if one of them is, and never where
  // a pipeline is, if one of them is not its own.
  bool swaps = is_copy(second) + 2 * (second->move != 0) > is_copy(first) + 2 * (first->move != 0);
  const prt_race_access *here = swaps ? first : second, *other = swaps ? second : first;
  text->site = here->site;
  if (is_copy(first) && first->copy == second->copy) {
    describe_own(text, race, first, second);
    return;
  }
  if (is_one_scatter(race, first, second)) {
    describe_scatter(text, race, second);
    return;
  }
  prt__text_c(&text->message, "race: ");
  add_access(&text->message, other, "the");
  prt__text_c(&text->message, " and ");
  add_access(&text->message, here, "this");
  add_agent(&text->message, race, here);
  prt__text_c(&text->message, " are not ordered");
  note_access(text, race, other, other == first);
  if (is_copy(here) && here->site != other->site) note_access(text, race, here, here == first);
  const prt_race_event *wait = last_wait(race, second);
  note_wait(text, race, wait, second, first);
  add_help(text, race, takes_another(race, wait, first), first, second, clock);
}

// Of one agent's pipeline and what a step of it does: where all that is known of the array is a
// window, it has the name that the body has for that.
static void name_window(const prt_race *race, prt_race_access *window, prt_race_access *other) {
  window->memory.what = race->copies.items[window->copy].window;
  if (is_window(race, other))
    other->memory.what = race->copies.items[other->copy].window;
  else if (other->memory.what)
    window->memory.what = other->memory.what;
  else
    other->memory.what = window->memory.what;
}

// The two accesses as they are reported.
static void find_names(const prt_race *race, prt_race_access *first, prt_race_access *second) {
  bool is_reported = prt__race_begins(first) || prt__race_begins(second) ||
                     prt__race_are_apart(race, first, second);
  if (is_reported) return;
  if (first->agent != second->agent) {
    // For others it is an access of the agent's own.
    if (is_window(race, first)) first->copy = PRT_NO_COPY;
    if (is_window(race, second)) second->copy = PRT_NO_COPY;
  } else if (is_window(race, first)) {
    name_window(race, first, second);
  } else if (is_window(race, second)) {
    name_window(race, second, first);
  }
}

prt_race_text *prt__race_describe(const prt_race *race, const prt_race_access *earlier,
                                  const prt_race_access *later, const prt_clock *clock,
                                  prt_race_pair *pair) {
  prt_race_text *text = calloc(1, sizeof *text);
  if (!text) return NULL;
  prt_race_access first = named(earlier, later), second = named(later, earlier);
  note_sems(pair, race, &first, &second);
  pair->what = second.memory.what;
  const prt_race_event *wait = last_wait(race, &second);
  pair->when = (prt_race_moment){race->segment, later->order};
  if (wait) pair->waited = race->sems.items[wait->with].buffer;
  find_names(race, &first, &second);
  describe(text, race, &first, &second, clock);
  if (text->missing.after && text->missing.sem >= 0)
    pair->awaited = race->sems.items[text->missing.sem];
  prt__race_data(&text->data, race, &first, &second, &text->missing);
  return text;
}

static void tell(prt_race *race, const prt_race_pair *pair) {
  prt_race_text *text = pair->text;
  prt_text data = {0};
  prt__text_printf(&data, "{\"count\":%lld,", (long long)pair->count);
  if (text->data.data) prt__text_add(&data, text->data.data, text->data.length);
  prt__text_c(&data, "}");
  if (pair->count > 1) prt__text_printf(&text->message, " (%lld times)", (long long)pair->count);
  prt_finding_note notes[MOST_NOTES];
  prt_finding finding = {.site = text->site,
                         .message = text->message.data ? text->message.data : "race",
                         .note_count = text->note_count,
                         .notes = notes,
                         .help = text->help.data,
                         .kind = PRT_FINDING_RACE,
                         .data = data.data};
  for (int32_t i = 0; i < text->note_count; i++)
    notes[i] =
        (prt_finding_note){text->note_sites[i], text->notes[i].data ? text->notes[i].data : ""};
  prt_call *call = race->worker->call;
  prt__report_finding(call->machine, call, &finding, finding.message);
  prt__text_free(&data);
  if (!pair->copies[0] && !pair->copies[1]) return;
  prt__watches_reported(call, pair->first, pair->memory);
  prt__watches_reported(call, pair->second, pair->memory);
}

// ---- one mistake, one report --------------------------------------------------------------------
static bool is_stuck(const prt_race *race, const prt_buffer *buffer) {
  for (int32_t i = 0; buffer && i < race->stuck.count; i++)
    if (race->stuck.items[i] == buffer) return true;
  return false;
}

// Whether a step of parallel dimensions has left a semaphore that one of the copies signals before,
// which is reported: what comes behind it on its core follows from that.
static bool is_behind_left(const prt_race *race, const prt_race_pair *pair) {
  for (int i = 0; !pair->is_apart && i < 2; i++) {
    const prt_race_left *left = prt__race_left(race, pair->sems[i].buffer);
    if (left &&
        (left->since.segment < pair->when.segment ||
         (left->since.segment == pair->when.segment && left->since.order <= pair->when.order)))
      return true;
  }
  return false;
}

// Whether the race is there since a copy went, or a signal, where it was not waited for, as a
// deadlock says.
static bool is_consequence(const prt_race *race, const prt_race_pair *pair) {
  return is_stuck(race, pair->sems[0].buffer) || is_stuck(race, pair->sems[1].buffer) ||
         is_stuck(race, pair->waited) || is_behind_left(race, pair);
}

// Whether the pair is reported, and one of the two is the copy that was started there.
static bool is_copy_of(const prt_race_pair *pair, const prt_site *site) {
  for (int i = 0; pair->text && i < 2; i++)
    if (pair->copies[i] && prt__is_place(pair->copies[i], site)) return true;
  return false;
}

static bool has_copy_of(const prt_race_pair *pair, const prt_race_unwaited *left) {
  if (is_copy_of(pair, left->site)) return true;
  for (int32_t i = 0;
       left->buffer && left->site == left->buffer->site && i < left->program->act_count; i++) {
    const prt_act *act = &left->program->acts[i];
    bool is_on_it = (act->kind == PRT_ACT_COPY || act->kind == PRT_ACT_SENT) && act->level == 0 &&
                    act->sem == left->buffer->offset;
    if (is_on_it && is_copy_of(pair, act->site)) return true;
  }
  return false;
}

void prt__race_text_free(prt_race_text *text) {
  if (!text) return;
  prt__text_free(&text->message);
  prt__text_free(&text->help);
  prt__text_free(&text->data);
  for (int32_t n = 0; n < text->note_count; n++) prt__text_free(&text->notes[n]);
  free(text);
}

// That a copy comes before a launch or a scope, or behind it, is not reported if what it meets in
// there is.
static bool is_reported_inside(const prt_race *race, const prt_race_pair *edge) {
  const prt_site *copy = edge->copies[0] ? edge->copies[0] : edge->copies[1];
  for (int32_t i = 0; copy && edge->is_edge && i < race->pairs.count; i++)
    if (!race->pairs.items[i].is_edge && is_copy_of(&race->pairs.items[i], copy)) return true;
  return false;
}

// Whether a race is reported that a wait for the semaphore mends; buffer NULL: for a barrier one.
static bool is_awaited(const prt_race *race, const prt_buffer *buffer, int32_t index) {
  for (int32_t i = 0; i < race->pairs.count; i++) {
    const prt_race_pair *pair = &race->pairs.items[i];
    bool is_its = buffer ? pair->awaited.buffer == buffer && pair->awaited.index == index
                         : pair->awaited.is_barrier;
    if (pair->text && !pair->is_end && !is_behind_left(race, pair) && is_its) return true;
  }
  return false;
}

static bool is_own_report(const prt_race *race, const prt_race_unwaited *left);

// Whether the first one, if it is reported, says enough.
static bool is_same_left(const prt_race *race, const prt_race_unwaited *first,
                         const prt_race_unwaited *left) {
  if (!first->buffer || first->buffer != left->buffer) return false;
  if (first->is_scope && !left->is_scope) return true;
  return first->index == left->index && is_own_report(race, first);
}

// Whether it is reported by itself: no copy of it races, and no other place before it has the same,
// or what is left of the same semaphore on another device, or by its scope.
static bool is_own_report(const prt_race *race, const prt_race_unwaited *left) {
  if (is_stuck(race, left->buffer) || prt__race_left(race, left->buffer) ||
      is_awaited(race, left->buffer, left->index))
    return false;
  for (int32_t i = 0; i < race->pairs.count; i++)
    if (!race->pairs.items[i].is_end && has_copy_of(&race->pairs.items[i], left)) return false;
  for (const prt_race_unwaited *other = race->unwaited.items; other < left; other++)
    if (prt__is_place(other->site, left->site) || is_same_left(race, other, left)) return false;
  return true;
}

// That a copy outlives its memory is not reported if it is reported that nothing waits for it, or
// for a part of it alone, or for another copy that signals the same semaphore.
static bool is_of_unwaited(const prt_race *race, const prt_race_pair *pair) {
  for (int32_t i = 0; pair->is_end && i < race->unwaited.count; i++) {
    const prt_race_unwaited *left = &race->unwaited.items[i];
    if (has_copy_of(pair, left) &&
        (is_own_report(race, left) || is_awaited(race, left->buffer, left->index)))
      return true;
  }
  return false;
}

static bool is_reported(const prt_race *race, const prt_race_pair *pair) {
  return pair->text && !is_consequence(race, pair) && !is_reported_inside(race, pair) &&
         !is_of_unwaited(race, pair);
}

static void report_unwaited(prt_race *race, const prt_race_unwaited *left) {
  if (!is_own_report(race, left)) return;
  prt__report(race->worker, PRT_FINDING_SEMAPHORE, left->site, "semaphore",
              left->message ? left->message : "a semaphore is not zero when its kernel ends");
}

static bool is_line(const prt_site *a, const prt_site *b) {
  return a->line == b->line && a->file && b->file && strcmp(a->file, b->file) == 0;
}

// `buf[0] = buf[0] + 1` reads and writes, and both race with a copy into 'buf': the read is
// reported, whichever was found first.
static bool is_rest_of_line(const prt_race *race, const prt_race_pair *pair) {
  bool is_with_copy = !pair->copies[0] != !pair->copies[1];
  const prt_site *copy = pair->copies[0] ? pair->first : pair->second,
                 *own = pair->copies[0] ? pair->second : pair->first;
  for (int32_t i = 0; is_with_copy && i < race->pairs.count; i++) {
    const prt_race_pair *other = &race->pairs.items[i];
    bool is_before = other->is_read == pair->is_read ? other < pair : other->is_read;
    if (!is_before || !is_reported(race, other) || !other->copies[0] == !other->copies[1]) continue;
    const prt_site *its_copy = other->copies[0] ? other->first : other->second,
                   *its_own = other->copies[0] ? other->second : other->first;
    if (prt__is_place(its_copy, copy) && is_line(its_own, own) && other->what &&
        other->what == pair->what)
      return true;
  }
  return false;
}

// What a step has left is not reported if a race says it.
static void report_left(const prt_race *race) {
  for (int32_t i = 0; i < race->left.count; i++) {
    const prt_race_left *left = &race->left.items[i];
    if (!is_awaited(race, left->buffer, left->index))
      prt__report(race->worker, PRT_FINDING_SEMAPHORE, left->site, "left by a step",
                  left->message ? left->message : "a step leaves a semaphore signalled");
  }
}

void prt__race_report_all(prt_race *race) {
  for (int32_t i = 0; i < race->pairs.count; i++) {
    const prt_race_pair *pair = &race->pairs.items[i];
    if (is_reported(race, pair) && !is_rest_of_line(race, pair)) tell(race, pair);
  }
  report_left(race);
  for (int32_t i = 0; i < race->unwaited.count; i++)
    report_unwaited(race, &race->unwaited.items[i]);
  // A finding is known by the address of its message: none is freed before all are reported.
  for (int32_t i = 0; i < race->pairs.count; i++) prt__race_text_free(race->pairs.items[i].text);
  race->pairs.count = 0;
}
