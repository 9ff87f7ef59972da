// SPDX-License-Identifier: Apache-2.0
// Python's builtin types and functions. builtins_init fills the bare types of eval_new: slots,
// methods, and the module `builtins`.
//
// How the core and the native types meet:
//  - Making. type.__call__(cls, …) looks `__new__` up and calls it with cls first, unbound; then
//  `__init__` if the result is an instance
//    of cls. Every native type has a native `__new__`; called for a class derived from the type it
//    makes an Instance of that class whose payload is the native value. Mutable containers are
//    filled by their `__init__`.
//  - Slots and methods take instances of derived classes: they look at value_unwrap(self).
//  - A class made by type_new takes the metatype of its bases (enum's classes iterate, …); a
//  metatype's slots act on its classes.
//  - `cls[item]` is `__class_getitem__` if the metatype has no getitem; `cls | x` is the `binary`
//  slot of ev->types.type.
#pragma once
#include "python/core/eval.h"

void builtins_init(Eval *ev);

// ---- numbers (builtin_bigint.c, builtin_int.c, builtin_digits.c) --------------------------------
// The digits of a literal, without prefix and underscores, in base 2 … 16.
Value int_from_digits(Eval *ev, Str digits, int base);
// int or bool of any size, derived classes included.
bool value_is_int(Value v);
// False: not an int, or outside the doubles (then *overflow, if given, is set).
bool int_as_double(Value v, double *out, bool *overflow);
Value int_from_double(Eval *ev, double integral); // raises for inf and nan as int() does
// Python's repr of a float: the shortest text that reads back as the same.
Str float_repr(Arena *arena, double x);
// The text of a float as Python reads it ("1_0.5e3", " inf "); false if it is none.
bool float_parse(Arena *arena, Str text, double *out);

// ---- text (builtin_text.c, builtin_format.c, builtin_percent.c) ---------------------------------
Str str_repr(Arena *arena, Str text);   // 'it\'s' with Python's choice of quotes
Str bytes_repr(Arena *arena, Str text); // b'…'
size_t text_length(Str text);           // in code points
// One format spec on a number or a string; raises ValueError as Python does.
Str format_int(Eval *ev, Value v, Str spec);
Str format_float(Eval *ev, double x, Str spec);
Str format_text(Eval *ev, Str text, Str spec);
Str percent_format(Eval *ev, Str format, Value args); // format % args

// ---- containers ---------------------------------------------------------------------------------
// Where a slice meets a sequence of `length`: start, step, and how many items.
typedef struct SliceBounds {
  int64_t start, stop, step, count;
} SliceBounds;
SliceBounds slice_bounds(Eval *ev, const SliceObject *slice, int64_t length);
Value make_bytes(Eval *ev, Str data);
Value make_union(Eval *ev, Value left, Value right);               // int | None
Value make_generic_alias(Eval *ev, Value origin, Value arguments); // list[int]
// Sorts in place, stable; key and reverse as list.sort.
void list_sort(Eval *ev, List *list, Value key, bool reverse);

// ---- hashes, as CPython's -----------------------------------------------------------------------
uint64_t hash_int(int64_t i);
uint64_t hash_double(double x);
