// SPDX-License-Identifier: Apache-2.0
// The tokens of the IR's text, and of the plan's. A mistake is reported and leaves through
// `failed`.
#pragma once
#include "base/session.h"

typedef enum ScanTokenKind {
  TOKEN_END,
  TOKEN_WORD,   // add, f32, v5p
  TOKEN_NUMBER, // -1, 2.5e-7, 0x7fc00000, -inf
  TOKEN_VALUE,  // %x; the text is what stands behind the %
  TOKEN_STRING, // "…"; the text is with quotes and escapes
  TOKEN_PUNCT,  // one of []{}():,=@
  TOKEN_BAD,
} ScanTokenKind;

typedef struct ScanToken {
  ScanTokenKind kind;
  Str text;
  uint32_t begin, end;
  bool is_first; // on its line
} ScanToken;

// May be copied, to go back to where it was.
typedef struct Scan {
  Session *session;
  SourceFile *file;
  Arena *arena; // of strings without their escapes
  jmp_buf *failed;
  size_t at;       // behind `token`
  ScanToken token; // the one to be looked at
} Scan;

void scan_next(Scan *scan);
ScanToken scan_take(Scan *scan); // the token, and goes on to the next
bool scan_accept(Scan *scan, char punct);
void scan_expect(Scan *scan, char punct);
bool scan_accept_word(Scan *scan, const char *word);
void scan_expect_word(Scan *scan, const char *word);
int64_t scan_int(Scan *scan);
Str scan_string(Scan *scan); // without quotes and escapes
Span scan_span(const Scan *scan, ScanToken token);
// "expected WHAT, found …" at the current token.
NORETURN void scan_expected(Scan *scan, const char *what);
NORETURN void scan_fail(Scan *scan, ScanToken at, const char *fmt, ...) PRINTF_LIKE(3, 4);
