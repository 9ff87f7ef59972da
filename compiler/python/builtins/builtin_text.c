// SPDX-License-Identifier: Apache-2.0
// Text by code points: properties, case, searching, repr. Texts are UTF-8; ASCII is the common case
// and goes fast everywhere.
#define _GNU_SOURCE // memmem
#include "base/unicode.h"
#include "builtin_local.h"
#include <string.h>

typedef struct Kind {
  uint16_t flags;
  int32_t offsets[3]; // to upper, lower and title case
  uint32_t zero;      // of the decimal digits of its script
} Kind;

static const Kind kinds[] = {
#define KIND(flags, upper, lower, title, zero) {flags, {upper, lower, title}, zero},
#define RUN(first, kind)
#define SPECIAL(code, upper, lower, title, fold)
#include "builtin_case.def"
#undef KIND
#undef RUN
};

static const struct Run {
  uint32_t first;
  uint16_t kind;
} runs[] = {
#define KIND(flags, upper, lower, title, zero)
#define RUN(first, kind) {first, kind},
#include "builtin_case.def"
#undef RUN
#undef SPECIAL
};

static const struct Special {
  uint32_t code;
  const char *cases[4]; // by TextCase
} specials[] = {
#define RUN(first, kind)
#define SPECIAL(code, upper, lower, title, fold) {code, {upper, lower, title, fold}},
#include "builtin_case.def"
#undef KIND
#undef RUN
#undef SPECIAL
};

// ---- code points --------------------------------------------------------------------------------
static const Kind *kind_of(uint32_t code) {
  size_t low = 0, high = COUNT_OF(runs);
  while (high - low > 1) {
    size_t middle = low + (high - low) / 2;
    if (runs[middle].first <= code)
      low = middle;
    else
      high = middle;
  }
  return &kinds[runs[low].kind];
}

unsigned text_flags(uint32_t code) { return kind_of(code)->flags; }

static const struct Special *special_of(uint32_t code) {
  size_t low = 0, high = COUNT_OF(specials);
  while (high - low > 1) {
    size_t middle = low + (high - low) / 2;
    if (specials[middle].code <= code)
      low = middle;
    else
      high = middle;
  }
  return &specials[low];
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

void text_put_case(Buf *buf, uint32_t code, TextCase which) {
  const Kind *kind = kind_of(code);
  if (kind->flags & TEXT_SPECIAL) {
    buf_c(buf, special_of(code)->cases[which]);
    return;
  }
  text_put_code(buf, code + (uint32_t)kind->offsets[which == CASE_FOLD ? CASE_LOWER : which]);
}

uint32_t text_simple_case(uint32_t code, TextCase which) {
  return code + (uint32_t)kind_of(code)->offsets[which == CASE_FOLD ? CASE_LOWER : which];
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
size_t text_find(Str text, Str wanted, size_t from) {
  if (from > text.len) return SIZE_MAX;
  if (wanted.len == 0) return from;
  const char *found = memmem(text.data + from, text.len - from, wanted.data, wanted.len);
  return found ? (size_t)(found - text.data) : SIZE_MAX;
}

size_t text_rfind(Str text, Str wanted, size_t end) {
  if (end < wanted.len) return SIZE_MAX;
  for (size_t at = end - wanted.len + 1; at-- > 0;) {
    if (memcmp(text.data + at, wanted.data, wanted.len) == 0) return at;
  }
  return SIZE_MAX;
}

static size_t code_before(Str text, size_t end) {
  do end--;
  while (end > 0 && (text.data[end] & 0xc0) == 0x80);
  return end;
}

Str text_strip(Str text, bool left, bool right) {
  size_t begin = 0, end = text.len;
  while (left && begin < end) {
    size_t at = begin;
    if (!(text_flags(text_next(text, &at)) & TEXT_SPACE)) break;
    begin = at;
  }
  while (right && end > begin) {
    size_t at = code_before(text, end), start = at;
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
    const Kind *kind = kind_of(code);
    if (code < 0x80) {
      buf_char(&buf, (char)code);
    } else if (kind->flags & TEXT_DECIMAL) {
      buf_char(&buf, (char)('0' + (code - kind->zero)));
    } else {
      buf_char(&buf, kind->flags & TEXT_SPACE ? ' ' : '?');
    }
  }
  return buf_view(&buf);
}

// ---- repr ---------------------------------------------------------------------------------------
static void put_escape(Buf *buf, uint32_t code) {
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
      put_escape(&buf, code);
    }
  }
  buf_char(&buf, quote);
  return buf_view(&buf);
}

Str text_ascii(Arena *arena, Str repr) {
  if (text_is_ascii(repr)) return repr;
  Buf buf;
  buf_init(&buf, arena);
  for (size_t at = 0; at < repr.len;) {
    uint32_t code = text_next(repr, &at);
    if (code < 0x80) {
      buf_char(&buf, (char)code);
    } else {
      put_escape(&buf, code);
    }
  }
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
      put_escape(&buf, c);
    }
  }
  buf_char(&buf, quote);
  return buf_view(&buf);
}
