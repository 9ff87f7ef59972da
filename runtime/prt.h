// SPDX-License-Identifier: Apache-2.0
// The pallasc runtime: what a program that calls compiled kernels sees. C99 and C++11.
//
// A generated header includes this file and declares one function an entry point:
//   prt_status add(prt_machine *machine, const float *x, const float *y, float *out);
// `machine` may be NULL: the process's default machine. A status other than PRT_OK comes with
// prt_error_message(). Every function here may be called from several threads at once, on one
// machine or on several.
#ifndef PRT_H
#define PRT_H
#if defined(__STRICT_ANSI__) && !defined(__cplusplus) && !defined(__STDC_VERSION__)
#error "prt.h is for C99 and later: -std=c99, or -std=gnu89 without -pedantic"
#endif
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PRT_ABI_VERSION 4 // of prt_entry and of the functions that compiled code calls

#if defined(__GNUC__)
#define PRT_API __attribute__((visibility("default")))
#else
#define PRT_API
#endif

// ---- statuses ----------------------------------------------------------------------------------
typedef enum prt_status {
  PRT_OK = 0,
  PRT_ERROR_ARGUMENT =
      1,                // a NULL pointer, an option out of range, a size that there is no code for
  PRT_ERROR_MEMORY = 2, // the system gave no memory
  PRT_ERROR_CPU = 3,    // the object was compiled for a CPU with features that this one lacks
  PRT_ERROR_MACHINE =
      4, // the object was compiled for another chip or more devices, or for another ABI
  PRT_ERROR_CHECK = 5,    // code compiled with checks found something
  PRT_ERROR_IO = 6,       // a file could not be read or written
  PRT_ERROR_FORMAT = 7,   // a file is not what it should be
  PRT_ERROR_DEADLOCK = 8, // every core waits for something that cannot come
  PRT_ERROR_STOPPED = 9   // prt_machine_stop was called
} prt_status;

// The message of the calling thread's last call that failed; "" if none did. Valid until the
// thread's next failure.
PRT_API const char *prt_error_message(void);
// "out of memory", …; never NULL.
PRT_API const char *prt_status_name(prt_status status);
PRT_API const char *prt_version(void); // "0.1.0"

// ---- element types -----------------------------------------------------------------------------
// The numbers are part of the ABI. prt_dtype.def has names, sizes and C types.
typedef enum prt_dtype {
#define PRT_DTYPE(id, number, short_name, name, bytes, kind, c_type, descr) PRT_##id = number,
#include "prt_dtype.def"
#undef PRT_DTYPE
} prt_dtype;

// Storage of element types that C has no type for. int4 and uint4 are the low four bits of a byte,
// int2 and uint2 the low two, the high ones zero.
typedef uint16_t prt_bf16;
typedef uint16_t prt_f16;
typedef uint8_t prt_f8e4m3fn;
typedef uint8_t prt_f8e5m2;
typedef uint8_t prt_f8e4m3b11fnuz;
typedef uint8_t prt_f8e3m4;
typedef uint8_t prt_f8e4m3;
typedef uint8_t prt_f8e4m3fnuz;
typedef uint8_t prt_f8e5m2fnuz;
typedef uint8_t prt_f8e8m0fnu;
typedef uint8_t prt_f4e2m1fn; // in the low four bits
typedef uint8_t prt_i2;
typedef uint8_t prt_u2;
typedef uint8_t prt_i4;
typedef uint8_t prt_u4;

PRT_API size_t
prt_dtype_size(prt_dtype dtype); // bytes an element takes in memory; 0 for no such type
PRT_API const char *prt_dtype_name(prt_dtype dtype); // "float32"; NULL for no such type
PRT_API bool prt_dtype_from_name(const char *name, prt_dtype *out); // "float32" or "f32"

// Writes an array as Python prints a NumPy array: "[[0.5 1. ]\n [2.  3. ]]"; a scalar for rank 0.
PRT_API prt_status prt_print_array(FILE *out, prt_dtype dtype, int32_t rank, const int64_t *dims,
                                   const void *data);

static inline float prt_bf16_to_float(prt_bf16 x) {
  union {
    uint32_t u;
    float f;
  } bits;
  bits.u = x; // no cast: C++ that includes this may warn of those of C
  bits.u <<= 16;
  return bits.f;
}
PRT_API prt_bf16 prt_bf16_from_float(float x); // to nearest, halves to even
PRT_API float prt_f16_to_float(prt_f16 x);
PRT_API prt_f16 prt_f16_from_float(float x);

// ---- machines ----------------------------------------------------------------------------------
typedef struct prt_machine prt_machine;

// Where in the source something stands. Ranges of columns are in bytes, from 1; end_column is one
// behind the last.
typedef struct prt_site {
  const char *file;
  int32_t line, column, end_column; // line 0: nowhere
  const char *source;               // the text of the line, without its newline, or NULL
  const char *function;             // the function the place is in ("" at module level)
  const struct prt_site *caller;    // where that function was called from, or NULL
} prt_site;

// More that belongs to a finding, at a place of its own.
typedef struct prt_finding_note {
  const prt_site *site;
  const char *message;
} prt_finding_note;

// The numbers are part of the ABI. prt_finding.def says what each is.
typedef enum prt_finding_kind {
#define PRT_FINDING(id, number, name, text) PRT_FINDING_##id = number,
#include "prt_finding.def"
#undef PRT_FINDING
} prt_finding_kind;

// What a check found (code compiled with --check).
typedef struct prt_finding {
  const prt_site *site;
  const char *message;
  const char *launch;            // the kernel's name, or NULL outside a launch
  int32_t grid_rank;             // of the step that was running
  const int64_t *grid;           // its indices
  const char *const *grid_names; // of the dimensions; NULL, or NULL for one without a name
  int32_t note_count;
  const prt_finding_note *notes;
  const char *help; // what to do about it, or NULL
  int32_t kind;     // prt_finding_kind
  bool is_result;   // PRT_FINDING_UNWRITTEN: of what a call gives back; nobody has looked at it yet
  const char *data; // PRT_FINDING_RACE: the two accesses, what is missing, and how often, as a JSON
                    // object (docs/check.md); else NULL
} prt_finding;

PRT_API const char *prt_finding_kind_name(int32_t kind); // "race"; never NULL
// A finding as it is printed, and as a JSON object: {"severity","kind","message","file","line",
// "column","end_column","source","launch","grid","result","frames","notes","help","race"}. As
// snprintf: writes what fits into `capacity` bytes, a NUL behind it, and gives the length of all.
// To be called where the finding is given.
PRT_API size_t prt_finding_text(const prt_finding *finding, char *out, size_t capacity);
PRT_API size_t prt_finding_json(const prt_finding *finding, char *out, size_t capacity);

typedef struct prt_machine_options {
  size_t size; // sizeof(prt_machine_options): how much of it the caller knows, whose header may
               // be older than the library, or newer; set by prt_machine_options_init
  const char *chip; // "v5p"; NULL: as the first entry point asks
  int devices;      // default 1
  int threads; // of the host; 0: PRT_THREADS, else as many as there are CPUs the process may run on
  // Called for what a check found, one at a time; NULL: printed to stderr as clang would.
  void (*on_finding)(void *data, const prt_finding *finding);
  // Called with the text of pl.debug_print, newline included, one at a time; NULL: written to
  // stdout.
  void (*on_print)(void *data, const char *text, size_t length);
  void *data;           // handed to both
  int64_t max_findings; // findings reported for one call, further ones are only counted; default 20
  // Programs that wait: on worker threads, for speed, or all on the calling thread, with every
  // choice (who runs next, which copy ends when) drawn from `seed`, so that a run can be repeated.
  bool seeded;
  uint64_t seed;
  const char *deadlock_dot; // file that a deadlock is drawn into, or NULL
  // Called with the report of a deadlock, a finding as it is printed; NULL: written to stderr.
  void (*on_report)(void *data, const char *text, size_t length);
  // Code with checks: what of a call's outputs was never written is not reported when the call
  // ends; later calls on this machine know of it, as long as the machine lives.
  bool keeps_unwritten;
  // Devices spread over several processes, each with such a machine (docs/ranks.md): "mpi", the
  // site's MPI; "mpich", which may be there beside it; or NULL for none.
  const char *transport;
  // The bytes of scratch memory (HBM, VMEM, SMEM of calls) that the machine may have, asked before
  // it takes more, on any thread; a call that needs more fails with PRT_ERROR_MEMORY. NULL: no
  // limit.
  size_t (*most_scratch)(void *data);
  // A pointer to the MPI_Comm whose ranks they are, of which a duplicate is used; NULL:
  // MPI_COMM_WORLD, and MPI is initialised if the program has not done so.
  void *mpi_comm;
  // Over ranks: elements of arrays outside of devices' programs that a rank's devices write stay on
  // that rank, and keep on the others what they held. For calls that read no more of an array on a
  // rank than its devices have been given, or have written, in arguments, between kernels and in
  // results; of such an argument a rank needs its own part alone. false: every rank has all of
  // every result.
  bool local_results;
  // Code with checks: a while loop that makes more turns is a livelock, PRT_ERROR_DEADLOCK with a
  // report. 0: no limit.
  int64_t max_turns;
  // Over ranks, on rank 0, while the machine is freed: how the program of another rank has ended
  // (prt_machine_ending), where it is with another status than here, or with a text that is not
  // the one here; of several equal ones the first. NULL: not reported.
  void (*on_ending)(void *data, int rank, int status, const char *text);
} prt_machine_options;

// Defaults of what stands in `size` bytes, which is written into the struct.
PRT_API void prt_machine_options_init_size(prt_machine_options *options, size_t size);
// The same of the struct as version 0.1.0 had it, for callers that have no header; with one, of the
// struct as it is there.
PRT_API void prt_machine_options_init(prt_machine_options *options);
#define prt_machine_options_init(options)                                                          \
  prt_machine_options_init_size((options), sizeof *(options))
// NULL after a failure. `options` may be NULL.
PRT_API prt_machine *prt_machine_new(const prt_machine_options *options);
// No call may be running on it. NULL and the default machine, which lives as long as the process,
// are ignored.
PRT_API void prt_machine_free(prt_machine *machine);
PRT_API prt_machine *prt_machine_default(void); // NULL after a failure
// How calls of programs that wait are scheduled from here on, in words with commas between them,
// for a machine that was made with `seeded`. NULL: as its options say.
//   seed=N             every choice is drawn from N; without it, none is: a task goes on while it
//                      can, and the first that can is next
//   late, early, links copies are made where a wait cannot go on without them; as soon as they are
//                      started; late over the links that are drawn, early over the others.
//                      Without: at times that are drawn
//   draws=3+9+20-29    only these choices are drawn (draws=none), by their numbers in the run
//   steps=N            the run is over where a core would begin its grid step N + 1
//   lose=N, double=N   signal N of the run is lost, or comes twice
// PRT_ERROR_ARGUMENT: there is no such word. No call may be running on the machine.
PRT_API prt_status prt_machine_schedule(prt_machine *machine, const char *words);
// From any thread, or a signal's handler: a call that runs long ends with PRT_ERROR_STOPPED, within
// some milliseconds as a rule. on_report says where, if there is one and it was in a loop of the
// kernel or over its grid; so does prt_error_message(). So do later calls that run long, until it
// is taken back. NULL is the default machine.
PRT_API void prt_machine_stop(prt_machine *machine, bool stop);
// prt_machine_stop(machine, true), and on_report is not called.
PRT_API void prt_machine_stop_silently(prt_machine *machine);
// While on_report runs: the deadlock that it reports, as a finding; else NULL.
PRT_API const prt_finding *prt_machine_deadlock(const prt_machine *machine);
PRT_API int prt_machine_threads(prt_machine *machine);
PRT_API int prt_machine_devices(prt_machine *machine);
// Of the processes that its devices are spread over, the number of this one, and how many there
// are: 0 and 1 without a transport.
PRT_API int prt_machine_rank(prt_machine *machine);
PRT_API int prt_machine_ranks(prt_machine *machine);
// How the program ends in this process: its exit status, and what it says of it, which is copied.
// Without a call: with 0, and nothing to say. Before the machine is freed, on the thread that frees
// it.
PRT_API void prt_machine_ending(prt_machine *machine, int status, const char *text);
// Findings of checks since the machine was made.
PRT_API int64_t prt_machine_findings(prt_machine *machine);
// Bytes of scratch memory (HBM, VMEM, SMEM) the machine keeps between calls; of calls that run,
// what they have so far.
PRT_API size_t prt_machine_footprint(prt_machine *machine);
// Gives that memory back to the system. No call may be running on the machine.
PRT_API void prt_machine_trim(prt_machine *machine);

// ---- entry points ------------------------------------------------------------------------------
typedef enum prt_role {
  PRT_IN = 0,
  PRT_OUT = 1,
  PRT_IN_OUT = 2,
  PRT_SIZE = 3 // a size that the arrays' dimensions depend on: an int64_t
} prt_role;
enum {
  PRT_MAX_SIZES = 16, // that an entry point takes
  PRT_ANY_SIZE = -1   // of a dimension that depends on sizes
};

typedef struct prt_param {
  const char *name; // as in the C prototype
  const char *
      label; // where it stands in the function's arguments or results: "params['w']"; else the name
  int32_t role;  // prt_role
  int32_t dtype; // prt_dtype
  int32_t rank;
  const int64_t *dims; // row-major, contiguous; PRT_ANY_SIZE: it depends on sizes
} prt_param;

enum {
  PRT_ENTRY_CHECKED = 1, // compiled with checks
  PRT_ENTRY_WAITS = 2    // with checks: it copies, signals or waits
};

// The descriptor of the entry point NAME is the object `prt_entry_NAME` of the object file or
// library.
typedef struct prt_entry {
  uint32_t abi_version; // PRT_ABI_VERSION
  uint32_t flags;
  const char *name;
  const char *signature; // "add(x: f32[512,512], y: f32[512,512]) -> f32[512,512]"
  const char *source;    // the file it was compiled from
  uint32_t param_count;
  int32_t devices;
  const prt_param *params;
  const char *chip;
  uint64_t cpu_features[2]; // bits of prt_cpu.def: what the CPU must have
  const char *cpu;          // the name of the CPU it was compiled for: "znver5"
  // Calls it: arguments[i] is the memory of params[i], of a size an int64_t.
  prt_status (*call)(prt_machine *machine, void *const *arguments);
  void (*function)(void); // the function of the header, to be cast to its type
  // An entry point for several sizes: its first size_count parameters are the sizes. Each of its
  // variants is the descriptor of the code for one combination of them: all dimensions are known,
  // the sizes are no parameters, and stand in `sizes`.
  uint32_t size_count;
  uint32_t variant_count; // 0: it has one shape, or is a variant itself
  const struct prt_entry *const *variants;
  const int64_t *sizes; // of a variant, size_count of them; else NULL
} prt_entry;

// Through dlsym(dl_handle, "prt_entry_NAME"); a dl_handle of NULL is the program itself, which
// must export its symbols (cc -rdynamic). NULL after a failure (no such entry point, or another
// ABI).
PRT_API const prt_entry *prt_find_entry(void *dl_handle, const char *name);
// All entry points of a library: their number, and the first `capacity` of them in `entries`. 0 if
// there are none.
PRT_API size_t prt_list_entries(void *dl_handle, const prt_entry **entries, size_t capacity);
// Whether this CPU can run it; if not, the message names the features that are missing.
PRT_API prt_status prt_entry_supported(const prt_entry *entry);
// The variant of an entry point for these sizes, size_count of them; the entry point itself if it
// has no variants. If there is none for them: PRT_ERROR_ARGUMENT, and a message that lists the
// sizes there are.
PRT_API prt_status prt_entry_for_sizes(const prt_entry *entry, const int64_t *sizes,
                                       const prt_entry **variant);
// Calls of this thread, from here on: nobody reads what they leave at these addresses, `count` of
// them, the memory of parameters. So code with checks does not tell of what was never written
// there, or by several steps that may run at once. The list is the caller's; NULL: everything is
// read.
PRT_API void prt_results_unread(void *const *memory, size_t count);
// Calls of this thread, from here on, are part of one run of a program, with this number: copies
// that one leaves under way are so in the others. 0: each is a program of its own.
PRT_API void prt_calls_of_run(int64_t run);
// Likewise, that something at `site` reads a result, `name` of the kernel, before anybody gets the
// counts of a semaphore that is another result. That is a race with a copy towards the semaphore
// that writes any of what is read; of a `reader` that waits, its call says what it reads. The list
// is the caller's.
enum { PRT_EARLY_RANK = 8 };
typedef struct prt_early_read {
  const char *name;
  const void *counts;             // the memory of a parameter
  const struct prt_entry *reader; // NULL: it does not wait
  prt_site site;
  // What is read of each dimension: the first element, the one behind the last, the step. rank 0:
  // all of the result; -1: not known, so that only a copy of all of it is a race.
  int32_t rank;
  int64_t spans[PRT_EARLY_RANK][3];
  // The memory of an argument that nothing uses behind the call, instead of a read.
  const void *dies;
  int32_t look; // it is read if prt_looked says so for this number; 0: in any case
} prt_early_read;
PRT_API void prt_results_read_early(const prt_early_read *reads, size_t count);
// What calls of the run on the machine have said to be read by this look is read now, if nobody has
// got the semaphore. A race is reported by the call that waits.
PRT_API void prt_looked(prt_machine *machine, int64_t run, int32_t look);
// Bytes of the memory of a parameter; 0 if they depend on sizes.
PRT_API size_t prt_param_bytes(const prt_param *param);

#ifdef __cplusplus
}
#endif
#endif
