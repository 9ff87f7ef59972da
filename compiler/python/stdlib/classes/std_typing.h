// SPDX-License-Identifier: Apache-2.0
// What the files of the module typing share.
#pragma once
#include "python/values/builtin_state.h"

typedef enum FormKind {
  FORM_PLAIN, // NoReturn: takes nothing
  FORM_ONE,   // Final[T]
  FORM_UNPACK,
  FORM_CLASS_VAR,
  FORM_MANY, // Concatenate[A, B]
  FORM_OPTIONAL,
  FORM_UNION,
  FORM_LITERAL,
  FORM_CALLABLE,
  FORM_ALIAS, // List[T]: of a class
} FormKind;
typedef struct FormDef {
  const char *name;
  FormKind kind;
  const char *module, *origin; // of the class it stands for, or NULL
} FormDef;
typedef struct Form {
  Object base;
  const FormDef *def;
} Form;

// List[int], Union[int, str], C[T] of a generic class, Annotated[int, …].
typedef struct TypingAlias {
  Object base;
  Value form;   // the Form, or the class that was subscripted
  Value origin; // __origin__; V_UNBOUND: the form's, not looked up yet
  Tuple *args;
  Tuple *metadata;   // of Annotated, else NULL
  Tuple *parameters; // NULL: not gathered yet
  bool is_open;      // Callable without a list of parameters
} TypingAlias;

typedef struct ForwardRef {
  Object base;
  Value text;
} ForwardRef;

typedef struct TypeVariable { // TypeVar, ParamSpec, TypeVarTuple
  Object base;
  Name name;
  Value bound;
  Tuple *constraints;
  bool covariant, contravariant, infers_variance;
} TypeVariable;

const FormDef *typing_form(Eval *ev, Value v); // NULL if v is no form
TypingAlias *typing_alias(Eval *ev, Value v);  // NULL if v is no alias
Value make_typing_alias(Eval *ev, Value form, Value origin, Tuple *args);
Value typing_argument(Eval *ev, Value v);
Value typing_or(Eval *ev, BinaryOp op, Value left,
                Value right); // the `binary` slot of all that is like a type
void typing_forms_init(Eval *ev, ModuleObject *module);
