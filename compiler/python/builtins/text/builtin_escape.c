// SPDX-License-Identifier: Apache-2.0
// The encoding unicode_escape: characters as the escapes of a literal. Bytes that are none of an
// escape are latin-1.
#include "builtin_escape.h"
#include "base/buf.h"
#include "builtin_bytes.h"
#include "builtin_text.h"
#include "python/builtins/builtin_exceptions.h"
#include "python/objects/convert.h"
#include "python/values/new_value.h"
#include "python/values/raise.h"
#include <string.h>

bool is_escape_encoding(Str name) {
  static const char *const names[] = {"unicode_escape", "unicode-escape", "unicodeescape"};
  for (size_t i = 0; i < COUNT_OF(names); i++)
    if (str_equal(name, str_from_c(names[i]))) return true;
  return false;
}

// Each letter behind a backslash, and the character that both stand for.
static const char letters[] = "n\nt\tr\r\\\\'\'\"\"a\ab\bf\fv\v";

Str text_to_escapes(Eval *ev, Str text) {
  enum { WRITTEN = 4 }; // pairs of `letters`: the others have no letter when they are written
  Buf out;
  buf_init(&out, ev->arena);
  for (size_t at = 0; at < text.len;) {
    uint32_t code = text_next(text, &at);
    size_t pair = 0;
    while (pair < WRITTEN && (unsigned char)letters[2 * pair + 1] != code) pair++;
    if (pair < WRITTEN)
      buf_printf(&out, "\\%c", letters[2 * pair]);
    else if (code >= 0x20 && code < 0x7f)
      buf_char(&out, (char)code);
    else
      text_put_escape(&out, code);
  }
  return buf_view(&out);
}

typedef struct Reader {
  Eval *ev;
  Str bytes;
  size_t at; // behind the backslash
  Value errors;
  Buf out;
} Reader;

static void put_malformed(Reader *r, size_t begin, size_t end, const char *reason) {
  Str mode = v_is_unbound(r->errors) ? STR("strict") : take_str(r->ev, r->errors, "errors");
  if (str_equal(mode, STR("replace"))) {
    text_put_code(&r->out, 0xfffd);
  } else if (!str_equal(mode, STR("ignore"))) {
    UnicodeFault fault = {"unicodeescape", make_bytes(r->ev, r->bytes), begin, end, reason};
    raise_unicode_error(r->ev, "UnicodeDecodeError", &fault);
  }
  r->at = end;
}

// The digits of an escape, at most `most`; how many there were.
static size_t read_digits(Reader *r, size_t most, uint32_t base, uint32_t *code) {
  size_t count = 0;
  for (*code = 0; count < most && r->at + count < r->bytes.len; count++) {
    char c = r->bytes.data[r->at + count];
    uint32_t digit = c >= '0' && c <= '9'   ? (uint32_t)(c - '0')
                     : c >= 'a' && c <= 'f' ? (uint32_t)(c - 'a' + 10)
                     : c >= 'A' && c <= 'F' ? (uint32_t)(c - 'A' + 10)
                                            : base;
    if (digit >= base) break;
    *code = *code * base + digit;
  }
  return count;
}

static void read_hexadecimal(Reader *r, size_t size, const char *truncated) {
  size_t begin = r->at - 2;
  uint32_t code;
  size_t count = read_digits(r, size, 16, &code);
  if (count < size) {
    put_malformed(r, begin, r->at + count, truncated);
  } else if (code > 0x10ffff) {
    put_malformed(r, begin, r->at + count, "illegal Unicode character");
  } else {
    text_put_code(&r->out, code);
    r->at += count;
  }
}

static void read_escape(Reader *r) {
  if (r->at == r->bytes.len) {
    put_malformed(r, r->at - 1, r->at, "\\ at end of string");
    return;
  }
  char c = r->bytes.data[r->at];
  if (c >= '0' && c <= '7') {
    uint32_t code;
    r->at += read_digits(r, 3, 8, &code);
    text_put_code(&r->out, code);
    return;
  }
  r->at++;
  for (const char *pair = letters; *pair; pair += 2) {
    if (*pair != c) continue;
    buf_char(&r->out, pair[1]);
    return;
  }
  if (c == 'x') {
    read_hexadecimal(r, 2, "truncated \\xXX escape");
  } else if (c == 'u') {
    read_hexadecimal(r, 4, "truncated \\uXXXX escape");
  } else if (c == 'U') {
    read_hexadecimal(r, 8, "truncated \\UXXXXXXXX escape");
  } else if (c == 'N') {
    eval_raise(r->ev, r->ev->types.NotImplementedError,
               "'unicode_escape' with names of characters is not supported");
  } else if (c != '\n') {
    buf_char(&r->out, '\\');
    r->at--;
  }
}

Str text_from_escapes(Eval *ev, Str bytes, Value errors) {
  Reader r = {.ev = ev, .bytes = bytes, .errors = errors};
  buf_init(&r.out, ev->arena);
  while (r.at < bytes.len) {
    unsigned char byte = (unsigned char)bytes.data[r.at++];
    if (byte == '\\')
      read_escape(&r);
    else
      text_put_code(&r.out, byte);
  }
  return buf_view(&r.out);
}
