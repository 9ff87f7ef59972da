// SPDX-License-Identifier: Apache-2.0
// What compiled code calls. Not for programs: it may change with PRT_ABI_VERSION.
//
// The shape of a compiled entry point. It is compiled for the baseline of the architecture and does
// no arithmetic of its own, so that the check of the CPU comes before the first instruction of
// `add_body`, which is compiled for the target:
//
//   prt_status add(prt_machine *machine, const float *x, const float *y, float *out) {
//     prt_worker *worker;
//     void *arguments[] = {x, y, out};
//     prt_status status = prt__enter_call(machine, &prt_entry_add, &worker, arguments);
//     if (status) return status;
//     add_body(worker, x, y, out);
//     return prt__leave(worker);
//   }
//
// and `prt_status prt_call_add(machine, void *const *arguments)` for prt_entry.call, the same with
// the pointers loaded. A module with entry points also has an object in the section "prt_entries",
// which the linker concatenates, holding the address of each descriptor, and the weak object
// prt_entry_table below.
//
// An entry point for several sizes has a function of this shape for each of them, which only its
// own object sees, and chooses one:
//
//   prt_status softmax(prt_machine *machine, int64_t n, const float *x, float *out) {
//     const prt_entry *variant;
//     prt_status status = prt_entry_for_sizes(&prt_entry_softmax, &n, &variant);
//     return status ? status : variant->function(machine, x, out);
//   }
//
// A prt_worker is one thread's part of one call: it has the memory the code may use, and knows the
// call. It is never shared between threads at the same time. Nothing here returns through a
// longjmp.
#ifndef PRT_CODEGEN_H
#define PRT_CODEGEN_H
#include "prt.h"

#ifdef __cplusplus
extern "C" {
#endif

// What a worker begins with is the address of a byte (uint8_t), which is not 0 once the call is to
// end: a loop that runs long looks at it now and then (prt__loop_stopped).
typedef struct prt_worker prt_worker;

// What each module with entry points defines once, weak and of default visibility, for
// prt_list_entries.
typedef struct prt_entry_list {
  uint32_t abi_version;
  const prt_entry *const *begin, *const *end; // __start_prt_entries, __stop_prt_entries
} prt_entry_list;                             // its symbol: prt_entry_table

// ---- calls -------------------------------------------------------------------------------------
// Checks ABI, CPU, chip and devices, and takes a worker of the machine (NULL: the default one). On
// failure *worker is untouched, the message is set and its status comes back. Takes some 20 ns once
// warm.
PRT_API prt_status prt__enter(prt_machine *machine, const prt_entry *entry, prt_worker **worker);
// The same for a call whose pointers lie in `arguments`, one a parameter. An entry point compiled
// with checks, and any in a debug build of the runtime, is refused arguments that overlap an output
// or are not aligned (prt_arguments.c).
PRT_API prt_status prt__enter_call(prt_machine *machine, const prt_entry *entry,
                                   prt_worker **worker, void *const *arguments);
// Gives the worker and all memory taken from it back. The call's status: PRT_OK, or the first
// failure of any of its threads.
PRT_API prt_status prt__leave(prt_worker *worker);
// Marks the call as failed (the first one counts), and returns `status`. The code goes on or
// returns as it likes.
PRT_API prt_status prt__fail(prt_worker *worker, prt_status status, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 3, 4)))
#endif
    ;
// Calls the variant of an entry point for the sizes that the first pointers of `arguments` lead to,
// with the pointers behind them: prt_entry.call of what has variants.
PRT_API prt_status prt__call_for_sizes(prt_machine *machine, const prt_entry *entry,
                                       void *const *arguments);
// Parameter `index` of the entry point is NULL although its array has elements.
PRT_API prt_status prt__fail_null(prt_worker *worker, int32_t index);
// Whether the call has failed on any thread: long loops may ask and stop early.
PRT_API bool prt__has_failed(const prt_worker *worker);

// ---- memory ------------------------------------------------------------------------------------
// Scratch memory, contents unspecified, that lives until prt__release of an earlier mark, the end
// of the parallel body it was taken in, or prt__leave. HBM has huge pages and is apart from VMEM
// and SMEM, which are small, reused at once and so stay in the CPU's caches.
typedef enum prt_space {
  PRT_HBM,
  PRT_VMEM,
  PRT_SMEM,
  PRT_VMEM_SHARED,
  PRT_SEM,
  PRT_HOST,
  PRT_CMEM,
  PRT_SPACE_COUNT
} prt_space;

// 64-byte aligned; of 0 bytes, not NULL. If the system has no memory: NULL, and the call has failed
// with PRT_ERROR_MEMORY; the code must then return.
PRT_API void *prt__alloc(prt_worker *worker, int32_t space, size_t bytes);

typedef struct prt_mark {
  void *chunk[2];
  size_t used[2];
} prt_mark;
PRT_API void prt__mark(const prt_worker *worker, prt_mark *mark);
PRT_API void prt__release(prt_worker *worker, const prt_mark *mark);

// ---- sorting -----------------------------------------------------------------------------------
// Sorts `count` words by their upper 32 bits; where those are equal, the lower halves stand in
// increasing order before and after. `spare` is room for as many.
PRT_API void prt__sort_words(uint64_t *words, uint64_t *spare, int64_t count);
// The same of the places [low, high) alone, 0 <= low < high <= count; the others hold anything.
PRT_API void prt__sort_some_words(uint64_t *words, uint64_t *spare, int64_t count, int64_t low,
                                  int64_t high);

// ---- threads -----------------------------------------------------------------------------------
// Runs body(context, begin, end, w) for disjoint pieces that together are [0, count), on the
// calling thread and on workers of the machine; returns when all are done. Pieces have at least
// `grain` indices (1 if it is 0 or less). `cost` is how many nanoseconds one
// thread would take for all of it, an estimate: workers that are asleep are woken at once if it is
// worth it; with a small one, or 0 (not known), those that are awake take part, and others when the
// loop has turned out to take long, or if loops follow each other closely. `w` is the worker of the
// thread the piece runs on; memory taken from it is released when body returns. With one thread, or
// count <= grain, or called from inside a body, all of it is body(context, 0, count, worker) at
// once, unless it is estimated to take long: then the call can be stopped between two pieces. Once
// it has failed, no further pieces are started.
typedef void (*prt_body)(void *context, int64_t begin, int64_t end, prt_worker *worker);
PRT_API void prt__parallel_for(prt_worker *worker, int64_t count, int64_t grain, int64_t cost,
                               prt_body body, void *context);
// Threads that a prt__parallel_for started here could use: 1 inside a body that runs beside others.
PRT_API int32_t prt__threads(const prt_worker *worker);
// The number of the thread the worker runs on within its call, in [0, prt_machine_threads): 0 is
// the caller's.
PRT_API int32_t prt__thread_index(const prt_worker *worker);

// ---- programs that wait ------------------------------------------------------------------------
// A program that waits (for a semaphore, a copy, the cores it launched) is a coroutine; one
// instance of it is a task. The whole call is one task (a device's program), each core of a launch
// another.
// A task's memory is one block, in which every buffer and semaphore of the program has a fixed
// place:
// what is at some offset on one core is at the same offset on every other core of that program.
//
// A program's function takes the task and what it captures, asks for its frame with
// prt__frame_alloc, and runs to its first suspension, whose handle is its result; the task is
// resumed through the first word of the handle. Before it ends it calls prt__task_end. A coroutine
// suspends only after a call that said so (prt__sem_wait, prt__launch, prt__exchange), and is
// resumed when what it waits for has come. It is resumed on any thread; `worker` is the one at
// hand. Once the call has failed it may never be resumed: it must own nothing.
typedef struct prt_task {
  prt_worker *worker; // the thread that runs it now
  char *memory;       // of the program's size; 64-byte aligned if that is over 64
  int32_t core;       // its number in its mesh, row-major
  int32_t device;     // its device's number
  uint64_t done;      // bit i: it has carried out act i (modulo 64) of its program
} prt_task;           // the runtime keeps more behind this

// A semaphore in a task's memory; all zero when its scope is entered. REGULAR semaphores count
// signals, those of copies bytes.
typedef struct prt_sem {
  _Atomic int64_t count;
  struct prt_node *waiters; // under the lock of the semaphore
} prt_sem;

typedef struct prt_buffer { // what lies in a task's memory, for reports
  int64_t offset, bytes;
  const char *name; // "send_sem", or "" if it has none
  const prt_site *site;
  int32_t space; // prt_space
  // What the program calls its shape; a buffer with as many elements several times over has that
  // for each core.
  int32_t rank;
  const int64_t *dims;
} prt_buffer;

// What a program does to semaphores, for reports: what signals one, and what waits for it.
typedef enum prt_act_kind {
  PRT_ACT_SIGNAL,
  PRT_ACT_COPY,
  PRT_ACT_SENT,
  PRT_ACT_WAIT,
  PRT_ACT_COPY_WAIT
} prt_act_kind;
enum { PRT_ACT_ABROAD = 1, PRT_ACT_CORE = 2 }; // the target's device, core is given
typedef struct prt_act {
  const prt_site *site;
  int32_t kind;  // prt_act_kind
  int32_t level; // the semaphore is the program's own (0), of the one that launched it (1), …; -1:
                 // a barrier semaphore
  int64_t sem; // where its buffer begins in that program's memory; of a barrier, the collective id
  int32_t target; // PRT_ACT_…
  int32_t number; // bit of prt_task.done
} prt_act;

typedef enum prt_core_kind {
  PRT_TENSOR_CORE,
  PRT_SCALAR_SUBCORE,
  PRT_VECTOR_SUBCORE,
  PRT_DEVICE_PROGRAM
} prt_core_kind;

enum { PRT_MESH_AXES = 4 };
typedef struct prt_program {
  void *(*start)(prt_task *task, void *captured);
  const char *name; // the kernel's
  const prt_site *site;
  int64_t memory, semaphores; // bytes; semaphores come first, and are zero when the task starts
  int32_t kind;               // prt_core_kind
  int32_t rank;               // of the mesh: PRT_MESH_AXES at the most
  const int64_t *sizes;       // of its axes; their product is the number of cores
  const char *const *axis_names;
  int32_t buffer_count;
  const prt_buffer *buffers;
  int32_t act_count;
  const prt_act *acts;
  int32_t number; // among the programs of its function: the same in every process that runs it
} prt_program;

// Runs one task, and all it launches, to their ends: the body of a call that waits. Returns when
// all is done or the call has failed (PRT_ERROR_DEADLOCK: everybody waits).
PRT_API void prt__run(prt_worker *worker, const prt_program *program, void *captured);
// Memory of a coroutine's frame, 16-byte aligned; `bytes` is the same for all tasks of a program.
// NULL: there is none, the call has failed, and the program must end.
PRT_API void *prt__frame_alloc(prt_task *task, int64_t bytes);
PRT_API void prt__task_end(prt_task *task);
// Starts a task for every core of the meshes of `count` programs, all of the task's device. The
// task must suspend; it is resumed when they have all ended. `captured` must live till then.
PRT_API void prt__launch(prt_task *task, int32_t count, const prt_program *const *programs,
                         void *captured, const prt_site *site);
// true: the count was at least `value`, and was lowered by it (but not if `keep`). false: suspend;
// it has been when the task is resumed. `site` is where the program waits.
PRT_API bool prt__sem_wait(prt_task *task, prt_sem *sem, int64_t value, bool keep,
                           const prt_site *site);
PRT_API void prt__sem_signal(prt_task *task, prt_sem *sem, int64_t increment, const prt_site *site);
// Signals the semaphore that lies in another core's memory where `sem` lies in the task's own. The
// target is given as to prt__peer.
PRT_API void prt__peer_signal(prt_task *task, prt_sem *sem, int32_t device, int32_t core,
                              int64_t increment, const prt_site *site);
PRT_API int32_t prt__sem_read(prt_task *task, prt_sem *sem);
// The loop in which a count is read: none, a while loop, or one whose condition hangs on nothing
// but counts.
enum { PRT_LOOP_NONE, PRT_LOOP_WHILE, PRT_LOOP_WAITS };
// Before a count is read. false: suspend, so that others can change it. Who reads counts that
// nobody changes in a loop, very often, is taken for one that goes on like that for ever;
// prt__sem_afresh says that the loop is over.
PRT_API void prt__sem_afresh(prt_task *task);
PRT_API bool prt__sem_pause(prt_task *task, prt_sem *sem, int32_t loop, const prt_site *site);
// Before memory that other cores change too is looked at. false: suspend, so that they can.
PRT_API bool prt__turn(prt_task *task);
// Under check, when a scope is entered: its semaphores become zero, and a finding if they were not.
PRT_API void prt__check_scope(prt_task *task, prt_sem *sems, int64_t count);
// The semaphore of collective id `id` on the core of `peer`, which may be the task itself. It lives
// as long as the call.
PRT_API prt_sem *prt__barrier_sem(prt_task *task, const prt_task *peer, int32_t id);
// A semaphore's index is out of range: the call fails.
PRT_API void prt__no_semaphore(prt_task *task, int64_t index, int64_t count, const prt_site *site);
// The ends of a copy differ in a size that is known only now: the call fails.
PRT_API void prt__unequal_copy(prt_task *task, int32_t dim, int64_t from, int64_t to,
                               const prt_site *site);
// In the program of a device: comes to a meeting of all devices. true: they are all there. false:
// suspend; they are when the task is resumed.
PRT_API bool prt__meet(prt_task *task, const prt_site *site);
// In the program of a device, or of one of its cores: the region lies in memory that all devices
// see, and has just been written. Where devices are spread over ranks, the others get it.
struct prt_region;
PRT_API void prt__publish(prt_worker *worker, const struct prt_region *region);
enum { PRT_OWN = INT32_MIN };
// Another core's task. `device` and `core`: PRT_OWN for the task's own. `of_device`: the program of
// the device itself, whatever core is asked for. If there is no such device or core the call fails,
// and the task itself comes back.
PRT_API prt_task *prt__peer(prt_task *task, int32_t device, int32_t core, bool of_device,
                            const prt_site *site);

// ---- values for messages ------------------------------------------------------------------------
// A value in memory, row-major and contiguous.
typedef struct prt_value {
  const void *data;
  int32_t dtype; // prt_dtype
  int32_t rank;
  const int64_t *dims; // NULL if rank is 0
} prt_value;

// pl.debug_print: a Python format string ("x = {}, {1:>8.3f}", "{{"), values as NumPy prints them,
// and a newline. Lines of several threads do not mix.
PRT_API void prt__debug_print(prt_worker *worker, const char *format, int32_t count,
                              const prt_value *values);

// ---- checks ------------------------------------------------------------------------------------
// The grid step that runs, for reports; lives on the stack of the code that walks the grid, and is
// linked into the worker while a body runs.
typedef struct prt_step {
  const struct prt_step *outer; // set by prt__step_enter
  const char *launch;           // the kernel's name
  int32_t rank;
  const char *const *names; // of the grid's dimensions; NULL, or NULL for one without
  const int64_t *indices;   // may change while the step is entered
} prt_step;
PRT_API void prt__step_enter(prt_worker *worker, prt_step *step);
PRT_API void prt__step_leave(prt_worker *worker, prt_step *step);

// ---- what a schedule was (for the driver) -------------------------------------------------------
typedef struct prt_explored {
  int64_t choices;       // between several tasks that could run, or copies that could land
  int64_t copies;        // that were started
  int64_t signals;       // that programs sent
  int64_t steps;         // the most of a task
  int64_t atomics;       // that others may see, which programs made
  int64_t looks;         // at counts, by programs that may go on whatever they find
  bool is_settled;       // no choice could have made a difference (under check, if there were any)
  bool prints;           // under check: a kernel printed, on whatever rank
  const prt_site *fault; // the signal that was lost or came twice; NULL: none was
  bool is_lost;          // it was lost
  int64_t *drawn; // choices that were other ones than those without a draw, by number, the first
                  // MOST_DRAWN of them; the machine's until its next call
  int64_t drawn_count;
} prt_explored;
// Whether prt_machine_schedule knows these words.
PRT_API bool prt__is_schedule(const char *words);
// Of the machine's last call that had a program that waits.
PRT_API prt_explored prt__explored(prt_machine *machine);
// Calls from here on are one call in several schedules, or (false) not. What one of them leaves
// unwritten of an output is unwritten for who looks at it behind the last one.
PRT_API void prt__one_of_schedules(prt_machine *machine, bool is_one_of);
// The last of them has been made.
PRT_API void prt__schedules_over(prt_machine *machine);
// The place in the source that prt_error_message() reports; it is of the code that failed. NULL:
// none.
PRT_API const prt_site *prt__error_site(void);

// A check that failed: reported through the machine's on_finding or on stderr, counted; the call's
// status becomes PRT_ERROR_CHECK. `format` is a Python format string for the values. The code goes
// on, but must not make the access that was refused: it reads zero, or stores nowhere.
// `kind`: prt_finding_kind.
PRT_API void prt__check_failed(prt_worker *worker, int32_t kind, const prt_site *site,
                               const char *format, int32_t count, const prt_value *values);
// A while loop has made so many turns. True: it has made too many, or the machine was stopped; that
// has been reported, the call has failed, and the loop ends.
PRT_API bool prt__loop_ends(prt_worker *worker, const prt_site *site, int64_t turns);
// The call is to end: it fails in turn `turns` of this loop, if it has not done so. The code
// returns.
PRT_API void prt__loop_stopped(prt_worker *worker, const prt_site *site, int64_t turns);
// The next finding of this worker stands in the turn `index`, from 0, of a loop; of several, the
// innermost is said first.
PRT_API void prt__check_turn(prt_worker *worker, const prt_site *loop, int64_t index);
// The usual ones: an index or a slice [start, start + (size - 1) * stride] outside of [0, limit) in
// dimension `dim` of `what`.
PRT_API void prt__check_index(prt_worker *worker, const prt_site *site, const char *what,
                              int32_t dim, int64_t index, int64_t limit);
PRT_API void prt__check_slice(prt_worker *worker, const prt_site *site, const char *what,
                              int32_t dim, int64_t start, int64_t size, int64_t stride,
                              int64_t limit);

// Memory that knows which of its bytes have been written. Code compiled with checks runs on one
// thread. Fresh memory and outputs are filled (NaN, the largest integer or true; `dtype` says
// which) and watched until prt__leave or until memory there is watched anew. `what` names it in
// reports. `dims` must live as long as the machine. PRT_ADOPT_PARTS: fresh memory of several cores,
// who have a part each, by the first dimension.
#define PRT_PRISTINE "unwritten" // the name of memory that is never written
enum { PRT_ADOPT_FRESH, PRT_ADOPT_OUT, PRT_ADOPT_IN_OUT, PRT_ADOPT_WINDOW, PRT_ADOPT_PARTS };
PRT_API void prt__check_adopt(prt_worker *worker, void *memory, int32_t dtype, int32_t rank,
                              const int64_t *dims, const char *what, int32_t role);
// A part of memory: rank dimensions with strides in bytes. Memory that is not watched counts as
// written.
typedef struct prt_region {
  const void *base;
  int32_t element_bytes, rank;
  const int64_t *dims, *strides;
} prt_region;
PRT_API void prt__check_written(prt_worker *worker, const prt_region *region);
PRT_API void prt__check_element_written(prt_worker *worker, const void *element, int64_t bytes);
// Reads are no findings: each element gets a mark, in row-major order: 0, or `origin` if it was
// never written, or the mark that was stored with it. Code hands marks on with values, gives them
// back with what it stores, and says where one decides something: that is the finding, reported at
// the place that read.
enum { PRT_FIRST_ORIGIN = 2, PRT_LAST_ORIGIN = 239, PRT_IMPORTED_ORIGINS = 16 };
PRT_API void prt__check_unwritten(prt_worker *worker, const prt_site *site,
                                  const prt_region *region, int32_t origin, uint8_t *marks);
PRT_API int32_t prt__check_element_unwritten(prt_worker *worker, const prt_site *site,
                                             const void *element, int64_t bytes, int32_t origin);
PRT_API void prt__check_unwrite(prt_worker *worker, const prt_region *region,
                                const prt_region *marks);
PRT_API void prt__check_element_unwrite(prt_worker *worker, const void *element, int64_t bytes,
                                        int32_t mark);
PRT_API void prt__check_used(prt_worker *worker, const prt_site *site, int32_t mark,
                             const char *how);
// Whether anybody is to read the parameter of that number when the call is over
// (prt_results_unread).
PRT_API bool prt__result_is_read(prt_worker *worker, int32_t parameter);
// With checks: element `element` of that parameter, an array of counts, is to have the semaphore's
// when the call is over, whose copies may be under way; the semaphore begins with that count.
PRT_API void prt__sem_pass(prt_worker *worker, const prt_sem *sem, int32_t parameter,
                           int32_t element);
PRT_API void prt__sem_take(prt_worker *worker, const prt_sem *sem, int32_t parameter,
                           int32_t element);
// What is in this memory is in that memory from here on. Of a parameter's: its number, else -1.
PRT_API void prt__sem_moved(prt_worker *worker, const void *from, const void *to,
                            int32_t from_parameter, int32_t to_parameter, int64_t bytes);
// An output at the end of its launch: where it was never written, this is the place to tell of.
// `what` is the kernel's parameter.
PRT_API void prt__check_output(prt_worker *worker, const prt_site *site, const prt_region *region,
                               const char *what);
// Steps of a launch of which some may run beside each other, those of different numbers: one that
// begins has this block of an array, an output's, which the body sees as the memory `window`, or
// (NULL) an input's that is an output as well. What a step finds in a window that another one left,
// and what a block holds that several write, is as good as never written, but reported as a race. A
// block that others read is reported at the end of the launch.
PRT_API void prt__parallel_block(prt_worker *worker, const prt_site *site, const prt_region *block,
                                 const prt_region *window, int32_t number, const char *what);
// The step that begins has this number, another one than the step before it. What it touches of
// memory that others of the launch have as well, by copies of its own, no other number may meet.
PRT_API void prt__parallel_step(prt_worker *worker, int32_t number);
// These semaphores are the launch's: what the step that ends here has signalled on them it must
// have waited for, since another core may have the next step.
PRT_API void prt__parallel_rest(prt_worker *worker, const prt_sem *semaphores, int64_t count);
PRT_API void prt__parallel_end(prt_worker *worker);
// A copy inside a machine carries "never written" along.
PRT_API void prt__check_copied(prt_worker *worker, const prt_region *to, const prt_region *from);
// The program looks at results of calls (a machine with keeps_unwritten): a finding if what it
// looks at was never written. `how` says what for; NULL: nothing is reported. Whether there is one.
PRT_API bool prt__check_read(prt_machine *machine, const prt_region *region, const char *how);
// What it has not looked at, of calls none of whose results it looked at; `all`: of any call. All
// of them count as looked at from then on. Whether there was a finding.
PRT_API bool prt__check_rest(prt_machine *machine, bool all);
// Its memory that `lives` does not hold for will be other memory: what is known of it is not found
// by its place any more. What prt__check_rest reports stays.
PRT_API void prt__check_gone(prt_machine *machine,
                             bool (*lives)(const void *data, const void *memory), const void *data);
// It copies elements, to memory of its own that is contiguous.
PRT_API void prt__check_moved(prt_machine *machine, const prt_region *to, const prt_region *from);

// ---- races -------------------------------------------------------------------------------------
// Code with checks says what it touches, where other tasks, or copies under way, may touch it too:
// docs/check.md. What `prt__copy_start` copies need not be said. PRT_CHANGE: adds to what is there,
// as one operation; PRT_RELEASE: the memory's scope ends, what lies there then is something else;
// PRT_BEGIN: the memory of a launch begins to exist for others, PRT_ENTER: that of a scope;
// PRT_DIES: nothing uses the array any more, something else may have its memory; PRT_OVER: so it is
// with memory of a launch, which has ended.
enum {
  PRT_READ = 1,
  PRT_WRITE = 2,
  PRT_CHANGE = 4,
  PRT_RELEASE = 8,
  PRT_BEGIN = 16,
  PRT_ENTER = 32,
  PRT_DIES = 128,
  PRT_OVER = 129,
  PRT_BLOCK = 64 // beside PRT_READ or PRT_WRITE: by the window of a step of parallel dimensions
};
// And, shifted by PRT_MOVE_SHIFT, what the chip's pipeline does between two steps: it fetches a
// block for the step that begins, writes one back before that or behind the last step, or begins
// another one, of which nothing is written.
enum { PRT_MOVE_NONE, PRT_MOVE_FETCH, PRT_MOVE_WRITE_BACK, PRT_MOVE_LAST, PRT_MOVE_RENEW };
enum { PRT_MOVE_SHIFT = 8 };
// A loop whose iterations are independent (PRT_TURN_ENTER, PRT_TURN_LEAVE around it), the iteration
// `number` of the innermost one that begins; accesses between PRT_TURN_SUM and PRT_TURN_SUMMED add.
enum { PRT_TURN_ENTER, PRT_TURN_NEXT, PRT_TURN_LEAVE, PRT_TURN_SUM, PRT_TURN_SUMMED };
PRT_API void prt__race_turn(prt_worker *worker, int32_t what, int32_t number);
PRT_API void prt__race_access(prt_worker *worker, const prt_site *site, const prt_region *region,
                              int32_t how);
PRT_API void prt__race_element(prt_worker *worker, const prt_site *site, const void *element,
                               int64_t bytes, int32_t how);
// What the task touches and signals between these two is what a copy of its own does, which is made
// now, but might be made later. It signals `received` by received_units, and `sent`, if not NULL.
PRT_API void prt__race_copy_begin(prt_task *task, const prt_site *site, const prt_sem *received,
                                  const prt_sem *sent, int64_t received_units, int64_t sent_units);
PRT_API void prt__race_copy_end(prt_worker *worker);
// The copy that the task has started just now goes by an index in this memory, and reads it
// whenever it likes.
PRT_API void prt__race_index(prt_worker *worker, const prt_region *region);
// The chip's pipeline begins to fetch this block (PRT_READ), or to write it back: the task signals
// the semaphore by 1 now, prt__race_copy_end follows, and the copy, which is made elsewhere, is
// over at a wait for that unit. `what` names the window, which has so many buffers; `ahead`: the
// block is for this step, 0, the next one, 1, or perhaps a later one, 2.
PRT_API void prt__race_window(prt_task *task, const prt_site *site, const prt_region *block,
                              const prt_sem *sem, int32_t how, const char *what, int32_t buffers,
                              int32_t ahead);
// Before an atomic operation. If somebody looks at what it returns, it is ordered after all earlier
// ones on that memory; those that nobody looks at may change places with each other.
PRT_API void prt__race_atomic(prt_worker *worker, const prt_site *site, const void *element,
                              int64_t bytes, int32_t is_looked_at);
// The task has read a semaphore's count, and goes on as it does because the count is at least
// `least`; nothing happens if it is less.
PRT_API void prt__race_polled(prt_task *task, const prt_sem *sem, int32_t count, int32_t least,
                              const prt_site *site);
// It goes on as it does because counts it has read, each times its term's weight, sum up to
// `least`: each term is recorded, then the sum. A weight of at most 0 proves nothing, since a count
// may be 0.
PRT_API void prt__race_polled_term(prt_task *task, const prt_sem *sem, int64_t weight);
PRT_API void prt__race_polled_sum(prt_task *task, int64_t least, const prt_site *site);
enum { PRT_POLLED_COUNTS = 8 };
// It goes on as it does because counts it has read are as they are: each of them is recorded, then,
// in ascending order, the points below `side` for which it does so (their digits to that base are
// the counts, the first one's last), then that these are all. There are at most PRT_POLLED_COUNTS
// counts.
PRT_API void prt__race_polled_count(prt_task *task, const prt_sem *sem);
PRT_API void prt__race_polled_point(prt_task *task, int32_t side, int64_t point);
PRT_API void prt__race_polled_points(prt_task *task, int32_t side, const prt_site *site);
// The name of a parameter, for reports. `dims` and `what` must live as long as the call.
PRT_API void prt__race_input(prt_worker *worker, const void *memory, int32_t dtype, int32_t rank,
                             const int64_t *dims, const char *what);

// ---- copies ------------------------------------------------------------------------------------
// Bits of prt_copy.counts: what counts copies, not bytes.
enum { PRT_COUNTS_RECEIVED = 1, PRT_COUNTS_SENT = 2 };
typedef struct prt_copy { // what is known of a copy when it is compiled
  int32_t element_bytes, rank;
  const int64_t *dims, *to_strides, *from_strides; // strides in bytes
  const prt_site *site;
  int32_t add;    // prt_dtype of elements that are added to what is there; 0: they replace it
  int32_t counts; // PRT_COUNTS_… together
} prt_copy;
// Starts a copy. When it is done, which may be at once, `received` is signalled with its bytes, and
// `sent` (NULL for a local copy) too.
// `dims`: NULL, or the dims if they are not the ones of `copy`. `peer` is the task in whose memory
// `to` and `received` are, the task itself for a local copy.
PRT_API void prt__copy_start(prt_task *task, prt_task *peer, const prt_copy *copy,
                             const int64_t *dims, void *to, const void *from, prt_sem *received,
                             prt_sem *sent);

#ifdef __cplusplus
}
#endif
#endif
