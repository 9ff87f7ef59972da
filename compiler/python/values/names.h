// SPDX-License-Identifier: Apache-2.0
// Names that the evaluator looks up by itself, interned once: ev->names->getattr is "__getattr__".
#pragma once
#include "value.h"

// clang-format off
#define EVAL_NAMES(X)                                                                              \
  X(abs, "__abs__") X(abstract, "__isabstractmethod__")                                            \
  X(abstract_methods, "__abstractmethods__") X(all, "__all__") X(annotations, "__annotations__")   \
  X(args, "args") X(bases, "__bases__") X(boolean, "__bool__") X(builtins, "__builtins__")         \
  X(call, "__call__") X(cause, "__cause__") X(class_, "__class__")                                 \
  X(class_getitem, "__class_getitem__") X(code_dunder, "__code__") X(closure, "__closure__")       \
  X(contains, "__contains__") X(context, "__context__") X(defaults, "__defaults__")                \
  X(del, "__del__") X(delattr, "__delattr__") X(delete, "__delete__") X(delitem, "__delitem__")    \
  X(dict, "__dict__") X(dir, "__dir__") X(divmod, "__divmod__") X(doc, "__doc__")                  \
  X(enter, "__enter__") X(exit, "__exit__") X(file, "__file__") X(floating, "__float__")           \
  X(format, "__format__") X(func, "__func__") X(func_plain, "func") X(get, "__get__")              \
  X(getattr, "__getattr__") X(getattribute, "__getattribute__") X(getitem, "__getitem__")          \
  X(globals, "__globals__") X(hash, "__hash__") X(index, "__index__") X(init, "__init__")          \
  X(init_subclass, "__init_subclass__") X(instancecheck, "__instancecheck__")                      \
  X(integer, "__int__") X(iter, "__iter__") X(keys, "keys") X(keyword, "keywords")                 \
  X(kwdefaults, "__kwdefaults__") X(lambda, "<lambda>") X(len, "__len__") X(main, "__main__")      \
  X(match_args, "__match_args__") X(members, "_members") X(message, "msg")                         \
  X(metaclass, "metaclass")                                                                        \
  X(missing, "__missing__") X(module, "__module__") X(module_frame, "<module>") X(mro, "__mro__")  \
  X(mro_entries, "__mro_entries__") X(name, "__name__") X(name_plain, "name") X(new_, "__new__")   \
  X(next, "__next__") X(notes, "__notes__") X(obj, "obj") X(orig_bases, "__orig_bases__")          \
  X(package, "__package__") X(spec, "__spec__") X(path, "__path__") X(prepare, "__prepare__")                          \
  X(qualname, "__qualname__") X(repr, "__repr__") X(self, "self") X(self_dunder, "__self__")       \
  X(self_class, "__self_class__") X(set, "__set__") X(set_name, "__set_name__")                    \
  X(setattr, "__setattr__") X(setitem, "__setitem__") X(slots, "__slots__") X(str, "__str__")      \
  X(subclasscheck, "__subclasscheck__") X(subclasses, "__subclasses__")                            \
  X(subclasshook, "__subclasshook__") X(suppress_context, "__suppress_context__")                  \
  X(text_signature, "__text_signature__") X(this_class, "__thisclass__")                           \
  X(traceback, "__traceback__") X(type_checking, "TYPE_CHECKING")                                  \
  X(type_params, "__type_params__") X(underscore, "_") X(value, "value")                           \
  X(value_dunder, "__value__") X(weakref, "__weakref__") X(wrapped, "__wrapped__")                 \
  X(objclass, "__objclass__") X(genexpr, "<genexpr>") X(base, "__base__") X(locals, "<locals>")    \
  X(reversed, "__reversed__") X(lookup_path, "path") X(fget, "fget") X(kw_len, "__length_hint__")
// clang-format on

typedef struct EvalNames {
#define X(field, text) Name field;
  EVAL_NAMES(X)
#undef X
  Name binary[BIN_COUNT], reflected[BIN_COUNT], inplace[BIN_COUNT]; // __add__, __radd__, __iadd__
  Name unary[UN_COUNT];                                             // __neg__; NULL for `not`
  Name compare[CMP_GE + 1];                                         // __eq__ …
} EvalNames;

EvalNames *names_new(Arena *arena, Interner *interner);
