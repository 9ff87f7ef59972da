// SPDX-License-Identifier: Apache-2.0
// Making values: strings, tuples, lists, instances, exceptions (new_value.c).
#pragma once
#include "evaluator.h"

Value make_str(Eval *ev, Str text);    // copied
Value make_str_of(Eval *ev, Str text); // not copied: it stays as it is
Value make_str_c(Eval *ev, const char *text);
Value make_str_fmt(Eval *ev, const char *fmt, ...) PRINTF_LIKE(2, 3);
Value make_name(Eval *ev, Name name);     // a str
Tuple *tuple_new(Eval *ev, size_t count); // items V_UNBOUND: fill them
Value make_tuple(Eval *ev, size_t count, const Value *items);
Value make_tuple_i64(Eval *ev, size_t count, const int64_t *items);
List *list_new(Eval *ev, size_t capacity);
void list_push(Eval *ev, List *list, Value item);
void list_reserve(Eval *ev, List *list, size_t more); // room for so many behind the last one
void list_cut(List *list, size_t count); // to at most its length: what was behind is not kept alive
Value make_complex(Eval *ev, double real, double imag);
Value make_slice(Eval *ev, Value start, Value stop, Value step);
Instance *instance_new(Eval *ev, Type *type);
ExceptionObject *exception_new(Eval *ev, Type *type, Str message);
ModuleObject *module_new(Eval *ev, Name name,
                         SourceFile *file); // empty, __name__ set; not yet in ev->modules

Value make_bytes(Eval *ev, Str data);
// Bytes that whoever asks writes, all of them, before anybody sees them.
Value make_bytes_unset(Eval *ev, size_t size, char **text);
