// SPDX-License-Identifier: Apache-2.0
// The compiler as a library: pallasc.h. In: arguments of the command line and texts. Out: results,
// which own copies of all they give. The work is done by a thread of its own, so that it does not
// depend on the stack of the caller; a BUG ends that thread's work, not the process.
#define _GNU_SOURCE
#include "driver/compile/compile.h"
#include "pallasc.h"
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include "driver/invocation.h"
#include "ir/core/chip.h"

// Of compiled functions the passes and LLVM recurse over; only what is used is ever there.
#define STACK_SIZE ((size_t)64 << 20)

typedef struct Stream {
  FILE *file;
  char *data;
  size_t size;
} Stream;

struct pallasc_result {
  Session *session; // of everything here
  int status;
  Stream printed, made, diagnostics, json;
  Jit *jit;
  VEC(const prt_entry *) entries;
};

// One call.
typedef struct Job {
  Invocation invocation;
  pallasc_result *result;
  const Made *taken;
  BugTrap trap;
} Job;

int pallasc_api_version(void) { return PALLASC_API_VERSION; }
const char *pallasc_version(void) { return PALLASC_VERSION; }

const char *pallasc_chip(const char *name) {
  const Chip *chip = chip_find(str_from_c(name));
  return chip ? chip->name : NULL;
}

// ---- streams ------------------------------------------------------------------------------------
static bool stream_open(Stream *stream) {
  stream->file = open_memstream(&stream->data, &stream->size);
  return stream->file != NULL;
}

// False if something that was written is not there.
static bool stream_close(Stream *stream) {
  bool good = !stream->file || !ferror(stream->file);
  if (stream->file && fclose(stream->file)) good = false;
  stream->file = NULL;
  return good && stream->data;
}

static Stream *stream_of(pallasc_result *result, int which) {
  Stream *const streams[] = {&result->printed, &result->made, &result->diagnostics, &result->json};
  return which < (int)COUNT_OF(streams) ? streams[which] : NULL;
}

// ---- code ---------------------------------------------------------------------------------------
static int load_code(Session *session, void *data) {
  Job *job = data;
  pallasc_result *result = job->result;
  result->jit = jit_new(session, &job->taken->codegen);
  JitModule *code = result->jit ? jit_load(result->jit, job->taken->text, LONE_SUFFIX) : NULL;
  if (!code) return STATUS_MACHINE;
  for (size_t i = 0; i < job->taken->entries.count; i++) {
    Name name = job->taken->entries.items[i].name;
    const prt_entry *entry = jit_find(result->jit, code, name_str(name));
    if (!entry) {
      diag_error(session, (Span){0}, "the code of '%s' cannot be loaded", name->text);
      return STATUS_MACHINE;
    }
    VEC_PUSH(session->arena, &result->entries, entry);
  }
  return STATUS_DONE;
}

static void take(void *data, const Made *made) {
  Job *job = data;
  Session *session = job->result->session;
  job->taken = made;
  job->result->status = session_run(session, load_code, job);
  diag_flush(session);
}

// ---- the thread ---------------------------------------------------------------------------------
static int internal_error(const Job *job) {
  Session *session = session_new(0);
  if (!session) return PALLASC_INTERNAL;
  session->diag_out = job->invocation.diag_out;
  session->diag_json = job->invocation.diag_json;
  diag_error(session, (Span){0}, "%s", job->trap.message);
  diag_flush(session);
  session_free(session);
  return PALLASC_INTERNAL;
}

static void *work(void *data) {
  Job *job = data;
  if (setjmp(job->trap.out)) {
    job->result->status = internal_error(job);
    return NULL;
  }
  bug_trap(&job->trap);
  int status = invocation_run(&job->invocation);
  bug_trap(NULL);
  if (status > job->result->status) job->result->status = status;
  return NULL;
}

// SIGPIPE of a file that is a pipe stays with the thread; other signals are as the caller has them.
static bool start_thread(pthread_t *thread, Job *job) {
  pthread_attr_t attributes;
  sigset_t pipe, before;
  sigemptyset(&pipe);
  sigaddset(&pipe, SIGPIPE);
  if (pthread_attr_init(&attributes)) return false;
  pthread_attr_setstacksize(&attributes, STACK_SIZE);
  pthread_sigmask(SIG_BLOCK, &pipe, &before);
  bool good = pthread_create(thread, &attributes, work, job) == 0;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  pthread_attr_destroy(&attributes);
  return good;
}

// ---- a call -------------------------------------------------------------------------------------
typedef struct Call {
  size_t count;
  const char *const *arguments;
  size_t text_count;
  const pallasc_text *texts;
  bool wants_code;
  pallasc_result *result;
} Call;

static bool open_streams(pallasc_result *result) {
  Stream *stream;
  for (int i = 0; (stream = stream_of(result, i)); i++)
    if (!stream_open(stream)) return false;
  return true;
}

static bool close_streams(pallasc_result *result) {
  bool good = true;
  Stream *stream;
  for (int i = 0; (stream = stream_of(result, i)); i++) good &= stream_close(stream);
  return good;
}

// Under session_run of the result's session: nonzero if there is no memory.
static int call_body(Session *session, void *data) {
  Call *call = data;
  pallasc_result *result = call->result = ARENA_NEW(session->arena, pallasc_result);
  result->session = session;
  if (!open_streams(result)) return STATUS_MACHINE;
  session->diag_out = result->diagnostics.file;
  session->diag_json = result->json.file;
  SourceText *texts = ARENA_ARRAY(session->arena, SourceText, call->text_count + 1);
  for (size_t i = 0; i < call->text_count; i++)
    texts[i] = (SourceText){.path = str_from_c(call->texts[i].path),
                            .text = {call->texts[i].text, call->texts[i].length}};
  Job job = {.invocation = {.count = call->count,
                            .args = call->arguments,
                            .texts = texts,
                            .text_count = call->text_count,
                            .out = result->printed.file,
                            .piped = result->made.file,
                            .diag_out = result->diagnostics.file,
                            .diag_json = result->json.file,
                            .wants_code = call->wants_code,
                            .take = call->wants_code ? take : NULL},
             .result = result};
  job.invocation.data = &job;
  pthread_t thread;
  if (start_thread(&thread, &job)) {
    pthread_join(thread, NULL);
  } else {
    diag_error(session, (Span){0}, "the system gives no thread to compile on");
    diag_flush(session);
    result->status = PALLASC_MACHINE;
  }
  return close_streams(result) ? STATUS_DONE : STATUS_MACHINE;
}

// Without memory for the result its session says nothing: its streams are gone.
static pallasc_result *run_call(Call *call) {
  Session *session = session_new(0);
  if (!session) return NULL;
  FILE *nowhere = fopen("/dev/null", "w");
  if (!nowhere) return session_free(session), NULL;
  session->diag_out = nowhere;
  int failed = session_run(session, call_body, call);
  fclose(nowhere);
  if (!failed) return call->result;
  if (call->result)
    pallasc_free(call->result);
  else
    session_free(session);
  return NULL;
}

pallasc_result *pallasc_compile(size_t count, const char *const *arguments, size_t text_count,
                                const pallasc_text *texts) {
  return run_call(&(Call){count, arguments, text_count, texts, false, NULL});
}

pallasc_result *pallasc_load(size_t count, const char *const *arguments, size_t text_count,
                             const pallasc_text *texts) {
  return run_call(&(Call){count, arguments, text_count, texts, true, NULL});
}

void pallasc_free(pallasc_result *result) {
  if (!result) return;
  jit_free(result->jit);
  close_streams(result);
  Stream *stream;
  for (int i = 0; (stream = stream_of(result, i)); i++) free(stream->data);
  session_free(result->session);
}

// ---- what a result has --------------------------------------------------------------------------
pallasc_status pallasc_status_of(const pallasc_result *result) {
  return (pallasc_status)result->status;
}

const char *pallasc_diagnostics(const pallasc_result *result) { return result->diagnostics.data; }
const char *pallasc_diagnostics_json(const pallasc_result *result) { return result->json.data; }
const char *pallasc_printed(const pallasc_result *result) { return result->printed.data; }

const char *pallasc_made(const pallasc_result *result, size_t *length) {
  if (length) *length = result->made.size;
  return result->made.data;
}

size_t pallasc_entry_count(const pallasc_result *result) { return result->entries.count; }

const prt_entry *pallasc_entry_at(const pallasc_result *result, size_t which) {
  return which < result->entries.count ? result->entries.items[which] : NULL;
}

const prt_entry *pallasc_find_entry(const pallasc_result *result, const char *name) {
  for (size_t i = 0; i < result->entries.count; i++)
    if (strcmp(result->entries.items[i]->name, name) == 0) return result->entries.items[i];
  return NULL;
}
