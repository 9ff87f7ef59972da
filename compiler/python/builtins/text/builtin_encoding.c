// SPDX-License-Identifier: Apache-2.0
// The encodings between bytes and str: utf-8, utf-16, utf-32, ascii, latin-1, cp1252.
#include "base/buf.h"
#include "builtin_encoding.h"
#include "builtin_escape.h"
#include "base/encoding.h"
#include "base/unicode.h"
#include "builtin_bytes.h"
#include "python/builtins/builtin_exceptions.h"
#include "builtin_text.h"
#include "python/objects/convert.h"
#include "python/values/builtin_state.h"
#include "python/values/new_value.h"
#include "python/values/raise.h"
#include "python/values/values.h"
#include <string.h>

static const Encoding *take_encoding(Eval *ev, Value v) {
  if (v_is_unbound(v)) return encoding_from_name(STR("utf-8"));
  Str given = take_str(ev, v, "encoding");
  const Encoding *encoding = encoding_from_name(given);
  if (encoding) return encoding;
  eval_raise(ev, ev->types.LookupError, "unknown encoding: %.*s", STR_FMT(given));
}

typedef enum ErrorMode {
  ERRORS_STRICT,
  ERRORS_IGNORE,
  ERRORS_REPLACE,
  ERRORS_BACKSLASH,
  ERRORS_XML,
  ERRORS_SURROGATE_ESCAPE, // bytes that are none of the encoding are U+DC80 to U+DCFF
  ERRORS_SURROGATE_PASS,
  ERRORS_UNKNOWN
} ErrorMode;

static ErrorMode take_errors(Eval *ev, Value v) {
  static const char *const names[] = {
      "strict",          "ignore",       "replace", "backslashreplace", "xmlcharrefreplace",
      "surrogateescape", "surrogatepass"};
  if (v_is_unbound(v)) return ERRORS_STRICT;
  Str given = take_str(ev, v, "errors");
  for (size_t i = 0; i < COUNT_OF(names); i++) {
    if (str_equal(given, str_from_c(names[i]))) return (ErrorMode)i;
  }
  return ERRORS_UNKNOWN;
}

// What of a text or of bytes is converted, and how.
typedef struct Conversion {
  Eval *ev;
  const Encoding *encoding;
  Value errors;
  Str source;
  Buf out;
} Conversion;

static NORETURN void raise_unknown_handler(const Conversion *c) {
  Str name = take_str(c->ev, c->errors, "errors");
  eval_raise(c->ev, c->ev->types.LookupError, "unknown error handler name '%.*s'", STR_FMT(name));
}

static bool is_surrogate(uint32_t code) { return code >= 0xd800 && code < 0xe000; }

static bool is_encodable(const Encoding *encoding, uint32_t code) {
  if (encoding->unit == 1) return encoding_to_byte(encoding, code) >= 0;
  return code < encoding->limit && !is_surrogate(code);
}

static void put_unit(Conversion *c, uint32_t unit) {
  unsigned size = c->encoding->unit;
  for (unsigned i = 0; i < size; i++)
    buf_char(&c->out, (char)(unit >> 8 * (c->encoding->is_big ? size - 1 - i : i)));
}

static void put_wide(Conversion *c, uint32_t code) {
  unsigned unit = c->encoding->unit;
  if (unit != 2 || code < 0x10000) {
    put_unit(c, unit == 1 ? (uint32_t)encoding_to_byte(c->encoding, code) : code);
    return;
  }
  put_unit(c, 0xd800 + ((code - 0x10000) >> 10));
  put_unit(c, 0xdc00 + (code & 0x3ff));
}

// `code` is that of the character at `position`, `at` the place behind it.
static void put_unencodable(Conversion *c, uint32_t code, size_t position, size_t at) {
  Eval *ev = c->ev;
  uint32_t limit = c->encoding->limit;
  switch (take_errors(ev, c->errors)) {
  case ERRORS_IGNORE: return;
  case ERRORS_REPLACE: buf_char(&c->out, '?'); return;
  case ERRORS_BACKSLASH: text_put_escape(&c->out, code); return;
  case ERRORS_XML: buf_printf(&c->out, "&#%u;", code); return;
  case ERRORS_SURROGATE_ESCAPE:
    if (code < 0xdc80 || code > 0xdcff || c->encoding->unit > 1) break;
    buf_char(&c->out, (char)(code & 0xff));
    return;
  case ERRORS_SURROGATE_PASS:
    if (!is_surrogate(code) || c->encoding->unit == 1) break;
    if (c->encoding->unit == 0)
      text_put_code(&c->out, code);
    else
      put_wide(c, code);
    return;
  case ERRORS_UNKNOWN: raise_unknown_handler(c);
  case ERRORS_STRICT: break;
  }
  size_t end = position + 1; // of those in a row that cannot be encoded
  while (at < c->source.len && !is_encodable(c->encoding, text_next(c->source, &at))) end++;
  raise_unicode_error(ev, "UnicodeEncodeError",
                      &(UnicodeFault){c->encoding->name, make_str(ev, c->source), position, end,
                                      c->encoding->high ? "character maps to <undefined>"
                                      : limit == 128    ? "ordinal not in range(128)"
                                      : limit == 256    ? "ordinal not in range(256)"
                                                        : "surrogates not allowed"});
}

// UTF-8 as it is, but for surrogates.
static Str encode_utf8(Conversion *c) {
  if (!memchr(c->source.data, 0xed, c->source.len) && !c->encoding->has_mark) return c->source;
  buf_init(&c->out, c->ev->arena);
  if (c->encoding->has_mark) buf_str(&c->out, STR("\xef\xbb\xbf"));
  size_t position = 0;
  for (size_t at = 0; at < c->source.len; position++) {
    size_t begin = at;
    uint32_t code = text_next(c->source, &at);
    if (is_surrogate(code))
      put_unencodable(c, code, position, at);
    else
      buf_str(&c->out, (Str){c->source.data + begin, at - begin});
  }
  return buf_view(&c->out);
}

static bool names_escapes(Value encoding_name) {
  Str name;
  return value_as_str(encoding_name, &name) && is_escape_encoding(name);
}

Str text_encode(Eval *ev, Str text, Value encoding_name, Value errors) {
  if (names_escapes(encoding_name)) return text_to_escapes(ev, text);
  Conversion c = {ev, take_encoding(ev, encoding_name), errors, text, {0}};
  const Encoding *encoding = c.encoding;
  if (encoding->unit == 0) return encode_utf8(&c);
  if (encoding->unit == 1 && text_is_ascii(text)) return text;
  buf_init(&c.out, ev->arena);
  if (encoding->has_mark) put_unit(&c, 0xfeff);
  size_t position = 0;
  for (size_t at = 0; at < text.len; position++) {
    uint32_t code = text_next(text, &at);
    if (is_encodable(encoding, code))
      put_wide(&c, code);
    else
      put_unencodable(&c, code, position, at);
  }
  return buf_view(&c.out);
}

static uint32_t unit_at(const Conversion *c, size_t at, bool is_big) {
  unsigned size = c->encoding->unit;
  uint32_t unit = 0;
  for (unsigned i = 0; i < size; i++)
    unit |= (uint32_t)(unsigned char)c->source.data[at + i] << 8 * (is_big ? size - 1 - i : i);
  return unit;
}

// The bytes [begin, end) are none of the encoding.
static void put_undecodable(Conversion *c, size_t begin, size_t end, const char *reason) {
  switch (take_errors(c->ev, c->errors)) {
  case ERRORS_IGNORE: return;
  case ERRORS_REPLACE: text_put_code(&c->out, 0xfffd); return;
  case ERRORS_BACKSLASH:
    for (size_t i = begin; i < end; i++)
      buf_printf(&c->out, "\\x%02x", (unsigned char)c->source.data[i]);
    return;
  case ERRORS_SURROGATE_ESCAPE:
    for (size_t i = begin; i < end; i++)
      text_put_code(&c->out, 0xdc00u | (unsigned char)c->source.data[i]);
    return;
  case ERRORS_SURROGATE_PASS: {
    size_t unit = c->encoding->unit;
    uint32_t code = unit > 1 && end - begin == unit ? unit_at(c, begin, c->encoding->is_big) : 0;
    if (!is_surrogate(code)) break;
    text_put_code(&c->out, code);
    return;
  }
  case ERRORS_XML:
    eval_raise(c->ev, c->ev->types.TypeError,
               "don't know how to handle UnicodeDecodeError in error callback");
  case ERRORS_UNKNOWN: raise_unknown_handler(c);
  case ERRORS_STRICT: break;
  }
  raise_unicode_error(
      c->ev, "UnicodeDecodeError",
      &(UnicodeFault){c->encoding->name, make_bytes(c->ev, c->source), begin, end, reason});
}

// How many continuation bytes fit behind a first byte, in UTF-8, and what is wrong with the next.
static size_t utf8_fault(Str bytes, size_t begin, const char **reason) {
  unsigned char first = (unsigned char)bytes.data[begin];
  *reason = "invalid start byte";
  if (first < 0xc2 || first > 0xf4) return begin + 1;
  size_t need = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2, end = begin + 1;
  unsigned low = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
  unsigned high = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
  while (end < bytes.len && end < begin + need) {
    unsigned char byte = (unsigned char)bytes.data[end];
    if (byte < low || byte > high) break;
    low = 0x80;
    high = 0xbf;
    end++;
  }
  *reason = end == bytes.len ? "unexpected end of data" : "invalid continuation byte";
  return end;
}

static void decode_wide(Conversion *c) {
  size_t unit = c->encoding->unit, len = c->source.len, at = 0;
  bool is_big = c->encoding->is_big;
  if (c->encoding->has_mark) {
    bool is_swapped = len >= unit && unit_at(c, 0, true) == 0xfeff;
    if (is_swapped || (len >= unit && unit_at(c, 0, false) == 0xfeff)) at = unit;
    is_big = is_swapped;
    c->encoding += is_big ? 2 : 1; // errors speak of what the mark says
  }
  while (at < len) {
    size_t begin = at;
    if (at + unit > len) {
      put_undecodable(c, begin, len, "truncated data");
      return;
    }
    uint32_t code = unit_at(c, at, is_big);
    at += unit;
    if (unit == 2 && code >= 0xd800 && code < 0xdc00) {
      uint32_t next = at + unit <= len ? unit_at(c, at, is_big) : 0;
      if (at + unit > len) {
        put_undecodable(c, begin, len, "unexpected end of data");
        return;
      }
      if (next < 0xdc00 || next > 0xdfff) {
        put_undecodable(c, begin, at, "illegal UTF-16 surrogate");
        continue;
      }
      code = 0x10000 + ((code - 0xd800) << 10) + (next - 0xdc00);
      at += unit;
    }
    if (code >= 0xd800 && code < 0xe000) {
      put_undecodable(c, begin, at,
                      unit == 2 ? "illegal encoding"
                                : "code point in surrogate code point range(0xd800, 0xe000)");
    } else if (code > 0x10ffff) {
      put_undecodable(c, begin, at, "code point not in range(0x110000)");
    } else {
      text_put_code(&c->out, code);
    }
  }
}

// The bytes of a surrogate, as UTF-8 would have it; 0: there is none.
static size_t surrogate_size(Str bytes, size_t at) {
  const unsigned char *b = (const unsigned char *)bytes.data + at;
  return at + 3 <= bytes.len && b[0] == 0xed && b[1] >= 0xa0 && b[1] < 0xc0 && b[2] >= 0x80 &&
                 b[2] < 0xc0
             ? 3
             : 0;
}

static void decode_narrow(Conversion *c) {
  Str bytes = c->source;
  bool takes_surrogates = take_errors(c->ev, c->errors) == ERRORS_SURROGATE_PASS;
  for (size_t at = 0; at < bytes.len;) {
    size_t begin = at;
    unsigned char byte = (unsigned char)bytes.data[at];
    const char *reason;
    if (byte < 0x80 || c->encoding->limit == 256) {
      uint32_t code = encoding_of_byte(c->encoding, byte);
      at++;
      if (code || !byte)
        text_put_code(&c->out, code);
      else
        put_undecodable(c, begin, at, "character maps to <undefined>");
    } else if (c->encoding->limit == 128) {
      put_undecodable(c, begin, ++at, "ordinal not in range(128)");
    } else if (utf8_decode(bytes, &at) != UTF8_BAD) {
      buf_str(&c->out, (Str){bytes.data + begin, at - begin});
    } else if (takes_surrogates && surrogate_size(bytes, begin)) {
      at = begin + surrogate_size(bytes, begin);
      buf_str(&c->out, (Str){bytes.data + begin, at - begin});
    } else {
      at = utf8_fault(bytes, begin, &reason);
      put_undecodable(c, begin, at, reason);
    }
  }
}

Str text_decode(Eval *ev, Str bytes, Value encoding_name, Value errors) {
  if (names_escapes(encoding_name)) return text_from_escapes(ev, bytes, errors);
  Conversion c = {ev, take_encoding(ev, encoding_name), errors, bytes, {0}};
  if (c.encoding->unit < 2 && text_is_ascii(bytes)) return bytes;
  buf_init(&c.out, ev->arena);
  if (c.encoding->unit >= 2) {
    decode_wide(&c);
    return buf_view(&c.out);
  }
  if (c.encoding->has_mark && str_starts_with(bytes, STR("\xef\xbb\xbf")))
    c.source = (Str){bytes.data + 3, bytes.len - 3};
  decode_narrow(&c);
  return buf_view(&c.out);
}
