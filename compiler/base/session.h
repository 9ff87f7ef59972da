// SPDX-License-Identifier: Apache-2.0
// The state of one compilation: passed first to everything. Also source files and diagnostics.
#pragma once
#include <setjmp.h>
#include <stdio.h>
#include "base.h"
#include "buf.h"
#include "source.h"

typedef enum Severity { SEV_NOTE, SEV_WARNING, SEV_ERROR } Severity;

// Groups of warnings, for -WNAME, -Wno-NAME and -Werror=NAME.
typedef enum WarningGroup {
#define WARNING(id, name, on, text) WARN_##id,
#include "warnings.def"
#undef WARNING
  WARN_COUNT
} WarningGroup;

// One frame of the trace, innermost first: "in call to NAME" at the place of the call.
typedef struct DiagFrame {
  Str name;
  Span call;
} DiagFrame;

// What a running program can catch a mistake as: exceptions of the language and of jax.errors.
typedef enum Catchable {
  NOT_CATCHABLE,
  CATCH_FLOATING_POINT_ERROR,
  CATCH_JAX_RUNTIME_ERROR,
  CATCH_KEYBOARD_INTERRUPT,
  CATCH_NOT_IMPLEMENTED_ERROR,
  CATCH_TYPE_ERROR,
  CATCH_VALUE_ERROR
} Catchable;

typedef struct Diag {
  Severity severity;
  WarningGroup group; // for warnings, those made errors included; else WARN_COUNT
  Span span;
  Str message;
  DiagFrame *frames;
  size_t frame_count;
  struct Diag *notes; // a list
  Str help;           // what to do about it, or empty
  Catchable exception;
  Str words;         // what that says in front of the message
  Str kind;          // of what a run has found, a name of prt_finding.def; else empty
  Str data;          // what is known of it, as a JSON object, or empty
  size_t case_count; // of the DiagCases that it was given for; its first note names them
  Str last_case;     // the last of them, or empty
  struct Diag *next;
} Diag;

// One of the ways in which a source is compiled several times, such as "n = 256" of an entry point
// for several sizes. A diagnostic that is given for some of them, at the same place in the same
// words, is kept once, with a note of which they were unless they are all.
typedef struct DiagCase {
  Str text;     // empty: there is one way
  size_t total; // how many ways there are
} DiagCase;

typedef enum ErrorFormat { FORMAT_HUMAN, FORMAT_JSON } ErrorFormat;
typedef enum WhenColor { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER } WhenColor;

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
LineCol source_line_col(const SourceFile *file, uint32_t offset);
Str source_line(const SourceFile *file, uint32_t line); // without its newline

// ---- diagnostics -----------------------------------------------------------------------------
// A message starts in lower case, has no full stop and names what it is about in 'quotes'.
// NULL if it was not kept (max_errors, or it is there from another DiagCase).
Diag *diag_error(Session *session, Span span, const char *fmt, ...) PRINTF_LIKE(3, 4);
// NULL if the group is off, or it was not kept. An error if the group is under -Werror.
Diag *diag_warning(Session *session, WarningGroup group, Span span, const char *fmt, ...)
    PRINTF_LIKE(4, 5);
// Whether the session has one of these words at this place, of the DiagCase that it is at.
bool diag_is_reported(const Session *session, Span span, Str message);
// Adds a note to a diagnostic (NULL is ignored).
void diag_note(Session *session, Diag *diag, Span span, const char *fmt, ...) PRINTF_LIKE(4, 5);
// What to do about it (NULL is ignored).
void diag_help(Diag *diag, Str help);
// A running program may catch it: as an exception of that type, whose text begins with `words`.
void diag_exception(Diag *diag, Catchable type, Str words);
// Takes back those that a program may catch and that are not printed yet; gives their number, and
// type and text of the first.
size_t diag_take_exceptions(Session *session, Catchable *type, Str *text);
void diag_frames(Session *session, Diag *diag, const DiagFrame *frames, size_t count);
// Takes back the errors that came after `last` (NULL: all) and are not printed yet: a list, or
// NULL.
Diag *diag_set_aside(Session *session, const Diag *last);
// Tells what was set aside.
void diag_tell(Session *session, Diag *aside);
// Prints what has not been printed yet:
//   add.pk:4:10: error: shapes (8, 128) and (8, 64) cannot be added
//      4 |   o[...] = x[...] + y[...]
//        |            ^~~~~~~~~~~~~~~
//   add.pk:9:3: note: in call to 'kernel'
// JSON: one object a line:
// {"severity","message","option","file","line","column","end_line","end_column","frames":[…],"notes":[…],"help","kind"}.
// Never runs out of memory: then it prints less.
void diag_flush(Session *session);
// Takes what has not been printed: it will not be, but under FORMAT_JSON it is at once. All errors
// go out of the session and its count: the same may be reported again. How many it took.
size_t diag_take(Session *session, Diag **taken);
// As diag_flush prints them, into buf, without colour.
void diag_render(Session *session, const Diag *diag, Buf *buf);
// Its place and message: "add.pk:4:10: shapes (8, 128) and (8, 64) cannot be added".
Str diag_line(Session *session, const Diag *diag);
// The warning group of a name ("tpu"); false if there is none.
bool warning_from_name(Str name, WarningGroup *out);
