// SPDX-License-Identifier: Apache-2.0
// The tokens of the IR's text.
#include "base/buf.h"
#include "base/checked.h"
#include "scan.h"

#include <setjmp.h>
#include <string.h>

#include "text.h"

// ---- tokens ------------------------------------------------------------------------------------
static char byte_at(const Scan *scan, size_t at) {
  Str text = scan->file->text;
  return at < text.len ? text.data[at] : '\0';
}

// Skips blanks and comments; whether a line ended, or the text starts.
static bool skip_blanks(Scan *scan) {
  Str text = scan->file->text;
  bool is_first = scan->at == 0;
  while (scan->at < text.len) {
    char c = text.data[scan->at];
    if (c == ';') {
      while (scan->at < text.len && text.data[scan->at] != '\n') scan->at++;
    } else if (c == ' ' || c == '\t' || c == '\r' || c == '\n') {
      is_first |= c == '\n';
      scan->at++;
    } else {
      break;
    }
  }
  return is_first;
}

static void skip_word(Scan *scan) {
  while (text_is_word_byte(byte_at(scan, scan->at))) scan->at++;
}

// Decimal with an exponent whose sign belongs to it, or hexadecimal, or -inf.
static void skip_number(Scan *scan) {
  size_t begin = scan->at;
  if (byte_at(scan, scan->at) == '-') scan->at++;
  bool is_hex = byte_at(scan, scan->at) == '0' && byte_at(scan, scan->at + 1) == 'x';
  for (;; scan->at++) {
    char c = byte_at(scan, scan->at);
    char before = scan->at > begin ? byte_at(scan, scan->at - 1) : '\0';
    bool is_sign = (c == '+' || c == '-') && !is_hex && (before == 'e' || before == 'E');
    if (!text_is_word_byte(c) && !is_sign) break;
  }
}

// Up to the closing quote; false if the line ends before.
static bool skip_string(Scan *scan) {
  for (scan->at++; scan->at < scan->file->text.len; scan->at++) {
    char c = byte_at(scan, scan->at);
    if (c == '"') {
      scan->at++;
      return true;
    }
    if (c == '\n') return false;
    if (c == '\\') scan->at++;
  }
  scan->at = scan->file->text.len; // a backslash may have stood at the end
  return false;
}

static ScanTokenKind skip_token(Scan *scan) {
  char c = byte_at(scan, scan->at);
  if (scan->at >= scan->file->text.len) return TOKEN_END;
  if (text_is_word_start(c)) {
    skip_word(scan);
    return TOKEN_WORD;
  }
  if ((c >= '0' && c <= '9') || c == '-') {
    skip_number(scan);
    return TOKEN_NUMBER;
  }
  if (c == '"') return skip_string(scan) ? TOKEN_STRING : TOKEN_BAD;
  scan->at++;
  if (c == '%') {
    skip_word(scan);
    return TOKEN_VALUE;
  }
  return c && strchr("[]{}():,=@", c) ? TOKEN_PUNCT : TOKEN_BAD;
}

void scan_next(Scan *scan) {
  ScanToken token = {.is_first = skip_blanks(scan)};
  token.begin = (uint32_t)scan->at;
  token.kind = skip_token(scan);
  token.end = (uint32_t)scan->at;
  size_t skipped = token.kind == TOKEN_VALUE;
  token.text =
      (Str){scan->file->text.data + token.begin + skipped, token.end - token.begin - skipped};
  if (token.kind == TOKEN_VALUE && !token.text.len) token.kind = TOKEN_BAD;
  scan->token = token;
}

ScanToken scan_take(Scan *scan) {
  ScanToken token = scan->token;
  scan_next(scan);
  return token;
}

// ---- mistakes ----------------------------------------------------------------------------------
Span scan_span(const Scan *scan, ScanToken token) {
  return (Span){scan->file->id, token.begin, token.end};
}

void scan_fail(Scan *scan, ScanToken at, const char *fmt, ...) {
  va_list args;
  va_start(args, fmt);
  Str message = str_vformat(scan->session->arena, fmt, args);
  va_end(args);
  diag_error(scan->session, scan_span(scan, at), "%.*s", STR_FMT(message));
  longjmp(*scan->failed, 1);
}

void scan_expected(Scan *scan, const char *what) {
  ScanToken token = scan->token;
  if (token.kind == TOKEN_END)
    scan_fail(scan, token, "expected %s, found the end of the file", what);
  if (token.text.len > 40 || token.kind == TOKEN_BAD) scan_fail(scan, token, "expected %s", what);
  scan_fail(scan, token, "expected %s, found '%s%.*s'", what, token.kind == TOKEN_VALUE ? "%" : "",
            STR_FMT(token.text));
}

// ---- what the reader asks for ------------------------------------------------------------------
bool scan_accept(Scan *scan, char punct) {
  if (scan->token.kind != TOKEN_PUNCT || scan->token.text.data[0] != punct) return false;
  scan_next(scan);
  return true;
}

void scan_expect(Scan *scan, char punct) {
  char what[] = {'\'', punct, '\'', '\0'};
  if (!scan_accept(scan, punct)) scan_expected(scan, what);
}

bool scan_accept_word(Scan *scan, const char *word) {
  if (scan->token.kind != TOKEN_WORD || !str_equal(scan->token.text, str_from_c(word)))
    return false;
  scan_next(scan);
  return true;
}

void scan_expect_word(Scan *scan, const char *word) {
  if (scan_accept_word(scan, word)) return;
  scan_expected(scan, str_format(scan->session->arena, "'%s'", word).data);
}

int64_t scan_int(Scan *scan) {
  Str text = scan->token.text;
  int64_t value = 0;
  bool negative = text.len && text.data[0] == '-';
  bool ok = scan->token.kind == TOKEN_NUMBER && text.len > negative;
  for (size_t i = negative; ok && i < text.len; i++) {
    int digit = text.data[i] - '0';
    ok = digit >= 0 && digit <= 9 && mul_i64(value, 10, &value) &&
         add_i64(value, negative ? -digit : digit, &value);
  }
  if (!ok) scan_expected(scan, "a 64-bit integer");
  scan_next(scan);
  return value;
}

static int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return -1;
}

Str scan_string(Scan *scan) {
  ScanToken token = scan->token;
  if (token.kind != TOKEN_STRING) scan_expected(scan, "a text in quotes");
  Buf out;
  buf_init(&out, scan->arena);
  for (size_t i = 1; i + 1 < token.text.len; i++) {
    char c = token.text.data[i];
    if (c != '\\') {
      buf_char(&out, c);
      continue;
    }
    c = token.text.data[++i];
    if (c == 'x' && i + 3 < token.text.len && hex_digit(token.text.data[i + 1]) >= 0 &&
        hex_digit(token.text.data[i + 2]) >= 0) {
      buf_char(&out,
               (char)(hex_digit(token.text.data[i + 1]) * 16 + hex_digit(token.text.data[i + 2])));
      i += 2;
    } else if (c == 'n' || c == 't' || c == '"' || c == '\\') {
      buf_char(&out, c == 'n' ? '\n' : c == 't' ? '\t' : c);
    } else {
      scan_fail(scan, token, "unknown escape in a text");
    }
  }
  scan_next(scan);
  return buf_view(&out);
}
