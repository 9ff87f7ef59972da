// SPDX-License-Identifier: Apache-2.0
// String literals: prefixes, escapes, neighbours joined, f-strings put together.
#include <string.h>
#include <uniname.h>

#include "base/buf.h"
#include "base/unicode.h"
#include "build_expr.h"
#include "build_node.h"
#include "build_string.h"
#include "literals.h"
#include "parser.h"

// What a literal's prefix and quotes say, and where its inside is.
typedef struct Quoted {
  bool is_raw, is_bytes;
  Span inside;
} Quoted;

static Quoted unquote(const Parser *parser, Span span) {
  const char *text = parser->file->text.data;
  Quoted quoted = {.inside = span};
  uint32_t at = span.begin;
  for (; text[at] != '\'' && text[at] != '"'; at++) {
    char c = (char)(text[at] | 0x20);
    if (c == 'r') quoted.is_raw = true;
    if (c == 'b') quoted.is_bytes = true;
  }
  bool is_triple = span.end - at >= 6 && text[at + 1] == text[at] && text[at + 2] == text[at];
  uint32_t quotes = is_triple ? 3 : 1;
  quoted.inside.begin = at + quotes;
  quoted.inside.end = span.end - quotes;
  return quoted;
}

// ---- escapes -----------------------------------------------------------------------------------
typedef struct Decoder {
  Parser *parser;
  const char *text; // of the file
  uint32_t at, end;
  bool is_bytes;
  Buf *out;
} Decoder;

static Span place(const Decoder *d, uint32_t begin, uint32_t end) {
  return (Span){d->parser->file->id, begin, end};
}

static void put_code(Decoder *d, uint32_t code) {
  char bytes[4];
  buf_str(d->out, (Str){bytes, utf8_encode(code, bytes)});
}

static unsigned hex_value(char c) {
  if (c >= '0' && c <= '9') return (unsigned)(c - '0');
  c = (char)(c | 0x20);
  return c >= 'a' && c <= 'f' ? (unsigned)(c - 'a' + 10) : 16;
}

// \xhh, \uhhhh, \Uhhhhhhhh: `begin` is the backslash, d->at the first digit.
static void hex_escape(Decoder *d, uint32_t begin, unsigned digits) {
  uint32_t code = 0;
  for (unsigned i = 0; i < digits; i++) {
    unsigned value = d->at < d->end ? hex_value(d->text[d->at]) : 16;
    if (value == 16) {
      build__syntax_error(d->parser, place(d, begin, d->at), "'\\%c' needs %u hexadecimal digits",
                          d->text[begin + 1], digits);
      return;
    }
    code = code << 4 | value;
    d->at++;
  }
  if (code > 0x10ffff)
    build__syntax_error(d->parser, place(d, begin, d->at),
                        "no character has a number beyond U+10FFFF");
  else if (d->is_bytes)
    buf_char(d->out, (char)code);
  else
    put_code(d, code);
}

static void octal_escape(Decoder *d) {
  uint32_t code = 0;
  for (unsigned i = 0; i < 3 && d->at < d->end && d->text[d->at] >= '0' && d->text[d->at] <= '7';
       i++)
    code = code << 3 | (uint32_t)(d->text[d->at++] - '0');
  if (d->is_bytes)
    buf_char(d->out, (char)code);
  else
    put_code(d, code);
}

static void unknown_escape(Decoder *d, uint32_t begin) {
  size_t at = begin + 1;
  utf8_decode((Str){d->text, d->end}, &at);
  diag_warning(d->parser->session, WARN_HINT, place(d, begin, (uint32_t)at),
               "'%.*s' is no escape sequence; write '\\\\' for a backslash, or use a raw string",
               (int)(at - begin), d->text + begin);
  buf_char(d->out, '\\');
}

// \N{NAME}, as Unicode calls the character.
static void named_escape(Decoder *d, uint32_t begin) {
  uint32_t end = ++d->at;
  while (end < d->end && d->text[end] != '}') end++;
  if (end == d->end || d->text[d->at] != '{') {
    build__syntax_error(d->parser, place(d, begin, d->at),
                        "'\\N' needs the name of a character in braces");
    return;
  }
  Str name = {d->text + d->at + 1, end - d->at - 1};
  d->at = end + 1;
  char text[UNINAME_MAX] = "";
  ucs4_t code = UNINAME_INVALID;
  if (name.len < sizeof text) {
    memcpy(text, name.data, name.len);
    code = unicode_name_character(text);
  }
  if (code == UNINAME_INVALID)
    build__syntax_error(d->parser, place(d, begin, d->at), "Unicode has no character '%.*s'",
                        STR_FMT(name));
  else
    put_code(d, code);
}

static void line_end(Decoder *d) {
  if (d->text[d->at] == '\r' && d->at + 1 < d->end && d->text[d->at + 1] == '\n') d->at++;
  d->at++;
}

static void escape(Decoder *d) {
  static const char simple[] = "\\'\"abfnrtv", values[] = "\\'\"\a\b\f\n\r\t\v";
  uint32_t begin = d->at++;
  if (d->at == d->end) {
    buf_char(d->out, '\\');
    return;
  }
  char c = d->text[d->at];
  const char *known = c ? strchr(simple, c) : NULL;
  if (known) {
    buf_char(d->out, values[known - simple]);
    d->at++;
  } else if (c == '\n' || c == '\r') {
    line_end(d);
  } else if (c >= '0' && c <= '7') {
    octal_escape(d);
  } else if (c == 'x') {
    d->at++;
    hex_escape(d, begin, 2);
  } else if (!d->is_bytes && (c == 'u' || c == 'U')) {
    d->at++;
    hex_escape(d, begin, c == 'u' ? 4 : 8);
  } else if (!d->is_bytes && c == 'N') {
    named_escape(d, begin);
  } else {
    unknown_escape(d, begin);
  }
}

// Appends what a piece of source text stands for. In the text of an f-string "{{" and "}}" are one
// character each.
static void decode(Parser *parser, Span inside, bool is_raw, bool is_bytes, bool is_fstring,
                   Buf *out) {
  Decoder d = {parser, parser->file->text.data, inside.begin, inside.end, is_bytes, out};
  while (d.at < d.end) {
    uint32_t run = d.at;
    char c = 0;
    for (; d.at < d.end; d.at++) {
      c = d.text[d.at];
      if (c == '\\' && !is_raw) break;
      if (c == '\r' || (is_fstring && (c == '{' || c == '}'))) break;
      if (is_bytes && (unsigned char)c >= 0x80) break;
    }
    buf_str(out, (Str){d.text + run, d.at - run});
    if (d.at == d.end) break;
    if (c == '\\') {
      escape(&d);
    } else if (c == '\r') {
      line_end(&d);
      buf_char(out, '\n');
    } else if (c == '{' || c == '}') {
      buf_char(out, c);
      d.at += d.at + 1 < d.end && d.text[d.at + 1] == c ? 2 : 1;
    } else {
      build__syntax_error(parser, place(&d, d.at, d.at + 1),
                          "a bytes literal can hold ASCII characters only; write '\\x%02x'",
                          (unsigned char)c);
      d.at = d.end;
    }
  }
}

// ---- putting together --------------------------------------------------------------------------
StringPieces *build_pieces(Parser *parser, StringPieces *pieces, Span span, FParts *fstring) {
  if (!pieces) pieces = ARENA_NEW(parser->scratch, StringPieces);
  VEC_PUSH(parser->scratch, pieces, ((StringPiece){span, fstring}));
  return pieces;
}

// A literal that stands for its own characters needs no copy.
static bool is_plain(const Parser *parser, Span inside, bool is_raw, bool is_bytes) {
  const char *text = parser->file->text.data + inside.begin;
  size_t len = inside.end - inside.begin;
  if (is_bytes || memchr(text, '\r', len)) return false;
  return is_raw || !memchr(text, '\\', len);
}

static Expr *plain_string(Parser *parser, Span span, const StringPieces *pieces, bool is_bytes) {
  Expr *expr = build__expr(parser, is_bytes ? EX_BYTES : EX_STR, span);
  if (pieces->count == 1) {
    Quoted quoted = unquote(parser, pieces->items[0].span);
    if (is_plain(parser, quoted.inside, quoted.is_raw, is_bytes)) {
      expr->string = (Str){parser->file->text.data + quoted.inside.begin,
                           quoted.inside.end - quoted.inside.begin};
      return expr;
    }
  }
  Buf buf;
  buf_init(&buf, parser->arena);
  for (size_t i = 0; i < pieces->count; i++) {
    Quoted quoted = unquote(parser, pieces->items[i].span);
    decode(parser, quoted.inside, quoted.is_raw, is_bytes, false, &buf);
  }
  expr->string = buf_view(&buf);
  return expr;
}

typedef struct Joiner {
  Parser *parser;
  VEC(FStringPart) parts;
  Buf text; // literal text not yet made a part
} Joiner;

static void flush_text(Joiner *joiner) {
  if (joiner->text.len) {
    FStringPart part = {.text = str_copy(joiner->parser->arena, buf_view(&joiner->text))};
    VEC_PUSH(joiner->parser->scratch, &joiner->parts, part);
  }
  joiner->text.len = 0;
}

static void join_parts(Joiner *joiner, const FParts *parts) {
  for (size_t i = 0; i < parts->count; i++) {
    const FPart *part = &parts->items[i];
    if (!part->field.value) {
      decode(joiner->parser, part->span, part->is_raw, false, true, &joiner->text);
      continue;
    }
    flush_text(joiner);
    VEC_PUSH(joiner->parser->scratch, &joiner->parts, part->field);
  }
}

static Expr *finish_joined(Joiner *joiner, Span span) {
  Parser *parser = joiner->parser;
  flush_text(joiner);
  Expr *expr = build__expr(parser, EX_JOINED_STR, span);
  expr->joined_str.count = joiner->parts.count;
  if (joiner->parts.count)
    expr->joined_str.parts =
        arena_dup(parser->arena, joiner->parts.items, joiner->parts.count * sizeof(FStringPart));
  uint32_t depth = 0;
  for (size_t i = 0; i < joiner->parts.count; i++) {
    const FStringPart *part = &joiner->parts.items[i];
    if (build__depth(part->value) > depth) depth = part->value->depth;
    if (build__depth(part->format) > depth) depth = part->format->depth;
  }
  return build__deepen(parser, expr, depth);
}

static Joiner joiner_of(Parser *parser) {
  Joiner joiner = {.parser = parser};
  buf_init(&joiner.text, parser->scratch);
  return joiner;
}

static Expr *joined_string(Parser *parser, Span span, const StringPieces *pieces) {
  Joiner joiner = joiner_of(parser);
  for (size_t i = 0; i < pieces->count; i++) {
    const StringPiece *piece = &pieces->items[i];
    if (piece->fstring) {
      join_parts(&joiner, piece->fstring);
      continue;
    }
    Quoted quoted = unquote(parser, piece->span);
    decode(parser, quoted.inside, quoted.is_raw, false, false, &joiner.text);
  }
  return finish_joined(&joiner, span);
}

Expr *build_string(Parser *parser, Span span, const StringPieces *pieces) {
  size_t bytes = 0, fstrings = 0;
  for (size_t i = 0; i < pieces->count; i++) {
    if (pieces->items[i].fstring)
      fstrings++;
    else if (unquote(parser, pieces->items[i].span).is_bytes)
      bytes++;
  }
  if (bytes && bytes < pieces->count) {
    build__syntax_error(parser, span, "bytes and text literals side by side cannot be joined");
    return build__expr(parser, EX_ERROR, span);
  }
  return fstrings ? joined_string(parser, span, pieces)
                  : plain_string(parser, span, pieces, bytes > 0);
}

// ---- f-strings ---------------------------------------------------------------------------------
FParts *build_fparts(Parser *parser) { return ARENA_NEW(parser->scratch, FParts); }

FParts *build_ftext(Parser *parser, FParts *parts, Span span, unsigned is_raw) {
  VEC_PUSH(parser->scratch, parts, ((FPart){.span = span, .is_raw = is_raw}));
  return parts;
}

FParts *build_ffield(Parser *parser, FParts *parts, const FPart *field) {
  VEC_PUSH(parser->scratch, parts, *field);
  return parts;
}

unsigned build_conversion(Parser *parser, Span span, Name name) {
  char c = name->text[0];
  if (name->len == 1 && (c == 'r' || c == 's' || c == 'a')) return (unsigned char)c;
  build__syntax_error(parser, span,
                      "'!%s' is no conversion of an f-string; there are '!r', '!s' and '!a'",
                      name->text);
  return 's';
}

FPart *build_field(Parser *parser, Span open, Expr *value, const Span *equals, unsigned conversion,
                   Expr *format) {
  build__no_star(parser, value);
  FPart *part = ARENA_NEW(parser->scratch, FPart);
  part->span = span_join(open, value->span);
  part->field.value = value;
  part->field.conversion = (char)conversion;
  part->field.format = format;
  if (equals) {
    Str text = parser->file->text;
    uint32_t end = equals->end;
    while (end < text.len && strchr(" \t\f\r\n", text.data[end])) end++;
    Buf buf;
    buf_init(&buf, parser->arena);
    decode(parser, (Span){open.file, open.end, end}, true, false, false, &buf);
    part->field.text = buf_view(&buf);
    if (!conversion && !format) part->field.conversion = 'r';
  }
  return part;
}

Expr *build_format(Parser *parser, Span span, const FParts *parts) {
  Joiner joiner = joiner_of(parser);
  join_parts(&joiner, parts);
  return finish_joined(&joiner, span);
}

// ---- printing ----------------------------------------------------------------------------------
static void put_escape(Buf *buf, uint32_t code) {
  if (code == '\n' || code == '\r' || code == '\t')
    buf_c(buf, code == '\n' ? "\\n" : code == '\r' ? "\\r" : "\\t");
  else
    buf_printf(buf, code < 0x100 ? "\\x%02x" : code < 0x10000 ? "\\u%04x" : "\\U%08x", code);
}

// A surrogate that an escape such as \ud800 has put into the text; 0 if there is none here.
static uint32_t surrogate_at(Str text, size_t at) {
  const unsigned char *p = (const unsigned char *)text.data + at;
  if (text.len - at < 3 || p[0] != 0xed || p[1] < 0xa0 || (p[2] & 0xc0) != 0x80) return 0;
  return 0xd000u | (p[1] & 0x3fu) << 6 | (p[2] & 0x3fu);
}

void strings_repr(Buf *buf, Str text, bool is_bytes) {
  bool has_single = text.len && memchr(text.data, '\'', text.len);
  bool has_double = text.len && memchr(text.data, '"', text.len);
  char quote = has_single && !has_double ? '"' : '\'';
  if (is_bytes) buf_char(buf, 'b');
  buf_char(buf, quote);
  for (size_t at = 0; at < text.len;) {
    size_t begin = at;
    uint32_t code;
    if (is_bytes) {
      code = (unsigned char)text.data[at++];
    } else {
      code = utf8_decode(text, &at);
      if (code == UTF8_BAD && (code = surrogate_at(text, begin))) at = begin + 3;
      if (code == 0 && text.data[begin]) code = (unsigned char)text.data[begin];
    }
    if (code == (unsigned char)quote || code == '\\') {
      buf_char(buf, '\\');
      buf_char(buf, (char)code);
    } else if (is_bytes ? code >= 0x20 && code < 0x7f : unicode_is_printable(code)) {
      buf_str(buf, (Str){text.data + begin, at - begin});
    } else {
      put_escape(buf, code);
    }
  }
  buf_char(buf, quote);
}
