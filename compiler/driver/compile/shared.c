// SPDX-License-Identifier: Apache-2.0
// Shared libraries. In: the options' inputs. Out: one library with the code of them all and the
// runtime, and what else the options ask for. Objects stay in memory until all are compiled; while
// the linker reads them from temporary files, interrupts wait.
#include "base/buf.h"
#include "base/map.h"
#include "driver/output/interrupt.h"
#include "driver/output/link.h"
#include "driver/output/output.h"
#include "driver/output/path.h"
#include "compile.h"
#include "stage_options.h"

typedef struct SharedJob {
  const Options *options;
  Made *made; // of each input
  Str *objects;
  Outputs *outputs;
  Str output;
  Interrupt held;
  bool is_held;
} SharedJob;

static void refuse_second(Session *session, const MadeEntry *first, const MadeEntry *second) {
  const char *name = second->name->text;
  Diag *diag = diag_error(session, second->span,
                          "'%s' is an entry point of two files; a library has one C function of a "
                          "name",
                          name);
  diag_note(session, diag, first->span, "the other one is here");
  diag_help(diag, str_format(session->arena,
                             "give one of them another name: --entry 'NAME = FILE:%s(…)'", name));
}

// An entry's name is the C function's, for which all files have one room.
static int check_names(Session *session, const SharedJob *job) {
  Map *known = map_new(session->arena);
  for (size_t i = 0; i < input_count(job->options); i++) {
    const Made *made = &job->made[i];
    for (size_t k = 0; k < made->entries.count; k++) {
      const MadeEntry *entry = &made->entries.items[k], *first = map_get(known, entry->name);
      if (first)
        refuse_second(session, first, entry);
      else
        map_set(known, entry->name, entry);
    }
  }
  return status_of(session);
}

static int compile_all(Session *session, SharedJob *job) {
  for (size_t i = 0; i < input_count(job->options); i++) {
    int status = compile_text(session, job->options, i, &job->made[i]);
    if (status) return status;
  }
  return check_names(session, job);
}

// One behind the other: each has a guard of its own.
static Str all_headers(Session *session, const SharedJob *job) {
  Buf buf;
  buf_init(&buf, session->arena);
  for (size_t i = 0; i < input_count(job->options); i++) {
    if (i) buf_char(&buf, '\n');
    buf_str(&buf, job->made[i].header);
  }
  return buf_view(&buf);
}

static int link_all(Session *session, SharedJob *job) {
  const Options *o = job->options;
  size_t count = input_count(o);
  if (o->header.len) outputs_add(job->outputs, o->header, all_headers(session, job));
  depfile_add(session, o, job->output, job->outputs);
  interrupt_hold(&job->held);
  job->is_held = true;
  Str temporary = outputs_reserve(job->outputs, job->output);
  if (!temporary.len) return STATUS_MACHINE;
  int status = outputs_check(job->outputs);
  for (size_t i = 0; i < count && !status; i++) {
    job->objects[i] = outputs_scratch(job->outputs, job->made[i].text);
    if (!job->objects[i].len) status = STATUS_MACHINE;
  }
  if (status) return status;
  return link_shared(session, &job->held, count, job->objects, temporary,
                     path_file_name(job->output));
}

static int shared_body(Session *session, void *data) {
  SharedJob *job = data;
  int status = compile_all(session, job);
  if (!status) status = link_all(session, job);
  return status ? status : outputs_write(job->outputs);
}

int compile_shared(Session *session, const Options *o) {
  size_t count = input_count(o);
  SharedJob job = {.options = o,
                   .made = ARENA_ARRAY(session->arena, Made, count),
                   .objects = ARENA_ARRAY(session->arena, Str, count),
                   .outputs = outputs_new(session)};
  job.output = o->outputs.count
                   ? o->outputs.items[0]
                   : str_format(session->arena, "lib%.*s",
                                STR_FMT(path_with_ending(session->arena, input_path(o, 0), ".so")));
  // So that the temporary files go even if memory runs out.
  int status = session_run(session, shared_body, &job);
  if (status) outputs_drop(job.outputs);
  if (job.is_held) interrupt_release(&job.held);
  return status;
}
