// SPDX-License-Identifier: Apache-2.0
// Tasks and who runs next: the insides of "programs that wait" (prt_codegen.h).
//
// A task that wants to wait only notes what for, and suspends; the scheduler, once the coroutine
// has returned to it, puts the task where it will be found (prt__settle). So a task is never
// resumed before it has suspended.
#pragma once
#include <pthread.h>
#include "machine/prt_call.h"
#include "print/prt_text.h"

// WAIT_SEM is settled when the task has suspended, and WAIT_QUEUED is already among the semaphore's
// waiters: nobody could signal before. WAIT_TURN has all it waited for and lets others run;
// WAIT_POLL has read a count, does that too and looks again soon.
typedef enum prt_wait {
  WAIT_NOTHING,
  WAIT_SEM,
  WAIT_QUEUED,
  WAIT_TURN,
  WAIT_POLL,
  WAIT_LAUNCH,
  WAIT_ENDED
} prt_wait;

// What a task has seen of the counts that it reads again and again.
typedef struct prt_looks {
  struct prt_looks *next, *next_spare; // all of the schedule; those that nobody has
  struct prt_node *node;               // whose they are; NULL: nobody's
  prt_sem *sem;                        // the last look: at what, and where
  const prt_site *site;
  uint32_t looks; // in a row that found nothing new: `changes` was `seen` all the time
  uint32_t seen;
  bool waits;          // nothing but counts ends the loop: what its task changes itself is not new
  uint8_t known_count; // then: what has been found since something was new, each place with its
  uint32_t known[4];   // count
} prt_looks;

typedef struct prt_node {
  prt_task task;         // first: compiled code knows this much
  void *handle;          // of the coroutine; NULL before its start
  struct prt_node *next; // in the queue of those that can run, or of a semaphore's waiters
  int64_t value;         // of a semaphore: how much it waits for, of what, and where
  union {
    prt_sem *sem;
    struct prt_group *children; // WAIT_LAUNCH: the cores whose ends it waits for
  };
  const prt_site *site;
  struct prt_group *group;
  const prt_program *program;
  const prt_step *step;
  int64_t to_core, to_device; // how far it is to the memory of the next one
  int32_t cores;              // of its program
  uint8_t wait;               // prt_wait
  bool keep;
  // It has run to its first wait, or its end, and no copy is held for it. Under the schedule's
  // lock.
  bool has_begun;
  // Waits that found what they wanted, looks at counts and counters: each 64th lets others run.
  uint8_t turn;
  prt_looks *looks; // as long as it reads counts again and again; NULL: it does not
} prt_node;
// Two lines of the cache: a step of a task is its node's way there and back, if the cores are many.
_Static_assert(sizeof(void *) != 8 || sizeof(prt_node) == 128, "a node is two lines");

// What checks keep of a node.
typedef struct prt_trail {
  // Its number among the agents of a segment of the race's log, and that segment's.
  uint32_t race_segment;
  int32_t race_agent;
  int32_t meeting;       // the number of the one it has come to
  int32_t parallel;      // the launch whose steps it runs, which may run beside each other; 0: none
  int32_t parallel_step; // which of them, by its number in the race's log
  int32_t turn;          // the iteration of independent ones, by its number in the log, plus 1
  int32_t sums;          // additions to memory that it is in
  bool has_waited;       // for a semaphore
  int64_t steps;         // of its grid, that have begun
} prt_trail;

// A copy, as it is started.
typedef struct prt_transfer {
  prt_node *from_task, *to_task; // who starts it, and where it goes: the same one, if it is local
  const prt_copy *copy;
  const int64_t *dims;
  char *to;
  const char *from;
  prt_sem *received, *sent; // `sent`: NULL of a local one
} prt_transfer;

// The tasks of one launch on one device: all cores of all its programs. Or the programs of the
// devices themselves.
typedef struct prt_group {
  prt_node *parent;  // NULL: the whole call
  prt_node *nodes;   // program by program; those of the next device's group follow
  prt_trail *trails; // of the nodes; NULL if nothing is checked
  int32_t count;
  int32_t devices, stride; // device d's node is (d - own) * stride further, for d < devices
  _Atomic int32_t
      remaining; // tasks that have not ended, and 1 for the parent until it has suspended
  void *captured;
  struct prt_joint *joint;
  // The device is at the launch: its cores run. Under the schedule's lock, as what follows.
  bool has_come;
  int32_t flying;          // ends of copies in flight at its cores
  struct prt_flight *held; // copies to cores that have not begun, oldest first
  uint32_t race_segment;   // in which it was launched, by which event; under check
  int32_t race_launch;
  int32_t parallel; // the number of the launch, if its steps may run beside each other; under check
  int32_t met; // of the devices' group: how many have come to the meeting they are all called to
} prt_group;

// A launch, on all devices that take part. Its memory is made when the first one comes and kept
// until the last one has left, so that what one device does to another one always has a place.
typedef struct prt_joint {
  struct prt_joint *next;
  const prt_program *const *programs;
  int32_t program_count;
  int32_t devices, left;            // how many there are, and whose cores have all ended
  int32_t own;                      // of them, that run in this process
  int32_t number, ordinal;          // over ranks: of its first program; the how many-th of those
  int32_t order;                    // and of all of this rank's
  char *memory;                     // of its tasks
  int64_t device_bytes;             // of that, for each of `devices`
  prt_group *groups;                // by device
  struct prt_slab *slab;            // holds all of this, the nodes and their memory
  struct prt_slab *_Atomic *frames; // one for each program; made by its first task
} prt_joint;

// Memory for groups and frames, kept by the machine between launches.
typedef struct prt_slab {
  struct prt_slab *next;
  size_t bytes; // of data
  char *data;
} prt_slab;
void prt__slabs_fini(prt_machine *machine);

// A collective id of the runtime's own.
enum { SEM_LOCKS = 64, BARRIER_BUCKETS = 256, MEETING = INT32_MIN };

struct prt_schedule {
  prt_call *call;
  prt_group *root;
  // Not seeded, not checked, not of a rank, and nothing is shared: a wait or signal has nobody to
  // tell and nothing to lock.
  bool plain;
  bool shared;  // several threads run tasks: locks are taken
  bool checked; // the code was compiled with checks: its watched memory belongs to one thread
  struct prt_race *race;   // then, else NULL
  struct prt_ranks *ranks; // of the machine, or NULL
  pthread_mutex_t lock;    // of all that follows, but the semaphores' locks
  pthread_cond_t wake;
  prt_node *head, **tail;   // tasks that can run, and where the next one is put
  int32_t running;          // tasks that do
  int32_t live;             // tasks that have not ended
  bool stopped;             // by a deadlock
  _Atomic uint32_t changes; // of counts of semaphores, by those that do not wait in loops
  _Atomic int32_t watching; // helpers that wait for such a change; raised under `lock`
  _Atomic int64_t polls; // reads of counts, since it was last asked whether they are all that run
  prt_looks *looks, *spare_looks;                // all, and those that nobody has
  int32_t looks_in_a_row;                        // without giving way (prt_choices.looking)
  prt_joint *joints;                             // launches on several devices, oldest first
  struct prt_barrier *barriers[BARRIER_BUCKETS]; // by id, device and core
  struct prt_barrier_block *barrier_blocks;      // their memory, newest first
  prt_sem nowhere; // stands for a barrier semaphore there is no memory for
  // The seeded scheduler.
  bool seeded;
  prt_choices choices; // the list of draws is the machine's
  prt_node *current;   // can run, and came last: it is not in the queue
  int32_t ready;       // how many are in the queue
  int64_t gave_way;    // how many did, or read a count, since one ran that does not look out
  struct prt_flight *flights, **last_flight; // oldest first
  int32_t flying;
  pthread_mutex_t sem_locks[SEM_LOCKS]; // by address; taken before `lock`; there while it is shared
  pthread_mutex_t add_lock; // of memory that copies add to; no other lock is taken while it is held
};
typedef struct prt_schedule prt_schedule;

// ---- prt_ready.c --------------------------------------------------------------------------------
// Into the queue of those that can run. Locks: the schedule's is held if it is shared.
static inline void prt__append(prt_schedule *s, prt_node *node) {
  // No store where none is needed: what is loaded next would wait for its address.
  if (node->next) node->next = NULL;
  *s->tail = node;
  s->tail = &node->next;
  if (s->seeded) s->ready++;
}
// The one that has been there longest; there must be one. Locks: as above.
static inline prt_node *prt__take_first(prt_schedule *s) {
  prt_node *node = s->head;
  s->head = node->next;
  if (!s->head) s->tail = &s->head;
  return node;
}
void prt__ready_shared(prt_schedule *s, prt_node *node);
// It can run again. Locks: none on entry and exit; takes the schedule's if it is shared.
static inline void prt__ready(prt_schedule *s, prt_node *node) {
  if (s->shared)
    prt__ready_shared(s, node);
  else
    prt__append(s, node);
}
static inline prt_schedule *prt__schedule_of(const prt_node *node) {
  return node->task.worker->schedule;
}
// Nobody runs any more. After a mere finding of checks they do.
static inline bool prt__is_over(const prt_schedule *s) {
  int32_t status = atomic_load_explicit(&s->call->status, memory_order_relaxed);
  return s->stopped || s->call->is_cut || (status != PRT_OK && status != PRT_ERROR_CHECK);
}
static inline bool prt__waits_for_sem(const prt_node *node) {
  return node->wait == WAIT_SEM || node->wait == WAIT_QUEUED || node->wait == WAIT_POLL;
}

// ---- prt_schedule.c -----------------------------------------------------------------------------
// One of those whom the group's parent waits for is done: the last one wakes it.
void prt__group_count_down(prt_schedule *s, prt_group *group);

// It goes on until it suspends.
void prt__resume(prt_schedule *s, prt_node *node, prt_worker *worker);

// ---- prt_looks.c --------------------------------------------------------------------------------
// Nobody is asked before so many reads of counts.
enum { PRT_POLLS_AT_LEAST = 10000 };
// Whether the task, which does not run just now, has found nothing new for so long that it is taken
// for one that goes on like that for ever. Locks: the schedule's is held if it is shared.
bool prt__looks_in_vain(const prt_schedule *s, const prt_node *node);
// For reports: those that do are shown where they last looked, wherever in their loops they are.
void prt__show_looks(prt_schedule *s);

// ---- prt_choose.c ------------------------------------------------------------------------------
// The seeded scheduler's choices. The task that runs next, after copies have landed, maybe; NULL:
// there is none, and no such copy.
prt_node *prt__next_chosen(prt_schedule *s);
// Whether a copy between them is done as soon as it is started.
bool prt__lands_at_once(const prt_schedule *s, const prt_node *from, const prt_node *to);
// How often the next signal of the run, sent from there, comes: once, unless it is to be a fault.
int prt__signal_times(prt_schedule *s, const prt_site *site);
// Under check: a grid step of the worker's task begins.
void prt__note_step(prt_worker *worker);

// ---- prt_task.c ---------------------------------------------------------------------------------
// The program of the whole call; NULL: out of memory.
prt_group *prt__root_new(prt_schedule *s, const prt_program *const *programs, void *captured);
// Over ranks, one that is not here, since its devices are on others: linked in the order of
// launches; NULL: no memory.
prt_joint *prt__joint_of_others(prt_schedule *s, int32_t count, const prt_program *const *programs,
                                int32_t ordinal, int32_t order);
void prt__joint_free(prt_schedule *s, prt_joint *joint); // and the launches below
static inline prt_trail *prt__trail_of(const prt_node *node) {
  return &node->group->trails[node - node->group->nodes];
}
static inline const prt_program *prt__program_of(const prt_node *node) { return node->program; }
// Of the programs of the devices: how many there are.
static inline int32_t prt__devices_of(const prt_node *owner) { return owner->group->count; }
// The launch on one device that the node waits for; NULL: it waits for none, or the launch is on
// several.
static inline prt_group *prt__own_children(const prt_node *node) {
  return node->wait == WAIT_LAUNCH && node->children && node->children->joint->devices == 1
             ? node->children
             : NULL;
}
// The launch that the node waited for is over: its memory goes back.
void prt__children_end(prt_schedule *s, prt_node *node);
void prt__joints_free(prt_schedule *s);

// ---- prt_deadlock.c -----------------------------------------------------------------------------
// Everybody waits: fails the call, and says who waits for what.
void prt__deadlock(prt_schedule *s, prt_worker *worker);
