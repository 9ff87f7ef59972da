// SPDX-License-Identifier: Apache-2.0
// Text by code points: properties, case, searching, repr. Texts are UTF-8; ASCII is the common case
// and goes fast everywhere.
#define _GNU_SOURCE // memmem
#include "base/buf.h"
#include "base/unicode.h"
#include "python/values/builtin_state.h"
#include "builtin_text.h"
#include <stdlib.h>
#include <string.h>
#include <unicase.h>
#include <unictype.h>

// ---- code points --------------------------------------------------------------------------------
// The ideographs that are numbers by Unicode's Unihan tables, which libunistring leaves out.
static const uint32_t number_ideographs[] = {
    0x3405,  0x3483,  0x382a,  0x3b4d,  0x4e00,  0x4e03,  0x4e07,  0x4e09,  0x4e5d,  0x4e8c,
    0x4e94,  0x4e96,  0x4ebf,  0x4ec0,  0x4edf,  0x4ee8,  0x4f0d,  0x4f70,  0x5104,  0x5146,
    0x5169,  0x516b,  0x516d,  0x5341,  0x5343,  0x5344,  0x5345,  0x534c,  0x53c1,  0x53c2,
    0x53c3,  0x53c4,  0x56db,  0x58f1,  0x58f9,  0x5e7a,  0x5efe,  0x5eff,  0x5f0c,  0x5f0d,
    0x5f0e,  0x5f10,  0x62fe,  0x634c,  0x67d2,  0x6f06,  0x7396,  0x767e,  0x8086,  0x842c,
    0x8cae,  0x8cb3,  0x8d30,  0x9621,  0x9646,  0x964c,  0x9678,  0x96f6,  0x20001, 0x20064,
    0x200e2, 0x20121, 0x2092a, 0x20983, 0x2098c, 0x2099c, 0x20aea, 0x20afd, 0x20b19, 0x22390,
    0x22998, 0x23b1b, 0x2626d};

static int compare_codes(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return x < y ? -1 : x > y;
}

static bool is_number(uint32_t code) {
  return uc_numeric_value(code).denominator != 0 ||
         bsearch(&code, number_ideographs, COUNT_OF(number_ideographs), sizeof code, compare_codes);
}

static bool is_space(uint32_t code) {
  int bidi = uc_bidi_class(code);
  return bidi == UC_BIDI_WS || bidi == UC_BIDI_B || bidi == UC_BIDI_S ||
         uc_is_general_category_withtable(code, UC_CATEGORY_MASK_Zs);
}

static unsigned ascii_flags(uint32_t code) {
  if (code >= 'a' && code <= 'z') return TEXT_ALPHA | TEXT_LOWER | TEXT_CASED;
  if (code >= 'A' && code <= 'Z') return TEXT_ALPHA | TEXT_UPPER | TEXT_CASED;
  if (code >= '0' && code <= '9') return TEXT_DECIMAL | TEXT_DIGIT | TEXT_NUMERIC;
  if ((code >= '\t' && code <= '\r') || (code >= 0x1c && code <= ' ')) return TEXT_SPACE;
  return memchr("'.:^`", (int)code, 5) ? TEXT_IGNORABLE : 0;
}

unsigned text_flags(uint32_t code) {
  if (code < 0x80) return ascii_flags(code);
  unsigned flags = 0;
  if (uc_is_general_category_withtable(code, UC_CATEGORY_MASK_L)) flags |= TEXT_ALPHA;
  if (uc_decimal_value(code) >= 0) flags |= TEXT_DECIMAL;
  if (uc_digit_value(code) >= 0) flags |= TEXT_DIGIT;
  if (is_number(code)) flags |= TEXT_NUMERIC;
  if (is_space(code)) flags |= TEXT_SPACE;
  if (uc_is_property_uppercase(code)) flags |= TEXT_UPPER;
  if (uc_is_property_lowercase(code)) flags |= TEXT_LOWER;
  if (uc_is_general_category_withtable(code, UC_CATEGORY_MASK_Lt)) flags |= TEXT_TITLE;
  if (flags & (TEXT_UPPER | TEXT_LOWER | TEXT_TITLE)) flags |= TEXT_CASED;
  if (uc_is_property_case_ignorable(code)) flags |= TEXT_IGNORABLE;
  return flags;
}

uint32_t text_next(Str text, size_t *at) {
  unsigned char byte = (unsigned char)text.data[*at];
  if (byte < 0x80) {
    (*at)++;
    return byte;
  }
  if (byte == 0xed && *at + 3 <= text.len &&
      (text.data[*at + 1] & 0xe0) == 0xa0) { // a lone surrogate
    uint32_t surrogate = 0xd000u | (text.data[*at + 1] & 0x3fu) << 6 | (text.data[*at + 2] & 0x3fu);
    *at += 3;
    return surrogate;
  }
  uint32_t code = utf8_decode(text, at);
  return code == UTF8_BAD ? byte : code;
}

void text_put_code(Buf *buf, uint32_t code) {
  char bytes[4];
  buf_str(buf, (Str){bytes, utf8_encode(code, bytes)});
}

// Where one code point becomes one, else itself.
static uint32_t simple_case(uint32_t code, TextCase which) {
  bool is_raised = which == CASE_UPPER || which == CASE_TITLE;
  if (code < 0x80) return code - (is_raised ? 'a' : 'A') < 26 ? code ^ 0x20 : code;
  switch (which) {
  case CASE_UPPER: return uc_toupper(code);
  case CASE_TITLE: return uc_totitle(code);
  default: return uc_tolower(code);
  }
}

// The language matters to no letter here: neither Turkish nor Lithuanian rules.
void text_put_case(Buf *buf, uint32_t code, TextCase which) {
  enum { LONGEST = 3 }; // code points that one becomes
  uint32_t made[LONGEST];
  size_t count = LONGEST;
  if (code < 0x80) {
    buf_char(buf, (char)simple_case(code, which));
    return;
  }
  if (code >= 0xd800 && code < 0xe000) {
    text_put_code(buf, code);
    return;
  }
  uint32_t *result = NULL;
  switch (which) {
  case CASE_UPPER: result = u32_toupper(&code, 1, NULL, NULL, made, &count); break;
  case CASE_LOWER: result = u32_tolower(&code, 1, NULL, NULL, made, &count); break;
  case CASE_TITLE: result = u32_totitle(&code, 1, NULL, NULL, made, &count); break;
  case CASE_FOLD: result = u32_casefold(&code, 1, NULL, NULL, made, &count); break;
  }
  if (result != made) BUG("U+%04X has no case", code);
  for (size_t i = 0; i < count; i++) text_put_code(buf, made[i]);
}

bool text_is_ascii(Str text) {
  size_t i = 0;
  for (; i + 8 <= text.len; i += 8) {
    uint64_t word;
    memcpy(&word, text.data + i, 8);
    if (word & 0x8080808080808080u) return false;
  }
  for (; i < text.len; i++) {
    if (text.data[i] & 0x80) return false;
  }
  return true;
}

size_t text_length(Str text) {
  if (text_is_ascii(text)) return text.len;
  size_t count = 0;
  for (size_t at = 0; at < text.len; count++) text_next(text, &at);
  return count;
}

size_t text_offset(Str text, size_t index) {
  size_t at = 0;
  while (index > 0 && at < text.len) {
    text_next(text, &at);
    index--;
  }
  return at;
}

// ---- searching ----------------------------------------------------------------------------------
// memmem reads what is wanted first, which short texts do not repay.
static const char *find_in_short(const char *at, const char *end, Str wanted) {
  for (; (at = memchr(at, wanted.data[0], (size_t)(end - at))); at++) {
    if ((size_t)(end - at) < wanted.len) return NULL;
    if (wanted.len == 1 || memcmp(at + 1, wanted.data + 1, wanted.len - 1) == 0) return at;
  }
  return NULL;
}

size_t text_find(Str text, Str wanted, size_t from) {
  enum { SHORT = 256 };
  if (from > text.len) return SIZE_MAX;
  if (wanted.len == 0) return from;
  const char *at = text.data + from, *end = text.data + text.len;
  const char *found = wanted.len == 1 || text.len - from < SHORT
                          ? find_in_short(at, end, wanted)
                          : memmem(at, text.len - from, wanted.data, wanted.len);
  return found ? (size_t)(found - text.data) : SIZE_MAX;
}

size_t text_rfind(Str text, Str wanted, size_t end) {
  if (end < wanted.len) return SIZE_MAX;
  for (size_t at = end - wanted.len + 1; at-- > 0;) {
    if (memcmp(text.data + at, wanted.data, wanted.len) == 0) return at;
  }
  return SIZE_MAX;
}

size_t text_code_before(Str text, size_t end) {
  do end--;
  while (end > 0 && (text.data[end] & 0xc0) == 0x80);
  return end;
}

static inline bool may_be_space(char c) {
  return (unsigned char)c >= 0x80 || text_is_ascii_space(c);
}

Str text_strip(Str text, bool left, bool right) {
  size_t begin = 0, end = text.len;
  while (left && begin < end && text_is_ascii_space(text.data[begin])) begin++;
  while (right && end > begin && text_is_ascii_space(text.data[end - 1])) end--;
  while (left && begin < end && may_be_space(text.data[begin])) {
    size_t at = begin;
    if (!(text_flags(text_next(text, &at)) & TEXT_SPACE)) break;
    begin = at;
  }
  while (right && end > begin && may_be_space(text.data[end - 1])) {
    size_t at = text_code_before(text, end), start = at;
    if (!(text_flags(text_next(text, &at)) & TEXT_SPACE)) break;
    end = start;
  }
  return (Str){text.data + begin, end - begin};
}

Str text_number_ascii(Arena *arena, Str text) {
  if (text_is_ascii(text)) return text;
  Buf buf;
  buf_init(&buf, arena);
  for (size_t at = 0; at < text.len;) {
    uint32_t code = text_next(text, &at);
    int digit = uc_decimal_value(code);
    if (code < 0x80) {
      buf_char(&buf, (char)code);
    } else if (digit >= 0) {
      buf_char(&buf, (char)('0' + digit));
    } else {
      buf_char(&buf, is_space(code) ? ' ' : '?');
    }
  }
  return buf_view(&buf);
}

// ---- repr ---------------------------------------------------------------------------------------
void text_put_escape(Buf *buf, uint32_t code) {
  if (code < 0x100) {
    buf_printf(buf, "\\x%02x", code);
  } else if (code < 0x10000) {
    buf_printf(buf, "\\u%04x", code);
  } else {
    buf_printf(buf, "\\U%08x", code);
  }
}

// The escapes that all quoted texts share; false if the character has none.
static bool put_common_escape(Buf *buf, uint32_t code, char quote) {
  switch (code) {
  case '\n': buf_c(buf, "\\n"); return true;
  case '\r': buf_c(buf, "\\r"); return true;
  case '\t': buf_c(buf, "\\t"); return true;
  case '\\': buf_c(buf, "\\\\"); return true;
  default: break;
  }
  if (code != (unsigned char)quote) return false;
  buf_char(buf, '\\');
  buf_char(buf, quote);
  return true;
}

static char choose_quote(Str text) {
  bool has_single = text.len > 0 && memchr(text.data, '\'', text.len) != NULL;
  bool has_double = text.len > 0 && memchr(text.data, '"', text.len) != NULL;
  return has_single && !has_double ? '"' : '\'';
}

Str str_repr(Arena *arena, Str text) {
  Buf buf;
  buf_init(&buf, arena);
  char quote = choose_quote(text);
  buf_char(&buf, quote);
  for (size_t at = 0; at < text.len;) {
    uint32_t code = text_next(text, &at);
    if (put_common_escape(&buf, code, quote)) continue;
    if (code < 0x80 ? code >= ' ' && code < 0x7f : unicode_is_printable(code)) {
      text_put_code(&buf, code);
    } else {
      text_put_escape(&buf, code);
    }
  }
  buf_char(&buf, quote);
  return buf_view(&buf);
}

Str bytes_repr(Arena *arena, Str text) {
  Buf buf;
  buf_init(&buf, arena);
  char quote = choose_quote(text);
  buf_char(&buf, 'b');
  buf_char(&buf, quote);
  for (size_t i = 0; i < text.len; i++) {
    unsigned char c = (unsigned char)text.data[i];
    if (put_common_escape(&buf, c, quote)) continue;
    if (c >= ' ' && c < 0x7f) {
      buf_char(&buf, (char)c);
    } else {
      text_put_escape(&buf, c);
    }
  }
  buf_char(&buf, quote);
  return buf_view(&buf);
}
