// SPDX-License-Identifier: Apache-2.0
// str.format: "{0.name[key]!r:>{width}}".
#include "base/buf.h"
#include "base/checked.h"
#include "python/values/builtin_state.h"
#include "builtin_strformat.h"
#include "builtin_text.h"
#include "python/objects/attribute.h"
#include "python/values/new_value.h"
#include "python/objects/protocol.h"
#include "python/values/raise.h"
#include "builtin_format.h"
#include <string.h>

typedef enum Numbering { NUMBERING_NONE, NUMBERING_AUTO, NUMBERING_MANUAL } Numbering;

typedef struct Formatter {
  Eval *ev;
  const Tuple *args; // NULL for format_map
  Value names;       // a mapping
  Numbering numbering;
  size_t next; // automatic index
} Formatter;

typedef struct Field {
  Str name, spec;
  uint32_t conversion; // 0: none
  bool spec_is_nested;
} Field;

static NORETURN void fail(Formatter *f, const char *message) {
  eval_raise(f->ev, f->ev->types.ValueError, "%s", message);
}

// ---- taking the text apart ----------------------------------------------------------------------
// The name ends at '}', ':' or '!' outside brackets; gives that character, *at behind it.
static char take_field_name(Formatter *f, Str text, size_t *at, Str *name) {
  size_t begin = *at;
  bool in_bracket = false;
  for (; *at < text.len; (*at)++) {
    char c = text.data[*at];
    if (c == '{') fail(f, "unexpected '{' in field name");
    if (c == '[') in_bracket = true;
    if (c == ']') in_bracket = false;
    if (!in_bracket && (c == '}' || c == ':' || c == '!')) {
      *name = (Str){text.data + begin, *at - begin};
      (*at)++;
      return c;
    }
  }
  fail(f, "expected '}' before end of string");
}

// From behind '{' to behind its '}'.
static Field take_field(Formatter *f, Str text, size_t *at) {
  Field field = {0};
  char end = take_field_name(f, text, at, &field.name);
  if (end == '}') return field;
  if (end == '!') {
    if (*at >= text.len) fail(f, "end of string while looking for conversion specifier");
    field.conversion = text_next(text, at);
    if (*at < text.len) {
      char c = text.data[(*at)++];
      if (c == '}') return field;
      if (c != ':') fail(f, "expected ':' after conversion specifier");
    }
  }
  size_t begin = *at;
  for (int depth = 1; *at < text.len;) {
    char c = text.data[(*at)++];
    if (c == '{') {
      field.spec_is_nested = true;
      depth++;
    } else if (c == '}' && --depth == 0) {
      field.spec = (Str){text.data + begin, *at - 1 - begin};
      return field;
    }
  }
  fail(f, "unmatched '{' in format spec");
}

// The value of digits; -1 if the text is not all digits (or empty).
static int64_t index_of(Formatter *f, Str text) {
  int64_t index = 0;
  for (size_t i = 0; i < text.len; i++) {
    if (text.data[i] < '0' || text.data[i] > '9') return -1;
    if (!mul_i64(index, 10, &index) || !add_i64(index, text.data[i] - '0', &index))
      fail(f, "Too many decimal digits in format string");
  }
  return text.len > 0 ? index : -1;
}

// ---- values -------------------------------------------------------------------------------------
static Value field_start(Formatter *f, Str first) {
  Eval *ev = f->ev;
  int64_t index = index_of(f, first);
  if (first.len > 0 && index < 0) {
    Value key = make_str(ev, first);
    return value_getitem(ev, f->names, key);
  }
  bool is_auto = first.len == 0;
  if (f->numbering == NUMBERING_MANUAL && is_auto)
    fail(f, "cannot switch from manual field specification to automatic field numbering");
  if (f->numbering == NUMBERING_AUTO && !is_auto)
    fail(f, "cannot switch from automatic field numbering to manual field specification");
  f->numbering = is_auto ? NUMBERING_AUTO : NUMBERING_MANUAL;
  if (is_auto) index = (int64_t)f->next++;
  if (!f->args) fail(f, "Format string contains positional fields");
  if ((size_t)index >= f->args->count) {
    eval_raise(ev, ev->types.IndexError,
               "Replacement index %lld out of range for positional args tuple", (long long)index);
  }
  return f->args->items[index];
}

static Value field_value(Formatter *f, Str name) {
  Eval *ev = f->ev;
  size_t at = 0;
  while (at < name.len && name.data[at] != '.' && name.data[at] != '[') at++;
  Value value = field_start(f, (Str){name.data, at});
  while (at < name.len) {
    char kind = name.data[at++];
    size_t begin = at;
    if (kind == '.') {
      while (at < name.len && name.data[at] != '.' && name.data[at] != '[') at++;
      Str attribute = {name.data + begin, at - begin};
      if (attribute.len == 0) fail(f, "Empty attribute in format string");
      value = value_getattr(ev, value, name_intern(ev->session->interner, attribute));
      continue;
    }
    if (kind != '[') fail(f, "Only '.' or '[' may follow ']' in format field specifier");
    while (at < name.len && name.data[at] != ']') at++;
    if (at >= name.len) fail(f, "Missing ']' in format string");
    Str key = {name.data + begin, at - begin};
    at++;
    if (key.len == 0) fail(f, "Empty attribute in format string");
    int64_t index = index_of(f, key);
    value = value_getitem(ev, value, index >= 0 ? v_int(index) : make_str(ev, key));
  }
  return value;
}

static Str converted(Formatter *f, Value value, const Field *field, Str spec) {
  Eval *ev = f->ev;
  switch (field->conversion) {
  case 0: return value_format(ev, value, spec);
  case 'r': return format_text(ev, value_repr(ev, value), spec);
  case 's': return format_text(ev, value_str(ev, value), spec);
  case 'a': return format_text(ev, value_ascii(ev, value), spec);
  default: break;
  }
  if (field->conversion > 32 && field->conversion < 127)
    eval_raise(ev, ev->types.ValueError, "Unknown conversion specifier %c",
               (char)field->conversion);
  eval_raise(ev, ev->types.ValueError, "Unknown conversion specifier \\x%x", field->conversion);
}

static Str format_all(Formatter *f, Str text, int depth) {
  if (depth < 0) fail(f, "Max string recursion exceeded");
  Buf buf;
  buf_init(&buf, f->ev->arena);
  for (size_t at = 0; at < text.len;) {
    char c = text.data[at++];
    if (c != '{' && c != '}') {
      buf_char(&buf, c);
      continue;
    }
    if (at < text.len && text.data[at] == c) {
      buf_char(&buf, c);
      at++;
      continue;
    }
    if (c == '}') fail(f, "Single '}' encountered in format string");
    if (at == text.len) fail(f, "Single '{' encountered in format string");
    Field field = take_field(f, text, &at);
    Value value = field_value(f, field.name);
    Str spec = field.spec_is_nested ? format_all(f, field.spec, depth - 1) : field.spec;
    buf_str(&buf, converted(f, value, &field, spec));
  }
  return buf_view(&buf);
}

Str text_format(Eval *ev, Str text, const Tuple *args, Value names) {
  Formatter f = {.ev = ev, .args = args, .names = names};
  return format_all(&f, text, 1);
}
