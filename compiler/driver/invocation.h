// SPDX-License-Identifier: Apache-2.0
// One run of the command line, as the program and the library have it. In: arguments, and for the
// library where everything goes. Out: files, or what `take` is given; an exit status.
#pragma once
#include "driver/compile/compile.h"

typedef struct Invocation {
  size_t count;
  const char *const *args; // without the program's name
  // The rest is the library's; all zero for the program.
  const SourceText *texts; // sources that are not read from files
  size_t text_count;
  FILE *out, *piped, *diag_out, *diag_json; // as a session has them; NULL: by default
  bool wants_code;                          // OUTPUT_CODE
  // Is given what was made of each source, while it lives.
  void (*take)(void *data, const Made *made);
  void *data;
} Invocation;

// The exit status. Everything was flushed.
int invocation_run(const Invocation *invocation);
