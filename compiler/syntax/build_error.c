// SPDX-License-Identifier: Apache-2.0
// Mistakes that the builders find, one a logical line.
#include "build_node.h"
#include "layout.h"
#include "parser.h"

void build__mistake(Parser *parser, MistakeKind kind, Span span, const char *fmt, ...) {
  uint32_t line = layout_recent(parser->layout, 0)->line;
  if (parser->error_line == line || layout_has_error(parser->layout)) return;
  parser->error_line = line;
  va_list args;
  va_start(args, fmt);
  Str message = str_vformat(parser->scratch, fmt, args);
  va_end(args);
  mistake_report(parser->session, kind, span, "%.*s", STR_FMT(message));
}
