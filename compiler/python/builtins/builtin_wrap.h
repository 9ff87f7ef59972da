// SPDX-License-Identifier: Apache-2.0
// How natives become attributes of types: method tables, computed attributes, closures; and what
// their constructors share (builtin_wrap.c).
#pragma once
#include "python/values/evaluator.h"

typedef struct NativeGetter { // an attribute that is computed; read only
  const char *name;
  Value (*get)(Eval *ev, Value self);
} NativeGetter;

// What a native type is made of.
typedef struct NativeType {
  TypeSlots slots;
  const NativeDef *methods;    // ends with a NULL signature; or NULL
  const NativeGetter *getters; // ends with a NULL name; or NULL
} NativeType;

// A function written in C with data of its own; it binds as functions do if `binds`.
typedef struct Closure {
  Object base;
  Name name, qualname;
  Value (*fn)(Eval *ev, struct Closure *self, const Args *args);
  void *data;
  Value wrapped; // __wrapped__, or unbound
  Dict *dict;    // attributes set on it, or NULL
  bool binds;
} Closure;

void native_type_define(Eval *ev, Type *type, const NativeType *def);
Type *native_type_new(Eval *ev, const char *module, const char *name, Type *base,
                      const NativeType *def);
Value make_closure(Eval *ev, const char *name, Value (*fn)(Eval *, Closure *, const Args *),
                   void *data, bool binds);
void builtin_wrap_init(Eval *ev);
Name name_of(Eval *ev, const char *text);
// Looks `name` up on the type of `self` and calls it; V_UNBOUND if the type has none.
// Of TypeSlots.make: positional arguments alone, so many.
static inline bool args_are(const Args *args, size_t least, size_t most) {
  return !args->kw_count && args->count >= least && args->count <= most;
}
Value special_call(Eval *ev, Value self, Name name, size_t count, const Value *args);
// `value` as what native.__new__(cls) gives: itself, or an Instance of cls with it as payload.
Value payload_wrap(Eval *ev, Type *cls, Type *native, Value value);
