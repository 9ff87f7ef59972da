// SPDX-License-Identifier: Apache-2.0
// What the module warnings needs of the evaluator: a warning at the place of the call.
#include "python/values/builtin_state.h"
#include "python/modules/module.h"
#include "python/builtins/builtin_traceback.h"
#include "python/values/dict.h"
#include "python/values/evaluator_state.h"
#include "python/values/new_value.h"
#include "python/modules/report.h"
#include "python/objects/convert.h"
#include "python/values/values.h"

// At the call of warnings.warn, whose filters have let it through.
static Value f_emit(Eval *ev, Value *a) {
  Str text = take_str(ev, a[0], "message"), category = take_str(ev, a[1], "category");
  eval_warn(ev, WARN_PROGRAM, "%.*s: %.*s", STR_FMT(category), STR_FMT(text));
  return v_none();
}

// Of the call that many levels above the function that asks: (name of its module, file, line).
static Value f_caller(Eval *ev, Value *a) {
  int64_t level = take_int(ev, a[0], "stacklevel");
  const Frame *frame = ev->frame;
  for (; level > 1 && frame->caller; level--) frame = frame->caller;
  Value module = make_str_c(ev, "sys"), file = module, line = v_int(1); // above the program
  if (frame->caller && frame->caller->module) {
    const ModuleObject *of = frame->caller->module;
    module = dict_get_name(of->dict, ev->builtin->names.dunder_name);
    if (v_is_unbound(module)) module = make_name(ev, of->name);
    Value entry = trace_entry_tuple(ev, frame->call, (FrameName){0});
    bool is_users = !v_is_none(entry);
    file = is_users ? ((const Tuple *)entry.o)->items[0] : make_str_c(ev, "");
    line = is_users ? ((const Tuple *)entry.o)->items[1] : v_int(0);
  }
  return make_tuple(ev, 3, (Value[]){module, file, line});
}

static const NativeDef warnings_functions[] = {
    {"_emit(message, category, /)", f_emit}, {"_caller(level, /)", f_caller}, {0}};

const ModuleDef module_warnings = {.name = "warnings", .functions = warnings_functions};
