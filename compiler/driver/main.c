// SPDX-License-Identifier: Apache-2.0
// pallasc's main: options, then one session an input.
#include <signal.h>
#include <string.h>
#include "driver.h"
#include "progress.h"

typedef struct Invocation {
  size_t count;
  char **args;
  Options options;
  ProgressBar bar;
  int status;
} Invocation;

static void prepare(Session *session, const Options *o) {
  memcpy(session->warning_on, o->warning_on, sizeof session->warning_on);
  memcpy(session->warning_is_error, o->warning_is_error, sizeof session->warning_is_error);
  session->error_format = o->error_format;
  session->color = o->color;
  session->max_errors = o->max_errors;
}

static int work(Session *session, void *data) {
  Invocation *invocation = data;
  const Options *o = &invocation->options;
  prepare(session, o);
  session->progress = (Progress){progress_step, &invocation->bar};
  if (o->command != COMMAND_COMPILE) return program_run(session, o);
  return o->kind == OUTPUT_SHARED ? compile_shared(session, o)
                                  : compile_input(session, o, invocation->bar.input);
}

static int out_of_memory(void) {
  fputs("pallasc: error: out of memory\n", stderr);
  return STATUS_MACHINE;
}

static int work_in_session(Invocation *invocation) {
  Session *session = session_new(invocation->options.memory_limit);
  if (!session) return out_of_memory();
  int status = session_run(session, work, invocation);
  progress_wipe(&invocation->bar);
  diag_flush(session);
  session_free(session);
  return status;
}

static void work_on_all(Invocation *invocation) {
  const Options *o = &invocation->options;
  bool each = o->command == COMMAND_COMPILE && o->kind != OUTPUT_SHARED && o->inputs.count > 1;
  progress_begin(&invocation->bar, o);
  invocation->bar.inputs = each ? o->inputs.count : 1;
  for (size_t i = 0; i < invocation->bar.inputs; i++) {
    invocation->bar.input = i;
    int status = work_in_session(invocation);
    if (status > invocation->status) invocation->status = status;
  }
  progress_end(&invocation->bar);
}

static int parse(Session *session, void *data) {
  Invocation *invocation = data;
  bool go_on = options_parse(session, invocation->count, invocation->args, &invocation->options,
                             &invocation->status);
  diag_flush(session);
  if (go_on) work_on_all(invocation);
  return invocation->status;
}

int main(int argc, char **argv) {
  signal(SIGPIPE, SIG_IGN); // a reader that left is an error of writing
  Session *session = session_new(0);
  if (!session) return out_of_memory();
  Invocation invocation = {.count = argc > 0 ? (size_t)argc - 1 : 0, .args = argv + 1};
  int status = session_run(session, parse, &invocation);
  session_free(session);
  return status;
}
