// SPDX-License-Identifier: Apache-2.0
// What the module copy needs of the evaluator: empty objects, payloads, dicts.
#include "python/values/builtin_state.h"
#include "python/modules/module.h"
#include "python/values/evaluator_state.h"
#include "python/builtins/builtin_dict.h"
#include "python/values/new_value.h"
#include "python/objects/type_lookup.h"

// A new object of the same class, empty: to be filled by _fill. None if copies of it are the object
// itself.
static Value f_empty_like(Eval *ev, Value *a) {
  if (a[0].kind != V_OBJECT) return v_none();
  Type *type = a[0].o->type;
  if (type->is_exception || !type->is_heap || !type->instances_have_dict || is_type(ev, a[0]))
    return v_none();
  Instance *made = instance_new(ev, type);
  made->payload = ((const Instance *)a[0].o)->payload;
  return v_object(made);
}

static Value f_instance_dict(Eval *ev UNUSED, Value *a) {
  Dict *dict = instance_dict(a[0]);
  return dict ? v_object(dict) : v_none();
}

static Value f_instance_members(Eval *ev UNUSED, Value *a) { // of __slots__, beside the dict
  Dict *members = instance_dict(a[0]) ? ((const Instance *)a[0].o)->members : NULL;
  return members ? v_object(members) : v_none();
}

static Value f_set_instance_members(Eval *ev UNUSED, Value *a) {
  ((Instance *)a[0].o)->members = (Dict *)a[1].o;
  return v_none();
}

static Value f_payload(Eval *ev UNUSED,
                       Value *a) { // of an instance of a class derived from list, dict …
  return a[0].kind == V_OBJECT && a[0].o->type->payload ? ((const Instance *)a[0].o)->payload
                                                        : v_none();
}

static Value f_set_payload(Eval *ev UNUSED, Value *a) {
  ((Instance *)a[0].o)->payload = a[1];
  return v_none();
}

static Value f_copy_exception(Eval *ev, Value *a) {
  if (a[0].kind != V_OBJECT || !a[0].o->type->is_exception) return v_none();
  const ExceptionObject *from = (const ExceptionObject *)a[0].o;
  ExceptionObject *made = (ExceptionObject *)instance_new(ev, a[0].o->type);
  made->args = from->args;
  made->instance.dict = dict_copy(ev, from->instance.dict);
  return v_object(made);
}

static const NativeDef copy_functions[] = {
    {"_empty_like(x, /)", f_empty_like},
    {"_instance_dict(x, /)", f_instance_dict},
    {"_instance_members(x, /)", f_instance_members},
    {"_set_instance_members(x, members, /)", f_set_instance_members},
    {"_payload(x, /)", f_payload},
    {"_set_payload(x, payload, /)", f_set_payload},
    {"_copy_exception(x, /)", f_copy_exception},
    {0},
};

const ModuleDef module_copy = {.name = "copy", .functions = copy_functions};
