// SPDX-License-Identifier: Apache-2.0
// Words for what the parser could not read.
#pragma once
#include "parser.h"

// Symbols are named as parser.y names them: "if", "','", "a name", "namedexpr".
typedef struct SyntaxError {
  Span span; // of the token that does not fit
  const char **expected;
  size_t expected_count;
  const char **stack; // what has been read and not yet put together, innermost first
  size_t stack_count;
} SyntaxError;

// Whether a mistake found now is to be reported: the first of its logical line.
bool syntax_error_is_reported(const Parser *parser);
void syntax_error_report(Parser *parser, const SyntaxError *error);
