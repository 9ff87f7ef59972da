// SPDX-License-Identifier: Apache-2.0
// What runs, checks and tests programs.
#pragma once
#include "driver/options/options.h"
#include "jit_backend.h"

int program_run(Session *session, const Options *options, ProgramCounts *counts);

// What run, check and bench are given: FILE[:NAME…].
typedef struct Target {
  Str path;
  StrList functions; // behind the colons
} Target;
Target target_split(Session *session, Str text);

// ---- support.c
// Tells for each chip whether it takes the program's kernels. The exit status: STATUS_FAULT if none
// does.
int support_run(Session *session, const Options *options);

// ---- test.c
// Runs the tests of the files and folders that are the inputs, each file in a process of its own,
// by the runner of the stand-in for pytest; prints what it prints, and one account of all. The exit
// status.
int tests_run(Session *session, const Options *options);

// ---- nothing_run.c
// Warns (-Whint) if the module defines functions and calls none, and says how to call them. verb:
// "run" or "checked", what was not done.
void hint_nothing_run(Session *session, const Module *module, const char *verb);

// ---- program_call.c
// Calls one function of a file on .npy files and values (`arguments`); results go to the files of
// -o, or are printed.
int call_function(Session *session, const Options *options, Eval *ev, JitBackend *jit, Str function,
                  size_t count, const Str *arguments);
// Calls every annotated function, or the one of that name, on made-up inputs (check).
int call_entries(Session *session, const Options *options, Eval *ev, JitBackend *jit, Str function);
