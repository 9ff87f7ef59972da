// SPDX-License-Identifier: Apache-2.0
// What the evaluation keeps of the builtin types and of the standard modules: types, names, state.
#pragma once
#include "base/map.h"
#include "evaluator_state.h"

// Native types beyond those of evaluator.h: BUILTIN_TYPES(X): field, Python name, module.
// clang-format off
#define BUILTIN_TYPES(X)                                                                           \
  X(getset, "getset_descriptor", "builtins") X(list_iterator, "list_iterator", "builtins")         \
  X(tuple_iterator, "tuple_iterator", "builtins") X(str_iterator, "str_iterator", "builtins")      \
  X(range_iterator, "range_iterator", "builtins") X(bytes_iterator, "bytes_iterator", "builtins")  \
  X(set_iterator, "set_iterator", "builtins")                                                      \
  X(str_ascii_iterator, "str_ascii_iterator", "builtins")                                          \
  X(list_reverse_iterator, "list_reverseiterator", "builtins")                                     \
  X(dict_key_iterator, "dict_keyiterator", "builtins")                                             \
  X(dict_value_iterator, "dict_valueiterator", "builtins")                                         \
  X(dict_item_iterator, "dict_itemiterator", "builtins") X(dict_keys, "dict_keys", "builtins")     \
  X(dict_values, "dict_values", "builtins") X(dict_items, "dict_items", "builtins")                \
  X(call_iterator, "callable_iterator", "builtins") X(enumerate, "enumerate", "builtins")          \
  X(zip, "zip", "builtins") X(map, "map", "builtins") X(filter, "filter", "builtins")              \
  X(reversed, "reversed", "builtins") X(closure, "function", "builtins")
// clang-format on

// Interned names used by the natives.
// clang-format off
#define BUILTIN_NAMES(X)                                                                           \
  X(dunder_new, "__new__") X(dunder_init, "__init__") X(dunder_int, "__int__")                     \
  X(dunder_float, "__float__") X(dunder_index, "__index__") X( dunder_trunc, "__trunc__")          \
  X(dunder_round, "__round__") X(dunder_abs, "__abs__") X(dunder_divmod, "__divmod__")             \
  X(dunder_rdivmod, "__rdivmod__") X( dunder_floor, "__floor__") X(dunder_ceil, "__ceil__")        \
  X(dunder_reversed, "__reversed__") X(dunder_missing, "__missing__") X(dunder_dir, "__dir__")     \
  X(dunder_dict, "__dict__") X( dunder_name, "__name__") X(dunder_qualname, "__qualname__")        \
  X(dunder_module, "__module__") X(dunder_doc, "__doc__")                                          \
  X(dunder_annotations, "__annotations__") X(dunder_wrapped, "__wrapped__")                        \
  X( dunder_hash, "__hash__") X(dunder_eq, "__eq__") X(dunder_len, "__len__")                      \
  X(dunder_iter, "__iter__") X(dunder_next, "__next__") X(dunder_getitem, "__getitem__")           \
  X( dunder_instancecheck, "__instancecheck__") X(dunder_subclasscheck, "__subclasscheck__")       \
  X(dunder_init_subclass, "__init_subclass__") X(dunder_set_name, "__set_name__")                  \
  X( dunder_class_getitem, "__class_getitem__") X(dunder_abstractmethods, "__abstractmethods__")   \
  X(dunder_isabstractmethod, "__isabstractmethod__") X(dunder_length_hint, "__length_hint__")      \
  X(dunder_bytes, "__bytes__") X(dunder_buffer, "__buffer__") X(stdout_now, "stdout")             \
  X(stdout_first, "__stdout__") X( dunder_format, "__format__") X(dunder_repr, "__repr__")          \
  X(dunder_str, "__str__") X(dunder_contains, "__contains__") X( dunder_call, "__call__")          \
  X(dunder_lt, "__lt__") X(dunder_le, "__le__") X(dunder_gt, "__gt__") X(dunder_ge, "__ge__")      \
  X( dunder_ne, "__ne__") X(dunder_match_args, "__match_args__")                                   \
  X(dunder_post_init, "__post_init__") X( dunder_dataclass_fields, "__dataclass_fields__")         \
  X(dunder_setattr, "__setattr__") X(dunder_delattr, "__delattr__") X(dunder_slots, "__slots__")   \
  X(dunder_get, "__get__") X(dunder_set, "__set__") X( dunder_bool, "__bool__")                    \
  X(dunder_copy, "__copy__") X(dunder_deepcopy, "__deepcopy__") X( dunder_all, "__all__")          \
  X(dunder_origin, "__origin__") X(dunder_args, "__args__") X( dunder_enter, "__enter__")          \
  X(dunder_exit, "__exit__") X(dunder_pow, "__pow__") X(keys, "keys") X(name, "name")              \
  X(value, "value") X(readline, "readline") X(value_private, "_value_") X(name_private, "_name_") X(fields, "_fields")
// clang-format on

typedef struct BuiltinState {
#define X(field, name, module) Type *field;
  BUILTIN_TYPES(X)
#undef X
  struct BuiltinNames {
#define X(field, text) Name field;
    BUILTIN_NAMES(X)
#undef X
  } names;
  VEC(Object *) repr_stack; // containers whose repr is being made …
  Map *repr_active;         // … by object; NULL: none yet
  Type *deque, *deque_iterator, *default_dict, *ordered_dict; // collections, once imported
  Type *grouper, *tee;                                        // itertools
  Type *text_file, *bytes_file; // of StringIO and BytesIO, once io has been imported
  Type *typing_form, *typing_alias, *type_var, *forward_ref, *generic, *protocol,
      *annotated; // typing
  Type *traceback, *frame;
  Type *abc_meta;       // abc.ABCMeta, made when first asked for
  uint64_t abc_version; // grows when a class may have got new virtual bases
  Value chars[128];     // the strs of one ASCII character
  // The text that was concatenated last ends here, and its memory there: what is appended to it
  // goes behind it.
  char *appended, *appended_limit;
  struct DataclassTypes *dataclasses; // once imported
  ModuleObject *sys;                  // once it has been imported
  unsigned compiled_patterns;         // of re: so many have become code of the machine
  Dict *struct_plans;                 // of struct: by format, as std_struct.c has it; or NULL
  List *import_path;                  // sys.path (import_path)
  struct KeptFiles *kept_files;       // of std_files.c: what is open, or NULL
  Value signal_handler;               // called with each signal that the program handles
  List *own_folders;          // temporary folders that the program made, and those it left, or NULL
  struct RandomState *random; // std_random.c: of the module's own functions
  struct Profiler *profiler;  // std_profile.c: while calls are counted
  struct DecimalState *decimal;   // std_decimal.h: once it has been imported
  struct DatetimeTypes *datetime; // std_datetime.h: likewise
  Type *csv_reader, *csv_writer;
} BuiltinState;
