// SPDX-License-Identifier: Apache-2.0
// The module _csv: the readers and writers of csv.pk, which has the dialects.
#include <string.h>
#include "base/buf.h"
#include "python/builtins/builtin_index.h"
#include "python/builtins/builtin_wrap.h"
#include "python/builtins/text/builtin_text.h"
#include "python/modules/module.h"
#include "python/numbers/digits.h"
#include "python/numbers/integer.h"
#include "python/objects/attribute.h"
#include "python/objects/iteration.h"
#include "python/objects/module_def.h"
#include "python/objects/protocol.h"
#include "python/objects/type_lookup.h"
#include "python/objects/value_call.h"
#include "python/values/builtin_state.h"
#include "python/values/evaluator_state.h"
#include "python/values/new_value.h"

// ---- dialects -----------------------------------------------------------------------------------
typedef enum Quoting { QUOTE_MINIMAL, QUOTE_ALL, QUOTE_NONNUMERIC, QUOTE_NONE } Quoting;
enum { NO_CHARACTER = UINT32_MAX, END_OF_LINE = UINT32_MAX - 1 };

typedef struct Layout {
  Value dialect; // the object that it was read off
  Type *error;   // csv.Error
  uint32_t delimiter, quote, escape;
  Str terminator;
  bool doubles_quotes, skips_space, is_strict;
  Quoting quoting;
  bool is_special[256]; // first bytes of characters that are not simply part of a field
} Layout;

static uint32_t character_of(Eval *ev, Value dialect, const char *name) {
  Str text;
  size_t at = 0;
  if (!value_as_str(value_getattr_c(ev, dialect, name), &text) || !text.len) return NO_CHARACTER;
  return text_next(text, &at);
}

static void mark_special(Layout *layout, uint32_t c) {
  if (c < 128)
    layout->is_special[c] = true;
  else if (c < END_OF_LINE)
    memset(layout->is_special + 128, true, 128);
}

// A dialect that csv.pk has checked.
static Layout layout_of(Eval *ev, Value dialect, Value error) {
  Layout layout = {
      .dialect = dialect,
      .error = (Type *)error.o,
      .delimiter = character_of(ev, dialect, "delimiter"),
      .quote = character_of(ev, dialect, "quotechar"),
      .escape = character_of(ev, dialect, "escapechar"),
      .doubles_quotes = value_truth(ev, value_getattr_c(ev, dialect, "doublequote")),
      .skips_space = value_truth(ev, value_getattr_c(ev, dialect, "skipinitialspace")),
      .is_strict = value_truth(ev, value_getattr_c(ev, dialect, "strict")),
      .quoting = (Quoting)take_index64(ev, value_getattr_c(ev, dialect, "quoting")),
  };
  value_as_str(value_getattr_c(ev, dialect, "lineterminator"), &layout.terminator);
  mark_special(&layout, layout.delimiter);
  mark_special(&layout, layout.quote);
  mark_special(&layout, layout.escape);
  return layout;
}

// ---- reading ------------------------------------------------------------------------------------
typedef enum ReaderState {
  AT_RECORD,
  AT_FIELD,
  IN_FIELD,
  BEHIND_ESCAPE,
  BEHIND_ESCAPED_END, // of a line
  IN_QUOTES,
  BEHIND_ESCAPE_IN_QUOTES,
  BEHIND_QUOTE_IN_QUOTES,
  AT_END, // behind the end of a line
} ReaderState;

typedef struct CsvReader {
  Object base;
  Layout layout;
  Value lines;
  const List *limits; // its only item: how long a field may be
  int64_t line_count;
  ReaderState state;
  List *fields;
  Buf field;
  bool is_number;
} CsvReader;

static bool ends_line(uint32_t c) { return c == '\n' || c == '\r' || c == END_OF_LINE; }

static void put_run(Eval *ev, CsvReader *r, Str run) {
  buf_str(&r->field, run);
  int64_t limit = r->limits->items[0].i;
  if ((int64_t)r->field.len > limit && (int64_t)text_length(buf_view(&r->field)) > limit)
    eval_raise(ev, r->layout.error, "field larger than field limit (%lld)", (long long)limit);
}

static void put_character(Eval *ev, CsvReader *r, uint32_t c) {
  size_t before = r->field.len;
  text_put_code(&r->field, c == END_OF_LINE ? '\n' : c);
  Str added = {r->field.data + before, r->field.len - before};
  r->field.len = before;
  put_run(ev, r, added);
}

static void end_field(Eval *ev, CsvReader *r) {
  Value field = make_str(ev, (Str){r->field.data, r->field.len});
  r->field.len = 0;
  if (r->is_number) {
    r->is_number = false;
    field = value_call_n(ev, v_object(ev->types.floating), 1, &field);
  }
  list_push(ev, r->fields, field);
}

static void end_last_field(Eval *ev, CsvReader *r, uint32_t c) {
  end_field(ev, r);
  r->state = c == END_OF_LINE ? AT_RECORD : AT_END;
}

static void at_field(Eval *ev, CsvReader *r, uint32_t c) {
  const Layout *layout = &r->layout;
  r->state = AT_FIELD;
  if (ends_line(c)) {
    end_last_field(ev, r, c);
  } else if (c == layout->quote && layout->quoting != QUOTE_NONE) {
    r->state = IN_QUOTES;
  } else if (c == layout->escape) {
    r->state = BEHIND_ESCAPE;
  } else if (c == ' ' && layout->skips_space) {
    return;
  } else if (c == layout->delimiter) {
    end_field(ev, r);
  } else {
    r->is_number = layout->quoting == QUOTE_NONNUMERIC;
    r->state = IN_FIELD;
    put_character(ev, r, c);
  }
}

static void in_field(Eval *ev, CsvReader *r, uint32_t c) {
  if (ends_line(c)) {
    end_last_field(ev, r, c);
  } else if (c == r->layout.escape) {
    r->state = BEHIND_ESCAPE;
  } else if (c == r->layout.delimiter) {
    end_field(ev, r);
    r->state = AT_FIELD;
  } else {
    put_character(ev, r, c);
  }
}

static void in_quotes(Eval *ev, CsvReader *r, uint32_t c) {
  if (c == END_OF_LINE) return; // the field goes on in the next one
  if (c == r->layout.escape)
    r->state = BEHIND_ESCAPE_IN_QUOTES;
  else if (c != r->layout.quote)
    put_character(ev, r, c);
  else
    r->state = r->layout.doubles_quotes ? BEHIND_QUOTE_IN_QUOTES : IN_FIELD;
}

static Str code_text(Eval *ev, uint32_t c) {
  Buf buf;
  buf_init(&buf, ev->arena);
  text_put_code(&buf, c);
  return buf_view(&buf);
}

static void behind_quote(Eval *ev, CsvReader *r, uint32_t c) {
  const Layout *layout = &r->layout;
  if (c == layout->quote) { // two stand for one
    put_character(ev, r, c);
    r->state = IN_QUOTES;
  } else if (c == layout->delimiter || ends_line(c)) {
    in_field(ev, r, c);
  } else if (!layout->is_strict) {
    r->state = IN_FIELD;
    put_character(ev, r, c);
  } else {
    eval_raise(ev, layout->error, "'%.*s' expected after '%.*s'",
               STR_FMT(code_text(ev, layout->delimiter)), STR_FMT(code_text(ev, layout->quote)));
  }
}

static void read_character(Eval *ev, CsvReader *r, uint32_t c) {
  switch (r->state) {
  case AT_RECORD:
    if (c == '\n' || c == '\r')
      r->state = AT_END;
    else if (c != END_OF_LINE)
      at_field(ev, r, c);
    return;
  case AT_FIELD: at_field(ev, r, c); return;
  case BEHIND_ESCAPED_END:
    if (c != END_OF_LINE) in_field(ev, r, c);
    return;
  case IN_FIELD: in_field(ev, r, c); return;
  case BEHIND_ESCAPE:
    r->state = c == '\n' || c == '\r' ? BEHIND_ESCAPED_END : IN_FIELD;
    put_character(ev, r, c);
    return;
  case IN_QUOTES: in_quotes(ev, r, c); return;
  case BEHIND_ESCAPE_IN_QUOTES:
    r->state = IN_QUOTES;
    put_character(ev, r, c);
    return;
  case BEHIND_QUOTE_IN_QUOTES: behind_quote(ev, r, c); return;
  case AT_END:
    if (c == END_OF_LINE)
      r->state = AT_RECORD;
    else if (!ends_line(c))
      eval_raise(ev, r->layout.error,
                 "new-line character seen in unquoted field - do you need to open the file in "
                 "universal-newline mode?");
    return;
  }
}

// What is simply part of the field, from `at` on.
static size_t plain_run(const CsvReader *r, Str line, size_t at) {
  const bool *is_special = r->layout.is_special;
  bool in_quotes_now = r->state == IN_QUOTES;
  size_t begin = at;
  if (!in_quotes_now && r->state != IN_FIELD) return 0;
  for (; at < line.len; at++) {
    unsigned char c = (unsigned char)line.data[at];
    if (is_special[c] || (!in_quotes_now && (c == '\n' || c == '\r'))) break;
  }
  return at - begin;
}

// Fields as most are: simply text up to the next delimiter. Gives where the first other one begins.
static size_t plain_fields(Eval *ev, CsvReader *r, Str line, size_t at) {
  const Layout *layout = &r->layout;
  if (layout->delimiter >= 128 || layout->skips_space || layout->quoting == QUOTE_NONNUMERIC)
    return at;
  while (at < line.len && (r->state == AT_FIELD || r->state == AT_RECORD)) {
    r->state = IN_FIELD;
    size_t run = plain_run(r, line, at);
    r->state = AT_FIELD;
    bool is_whole = at + run < line.len && (unsigned char)line.data[at + run] == layout->delimiter;
    if (!is_whole || (int64_t)run > r->limits->items[0].i) {
      r->state = run ? IN_FIELD : at ? AT_FIELD : AT_RECORD;
      return at;
    }
    list_push(ev, r->fields, make_str(ev, (Str){line.data + at, run}));
    at += run + 1;
  }
  return at;
}

static void read_line(Eval *ev, CsvReader *r, Str line) {
  for (size_t at = plain_fields(ev, r, line, 0); at < line.len;) {
    size_t run = plain_run(r, line, at);
    if (run) put_run(ev, r, (Str){line.data + at, run});
    at += run;
    if (at < line.len) read_character(ev, r, text_next(line, &at));
  }
  read_character(ev, r, END_OF_LINE);
}

static bool reader_next(Eval *ev, Value self, Value *out) {
  CsvReader *r = (CsvReader *)self.o;
  r->fields = list_new(ev, r->fields ? r->fields->count : 8);
  r->field.len = 0;
  r->is_number = false;
  r->state = AT_RECORD;
  do {
    Value item;
    Str line;
    if (!value_next(ev, r->lines, &item)) {
      if (!r->field.len && r->state != IN_QUOTES) return false;
      if (r->layout.is_strict) eval_raise(ev, r->layout.error, "unexpected end of data");
      end_field(ev, r);
      break;
    }
    if (!value_as_str(item, &line))
      eval_raise(ev, r->layout.error,
                 "iterator should return strings, not %s (the file should be opened in text mode)",
                 value_type_name(ev, item));
    r->line_count++;
    read_line(ev, r, line);
  } while (r->state != AT_RECORD);
  *out = v_object(r->fields);
  return true;
}

static Value reader_line_num(Eval *ev UNUSED, Value self) {
  return v_int(((const CsvReader *)self.o)->line_count);
}
static Value reader_dialect(Eval *ev UNUSED, Value self) {
  return ((const CsvReader *)self.o)->layout.dialect;
}

static const NativeType reader_type = {
    .slots = {.iter = iterator_self, .next = reader_next},
    .getters =
        (const NativeGetter[]){{"line_num", reader_line_num}, {"dialect", reader_dialect}, {0}},
};

static Value csv_reader(Eval *ev, Value *a) { // lines, dialect, limits, error
  CsvReader *r = ARENA_NEW(ev->arena, CsvReader);
  r->base.type = ev->builtin->csv_reader;
  r->lines = value_iter(ev, a[0]);
  r->layout = layout_of(ev, a[1], a[3]);
  r->limits = value_as_list(a[2]);
  buf_init(&r->field, ev->arena);
  return v_object(r);
}

// ---- writing ------------------------------------------------------------------------------------
typedef struct CsvWriter {
  Object base;
  Layout layout;
  Value write; // of the file
  Buf line;
} CsvWriter;

static bool is_number(Eval *ev, Value v) {
  if (v.kind == V_INT || v.kind == V_FLOAT || v.kind == V_BOOL) return true;
  if (value_as_str(v, &(Str){0}) || v.kind != V_OBJECT) return false;
  static const char *const methods[] = {"__index__", "__int__", "__float__"};
  for (size_t i = 0; i < COUNT_OF(methods); i++)
    if (!v_is_unbound(type_lookup(ev, v.o->type, name_of(ev, methods[i])))) return true;
  return type_is_subtype(v.o->type, ev->types.complex);
}

static bool is_plain(const Layout *layout, Str text) {
  for (size_t i = 0; i < text.len; i++)
    if (layout->is_special[(unsigned char)text.data[i]]) return false;
  return true;
}

// The text, with what stands before a character that is special; true: in quotes.
static bool put_text(Eval *ev, CsvWriter *w, Str text) {
  const Layout *layout = &w->layout;
  bool in_quotes_now = false;
  if (is_plain(layout, text)) {
    buf_str(&w->line, text);
    return false;
  }
  for (size_t at = 0; at < text.len;) {
    size_t begin = at;
    uint32_t c = text_next(text, &at);
    Str own = {text.data + begin, at - begin};
    bool ends = text_find(layout->terminator, own, 0) != SIZE_MAX;
    if (c == layout->delimiter || c == layout->quote || c == layout->escape || ends) {
      bool doubles = c == layout->quote && layout->doubles_quotes;
      if (layout->quoting == QUOTE_NONE || (c == layout->quote ? !doubles : c == layout->escape)) {
        if (layout->escape == NO_CHARACTER)
          eval_raise(ev, layout->error, "need to escape, but no escapechar set");
        text_put_code(&w->line, layout->escape);
      } else {
        in_quotes_now = true;
        if (doubles) buf_str(&w->line, own);
      }
    }
    buf_str(&w->line, own);
  }
  return in_quotes_now;
}

static void put_field(Eval *ev, CsvWriter *w, Value v, bool is_alone) {
  const Layout *layout = &w->layout;
  bool quoted =
      layout->quoting == QUOTE_ALL || (layout->quoting == QUOTE_NONNUMERIC && !is_number(ev, v));
  Str text = {0};
  if (v.kind == V_INT)
    text = int_text(ev, v);
  else if (v.kind == V_FLOAT)
    text = float_repr(ev->arena, v.f);
  else if (!v_is_none(v) && !value_as_str(v, &text))
    text = value_str(ev, v);
  if (is_alone && !text.len) {
    if (layout->quoting == QUOTE_NONE)
      eval_raise(ev, layout->error, "single empty field record must be quoted");
    quoted = true;
  }
  if (!quoted && is_plain(layout, text)) {
    buf_str(&w->line, text);
    return;
  }
  if (layout->quoting == QUOTE_NONE) {
    put_text(ev, w, text);
    return;
  }
  size_t begin = w->line.len;
  text_put_code(&w->line, layout->quote);
  size_t behind = w->line.len;
  if (put_text(ev, w, text) || quoted) {
    text_put_code(&w->line, layout->quote);
  } else {
    memmove(w->line.data + begin, w->line.data + behind, w->line.len - behind);
    w->line.len -= behind - begin;
  }
}

static Value write_row(Eval *ev, CsvWriter *w, Value row) {
  Value iterator = value_getattr_opt(ev, row, ev->builtin->names.dunder_iter);
  if (v_is_unbound(iterator) &&
      v_is_unbound(value_getattr_opt(ev, row, ev->builtin->names.dunder_getitem)))
    eval_raise(ev, w->layout.error, "iterable expected, not %s", value_type_name(ev, row));
  const Tuple *items = value_to_tuple(ev, row);
  w->line.len = 0;
  for (size_t i = 0; i < items->count; i++) {
    if (i) text_put_code(&w->line, w->layout.delimiter);
    put_field(ev, w, items->items[i], items->count == 1);
  }
  buf_str(&w->line, w->layout.terminator);
  Value line = make_str(ev, (Str){w->line.data, w->line.len});
  return value_call_n(ev, w->write, 1, &line);
}

static Value writer_row(Eval *ev, Value *a) { return write_row(ev, (CsvWriter *)a[0].o, a[1]); }

static Value writer_rows(Eval *ev, Value *a) {
  Value rows = value_iter(ev, a[1]), row;
  while (value_next(ev, rows, &row)) write_row(ev, (CsvWriter *)a[0].o, row);
  return v_none();
}

static Value writer_dialect(Eval *ev UNUSED, Value self) {
  return ((const CsvWriter *)self.o)->layout.dialect;
}

static const NativeType writer_type = {
    .methods = (const NativeDef[]){{"writerow(self, row, /)", writer_row},
                                   {"writerows(self, rows, /)", writer_rows},
                                   {0}},
    .getters = (const NativeGetter[]){{"dialect", writer_dialect}, {0}},
};

static Value csv_writer(Eval *ev, Value *a) { // file, dialect, error
  CsvWriter *w = ARENA_NEW(ev->arena, CsvWriter);
  w->base.type = ev->builtin->csv_writer;
  w->layout = layout_of(ev, a[1], a[2]);
  w->write = value_getattr_opt(ev, a[0], name_of(ev, "write"));
  if (v_is_unbound(w->write) || !value_is_callable(ev, w->write))
    eval_raise(ev, ev->types.TypeError, "argument 1 must have a \"write\" method");
  for (size_t i = 0; i < w->layout.terminator.len; i++)
    w->layout.is_special[(unsigned char)w->layout.terminator.data[i]] = true;
  buf_init(&w->line, ev->arena);
  return v_object(w);
}

// ---- the module ---------------------------------------------------------------------------------
static void init(Eval *ev, ModuleObject *module) {
  BuiltinState *state = ev->builtin;
  if (!state->csv_reader) {
    state->csv_reader = native_type_new(ev, "_csv", "reader", NULL, &reader_type);
    state->csv_writer = native_type_new(ev, "_csv", "writer", NULL, &writer_type);
  }
  module_set(ev, module, "Reader", v_object(state->csv_reader));
  module_set(ev, module, "Writer", v_object(state->csv_writer));
}

static const NativeDef natives[] = {{"reader(lines, dialect, limits, error, /)", csv_reader},
                                    {"writer(file, dialect, error, /)", csv_writer},
                                    {0}};

const ModuleDef module_csv = {.name = "_csv", .functions = natives, .init = init};
