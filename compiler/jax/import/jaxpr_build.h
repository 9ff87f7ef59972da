// SPDX-License-Identifier: Apache-2.0
// What the actions of jaxpr_parser.y call. A mistake gives a diagnostic; the tree is then not used.
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

// ---- lists --------------------------------------------------------------------------------------
JaxprInts jaxpr_ints_push(JaxprParser *parser, JaxprInts list, int64_t item);
JaxprValues jaxpr_values_push(JaxprParser *parser, JaxprValues list, JaxprValue *item);
JaxprFields jaxpr_fields_push(JaxprParser *parser, JaxprFields list, JaxprField item);
JaxprAtoms jaxpr_atoms_push(JaxprParser *parser, JaxprAtoms list, JaxprAtom item);
JaxprVars jaxpr_vars_push(JaxprParser *parser, JaxprVars list, JaxprVar item);

// ---- items of the program -----------------------------------------------------------------------
void jaxpr_build_version(JaxprParser *parser, Span span, int64_t version);
void jaxpr_build_file(JaxprParser *parser, Span span, int64_t number, Str path);
void jaxpr_build_line(JaxprParser *parser, Span span, int64_t file, int64_t line, Str text);
// parts: number, file, line, column, end line, end column, location of the caller or -1; columns
// count bytes from 0.
void jaxpr_build_loc(JaxprParser *parser, Span span, const int64_t parts[7], Str function);
void jaxpr_build_entry(JaxprParser *parser, Span span, Str name, JaxprValues params,
                       JaxprFields fields, JaxprTree *tree);

// ---- jaxprs -------------------------------------------------------------------------------------
void jaxpr_build_begin(JaxprParser *parser, Span span, const Str *name); // NULL: without one
void jaxpr_build_const(JaxprParser *parser, Span span, JaxprVar var, Str data);
JaxprTree *jaxpr_build_params(JaxprParser *parser, JaxprVars params);
void jaxpr_build_equation(JaxprParser *parser, Span span, Name primitive, JaxprVars outs,
                          JaxprAtoms operands, JaxprFields params, int64_t loc);
JaxprTree *jaxpr_build_end(JaxprParser *parser, Span span, JaxprTree *tree, JaxprAtoms results);
JaxprAtom jaxpr_build_use(JaxprParser *parser, Span span, int64_t number);
JaxprAtom jaxpr_build_literal(JaxprParser *parser, Span span, const JaxprValue *scalar,
                              JaxprType type);

// ---- types and values ---------------------------------------------------------------------------
JaxprType jaxpr_build_type(JaxprParser *parser, Span span, Name element, JaxprInts dims);
JaxprType jaxpr_build_ref_type(JaxprParser *parser, Span span, Name space, JaxprType type);
JaxprValue *jaxpr_build_value(JaxprParser *parser, Span span, JaxprKind kind);
JaxprValue *jaxpr_build_string(JaxprParser *parser, Span span, Str text);
JaxprValue *jaxpr_build_dtype(JaxprParser *parser, Span span, Name name);
JaxprValue *jaxpr_build_data(JaxprParser *parser, Span span, JaxprType type, Str base64);
