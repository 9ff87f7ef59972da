// SPDX-License-Identifier: Apache-2.0
// Names that the evaluator looks up by itself, interned once.
#include "names.h"

EvalNames *names_new(Arena *arena, Interner *interner) {
  static const char *const binary[BIN_COUNT] = {"add", "sub", "mul",    "truediv", "floordiv",
                                                "mod", "pow", "matmul", "lshift",  "rshift",
                                                "and", "or",  "xor"};
  static const char *const unary[UN_COUNT] = {"__neg__", "__pos__", "__invert__", NULL};
  static const char *const compare[] = {"__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__"};
  EvalNames *names = ARENA_NEW(arena, EvalNames);
#define X(field, text) names->field = name_intern_c(interner, text);
  EVAL_NAMES(X)
#undef X
  for (int op = 0; op < BIN_COUNT; op++) {
    names->binary[op] = name_intern(interner, str_format(arena, "__%s__", binary[op]));
    names->reflected[op] = name_intern(interner, str_format(arena, "__r%s__", binary[op]));
    names->inplace[op] = name_intern(interner, str_format(arena, "__i%s__", binary[op]));
  }
  for (int op = 0; op < UN_COUNT; op++)
    names->unary[op] = unary[op] ? name_intern_c(interner, unary[op]) : NULL;
  for (size_t op = 0; op < COUNT_OF(compare); op++)
    names->compare[op] = name_intern_c(interner, compare[op]);
  return names;
}
