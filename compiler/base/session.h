// SPDX-License-Identifier: Apache-2.0
// The state of one compilation: passed first to everything. Also source files.
#pragma once
#include <setjmp.h>
#include <stdio.h>
#include "diag.h"

// A source that is given and not read from a file. `path` is what messages call it.
typedef struct SourceText {
  Str path, text;
  bool is_builtin; // messages do not speak of its lines
} SourceText;

// Who wants to know what the compiler is at. total: how many there are to do, 0 if nobody knows.
typedef struct Progress {
  void (*step)(void *data, const char *phase, size_t done, size_t total, Str what); // or NULL
  void *data;
} Progress;

// Memory of pages, which the system gives when they are touched, zeroed; in front of it is a guard
// that nobody may touch.
typedef struct Mapping {
  char *memory;
  size_t size, guard; // multiples of the page
  struct Mapping *next, *previous;
} Mapping;

typedef struct Session {
  Arena *arena;
  Arena *scratch; // see session_scratch
  Interner *interner;
  VEC(SourceFile *) files; // files.items[id - 1]
  // Diagnostics are kept in order and printed by diag_flush, so that a caller may look at them
  // first.
  Diag *first_diag, *last_diag;
  Diag *next_to_print;
  size_t error_count, warning_count;
  DiagCase diag_case;                 // that diagnostics are given for now
  size_t repeat_count[SEV_ERROR + 1]; // of those counted, what was kept for another case already
  // After which further errors are counted but not kept; default 100. Likewise warnings.
  size_t max_errors;
  // Diagnostics that were not kept, and how many of them diag_flush has spoken of.
  size_t unkept_count, unkept_reported;
  bool warning_on[WARN_COUNT];
  bool warning_is_error[WARN_COUNT];
  ErrorFormat error_format;
  WhenColor color;
  FILE *diag_out;  // default stderr
  FILE *diag_json; // where diagnostics go as JSON as well; default NULL, nowhere
  FILE *out;       // what programs print; default stdout
  FILE *piped;     // an output whose name is "-"; default NULL, the process's standard output
  const SourceText *texts; // that source_read knows; the caller's
  size_t text_count;
  struct Remarks *remarks; // what is recorded of what was made (ir/remarks), or NULL
  Progress progress;
  jmp_buf *oom; // where out-of-memory goes; set by session_run
  // While a program is evaluated: the place that it is at, for the message of out-of-memory. NULL:
  // none is.
  Span (*place)(const void *data);
  const void *place_data;
  Span oom_place; // what it gave
  Mapping *mappings;
} Session;

// NULL if there is no memory. `memory_limit` in bytes for all that the compiler's arenas hold; 0 is
// none.
Session *session_new(size_t memory_limit);
void session_free(Session *session);
// Runs body(session, data). Returns its result, or 3 after "out of memory" if memory was exhausted
// inside.
int session_run(Session *session, int (*body)(Session *, void *), void *data);

// Memory for as long as one call runs, which it marks and releases: last in, first out.
Arena *session_scratch(Session *session);

// It lives until session_unmap or the session's end. NULL if there is none.
Mapping *session_map(Session *session, size_t size, size_t guard);
void session_unmap(Session *session, Mapping *mapping);

static inline void session_progress(const Session *session, const char *phase, size_t done,
                                    size_t total, Str what) {
  if (session->progress.step)
    session->progress.step(session->progress.data, phase, done, total, what);
}

// ---- files -----------------------------------------------------------------------------------
// Adds a text; `path` and `text` are copied, but for the text of a builtin file: that is
// NUL-terminated and lives as long as the session.
SourceFile *source_add(Session *session, Str path, Str text, bool is_builtin);
// Reads a file ("-" is standard input), or takes the text of that path among `texts`. NULL after a
// diagnostic at `from` if it cannot be read, or is larger than 1 GiB, with the system's reason.
SourceFile *source_read(Session *session, Str path, Span from);
// The text of that path that the caller gave; NULL if it is to be read from a file.
const SourceText *source_given(const Session *session, Str path);
SourceFile *source_get(const Session *session, uint32_t id); // NULL for 0
// Whether the place is in a file of the user's.
bool source_is_users(const Session *session, Span span);
LineCol source_line_col(const SourceFile *file, uint32_t offset);
Str source_line(const SourceFile *file, uint32_t line); // without its newline
