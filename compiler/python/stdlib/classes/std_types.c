// SPDX-License-Identifier: Apache-2.0
// The module types: names of the evaluator's own types.
#include "python/values/builtin_state.h"
#include "python/modules/module.h"
#include "python/values/evaluator_state.h"
#include "python/objects/convert.h"
#include "python/values/dict.h"
#include "python/values/new_value.h"
#include "python/objects/protocol.h"
#include "python/values/raise.h"
#include "python/objects/signature.h"

static Value module_make(Eval *ev, Value *a) {
  Name name = name_intern(ev->session->interner, take_str(ev, a[1], "module() argument 'name'"));
  ModuleObject *module = module_new(ev, name, NULL);
  module->state = 2;
  dict_set_name(ev, module->dict, ev->names->doc, a[2]);
  return v_object(module);
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
  static const NativeDef module_methods[] = {{"__new__(cls, name, doc=None)", module_make}, {0}};
  static const NativeDef method_methods[] = {{"__new__(cls, function, instance, /)", method_make},
                                             {0}};
  const EvalTypes *types = &ev->types;
  dict_set_name(ev, types->module->dict, ev->names->new_, make_native(ev, module_methods));
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
               {"NoneType", types->none},
               {"EllipsisType", types->ellipsis},
               {"NotImplementedType", types->not_implemented}};
  for (size_t i = 0; i < COUNT_OF(names); i++) {
    if (names[i].type) module_set(ev, module, names[i].name, v_object(names[i].type));
  }
}

const ModuleDef module_types = {.name = "types", .init = types_init};
