// SPDX-License-Identifier: Apache-2.0
// Functions written in C: their signatures, which are read from text when first needed, and
// their calls (signature.c).
#pragma once
#include "python/values/evaluator_state.h"

enum { NATIVE_SLOTS = 8 };

// A parsed signature. The names are those of Params; there are no expressions in it.
typedef struct NativeSignature {
  Params params;
  Value *defaults; // V_UNBOUND where there is none
  bool *may_lack;  // parameters written `name=`
  bool has_lacking;
  bool is_positional; // all parameters are positional-only
  size_t required;    // the parameters from here on have defaults, or may be absent
  // So many arguments go to the first parameters, and defaults to the others, which are
  // NATIVE_SLOTS at the most; least > most: it is not as simple.
  size_t least, most;
  Str shown; // native_display_name, once it has been needed
} NativeSignature;

Value make_native(Eval *ev, const NativeDef *def);
Value native_call(Eval *ev, NativeFunction *f, const Value *self, const Args *args);
// Raises TypeError unless self, NULL if there is none, may be that of the method f, which reads it
// as its type lays it out: a class may have borrowed f from a type that it does not derive from.
// Likewise the class, *self, that a native __new__ is given.
void native_check_self(Eval *ev, const NativeFunction *f, const Value *self);
// A class that derives from `own`, whose __new__ is given it.
Type *class_argument(Eval *ev, Value cls, const Type *own);
// With its arguments bound and its self checked; its signature has been read.
static inline Value native_run(Eval *ev, const NativeFunction *f, Value *slots) {
  if (f->rule) {
    Value answer; // not `result`, whose place would be memory then
    const NativeSignature *s = f->signature;
    if (ev->hooks.answer(ev, f->rule, &s->params, s->defaults, slots, &answer)) return answer;
  }
  check_stack(ev);
  ev->made = NULL;
  ev->measured = NULL;
  Value result = f->def->fn(ev, slots);
  ev->fresh = ev->made;
  ev->made = NULL;
  return result;
}
NativeFunction *native_new(Eval *ev, const NativeDef *def, Type *owner);
Str native_display_name(const NativeFunction *f, Arena *arena);
const Params *native_params(Eval *ev, NativeFunction *f, const Value **defaults);
