// SPDX-License-Identifier: Apache-2.0
// bytes, and the encodings between it and str: utf-8, ascii, latin-1.
#include "base/unicode.h"
#include "python/objects/builtin_state.h"
#include "builtin_bytes.h"
#include "builtin_exceptions.h"
#include "builtin_index.h"
#include "builtin_slice.h"
#include "builtin_text.h"
#include "builtin_wrap.h"
#include "python/objects/bytes_like.h"
#include "python/objects/convert.h"
#include "python/objects/make.h"
#include "python/objects/number.h"
#include "python/objects/protocol.h"
#include "python/objects/raise.h"
#include "python/objects/type_lookup.h"
#include "python/objects/values.h"
#include "builtin_percent.h"
#include <string.h>

static const IndexWords bytes_words = {"byte indices must be integers or slices, not %",
                                       "index out of range"};
const IndexWords bytearray_words = {"bytearray indices must be integers or slices, not %",
                                    "bytearray index out of range"};

static Str self_bytes(Eval *ev, Value self) {
  Str text;
  if (value_as_bytes(ev, self, &text)) return text;
  eval_raise(ev, ev->types.TypeError, "descriptor requires a 'bytes' object but received a '%s'",
             value_type_name(ev, self));
}

// bytes, or a bytearray where `self` is one.
static Value make_like(Eval *ev, Value self, Str bytes) {
  return value_is_bytearray(ev, self) ? make_bytearray(ev, bytes) : make_bytes(ev, bytes);
}

static Str take_bytes_like(Eval *ev, Value v) {
  Str text;
  if (value_as_bytes(ev, v, &text)) return text;
  eval_raise(ev, ev->types.TypeError, "a bytes-like object is required, not '%s'",
             value_type_name(ev, v));
}

static char take_byte(Eval *ev, Value v) {
  Value index = take_index(ev, v);
  if (index.kind == V_OBJECT || index.i < 0 || index.i > 255)
    eval_raise(ev, ev->types.ValueError, "bytes must be in range(0, 256)");
  return (char)index.i;
}

Str take_bytes(Eval *ev, Value v) {
  Str text;
  if (value_as_bytes(ev, v, &text)) return text;
  Type *type = value_type(ev, v);
  if (value_as_str(v, &text) ||
      (!type->slots.iter && v_is_unbound(type_lookup(ev, type, ev->builtin->names.dunder_iter))))
    eval_raise(ev, ev->types.TypeError, "cannot convert '%s' object to bytes", type->name->text);
  const Tuple *items = value_to_tuple(ev, v);
  char *bytes = arena_alloc_bytes(ev->arena, items->count + 1);
  for (size_t i = 0; i < items->count; i++) bytes[i] = take_byte(ev, items->items[i]);
  return (Str){bytes, items->count};
}

// ---- encodings ----------------------------------------------------------------------------------
typedef enum Encoding { ENCODING_UTF8, ENCODING_ASCII, ENCODING_LATIN1 } Encoding;
static const char *const encoding_names[] = {"utf-8", "ascii", "latin-1"};

static Encoding take_encoding(Eval *ev, Value v) {
  static const struct {
    const char *name;
    Encoding encoding;
  } known[] = {{"utf-8", ENCODING_UTF8},       {"utf8", ENCODING_UTF8},
               {"u8", ENCODING_UTF8},          {"ascii", ENCODING_ASCII},
               {"us-ascii", ENCODING_ASCII},   {"latin-1", ENCODING_LATIN1},
               {"latin1", ENCODING_LATIN1},    {"iso-8859-1", ENCODING_LATIN1},
               {"iso8859-1", ENCODING_LATIN1}, {"l1", ENCODING_LATIN1}};
  if (v_is_unbound(v)) return ENCODING_UTF8;
  Str given = take_str(ev, v, "encoding");
  char *name = arena_alloc_bytes(ev->arena, given.len + 1);
  for (size_t i = 0; i < given.len; i++) {
    char c = given.data[i];
    name[i] = c == '_' || c == ' ' ? '-' : c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
  }
  for (size_t i = 0; i < COUNT_OF(known); i++) {
    if (strcmp(known[i].name, name) == 0) return known[i].encoding;
  }
  eval_raise(ev, ev->types.LookupError, "unknown encoding: %.*s", STR_FMT(given));
}

typedef enum ErrorMode {
  ERRORS_STRICT,
  ERRORS_IGNORE,
  ERRORS_REPLACE,
  ERRORS_BACKSLASH,
  ERRORS_XML,
  ERRORS_UNKNOWN
} ErrorMode;

static ErrorMode take_errors(Eval *ev, Value v) {
  static const char *const names[] = {"strict", "ignore", "replace", "backslashreplace",
                                      "xmlcharrefreplace"};
  if (v_is_unbound(v)) return ERRORS_STRICT;
  Str given = take_str(ev, v, "errors");
  for (size_t i = 0; i < COUNT_OF(names); i++) {
    if (str_equal(given, str_from_c(names[i]))) return (ErrorMode)i;
  }
  return ERRORS_UNKNOWN;
}

static Str code_escape(Arena *arena, uint32_t code) {
  return str_format(arena, code < 0x100 ? "\\x%02x" : code < 0x10000 ? "\\u%04x" : "\\U%08x", code);
}

static void put_unencodable(Eval *ev, Buf *buf, Encoding encoding, Value errors, uint32_t code,
                            size_t position) {
  Str escape = code_escape(ev->arena, code);
  switch (take_errors(ev, errors)) {
  case ERRORS_IGNORE: return;
  case ERRORS_REPLACE: buf_char(buf, '?'); return;
  case ERRORS_BACKSLASH: buf_str(buf, escape); return;
  case ERRORS_XML: buf_printf(buf, "&#%u;", code); return;
  case ERRORS_UNKNOWN: {
    Str name = take_str(ev, errors, "errors");
    eval_raise(ev, ev->types.LookupError, "unknown error handler name '%.*s'", STR_FMT(name));
  }
  default: break;
  }
  eval_raise(ev, builtin_exception(ev, "UnicodeEncodeError"),
             "'%s' codec can't encode character '%.*s' in position %zu: ordinal not in range(%d)",
             encoding_names[encoding], STR_FMT(escape), position,
             encoding == ENCODING_ASCII ? 128 : 256);
}

Str text_encode(Eval *ev, Str text, Value encoding_name, Value errors) {
  Encoding encoding = take_encoding(ev, encoding_name);
  if (encoding == ENCODING_UTF8 || text_is_ascii(text)) return text;
  uint32_t limit = encoding == ENCODING_ASCII ? 128 : 256;
  Buf buf;
  buf_init(&buf, ev->arena);
  size_t position = 0;
  for (size_t at = 0; at < text.len; position++) {
    uint32_t code = text_next(text, &at);
    if (code < limit) {
      buf_char(&buf, (char)code);
    } else {
      put_unencodable(ev, &buf, encoding, errors, code, position);
    }
  }
  return buf_view(&buf);
}

static void put_undecodable(Eval *ev, Buf *buf, Encoding encoding, Value errors, unsigned char byte,
                            size_t position, const char *reason) {
  switch (take_errors(ev, errors)) {
  case ERRORS_IGNORE: return;
  case ERRORS_REPLACE: text_put_code(buf, 0xfffd); return;
  case ERRORS_BACKSLASH: buf_printf(buf, "\\x%02x", byte); return;
  case ERRORS_UNKNOWN: {
    Str name = take_str(ev, errors, "errors");
    eval_raise(ev, ev->types.LookupError, "unknown error handler name '%.*s'", STR_FMT(name));
  }
  default: break;
  }
  eval_raise(ev, builtin_exception(ev, "UnicodeDecodeError"),
             "'%s' codec can't decode byte 0x%02x in position %zu: %s", encoding_names[encoding],
             byte, position, reason);
}

Str text_decode(Eval *ev, Str bytes, Value encoding_name, Value errors) {
  Encoding encoding = take_encoding(ev, encoding_name);
  if (text_is_ascii(bytes)) return bytes;
  Buf buf;
  buf_init(&buf, ev->arena);
  for (size_t at = 0; at < bytes.len;) {
    size_t begin = at;
    unsigned char byte = (unsigned char)bytes.data[at];
    if (byte < 0x80 || encoding == ENCODING_LATIN1) {
      text_put_code(&buf, byte);
      at++;
    } else if (encoding == ENCODING_ASCII) {
      put_undecodable(ev, &buf, encoding, errors, byte, at++, "ordinal not in range(128)");
    } else if (utf8_decode(bytes, &at) != UTF8_BAD) {
      buf_str(&buf, (Str){bytes.data + begin, at - begin});
    } else {
      unsigned need = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
      bool bad_start = byte < 0xc2 || byte > 0xf4;
      size_t end = begin + 1; // of what follows the first byte as it should
      while (end < bytes.len && end < begin + need && (bytes.data[end] & 0xc0) == 0x80) end++;
      const char *reason = bad_start                                ? "invalid start byte"
                           : end == bytes.len && end < begin + need ? "unexpected end of data"
                                                                    : "invalid continuation byte";
      put_undecodable(ev, &buf, encoding, errors, byte, begin, reason);
    }
  }
  return buf_view(&buf);
}

// ---- sequence -----------------------------------------------------------------------------------
static int64_t bytes_len(Eval *ev, Value self) { return (int64_t)self_bytes(ev, self).len; }

static Value bytes_getitem(Eval *ev, Value self, Value index) {
  Str text = self_bytes(ev, self);
  const SliceObject *slice = value_as_slice(ev, index);
  if (!slice) {
    const IndexWords *words = value_is_bytearray(ev, self) ? &bytearray_words : &bytes_words;
    int64_t at = sequence_index(ev, index, (int64_t)text.len, words);
    return v_int((unsigned char)text.data[at]);
  }
  SliceBounds bounds = slice_bounds(ev, slice, (int64_t)text.len);
  char *out = arena_alloc_bytes(ev->arena, (size_t)bounds.count + 1);
  for (int64_t i = 0; i < bounds.count; i++) out[i] = text.data[bounds.start + i * bounds.step];
  return make_like(ev, self, (Str){out, (size_t)bounds.count});
}

static bool bytes_contains(Eval *ev, Value self, Value item) {
  Str text = self_bytes(ev, self), wanted;
  if (value_as_bytes(ev, item, &wanted)) return text_find(text, wanted, 0) != SIZE_MAX;
  Value index = take_index_opt(ev, item);
  if (v_is_unbound(index)) {
    eval_raise(ev, ev->types.TypeError, "a bytes-like object is required, not '%s'",
               value_type_name(ev, item));
  }
  if (index.kind == V_OBJECT || index.i < 0 || index.i > 255)
    eval_raise(ev, ev->types.ValueError, "byte must be in range(0, 256)");
  return text.len > 0 && memchr(text.data, (int)index.i, text.len) != NULL;
}

typedef struct BytesIterator {
  Object base;
  Value bytes; // a bytearray may change meanwhile
  size_t at;
} BytesIterator;

static Value bytes_iter(Eval *ev, Value self) {
  BytesIterator *it = ARENA_NEW(ev->arena, BytesIterator);
  *it = (BytesIterator){{ev->builtin->bytes_iterator}, self, 0};
  return v_object(it);
}

static bool bytes_iterator_next(Eval *ev, Value self, Value *out) {
  BytesIterator *it = (BytesIterator *)self.o;
  Str text = self_bytes(ev, it->bytes);
  if (it->at >= text.len) return false;
  *out = v_int((unsigned char)text.data[it->at++]);
  return true;
}

static Value bytes_repeat(Eval *ev, Value bytes, Str text, Value times) {
  int64_t count;
  if (!repeat_count(ev, times, text.len, 1, &count)) return v_not_implemented();
  Buf buf;
  buf_init(&buf, ev->arena);
  buf_repeat(&buf, text, count > 0 ? (size_t)count : 0);
  return make_like(ev, bytes, buf_view(&buf));
}

static Value bytes_concat(Eval *ev, Value left, Str a, Str b) {
  Buf buf;
  buf_init(&buf, ev->arena);
  buf_str(&buf, a);
  buf_str(&buf, b);
  return make_like(ev, left, buf_view(&buf));
}

static Value bytes_binary(Eval *ev, BinaryOp op, Value left, Value right) {
  Str a, b;
  bool has_left = value_as_bytes(ev, left, &a), has_right = value_as_bytes(ev, right, &b);
  if (op == BIN_ADD && has_left && has_right && left.o->type != ev->types.memoryview)
    return bytes_concat(ev, left, a, b);
  if (op == BIN_MUL && has_left != has_right)
    return bytes_repeat(ev, has_left ? left : right, has_left ? a : b, has_left ? right : left);
  if (op == BIN_MOD && has_left) return make_like(ev, left, percent_format(ev, a, right));
  return v_not_implemented();
}

static Value bytes_compare(Eval *ev, CompareOp op, Value left, Value right) {
  Str a, b;
  if (!value_as_bytes(ev, left, &a) || !value_as_bytes(ev, right, &b)) return v_not_implemented();
  return v_bool(order_holds(op, str_compare(a, b)));
}

static uint64_t bytes_hash(Eval *ev, Value self) {
  uint64_t hash = 0xcbf29ce484222325u; // FNV-1a
  Str text = self_bytes(ev, self);
  for (size_t i = 0; i < text.len; i++)
    hash = (hash ^ (unsigned char)text.data[i]) * 0x100000001b3u;
  return hash;
}

static Str bytes_repr_slot(Eval *ev, Value self) {
  return bytes_repr(ev->arena, self_bytes(ev, self));
}

// ---- methods ------------------------------------------------------------------------------------
static Str bytes_argument(Eval *ev, Value source, Value encoding, Value errors) {
  Str text;
  if (v_is_unbound(source)) {
    if (!v_is_unbound(encoding))
      eval_raise(ev, ev->types.TypeError, "encoding without a string argument");
    return (Str){"", 0};
  }
  if (value_as_str(source, &text)) {
    if (v_is_unbound(encoding))
      eval_raise(ev, ev->types.TypeError, "string argument without an encoding");
    return text_encode(ev, text, encoding, errors);
  }
  if (value_as_bytes(ev, source, &text)) return text;
  Value made = special_call(ev, source, ev->builtin->names.dunder_bytes, 0, NULL);
  if (v_is_unbound(made))
    made = special_call(ev, source, name_of(ev, "__buffer__"), 1, (Value[]){v_int(0)});
  if (!v_is_unbound(made)) return take_bytes(ev, made);
  Value size = take_index_opt(ev, source);
  if (v_is_unbound(size)) return take_bytes(ev, source);
  int64_t count = take_index64(ev, size);
  if (count < 0) eval_raise(ev, ev->types.ValueError, "negative count");
  return (Str){arena_alloc_bytes(ev->arena, (size_t)count + 1), (size_t)count};
}

// Of bytes and of bytearray.
static Value bytes_of_class(Eval *ev, Value cls, Str text) {
  const EvalTypes *types = &ev->types;
  bool changes = cls.kind == V_OBJECT && type_is_subtype((Type *)cls.o, types->bytearray);
  Type *native = changes ? types->bytearray : types->bytes;
  Value made = changes ? make_bytearray(ev, text) : make_bytes(ev, text);
  return payload_wrap(ev, class_argument(ev, cls, native), native, made);
}

static Value bytes_new(Eval *ev, Value *a) {
  return bytes_of_class(ev, a[0], bytes_argument(ev, a[1], a[2], a[3]));
}

static Value bytes_decode(Eval *ev, Value *a) {
  return make_str(ev, text_decode(ev, self_bytes(ev, a[0]), a[1], a[2]));
}

static Value bytes_hex(Eval *ev, Value *a) {
  Str text = self_bytes(ev, a[0]), separator = {0};
  if (!v_is_unbound(a[1])) separator = take_str(ev, a[1], "sep");
  Buf buf;
  buf_init(&buf, ev->arena);
  for (size_t i = 0; i < text.len; i++) {
    if (i > 0) buf_str(&buf, separator);
    buf_printf(&buf, "%02x", (unsigned char)text.data[i]);
  }
  return make_str(ev, buf_view(&buf));
}

static int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  c |= 32;
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static Value bytes_fromhex(Eval *ev, Value *a) {
  Str text = take_str(ev, a[1], "fromhex() argument");
  Buf buf;
  buf_init(&buf, ev->arena);
  for (size_t i = 0; i < text.len; i++) {
    if (strchr(" \t\n\r\f\v", text.data[i]) && text.data[i]) continue;
    int high = hex_digit(text.data[i]);
    if (high >= 0) i++;
    int low = high >= 0 && i < text.len ? hex_digit(text.data[i]) : -1;
    if (low < 0) {
      eval_raise(ev, ev->types.ValueError,
                 "non-hexadecimal number found in fromhex() arg at position %zu", i);
    }
    buf_char(&buf, (char)(high << 4 | low));
  }
  return bytes_of_class(ev, a[0], buf_view(&buf));
}

// What is looked for: bytes, or one of them as a number.
static Str take_wanted(Eval *ev, Value v, char *one) {
  if (v.kind != V_INT && v.kind != V_BOOL) return take_bytes_like(ev, v);
  if (v.i < 0 || v.i > 255) eval_raise(ev, ev->types.ValueError, "byte must be in range(0, 256)");
  *one = (char)v.i;
  return (Str){one, 1};
}

static Value bytes_find(Eval *ev, Value *a) {
  char one;
  Str text = self_bytes(ev, a[0]), wanted = take_wanted(ev, a[1], &one);
  int64_t length = (int64_t)text.len;
  size_t begin = (size_t)take_bound(ev, a[2], length, 0),
         end = (size_t)take_bound(ev, a[3], length, length);
  size_t found = begin <= end ? text_find((Str){text.data, end}, wanted, begin) : SIZE_MAX;
  return v_int(found == SIZE_MAX ? -1 : (int64_t)found);
}

static Value bytes_index(Eval *ev, Value *a) {
  Value found = bytes_find(ev, a);
  if (found.i < 0) eval_raise(ev, ev->types.ValueError, "subsection not found");
  return found;
}

static Value bytes_count(Eval *ev, Value *a) {
  char one;
  Str text = self_bytes(ev, a[0]), wanted = take_wanted(ev, a[1], &one);
  int64_t length = (int64_t)text.len, count = 0;
  size_t begin = (size_t)take_bound(ev, a[2], length, 0),
         end = (size_t)take_bound(ev, a[3], length, length);
  if (begin > end) return v_int(0);
  text = (Str){text.data + begin, end - begin};
  if (wanted.len == 0) return v_int((int64_t)text.len + 1);
  for (size_t at = 0; (at = text_find(text, wanted, at)) != SIZE_MAX; at += wanted.len) count++;
  return v_int(count);
}

static bool bytes_affix(Eval *ev, Value self, Value affix, bool at_end) {
  Str text = self_bytes(ev, self), one;
  if (value_as_bytes(ev, affix, &one))
    return at_end ? str_ends_with(text, one) : str_starts_with(text, one);
  const Tuple *affixes = value_as_tuple(affix);
  if (!affixes) {
    eval_raise(ev, ev->types.TypeError, "%s first arg must be bytes or a tuple of bytes, not %s",
               at_end ? "endswith" : "startswith", value_type_name(ev, affix));
  }
  for (size_t i = 0; i < affixes->count; i++) {
    if (bytes_affix(ev, self, affixes->items[i], at_end)) return true;
  }
  return false;
}

static Value bytes_startswith(Eval *ev, Value *a) {
  return v_bool(bytes_affix(ev, a[0], a[1], false));
}

static Value bytes_endswith(Eval *ev, Value *a) {
  return v_bool(bytes_affix(ev, a[0], a[1], true));
}

static Value bytes_join(Eval *ev, Value *a) {
  Str separator = self_bytes(ev, a[0]);
  const Tuple *items = value_to_tuple(ev, a[1]);
  Buf buf;
  buf_init(&buf, ev->arena);
  for (size_t i = 0; i < items->count; i++) {
    Str item;
    if (!value_as_bytes(ev, items->items[i], &item)) {
      eval_raise(ev, ev->types.TypeError,
                 "sequence item %zu: expected a bytes-like object, %s found", i,
                 value_type_name(ev, items->items[i]));
    }
    if (i > 0) buf_str(&buf, separator);
    buf_str(&buf, item);
  }
  return make_like(ev, a[0], buf_view(&buf));
}

static bool is_ascii_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

static Value bytes_split(Eval *ev, Value *a) {
  Str text = self_bytes(ev, a[0]);
  int64_t most = take_index_clamped(ev, a[2]);
  List *list = list_new(ev, 4);
  size_t at = 0;
  if (v_is_none(a[1])) {
    for (;;) {
      while (at < text.len && is_ascii_space(text.data[at])) at++;
      if (at >= text.len) return v_object(list);
      size_t begin = at;
      while (at < text.len && (most == 0 || !is_ascii_space(text.data[at]))) at++;
      list_push(ev, list, make_like(ev, a[0], (Str){text.data + begin, at - begin}));
      if (most > 0) most--;
    }
  }
  Str separator = take_bytes_like(ev, a[1]);
  if (separator.len == 0) eval_raise(ev, ev->types.ValueError, "empty separator");
  for (; most != 0; most--) {
    size_t found = text_find(text, separator, at);
    if (found == SIZE_MAX) break;
    list_push(ev, list, make_like(ev, a[0], (Str){text.data + at, found - at}));
    at = found + separator.len;
  }
  list_push(ev, list, make_like(ev, a[0], (Str){text.data + at, text.len - at}));
  return v_object(list);
}

static Value bytes_replace(Eval *ev, Value *a) {
  Str text = self_bytes(ev, a[0]), old = take_bytes_like(ev, a[1]), new = take_bytes_like(ev, a[2]);
  int64_t most = take_index_clamped(ev, a[3]);
  Buf buf;
  buf_init(&buf, ev->arena);
  size_t at = 0;
  for (; most != 0 && at <= text.len; most--) {
    size_t found = text_find(text, old, at);
    if (found == SIZE_MAX) break;
    buf_str(&buf, (Str){text.data + at, found - at});
    buf_str(&buf, new);
    at = found + old.len;
    if (old.len == 0) {
      if (at < text.len) buf_char(&buf, text.data[at]);
      at++;
    }
  }
  if (at < text.len) buf_str(&buf, (Str){text.data + at, text.len - at});
  return make_like(ev, a[0], buf_view(&buf));
}

static Value bytes_strip_sides(Eval *ev, Value *a, bool left, bool right) {
  Str text = self_bytes(ev, a[0]);
  Str set = v_is_none(a[1]) ? STR(" \t\n\r\f\v") : take_bytes_like(ev, a[1]);
  while (left && text.len > 0 && memchr(set.data, text.data[0], set.len)) text.data++, text.len--;
  while (right && text.len > 0 && memchr(set.data, text.data[text.len - 1], set.len)) text.len--;
  return make_like(ev, a[0], text);
}

static Value bytes_strip(Eval *ev, Value *a) { return bytes_strip_sides(ev, a, true, true); }

static Value bytes_lstrip(Eval *ev, Value *a) { return bytes_strip_sides(ev, a, true, false); }

static Value bytes_rstrip(Eval *ev, Value *a) { return bytes_strip_sides(ev, a, false, true); }

static Value bytes_change_case(Eval *ev, Value self, char first, char last) {
  Str text = self_bytes(ev, self);
  char *out = arena_dup(ev->arena, text.data, text.len);
  for (size_t i = 0; i < text.len; i++) {
    if (out[i] >= first && out[i] <= last) out[i] ^= 32;
  }
  return make_like(ev, self, (Str){out, text.len});
}

static Value bytes_upper(Eval *ev, Value *a) { return bytes_change_case(ev, a[0], 'a', 'z'); }

static Value bytes_lower(Eval *ev, Value *a) { return bytes_change_case(ev, a[0], 'A', 'Z'); }

static const NativeDef bytes_methods[] = {
    {"__new__(cls, source=, encoding=, errors=)", bytes_new},
    {"decode(self, /, encoding=, errors=)", bytes_decode},
    {"hex(self, sep=, bytes_per_sep=1)", bytes_hex},
    {"fromhex(cls, string, /)", bytes_fromhex},
    {"find(self, sub, start=None, end=None, /)", bytes_find},
    {"index(self, sub, start=None, end=None, /)", bytes_index},
    {"count(self, sub, start=None, end=None, /)", bytes_count},
    {"startswith(self, prefix, /)", bytes_startswith},
    {"endswith(self, suffix, /)", bytes_endswith},
    {"join(self, iterable_of_bytes, /)", bytes_join},
    {"split(self, /, sep=None, maxsplit=-1)", bytes_split},
    {"replace(self, old, new, count=-1, /)", bytes_replace},
    {"strip(self, bytes=None, /)", bytes_strip},
    {"lstrip(self, bytes=None, /)", bytes_lstrip},
    {"rstrip(self, bytes=None, /)", bytes_rstrip},
    {"upper(self, /)", bytes_upper},
    {"lower(self, /)", bytes_lower},
    {0},
};

const NativeType bytes_type = {
    .slots = {.len = bytes_len,
              .getitem = bytes_getitem,
              .contains = bytes_contains,
              .iter = bytes_iter,
              .binary = bytes_binary,
              .compare = bytes_compare,
              .hash = bytes_hash,
              .repr = bytes_repr_slot},
    .methods = bytes_methods,
};

static const NativeType bytes_iterator_type = {
    .slots = {.iter = iterator_self, .next = bytes_iterator_next}};

void builtin_bytes_init(Eval *ev) {
  native_type_define(ev, ev->types.bytes, &bytes_type);
  ev->builtin->bytes_iterator =
      native_type_new(ev, "builtins", "bytes_iterator", NULL, &bytes_iterator_type);
}
