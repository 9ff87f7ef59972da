// SPDX-License-Identifier: Apache-2.0
// The state of a parse, which the lexer, the layout and the builders share.
#pragma once
#include "ast.h"
#include "base/session.h"

// Enough for AST_MAX_DEPTH levels of the most roundabout rules; beyond it the source is refused.
#define PARSER_MAX_STACK 20000

// What the language leaves out, where it stands.
typedef struct Refusal {
  Span place;
  const char *why; // NULL: nothing
} Refusal;

typedef struct Parser {
  Session *session;
  SourceFile *file;
  uint32_t begin; // of the part of the file that is parsed
  Arena *arena;   // the tree's
  Arena *scratch; // released when the parse ends
  struct Layout *layout;
  Module *module;
  Expr *expression;    // the result if an expression was asked for
  uint32_t error_line; // logical line (from 1) of the last syntax error: one line gives one
  Span as_item; // the first item with an "as" that no with statement has taken; file 0 if there is
                // none
  unsigned as_count;
  int generic_depth;         // of defs and classes with type parameters
  uint32_t recovered_column; // column of the last statement given up, from 1; 0 if there is none
  bool defers_refusals; // what is refused by name is an error of the function around it, when that
                        // is called
  Refusal refused;      // the first that no function has taken yet
} Parser;
