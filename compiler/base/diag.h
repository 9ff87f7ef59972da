// SPDX-License-Identifier: Apache-2.0
// Diagnostics: errors and warnings at a place of a source, with notes, kept in order by the session
// and printed by diag_flush.
#pragma once
#include "base.h"
#include "buf.h"
#include "source.h"

typedef struct Session Session;

typedef enum Severity { SEV_NOTE, SEV_WARNING, SEV_ERROR } Severity;

// Groups of warnings, for -WNAME, -Wno-NAME and -Werror=NAME.
typedef enum WarningGroup {
#define WARNING(id, name, on, text) WARN_##id,
#include "warnings.def"
#undef WARNING
  WARN_COUNT
} WarningGroup;

// What a frame of a program is of.
typedef enum DiagFrameKind {
  IN_FUNCTION,
  IN_MODULE, // imported
  IN_CLASS_BODY,
  IN_GENERATOR_EXPRESSION,
  RAISED_AGAIN // no call: where an exception was raised once more
} DiagFrameKind;
typedef struct FrameName {
  Str text;
  DiagFrameKind kind;
} FrameName;
// One frame of the trace, innermost first: "in call to NAME" at the place of the call.
typedef struct DiagFrame {
  Str name;
  Span call;
  DiagFrameKind kind;
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

// What a diagnostic is about, for those who know more of the source and add what to do about it.
typedef enum DiagKind {
  DIAG_OTHER,
  DIAG_NAME_ERROR,    // a NameError of the program
  DIAG_SIZE_UNKNOWN,  // of those, a name among the dimensions of a type of the command line
  DIAG_ENTRY_UNTYPED, // an entry point is named whose parameters have no types
} DiagKind;

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
  Str finding;       // what a run has found, a name of prt_finding.def; else empty
  Str data;          // what is known of it, as a JSON object, or empty
  size_t case_count; // of the DiagCases that it was given for; its first note names them
  Str last_case;     // the last of them, or empty
  struct Diag *next;
  DiagKind kind;
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
void diag_kind(Diag *diag, DiagKind kind);
// The last diagnostic if it is of that kind, else NULL.
Diag *diag_last(Session *session, DiagKind kind);
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
void diag_put_back(Session *session, Diag *aside);
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
