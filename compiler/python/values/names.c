// SPDX-License-Identifier: Apache-2.0
// Names that the evaluator looks up by itself, interned once.
#include "names.h"

EvalNames *names_new(Arena *arena, Interner *interner) {
  static const char *const unary[UN_COUNT] = {"__neg__", "__pos__", "__invert__", NULL};
  EvalNames *names = ARENA_NEW(arena, EvalNames);
#define X(field, text) names->field = name_intern_c(interner, text);
  EVAL_NAMES(X)
#undef X
#define BINARY(id, text, method, function)                                                         \
  names->binary[BIN_##id] = name_intern_c(interner, "__" #method "__");                            \
  names->reflected[BIN_##id] = name_intern_c(interner, "__r" #method "__");                        \
  names->inplace[BIN_##id] = name_intern_c(interner, "__i" #method "__");
#define COMPARE(id, text, method)                                                                  \
  names->compare[CMP_##id] = name_intern_c(interner, "__" #method "__");
#include "syntax/operators.def"
  for (int op = 0; op < UN_COUNT; op++)
    names->unary[op] = unary[op] ? name_intern_c(interner, unary[op]) : NULL;
  return names;
}
