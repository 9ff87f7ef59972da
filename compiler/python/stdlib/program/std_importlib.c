// SPDX-License-Identifier: Apache-2.0
// The module importlib: imports whose names a program computes.
#include "python/values/builtin_state.h"
#include "python/modules/module.h"
#include "python/values/evaluator_state.h"
#include "python/modules/import.h"
#include "python/objects/convert.h"
#include "python/values/new_value.h"
#include "python/objects/type_lookup.h"
#include "python/values/raise.h"
#include "python/values/values.h"

static Value f_import_module(Eval *ev, Value *a) {
  return v_object(import_dotted(ev, take_str(ev, a[0], "name")));
}

// The module of this name if it has been imported, else None.
static Value f_known(Eval *ev, Value *a) {
  ModuleObject *module = import_known(ev, take_str(ev, a[0], "name"));
  return module ? v_object(module) : v_none();
}

// Where a module comes from; None if there is none.
static Value f_origin(Eval *ev, Value *a) {
  Str origin = import_origin(ev, take_str(ev, a[0], "name"));
  return origin.len ? make_str(ev, origin) : v_none();
}

static Value f_absolute(Eval *ev, Value *a) {
  return make_str(ev, import_absolute(ev, take_str(ev, a[0], "package"), take_str(ev, a[1], "name"),
                                      (size_t)take_int(ev, a[2], "level")));
}

static Value f_execute(Eval *ev, Value *a) {
  if (!is_a(a[0], ev->types.module))
    eval_raise(ev, ev->types.TypeError, "expected a module, not '%s'", value_type_name(ev, a[0]));
  import_execute(ev, (ModuleObject *)a[0].o, take_str(ev, a[1], "path"));
  return v_none();
}

static const NativeDef functions[] = {
    {"_execute(module, path, /)", f_execute},
    {"_import(name, /)", f_import_module},
    {"_known(name, /)", f_known},
    {"_origin(name, /)", f_origin},
    {"_absolute(package, name, level, /)", f_absolute},
    {0},
};

const ModuleDef module_importlib = {.name = "importlib", .functions = functions};
