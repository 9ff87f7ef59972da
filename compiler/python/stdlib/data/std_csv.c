// SPDX-License-Identifier: Apache-2.0
// The module _csv: for csv.pk, the fields of lines as they mostly are.
#include <string.h>
#include "base/buf.h"
#include "python/modules/module.h"
#include "python/objects/convert.h"
#include "python/values/evaluator_state.h"
#include "python/values/new_value.h"

typedef struct Line {
  Str text; // without what ends it
  size_t at;
  char delimiter, quote; // quote 0: there is none
} Line;

static Str without_end(Str text) {
  if (text.len && text.data[text.len - 1] == '\n') text.len--;
  if (text.len && text.data[text.len - 1] == '\r') text.len--;
  return text;
}

// Behind the quote that ends a field, whose begin line->at is behind; false: it is not so simple.
static bool quoted_field(Eval *ev, Line *line, Str *field) {
  Buf buf;
  buf_init(&buf, ev->arena);
  for (const char *data = line->text.data;;) {
    const char *begin = data + line->at,
               *end = memchr(begin, line->quote, line->text.len - line->at);
    if (!end) return false; // it goes on in the next line
    Str part = {begin, (size_t)(end - begin)};
    line->at += part.len + 1;
    if (line->at == line->text.len || data[line->at] == line->delimiter) {
      if (buf.len) buf_str(&buf, part);
      *field = buf.len ? buf_view(&buf) : part;
      return true;
    }
    if (data[line->at] != line->quote) return false;
    buf_str(&buf, part);
    buf_c(&buf, (char[]){line->quote, 0}); // two stand for one
    line->at++;
  }
}

static bool next_field(Eval *ev, Line *line, Str *field) {
  const char *begin = line->text.data + line->at;
  size_t left = line->text.len - line->at;
  if (left && line->quote && *begin == line->quote) {
    line->at++;
    return quoted_field(ev, line, field);
  }
  const char *end = left ? memchr(begin, line->delimiter, left) : NULL;
  *field = (Str){begin, end ? (size_t)(end - begin) : left};
  line->at += field->len;
  return true;
}

// The fields of a line, none of them longer than `limit`; None: there is more to it, an error or
// the begin of a longer row.
static Value csv_fields(Eval *ev, Value *a) {
  Str text, delimiter, quote = {0};
  if (!value_as_str(a[0], &text) || !value_as_str(a[1], &delimiter) || delimiter.len != 1)
    return v_none();
  if (!v_is_none(a[2]) && (!value_as_str(a[2], &quote) || quote.len > 1)) return v_none();
  Line line = {without_end(text), 0, *delimiter.data, quote.len ? *quote.data : 0};
  List *fields = list_new(ev, 8);
  if (!line.text.len) return v_object(fields);
  if (memchr(line.text.data, '\n', line.text.len) || memchr(line.text.data, '\r', line.text.len))
    return v_none();
  for (;; line.at++) {
    Str field;
    if (!next_field(ev, &line, &field) || (int64_t)field.len > a[3].i) return v_none();
    list_push(ev, fields, make_str(ev, field));
    if (line.at == line.text.len) return v_object(fields);
  }
}

static const NativeDef natives[] = {{"fields(line, delimiter, quote, limit, /)", csv_fields}, {0}};

const ModuleDef module_csv = {.name = "_csv", .functions = natives};
