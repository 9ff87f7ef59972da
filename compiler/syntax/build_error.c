// SPDX-License-Identifier: Apache-2.0
// Mistakes that the builders find, one a logical line.
#include "build.h"
#include "layout.h"

void build__syntax_error(Parser *parser, Span span, const char *fmt, ...) {
  uint32_t line = layout_recent(parser->layout, 0)->line;
  if (parser->error_line == line || layout_has_error(parser->layout)) return;
  parser->error_line = line;
  va_list args;
  va_start(args, fmt);
  Str message = str_vformat(parser->scratch, fmt, args);
  va_end(args);
  diag_error(parser->session, span, "%.*s", STR_FMT(message));
}
