// SPDX-License-Identifier: Apache-2.0
// What the files of the module dataclasses share.
#pragma once
#include "python/values/builtin_state.h"
#include "python/values/evaluator_state.h"

typedef enum FieldKind { FIELD_PLAIN, FIELD_CLASS_VAR, FIELD_INIT_VAR } FieldKind;

typedef struct Field {
  Object base;
  Name name;             // NULL until a class has it
  Type *owner;           // the class that annotates it: its type is looked up there
  Value type;            // V_UNBOUND: not asked for yet
  Value default_value;   // V_UNBOUND: none
  Value default_factory; // V_UNBOUND: none
  Value hash;            // True, False or None (as `compare`)
  Value metadata;
  bool init, repr, compare;
  int kw_only; // -1: as the class says
  FieldKind kind;
  AttributePlace place; // where methods of the class found it last
} Field;

// What dataclass() has made of a class: __dataclass_params__, and what its methods work by.
typedef struct DataclassInfo {
  Object base;
  Type *cls;
  bool init, repr, eq, order, unsafe_hash, frozen;
  bool has_post_init;
  Field **fields; // in order, pseudo-fields included
  size_t count;
  Field **init_fields; // the parameters of __init__ after self
  size_t init_count, init_positional;
  Params params;
  Value *defaults; // of params; for a factory the marker
} DataclassInfo;

typedef struct DataclassOptions {
  bool init, repr, eq, order, unsafe_hash, frozen, match_args, kw_only, slots, weakref_slot;
} DataclassOptions;

typedef struct DataclassTypes {
  Type *field, *info, *init_var, *frozen_error, *doc;
  Value missing, kw_only;
  Name fields_name, params_name, post_init_name; // __dataclass_fields__, …
} DataclassTypes;
const DataclassTypes *dataclass_types(Eval *ev); // imports the module if need be

DataclassInfo *dataclass_info(Eval *ev,
                              const Type *type); // of the class itself or the nearest base, or NULL
// Gives the class its methods (dataclass_methods.c) …
void dataclass_add_methods(Eval *ev, DataclassInfo *info, const DataclassOptions *options);
void dataclass_doc_init(Eval *ev, DataclassTypes *types);
