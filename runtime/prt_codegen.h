// SPDX-License-Identifier: Apache-2.0
// What compiled code calls. Not for programs: it may change with PRT_ABI_VERSION.
//
// The shape of a compiled entry point. It is compiled for the baseline of the architecture and does
// no arithmetic of its own, so that the check of the CPU comes before the first instruction of
// `add_body`, which is compiled for the target:
//
//   prt_status add(prt_machine *machine, const float *x, const float *y, float *out) {
//     prt_worker *worker;
//     prt_status status = prt__enter(machine, &prt_entry_add, &worker);
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
// A prt_worker is one thread's part of one call: it has the memory the code may use, and knows the
// call. It is never shared between threads at the same time. Nothing here returns through a
// longjmp.
#ifndef PRT_CODEGEN_H
#define PRT_CODEGEN_H
#include "prt.h"

#ifdef __cplusplus
extern "C" {
#endif

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

// ---- threads -----------------------------------------------------------------------------------
// Runs body(context, begin, end, w) for disjoint pieces that together are [0, count), on the
// calling thread and on workers of the machine; returns when all are done. Pieces have at least
// `grain` indices (1 if it is 0 or less), but the last one. `w` is the worker of the thread the
// piece runs on; memory taken from it is released when body returns. With one thread, or count <=
// grain, or called from inside a body, all of it is body(context, 0, count, worker) at once. Once
// the call has failed, no further pieces are started.
typedef void (*prt_body)(void *context, int64_t begin, int64_t end, prt_worker *worker);
PRT_API void prt__parallel_for(prt_worker *worker, int64_t count, int64_t grain, prt_body body,
                               void *context);
// Threads that a prt__parallel_for started here could use: 1 inside a body that runs beside others.
PRT_API int32_t prt__threads(const prt_worker *worker);
// The number of the thread the worker runs on within its call, in [0, prt_machine_threads): 0 is
// the caller's.
PRT_API int32_t prt__thread_index(const prt_worker *worker);

// ---- values for messages
// --------------------------------------------------------------------------- A value in memory,
// row-major and contiguous.
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

// A check that failed: told through the machine's on_finding or on stderr, counted; the call's
// status becomes PRT_ERROR_CHECK. `format` is a Python format string for the values. The code goes
// on, but must not make the access that was refused: it reads zero, or stores nowhere.
PRT_API void prt__check_failed(prt_worker *worker, const prt_site *site, const char *format,
                               int32_t count, const prt_value *values);
// The usual ones: an index or a slice [start, start + (size - 1) * stride] outside of [0, limit) in
// dimension `dim` of `what`.
PRT_API void prt__check_index(prt_worker *worker, const prt_site *site, const char *what,
                              int32_t dim, int64_t index, int64_t limit);
PRT_API void prt__check_slice(prt_worker *worker, const prt_site *site, const char *what,
                              int32_t dim, int64_t start, int64_t size, int64_t stride,
                              int64_t limit);

// Memory that knows which of its bytes have been written. Code compiled with checks runs on one
// thread and takes memory that starts unspecified from here instead of prt__alloc; it holds NaN,
// the largest integer or true (`dtype` says which). `what` names it in reports. `dims` must live as
// long as the call.
PRT_API void *prt__check_alloc(prt_worker *worker, int32_t space, int32_t dtype, int32_t rank,
                               const int64_t *dims, const char *what);
// The same for memory that is there already (an output, a buffer of the frame): it is filled, and
// watched until prt__leave or until memory there is watched anew.
PRT_API void prt__check_adopt(prt_worker *worker, void *memory, int32_t dtype, int32_t rank,
                              const int64_t *dims, const char *what);
// A part of memory: rank dimensions with strides in bytes. Memory that is not watched counts as
// written.
typedef struct prt_region {
  void *base;
  int32_t element_bytes, rank;
  const int64_t *dims, *strides;
} prt_region;
// `mask`: NULL, or one byte an element in row-major order, 0 for those that are not written, or not
// read.
PRT_API void prt__check_written(prt_worker *worker, const prt_region *region, const uint8_t *mask);
// A finding if a byte of it was never written.
PRT_API void prt__check_read(prt_worker *worker, const prt_site *site, const prt_region *region,
                             const uint8_t *mask);
// The same for the bytes of one element.
PRT_API void prt__check_element_written(prt_worker *worker, const void *element, int64_t bytes);
PRT_API void prt__check_element_read(prt_worker *worker, const prt_site *site, const void *element,
                                     int64_t bytes);
// An output at the end of its launch: a finding if a byte of it was never written. It counts as
// written from then on. `what` is the kernel's parameter.
PRT_API void prt__check_output(prt_worker *worker, const prt_site *site, const prt_region *region,
                               const char *what);
// A copy inside a machine carries "never written" along; nothing is found.
PRT_API void prt__check_copied(prt_worker *worker, const prt_region *to, const prt_region *from);

#ifdef __cplusplus
}
#endif
#endif
