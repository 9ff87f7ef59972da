// SPDX-License-Identifier: Apache-2.0
// The state of a parse of a jaxpr, and its tokens.
#pragma once
#include "jaxpr.h"

// A file of the program, made of the lines that the text has of it: the others are empty.
typedef struct JaxprFile {
  Name path;
  VEC(Str) lines; // line n at n - 1
  SourceFile *source;
} JaxprFile;

typedef struct JaxprDefined {
  int64_t number;
  size_t slot;
} JaxprDefined;

// An environment while its jaxpr is read.
typedef struct JaxprScope {
  struct JaxprScope *outer;
  JaxprTree *tree;
  VEC(JaxprDefined) defined; // numbers grow
} JaxprScope;

typedef struct JaxprParser {
  Session *session;
  SourceFile *file;
  Arena *arena, *scratch;
  const char *copy; // of the text that is scanned
  void *scanner;
  JaxprProgram *program;
  VEC(JaxprFile *) files;
  VEC(JaxprLoc *) locs;
  JaxprScope *scope;
  bool is_bad; // a diagnostic was given
} JaxprParser;

// ---- jaxpr_lexer.l ------------------------------------------------------------------------------
void *jaxpr_scan(JaxprParser *parser);

// ---- jaxpr_parser.y -----------------------------------------------------------------------------
bool jaxpr_parse(JaxprParser *parser); // false after diagnostics

// ---- tokens -------------------------------------------------------------------------------------
void jaxpr_error(JaxprParser *parser, Span span, const char *fmt, ...) PRINTF_LIKE(3, 4);
Span jaxpr_span(const JaxprParser *parser, const char *text, size_t len);
bool jaxpr_take_int(JaxprParser *parser, Str text, Span span, int64_t *out);
// The text without its quotes, escapes replaced.
bool jaxpr_take_string(JaxprParser *parser, Str text, Span span, Str *out);
double jaxpr_take_float(Str text);
Name jaxpr_take_field(JaxprParser *parser, Str text); // "name =" without what follows the name
