// SPDX-License-Identifier: Apache-2.0
// What the actions of jaxpr_parser.y call. A mistake gives a diagnostic; the tree is then not used.
#pragma once
#include "jaxpr.h"
#include "jaxpr_parser.h"

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
JaxprValue *jaxpr_build_record(JaxprParser *parser, Span span, Name name, JaxprFields fields);
JaxprValue *jaxpr_build_string(JaxprParser *parser, Span span, Str text);
JaxprValue *jaxpr_build_dtype(JaxprParser *parser, Span span, Name name);
JaxprValue *jaxpr_build_data(JaxprParser *parser, Span span, JaxprType type, Str base64);
