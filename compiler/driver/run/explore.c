// SPDX-License-Identifier: Apache-2.0
// One call in several schedules, under check. In: an entry point, its arguments. Out: what was
// found in any of them, once; results and prints of one.
//
// A call whose tasks never have a choice is made once. Else copies come as late as they can, then
// as early, then, if there are atomics, with these in the other order, then in the schedules of
// --seeds, and at last as --seed draws it, which is the run that leaves its results: so a schedule
// that fails is reported before, and nothing needs to be saved but arguments that are read and
// written.
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include "base/buf.h"
#include "driver/output/interrupt.h"
#include "driver/progress/progress.h"
#include "explore.h"
#include "prt_codegen.h"

typedef struct Trial {
  prt_status status;
  Name first; // what it found that was not known before, or NULL
} Trial;

// What makes a schedule: the words of prt_machine_schedule.
typedef struct Schedule {
  const char *copies; // "late", …; "" if drawn
  uint64_t seed;
  const char *fault; // "lose", "double", or NULL
  uint64_t signal;   // that it is for
  bool all;          // choices are drawn, else those of `draws`
  int64_t *draws;    // increasing
  size_t draw_count;
  int64_t steps; // 0: all
} Schedule;

// A call that is under way.
typedef struct Call {
  Explorer *e;
  const prt_entry *entry;
  void *const *arguments;
  Arena *arena; // of the call
  void **saved; // of each argument that is read and written, what it was
  bool found;   // something, in some run that was reported
} Call;

void explorer_init(Explorer *e, Session *session, const Options *options) {
  *e = (Explorer){.session = session, .options = options};
  findings_init(&e->findings, session);
  buf_init(&e->printed, session->arena);
}

// What stands on the terminal for the time of a call goes first.
static void print(Explorer *e, Str text) {
  session_progress(e->session, PROGRESS_RUNNING, 0, 0, STR(""));
  fwrite(text.data, 1, text.len, e->session->out);
}

void explorer_print(Explorer *e, const char *text, size_t length) {
  if (e->is_silent) return;
  if (e->keeps)
    buf_str(&e->printed, (Str){text, length});
  else
    print(e, (Str){text, length});
}

static void print_kept(Explorer *e) {
  Str printed = buf_view(&e->printed);
  if (printed.len) print(e, printed);
}

// ---- arguments that are read and written --------------------------------------------------------
static void save(Call *c) {
  c->saved = ARENA_ARRAY(c->arena, void *, c->entry->param_count + 1);
  for (uint32_t i = 0; i < c->entry->param_count; i++)
    if (c->entry->params[i].role == PRT_IN_OUT)
      c->saved[i] = arena_dup(c->arena, c->arguments[i], prt_param_bytes(&c->entry->params[i]));
}

static void restore(const Call *c) {
  for (uint32_t i = 0; i < c->entry->param_count; i++)
    if (c->saved[i]) memcpy(c->arguments[i], c->saved[i], prt_param_bytes(&c->entry->params[i]));
}

// ---- one run ------------------------------------------------------------------------------------
static bool has_fault(const char *words) {
  return strstr(words, "lose=") || strstr(words, "double=");
}

static bool is_fatal(prt_status status) { return status != PRT_OK && status != PRT_ERROR_CHECK; }

// `words`: NULL for the seed of the machine.
static Trial run(Call *c, const char *words, FindingsMode mode) {
  Explorer *e = c->e;
  if (prt_machine_schedule(e->machine, words)) BUG("schedule '%s'", words);
  e->findings.mode = mode;
  e->findings.first = NULL;
  e->runs++;
  prt__one_of_schedules(e->machine, mode != FINDINGS_TRIED && !(words && has_fault(words)));
  Trial trial = {.status = c->entry->call(e->machine, c->arguments)};
  trial.first = e->findings.first;
  c->found |= trial.status == PRT_ERROR_CHECK && mode != FINDINGS_TRIED;
  prt_machine_schedule(e->machine, NULL);
  return trial;
}

static Trial run_again(Call *c, const char *words, FindingsMode mode) {
  restore(c);
  return run(c, words, mode);
}

// Which signal the schedule loses, or sends twice, is known when it has been run.
static void find_fault(Call *c, const char *words) {
  run_again(c, words, FINDINGS_TRIED);
  prt_explored explored = prt__explored(c->e->machine);
  c->e->findings.fault = explored.fault;
  c->e->findings.fault_how = explored.is_lost ? "lost" : "sent twice";
}

// ---- schedules as words -------------------------------------------------------------------------
static void put_draws(Buf *buf, const Schedule *s) {
  buf_c(buf, s->draw_count ? ",draws=" : ",draws=none");
  for (size_t i = 0; i < s->draw_count; i++) {
    size_t last = i;
    while (last + 1 < s->draw_count && s->draws[last + 1] == s->draws[last] + 1) last++;
    buf_printf(buf, "%s%lld", i ? "+" : "", (long long)s->draws[i]);
    if (last > i) buf_printf(buf, "-%lld", (long long)s->draws[last]);
    i = last;
  }
}

static const char *schedule_words(Session *session, const Schedule *s) {
  Buf buf;
  buf_init(&buf, session->arena);
  bool has_seed = s->all || s->draw_count || strcmp(s->copies, "links") == 0;
  buf_c(&buf, s->copies[0] || has_seed ? s->copies : "late"); // copies without draws are late ones
  if (has_seed) buf_printf(&buf, "%sseed=%llu", buf.len ? "," : "", (unsigned long long)s->seed);
  if (has_seed && !s->all) put_draws(&buf, s);
  if (s->steps) buf_printf(&buf, ",steps=%lld", (long long)s->steps);
  if (s->fault) buf_printf(&buf, ",%s=%llu", s->fault, (unsigned long long)s->signal);
  return buf_view(&buf).data;
}

static uint64_t mix(uint64_t x) {
  x ^= x >> 33;
  x *= UINT64_C(0xff51afd7ed558ccd);
  x ^= x >> 33;
  return x;
}

// Number `n` of --seeds, from 1. `signals`: how many a run sends.
static Schedule numbered(const Options *o, uint64_t n, int64_t signals) {
  static const char *const copies[] = {"", "links", "late", "early"};
  Schedule s = {.copies = copies[(n - 1) % COUNT_OF(copies)], .seed = o->seed + n, .all = true};
  if (!o->faults || signals <= 0) return s;
  uint64_t drawn = mix(s.seed);
  s.fault = drawn & 1 ? "lose" : "double";
  s.signal = (drawn >> 1) % (uint64_t)signals + 1;
  return s;
}

bool explorer_schedule(Session *session, Str words, Str *schedule, uint64_t *call) {
  *call = 0;
  Str call_word = STR("call=");
  if (str_starts_with(words, call_word)) {
    size_t at = call_word.len;
    for (; at < words.len && words.data[at] >= '0' && words.data[at] <= '9' && at < 24; at++)
      *call = *call * 10 + (uint64_t)(words.data[at] - '0');
    if (*call == 0 || at == words.len || words.data[at] != ',') return false;
    words = (Str){words.data + at + 1, words.len - at - 1};
  }
  *schedule = str_copy(session->arena, words);
  return prt__is_schedule(schedule->data);
}

// ---- many schedules -----------------------------------------------------------------------------
// What the processes of --jobs share.
typedef struct Shared {
  _Atomic uint64_t lowest; // of those that fail; UINT64_MAX: none so far
  _Atomic uint64_t done;   // how many have been tried
  _Atomic uint64_t next[]; // of each process
} Shared;

static bool fails(Call *c, const Schedule *s) {
  const char *words = schedule_words(c->e->session, s);
  Trial trial = run_again(c, words, FINDINGS_TRIED);
  return trial.first || is_fatal(trial.status);
}

// The schedules of process `job` of `jobs`, as long as none before them is known to fail.
static void try_some(Call *c, Shared *shared, uint64_t job, uint64_t jobs, int64_t signals) {
  const Options *o = c->e->options;
  for (uint64_t n; (n = atomic_load(&shared->next[job])) <= o->seeds;) {
    uint64_t lowest = atomic_load(&shared->lowest);
    if (n > lowest) return;
    Schedule s = numbered(o, n, signals);
    if (fails(c, &s))
      while (n < lowest && !atomic_compare_exchange_weak(&shared->lowest, &lowest, n)) {
      }
    atomic_store(&shared->next[job], n + jobs);
    uint64_t done = atomic_fetch_add(&shared->done, 1) + 1;
    if (job == 0 && done < o->seeds)
      session_progress(c->e->session, PROGRESS_CALL, done, o->seeds, str_from_c(c->entry->name));
  }
}

// Other processes take their share, this one its own, and what was left by one that died. So the
// answer does not depend on their number: the first schedule that fails, or 0.
static uint64_t first_failing(Call *c, int64_t signals) {
  const Options *o = c->e->options;
  uint64_t jobs = o->jobs && (uint64_t)o->jobs < o->seeds ? (uint64_t)o->jobs : 1;
  size_t bytes = sizeof(Shared) + jobs * sizeof(uint64_t);
  Shared *shared = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) return 0;
  pid_t *children = ARENA_ARRAY(c->e->session->arena, pid_t, jobs);
  atomic_store(&shared->lowest, UINT64_MAX);
  for (uint64_t i = 0; i < jobs; i++) atomic_store(&shared->next[i], i + 1);
  fflush(c->e->session->out);
  fflush(c->e->session->diag_out);
  pid_t parent = getpid();
  uint64_t before = c->e->runs;
  for (uint64_t i = 1; i < jobs; i++) {
    children[i] = fork();
    if (children[i] != 0) continue;
    interrupt_child(parent);
    try_some(c, shared, i, jobs, signals);
    _exit(0);
  }
  try_some(c, shared, 0, jobs, signals);
  for (uint64_t i = 1; i < jobs; i++) {
    if (children[i] > 0) waitpid(children[i], NULL, 0);
    try_some(c, shared, i, jobs, signals);
  }
  uint64_t lowest = atomic_load(&shared->lowest), done = atomic_load(&shared->done);
  c->e->runs = before + done; // those of the other processes as well
  munmap(shared, bytes);
  return lowest == UINT64_MAX ? 0 : lowest;
}

// ---- the smallest run that fails ----------------------------------------------------------------
typedef struct Shrink {
  Call *call;
  Trial wanted;
  int left; // how many runs it may still take
} Shrink;

// Whether a schedule finds the same.
static bool reproduces(Shrink *shrink, const Schedule *s) {
  if (shrink->left-- <= 0) return false;
  const char *words = schedule_words(shrink->call->e->session, s);
  Trial trial = run_again(shrink->call, words, FINDINGS_TRIED);
  return is_fatal(shrink->wanted.status) ? trial.status == shrink->wanted.status
                                         : trial.first == shrink->wanted.first;
}

// The least number from `low` to `high` with which the schedule still does; `high` does.
static int64_t least(Shrink *shrink, const Schedule *s, int64_t low, int64_t high,
                     void (*set)(Schedule *s, int64_t number)) {
  while (low < high) {
    Schedule part = *s;
    int64_t middle = low + (high - low) / 2;
    set(&part, middle);
    if (reproduces(shrink, &part))
      high = middle;
    else
      low = middle + 1;
  }
  return high;
}

static void set_draws(Schedule *s, int64_t count) { s->draw_count = (size_t)count; }
static void set_steps(Schedule *s, int64_t steps) { s->steps = steps; }

// The fewest of the first draws that do.
static void cut_draws(Shrink *shrink, Schedule *s) {
  set_draws(s, least(shrink, s, 0, (int64_t)s->draw_count, set_draws));
}

// Takes out pieces of the draws, ever smaller ones.
static void thin_draws(Shrink *shrink, Schedule *s) {
  Arena *arena = shrink->call->e->session->arena;
  for (size_t piece = s->draw_count / 2; piece > 0; piece /= 2) {
    for (size_t at = 0; at < s->draw_count && shrink->left > 0;) {
      size_t end = at + piece < s->draw_count ? at + piece : s->draw_count;
      Schedule part = *s;
      part.draws = ARENA_ARRAY(arena, int64_t, s->draw_count + 1);
      part.draw_count = s->draw_count - (end - at);
      memcpy(part.draws, s->draws, at * sizeof *s->draws);
      memcpy(part.draws + at, s->draws + end, (s->draw_count - end) * sizeof *s->draws);
      if (reproduces(shrink, &part))
        *s = part;
      else
        at = end;
    }
  }
}

// Only so many steps of each core's grid.
static void cut_steps(Shrink *shrink, Schedule *s, int64_t steps) {
  int64_t fewest = least(shrink, s, 1, steps, set_steps);
  if (fewest < steps) set_steps(s, fewest);
}

static void shrink_schedule(Call *c, Schedule *s) {
  enum { MOST_RUNS = 200 };
  Explorer *e = c->e;
  session_progress(
      e->session, PROGRESS_CALL, 0, 0,
      str_format(e->session->arena, "%s: the smallest run that fails", c->entry->name));
  Shrink shrink = {.call = c, .left = MOST_RUNS};
  shrink.wanted = run_again(c, schedule_words(e->session, s), FINDINGS_TRIED);
  prt_explored explored = prt__explored(e->machine);
  Schedule some = *s;
  some.all = false;
  some.draw_count = (size_t)explored.drawn_count;
  some.draws = ARENA_ARRAY(e->session->arena, int64_t, some.draw_count + 1);
  if (some.draw_count) memcpy(some.draws, explored.drawn, some.draw_count * sizeof *some.draws);
  if (reproduces(&shrink, &some)) {
    *s = some;
    cut_draws(&shrink, s);
    thin_draws(&shrink, s);
  }
  cut_steps(&shrink, s, explored.steps);
}

// The first schedule of --seeds that fails is made small, and reported. Its status if it ends the
// program, else PRT_OK.
static prt_status try_seeds(Call *c) {
  Explorer *e = c->e;
  int64_t signals = prt__explored(e->machine).signals;
  uint64_t failing = first_failing(c, signals);
  if (!failing) return PRT_OK;
  e->has_failed = true;
  Schedule s = numbered(e->options, failing, signals);
  shrink_schedule(c, &s);
  const char *words = schedule_words(e->session, &s);
  e->findings.repeat =
      str_format(e->session->arena, "call=%llu,%s", (unsigned long long)e->calls, words);
  find_fault(c, words);
  Trial trial = run_again(c, words, FINDINGS_AGAIN);
  if (is_fatal(trial.status)) return trial.status; // who reports it, names the schedule
  e->findings.repeat = STR("");
  e->findings.fault = NULL;
  return PRT_OK;
}

// ---- a call -------------------------------------------------------------------------------------
// Copies late, and early; and tasks in the other order. False: the program ends here, or it has no
// choices.
static bool try_extremes(Call *c, Trial *trial) {
  Explorer *e = c->e;
  buf_init(&e->printed, e->session->arena);
  e->keeps = true;
  *trial = run(c, "late", FINDINGS_REPORTED);
  e->keeps = false;
  prt_explored explored = prt__explored(e->machine);
  bool has_ways = explored.choices || explored.copies || (e->options->faults && explored.signals);
  // Every other schedule does the same then. All ranks have to come to the same answer.
  bool is_settled = explored.is_settled && !c->found && !e->options->seeds && !explored.prints;
  if (is_fatal(trial->status) || !has_ways || is_settled) {
    print_kept(e);
    return false;
  }
  e->is_silent = true;
  // Without copies that is the same again.
  if (explored.copies) *trial = run_again(c, "early", FINDINGS_AGAIN);
  // What an atomic finds depends on who came before.
  if (!is_fatal(trial->status) && explored.atomics)
    *trial = run_again(c, "late,reversed", FINDINGS_AGAIN);
  // Who does not wait for ever may have looked before anybody else has come to do something.
  if (!is_fatal(trial->status) && explored.looks)
    *trial = run_again(c, "late,looking", FINDINGS_AGAIN);
  if (!is_fatal(trial->status) && explored.looks)
    *trial = run_again(c, "late,looking,reversed", FINDINGS_AGAIN);
  if (!is_fatal(trial->status) && e->options->seeds && !e->has_failed) trial->status = try_seeds(c);
  e->is_silent = false;
  return !is_fatal(trial->status);
}

static prt_status explore(Call *c) {
  Trial trial;
  save(c);
  if (try_extremes(c, &trial)) trial = run_again(c, NULL, FINDINGS_AGAIN);
  return trial.status == PRT_OK && c->found ? PRT_ERROR_CHECK : trial.status;
}

// In the schedule of --schedule, if it is for this call. A run that is cut short has no results:
// the program goes on with those of a whole one.
static prt_status run_given(Call *c) {
  Explorer *e = c->e;
  const Options *o = e->options;
  bool is_for_it = !o->schedule_call || o->schedule_call == e->calls;
  save(c);
  e->is_silent = true;
  if (is_for_it && has_fault(o->schedule.data)) find_fault(c, o->schedule.data);
  e->is_silent = false;
  Trial trial = run_again(c, is_for_it ? o->schedule.data : NULL, FINDINGS_REPORTED);
  if (is_fatal(trial.status)) return trial.status; // who reports it, names the signal
  e->findings.fault = NULL;
  if (!is_for_it || !strstr(o->schedule.data, "steps=")) return trial.status;
  e->is_silent = true;
  trial = run_again(c, NULL, FINDINGS_AGAIN);
  e->is_silent = false;
  return trial.status == PRT_OK && c->found ? PRT_ERROR_CHECK : trial.status;
}

prt_status explorer_call(Explorer *e, const prt_entry *entry, void *const *arguments) {
  Call call = {.e = e, .entry = entry, .arguments = arguments};
  const Options *o = e->options;
  e->calls++;
  if (!o->check && !o->schedule.len) return run(&call, NULL, FINDINGS_REPORTED).status;
  call.arena = arena_new_child(e->session->arena);
  prt_status status = o->schedule.len ? run_given(&call) : explore(&call);
  arena_free(call.arena);
  prt__schedules_over(e->machine);
  e->findings.mode = FINDINGS_REPORTED; // what is found between calls
  return status;
}
