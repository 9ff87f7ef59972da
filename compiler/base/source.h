// SPDX-License-Identifier: Apache-2.0
// Source files and spans. Files live as long as the session.
#pragma once
#include "base.h"

// Bytes [begin, end) of file number `file`; file 0 is "nowhere" (a built-in, the command line).
typedef struct Span {
  uint32_t file, begin, end;
} Span;

typedef struct SourceFile {
  uint32_t id;
  Str path;     // as the user gave it, "<stdin>" for "-", "<jax.numpy>" for built-in modules
  Str absolute; // of a file: with the working directory of the moment when it was read in front
  Str text;     // NUL-terminated; a leading byte-order mark is kept in the text and skipped by the
                // lexer
  bool is_builtin;
  VEC(uint32_t) line_starts; // made by source_add
} SourceFile;

typedef struct LineCol {
  uint32_t line, column; // both from 1; column counts bytes
} LineCol;

// The text of a file in UTF-8, whatever "coding: NAME" in its first two lines says that it is in;
// `unknown`: that NAME, if it is none of ours (source_coding.c).
Str source_decode(Arena *arena, Str text, Str *unknown);

static inline bool span_equal(Span a, Span b) {
  return a.file == b.file && a.begin == b.begin && a.end == b.end;
}

static inline Span span_join(Span a, Span b) {
  if (a.file == 0) return b;
  if (b.file != a.file) return a;
  return (Span){a.file, a.begin < b.begin ? a.begin : b.begin, a.end > b.end ? a.end : b.end};
}
