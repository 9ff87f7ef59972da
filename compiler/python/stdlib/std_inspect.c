// SPDX-License-Identifier: Apache-2.0
// What the module inspect needs of the evaluator: parameters of functions.
#include "python/objects/builtin_state.h"
#include "python/modules/module.h"
#include "python/objects/evaluator_state.h"
#include "python/objects/make.h"
#include "python/objects/signature.h"

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
