// SPDX-License-Identifier: Apache-2.0
// Races, under check. What comes in: what tasks do to semaphores, what copies they start, which
// bytes they and their copies touch, in the order in which one run did it. What goes out: a finding
// for each pair of places that can touch the same bytes at the same time, at least one of them
// writing.
//
// The verdict is not about the run but about every run of the same operations: docs/check.md has
// the definition. Three parts:
//   prt_race_log.c    records, until only one agent runs and nothing is under way: a segment
//   prt_race_steps.c  and which steps of a grid may run beside each other
//   prt_race_order.c  what is before what in every order that semaphores allow (vector clocks)
//   prt_race_find.c   pairs that are not ordered; prt_race_replay.c looks whether there is a run in
//                     which both are under way at once; prt_race_report.c says so, prt_race_data.c
//                     in JSON
// All on the thread that runs code with checks.
#pragma once
#include "check/prt_watch.h"
#include "print/prt_text.h"
#include "prt_clock.h"
#include "prt_extent.h"
#include "prt_race_log.h"

enum { PRT_NO_COPY = -1 };

typedef enum prt_race_kind {
  RACE_START,  // of an agent; `with`: the event that launched it
  RACE_LAUNCH, // of other agents
  RACE_END,    // `with`: the launch the agent was part of; the event itself if that was before
  RACE_JOIN,   // all agents of the launch `with` have ended
  RACE_SIGNAL, // `units` more on semaphore `with`
  RACE_COPY,   // `with`: the copy's number
  RACE_WAIT,   // took `units` off semaphore `with`, or saw them there (`keeps`)
  RACE_MEET,   // came to the meeting number `with`
  RACE_MET,    // and all had come
  RACE_ATOMIC, // an atomic operation on the place `with`, behind `units` others there at least
  RACE_POLL    // saw that the sum number `with` is at least `units`, or at one of its points
} prt_race_kind;

// What an agent does that orders it. Event number `at` of the agent is before all that the agent
// does at times (prt_race_access.at) above `at`.
typedef struct prt_race_event {
  prt_clock *clock; // of others: all that is before the event
  int64_t units;
  const prt_site *site;
  int32_t agent, at;
  int32_t with;
  uint8_t kind; // prt_race_kind
  bool keeps;   // a wait that takes nothing off
  bool is_seen; // an atomic operation whose result is looked at
} prt_race_event;

// The wait after which an end of a copy is over, in every run; agent -1: there is none.
typedef struct prt_race_point {
  int32_t agent, at;
} prt_race_point;

typedef struct prt_race_copy {
  int32_t event;                       // that started it
  int32_t to;                          // the agent whose memory it writes
  int32_t received, sent;              // semaphores; sent -1: it is local
  int64_t received_units, sent_units;  // what it signals them by
  prt_race_point received_by, sent_by; // found by prt__race_order
  const char *window;                  // of a block that the pipeline copies, or NULL
  int32_t buffers, ahead;              // of the window; of which step its block is
  int32_t turn;                        // the iteration that started it, plus 1; 0: none
  const char *index;                   // of a row of a gather or scatter: where it has it from
  bool is_of_step;                     // a step of parallel dimensions started it
  bool is_passed;                      // a later call may wait for it
} prt_race_copy;

typedef struct prt_race_access {
  const prt_site *site;
  prt_extent *extent;
  prt_watched memory; // what NULL: not known
  int32_t agent, at;  // how many events of the agent are before it
  int32_t order;      // how many events of all agents were before it in this run
  int32_t copy;       // whose end it is; PRT_NO_COPY: the agent's own
  int32_t step;       // number of the grid step, -1: none
  int32_t turn;       // number of the iteration of independent ones, plus 1; 0: none
  uint8_t how;        // PRT_READ, PRT_WRITE, PRT_CHANGE, …; 0: the memory is given back
  uint8_t move;       // PRT_MOVE_…: what the pipeline does by it between steps, or PRT_MOVE_NONE
  bool is_block;      // of a step of parallel dimensions: prt_parallel.c knows of two of these
  bool is_sum;        // part of an addition to memory that is one operation of the agent
  bool is_shared;     // by the cores that have the steps of a launch between them
} prt_race_access;

typedef struct prt_race_agent {
  const prt_program *program;
  int32_t core, device;
  int32_t at;      // events of this segment
  int32_t met;     // of which so many were done when it last went on from a meeting
  bool has_waited; // before this segment
} prt_race_agent;

typedef struct prt_race_sem {
  const prt_sem *address;   // NULL: its memory was given back
  const prt_buffer *buffer; // NULL: not known, or a barrier semaphore
  int32_t index;            // in the buffer
  int32_t taker;            // the agent that waits for it, plus 1
  int32_t giver;            // the agent that signals it, plus 1; -1: several do
  int64_t pending;          // units that were or will be signalled, and not taken
  prt_race_signal last;
  bool is_barrier;
  bool is_of_windows; // a pipeline's own copies signal it
} prt_race_sem;

// What a program has asked about several counts, its terms: a sum of them, each times a positive
// weight; or, if `side` is not 0, which points it goes on for. The counts of a point, below `side`
// each, are the digits of its number to that base, the first one's last. Of what lies beyond,
// nothing is known. `first_point` up to `end_point` are the points none of which has another one
// below.
typedef struct prt_race_term {
  int64_t weight;
  int32_t sem;
} prt_race_term;

typedef struct prt_race_sum {
  int32_t first, end;
  int32_t side, first_point, end_point;
} prt_race_sum;

// A place that atomic operations change: how many did, and how many up to the last one whose result
// is looked at.
typedef struct prt_race_atomic {
  const void *place;
  int32_t changes, seen;
} prt_race_atomic;

typedef struct prt_race_step {
  const char *launch;
  int32_t rank;
  const char *const *names;
  int64_t indices[8];
  int32_t within;           // the number of the step of parallel dimensions that it belongs to; -1
  int32_t parallel, number; // of such a step: its launch, and who may run beside whom
} prt_race_step;

// An iteration of a loop whose iterations are independent.
typedef struct prt_race_turn {
  int32_t loop; // the how many-th such loop
  int32_t number;
  int32_t outer; // the iteration that the loop is in, by its number in the log, plus 1; 0: none
} prt_race_turn;

// Where in the call something was: events of its segment before it.
typedef struct prt_race_moment {
  uint32_t segment;
  int32_t order;
} prt_race_moment;

// Two places of the source that race, or whose accesses were found to exclude each other so far.
typedef struct prt_race_pair {
  const prt_site *first, *second;
  int64_t count; // of conflicts, if they race
  int32_t tries; // of conflicts that were not ordered, but excluded each other
  bool is_race;
  bool is_apart; // what is reported is of two steps that may run beside each other, by number:
  int64_t steps;
  bool is_edge; // one of them is the start of a launch, of a scope or of a block, or a scope's end
  bool is_end;  // one of them is the end of a launch, and of its memory
  bool is_read; // the one that is no copy, of the first race, reads
  // Of the first race: where those of the two that are copies were started, and what says that they
  // are over; what was touched.
  const prt_site *copies[2];
  prt_race_sem sems[2];       // buffer NULL: none, or not known
  prt_race_sem awaited;       // a wait for it would order them; likewise
  const prt_buffer *waited;   // of the last wait before the later one; likewise
  prt_race_moment when;       // the later one
  const char *memory, *what;  // and its name
  struct prt_race_text *text; // the report of the first of them
} prt_race_pair;

// Memory that holds what is in other memory, when the call begins or is over.
typedef struct prt_race_moved {
  const char *from, *to;
  int64_t bytes;
} prt_race_moved;

#define PRT_RACE_LIST(type)                                                                        \
  struct {                                                                                         \
    type *items;                                                                                   \
    int32_t count, room;                                                                           \
  }

// A step of parallel dimensions has left a semaphore signalled, first at `since`, as the message
// says, at the site of the last signal.
typedef struct prt_race_left {
  const prt_buffer *buffer;
  int32_t index;
  const prt_site *site;
  char *message;
  prt_race_moment since;
} prt_race_left;

// A semaphore that is not zero when its program ends, as the message says.
typedef struct prt_race_unwaited {
  const prt_program *program;
  const prt_buffer *buffer; // NULL: a barrier semaphore, of no program
  int32_t index;            // in the buffer
  const prt_site *site;     // of the copy or signal that nobody has waited for; or the buffer's
  char *message;
  bool is_scope; // when its scope ended
} prt_race_unwaited;

typedef struct prt_race {
  prt_worker *worker; // of the call
  bool failed;        // no memory: nothing more is recorded, and the call has failed
  // What comes first may make a difference: accesses that are not ordered, two that take from one
  // semaphore, counts that are read, sums of floats.
  bool depends;
  // What goes on now: tasks that run or could, units that were or will be signalled and not taken.
  int32_t running;
  int64_t under_way;
  int32_t apart; // agents in launches whose steps may run beside each other
  // This segment.
  uint32_t segment; // its number, from 1
  PRT_RACE_LIST(prt_race_agent) agents;
  PRT_RACE_LIST(prt_race_sem) sems;
  int32_t *sem_buckets, bucket_count; // by address: a number in `sems`, plus 1
  PRT_RACE_LIST(prt_race_event) events;
  PRT_RACE_LIST(prt_race_copy) copies;
  PRT_RACE_LIST(prt_race_access) accesses;
  PRT_RACE_LIST(prt_race_step) steps;
  PRT_RACE_LIST(prt_race_turn) turns;
  PRT_RACE_LIST(prt_race_atomic) atomics;
  PRT_RACE_LIST(prt_race_sum) sums;
  PRT_RACE_LIST(prt_race_term) terms; // those behind the last sum's are of the next one
  PRT_RACE_LIST(int64_t) points;      // these as well
  prt_clocks clocks;
  prt_race_room extents; // of accesses
  int32_t made; // number, plus 1, of the copy whose accesses are recorded just now; 0: none
  int32_t met;  // how often agents came to a meeting
  // Of the call.
  PRT_RACE_LIST(prt_race_pair) pairs;
  PRT_RACE_LIST(prt_watched) inputs; // parameters that are not watched
  PRT_RACE_LIST(prt_race_unwaited) unwaited;
  PRT_RACE_LIST(prt_race_moved) moved;
  const prt_sem *given; // whose next signal has so many units of copies that are recorded already
  int64_t given_units;
  PRT_RACE_LIST(const prt_buffer *) stuck; // semaphores that are waited for in a deadlock
  PRT_RACE_LIST(prt_race_left) left;
  int32_t parallels; // launches with such steps
  int32_t loops;     // and loops whose iterations are independent
} prt_race;

// Nothing more is recorded, and the call fails: what is lost might have raced.
void prt__race_no_memory(prt_race *race);
// Room for more items, which whoever adds one sets as a whole: most of a large list's room is never
// touched. `items` is the address of the list's pointer. false: no memory, and
// the call has failed.
bool prt__race_grow(prt_race *race, void *items, int32_t *room, size_t bytes);
// The address of one more item of a list, or NULL.
#define PRT_RACE_ADD(race, list)                                                                   \
  ((list).count < (list).room ||                                                                   \
           prt__race_grow(race, &(list).items, &(list).room, sizeof *(list).items)                 \
       ? &(list).items[(list).count++]                                                             \
       : NULL)

// Whether the memory begins to exist for others.
static inline bool prt__race_begins(const prt_race_access *access) {
  return access->how == PRT_BEGIN || access->how == PRT_ENTER;
}

// Whether something else may have the memory from then on: an array's, or a launch's.
static inline bool prt__race_dies(const prt_race_access *access) {
  return access->how == PRT_DIES || access->how == PRT_OVER;
}

static inline int64_t prt__watched_bytes(const prt_watched *memory) {
  int64_t bytes = memory->element_bytes;
  for (int32_t d = 0; d < memory->rank; d++) bytes *= memory->dims[d];
  return bytes;
}

// Whether the agents are what one core runs in one launch, or in two.
static inline bool prt__race_is_one_core(const prt_race *race, int32_t a, int32_t b) {
  const prt_race_agent *x = &race->agents.items[a], *y = &race->agents.items[b];
  const prt_program *p = x->program, *q = y->program;
  if (a == b) return true;
  if (x->device != y->device || x->core != y->core || p->kind != q->kind || p->rank != q->rank)
    return false;
  for (int32_t d = 1; d < p->rank; d++) // else its number is another core's
    if (p->sizes[d] != q->sizes[d]) return false;
  return true;
}

// Copies from one core to another one arrive in the order in which they were started: whether these
// are two such copies. Which core has a step of parallel dimensions is not known, but within it.
static inline bool prt__race_arrive_in_order(const prt_race *race, const prt_race_copy *a,
                                             const prt_race_copy *b) {
  int32_t from_a = race->events.items[a->event].agent, from_b = race->events.items[b->event].agent;
  if (a->sent < 0 || b->sent < 0 || ((a->is_of_step || b->is_of_step) && from_a != from_b))
    return false;
  return prt__race_is_one_core(race, from_a, from_b) && prt__race_is_one_core(race, a->to, b->to);
}

// The count of the term number `i` at the point.
static inline int64_t prt__race_count_at(const prt_race_sum *sum, int64_t point, int32_t i) {
  for (; i > 0; i--) point /= sum->side;
  return point % sum->side;
}

// The semaphore whose wait would say that the end of the copy is over.
static inline int32_t prt__race_sem_of_end(const prt_race *race, const prt_race_access *access) {
  const prt_race_copy *copy = &race->copies.items[access->copy];
  return access->how == PRT_READ && copy->sent >= 0 ? copy->sent : copy->received;
}

// The first wait, in this run, for the semaphore that says that the end of the copy is over, behind
// its start; NULL: there is none.
static inline const prt_race_event *prt__race_wait_for_end(const prt_race *race,
                                                           const prt_race_access *access) {
  int32_t sem = prt__race_sem_of_end(race, access);
  for (int32_t i = race->copies.items[access->copy].event; i < race->events.count; i++) {
    const prt_race_event *event = &race->events.items[i];
    if (event->kind == RACE_WAIT && event->with == sem) return event;
  }
  return NULL;
}

// The step of parallel dimensions that it is of, if it is of memory that others have as well; or
// NULL.
static inline const prt_race_step *prt__race_step_around(const prt_race *race,
                                                         const prt_race_access *access) {
  int32_t within = access->step < 0 ? -1 : race->steps.items[access->step].within;
  return within < 0 || !access->is_shared ? NULL : &race->steps.items[within];
}

// The iteration of the first of two accesses that are in different ones of a loop whose iterations
// may run in any order; NULL: they are not.
static inline const prt_race_turn *prt__race_turn_apart(const prt_race *race,
                                                        const prt_race_access *first,
                                                        const prt_race_access *second) {
  const prt_race_turn *turns = race->turns.items;
  for (int32_t x = second->turn ? first->turn : 0; x; x = turns[x - 1].outer)
    for (int32_t y = second->turn; y; y = turns[y - 1].outer)
      if (turns[x - 1].loop == turns[y - 1].loop)
        return turns[x - 1].number != turns[y - 1].number ? &turns[x - 1] : NULL;
  return NULL;
}

// Whether they are of two steps of a launch that may run beside each other, on whatever core, or of
// two iterations that may.
static inline bool prt__race_are_apart(const prt_race *race, const prt_race_access *a,
                                       const prt_race_access *b) {
  const prt_race_step *x = prt__race_step_around(race, a),
                      *y = x ? prt__race_step_around(race, b) : NULL;
  return (y && x->parallel == y->parallel && x->number != y->number) ||
         prt__race_turn_apart(race, a, b);
}

// The first step that left one of the buffer's semaphores signalled; NULL: none did.
static inline const prt_race_left *prt__race_left(const prt_race *race, const prt_buffer *buffer) {
  for (int32_t i = 0; i < race->left.count; i++)
    if (race->left.items[i].buffer == buffer) return &race->left.items[i];
  return NULL;
}

// ---- prt_race_order.c ---------------------------------------------------------------------------
// What is called at each access, with the clock of its agent there. false: it has seen enough. And,
// if it is not NULL, before the first of them, each time they are shown.
typedef struct prt_race_visitor {
  bool (*visit)(void *data, prt_race_access *access, prt_clock *clock);
  void *data;
  void (*begin)(void *data);
} prt_race_visitor;
// Finds the order of the segment's events, writes what it found into copies, and visits its
// accesses in the order of the run. `looker`, if it is not NULL, visits them in each pass, which
// may not have found all of the order yet: once it has not seen enough before their end, that is
// all.
void prt__race_order(prt_race *race, const prt_race_visitor *looker,
                     const prt_race_visitor *visitor);

// ---- prt_race_replay.c --------------------------------------------------------------------------
// Whether there is a run in which both are under way at once.
bool prt__race_can_meet(prt_race *race, const prt_race_access *a, const prt_race_access *b);

// ---- prt_race_find.c ----------------------------------------------------------------------------
// Tells the races of the segment.
void prt__race_find(prt_race *race);

// ---- prt_race_data.c ----------------------------------------------------------------------------
// What would order two accesses: a wait for the semaphore `sem`, or, if that is -1, a signal and a
// wait for it, behind the first place and before the second one. after NULL: nothing would.
typedef struct prt_race_missing {
  const prt_site *after, *before;
  int32_t sem;
} prt_race_missing;
// The race as members of a JSON object.
void prt__race_data(prt_text *out, const prt_race *race, const prt_race_access *earlier,
                    const prt_race_access *later, const prt_race_missing *missing);

// ---- prt_race_report.c --------------------------------------------------------------------------
// What is to be reported of a race of two accesses of this segment, which came in this order in
// this run, the later one with its agent's clock; and the pair's copies and semaphores. NULL: no
// memory.
struct prt_race_text *prt__race_describe(const prt_race *race, const prt_race_access *earlier,
                                         const prt_race_access *later, const prt_clock *clock,
                                         prt_race_pair *pair);
void prt__race_text_free(struct prt_race_text *text); // NULL is ignored
// Tells all races of the call, and frees their texts.
void prt__race_report_all(prt_race *race);

// ---- prt_race_log.c -----------------------------------------------------------------------------
// The number of the task's agent in this segment; -1: no memory. The number of the grid step that
// runs, -1: none, or too many dimensions to be recorded. What is known of a semaphore; NULL:
// nothing.
int32_t prt__race_agent(prt_race *race, struct prt_node *node);
int32_t prt__race_step(prt_race *race);
const prt_race_sem *prt__race_sem(const prt_race *race, const prt_sem *sem);
// Before something is recorded: whether anything is.
bool prt__race_is_on(prt_race *race);
// A copy that another call has started, which will signal the semaphore: its number, or -1; an end
// of it. And that the semaphore's next signal has these units of such copies in it.
int32_t prt__race_go_on(prt_race *race, struct prt_node *node, const prt_site *site,
                        const prt_sem *sem, int64_t units);
// Likewise, if the call does not wait for it: it signals what is at `count`, in memory of others, a
// semaphore of that buffer.
int32_t prt__race_go_by(prt_race *race, struct prt_node *node, const prt_site *site,
                        const void *count, const prt_buffer *buffer, int32_t index);
void prt__race_add_end(prt_race *race, int32_t copy, const prt_extent *extent, uint8_t how);
// The node's program does this as well, at a place outside of the call.
void prt__race_own(prt_race *race, struct prt_node *node, const prt_site *site,
                   const prt_extent *extent, uint8_t how);
void prt__race_given(prt_race *race, const prt_sem *sem, int64_t units);

// ---- prt_race_passed.c --------------------------------------------------------------------------
// The call is over: what of its own memory copies that it leaves under way touch is not known.
void prt__race_pass_on(prt_call *call);
// The call gets the array that is in this memory: copies that it does not wait for are under way
// there, if another call of the same run of a program has left them so.
void prt__race_passed_input(prt_race *race, struct prt_node *node, const void *memory,
                            int64_t bytes);

// ---- prt_race_kept.c ----------------------------------------------------------------------------
// The machine's own of a place or a buffer that is the call's code's. NULL: no memory, or of NULL.
// Locks: both take report_lock.
const prt_site *prt__race_keep_site(prt_machine *machine, const prt_site *site);
const prt_buffer *prt__race_keep_buffer(prt_machine *machine, const prt_buffer *buffer);
