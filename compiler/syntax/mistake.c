// SPDX-License-Identifier: Apache-2.0
// Mistakes of syntax: their messages begin with the class of Python's exception.
#include <stdarg.h>
#include "mistake.h"

static const char *const classes[] = {[MISTAKE_SYNTAX] = "SyntaxError",
                                      [MISTAKE_INDENTATION] = "IndentationError",
                                      [MISTAKE_TABS] = "TabError"};

Diag *mistake_report(Session *session, MistakeKind kind, Span span, const char *fmt, ...) {
  Arena *scratch = session_scratch(session);
  ArenaMark mark = arena_mark(scratch);
  va_list args;
  va_start(args, fmt);
  Str message = str_vformat(scratch, fmt, args);
  va_end(args);
  Diag *diag = diag_error(session, span, "%s: %.*s", classes[kind], STR_FMT(message));
  arena_release(scratch, mark);
  return diag;
}

const char *mistake_class(Str message, Str *rest) {
  for (size_t i = 0; i < COUNT_OF(classes); i++) {
    Str name = str_from_c(classes[i]);
    if (!str_starts_with(message, name) || message.len < name.len + 2) continue;
    *rest = (Str){message.data + name.len + 2, message.len - name.len - 2};
    return classes[i];
  }
  return NULL;
}
