// SPDX-License-Identifier: Apache-2.0
// Entry points: the functions of a file that become C functions (entry.c).
#pragma once
#include "python/values/evaluator.h"

// What is said of a text that is none.
#define ENTRY_NO_CALL                                                                              \
  "--entry takes a call, such as 'add(f32[512,512], f32[512,512])'; functions with annotated "     \
  "parameters are there without it"

// After eval_main: functions with annotated array parameters, or those that --entry names, are
// traced into the module.
typedef struct EntryRequest {
  // "mm_big = matmul(bf16[1024,1024], bf16[1024,1024], bm=256)"; "add", whose annotations say the
  // types; or "" for all annotated functions.
  Str text;
  Span span;
  bool has_values; // arguments are values; a type among them is one, too, and no scalar of it
} EntryRequest;
// False after diagnostics. With no request all annotated functions are entries; an error if there
// are none.
// `hints`: annotated functions that requests leave out are warned of (-Whint).
bool entry_trace(Eval *ev, const EntryRequest *requests, size_t count, bool hints);
// "the file defines 'add', 'scale'": its public functions, what could have been meant.
Str entry_functions(Eval *ev);
// Of a name that eval_main did not find in an annotation, f32[8, n]: what stands there.
void entry_help_annotations(Session *session, const Module *module);
// A function of the main module: if its array parameters are annotated it is an entry point, and
// traced. False after diagnostics.
bool entry_trace_function(Eval *ev, Name name, Value value, bool *is_entry);
