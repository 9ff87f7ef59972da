// SPDX-License-Identifier: Apache-2.0
// The module types: names of the evaluator's own types.
#include "python/values/builtin_state.h"
#include "python/builtins/builtin_wrap.h"
#include "python/modules/module.h"
#include "python/values/evaluator_state.h"
#include "python/objects/convert.h"
#include "python/values/dict.h"
#include "python/values/new_value.h"
#include "python/objects/protocol.h"
#include "python/values/raise.h"
#include "python/objects/signature.h"
#include "python/objects/type_lookup.h"
#include "python/values/values.h"

// Of a class that derives from ModuleType the module is the payload, whose names are the
// attributes.
static Value module_make(Eval *ev, Value *a) { // cls, *args, **kwargs
  Type *cls = (Type *)a[0].o;
  ModuleObject *module = module_new(ev, name_of(ev, "?"), NULL);
  module->state = 2;
  Value made = payload_wrap(ev, cls, ev->types.module, v_object(module));
  if (cls != ev->types.module) ((Instance *)made.o)->dict = module->dict;
  return made;
}

static Value module_named(Eval *ev, Value *a) { // self, name, doc
  if (v_is_unbound(a[1]))
    eval_raise(ev, ev->types.TypeError, "module() missing required argument 'name' (pos 1)");
  ModuleObject *module = (ModuleObject *)value_unwrap(a[0]).o;
  Str name;
  if (!value_as_str(a[1], &name))
    eval_raise(ev, ev->types.TypeError, "module() argument 'name' must be str, not %s",
               value_type_name(ev, a[1]));
  module->name = name_intern(ev->session->interner, name);
  dict_set_name(ev, module->dict, name_of(ev, "__name__"), make_name(ev, module->name));
  dict_set_name(ev, module->dict, ev->names->doc, a[2]);
  return v_none();
}

static Value method_make(Eval *ev, Value *a) {
  if (!value_is_callable(ev, a[1]))
    eval_raise(ev, ev->types.TypeError, "first argument must be callable");
  if (v_is_none(a[2])) eval_raise(ev, ev->types.TypeError, "instance must not be None");
  BoundMethod *method = ARENA_NEW(ev->arena, BoundMethod);
  *method = (BoundMethod){{ev->types.method}, a[1], a[2]};
  return v_object(method);
}

static void types_init(Eval *ev, ModuleObject *module) {
  static const NativeDef module_methods[] = {{"__new__(cls, /, *args, **kwargs)", module_make},
                                             {"__init__(self, name=, doc=None)", module_named},
                                             {0}};
  static const NativeDef method_methods[] = {{"__new__(cls, function, instance, /)", method_make},
                                             {0}};
  const EvalTypes *types = &ev->types;
  dict_set_name(ev, types->module->dict, ev->names->new_, make_native(ev, module_methods));
  dict_set_name(ev, types->module->dict, ev->names->init, make_native(ev, module_methods + 1));
  dict_set_name(ev, types->method->dict, ev->names->new_, make_native(ev, method_methods));
  const struct {
    const char *name;
    Type *type;
  } names[] = {{"FunctionType", types->function},
               {"LambdaType", types->function},
               {"MethodType", types->method},
               {"BuiltinFunctionType", types->native},
               {"BuiltinMethodType", types->native},
               {"MethodDescriptorType", types->native},
               {"ClassMethodDescriptorType", types->native},
               {"WrapperDescriptorType", ev->core->slot_wrapper},
               {"GetSetDescriptorType", ev->builtin->getset},
               {"MemberDescriptorType", ev->core->member},
               {"ModuleType", types->module},
               {"GeneratorType", types->generator},
               {"GenericAlias", types->generic_alias},
               {"UnionType", types->union_type},
               {"MappingProxyType", types->mapping_proxy},
               {"TracebackType", ev->builtin->traceback},
               {"FrameType", ev->builtin->frame},
               {"CodeType", ev->core->code},
               {"CellType", ev->core->cell},
               {"NoneType", types->none},
               {"EllipsisType", types->ellipsis},
               {"NotImplementedType", types->not_implemented}};
  for (size_t i = 0; i < COUNT_OF(names); i++) {
    if (names[i].type) module_set(ev, module, names[i].name, v_object(names[i].type));
  }
}

const ModuleDef module_types = {.name = "types", .init = types_init};
