// SPDX-License-Identifier: Apache-2.0
// The report of a deadlock, which is a finding: who waits where, for which semaphore, what it holds
// and what it needs, who could have signalled it; and the same as a graph.
#include <stdlib.h>
#include <string.h>
#include "prt_copy.h"
#include "prt_name.h"
#include "prt_sem.h"
#include "check/prt_finding.h"
#include "print/prt_text.h"
#include "prt_task.h"
#include "race/prt_race.h"
#include "transport/prt_ranks.h"

// Tasks reported one by one; collective ids above are of lax.psum and the like.
enum { MAX_REPORTED = 64, MAX_MISSING = 4, OWN_BARRIERS = 1 << 30 };

// A message of the report: the first one's is the finding's own, the others' are its notes.
typedef struct Line {
  const prt_site *site; // NULL: unknown
  size_t begin;         // in the text, up to a NUL
} Line;

typedef struct Report {
  prt_schedule *schedule;
  prt_text text;
  Line *lines;
  int32_t count, capacity;
  int32_t reported, waiting;
  int32_t last,
      last_end; // lines of who signals what the last one waits for of whom they are reported
  const prt_node *first;    // that waits
  bool is_reported_already; // all wait for what a step of parallel dimensions has left
} Report;

// The text goes on with a message of its own. Without memory it is marked as failed.
static void begin_line(Report *r, const prt_site *site) {
  if (r->count == r->capacity) {
    int32_t capacity = r->capacity ? 2 * r->capacity : 16;
    Line *lines = realloc(r->lines, (size_t)capacity * sizeof *lines);
    if (!lines) {
      r->text.failed = true;
      return;
    }
    r->lines = lines;
    r->capacity = capacity;
  }
  prt__text_add(&r->text, "", 1);
  r->lines[r->count++] = (Line){site, r->text.length};
}

// Takes the last line back.
static void drop_line(Report *r) {
  if (r->text.failed) return;
  r->count--;
  r->text.length =
      r->lines[r->count].begin - 1; // without the newline: who waits is reported before
  r->text.data[r->text.length] = 0;
}

// ---- names --------------------------------------------------------------------------------------
static void add_place(prt_text *text, const prt_site *site) {
  if (site && site->line)
    prt__text_printf(text, "%s:%d:%d", site->file ? site->file : "?", site->line, site->column);
  else
    prt__text_c(text, "an unknown place");
}

static void add_who(prt_text *text, const prt_node *node) {
  prt__add_who(text, prt__program_of(node), node->task.core, node->task.device);
}

static void add_semaphore(prt_text *text, const prt_schedule *s, const prt_node *node) {
  const prt_barrier *barrier = prt__barrier_of(s, node->sem);
  if (barrier) {
    if (barrier->id == MEETING)
      prt__text_c(text, "the other devices, before a kernel that reaches them");
    else if (barrier->id > OWN_BARRIERS)
      prt__text_c(text, "the other devices of a collective");
    else
      prt__text_printf(text, "the barrier semaphore of collective id %d", (int)barrier->id);
    return;
  }
  const prt_node *holder;
  const prt_buffer *buffer = prt__buffer_of(node, node->sem, &holder);
  if (!buffer) {
    prt__text_c(text, "a semaphore");
    return;
  }
  int64_t index =
      ((const char *)node->sem - holder->task.memory - buffer->offset) / (int64_t)sizeof(prt_sem);
  prt__add_sem_name(text, "semaphore ", buffer->name);
  prt__add_sem_index(text, buffer, index);
  if (buffer->site && buffer->site->line) {
    prt__text_c(text, " (made at ");
    add_place(text, buffer->site);
    prt__text_c(text, ")");
  }
}

// ---- who could have signalled -------------------------------------------------------------------
typedef struct Wanted { // what a task waits for
  const prt_node *node, *holder;
  const prt_buffer *buffer;
  const prt_barrier *barrier;
} Wanted;

static bool is_act_on(const prt_act *act, const prt_node *node, const Wanted *wanted) {
  if (wanted->barrier) return act->level == -1 && act->sem == wanted->barrier->id;
  const prt_node *owner = node;
  for (int32_t level = act->level; owner && level > 0; level--) owner = owner->group->parent;
  return wanted->holder && act->level >= 0 && owner &&
         prt__program_of(owner) == prt__program_of(wanted->holder) &&
         act->sem == wanted->buffer->offset;
}

// Whether the task's act may be meant for the semaphore that is wanted: what is not given of a
// target is the task's own.
static bool may_reach(const prt_act *act, const prt_node *node, const Wanted *wanted) {
  int32_t device = wanted->barrier ? wanted->barrier->device : wanted->holder->task.device;
  int32_t core = wanted->barrier ? wanted->barrier->core : wanted->holder->task.core;
  if (act->kind == PRT_ACT_SENT) return node == wanted->node;
  if (!(act->target & PRT_ACT_ABROAD) && node->task.device != device) return false;
  return (act->target & PRT_ACT_CORE) || act->level > 0 || node->task.core == core;
}

static bool is_signal(const prt_act *act) {
  return act->kind == PRT_ACT_SIGNAL || act->kind == PRT_ACT_COPY || act->kind == PRT_ACT_SENT;
}

// Acts of one place, as an unrolled loop has, count as one: done when all of them are.
static bool is_same_place(const prt_act *a, const prt_act *b) {
  return a->kind == b->kind && a->level == b->level && a->sem == b->sem &&
         a->site->line == b->site->line && a->site->column == b->site->column;
}

static bool is_done(const prt_program *program, const prt_act *act, const prt_node *node) {
  for (int32_t i = 0; i < program->act_count; i++)
    if (is_same_place(&program->acts[i], act) && !(node->task.done >> program->acts[i].number & 1))
      return false;
  return true;
}

static void visit(const prt_schedule *s, const prt_group *group,
                  void (*tell)(void *, const prt_node *), void *data) {
  for (int32_t i = 0; i < group->count; i++) {
    tell(data, &group->nodes[i]);
    const prt_group *children = prt__own_children(&group->nodes[i]);
    if (children) visit(s, children, tell, data);
  }
}

static void visit_all(const prt_schedule *s, void (*tell)(void *, const prt_node *), void *data) {
  visit(s, s->root, tell, data);
  for (const prt_joint *joint = s->joints; joint; joint = joint->next)
    for (int32_t i = 0; i < joint->devices; i++) visit(s, &joint->groups[i], tell, data);
}

// Those who may carry an act out for what is wanted, and have done so, or have not.
typedef struct Candidates {
  Report *report;
  const prt_act *act;
  const prt_program *program;
  const Wanted *wanted;
  bool done;
  int32_t count, reported;
} Candidates;

static void add_state(prt_text *text, const prt_node *node) {
  if (!node->group->has_come)
    prt__text_c(text, ", which has not come to the kernel");
  else if (node->wait == WAIT_ENDED)
    prt__text_c(text, ", which has ended");
  else if (prt__waits_for_sem(node)) {
    prt__text_c(text, ", which waits at ");
    add_place(text, node->site);
  } else if (node->wait == WAIT_LAUNCH) {
    prt__text_c(text, ", which waits for its cores");
  }
}

static void report_candidate(void *data, const prt_node *node) {
  enum { MOST = 3 };
  Candidates *c = data;
  if (prt__program_of(node) != c->program || is_done(c->program, c->act, node) != c->done ||
      !is_act_on(c->act, node, c->wanted) || !may_reach(c->act, node, c->wanted))
    return;
  if (c->count++ >= MOST) return;
  if (c->reported++) prt__text_c(&c->report->text, ", ");
  add_who(&c->report->text, node);
  if (!c->done) add_state(&c->report->text, node);
}

static void report_candidates(Candidates *c, bool done, const char *verb) {
  prt_text *text = &c->report->text;
  size_t before = text->length;
  c->done = done;
  c->count = c->reported = 0;
  prt__text_c(text, verb);
  visit_all(c->report->schedule, report_candidate, c);
  if (!c->count) {
    text->length = before;
    if (text->data) text->data[before] = 0;
  } else if (c->count > c->reported) {
    prt__text_printf(text, " and %d more", (int)(c->count - c->reported));
  }
}

// False: nobody may carry it out.
static bool report_act(Report *r, const prt_program *program, const prt_act *act,
                       const Wanted *wanted) {
  Candidates c = {.report = r, .act = act, .program = program, .wanted = wanted};
  prt_text *text = &r->text;
  bool is_copy = act->kind != PRT_ACT_SIGNAL;
  begin_line(r, act->site);
  prt__text_printf(text, "it is signalled by the %s here", is_copy ? "copy" : "signal");
  size_t head = text->length;
  report_candidates(&c, false, is_copy ? "; not started by " : "; not made by ");
  report_candidates(&c, true, is_copy ? "; started by " : "; made by ");
  if (text->length > head) return true;
  drop_line(r);
  return false;
}

typedef struct Programs { // the distinct ones
  const prt_program *items[32];
  int32_t count;
} Programs;

static void note_program(void *data, const prt_node *node) {
  Programs *programs = data;
  const prt_program *program = prt__program_of(node);
  for (int32_t i = 0; i < programs->count; i++)
    if (programs->items[i] == program) return;
  if (programs->count < 32) programs->items[programs->count++] = program;
}

static bool is_first(const prt_program *program, int32_t act) {
  for (int32_t i = 0; i < act; i++)
    if (is_same_place(&program->acts[i], &program->acts[act])) return false;
  return true;
}

static void add_missing(Report *r, const prt_node *node) {
  int32_t reported = 0;
  for (int32_t i = 0; i < node->group->count; i++) {
    const prt_node *other = &node->group->nodes[i];
    const prt_barrier *barrier =
        prt__waits_for_sem(other) ? prt__barrier_of(r->schedule, other->sem) : NULL;
    if ((barrier && barrier->id == MEETING) || reported > MAX_MISSING) continue;
    if (!reported) begin_line(r, node->site);
    prt__text_c(&r->text, reported ? ", " : "missing: ");
    if (reported++ == MAX_MISSING) {
      prt__text_c(&r->text, "and others");
      continue;
    }
    add_who(&r->text, other);
    add_state(&r->text, other);
  }
}

static void add_signals(Report *r, const prt_node *node) {
  Wanted wanted = {.node = node, .barrier = prt__barrier_of(r->schedule, node->sem)};
  if (!wanted.barrier) wanted.buffer = prt__buffer_of(node, node->sem, &wanted.holder);
  if (wanted.barrier && wanted.barrier->id == MEETING) add_missing(r, node);
  if (wanted.barrier ? wanted.barrier->id == MEETING : !wanted.holder) return;
  const prt_program *own = prt__program_of(node);
  for (int32_t i = 0; i < own->act_count; i++) {
    const prt_act *act = &own->acts[i];
    bool is_one = wanted.holder && wanted.buffer->bytes == (int64_t)sizeof(prt_sem);
    if (is_signal(act) || !is_one || !is_done(own, act, node) || !is_act_on(act, node, &wanted))
      continue;
    begin_line(r, act->site);
    prt__text_c(&r->text, "it was waited for before, here");
  }
  Programs programs = {0};
  visit_all(r->schedule, note_program, &programs);
  bool is_signalled = false;
  for (int32_t p = 0; p < programs.count; p++)
    for (int32_t i = 0; i < programs.items[p]->act_count; i++)
      if (is_signal(&programs.items[p]->acts[i]) && is_first(programs.items[p], i))
        is_signalled |= report_act(r, programs.items[p], &programs.items[p]->acts[i], &wanted);
  if (is_signalled) return;
  bool is_copy = false;
  for (int32_t i = 0; i < own->act_count; i++)
    is_copy |= own->acts[i].kind == PRT_ACT_COPY_WAIT && is_act_on(&own->acts[i], node, &wanted);
  begin_line(r, node->site);
  prt__text_c(&r->text, is_copy ? "no copy that signals it is started anywhere in the program; "
                                  "copy.start() starts one"
                                : "nothing in the program signals it");
}

// ---- the report ---------------------------------------------------------------------------------
static void add_counts(Report *r, const prt_node *node) {
  const prt_barrier *barrier = prt__barrier_of(r->schedule, node->sem);
  if (barrier && barrier->id == MEETING) {
    prt__text_printf(&r->text, ": %d of %d have come", (int)node->group->met,
                     (int)node->group->count);
    return;
  }
  if (node->wait == WAIT_POLL) {
    prt__text_printf(&r->text, ": it stays at %lld",
                     (long long)atomic_load_explicit(&node->sem->count, memory_order_relaxed));
    return;
  }
  prt__text_printf(&r->text, ": it is at %lld, and %lld is needed",
                   (long long)atomic_load_explicit(&node->sem->count, memory_order_relaxed),
                   (long long)node->value);
}

// The kernel it is in; NULL: a device's own program is in none, or it is not known in which.
static const char *kernel_of(const prt_node *node) {
  if (node->step) return node->step->launch;
  const prt_program *program = prt__program_of(node);
  return program->kind == PRT_DEVICE_PROGRAM ? NULL : program->name;
}

// The first one's line is the head of the report: how many wait is not known yet.
static void report_task(Report *r, const prt_node *node) {
  prt_text *text = &r->text;
  const char *kernel = kernel_of(node);
  begin_line(r, node->site);
  add_who(text, node);
  if (kernel) prt__text_printf(text, ", in '%s',", kernel);
  bool is_first = node == r->first;
  prt__text_c(text, node->wait == WAIT_POLL ? " polls "
                    : is_first              ? " waits for "
                                            : " waits here for ");
  add_semaphore(text, r->schedule, node);
  add_counts(r, node);
}

// Whether the lines from `begin` on are those that were reported of another wait.
static bool is_reported_before(const Report *r, int32_t begin) {
  if (r->text.failed || r->count - begin != r->last_end - r->last) return false;
  for (int32_t i = begin; i < r->count; i++) {
    const Line *x = &r->lines[r->last + i - begin], *y = &r->lines[i];
    bool same_place = x->site == y->site || (x->site && y->site && prt__is_place(x->site, y->site));
    if (!same_place || strcmp(r->text.data + x->begin, r->text.data + y->begin) != 0) return false;
  }
  return true;
}

static void report_some(void *data, const prt_node *node) {
  Report *r = data;
  if (!prt__waits_for_sem(node)) return;
  const prt_node *holder;
  const prt_buffer *buffer = prt__buffer_of(node, node->sem, &holder);
  prt_race *race = r->schedule->race;
  if (race && buffer) prt__race_stuck(race, buffer);
  r->is_reported_already &= race && buffer && prt__race_left(race, buffer);
  if (!r->waiting++) r->first = node;
  if (r->reported >= MAX_REPORTED) return;
  r->reported++;
  report_task(r, node);
  int32_t begin = r->count;
  add_signals(r, node);
  if (is_reported_before(r, begin)) {
    while (r->count > begin) drop_line(r);
  } else {
    r->last = begin;
    r->last_end = r->count;
  }
}

// Copies that were started and have not begun to move.
static void report_held(Report *r) {
  for (const prt_joint *joint = r->schedule->joints; joint; joint = joint->next)
    for (int32_t i = 0; i < joint->devices; i++)
      for (const prt_flight *flight = joint->groups[i].held; flight; flight = flight->next) {
        begin_line(r, flight->transfer.copy->site);
        prt__text_c(&r->text, "the copy that ");
        add_who(&r->text, flight->transfer.from_task);
        prt__text_c(&r->text, " started here waits for ");
        add_who(&r->text, flight->transfer.to_task);
        prt__text_c(&r->text, " to come to the kernel");
      }
}

// ---- the graph ----------------------------------------------------------------------------------
static void draw_node(void *data, const prt_node *node) {
  Report *r = data;
  if (!prt__waits_for_sem(node)) return;
  prt__text_printf(&r->text, "  t%d [label=\"", r->reported);
  add_who(&r->text, node);
  prt__text_c(&r->text, "\\n");
  add_place(&r->text, node->site);
  prt__text_printf(&r->text, "\"];\n  s%d [shape=box, label=\"", r->reported);
  add_semaphore(&r->text, r->schedule, node);
  prt__text_printf(&r->text, "\\nat %lld of %lld\"];\n  t%d -> s%d;\n",
                   (long long)atomic_load_explicit(&node->sem->count, memory_order_relaxed),
                   (long long)node->value, r->reported, r->reported);
  r->reported++;
}

static void draw(prt_schedule *s, const char *path) {
  Report r = {.schedule = s};
  prt__text_c(&r.text, "digraph waits {\n");
  visit_all(s, draw_node, &r);
  prt__text_c(&r.text, "}\n");
  FILE *file = fopen(path, "w");
  bool good =
      file && !r.text.failed && fwrite(r.text.data, 1, r.text.length, file) == r.text.length;
  if (file && fclose(file)) good = false;
  if (!good)
    fprintf(stderr, "pallasrt: the graph of the deadlock could not be written to '%s'\n", path);
  prt__text_free(&r.text);
}

static void give_report(Report *r) {
  static const prt_site unknown = {0};
  prt_text head = {0};
  prt_finding_note *notes = calloc((size_t)r->count + 1, sizeof *notes);
  bool good = notes && !r->text.failed && r->count;
  for (int32_t i = 0; good && i < r->count; i++)
    notes[i] = (prt_finding_note){r->lines[i].site ? r->lines[i].site : &unknown,
                                  r->text.data + r->lines[i].begin};
  if (good) {
    prt__text_c(&head, "deadlock: ");
    if (r->waiting > 1)
      prt__text_printf(&head, "%d programs wait for what cannot come; ", (int)r->waiting);
    prt__text_c(&head, notes[0].message);
  }
  if (good && !head.failed) {
    prt_finding finding = {.site = notes[0].site,
                           .message = head.data,
                           .note_count = r->count - 1,
                           .notes = notes + 1,
                           .kind = PRT_FINDING_DEADLOCK};
    const prt_step *step = r->first ? r->first->step : NULL;
    if (r->first) finding.launch = kernel_of(r->first);
    if (step) {
      finding.grid_rank = step->rank;
      finding.grid = step->indices;
      finding.grid_names = step->names;
    }
    prt__give_report(r->schedule->call->machine, &finding);
  }
  prt__text_free(&head);
  free(notes);
}

void prt__deadlock(prt_schedule *s, prt_worker *worker) {
  const prt_machine_options *options = &s->call->machine->options;
  Report r = {.schedule = s, .is_reported_already = true};
  prt__show_looks(s);
  visit_all(s, report_some, &r);
  if (r.waiting && r.is_reported_already) {
    s->call->is_cut = true;
    prt__text_free(&r.text);
    free(r.lines);
    return;
  }
  report_held(&r);
  if (!r.count) {
    begin_line(&r, NULL);
    prt__text_c(&r.text, "no core can go on, and no copy is in flight");
  }
  if (s->ranks) r.waiting += s->ranks->unseen;
  if (r.waiting > r.reported && r.count) {
    begin_line(&r, r.lines[0].site);
    prt__text_printf(&r.text, "%d more wait", (int)(r.waiting - r.reported));
  }
  give_report(&r);
  if (options->deadlock_dot && prt__is_first_rank(s->call->machine)) draw(s, options->deadlock_dot);
  s->stopped = true;
  prt__fail(worker, PRT_ERROR_DEADLOCK, "deadlock: %d of its programs %s for what cannot come",
            (int)r.waiting, r.waiting == 1 ? "waits" : "wait");
  prt__text_free(&r.text);
  free(r.lines);
}
