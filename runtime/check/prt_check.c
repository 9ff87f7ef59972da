// SPDX-License-Identifier: Apache-2.0
// Findings of code compiled with checks, and what pl.debug_print prints.
#include <pthread.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include "tasks/prt_name.h"
#include "machine/prt_call.h"
#include "machine/prt_fail.h"
#include "machine/prt_machine.h"
#include "print/prt_print.h"
#include "print/prt_text.h"
#include "prt_finding.h"
#include "prt_watch.h"
#include "tasks/prt_task.h"
#include "transport/prt_ranks.h"

// One place that found something, and how often.
typedef struct Place {
  const prt_site *site;
  const char *format;
} Place;
typedef struct prt_findings {
  int64_t total, place_count;
  Place *places; // those that were reported: at most max_findings
} prt_findings;

static void report_people(const prt_finding *finding) {
  prt_text text = {0};
  prt__finding_text(&text, finding);
  if (text.data) fwrite(text.data, 1, text.length, stderr);
  prt__text_free(&text);
}

bool prt__is_place(const prt_site *a, const prt_site *b) {
  return a == b || (a->line == b->line && a->column == b->column && a->file && b->file &&
                    strcmp(a->file, b->file) == 0);
}

bool prt__is_site(const prt_site *a, const prt_site *b) {
  while (a != b) {
    if (!a || !b || !(prt__is_place(a, b) || (a->line == 0 && b->line == 0))) return false;
    a = a->caller;
    b = b->caller;
  }
  return true;
}

// ---- findings -----------------------------------------------------------------------------------
// Lines that a trace has unrolled are several sites of one place; of one that another rank reports
// there is a copy.
static bool is_reported_of(const prt_call *call, const prt_site *known, const prt_site *site) {
  return known == site || (call->machine->ranks && prt__is_site(known, site));
}

// Whether this is the first finding of its place and may still be reported. Locks: report_lock is
// held.
static bool is_news(prt_call *call, const prt_site *site, const char *format) {
  int64_t most = call->machine->options.max_findings;
  if (!call->findings) {
    call->findings = calloc(1, sizeof *call->findings);
    if (!call->findings) return true;
    call->findings->places = calloc(most > 0 ? (size_t)most : 1, sizeof *call->findings->places);
  }
  prt_findings *f = call->findings;
  f->total++;
  for (int64_t i = 0; i < f->place_count; i++)
    if (is_reported_of(call, f->places[i].site, site) && f->places[i].format == format)
      return false;
  if (f->place_count >= most) return false;
  if (f->places) f->places[f->place_count++] = (Place){site, format};
  return true;
}

// Locks: none on entry and exit; takes report_lock, which is held while on_finding runs.
void prt__report_finding(prt_machine *machine, prt_call *call, const prt_finding *finding,
                         const char *format) {
  const prt_site *site = finding->site;
  if (call && call->is_cut) return;
  prt_ranks *r = call ? prt__reports_to(machine) : NULL;
  if (r) r->calls->tell(r, PRT_REPORTED_FINDING, finding, format);
  if (call && site->line > 0)
    prt__call_fail_text(call, PRT_ERROR_CHECK, "%s:%d:%d: %s", site->file, site->line, site->column,
                        finding->message);
  else if (call)
    prt__call_fail_text(call, PRT_ERROR_CHECK, "%s", finding->message);
  if (call && prt__follows(call)) return;
  atomic_fetch_add_explicit(&machine->findings, 1, memory_order_relaxed);
  pthread_mutex_lock(&machine->report_lock);
  if (!call || is_news(call, site, format)) {
    if (call && machine->ranks) machine->ranks->calls->found(machine->ranks, call, finding, false);
    if (machine->options.on_finding)
      machine->options.on_finding(machine->options.data, finding);
    else if (prt__is_first_rank(machine)) // over ranks all find the same
      report_people(finding);
  }
  pthread_mutex_unlock(&machine->report_lock);
}

// It is given as text, and itself while that is done. Locks: takes report_lock, which is held while
// on_report runs; the schedule's may be held.
void prt__give_report(prt_machine *machine, const prt_finding *finding) {
  const prt_machine_options *options = &machine->options;
  prt_ranks *r = prt__reports_to(machine);
  if (r) {
    r->calls->tell(r, PRT_REPORTED_REPORT, finding);
    return;
  }
  if (machine->ranks) machine->ranks->calls->found(machine->ranks, NULL, finding, true);
  prt_text text = {0};
  prt__finding_text(&text, finding);
  pthread_mutex_lock(&machine->report_lock);
  if (text.data && !text.failed && options->on_report) {
    machine->deadlock = finding;
    options->on_report(options->data, text.data, text.length);
    machine->deadlock = NULL;
  } else if (text.data && !text.failed && prt__is_first_rank(machine)) {
    fwrite(text.data, 1, text.length, stderr);
  }
  pthread_mutex_unlock(&machine->report_lock);
  prt__text_free(&text);
}

// "on core 3 of device 1", where there are several that run the same.
static bool add_task(prt_text *text, const prt_worker *worker) {
  const prt_node *node = worker->node;
  if (!node || node->group->count < 2) return false;
  prt__text_c(text, "on ");
  prt__add_who(text, prt__program_of(node), node->task.core, node->task.device);
  return text->data && !text->failed;
}

static void put_step(prt_finding *finding, const prt_step *step) {
  if (!step) return;
  finding->launch = step->launch;
  finding->grid_rank = step->rank;
  finding->grid = step->indices;
  finding->grid_names = step->names;
}

// `data`: of a race, or NULL.
static void report(prt_worker *worker, int32_t kind, const prt_site *site, const char *format,
                   const char *message, const char *data) {
  const prt_step *step = worker->step;
  if (kind == PRT_FINDING_OUT_OF_BOUNDS) prt__watch_outside(worker);
  const prt_site *unsure =
      worker->call->unsure; // an index that was never written has been reported of
  if (kind == PRT_FINDING_OUT_OF_BOUNDS && unsure && prt__is_place(unsure, site)) return;
  prt_finding finding = {.site = site, .message = message, .kind = kind, .data = data};
  put_step(&finding, step);
  prt_finding_note notes[PRT_MOST_TURNS + 1];
  char texts[PRT_MOST_TURNS][48];
  prt_text who = {0};
  finding.notes = notes;
  for (int32_t i = 0; i < worker->turn_count; i++) {
    const prt_turn *turn = &worker->turns[i];
    if (prt__is_place(turn->loop, site)) continue; // a loop that the operation itself is
    snprintf(texts[i], sizeof texts[i], "in iteration %lld of this loop", (long long)turn->index);
    notes[finding.note_count++] = (prt_finding_note){turn->loop, texts[i]};
  }
  worker->turn_count = 0;
  if (add_task(&who, worker)) notes[finding.note_count++] = (prt_finding_note){site, who.data};
  prt__report_finding(worker->call->machine, worker->call, &finding, format);
  prt__text_free(&who);
}

void prt__report(prt_worker *worker, int32_t kind, const prt_site *site, const char *format,
                 const char *message) {
  report(worker, kind, site, format, message, NULL);
}

void prt__report_race(prt_worker *worker, const prt_site *site, const char *format,
                      const char *message, const char *data) {
  report(worker, PRT_FINDING_RACE, site, format, message, data);
}

// Locks: none on entry and exit; takes report_lock.
static void report_turns(prt_worker *worker, const prt_site *site, prt_status status,
                         const char *format, int64_t turns) {
  prt_machine *machine = worker->call->machine;
  char message[160];
  prt_text who = {0};
  prt_finding_note note = {.site = site};
  prt_finding finding = {
      .site = site, .message = message, .notes = &note, .kind = PRT_FINDING_DEADLOCK};
  snprintf(message, sizeof message, format, (long long)turns);
  put_step(&finding, worker->step);
  if (add_task(&who, worker)) finding.note_count = 1;
  note.message = who.data;
  if (!prt__has_failed(worker)) prt__give_report(machine, &finding); // the first of several threads
  prt__fail_at(worker, status, site, "%s", message);
  prt__text_free(&who);
}

void prt__loop_stopped(prt_worker *worker, const prt_site *site, int64_t turns) {
  static const char format[] = "stopped in turn %lld of this loop";
  const prt_machine *machine = worker->call->machine;
  bool is_silent = atomic_load_explicit(&machine->stop, memory_order_relaxed) == PRT_STOPS_SILENTLY;
  if (machine->options.on_report && !is_silent)
    report_turns(worker, site, PRT_ERROR_STOPPED, format, turns);
  else
    prt__fail_at(worker, PRT_ERROR_STOPPED, site, format, (long long)turns);
}

bool prt__loop_ends(prt_worker *worker, const prt_site *site, int64_t turns) {
  int32_t status = atomic_load_explicit(&worker->call->status, memory_order_relaxed);
  if (status != PRT_OK && status != PRT_ERROR_CHECK) return true;
  if (atomic_load_explicit(worker->stop, memory_order_relaxed)) {
    prt__loop_stopped(worker, site, turns);
    return true;
  }
  int64_t most = worker->call->machine->options.max_turns;
  if (!most || turns < most) return false;
  report_turns(worker, site, PRT_ERROR_DEADLOCK,
               "livelock: this loop is still going on after %lld turns", turns);
  return true;
}

void prt__fault(prt_worker *worker, int32_t kind, const prt_site *site, const char *format, ...) {
  char message[256];
  va_list args;
  va_start(args, format);
  vsnprintf(message, sizeof message, format, args);
  va_end(args);
  if (worker->call->entry->flags & PRT_ENTRY_CHECKED) {
    prt__report(worker, kind, site, format, message);
    worker->call->is_cut = true; // what follows from it is no mistake of its own
  }
  prt__fail_at(worker, PRT_ERROR_ARGUMENT, site, "%s", message);
}

void prt__check_turn(prt_worker *worker, const prt_site *loop, int64_t index) {
  if (worker->turn_count < PRT_MOST_TURNS)
    worker->turns[worker->turn_count++] = (prt_turn){loop, index};
}

void prt__check_failed(prt_worker *worker, int32_t kind, const prt_site *site, const char *format,
                       int32_t count, const prt_value *values) {
  prt_text text = {0};
  prt__print_format(&text, format, count, values);
  prt__report(worker, kind, site, format, text.data ? text.data : format);
  prt__text_free(&text);
}

void prt__check_index(prt_worker *worker, const prt_site *site, const char *what, int32_t dim,
                      int64_t index, int64_t limit) {
  char message[256];
  snprintf(message, sizeof message,
           "index %lld is out of bounds for dimension %d of '%s', which has size %lld",
           (long long)index, dim, what, (long long)limit);
  prt__report(worker, PRT_FINDING_OUT_OF_BOUNDS, site, "index", message);
}

void prt__check_slice(prt_worker *worker, const prt_site *site, const char *what, int32_t dim,
                      int64_t start, int64_t size, int64_t stride, int64_t limit) {
  if (size == 1) {
    prt__check_index(worker, site, what, dim, start, limit);
    return;
  }
  char message[256];
  int64_t last = start + (size - 1) * stride;
  snprintf(message, sizeof message,
           "elements %lld to %lld are out of bounds for dimension %d of '%s', which has size %lld",
           (long long)start, (long long)last, dim, what, (long long)limit);
  prt__report(worker, PRT_FINDING_OUT_OF_BOUNDS, site, "slice", message);
}

void prt__findings_finish(prt_call *call) {
  prt_findings *f = call->findings;
  int64_t more = f->total - f->place_count;
  if (more > 0) {
    size_t used = strlen(call->message);
    snprintf(call->message + used, sizeof call->message - used, " (and %lld more finding%s)",
             (long long)more, more == 1 ? "" : "s");
    if (!call->machine->options.on_finding && prt__is_first_rank(call->machine))
      fprintf(stderr, "note: %s: %lld findings in %lld places\n", call->entry->name,
              (long long)f->total, (long long)f->place_count);
  }
  free(f->places);
  free(f);
  call->findings = NULL;
}

// ---- debug prints -------------------------------------------------------------------------------
// Locks: none on entry and exit; takes report_lock, which is held while on_print runs.
static void print_here(prt_machine *machine, const prt_text *text) {
  pthread_mutex_lock(&machine->report_lock);
  if (machine->options.on_print)
    machine->options.on_print(machine->options.data, text->data, text->length);
  else
    fwrite(text->data, 1, text->length, stdout);
  pthread_mutex_unlock(&machine->report_lock);
}

void prt__debug_print(prt_worker *worker, const char *format, int32_t count,
                      const prt_value *values) {
  prt_machine *machine = worker->call->machine;
  prt_text text = {0};
  prt__print_format(&text, format, count, values);
  prt__text_c(&text, "\n");
  if (text.failed) prt__fail(worker, PRT_ERROR_MEMORY, "out of memory in a debug print");
  prt_ranks *r = prt__reports_to(machine);
  if (r && text.data) r->calls->tell(r, PRT_REPORTED_PRINT, text.data);
  // Code without checks may run on several threads.
  if (worker->call->entry->flags & PRT_ENTRY_CHECKED) worker->call->explored.prints = true;
  bool is_sent =
      machine->ranks && !r && machine->ranks->calls->print(worker, text.data, text.length);
  if (text.data && !is_sent && !r) print_here(machine, &text);
  prt__text_free(&text);
}
