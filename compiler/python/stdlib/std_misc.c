// SPDX-License-Identifier: Apache-2.0
// Small modules: copy, types, warnings, weakref, gc, inspect and the like. What they need of the
// evaluator is here; most of each is in its prelude.
#include "python/builtins/builtin_local.h"
#include "python/core/core.h"
#include <string.h>

// ---- copy ---------------------------------------------------------------------------------------
// A new object of the same class, empty: to be filled by _fill. None if copies of it are the object
// itself.
static Value f_empty_like(Eval *ev, Value *a) {
  if (a[0].kind != V_OBJECT) return v_none();
  Type *type = a[0].o->type;
  if (type->is_exception || !type->instances_have_dict || is_type(ev, a[0])) return v_none();
  Instance *made = instance_new(ev, type);
  made->payload = ((const Instance *)a[0].o)->payload;
  return v_object(made);
}

static Value f_instance_dict(Eval *ev UNUSED, Value *a) {
  Dict *dict = instance_dict(a[0]);
  return dict ? v_object(dict) : v_none();
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
    {"_payload(x, /)", f_payload},
    {"_set_payload(x, payload, /)", f_set_payload},
    {"_copy_exception(x, /)", f_copy_exception},
    {0},
};

const ModuleDef module_copy = {.name = "copy", .functions = copy_functions};

// ---- types --------------------------------------------------------------------------------------
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
               {"NoneType", types->none},
               {"EllipsisType", types->ellipsis},
               {"NotImplementedType", types->not_implemented}};
  for (size_t i = 0; i < COUNT_OF(names); i++) {
    if (names[i].type) module_set(ev, module, names[i].name, v_object(names[i].type));
  }
}

const ModuleDef module_types = {.name = "types", .init = types_init};

// ---- warnings -----------------------------------------------------------------------------------
// At the call of warnings.warn. Deprecations have a group of their own, which is off by default as
// Python's are.
static Value f_emit(Eval *ev, Value *a) {
  Str text = take_str(ev, a[0], "message"), category = take_str(ev, a[1], "category");
  bool is_deprecation = str_equal(category, STR("DeprecationWarning")) ||
                        str_equal(category, STR("PendingDeprecationWarning"));
  eval_warn(ev, is_deprecation ? WARN_DEPRECATED : WARN_HINT, "%.*s: %.*s", STR_FMT(category),
            STR_FMT(text));
  return v_none();
}

static const NativeDef warnings_functions[] = {{"_emit(message, category, /)", f_emit}, {0}};

const ModuleDef module_warnings = {.name = "warnings", .functions = warnings_functions};

// ---- inspect ------------------------------------------------------------------------------------
static Value parameter(Eval *ev, Name name, int kind, Value default_value) {
  Value empty = module_lookup(ev, "inspect", "_empty");
  return make_tuple(ev, 3,
                    (Value[]){make_name(ev, name), v_int(kind),
                              v_is_unbound(default_value) ? empty : default_value});
}

// (name, kind, default) of each parameter; kinds are numbered as in inspect.Parameter.
static Value parameters_of(Eval *ev, const Params *params, const Value *defaults) {
  List *list = list_new(ev, params->count);
  for (size_t i = 0; i < params->count; i++) {
    bool is_kwargs = params->has_kwargs && i + 1 == params->count;
    bool is_varargs = params->has_varargs && i == params->positional;
    int kind = is_kwargs                     ? 4
               : is_varargs                  ? 2
               : i < params->positional_only ? 0
               : i < params->positional      ? 1
                                             : 3;
    list_push(ev, list,
              parameter(ev, params->items[i].name, kind, defaults ? defaults[i] : v_unbound()));
  }
  return v_object(list);
}

static Value f_parameters(Eval *ev, Value *a) {
  if (is_a(a[0], ev->types.function)) {
    const Function *f = (const Function *)a[0].o;
    return parameters_of(ev, f->params, f->defaults);
  }
  if (is_a(a[0], ev->types.native)) {
    const Value *defaults;
    const Params *params = native_params(ev, (NativeFunction *)a[0].o, &defaults);
    return parameters_of(ev, params, defaults);
  }
  return v_none();
}

static Value f_is_native(Eval *ev, Value *a) {
  return v_bool(is_a(a[0], ev->types.native) || is_a(a[0], ev->core->slot_wrapper));
}

static const NativeDef inspect_functions[] = {
    {"_parameters(f, /)", f_parameters},
    {"_is_native(f, /)", f_is_native},
    {0},
};

static const NotSupported inspect_missing[] = {
    {"currentframe", "frames are not objects at trace time"},
    {"stack", "frames are not objects at trace time"},
    {NULL, NULL},
};

const ModuleDef module_inspect = {
    .name = "inspect", .functions = inspect_functions, .not_supported = inspect_missing};

// ---- contextlib ---------------------------------------------------------------------------------
static const NotSupported contextlib_missing[] = {
    {"asynccontextmanager", "there is no async at trace time"},
    {"AsyncExitStack", "there is no async at trace time"},
    {NULL, NULL},
};

const ModuleDef module_contextlib = {.name = "contextlib", .not_supported = contextlib_missing};

// ---- written in the language alone --------------------------------------------------------------
static const NotSupported threading_missing[] = {{"Thread", "there are no threads at trace time"},
                                                 {NULL, NULL}};

const ModuleDef module_threading = {.name = "threading", .not_supported = threading_missing};
