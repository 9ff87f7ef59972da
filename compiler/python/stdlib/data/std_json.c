// SPDX-License-Identifier: Apache-2.0
// The module _json: texts of plain values and back, as json.pk has them. What is not plain (classes
// of the program, keys that are no texts, mistakes) is None here, and left to json.pk.
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/buf.h"
#include "base/unicode.h"
#include "python/builtins/text/builtin_text.h"
#include "python/modules/module.h"
#include "python/numbers/digits.h"
#include "python/objects/mapping.h"
#include "python/objects/protocol.h"
#include "python/values/dict.h"
#include "python/values/evaluator_state.h"
#include "python/values/new_value.h"
#include "python/values/raise.h"
#include "python/values/values.h"

enum { DEEPEST = 200 }; // what goes deeper may go round in a circle

// ---- writing ------------------------------------------------------------------------------------
typedef struct Writer {
  Eval *ev;
  Buf out;
  Str between, behind_key;                     // separators
  Str indent;                                  // of a level …
  bool is_ascii, allows_nan, sorts, has_lines; // … where each item has a line
} Writer;

static void put_unit(Buf *out, uint32_t unit) { buf_printf(out, "\\u%04x", unit); }

static void put_char(Writer *w, uint32_t code) {
  static const char named[] = {
      ['\b'] = 'b', ['\t'] = 't', ['\n'] = 'n', ['\f'] = 'f', ['\r'] = 'r'};
  if (code == '"' || code == '\\') {
    buf_char(&w->out, '\\');
    buf_char(&w->out, (char)code);
  } else if (code < sizeof named && named[code]) {
    buf_char(&w->out, '\\');
    buf_char(&w->out, named[code]);
  } else if (code < 0x10000) {
    put_unit(&w->out, code);
  } else {
    put_unit(&w->out, 0xd800 | (code - 0x10000) >> 10);
    put_unit(&w->out, 0xdc00 | ((code - 0x10000) & 0x3ff));
  }
}

static bool is_plain_char(const Writer *w, unsigned char c) {
  return c >= ' ' && c != '"' && c != '\\' && !(w->is_ascii && c >= 127);
}

static void put_text(Writer *w, Str text) {
  buf_char(&w->out, '"');
  for (size_t at = 0; at < text.len;) {
    size_t begin = at;
    while (at < text.len && is_plain_char(w, (unsigned char)text.data[at])) at++;
    buf_str(&w->out, (Str){text.data + begin, at - begin});
    if (at < text.len) put_char(w, text_next(text, &at));
  }
  buf_char(&w->out, '"');
}

static bool put_value(Writer *w, Value v, unsigned depth);

// A line of its own at this depth, where each item has one.
static void put_line(Writer *w, unsigned depth) {
  if (!w->has_lines) return;
  buf_char(&w->out, '\n');
  for (unsigned i = 0; i < depth; i++) buf_str(&w->out, w->indent);
}

static void put_between(Writer *w, bool is_first, unsigned depth) {
  if (!is_first) buf_str(&w->out, w->between);
  put_line(w, depth);
}

static bool put_items(Writer *w, const Value *items, size_t count, unsigned depth) {
  buf_char(&w->out, '[');
  for (size_t i = 0; i < count; i++) {
    put_between(w, i == 0, depth);
    if (!put_value(w, items[i], depth)) return false;
  }
  if (count) put_line(w, depth - 1);
  buf_char(&w->out, ']');
  return true;
}

static int compare_keys(const void *a, const void *b) {
  const DictEntry *const *x = a, *const *y = b;
  return str_compare(((const StrObject *)(*x)->key.o)->text,
                     ((const StrObject *)(*y)->key.o)->text);
}

static bool put_dict(Writer *w, const Dict *dict, unsigned depth) {
  DictEntry *entry, **entries = ARENA_ARRAY(w->ev->arena, DictEntry *, dict->count + 1);
  size_t count = 0;
  for (size_t it = 0; dict_next(dict, &it, &entry); entries[count++] = entry)
    if (!is_a(entry->key, w->ev->types.string)) return false;
  if (w->sorts) qsort(entries, count, sizeof *entries, compare_keys);
  buf_char(&w->out, '{');
  for (size_t i = 0; i < count; i++) {
    put_between(w, i == 0, depth);
    put_text(w, ((const StrObject *)entries[i]->key.o)->text);
    buf_str(&w->out, w->behind_key);
    if (!put_value(w, entries[i]->value, depth)) return false;
  }
  if (count) put_line(w, depth - 1);
  buf_char(&w->out, '}');
  return true;
}

// False: the value, or one in it, is not plain.
static bool put_value(Writer *w, Value v, unsigned depth) {
  switch (v.kind) {
  case V_NONE: buf_c(&w->out, "null"); return true;
  case V_BOOL: buf_c(&w->out, v.i ? "true" : "false"); return true;
  case V_INT: buf_printf(&w->out, "%lld", (long long)v.i); return true;
  case V_FLOAT:
    if (isfinite(v.f)) {
      buf_str(&w->out, float_repr(w->ev->arena, v.f));
    } else {
      if (!w->allows_nan) return false;
      buf_c(&w->out, isnan(v.f) ? "NaN" : v.f > 0 ? "Infinity" : "-Infinity");
    }
    return true;
  case V_OBJECT: break;
  default: return false;
  }
  const Type *type = v.o->type;
  if (type == w->ev->types.string) {
    put_text(w, ((const StrObject *)v.o)->text);
    return true;
  }
  if (depth == DEEPEST) return false;
  if (type == w->ev->types.list) {
    const List *list = (const List *)v.o;
    return put_items(w, list->items, list->count, depth + 1);
  }
  if (type == w->ev->types.tuple) {
    const Tuple *tuple = (const Tuple *)v.o;
    return put_items(w, tuple->items, tuple->count, depth + 1);
  }
  return type == w->ev->types.dict && put_dict(w, (const Dict *)v.o, depth + 1);
}

static Value encoded(Eval *ev, Value *a) {
  Writer w = {.ev = ev, .is_ascii = value_truth(ev, a[3]), .allows_nan = value_truth(ev, a[4])};
  if (!value_as_str(a[1], &w.between) || !value_as_str(a[2], &w.behind_key)) return v_none();
  w.sorts = value_truth(ev, a[5]);
  w.has_lines = value_as_str(a[6], &w.indent);
  buf_init(&w.out, ev->arena);
  return put_value(&w, a[0], 0) ? make_str(ev, buf_view(&w.out)) : v_none();
}

static Value quoted(Eval *ev, Value *a) {
  Writer w = {.ev = ev, .is_ascii = a[1].kind == V_BOOL && a[1].i};
  Str text;
  if (!value_as_str(a[0], &text)) return v_none();
  buf_init(&w.out, ev->arena);
  put_text(&w, text);
  return make_str(ev, buf_view(&w.out));
}

// ---- reading ------------------------------------------------------------------------------------
typedef struct Reader {
  Eval *ev;
  const char *at, *end; // a NUL is at the end
} Reader;

static void skip_blanks(Reader *r) {
  while (*r->at == ' ' || *r->at == '\t' || *r->at == '\n' || *r->at == '\r') r->at++;
}

static bool accept(Reader *r, char c) {
  skip_blanks(r);
  if (*r->at != c || r->at == r->end) return false;
  r->at++;
  return true;
}

static bool read_unit(Reader *r, uint32_t *unit) {
  *unit = 0;
  for (int i = 0; i < 4; i++, r->at++) {
    char c = *r->at;
    uint32_t digit = c >= '0' && c <= '9'   ? (uint32_t)(c - '0')
                     : c >= 'a' && c <= 'f' ? (uint32_t)(c - 'a' + 10)
                     : c >= 'A' && c <= 'F' ? (uint32_t)(c - 'A' + 10)
                                            : 16;
    if (digit == 16) return false;
    *unit = *unit << 4 | digit;
  }
  return true;
}

// Behind a backslash. Halves of a pair that stand alone are left to json.pk.
static bool read_escape(Reader *r, Buf *out) {
  static const char names[] = "\"\\/bfnrt", chars[] = "\"\\/\b\f\n\r\t";
  char c = *r->at++;
  const char *found = c ? strchr(names, c) : NULL;
  if (found) {
    buf_char(out, chars[found - names]);
    return true;
  }
  uint32_t code, low;
  if (c != 'u' || !read_unit(r, &code)) return false;
  if (code >= 0xd800 && code < 0xe000) {
    if (code >= 0xdc00 || r->at[0] != '\\' || r->at[1] != 'u') return false;
    r->at += 2;
    if (!read_unit(r, &low) || low < 0xdc00 || low > 0xdfff) return false;
    code = 0x10000 + ((code - 0xd800) << 10 | (low - 0xdc00));
  }
  char bytes[4];
  buf_str(out, (Str){bytes, utf8_encode(code, bytes)});
  return true;
}

// Behind the opening quote.
static bool read_text(Reader *r, Value *out) {
  const char *begin = r->at;
  while ((unsigned char)*r->at >= ' ' && *r->at != '"' && *r->at != '\\') r->at++;
  if (*r->at == '"') {
    *out = make_str(r->ev, (Str){begin, (size_t)(r->at++ - begin)});
    return true;
  }
  Buf text;
  buf_init(&text, r->ev->arena);
  for (;;) {
    buf_str(&text, (Str){begin, (size_t)(r->at - begin)});
    if (*r->at == '"') break;
    if (*r->at++ != '\\' || !read_escape(r, &text)) return false;
    begin = r->at;
    while ((unsigned char)*r->at >= ' ' && *r->at != '"' && *r->at != '\\') r->at++;
  }
  r->at++;
  *out = make_str(r->ev, buf_view(&text));
  return true;
}

static bool read_number(Reader *r, Value *out) {
  const char *begin = r->at, *p = begin + (*begin == '-');
  int64_t whole = 0;
  if (!ascii_is_digit(*p) || (*p == '0' && ascii_is_digit(p[1]))) return false;
  bool is_long = false; // no int64 holds it
  for (; ascii_is_digit(*p); p++) {
    int64_t digit = *begin == '-' ? '0' - *p : *p - '0';
    is_long |= __builtin_mul_overflow(whole, 10, &whole);
    is_long |= __builtin_add_overflow(whole, digit, &whole);
  }
  bool is_float = *p == '.' && ascii_is_digit(p[1]);
  if (is_float)
    for (p++; ascii_is_digit(*p);) p++;
  if (*p == 'e' || *p == 'E') {
    const char *power = p + 1 + (p[1] == '+' || p[1] == '-');
    if (ascii_is_digit(*power)) {
      is_float = true;
      for (p = power; ascii_is_digit(*p);) p++;
    }
  }
  r->at = p;
  double number;
  if (!is_float && is_long) return false;
  if (!is_float)
    *out = v_int(whole);
  else if (float_parse(r->ev->arena, (Str){begin, (size_t)(p - begin)}, &number))
    *out = v_float(number);
  else
    return false;
  return true;
}

static bool read_value(Reader *r, Value *out, unsigned depth);

static bool read_items(Reader *r, Value *out, unsigned depth) {
  List *list = list_new(r->ev, 0);
  *out = v_object(list);
  if (accept(r, ']')) return true;
  do {
    Value item;
    if (!read_value(r, &item, depth)) return false;
    list_push(r->ev, list, item);
  } while (accept(r, ','));
  return accept(r, ']');
}

static bool read_dict(Reader *r, Value *out, unsigned depth) {
  Dict *dict = dict_new(r->ev);
  *out = v_object(dict);
  if (accept(r, '}')) return true;
  do {
    Value key, value;
    if (!accept(r, '"') || !read_text(r, &key)) return false;
    if (!accept(r, ':') || !read_value(r, &value, depth)) return false;
    dict_set(r->ev, dict, key, value);
  } while (accept(r, ','));
  return accept(r, '}');
}

static bool read_word(Reader *r, const char *word, Value value, Value *out) {
  size_t len = strlen(word);
  if (strncmp(r->at, word, len) != 0) return false;
  r->at += len;
  *out = value;
  return true;
}

// False: a mistake, or what json.pk is to read.
static bool read_value(Reader *r, Value *out, unsigned depth) {
  skip_blanks(r);
  char c = *r->at;
  if (c == '"') {
    r->at++;
    return read_text(r, out);
  }
  if (c == '[' || c == '{') {
    r->at++;
    if (depth == DEEPEST) return false;
    return c == '[' ? read_items(r, out, depth + 1) : read_dict(r, out, depth + 1);
  }
  return read_word(r, "null", v_none(), out) || read_word(r, "true", v_bool(true), out) ||
         read_word(r, "false", v_bool(false), out) || read_word(r, "NaN", v_float(NAN), out) ||
         read_word(r, "Infinity", v_float(INFINITY), out) ||
         read_word(r, "-Infinity", v_float(-INFINITY), out) || read_number(r, out);
}

// (value,), or None.
static Value decoded(Eval *ev, Value *a) {
  Str text;
  if (!value_as_str(a[0], &text)) return v_none();
  text = str_copy(ev->arena, text);
  Reader r = {ev, text.data, text.data + text.len};
  Value value;
  if (!text.len || !read_value(&r, &value, 0)) return v_none();
  skip_blanks(&r);
  return r.at == r.end ? make_tuple(ev, 1, &value) : v_none();
}

static const NativeDef natives[] = {
    {"encoded(value, between, behind_key, ascii_only, allows_nan, sorts, indent, /)", encoded},
    {"quoted(text, ascii_only, /)", quoted},
    {"decoded(text, /)", decoded},
    {0},
};

const ModuleDef module_json = {.name = "_json", .functions = natives};
