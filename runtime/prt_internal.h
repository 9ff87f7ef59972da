// SPDX-License-Identifier: Apache-2.0
// The insides of the runtime: machines, workers, calls, arenas, the pool. docs/runtime.md has the
// picture and the order of locks.
#pragma once
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include "prt_codegen.h"

#define PRT_ALIGN           64
#define PRT_HUGE_PAGE       ((size_t)2 << 20)
#define PRT_MESSAGE_SIZE    1024
#define PRT_SEATS_PER_BLOCK 32
// A function that is called now and then, from one that often runs without: kept out of line, so
// that the other one stays short.
#if defined(__GNUC__)
#define PRT_RARE __attribute__((noinline, cold))
// A loop that must have the registers to itself: apart from the function that begins it.
#define PRT_APART __attribute__((noinline))
#else
#define PRT_RARE
#define PRT_APART
#endif

// ---- prt_status.c ------------------------------------------------------------------------------
// Sets the calling thread's message; returns `status`.
prt_status prt__set_error(prt_status status, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

// ---- prt_entry.c -------------------------------------------------------------------------------
// PRT_ERROR_MACHINE and its message if it was compiled for another version of the runtime.
prt_status prt__refuse_version(const prt_entry *entry);

// ---- prt_scratch.c: arenas --------------------------------------------------------------------
typedef struct prt_chunk {
  struct prt_chunk *next;
  size_t size, used; // of data; used is kept up to date only for chunks that are not current
  char *data;
} prt_chunk;

typedef struct prt_arena {
  prt_chunk *first, *current;  // chunks behind current are empty
  size_t used;                 // of current
  size_t wanted;               // size of the next first chunk: what was needed last time
  struct prt_machine *machine; // whose memory it is, once there is some
} prt_arena;

// Bytes of memory from the system, 64-byte aligned (2 MiB and with huge pages from 2 MiB on). NULL:
// none.
void *prt__map(size_t bytes);
void prt__unmap(void *memory, size_t bytes);
// Forgets all that was taken. Several chunks are given back, to be one the next time.
void prt__arena_reset(prt_arena *arena);
void prt__arena_fini(prt_arena *arena);
size_t prt__arena_footprint(const prt_arena *arena);

// ---- watched memory (prt_shadow.c) --------------------------------------------------------------
typedef struct prt_watches {
  struct prt_watch **items; // by address
  size_t count, room;
} prt_watches;

// What is known of memory that is watched.
typedef struct prt_watched {
  const char *base;
  const char *what; // its name
  int32_t element_bytes, rank;
  const int64_t *dims; // row-major
} prt_watched;

// ---- how a call is scheduled (tasks/prt_choose.c)
// ------------------------------------------------
typedef enum prt_copy_times {
  COPIES_DRAWN,
  COPIES_LATE,
  COPIES_EARLY,
  COPIES_BY_LINK
} prt_copy_times;

typedef struct prt_interval {
  int64_t first, last;
} prt_interval;

typedef struct prt_choices {
  uint8_t copies; // prt_copy_times
  bool draws;     // choices are drawn: all, or those of `drawn`
  uint64_t seed;
  int64_t steps, lost, doubled; // 0: no end, no signal
  prt_interval *drawn;          // in any order; NULL: all
  size_t drawn_count;
} prt_choices;

// The call is over: prt__explored gives what it was like. Locks: takes report_lock.
struct prt_call;
void prt__explored_keep(struct prt_call *call);

// ---- arguments (prt_arguments.c) ----------------------------------------------------------------
// Fails the call if they are not what the header promises.
prt_status prt__check_arguments(struct prt_worker *worker, void *const *arguments);

// ---- workers and calls (prt_call.c) -------------------------------------------------------------
typedef struct prt_call {
  prt_machine *machine;
  const prt_entry *entry;
  void *const *arguments; // the memory of its parameters; NULL: not known
  void *const *unread;    // the memory of those that nobody reads when it is over
  size_t unread_count;
  _Atomic int32_t status; // relaxed but for the end of the call, which the pool's join orders
  char message[PRT_MESSAGE_SIZE]; // written once, by the thread that set status, under
                                  // machine->report_lock
  const prt_site *site;           // of what failed; NULL: it has none
  struct prt_findings *findings;  // made by the first one; under machine->report_lock
  prt_watches watches;            // watched memory; code with checks runs on one thread
  struct prt_origins *origins;    // places that read memory that was never written, by number
  struct prt_parallel *parallel;  // blocks of launches under way whose steps may run at once
  bool is_open;                   // of what was touched, the races are not known yet
  struct prt_race *race;          // what may race; NULL: nothing yet, or the code has no checks
  prt_explored explored;          // of its last program that waits
  // A core came to the end of the steps that are to be run, or cannot go on, as was reported:
  // nothing more is found.
  bool is_cut;
  const prt_site *unsure; // the last place where an index, or the like, was never written
} prt_call;

enum { ARENA_HBM, ARENA_CORE, ARENA_COUNT };

enum { PRT_MOST_TURNS = 4 };
typedef struct prt_turn {
  const prt_site *loop;
  int64_t index;
} prt_turn;

struct prt_worker {
  prt_call *call;
  prt_arena arenas[ARENA_COUNT];
  struct prt_schedule *schedule; // of programs that wait, while they run
  const prt_step *step;
  struct prt_node *node; // the task that runs, under check
  int32_t thread_index;
  bool in_body;
  uint64_t float_mode; // of the calling thread, to be given back by prt__leave
  // Loops around the next finding, the innermost first; under check.
  int32_t turn_count;
  prt_turn turns[PRT_MOST_TURNS];
};

// A call that a thread of the program makes sits on a seat. Seats are reused, with their warm
// arenas.
typedef struct prt_seat {
  _Atomic bool taken; // acquired by exchange, given back by a release store
  prt_worker worker;
  prt_call call;
} prt_seat;

typedef struct prt_seat_block {
  struct prt_seat_block *_Atomic next; // published with release, read with acquire
  prt_seat seats[PRT_SEATS_PER_BLOCK];
} prt_seat_block;

// Compiled code takes subnormal numbers for zero, rounds to nearest and does not trap. Sets the
// thread so and gives the mode it had.
uint64_t prt__float_mode_set(void);
void prt__float_mode_restore(uint64_t mode);

// Marks the call as failed and keeps the message if it is the first failure.
prt_status prt__call_fail_text(prt_call *call, prt_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
// The same, of a place in the source, which the message begins with; NULL: it has none.
prt_status prt__fail_at(prt_worker *worker, prt_status status, const prt_site *site,
                        const char *format, ...) __attribute__((format(printf, 4, 5)));
// A mistake of a kernel that the call ends with: PRT_ERROR_ARGUMENT; in code with checks a finding
// of this kind (prt_finding_kind) as well.
void prt__fault(prt_worker *worker, int32_t kind, const prt_site *site, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void prt__set_error_site(const prt_site *site); // of the message that was set last

// ---- prt_pool.c --------------------------------------------------------------------------------
// One prt__parallel_for. Lives on the stack of the thread that waits for it.
typedef struct prt_job {
  struct prt_job *next; // under the pool's lock
  prt_call *call;
  prt_body body;
  void *context;
  const prt_step *step;
  int64_t count, piece;
  _Atomic int64_t taken; // indices handed out so far; may grow past count
  _Atomic int32_t
      inside; // pool threads working on it; changed under the pool's lock, spun on without
} prt_job;

typedef struct prt_pool_thread {
  struct prt_pool *pool;
  pthread_t thread;
  prt_worker worker;
} prt_pool_thread;

typedef struct prt_pool {
  pthread_mutex_t lock;
  pthread_cond_t wake; // pool threads wait here for jobs
  pthread_cond_t done; // callers wait here for pool threads to leave their jobs
  prt_job *jobs;       // those with pieces left; a caller takes its own out
  prt_pool_thread *threads;
  _Atomic int32_t
      wanted; // threads to be started by the first job; lowered if the system gives fewer
  int32_t started, parked; // threads that run, that wait on `wake`
  bool closing;
  _Atomic uint32_t posted; // grows with each job: what a pool thread spins on before it parks
} prt_pool;

prt_status prt__pool_init(prt_pool *pool, int32_t threads);
void prt__pool_fini(prt_pool *pool);
// In a forked child: its threads are not there, and its locks are as the fork caught them.
void prt__pool_revive(prt_pool *pool);

// ---- prt_machine.c -----------------------------------------------------------------------------
struct prt_machine {
  prt_machine_options options;
  char chip[32]; // "" if any will do
  uint64_t cpu_features[2];
  int32_t threads;
  _Atomic int64_t findings;
  _Atomic size_t mapped; // bytes of all arenas
  prt_choices choices;   // if has_choices; changed while no call runs
  bool has_choices;
  prt_explored explored;       // of the last call with a program that waits; under report_lock
  _Atomic bool is_stopped;     // by prt_machine_stop; relaxed
  const prt_finding *deadlock; // while on_report runs
  prt_watches kept; // outputs of calls that are over, with elements that were never written
  pthread_mutex_t report_lock; // held while something is reported, and while a call's first failure
                               // is written down
  pthread_mutex_t seat_lock;   // held while a block of seats is added
  pthread_mutex_t slab_lock;   // held while a slab is taken or given back
  struct prt_slab *slabs;      // that nobody uses
  struct prt_ranks *ranks; // that its devices are spread over; NULL: there is this process alone
  prt_pool pool;
  prt_seat_block seats;
  // PRT_ALIVE in the process that made the machine. The kernel zeroes the page in a forked child;
  // NULL: unknown.
  _Atomic uint32_t *alive;
};

enum { PRT_WIPED = 0, PRT_ALIVE = 1, PRT_REVIVING = 2 };
void prt__machine_revive(prt_machine *machine);
// First of all that a program does with a machine: in a forked child it starts anew.
static inline void prt__machine_wake(prt_machine *machine) {
  if (machine->alive && atomic_load_explicit(machine->alive, memory_order_acquire) != PRT_ALIVE)
    prt__machine_revive(machine);
}

size_t prt__slabs_footprint(prt_machine *machine); // prt_task.c: memory of launches that is kept

// ---- prt_cpu.c ---------------------------------------------------------------------------------
// That this process may use: of AMX the system is asked for permission (arch_prctl).
void prt__cpu_features(uint64_t features[2]);
// "avx512f, avx512vl": those of `missing`, into text.
void prt__cpu_feature_names(const uint64_t missing[2], char *text, size_t size);
int32_t prt__cpu_count(void); // that the process may run on; at least 1

// ---- prt_text.c: growing text -------------------------------------------------------------------
// On the heap; after out-of-memory `failed` is set, the text stays what it was, and further
// additions are ignored.
typedef struct prt_text {
  char *data; // NUL-terminated, or NULL while empty
  size_t length, capacity;
  bool failed;
} prt_text;
void prt__text_add(prt_text *text, const char *data, size_t length);
void prt__text_c(prt_text *text, const char *data);
void prt__text_pad(prt_text *text, char c, int64_t count);
void prt__text_printf(prt_text *text, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
// "i = 3, 0": of a grid step. `names`: NULL, or NULL for a dimension without one.
void prt__text_indices(prt_text *text, int32_t rank, const char *const *names,
                       const int64_t *indices);
void prt__text_sink(void *text, const char *data, size_t length); // add() of a prt_sink on a text
void prt__text_free(prt_text *text);

// ---- prt_element.c -----------------------------------------------------------------------------
char prt__dtype_kind(prt_dtype dtype);
int prt__packed_bits(prt_dtype dtype); // of an element that is less than its byte; else 0
double prt__load_float(prt_dtype dtype, const void *p); // any type
int64_t prt__load_int(prt_dtype dtype, const void *p);  // integers and bool; u64 reinterpreted
// NaN, the largest integer or true: what unspecified memory holds under check.
void prt__fill_unspecified(prt_dtype dtype, void *memory, int64_t count);

// ---- prt_print.c, prt_format.c: values as Python and NumPy print them ---------------------------
// str() of a NumPy array; a scalar if rank is 0.
void prt__print_value(prt_text *text, const prt_value *value);
// repr() of an array of JAX's: "Array([1, 2], dtype=int32)".
void prt__print_repr(prt_text *text, const prt_value *value);
// Python's str.format; too few values print as "{}".
void prt__print_format(prt_text *text, const char *format, int32_t count, const prt_value *values);

// ---- prt_check.c, prt_shadow.c ------------------------------------------------------------------
// A finding. `kind`: prt_finding_kind; `format` is a string whose address tells findings of one
// place apart.
void prt__report(prt_worker *worker, int32_t kind, const prt_site *site, const char *format,
                 const char *message);
bool prt__is_place(const prt_site *a, const prt_site *b); // both are of one line and column
// And were called from one place: what another rank tells of has a place of its own.
bool prt__is_site(const prt_site *a, const prt_site *b);
void prt__json_string(prt_text *out, const char *s);                // quoted
void prt__json_place(prt_text *out, const prt_site *site);          // members, a comma before each
void prt__finding_text(prt_text *text, const prt_finding *finding); // as people read it
// Gives a finding that ends its call to on_report, or people.
void prt__give_report(prt_machine *machine, const prt_finding *finding);
void prt__findings_finish(prt_call *call); // sums up what was not reported; frees them
// At the end of a call: what of its outputs was never written is reported, or kept for who asks.
void prt__watches_finish(prt_worker *worker);
// It was reported that the step which runs reaches outside of memory: what it reads of a window
// that nothing could be fetched to is no mistake of its own.
void prt__watch_outside(prt_worker *worker);
// A race was reported of the launch at `site` that writes the output at `memory`: that it was never
// written is not reported again.
void prt__watches_told(prt_call *call, const prt_site *site, const char *memory);
// What was to be written there may not be yet, as is reported: nor is that reported where it is
// read, in the call so far or later.
struct prt_extent;
void prt__watches_raced(prt_call *call, const struct prt_extent *written);
void prt__parallel_free(prt_call *call);
void prt__kept_free(prt_machine *machine);
// As prt__check_copied, of a copy that the program started at `site`, which is reported as what
// read. `adds`: it adds to what is there.
void prt__check_carried(prt_worker *worker, const prt_site *site, const prt_region *to,
                        const prt_region *from, bool adds);
bool prt__is_watching(const prt_call *call);
// false: the address is in no memory that the call watches.
bool prt__watch_of(const prt_call *call, const void *address, prt_watched *out);
// Tells a finding through on_finding, or people; `call`: where its findings are counted, or NULL.
void prt__tell(prt_machine *machine, prt_call *call, const prt_finding *finding,
               const char *format);
void prt__watch_forget(prt_call *call, const void *memory, size_t bytes);
