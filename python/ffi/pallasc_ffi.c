// SPDX-License-Identifier: Apache-2.0
// XLA's custom call of a compiled kernel. In: buffers of XLA, and as attributes the names (names.h)
// of the kernel's entry point and of the machine it runs on, and of the Devices that meet in it, if
// it is on several, and what is asked of the machine's host (Kernel), and which results the entry
// point does not get (left_out). Out: the buffers of the results, written in place; or an error
// with the runtime's message and what was reported.
//
// XLA's foreign function interface is a stable binary one (xla/ffi/api/c_api.h of jaxlib); the part
// of it that a handler needs is declared here, so that building needs no jaxlib.
// Threads: XLA may call from any number of threads.
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "devices.h"
#include "names.h"
#include "prt_codegen.h"

#define FFI_MAJOR 0
#define FFI_MINOR 3

enum {
  EXTENSION_METADATA = 1,
  STAGE_EXECUTE = 3,
  ATTR_SCALAR = 3,
  ATTR_STRING = 4,
  BUFFER = 1,
  ERROR_INTERNAL = 13
};

typedef struct Extension {
  size_t struct_size;
  int type;
  struct Extension *next;
} Extension;

typedef struct ApiVersion {
  size_t struct_size;
  Extension *extension;
  int major, minor;
} ApiVersion;

typedef struct Metadata {
  size_t struct_size;
  ApiVersion version;
  uint32_t traits;
  int64_t state_type;
} Metadata;

typedef struct MetadataExtension {
  Extension base;
  Metadata *metadata;
} MetadataExtension;

typedef struct ErrorArgs {
  size_t struct_size;
  Extension *extension;
  const char *message;
  int code;
} ErrorArgs;

typedef struct RunIdArgs {
  size_t struct_size;
  Extension *extension;
  void *context;
  int64_t run_id; // the result
} RunIdArgs;

typedef struct Api {
  size_t struct_size;
  Extension *extension;
  ApiVersion version;
  const void *internal;
  void *(*error_create)(ErrorArgs *args);
  void (*unused[15])(void);
  void *(*run_id)(RunIdArgs *args); // NULL, or an error
} Api;

typedef struct Buffer {
  size_t struct_size;
  Extension *extension;
  int dtype;
  void *data;
  int64_t rank;
  int64_t *dims;
} Buffer;

typedef struct Buffers { // arguments or results
  size_t struct_size;
  Extension *extension;
  int64_t size;
  int *types;
  void **items;
} Buffers;

typedef struct ByteSpan {
  const char *data;
  size_t len;
} ByteSpan;

typedef struct Scalar {
  int dtype;
  void *value;
} Scalar;

typedef struct Attrs {
  size_t struct_size;
  Extension *extension;
  int64_t size;
  int *types;
  ByteSpan **names;
  void **items;
} Attrs;

typedef struct CallFrame {
  size_t struct_size;
  Extension *extension;
  const Api *api;
  void *context;
  int stage;
  Buffers args, results;
  Attrs attrs;
  void *future;
} CallFrame;

static void *error(const CallFrame *frame, const char *message) {
  ErrorArgs args = {sizeof args, NULL, message, ERROR_INTERNAL};
  return frame->api->error_create(&args);
}

// The same; the message is freed. NULL: nothing went wrong.
static void *error_of(const CallFrame *frame, char *message) {
  void *failed = message ? error(frame, message) : NULL;
  free(message);
  return failed;
}

// The attribute of a name, if it is of this type; else NULL.
static const void *attribute(const Attrs *attrs, const char *name, int type) {
  for (int64_t i = 0; i < attrs->size; i++) {
    const ByteSpan *span = attrs->names[i];
    if (span->len != strlen(name) || memcmp(span->data, name, span->len) != 0) continue;
    return attrs->types[i] == type ? attrs->items[i] : NULL;
  }
  return NULL;
}

// A number among the attributes; 0 if it is not there.
static uint64_t number(const Attrs *attrs, const char *name) {
  uint64_t value = 0;
  const Scalar *scalar = attribute(attrs, name, ATTR_SCALAR);
  if (scalar) memcpy(&value, scalar->value, sizeof value);
  return value;
}

// skip: a '1' for each buffer that is left out; NULL: none is.
static size_t take_buffers(const Buffers *from, const ByteSpan *skip, void **to) {
  size_t count = 0;
  for (int64_t i = 0; i < from->size; i++)
    if (!skip || (size_t)i >= skip->len || skip->data[i] != '1')
      to[count++] = from->types[i] == BUFFER ? ((const Buffer *)from->items[i])->data : NULL;
  return count;
}

static void keep(void *out, const char *text) { *(char **)out = strdup(text); }

// The memory of results that nobody reads, `count` of them, in `unread`. An array without elements
// may lie where another one does.
static size_t find_unread(const Kernel *kernel, void *const *arrays, void **unread) {
  size_t first = kernel->entry->param_count - kernel->reader_count, count = 0;
  for (size_t i = 0; i < kernel->reader_count; i++)
    if (kernel->readers[i] == READER_NONE && prt_param_bytes(&kernel->entry->params[first + i]))
      unread[count++] = arrays[first + i];
  return count;
}

static bool goes_on(const Kernel *kernel) {
  bool is_masked = kernel->readers && !memchr(kernel->readers, READER_ALL, kernel->reader_count);
  return kernel->asks_goes_on && kernel->host->goes_on(kernel->host->machine, is_masked);
}

// ---- a call in several schedules ----------------------------------------------------------------
// Where the arrays that are read and written begin in what saves them: one behind the other.
static size_t copy_changed(const prt_entry *entry, void *const *arrays, char *saved, bool back) {
  size_t at = 0;
  for (uint32_t i = 0; i < entry->param_count; i++) {
    size_t bytes = entry->params[i].role == PRT_IN_OUT ? prt_param_bytes(&entry->params[i]) : 0;
    if (bytes && saved && back) memcpy(arrays[i], saved + at, bytes);
    if (bytes && saved && !back) memcpy(saved + at, arrays[i], bytes);
    at += bytes;
  }
  return at;
}

static bool is_fatal(prt_status status) { return status != PRT_OK && status != PRT_ERROR_CHECK; }

typedef struct Trial {
  const Kernel *kernel;
  void *const *arrays;
  char *saved;
  bool found; // something, in some run
} Trial;

// words: NULL for the machine's seed.
static prt_status try_one(Trial *t, const char *words, int at) {
  t->kernel->host->trial(t->kernel->host->machine, at);
  if (at == TRIAL_AGAIN) copy_changed(t->kernel->entry, t->arrays, t->saved, true);
  prt_machine_schedule(t->kernel->host->machine, words);
  prt_status status = t->kernel->entry->call(t->kernel->host->machine, t->arrays);
  t->found |= status == PRT_ERROR_CHECK;
  return status;
}

// As driver/run/explore.c: with copies as late as can be, as early, with atomics in the other
// order, and as the seed draws it, as far as that may be another run.
static prt_status try_all(Trial *t) {
  prt_status status = try_one(t, "late", TRIAL_FIRST);
  prt_explored explored = prt__explored(t->kernel->host->machine);
  bool is_settled = explored.is_settled && !t->found && !explored.prints;
  if (is_fatal(status) || is_settled || !(explored.choices || explored.copies)) return status;
  if (explored.copies) status = try_one(t, "early", TRIAL_AGAIN);
  if (!is_fatal(status) && explored.atomics) status = try_one(t, "late,reversed", TRIAL_AGAIN);
  if (!is_fatal(status) && explored.looks) status = try_one(t, "late,looking", TRIAL_AGAIN);
  if (!is_fatal(status) && explored.looks)
    status = try_one(t, "late,looking,reversed", TRIAL_AGAIN);
  return is_fatal(status) ? status : try_one(t, NULL, TRIAL_AGAIN);
}

// One call at a time: a schedule is the machine's. Locks: none on entry and exit.
static prt_status call_in_schedules(const Kernel *kernel, void *const *arrays) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  size_t bytes = copy_changed(kernel->entry, arrays, NULL, false);
  Trial trial = {.kernel = kernel, .arrays = arrays, .saved = malloc(bytes + 1)};
  if (!trial.saved) return PRT_ERROR_MEMORY;
  copy_changed(kernel->entry, arrays, trial.saved, false);
  pthread_mutex_lock(&lock);
  prt_status status = try_all(&trial);
  prt_machine_schedule(kernel->host->machine, NULL);
  kernel->host->trial(kernel->host->machine, TRIAL_OVER);
  pthread_mutex_unlock(&lock);
  free(trial.saved);
  return status == PRT_OK && trial.found ? PRT_ERROR_CHECK : status;
}

// ---- reads of results before a semaphore is waited for ------------------------------------------
// The text up to the next `end`, which becomes its end; the rest is behind it.
static char *next_part(char **rest, char end) {
  char *part = *rest, *at = strchr(part, end);
  *rest = at ? at + 1 : part + strlen(part);
  if (at) *at = 0;
  return part;
}

// What an operation reads, or which of the arrays dies, as early.py says it. false: it does not.
static bool read_spans(char *text, void *const *arrays, size_t inputs, prt_early_read *out) {
  if (*text == '!') {
    size_t at = strtoul(text + 1, NULL, 10);
    if (at < inputs) out->dies = arrays[at];
    return out->dies != NULL;
  }
  out->rank = *text == '-' ? -1 : 0;
  if (*text == '-' || *text == '*') return text[1] == 0;
  for (; *text && out->rank < PRT_EARLY_RANK; out->rank++) {
    int64_t *span = out->spans[out->rank];
    for (int i = 0; i < 3; i++, text += *text == ':') span[i] = strtoll(text, &text, 10);
    text += *text == ',';
  }
  return !*text;
}

// A line of Kernel.early; false: it says nothing.
static bool read_early(const Kernel *kernel, void *const *arrays, char *line, prt_early_read *out) {
  size_t first = kernel->entry->param_count - kernel->reader_count;
  size_t counts = strtoul(line, &line, 10);
  const prt_entry *reader = named(strtoull(line, &line, 10));
  bool waits = reader && reader->flags & PRT_ENTRY_WAITS, keeps = strtol(line, &line, 10);
  int32_t look = (int32_t)strtol(line, &line, 10);
  if (counts >= kernel->reader_count || !*line || (keeps && !waits)) return false;
  line++;
  *out = (prt_early_read){
      .counts = arrays[first + counts], .reader = waits ? reader : NULL, .look = look};
  if (!read_spans(next_part(&line, ' '), arrays, first, out)) return false;
  out->name = next_part(&line, '\t');
  out->site.line = (int32_t)strtol(line, &line, 10);
  out->site.column = (int32_t)strtol(line, &line, 10);
  out->site.end_column = (int32_t)strtol(line, &line, 10);
  line += *line == '\t';
  out->site.file = next_part(&line, '\t');
  out->site.source = line;
  out->site.function = "";
  return true;
}

// Says what is read early, to the next calls; the memory it is in. NULL: nothing, or no memory.
static void *say_early(const Kernel *kernel, void *const *arrays) {
  size_t lines = 1, count = 0;
  for (size_t i = 0; i < kernel->early_length; i++) lines += kernel->early[i] == '\n';
  prt_early_read *reads =
      kernel->early ? malloc(lines * sizeof *reads + kernel->early_length + 1) : NULL;
  if (!reads) return NULL;
  char *text = (char *)(reads + lines);
  memcpy(text, kernel->early, kernel->early_length);
  text[kernel->early_length] = 0;
  while (*text)
    if (read_early(kernel, arrays, next_part(&text, '\n'), &reads[count])) count++;
  prt_results_read_early(reads, count);
  return reads;
}

static _Atomic int calls_running;

char *kernel_call(const Kernel *kernel, void *const *arrays) {
  void **unread = kernel->readers ? malloc((kernel->reader_count + 1) * sizeof *unread) : NULL;
  if (kernel->readers && !unread) return strdup("out of memory");
  if (unread) prt_results_unread(unread, find_unread(kernel, arrays, unread));
  void *early = say_early(kernel, arrays);
  // Whom a stop was meant for is gone.
  if (!atomic_fetch_add_explicit(&calls_running, 1, memory_order_relaxed))
    prt_machine_stop(kernel->host->machine, false);
  prt_status status = kernel->is_tried ? call_in_schedules(kernel, arrays)
                                       : kernel->entry->call(kernel->host->machine, arrays);
  atomic_fetch_sub_explicit(&calls_running, 1, memory_order_relaxed);
  if (unread) prt_results_unread(NULL, 0);
  prt_results_read_early(NULL, 0);
  free(unread);
  free(early);
  if (status == PRT_OK || (status == PRT_ERROR_CHECK && goes_on(kernel))) return NULL;
  char *reported = NULL, *message = strdup(prt_error_message());
  if (kernel->asks_reported && status != PRT_ERROR_STOPPED)
    kernel->host->reported(kernel->host->machine, keep, &reported);
  size_t size = (message ? strlen(message) : 0) + (reported ? strlen(reported) : 0) + 2;
  char *both = message && reported ? malloc(size) : NULL;
  if (both) snprintf(both, size, "%s\n%s", message, reported);
  free(reported);
  if (!both) return message ? message : strdup("out of memory");
  free(message);
  return both;
}

// NULL, or an error.
static void *find_run(const CallFrame *frame, int64_t *run_id) {
  if (frame->api->struct_size < offsetof(Api, run_id) + sizeof frame->api->run_id)
    return error(frame, "this XLA does not tell which run a call belongs to");
  RunIdArgs run = {sizeof run, NULL, frame->context, 0};
  void *failed = frame->api->run_id(&run);
  *run_id = run.run_id;
  return failed;
}

// A checked call of one device: what others of its run leave under way matters.
static void *call_alone(const CallFrame *frame, const Kernel *kernel, void *const *arrays) {
  int64_t run_id = 0;
  void *failed = kernel->is_tried ? find_run(frame, &run_id) : NULL;
  if (failed) return failed;
  prt_calls_of_run(run_id);
  char *message = kernel_call(kernel, arrays);
  prt_calls_of_run(0);
  return error_of(frame, message);
}

// An operation that reads a result early is about to run.
static void *look(const CallFrame *frame, const Host *host, uint64_t which) {
  int64_t run_id = 0;
  void *failed = find_run(frame, &run_id);
  if (!failed && host) prt_looked(host->machine, run_id, (int32_t)which);
  return failed;
}

// One device's part in a call of several: the first argument is its position in the mesh.
static void *call_joint(const CallFrame *frame, Devices *devices, const Kernel *kernel,
                        void *const *arrays, size_t count) {
  int64_t run_id = 0;
  void *failed = find_run(frame, &run_id);
  if (failed) return failed;
  int32_t position;
  memcpy(&position, arrays[0], sizeof position);
  return error_of(frame, devices_call(devices, kernel, run_id, position, arrays + 1, count - 1));
}

// Whether the entry point takes so many arrays: of several devices, which say their position first,
// each array, or the part of each device.
static bool fits(const prt_entry *entry, size_t count, bool joint) {
  if (!joint) return count == entry->param_count;
  return count && (count - 1 == entry->param_count ||
                   (count - 1) * (size_t)entry->devices == entry->param_count);
}

static void *call(const CallFrame *frame) {
  const Attrs *attrs = &frame->attrs;
  uint64_t which = number(attrs, "look");
  if (which) return look(frame, named(number(attrs, "machine")), which);
  Kernel kernel = {.entry = named(number(attrs, "entry")),
                   .host = named(number(attrs, "machine")),
                   .misses = number(attrs, "misses"),
                   .asks_reported = number(attrs, "reported"),
                   .asks_goes_on = number(attrs, "goes_on"),
                   .is_tried = number(attrs, "trial")};
  if (!kernel.entry || !kernel.host)
    return error(frame, "the kernel of this program is not in this process, which has to compile "
                        "the program itself (jit, lower)");
  const prt_entry *entry = kernel.entry;
  uint64_t place = number(attrs, "devices");
  Devices *devices = named(place);
  const ByteSpan *left_out = attribute(attrs, "left_out", ATTR_STRING);
  size_t most = (size_t)(frame->args.size + frame->results.size);
  void *few[64], **arrays = few;
  if (most > sizeof few / sizeof few[0]) arrays = malloc(most * sizeof *arrays);
  if (!arrays) return error(frame, "out of memory");
  size_t behind = number(attrs, "behind"); // the last ones, which say when it runs
  size_t inputs = take_buffers(&frame->args, NULL, arrays) - behind;
  size_t outputs = take_buffers(&frame->results, left_out, arrays + inputs);
  size_t count = inputs + outputs;
  const ByteSpan *readers = attribute(attrs, "readers", ATTR_STRING);
  if (readers && readers->len == outputs) {
    kernel.readers = readers->data;
    kernel.reader_count = readers->len;
  }
  const ByteSpan *early = attribute(attrs, "early", ATTR_STRING);
  if (early && kernel.readers) {
    kernel.early = early->data;
    kernel.early_length = early->len;
  }
  void *failed;
  if (!fits(entry, count, place) || (place && !devices))
    failed = error(frame, "the call of a kernel does not fit its entry point");
  else
    failed = devices ? call_joint(frame, devices, &kernel, arrays, count)
                     : call_alone(frame, &kernel, arrays);
  if (arrays != few) free(arrays);
  return failed;
}

// The handler itself, by the name that pallasc.jax looks up; and how many calls are under way.
PRT_API void *pallasc_ffi_call(CallFrame *frame);
PRT_API int pallasc_ffi_running(void);

void *pallasc_ffi_call(CallFrame *frame) {
  for (Extension *e = frame->extension; e; e = e->next) {
    if (e->type != EXTENSION_METADATA) continue;
    Metadata *metadata = ((MetadataExtension *)e)->metadata; // XLA asks what this is
    metadata->version.major = FFI_MAJOR;
    metadata->version.minor = FFI_MINOR;
    return NULL;
  }
  return frame->stage == STAGE_EXECUTE ? call(frame) : NULL;
}

int pallasc_ffi_running(void) { return atomic_load_explicit(&calls_running, memory_order_relaxed); }
