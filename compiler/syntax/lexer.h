// SPDX-License-Identifier: Apache-2.0
// The state that scanning needs beyond the position: open brackets and open f-strings. lexer.l
// reads characters, lexer_state.c keeps the brackets, layout.c the lines.
#pragma once
#include "mistake.h"
#include "parser.tab.h"

typedef struct Bracket {
  Span span;
  char open;       // '(', '[' or '{'
  bool is_field;   // the '{' of an f-string
  bool is_in_spec; // a field whose ':' has been read
} Bracket;

typedef struct FString {
  Span span; // of its prefix and opening quote
  char quote;
  bool is_triple, is_raw;
  size_t bracket_base; // brackets that were open before it
} FString;

// What the next characters are.
typedef enum LexerMode {
  LEX_CODE,
  LEX_FTEXT, // the text of an f-string
  LEX_FSPEC, // the text of a format spec
} LexerMode;

typedef struct Lexer {
  Session *session;
  SourceFile *file;
  Arena *scratch;
  const char *copy; // of the text that is scanned
  uint32_t begin;   // where it begins in the file
  VEC(Bracket) brackets;
  VEC(FString) fstrings;
  uint32_t piece_begin; // of the text of an f-string not yet given
  bool has_error;       // something was reported on this logical line
  bool is_over;         // a limit was passed: only the end of the file comes
} Lexer;

// The next token: comments, spaces and joined lines left out, every other line end a NEWLINE. `lex`
// is a yyscan_t.
int lexer_lex(PK_STYPE *value, Span *span, void *scanner);
// Scans from byte `begin` of the file. A yyscan_t; its memory is the scratch arena's.
void *lexer_open(Lexer *lexer, uint32_t begin);

// ---- lexer_state.c -----------------------------------------------------------------------------
LexerMode lexer_mode(const Lexer *lexer);
// Reports the first mistake of a logical line; the parser is then silent about it.
void lexer_mistake(Lexer *lexer, MistakeKind kind, Span span, const char *fmt, ...)
    PRINTF_LIKE(4, 5);
#define lexer_error(lexer, ...) lexer_mistake((lexer), MISTAKE_SYNTAX, __VA_ARGS__)

int lexer_open_bracket(Lexer *lexer, char open, Span span);
// The token to give for a closing bracket, or 0 to leave it out. Sets *keeps if the bracket closes
// something further out, so that it must be read again after the closer returned here.
int lexer_close_bracket(Lexer *lexer, char close, Span span, bool *keeps);
void lexer_open_fstring(Lexer *lexer, Span span, Str prefix);
void lexer_close_fstring(Lexer *lexer);
// Whether the innermost bracket is that of an f-string's field.
bool lexer_is_in_field(const Lexer *lexer);
