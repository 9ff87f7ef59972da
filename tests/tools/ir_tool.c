// SPDX-License-Identifier: Apache-2.0
// Reads IR text and prints it, as it is or after one pass:
//   ir_tool print FILE
//   ir_tool pass NAME FILE [check] [schedule]
// Exit status: 0, or 1 after diagnostics on standard error, or 2 for a usage error.
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "ir/core/ir.h"
#include "ir/text/print.h"
#include "ir/text/read.h"
#include "passes/pass.h"

typedef struct Job {
  const char *path;
  bool has_pass;
  PassId pass;
  PassOptions options;
} Job;

static int run(Session *session, void *data) {
  const Job *job = data;
  SourceFile *file = source_read(session, str_from_c(job->path), (Span){0});
  IrModule *module = file ? ir_read(session, file) : NULL;
  bool ok = module != NULL;
  if (ok && job->has_pass) ok = pass_run_one(session, module, &job->options, job->pass);
  diag_flush(session);
  if (!ok) return 1;
  Buf out;
  buf_init(&out, session->arena);
  ir_print(module, false, &out);
  Str text = buf_view(&out);
  fwrite(text.data, 1, text.len, stdout);
  return 0;
}

int main(int argc, char **argv) {
  Job job = {.options = {.opt_level = 2, .stop_after = PASS_COUNT, .verify = true}};
  int at = 2;
  bool ok = argc > 2;
  if (ok && strcmp(argv[1], "pass") == 0) {
    job.has_pass = true;
    ok = argc > 3 && pass_from_name(str_from_c(argv[at++]), &job.pass);
  } else if (ok) {
    ok = strcmp(argv[1], "print") == 0;
  }
  if (ok) job.path = argv[at++];
  for (; ok && at < argc; at++) {
    if (strcmp(argv[at], "check") == 0)
      job.options.check = true;
    else if (strcmp(argv[at], "schedule") == 0)
      job.options.schedule = true;
    else
      ok = false;
  }
  if (!ok) {
    fputs("usage: ir_tool print FILE | ir_tool pass NAME FILE [check] [schedule]\n", stderr);
    return 2;
  }
  Session *session = session_new(0);
  if (!session) return 3;
  int status = session_run(session, run, &job);
  session_free(session);
  return status;
}
