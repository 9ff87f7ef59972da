// SPDX-License-Identifier: Apache-2.0
// The whole way of one source.
#pragma once
#include "codegen/codegen.h"
#include "driver/options/options.h"
#include "ir/analysis/cost.h"

// What comes out of a source: a text, and for objects what the header is made from.
typedef struct MadeEntry {
  Name name; // of the C function
  Span span; // of the Python one
} MadeEntry;
typedef struct Made {
  Str text;
  const char *ending; // of the default output's name; NULL: standard output
  Str header;
  VEC(MadeEntry) entries; // of code
  VEC(IrCost) costs;      // of each of them, as the source asks for it
  CodegenOptions codegen; // how it was made
} Made;
// The source that is compiled as number `which`, and how many there are.
Str input_path(const Options *options, size_t which);
size_t input_count(const Options *options);
// What a source is written in: as -x says, else by its ending.
SourceKind source_kind(const Options *options, Str path);
// Compiles input `which` of the options. The exit status; diagnostics are in the session.
int compile_text(Session *session, const Options *options, size_t which, Made *made);
// And writes what comes out.
int compile_input(Session *session, const Options *options, size_t which, Made *made);
// The tree of a source: of Python, or of what calls a jaxpr (.jaxpr), which then is to be defined.
// NULL after diagnostics.
typedef struct JaxprProgram JaxprProgram;
Module *source_parse(Session *session, SourceFile *file, const JaxprProgram **jaxpr);
