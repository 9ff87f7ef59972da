// SPDX-License-Identifier: Apache-2.0
// Classes as objects: making them (C3 order, slots, hooks), calling them, their attributes
// (type.c).
#pragma once
#include "python/values/evaluator.h"

// A class statement being run.
typedef struct ClassBody {
  Name name, qualname;
  Span span; // of the statement, decorators included
  Env *env;  // of the function around it
  const Function *code;
  ModuleObject *module;
  Dict *names;               // the class's namespace
  VEC(Function *) functions; // made by the body: they get their owner when the class is there
} ClassBody;

// A module that is written in C where Python runs, outside of its own library: from here on its
// native types are named with it in messages ("numpy.ndarray").
void types_of_extension(Eval *ev, const char *module);
// A native type: name, bases (NULL: object), slots and methods. `methods` ends with a NULL
// signature.
Type *type_new_native(Eval *ev, const char *module, const char *name, Type *base,
                      const TypeSlots *slots, const NativeDef *methods);
// One more base, which derives from object alone, behind all others.
void type_add_base(Eval *ev, Type *type, Type *base);
// A native exception, whose instances have a dict.
Type *type_new_exception(Eval *ev, const char *module, const char *name, Type *base);
Type *type_make_bare(Eval *ev, Name name, Name module, Type *base);
Dict *type_annotations(Eval *ev,
                       Type *type); // its own __annotations__, of a class that may have them
void type_members_init(Eval *ev);
void type_check_init(Eval *ev, Value result); // of __init__: is to be None
Value type_call(Eval *ev, Value type, const Args *args);
Value object_new(Eval *ev, Type *type, size_t count, size_t kw_count);
// type(name, bases, dict): C3 order, __set_name__, __init_subclass__. `meta` is the most derived of
// the one asked for and those of the bases.
Type *type_new_of(Eval *ev, Type *meta, Name name, Tuple *bases, Dict *dict, const Args *keywords);
Type *winning_metatype(Eval *ev, Type *meta, const Tuple *bases);
void class_set_owner(struct ClassBody *body, Type *type);
