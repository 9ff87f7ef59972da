// SPDX-License-Identifier: Apache-2.0
// The module _csv: for csv.pk, the fields of lines as they mostly are.
#include <string.h>
#include "base/buf.h"
#include "python/modules/module.h"
#include "python/numbers/digits.h"
#include "python/numbers/integer.h"
#include "python/objects/convert.h"
#include "python/values/evaluator_state.h"
#include "python/values/new_value.h"
#include "python/values/values.h"

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

// ---- writing ------------------------------------------------------------------------------------
typedef struct Layout {
  Str terminator;
  char delimiter, quote;
} Layout;

static bool needs_quotes(const Layout *layout, Str text) {
  for (size_t i = 0; i < text.len; i++) {
    char c = text.data[i];
    if (c == layout->delimiter || c == layout->quote) return true;
    if (memchr(layout->terminator.data, c, layout->terminator.len)) return true;
  }
  return false;
}

static void put_field(Buf *out, const Layout *layout, Str text, bool is_alone) {
  if (!needs_quotes(layout, text) && !(is_alone && text.len == 0)) return buf_str(out, text);
  buf_char(out, layout->quote);
  for (size_t i = 0; i < text.len; i++) {
    if (text.data[i] == layout->quote) buf_char(out, layout->quote);
    buf_char(out, text.data[i]);
  }
  buf_char(out, layout->quote);
}

static bool field_text(Eval *ev, Value v, Str *out) {
  *out = (Str){0};
  if (v_is_none(v)) return true;
  if (v.kind == V_OBJECT && v.o->type == ev->types.string) return value_as_str(v, out);
  if (v.kind == V_INT) *out = int_text(ev, v);
  if (v.kind == V_FLOAT) *out = float_repr(ev->arena, v.f);
  return v.kind == V_INT || v.kind == V_FLOAT;
}

// A row of plain values, quotes around what needs them, with the end of the line; None: there is
// more to it.
static Value csv_line(Eval *ev, Value *a) {
  Str delimiter, quote, text;
  Layout layout = {0};
  const Tuple *tuple = value_as_tuple(a[0]);
  const List *list = value_as_list(a[0]);
  if ((!tuple && !list) || !value_as_str(a[1], &delimiter) || delimiter.len != 1 ||
      !value_as_str(a[2], &quote) || quote.len != 1 || !value_as_str(a[3], &layout.terminator))
    return v_none();
  layout.delimiter = *delimiter.data;
  layout.quote = *quote.data;
  const Value *items = tuple ? tuple->items : list->items;
  size_t count = tuple ? tuple->count : list->count;
  Buf out;
  buf_init(&out, ev->arena);
  for (size_t i = 0; i < count; i++) {
    if (!field_text(ev, items[i], &text)) return v_none();
    if (i) buf_char(&out, layout.delimiter);
    put_field(&out, &layout, text, count == 1);
  }
  buf_str(&out, layout.terminator);
  return make_str(ev, buf_view(&out));
}

static const NativeDef natives[] = {{"fields(line, delimiter, quote, limit, /)", csv_fields},
                                    {"line(row, delimiter, quote, terminator, /)", csv_line},
                                    {0}};

const ModuleDef module_csv = {.name = "_csv", .functions = natives};
