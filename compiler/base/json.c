// SPDX-License-Identifier: Apache-2.0
// Texts and places as JSON.
#include "buf.h"
#include "json.h"
#include "unicode.h"

void json_string(Str s, Buf *buf) {
  buf_char(buf, '"');
  for (size_t i = 0; i < s.len;) {
    size_t begin = i;
    uint32_t code = utf8_decode(s, &i);
    if (code == UTF8_BAD)
      buf_c(buf, "\\ufffd");
    else if (code == '"' || code == '\\')
      buf_printf(buf, "\\%c", (char)code);
    else if (code == '\n')
      buf_c(buf, "\\n");
    else if (code < 0x20 || code == 0x7f)
      buf_printf(buf, "\\u%04x", code);
    else
      buf_str(buf, (Str){s.data + begin, i - begin});
  }
  buf_char(buf, '"');
}

void json_place(const Session *session, Span span, bool with_end, Buf *buf) {
  const SourceFile *file = source_get(session, span.file);
  if (!file) return;
  LineCol begin = source_line_col(file, span.begin);
  buf_c(buf, ",\"file\":");
  json_string(file->path, buf);
  buf_printf(buf, ",\"line\":%u,\"column\":%u", begin.line, begin.column);
  if (!with_end) return;
  LineCol end = source_line_col(file, span.end);
  buf_printf(buf, ",\"end_line\":%u,\"end_column\":%u", end.line, end.column);
}
