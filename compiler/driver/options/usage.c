// SPDX-License-Identifier: Apache-2.0
// What is wrong with a command line, as diagnostics.
#include <stdarg.h>
#include "option_parser.h"

bool usage(Parser *p, const char *fmt, ...) {
  va_list args;
  va_start(args, fmt);
  diag_error(p->session, (Span){0}, "%s", str_vformat(p->session->arena, fmt, args).data);
  va_end(args);
  return false;
}

const char *usage_hint(const Parser *p, const Suggestion *s) {
  return s->best.len
             ? str_format(p->session->arena, "; did you mean '%.*s'?", STR_FMT(s->best)).data
             : "";
}
