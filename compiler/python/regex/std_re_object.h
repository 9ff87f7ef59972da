// SPDX-License-Identifier: Apache-2.0
// Regular expressions: matches as objects, and what a pattern finds in a text from its beginning to
// its end (std_re_object.c).
#pragma once
#include "python/builtins/builtin_wrap.h"
#include "std_re.h"

// What a Pattern of library/re.pk keeps of itself.
typedef struct ReCodeObject {
  Object base;
  ReProgram *program;
  Type *match_type;
  const struct Searched *last; // what was searched last, if it cannot have changed since
} ReCodeObject;

extern const NativeType re_match_type;
Value re_run(Eval *ev, Value *a);   // code, pattern, string, pos, endpos, ReMode: a Match or None
Value re_all(Eval *ev, Value *a);   // code, pattern, string, pos, endpos, limit: Matches
Value re_texts(Eval *ev, Value *a); // code, string, pos, endpos: the list of findall
Value re_replaced(Eval *ev, Value *a); // code, string, pieces, count: (text, how many)
