// SPDX-License-Identifier: Apache-2.0
// What is told of a race. In: two accesses of a segment. Out: a finding with both places, who was
// there, what they touched, what would have ordered them.
#include <stdlib.h>
#include <string.h>
#include "prt_race.h"
#include "tasks/prt_task.h"

enum { MOST_NOTES = 4 };

typedef struct prt_race_text {
  const prt_site *site;
  prt_text message, help;
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

// "the copy into 'buf'[1]", "this read of 'buf'[1]".
static void add_access(prt_text *out, const prt_race_access *access, const char *which) {
  const char *own = access->how == PRT_READ      ? "read of"
                    : access->how == PRT_WRITE   ? "write of"
                    : access->how == PRT_RELEASE ? "end of the scope of"
                                                 : "atomic change of";
  const char *copy = access->how == PRT_READ    ? "copy out of"
                     : access->how == PRT_WRITE ? "copy into"
                                                : "copy that adds to";
  prt__text_printf(out, "%s %s ", which, is_copy(access) ? copy : own);
  add_memory(out, access);
}

static void add_agent(prt_text *out, const prt_race *race, const prt_race_access *access) {
  const prt_race_agent *agent = &race->agents.items[access->agent];
  if (race->agents.count > 1) {
    prt__text_c(out, " on ");
    prt__add_who(out, agent->program, agent->core, agent->device);
  }
  if (access->step < 0) return;
  const prt_race_step *step = &race->steps.items[access->step];
  prt__text_c(out, " at step (");
  prt__text_indices(out, step->rank, step->names, step->indices);
  prt__text_c(out, step->rank == 1 ? ",)" : ")");
}

static void add_sem(prt_text *out, const prt_race *race, int32_t number) {
  const prt_race_sem *sem = &race->sems.items[number];
  const char *name = sem->buffer && sem->buffer->name[0] ? sem->buffer->name : NULL;
  if (name)
    prt__text_printf(out, "'%s'", name);
  else
    prt__text_c(out, sem->buffer ? "a semaphore" : "a semaphore of others");
  if (sem->buffer && sem->buffer->bytes > (int64_t)sizeof(prt_sem))
    prt__text_printf(out, "[%d]", (int)sem->index);
}

// ---- notes --------------------------------------------------------------------------------------
static prt_text *add_note(prt_race_text *text, const prt_site *site) {
  if (text->note_count == MOST_NOTES) return NULL;
  text->note_sites[text->note_count] = site;
  return &text->notes[text->note_count++];
}

// The semaphore whose wait would say that the end of the copy is over.
static int32_t sem_of_end(const prt_race *race, const prt_race_access *access) {
  const prt_race_copy *copy = &race->copies.items[access->copy];
  return access->how == PRT_READ && copy->sent >= 0 ? copy->sent : copy->received;
}

static void note_access(prt_race_text *text, const prt_race *race, const prt_race_access *access,
                        bool is_earlier) {
  prt_text *out = add_note(text, access->site);
  if (!out) return;
  if (is_copy(access)) {
    prt__text_c(out, "the copy, started here");
    add_agent(out, race, access);
    prt__text_c(out, ", signals ");
    add_sem(out, race, sem_of_end(race, access));
    if (is_earlier) prt__text_c(out, "; it is still in flight");
    return;
  }
  add_access(out, access, "the");
  prt__text_c(out, " is here,");
  add_agent(out, race, access);
}

// The last wait of the access's agent before it.
static const prt_race_event *last_wait(const prt_race *race, const prt_race_access *access) {
  const prt_race_event *found = NULL;
  for (int32_t i = 0; i < race->events.count && i < access->order; i++) {
    const prt_race_event *event = &race->events.items[i];
    if (event->agent == access->agent && event->at < access->at && event->kind == RACE_WAIT)
      found = event;
  }
  return found;
}

static void note_wait(prt_race_text *text, const prt_race *race, const prt_race_access *access) {
  const prt_race_event *wait = last_wait(race, access);
  const char *what = is_copy(access)              ? "copy"
                     : access->how == PRT_READ    ? "read"
                     : access->how == PRT_RELEASE ? "end of the scope"
                                                  : "write";
  prt_text *out = add_note(text, wait && wait->site ? wait->site : access->site);
  if (!out) return;
  if (!wait) {
    prt__text_printf(out, "nothing is waited for before this %s", what);
    return;
  }
  prt__text_printf(out, "the last wait before the %s, on ", what);
  add_sem(out, race, wait->with);
  prt__text_printf(out, " for %lld, is here", (long long)wait->units);
}

// Whether somebody has waited for the end of the copy.
static bool is_waited_for(const prt_race *race, const prt_race_access *access) {
  const prt_race_copy *copy = &race->copies.items[access->copy];
  return copy->received_by.agent >= 0 || (access->how == PRT_READ && copy->sent_by.agent >= 0);
}

// Somebody else, who begins a copy or knows nothing of this one, can be told by a signal alone.
static bool needs_signal(const prt_race *race, const prt_race_access *first,
                         const prt_race_access *second) {
  return !is_copy(first) ||
         (first->agent != second->agent && (is_copy(second) || is_waited_for(race, first)));
}

static void add_help(prt_race_text *text, const prt_race *race, const prt_race_access *first,
                     const prt_race_access *second) {
  int from = first->site->line, to = second->site->line;
  prt_text *out = &text->help;
  if (!needs_signal(race, first, second)) {
    prt__text_c(out, "wait for ");
    add_sem(out, race, sem_of_end(race, first));
    int column = second->site->column;
    if (from != to)
      prt__text_printf(out, " between lines %d and %d", from, to);
    else if (first->site->column < column)
      prt__text_printf(out, " before column %d of line %d", column, to);
    else
      prt__text_printf(out, " before line %d", to);
    return;
  }
  bool may_wait = !is_copy(first) && is_copy(second) && first->how == PRT_READ;
  if (may_wait) {
    prt__text_c(out, "wait for ");
    add_sem(out, race, sem_of_end(race, second));
    prt__text_printf(out, " before line %d, or ", from);
  }
  prt__text_printf(out,
                   is_copy(first)
                       ? "signal a semaphore when the copy of line %d is over, and wait for it "
                         "before line %d"
                       : "signal a semaphore after line %d, and wait for it before line %d",
                   from, to);
}

// Memory of an agent that has not begun has no name yet; the other access may know it.
static prt_race_access named(const prt_race_access *access, const prt_race_access *other) {
  prt_race_access found = *access;
  const prt_watched *memory = &other->memory;
  const prt_extent *extent = access->extent;
  if (!found.memory.what && memory->what && extent->base >= memory->base &&
      extent->end <= memory->base + prt__watched_bytes(memory))
    found.memory = *memory;
  return found;
}

prt_race_text *prt__race_describe(const prt_race *race, const prt_race_access *earlier,
                                  const prt_race_access *later) {
  prt_race_text *text = calloc(1, sizeof *text);
  if (!text) return NULL;
  prt_race_access named_first = named(earlier, later), named_second = named(later, earlier);
  const prt_race_access *first = &named_first, *second = &named_second;
  // The place that is told of is what the program does itself, if one of them is.
  bool swaps = is_copy(second) && !is_copy(first);
  const prt_race_access *here = swaps ? first : second, *other = swaps ? second : first;
  text->site = here->site;
  prt__text_c(&text->message, "race: ");
  add_access(&text->message, other, "the");
  prt__text_c(&text->message, " and ");
  add_access(&text->message, here, "this");
  add_agent(&text->message, race, here);
  prt__text_c(&text->message, " are not ordered");
  note_access(text, race, other, other == first);
  if (is_copy(here) && here->site != other->site) note_access(text, race, here, here == first);
  note_wait(text, race, second);
  add_help(text, race, first, second);
  return text;
}

static void tell(prt_race *race, const prt_race_pair *pair) {
  prt_race_text *text = pair->text;
  if (pair->count > 1) prt__text_printf(&text->message, " (%lld times)", (long long)pair->count);
  prt_finding_note notes[MOST_NOTES];
  prt_finding finding = {.site = text->site,
                         .message = text->message.data ? text->message.data : "race",
                         .note_count = text->note_count,
                         .notes = notes,
                         .help = text->help.data,
                         .kind = PRT_FINDING_RACE};
  for (int32_t i = 0; i < text->note_count; i++)
    notes[i] =
        (prt_finding_note){text->note_sites[i], text->notes[i].data ? text->notes[i].data : ""};
  prt_call *call = race->worker->call;
  prt__tell(call->machine, call, &finding, finding.message);
  if (!pair->copies[0] && !pair->copies[1]) return;
  prt__watches_told(call, pair->first, pair->memory, pair->what);
  prt__watches_told(call, pair->second, pair->memory, pair->what);
}

static bool is_copy_of(const prt_race_pair *pair, const prt_site *site) {
  return pair->text && (pair->copies[0] == site || pair->copies[1] == site);
}

// A copy that races is told once.
static void tell_unwaited(prt_race *race, const prt_race_unwaited *copy) {
  for (int32_t i = 0; i < race->pairs.count; i++)
    if (is_copy_of(&race->pairs.items[i], copy->site)) return;
  prt__report(race->worker, PRT_FINDING_SEMAPHORE, copy->site, "semaphore",
              copy->message ? copy->message : "this copy was never waited for");
}

static void text_free(prt_race_text *text) {
  if (!text) return;
  prt__text_free(&text->message);
  prt__text_free(&text->help);
  for (int32_t n = 0; n < text->note_count; n++) prt__text_free(&text->notes[n]);
  free(text);
}

void prt__race_tell_all(prt_race *race) {
  for (int32_t i = 0; i < race->pairs.count; i++)
    if (race->pairs.items[i].text) tell(race, &race->pairs.items[i]);
  for (int32_t i = 0; i < race->unwaited.count; i++) tell_unwaited(race, &race->unwaited.items[i]);
  // A finding is known by the address of its message: none is freed before all are told.
  for (int32_t i = 0; i < race->pairs.count; i++) text_free(race->pairs.items[i].text);
  race->pairs.count = 0;
}
