// SPDX-License-Identifier: Apache-2.0
// Between scanner and parser: lines become NEWLINE, INDENT and DEDENT, soft keywords are
// distinguished from names.
#pragma once
#include "lexer.h"

typedef struct Token {
  int kind;
  Span span;
  PK_STYPE value;
  uint32_t line;   // logical line, from 1
  uint32_t column; // if it is the first of its physical line: as indentation counts it, from 0
  bool is_first;
} Token;

typedef enum LayoutMode { LAYOUT_FILE, LAYOUT_EXPR } LayoutMode;
typedef struct Layout Layout;

// Reads the file from byte `begin` on, where a line begins.
Layout *layout_new(Session *session, SourceFile *file, uint32_t begin, Arena *scratch,
                   LayoutMode mode);
// The next token of the parser; 0 at the end.
int layout_lex(Layout *layout, PK_STYPE *value, Span *span);
bool layout_is_line_mark(int kind); // NEWLINE, INDENT, DEDENT or the start of the file
// The last tokens given: 0 is the last one, 1 the one before.
const Token *layout_recent(const Layout *layout, unsigned back);
// The innermost open bracket, as far as has been scanned; NULL if there is none.
const Bracket *layout_bracket(const Layout *layout);
// First token of the logical line whose NEWLINE was given last.
const Token *layout_ended_line(const Layout *layout);
// First token of the logical line of the last token given.
const Token *layout_line(const Layout *layout);
// Whether the scanner or the layout has reported something on the logical line of the last token
// given.
bool layout_has_error(const Layout *layout);
// After a syntax error: brackets that seem never to be closed end with the statement. After too
// many, the file does.
void layout_recover(Layout *layout);
